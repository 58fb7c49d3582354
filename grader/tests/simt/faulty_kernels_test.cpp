// Kernels with a known fault: what compute-sanitizer's memcheck and synccheck reported on an H200 stops the launch here
// too; the others run to their end.
#include <algorithm>
#include <fstream>
#include <sstream>

#include "kernel.h"

namespace labkit::simt::test {
namespace {

struct Case {
  const char* kernel;
  launch::Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes;
  const char* buffers;  ///< e: 256 floats, m: 65536 floats, r: 200 x 100 floats
  int scalars[2];       ///< -1: none
  std::optional<launch::FindingKind> reported;
};
std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.kernel; }

using enum launch::FindingKind;
const Case kCases[] = {
    {"add_off_end", {2, 1, 1}, {256, 1, 1}, 0, "ee", {256, -1}, out_of_bounds},
    {"barrier_diverged", {1, 1, 1}, {64, 1, 1}, 0, "ee", {256, -1}, barrier},
    {"global_uninit", {1, 1, 1}, {256, 1, 1}, 0, "eee", {256, -1}, std::nullopt},
    {"mm_no_first_barrier", {8, 8, 1}, {32, 32, 1}, 0, "mmm", {256, -1}, std::nullopt},
    {"mm_no_second_barrier", {8, 8, 1}, {32, 32, 1}, 0, "mmm", {256, -1}, std::nullopt},
    {"race_global_blocks", {256, 1, 1}, {256, 1, 1}, 0, "mm", {256, -1}, std::nullopt},
    {"race_intra_warp", {1, 1, 1}, {32, 1, 1}, 0, "mm", {256, -1}, std::nullopt},
    {"smem_dyn_off_end", {1, 1, 1}, {64, 1, 1}, 64 * 32 * 4, "ee", {256, -1}, out_of_bounds},
    {"smem_uninit", {1, 1, 1}, {256, 1, 1}, 0, "ee", {256, -1}, std::nullopt},
    {"tr_no_barrier", {8, 8, 1}, {32, 32, 1}, 0, "mm", {256, -1}, std::nullopt},
    {"tr_no_bounds", {4, 7, 1}, {32, 32, 1}, 0, "rr", {200, 100}, out_of_bounds},
    {"use_after_scope_index", {1, 1, 1}, {32, 1, 1}, 0, "ee", {256, -1}, out_of_bounds}};

class FaultyKernels : public testing::TestWithParam<Case> {};

TEST_P(FaultyKernels, WhatComputeSanitizerReportsStopsTheLaunch) {
  const auto& c = GetParam();
  std::ifstream in(LABKIT_SOURCE_DIR "/grader/tests/observe/data/faulty_kernels_nvrtc_13.0.ptx");
  std::ostringstream text;
  text << in.rdbuf();
  const auto parsed = ptx::parse(text.str());
  ASSERT_TRUE(parsed.module) << parsed.error.message;
  const ptx::Function* entry = nullptr;
  for (const auto& function : parsed.module->functions)
    if (function.name.find(std::to_string(std::strlen(c.kernel)) + c.kernel) != std::string::npos)
      entry = &function;
  ASSERT_NE(entry, nullptr);
  const auto decoded = decode(*parsed.module, entry->name);
  ASSERT_NE(decoded.program, nullptr) << launch::all_words(decoded.refused.front());
  Memory memory;
  std::vector<std::byte> parameters(entry->parameters.back().offset_bytes +
                                    entry->parameters.back().size_bytes);
  std::size_t next = 0;
  for (const char* b = c.buffers; *b != '\0'; ++b, ++next) {
    const std::size_t count = *b == 'e' ? 256 : *b == 'm' ? 65536 : 200 * 100;
    const auto address = memory.allocate(std::string(1, *b), std::vector<std::byte>(count * 4));
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
  const auto result = run(*decoded.program, launch, parameters, memory, nullptr);
  EXPECT_EQ(result.completed, !c.reported);
  if (!c.reported) return;
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, *c.reported) << launch::all_words(result.findings[0]);
  // each kernel is one line of the source
  EXPECT_EQ(result.findings[0].where.file, "faulty_kernels.cu");
  EXPECT_GT(result.findings[0].where.line, 0u);
}

INSTANTIATE_TEST_SUITE_P(Cases, FaultyKernels, testing::ValuesIn(kCases),
                         [](const auto& info) { return info.param.kernel; });

}  // namespace
}  // namespace labkit::simt::test
