// Occupancy in known cases, and what any time model must get right: more work is never faster.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "timing/timing.h"

namespace labkit::timing {
namespace {

const GpuProfile& h200() { return find_profile("h200"); }

bool is_a_share_name(std::string_view name) {
  return std::find(kShareNames.begin(), kShareNames.end(), name) != kShareNames.end();
}

Occupancy resident(launch::Dim3 block, std::uint32_t registers, std::uint64_t shared_bytes,
                   std::uint32_t blocks = 1 << 20) {
  Activity activity;
  activity.grid = {blocks, 1, 1};
  activity.block = block;
  activity.registers_per_thread = registers;
  activity.shared_bytes_per_block = shared_bytes;
  return occupancy(activity, h200());
}

// Registers as in kernel_counters.csv; blocks an SM as Nsight Compute's launch__occupancy_limit_*
// say of the same kernels.
TEST(Occupancy, KnownCases) {
  struct Case {
    launch::Dim3 block;
    std::uint32_t registers;
    std::uint64_t shared;
    std::uint32_t blocks;
    const char* limiter;
  };
  const Case cases[] = {
      {{32, 32, 1}, 16, 0, 2, "block size"},          // copy_tile_32x32
      {{32, 32, 1}, 16, 4224, 2, "block size"},       // tile32_pad
      {{32, 8, 1}, 26, 4224, 8, "block size"},        // rows32x8_pad
      {{64, 8, 1}, 32, 16640, 4, "block size"},       // rows64x16_pad
      {{16, 16, 1}, 64, 8192, 4, "registers"},        // reg4x4
      {{128, 1, 1}, 32, 16896, 13, "shared memory"},  // powers, padded
      {{32, 1, 1}, 16, 0, 32, "blocks"},
      {{33, 1, 1}, 16, 0, 32, "blocks"},      // two warps
      {{1024, 1, 1}, 65, 0, 0, "registers"},  // does not fit
      {{32, 1, 1}, 16, 232449, 0, "shared memory"},
  };
  for (const Case& each : cases) {
    const Occupancy got = resident(each.block, each.registers, each.shared);
    EXPECT_EQ(got.blocks_per_sm, each.blocks) << launch::to_string(each.block);
    EXPECT_EQ(got.limiter, each.limiter) << launch::to_string(each.block);
  }
  const Occupancy few = resident({256, 1, 1}, 16, 0, 140);
  EXPECT_EQ(few.blocks_per_sm, 2u);
  EXPECT_EQ(few.warps_per_sm, 16u);
  EXPECT_EQ(few.limiter, "grid");
}

/// A kernel that loads and stores `bytes` a lane, coalesced, in blocks of 256 threads.
struct Synthetic {
  observe::LaunchCounters counters;
  Locality locality;
  Activity activity;

