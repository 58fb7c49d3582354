// `labkit class show` and `labkit class status DIR`: what is known of one student; how far a class is, also from another
// terminal while it is graded.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "class/commands/class.h"
#include "class/commands/words.h"
#include "class/gradebook/gradebook.h"
#include "class/intake/roster.h"
#include "class/publish/exports.h"
#include "class/publish/publish.h"
#include "cli/paths.h"
#include "report/json.h"
#include "report/text.h"

namespace labkit::course {

namespace {

namespace fs = std::filesystem;

struct ShowOptions {
  fs::path folder;
  std::string student, lab;
};

std::vector<std::string> facts(const Entry& entry, const Grade& grade) {
  std::vector<std::string> lines;
  if (entry.submitted) {
    std::string line =
        fmt::format("submitted as {}, from {}", entry.submission.path, entry.submission.download);
    if (entry.submission.submitted_at)
      line += ", " + local_time_text(*entry.submission.submitted_at);
    if (entry.submission.late) line += ", marked late";
    if (entry.submission.group.size() > 1)
      line += ", by the group " + joined(entry.submission.group);
    lines.push_back(line);
  }
  if (entry.graded) {
    lines.push_back(fmt::format(
        "graded on {}, kit {}, seed {}: {} of {} points{}, {}", entry.job->device, entry.job->kit,
        entry.job->seed, points_text(entry.points), points_text(entry.max_points),
        entry.bonus > 0 ? " and " + points_text(entry.bonus) + " of bonus" : "", entry.verdict));
  }
  if (grade.late_days > 0)
    lines.push_back(fmt::format("{}: {} points taken off", days_text(grade.late_days) + " late",
                                points_text(grade.taken_off)));
  for (const std::string& note : all_notes(grade)) lines.push_back(note);
  for (const Decision& one : entry.decisions)
    lines.push_back(fmt::format("{} by {}: {}: {}", local_time_text(one.at), one.by,
                                decided_text(one), one.reason));
  return lines;
}

int run_show(const ShowOptions& options) {
  const Gradebook book(gradebook_file(options.folder), Gradebook::Mode::existing);
  const auto labs = grade::find_labs(cli::root_directory());
  const std::vector<Student> students = book.students();
  const Student& student = find_student(students, options.student);
  const std::string only = options.lab.empty() ? "" : find_lab(labs, options.lab).id;
  const Report report = make_report(book, kept_policy(book), labs);
  const report::Style style = report::style_for(stdout);

  std::string text = style.bold(report::printable(student.shown())) + "\n";
  for (const auto& [key, value] : student.keys)
    if (!value.empty() && key != kLmsSid && key != kLmsEmail)
      text += report::printable(fmt::format("  {}: {}\n", key, value));
  for (const Entry& entry : report.entries) {
    if (entry.student != student.id || (!only.empty() && entry.lab != only)) continue;
    const Grade& grade = *report.find(entry.student, entry.lab);
    const std::string points = grade.points ? points_text(*grade.points) : "blank";
    text += fmt::format("\n{}  {}", style.bold(entry.lab), points);
    if (grade.max_points > 0) text += " of " + points_text(grade.max_points);
    text += report::printable(fmt::format("  {}\n", grade.verdict));
    for (const std::string& line : facts(entry, grade))
      text += "  " + report::printable(line) + "\n";
    const auto outcome = only.empty() || !entry.graded ? std::nullopt : book.outcome(entry.job->id);
    if (outcome)
      text += "\n" +
              report::grade_text(
                  {{entry.lab, report::read_lab_json(outcome->json, "the stored result")}}, style);
  }
  if (const Total total = report.total(student.id); only.empty() && total.points) {
    text += fmt::format("\ntotal {} of {}\n", points_text(*total.points),
                        points_text(total.max_points));
    for (const std::string& line : total.how) text += "  " + line + "\n";
  }
  for (const ReviewCase& one : report.review)
    if (one.student == student.id && (only.empty() || one.lab.empty() || one.lab == only))
      text += report::printable(fmt::format("to review, {}: {}\n", one.what, one.why));
  report::print(text);
  return kExitOk;
}

/// From the plan's files alone: a gradebook cannot be read from another machine while one writes it.
int say_plan(const fs::path& out, const PlanFolder& folder) {
  const Plan& plan = folder.plan();
  const PlanFolder::State state = folder.state();
  std::size_t all = 0, done = 0, to_measure = 0;            // submissions
  std::map<std::string, std::vector<std::string>> reasons;  // with the names of tasks
  std::vector<unsigned> shards;
  for (std::size_t i = 0; i < plan.tasks.size(); ++i) {
    const Task& task = plan.tasks[i];
    all += task.submissions;
    done += state.is_open(task) ? 0 : task.submissions;
    to_measure += state.waits_for_gpu(task) ? task.submissions : 0;
    if (state.failed.contains(task.name()))
      reasons[folder.get(task, PlanFolder::kFailed).value_or("")].push_back(task.name());
    const unsigned shard = static_cast<unsigned>(i % plan.shards);
    if (state.is_open(task) && !state.waits_for_gpu(task)) shards.push_back(shard);
  }
  std::sort(shards.begin(), shards.end());
  shards.erase(std::unique(shards.begin(), shards.end()), shards.end());

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
  const std::string device = book.setting(kDeviceSetting);

  if (book.has_pending())
    say(fmt::format("An import that changes grades waits. To apply it: {} class merge {} --yes",
                    command_name(), shell_word(out.string())));
  if (is_graded_now(gradebook_file(out)))
    say("Reading submissions, or writing pages.");
  else if (all.waiting == 0)
    say("Idle. All gradable submissions are graded.");
  else
    say(fmt::format("Idle. {} of {} wait; run the same command to continue.", all.waiting,
                    all.to_grade));
  if (!device.empty()) say(fmt::format("Device: {}.", device_words(device)));
  if (all.last_result_at > 0) say("Last result: " + local_time_text(all.last_result_at));
  say_class(book);
  return kExitOk;
}

int run_class_status(const fs::path& out) {
  const auto folder = PlanFolder::find(out);
  return folder ? say_plan(out, *folder) : say_gradebook(out);
}

}  // namespace

void add_class_show(cli::Command parent) {
  const auto options = std::make_shared<ShowOptions>();
  cli::Command command = parent.subcommand("show", "what is known of one student");
  command.run([options] { return run_show(*options); });
  add_folder(command, options->folder);
  command.option("STUDENT", options->student, "id, name, e-mail or number").required();
  command.option("LAB", options->lab, "with the whole report of this lab");
}

void add_class_status(cli::Command parent) {
  const auto options = std::make_shared<fs::path>();
  cli::Command command = parent.subcommand("status", "how far grading is, also while it runs");
  command.run([options] { return run_class_status(*options); });
  add_folder(command, *options);
}

}  // namespace labkit::course
