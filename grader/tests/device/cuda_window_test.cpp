// The window of timed launches, on the fake driver, whose clock only launches move.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "device/worker/window.h"
#include "fake_gpu.h"

namespace labkit::device {
namespace {

class CudaWindow : public FakeGpu {};

TEST_F(CudaWindow, TimesEachLaunchOncePerRoundAfterASweepOfL2) {
  const auto outcomes = run(plan_of({"copy_20us", "copy_35us", "copy_50us"}, true));
  for (const auto& outcome : outcomes) {
    ASSERT_TRUE(outcome.conditions.has_value());
    EXPECT_EQ(outcome.conditions->rounds, 20u);
    EXPECT_EQ(outcome.times_us.size(), 20u);
    EXPECT_FALSE(outcome.time_is_predicted);
    EXPECT_FALSE(outcome.conditions->settled);  // nothing asked when it would be
    EXPECT_EQ(outcome.conditions->sm_clock_mhz, 1500u);
    EXPECT_EQ(outcome.conditions->memory_clock_mhz, 2000u);
    EXPECT_EQ(outcome.conditions->gpu_uuid, "GPU-fa000000-0000-0000-0000-000000000000");
    EXPECT_TRUE(outcome.conditions->watched);
    EXPECT_EQ(outcome.conditions->trouble, "");
  }
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_NEAR(outcomes[0].times_us[i], 20, 0.01);
    EXPECT_NEAR(outcomes[1].times_us[i], 35, 0.01);
    EXPECT_NEAR(outcomes[2].times_us[i], 50, 0.01);
  }

  std::vector<std::string> lines = log();
  std::erase(lines, "copy_async");
  // Three first runs, and then 1 + 20 rounds of three: reset, sweep, launch.
  ASSERT_EQ(lines.size(), 3u + 21 * 3 * 3);
  std::set<std::vector<std::string>> orders;
  for (std::size_t round = 0; round < 21; ++round) {
    std::vector<std::string> order;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t at = 3 + (round * 3 + i) * 3;
      EXPECT_EQ(lines[at], "reset_persisting");
      EXPECT_EQ(lines[at + 1], "labkit_flush");
      order.push_back(lines[at + 2]);
    }
    orders.insert(order);
    std::sort(order.begin(), order.end());
    EXPECT_EQ(order, (std::vector<std::string>{"copy_20us", "copy_35us", "copy_50us"}));
  }
  EXPECT_EQ(orders.size(), 6u);  // every order came up
}

TEST_F(CudaWindow, TheDriversOwnCopyIsTimedBesideKernels) {
  Plan plan = plan_of({"copy_20us", "driver"}, true);
  plan.launches[1].kind = PlannedLaunch::Kind::driver_copy;
  const auto outcomes = run(plan);
  EXPECT_TRUE(copied(outcomes[1]));
  ASSERT_EQ(outcomes[1].times_us.size(), 20u);
  EXPECT_NEAR(outcomes[1].times_us[0], 7, 0.01);
  plan.buffers[0].count = 10;
  EXPECT_THROW(run(plan), Error);
}

TEST_F(CudaWindow, StopsOnceEveryRatioIsKnown) {
  fake("noise=1");
  Plan plan = plan_of({"copy_100us", "copy_200us"}, true);
  plan.repetition.max_samples = 200;
  plan.repetition.enough_relative_error = 0.01;
  auto outcomes = run(plan);
  EXPECT_TRUE(outcomes[0].conditions->settled);
  EXPECT_LT(outcomes[0].conditions->rounds, 30u);
  fake("noise=30");
  plan.repetition.max_samples = 40;
  outcomes = run(plan);
  EXPECT_FALSE(outcomes[0].conditions->settled);
  EXPECT_EQ(outcomes[0].conditions->rounds, 40u);
}

TEST_F(CudaWindow, OutputsOfSamplesThatDifferComeBackToBeJudged) {
  const auto outcomes = run(plan_of({"copy_10us", "copy_cheats", "copy_wavers"}, true));
  EXPECT_EQ(outcomes[0].differing_samples, 0u);
  EXPECT_TRUE(outcomes[0].other_outputs.empty());
  EXPECT_TRUE(copied(outcomes[1]));  // the first run
  EXPECT_EQ(outcomes[1].differing_samples, 21u);
  ASSERT_EQ(outcomes[1].other_outputs.size(), 1u);
  EXPECT_EQ(int_at(outcomes[1].other_outputs[0].at(0), 0), 99);
  EXPECT_EQ(outcomes[2].differing_samples, 21u);
  EXPECT_EQ(outcomes[2].other_outputs.size(), kMostOtherOutputs);
}

TEST_F(CudaWindow, WritingToAnInputHelpsNoSample) {
  const auto outcomes = run(plan_of({"copy_scribbles", "copy_10us"}, true));
  EXPECT_EQ(outcomes[0].differing_samples, 0u);
  EXPECT_EQ(outcomes[0].changed_inputs, (std::vector<std::uint32_t>{0}));
  EXPECT_TRUE(outcomes[1].changed_inputs.empty());
}

