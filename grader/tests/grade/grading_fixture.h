// A grading with a device that does what the test says; the compiler is the real one.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "base/error.h"
#include "grade/run_tests.h"
#include "twice_lab.h"

namespace labkit::grade::test {

inline constexpr const char* kToml = R"(
title = "Doubling"
idea = "Twice."
reference = "correct/a.cu"
[[kernel]]
expressions = ["twice<float>"]
parameters = ["const T* in", "T* out", "int n"]
[[kernel]]
expressions = ["extra"]
parameters = ["const float* in", "float* out", "int n"]
optional = true
[[test]]
name = "Twice.Right"
kernel = "twice"
points = 40
about = "Right."
[[test]]
name = "Twice.Fast"
kernel = "twice"
about = "Fast."
block = "256"
size = { n = 4096 }
  [[test.gate]]
  name = "sectors"
  figure = "load_sectors_per_request"
  points = 40
  max = 5
  reason = "Because."
  next = "Try."
  [[test.gate]]
  name = "ratio"
  figure = "ratio"
  points = 20
  min = 0.5
  reason = "Because."
  next = "Try."
[[test]]
name = "Twice.Extra"
kernel = "extra"
points = 7
bonus = true
about = "More."
)";

inline constexpr const char* kKernel = R"(
template <typename T>
__global__ void twice(const T* in, T* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}
)";

using Behave = std::function<device::Outcome(const device::Plan&, const device::PlannedLaunch&)>;

class FakeDevice : public device::Device {
 public:
  explicit FakeDevice(Behave behave) : behave_(std::move(behave)) {}
  device::Description describe() const override {
    return {.name = "fake", .gpu = "none", .title = "a fake", .deterministic = true};
  }
  std::vector<device::Outcome> run(const device::Plan& plan) override {
    std::vector<device::Outcome> outcomes;
    for (const device::PlannedLaunch& planned : plan.launches)
      outcomes.push_back(plan.modules.at(0).name == "copies.cu" ? times(plan, planned, 1)
                                                                : behave_(plan, planned));
    return outcomes;
  }
  std::vector<launch::Finding> refusals(const device::Module&, const std::string&) override {
    return refused;
  }
  std::vector<launch::Finding> refused;

 private:
  Behave behave_;
};

class GradingTest : public TwiceLab {
 protected:
  Grading& start(
      const std::string& source, Behave behave = [](const auto& plan, const auto& planned) {
        return times(plan, planned, 2);
      }) {
    GradingOptions options;
    options.seed = 5;
    auto device = std::make_unique<FakeDevice>(std::move(behave));
    device->refused = refused_;
    device_ = device.get();
    device::Devices devices;
    devices.simulator = std::move(device);
    return open(source, kToml, std::move(devices), options);
  }
  static Case extra(int n) { return twice(n, "extra"); }
  /// Runs Twice.Right on one case.
  const TestResult& right(Grading& grading, int n = 100) {
    begin_test(grading, "Twice.Right");
    check(grading, {twice(n)});
    return end_test(grading);
  }

  FakeDevice* device_ = nullptr;
  std::vector<launch::Finding> refused_;  ///< by the next device
};

inline launch::Finding found(launch::FindingKind kind, launch::Severity severity) {
  launch::Finding finding;
  finding.kind = kind;
  finding.severity = severity;
  return finding;
}
/// The messages' ids.
inline std::vector<words::Id> ids(const std::vector<words::Message>& messages) {
  std::vector<words::Id> all;
  for (const words::Message& message : messages) all.push_back(message.id);
  return all;
}
using Ids = std::vector<words::Id>;

/// What NVRTC makes with -G says so in its PTX: ".target sm_90, debug".
inline bool is_unoptimised(const device::Plan& plan) {
  return plan.modules.at(0).ptx.find(", debug") != std::string::npos;
}

}  // namespace labkit::grade::test
