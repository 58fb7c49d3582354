// GitHub Classroom: the template workflow's own grading step, run as a runner would, and what it leaves for the reporter.
#include <gtest/gtest.h>
#include <unistd.h>
#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "compile/compile.h"
#include "process/process.h"

namespace labkit::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const fs::path kSource = LABKIT_SOURCE_DIR;

class Classroom : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("labkit_classroom_test_" + std::to_string(getpid()));
    fs::create_directories(folder_ / "labs");
    fs::copy(kSource / "labs/lab1_vecadd_coalescing", folder_ / "labs/lab1_vecadd_coalescing");
    fs::copy_file(kSource / "labs/hints.toml", folder_ / "labs/hints.toml");
    const fs::path labkit = fs::path(process::own_executable()).parent_path() / "labkit";
    std::ofstream(folder_ / "kit") << "#!/bin/sh\nexec '" << labkit.string() << "' \"$@\"\n";
    fs::permissions(folder_ / "kit", fs::perms::owner_all);
    workflow_ = YAML::LoadFile((kSource / "handouts/classroom/grade.yml").string());
  }
  void TearDown() override { fs::remove_all(folder_); }

  YAML::Node steps() const { return workflow_["jobs"]["grade"]["steps"]; }
  YAML::Node grading_step() const {
    for (const YAML::Node& step : steps())
      if (step["id"] && step["id"].as<std::string>() == "labs") return step;
    return {};
  }
  void hand_in(const std::string& solution) const {
    fs::copy_file(kSource / "solutions/lab1_vecadd_coalescing" / solution,
                  folder_ / "labs/lab1_vecadd_coalescing/kernel.cu",
                  fs::copy_options::overwrite_existing);
  }
  process::Result grade(const std::vector<std::string>& more = {}) const {
    process::Command command;
    command.argv = {"/bin/bash", "-e", "-c", grading_step()["run"].as<std::string>()};
    command.directory = folder_.string();
    command.environment =
        process::inherited({"PATH", "HOME", "LD_LIBRARY_PATH", "LABKIT_NVRTC", "ASAN_OPTIONS"});
    command.environment.insert(command.environment.begin(), more.begin(), more.end());
    command.environment.push_back("LABS=lab1");
    command.environment.push_back("GITHUB_OUTPUT=" + (folder_ / "output").string());
    command.environment.push_back("LABKIT_ROOT=" + folder_.string());
    command.environment.push_back("LABKIT_CACHE=" + (folder_ / "cache").string());
    command.limits = {.wall_seconds = 120};
    return process::run(command);
  }
  /// The step's output `result`, out of its base64.
  Json reported() const {
    const std::string output = read_file(folder_ / "output");
    EXPECT_EQ(output.rfind("result=", 0), 0u) << output;
    process::Command command;
    command.argv = {"/usr/bin/base64", "-d"};
    command.input = output.substr(output.find('=') + 1);
    return Json::parse(process::run(command).out);
  }
  static bool no_nvrtc() {
    try {
      compile::find_nvrtc();
      return false;
    } catch (const compile::NoNvrtc&) {
      return true;
    }
  }
  fs::path folder_;
  YAML::Node workflow_;
};

TEST_F(Classroom, TheReporterGetsTheGradingStepsResult) {
  ASSERT_TRUE(grading_step()["run"]);
  const YAML::Node last = steps()[steps().size() - 1];
  EXPECT_EQ(last["with"]["runners"].as<std::string>(), "labs");
  // The reporter looks for the runner's name in capitals.
  EXPECT_EQ(last["env"]["LABS_RESULTS"].as<std::string>(), "${{ steps.labs.outputs.result }}");
}

TEST_F(Classroom, PointsAreTheSumOfTheTests) {
  if (no_nvrtc()) GTEST_SKIP() << "skipped: there is no NVRTC";
  hand_in("wrong/chunk_a_thread.cu");
  const process::Result slow = grade();
  ASSERT_EQ(slow.exit_code, 0) << slow.out << slow.err;
  const Json json = reported();
  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json["status"], "fail");
  EXPECT_EQ(json["max_score"], 100);
  double sum = 0;
  for (const Json& test : json["tests"]) sum += test["score"].get<double>();
  EXPECT_EQ(sum, 60);
  EXPECT_EQ(json["tests"].size(), 5u);
  EXPECT_EQ(json["tests"][3]["line_no"], 12);
}

TEST_F(Classroom, WhatIsNoFaultOfTheStudentsReportsNothing) {
  hand_in("correct/grid_stride.cu");
  const process::Result ours = grade({"LABKIT_NVRTC=/nowhere.so"});
  EXPECT_EQ(ours.exit_code, 3) << ours.out << ours.err;
  EXPECT_FALSE(fs::exists(folder_ / "output"));
}

TEST(Devcontainer, SetsTheKitUp) {
  const Json json = Json::parse(read_file(kSource / ".devcontainer/devcontainer.json"), nullptr,
                                /*allow_exceptions=*/true, /*ignore_comments=*/true);
  EXPECT_NE(json.at("image").get<std::string>().find("ubuntu-24.04"), std::string::npos);
  EXPECT_NE(json.at("postCreateCommand").get<std::string>().find("./kit packages"),
            std::string::npos);
}

}  // namespace
}  // namespace labkit::cli
