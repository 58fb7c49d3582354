#include "cli/check_program.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/device_options.h"
#include "cli/lab_state.h"
#include "cli/paths.h"
#include "lab/session.h"
#include "process/jail.h"
#include "report/explain_html.h"
#include "report/json.h"
#include "report/text.h"

namespace labkit::cli {
namespace {

/// Tells the session which test runs, and prints each test's outcome.
class Listener : public testing::EmptyTestEventListener {
 public:
  Listener(lab::Session& session, report::Style style) : session_(session), style_(style) {}

  void OnTestStart(const testing::TestInfo& test) override {
    session_.begin_test(std::string(test.test_suite_name()) + "." + test.name());
  }
  void OnTestEnd(const testing::TestInfo& test) override {
    const lab::TestResult& result = session_.end_test();
    if (test.result()->Failed() && result.verdict.passed())
      throw Error(result.name + " failed by itself: " + first_failure(*test.result()),
                  "check.cpp of this lab asserts only through check() and grade()");
    std::fputs(report::test_text(session_.result(), result, style_).c_str(), stdout);
    std::fflush(stdout);
  }

 private:
  static std::string first_failure(const testing::TestResult& result) {
    for (int i = 0; i < result.total_part_count(); ++i)
      if (result.GetTestPartResult(i).failed()) return result.GetTestPartResult(i).summary();
    return {};
  }
  lab::Session& session_;
  report::Style style_;
};

/// For large graded launches: the inputs and what must come out, each also as the launch has it, and what is compared.
std::uint64_t graded_bytes(const lab::Manifest& manifest) {
  double most = 0;
  for (const lab::Test& test : manifest.tests) {
    std::vector<double> sizes;
    for (const auto& [name, value] : test.size) sizes.push_back(value);
    std::sort(sizes.rbegin(), sizes.rend());
    double elements = 1;  // an array has two dimensions at most
    for (std::size_t i = 0; i < std::min<std::size_t>(2, sizes.size()); ++i) elements *= sizes[i];
    most = std::max(most, elements);
  }
  constexpr double kWidest = 8, kArrays = 5;
  return static_cast<std::uint64_t>(std::min(most * kWidest * kArrays, 64e9));
}

/// Of a program that grades on the simulator. The largest lab takes 0.4 GiB, simt/holding.h bounds what a submission adds:
/// who meets this has found a fault of ours, and takes no machine along. What each of many host threads needs comes on
/// top: its stack, and what it remembers.
constexpr std::uint64_t kMostMemoryBytes = 1536ull << 20;
constexpr std::uint64_t kMemoryBytesAThread = 32ull << 20;

struct Options {
  bool ready_only = false, details = false;
  int error_fd = -1;
  DeviceChoice device;
  std::string json, html;
  std::filesystem::path failure_page, registers;
  lab::SessionOptions session;
};

/// A listed test that check.cpp lacks would be points that nobody can get.
void require_all_ran(const lab::LabResult& result) {
  for (const lab::TestResult& test : result.tests)
    if (test.verdict.kind == "not_run")
      throw Error("lab.toml lists " + test.name + ", but check.cpp has no such test",
                  "add it, or take it out of lab.toml");
}

/// True if all that ran was for bonus points and did not pass: CTest shows that as skipped, since what is optional fails
/// nothing. It knows it by the exit code, never by the output, which may quote what a kernel printed.
bool only_bonus_missed(const lab::LabResult& result) {
  bool any = false;
  for (const lab::TestResult& test : result.tests) {
    if (test.verdict.kind == "not_run") continue;
    if (!test.bonus || test.verdict.passed()) return false;
    any = true;
  }
  return any;
}

void write_page(const lab::Manifest& lab, const std::filesystem::path& file,
                const lab::LabResult& result, const std::filesystem::path& page) {
  write_output_file(page, report::explain_html(result, explain_options(lab, file)));
}

/// The last line: where the page is, or why there is none. What it says changes no verdict.
void tell_failure_page(const lab::Manifest& lab, const std::filesystem::path& file,
                       const lab::LabResult& result, const std::filesystem::path& page) {
  try {
    std::error_code told_below;
    std::filesystem::create_directories(page.parent_path(), told_below);
    write_page(lab, file, result, page);
    std::printf("Page: %s\n", page.c_str());
  } catch (const Error& error) {
    std::printf("No page: %s. %s\n", report::printable(error.what()).c_str(),
                error.remedy().c_str());
  }
}

int run(Options options, const std::filesystem::path& lab_directory) {
  if (!options.failure_page.empty()) {
    options.failure_page = std::filesystem::absolute(options.failure_page);
    // An earlier failure's page would speak of what is no more.
    std::error_code none;
    if (std::filesystem::is_regular_file(options.failure_page, none))
      std::filesystem::remove(options.failure_page, none);
  }
  // For people; what a program reads as JSON must say so, since classes are graded so.
  options.session.details = options.details || options.json.empty() || !options.html.empty() ||
                            !options.failure_page.empty();
  options.session.samples_of_passed = !options.html.empty();
  options.session.device = options.device.device;
  options.session.device_options.gpu_id = options.device.gpu_id;
  if (!options.registers.empty())
    options.session.recorded_registers = report::read_registers_json(
        read_file(options.registers, 1u << 20), options.registers.string());
  lab::Manifest manifest = lab::load_manifest(lab_directory);
  if (options.device.device == "sim")
    process::limit_own_memory(kMostMemoryBytes + graded_bytes(manifest) +
                              kMemoryBytesAThread * std::max(options.session.device_options.threads,
                                                             std::thread::hardware_concurrency()));
  lab::Session session(std::move(manifest), options.session);
  lab::set_session(&session);
  const report::Style style = report::style_for(stdout);
  bool page_wanted = !session.submission().verdict.passed();
  if (page_wanted || options.ready_only) {
    std::fputs(report::ready_text(session.result(), style).c_str(), stdout);
  } else {
    testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new Listener(session, style));
    page_wanted = RUN_ALL_TESTS() != 0;
    if (testing::UnitTest::GetInstance()->test_to_run_count() == 0)
      throw Error("no test is called so: " + GTEST_FLAG_GET(filter),
                  "--gtest_list_tests lists them");
    if (GTEST_FLAG_GET(filter) == "*") require_all_ran(session.result());
    std::fputs(report::figures_text(session.result().tests, style, 2).c_str(), stdout);
  }
  if (!options.json.empty()) write_output_file(options.json, report::lab_json(session.result()));
  const lab::LabResult result = session.result();
  if (options.session.file.empty())
    record_state(options.session.cache_directory, session.manifest(), session.submission().source,
                 result);
  if (!options.html.empty())
    write_page(session.manifest(), options.session.file, result, options.html);
  if (page_wanted && !options.failure_page.empty())
    tell_failure_page(session.manifest(), options.session.file, result, options.failure_page);
  lab::set_session(nullptr);
  if (only_bonus_missed(result)) return kExitSkipped;
  if (result.verdict.inconclusive()) return kExitInconclusive;
  return result.verdict.passed() || result.verdict.neutral() ? kExitOk : kExitVerdict;
}

}  // namespace

