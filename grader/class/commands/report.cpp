// `labkit class report`, `undo`, `rescore` and `policy`: what a gradebook says, written again.
#include <fmt/format.h>

#include <cstdio>
#include <stdexcept>

#include "base/error.h"
#include "base/text.h"
#include "class/commands/class.h"
#include "class/commands/words.h"
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
              "Moodle's grading worksheet, named after its lab (lab3.csv), filled in as "
              "moodle-lab3.csv; kept; repeat for each lab")
      .one_at_a_time();
}

void publish_class(Gradebook& book, const PublishOptions& options,
                   const std::filesystem::path& folder) {
  const std::vector<Grade> before = grade_all(book.entries(), kept_policy(book));
  const Published published =
      publish(book, grade::find_labs(cli::root_directory()), options, folder);
  say_changes(changes(before, grade_all(book.entries(), kept_policy(book))), "");
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
};

int run_report(const ReportOptions& options) {
  Gradebook book(gradebook_file(options.folder), Gradebook::Mode::existing);
  const std::vector<Grade> before = grade_all(book.entries(), kept_policy(book));
  keep_assignments(book, grade::find_labs(cli::root_directory()), options.folder);
  say_changes(changes(before, grade_all(book.entries(), kept_policy(book))), " by due dates");
  publish_class(book, options.publish, options.folder);
  return kExitOk;
}

int run_rescore(const std::filesystem::path& folder) {
  Gradebook book(gradebook_file(folder), Gradebook::Mode::existing);
  const Policy policy = kept_policy(book);
  const std::vector<Grade> before = grade_all(book.entries(), policy);
  const std::vector<std::string> again = rescore_all(book, grade::find_labs(cli::root_directory()));
  const std::vector<std::string> changed =
      changes(before, grade_all(book.entries(), policy)).changed;
  say(fmt::format("{} of {} results score differently now; no kernel was run again.",
                  changed.size(), count(book.entries()).graded));
  say_list("Changed:", changed);
  say_list(fmt::format("{} cannot be scored from what was measured; `{} class grade` grades them "
                       "again:",
                       again.size(), command_name()),
           again);
  publish_class(book, {}, folder);
  return kExitOk;
}

int run_undo(const std::filesystem::path& folder) {
  Gradebook book(gradebook_file(folder), Gradebook::Mode::existing);
  const GradingLock lock(gradebook_file(folder));
  const std::vector<std::string> undone = book.undo();
  if (undone.empty()) throw std::invalid_argument("there is no import to take back");
  say(fmt::format(
      "Taken back: {}. Decisions and results are kept; import it again to have it back.",
      joined(undone)));
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
  undo.run([options] { return run_undo(options->folder); });
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
