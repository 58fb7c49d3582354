#include "class/commands/report.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <stdexcept>

#include "base/error.h"
#include "class/commands/class.h"
#include "class/commands/grade.h"
#include "class/commands/words.h"
#include "class/intake/lab_names.h"
#include "cli/paths.h"
#include "report/style.h"

namespace labkit::course {

void add_publish_options(CLI::App& command, PublishOptions& options) {
  command.add_option("--policy", options.policy,
                     "lateness and what is blank, as TOML; kept until another is given");
  command.add_option("--canvas-gradebook", options.canvas_gradebook,
                     "Canvas's exported gradebook, to be filled in as canvas.csv; kept");
  command
      .add_option("--moodle-worksheet", options.moodle_worksheets,
                  "Moodle's grading worksheet, called after its lab (lab3.csv), to be filled in as "
                  "moodle-lab3.csv; kept; repeat for each lab")
      ->allow_extra_args(false);  // what follows is another argument
  command.add_option("--moodle-column", options.moodle_grade_column,
                     "header of the column of grades in the worksheets given with it, or else in "
                     "all that are kept; "
                     "default: found by its usual names");
}

Published publish_class(Gradebook& book, PublishOptions options,
                        const std::filesystem::path& folder) {
  options.root = cli::root_directory();
  Published published = publish(book, lab::find_labs(cli::root_directory()), options, folder);
  std::string text = fmt::format("{}: {} files written, {} unchanged", folder.string(),
                                 published.written.size(), published.unchanged);
  if (!published.removed.empty()) text += fmt::format(", {} removed", published.removed.size());
  text += "\n";
  for (const std::string& note : published.notes) text += "  " + note + "\n";
  std::fputs(report::printable(text).c_str(), stdout);
  std::fputs(outputs_text(published, folder).c_str(), stdout);
  return published;
}

std::string outputs_text(const Published& published, const std::filesystem::path& folder) {
  const auto file = [&](const std::string& name) { return (folder / name).string(); };
  std::vector<std::vector<std::string>> rows;
  if (published.to_review > 0)
    rows.push_back({"To review:", fmt::format("{} ({})", file("review.txt"),
                                              counted(published.to_review, "case"))});
  if (published.similar_groups > 0)
    rows.push_back({"Similar:", fmt::format("{} ({})", file("similar.txt"),
                                            counted(published.similar_groups, "group"))});
  rows.push_back({"Grades:", file("grades.csv")});
  for (const auto& [lms, name] : published.uploads)
    rows.push_back({fmt::format("For {}:", lms),
                    lms == "Gradescope" ? file(name) + "/*/results.json" : file(name)});
  rows.push_back({"Pages:", file("index.html")});
  for (std::vector<std::string>& row : rows)
    for (std::string& cell : row) cell = report::printable(cell);
  return report::table(rows, {false, false});
}

const lab::Manifest& find_lab(const std::vector<lab::Manifest>& labs, const std::string& named) {
  for (const lab::Manifest& lab : labs)
    if (lab.id == named) return lab;
  const std::string id = LabNames(labs).lab_of(named);
  std::string all;
  for (const lab::Manifest& lab : labs) {
    if (lab.id == id) return lab;
    all += " " + lab.id;
  }
  throw std::invalid_argument(
      fmt::format("there is no lab \"{}\"; there are{}", report::printable(named), all));
}

std::string shown(const Student& student) {
  if (student.name.empty() || student.name == student.id) return report::printable(student.id);
  return report::printable(fmt::format("{} ({})", student.id, student.name));
}

void add_class_report(CLI::App& app, ClassCommand& chosen) {
  struct Options {
    std::filesystem::path folder;
    PublishOptions publish;
  };
  const auto options = std::make_shared<Options>();
  CLI::App& command =
      *app.add_subcommand("report", "write all outputs again, with another policy if one is given");
  command.add_option("DIR", options->folder, "the class's folder")->required();
  add_publish_options(command, options->publish);
  command.callback([&chosen, options] {
    chosen = [options] {
      Gradebook book(gradebook_file(options->folder), Gradebook::Mode::existing);
      publish_class(book, options->publish, options->folder);
      return kExitOk;
    };
  });
}

}  // namespace labkit::course
