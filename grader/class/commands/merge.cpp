// `labkit class merge`: results into the gradebook, which nothing else writes while a plan is worked on.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "base/error.h"
#include "class/commands/class.h"
#include "class/commands/steps.h"
#include "class/commands/words.h"
#include "class/policy/policy.h"
#include "cli/paths.h"
#include "report/style.h"

namespace labkit::course {
namespace {

namespace fs = std::filesystem;

/// Asked on a terminal; elsewhere nobody can answer.
bool is_agreed() {
  if (::isatty(STDIN_FILENO) != 1 || ::isatty(STDOUT_FILENO) != 1) return false;
  std::fputs("Apply it? [y/N] ", stdout);
  std::fflush(stdout);
  const int answer = std::getchar();
  return answer == 'y' || answer == 'Y';
}

/// What changes grades that there are waits until somebody says yes.
void apply(Gradebook& book, const fs::path& out, bool yes) {
  if (!book.has_pending()) return;
  const Changes changes = pending_changes(book);
  if (changes.changed.empty()) return book.apply_pending();
  say_list(fmt::format("{} {} by this import:", counted(changes.changed.size(), "grade"),
                       changes.changed.size() == 1 ? "changes" : "change"),
           changes.changed, kScreenful);
  if (changes.added > 0)
    say(fmt::format("{} {} new.", counted(changes.added, "grade"),
                    changes.added == 1 ? "is" : "are"));
  if (yes || is_agreed()) return book.apply_pending();
  say(fmt::format(
      "Not applied: the grades below are those of before. To apply it: {} class merge {} --yes",
      command_name(), shell_word(out.string())));
}

/// True if nothing is missing.
bool take_plan(Gradebook& book, const fs::path& out, bool ends_plan) {
  const auto folder = PlanFolder::find(out);
  if (!folder) return true;
  const Merged merged = take_results(book, *folder);
  if (ends_plan || merged.is_whole()) folder->remove();
  if (merged.missing > 0)
    say(fmt::format("{} not graded yet: `{} class status {}` says which shards are missing.",
                    counted(merged.missing, "submission") + (merged.missing == 1 ? " is" : " are"),
                    command_name(), shell_word(out.string())));
  else if (merged.labs_missing > 0)
    say(
        fmt::format("The kit's own solutions of {} are not graded yet: `{} class status {}` says "
                    "which shards are missing.",
                    counted(merged.labs_missing, "lab"), command_name(), shell_word(out.string())));
  return merged.missing + merged.labs_missing == 0;
}

}  // namespace

Merged take_results(Gradebook& book, const PlanFolder& folder) {
  Merged merged = merge(book, folder);
  for (const std::string& warning : merged.warnings) say("WARNING: " + warning);
  return merged;
}

int finish_class(Gradebook& book, const fs::path& out, const FinishOptions& options) {
  const bool is_whole = take_plan(book, out, options.ends_plan);
  if (is_whole) apply(book, out, options.yes);
  const Published published =
      publish(book, grade::find_labs(cli::root_directory()), options.publish, out);
  const std::vector<Entry> entries = book.entries();
  const ClassCount now = count(entries);
  say("");
  report::print(class_table(grade_all(entries, kept_policy(book))));
  say("");
  if (const std::string missing = missing_text(book.students(), entries); !missing.empty())
    say("Submitted nothing: " + missing);
  if (now.undecided > 0)
    say(
        fmt::format("{} could not be decided on this GPU and stay blank; the same command "
                    "measures them again.",
                    counted(now.undecided, "submission")));
  say_list(fmt::format(
               "Not graded, through no fault of the students ({}); the same command tries again:",
               now.not_graded),
           trouble_lines(entries), kScreenful);
  for (const std::string& note : published.notes) say(note);
  report::print(outputs_text(published, out));
  if (now.not_graded > 0 || !is_whole) return kExitOurError;
  return now.undecided > 0 ? kExitInconclusive : kExitOk;
}

namespace {

struct MergeOptions {
  fs::path folder;
  bool yes = false;
};

int run_class_merge(const MergeOptions& options) {
  Gradebook book(gradebook_file(options.folder), Gradebook::Mode::existing);
  const GradingLock lock(gradebook_file(options.folder));
  FinishOptions finish;
  finish.yes = options.yes;
  return finish_class(book, options.folder, finish);
}

}  // namespace

void add_class_merge(CLI::App& app, ClassCommand& chosen) {
  const auto [command, options] = add_command(
      app, chosen, "merge", "take the results of a plan into the gradebook", run_class_merge);
  add_folder(command, options.folder);
  command.add_flag("--yes", options.yes,
                   "apply an import without asking, even if it changes grades");
}

}  // namespace labkit::course
