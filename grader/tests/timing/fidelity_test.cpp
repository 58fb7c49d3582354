// The model against an H200: within each family of transposes, pairs that were measured more than 10% apart must be
// predicted in that order, but for one in fifty (of blocks of 16 x 16 that read columns, naive_write_16x16, the model
// thinks too well). How far the times themselves are off is printed by timing_fidelity, and bounded here.
#include <gtest/gtest.h>

#include <cmath>

#include "measured_kernels.h"

namespace labkit::timing {
namespace {

double mean_error(const std::vector<Predicted>& all) {
  double sum = 0;
  for (const Predicted& each : all)
    sum += std::abs(each.prediction.time_us / each.of.measured_us - 1);
  return sum / static_cast<double>(all.size());
}

class Transposes : public testing::TestWithParam<const char*> {};

TEST_P(Transposes, PairsApartAreOrdered) {
  const std::vector<Predicted> all = predict_all(measured_kernels(GetParam()));
  ASSERT_GE(all.size(), 5u);
  int pairs = 0, wrong = 0;
  std::string which;
  for (const Predicted& fast : all)
    for (const Predicted& slow : all) {
      if (fast.of.measured_us * 1.1 >= slow.of.measured_us) continue;
      ++pairs;
      if (fast.prediction.time_us < slow.prediction.time_us) continue;
      ++wrong;
      which += fast.of.kernel + " took " + std::to_string(fast.of.measured_us) + " us, " +
               slow.of.kernel + " " + std::to_string(slow.of.measured_us) + " us\n";
    }
  EXPECT_LE(wrong, (pairs + 49) / 50) << which;
  EXPECT_GE(pairs, 5);
  EXPECT_LT(mean_error(all), 0.15);
}

INSTANTIATE_TEST_SUITE_P(H200, Transposes,
                         testing::Values("transpose_2048x2048", "transpose_8192x8192",
                                         "transpose_8191x8193", "transpose_4096x24576",
                                         "transpose_16384x16384", "transpose_double_8192"),
                         [](const auto& info) { return std::string(info.param); });

/// The predicted time of one row over that of another, and what the H200 said.
void expect_ratio(const std::vector<Predicted>& all, const std::string& kernel,
                  const std::string& copy) {
  const auto find = [&](const std::string& name) {
    for (const Predicted& each : all)
      if (each.of.kernel == name) return each;
    throw std::runtime_error("no kernel " + name);
  };
  const Predicted a = find(copy), b = find(kernel);
  const double predicted = a.prediction.time_us / b.prediction.time_us;
  EXPECT_NEAR(predicted / (a.of.measured_us / b.of.measured_us), 1, 0.15)
      << kernel << " against " << copy;
}

TEST(Ratios, OfTheGradedTransposesToTheirCopies) {
  const std::vector<Predicted> all = predict_all(measured_kernels("transpose_2048x2048"));
  for (const char* kernel :
       {"naive_read_32x32", "naive_write_32x32", "tile32_nopad", "tile32_pad", "dyn32_pad"}) {
    expect_ratio(all, kernel, "copy_tile_32x32");
    expect_ratio(all, kernel, "copy_float4");
  }
  for (const char* kernel : {"rows32x8_pad", "rows32x8_nopad", "rows64x16_pad", "swizzle32x8"})
    expect_ratio(all, kernel, "copy_float4");
}

TEST(Simulated, TheSameForAnyNumberOfThreads) {
  const auto kernels = measured_kernels("transpose_2048x2048");
  const std::vector<Simulated> one = simulate_all(kernels, 1), three = simulate_all(kernels, 3);
  ASSERT_EQ(one.size(), three.size());
  for (std::size_t i = 0; i < one.size(); ++i)
    EXPECT_EQ(one[i].locality, three[i].locality) << one[i].of.kernel;
}

TEST(MeasuredKernels, EveryRowHasItsLaunch) {
  const std::vector<MeasuredKernel> all = measured_kernels();
  EXPECT_EQ(all.size(), 162u);
  for (const MeasuredKernel& k : all)
    if (!k.entry.empty()) {
      EXPECT_GT(k.measured_us, 0);
      EXPECT_FALSE(k.buffers_bytes.empty()) << k.kernel;
    }
}

}  // namespace
}  // namespace labkit::timing
