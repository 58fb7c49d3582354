// Grading with a GPU beside the simulator: both do what the test says; the compiler is the real one.
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include "base/error.h"
#include "grade/run_tests.h"
#include "tests/device/scripted_gpu.h"
#include "twice_lab.h"

namespace labkit::grade {
namespace {

using test::times;

constexpr const char* kGpuToml = R"(
title = "Doubling"
idea = "Twice."
reference = "correct/a.cu"
[[kernel]]
expressions = ["twice"]
parameters = ["const float* in", "float* out", "int n"]
[[test]]
name = "Twice.Right"
points = 40
about = "Right."
[[test]]
name = "Twice.Fast"
about = "Fast."
block = "256"
size = { n = 4096 }
gpu_size = { n = 16384 }
  [[test.gate]]
  name = "sectors"
  figure = "load_sectors_per_request"
  points = 40
  max = 5
  reason = "Because."
  next = "Try."
  [[test.gate]]
  name = "speed"
  figure = "ratio"
  points = 20
  min = 0.5
  reason = "Because."
  next = "Try."
)";

constexpr const char* kKernel = R"(
__global__ void twice(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}
)";

std::string limits(const std::string& min, int n = 16384) {
  return R"(gpu = "Scripted GPU"
date = "2026-11-21"
command = "labkit lab calibrate --device cuda --runs 3 --write"
driver = "580.1"
runs = 3
[[gate]]
name = "speed"
size = { n = )" +
         std::to_string(n) + " }\n" + min + R"(
window = [0.1, 0.9]
slowest_right = { file = "correct/a.cu", ratio = [0.99, 0.98, 1.0] }
)";
}

class FakeSimulator : public device::Device {
 public:
  explicit FakeSimulator(const float& factor) : factor_(factor) {}
  device::Description describe() const override {
    return {.name = "sim", .gpu = "fake", .title = "a fake", .deterministic = true};
  }
  std::vector<device::Outcome> run(const device::Plan& plan) override {
    std::vector<device::Outcome> outcomes;
    for (const device::PlannedLaunch& planned : plan.launches)
      outcomes.push_back(times(plan, planned, plan.modules[0].name == "copies.cu" ? 1 : factor_));
    return outcomes;
  }
  std::vector<launch::Finding> refusals(const device::Module&, const std::string&) override {
    return {};
  }

 private:
  const float& factor_;
};

class GpuGradingTest : public test::TwiceLab {
 protected:
  void SetUp() override {
    TwiceLab::SetUp();
    std::filesystem::create_directories(directory_ / "gpu_gates");
    script_.kernel = [](const auto& plan, const auto& planned) { return times(plan, planned, 2); };
  }
  void confirm(const std::string& text) {
    std::ofstream(directory_ / "gpu_gates" / "scripted-gpu.toml") << text;
  }
  Grading& start(const std::string& toml = kGpuToml) {
    device::Devices devices;
    devices.simulator = std::make_unique<FakeSimulator>(simulated_factor_);
    devices.gpu = std::make_unique<device::ScriptedGpu>(script_);
    return open(kKernel, toml, std::move(devices));
  }
  static Case twice(int n) { return TwiceLab::twice(n, "twice"); }
  TestResult right() {
    Grading& grading = start();
    begin_test(grading, "Twice.Right");
    check(grading, {twice(10), twice(100)});
    return end_test(grading);
  }
  TestResult fast() { return TwiceLab::fast(start(), "twice"); }

  device::ScriptedGpu::Script script_;
  float simulated_factor_ = 2;
};

TEST_F(GpuGradingTest, WhatTheSimulatorPassesRunsOnTheGpuInOnePlan) {
  const TestResult result = right();
  EXPECT_EQ(result.verdict.text(), "pass");
  EXPECT_EQ(result.points, 40);
  EXPECT_EQ(script_.plans, 1);
  EXPECT_EQ(script_.launches, 2);
  EXPECT_EQ(result_of(*grading_).measured_on, "Scripted GPU");
  EXPECT_EQ(result_of(*grading_).gpu_driver, "580.1");
}

