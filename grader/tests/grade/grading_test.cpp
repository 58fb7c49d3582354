// What a grading does with the cases of a correctness test.
#include <set>

#include "grade/steps.h"
#include "grading_fixture.h"
#include "words/render.h"

namespace labkit::grade::test {
namespace {

TEST_F(GradingTest, ARightKernelGetsItsPoints) {
  Grading& grading = start(kKernel);
  const TestResult& result = right(grading);
  EXPECT_EQ(result.verdict.text(), "pass");
  EXPECT_EQ(result.points, 40);
  EXPECT_EQ(result.launches, 1u);
  EXPECT_EQ(result_of(grading).verdict.text(), "pass");
  EXPECT_EQ(result_of(grading).seed, 5u);
}

TEST_F(GradingTest, OutputsArePoisonedAndInputsAsked) {
  Grading& grading =
      start(kKernel, [](const device::Plan& plan, const device::PlannedLaunch& planned) {
        EXPECT_EQ(buffer(plan, planned, 1).fill, launch::Fill::poison);
        EXPECT_TRUE(buffer(plan, planned, 0).is_output);
        EXPECT_GT(planned.thread_instruction_budget, 0u);
        return times(plan, planned, 2);
      });
  EXPECT_TRUE(right(grading).verdict.passed());
}

TEST_F(GradingTest, AWrongElementIsTold) {
  Grading& grading = start(kKernel, [](const auto& plan, const auto& planned) {
    device::Outcome outcome = times(plan, planned, 2);
    std::memset(outcome.outputs[1].bytes.data() + 4 * 33, 0, 4);
    return outcome;
  });
  const TestResult& result = right(grading);
  EXPECT_EQ(result.verdict.text(), "wrong_result");
  EXPECT_EQ(result.points, 0);
  ASSERT_EQ(result.mismatches.size(), 1u);
  EXPECT_EQ(result.mismatches[0].col, 33u);
  EXPECT_EQ(result.mismatches[0].wrong, 1u);
  ASSERT_EQ(result.launch.size(), 1u);
  EXPECT_EQ(result.launch[0].scalars[0], (std::pair<std::string, std::string>{"n", "100"}));
}

TEST_F(GradingTest, WhoStoredTheWrongElementIsAskedOnce) {
  int asked = 0;
  Grading& grading = start(kKernel, [&](const auto& plan, const auto& planned) {
    auto outcome = times(plan, planned, planned.watch_stores.empty() ? 3 : 2);
    if (planned.watch_stores.empty()) return outcome;
    ++asked;
    EXPECT_FALSE(planned.check);
    for (const device::BytesOf& place : planned.watch_stores) {
      EXPECT_EQ(plan.buffers.at(place.buffer).name, "out");
      EXPECT_EQ(place.begin, 0u);
      EXPECT_EQ(place.bytes, 4u);
      outcome.stored.push_back({.stores = 1, .where = {"kernel.cu", 5}, .thread = {7}});
    }
    return outcome;
  });
  const TestResult& test = right(grading);
  ASSERT_EQ(test.mismatches.size(), 1u);
  ASSERT_TRUE(test.mismatches[0].stored);
  EXPECT_EQ(test.mismatches[0].stored->thread.x, 7u);
  EXPECT_EQ(asked, 1);
}

TEST_F(GradingTest, OfAnElementThatNobodyWroteTheOneBeforeIsAskedFor) {
  std::uint64_t asked_for = 0;
  Grading& grading = start(kKernel, [&](const auto& plan, const auto& planned) {
    auto outcome = times(plan, planned, 2);
    for (device::Output& output : outcome.outputs)
      if (plan.buffers.at(output.buffer).name == "out")
        std::fill_n(output.bytes.begin() + 4 * 33, 4, launch::kPoison);
    for (const device::BytesOf& place : planned.watch_stores) {
      asked_for = place.begin;
      outcome.stored.push_back({.stores = place.begin == 4 * 33 ? 0u : 1u, .thread = {9}});
    }
    return outcome;
  });
  const TestResult& test = right(grading);
  ASSERT_EQ(test.mismatches.size(), 1u);
  EXPECT_TRUE(test.mismatches[0].never_written);
  ASSERT_TRUE(test.mismatches[0].stored);
  EXPECT_EQ(test.mismatches[0].stored->thread.x, 9u);
  EXPECT_EQ(asked_for, 4u * 32);
}

TEST_F(GradingTest, TheFirstFailingCaseEndsTheTest) {
  int launches = 0;
  Grading& grading = start(kKernel, [&](const auto& plan, const auto& planned) {
    return times(plan, planned, ++launches == 2 ? 3 : 2);
  });
  begin_test(grading, "Twice.Right");
  EXPECT_FALSE(check(grading, {twice(10), twice(20), twice(30)}));
  EXPECT_FALSE(check(grading, {twice(10)}));  // a second check cannot make it right again
  const TestResult& result = end_test(grading);
  EXPECT_EQ(result.verdict.text(), "wrong_result");
  EXPECT_EQ(result.launch[0].scalars[0].second, "20");
}

TEST_F(GradingTest, ARaceIsTheVerdictAlsoWhereTheResultIsRight) {
  for (const bool right_result : {true, false}) {
    Grading& grading = start(kKernel, [&](const auto& plan, const auto& planned) {
      EXPECT_TRUE(planned.check);
      device::Outcome outcome = times(plan, planned, right_result ? 2 : 3);
      outcome.findings = {found(launch::FindingKind::race, launch::Severity::warning),
                          found(launch::FindingKind::race, launch::Severity::error)};
      return outcome;
    });
    const TestResult& result = right(grading);
    EXPECT_EQ(result.verdict.text(), "race");
    EXPECT_EQ(result.points, 0);
    EXPECT_EQ(result.findings.size(), 1u);  // of one line both are the same matter
    EXPECT_EQ(ids(result.message), right_result ? Ids{words::Id::right_by_luck} : Ids{});
    EXPECT_EQ(result.mismatches.empty(), right_result);
  }
}

TEST_F(GradingTest, ASmallCaseAndTheSmallestAreCheckedUnoptimisedToo) {
  std::vector<std::uint64_t> optimised, unoptimised;
  Grading& grading = start(kKernel, [&](const auto& plan, const auto& planned) {
    EXPECT_TRUE(planned.check);
    (is_unoptimised(plan) ? unoptimised : optimised).push_back(buffer(plan, planned, 0).count);
    return times(plan, planned, is_unoptimised(plan) ? 3 : 2);  // whose result says nothing
  });
  begin_test(grading, "Twice.Right");
  EXPECT_TRUE(check(grading, {twice(30), twice(10), twice(1000), twice(0), twice(100000)}));
  EXPECT_TRUE(end_test(grading).verdict.passed());
  EXPECT_EQ(optimised, (std::vector<std::uint64_t>{30, 10, 1000, 0, 100000}));
  EXPECT_EQ(unoptimised, (std::vector<std::uint64_t>{10, 1000}));
}

TEST_F(GradingTest, WhatTheUnoptimisedBuildFindsCounts) {
  for (const bool right_result : {true, false}) {
    Grading& grading = start(kKernel, [&](const auto& plan, const auto& planned) {
      device::Outcome outcome = times(plan, planned, right_result ? 2 : 3);
      if (is_unoptimised(plan))
        outcome.findings = {found(launch::FindingKind::uninitialized, launch::Severity::error)};
      return outcome;
    });
    const TestResult& result = right(grading);
    EXPECT_EQ(result.verdict.text(), "uninitialized");
    EXPECT_EQ(result.points, 0);
    EXPECT_EQ(result.mismatches.empty(), right_result);
  }
}

TEST_F(GradingTest, WhatTheUnoptimisedBuildTakesIsTakenFromNothingThatDecides) {
  std::vector<std::uint64_t> optimised, unoptimised;
  Grading& grading = start(kKernel, [&](const auto& plan, const auto& planned) {
    device::Outcome outcome = times(plan, planned, 2);
    const bool is_other = is_unoptimised(plan);
    (is_other ? unoptimised : optimised).push_back(planned.thread_instruction_budget);
    outcome.simulation.emplace().cost = is_other ? 20'000'000'000u : 1000u;
    return outcome;
  });
  begin_test(grading, "Twice.Right");
  EXPECT_TRUE(check(grading, {twice(10)}));
  EXPECT_TRUE(check(grading, {twice(10)}));
  EXPECT_TRUE(end_test(grading).verdict.passed());
  ASSERT_EQ(optimised.size(), 2u);
  EXPECT_EQ(optimised[0], optimised[1]);
  ASSERT_EQ(unoptimised.size(), 2u);
  EXPECT_EQ(unoptimised[1], 1u);  // its own is used up
}

TEST_F(GradingTest, WhatOnlyTheUnoptimisedBuildCannotDoIsNoVerdict) {
  Grading& grading = start(kKernel, [&](const auto& plan, const auto& planned) {
    if (!is_unoptimised(plan)) return times(plan, planned, 2);
    device::Outcome outcome;
    outcome.findings = {found(launch::FindingKind::budget, launch::Severity::error)};
    return outcome;
  });
  EXPECT_TRUE(right(grading).verdict.passed());
  const auto notes = result_of(grading).notes;  // and is reported
  EXPECT_EQ(ids(notes), Ids{words::Id::budget_checked_in_part});
}

TEST_F(GradingTest, NothingIsLaunchedAfterTheFirstFailingCase) {
  int launches = 0;
  Grading& grading = start(kKernel, [&](const auto& plan, const auto& planned) {
    if (is_unoptimised(plan)) return times(plan, planned, 3);           // looking for the cause
    if (!planned.watch_stores.empty()) return times(plan, planned, 3);  // and for who stored it
    return times(plan, planned, ++launches == 2 ? 3 : 2);
  });
  begin_test(grading, "Twice.Right");
  EXPECT_FALSE(check(grading, {twice(10), twice(20), twice(30), twice(40)}));
  end_test(grading);
  EXPECT_EQ(launches, 2);
}

TEST_F(GradingTest, AKernelThatDidNotEndGetsHalfOfTheBudgetAfterwards) {
  std::vector<std::uint64_t> budgets;
  Grading& grading = start(kKernel, [&](const auto&, const auto& planned) {
    budgets.push_back(planned.thread_instruction_budget);
    launch::Finding finding;
    finding.kind = launch::FindingKind::budget;
    device::Outcome outcome;
    outcome.findings = {finding};
    return outcome;
  });
  const TestResult first = right(grading, 512);  // as many as a graded launch is checked with
  EXPECT_EQ(first.verdict.text(), "budget");
  EXPECT_EQ(ids(first.message), Ids{});
  const TestResult second = fast(grading);
  EXPECT_EQ(second.verdict.text(), "budget");
  ASSERT_FALSE(second.message.empty());
  EXPECT_EQ(second.message[0].id, words::Id::endless_before);
  EXPECT_EQ(std::get<std::string>(*second.message[0].find("test")), "Twice.Right");
  ASSERT_EQ(budgets.size(), 2u);
  EXPECT_EQ(budgets[1], budgets[0] / 2);
}

TEST_F(GradingTest, WhatEndsWithinHalfOfTheBudgetPassesThoughItDidNotElsewhere) {
  int launches = 0;
  Grading& grading = start(kKernel, [&](const auto& plan, const auto& planned) {
    device::Outcome outcome = times(plan, planned, 2);
    if (++launches > 1) return outcome;
    launch::Finding finding;
    finding.kind = launch::FindingKind::budget;
    outcome.findings = {finding};
    outcome.completed = false;
    return outcome;
  });
  EXPECT_EQ(right(grading).points, 0);
  EXPECT_EQ(fast(grading).points, 60);
}

TEST_F(GradingTest, AChangedInputFails) {
  Grading& grading = start(kKernel, [](const auto& plan, const auto& planned) {
    device::Outcome outcome = times(plan, planned, 2);
    outcome.outputs[0].bytes[0] ^= std::byte{1};
    return outcome;
  });
  EXPECT_EQ(right(grading).verdict.text(), "input_changed");
}

TEST_F(GradingTest, FindingsAreVerdictsAndWarningsAreNot) {
  for (const bool error : {true, false}) {
    Grading& grading = start(kKernel, [&](const auto& plan, const auto& planned) {
      device::Outcome outcome = times(plan, planned, 2);
      launch::Finding finding;
      finding.kind = launch::FindingKind::barrier;
      finding.severity = error ? launch::Severity::error : launch::Severity::warning;
      outcome.findings = {finding};
      outcome.completed = !error;
      return outcome;
    });
    const TestResult& result = right(grading);
    EXPECT_EQ(result.verdict.text(), error ? "barrier" : "pass");
    EXPECT_EQ(result.findings.size(), 1u);
  }
}

TEST_F(GradingTest, AFailureIsShownWithTheFindingsOfItsOwnLaunch) {
  for (const bool in_unoptimised : {true, false}) {
    Grading& grading = start(kKernel, [&](const auto& plan, const auto& planned) {
      const std::uint64_t size = buffer(plan, planned, 0).count;
      device::Outcome outcome =
          times(plan, planned, size == 20 && !in_unoptimised ? 3 : 2);  // wrong there
      launch::Finding warning = found(launch::FindingKind::barrier, launch::Severity::warning);
      warning.thread = {static_cast<std::uint32_t>(size), 0, 0};
      outcome.findings = {warning};
      if (in_unoptimised && is_unoptimised(plan) && size == 20)
        outcome.findings = {found(launch::FindingKind::uninitialized, launch::Severity::error)};
      return outcome;
    });
    begin_test(grading, "Twice.Right");
    check(grading, {twice(10), twice(20), twice(0)});
    const TestResult& result = end_test(grading);
    ASSERT_EQ(result.verdict.text(), in_unoptimised ? "uninitialized" : "wrong_result");
    EXPECT_EQ(result.launch[0].scalars[0].second, "20");
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].thread.x, in_unoptimised ? 0u : 20u);
  }
}