TEST_F(CudaWindow, AClockThatStandsStillIsOurError) {
  const Error error = error_of([] { run(plan_of({"copy_timeless"}, true)); });
  EXPECT_NE(std::string(error.what()).find("copy_timeless took 0.0"), std::string::npos)
      << error.what();
}

TEST_F(CudaWindow, RoundsUnderThrottlingAreThrownAwayAndItIsWaitedOut) {
  fake("throttle=5-6");
  Plan plan = plan_of({"copy_20us"}, true);
  plan.repetition.max_wait_seconds = 10;
  const auto outcomes = run(plan);
  EXPECT_EQ(outcomes[0].conditions->rounds, 20u);
  EXPECT_EQ(outcomes[0].conditions->disturbed, 1u);
  EXPECT_EQ(outcomes[0].conditions->trouble, "");
}

TEST_F(CudaWindow, ThrottlingThatStaysIsTrouble) {
  fake("throttle=1-999999");
  const auto outcomes = run(plan_of({"copy_20us"}, true));  // max_wait_seconds is 0
  EXPECT_EQ(outcomes[0].conditions->rounds, 20u);
  EXPECT_EQ(outcomes[0].conditions->trouble, "the GPU's clocks are held down by heat");
}

TEST_F(CudaWindow, OthersAreWaitedForOrTrouble) {
  fake("busy=2");
  Plan plan = plan_of({"copy_20us"}, true);
  plan.repetition.max_wait_seconds = 30;
  auto outcomes = run(plan);
  EXPECT_EQ(outcomes[0].conditions->trouble, "");
  EXPECT_GT(outcomes[0].conditions->waited_seconds, 0);
  fake("busy=1000000");
  plan.repetition.max_wait_seconds = 0;
  outcomes = run(plan);
  EXPECT_EQ(outcomes[0].conditions->trouble, "another program keeps the GPU busy");
}

TEST_F(CudaWindow, TheKitsOwnIdleContextsAreNotTakenForOthersAtWork) {
  fake("busy=1000000 processes=1");
  Plan plan = plan_of({"copy_20us"}, true);
  plan.repetition.max_wait_seconds = 0;
  CudaDevice first({});
  first.run(plan_of({"copy"}));  // has a context from here on: the one that NVML counts
  EXPECT_EQ(first.run(plan)[0].conditions->trouble, "");
  // Another device, before its own context: the one that is counted is the first's.
  EXPECT_EQ(CudaDevice({}).run(plan)[0].conditions->trouble, "");
  fake("busy=1000000 processes=2");
  EXPECT_EQ(CudaDevice({}).run(plan)[0].conditions->trouble, "another program keeps the GPU busy");
}

TEST_F(CudaWindow, AYardstickThatChangesForGoodIsTrouble) {
  Plan plan = plan_of({"copy_drifts_100us"}, true);
  plan.repetition.max_samples = 60;
  const auto outcomes = run(plan);
  EXPECT_NE(outcomes[0].conditions->trouble.find("speed moved"), std::string::npos);
  EXPECT_EQ(outcomes[0].conditions->disturbed, 9u);
}

TEST_F(CudaWindow, WithoutNvmlItGoesOnAndSaysSo) {
  ::setenv("LABKIT_LIBNVML", "/no/such/library.so", 1);
  const auto outcomes = run(plan_of({"copy_20us"}, true));
  EXPECT_FALSE(outcomes[0].conditions->watched);
  EXPECT_EQ(outcomes[0].conditions->sm_clock_mhz, 0u);
  EXPECT_EQ(outcomes[0].times_us.size(), 20u);
}

TEST(Rounds, EveryOrderIsAPermutationAndEveryPlaceIsTaken) {
  std::vector<std::set<std::size_t>> places(5);
  for (std::uint32_t round = 0; round < 60; ++round) {
    const auto order = cuda::order_of_round(round, 5);
    EXPECT_EQ(order, cuda::order_of_round(round, 5));
    EXPECT_EQ(std::set<std::size_t>(order.begin(), order.end()).size(), 5u);
    for (std::size_t i = 0; i < 5; ++i) places[i].insert(order[i]);
  }
  for (const auto& seen : places) EXPECT_EQ(seen.size(), 5u);
  EXPECT_TRUE(cuda::order_of_round(3, 0).empty());
}

TEST(Rounds, AreSettledByTheRatiosNotByTheTimes) {
  // Times that wander together, by a factor of two: their ratio is known exactly.
  std::vector<double> copy, kernel;
  for (int i = 0; i < 40; ++i) {
    copy.push_back(100.0 + 2.5 * i);
    kernel.push_back(2 * copy.back());
  }
  EXPECT_FALSE(cuda::is_settled({copy}, 0.01));
  EXPECT_TRUE(cuda::is_settled({copy, kernel}, 0.01));
  std::vector<double> wild = kernel;
  for (std::size_t i = 0; i < wild.size(); i += 2) wild[i] *= 1.2;
  EXPECT_FALSE(cuda::is_settled({copy, kernel, wild}, 0.01));
  wild[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(cuda::is_settled({copy, wild}, 100));
  EXPECT_FALSE(cuda::is_settled({}, 1));
}

}  // namespace
}  // namespace labkit::device
