// figures.toml against results: what is not so any more is told, with the command that mends it.
#include <gtest/gtest.h>

#include "cli/prove_labs.h"
#include "tests/grade/known_lab.h"

namespace labkit::cli {
namespace {

using grade::test::manifest;

grade::KnownFigures known() {
  return {.gpu = "h200",
          .tests = {{"K.Fast",
                     {{.name = "reference",
                       .file = "correct/a.cu",
                       .counted = {{"global_load_sectors", 4}},
                       .predicted = {{"ratio", 0.55}}}}}}};
}

grade::LabResult result(double sectors, double ratio) {
  grade::LabResult made;
  made.gpu = "h200";
  grade::TestResult& test = made.tests.emplace_back();
  test.name = "K.Fast";
  test.figures = {{"global_load_sectors", sectors}, {"ratio", ratio}, {"time_us", 7}};
  return made;
}

TEST(LabFigures, WhatIsStillSoIsFine) {
  EXPECT_TRUE(judge_known(manifest(), known(), "correct/a.cu", result(4, 0.55)).empty());
  EXPECT_TRUE(judge_known(manifest(), known(), "correct/a.cu", result(4, 0.553)).empty());
  EXPECT_TRUE(judge_known(manifest(), known(), "correct/b.cu", result(9, 0.9)).empty());
  grade::LabResult elsewhere = result(4, 0.9);  // another GPU's times are others
  elsewhere.gpu = "b200";
  EXPECT_TRUE(judge_known(manifest(), known(), "correct/a.cu", elsewhere).empty());
}

TEST(LabFigures, WhatIsNotIsToldWithTheMend) {
  for (const auto& changed : {result(5, 0.55), result(4, 0.7), grade::LabResult{}}) {
    const auto complaints = judge_known(manifest(), known(), "correct/a.cu", changed);
    ASSERT_EQ(complaints.size(), 1u);
    EXPECT_NE(complaints[0].find("K.Fast of correct/a.cu"), std::string::npos);
    EXPECT_NE(complaints[0].find("labkit lab figures lab9 --write"), std::string::npos)
        << complaints[0];
  }
}

}  // namespace
}  // namespace labkit::cli
