// `labkit class grade`: plan, work and merge in one process.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <optional>
#include <string>

#include "base/error.h"
#include "class/commands/steps.h"
#include "class/commands/words.h"
#include "cli/grading.h"
#include "cli/paths.h"
#include "cli/stop.h"

namespace labkit::course {
namespace {

/// What there is goes into the gradebook, for `class report`; the same command plans the rest.
void say_stopped(Gradebook& book, const PlanFolder& folder, const std::filesystem::path& out) {
  take_results(book, folder);
  folder.remove();
  const ClassCount now = count(book.entries(View::with_pending));
  say(fmt::format("Stopped: {} of {} are graded and saved in {}.", now.graded, now.to_grade,
                  gradebook_file(out).string()));
  if (now.graded > 0)
    say(fmt::format("To see the results so far: {} class report {}", command_name(),
                    shell_word(out.string())));
}

int run_class_grade(const ClassGradeOptions& options) {
  const std::vector<grade::Manifest> all = cli::select_labs({});
  OpenClass open(options, all);
  Gradebook& book = open.book;
  std::optional<cli::StopOnSignals> signals(std::in_place);
  const Planned planned = plan_class(options, all, book, std::move(open.imports));
  if (planned.folder) {
    RunResult worked;
    std::map<std::string, std::string> students;  // by Task::name()
    for (const Job& job : book.to_do()) {
      std::string& named = students[Task{job.lab, job.source_sha256}.name()];
      named += (named.empty() ? "" : ", ") + job.student;
    }
    try {
      worked = work_on(*planned.folder, planned.folder->plan().tasks,
                       {.jobs = options.jobs,
                        .device = planned.choice,
                        .graded_before = planned.graded_before,
                        .called = [&](const Task& task) {
                          return task.is_reference()
                                     ? fmt::format("the kit's own solution of {}", task.lab)
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
  return finish_class(book, options.out,
                      {.publish = options.publish, .yes = options.yes, .ends_plan = true});
}

}  // namespace

void add_class_grade(CLI::App& app, ClassCommand& chosen) {
  const auto [command, options] =
      add_command(app, chosen, "grade", "grade a class's submissions; run it again to continue",
                  run_class_grade);
  add_import_options(command, options);
  add_work_options(command, options.jobs);
  command.add_flag("--yes", options.yes,
                   "apply an import without asking, even if it changes grades");
}

}  // namespace labkit::course
