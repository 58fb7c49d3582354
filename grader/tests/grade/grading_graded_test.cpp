// Graded launches: what is checked before them, gates, budgets.
#include "grading_fixture.h"

namespace labkit::grade::test {
namespace {

TEST_F(GradingTest, GatesAreHeld) {
  Grading& grading = start(kKernel);
  const TestResult& result = fast(grading);
  EXPECT_EQ(result.verdict.text(), "pass");
  EXPECT_EQ(result.points, 60);
  // The fake's copy moves the same bytes in the same time.
  EXPECT_NEAR(result.figures.at("ratio"), 1, 0.01);
  EXPECT_EQ(result.figures.at("load_sectors_per_request"), 4);
  EXPECT_TRUE(result.time_is_predicted);
  ASSERT_EQ(result.gates.size(), 2u);
  EXPECT_TRUE(result.gates[0].passed);
}

TEST_F(GradingTest, AMissedGateIsNamedWithItsLine) {
  Grading& grading = start(kKernel, [](const auto& plan, const auto& planned) {
    device::Outcome outcome = times(plan, planned, 2);
    if (planned.want_counters) {
      outcome.counters->instructions[0].global_sectors = 320;
      outcome.times_us = {100};
    }
    return outcome;
  });
  const TestResult& result = fast(grading);
  EXPECT_EQ(result.verdict.text(), "gate sectors");  // the first in lab.toml's order
  EXPECT_EQ(result.points, 0);
  EXPECT_EQ(result.gates[0].culprit.where.line, 5u);
  EXPECT_FALSE(result.gates[1].passed);
  EXPECT_NEAR(result.gates[1].margin(), -0.8, 0.01);
}

// Blocks too different to predict a time from some of them (timing/likeness.h): what is counted holds all the same.
TEST_F(GradingTest, WithoutATimeToGoByNoRatioPasses) {
  Grading& grading = start(kKernel, [](const auto& plan, const auto& planned) {
    device::Outcome outcome = times(plan, planned, 2);
    if (!planned.want_time) return outcome;
    EXPECT_EQ(plan.seed, 5u) << "which blocks are looked at is drawn from the seed";
    outcome.prediction.emplace();
    outcome.prediction->unlike = timing::Unlike{.work = "barriers", .distance = 1};
    return outcome;
  });
  const TestResult& result = fast(grading);
  EXPECT_EQ(result.verdict.text(), "gate ratio");
  EXPECT_EQ(result.points, 40) << "the counter's";
  ASSERT_TRUE(result.time_unlike);
  EXPECT_EQ(result.time_unlike->work, "barriers");
  EXPECT_TRUE(result.gates[0].passed);
  EXPECT_GT(result.gates[1].value, result.gates[1].threshold);
  EXPECT_FALSE(result.gates[1].passed);
  EXPECT_EQ(result.gates[1].missing.id, words::Id::figure_without_time);
}

TEST_F(GradingTest, AGradedKernelIsCheckedOnASmallLaunchOfItsKindFirst) {
  std::vector<std::uint64_t> checked, graded;
  Grading& grading = start(kKernel, [&](const auto& plan, const auto& planned) {
    device::Outcome outcome = times(plan, planned, 2);
    (planned.check ? checked : graded).push_back(buffer(plan, planned, 0).count);
    return outcome;
  });
  EXPECT_TRUE(fast(grading).verdict.passed());
  // two blocks of 256; optimised, then unoptimised
  EXPECT_EQ(checked, (std::vector<std::uint64_t>{512, 512}));
  EXPECT_EQ(graded, (std::vector<std::uint64_t>{4096}));
}

TEST_F(GradingTest, WhatIsRightByLuckGetsNoPointsForItsSpeed) {
  int graded = 0;
  Grading& grading = start(kKernel, [&](const auto& plan, const auto& planned) {
    device::Outcome outcome = times(plan, planned, 2);
    if (planned.check)
      outcome.findings = {found(launch::FindingKind::race, launch::Severity::error)};
    graded += planned.want_time;
    return outcome;
  });
  const TestResult& result = fast(grading);
  EXPECT_EQ(result.verdict.text(), "race");
  EXPECT_EQ(result.points, 0);
  EXPECT_EQ(graded, 0);
  EXPECT_EQ(result.message.back().id, words::Id::found_on_small_launch);
  EXPECT_EQ(result.launch.at(0).scalars.at(0).second, "512");
}

TEST_F(GradingTest, AFaultOfTheUnoptimisedBuildIsOneAtEverySize) {
  int runs = 0;
  Grading& grading = start(kKernel, [&](const auto& plan, const auto& planned) {
    device::Outcome outcome = times(plan, planned, 2);
    // 4 and 512 elements optimised, then the same unoptimised; then the graded kind, optimised and unoptimised
    if (planned.check && (++runs == 4 || runs == 6))
      outcome.findings = {found(launch::FindingKind::race, launch::Severity::error)};
    return outcome;
  });
  begin_test(grading, "Twice.Right");
  check(grading, {twice(4), twice(512)});
  EXPECT_EQ(end_test(grading).verdict.text(), "race");
  EXPECT_EQ(fast(grading).verdict.text(), "race");
  EXPECT_EQ(runs, 6);
}

TEST_F(GradingTest, ALineThatTheOptimiserLostIsThatOfTheOtherBuild) {
  int runs = 0;
  Grading& grading = start(kKernel, [&](const auto& plan, const auto& planned) {
    device::Outcome outcome = times(plan, planned, 2);
    launch::Finding race = found(launch::FindingKind::race, launch::Severity::error);
    race.space = "shared";
    race.where = {"kernel.cu", 20};
    race.other = {"kernel.cu", ++runs == 1 ? 0u : 15u};
    if (planned.check) outcome.findings = {race};
    return outcome;
  });
  begin_test(grading, "Twice.Right");
  check(grading, {twice(4)});
  const TestResult result = end_test(grading);
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(result.verdict.text(), "race");
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].other.line, 15u);
}