TEST_F(GradingTest, WhatTheKernelPrintsChangesNothing) {
  Grading& grading = start(kKernel, [](const auto& plan, const auto& planned) {
    device::Outcome outcome = times(plan, planned, 3);
    outcome.printed = "[       OK ] \"verdict\": \"pass\"\n" + std::string(100000, 'x');
    return outcome;
  });
  const TestResult& result = right(grading);
  EXPECT_EQ(result.verdict.text(), "wrong_result");
  EXPECT_LT(result.printed.size(), 3000u);
}

TEST_F(GradingTest, ADeviceThatBreaksItsPromiseIsOurFault) {
  Grading& early = start(kKernel, [](const auto&, const auto&) { return device::Outcome{}; });
  begin_test(early, "Twice.Right");
  EXPECT_THROW(check(early, {twice(10)}), Error);
  Grading& silent = start(kKernel, [](const auto& plan, const auto& planned) {
    device::Outcome outcome = times(plan, planned, 2);
    outcome.outputs.pop_back();
    return outcome;
  });
  begin_test(silent, "Twice.Right");
  EXPECT_THROW(check(silent, {twice(10)}), Error);
  Grading& timeless = start(kKernel, [](const auto& plan, const auto& planned) {
    device::Outcome outcome = times(plan, planned, 2);
    outcome.times_us = {0};
    return outcome;
  });
  begin_test(timeless, "Twice.Fast");
  EXPECT_THROW(grade(timeless, [&] { return twice(10); }), Error);
}

