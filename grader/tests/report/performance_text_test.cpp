// What stands under a missed gate, on the terminal and in JSON.
#include "report/performance_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "report/json.h"
#include "report/text.h"

namespace labkit::report {
namespace {

/// One strided store on line 9, one coalesced load on line 8.
grade::TestResult strided() {
  auto detail = std::make_shared<grade::LaunchDetail>();
  detail->useful_bytes = 8192;
  detail->compulsory_bytes = 8192;
  auto& samples = detail->samples.emplace();
  samples.ranges = {{"in", ptx::Space::global, 4096, 4096, 4},
                    {"out", ptx::Space::global, 65536, 1u << 20, 4}};
  for (const bool store : {false, true}) {
    observe::InstructionInfo info;
    info.file = "kernel.cu";
    info.line = store ? 9 : 8;
    info.spelling = store ? "st.global.f32" : "ld.global.f32";
    info.access = store ? observe::AccessKind::store : observe::AccessKind::load;
    info.bytes_per_lane = 4;
    detail->counters.info.push_back(info);
    observe::InstructionCounters& c = detail->counters.instructions.emplace_back();
    c.global_requests = 32;
    c.global_sectors = store ? 1024 : 128;
    c.global_sectors_ideal = 128;
    c.warp_executions = 32;
    observe::InstructionSamples& one = samples.instructions.emplace_back();
    one.instruction = store ? 1 : 0;
    one.is_store = store;
    one.accesses = 32;
    one.worst.active = ~0u;
    one.worst.cost = store ? 32 : 4;
    one.worst.ideal = 4;
    for (std::uint64_t lane = 0; lane < 32; ++lane)
      one.worst.addresses[lane] = store ? 65536 + 8192 * lane : 4096 + 4 * lane;
  }
  grade::TestResult test;
  test.name = "Turn.Fast";
  test.verdict = {.kind = "gate", .gate = "sectors"};
  test.figures = grade::counter_figures(detail->counters);
  grade::GateResult gate;
  gate.name = "sectors";
  gate.figure = "excess_global_sectors";
  gate.is_minimum = false;
  gate.value = 896;
  gate.reason = "Because.";
  gate.next = "Try.";
  gate.culprit = grade::worst_line(gate.figure, detail->counters);
  test.gates = {gate};
  test.known = {{.name = "reference",
                 .file = "correct/r.cu",
                 .counted = {{"store_sectors_per_request", 4}, {"excess_global_sectors", 0}},
                 .predicted = {}}};
  test.detail = std::move(detail);
  return test;
}

grade::LabResult lab_of(grade::TestResult test) {
  grade::LabResult result;
  result.lab = "lab3";
  result.verdict = test.verdict;
  result.tests = {std::move(test)};
  return result;
}

/// What test_text needs of a lab beside the test.
grade::LabResult timed_lab3() {
  grade::LabResult result;
  result.lab = "lab3";
  return result;
}

TEST(PerformanceText, AMissedGateShowsLinesLanesAndFigures) {
  const std::string text = test_text(timed_lab3(), strided(), {});
  for (const char* part :
       {"\n  kernel.cu:9           1,024     896\n", "memory_l2_theoretical_sectors_global",
        "\n  kernel.cu:9, st.global.f32: the worst of 32 executions (block 0, warp 0)\n",
        "32 lanes touch 32 sectors of 32 bytes and use 4 bytes of each; 4 sectors",
        "out[2048*lane]", "\n  #....... 0        #....... 1 ",
        "sectors per global store request: yours 32.0, ideal 4.0, reference 4.0\n",
        "excess global sectors: yours 896, ideal 0, reference 0, at most 0\n"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  EXPECT_EQ(text.find("kernel.cu:8"), std::string::npos) << text;  // wastes nothing
  for (const std::string_view line : split_lines(text)) EXPECT_LE(line.size(), 80u) << line;
}

TEST(PerformanceText, OtherVerdictsShowNothing) {
  grade::TestResult test = strided();
  test.verdict = {.kind = "wrong_result", .gate = {}};
  EXPECT_EQ(performance_text(test, {}, ""), "");
  test = strided();
  test.detail = nullptr;
  test.known.clear();
  EXPECT_EQ(performance_text(test, {}, ""), "");
}

TEST(PerformanceText, GradeShowsItForOneLab) {
  const grade::LabResult result = lab_of(strided());
  EXPECT_NE(grade_text({{"lab3", result}}, {}).find("#....... 31"), std::string::npos);
  EXPECT_EQ(grade_text({{"lab3", result}, {"lab4", result}}, {}).find("#......."),
            std::string::npos);
}

TEST(DetailJson, ReadsAsItWasWritten) {
  const grade::LabResult result = lab_of(strided());
  const std::string json = lab_json(result);
  const grade::LabResult again = read_lab_json(json, "again");
  EXPECT_EQ(lab_json(again), json);
  EXPECT_EQ(test_text(timed_lab3(), again.tests[0], {}),
            test_text(timed_lab3(), result.tests[0], {}));
  const auto parsed = nlohmann::json::parse(json);
  const auto& detail = parsed.at("tests").at(0).at("detail");
  EXPECT_EQ(detail.at("lines").size(), 2u);
  EXPECT_EQ(detail.at("lines").at(1).at("metrics").at("memory_l2_theoretical_sectors_global"),
            1024);
  EXPECT_EQ(detail.at("samples").at("instructions").at(1).at("worst").at("cost"), 32);

  grade::TestResult without = strided();
  without.detail = nullptr;
  without.known.clear();
  const std::string plain = lab_json(lab_of(without));
  EXPECT_EQ(plain.find("\"detail\""), std::string::npos);
  EXPECT_EQ(plain.find("\"known\""), std::string::npos);
}

TEST(DetailJson, BrokenOnesAreRefused) {
  auto json = nlohmann::json::parse(lab_json(lab_of(strided())));
  auto& sample = json["tests"][0]["detail"]["samples"]["instructions"][0];
  sample["instruction"] = 77;
  EXPECT_THROW(read_lab_json(json.dump(), "broken"), std::exception);
  sample["instruction"] = 0;
  sample["space"] = "nowhere";
  EXPECT_THROW(read_lab_json(json.dump(), "broken"), std::exception);
}

TEST(ProfileText, LinesAndTheLanesThatAreAskedFor) {
  const grade::TestResult test = strided();
  grade::Profile profile;
  profile.kernel = "k";
  profile.simulated = true;
  profile.outcome.completed = true;
  profile.outcome.counters = test.detail->counters;
  profile.outcome.samples = test.detail->samples;
  const std::string worst = profile_text(profile, {});
  EXPECT_NE(worst.find("kernel.cu:9, st.global.f32: "), std::string::npos) << worst;
  EXPECT_NE(worst.find("kernel.cu:8 "), std::string::npos) << worst;
  EXPECT_EQ(worst.find("kernel.cu:8, "), std::string::npos) << worst;
  const std::string asked = profile_text(profile, {}, 8);
  EXPECT_NE(asked.find("kernel.cu:8, ld.global.f32: "), std::string::npos) << asked;
  EXPECT_EQ(asked.find("kernel.cu:9, "), std::string::npos) << asked;
  EXPECT_NE(profile_text(profile, {}, 3).find("Line 3 makes no access to memory"),
            std::string::npos);
  profile.device.gpu = "h200";
  timing::Prediction& prediction = profile.outcome.prediction.emplace();
  prediction.time_us = 20;
  prediction.bounds = {{"DRAM", 10}};
  profile.outcome.times_us = {20};
  profile.outcome.time_is_predicted = true;
  prediction.shares = {{"latency", 0.6}, {"DRAM", 0.36}, {"launch", 0.04}};
  EXPECT_NE(profile_text(profile, {}).find("At 20 us (predicted) that is 2.17 TB/s, 50% of"),
            std::string::npos)
      << profile_text(profile, {});
  EXPECT_NE(profile_text(profile, {}).find("(predicted): latency 60%, DRAM 36%;"),
            std::string::npos)
      << profile_text(profile, {});
  EXPECT_NE(profile_text(profile, {}).find("Bytes in flight limit this kernel"), std::string::npos);
  profile.outcome.registers = {.per_thread = 32, .by = "NVRTC 13.0's ptxas for sm_90"};
  EXPECT_NE(profile_text(profile, {}).find("\n      32 registers a thread (NVRTC 13.0's ptxas"),
            std::string::npos)
      << profile_text(profile, {});
  profile.outcome.registers = {.per_thread = 40, .why_estimated = "LABKIT_PTXAS is off"};
  EXPECT_NE(
      profile_text(profile, {}).find("\n      about 40 registers a thread, estimated: LABKIT"),
      std::string::npos)
      << profile_text(profile, {});
  profile.outcome.elsewhere = {{"t4", "NVIDIA T4 (40 SMs)", false, prediction},
                               {"l4", "NVIDIA L4 (58 SMs)", false, std::nullopt}};
  const std::string elsewhere = profile_text(profile, {});
  EXPECT_NE(elsewhere.find("NVIDIA T4, not measured"), std::string::npos) << elsewhere;
  EXPECT_NE(elsewhere.find("NVIDIA L4, not measured" + std::string(16, ' ') + "a block does not"),
            std::string::npos)
      << elsewhere;
  const auto json = nlohmann::json::parse(profile_json(std::vector{profile}))["launches"][0];
  EXPECT_EQ(json.at("prediction").at("shares").at("latency"), 0.6);
  EXPECT_EQ(json.at("registers").at("per_thread"), 40);
  EXPECT_EQ(json.at("registers").at("estimated"), true);
  EXPECT_EQ(json.at("registers").at("why_estimated"), "LABKIT_PTXAS is off");
  EXPECT_EQ(json.at("predicted_elsewhere").at("t4").at("time_us"), 20);
  EXPECT_EQ(json.at("predicted_elsewhere").at("l4").at("fits"), false);
  EXPECT_NEAR(json.at("roofline").at("share_of_roof").get<double>(), 0.5, 1e-9);
  EXPECT_EQ(json.at("samples").at("instructions").size(), 2u);
  EXPECT_EQ(json.at("lines").size(), 2u);
}

}  // namespace
}  // namespace labkit::report
