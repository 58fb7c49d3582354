#include "grade/figures.h"

#include <gtest/gtest.h>

namespace labkit::grade {
namespace {

using observe::AccessKind;

/// Two loads on line 5, a store on line 6: the figures of a small transpose.
observe::LaunchCounters sample() {
  observe::LaunchCounters counters;
  const auto add = [&](std::uint32_t line, AccessKind kind, const char* spelling,
                       std::uint64_t requests, std::uint64_t sectors, std::uint64_t ideal,
                       std::uint64_t wavefronts = 0, std::uint64_t wavefronts_ideal = 0) {
    observe::InstructionInfo info;
    info.line = line;
    info.file = "kernel.cu";
    info.spelling = spelling;
    info.access = kind;
    counters.info.push_back(info);
    observe::InstructionCounters c;
    c.global_requests = requests;
    c.global_sectors = sectors;
    c.global_sectors_ideal = ideal;
    c.shared_wavefronts = wavefronts;
    c.shared_wavefronts_ideal = wavefronts_ideal;
    c.thread_executions = 32 * (requests ? requests : 1);
    counters.instructions.push_back(c);
  };
  add(5, AccessKind::load, "ld.global.f32", 10, 40, 40);
  add(5, AccessKind::load, "ld.global.nc.f32", 10, 80, 40);
  add(6, AccessKind::store, "st.global.f32", 20, 640, 80);
  add(7, AccessKind::load, "ld.shared.f32", 0, 0, 0, 320, 10);
  return counters;
}

TEST(Figures, FollowFromCounters) {
  const Figures figures = counter_figures(sample());
  EXPECT_EQ(figures.at("global_load_sectors"), 120);
  EXPECT_EQ(figures.at("global_store_sectors"), 640);
  EXPECT_EQ(figures.at("load_sectors_per_request"), 6);
  EXPECT_EQ(figures.at("store_sectors_per_request"), 32);
  EXPECT_EQ(figures.at("excess_global_sectors"), 600);
  EXPECT_EQ(figures.at("excess_global_load_sectors"), 40);
  EXPECT_EQ(figures.at("excess_global_store_sectors"), 560);
  EXPECT_EQ(figures.at("excess_shared_wavefronts"), 310);
  EXPECT_EQ(figures.at("excess_shared_load_wavefronts"), 310);
  EXPECT_EQ(figures.at("excess_shared_store_wavefronts"), 0);
  EXPECT_EQ(figures.at("memory_l2_theoretical_sectors_global"), 760);
}

/// One global instruction on line 9.
observe::LaunchCounters one(AccessKind kind, std::uint64_t requests, std::uint64_t sectors,
                            std::uint64_t ideal, std::uint64_t bytes) {
  observe::LaunchCounters counters;
  counters.info.resize(1);
  counters.info[0].line = 9;
  counters.info[0].file = "kernel.cu";
  counters.info[0].spelling = "x.global.f32";
  counters.info[0].access = kind;
  counters.instructions.resize(1);
  counters.instructions[0].global_requests = requests;
  counters.instructions[0].global_sectors = sectors;
  counters.instructions[0].global_sectors_ideal = ideal;
  counters.instructions[0].global_bytes = bytes;
  return counters;
}

TEST(Figures, AtomicsAreCountedByThreadsAndByWhereTheyAre) {
  observe::LaunchCounters counters = one(AccessKind::atomic, 10, 320, 40, 1280);
  counters.info[0].bytes_per_lane = 4;
  counters.instructions[0].thread_executions = 320;
  counters.info.push_back(counters.info[0]);
  counters.info[1].line = 10;
  counters.instructions.push_back({.warp_executions = 5,
                                   .thread_executions = 100,
                                   .shared_requests = 5,
                                   .shared_wavefronts = 7});
  Figures figures = counter_figures(counters);
  EXPECT_EQ(figures.at("global_atomics"), 320);
  EXPECT_EQ(figures.at("shared_atomics"), 100);
  EXPECT_EQ(figures.at("shared_wavefronts"), 7);
  EXPECT_EQ(figures.at("barriers"), 0);
  counters.info[1].spelling = "bar.sync";
  EXPECT_EQ(counter_figures(counters).at("barriers"), 5);
  EXPECT_EQ(worst_line("global_atomics", counters).where.line, 9u);
  EXPECT_EQ(worst_line("shared_atomics", counters).where.line, 10u);
  EXPECT_EQ(counter_figures(one(AccessKind::store, 10, 320, 40, 1280)).at("global_atomics"), 0);
}

TEST(Figures, AtomicsAreLoadsAndStores) {
  const auto counters = one(AccessKind::atomic, 10, 320, 40, 1280);
  const Figures figures = counter_figures(counters);
  EXPECT_EQ(figures.at("load_sectors_per_request"), 32);
  EXPECT_EQ(figures.at("store_sectors_per_request"), 32);
  EXPECT_EQ(figures.at("global_load_sectors"), 320);
  EXPECT_EQ(figures.at("global_store_sectors"), 320);
  EXPECT_EQ(figures.at("excess_global_load_sectors"), 280);
  EXPECT_EQ(figures.at("excess_global_store_sectors"), 280);
  EXPECT_EQ(worst_line("load_sectors_per_request", counters).where.line, 9u);
  EXPECT_FALSE(missing_basis("load_sectors_per_request", counters));
  EXPECT_FALSE(missing_basis("store_sectors_per_request", counters));
}

TEST(Figures, PerRequestSaysNothingWithoutRequests) {
  const auto loads = one(AccessKind::load, 1, 4, 4, 128);
  EXPECT_FALSE(missing_basis("load_sectors_per_request", loads));
  EXPECT_EQ(missing_basis("store_sectors_per_request", loads).id,
            words::Id::figure_without_global_stores);
  EXPECT_EQ(missing_basis("load_sectors_per_request", {}).id,
            words::Id::figure_without_global_loads);
  EXPECT_FALSE(missing_basis("excess_global_sectors", {}));
  EXPECT_FALSE(missing_basis("ratio", {}));
}

TEST(Figures, RequestsOfOneLaneAreExcess) {
  // 32 requests of 4 bytes: each is ideal by itself.
  const auto serial = one(AccessKind::load, 32, 32, 32, 128);
  EXPECT_EQ(counter_figures(serial).at("excess_global_sectors"), 0);
  EXPECT_EQ(counter_figures(serial, 128).at("excess_global_sectors"), 28);
  const Culprit culprit = worst_line("excess_global_sectors", serial, 128);
  EXPECT_EQ(culprit.where.line, 9u);
  EXPECT_EQ(culprit.value, 28);
}

TEST(Figures, SharedRequestsOfOneLaneAreExcess) {
  // A column of a tile, 32 floats that lie in one bank: read by a warp at once, half a warp, and one lane at a time.
  const auto reads = [](std::uint64_t requests, std::uint64_t wavefronts_each) {
    observe::LaunchCounters counters = one(AccessKind::load, 0, 0, 0, 0);
    counters.info[0].bytes_per_lane = 4;
    counters.instructions[0].thread_executions = 32;
    counters.instructions[0].shared_requests = requests;
    counters.instructions[0].shared_wavefronts = requests * wavefronts_each;
    counters.instructions[0].shared_wavefronts_ideal = requests;
    return counters;
  };
  EXPECT_EQ(counter_figures(reads(1, 32)).at("excess_shared_wavefronts"), 31);
  EXPECT_EQ(counter_figures(reads(2, 1)).at("excess_shared_wavefronts"), 0);
  EXPECT_EQ(counter_figures(reads(32, 1)).at("excess_shared_wavefronts"), 31);
  EXPECT_EQ(worst_line("excess_shared_wavefronts", reads(32, 1)).where.line, 9u);
  EXPECT_EQ(worst_line("excess_shared_wavefronts", reads(2, 1)).where.line, 0u);
  // Four stores that ptxas joins to one of 16 bytes a lane: the first has the requests, all have bytes.
  observe::LaunchCounters joined = reads(1, 4);
  joined.instructions[0].shared_wavefronts_ideal = 4;
  for (int i = 0; i < 3; ++i) {
    joined.info.push_back(joined.info[0]);
    joined.info.back().spelling = "st.shared.f32";
    joined.instructions.push_back({.thread_executions = 32});
  }
  EXPECT_EQ(counter_figures(joined).at("excess_shared_wavefronts"), 0);
}

TEST(Figures, UsefulBytesNeverHideACountedExcess) {
  const auto strided = one(AccessKind::load, 1, 32, 4, 128);
  EXPECT_EQ(counter_figures(strided, 1 << 20).at("excess_global_sectors"), 28);
  const auto right = one(AccessKind::load, 1, 4, 4, 128);
  EXPECT_EQ(counter_figures(right, 128).at("excess_global_sectors"), 0);
  EXPECT_EQ(counter_figures(right, 127).at("excess_global_sectors"), 0);
  EXPECT_EQ(worst_line("excess_global_sectors", right, 128).where.line, 0u);
  // The same bytes again, each request full: twice is what a kernel takes that clears its output first.
  const auto twice = one(AccessKind::load, 2, 8, 8, 256);
  EXPECT_EQ(counter_figures(twice, 128).at("excess_global_sectors"), 0);
  const auto thrice = one(AccessKind::load, 3, 12, 12, 384);
  EXPECT_EQ(counter_figures(thrice, 128).at("excess_global_sectors"), 8);
  EXPECT_EQ(worst_line("excess_global_sectors", thrice, 128).where.line, 9u);
}

TEST(Figures, OfNothingAreZero) {
  for (const auto& [name, value] : counter_figures({})) EXPECT_EQ(value, 0) << name;
}

TEST(Figures, NamesAreKnown) {
  for (const auto& [name, value] : counter_figures(sample())) EXPECT_TRUE(is_figure(name)) << name;
  EXPECT_TRUE(is_figure("ratio"));
  EXPECT_TRUE(is_figure("best_ratio"));
  EXPECT_TRUE(is_figure("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"));
  EXPECT_FALSE(is_figure("speed"));
  EXPECT_FALSE(is_figure(""));
}

TEST(WorstLine, IsTheOneToBlame) {
  const Culprit store = worst_line("excess_global_sectors", sample());
  EXPECT_EQ(store.where.line, 6u);
  EXPECT_EQ(store.instruction, "st.global.f32");
  EXPECT_EQ(store.value, 560);
  const Culprit load = worst_line("load_sectors_per_request", sample());
  EXPECT_EQ(load.where.line, 5u);
  EXPECT_EQ(load.instruction, "ld.global.nc.f32");
  EXPECT_EQ(load.value, 6);
  EXPECT_EQ(worst_line("excess_shared_wavefronts", sample()).where.line, 7u);
}

TEST(WorstLine, IsNoneWhereNothingIsWasted) {
  EXPECT_EQ(worst_line("excess_shared_store_wavefronts", sample()).where.line, 0u);
  EXPECT_EQ(worst_line("ratio", sample()).where.line, 0u);
  EXPECT_EQ(worst_line("excess_global_sectors", {}).where.line, 0u);
}

}  // namespace
}  // namespace labkit::grade
