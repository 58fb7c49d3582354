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
}

TEST(Receipt, IsTheSameForTheSameGradingWhereverItWasDone) {
  OrderedJson elsewhere = lab_result();
  elsewhere["device_note"] = "there is no driver here";
  elsewhere["file"] = "/tmp/x/kernel.cu";
  EXPECT_EQ(receipt_of(elsewhere), receipt_of(lab_result()));
  // Anything that was said or found is part of it.
  OrderedJson other = lab_result();
  other["tests"][0]["message"] = "otherwise";
  EXPECT_EQ(differences(receipt_of(lab_result()), receipt_of(other)),
            std::vector<std::string>{"outcome/tests/0/message: \"well\" -> \"otherwise\""});
}

// Whoever knows it can write a kernel for just these inputs; of its few bits a hash would tell them all.
TEST(Receipt, SaysNothingOfTheSeed) {
  EXPECT_EQ(receipt_of(lab_result()).find("281474976710655"), std::string::npos);
  OrderedJson other = lab_result();
  other["seed"] = 5;
  EXPECT_EQ(receipt_of(other), receipt_of(lab_result()));
}

TEST(Receipt, DifferencesAreNamed) {
  const std::string receipt = receipt_of(lab_result());
  EXPECT_TRUE(differences(receipt, receipt).empty());
  OrderedJson now = lab_result();
  now["verdict"] = "pass";
  now["compiler"] = "NVRTC 13.1";
  now["tests"][1]["figures"]["sectors"] = 1024;
  now["tests"][1]["figures"].erase("ratio");
  EXPECT_EQ(differences(receipt, receipt_of(now)),
            (std::vector<std::string>{"compiler: \"NVRTC 13.0\" -> \"NVRTC 13.1\"",
                                      "outcome/compiler: \"NVRTC 13.0\" -> \"NVRTC 13.1\"",
                                      "outcome/tests/1/figures/ratio: 0.53 -> nothing",
                                      "outcome/tests/1/figures/sectors: 4096 -> 1024",
                                      "outcome/verdict: \"gate sectors\" -> \"pass\""}));
  EXPECT_EQ(differences(R"({"a": [1, 2]})", R"({"a": [1], "b": {"c": 0}})"),
            (std::vector<std::string>{"a/1: 2 -> nothing", "b: nothing -> {\"c\":0}"}));
}

}  // namespace
}  // namespace labkit::course
