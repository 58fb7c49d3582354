#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/json.h"
#include "report/text.h"
#include "words/render.h"

namespace labkit::report {
namespace {

using Json = nlohmann::json;

grade::Profile profile() {
  grade::Profile made;
  made.simulated = true;
  made.file = "k.cu";
  made.kernel = "k<float>";
  made.grid = {64, 64};
  made.block = {32, 8};
  made.device = {.name = "sim", .gpu = "h200", .title = "simulator", .deterministic = true};
  made.outcome.completed = true;
  made.outcome.times_us = {22.976};
  made.outcome.time_is_predicted = true;
  observe::LaunchCounters counters;
  observe::InstructionInfo info;
  info.line = 12;
  info.file = "k.cu";
  info.access = observe::AccessKind::load;
  counters.info = {info};
  observe::InstructionCounters c;
  c.global_requests = 10;
  c.global_sectors = 320;
  c.global_sectors_ideal = 40;
  c.thread_executions = 320;
  counters.instructions = {c};
  counters.thread_instructions = 320;
  made.outcome.counters = counters;
  made.outcome.simulation = device::Simulation{
      .wall_seconds = 0.5, .thread_instructions = 1000, .simd = "avx2", .threads = 2};
  return made;
}

TEST(ProfileJson, HasTheKeysThatWerePromised) {
  const Json json = Json::parse(profile_json(std::vector{profile()}))["launches"][0];
  EXPECT_EQ(json["metrics"]["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"], 320);
  EXPECT_EQ(json["metrics"]["ptx_thread_instructions"], 320);
  EXPECT_EQ(json["lines"][0]["line"], 12);
  EXPECT_EQ(json["lines"][0]["metrics"]["memory_l2_theoretical_sectors_global_ideal"], 40);
  EXPECT_TRUE(json["findings"].is_array());
  EXPECT_EQ(json["time_us"], 22.976);
  EXPECT_EQ(json["time_is_predicted"], true);
  EXPECT_EQ(json["simulator"]["wall_seconds"], 0.5);
  EXPECT_EQ(json["simulator"]["thread_instructions_per_second"], 2000);
  EXPECT_EQ(json["simulator"]["simd"], "avx2");
  EXPECT_EQ(json["simulator"]["threads"], 2);
}

TEST(ProfileJson, ARefusalKeepsTheShape) {
  grade::Profile refused = profile();
  refused.refusal = "compile_error";
  refused.message = {{words::Id::compile_failed, {{"file", "kernel.cu"}}}};
  refused.outcome = {};
  const Json json = Json::parse(profile_json(std::vector{refused}))["launches"][0];
  EXPECT_EQ(json["refusal"]["kind"], "compile_error");
  EXPECT_TRUE(json["metrics"].is_object());
  EXPECT_TRUE(json["time_us"].is_null());
  EXPECT_EQ(json["completed"], false);
  EXPECT_TRUE(refused.failed());
}

TEST(ProfileText, NamesMetricsLinesAndPrediction) {
  const std::string text = profile_text(profile(), {});
  EXPECT_NE(text.find("(predicted)"), std::string::npos) << text;
  EXPECT_NE(text.find("k.cu:12"), std::string::npos) << text;
  EXPECT_NE(text.find("280"), std::string::npos) << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(ProfileText, AStoppedLaunchShowsTheFindingOnly) {
  grade::Profile stopped = profile();
  stopped.outcome = {};
  launch::Finding finding;
  finding.space = "global";
  finding.access = launch::Access::read;
  stopped.outcome.findings = {finding};
  const std::string text = profile_text(stopped, {});
  EXPECT_NE(text.find("Invalid __global__ read"), std::string::npos);
  EXPECT_EQ(text.find("time "), std::string::npos);
  EXPECT_TRUE(stopped.failed());
}

grade::Profile measured_profile() {
  grade::Profile made = profile();
  made.gpu = device::Description{.name = "cuda",
                                 .gpu = "NVIDIA H200",
                                 .title = "NVIDIA H200; times are measured",
                                 .arch = "sm_90",
                                 .deterministic = false};
  device::Outcome outcome;
  outcome.completed = true;
  outcome.times_us = {30, 20, 25};
  outcome.conditions = device::Conditions{.rounds = 3,
                                          .settled = true,
                                          .disturbed = 2,
                                          .trouble = "another program keeps the GPU busy",
                                          .sm_clock_mhz = 1980,
                                          .memory_clock_mhz = 3201,
                                          .gpu_uuid = "GPU-1",
                                          .watched = true};
  outcome.printed = "from the GPU";
  made.measured = outcome;
  made.outcome.printed = "from the simulator";
  return made;
}

TEST(ProfileText, SaysWhatWasMeasuredAndWhatWasPredicted) {
  const std::string text = profile_text(measured_profile(), {});
  EXPECT_NE(text.find("time  25 us measured on NVIDIA H200"), std::string::npos) << text;
  EXPECT_NE(text.find("95% interval 20 to 30, least 20"), std::string::npos) << text;
  EXPECT_NE(text.find("2 disturbed rounds thrown away"), std::string::npos) << text;
  EXPECT_NE(text.find("doubtful: another program keeps the GPU busy"), std::string::npos) << text;
  EXPECT_NE(text.find("On the simulator"), std::string::npos) << text;
  EXPECT_NE(text.find("(predicted)"), std::string::npos) << text;
  EXPECT_NE(text.find("from the GPU"), std::string::npos) << text;
  EXPECT_EQ(text.find("from the simulator"), std::string::npos) << text;
}

TEST(ProfileText, AFaultOnTheGpuStandsBesideTheCounters) {
  grade::Profile made = measured_profile();
  launch::Finding finding;
  finding.evidence = {{words::Id::gpu_outside},
                      {words::Id::gpu_launch,
                       {{"kernel", "k"}, {"grid", "1"}, {"block", "32"}, {"gpu", "NVIDIA H200"}}}};
  made.measured = device::Outcome{};
  made.measured->findings = {finding};
  const std::string text = profile_text(made, {});
  EXPECT_NE(text.find("leads outside of every array"), std::string::npos) << text;
  EXPECT_EQ(text.find("measured on"), std::string::npos) << text;
  EXPECT_NE(text.find("(predicted)"), std::string::npos) << text;
  EXPECT_TRUE(made.failed());
}

TEST(ProfileJson, KeepsTheMeasuredApartFromThePredicted) {
  const Json json = Json::parse(profile_json(std::vector{measured_profile()}))["launches"][0];
  EXPECT_EQ(json["time_us"], 22.976);
  EXPECT_EQ(json["time_is_predicted"], true);
  EXPECT_EQ(json["measured"]["gpu"], "NVIDIA H200");
  EXPECT_EQ(json["measured"]["time_us"]["median"], 25);
  EXPECT_EQ(json["measured"]["time_us"]["samples"].size(), 3u);
  EXPECT_EQ(json["measured"]["conditions"]["trouble"], "another program keeps the GPU busy");
  EXPECT_TRUE(
      Json::parse(profile_json(std::vector{profile()}))["launches"][0]["measured"].is_null());
}

TEST(ProfileText, AFloodOfPrintedLinesIsCutAndCounted) {
  grade::Profile profile;
  profile.simulated = true;
  profile.outcome.completed = true;
  for (int i = 0; i < 5000; ++i) profile.outcome.printed += "line " + std::to_string(i) + "\n";
  const std::string text = profile_text(profile, {});
  EXPECT_NE(text.find("  | line 19\n  | ... and 4,980 more lines; --json FILE has them\n"),
            std::string::npos)
      << text.substr(0, 2000);
  EXPECT_EQ(text.find("line 20\n"), std::string::npos);
  profile.outcome.printed = "only\n\x1b[2Jthis";
  const std::string few = profile_text(profile, {});
  EXPECT_NE(few.find("  | only\n  | \\x1b[2Jthis\n"), std::string::npos) << few;
  EXPECT_EQ(few.find("more line"), std::string::npos);
  profile.outcome.completed = false;  // what it said until it failed helps most
  EXPECT_NE(profile_text(profile, {}).find("  | only\n"), std::string::npos);
}

}  // namespace
}  // namespace labkit::report
