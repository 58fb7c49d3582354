// A lab that doubles an array, in a folder of its own, and what a kernel of it gives: for gradings on whatever devices a
// test wants.
#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "grade/run_tests.h"

namespace labkit::grade::test {

/// Of the plan's buffers.
inline std::uint32_t index_of(const device::PlannedLaunch& planned, std::size_t argument) {
  return std::get<launch::BufferRef>(planned.launch.arguments.at(argument)).index;
}

inline const launch::Buffer& buffer(const device::Plan& plan, const device::PlannedLaunch& planned,
                                    int argument) {
  return plan.buffers.at(index_of(planned, static_cast<std::size_t>(argument)));
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
  if (in.is_output) outcome.outputs.push_back({index_of(planned, 0), std::move(bytes)});
  outcome.outputs.push_back({index_of(planned, 1), std::move(out)});
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

/// The folder of one test, and its grading.
class TwiceLab : public testing::Test {
 protected:
  void SetUp() override {
    directory_ = std::filesystem::temp_directory_path() /
                 ("labkit_twice_test_" + std::to_string(getpid())) / "lab9_twice";
    std::filesystem::create_directories(directory_);
  }
  void TearDown() override {
    set_grading(nullptr);
    std::filesystem::remove_all(directory_.parent_path());
  }
  /// The grading of a lab of this `toml`, in which kernel.cu is `source`.
  Grading& open(const std::string& source, const std::string& toml, device::Devices devices,
                GradingOptions options = {}) {
    std::ofstream(directory_ / "kernel.cu") << source;
    options.cache_directory = directory_.parent_path() / "cache";
    grading_ = std::make_unique<Grading>(start_grading(parse_manifest(toml, directory_, "lab.toml"),
                                                       std::move(options), std::move(devices)));
    set_grading(grading_.get());
    return *grading_;
  }
  static Case twice(int n, const std::string& kernel = "twice<float>") {
    const auto in = input<float>("in", n);
    auto out = output<float>("out", n);
    for (int i = 0; i < n; ++i) out[i] = 2 * in[i];
    return Case{
        .kernel = kernel, .grid = {blocks_for(n, 256)}, .block = {256}, .arguments = {in, out, n}};
  }
  const TestResult& fast(Grading& grading, const std::string& kernel = "twice<float>") {
    begin_test(grading, "Twice.Fast");
    grade(grading, [&] { return twice(graded_size(grading, "n"), kernel); });
    return end_test(grading);
  }

  std::filesystem::path directory_;
  std::unique_ptr<Grading> grading_;
};

}  // namespace labkit::grade::test
