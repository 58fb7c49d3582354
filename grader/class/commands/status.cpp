// `labkit class status DIR`: how far a class is, also from another terminal while it is graded.
#include <fmt/format.h>

#include <map>

#include "base/command_text.h"
#include "base/error.h"
#include "base/text.h"
#include "class/commands/class.h"
#include "class/publish/publish.h"

namespace labkit::course {

namespace {

namespace fs = std::filesystem;

/// From the plan's files alone: a gradebook cannot be read from another machine while one writes it.
int say_plan(const fs::path& out, const PlanFolder& folder) {
  const Plan& plan = folder.plan();
  const PlanFolder::State state = folder.state();
  std::size_t all = 0, done = 0, to_measure = 0;            // submissions
  std::map<std::string, std::vector<std::string>> reasons;  // with the names of tasks
  const std::vector<unsigned> shards = open_shards(folder, plan.shards, true);
  for (const Task& task : plan.tasks) {
    all += task.submissions;
    done += state.is_open(task) ? 0 : task.submissions;
    to_measure += state.waits_for_gpu(task) ? task.submissions : 0;
    if (state.failed.contains(task.name()))
      reasons[folder.get(task, PlanFolder::kFailed).value_or("")].push_back(task.name());
  }

  const bool is_at_work = is_graded_now(gradebook_file(out));
  say(fmt::format("{} {} on {}: {}.", is_at_work ? "Grading" : "Planned",
                  counted(all, "submission"), device_words(plan.device()),
                  progress_text(done, all, 0)));
  say_list("Not graded, through no fault of the students:", trouble_lines(reasons), kScreenful);
  const std::string folder_word = shell_word(out.string());
  if (!shards.empty() && plan.shards > 1)
    say(fmt::format("Not finished: {} of {}: {}", counted(shards.size(), "shard"), plan.shards,
                    ranges_text(shards)));
  if (to_measure > 0) say(fmt::format("Waiting for a GPU: {}", counted(to_measure, "submission")));
  if (shards.empty() && to_measure == 0)
    say(fmt::format("To take the results in: {} class merge {}", command_name(), folder_word));
  else if (!is_at_work)
    say(fmt::format(
        "What is missing is graded by the same `{0} class grade` again, or by shards: {0} "
        "class submit {1}",
        command_name(), folder_word));
  return kExitOk;
}

int say_gradebook(const fs::path& out) {
  const Gradebook book(gradebook_file(out), Gradebook::Mode::existing);
  const ClassCount all = count(book.entries(View::with_pending));
  if (book.has_pending())
    say(
        fmt::format("The import of {} changes grades and is not applied yet. To apply it: {} class "
                    "merge {} --yes",
                    joined(book.pending_downloads()), command_name(), shell_word(out.string())));
  if (is_graded_now(gradebook_file(out)))
    say("Reading submissions, or writing pages.");
  else if (all.waiting == 0)
    say("Idle. All gradable submissions are graded.");
  else
    say(fmt::format("Idle. {} of {} wait; run the same command to continue.", all.waiting,
                    all.to_grade));
  say_class(book);
  return kExitOk;
}

int run_class_status(const fs::path& out) {
  const auto folder = PlanFolder::find(out);
  return folder ? say_plan(out, *folder) : say_gradebook(out);
}

}  // namespace

void add_class_status(cli::Command parent) {
  const auto options = std::make_shared<fs::path>();
  cli::Command command = parent.subcommand("status", "how far grading is, also while it runs");
  command.run([options] { return run_class_status(*options); });
  add_folder(command, *options);
}

}  // namespace labkit::course
