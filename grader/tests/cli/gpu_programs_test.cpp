// The commands that want a GPU, where there is none.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.h"
#include "process/process.h"

namespace labkit::cli {
namespace {

process::Result labkit(std::vector<std::string> arguments,
                       std::vector<std::string> environment = {}) {
  process::Command command;
  command.argv = {
      (std::filesystem::path(process::own_executable()).parent_path() / "labkit").string()};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  command.environment = process::inherited(
      {"PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "CUDA_HOME", "LABKIT_NVRTC", "ASAN_OPTIONS"});
  command.environment.push_back(
      "LABKIT_LIBCUDA=/nowhere/libcuda.so.1");  // whatever this machine has
  command.environment.insert(command.environment.end(), environment.begin(), environment.end());
  command.limits = {.wall_seconds = 120};
  return process::run(command);
}

TEST(WithoutAGpu, WhatNeedsOneIsSkippedVisibly) {
  for (const char* device : {"cuda", "auto"}) {
    const auto ran = labkit({"lab", "check", "lab3", "--device", device, "--skip-without-gpu"});
    EXPECT_EQ(ran.exit_code, kExitSkipped);
    EXPECT_EQ(ran.out.rfind("skipped: ", 0), 0u) << ran.out;
  }
}

TEST(WithoutAGpu, AskingForOneIsOurErrorNeverAZero) {
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"grade", "lab3", "--solutions", "--device", "cuda"}, {"lab", "calibrate", "lab3"}}) {
    const auto ran = labkit(arguments);
    EXPECT_EQ(ran.exit_code, kExitOurError) << ran.out << ran.err;
    EXPECT_NE(ran.err.find("Fix:"), std::string::npos) << ran.err;
  }
  const auto by_environment = labkit({"grade", "lab3", "--solutions"}, {"LABKIT_DEVICE=cuda"});
  EXPECT_EQ(by_environment.exit_code, kExitOurError) << by_environment.out;
}

TEST(WithoutAGpu, AWrongDeviceIsUsageAlsoFromTheEnvironment) {
  const auto wrong = labkit({"grade", "lab3"}, {"LABKIT_DEVICE=tpu"});
  EXPECT_EQ(wrong.exit_code, kExitUsage);
  EXPECT_NE(wrong.err.find("LABKIT_DEVICE: tpu not in"), std::string::npos) << wrong.err;
  EXPECT_EQ(labkit({"grade", "lab3", "--gpu-id", "-7"}).exit_code, kExitUsage);
  EXPECT_EQ(labkit({"lab", "calibrate", "lab3", "--device", "sim"}).exit_code, kExitUsage);
  EXPECT_EQ(labkit({"lab", "calibrate", "lab3", "--runs", "0"}).exit_code, kExitUsage);
}

}  // namespace
}  // namespace labkit::cli
