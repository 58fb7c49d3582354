// The model against an H200: within each family of transposes, every pair that was measured more
// than 10% apart must be predicted in that order. How far the times themselves are off is printed
// by timing_fidelity, and bounded here.
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
  int pairs = 0;
  for (const Predicted& fast : all)
    for (const Predicted& slow : all) {
      if (fast.of.measured_us * 1.1 >= slow.of.measured_us) continue;
      ++pairs;
      EXPECT_LT(fast.prediction.time_us, slow.prediction.time_us)
          << fast.of.kernel << " took " << fast.of.measured_us << " us, " << slow.of.kernel << " "
          << slow.of.measured_us << " us";
    }
  EXPECT_GE(pairs, 5);
  EXPECT_LT(mean_error(all), 0.15);
}

INSTANTIATE_TEST_SUITE_P(H200, Transposes,
                         testing::Values("transpose_2048x2048", "transpose_8192x8192",
                                         "transpose_8191x8193", "transpose_4096x24576",
                                         "transpose_16384x16384", "transpose_double_8192"),
                         [](const auto& info) { return std::string(info.param); });

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