  explicit Synthetic(std::uint64_t blocks, std::uint64_t bytes = 4) {
    const std::uint64_t warps = blocks * 8, sectors = bytes;
    counters.info.resize(3);
    counters.instructions.resize(3);
    counters.info[0].access = observe::AccessKind::load;
    counters.info[0].serial_loads = 1;
    counters.info[1].access = observe::AccessKind::store;
    for (int i = 0; i < 2; ++i) {
      auto& c = counters.instructions[i];
      c.warp_executions = c.global_requests = warps;
      c.global_sectors = c.global_sectors_ideal = warps * sectors;
      c.global_bytes = warps * 32 * bytes;
    }
    counters.warp_instructions = warps * 16;
    locality.close_blocks = locality.store_blocks = blocks;
    locality.load_requests = locality.store_requests = locality.store_block_requests = warps;
    locality.store_lines = warps * bytes / 4;
    locality.store_block_lines = locality.load_reuse_lines = warps * bytes / 4;
    locality.load_packets = locality.load_wavefronts = locality.store_wavefronts =
        warps * bytes / 4;
    locality.load_sectors = locality.load_block_sectors = warps * sectors;
    locality.load_atoms = warps * sectors / 2;
    activity.grid = {static_cast<std::uint32_t>(blocks), 1, 1};
    activity.block = {256, 1, 1};
    activity.registers_per_thread = 16;
  }
  Prediction predicted() {
    activity.counters = &counters;
    activity.locality = &locality;
    return predict(activity, h200());
  }
};

TEST(Model, EmptyAlmostCostsTheLaunch) {
  Synthetic one(1);
  EXPECT_GT(one.predicted().time_us, h200().launch_seconds * 1e6);
  EXPECT_LT(one.predicted().time_us, h200().launch_seconds * 1e6 + 2);
  EXPECT_EQ(one.predicted().bound, "launch");
}

TEST(Model, MoreBlocksTakeLonger) {
  double last = 0;
  for (std::uint64_t blocks = 1; blocks < (1u << 21); blocks = blocks * 3 / 2 + 1) {
    const double now = Synthetic(blocks).predicted().time_us;
    EXPECT_GE(now, last) << blocks;
    last = now;
  }
}

TEST(Model, LargeCopiesAreBoundAsMeasured) {
  Synthetic wide(131072, 16);  // kernel_times.csv, copy_n134217728 float4
  EXPECT_EQ(wide.predicted().bound, "DRAM");
  const double floor_us = 2.0 * 4 * 134217728 / h200().dram_peak_bytes_per_second * 1e6;
  EXPECT_GT(wide.predicted().time_us, floor_us);
  Synthetic narrow(524288, 4);  // the same bytes, 4 a lane: fewer in flight
  EXPECT_GT(narrow.predicted().time_us, 1.3 * wide.predicted().time_us);
}

TEST(Model, OneBlockRunsOnOneSm) {
  Synthetic even(65536);
  const double base = even.predicted().time_us;
  even.locality.most_block_requests = 16;  // as each
  EXPECT_EQ(even.predicted().time_us, base);
  Synthetic alone(65536);
  alone.locality.most_block_requests = 65536ull * 16;
  EXPECT_EQ(alone.predicted().bound, "one SM");
  EXPECT_GT(alone.predicted().time_us, 50 * base);
  Synthetic tail(65536);  // a block with 2% of it all needs more than an SM's 1/132
  tail.locality.most_block_bytes = 65536ull * 16 * 128 / 50;
  EXPECT_GT(tail.predicted().time_us, 1.5 * base);
}

/// A grid larger than its data: 8 blocks of 16384 load and store, the others end at once. Each of the 8 does 2048 times the
/// mean, and takes no longer than any block does.
TEST(Model, BlocksAmongMostThatDoNothingAreNotTakenForBusyOnes) {
  Synthetic s(8);
  s.activity.grid = {16384, 1, 1};
  s.counters.warp_instructions = 16384 * 8 * 4;
  s.locality.close_blocks = s.locality.store_blocks = 16384;
  const double without = s.predicted().time_us;
  s.locality.most_block_requests = 16;
  s.locality.most_block_bytes = 16 * 128;
  const Prediction with = s.predicted();
  EXPECT_NEAR(with.time_us, without, 0.1);
  EXPECT_NE(with.bound, "one SM");
}

TEST(Model, ASampleUnlikeTheLaunchIsNotTrusted) {
  const auto with = [](std::uint64_t requests_per_block) {
    Synthetic s(65536);
    s.counters.instructions[0].global_sectors *= 8;  // scattered, and what the sample keeps in L1
    s.locality.close_blocks = 8;
    s.locality.load_requests = 8 * requests_per_block;
    s.locality.load_wavefronts = s.locality.load_requests;
    s.locality.load_sectors = 8ull * 8 * 32;
    s.locality.load_block_sectors = s.locality.load_packets = 16;
    s.locality.load_reuse_lines = 16;
    s.locality.load_atoms = 8;
    return s.predicted().time_us;
  };
  const double trusted = with(8);
  EXPECT_NEAR(with(9) / trusted, 1, 0.1);
  EXPECT_GT(with(80), 1.3 * trusted);
  EXPECT_GT(with(2), 1.3 * trusted);
}

// No block was traced, so that one stands in that does the mean: its chains are as long as those counted, too.
TEST(Model, TheMeanBlockHasTheLaunchsChains) {
  const auto with = [](std::uint8_t links) {
    Synthetic one(132);  // a block of 8 warps on each SM
    const std::uint64_t warps = 132 * 8;
    one.counters.info[2].links = links;
    one.counters.instructions[2].warp_executions = warps * 1000;
    one.counters.warp_instructions += warps * 1000;
    return one.predicted().time_us;
  };
  // 4 cycles each, instead of a quarter of a cycle for each of the 8 warps.
  const double cycles = 1000 * (h200().instruction_cycles - 8 / h200().issue_per_sm_cycle);
  EXPECT_NEAR((with(1) - with(0)) * 1e-6 * h200().sm_clock_hz / cycles, 1, 0.25);
}

TEST(Model, WorkOfEveryKindCosts) {
  const double base = Synthetic(65536).predicted().time_us;
  Synthetic scattered(65536);
  scattered.counters.instructions[1].global_sectors *= 8;
  scattered.locality.store_lines *= 32;
  EXPECT_GT(scattered.predicted().time_us, 2 * base);
  EXPECT_EQ(scattered.predicted().bound, "stores");
  Synthetic conflicts(65536);
  conflicts.counters.instructions[2].shared_wavefronts = 65536ull * 8 * 32;
  EXPECT_GT(conflicts.predicted().time_us, base);
  Synthetic waits(65536);
  waits.counters.info[0].serial_loads = 4;
  EXPECT_GT(waits.predicted().time_us, 1.5 * base);
  EXPECT_EQ(waits.predicted().bound, "latency");
  Synthetic barriers(65536);
  barriers.counters.barriers_executed = 65536ull * 8 * 16;
  EXPECT_GT(barriers.predicted().time_us, base);
  Synthetic instructions(65536);
  instructions.counters.warp_instructions *= 40;
  EXPECT_GT(instructions.predicted().time_us, base);
  Synthetic crowded(65536);
  crowded.activity.registers_per_thread = 128;
  EXPECT_GT(crowded.predicted().time_us, base);
  Synthetic torn(65536);
  torn.locality.torn = {{1, 65536ull * 8 * 32}};  // the block beside it: at the same time
  EXPECT_EQ(torn.predicted().time_us, base);
  torn.locality.torn = {{1000, 65536ull * 8 * 32}};
  EXPECT_GT(torn.predicted().time_us, base);
}

TEST(Model, WhatWasStoredLastStaysInL2UnlessItWasFullOfWrites) {
  Synthetic reads_flushed(4096, 16), memset_flushed(4096, 16);
  memset_flushed.activity.l2_holds_writes = true;
  const auto dram = [](const Prediction& p) {
    for (const Bound& bound : p.bounds)
      if (bound.name == "DRAM") return bound.time_us * h200().dram_bytes_per_second * 1e-6;
    return 0.0;
  };
  const double array = 4096 * 256 * 16;
  EXPECT_NEAR(dram(reads_flushed.predicted()) / array, 1, 0.1);   // loads alone
  EXPECT_NEAR(dram(memset_flushed.predicted()) / array, 2, 0.1);  // and what had to leave
  EXPECT_GT(memset_flushed.predicted().time_us, reads_flushed.predicted().time_us);
}

TEST(Model, SectorsWithHolesAreReadToBeFilled) {
  Synthetic whole(65536, 4), holes(65536, 4);
  for (Synthetic* each : {&whole, &holes}) each->locality.store_sectors = 65536ull * 8 * 4;
  holes.locality.store_partial_sectors = holes.locality.store_sectors;
  EXPECT_GT(holes.predicted().time_us, 1.05 * whole.predicted().time_us);
}

TEST(Model, WhatIsWantedAgainFarApartComesFromDramAgain) {
  // Loads ten times as many bytes as there are, a fiftieth of each 64 KiB at a time.
  const auto with = [](std::uint64_t footprint, std::uint64_t regions) {
    Synthetic s(65536);
    s.activity.footprint_bytes = footprint;
    s.locality.window_atoms = 65536ull * 8 * 2 / Locality::kWindowPart * 10;
    s.locality.window_chunks = s.locality.window_atoms / 4;
    s.locality.window_regions = regions;
    return s.predicted().time_us;
  };
  const std::uint64_t bytes = 65536ull * 8 * 128 * 2;
  EXPECT_GT(with(bytes, 50 * 10240), 1.5 * with(bytes, 10240));
}

/// 1000 instructions of that cost a warp.
double with_work(const ptx::MachineCost& cost) {
  Synthetic s(65536);
  s.counters.info[2].cost = cost;
  s.counters.instructions[2].warp_executions = 65536ull * 8 * 1000;
  s.counters.warp_instructions += 65536ull * 8 * 1000;
  return s.predicted().time_us;
}

TEST(Model, DoubleArithmeticTakesTwoIssueSlots) {
  EXPECT_NEAR(with_work({.fp64 = 1}) / with_work({.fma = 1}), 2, 0.2);
}

/// The busiest pipe holds the schedulers up, and those that have less to do are hidden behind it.
TEST(Model, PipesWorkSideBySide) {
  EXPECT_NEAR(with_work({.xu = 8}) / with_work({}), 8, 0.8);
  EXPECT_NEAR(with_work({.alu = 2, .fma = 2, .xu = 8}) / with_work({.xu = 8}), 1, 0.01);
  EXPECT_NEAR(with_work({.issue = 8}) / with_work({.xu = 8}), 1, 0.05);
}

TEST(Model, TensorCoresReachTheirPublishedPeakAndNoMore) {
  const auto with = [](const char* spelling) {
    Synthetic s(65536);
    s.counters.info[2].spelling = spelling;
    s.counters.instructions[2].warp_executions = 65536ull * 8 * 1000;
    s.counters.warp_instructions += 65536ull * 8 * 1000;
    return s.predicted().time_us;
  };
  const double plain = with("fma.rn.f32");
  // 2048 products at 2048 a cycle, of 4 issue slots
  EXPECT_NEAR(with("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32") / plain, 4, 0.4);
  EXPECT_NEAR(with("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32") / plain, 8, 0.8);
  EXPECT_NEAR(with("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32") / plain, 2, 0.2);
  EXPECT_NEAR(with("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64") / plain, 8, 0.8);
}

TEST(Model, AtomicsOnOneChunkGoOneAfterAnother) {
  Synthetic spread(65536), hot(65536), word(65536), floats(65536);
  hot.locality.most_chunk_atomics = 65536ull * 32;
  EXPECT_GT(hot.predicted().time_us, 10 * spread.predicted().time_us);
  EXPECT_EQ(hot.predicted().bound, "atomics");
  // tests/h200/hot_line.txt: lanes on one word take 0.73 ns each, those that add floats 1.76
  word.locality.most_chunk_atomics = floats.locality.most_word_floats = 65536ull * 32;
  const double launch = h200().launch_seconds * 1e6;
  EXPECT_NEAR((floats.predicted().time_us - launch) / (word.predicted().time_us - launch), 2.4,
              0.05);
}

TEST(Model, TracesUnlikeTheLaunchAreNotReplayed) {
  Synthetic without(65536), unlike(65536), like(65536);
  BlockTrace cheap;
  cheap.warps = 8;
  unlike.locality.traces = {cheap};
  EXPECT_EQ(unlike.predicted().time_us, without.predicted().time_us);
  ASSERT_TRUE(unlike.predicted().unlike);
  EXPECT_EQ(unlike.predicted().unlike->distance, 1);
  cheap.executions = {8, 8, 0};  // says that it did as much, and did nothing
  cheap.sectors = {8 * 4, 8 * 4, 0};
  like.locality.traces = {cheap};
  EXPECT_FALSE(like.predicted().unlike);
  EXPECT_LT(like.predicted().time_us, without.predicted().time_us);
}

TEST(Model, ScaleIsBlocksLaunchedOverBlocksSimulated) {
  Synthetic whole(65536), part(256);
  part.activity.grid = whole.activity.grid;
  part.activity.scale = 256;
  EXPECT_NEAR(part.predicted().time_us, whole.predicted().time_us,
              1e-6 * whole.predicted().time_us);
}

TEST(Model, WithoutLocalityCoalescedAccessesCostTheSame) {
  Synthetic known(65536), guessed(65536);
  guessed.activity.counters = &guessed.counters;
  EXPECT_NEAR(predict(guessed.activity, h200()).time_us, known.predicted().time_us, 1e-6);
}

TEST(Model, BoundsAreSortedAndTheFirstIsTheBound) {
  const Prediction prediction = Synthetic(65536).predicted();
  ASSERT_EQ(prediction.bounds.size(), 11u);
  for (const Bound& bound : prediction.bounds)
    EXPECT_TRUE(is_a_share_name(bound.name)) << bound.name;
  for (std::size_t i = 1; i < prediction.bounds.size(); ++i)
    EXPECT_GE(prediction.bounds[i - 1].time_us, prediction.bounds[i].time_us);
  EXPECT_EQ(prediction.bound, prediction.shares.front().name);
  double all = 0;
  for (std::size_t i = 0; i < prediction.shares.size(); ++i) {
    all += prediction.shares[i].part;
    EXPECT_TRUE(is_a_share_name(prediction.shares[i].name)) << prediction.shares[i].name;
    EXPECT_GT(prediction.shares[i].part, 0) << prediction.shares[i].name;
    EXPECT_GE(prediction.shares[i ? i - 1 : 0].part, prediction.shares[i].part);
  }
  EXPECT_NEAR(all, 1, 1e-3);
  EXPECT_GE(prediction.time_us, prediction.bounds.front().time_us);
}

TEST(Model, AnEstimateOfRegistersIsCappedAndOnlyAKnownNumberDoesNotFit) {
  Activity activity;
  activity.grid = {64, 1, 1};
  activity.block = {1024, 1, 1};
  activity.registers_per_thread = 100;
  EXPECT_TRUE(fits(activity, h200()));
  EXPECT_EQ(with_registers_that_fit(activity, h200()).registers_per_thread, 64u);
  activity.registers_estimated = false;
  EXPECT_FALSE(fits(activity, h200()));
  activity.registers_per_thread = 64;
  EXPECT_TRUE(fits(activity, h200()));
  activity.shared_bytes_per_block = 100000;  // an H200's SM has it, a T4's has not
  EXPECT_TRUE(fits(activity, h200()));
  EXPECT_FALSE(fits(activity, find_profile("t4")));
}

TEST(Model, RefusesWhatHasNoTime) {
  Synthetic blind(1);
  EXPECT_THROW(predict(blind.activity, h200()), Error);
  Synthetic wide(1);
  wide.activity.block = {1024, 1, 1};
  wide.activity.registers_per_thread = 255;
  wide.activity.registers_estimated = false;
  EXPECT_THROW(wide.predicted(), Error);
  Synthetic crowded(1);
  crowded.activity.shared_bytes_per_block = 232449;
  EXPECT_THROW(crowded.predicted(), Error);
}

TEST(Occupancy, ABlockWithoutSharedMemoryFitsOnEachGpu) {
  for (const std::string& name : profile_names()) {
    Activity activity;
    activity.grid = {100000, 1, 1};
    activity.block = {256, 1, 1};
    activity.registers_per_thread = 32;
    const Occupancy got = occupancy(activity, find_profile(name));
    EXPECT_EQ(got.warps_per_sm, find_profile(name).max_warps_per_sm) << name;
  }
}

TEST(Occupancy, MostRegistersAreThoseOfABlockThatJustFits) {
  EXPECT_EQ(most_registers({1024, 1, 1}, h200()), 64u);
  EXPECT_EQ(most_registers({32, 16, 1}, h200()), 128u);
  EXPECT_EQ(most_registers({256, 1, 1}, h200()), 255u);
  EXPECT_EQ(most_registers({1, 1, 1}, h200()), 255u);
  for (std::uint32_t threads = 1; threads <= 1024; ++threads) {
    const std::uint32_t most = most_registers({threads, 1, 1}, h200());
    EXPECT_GE(resident({threads, 1, 1}, most, 0).blocks_per_sm, 1u) << threads;
    if (most < 255) {
      EXPECT_EQ(resident({threads, 1, 1}, most + 1, 0).blocks_per_sm, 0u) << threads;
    }
  }
}

TEST(Model, AnEstimateOfTooManyRegistersIsCappedAndSaysSo) {
  Synthetic high(1);
  high.activity.block = {1024, 1, 1};
  high.activity.registers_per_thread = 120;
  const Prediction capped = high.predicted();
  EXPECT_TRUE(capped.registers_capped);
  EXPECT_EQ(capped.occupancy.blocks_per_sm, 1u);
  high.activity.registers_per_thread = 64;
  const Prediction fits = high.predicted();
  EXPECT_FALSE(fits.registers_capped);
  EXPECT_EQ(capped.time_us, fits.time_us);
}

}  // namespace
}  // namespace labkit::timing
