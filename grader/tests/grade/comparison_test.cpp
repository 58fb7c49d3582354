// Kernel against copies, on a GPU that does what the test says; the copies' compiler is the real one.
#include "grade/comparison.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "base/error.h"
#include "tests/device/scripted_gpu.h"

namespace labkit::grade {
namespace {

constexpr std::uint64_t kBytes = 1 << 20;

class ComparisonTest : public testing::Test {
 protected:
  void SetUp() override {
    cache_ = std::filesystem::temp_directory_path() /
             ("labkit_comparison_test_" + std::to_string(getpid()));
    script_.kernel = [](const auto&, const auto&) {
      device::Outcome outcome;
      outcome.completed = true;
      return outcome;
    };
  }
  void TearDown() override { std::filesystem::remove_all(cache_); }

  static Subject subject() {
    Subject made;
    made.plan.modules = {{.name = "kernel.cu", .ptx = ""}};
    device::PlannedLaunch planned;
    planned.launch.kernel = planned.launch.entry = "k";
    made.plan.launches.push_back(planned);
    made.useful_bytes = made.compulsory_bytes = kBytes;
    return made;
  }
  Measured measure(const Subject& made = subject(), bool same_shape = true) {
    device::ScriptedGpu gpu(script_);
    Baseline baseline{.same_shape = std::nullopt, .copy_bytes = kBytes};
    if (same_shape) baseline.same_shape = CopyShape{.block = {256}};
    return compare_measured(gpu, made, baseline, cache_);
  }

  std::filesystem::path cache_;
  device::ScriptedGpu::Script script_;
};

TEST_F(ComparisonTest, EverythingRunsInOneWindowWithTheKernelFirst) {
  measure();
  ASSERT_EQ(script_.plans, 1);
  const device::Plan& plan = script_.seen.at(0);
  ASSERT_EQ(plan.launches.size(), 4u);
  EXPECT_EQ(plan.launches[0].launch.kernel, "k");
  EXPECT_EQ(plan.launches[1].launch.kernel, "copy_1d<float,1>");
  EXPECT_EQ(plan.launches[2].launch.kernel, "copy_best");
  EXPECT_EQ(plan.launches[3].kind, device::PlannedLaunch::Kind::driver_copy);
  for (const device::PlannedLaunch& planned : plan.launches) EXPECT_TRUE(planned.want_time);
  // The stopping rule's inputs are the policy's.
  const device::Repetition& wanted =
      default_policy(device::ScriptedGpu(script_).describe()).repetition;
  EXPECT_EQ(plan.repetition.enough_relative_error, 0.01);
  EXPECT_EQ(plan.repetition.min_samples, wanted.min_samples);
  EXPECT_EQ(plan.repetition.max_samples, wanted.max_samples);
  EXPECT_GT(plan.repetition.warmups, 0u);
  EXPECT_GT(plan.repetition.max_seconds, 0);
  EXPECT_GT(plan.repetition.max_wait_seconds, 0);
}

TEST_F(ComparisonTest, RatiosAreOfRates) {
  script_.kernel_us = [](std::uint32_t) { return 20.0; };
  script_.copy_us = 10;
  script_.best_us = 5;
  script_.driver_us = 8;
  Subject half = subject();
  half.useful_bytes = kBytes / 2;
  const Comparison c = *measure(half).comparison;
  EXPECT_FALSE(c.predicted);
  EXPECT_NEAR(c.ratio->value, 0.25, 1e-9);
  EXPECT_NEAR(c.best_ratio->value, 0.125,
              1e-9);  // the kernel's 16 bytes a thread, not the driver's
  EXPECT_NEAR(c.bytes_per_second, kBytes / 2 / 20e-6, 1);
  EXPECT_NEAR(c.share_of_peak, kBytes / 20e-6 / 1e15, 1e-12);
}

TEST_F(ComparisonTest, TheDriversCopyIsTheBestWhereItIsFaster) {
  script_.kernel_us = [](std::uint32_t) { return 10.0; };
  script_.best_us = 8;
  script_.driver_us = 5;
  EXPECT_NEAR(measure().comparison->best_ratio->value, 0.5, 1e-9);
}

TEST_F(ComparisonTest, AKernelOfItsOwnShapeHasNoCopyOfThatShape) {
  const Measured measured = measure(subject(), false);
  EXPECT_FALSE(measured.comparison->ratio);
  EXPECT_FALSE(measured.comparison->same_shape);
  EXPECT_TRUE(measured.comparison->best_ratio);
}

TEST_F(ComparisonTest, RatiosArePairedRoundByRound) {
  // The clock halves after half the rounds, for kernel and copy alike: no noise in the ratio.
  std::vector<double> kernel, copy;
  for (int i = 0; i < 40; ++i) {
    kernel.push_back(i < 20 ? 10 : 20);
    copy.push_back(i < 20 ? 5 : 10);
  }
  const Interval ratio = paired_ratio(kernel, 100, copy, 100);
  EXPECT_NEAR(ratio.value, 0.5, 1e-12);
  EXPECT_NEAR(ratio.low, 0.5, 1e-12);
  EXPECT_NEAR(ratio.high, 0.5, 1e-12);
}

TEST_F(ComparisonTest, TimesThatAreNoneAreOurError) {
  EXPECT_THROW(paired_ratio({1, 2}, 1, {1}, 1), Error);
  EXPECT_THROW(paired_ratio({}, 1, {}, 1), Error);
  EXPECT_THROW(paired_ratio({1, 0}, 1, {1, 1}, 1), Error);
  EXPECT_THROW(paired_ratio({1, 1}, 1, {1, std::nan("")}, 1), Error);
  script_.kernel_us = [](std::uint32_t) { return std::numeric_limits<double>::quiet_NaN(); };
  EXPECT_THROW(measure(), Error);
  script_.kernel_us = [](std::uint32_t) { return 10.0; };
  script_.rounds = 0;
  EXPECT_THROW(measure(), Error);
}

TEST_F(ComparisonTest, AKernelThatDidNotCompleteIsNotCompared) {
  script_.kernel = [](const auto&, const auto&) {
    launch::Finding finding;
    finding.kind = launch::FindingKind::out_of_bounds;
    device::Outcome outcome;
    outcome.findings = {finding};
    return outcome;
  };
  const Measured measured = measure();
  EXPECT_FALSE(measured.comparison);
  EXPECT_EQ(measured.outcome.findings.size(), 1u);
}

TEST_F(ComparisonTest, TroubleIsADoubt) {
  EXPECT_FALSE(measure().comparison->undecided);
  script_.conditions.trouble = "clocks are held down by heat";
  EXPECT_EQ(measure().comparison->undecided.id, words::Id::measured_disturbed);
}

TEST_F(ComparisonTest, ATimeUnderTheRooflineFloorIsADoubt) {
  // A million bytes at 1e11 bytes a second: 10.5 us, of which 5 % are the clock's.
  script_.facts.peak_bytes_per_second = 1e11;
  script_.kernel_us = [](std::uint32_t) { return 10.2; };
  EXPECT_FALSE(measure().comparison->undecided);
  script_.kernel_us = [](std::uint32_t) { return 9.5; };
  EXPECT_EQ(measure().comparison->undecided.id, words::Id::measured_below_roofline);
  script_.facts.l2_bytes = kBytes / 2;  // half of it need not leave the cache
  EXPECT_FALSE(measure().comparison->undecided);
  script_.facts.l2_bytes = 0;
  script_.facts.peak_bytes_per_second = 0;  // not known
  EXPECT_FALSE(measure().comparison->undecided);
}

}  // namespace
}  // namespace labkit::grade
