// `labkit class report`, `undo`, `rescore` and `policy`: what a gradebook says, written again.
#include <fmt/format.h>

#include <cstdio>
#include <stdexcept>

#include "base/command_text.h"
#include "base/error.h"
#include "base/text.h"
#include "class/commands/class.h"
#include "class/policy/rescore.h"
#include "class/publish/publish.h"
#include "cli/paths.h"
#include "report/style.h"

namespace labkit::course {

std::filesystem::path gradebook_file(const std::filesystem::path& folder) {
  return folder / "gradebook.sqlite";
}

void add_folder(cli::Command command, std::filesystem::path& folder) {
  command.option("DIR", folder, "the class's folder: what `class grade` was given as --out")
      .required();
}

void add_publish_options(cli::Command command, PublishOptions& options) {
  command.option("--policy", options.policy,
                 "late days and what is blank, as TOML; kept until another is given");
  command.option("--canvas-gradebook", options.canvas_gradebook,
                 "Canvas's exported gradebook, filled in as canvas.csv; kept");
  command
      .option("--moodle-worksheet", options.moodle_worksheets,
              "Moodle's grading worksheet, named after its lab (lab3.csv), or labs "
              "(lab3+lab4.csv: the sum), filled in as moodle-lab3.csv; kept; repeat for each")
      .one_at_a_time();
}

void publish_class(Gradebook& book, const PublishOptions& options,
                   const std::filesystem::path& folder) {
  const auto labs = grade::find_labs(cli::root_directory());
  const Report before = kept_report(book, labs);
  const Published published = publish(book, labs, options, folder);
  book.put_setting(kUnshownSetting, "");
  say_changes(changes(before, kept_report(book, labs)), "");
  std::string text = fmt::format("{}: {} files written, {} unchanged", folder.string(),
                                 published.written.size(), published.unchanged);
  if (!published.removed.empty()) text += fmt::format(", {} removed", published.removed.size());
  say(text);
  for (const std::string& note : published.notes) say("  " + note);
  report::print(outputs_text(published, folder));
}

namespace {

struct ReportOptions {
  std::filesystem::path folder;
  PublishOptions publish;
  bool yes = false;  ///< of undo
};

int run_report(const ReportOptions& options) {
  Gradebook book(gradebook_file(options.folder), Gradebook::Mode::existing);
  const auto labs = grade::find_labs(cli::root_directory());
  const Report before = kept_report(book, labs);
  keep_assignments(book, labs, options.folder);
  say_changes(changes(before, kept_report(book, labs)), " by assignments.toml");
  publish_class(book, options.publish, options.folder);
  return kExitOk;
}

int run_rescore(const std::filesystem::path& folder) {
  Gradebook book(gradebook_file(folder), Gradebook::Mode::existing);
  const auto labs = grade::find_labs(cli::root_directory());
  const Report before = kept_report(book, labs);
  const std::vector<std::string> again = rescore_all(book, labs);
  say("No kernel was run again.");
  say_changes(changes(before, kept_report(book, labs)), " by today's points and limits");
  say_list(fmt::format("{} cannot be scored from what was measured; `{} class grade` grades them "
                       "again:",
                       again.size(), command_name()),
           again);
  publish_class(book, {}, folder);
  return kExitOk;
}

/// Asks if it changes grades, as an import does.
int run_undo(const std::filesystem::path& folder, bool yes) {
  Gradebook book(gradebook_file(folder), Gradebook::Mode::existing);
  const GradingLock lock(gradebook_file(folder));
  const auto last = book.last_import();
  if (!last) throw std::invalid_argument("there is no import to take back");
  const std::string what =
      fmt::format("{} of {} ({}, {})", joined(last->downloads), utc_text(last->at),
                  joined(last->labs), counted(last->submissions, "new submission"));
  const auto labs = grade::find_labs(cli::root_directory());
  const Changes lost = changes_to(book, labs, View::without_last);
  say_changes(lost, " without the import of " + what);
  if (lost.changed.size() + lost.removed > 0 && !yes && !is_agreed("Take it back?")) {
    say(fmt::format("Nothing was taken back. To take back this import: {} class undo {} --yes",
                    command_name(), shell_word(folder.string())));
    return kExitUsage;
  }
  book.undo();
  say(fmt::format(
      "Taken back: {}. Decisions and results are kept; import it again to have it back.", what));
  publish_class(book, {}, folder);
  return kExitOk;
}

}  // namespace

void add_class_reports(cli::Command parent) {
  const auto options = std::make_shared<ReportOptions>();
  cli::Command report =
      parent.subcommand("report", "write all outputs again, under another policy if one is given");
  report.run([options] { return run_report(*options); });
  add_publish_options(report, options->publish);
  cli::Command undo = parent.subcommand("undo", "take back the last import; decisions are kept");
  undo.run([options] { return run_undo(options->folder, options->yes); });
  undo.flag("--yes", options->yes, "without asking, even if it changes grades");
  cli::Command rescore = parent.subcommand(
      "rescore", "apply today's points and gates to stored measurements; runs nothing");
  rescore.run([options] { return run_rescore(options->folder); });
  for (const cli::Command& command : {report, undo, rescore}) add_folder(command, options->folder);
  parent.subcommand("policy", "print a sample policy with every key explained: > policy.toml")
      .run([] {
        std::fputs(sample_policy(), stdout);
        return kExitOk;
      });
}

}  // namespace labkit::course
