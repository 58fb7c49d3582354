// Samples of accesses: the same whatever runs them, costs as they are counted, and which access is the worst.
#include <gtest/gtest.h>

#include <algorithm>

#include "kernel_rows.h"
#include "observe/counting.h"
#include "observe/rules.h"
#include "observe/samples_observer.h"
#include "simt/both_observers.h"
#include "words/render.h"

namespace labkit::observe::test {
namespace {

struct Sampled {
  AccessSamples samples;
  LaunchCounters counters;
  std::vector<NamedRange> ranges;
};

Sampled sample(const simt::Program& program, const launch::Launch& launch,
               std::span<const std::byte> parameters, simt::Memory& memory,
               const simt::RunOptions& options = {}) {
  Sampling sampling(program, launch);
  Counting counting(program);
  simt::BothObservers both(counting, sampling);
  const auto result = simt::run(program, launch, parameters, memory, &both, options);
  EXPECT_TRUE(result.completed);
  return {sampling.take(), counting.take(), named_ranges(program, launch, memory)};
}

Sampled sample_row(const std::string& label, const simt::RunOptions& options = {}) {
  static const auto module = read_module("kernels_nvrtc_13.0.ptx");
  const auto rows = kernel_rows();
  const auto row = std::find_if(rows.begin(), rows.end(),
                                [&](const KernelRow& one) { return one.label() == label; });
  if (row == rows.end()) throw std::runtime_error("no row " + label);
  auto ready = prepare(small(*row), module);
  const auto decoded = simt::decode(module, ready.launch.entry);
  return sample(*decoded.program, ready.launch, ready.parameters, ready.memory, options);
}

constexpr const char* kSampledHeader =
    ".version 7.8\n.target sm_90\n.address_size 64\n"
    ".shared .align 16 .b8 tile[4224];\n.extern .shared .align 16 .b8 pool[];\n"
    ".const .align 4 .b8 table[64];\n";

/// One buffer of 64 KiB: %d0. %r0 tid.x, %r1 ctaid.x.
Sampled sample_ptx(const std::string& body, launch::Dim3 grid = {}, launch::Dim3 block = {32, 1, 1},
                   const simt::RunOptions& options = {}) {
  auto parsed = ptx::parse(std::string(kSampledHeader) + R"(
.visible .entry k(.param .u64 p)
{
.local .align 8 .b8 stack[64];
.reg .b32 %r<40>; .reg .b64 %d<20>; .reg .f32 %f<20>; .reg .pred %p<20>;
ld.param.u64 %d0, [p];
mov.u32 %r0, %tid.x;
mov.u32 %r1, %ctaid.x;
)" + body + "\nret;\n}\n");
  EXPECT_TRUE(parsed.module) << parsed.error.message << " at " << parsed.error.ptx_line;
  const auto decoded = simt::decode(*parsed.module, "k");
  EXPECT_TRUE(decoded.program) << (decoded.refused.empty()
                                       ? std::string()
                                       : words::render(decoded.refused[0].evidence));
  simt::Memory memory;
  const auto address = memory.allocate("p", std::vector<std::byte>(64 * 1024, std::byte{0}));
  launch::Launch launch;
  launch.kernel = launch.entry = "k";
  launch.grid = grid;
  launch.block = block;
  launch.dynamic_shared_bytes = 256;
  return sample(*decoded.program, launch, std::as_bytes(std::span(&address, 1)), memory, options);
}

std::string text(const WarpAccess& a) {
  std::string all = std::to_string(a.block) + "/" + std::to_string(a.warp) + "/" +
                    std::to_string(a.execution) + " " + std::to_string(a.active) + " " +
                    std::to_string(a.bytes_per_lane) + "x" + std::to_string(a.words) + " " +
                    std::to_string(a.cost) + "/" + std::to_string(a.ideal) + ":";
  for (const auto address : a.addresses) all += " " + std::to_string(address);
  return all;
}
std::string text(const AccessSamples& samples) {
  std::string all;
  for (const auto& one : samples.instructions) {
    all += std::to_string(one.instruction) + " " + std::string(ptx::name_of(one.space)) + " " +
           std::to_string(one.accesses) + "\n" + text(one.worst) + "\n";
  }
  return all;
}

TEST(Samples, ThreadsAndTargetsChangeNothing) {
  for (const char* label :
       {"transpose_1000x1500_tile32_nopad", "transpose_1000x1500_naive_read_32x8",
        "matmul_256_reg4x4", "powers_n131072_smem_conflict"}) {
    const auto reference = text(sample_row(label).samples);
    EXPECT_GT(reference.size(), 200u);
    for (const auto& simd : simt::simd_targets())
      for (const unsigned threads : {1u, 2u, 5u})
        EXPECT_EQ(text(sample_row(label, {.threads = threads, .simd = simd}).samples), reference)
            << label << " " << simd << " " << threads;
  }
}

TEST(Samples, CostWhatIsCounted) {
  for (const char* label :
       {"transpose_1000x1500_tile32_nopad", "transpose_1000x1500_tile32_pad",
        "transpose_1000x1500_naive_write_32x32", "matmul_256_tiled32", "matmul_256_reg4x4",
        "powers_n131072_smem_conflict", "vecadd_double_n4194304_float4"}) {
    SCOPED_TRACE(label);
    Sampled run;
    try {
      run = sample_row(label);
    } catch (const std::runtime_error&) {
      continue;  // not every family has every kernel
    }
    std::uint64_t requests = 0, accesses = 0;
    for (const auto& c : run.counters.instructions)
      requests += c.global_requests + c.shared_requests + c.local_requests;
    for (const auto& one : run.samples.instructions) {
      const auto& c = run.counters.instructions[one.instruction];
      const bool shared = one.space == ptx::Space::shared;
      accesses += one.accesses;
      EXPECT_EQ(one.accesses, shared ? c.shared_requests : c.global_requests);
      const std::uint64_t excess = shared ? c.shared_wavefronts - c.shared_wavefronts_ideal
                                          : c.global_sectors - c.global_sectors_ideal;
      EXPECT_EQ(one.worst.excess() > 0, excess > 0);
      EXPECT_GE(one.worst.excess() * one.accesses, excess);
      EXPECT_LE(one.worst.excess(), excess);
      const WarpAccess& a = one.worst;
      const std::uint32_t cost =
          shared
              ? bank_cost(a.addresses.data(), a.active, a.bytes_per_lane, !one.is_store).wavefronts
              : sector_cost(a.addresses.data(), a.active, a.bytes_per_lane).sectors;
      EXPECT_EQ(a.cost, cost);
    }
    EXPECT_EQ(accesses, requests);
  }
}

TEST(Samples, KeepTheWorstOfALoop) {
  const auto run = sample_ptx(R"(
mov.u32 %r2, 0;
mul.wide.u32 %d1, %r0, 4;
add.s64 %d1, %d0, %d1;
AGAIN:
ld.global.u32 %r3, [%d1];
mul.wide.u32 %d2, %r0, %r2;
add.s64 %d1, %d1, %d2;
add.u32 %r2, %r2, 4;
setp.lt.u32 %p1, %r2, 40;
@%p1 bra AGAIN;)",
                              {5, 1, 1}, {70, 1, 1});
  ASSERT_EQ(run.samples.instructions.size(), 1u);
  const auto& one = run.samples.instructions[0];
  EXPECT_EQ(one.accesses, 5u * 3 * 10);
  // strides grow from turn to turn: the first with 32 sectors is the worst, of the first block and warp
  EXPECT_EQ(one.worst.block, 0u);
  EXPECT_EQ(one.worst.warp, 0u);
  EXPECT_EQ(one.worst.cost, 32u);
  EXPECT_EQ(one.worst.execution, 5u);  // 28 bytes apart before it
  EXPECT_EQ(one.worst.addresses[1] - one.worst.addresses[0], 44u);
}

TEST(Samples, BothHalvesOfAnAsyncCopy) {
  const auto run = sample_ptx(R"(
mul.wide.u32 %d1, %r0, 256;
add.s64 %d1, %d0, %d1;
mov.u32 %r2, tile;
mad.lo.u32 %r2, %r0, 4, %r2;
cp.async.ca.shared.global [%r2], [%d1], 4;
cp.async.wait_all;)");
  ASSERT_EQ(run.samples.instructions.size(), 2u);
  const auto &from = run.samples.instructions[0], &to = run.samples.instructions[1];
  EXPECT_EQ(from.instruction, to.instruction);
  EXPECT_EQ(from.space, ptx::Space::global);
  EXPECT_FALSE(from.is_store);
  EXPECT_EQ(from.worst.cost, 32u);
  EXPECT_EQ(from.worst.ideal, 4u);
  EXPECT_EQ(to.space, ptx::Space::shared);
  EXPECT_TRUE(to.is_store);
  EXPECT_EQ(to.worst.cost, 1u);
  EXPECT_EQ(to.worst.addresses[3], to.worst.addresses[0] + 12);
}

TEST(Samples, LocalMemoryIsInterleaved) {
  const auto run = sample_ptx(R"(
mov.u64 %d1, stack;
st.local.v2.u32 [%d1+8], {%r0, %r1};
ld.local.u32 %r2, [%d1+8];
st.global.u32 [%d0], %r2;)");
  ASSERT_EQ(run.samples.instructions.size(), 3u);
  const auto& pair = run.samples.instructions[0];
  EXPECT_EQ(pair.space, ptx::Space::local);
  EXPECT_EQ(pair.worst.bytes_per_lane, 4u);
  EXPECT_EQ(pair.worst.words, 2u);
  EXPECT_EQ(pair.worst.cost, 8u);
  EXPECT_EQ(pair.worst.ideal, 8u);
  EXPECT_EQ(pair.worst.addresses[1], pair.worst.addresses[0] + 4);
  EXPECT_EQ(run.samples.instructions[1].worst.cost, 4u);
}

TEST(Samples, SharedAccessesThatPtxasMergesCountOnce) {
  const auto run = sample_ptx(R"(
mov.u32 %r2, tile;
mad.lo.u32 %r2, %r0, 16, %r2;
ld.shared.u32 %r3, [%r2];
ld.shared.u32 %r4, [%r2+4];
ld.shared.u32 %r5, [%r2+8];
ld.shared.u32 %r6, [%r2+12];
add.u32 %r3, %r3, %r4;
add.u32 %r3, %r3, %r5;
add.u32 %r3, %r3, %r6;
st.global.u32 [%d0], %r3;)");
  ASSERT_EQ(run.samples.instructions.size(), 2u);
  EXPECT_EQ(run.samples.instructions[0].worst.bytes_per_lane, 16u);
  EXPECT_EQ(run.samples.instructions[0].worst.cost, 4u);
  EXPECT_EQ(run.samples.instructions[0].worst.ideal, 4u);
}

TEST(Samples, GenericAccessesComeToTheirSpaces) {
  const auto run = sample_ptx(R"(
mov.u64 %d1, tile;
cvta.shared.u64 %d1, %d1;
setp.eq.u32 %p1, %r1, 0;
selp.b64 %d2, %d1, %d0, %p1;
st.u32 [%d2], %r0;)",
                              {2, 1, 1});
  ASSERT_EQ(run.samples.instructions.size(), 2u);
  EXPECT_EQ(run.samples.instructions[0].space, ptx::Space::global);
  EXPECT_EQ(run.samples.instructions[1].space, ptx::Space::shared);
  EXPECT_EQ(run.samples.instructions[0].worst.block, 1u);
  EXPECT_EQ(run.samples.instructions[1].worst.block, 0u);
}

