// The program lab_check, which holds the tests of all labs and runs those of one. `labkit` starts it on a file
// (check_process.cpp), CTest once for each test. grade/lab_test.cpp runs the tests on a grading.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <ranges>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/history.h"
#include "cli/lab_state.h"
#include "cli/paths.h"
#include "grade/run_tests.h"
#include "process/jail.h"
#include "report/explain_html.h"
#include "report/json.h"
#include "report/text.h"
#include "words/render.h"

namespace labkit::cli {
namespace {

/// For large graded launches: the inputs and what must come out, each also as the launch has it, and what is compared.
std::uint64_t graded_bytes(const grade::Manifest& manifest) {
  double most = 0;
  for (const grade::Test& test : manifest.tests) {
    std::vector<double> sizes;
    for (const auto& [name, value] : test.size) sizes.push_back(value);
    std::ranges::sort(sizes, std::greater());
    double elements = 1;  // an array has two dimensions at most
    for (const double size : sizes | std::views::take(2)) elements *= size;
    most = std::max(most, elements);
  }
  constexpr double kWidest = 8, kArrays = 5;
  return static_cast<std::uint64_t>(std::min(most * kWidest * kArrays, 64e9));
}

/// Of a program that grades on the simulator. The largest lab takes 0.4 GiB, simt/limits.h bounds what a submission adds:
/// who meets this has found a fault of ours, and takes no machine along. What each of many host threads needs comes on
/// top: its stack, and what it remembers.
constexpr std::uint64_t kMostMemoryBytes = 1536ull << 20;
constexpr std::uint64_t kMemoryBytesAThread = 32ull << 20;

struct Options {
  std::string lab;  ///< its id
  bool ready_only = false, details = false;
  int error_fd = -1;
  DeviceChoice device;
  device::Options devices;
  std::string json, judged_json, html;
  std::filesystem::path failure_page, registers;
  std::vector<std::filesystem::path> values_of;
  grade::GradingOptions grading;
};

/// A listed test that check.cpp lacks would be points that nobody can get.
void require_all_ran(const grade::LabResult& result) {
  for (const grade::TestResult& test : result.tests)
    if (test.verdict.kind == "not_run")
      throw Error("lab.toml lists " + test.name + ", but check.cpp has no such test",
                  "add it, or take it out of lab.toml");
}

/// True if all that ran was for bonus points and did not pass: CTest shows that as skipped, since what is optional fails
/// nothing. It knows it by the exit code, never by the output, which may quote what a kernel printed.
bool only_bonus_missed(const grade::LabResult& result) {
  bool any = false;
  for (const grade::TestResult& test : result.tests) {
    if (test.verdict.kind == "not_run") continue;
    if (!test.bonus || test.verdict.passed()) return false;
    any = true;
  }
  return any;
}

void write_page(const grade::Manifest& lab, const std::filesystem::path& file,
                const grade::LabResult& result, const std::filesystem::path& page) {
  write_output_file(page, report::explain_html(result, explain_options(lab, file)));
}

/// The last line: where the page is, or why there is none. What it says changes no verdict.
void tell_failure_page(const grade::Manifest& lab, const std::filesystem::path& file,
                       const grade::LabResult& result, const std::filesystem::path& page) {
  try {
    std::error_code told_below;
    std::filesystem::create_directories(page.parent_path(), told_below);
    write_page(lab, file, result, page);
    report::print(words::text(words::Id::page_at, {{"page", page.string()}}) + "\n");
  } catch (const Error& error) {
    std::printf("No page: %s. %s\n", report::printable(error.what()).c_str(),
                error.remedy().c_str());
  }
}

/// Found without a look into other labs: a mistake in their lab.toml must not keep this one from a verdict.
std::filesystem::path lab_directory(const std::string& id) {
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(root_directory() / "labs", none)) {
    const std::string folder = entry.path().filename().string();
    if (folder.substr(0, folder.find('_')) == id &&
        std::filesystem::exists(entry.path() / "lab.toml", none))
      return entry.path();
  }
  throw Error(fmt::format("there is no lab {} in {}", id, (root_directory() / "labs").string()),
              "name one of its folders up to the first _");
}

grade::Grading start(const Options& options, grade::Manifest manifest) {
  if (options.device.device == "sim")
    process::limit_own_memory(kMostMemoryBytes + graded_bytes(manifest) +
                              kMemoryBytesAThread * std::max(options.devices.threads,
                                                             std::thread::hardware_concurrency()));
  device::Options devices = options.devices;
  devices.gpu_id = options.device.gpu_id;
  return grade::start_grading(std::move(manifest), options.grading,
                              device::make_devices(options.device.device, devices));
}

/// Runs the tests that are asked for, and prints, for CTest, what came of each; false if one failed.
bool run_tests(grade::Grading& grading, const Options& options, const report::Style& style) {
  const bool passed = grade::run_tests(
      grading,
      [&](const grade::TestResult& result) {
        report::print(report::test_text(grade::result_of(grading), result, style));
        std::fflush(stdout);
      },
      [&] {
        if (!options.judged_json.empty())
          write_file_atomically(options.judged_json, report::lab_json(grade::result_of(grading)));
      });
  if (GTEST_FLAG_GET(filter) == "*") require_all_ran(grade::result_of(grading));
  report::print(report::figures_text(grading.results, style, 2));
  return passed;
}

int run(Options options) {
  if (!options.failure_page.empty()) {
    options.failure_page = std::filesystem::absolute(options.failure_page);
    std::error_code none;  // an earlier failure's page would speak of what is no more
    if (std::filesystem::is_regular_file(options.failure_page, none))
      std::filesystem::remove(options.failure_page, none);
  }
  // For people; what a program reads as JSON must say so, since classes are graded so.
  options.grading.details = options.details || options.json.empty() || !options.html.empty() ||
                            !options.failure_page.empty();
  options.grading.for_page = !options.html.empty();
  options.grading.cache_directory = cache_directory();
  if (!options.registers.empty())
    options.grading.recorded_registers = report::read_registers_json(
        read_file(options.registers, 1u << 20), options.registers.string());
  grade::Grading grading = start(options, grade::load_manifest(lab_directory(options.lab)));
  const report::Style style = report::style_for(stdout);
  bool failed = !grading.submission.verdict.passed();
  if (failed || options.ready_only)
    report::print(report::ready_text(grade::result_of(grading), style));
  else
    failed = !run_tests(grading, options, style);
  grade::LabResult result = grade::result_of(grading);
  if (options.grading.values) result.values = grade::computed_values(grading);
  result.solution_values = grade::values_of_files(grading, options.values_of);
  if (!options.json.empty()) write_output_file(options.json, report::lab_json(result));
  if (options.grading.file.empty()) {
    const std::string& source = grading.submission.source;
    record_state(options.grading.cache_directory, grading.manifest, source, result);
    note_attempt(options.grading.cache_directory, grading.manifest, source, result);
  }
  if (!options.html.empty())
    write_page(grading.manifest, options.grading.file, result, options.html);
  if (failed && !options.failure_page.empty())
    tell_failure_page(grading.manifest, options.grading.file, result, options.failure_page);
  if (only_bonus_missed(result)) return kExitSkipped;
  if (result.verdict.inconclusive()) return kExitInconclusive;
  return result.verdict.passed() || result.verdict.neutral() ? kExitOk : kExitVerdict;
}

}  // namespace

