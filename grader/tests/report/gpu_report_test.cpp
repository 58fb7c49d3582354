// What a GPU measured, in text, JSON and Markdown.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/json.h"
#include "report/style.h"
#include "report/text.h"

namespace labkit::report {
namespace {

using Json = nlohmann::json;

grade::TestResult measured_test() {
  grade::TestResult test;
  test.name = "CornerTurning.Bandwidth";
  test.about = "Fast.";
  test.kernel = "turn";
  test.verdict.kind = "pass";
  test.points = test.max_points = 40;
  test.time_is_predicted = true;
  test.figures = {{"time_us", 20}, {"ratio", 0.59}, {"best_ratio", 0.5}, {"bandwidth_gbps", 1500}};
  grade::Measurement m;
  m.gpu = "NVIDIA H200";
  m.size = {{"rows", 4096}, {"cols", 4096}};
  m.figures = {{"time_us", 131.8}, {"bandwidth_gbps", 1018}, {"share_of_peak", 0.21}};
  m.ratio = grade::Interval{0.501, 0.498, 0.503};
  m.best_ratio = grade::Interval{0.247, 0.246, 0.249};
  m.samples = 82;
  m.conditions.settled = true;
  m.conditions.disturbed = 3;
  m.conditions.sm_clock_mhz = 1980;
  m.conditions.gpu_uuid = "GPU-6f3c";
  m.conditions.watched = true;
  test.measured = m;
  grade::GateResult gate;
  gate.name = gate.figure = "ratio";
  gate.threshold = 0.4;
  gate.value = 0.501;
  gate.passed = gate.measured = true;
  gate.interval = *m.ratio;
  test.gates = {gate};
  return test;
}

grade::TestResult open_test() {
  grade::TestResult test = measured_test();
  test.verdict.kind = "inconclusive";
  test.points = 0;
  test.gates[0].passed = false;
  test.gates[0].threshold = 0.5;
  test.gates[0].undecided = {words::Id::measured_on_both_sides,
                             {{"samples", words::count(82)}, {"low", 0.498}, {"high", 0.503}}};
  return test;
}

grade::LabResult result_of(const grade::TestResult& test) {
  grade::LabResult result;
  result.lab = "lab3";
  result.folder = "lab3_corner_turning";
  result.device = "simulator";
  result.measured_on = "NVIDIA H200";
  result.gpu_driver = "580.1";
  result.device_note = "a note";
  result.tests = {test};
  grade::sum_up(result);
  return result;
}

TEST(GpuJson, KeepsWhatWasMeasured) {
  const std::string text = lab_json(result_of(measured_test()));
  EXPECT_EQ(lab_json(read_lab_json(text, "x")), text);
  const Json test = Json::parse(text).at("tests").at(0);
  EXPECT_EQ(test.at("measured").at("gpu"), "NVIDIA H200");
  EXPECT_EQ(test.at("measured").at("ratio"), 0.501);
  EXPECT_EQ(test.at("measured").at("ratio_interval"), Json::array({0.498, 0.503}));
  EXPECT_EQ(test.at("measured").at("samples"), 82);
  EXPECT_EQ(test.at("measured").at("size").at("rows"), 4096);
  EXPECT_EQ(test.at("measured").at("conditions").at("disturbed_rounds"), 3);
  EXPECT_EQ(test.at("measured").at("conditions").at("gpu_uuid"), "GPU-6f3c");
  EXPECT_EQ(test.at("measured").at("conditions").at("watched"), true);
  EXPECT_EQ(test.at("figures").at("ratio"), 0.59);  // predicted, beside it
  EXPECT_EQ(test.at("gates").at(0).at("measured"), true);
}

TEST(GpuJson, WhatIsNotDecidedIsNoZero) {
  const std::string text = lab_json(result_of(open_test()));
  EXPECT_EQ(lab_json(read_lab_json(text, "x")), text);
  const Json json = Json::parse(text);
  EXPECT_EQ(json.at("verdict"), "inconclusive");
  EXPECT_TRUE(json.at("tests").at(0).at("points").is_null());
  EXPECT_EQ(json.at("undecided_points"), 40);
  EXPECT_EQ(json.at("device_note"), "a note");
}

/// What test_text needs of a lab beside the test.
grade::LabResult measured_lab3() {
  grade::LabResult result;
  result.lab = "lab3";
  return result;
}

TEST(GpuText, SaysWhatWasMeasuredWhereAndHowSurely) {
  const std::string text = test_text(measured_lab3(), measured_test(), {});
  EXPECT_NE(text.find("measured on NVIDIA H200: 1,018 GB/s"), std::string::npos) << text;
  EXPECT_NE(text.find("21% of the memory's peak"), std::string::npos) << text;
  EXPECT_NE(text.find("0.501 (0.498 to 0.503) of the copy"), std::string::npos) << text;
  EXPECT_NE(text.find("82 samples"), std::string::npos) << text;
  EXPECT_NE(text.find("3 disturbed rounds"), std::string::npos) << text;
}

TEST(GpuText, InconclusiveIsAWordOfItsOwn) {
  const std::string text = test_text(measured_lab3(), open_test(), {});
  EXPECT_EQ(text.rfind("INCONCLUSIVE  lab3 CornerTurning.Bandwidth, 40 points not decided", 0), 0u)
      << text;
  EXPECT_NE(text.find("Not decided: after 82 samples"), std::string::npos) << text;
  EXPECT_EQ(text.find("FAIL"), std::string::npos) << text;
  EXPECT_EQ(text.find("0 of 40"), std::string::npos) << text;
  const std::string table = grade_text({{"lab3", result_of(open_test())}}, {});
  EXPECT_NE(table.find("0/40 (40 not decided)"), std::string::npos) << table;
  EXPECT_NE(table.find("CornerTurning.Bandwidth: INCONCLUSIVE"), std::string::npos) << table;
}

TEST(GpuText, TheTableShowsMeasuredRatiosTheGpuAndTheNoteOnce) {
  const std::string table =
      grade_text({{"a", result_of(measured_test())}, {"b", result_of(measured_test())}}, {});
  EXPECT_NE(table.find("0.50"), std::string::npos) << table;
  EXPECT_EQ(table.find("0.59"), std::string::npos) << table;
  EXPECT_NE(table.find("measured on NVIDIA H200 (driver 580.1)"), std::string::npos) << table;
  EXPECT_NE(table.find("a note"), std::string::npos) << table;
  EXPECT_EQ(table.find("a note"), table.rfind("a note")) << table;
  const std::string figures = figures_text({measured_test()}, {});
  EXPECT_NE(figures.find("measured on NVIDIA H200"), std::string::npos) << figures;
  EXPECT_EQ(figures.find("predicted"), std::string::npos) << figures;
}

TEST(GpuText, AVerdictOfTheGpuAloneSaysSo) {
  grade::TestResult test = measured_test();
  test.verdict.kind = "wrong_result";
  test.on_gpu = "NVIDIA H200";
  test.gates.clear();
  const std::string text = test_text(measured_lab3(), test, {});
  EXPECT_NE(text.find("On the GPU (NVIDIA H200)"), std::string::npos) << text;
  EXPECT_NE(text.find("typically a race"), std::string::npos) << text;
  EXPECT_EQ(read_lab_json(lab_json(result_of(test)), "x").tests[0].on_gpu, "NVIDIA H200");
}

TEST(Measured, IsAPageThatSaysWhoWhenAndHow) {
  CalibratedLab calibrated;
  calibrated.lab.id = "lab3";
  calibrated.lab.title = "Corner turning";
  calibrated.lab.tests.resize(1);
  calibrated.lab.tests[0].name = "CornerTurning.Bandwidth";
  calibrated.solutions = {{"correct/tile.cu", true, {}, {result_of(measured_test())}}};
  calibrated.gates.gpu = "NVIDIA H200";
  calibrated.gates.driver = "580.1";
  calibrated.gates.date = "2026-11-21";
  calibrated.gates.command = "labkit lab calibrate --runs 1";
  calibrated.gates.runs = 1;
  calibrated.gates.gates = {
      grade::find_window("ratio", {{"correct/tile.cu", {0.5, 0.49, 0.51}}}, {}, {})};
  const std::string page = measured_markdown({calibrated});
  for (const char* part :
       {"# Measured on NVIDIA H200", "Driver 580.1, 2026-11-21, 1 run of `labkit lab calibrate",
        "| correct/tile.cu | CornerTurning.Bandwidth | 131.8 | 1018 | 21% | 0.501 (0.498 to 0.503)",
        "correct/tile.cu 0.500 (0.490 to 0.510)"})
    EXPECT_NE(page.find(part), std::string::npos) << part << "\n" << page;
}

}  // namespace
}  // namespace labkit::report
