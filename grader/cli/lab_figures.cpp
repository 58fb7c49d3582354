#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/paths.h"
#include "cli/prove_labs.h"
#include "explain/words.h"
#include "report/style.h"

namespace labkit::cli {
namespace {

struct LabFiguresOptions {
  std::vector<std::string> labs;
  GradeRequest request;
  bool write = false;
};

const grade::TestResult* find_test(const grade::LabResult& result, const std::string& name) {
  const auto at = std::ranges::find(result.tests, name, &grade::TestResult::name);
  return at == result.tests.end() ? nullptr : &*at;
}

/// A lab that names no answers yet begins with its reference in every graded test.
void begin_with_reference(const grade::Manifest& lab, grade::KnownFigures& known) {
  for (const grade::Test& test : lab.tests)
    if (test.is_graded)
      known.tests.push_back(
          {test.name,
           {{.name = "reference", .file = lab.reference, .counted = {}, .predicted = {}}}});
}

/// Grades each answer once and fills in its figures.
void fill_in(const grade::Manifest& lab, const LabFiguresOptions& options,
             grade::KnownFigures& known) {
  std::vector<std::filesystem::path> files;
  std::map<std::string, std::size_t> place;
  std::vector<std::string> names;
  for (const grade::KnownTest& test : known.tests) {
    names.push_back(test.name);
    for (const grade::KnownAnswer& answer : test.answers) {
      if (!place.emplace(answer.file, files.size()).second) continue;
      files.push_back(root_directory() / "solutions" / lab.folder / answer.file);
      if (!std::filesystem::exists(files.back()))
        throw Error(files.back().string() + " is not there",
                    "figures.toml of the lab names it: correct the name");
    }
  }
  GradeRequest request = options.request;
  request.tests = joined(names, ":");
  const std::vector<Graded> graded = grade_files(lab, files, request);
  for (grade::KnownTest& test : known.tests)
    for (grade::KnownAnswer& answer : test.answers) {
      const Graded& one = graded[place.at(answer.file)];
      if (!one.result)
        throw Error(fmt::format("{} {}: {}", lab.id, answer.file, one.trouble->what()),
                    one.trouble->remedy());
      const grade::TestResult* result = find_test(*one.result, test.name);
      if (!result || result->figures.empty())
        throw Error(fmt::format("{}: {} has no figures in {}", lab.id, answer.file, test.name),
                    "name an answer in figures.toml that is right there, if slow");
      grade::record_figures(*lab.find_test(test.name), result->figures, answer);
    }
}

void print(const grade::Manifest& lab, const grade::KnownFigures& known) {
  std::vector<std::vector<std::string>> rows;
  for (const grade::KnownTest& test : known.tests)
    for (const grade::KnownAnswer& answer : test.answers)
      for (const auto* figures : {&answer.counted, &answer.predicted})
        for (const auto& [name, value] : *figures)
          rows.push_back({lab.id, test.name, answer.name, name, explain::number(value),
                          figures == &answer.predicted ? "predicted" : ""});
  report::print(report::table(rows, {false, false, false, false, true, false}));
}

int run_lab_figures(const LabFiguresOptions& options) {
  for (const grade::Manifest& lab : select_labs(options.labs)) {
    grade::KnownFigures known = grade::load_known_figures(lab);
    known.gpu = options.request.gpu;
    if (known.tests.empty()) begin_with_reference(lab, known);
    fill_in(lab, options, known);
    print(lab, known);
    if (options.write && !known.tests.empty())  // puzzles measure nothing
      write_file_atomically(grade::known_figures_file(lab), grade::to_toml(known));
  }
  report::print(options.write
                    ? "Written. `" + command_name() + " lab check` compares them from now on.\n"
                    : "Nothing was written; --write does that.\n");
  return kExitOk;
}

}  // namespace

void add_lab_figures(Command lab) {
  const auto options = std::make_shared<LabFiguresOptions>();
  Command command =
      lab.subcommand("figures", "what the answers that figures.toml names get, for comparison");
  add_labs(command, options->labs);
  options->request.device.device = "sim";
  add_gpu_profile_option(command, options->request.gpu);
  command.flag("--write", options->write, "write labs/LAB/figures.toml");
  command.run([options] { return run_lab_figures(*options); });
}

std::vector<std::string> judge_known(const grade::Manifest& lab, const grade::KnownFigures& known,
                                     const std::string& file, const grade::LabResult& result) {
  std::vector<std::string> complaints;
  for (const grade::KnownTest& test : known.tests)
    for (const grade::KnownAnswer& answer : test.answers) {
      if (answer.file != file) continue;
      const grade::TestResult* got = find_test(result, test.name);
      grade::KnownAnswer now = answer;
      grade::record_figures(*lab.find_test(test.name), got ? got->figures : grade::Figures{}, now);
      const bool same_gpu = result.gpu == known.gpu;
      const auto near = [&](const grade::Figures& a, const grade::Figures& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
          return x.first == y.first && std::fabs(x.second - y.second) <=
                                           kPredictedTolerance * std::fabs(y.second) + 0.001;
        });
      };
      if (now.counted != answer.counted || (same_gpu && !near(now.predicted, answer.predicted)))
        complaints.push_back(
            fmt::format("figures.toml: {} of {} are not these any more: {} lab figures {} --write",
                        test.name, answer.file, command_name(), lab.id));
    }
  return complaints;
}

}  // namespace labkit::cli