int check_main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);  // takes its own flags out
  // An exception is the kit's fault and must not become a failed test: let it through to guarded().
  GTEST_FLAG_SET(catch_exceptions, false);
  Options options;
  CLI::App app("Checks one lab.");
  app.add_option("--lab", options.lab, "which: lab3")->required();
  app.add_flag("--ready", options.ready_only,
               "only compile, and see whether there is something to check");
  app.add_option("--file", options.grading.file,
                 "the .cu to grade; default: kernel.cu of the lab's folder");
  app.add_flag("--may-be-missing", options.grading.may_be_missing,
               "without that file there is a verdict, not an error");
  app.add_flag("--details", options.details,
               "with --json: what each line and access of a failed test costs, too");
  app.add_flag("--values", options.grading.values,
               "with --json: what each kernel computes, to compare submissions by");
  app.add_option("--values-of", options.values_of, "the same of this file; may be given again");
  app.add_option("--copies", options.grading.copies_directory,
                 "where the times of predicted copies are kept; default: in the cache");
  app.add_option("--json", options.json, "write the result here as JSON");
  app.add_option("--judged-json", options.judged_json,
                 "where a repair is looked for, write the result without it here before");
  app.add_option("--error-fd", options.error_fd,
                 "write an error that keeps this from a verdict to this descriptor, as JSON");
  app.add_option("--html", options.html, "write a page that explains here");
  app.add_option(
      "--failure-page", options.failure_page,
      "write that page here if a test fails, and end with its path; else see that there is none");
  add_language_option(app);
  add_device_options(app, options.device);
  add_gpu_profile_option(app, options.devices.gpu);
  app.add_option("--seed", options.grading.seed, "of the inputs");
  app.add_option("--registers", options.registers,
                 "a receipt's, as JSON: counted with where ptxas counts none")
      ->check(CLI::ExistingFile);
  app.add_option("--threads", options.devices.threads, "of the simulator; 0: all there are");
  return guarded(
      app, argc, argv,
      [&] {
        choose_language(app);
        if (!grade::register_tests(options.lab))
          throw Error(fmt::format("this program holds no tests of {}", options.lab),
                      "cmake --preset default && cmake --build --preset default",
                      error_id::kNotBuilt);
        return GTEST_FLAG_GET(list_tests) ? RUN_ALL_TESTS() : run(options);
      },
      &options.error_fd);
}

}  // namespace labkit::cli
