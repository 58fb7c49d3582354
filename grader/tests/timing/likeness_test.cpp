// Traced blocks that do not stand for the launch: found, and others traced in their place. A kernel that knows which blocks
// are traced gains nothing; one whose blocks differ by nature is predicted all the same.
#include "timing/likeness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "timed_run.h"
#include "timing/timing.h"

namespace labkit::timing {
namespace {

constexpr std::uint64_t kLikenessSeeds = 20;
constexpr std::uint32_t kBlocks = 1024;

// ---- the comparison by itself

/// Two blocks' worth of an addition, a load and a barrier.
struct Counted {
  observe::LaunchCounters counters;
  BlockTrace trace;
  Counted() {
    counters.info.resize(4);
    counters.instructions.resize(4);
    counters.info[0].spelling = "add.u32";
    counters.info[1].spelling = "ld.global.f32";
    counters.info[2].spelling = "bar.sync";
    counters.info[3].spelling = "ld.shared.f32";
    for (std::size_t i = 0; i < 3; ++i) counters.instructions[i].warp_executions = 200;
    counters.instructions[1].global_requests = 200;
    counters.instructions[1].global_sectors = 800;
    trace.executions = {100, 100, 100, 0};
    trace.sectors = {0, 400, 0, 0};
  }
  std::optional<Unlike> unlike() const { return unlike_the_launch(std::array{trace}, counters, 2); }
};

TEST(Likeness, ABlockThatDoesTheMeanIsAlike) { EXPECT_FALSE(Counted().unlike()); }

TEST(Likeness, ABitMoreOrLessIsAlike) {
  Counted some;
  some.trace.executions = {110, 110, 110, 0};
  some.trace.sectors[1] = 440;
  EXPECT_FALSE(some.unlike());
}

TEST(Likeness, EachKindOfWorkCounts) {
  const auto work_of = [](const Counted& counted) {
    const auto unlike = counted.unlike();
    return unlike ? unlike->work : "";
  };
  Counted instructions, barriers, sectors, requests, shared;
  instructions.counters.instructions[0].warp_executions = 20000;
  EXPECT_EQ(work_of(instructions), "instructions");
  barriers.trace.executions[2] = 40;
  EXPECT_EQ(work_of(barriers), "barriers");
  sectors.trace.sectors[1] = 100;  // coalesced where it is looked at
  EXPECT_EQ(work_of(sectors), "sectors");
  requests.trace.executions[1] = 40;
  EXPECT_EQ(work_of(requests), "requests");
  shared.counters.instructions[3] = {.warp_executions = 2000, .shared_requests = 2000};
  shared.counters.instructions[0].warp_executions = 4000;
  shared.trace.executions[0] = 2000;
  EXPECT_EQ(work_of(shared), "shared accesses");
}

TEST(Likeness, TheSameNumberOfOtherInstructionsIsUnlike) {
  Counted other;
  other.counters.info.push_back(other.counters.info[2]);
  other.counters.instructions.push_back(other.counters.instructions[2]);
  other.trace.executions = {100, 100, 200, 0, 0};
  ASSERT_TRUE(other.unlike());
  EXPECT_EQ(other.unlike()->work, "barriers");
  EXPECT_EQ(other.unlike()->distance, 1);
}

TEST(Likeness, WhatIsNextToNothingOfTheLaunchIsNoMatter) {
  Counted rare;
  rare.counters.instructions[0].warp_executions = 40000;
  rare.trace.executions[0] = 20000;
  rare.counters.instructions[2].warp_executions = 20;  // ten in a block, of ten thousand
  rare.trace.executions[2] = 0;
  EXPECT_FALSE(rare.unlike());
}

// Of a long block only the beginning of each warp is kept. Where the rest is other work, a mean block is predicted; it is
// refused for nothing, since right kernels end with stores.
TEST(Likeness, ABeginningUnlikeTheRestIsNotReplayed) {
  Counted cut;
  const auto stands = [&] {
    return beginnings_stand_for_blocks(std::array{cut.trace}, cut.counters);
  };
  cut.trace.seen = {0, 100, 100, 0};
  cut.trace.kept = {0, 50, 50, 0};
  cut.trace.events_seen = 200;
  cut.trace.events_kept = 100;
  EXPECT_TRUE(stands());
  cut.trace.kept = {0, 100, 0, 0};  // the barriers come later
  EXPECT_FALSE(stands());
  EXPECT_FALSE(cut.unlike());
  cut.trace.kept = cut.trace.seen;
  cut.trace.events_kept = 200;
  EXPECT_TRUE(stands());
}

TEST(Likeness, NoTraceStandsForNothing) {
  const Counted counted;
  ASSERT_TRUE(unlike_the_launch({}, counted.counters, 2));
}

// ---- launches

/// Loads its block's number of iterations; in each, a load and eight barriers.
constexpr const char* kIterations = R"(.version 7.8
.target sm_90
.address_size 64
.visible .entry k(.param .u64 counts)
{
.reg .b32 %r<10>; .reg .b64 %d<10>; .reg .pred %p<3>;
ld.param.u64 %d0, [counts];
mov.u32 %r0, %ctaid.x;
mov.u32 %r1, %tid.x;
mul.wide.u32 %d1, %r0, 4;
add.s64 %d1, %d0, %d1;
ld.global.u32 %r2, [%d1];
setp.eq.u32 %p0, %r2, 0;
@%p0 bra STORE;
LOOP:
mul.wide.u32 %d2, %r1, 4;
add.s64 %d2, %d1, %d2;
ld.volatile.global.u32 %r3, [%d2];
bar.sync 0; bar.sync 0; bar.sync 0; bar.sync 0;
bar.sync 0; bar.sync 0; bar.sync 0; bar.sync 0;
sub.u32 %r2, %r2, 1;
setp.ne.u32 %p1, %r2, 0;
@%p1 bra LOOP;
STORE:
st.global.u32 [%d1+1048576], %r1;
ret;
})";

/// How the launch is predicted where block b makes counts[b] iterations.
Prediction predicted(const std::vector<std::uint32_t>& counts, std::uint64_t seed) {
  const ptx::ParseResult parsed = ptx::parse(kIterations);
  if (!parsed.module) throw std::runtime_error(parsed.error.message);
  const simt::DecodeResult decoded = simt::decode(*parsed.module, "k");
  simt::Memory memory;
  std::vector<std::byte> contents(2u << 20);
  std::memcpy(contents.data(), counts.data(), counts.size() * sizeof counts[0]);
  const std::uint64_t address = memory.allocate("counts", std::move(contents));
  launch::Launch launch;
  launch.kernel = launch.entry = "k";
  launch.grid = {static_cast<std::uint32_t>(counts.size()), 1, 1};
  launch.block = {64, 1, 1};
  const TimedRun run = run_timed(*decoded.program, launch, std::as_bytes(std::span(&address, 1)),
                                 memory, {}, {.launch_blocks = counts.size(), .seed = seed});
  EXPECT_TRUE(run.result.completed);
  return predict({.counters = &run.counters,
                  .locality = &run.locality,
                  .scale = 1,
                  .grid = launch.grid,
                  .block = launch.block,
                  .registers_per_thread = 16},
                 find_profile("h200"));
}

// It knows which blocks are traced, and is slow in all others.
TEST(ForgedLaunch, TakesAboutAsLongAsSlowEverywhereUnderAnySeed) {
  const double slow = predicted(std::vector<std::uint32_t>(kBlocks, 60), 0).time_us;
  const double fast = predicted(std::vector<std::uint32_t>(kBlocks, 0), 0).time_us;
  ASSERT_GT(slow, 2 * fast);
  for (std::uint64_t seed = 0; seed < kLikenessSeeds; ++seed) {
    std::vector<std::uint32_t> counts(kBlocks, 60);
    for (const std::uint64_t block : traced_blocks(kBlocks, seed)) counts[block] = 0;
    const Prediction forged = predicted(counts, seed);
    EXPECT_FALSE(forged.unlike) << seed << ": other blocks stand for it";
    EXPECT_NEAR(forged.time_us / slow, 1, 0.15) << seed;  // one of the twelve may be a fast one
  }
}

// Triangular work, every other block idle, edges: by nature.
TEST(MixedLaunch, IsPredictedAlikeUnderAnySeed) {
  std::vector<std::uint32_t> triangle, halves, edges;
  for (std::uint32_t block = 0; block < kBlocks; ++block) {
    triangle.push_back(block / 128);
    halves.push_back(block % 2 * 4);
    edges.push_back(block % 64 == 0 || block % 64 == 63 ? 0 : 4);
  }
  for (const auto& counts : {triangle, halves, edges}) {
    const double time_us = predicted(counts, 0).time_us;
    for (std::uint64_t seed = 0; seed < kLikenessSeeds; seed += 3) {
      const Prediction prediction = predicted(counts, seed);
      EXPECT_FALSE(prediction.unlike) << seed;
      EXPECT_NEAR(prediction.time_us / time_us, 1, 0.1) << seed;
    }
  }
}

// A few blocks do nearly all of it: no twelve are like that, and the prediction says so.
TEST(MixedLaunch, OfWhichNoFewBlocksStandForAllIsMarked) {
  std::vector<std::uint32_t> counts(kBlocks, 0);
  for (std::uint32_t block = 0; block < kBlocks; block += 200) counts[block] = 400;
  for (std::uint64_t seed = 0; seed < kLikenessSeeds; seed += 5) {
    const Prediction prediction = predicted(counts, seed);
    ASSERT_TRUE(prediction.unlike) << seed;
    EXPECT_GT(prediction.unlike->distance, 0.25);
  }
}

}  // namespace
}  // namespace labkit::timing
