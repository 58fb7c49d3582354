// Counters of whole launches: the same whatever runs them, per line as in sum, and with ptxas's merging on or off.
#include "observe/counting.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "kernel_rows.h"
#include "run_counted.h"

namespace labkit::observe::test {
namespace {

const ptx::Module& kernels() {
  static const auto module = read_module("kernels_nvrtc_13.0.ptx");
  return module;
}

KernelRow row_named(const std::string& label) {
  for (auto& row : kernel_rows())
    if (row.label() == label) return row;
  throw std::runtime_error("no row " + label);
}

CountingRun count(const KernelRow& row, const simt::RunOptions& options = {},
                  const simt::DecodeOptions& decode = {}) {
  auto ready = prepare(row, kernels());
  const auto decoded = simt::decode(kernels(), ready.launch.entry, decode);
  auto run = run_counted(*decoded.program, ready.launch, ready.parameters, ready.memory, options);
  EXPECT_TRUE(run.result.completed);
  return run;
}

TEST(Counting, ThreadsAndTargetsChangeNothing) {
  for (const char* label :
       {"transpose_1000x1500_tile32_nopad", "matmul_256_reg4x4", "powers_n131072_smem_conflict",
        "vecadd_float_n4194304_uncoalesced_per32"}) {
    const auto row = row_named(label);
    const auto reference = metrics(count(row).counters);
    for (const auto& simd : simt::simd_targets())
      for (const unsigned threads : {1u, 2u, 5u}) {
        simt::RunOptions options;
        options.simd = simd;
        options.threads = threads;
        EXPECT_EQ(metrics(count(row, options).counters), reference)
            << label << " " << simd << " " << threads;
      }
  }
}

TEST(Counting, WhatAHeaderBringsInIsOfTheLineThatCallsIt) {
  const auto read = ptx::parse(R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 counter) {
  .reg .b32 %r<2>;
  .reg .b64 %d;
  .loc 1 18 3
  ld.param.u64 %d, [counter];
  .loc 2 107 3, function_name $L__info_string0, inlined_at 1 19 5
  atom.global.add.u32 %r0, [%d], 1;
  .loc 1 7 3, function_name $L__info_string0, inlined_at 1 20 5
  atom.global.add.u32 %r1, [%d], 1;
  ret;
}
.file 1 "kernel.cu"
.file 2 "device_atomic_functions.hpp"
.section .debug_str
{
$L__info_string0:
.b8 97,0
}
)");
  ASSERT_TRUE(read.module);
  const auto decoded = simt::decode(*read.module, "k");
  ASSERT_TRUE(decoded.program);
  std::vector<std::string> atomics;
  for (const InstructionInfo& info : Counting(*decoded.program).take().info)
    if (info.spelling.starts_with("atom"))
      atomics.push_back(info.file + ":" + std::to_string(info.line));
  // a function of the kernel's own file has its own line
  EXPECT_EQ(atomics, (std::vector<std::string>{"kernel.cu:19", "kernel.cu:7"}));
}

TEST(Counting, AWaitIsExposedIfItsCopyHasOnlyJustBegun) {
  const std::string copy = "cp.async.ca.shared.global [%s], [%d], 4;\n",
                    commit = "cp.async.commit_group;\n", all = "cp.async.wait_all;\n",
                    group = copy + commit, none = "cp.async.wait_group 0;\n",
                    one = "cp.async.wait_group 1;\n";
  std::string work;
  for (int i = 0; i < 40; ++i) work += "add.u32 %r1, %r1, %r0;\n";
  const auto exposed = [](const std::string& body) {
    const auto read = ptx::parse(R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 in) {
  .reg .b32 %r<4>;
  .reg .b32 %s;
  .reg .b64 %d;
  .shared .align 4 .b8 tile[4];
  ld.param.u64 %d, [in];
  mov.u32 %s, tile;
  mov.u32 %r0, %tid.x;
  mov.u32 %r1, 0;
)" + body + "  st.global.u32 [%d], %r1;\n  ret;\n}\n");
    EXPECT_TRUE(read.module);
    const auto decoded = simt::decode(*read.module, "k");
    EXPECT_TRUE(decoded.program);
    simt::Memory memory;
    const std::uint64_t in = memory.allocate("in", std::vector<std::byte>(4));
    launch::Launch launch;
    launch.kernel = "k";
    launch.grid = {3};
    launch.block = {1};
    const auto run =
        run_counted(*decoded.program, launch, std::as_bytes(std::span(&in, 1)), memory);
    EXPECT_TRUE(run.result.completed);
    std::uint64_t sum = 0;
    for (const auto& counters : run.counters.instructions) sum += counters.exposed_waits;
    return sum / 3;
  };
  const std::string first = group + none;  // which nothing could hide
  EXPECT_EQ(exposed(work + first), 0);
  EXPECT_EQ(exposed(first + work + group + none + work + group + none), 2);
  EXPECT_EQ(exposed(first + work + group + work + none), 0);
  EXPECT_EQ(exposed(first + work + copy + all), 1);
  // The next one is under way, and only the one before is waited for; or both are.
  EXPECT_EQ(exposed(group + work + group + one + work + group + one + work + none), 0);
  EXPECT_EQ(exposed(group + work + group + none + work + group + none), 1);
  // Nothing is waited for: no copy, or one that has arrived.
  EXPECT_EQ(exposed(first + work + commit + none + work + all), 0);
  EXPECT_EQ(exposed(first + group + work + commit + one + work + none), 0);
}

