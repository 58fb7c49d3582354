#include "grade/slowness.h"

#include <gtest/gtest.h>

namespace labkit::grade {
namespace {

using launch::Cause;
using observe::AccessKind;

/// A launch whose instructions a test adds, and what its time is spent on.
struct Launch {
  observe::LaunchCounters counters;
  timing::Prediction prediction;
  std::uint64_t useful_bytes = 0;
  bool may_use_shared = true;

  /// Requests of 32 lanes, unless said otherwise.
  void global(std::uint32_t line, AccessKind access, std::uint64_t requests, std::uint64_t sectors,
              std::uint64_t ideal, std::uint64_t lanes = 32) {
    add(line, access, requests, lanes);
    auto& c = counters.instructions.back();
    c.global_requests = requests;
    c.global_sectors = requests * sectors;
    c.global_sectors_ideal = requests * ideal;
  }
  void shared(std::uint32_t line, AccessKind access, std::uint64_t requests,
              std::uint64_t wavefronts, std::uint64_t ideal) {
    add(line, access, requests, 32);
    auto& c = counters.instructions.back();
    c.shared_requests = requests;
    c.shared_wavefronts = requests * wavefronts;
    c.shared_wavefronts_ideal = requests * ideal;
  }
  void local(std::uint32_t line, std::uint64_t requests) {
    add(line, AccessKind::load, requests, 32);
    counters.instructions.back().local_requests = requests;
  }
  launch::Diagnosis why(std::string_view figure = "ratio", double limit = 0) const {
    return diagnose_slowness({.counters = counters,
                              .prediction = prediction,
                              .useful_bytes = useful_bytes,
                              .limit = limit,
                              .registers_per_thread = 40,
                              .shared_bytes_per_block = 65536,
                              .may_use_shared = may_use_shared},
                             figure)
        .value();
  }

