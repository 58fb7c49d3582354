#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "base/error.h"
#include "base/files.h"
#include "cli/lab_check.h"
#include "cli/paths.h"
#include "device/device.h"
#include "grade/calibration.h"
#include "grade/source.h"
#include "report/style.h"
#include "report/text.h"

namespace labkit::cli {
namespace {

std::string today() {
  const auto now = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
  const std::chrono::year_month_day date(now);
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

std::string command_line(const CalibrateOptions& options) {
  std::string line = "labkit lab calibrate";
  for (const std::string& lab : options.labs) line += " " + lab;
  return line + fmt::format(" --device cuda --runs {}", options.runs) +
         (options.write ? " --write" : "");
}

/// Tests whose gates hold a ratio: correctness is for `labkit lab check`.
std::string measured_tests(const grade::Manifest& lab) {
  std::string filter;
  for (const grade::Test& test : lab.tests)
    if (std::any_of(test.gates.begin(), test.gates.end(),
                    [](const grade::Gate& gate) { return gate.is_ratio(); }))
      filter += (filter.empty() ? "" : ":") + test.name;
  return filter;
}

/// Right answers and those that are right but slow; what is wrong is never measured.
std::vector<grade::SolutionRuns> solutions_of(const grade::Manifest& lab,
                                              std::vector<std::filesystem::path>& files) {
  std::vector<grade::SolutionRuns> solutions;
  for (const char* kind : {"correct", "wrong"})
    for (const auto& file : solution_files(lab, kind)) {
      grade::SolutionRuns made;
      made.file = fmt::format("{}/{}", kind, file.filename().string());
      made.is_right = std::string_view(kind) == "correct";
      if (const auto declared = grade::declared_verdict(read_file(file));
          declared && !made.is_right)
        made.declared = grade::verdict_from_text(*declared);
      if (!made.is_right && made.declared.kind != "gate") continue;
      files.push_back(file);
      solutions.push_back(std::move(made));
    }
  return solutions;
}

report::CalibratedLab measure_lab(const grade::Manifest& lab, const CalibrateOptions& options,
                                  std::vector<std::string>& complaints) {
  report::CalibratedLab made{.lab = lab, .solutions = {}, .gates = {}};
  std::vector<std::filesystem::path> files;
  made.solutions = solutions_of(lab, files);
  for (int run = 0; run < options.runs; ++run) {
    report::print(fmt::format("{}: run {} of {}, {} solutions\n", lab.id, run + 1, options.runs,
                              files.size()));
    std::fflush(stdout);
    GradeRequest request = options.request;
    request.tests = measured_tests(lab);
    const std::vector<Graded> graded = grade_files(lab, files, request);
    for (std::size_t i = 0; i < files.size(); ++i) {
      if (graded[i].result)
        made.solutions[i].runs.push_back(*graded[i].result);
      else
        complaints.push_back(
            fmt::format("{} {}: {}", lab.id, made.solutions[i].file, graded[i].trouble->what()));
    }
  }
  made.gates = grade::calibrate(lab, made.solutions, complaints);
  return made;
}

}  // namespace

int run_calibrate(const CalibrateOptions& options) {
  if (options.request.device.device != "cuda")
    throw std::invalid_argument("calibrating measures on a GPU: --device cuda");
  const std::vector<grade::Manifest> labs = select_labs(options.labs);
  device::Description gpu;
  {
    const device::Devices devices =
        device::make_devices("cuda", {.gpu_id = options.request.device.gpu_id});
    gpu = devices.gpu->describe();
  }
  std::vector<report::CalibratedLab> calibrated;
  std::vector<std::string> complaints;
  for (const grade::Manifest& lab : labs) {
    calibrated.push_back(measure_lab(lab, options, complaints));
    grade::GpuGates& gates = calibrated.back().gates;
    gates.gpu = gpu.gpu;
    gates.driver = gpu.facts ? gpu.facts->driver : "unknown";
    gates.date = today();
    gates.command = command_line(options);
    gates.runs = options.runs;
    if (!options.write) continue;
    const auto file = grade::gpu_gates_file(lab, gpu.gpu);
    std::filesystem::create_directories(file.parent_path());
    write_file_atomically(file, grade::to_toml(gates));
  }
  const std::string table = report::measured_markdown(calibrated);
  report::print(table);
  std::filesystem::path table_file = options.table;
  if (table_file.empty() && options.write)
    table_file = root_directory() / "handouts" / "measured" / (grade::gpu_slug(gpu.gpu) + ".md");
  if (!table_file.empty()) {
    if (table_file.has_parent_path()) std::filesystem::create_directories(table_file.parent_path());
    write_file_atomically(table_file, table);
  }
  for (const std::string& what : complaints)
    report::print("complaint: " + report::printable(what) + "\n");
  std::fputs(options.write ? ("Written. `" + command_name() +
                              " lab check --device cuda` proves the limits.\n")
                                 .c_str()
                           : "Nothing was written; --write does that.\n",
             stdout);
  return complaints.empty() ? kExitOk : kExitVerdict;
}

}  // namespace labkit::cli
