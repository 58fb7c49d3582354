// Numbers that a student predicts in kernel.cu.
#include "grade/predictions.h"

#include <gtest/gtest.h>

#include "grade/result.h"

namespace labkit::grade {
namespace {

std::vector<PredictionResult> compare(const std::string& source, Figures figures,
                                      const char* verdict = "pass") {
  Manifest lab;
  lab.predictions = {{"kLoads", "T.Fast", "load_sectors_per_request", "Why."},
                     {"kStores", "T.Fast", "store_sectors_per_request", "Why not."}};
  TestResult test;
  test.name = "T.Fast";
  test.verdict.kind = verdict;
  test.figures = std::move(figures);
  return compare_predictions(lab, source, {test});
}

constexpr const char* kSource = R"(
constexpr int kWide = 8;      // kStores = 3
constexpr int kLoads = kWide * 4;
constexpr int kStores = 0;
)";

TEST(Predictions, AreHeldAgainstWhatWasCounted) {
  const auto results =
      compare(kSource, {{"load_sectors_per_request", 32}, {"store_sectors_per_request", 4}});
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].guess, 32);
  EXPECT_TRUE(results[0].right());
  EXPECT_EQ(results[1].guess, 0) << "not answered";
  EXPECT_EQ(results[1].counted, 4);
  EXPECT_EQ(results[1].why, "Why not.");
}

TEST(Predictions, AreOpenUntilTheLaunchIsCountedAndNoneWhereTheConstantIsGone) {
  EXPECT_FALSE(compare(kSource, {})[0].counted);
  EXPECT_FALSE(compare(kSource, {})[0].right());
  EXPECT_TRUE(compare("int kLoads = 4;", {}).empty());
  EXPECT_TRUE(compare("constexpr int kLoads = sizeof(float), kStores = -1;", {}).empty());
}

/// `why` is said of a kernel that does what it can.
TEST(Predictions, AreOpenUntilTheTestPasses) {
  EXPECT_FALSE(compare(kSource, {{"load_sectors_per_request", 32}}, "gate")[0].counted);
}

/// Edges, and a last partial request, make a figure no whole number.
TEST(Predictions, AreWholeNumbers) {
  const auto right = [](double counted) {
    return compare("const int kLoads = 4;", {{"load_sectors_per_request", counted}})[0].right();
  };
  EXPECT_TRUE(right(3.67));
  EXPECT_FALSE(right(4.6));
  const auto many = [](double counted) {
    return compare("const int kLoads = 4096;", {{"load_sectors_per_request", counted}})[0].right();
  };
  EXPECT_TRUE(many(4100));
  EXPECT_FALSE(many(8192));
}

}  // namespace
}  // namespace labkit::grade
