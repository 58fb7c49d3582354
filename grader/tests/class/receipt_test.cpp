#include "class/grading/receipt.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"

namespace labkit::course {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson lab_result() {
  return OrderedJson::parse(R"({
    "format": 1, "lab": "lab3", "file": "ana/lab3.cu", "device": "simulator", "gpu": "h200",
    "measured_on": "", "gpu_driver": "", "device_note": "", "compiler": "NVRTC 13.0",
    "ptx_sha256": "abc", "seed": 281474976710655, "verdict": "gate sectors", "points": 60, "max_points": 100,
    "bonus": 0, "max_bonus": 0, "undecided_points": 0, "undecided_bonus": 0, "message": "",
    "compile_log": "", "notes": [], "tests": [
      {"name": "Turn.Right", "verdict": "pass", "points": 60, "max_points": 60, "bonus": false,
       "launches": 3, "figures": {}, "time_is_predicted": false, "message": "well", "gates": []},
      {"name": "Turn.Fast", "verdict": "gate sectors", "points": 0, "max_points": 40, "bonus": false,
       "launches": 1, "figures": {"sectors": 4096, "ratio": 0.53}, "time_is_predicted": true,
       "gates": [{"name": "sectors", "figure": "sectors", "max": 1024, "value": 4096,
                  "margin": -3, "passed": false, "measured": false}]}]})");
}

OrderedJson measured_result(double ratio, double low, double high) {
  OrderedJson json = lab_result();
  json["measured_on"] = "NVIDIA H200";
  json["gpu_driver"] = "580.1";
  OrderedJson& test = json["tests"][1];
  test["gates"][0]["measured"] = true;
  test["gates"][0]["value"] = ratio;
  test["gates"][0]["interval"] = {low, high};
  test["measured"] = {
      {"gpu", "NVIDIA H200"}, {"ratio", ratio}, {"ratio_interval", {low, high}}, {"samples", 50}};
  return json;
}

Job job() {
  Job job;
  job.student = "ana";
  job.lab = "lab3";
  job.path = "ana/lab3.cu";
  job.source_sha256 = "f00d";
  job.seed = 281474976710655;
  return job;
}

GradingEnvironment means(const std::string& device = "sim") {
  return {.kit = "0.1.0",
          .check_sha256 = "c0de",
          .device = device,
          .profile = "h200",
          .measurement = "m1",
          .scoring = "s1",
          .clock = "2000-01-01 00:00:00 UTC"};
}

std::string receipt_of(const OrderedJson& result, const std::string& device = "sim") {
  return make_receipt(job(), means(device), result.dump(2));
}

TEST(Receipt, SaysWhatDecidedTheGradeAndWhatCameOut) {
  const OrderedJson json = OrderedJson::parse(receipt_of(lab_result()));
  const std::map<std::string, OrderedJson> said = {
      {"/student", "ana"},
      {"/lab", "lab3"},
      {"/path", "ana/lab3.cu"},
      {"/source_sha256", "f00d"},
      {"/ptx_sha256", "abc"},
      {"/compiler", "NVRTC 13.0"},
      {"/kit/version", "0.1.0"},
      {"/kit/check_sha256", "c0de"},
      {"/device", "sim"},
      {"/simulated_gpu", "h200"},
      {"/lab_files/measurement_sha256", "m1"},
      {"/lab_files/scoring_sha256", "s1"},
      {"/compiler_clock", "2000-01-01 00:00:00 UTC"},
      {"/outcome/verdict", "gate sectors"},
      {"/outcome/points", 60},
      {"/outcome/tests/1/figures/sectors", 4096},
      {"/outcome/tests/1/gates/0/value", 4096},
  };
  for (const auto& [at, value] : said)
    EXPECT_EQ(json.at(OrderedJson::json_pointer(at)), value) << at;
  EXPECT_FALSE(json.contains("measured"));
}

TEST(Receipt, OfAGpuKeepsRatiosWithIntervalsDeviceAndDriver) {
  const OrderedJson json =
      OrderedJson::parse(receipt_of(measured_result(0.9, 0.88, 0.92), "NVIDIA H200"));
  EXPECT_EQ(json.at("device"), "NVIDIA H200");
  EXPECT_EQ(json.at("gpu_driver"), "580.1");
  EXPECT_EQ(json.at("measured").at("Turn.Fast").at("ratio_interval").at(0), 0.88);
}

