// What a grading keeps for pages and pictures: of which launch, and at what cost. On the simulator, with its runs counted, but
// for those that are checks.
#include "grade/run_tests.h"
#include "twice_lab.h"
#include "words/render.h"

namespace labkit::grade {
namespace {

constexpr const char* kDetailToml = R"(
title = "Doubling"
idea = "Twice."
reference = "correct/a.cu"
[[kernel]]
expressions = ["twice<float>"]
parameters = ["const T* in", "T* out", "int n"]
[[test]]
name = "Twice.Right"
points = 40
about = "Right."
[[test]]
name = "Twice.Fast"
about = "Fast."
block = "256"
size = { n = 4096 }
  [[test.gate]]
  name = "sectors"
  figure = "excess_global_sectors"
  points = 60
  max = 0
  reason = "Because."
  next = "Try."
)";

constexpr const char* kFigures = R"(
gpu = "h200"
[[test]]
name = "Twice.Fast"
  [[test.answer]]
  name = "reference"
  file = "correct/a.cu"
  counted = { excess_global_sectors = 0 }
)";

/// %s: which element thread i takes.
std::string kernel(const std::string& element, const std::string& value = "2 * in[at]") {
  return "template <typename T>\n"
         "__global__ void twice(const T* in, T* out, int n) {\n"
         "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
         "  int at = " +
         element +
         ";\n"
         "  if (i < n) out[at] = " +
         value + ";\n}\n";
}
const std::string kCoalesced = "i", kStrided = "n < 64 ? i : i % 64 * (n / 64) + i / 64";

class CountingDevice : public device::Device {
 public:
  CountingDevice() : simulator_(device::make_devices("sim").simulator) {}
  device::Description describe() const override { return simulator_->describe(); }
  std::vector<device::Outcome> run(const device::Plan& plan) override {
    for (const device::PlannedLaunch& planned : plan.launches) {
      runs += plan.modules[0].name != "copies.cu" && !plan.launches[0].check;
      sampled += planned.want_samples;
    }
    return simulator_->run(plan);
  }
  std::vector<launch::Finding> refusals(const device::Module& module,
                                        const std::string& entry) override {
    return simulator_->refusals(module, entry);
  }
  int runs = 0, sampled = 0;

 private:
  std::unique_ptr<device::Device> simulator_;
};

class GradingDetail : public test::TwiceLab {
 protected:
  Grading& start(const std::string& source, bool details, bool for_page = false) {
    std::ofstream(directory_ / "figures.toml") << kFigures;
    GradingOptions options;
    options.details = details;
    options.for_page = for_page;
    auto device = std::make_unique<CountingDevice>();
    device_ = device.get();
    device::Devices devices;
    devices.simulator = std::move(device);
    return open(source, kDetailToml, std::move(devices), options);
  }
  TestResult right(Grading& grading, const std::vector<int>& sizes) {
    begin_test(grading, "Twice.Right");
    std::vector<Case> cases;
    for (const int n : sizes) cases.push_back(twice(n));
    check(grading, cases);
    return end_test(grading);
  }

  CountingDevice* device_ = nullptr;
};

TEST_F(GradingDetail, NothingIsKeptOrRunThatNobodyAskedFor) {
  for (const std::string& element : {kCoalesced, kStrided}) {
    Grading& grading = start(kernel(element), false);
    EXPECT_EQ(fast(grading).detail, nullptr);
    EXPECT_EQ(device_->runs, 1);
    EXPECT_EQ(device_->sampled, 0);
    EXPECT_EQ(result_of(grading).source, "");
  }
}