TEST_F(GpuGradingTest, WhatTheSimulatorFindsNeverReachesTheGpu) {
  simulated_factor_ = 3;
  EXPECT_EQ(right().verdict.text(), "wrong_result");
  const TestResult graded = fast();
  EXPECT_EQ(graded.verdict.text(), "wrong_result");
  EXPECT_EQ(graded.on_gpu, "");
  EXPECT_EQ(script_.plans, 0);
}

TEST_F(GpuGradingTest, ADifferenceOnTheGpuIsAVerdictThatNamesIt) {
  script_.kernel = [](const auto& plan, const auto& planned) { return times(plan, planned, 3); };
  for (const TestResult& result : {right(), fast()}) {
    EXPECT_EQ(result.verdict.text(), "wrong_result");
    EXPECT_EQ(result.on_gpu, "Scripted GPU");
    EXPECT_EQ(result.mismatches.size(), 1u);
    EXPECT_TRUE(result.gates.empty());
    EXPECT_EQ(result.points, 0);
  }
}

TEST_F(GpuGradingTest, ALaterLaunchThatDiffersCounts) {
  script_.kernel = [](const auto& plan, const auto& planned) {
    device::Outcome outcome = times(plan, planned, 2);
    outcome.other_outputs = {outcome.outputs};
    std::memset(outcome.other_outputs[0].back().bytes.data(), 0, 64);
    outcome.differing_samples = 4;
    return outcome;
  };
  const TestResult result = fast();
  EXPECT_EQ(result.verdict.text(), "wrong_result");
  ASSERT_EQ(result.message.size(), 1u);
  EXPECT_EQ(result.message[0].id, words::Id::later_launches_differ);
  EXPECT_EQ(std::get<std::int64_t>(*result.message[0].find("count")), 4);
}

TEST_F(GpuGradingTest, AnInputThatTheGpuSawChangedCounts) {
  script_.kernel = [](const auto& plan, const auto& planned) {
    device::Outcome outcome = times(plan, planned, 2);
    outcome.changed_inputs = {0};
    return outcome;
  };
  const TestResult result = fast();
  EXPECT_EQ(result.verdict.text(), "input_changed");
  ASSERT_EQ(result.message.size(), 1u);
  EXPECT_EQ(result.message[0].id, words::Id::input_written);
  EXPECT_EQ(std::get<std::string>(*result.message[0].find("array")), "in");
}

TEST_F(GpuGradingTest, AFindingOfTheGpuIsAVerdict) {
  script_.kernel = [](const auto&, const auto&) {
    launch::Finding finding;
    finding.kind = launch::FindingKind::out_of_bounds;
    device::Outcome outcome;
    outcome.findings = {finding};
    return outcome;
  };
  for (const TestResult& result : {right(), fast()}) {
    EXPECT_EQ(result.verdict.text(), "out_of_bounds");
    EXPECT_EQ(result.on_gpu, "Scripted GPU");
  }
}

TEST_F(GpuGradingTest, WhatDidNotEndOnTheGpuHasLittleTimeInLaterTests) {
  script_.kernel = [](const auto&, const auto&) {
    launch::Finding finding;
    finding.kind = launch::FindingKind::budget;
    device::Outcome outcome;
    outcome.findings = {finding};
    return outcome;
  };
  Grading& grading = start();
  begin_test(grading, "Twice.Right");
  check(grading, {twice(10), twice(100)});
  EXPECT_EQ(end_test(grading).verdict.text(), "budget");
  for (const device::PlannedLaunch& planned : script_.seen.at(0).launches)
    EXPECT_EQ(planned.wall_seconds, 0);  // the device's own limit
  begin_test(grading, "Twice.Fast");
  grade(grading, [&] { return twice(graded_size(grading, "n")); });
  EXPECT_EQ(end_test(grading).verdict.text(), "budget");
  ASSERT_EQ(script_.seen.size(), 2u);
  for (const device::PlannedLaunch& planned : script_.seen[1].launches)
    if (planned.kind == device::PlannedLaunch::Kind::kernel && planned.launch.kernel == "twice") {
      EXPECT_GT(planned.wall_seconds, 0);
      EXPECT_LT(planned.wall_seconds, 5);
    }
}

