// What is wrong with a machine is told in the words that mend it, and never costs a verdict that
// could be reached.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "process/process.h"

namespace labkit::cli {
namespace {

class Machine : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("labkit_machine_test_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  /// `more` comes first of a name, and so counts.
  process::Result run(const std::string& program, const std::vector<std::string>& arguments,
                      std::vector<std::string> more = {}) {
    process::Command command;
    command.argv = {
        (std::filesystem::path(process::own_executable()).parent_path() / program).string()};
    command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
    command.environment = std::move(more);
    for (const std::string& variable : process::inherited(
             {"PATH", "HOME", "LD_LIBRARY_PATH", "CUDA_HOME", "LABKIT_NVRTC", "ASAN_OPTIONS"}))
      command.environment.push_back(variable);
    command.environment.push_back("LABKIT_CACHE=" + (folder_ / "cache").string());
    command.environment.push_back("LABKIT_LIBCUDA=/nowhere/libcuda.so.1");
    command.limits = {.wall_seconds = 120};
    return process::run(command);
  }
  static std::string solution() {
    return std::string(LABKIT_SOURCE_DIR) + "/solutions/lab3_corner_turning/correct/tile.cu";
  }
  std::filesystem::path folder_;
};

TEST_F(Machine, ACacheThatCannotBeWrittenCostsNoVerdict) {
  write_file_atomically(folder_ / "file", "");
  for (const std::string& cache : {std::string("/proc/x"), (folder_ / "file").string()}) {
    const auto ran =
        run("labkit", {"grade", "lab3", "--file", solution()}, {"LABKIT_CACHE=" + cache});
    EXPECT_EQ(ran.exit_code, kExitOk) << cache << ran.err;
    EXPECT_EQ(ran.err.find("Fix:"), std::string::npos) << ran.err;
  }
}

TEST_F(Machine, ATemporaryFolderThatIsNoneIsNamedWithTheMend) {
  const auto ran = run("labkit", {"grade", "lab3", "--file", solution()}, {"TMPDIR=/nonexistent"});
  EXPECT_EQ(ran.exit_code, kExitOurError);
  EXPECT_NE(ran.err.find("TMPDIR is /nonexistent"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("Fix: unset TMPDIR"), std::string::npos) << ran.err;
  EXPECT_EQ(ran.err.find("a fault of the kit"), std::string::npos) << ran.err;
}

TEST_F(Machine, WithoutTheGpuThatIsAskedForNoFileIsCalledBad) {
  const auto ran = run("labkit", {"lab", "check", "lab3", "--device", "cuda"});
  EXPECT_EQ(ran.exit_code, kExitOurError);
  EXPECT_EQ(ran.out, "");
  const auto first = ran.err.find("there is no CUDA driver");
  ASSERT_NE(first, std::string::npos) << ran.err;
  EXPECT_EQ(ran.err.find("there is no CUDA driver", first + 1), std::string::npos) << ran.err;
}

TEST_F(Machine, WhatKeepsEveryFileFromAVerdictIsSaidOnceAndNoFileIsCalledBad) {
  const auto ran = run("labkit", {"lab", "check", "lab3"}, {"TMPDIR=/nonexistent"});
  EXPECT_EQ(ran.exit_code, kExitOurError);
  EXPECT_EQ(ran.out, "");
  const auto first = ran.err.find("TMPDIR is /nonexistent");
  ASSERT_NE(first, std::string::npos) << ran.err;
  EXPECT_EQ(ran.err.find("TMPDIR is /nonexistent", first + 1), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("Fix: unset TMPDIR"), std::string::npos) << ran.err;
}

TEST_F(Machine, AProfileThatThereIsNotIsUsageNamingThoseThereAre) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"grade", "lab3"},
                                             {"lab", "check", "lab3"},
                                             {"profile", solution(), "k<<<1, 32>>>()"}}) {
    std::vector<std::string> asked = arguments;
    asked.insert(asked.end(), {"--gpu", "h300"});
    const auto ran = run("labkit", asked);
    EXPECT_EQ(ran.exit_code, kExitUsage) << ran.err;
    EXPECT_NE(ran.err.find("h200"), std::string::npos) << ran.err;
  }
  EXPECT_EQ(run("lab_check", {"--lab", "lab3", "--file", solution(), "--gpu", "h300"}).exit_code,
            kExitUsage);
}

TEST_F(Machine, ADriverThatIsNoLibraryIsNotedAndGradedWithout) {
  write_file_atomically(folder_ / "libcuda.so.1", "no library");
  const auto ran = run("labkit", {"grade", "lab3", "--file", solution(), "--device", "auto"},
                       {"LABKIT_LIBCUDA=" + (folder_ / "libcuda.so.1").string()});
  EXPECT_EQ(ran.exit_code, kExitOk) << ran.err;
  EXPECT_NE((ran.out + ran.err).find("the GPU is not used: LABKIT_LIBCUDA names no driver"),
            std::string::npos)
      << ran.out << ran.err;
}

}  // namespace
}  // namespace labkit::cli