TEST(Samples, RangesNameBuffersVariablesAndSharedArrays) {
  const auto run = sample_ptx(R"(
mov.u32 %r2, tile;
mov.u32 %r3, pool;
st.shared.u32 [%r2], %r0;
st.shared.u32 [%r3], %r0;
ld.const.u32 %r4, [table];
st.global.u32 [%d0], %r4;)");
  const auto find = [&](const std::string& name) {
    const auto at = std::find_if(run.ranges.begin(), run.ranges.end(),
                                 [&](const NamedRange& range) { return range.name == name; });
    return at == run.ranges.end() ? NamedRange{} : *at;
  };
  EXPECT_EQ(find("p").bytes, 64u * 1024);
  EXPECT_EQ(find("table").bytes, 64u);
  EXPECT_EQ(find("tile").space, ptx::Space::shared);
  EXPECT_EQ(find("tile").bytes, 4224u);
  EXPECT_EQ(find("pool").bytes, 256u);
  for (const auto& one : run.samples.instructions) {
    const auto in = std::count_if(run.ranges.begin(), run.ranges.end(), [&](const auto& range) {
      const bool shared = one.space == ptx::Space::shared;
      return (range.space == ptx::Space::shared) == shared &&
             one.worst.addresses[0] >= range.begin &&
             one.worst.addresses[0] < range.begin + range.bytes;
    });
    EXPECT_EQ(in, 1);
  }
}

}  // namespace
}  // namespace labkit::observe::test