 private:
  void add(std::uint32_t line, AccessKind access, std::uint64_t executions, std::uint64_t lanes) {
    observe::InstructionInfo info;
    info.line = line;
    info.file = "kernel.cu";
    info.access = access;
    info.spelling = access == AccessKind::load ? "ld" : "st";
    counters.info.push_back(info);
    counters.instructions.push_back(
        {.warp_executions = executions, .thread_executions = lanes * executions});
  }
};

std::int64_t number(const launch::Diagnosis& slow, const char* name) {
  return std::get<std::int64_t>(*slow.evidence.at(0).find(name));
}

// A product that keeps one of its operands in shared memory and fetches the other again and again.
TEST(Slowness, AMissedLimitOfSectorsIsExplainedByThem) {
  Launch launch;
  launch.useful_bytes = 32 * 1000;
  launch.prediction.shares = {{"latency", 0.7}, {"issue", 0.3}};
  launch.prediction.occupancy = {.warps_per_sm = 32, .limiter = "registers"};
  launch.global(19, AccessKind::load, 4000, 4, 4);
  EXPECT_EQ(launch.why("global_load_sectors").cause, Cause::performance_same_bytes_again);
  EXPECT_EQ(launch.why("global_load_sectors").where.line, 19u);
}

// A tiled product whose counters of global memory are right: the conflicts at line 19 take the time.
TEST(Slowness, AnArrayInLocalMemoryIsNamedAtItsBusiestLine) {
  Launch launch;
  launch.prediction.shares = {{"DRAM", 0.9}};
  launch.global(4, AccessKind::load, 100, 4, 4);
  launch.local(7, 10);
  EXPECT_NE(launch.why().cause, Cause::performance_local_memory);
  launch.local(8, 30);
  const launch::Diagnosis slow = launch.why();
  EXPECT_EQ(slow.cause, Cause::performance_local_memory);
  EXPECT_EQ(slow.where.line, 8u);
}

TEST(Slowness, WhatIsStoredForAPrintfIsNoArray) {
  Launch launch;
  launch.prediction.shares = {{"DRAM", 0.9}};
  launch.local(7, 100);
  launch.counters.info.back().access = AccessKind::store;
  EXPECT_NE(launch.why().cause, Cause::performance_local_memory);
}

TEST(Slowness, OfATimeIsWhatCostsMost) {
  Launch tiled;
  tiled.prediction.shares = {{"shared memory", 0.84}, {"L1", 0.1}, {"launch", 0.06}};
  tiled.global(16, AccessKind::load, 1000, 4, 4);
  tiled.shared(17, AccessKind::store, 1000, 32, 1);
  tiled.shared(19, AccessKind::load, 32000, 32, 4);
  const launch::Diagnosis slow = tiled.why();
  EXPECT_EQ(slow.cause, Cause::performance_bank_conflict);
  EXPECT_EQ(slow.where.line, 19u);
  EXPECT_EQ(slow.evidence.at(0).id, words::Id::slow_bank_conflict_load);
  EXPECT_EQ(number(slow, "degree"), 32);
  ASSERT_EQ(slow.evidence.size(), 2u);
  EXPECT_EQ(*slow.evidence[1].find("percent"), words::count(84));
  EXPECT_EQ(slow.fix.id, words::Id::slow_fix_pad);
  EXPECT_TRUE(is_specific(slow));
}

// Rows padded by two elements: the counter is missed, though the time goes elsewhere.
TEST(Slowness, OfACounterIsWhatItCounts) {
  Launch padded;
  padded.prediction.shares = {{"DRAM", 0.9}, {"shared memory", 0.06}};
  padded.global(12, AccessKind::load, 1000, 4, 4);
  padded.shared(13, AccessKind::store, 1000, 1, 1);
  padded.shared(17, AccessKind::load, 1000, 2, 1);
  const launch::Diagnosis slow = padded.why("excess_shared_wavefronts");
  EXPECT_EQ(slow.cause, Cause::performance_bank_conflict);
  EXPECT_EQ(slow.where.line, 17u);
  EXPECT_EQ(number(slow, "degree"), 2);
  EXPECT_EQ(slow.evidence.size(), 1u) << "6% of the time is not worth telling";
  // of the time nothing is to be said but that the memory is busy, which no fix at a line changes
  EXPECT_EQ(padded.why().cause, Cause::performance_memory_bound);
  EXPECT_FALSE(is_specific(padded.why()));
}

TEST(Slowness, OfConflictsInSwizzledAndPaddedArraysItAsksForMore) {
  const std::string source =
      "#define AT(r, c) ((r) * 32 + ((c) ^ ((r) & 7)))\n"
      "__global__ void k(float* out) {\n"
      "  __shared__ float a[32 * 32]; __shared__ float b[32][32]; __shared__ float c[32][34];\n"
      "  out[0] = a[AT(1, 2)];\n"
      "  out[1] = b[1][2];\n"
      "  out[2] = c[1][2];\n"
      "  out[3] = out[4];\n"
      "}\n"
      "__global__ void other(float* out) {\n"
      "  __shared__ float c[32][32];\n"
      "  out[0] = c[1][2];\n"
      "}\n";
  const auto fix_at = [&](std::uint32_t line, const char* kernel = "k") {
    return fix_of_conflict(
        source, kernel,
        {.cause = Cause::performance_bank_conflict,
         .where = {"kernel.cu", line},
         .evidence = {{words::Id::slow_bank_conflict_load, {{"wavefronts", 4.0}, {"ideal", 1.0}}}},
         .fix = {words::Id::slow_fix_pad}});
  };
  EXPECT_EQ(fix_at(4).id, words::Id::slow_fix_swizzle);
  EXPECT_EQ(*fix_at(4).find("banks"), words::count(8));
  EXPECT_EQ(fix_at(5).id, words::Id::slow_fix_pad_array);
  EXPECT_EQ(fix_at(6).id, words::Id::slow_fix_padding);
  EXPECT_EQ(fix_at(7).id, words::Id::slow_fix_pad);
  EXPECT_EQ(fix_at(11, "other").id, words::Id::slow_fix_pad_array);
}

// A tree of sums: no row to pad.
TEST(Slowness, AnArrayWithoutRowsIsNotPadded) {
  const std::string source =
      "__global__ void k(float* out) {\n"
      "  __shared__ float part[256];\n"
      "  if (threadIdx.x < 64) part[4 * threadIdx.x] += part[4 * threadIdx.x + 2];\n"
      "}\n";
  EXPECT_EQ(fix_of_conflict(source, "k",
                            {.cause = Cause::performance_bank_conflict,
                             .where = {"kernel.cu", 3},
                             .evidence = {{words::Id::slow_bank_conflict_load,
                                           {{"wavefronts", 4.0}, {"ideal", 1.0}}}},
                             .fix = {words::Id::slow_fix_pad}})
                .id,
            words::Id::slow_fix_neighbouring_words);
}

// What makes too many of them, the lab's author knows.
TEST(Slowness, APlainNumberOfAccessesIsNotExplained) {
  Launch launch;
  launch.prediction.shares = {{"latency", 0.7}, {"atomics", 0.3}};
  launch.global(19, AccessKind::load, 4000, 32, 4);
  for (const char* figure : {"shared_wavefronts", "global_atomics", "shared_atomics", "barriers"})
    EXPECT_FALSE(
        diagnose_slowness({.counters = launch.counters, .prediction = launch.prediction}, figure))
        << figure;
}

TEST(Slowness, TellsTwoAccessesOfOneLineApart) {
  Launch product;
  product.prediction.shares = {{"L1", 0.6}, {"instructions", 0.4}};
  product.global(11, AccessKind::load, 1000, 32, 4);  // a column
  product.global(11, AccessKind::load, 1000, 1, 1);   // one element for all
  const launch::Diagnosis slow = product.why("global_load_sectors");
  EXPECT_EQ(slow.cause, Cause::performance_uncoalesced_load);
  EXPECT_EQ(std::get<double>(*slow.evidence.at(0).find("sectors")), 32);
  EXPECT_EQ(std::get<double>(*slow.evidence.at(0).find("ideal")), 4);
  EXPECT_EQ(slow.fix.id, words::Id::slow_fix_coalesce) << "there is no other side";
  product.global(13, AccessKind::store, 2000, 4, 4);
  EXPECT_EQ(product.why().fix.id, words::Id::slow_fix_coalesce_this_side);
  product.may_use_shared = false;
  EXPECT_EQ(product.why().fix.id, words::Id::slow_fix_coalesce);
  product.may_use_shared = true;
  product.global(12, AccessKind::store, 1000, 32, 4);
  EXPECT_EQ(product.why().fix.id, words::Id::slow_fix_coalesce);
}

TEST(Slowness, OfFewLanesOrTheSameBytesAgain) {
  Launch one;
  one.prediction.shares = {{"latency", 0.8}, {"L1", 0.2}};
  one.useful_bytes = 4000;
  one.global(9, AccessKind::load, 1000, 1, 1, 1);
  EXPECT_EQ(one.why().cause, Cause::performance_idle_lanes);
  EXPECT_EQ(number(one.why(), "lanes"), 1);
  Launch again;
  again.prediction.shares = {{"L2", 0.8}};
  again.useful_bytes = 12800;  // 400 sectors
  again.global(9, AccessKind::load, 1000, 4, 4);
  EXPECT_EQ(again.why().cause, Cause::performance_same_bytes_again);
  EXPECT_EQ(number(again.why(), "moved"), 4000);
  EXPECT_EQ(number(again.why(), "needed"), 400);
  // half is moved in vain, but the rest holds all data five times
  Launch both;
  both.prediction.shares = {{"L2", 0.8}};
  both.useful_bytes = 12800;
  both.global(9, AccessKind::load, 1000, 4, 2);
  EXPECT_EQ(both.why().cause, Cause::performance_same_bytes_again);
  // where the limit would be met without what is moved in vain, that is the cause: the limit allows for the rest
  EXPECT_EQ(both.why("global_load_sectors", 2000).cause, Cause::performance_uncoalesced_load);
  EXPECT_EQ(both.why("global_load_sectors", 1000).cause, Cause::performance_same_bytes_again);
  both.useful_bytes = 64000;  // once
  EXPECT_EQ(both.why().cause, Cause::performance_uncoalesced_load);
}

TEST(Slowness, OfLatencyIsWhatLimitsTheWarps) {
  Launch waits;
  waits.prediction.shares = {{"latency", 0.9}};
  waits.prediction.occupancy = {.blocks_per_sm = 3, .warps_per_sm = 12, .limiter = "shared memory"};
  waits.useful_bytes = 1 << 20;
  waits.global(9, AccessKind::load, 1000, 4, 4);
  EXPECT_EQ(waits.why().cause, Cause::performance_low_occupancy);
  EXPECT_EQ(waits.why().evidence.at(0).id, words::Id::slow_occupancy_shared);
  EXPECT_TRUE(is_specific(waits.why()));
  waits.prediction.occupancy.warps_per_sm = 64;
  EXPECT_EQ(waits.why().evidence.at(0).id, words::Id::slow_few_in_flight);
  EXPECT_FALSE(is_specific(waits.why()));
  waits.counters.info[0].serial_loads = 3;
  EXPECT_EQ(waits.why().cause, Cause::performance_serial_loads);
}

TEST(Slowness, OfNothingIsNothing) {
  const Launch empty;
  EXPECT_FALSE(
      diagnose_slowness({.counters = empty.counters, .prediction = empty.prediction}, "ratio"));
}

}  // namespace
}  // namespace labkit::grade