int check_main(int argc, char** argv, const std::string& lab_folder) {
  testing::InitGoogleTest(&argc, argv);  // takes its own flags out
  // An exception is the kit's fault and must not become a failed test: let it through to guarded().
  GTEST_FLAG_SET(catch_exceptions, false);
  if (GTEST_FLAG_GET(list_tests)) return RUN_ALL_TESTS();  // CMake asks at build time

  Options options;
  CLI::App app("Checks one lab.");
  app.add_flag("--ready", options.ready_only,
               "only compile, and see whether there is something to check");
  app.add_option("--file", options.session.file,
                 "the .cu to grade; default: kernel.cu of the lab's folder");
  app.add_flag("--details", options.details,
               "with --json: what each line and access of a failed test costs, too");
  app.add_option("--json", options.json, "write the result here as JSON");
  app.add_option("--error-fd", options.error_fd,
                 "write an error that keeps this from a verdict to this descriptor, as JSON");
  app.add_option("--html", options.html, "write a page that explains here");
  app.add_option(
      "--failure-page", options.failure_page,
      "write that page here if a test fails, and end with its path; else see that there is none");
  add_device_options(app, options.device);
  add_gpu_profile_option(app, options.session.device_options.gpu);
  app.add_option("--seed", options.session.seed, "of the inputs");
  app.add_option("--registers", options.registers,
                 "a receipt's, as JSON: counted with where ptxas counts none")
      ->check(CLI::ExistingFile);
  app.add_option("--threads", options.session.device_options.threads,
                 "of the simulator; 0: all there are");
  return guarded(
      app, argc, argv,
      [&] {
        options.session.cache_directory = cache_directory();
        return run(options, root_directory() / "labs" / lab_folder);
      },
      &options.error_fd);
}

}  // namespace labkit::cli
