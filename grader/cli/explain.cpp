#include "cli/explain.h"

#include <fmt/format.h>

#include <cstdio>
#include <stdexcept>

#include "base/command_name.h"
#include "base/error.h"
#include "cli/at_work.h"
#include "explain/words.h"
#include "process/process.h"
#include "report/style.h"

namespace labkit::cli {

std::filesystem::path pages_directory() {
  return std::filesystem::path(process::own_executable()).parent_path().parent_path() / "pages";
}

report::ExplainOptions explain_options(const lab::Manifest& lab,
                                       const std::filesystem::path& file) {
  report::ExplainOptions options;
  const std::string what = lab.id + (file.empty() ? "" : " --file " + file.string());
  options.command = command_name() + " explain " + what;
  options.hint = command_name() + " hint " + what;
  options.idea = lab.idea;
  for (const lab::KnownTest& test : lab::load_known_figures(lab).tests)
    for (const lab::KnownAnswer& answer : test.answers)
      for (const lab::Figures* figures : {&answer.counted, &answer.predicted})
        for (const auto& [name, value] : *figures) {
          report::Yardstick& yardstick = options.yardsticks[test.name + "/" + name];
          if (answer.is_reference()) {
            yardstick.reference = value;
          } else if (!yardstick.naive) {
            yardstick.naive = value;
            yardstick.naive_name = answer.name;
          }
        }
  return options;
}

int run_explain(const ExplainCommand& command) {
  const std::vector<lab::Manifest> labs = select_labs({command.lab});
  const lab::Manifest& lab = labs.front();
  GradeRequest request = command.request;
  request.html = std::filesystem::absolute(
      command.html.empty() ? pages_directory() / (lab.id + ".html") : command.html);
  if (command.html.empty()) {
    std::error_code trouble;
    std::filesystem::create_directories(request.html.parent_path(), trouble);
    if (trouble)
      throw Error(
          fmt::format("cannot make {}: {}", request.html.parent_path().string(), trouble.message()),
          "name a place for the page: --html FILE");
  }
  const lab::LabResult result = [&] {
    const AtWork at_work("explaining " + lab.id);
    return grade_file(lab, request);
  }();
  const report::Style style = report::style_for(stdout);
  const std::string verdict = explain::verdict_words(result);
  std::printf("%s: %s\n", lab.id.c_str(),
              (result.verdict.passed() ? style.good(verdict) : style.bad(verdict)).c_str());
  if (const lab::TestResult* test = lab::first_to_tell(result.tests))  // what the page begins with
    for (const std::string& line : explain::tell_test_in_short(*test))
      std::printf("  %s\n", report::printable(line).c_str());
  else
    for (const std::string& line : explain::tell_lab(result))
      std::printf("  %s\n", report::printable(line).c_str());
  std::printf("Page: %s\n", request.html.c_str());
  return kExitOk;
}

}  // namespace labkit::cli