TEST(Receipt, IsTheSameForTheSameGradingWhereverItWasDone) {
  OrderedJson elsewhere = lab_result();
  elsewhere["device_note"] = "there is no driver here";
  elsewhere["file"] = "/tmp/x/kernel.cu";
  EXPECT_EQ(receipt_of(elsewhere), receipt_of(lab_result()));
  // Anything that was said or found is part of it.
  OrderedJson other = lab_result();
  other["tests"][0]["message"] = "otherwise";
  const Replayed replayed = compare_receipts(receipt_of(lab_result()), receipt_of(other));
  EXPECT_FALSE(replayed.same_result);
  EXPECT_TRUE(replayed.outcome.empty());
}

// Whoever knows it can write a kernel for just these inputs; of its few bits a hash would tell them all.
TEST(Receipt, SaysNothingOfTheSeed) {
  EXPECT_EQ(receipt_of(lab_result()).find("281474976710655"), std::string::npos);
  OrderedJson other = lab_result();
  other["seed"] = 5;
  EXPECT_EQ(receipt_of(other), receipt_of(lab_result()));
}

TEST(Receipt, WhatIsNoneIsRefusedByName) {
  for (const char* text : {"", "{}", "[]", "3", "# kit", R"({"what": 3})"}) {
    try {
      require_receipt(text, "r.json");
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "r.json is no receipt");
      EXPECT_FALSE(error.remedy().empty());
    }
  }
  require_receipt(receipt_of(lab_result()), "r.json");
  EXPECT_THROW(make_receipt(job(), means(), "{}"), Error);
}

TEST(Receipt, DifferencesAreNamed) {
  const std::string receipt = receipt_of(lab_result());
  const Replayed same = compare_receipts(receipt, receipt);
  EXPECT_TRUE(same.same_result && same.outcome.empty() && same.means.empty());
  OrderedJson now = lab_result();
  now["verdict"] = "pass";
  now["compiler"] = "NVRTC 13.1";
  now["jail"] = "is of the machine";
  now["tests"][1]["figures"]["sectors"] = 1024;
  now["tests"][1]["figures"].erase("ratio");
  now["tests"][1]["message"] = "is no part of a receipt";
  const Replayed replayed = compare_receipts(receipt, receipt_of(now));
  EXPECT_EQ(replayed.verdict_then, "gate sectors");
  EXPECT_EQ(replayed.verdict_now, "pass");
  EXPECT_EQ(replayed.outcome,
            (std::vector<std::string>{"verdict: \"gate sectors\" -> \"pass\"",
                                      "tests Turn.Fast, figures, sectors: 4096 -> 1024",
                                      "tests Turn.Fast, figures, ratio: 0.53 -> nothing"}));
  EXPECT_EQ(replayed.means,
            (std::vector<std::string>{"compiler: \"NVRTC 13.0\" -> \"NVRTC 13.1\""}));
}

TEST(Receipt, OfAGpuMayHaveOtherTimesButNoOtherCounters) {
  const auto replayed = [](const OrderedJson& now) {
    return compare_receipts(receipt_of(measured_result(0.9, 0.88, 0.92), "NVIDIA H200"),
                            receipt_of(now, "NVIDIA H200"));
  };
  OrderedJson now = measured_result(0.91, 0.90, 0.93);
  now["tests"][1]["verdict"] = "pass";  // hangs on the measurement
  now["verdict"] = "pass";
  now["points"] = 100;
  EXPECT_TRUE(replayed(now).outcome.empty());
  now["tests"][1]["figures"]["sectors"] = 5000;
  EXPECT_EQ(replayed(now).outcome.size(), 1u);

  EXPECT_EQ(replayed(now).measured,
            (std::vector<std::string>{"Turn.Fast: ratio then 0.900 (0.880 to 0.920), now 0.910 "
                                      "(0.900 to 0.930): the intervals meet"}));
  EXPECT_EQ(replayed(measured_result(0.5, 0.4, 0.6)).measured,
            (std::vector<std::string>{"Turn.Fast: ratio then 0.900 (0.880 to 0.920), now 0.500 "
                                      "(0.400 to 0.600): the intervals do not meet"}));
  EXPECT_EQ(replayed(lab_result()).measured,
            (std::vector<std::string>{"Turn.Fast: measured then, not now"}));
}

TEST(Receipt, DifferencesSayHowManyMoreThereAre) {
  OrderedJson before = OrderedJson::object(), now = OrderedJson::object();
  for (int i = 0; i < 9; ++i) {
    before[std::to_string(i)] = i;
    now[std::to_string(i)] = i + 1;
  }
  const auto found = differences(before.dump(), now.dump(), 3);
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found.back(), "and 6 more");
  EXPECT_TRUE(differences(now.dump(), now.dump()).empty());
  EXPECT_EQ(differences(R"({"a": [1, 2]})", R"({"a": [1], "b": {"c": 0}})"),
            (std::vector<std::string>{"a 2: 2 -> nothing", "b, c: nothing -> 0"}));
}

}  // namespace
}  // namespace labkit::course
