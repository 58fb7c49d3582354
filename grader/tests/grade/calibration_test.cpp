// The arithmetic of windows, and the file that keeps them.
#include "grade/calibration.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.h"
#include "base/files.h"

namespace labkit::grade {
namespace {

constexpr const char* kCalibratedToml = R"(
title = "A lab"
idea = "An idea."
reference = "correct/a.cu"
[[kernel]]
expressions = ["k"]
parameters = ["float* out"]
[[test]]
name = "T.Fast"
about = "Fast."
block = "256"
size = { n = 4096 }
  [[test.gate]]
  name = "sectors"
  figure = "excess_global_sectors"
  points = 40
  max = 0
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

Manifest lab() { return parse_manifest(kCalibratedToml, "/x/lab9_turning", "lab.toml"); }

GateWitness at(const std::string& file, double ratio, double reach = 0) {
  return {.file = file, .ratio = {ratio, ratio - reach, ratio + reach}};
}

TEST(Window, RunsFromTheFastestThatMustMissToTheSlowestRightOne) {
  const GpuGate gate =
      find_window("g", {at("a", 0.9, 0.02), at("b", 0.99)}, {at("x", 0.5, 0.04), at("y", 0.3)}, {});
  EXPECT_EQ(gate.slowest_right.file, "a");
  EXPECT_NEAR(gate.window_high, 0.88 / 1.1, 1e-12);  // with the reach of its interval
  EXPECT_NEAR(gate.window_low, 0.54 / 0.9, 1e-12);
  EXPECT_EQ(gate.fastest_wrong->file, "x");
  ASSERT_TRUE(gate.min);
  EXPECT_NEAR(*gate.min, 0.6, 1e-9);  // just above x, and far below a
  // What `lab check` asks for: a tenth of the limit on both sides.
  EXPECT_GE((0.88 - *gate.min) / *gate.min, kGateMargin);
  EXPECT_LE((0.54 - *gate.min) / *gate.min, -kGateMargin + 1e-12);
}

TEST(Window, TheLimitIsSixTenthsOfTheSlowestRightOneWhereNothingComesNear) {
  EXPECT_NEAR(*find_window("g", {at("a", 0.99)}, {at("x", 0.2)}, {}).min, 0.594, 1e-9);
  const GpuGate gate = find_window("g", {at("a", 0.99)}, {}, {});
  EXPECT_EQ(gate.window_low, 0);
  EXPECT_NEAR(*gate.min, 0.594, 1e-9);
  EXPECT_FALSE(gate.fastest_wrong);
}

TEST(Window, ARoundedLimitStaysInIt) {
  const GpuGate gate = find_window("g", {at("a", 0.9)}, {at("x", 0.5005)}, {});
  EXPECT_NEAR(*gate.min, 0.557, 1e-9) << "0.556 is below 0.5005 / 0.9";
}

TEST(Window, ThereIsNoneWhereSlowComesTooNearRight) {
  const GpuGate gate = find_window("g", {at("a", 0.9)}, {at("x", 0.8)}, {at("y", 0.1)});
  EXPECT_FALSE(gate.min);
  EXPECT_NE(gate.note.find("x is too near a"), std::string::npos) << gate.note;
}

TEST(Window, WhatACounterStopsDoesNotMoveTheLimit) {
  const GpuGate gate = find_window("g", {at("a", 0.9)}, {}, {at("x", 0.85), at("y", 0.3)});
  EXPECT_NEAR(*gate.min, 0.54, 1e-9);
  EXPECT_EQ(gate.told_by_counters, std::vector<std::string>{"x"});
  EXPECT_FALSE(gate.fastest_wrong);
  EXPECT_EQ(gate.window_low, 0);
}

LabResult result(std::optional<double> ratio, const std::string& verdict = "pass") {
  LabResult made;
  TestResult test;
  test.name = "T.Fast";
  test.verdict = verdict_from_text(verdict);
  if (ratio) {
    Measurement measured;
    measured.size = {{"n", 4096}};
    measured.ratio = grade::Interval{*ratio, *ratio - 0.01, *ratio + 0.01};
    test.measured = measured;
  }
  made.tests = {test};
  return made;
}

/// A slow answer that a counter of this test tells.
LabResult counted(double ratio) {
  LabResult made = result(ratio, "gate sectors");
  GateResult gate;
  gate.name = "sectors";
  gate.figure = "excess_global_sectors";
  made.tests[0].gates = {gate};
  return made;
}

TEST(Calibrate, TakesTheReachOfAllRunsAndOnlyWhatIsAboutTheTest) {
  std::vector<std::string> complaints;
  const std::vector<SolutionRuns> solutions = {
      {"correct/a.cu", true, {}, {result(0.9), result(0.94), result(0.92)}},
      {"wrong/x.cu",
       false,
       verdict_from_text("gate speed"),
       {result(0.5), result(0.4), result(0.45)}},
      {"wrong/y.cu",
       false,
       verdict_from_text("gate sectors"),
       {counted(0.9), counted(0.9), counted(0.9)}},
      {"wrong/z.cu", false, verdict_from_text("wrong_result"), {result(0.95)}},
      {"wrong/w.cu", false, verdict_from_text("gate of_another_test"), {result(0.95)}}};
  const GpuGates gates = calibrate(lab(), solutions, complaints);
  EXPECT_TRUE(complaints.empty());
  ASSERT_EQ(gates.gates.size(), 1u);
  const GpuGate& gate = gates.gates[0];
  EXPECT_EQ(gate.name, "speed");
  EXPECT_EQ(gate.size, (Sizes{{"n", 4096}}));
  EXPECT_NEAR(gate.slowest_right.ratio.value, 0.92, 1e-12);
  EXPECT_NEAR(gate.slowest_right.ratio.low, 0.89, 1e-12);
  EXPECT_NEAR(gate.slowest_right.ratio.high, 0.95, 1e-12);
  EXPECT_NEAR(gate.window_low, 0.51 / 0.9, 1e-12);
  EXPECT_EQ(gate.told_by_counters, std::vector<std::string>{"wrong/y.cu"});
}

TEST(Calibrate, ComplainsOfRightAnswersItDidNotMeasure) {
  std::vector<std::string> complaints;
  calibrate(lab(), {{"correct/a.cu", true, {}, {result(0.9), result({})}}}, complaints);
  EXPECT_EQ(complaints.size(), 2u);  // the answer, and that there is no right one then
  LabResult doubtful = result(0.9);
  doubtful.tests[0].measured->undecided = {words::Id::measured_disturbed, {{"trouble", "hot"}}};
  complaints.clear();
  calibrate(lab(),
            {{"correct/a.cu", true, {}, {doubtful}}, {"correct/b.cu", true, {}, {result(0.9)}}},
            complaints);
  EXPECT_EQ(complaints.size(), 1u);
  complaints.clear();
  calibrate(lab(),
            {{"correct/a.cu", true, {}, {result({}, "not_attempted")}},
             {"correct/b.cu", true, {}, {result(0.9)}}},
            complaints);
  EXPECT_TRUE(complaints.empty());  // an optional kernel
}

TEST(GpuGates, AreReadAsTheyAreWritten) {
  std::vector<std::string> complaints;
  GpuGates gates =
      calibrate(lab(),
                {{"correct/a.cu", true, {}, {result(0.9)}},
                 {"wrong/x.cu", false, verdict_from_text("gate speed"), {result(0.5)}},
                 {"wrong/y.cu", false, verdict_from_text("gate sectors"), {counted(0.9)}}},
                complaints);
  gates.gpu = "NVIDIA \"H200\"";
  gates.date = "2026-11-21";
  gates.command = "labkit lab calibrate";
  gates.driver = "580.1";
  gates.runs = 1;
  const GpuGates read = parse_gpu_gates(to_toml(gates), lab(), "x.toml");
  EXPECT_EQ(read.gpu, gates.gpu);
  EXPECT_EQ(read.runs, 1);
  ASSERT_EQ(read.gates.size(), 1u);
  EXPECT_EQ(read.find("speed")->min, gates.gates[0].min);
  EXPECT_EQ(read.find("speed")->size, gates.gates[0].size);
  EXPECT_EQ(read.find("speed")->told_by_counters, gates.gates[0].told_by_counters);
  EXPECT_NEAR(read.find("speed")->fastest_wrong->ratio.high, 0.51, 1e-4);
  EXPECT_EQ(to_toml(read), to_toml(gates));
  EXPECT_EQ(read.find("sectors"), nullptr);
}

/// Limits in the project are for the sizes that lab.toml has now; else they would be passed over.
TEST(GpuGates, OfTheLabsFitTheirManifests) {
  for (const Manifest& lab : find_labs(LABKIT_SOURCE_DIR)) {
    if (!std::filesystem::exists(lab.directory / "gpu_gates")) continue;
    for (const auto& entry : std::filesystem::directory_iterator(lab.directory / "gpu_gates")) {
      const GpuGates gates =
          parse_gpu_gates(read_file(entry.path()), lab, entry.path().filename().string());
      EXPECT_EQ(entry.path(), gpu_gates_file(lab, gates.gpu));
      for (const labkit::grade::Test& test : lab.tests)
        for (const Gate& gate : test.gates) {
          if (!gate.is_ratio()) continue;
          const GpuGate* limit = gates.find(gate.name);
          ASSERT_NE(limit, nullptr) << lab.id << " " << gates.gpu << ": " << gate.name;
          EXPECT_EQ(limit->size, test.gpu_size) << lab.id << " " << gate.name;
        }
    }
  }
}

TEST(GpuGates, LieWhereTheGpusNameSays) {
  EXPECT_EQ(gpu_slug("NVIDIA H200"), "nvidia-h200");
  EXPECT_EQ(gpu_slug(" NVIDIA GeForce RTX 4090 (Laptop)"), "nvidia-geforce-rtx-4090-laptop");
  EXPECT_EQ(gpu_gates_file(lab(), "NVIDIA H200").string(),
            "/x/lab9_turning/gpu_gates/nvidia-h200.toml");
}

}  // namespace
}  // namespace labkit::grade
