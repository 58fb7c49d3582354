// A session with a device that does what the test says; the compiler is the real one.
#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>

#include "base/error.h"
#include "lab/session.h"

namespace labkit::lab::test {

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
points = 60
about = "Fast."
block = "256"
size = { n = 4096 }
  [[test.gate]]
  name = "sectors"
  figure = "load_sectors_per_request"
  max = 5
  reason = "Because."
  next = "Try."
  [[test.gate]]
  name = "ratio"
  figure = "ratio"
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

inline const launch::Buffer& buffer(const device::Plan& plan, const device::PlannedLaunch& planned,
                                    int argument) {
  return plan.buffers.at(
      std::get<launch::BufferRef>(planned.launch.arguments.at(static_cast<std::size_t>(argument)))
          .index);
}

/// Outputs of a kernel that writes factor * in.
inline device::Outcome times(const device::Plan& plan, const device::PlannedLaunch& planned,
                             float factor) {
  device::Outcome outcome;
  outcome.completed = true;
  const launch::Buffer& in = buffer(plan, planned, 0);
  std::vector<std::byte> bytes = launch::initial_contents(in), out(bytes.size());
  for (std::size_t i = 0; i < in.count; ++i) {
    float value;
    std::memcpy(&value, bytes.data() + 4 * i, 4);
    value *= factor;
    std::memcpy(out.data() + 4 * i, &value, 4);
  }
  if (in.is_output) outcome.outputs.push_back({0, std::move(bytes)});
  outcome.outputs.push_back({1, std::move(out)});
  if (planned.want_time) outcome.times_us = {10};
  outcome.time_is_predicted = true;
  if (planned.want_counters) {
    observe::LaunchCounters counters;
    observe::InstructionInfo info;
    info.line = 5;
    info.file = "kernel.cu";
    info.spelling = "ld.global.f32";
    info.access = observe::AccessKind::load;
    counters.info = {info};
    observe::InstructionCounters c;
    c.global_requests = 10;
    c.global_sectors = 40;
    c.global_sectors_ideal = 40;
    counters.instructions = {c};
    outcome.counters = counters;
  }
  return outcome;
}

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

class SessionTest : public testing::Test {
 protected:
  void SetUp() override {
    directory_ = std::filesystem::temp_directory_path() /
                 ("labkit_session_test_" + std::to_string(getpid())) / "lab9_twice";
    std::filesystem::create_directories(directory_);
  }
  void TearDown() override {
    set_session(nullptr);
    std::filesystem::remove_all(directory_.parent_path());
  }

  Session& start(
      const std::string& source, Behave behave = [](const auto& plan, const auto& planned) {
        return times(plan, planned, 2);
      }) {
    std::ofstream(directory_ / "kernel.cu") << source;
    SessionOptions options;
    options.cache_directory = directory_.parent_path() / "cache";
    options.seed = 5;
    auto device = std::make_unique<FakeDevice>(std::move(behave));
    device_ = device.get();
    device::Devices devices;
    devices.simulator = std::move(device);
    session_ = std::make_unique<Session>(parse_manifest(kToml, directory_, "lab.toml"), options,
                                         std::move(devices));
    set_session(session_.get());
    return *session_;
  }

  static Case twice(int n) {
    const auto in = input<float>("in", n);
    auto out = output<float>("out", n);
    for (int i = 0; i < n; ++i) out[i] = 2 * in[i];
    return Case{.kernel = "twice<float>",
                .grid = {blocks_for(n, 256)},
                .block = {256},
                .arguments = {in, out, n}};
  }
  static Case extra(int n) {
    Case one = twice(n);
    one.kernel = "extra";
    return one;
  }
  /// Runs Twice.Right on one case.
  const TestResult& right(Session& session, int n = 100) {
    session.begin_test("Twice.Right");
    session.check({twice(n)});
    return session.end_test();
  }
  const TestResult& fast(Session& session) {
    session.begin_test("Twice.Fast");
    session.grade([&] { return twice(session.graded_size("n")); });
    return session.end_test();
  }

  std::filesystem::path directory_;
  FakeDevice* device_ = nullptr;
  std::unique_ptr<Session> session_;
};

inline launch::Finding found(launch::FindingKind kind, launch::Severity severity) {
  launch::Finding finding;
  finding.kind = kind;
  finding.severity = severity;
  finding.text = severity == launch::Severity::error ? "a fault" : "no fault today";
  return finding;
}
/// What NVRTC makes with -G says so in its PTX: ".target sm_90, debug".
inline bool is_unoptimised(const device::Plan& plan) {
  return plan.modules.at(0).ptx.find(", debug") != std::string::npos;
}

}  // namespace labkit::lab::test