/// A grid that waits for its last block: how often each looks hangs on the order in which blocks are simulated.
TEST(Counting, APollCountsOnceHoweverLongItWaits) {
  const auto read = ptx::parse(R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 counter) {
  .reg .b32 %r<4>;
  .reg .b64 %d;
  .reg .pred %p;
  ld.param.u64 %d, [counter];
  mov.u32 %r1, %nctaid.x;
  atom.global.add.u32 %r2, [%d], 1;
POLL:
  ld.acquire.gpu.global.u32 %r3, [%d];
  setp.lt.u32 %p, %r3, %r1;
  @%p bra POLL;
  ret;
})");
  ASSERT_TRUE(read.module);
  simt::Memory memory;
  const std::uint64_t counter = memory.allocate("counter", std::vector<std::byte>(4));
  const auto decoded = simt::decode(*read.module, "k", {.grid_workspace = counter});
  ASSERT_TRUE(decoded.program);
  launch::Launch launch;
  launch.kernel = "k";
  launch.grid = {16};
  launch.block = {1};
  simt::RunOptions options;
  options.threads = 1;
  const auto run =
      run_counted(*decoded.program, launch, std::as_bytes(std::span(&counter, 1)), memory, options);
  EXPECT_TRUE(run.result.completed);
  EXPECT_EQ(metrics(run.counters).at("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"), 16);
}

/// Nor does what a warp executes while it looks again.
TEST(Counting, WaitingIsNotWork) {
  const auto read = ptx::parse(R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 flag, .param .u32 length) {
  .reg .b32 %r<5>;
  .reg .b64 %d;
  .reg .pred %p;
  ld.param.u64 %d, [flag];
  ld.param.u32 %r1, [length];
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, 0;
  setp.ge.u32 %p, %r2, 32;
  @%p bra WORK;
POLL:
  ld.acquire.gpu.global.u32 %r3, [%d];
  setp.eq.u32 %p, %r3, 0;
  @%p bra POLL;
  ret;
WORK:
  add.u32 %r3, %r3, 1;
  setp.lt.u32 %p, %r3, %r1;
  @%p bra WORK;
  st.release.gpu.global.u32 [%d], %r3;
  ret;
})");
  ASSERT_TRUE(read.module);
  const auto instructions = [&](std::uint32_t length) {
    simt::Memory memory;
    const std::uint64_t flag = memory.allocate("flag", std::vector<std::byte>(4));
    const auto decoded = simt::decode(*read.module, "k", {.grid_workspace = flag});
    launch::Launch launch;
    launch.kernel = "k";
    launch.block = {64};
    std::array<std::byte, 12> parameters{};
    std::memcpy(parameters.data(), &flag, sizeof flag);
    std::memcpy(parameters.data() + sizeof flag, &length, sizeof length);
    const auto run = run_counted(*decoded.program, launch, parameters, memory, {});
    EXPECT_TRUE(run.result.completed);
    return run.counters.warp_instructions;
  };
  EXPECT_EQ(instructions(1'000'000) - instructions(10), 3u * (1'000'000 - 10));
}