TEST_F(GradingTest, TheBudgetOfAGradedTestIsItsGradedLaunchs) {
  std::uint64_t checked = 0, graded = 0;
  start(kKernel);
  std::string toml = kToml;
  const std::string size = "size = { n = 4096 }";
  toml.replace(toml.find(size), size.size(), size + "\nbudget = 987654321");
  device::Devices devices;
  devices.simulator = std::make_unique<FakeDevice>([&](const auto& plan, const auto& planned) {
    (planned.check ? checked : graded) = planned.thread_instruction_budget;
    return times(plan, planned, 2);
  });
  Grading grading =
      start_grading(parse_manifest(toml, directory_, "lab.toml"), {}, std::move(devices));
  fast(grading);
  EXPECT_EQ(graded, 987654321u);
  EXPECT_GT(checked, 0u);
  EXPECT_LT(checked, graded);
}

TEST_F(GradingTest, WhatSizesCameOutRightBeforeIsTold) {
  const auto wrong_from = [&](std::vector<int> sizes,
                              const std::function<bool(std::uint64_t)>& right) {
    Grading& grading = start(kKernel, [&](const auto& plan, const auto& planned) {
      return times(plan, planned, right(buffer(plan, planned, 0).count) ? 2 : 3);
    });
    begin_test(grading, "Twice.Right");
    std::vector<Case> cases;
    for (const int n : sizes) cases.push_back(twice(n));
    check(grading, cases);
    return end_test(grading).right_where;
  };
  const auto by_32 = [](std::uint64_t n) { return n % 32 == 0; };
  EXPECT_EQ(wrong_from({0, 32, 64, 33}, by_32), "multiples of 32");
  EXPECT_EQ(wrong_from({4, 8, 33}, [](std::uint64_t n) { return n % 4 == 0; }), "multiples of 4");
  EXPECT_EQ(wrong_from({0, 33}, by_32), "");  // nothing but the empty launch was right
  EXPECT_EQ(wrong_from({31, 32, 33}, [](std::uint64_t n) { return n < 33; }), "");
}

TEST_F(GradingTest, AWrongGradedLaunchIsNeverTimed) {
  Grading& grading =
      start(kKernel, [](const auto& plan, const auto& planned) { return times(plan, planned, 3); });
  const TestResult& result = fast(grading);
  EXPECT_EQ(result.verdict.text(), "wrong_result");
  EXPECT_TRUE(result.gates.empty());
  EXPECT_TRUE(result.figures.empty());
}

TEST_F(GradingTest, AGateAboutLoadsIsMissedWithoutLoads) {
  Grading& grading = start(kKernel, [](const auto& plan, const auto& planned) {
    device::Outcome outcome = times(plan, planned, 2);
    if (outcome.counters) outcome.counters->info[0].access = observe::AccessKind::store;
    return outcome;
  });
  const TestResult& result = fast(grading);
  EXPECT_EQ(result.verdict.text(), "gate sectors");
  ASSERT_FALSE(result.gates.empty());
  EXPECT_EQ(result.gates[0].missing.id, words::Id::figure_without_global_loads);
  EXPECT_FALSE(result.gates[0].passed);
  EXPECT_EQ(result.gates[0].margin(), -1);
}

}  // namespace
}  // namespace labkit::grade::test