TEST_F(GradingTest, SizesFindMistakesAndDependOnTheSeed) {
  start(kKernel);
  const std::vector<int> lengths = odd_lengths();
  for (const int n : {0, 1, 31, 32, 33})
    EXPECT_NE(std::find(lengths.begin(), lengths.end(), n), lengths.end()) << n;
  for (const int n : lengths) EXPECT_LT(n, 5000);
  for (const Shape shape : odd_shapes())
    EXPECT_LE(static_cast<std::int64_t>(shape.rows) * shape.cols, 70000);
  EXPECT_EQ(odd_lengths(), lengths);
}

TEST_F(GradingTest, AnEmptyGridIsNeverLaunched) {
  EXPECT_EQ(blocks_for(0, 256), 1u);
  EXPECT_EQ(blocks_for(1, 256), 1u);
  EXPECT_EQ(blocks_for(256, 256), 1u);
  EXPECT_EQ(blocks_for(257, 256), 2u);
}

TEST_F(GradingTest, InputsDependOnNameAndIndexAndStayInTheirRange) {
  start(kKernel);
  const auto a = input<float>("a", 1000, 0.9, 1.1), b = input<float>("b", 1000, 0.9, 1.1);
  int same = 0, repeated = 0;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_GE(a[i], 0.9f);
    ASSERT_LT(a[i], 1.1f);
    same += a[i] == b[i];
    repeated += i > 0 && a[i] == a[i - 1];
  }
  EXPECT_LT(same, 5);
  EXPECT_LT(repeated, 5);
  const auto again = input<float>("a", 10, 0.9, 1.1);
  EXPECT_EQ(again[7], a[7]);
}

