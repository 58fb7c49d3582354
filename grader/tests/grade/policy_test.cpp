#include "grade/policy.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/error.h"

namespace labkit::grade {
namespace {

TEST(Policy, DependsOnTheDevice) {
  const auto repetition = [](bool deterministic) {
    return default_policy({.name = "", .gpu = "", .title = "", .deterministic = deterministic})
        .repetition;
  };
  EXPECT_EQ(repetition(true).max_samples, 1u);
  EXPECT_GE(repetition(false).min_samples, 10u);
}

TEST(Summarise, OneSampleIsItself) {
  const Timing timing = summarise(std::vector<double>{5.0});
  EXPECT_EQ(timing.median_us, 5);
  EXPECT_EQ(timing.low_us, 5);
  EXPECT_EQ(timing.high_us, 5);
}

TEST(Summarise, MedianAndItsInterval) {
  std::vector<double> times;
  for (int i = 100; i >= 1; --i) times.push_back(i);
  const Timing timing = summarise(times);
  EXPECT_EQ(timing.median_us, 50.5);
  // Ranks 40 and 60 (n/2 -+ 1.96 sqrt(n)/2 = 40.2, 59.8) hold the median with 95%.
  EXPECT_NEAR(timing.low_us, 40, 1);
  EXPECT_NEAR(timing.high_us, 61, 1);
  EXPECT_EQ(timing.samples, 100u);
}

TEST(Summarise, OutliersMoveNothing) {
  EXPECT_EQ(summarise(std::vector<double>{1, 1, 1, 1, 1e6}).median_us, 1);
}

TEST(Summarise, ABrokenClockIsAnErrorNotAFastKernel) {
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               infinity = std::numeric_limits<double>::infinity();
  for (const std::vector<double>& times :
       {std::vector<double>{}, std::vector<double>{0}, std::vector<double>{-1},
        std::vector<double>{1, nan}, std::vector<double>{infinity}})
    EXPECT_THROW(summarise(times), Error);
}

TEST(Decide, AnIntervalWhollyOnOneSideDecides) {
  EXPECT_EQ(decide({0.75, 0.71, 0.9}, true, 0.7), Decision::holds);  // however wide it is
  EXPECT_EQ(decide({0.5, 0.3, 0.69}, true, 0.7), Decision::fails);
  EXPECT_EQ(decide({0.71, 0.69, 0.72}, true, 0.7), Decision::open);
  EXPECT_EQ(decide({0.69, 0.68, 0.7}, true, 0.7), Decision::open);
  EXPECT_EQ(decide({0.7, 0.7, 0.7}, true, 0.7), Decision::holds);
  EXPECT_EQ(decide({5, 4, 5.5}, false, 5), Decision::open);
  EXPECT_EQ(decide({5, 4, 5}, false, 5), Decision::holds);
  EXPECT_EQ(decide({6, 5.1, 7}, false, 5), Decision::fails);
}

TEST(Decide, NanDecidesNothing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const bool is_minimum : {true, false}) {
    EXPECT_EQ(decide({nan, nan, nan}, is_minimum, 0.7), Decision::open);
    EXPECT_EQ(decide({1, 1, 1}, is_minimum, nan), Decision::open);
  }
}

TEST(Roofline, IsWhatMustPassThroughMemory) {
  device::GpuFacts gpu;
  gpu.peak_bytes_per_second = 4e12;
  gpu.l2_bytes = 50'000'000;
  EXPECT_NEAR(roofline_floor_us(450'000'000, gpu), 100, 1e-9);
  EXPECT_EQ(roofline_floor_us(50'000'000, gpu), 0);
  gpu.peak_bytes_per_second = 0;
  EXPECT_EQ(roofline_floor_us(450'000'000, gpu), 0);
}

}  // namespace
}  // namespace labkit::grade