TEST(Counting, LinesAddUpToTheTotals) {
  const auto run = count(row_named("matmul_256_tiled32"));
  const auto total = metrics(run.counters);
  Metrics sum;
  for (const auto& [where, values] : line_metrics(run.counters)) {
    EXPECT_EQ(where.file, where.line == 0 ? where.file : "kernels.cu");
    for (const auto& [name, value] : values) sum[name] += value;
  }
  EXPECT_EQ(sum, total);
  EXPECT_EQ(total.at("ptx_thread_instructions"),
            static_cast<double>(run.result.thread_instructions));
  EXPECT_EQ(run.counters.barriers_executed,
            64u * 32 * 16);  // blocks x warps x two barriers in each of 8 turns
}

TEST(Counting, WithoutMergingEverySharedAccessCountsForItself) {
  simt::DecodeOptions source_view;
  source_view.merge_shared = false;
  const auto row = row_named("matmul_256_reg4x4");
  const auto merged = count(row).counters, apart = count(row, {}, source_view).counters;
  std::uint64_t merged_requests = 0, requests = 0;
  for (const auto& c : merged.instructions) merged_requests += c.shared_requests;
  for (const auto& c : apart.instructions) requests += c.shared_requests;
  EXPECT_LT(merged_requests, requests);
  EXPECT_EQ(merged.thread_instructions, apart.thread_instructions);
  EXPECT_GT(metrics(apart).at("memory_l1_wavefronts_shared"),
            metrics(merged).at("memory_l1_wavefronts_shared"));
}

// A launch without observers computes the same.
TEST(Counting, WatchingChangesNoResult) {
  const auto row = row_named("matmul_256_tiled16");
  auto watched = prepare(row, kernels()), plain = prepare(row, kernels());
  const auto decoded = simt::decode(kernels(), watched.launch.entry);
  const auto counted =
      run_counted(*decoded.program, watched.launch, watched.parameters, watched.memory).result;
  const auto alone =
      simt::run(*decoded.program, plain.launch, plain.parameters, plain.memory, nullptr);
  EXPECT_EQ(counted.thread_instructions, alone.thread_instructions);
  const auto a = watched.memory.contents(watched.output), b = plain.memory.contents(plain.output);
  EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end()));
}

/// ldmatrix asks for 8 rows of 16 bytes a phase. Rows of 32 bytes share banks four by four, rows of 48 bytes do not.
TEST(Counting, LdmatrixTakesAWavefrontForEightRows) {
  const auto wavefronts = [](const std::string& pitch, const std::string& shape) {
    const auto parsed = ptx::parse(
        ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n"
        ".reg .b32 %r<5>; .reg .b64 %d<2>;\n.shared .align 16 .b8 tile[1536];\n"
        "mov.u64 %d0, tile; mov.u32 %r0, %tid.x; mad.wide.u32 %d1, %r0, " +
        pitch + ", %d0;\nldmatrix.sync.aligned.m8n8." + shape + ", [%d1];\nret;\n}\n");
    const auto decoded = simt::decode(*parsed.module, "k");
    launch::Launch launch;
    launch.kernel = launch.entry = "k";
    launch.block = {32, 1, 1};
    simt::Memory memory;
    const auto run = run_counted(*decoded.program, launch, {}, memory);
    EXPECT_TRUE(run.result.completed);
    return metrics(run.counters).at("memory_l1_wavefronts_shared");
  };
  const std::string four = "x4.shared.b16 {%r1, %r2, %r3, %r4}";
  EXPECT_EQ(wavefronts("48", four), 4);
  EXPECT_EQ(wavefronts("32", four), 8);
  EXPECT_EQ(wavefronts("16", four), 4);
  EXPECT_EQ(wavefronts("48", "x2.trans.shared.b16 {%r1, %r2}"), 2);
  EXPECT_EQ(wavefronts("32", "x1.shared.b16 {%r1}"), 2);
}

}  // namespace
}  // namespace labkit::observe::test
