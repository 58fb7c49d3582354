// Every kernel of sanitizer.csv, each with one fault, under all checks: the right finding, and for the right reason, also
// where compute-sanitizer has none. Optimised and unoptimised (-G).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <numeric>
#include <set>
#include <span>

#include "all_found.h"
#include "faulty_cases.h"
#include "kernel_rows.h"
#include "observe/checks.h"

namespace labkit::observe::test {

static std::ostream& operator<<(std::ostream& out, const FaultyCase& c) { return out << c.kernel; }

namespace {

using enum launch::FindingKind;

CheckedRun check(const ptx::Module& module, const FaultyCase& c, unsigned threads) {
  auto ready = prepare(c, module);
  simt::RunOptions options;
  options.threads = threads;
  auto result = run_checked(*ready.program, ready.launch, ready.parameters, ready.memory, options);
  ready = prepare(c, module);
  expect_all_found(result, *ready.program, ready.launch, ready.parameters, ready.memory, options);
  return result;
}

std::string told(const CheckedRun& run) {
  std::string text;
  for (const auto& finding : run.findings)
    text += std::string(launch::name_of(finding.kind)) + " " +
            (finding.severity == launch::Severity::error ? "error" : "warning") + " x" +
            std::to_string(finding.count) + " " + dump(finding) + "\n\n";
  return text;
}

/// What compute-sanitizer's tools reported of a kernel, for the table: "memcheck, initcheck".
std::string reported(const std::map<std::string, std::string>& row) {
  std::string tools;
  for (const char* tool : {"memcheck", "racecheck", "initcheck", "synccheck"})
    if (row.at(tool) == "reported") tools += (tools.empty() ? "" : ", ") + std::string(tool);
  return tools.empty() ? "nothing" : tools;
}

/// "race at 96, 98 (shared)": the first finding and where.
std::string in_short(const CheckedRun& run) {
  if (run.findings.empty()) return "nothing";
  const auto& f = run.findings.front();
  std::string text = std::string(name_of(f.kind)) + " at " + std::to_string(f.where.line);
  if (f.other.line != 0) text += ", " + std::to_string(f.other.line);
  if (!f.space.empty()) text += " (" + f.space + ")";
  return run.findings.size() > 1
             ? text + " and " + std::to_string(run.findings.size() - 1) + " more"
             : text;
}

class Sanitizer : public testing::TestWithParam<std::tuple<FaultyCase, const char*>> {};

TEST_P(Sanitizer, FindsTheFaultAndNothingElse) {
  const auto& [c, file] = GetParam();
  const auto module = read_module(file);
  const auto run = check(module, c, 1);
  ASSERT_FALSE(run.findings.empty());
  for (const auto& finding : run.findings) {
    EXPECT_EQ(finding.kind, c.kind) << told(run);
    EXPECT_EQ(finding.space, c.space) << told(run);
    EXPECT_EQ(finding.severity, launch::Severity::error) << told(run);
    EXPECT_EQ(finding.where.file, "faulty_kernels.cu") << told(run);
    EXPECT_NE(finding.where.line, 0u) << told(run);
    if (c.kind == race) {
      EXPECT_NE(finding.other.line, 0u) << told(run);
      EXPECT_FALSE(finding.thread == finding.other_thread && finding.block == finding.other_block)
          << told(run);
    }
    EXPECT_NE(dump(finding).find("\nFix: "), std::string::npos) << told(run);
  }
  EXPECT_TRUE(run.has_errors());
  // a row of the table of kernels against findings, as it stands in notes
  const auto rows = read_csv(std::string(LABKIT_OBSERVE_DATA) + "/sanitizer.csv");
  const auto row = std::find_if(rows.begin(), rows.end(),
                                [&](const auto& one) { return one.at("kernel") == c.kernel; });
  ASSERT_NE(row, rows.end());
  std::printf("| %s | %s | %s | %s |\n", c.kernel, reported(*row).c_str(),
              std::strstr(file, "debug") != nullptr ? "-G" : "optimised", in_short(run).c_str());
  // the same whatever the number of host threads
  EXPECT_EQ(told(check(module, c, 3)), told(run));
}

INSTANTIATE_TEST_SUITE_P(Kernels, Sanitizer,
                         testing::Combine(testing::ValuesIn(kFaultyCases),
                                          testing::Values("faulty_kernels_nvrtc_13.0.ptx",
                                                          "faulty_kernels_debug_nvrtc_13.0.ptx")),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param).kernel) +
                                  (std::strstr(std::get<1>(info.param), "debug") != nullptr
                                       ? "_debug"
                                       : "");
                         });

TEST(SanitizerTable, HasACaseForEachRow) {
  std::set<std::string> kernels;
  for (const auto& c : kFaultyCases) kernels.insert(c.kernel);
  const auto rows = read_csv(std::string(LABKIT_OBSERVE_DATA) + "/sanitizer.csv");
  EXPECT_EQ(rows.size(), kernels.size());
  for (const auto& row : rows) EXPECT_TRUE(kernels.contains(row.at("kernel"))) << row.at("kernel");
}

/// Every kernel of kernels.cu at its profiled size, its first blocks.
class SanitizerClean : public testing::TestWithParam<std::tuple<KernelRow, const char*>> {};

TEST_P(SanitizerClean, FindsNothing) {
  const auto& [row, file] = GetParam();
  static std::map<std::string, ptx::Module> modules;
  if (!modules.contains(file)) modules.emplace(file, read_module(file));
  const auto& module = modules.at(file);
  auto ready = prepare(row, module);
  const auto decoded = simt::decode(module, ready.launch.entry);
  ASSERT_NE(decoded.program, nullptr);
  simt::RunOptions options;
  std::vector<std::uint64_t> first(std::min<std::uint64_t>(48, ready.launch.grid.count()));
  std::iota(first.begin(), first.end(), std::uint64_t{0});
  options.blocks = first;
  const auto run =
      run_checked(*decoded.program, ready.launch, ready.parameters, ready.memory, options);
  EXPECT_TRUE(run.result.completed);
  EXPECT_TRUE(run.findings.empty()) << told(run);
  EXPECT_FALSE(run.looked_closely);
  // what the quick look spares is right as well
  options.blocks = std::span(first).first(std::min<std::size_t>(4, first.size()));
  ready = prepare(row, module);
  const auto close =
      look_closely(*decoded.program, ready.launch, ready.parameters, ready.memory, options);
  EXPECT_TRUE(close.result.completed);
  EXPECT_TRUE(close.findings.empty()) << told(close);
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, SanitizerClean,
    testing::Combine(testing::ValuesIn(kernel_rows()),
                     testing::Values("kernels_nvrtc_13.0.ptx", "kernels_debug_nvrtc_13.0.ptx")),
    [](const auto& info) {
      std::string name = std::get<0>(info.param).label();
      for (auto& c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
      return name + (std::strstr(std::get<1>(info.param), "debug") != nullptr ? "_debug" : "");
    });

}  // namespace
}  // namespace labkit::observe::test
