#include "base/median.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace labkit {
namespace {

TEST(MedianInterval, IsTheMiddleOfOddAndEvenNumbers) {
  EXPECT_EQ(median_interval(std::vector<double>{5, 1, 3}).value, 3);
  EXPECT_EQ(median_interval(std::vector<double>{4, 1, 3, 2}).value, 2.5);
  EXPECT_EQ(median_interval({}).value, 0);
}

TEST(MedianInterval, OfFewIsTheWholeRangeOfManyTheTablesRanks) {
  const MedianInterval few = median_interval(std::vector<double>{2, 9, 5, 7});
  EXPECT_EQ(few.low, 2);
  EXPECT_EQ(few.high, 9);
  // 100 samples: the 95% interval of the median runs from the 40th to the 61st, here 40 and 61.
  std::vector<double> samples(100);
  std::iota(samples.begin(), samples.end(), 1.0);
  const MedianInterval many = median_interval(samples);
  EXPECT_EQ(many.low, 40);
  EXPECT_EQ(many.high, 61);
}

TEST(MedianInterval, ReachesToTheFartherSide) {
  const MedianInterval lopsided{.value = 10, .low = 9, .high = 13};
  EXPECT_DOUBLE_EQ(lopsided.relative_reach(), 0.3);
  EXPECT_EQ(median_interval(std::vector<double>(30, 4.0)).relative_reach(), 0);
}

TEST(MedianInterval, NaNIsNeverANumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(median_interval(std::vector<double>{1, nan, 3}).value));
}

}  // namespace
}  // namespace labkit
