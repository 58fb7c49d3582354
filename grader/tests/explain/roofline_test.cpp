#include "explain/roofline.h"

#include <gtest/gtest.h>

namespace labkit::explain {
namespace {

void add(observe::LaunchCounters& counters, const char* spelling, std::uint64_t executions) {
  observe::InstructionInfo info;
  info.spelling = spelling;
  counters.info.push_back(info);
  counters.instructions.emplace_back().thread_executions = executions;
}

TEST(Roofline, CountsOperationsByType) {
  observe::LaunchCounters counters;
  add(counters, "fma.rn.f32", 10);
  add(counters, "add.f32", 3);
  add(counters, "mul.rn.f64", 5);
  add(counters, "mad.lo.s32", 100);
  add(counters, "fma.rn.f16x2", 7);
  add(counters, "min.f32", 50);
  add(counters, "ld.global.f32", 50);
  add(counters, "div.rn.f32", 2);
  add(counters, "ret", 2);
  const Flops flops = flops_of(counters);
  EXPECT_EQ(flops.f32, 25);
  EXPECT_EQ(flops.f64, 5);
  EXPECT_EQ(flops.f16, 28);
  EXPECT_EQ(flops.total(), 58);
}

TEST(Roofline, LowIntensityIsUnderTheMemorysRoof) {
  const timing::GpuProfile& gpu = timing::find_profile("h200");
  observe::LaunchCounters counters;
  add(counters, "add.f32", 1'000'000);
  const double bytes = 12e6, time_us = 2 * bytes / gpu.dram_bytes_per_second * 1e6;
  const Roofline r = roofline_of(counters, nullptr, bytes, "h200", time_us, false);
  EXPECT_TRUE(r.memory_bound);
  EXPECT_DOUBLE_EQ(r.intensity, 1 / 12.0);
  EXPECT_DOUBLE_EQ(r.roof_flops_per_second, gpu.dram_bytes_per_second / 12);
  EXPECT_NEAR(r.share_of_roof, 0.5, 1e-9);
  EXPECT_DOUBLE_EQ(r.ridge, gpu.fp32_flops_per_second / gpu.dram_bytes_per_second);
  EXPECT_EQ(r.bytes_basis, "every array once");
  ASSERT_EQ(r.words.size(), 3u);
  EXPECT_NE(r.words[2].find("measured"), std::string::npos);
  EXPECT_NE(r.words[2].find("50% of that roof"), std::string::npos) << r.words[2];
}

TEST(Roofline, HighIntensityIsUnderTheArithmeticsRoof) {
  observe::LaunchCounters counters;
  add(counters, "fma.rn.f64", 1'000'000'000);
  const Roofline r = roofline_of(counters, nullptr, 1e6, "h200", 100, true);
  EXPECT_FALSE(r.memory_bound);
  EXPECT_DOUBLE_EQ(r.roof_flops_per_second, timing::find_profile("h200").fp64_flops_per_second);
  EXPECT_NEAR(r.share_of_roof, 2e9 / 100e-6 / 3.4e13, 1e-9);
  EXPECT_NE(r.words[1].find("arithmetic is the roof"), std::string::npos);
}

TEST(Roofline, WithoutArithmeticBandwidthAloneCounts) {
  const double rate = timing::find_profile("h200").dram_bytes_per_second;
  timing::Prediction prediction;
  prediction.bounds = {{"latency", 20}, {"DRAM", 10}};
  const Roofline r = roofline_of({}, &prediction, 1, "h200", 40, true);
  EXPECT_EQ(r.intensity, 0);
  EXPECT_DOUBLE_EQ(r.dram_bytes, 10e-6 * rate);
  EXPECT_NEAR(r.share_of_roof, 0.25, 1e-9);
  EXPECT_EQ(r.bytes_basis, "DRAM traffic, predicted");
  ASSERT_EQ(r.words.size(), 2u);
  EXPECT_NE(r.words[1].find("predicted"), std::string::npos);
  EXPECT_NE(r.words[1].find("25% of the 4.35 TB/s"), std::string::npos) << r.words[1];
}

}  // namespace
}  // namespace labkit::explain
