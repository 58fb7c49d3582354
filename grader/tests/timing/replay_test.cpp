// The replay of one SM: what each mechanism must do, on traces made by hand.
#include "timing/replay.h"

#include <gtest/gtest.h>

#include "made_trace.h"

namespace labkit::timing {
namespace {

TEST(Replay, ALoadTakesItsLatencyAndDependentLoadsAddUp) {
  Plan one(Made(1).add(Kind::load, 0, 1, 1, 0));
  EXPECT_NEAR(one.run().cycles, 700, 1);
  EXPECT_NEAR(one.run().alone, 700, 2);
  Plan dependent(Made(1).add(Kind::load, 0, 1, 1, 0).add(Kind::load, 0, 2, 1, 0));
  EXPECT_NEAR(dependent.run().cycles, 1400, 2);
  Plan together(Made(1).add(Kind::load, 0, 1, 1, 0).add(Kind::load, 0, 2, 1, 1));
  EXPECT_NEAR(together.run().cycles, 700, 2);
}

TEST(Replay, TheOldestWarpHasThePipeFirstSoThatBlocksDriftApart) {
  // Two blocks of four warps that each load and then need the pipe for 700 cycles, eight times: in step they would take
  // 8 x 2100.
  Made made(4);
  for (int phase = 0; phase < 8; ++phase)
    for (std::uint16_t w = 0; w < 4; ++w) {
      made.add(Kind::load, w, 100 + phase, 1, 0);
      for (int i = 0; i < 5; ++i) made.add(Kind::shared_load, w);
      made.add(Kind::barrier, w);
    }
  Plan plan(made);
  plan.costs[2].shared_wavefronts = 35;
  plan.plan.rates.wavefront = 1;
  plan.plan.slots = plan.plan.blocks = 2;
  EXPECT_LT(plan.run().cycles, 8 * 1400 + 1600);
  EXPECT_GT(plan.run().cycles, 8 * 1400);
}

TEST(Replay, WhatAnotherBlockHasAskedForIsThereWhenItComes) {
  Plan plan(Made(1).add(Kind::load, 0, 1, 1, 0));
  plan.plan.load_dram_part = 0;
  EXPECT_NEAR(plan.run().cycles, 300, 2);
  plan.plan.under_way_part = 1;
  plan.plan.under_way = 150;
  EXPECT_NEAR(plan.run().cycles, 550, 2);
  plan.plan.under_way = 600;  // no sooner than L2 answers
  EXPECT_NEAR(plan.run().cycles, 300, 2);
}

TEST(Replay, AWarpsPrologueComesBeforeItsWork) {
  Plan plan(Made(1).add(Kind::load, 0, 1, 1, 0));
  plan.plan.rates.warp_prologue = 100;
  EXPECT_NEAR(plan.run().cycles, 800, 2);
}

TEST(Replay, ALoopThatIsUnrolledWaitsOnceForItsTurns) {
  Made loop(1);
  for (int i = 0; i < 16; ++i) loop.add(Kind::load, 0, 10 + i, 1, 0);
  Plan plan(loop);
  EXPECT_NEAR(plan.run().cycles, 16 * 700, 16);
  plan.costs[0].loads_in_turn = 4;
  EXPECT_NEAR(plan.run().cycles, 4 * 700, 16);
}

TEST(Replay, AStoreWaitsForWhatWasLoadedAndAStoreToSharedMemoryAtTheBarrier) {
  Plan global(
      Made(1).add(Kind::load, 0, 1, 1, 0).add(Kind::store, 0, 9).add(Kind::load, 0, 2, 1, 1));
  EXPECT_NEAR(global.run().cycles, 1400, 2);
  // The second load goes ahead of the shared store before it; the barrier waits for both.
  Plan shared(Made(1)
                  .add(Kind::load, 0, 1, 1, 0)
                  .add(Kind::shared_store, 0)
                  .add(Kind::load, 0, 2, 1, 1)
                  .add(Kind::shared_store, 0)
                  .add(Kind::barrier, 0)
                  .add(Kind::load, 0, 3, 1, 1));
  EXPECT_NEAR(shared.run().cycles, 1400, 3);
}

TEST(Replay, ACopyTakesTheTimeThatIsLeftWhenItIsWaitedFor) {
  // Four rows, each with 500 cycles of work.
  const auto rows = [](bool ahead) {
    Made made(1);
    if (ahead) made.copy(1);
    for (std::uint64_t row = 1; row <= 4; ++row) {
      made.copy(ahead ? row + 1 : row).wait(ahead ? 1 : 0);
      made.add(Kind::barrier, 0).add(Kind::shared_load, 0).add(Kind::barrier, 0);
    }
    Plan plan(made);
    plan.costs[2].shared_wavefronts = 250;  // 2 cycles each for a warp alone
    plan.plan.rates.wavefront = 1;
    return plan.run().cycles;
  };
  EXPECT_NEAR(rows(false), 4 * (700 + 500), 30);
  // Rows 1 and 2 have come after 700, row 3 700 after the work on row 1, row 4 700 after that on row 2.
  EXPECT_NEAR(rows(true), 700 + 500 + 700 + 2 * 500, 30);
}

TEST(Replay, AWaitForAllCopiesMindsNoGroupsAndABarrierNoCopies) {
  Plan all(Made(1).add(Kind::load, 0, 1, 1, 3).wait(TraceEvent::kAllGroups));
  EXPECT_NEAR(all.run().cycles, 700, 2);
  Plan none(Made(1).add(Kind::load, 0, 1, 1, 3).wait(0).add(Kind::barrier, 0));
  EXPECT_LT(none.run().cycles, 100);
}

TEST(Replay, WhatAllWarpsIssueTakesThePipeAlsoWithNoLaneOn) {
  // Instruction 1 is an access that only warp 0 makes; the other seven issue it too, on their way to the barrier.
  Made made(8);
  made.add(Kind::shared_load, 0, 0, 1, 1);
  for (std::uint16_t w = 0; w < 8; ++w) made.add(Kind::barrier, w);
  Plan plan(made);
  plan.plan.rates.wavefront = 10;
  plan.costs[1].shared_wavefronts = 1;
  EXPECT_NEAR(plan.run().cycles, 10, 2);
  plan.costs[1].idle_passes = 1;
  EXPECT_NEAR(plan.run().cycles, 80, 2);
}

TEST(Replay, InALoopTheyIssueItAtEveryTurn) {
  // Three turns of instructions 1 and 2; warp 0 makes the access, warp 1 only comes by.
  Made made(2);
  for (int turn = 0; turn < 3; ++turn) {
    made.add(Kind::shared_load, 0, 0, 1, 1);
    for (std::uint16_t w = 0; w < 2; ++w) made.add(Kind::barrier, w);
  }
  Plan plan(made);
  plan.plan.rates.wavefront = 10;
  plan.costs[1].shared_wavefronts = 1;
  plan.costs[1].idle_passes = 1;
  plan.costs[1].loop_first = plan.costs[2].loop_first = 1;
  plan.costs[1].loop_last = plan.costs[2].loop_last = 3;
  EXPECT_NEAR(plan.run().cycles, 60, 2);
}

TEST(Replay, AnAtomIsLoadedFirstByWhoComesFirst) {
  // In the order traced warp 0 loads both lines before warp 1 loads the second; replayed, warp 1 comes first to it. It still
  // comes from DRAM, and once.
  Made made(2);
  made.add(Kind::load, 0, 1, 1, 0).add(Kind::load, 0, 2, 1, 0).add(Kind::load, 1, 2, 1, 0);
  made.trace.touches[2] &= ~0x30ull;
  Plan plan(made);
  EXPECT_NEAR(plan.run().cycles, 700 + 40, 3);
  plan.plan.rates.dram_byte = 1;
  EXPECT_NEAR(plan.run().cycles, 700 + 2 * 128, 3);
}

TEST(Replay, L1AnswersWhatItHolds) {
  Plan again(
      Made(2).add(Kind::load, 0, 1, 1, 0).add(Kind::load, 0, 1, 1, 0).add(Kind::load, 1, 1, 1, 0));
  Replayed got = again.run();
  EXPECT_EQ(got.loads, 12);
  EXPECT_EQ(got.l1_misses, 4);
  EXPECT_NEAR(got.cycles, 740,
              3);  // the second of warp 0 is a hit, that of warp 1 waits for the line under way
  // Sectors of a line come one by one.
  Plan sectors(Made(1).add(Kind::load, 0, 1, 1, 0, 1).add(Kind::load, 0, 1, 1, 0, 2));
  EXPECT_EQ(sectors.run().l1_misses, 2);
  // A cache of 8 lines forgets what was used least recently.
  Made sweep(1);
  for (int turn = 0; turn < 2; ++turn)
    for (int i = 0; i < 32; ++i) sweep.add(Kind::load, 0, 100 + i, 1, 1);
  Plan small(sweep);
  EXPECT_EQ(small.run().l1_misses, 32 * 4);
  small.plan.l1_lines = 8;
  EXPECT_EQ(small.run().l1_misses, 64 * 4);
}

TEST(Replay, LinesThatAreInL2DoNotWaitForDram) {
  Plan plan(Made(1).add(Kind::load, 0, 1, 1, 0));
  plan.plan.load_dram_part = 0;
  EXPECT_NEAR(plan.run().cycles, 300, 1);
}

TEST(Replay, ResidentBlocksHideLatency) {
  Made made(1);
  made.add(Kind::load, 0, 1, 1, 0).add(Kind::load, 0, 2, 1, 0);
  Plan plan(made);
  plan.plan.blocks = 64;
  plan.plan.slots = 1;
  const double one = plan.run().cycles;
  EXPECT_NEAR(one, 64 * 1400, 300);
  plan.plan.slots = 8;
  EXPECT_NEAR(plan.run().cycles, one / 8, 300);
}

TEST(Replay, NoServerIsFasterThanItIs) {
  Made made(4);
  for (std::uint16_t w = 0; w < 4; ++w)
    made.add(Kind::load, w, 100 * w, 4, 0).add(Kind::store, w, 1000 + 100 * w, 4);
  Plan plan(made);
  plan.plan.slots = 8;
  plan.plan.blocks = 2000;
  const auto with = [&](double SmRates::*rate, double cycles) {
    Plan changed = plan;
    changed.plan.rates.*rate = cycles;
    return changed.run().cycles;
  };
  // What was stored last is not waited for.
  EXPECT_GE(with(&SmRates::dram_byte, 1), 1990.0 * (16 * 128 + 16 * 4 * 32));
  EXPECT_GE(with(&SmRates::l2_slot, 10), 2000.0 * 16 * 4 * 10);
  EXPECT_GE(with(&SmRates::store_slot, 10), 1990.0 * 16 * 5 * 10);
  EXPECT_GE(with(&SmRates::wavefront, 100), 2000.0 * 8 * 100);
  EXPECT_GE(with(&SmRates::block_start, 5000), 1999.0 * 5000);
  EXPECT_GE(with(&SmRates::block_turnover, 4000), 1992.0 / 8 * 4000);
}

TEST(Replay, ABarrierWaitsForTheSlowestWarp) {
  Plan plan(Made(2)
                .add(Kind::load, 0, 1, 1, 0)
                .add(Kind::shared_store, 0)
                .add(Kind::barrier, 0)
                .add(Kind::barrier, 1)
                .add(Kind::load, 1, 2, 1, 0));
  plan.plan.rates.barrier = 50;
  EXPECT_NEAR(plan.run().cycles, 700 + 50 + 700, 3);
}

// What one block of eight warps takes, and eight blocks: tests/h200/timing_mixed.csv, rounds_1 and rounds_1056_blocks.
TEST(Replay, ArrivalsAtBarriersAreCountedOneAfterAnother) {
  Made made(8);
  for (int i = 0; i < 10; ++i)
    for (std::uint16_t w = 0; w < 8; ++w) made.add(Kind::barrier, w);
  Plan plan(made);
  plan.plan.rates.barrier = 13;
  plan.plan.rates.barrier_per_warp = 2;
  EXPECT_NEAR(plan.run().cycles, 10 * (8 * 2 + 13), 1);
  EXPECT_NEAR(plan.run().alone, 10 * (8 * 2 + 13), 1);
  plan.plan.slots = plan.plan.blocks = 8;
  EXPECT_NEAR(plan.run().cycles, 10 * 64 * 2, 30);
}

TEST(Replay, LoadsAndStoresPassEachOther) {
  // tests/h200/timing_mixed.csv, mixed_L2: both together take as long as the longer of them.
  Made loads(1), stores(1), both(1);
  for (int i = 0; i < 40; ++i) {
    loads.add(Kind::load, 0, 100 + i, 1, 1);
    stores.add(Kind::store, 0, 500 + i);
    both.add(Kind::store, 0, 500 + i).add(Kind::load, 0, 100 + i, 1, 1);
  }
  const auto cycles = [](const Made& made) {
    Plan plan(made);
    plan.plan.slots = plan.plan.blocks = 16;
    plan.plan.load_dram_part = 0;
    plan.plan.rates.l2_latency = 1;
    plan.plan.rates.l2_slot = 10;
    plan.plan.rates.store_slot = 10;
    return plan.run().cycles;
  };
  EXPECT_NEAR(cycles(loads), 16 * 40 * 40, 1000);
  EXPECT_NEAR(cycles(both), 16 * 40 * 60, 1500) << "a load's request takes a slot of the stores'";
  EXPECT_LT(cycles(stores), cycles(both));
}

TEST(Replay, LinesOfOneRowOfDramComeTogether) {
  const auto cycles = [](std::uint64_t apart) {
    Made made(1);
    for (int i = 0; i < 8; ++i) made.add(Kind::load, 0, i * apart, 1, 1);
    Plan plan(made);
    plan.plan.rates.straggler = 100;
    plan.plan.blocks = 64;
    return plan.run().cycles / 64;
  };
  EXPECT_NEAR(cycles(1), 700, 20);
  // The largest of eight exponential draws: 1/1 + 1/2 + .. + 1/8 = 2.72 scales, one of which is in the mean.
  EXPECT_NEAR(cycles(8), 700 + 172, 40);
}

// tests/h200/timing_mixed.csv, rounds_1_blocks_32_threads and _256_threads.
TEST(Replay, PassesOfOneAccessLeaveEverySecondCycleToOthers) {
  for (const std::uint16_t warps : {1, 8}) {
    Made made(warps);
    for (std::uint16_t w = 0; w < warps; ++w) made.add(Kind::shared_load, w);
    Plan plan(made);
    plan.costs[2].shared_wavefronts = 32;
    plan.plan.rates.wavefront = 1;
    EXPECT_NEAR(plan.run().cycles, warps == 1 ? 64 : 8 * 32, 2) << warps;
  }
}

TEST(Replay, AChainOfInstructionsTakesItsLatencies) {
  Plan plan(Made(1).add(Kind::store, 0, 9));
  plan.costs[0].links = plan.costs[1].links = plan.costs[2].links = 10;
  plan.plan.instructions_per_warp = 4;  // three to the store, and the end
  plan.plan.rates.instruction_cycles = 4;
  EXPECT_NEAR(plan.run().cycles, 30 * 4 + 1, 0.1);
}

TEST(Replay, TheRestOfTheBlocksGoesOnAsTheFirst) {
  Plan plan(Made(2).add(Kind::load, 0, 1, 1, 0).add(Kind::load, 1, 5, 1, 0));
  plan.plan.slots = 4;
  plan.plan.blocks = 64;
  const Replayed all = plan.run();
  EXPECT_EQ(all.blocks_replayed, 64u);
  plan.plan.blocks = 64000;
  const Replayed part = plan.run();
  EXPECT_LT(part.blocks_replayed, 100u);
  EXPECT_NEAR(part.cycles / all.cycles, 1000, 10);
}

TEST(Replay, TailsAreSpreadEvenlyAndTheSameEachTime) {
  Plan plan(Made(1).add(Kind::load, 0, 1, 1, 0));
  plan.plan.rates.straggler = 200;
  plan.plan.blocks = 60;
  const Replayed once = plan.run();
  EXPECT_EQ(once.cycles, plan.run().cycles);
  EXPECT_NEAR(once.cycles / 60, 700, 20);  // the mean is the latency
}

TEST(Replay, ATraceThatWasCutShortCountsForTheWhole) {
  Made loop(1);
  for (int i = 0; i < 20; ++i) loop.add(Kind::load, 0, 10 + i, 1, 0);
  Plan plan(loop);
  const double half = plan.run().cycles;
  plan.traces[0].events_seen = 40;
  EXPECT_NEAR(plan.run().cycles, 2 * half, 2);
}

double part(const Replayed& replayed, Cause cause) {
  return replayed.path[static_cast<std::size_t>(cause)] / replayed.cycles;
}
double sum(const Replayed& replayed) {
  double all = 0;
  for (const double cycles : replayed.path) all += cycles;
  return all;
}

TEST(CriticalPath, OfDependentLoadsIsLatency) {
  Plan plan(Made(1).add(Kind::load, 0, 1, 1, 0).add(Kind::load, 0, 2, 1, 0));
  const Replayed replayed = plan.run();
  EXPECT_NEAR(sum(replayed), replayed.cycles, 1e-3 * replayed.cycles);
  EXPECT_GT(part(replayed, Cause::latency), 0.99);
}

TEST(CriticalPath, StaysWithAServerThatNeverRests) {
  // Thirty-two warps' loads, of which DRAM can serve one in 100 cycles: each waits 700 cycles as well, but DRAM never does.
  Made made(32);
  for (std::uint16_t w = 0; w < 32; ++w)
    for (int i = 0; i < 4; ++i) made.add(Kind::load, w, 1000 + w * 4 + i, 1, 0);
  Plan plan(made);
  plan.plan.rates.dram_byte = 100.0 / 128;
  const Replayed replayed = plan.run();
  EXPECT_NEAR(sum(replayed), replayed.cycles, 1e-3 * replayed.cycles);
  EXPECT_GT(part(replayed, Cause::dram), 0.9);
  EXPECT_LT(part(replayed, Cause::latency), 0.1);
}

TEST(CriticalPath, NamesSharedMemoryIssueBarriersAndStores) {
  Made made(8);
  for (std::uint16_t w = 0; w < 8; ++w)
    for (int i = 0; i < 20; ++i) made.add(Kind::shared_load, w);
  Plan plan(made);
  plan.costs[2].shared_wavefronts = 32;
  plan.plan.rates.wavefront = 1;
  EXPECT_GT(part(plan.run(), Cause::shared), 0.9);

  plan.costs[2].shared_wavefronts = 0;
  plan.plan.rates.issue = 1;
  plan.plan.instructions_per_warp = 1000;
  EXPECT_GT(part(plan.run(), Cause::issue), 0.9);

  Made waits(2);
  for (int i = 0; i < 10; ++i)
    for (std::uint16_t w = 0; w < 2; ++w) waits.add(Kind::barrier, w);
  Plan barriers(waits);
  barriers.plan.rates.barrier = 30;
  EXPECT_GT(part(barriers.run(), Cause::barriers), 0.9);

  Made stored(4);
  for (std::uint16_t w = 0; w < 4; ++w)
    for (int i = 0; i < 40; ++i) stored.add(Kind::store, w, 100 + 40 * w + i);
  Plan stores(stored);
  stores.plan.rates.store_slot = 40;
  EXPECT_GT(part(stores.run(), Cause::stores), 0.9);
}

TEST(CriticalPath, FollowsTheWarpThatOthersWaitFor) {
  // Warp 0 loads; warp 1 has thousands of instructions before the barrier: the load is not what holds the block up.
  Made made(2);
  made.add(Kind::load, 0, 1, 1, 0).add(Kind::barrier, 0);
  for (int i = 0; i < 100; ++i) made.add(Kind::shared_load, 1);
  made.add(Kind::barrier, 1);
  Plan plan(made);
  plan.costs[2].shared_latencies = 1;
  plan.plan.rates.shared_latency = 30;
  const Replayed replayed = plan.run();
  EXPECT_NEAR(replayed.cycles, 3000, 30);
  EXPECT_GT(part(replayed, Cause::instructions), 0.95);
}

TEST(CriticalPath, EmptySlotsAtTheEndAreTold) {
  // Three blocks of 700 cycles on two slots: while the third runs, one slot of two is empty.
  Plan plan(Made(1).add(Kind::load, 0, 1, 1, 0));
  plan.plan.slots = 2;
  plan.plan.blocks = 3;
  const Replayed replayed = plan.run();
  EXPECT_NEAR(replayed.empty / replayed.cycles, 0.25, 0.02);
  plan.plan.blocks = 4;
  EXPECT_NEAR(plan.run().empty, 0, 10);
}

}  // namespace
}  // namespace labkit::timing