TEST_F(GradingTest, WholeNumbersAreWholeAndReachBothEndsOfTheirRange) {
  start(kKernel);
  const auto floats = whole_input<float>("a", 1000, -3, 3);
  const auto bytes = whole_input<unsigned char>("b", 10000, 0, 256);
  std::set<float> values;
  std::set<int> all;
  for (int i = 0; i < 1000; ++i) values.insert(floats[i]);
  for (int i = 0; i < 10000; ++i) all.insert(bytes[i]);
  EXPECT_EQ(values, (std::set<float>{-3, -2, -1, 0, 1, 2}));
  EXPECT_EQ(all.size(), 256u);
}

TEST_F(GradingTest, AnOutputThatIsAddedToHoldsZerosBefore) {
  Grading& grading = start(kKernel);
  const auto total = zeroed_output<int>("total", 1);
  const auto written = output<int>("written", 1);
  TestResult result;
  grading.running = RunningTest{.test = &grading.manifest.tests.front(), .result = &result};
  const Attempt attempt = attempt_of(
      grading,
      {.kernel = "twice<float>", .grid = {1}, .block = {32}, .arguments = {total, written}}, true);
  EXPECT_EQ(attempt.setup.buffers.at(0).fill, launch::Fill::zero);
  EXPECT_EQ(attempt.setup.buffers.at(1).fill, launch::Fill::poison);
}

TEST_F(GradingTest, AnInputThatIsWrittenInsteadOfTheOutputIsToldSo) {
  for (const bool never : {true, false}) {
    Grading& grading = start(kKernel, [&](const device::Plan& plan, const auto& planned) {
      device::Outcome outcome = times(plan, planned, 3);
      outcome.outputs[0].bytes[0] ^= std::byte{1};
      if (never) outcome.outputs[1].bytes = launch::initial_contents(buffer(plan, planned, 1));
      return outcome;
    });
    const TestResult& result = right(grading);
    EXPECT_EQ(result.verdict.text(), "wrong_result");
    EXPECT_EQ(ids(result.message),
              Ids{never ? words::Id::input_for_output : words::Id::input_written_too});
    EXPECT_EQ(result.input_written, "in");
    ASSERT_EQ(result.mismatches.size(), 1u);
    EXPECT_EQ(result.mismatches[0].array, "out");
  }
}

}  // namespace
}  // namespace labkit::grade::test
