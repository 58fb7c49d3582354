#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <memory>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "cli/check_process.h"
#include "cli/commands.h"
#include "cli/paths.h"
#include "device/device.h"
#include "grade/calibration.h"
#include "grade/source.h"
#include "report/style.h"
#include "report/text.h"

namespace labkit::cli {
namespace {

struct CalibrateOptions {
  std::vector<std::string> labs;
  GradeRequest request;
  int runs = 3;
  bool write = false;           ///< labs/<lab>/gpu_gates/<gpu>.toml, and the table into handouts/
  std::filesystem::path table;  ///< where the table goes; empty: handouts/measured/<gpu>.md
};

std::string command_line(const CalibrateOptions& options) {
  std::string line = "labkit lab calibrate";
  for (const std::string& lab : options.labs) line += " " + lab;
  return line + fmt::format(" --device cuda --runs {}", options.runs) +
         (options.write ? " --write" : "");
}

/// Tests whose gates hold a ratio: correctness is for `labkit lab check`.
std::string measured_tests(const grade::Manifest& lab) {
  std::vector<std::string> names;
  for (const grade::Test& test : lab.tests)
    if (std::ranges::any_of(test.gates, &grade::Gate::is_ratio)) names.push_back(test.name);
  return joined(names, ":");
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

int run_calibrate(const CalibrateOptions& options) {
  if (options.request.device.device != "cuda")
    throw std::invalid_argument("calibrating measures on a GPU: --device cuda");
  const std::vector<grade::Manifest> labs = select_labs(options.labs);
  const device::Description gpu =
      device::make_devices("cuda", {.gpu_id = options.request.device.gpu_id}).gpu->describe();
  std::vector<report::CalibratedLab> calibrated;
  std::vector<std::string> complaints;
  for (const grade::Manifest& lab : labs) {
    calibrated.push_back(measure_lab(lab, options, complaints));
    grade::GpuGates& gates = calibrated.back().gates;
    gates.gpu = gpu.gpu;
    gates.driver = gpu.facts ? gpu.facts->driver : "unknown";
    gates.date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
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
  report::print(options.write ? "Written. `" + command_name() +
                                    " lab check --device cuda` proves the limits.\n"
                              : "Nothing was written; --write does that.\n");
  return complaints.empty() ? kExitOk : kExitVerdict;
}

}  // namespace

void add_calibrate(Command lab) {
  const auto options = std::make_shared<CalibrateOptions>();
  Command command = lab.subcommand(
      "calibrate", "measure the solutions on this GPU and find the limits that are fair there");
  add_labs(command, options->labs);
  options->request.device.device = "cuda";
  add_device_options(command, options->request.device);
  command.option("--runs", options->runs, "how often each solution is measured")
      .range(1, 100)
      .with_default();
  command.flag("--write", options->write,
               "write labs/LAB/gpu_gates/GPU.toml and handouts/measured/GPU.md");
  command.option("--table", options->table, "write the table here");
  add_seed(command, options->request.seed);
  command.run([options] { return run_calibrate(*options); });
}

}  // namespace labkit::cli