TEST_F(GpuGradingTest, WithoutConfirmedLimitsTheRatioIsInformation) {
  script_.kernel_us = [](std::uint32_t) {
    return 1000.0;
  };  // slow, but nobody says how slow is wrong
  const TestResult result = fast();
  EXPECT_EQ(result.verdict.text(), "pass");
  ASSERT_TRUE(result.measured);
  EXPECT_NEAR(result.measured->ratio->value, 0.01, 1e-9);
  EXPECT_EQ(result.measured->information.id, words::Id::measured_without_limits);
  EXPECT_FALSE(result.gates[1].measured);
  EXPECT_TRUE(result.gates[1].note);
  EXPECT_NEAR(result.gates[1].value, 1, 0.01);  // the simulator's
}

TEST_F(GpuGradingTest, TheGpuIsGradedAtItsOwnSize) {
  const TestResult result = fast();
  EXPECT_EQ(result.measured->size, (Sizes{{"n", 16384}}));
  EXPECT_EQ(script_.seen.at(0).buffers.at(0).count, 16384u);
  EXPECT_FALSE(script_.seen.at(0).buffers.at(0).is_output);  // large inputs stay there
  EXPECT_NEAR(result.measured->figures.at("bandwidth_gbps"), 2 * 65536 / 10e-6 / 1e9, 1e-6);
}

TEST_F(GpuGradingTest, AnArrayThatTheKernelAddsToComesBack) {
  Grading& grading = start();
  begin_test(grading, "Twice.Fast");
  grade(grading, [&] {
    const int n = graded_size(grading, "n");
    const auto in = input<float>("in", n);
    auto out = zeroed_output<float>("out", n);
    for (int i = 0; i < n; ++i) out[i] = 2 * in[i];
    return Case{
        .kernel = "twice", .grid = {blocks_for(n, 256)}, .block = {256}, .arguments = {in, out, n}};
  });
  EXPECT_EQ(end_test(grading).verdict.text(), "pass");
  EXPECT_TRUE(script_.seen.at(0).buffers.at(1).is_output);
}

TEST_F(GpuGradingTest, SizesFitTheGpusMemoryAndNeverGoBelowTheSimulators) {
  script_.facts.max_bytes =
      500'000;  // 131 KB of arrays and twice that of copies fit, halved once do
  EXPECT_EQ(fast().measured->size.at("n"), 16384);
  script_.facts.max_bytes = 300'000;
  EXPECT_EQ(fast().measured->size.at("n"), 8192);
  script_.facts.max_bytes = 1;
  EXPECT_EQ(fast().measured->size.at("n"), 4096);
}

TEST_F(GpuGradingTest, ConfirmedLimitsHoldTheMeasuredRatio) {
  confirm(limits("min = 0.8"));
  const TestResult pass = fast();
  EXPECT_EQ(pass.verdict.text(), "pass");
  EXPECT_TRUE(pass.gates[1].measured);
  EXPECT_EQ(pass.gates[1].threshold, 0.8);
  EXPECT_FALSE(pass.measured->information);
  EXPECT_FALSE(pass.gates[0].measured);  // counters are the simulator's
  script_.kernel_us = [](std::uint32_t) { return 14.0; };
  const TestResult slow = fast();
  EXPECT_EQ(slow.verdict.text(), "gate speed");
  EXPECT_NEAR(slow.gates[1].value, 10.0 / 14, 1e-9);
  EXPECT_LT(slow.gates[1].margin(), 0);
}

