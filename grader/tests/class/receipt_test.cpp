#include "class/grading/receipt.h"

#include <gtest/gtest.h>

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
    "ptx_sha256": "abc", "seed": 7, "verdict": "gate sectors", "points": 60, "max_points": 100,
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
  job.source_sha256 = "f00d";
  job.seed = 7;
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

Receipt receipt_of(const OrderedJson& result, const std::string& device = "sim") {
  return read_receipt(make_receipt(job(), "ana/lab3.cu", means(device), result.dump(2)), "test");
}

TEST(Receipt, SaysWhatDecidedTheGradeAndWhatCameOut) {
  const Receipt receipt = receipt_of(lab_result());
  EXPECT_EQ(receipt.student, "ana");
  EXPECT_EQ(receipt.lab, "lab3");
  EXPECT_EQ(receipt.path, "ana/lab3.cu");
  EXPECT_EQ(receipt.source_sha256, "f00d");
  EXPECT_EQ(receipt.ptx_sha256, "abc");
  EXPECT_EQ(receipt.seed, 7u);
  EXPECT_EQ(receipt.compiler, "NVRTC 13.0");
  EXPECT_EQ(receipt.verdict, "gate sectors");
  EXPECT_EQ(receipt.means.kit, "0.1.0");
  EXPECT_EQ(receipt.means.check_sha256, "c0de");
  EXPECT_EQ(receipt.means.device, "sim");
  EXPECT_EQ(receipt.means.measurement, "m1");
  EXPECT_EQ(receipt.means.scoring, "s1");
  EXPECT_EQ(receipt.means.clock, "2000-01-01 00:00:00 UTC");
  const OrderedJson json = OrderedJson::parse(receipt.text);
  EXPECT_EQ(json.at("format"), 1);
  EXPECT_EQ(json.at("outcome").at("points"), 60);
  EXPECT_EQ(json.at("outcome").at("tests").at(1).at("figures").at("sectors"), 4096);
  EXPECT_EQ(json.at("outcome").at("tests").at(1).at("gates").at(0).at("value"), 4096);
  EXPECT_FALSE(json.contains("measured"));
}

TEST(Receipt, OfAGpuKeepsRatiosWithIntervalsDeviceAndDriver) {
  const Receipt receipt = receipt_of(measured_result(0.9, 0.88, 0.92), "NVIDIA H200");
  EXPECT_EQ(receipt.means.device, "NVIDIA H200");
  EXPECT_EQ(receipt.gpu_driver, "580.1");
  const OrderedJson json = OrderedJson::parse(receipt.text);
  EXPECT_EQ(json.at("measured").at("Turn.Fast").at("ratio_interval").at(0), 0.88);
}

TEST(Receipt, IsTheSameForTheSameGradingWhereverItWasDone) {
  OrderedJson elsewhere = lab_result();
  elsewhere["device_note"] = "there is no driver here";
  elsewhere["file"] = "/tmp/x/kernel.cu";
  EXPECT_EQ(receipt_of(elsewhere).text, receipt_of(lab_result()).text);
  // Anything that was said or found is part of it.
  OrderedJson other = lab_result();
  other["tests"][0]["message"] = "otherwise";
  EXPECT_NE(receipt_of(other).result_sha256, receipt_of(lab_result()).result_sha256);
}

TEST(Receipt, WhatIsNoneIsRefusedByName) {
  for (const char* text : {"", "{}", "[]", "3", R"({"what": "labkit receipt", "format": 1})"}) {
    try {
      read_receipt(text, "r.json");
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).rfind("r.json is no receipt", 0), 0u) << error.what();
      EXPECT_FALSE(error.remedy().empty());
    }
  }
  try {
    read_receipt(R"({"what": "labkit receipt", "format": 2})", "r.json");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.remedy(), "Use the kit that made it.");
  }
  EXPECT_THROW(make_receipt(job(), "p", means(), "{}"), Error);
}

TEST(Receipt, AFieldThatIsOtherThanWrittenIsRefused) {
  const auto fault = [](const char* path, const OrderedJson& value) {
    OrderedJson json = OrderedJson::parse(receipt_of(lab_result()).text);
    json[OrderedJson::json_pointer(path)] = value;
    try {
      return "read, seed " + std::to_string(read_receipt(json.dump(), "r.json").seed);
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(fault("/seed", 18446744073709551615u), "read, seed 18446744073709551615");
  for (const OrderedJson& odd : {OrderedJson(-1), OrderedJson(1.5), OrderedJson(1e30),
                                 OrderedJson("7"), OrderedJson(nullptr), OrderedJson::array()})
    EXPECT_EQ(fault("/seed", odd), "r.json is no receipt: its seed or its tests are none") << odd;
  EXPECT_EQ(fault("/kit/version", 3).substr(0, 21), "r.json is no receipt:");
  EXPECT_EQ(fault("/outcome/tests", "x"), "r.json is no receipt: its seed or its tests are none");
  // 2^64 is read as a number with a fraction, and must not be rounded.
  std::string text = receipt_of(lab_result()).text;
  text.replace(text.find("\"seed\": 7"), 9, "\"seed\": 18446744073709551616");
  EXPECT_THROW(read_receipt(text, "r.json"), Error);
}

TEST(Receipt, DifferencesOfTheOutcomeAreNamed) {
  const Receipt receipt = receipt_of(lab_result());
  EXPECT_TRUE(outcome_differences(receipt, lab_result().dump()).empty());
  OrderedJson now = lab_result();
  now["verdict"] = "pass";
  now["tests"][1]["figures"]["sectors"] = 1024;
  now["tests"][1]["figures"].erase("ratio");
  now["tests"][1]["message"] = "is no part of a receipt";
  EXPECT_EQ(outcome_differences(receipt, now.dump()),
            (std::vector<std::string>{"verdict: \"gate sectors\" -> \"pass\"",
                                      "tests Turn.Fast, figures, sectors: 4096 -> 1024",
                                      "tests Turn.Fast, figures, ratio: 0.53 -> nothing"}));
}

TEST(Receipt, OfAGpuMayHaveOtherTimesButNoOtherCounters) {
  const Receipt receipt = receipt_of(measured_result(0.9, 0.88, 0.92), "NVIDIA H200");
  OrderedJson now = measured_result(0.91, 0.90, 0.93);
  now["tests"][1]["verdict"] = "pass";  // hangs on the measurement
  now["verdict"] = "pass";
  now["points"] = 100;
  EXPECT_TRUE(outcome_differences(receipt, now.dump()).empty());
  now["tests"][1]["figures"]["sectors"] = 5000;
  EXPECT_EQ(outcome_differences(receipt, now.dump()).size(), 1u);

  EXPECT_EQ(measured_differences(receipt, now.dump()),
            (std::vector<std::string>{"Turn.Fast: ratio then 0.900 (0.880 to 0.920), now 0.910 "
                                      "(0.900 to 0.930): the intervals meet"}));
  EXPECT_EQ(measured_differences(receipt, measured_result(0.5, 0.4, 0.6).dump()),
            (std::vector<std::string>{"Turn.Fast: ratio then 0.900 (0.880 to 0.920), now 0.500 "
                                      "(0.400 to 0.600): the intervals do not meet"}));
  EXPECT_EQ(measured_differences(receipt, lab_result().dump()),
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
            (std::vector<std::string>{"a 2: 2 -> nothing", "b: nothing -> {\"c\":0}"}));
}

}  // namespace
}  // namespace labkit::course
