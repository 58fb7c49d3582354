#include "class/policy/rescore.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "base/command_name.h"
#include "base/error.h"
#include "class/commands/class.h"
#include "class/commands/grade.h"
#include "class/commands/report.h"
#include "cli/paths.h"
#include "report/style.h"

namespace labkit::course {
namespace {

int run_rescore(const std::filesystem::path& folder) {
  Gradebook book(gradebook_file(folder), Gradebook::Mode::mend);
  const std::vector<std::string> mended = book.mend();
  if (!mended.empty()) {
    std::string lines = "The gradebook was damaged; a copy of it as it was lies beside it:\n";
    for (const std::string& line : mended) lines += "  " + line + "\n";
    std::fputs(report::printable(lines).c_str(), stdout);
  }
  const RescoredClass rescored = rescore_all(book, lab::find_labs(cli::root_directory()));
  std::string text =
      fmt::format("{} of {} results score differently now; no kernel was run again\n",
                  rescored.changed, book.progress().done);
  if (!rescored.grade_again.empty()) {
    text += fmt::format(
        "{} cannot be scored from what was measured; `{} class grade` grades them again:\n",
        rescored.grade_again.size(), command_name());
    for (const auto& [student, lab] : rescored.grade_again)
      text += fmt::format("  {}, {}\n", student, lab);
  }
  std::fputs(report::printable(text).c_str(), stdout);
  publish_class(book, {}, folder);
  return kExitOk;
}

}  // namespace

void add_class_rescore(CLI::App& app, ClassCommand& chosen) {
  const auto folder = std::make_shared<std::filesystem::path>();
  CLI::App& command = *app.add_subcommand("rescore",
                                          "score what was measured under the points and gates of "
                                          "now, without running anything; mends a "
                                          "damaged gradebook first");
  command.add_option("DIR", *folder, "the class's folder")->required();
  command.callback([&chosen, folder] { chosen = [folder] { return run_rescore(*folder); }; });
}

}  // namespace labkit::course