TEST_F(GpuGradingTest, AnIntervalAcrossTheLimitIsInconclusive) {
  confirm(limits("min = 0.8"));
  script_.kernel_us = [](std::uint32_t i) { return i % 2 ? 10.0 : 14.0; };  // 1.0 and 0.71
  const TestResult result = fast();
  EXPECT_EQ(result.verdict.text(), "inconclusive");
  EXPECT_FALSE(result.decided());
  EXPECT_EQ(result.points, 40) << "the counter's";
  EXPECT_EQ(result.gates[1].undecided.id, words::Id::measured_on_both_sides);
  EXPECT_EQ(std::get<std::int64_t>(*result.gates[1].undecided.find("samples")), 30);
  const LabResult lab = result_of(*grading_);
  EXPECT_EQ(lab.verdict.text(), "inconclusive");
  EXPECT_EQ(lab.undecided, 20);
}

TEST_F(GpuGradingTest, AWideIntervalOnOneSideDecides) {
  confirm(limits("min = 0.6"));
  script_.kernel_us = [](std::uint32_t i) { return i % 2 ? 10.0 : 14.0; };
  EXPECT_EQ(fast().verdict.text(), "pass");
}

TEST_F(GpuGradingTest, TroubleAndTimesUnderTheFloorAreInconclusive) {
  confirm(limits("min = 0.8"));
  script_.conditions.trouble = "clocks are held down by heat";
  const TestResult hot = fast();
  EXPECT_EQ(hot.verdict.text(), "inconclusive");
  EXPECT_EQ(hot.gates[1].undecided.id, words::Id::measured_disturbed);
  script_.conditions.trouble = "";
  script_.facts.peak_bytes_per_second = 1e9;
  const TestResult impossible = fast();
  EXPECT_EQ(impossible.verdict.text(), "inconclusive");
  EXPECT_EQ(impossible.gates[1].undecided.id, words::Id::measured_below_roofline);
}

TEST_F(GpuGradingTest, AMissedCounterIsAFailureHoweverNoisyTheTime) {
  confirm(limits("min = 0.8"));
  script_.conditions.trouble = "others use it";
  std::string toml = kGpuToml;
  toml.replace(toml.find("max = 5"), 7, "max = 3");
  EXPECT_EQ(TwiceLab::fast(start(toml), "twice").verdict.text(), "gate sectors");
}

TEST_F(GpuGradingTest, WithoutAWindowOrAtAnotherSizeTheSimulatorCounts) {
  script_.kernel_us = [](std::uint32_t) { return 1000.0; };
  for (const std::string& text : {limits(""), limits("min = 0.8", 8192)}) {
    confirm(text);
    const TestResult result = fast();
    EXPECT_EQ(result.verdict.text(), "pass");
    EXPECT_FALSE(result.gates[1].measured);
    EXPECT_TRUE(result.gates[1].note);
  }
}

TEST_F(GpuGradingTest, ATimeThatIsNoneIsOurError) {
  script_.kernel_us = [](std::uint32_t) { return std::numeric_limits<double>::quiet_NaN(); };
  EXPECT_THROW(fast(), Error);
}

TEST_F(GpuGradingTest, LimitsForAnotherGpuOrGateAreOurError) {
  confirm("gpu = \"Other GPU\"\ndate = \"d\"\ncommand = \"c\"\ndriver = \"1\"\nruns = 1\n");
  EXPECT_THROW(start(), Error);
  std::string text = limits("min = 0.8");
  text.replace(text.find("\"speed\""), 7, "\"sectors\"");
  confirm(text);
  EXPECT_THROW(start(), Error);
  confirm(limits("min = 0.95"));  // outside its window
  EXPECT_THROW(start(), Error);
}

}  // namespace
}  // namespace labkit::grade
