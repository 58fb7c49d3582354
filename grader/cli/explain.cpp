#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "base/error.h"
#include "cli/check_process.h"
#include "cli/commands.h"
#include "explain/words.h"
#include "process/process.h"
#include "report/explain_html.h"
#include "report/text.h"
#include "words/render.h"

namespace labkit::cli {

report::ExplainOptions explain_options(const grade::Manifest& lab,
                                       const std::filesystem::path& file) {
  report::ExplainOptions options;
  const std::string what = lab.id + (file.empty() ? "" : " --file " + file.string());
  options.command = command_name() + " explain " + what + language_argument();
  options.hint = command_name() + " hint " + what + language_argument();
  options.idea = words::translated(lab.idea);
  for (const grade::KnownTest& test : grade::load_known_figures(lab).tests)
    for (const grade::KnownAnswer& answer : test.answers)
      for (const grade::Figures* figures : {&answer.counted, &answer.predicted})
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

std::filesystem::path place_of_page(const grade::Manifest& lab) {
  const auto folder =
      std::filesystem::path(process::own_executable()).parent_path().parent_path() / "pages";
  std::error_code trouble;
  std::filesystem::create_directories(folder, trouble);
  if (trouble)
    throw Error(fmt::format("cannot make {}: {}", folder.string(), trouble.message()),
                "name a place for the page: --html FILE");
  return folder / (lab.id + ".html");
}

namespace {

struct ExplainCommand {
  std::string lab;
  GradeRequest request;
  std::filesystem::path html;  ///< empty: "pages/<lab>.html" in the build's folder
};

int run_explain(const ExplainCommand& command) {
  const grade::Manifest lab = select_labs({command.lab}).front();
  GradeRequest request = command.request;
  request.html =
      command.html.empty() ? place_of_page(lab) : std::filesystem::absolute(command.html);
  const grade::LabResult result =
      grade_file(lab, request, words::text(words::Id::explaining_lab, {{"lab", lab.id}}));
  const report::Style style = report::style_for(stdout);
  const std::string verdict = explain::verdict_words(result);
  std::string text = fmt::format(
      "{}: {}\n", lab.id, result.verdict.passed() ? style.good(verdict) : style.bad(verdict));
  text += report::first_failure_text(result, style);  // what the page begins with
  text += words::text(words::Id::page_at, {{"page", request.html.string()}}) + "\n";
  report::print(text);
  return kExitOk;
}

}  // namespace

void add_explain(Command labkit) {
  const auto options = std::make_shared<ExplainCommand>();
  Command command =
      labkit.subcommand("explain", "write a page that shows which line, which lanes and why");
  add_lab(command, options->lab);
  command
      .option("--html", options->html, "write the page here; default: build/default/pages/LAB.html")
      .report_place();
  add_language_option(command);
  add_request(command, options->request, "explain this .cu instead of the lab's kernel.cu");
  command.run([options] { return run_explain(*options); });
}

}  // namespace labkit::cli