TEST_F(GradingDetail, WhatPassesIsNotRunAgain) {
  Grading& grading = start(kernel(kCoalesced), true);
  const TestResult result = fast(grading);
  ASSERT_TRUE(result.verdict.passed());
  EXPECT_EQ(device_->runs, 1);
  ASSERT_TRUE(result.detail);
  EXPECT_FALSE(result.detail->samples.has_value());
  EXPECT_FALSE(result.detail->film.has_value());
  EXPECT_TRUE(result.detail->prediction.has_value());
  EXPECT_EQ(result.detail->useful_bytes, 2 * 4 * 4096);
  EXPECT_EQ(result.detail->compulsory_bytes, 2 * 4 * 4096);
  EXPECT_EQ(result_of(grading).source, kernel(kCoalesced));
  EXPECT_TRUE(result.known.empty());

  const TestResult shown = fast(start(kernel(kCoalesced), true, true));
  EXPECT_TRUE(shown.detail->samples.has_value());
  ASSERT_TRUE(shown.detail->film.has_value());
  EXPECT_FALSE(shown.detail->film->steps.empty());
  EXPECT_EQ(device_->runs, 3) << "for the grade, for samples, for the film";
}

TEST_F(GradingDetail, AMissedGateIsPictured) {
  const TestResult result = fast(start(kernel(kStrided), true));
  ASSERT_EQ(result.verdict.text(), "gate sectors");
  EXPECT_EQ(device_->sampled, 1);
  ASSERT_TRUE(result.detail && result.detail->samples);
  const auto& samples = *result.detail->samples;
  ASSERT_EQ(samples.instructions.size(), 2u);
  for (const auto& one : samples.instructions) {
    EXPECT_EQ(one.worst.cost, 32u);
    EXPECT_EQ(one.worst.ideal, 4u);
    EXPECT_EQ(one.accesses, 4096u / 32);
  }
  EXPECT_EQ(samples.ranges.at(0).name, "in");
  EXPECT_EQ(samples.ranges.at(1).name, "out");
  EXPECT_EQ(result.detail->counters.info[samples.instructions[0].instruction].line, 5u);
  ASSERT_EQ(result.known.size(), 1u);
  EXPECT_EQ(result.known[0].find("excess_global_sectors"), 0);
}

TEST_F(GradingDetail, AWrongResultIsPicturedInTheCaseThatFailed) {
  const TestResult result =
      right(start(kernel(kCoalesced, "n == 200 ? 0 : 2 * in[at]"), true), {100, 200, 300});
  ASSERT_EQ(result.verdict.text(), "wrong_result");
  ASSERT_TRUE(result.detail && result.detail->samples);
  EXPECT_EQ(result.detail->compulsory_bytes, 2 * 4 * 200);
  EXPECT_GT(result.detail->counters.thread_instructions, 0u);
}

TEST_F(GradingDetail, ALaunchThatDidNotCompleteLeavesAFilmForAPageAlone) {
  const TestResult result = right(start(kernel("i + n"), true), {100});
  EXPECT_EQ(result.verdict.text(), "out_of_bounds");
  EXPECT_EQ(result.detail, nullptr);
  const TestResult shown = right(start(kernel("i + n"), true, true), {100});
  ASSERT_TRUE(shown.detail && shown.detail->is_stopped());
  EXPECT_EQ(shown.detail->film->steps.back().what, observe::FilmStep::What::stop);
  EXPECT_EQ(shown.detail->film->steps.back().where.line, 5u);
  EXPECT_EQ(shown.detail->samples->ranges.at(0).name, "in");
}

TEST_F(GradingDetail, AWrongResultKnowsWhatOfTheInputNobodyRead) {
  const auto unread = [&](const std::string& source) {
    const TestResult result = right(start(source, true), {200});
    EXPECT_EQ(result.verdict.text(), "wrong_result");
    return result.mismatches.at(0).unread;
  };
  EXPECT_EQ(words::render(unread(kernel("i", "i"))), "No thread reads `in`.");
  EXPECT_FALSE(unread(kernel("i", "3 * in[i]")));
  EXPECT_FALSE(unread(kernel("i", "i < 190 ? 2 * in[i] : 0")))
      << "an output with an element for each of the input's tells it by itself";
}

}  // namespace
}  // namespace labkit::grade
