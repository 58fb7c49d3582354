// Every kernel of sanitizer.csv, each with one fault, under all checks: the right finding, and for the right reason, also
// where compute-sanitizer has none. Optimised and unoptimised (-G).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <set>

#include "kernel_rows.h"
#include "observe/checks.h"

namespace labkit::observe::test {
namespace {

using enum launch::FindingKind;

/// The launches as faulty_kernels.cu says.
struct Case {
  const char* kernel;
  launch::Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes;
  /// a: 65536 floats, written; e: 256, written; f: 256, not written, the output; u: 256, not written; r, s: 200 x 100,
  /// r written
  const char* buffers;
  int scalars[2];  ///< -1: none
  launch::FindingKind kind;
  const char* space;
};

const Case kCases[] = {
    {"add_off_end", {2, 1, 1}, {256, 1, 1}, 0, "ef", {256, -1}, out_of_bounds, "global"},
    {"barrier_diverged", {1, 1, 1}, {64, 1, 1}, 0, "ef", {256, -1}, barrier, ""},
    {"global_uninit", {1, 1, 1}, {256, 1, 1}, 0, "euf", {256, -1}, uninitialized, "global"},
    {"mm_no_first_barrier", {8, 8, 1}, {32, 32, 1}, 0, "aaa", {256, -1}, race, "shared"},
    {"mm_no_second_barrier", {8, 8, 1}, {32, 32, 1}, 0, "aaa", {256, -1}, race, "shared"},
    {"race_global_blocks", {256, 1, 1}, {256, 1, 1}, 0, "aa", {256, -1}, race, "global"},
    {"race_intra_warp", {1, 1, 1}, {32, 1, 1}, 0, "aa", {256, -1}, race, "shared"},
    {"smem_dyn_off_end",
     {1, 1, 1},
     {64, 1, 1},
     64 * 32 * 4,
     "ef",
     {256, -1},
     out_of_bounds,
     "shared"},
    {"smem_uninit", {1, 1, 1}, {256, 1, 1}, 0, "ef", {256, -1}, uninitialized, "shared"},
    {"tr_no_barrier", {8, 8, 1}, {32, 32, 1}, 0, "aa", {256, -1}, race, "shared"},
    {"tr_no_bounds", {4, 7, 1}, {32, 32, 1}, 0, "rs", {200, 100}, out_of_bounds, "global"},
    {"use_after_scope_index", {1, 1, 1}, {32, 1, 1}, 0, "ef", {256, -1}, out_of_bounds, "global"}};

std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.kernel; }

CheckedRun check(const ptx::Module& module, const Case& c, unsigned threads) {
  const ptx::Function* entry = nullptr;
  for (const auto& function : module.functions)
    if (function.name.find(std::to_string(std::strlen(c.kernel)) + c.kernel) != std::string::npos)
      entry = &function;
  if (entry == nullptr) throw std::runtime_error(std::string("no kernel ") + c.kernel);
  const auto decoded = simt::decode(module, entry->name);
  if (decoded.program == nullptr) throw std::runtime_error(decoded.refused.front().text);
  simt::Memory memory;
  std::vector<std::byte> parameters(entry->parameters.back().offset_bytes +
                                    entry->parameters.back().size_bytes);
  std::size_t next = 0;
  for (const char* b = c.buffers; *b != '\0'; ++b, ++next) {
    const std::size_t count = *b == 'a' ? 65536 : *b == 'r' || *b == 's' ? 200 * 100 : 256;
    const bool written = *b != 'f' && *b != 'u' && *b != 's';
    std::vector<std::byte> contents(count * 4, written ? std::byte{0} : launch::kPoison);
    for (std::size_t i = 0; written && i < count; ++i) {
      const auto value = static_cast<float>(i);
      std::memcpy(contents.data() + i * 4, &value, 4);
    }
    const auto address = memory.allocate(std::string(1, *b), std::move(contents), written);
    std::memcpy(parameters.data() + entry->parameters[next].offset_bytes, &address, 8);
  }
  for (const int scalar : c.scalars)
    if (scalar >= 0)
      std::memcpy(parameters.data() + entry->parameters[next++].offset_bytes, &scalar, 4);
  launch::Launch launch;
  launch.kernel = c.kernel;
  launch.grid = c.grid;
  launch.block = c.block;
  launch.dynamic_shared_bytes = c.dynamic_shared_bytes;
  simt::RunOptions options;
  options.threads = threads;
  return run_checked(*decoded.program, launch, parameters, memory, options);
}

std::string told(const CheckedRun& run) {
  std::string text;
  for (const auto& finding : run.findings)
    text += std::string(launch::name_of(finding.kind)) + " " +
            (finding.severity == launch::Severity::error ? "error" : "warning") + " x" +
            std::to_string(finding.count) + " " + finding.text + "\n\n";
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

class Sanitizer : public testing::TestWithParam<std::tuple<Case, const char*>> {};

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
    EXPECT_NE(finding.text.find("\nFix: "), std::string::npos) << told(run);
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
                         testing::Combine(testing::ValuesIn(kCases),
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
  for (const auto& c : kCases) kernels.insert(c.kernel);
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
  options.block_count = 48;
  const auto run =
      run_checked(*decoded.program, ready.launch, ready.parameters, ready.memory, options);
  EXPECT_TRUE(run.result.completed);
  EXPECT_TRUE(run.findings.empty()) << told(run);
  EXPECT_FALSE(run.looked_closely);
  // what the quick look spares is right as well
  options.block_count = 4;
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
