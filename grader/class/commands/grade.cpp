// `labkit class grade`: plan, work and merge in one process; and `class merge`: results into the gradebook, which nothing
// else writes while a plan is worked on.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <optional>
#include <string>

#include "base/command_text.h"
#include "base/error.h"
#include "base/text.h"
#include "class/commands/class.h"
#include "cli/check_process.h"
#include "cli/stop.h"
#include "report/style.h"

namespace labkit::course {

namespace {

namespace fs = std::filesystem;

/// What there is goes into the gradebook, for `class report`; the same command plans the rest.
void say_stopped(Gradebook& book, const PlanFolder& folder, const std::filesystem::path& out) {
  take_results(book, folder);
  folder.remove();
  const ClassCount now = count(book.entries(View::with_pending));
  say(fmt::format("Stopped: {} of {} are graded and saved in {}.", now.graded, now.to_grade,
                  gradebook_file(out).string()));
}

int run_class_grade(const ClassGradeOptions& options) {
  OpenClass open(options);
  Gradebook& book = open.book;
  std::optional<cli::StopOnSignals> signals(std::in_place);
  const Planned planned = plan_class(open);
  if (planned.folder) {
    RunResult worked;
    std::map<std::string, std::string> students;  // by Task::name()
    for (const Job& job : book.to_do()) {
      std::string& named = students[Task{job.lab, job.source_sha256}.name()];
      named += (named.empty() ? "" : ", ") + job.student;
    }
    try {
      worked = work_on(
          *planned.folder, planned.folder->plan().tasks,
          {.jobs = options.jobs, .device = planned.choice, .called = [&](const Task& task) {
             return task.is_reference() ? fmt::format("the kit's own solution of {}", task.lab)
                                        : students[task.name()] + " " + task.lab;
           }});
    } catch (const Error&) {
      say_stopped(book, *planned.folder, options.out);
      throw;
    }
    if (worked.stopped) {
      say_stopped(book, *planned.folder, options.out);
      say("Run the same command to continue.");
      return kExitStopped;
    }
  }
  signals.reset();  // what is left takes a moment, and can be done again
  return finish_class(book, options.out, options.yes, true);
}

/// What changes grades that there are waits until somebody says yes.
void apply(Gradebook& book, const fs::path& out, bool yes) {
  if (!book.has_pending()) return;
  const Changes changes = changes_to(book, cli::select_labs({}));
  if (changes.is_harmless()) return book.apply_pending();
  const std::string downloads = joined(book.pending_downloads());
  say_changes(changes, " by the import of " + downloads);
  if (yes || is_agreed("Apply it?")) return book.apply_pending();
  say(fmt::format(
      "The import of {} is not applied yet; the grades below are without it. To apply it: {} class "
      "merge {} --yes",
      downloads, command_name(), shell_word(out.string())));
}

/// True if nothing is missing.
bool take_plan(Gradebook& book, const fs::path& out, bool ends_plan) {
  const auto folder = PlanFolder::find(out);
  if (!folder) return true;
  const Merged merged = take_results(book, *folder);
  if (ends_plan || merged.is_whole()) folder->remove();
  if (merged.missing + merged.labs_missing > 0)
    say(fmt::format(
        "Not graded yet: {}. `{} class status {}` lists the shards that are missing.",
        merged.missing > 0 ? counted(merged.missing, "submission") : "the kit's own solutions",
        command_name(), shell_word(out.string())));
  return merged.missing + merged.labs_missing == 0;
}

int run_class_merge(const ClassGradeOptions& options) {
  Gradebook book(gradebook_file(options.out), Gradebook::Mode::existing);
  const GradingLock lock(gradebook_file(options.out));
  return finish_class(book, options.out, options.yes, false);
}

}  // namespace

Merged take_results(Gradebook& book, const PlanFolder& folder) {
  Merged merged = merge(book, folder);
  for (const std::string& warning : merged.warnings) say("WARNING: " + warning);
  return merged;
}

bool is_agreed(const char* question) {
  if (::isatty(STDIN_FILENO) != 1 || ::isatty(STDOUT_FILENO) != 1) return false;
  std::printf("%s [y/N] ", question);
  std::fflush(stdout);
  const int answer = std::getchar();
  return answer == 'y' || answer == 'Y';
}

void say_changes(const Changes& changes, const std::string& how) {
  std::vector<std::string> what;
  if (!changes.changed.empty()) what.push_back(counted(changes.changed.size(), "grade"));
  if (changes.totals > 0) what.push_back(counted(changes.totals, "total"));
  const bool is_one = changes.changed.size() + changes.totals == 1;
  std::string text = joined(what, " and ");
  if (!text.empty()) text += is_one ? " changes" : " change";
  if (changes.removed > 0)
    text = fmt::format("{} of labs that are no longer set go{}{}",
                       counted(changes.removed, "grade"), text.empty() ? "" : "; ", text);
  if (text.empty()) return;
  say(text + how + (changes.changed.empty() ? "." : ":"));
  for (const std::string& line : changes.changed) say("  " + line);
}

void say_class(const Gradebook& book) {
  const std::vector<Entry> entries = book.entries();
  say("");
  report::print(class_table(grade_all(entries, kept_policy(book))));
  say("");
  if (const std::string missing = missing_text(book.students(), entries); !missing.empty())
    say("Submitted nothing: " + missing);
  say_list("Not graded, through no fault of the students; `class grade` tries again:",
           trouble_lines(entries), kScreenful);
  const Policy policy = kept_policy(book);
  std::map<std::string, std::size_t> without_time;  // by lab
  for (const Entry& one : entries)
    if (one.submitted && policy.due.contains(one.lab) && !submitted_at(one, policy))
      ++without_time[one.lab];
  for (const auto& [lab, submissions] : without_time)
    say(
        fmt::format("{}: its due date does not count for {} without a time; to decide: class set "
                    "--late-days, or --moodle-worksheet",
                    lab, counted(submissions, "submission")));
}

int finish_class(Gradebook& book, const fs::path& out, bool yes, bool ends_plan) {
  const auto labs = cli::select_labs({});
  const Report before = kept_report(book, labs);
  const bool is_whole = take_plan(book, out, ends_plan);
  say_changes(changes(before, kept_report(book, labs)), " by grading again");
  if (is_whole) apply(book, out, yes);
  say_class(book);
  const ClassCount now = count(book.entries());
  if (now.undecided > 0)
    say(
        fmt::format("{} could not be decided on this GPU and stay blank; the same command "
                    "measures them again.",
                    counted(now.undecided, "submission")));
  publish_class(book, {}, out);
  if (now.not_graded > 0 || !is_whole) return kExitOurError;
  return now.undecided > 0 ? kExitInconclusive : kExitOk;
}

void add_class_grade(cli::Command parent) {
  const auto options = std::make_shared<ClassGradeOptions>();
  cli::Command command =
      parent.subcommand("grade", "grade a class's submissions; run it again to continue");
  command.run([options] { return run_class_grade(*options); });
  add_import_options(command, *options);
  add_work_options(command, options->jobs);
  command.flag("--yes", options->yes, "apply an import without asking, even if it changes grades");
}

void add_class_merge(cli::Command parent) {
  const auto options = std::make_shared<ClassGradeOptions>();
  cli::Command command =
      parent.subcommand("merge", "take the results of a plan into the gradebook");
  command.run([options] { return run_class_merge(*options); });
  add_folder(command, options->out);
  command.flag("--yes", options->yes, "apply an import without asking, even if it changes grades");
}

}  // namespace labkit::course
