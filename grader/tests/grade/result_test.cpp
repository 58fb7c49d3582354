#include "grade/result.h"

#include <gtest/gtest.h>

#include <limits>

namespace labkit::grade {
namespace {

TestResult test(const std::string& verdict, double points = 0, bool bonus = false) {
  TestResult result;
  result.verdict = verdict_from_text(verdict);
  EXPECT_FALSE(result.verdict.kind.empty()) << verdict;
  result.points = points;
  result.max_points = 10;
  result.bonus = bonus;
  return result;
}

TEST(Verdict, IsReadAsItIsWritten) {
  for (const std::string& kind : verdict_kinds()) {
    if (kind == "gate") continue;
    EXPECT_EQ(verdict_from_text(kind).text(), kind);
  }
  EXPECT_EQ(verdict_from_text("gate sectors").gate, "sectors");
  EXPECT_EQ(verdict_from_text("gate:sectors"), verdict_from_text("gate sectors"));
}

TEST(Verdict, UnknownOnesAreEmpty) {
  for (const char* text : {"", "fine", "gate", "gate ", "wrong_result sectors", "Gate x"})
    EXPECT_TRUE(verdict_from_text(text).kind.empty()) << text;
}

TEST(Overall, WrongComesBeforeSlow) {
  EXPECT_EQ(
      overall({test("pass"), test("gate a"), test("wrong_result"), test("out_of_bounds")}).text(),
      "wrong_result");
  EXPECT_EQ(overall({test("pass"), test("gate a"), test("gate b")}).text(), "gate a");
  EXPECT_EQ(overall({test("pass"), test("pass")}).text(), "pass");
}

TEST(Overall, WhatIsStillEmptyComesLastOfWhatCounts) {
  EXPECT_EQ(overall({test("untouched"), test("wrong_result")}).text(), "wrong_result");
  EXPECT_EQ(overall({test("untouched"), test("gate a")}).text(), "gate a");
  EXPECT_EQ(overall({test("wrong_result", 0, true), test("untouched")}).text(), "untouched")
      << "bonus points can wait";
  EXPECT_EQ(overall({test("race", 0, true), test("gate a")}).text(), "gate a");
  EXPECT_EQ(overall({test("pass"), test("inconclusive")}).text(), "inconclusive");
}

TEST(Overall, IsTheVerdictOfTheTestThatIsToldFirst) {
  const std::vector<TestResult> tests = {test("pass"), test("untouched"), test("gate a"),
                                         test("race"), test("out_of_bounds")};
  EXPECT_EQ(first_to_tell(tests), &tests[3]);
  EXPECT_EQ(overall(tests), tests[3].verdict);
  EXPECT_EQ(first_to_tell({test("pass"), test("not_attempted"), test("not_run")}), nullptr);
}

TEST(Overall, ABonusNeverTurnsAPassIntoAFailure) {
  for (const char* missed : {"gate a", "race", "wrong_result", "inconclusive", "untouched"}) {
    EXPECT_EQ(overall({test("pass"), test(missed, 0, true)}).text(), "pass") << missed;
    EXPECT_EQ(overall({test("inconclusive"), test(missed, 0, true)}).text(), "inconclusive")
        << missed;
    EXPECT_EQ(overall({test("not_run"), test(missed, 0, true)}).text(), "not_run") << missed;
  }
  EXPECT_EQ(overall({test("not_run"), test("pass", 0, true)}).text(), "pass");
  const std::vector<TestResult> tests = {test("pass"), test("gate a", 0, true)};
  EXPECT_EQ(first_to_tell(tests), &tests[1]) << "it is explained all the same";
}

GateResult gate(const std::string& name, double points, bool passed,
                const words::Message& undecided = {}) {
  GateResult made;
  made.name = name;
  made.max_points = points;
  made.passed = passed;
  made.undecided = undecided;
  return made;
}

TestResult awarded(std::vector<GateResult> gates) {
  TestResult made = test("pass");
  made.max_points = 40;
  made.gates = std::move(gates);
  award_gates(made);
  return made;
}

TEST(AwardGates, ASlowKernelKeepsThePointsOfItsCounters) {
  const TestResult slow = awarded({gate("sectors", 25, true), gate("ratio", 15, false)});
  EXPECT_EQ(slow.points, 25);
  EXPECT_EQ(slow.verdict.text(), "gate ratio");
  EXPECT_EQ(slow.gates[0].points, 25);
  EXPECT_EQ(slow.gates[1].points, 0);
  EXPECT_EQ(awarded({gate("sectors", 25, true), gate("ratio", 15, true)}).points, 40);
}

TEST(AwardGates, SpeedEarnsNothingWithoutWhatComesBeforeIt) {
  const TestResult fast = awarded({gate("sectors", 25, false), gate("ratio", 15, true)});
  EXPECT_EQ(fast.points, 0);
  EXPECT_EQ(fast.gates[1].points, 0);
  EXPECT_EQ(fast.verdict.text(), "gate sectors");
}

TEST(AwardGates, OnlyWhatIsOpenIsUndecided) {
  LabResult result;
  result.tests = {awarded(
      {gate("sectors", 25, true), gate("ratio", 15, false, {words::Id::measured_nothing})})};
  EXPECT_EQ(result.tests[0].verdict.text(), "inconclusive");
  sum_up(result);
  EXPECT_EQ(result.points, 25);
  EXPECT_EQ(result.undecided, 15);
}

TEST(Overall, WhatWasNotAttemptedCostsNothing) {
  EXPECT_EQ(overall({test("pass"), test("not_attempted")}).text(), "pass");
  EXPECT_EQ(overall({test("not_run"), test("gate a")}).text(), "gate a");
}

TEST(Overall, NothingRunIsNotAPass) {
  EXPECT_EQ(overall({}).text(), "not_run");
  EXPECT_EQ(overall({test("not_run"), test("not_attempted")}).text(), "not_run");
}

TEST(SumUp, KeepsBonusApart) {
  LabResult result;
  result.tests = {test("pass", 10), test("wrong_result"), test("pass", 10, true),
                  test("not_attempted", 0, true)};
  sum_up(result);
  EXPECT_EQ(result.points, 10);
  EXPECT_EQ(result.max_points, 20);
  EXPECT_EQ(result.bonus, 10);
  EXPECT_EQ(result.max_bonus, 20);
  EXPECT_EQ(result.verdict.text(), "wrong_result");
}

GateResult gate(bool is_minimum, double threshold, double value, bool passed) {
  GateResult result;
  result.is_minimum = is_minimum;
  result.threshold = threshold;
  result.value = value;
  result.passed = passed;
  return result;
}

TEST(Margin, IsAFractionOfTheThreshold) {
  EXPECT_NEAR(gate(true, 0.5, 0.6, true).margin(), 0.2, 1e-12);
  EXPECT_NEAR(gate(true, 0.5, 0.4, false).margin(), -0.2, 1e-12);
  EXPECT_NEAR(gate(false, 10, 8, true).margin(), 0.2, 1e-12);
  EXPECT_NEAR(gate(false, 10, 12, false).margin(), -0.2, 1e-12);
}

TEST(Margin, OfAMaximumOfZeroIsAllOrNothing) {
  EXPECT_EQ(gate(false, 0, 0, true).margin(), 1);
  EXPECT_EQ(gate(false, 0, 1, false).margin(), -1);
}

}  // namespace
}  // namespace labkit::grade
