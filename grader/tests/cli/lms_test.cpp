// Learning systems that start the grader: what the handouts drop in, run as those systems document that they do.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "compile/compile.h"
#include "process/process.h"

namespace labkit::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const fs::path kHandouts = fs::path(LABKIT_SOURCE_DIR) / "handouts";
constexpr const char* kRight = "correct/grid_stride.cu";
constexpr const char* kSlow = "wrong/chunk_a_thread.cu";  // 60 of 100 points

class LmsTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("labkit_lms_test_" + std::to_string(getpid()));
    fs::create_directories(folder_);
    programs_ = fs::path(process::own_executable()).parent_path();
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// A solution of lab 1, as it was submitted.
  void submit(const std::string& solution, const std::string& place) const {
    fs::create_directories((folder_ / place).parent_path());
    fs::copy_file(fs::path(LABKIT_SOURCE_DIR) / "solutions/lab1_vecadd_coalescing" / solution,
                  folder_ / place, fs::copy_options::overwrite_existing);
  }
  void submit_text(const std::string& text, const std::string& place) const {
    fs::create_directories((folder_ / place).parent_path());
    write_file_atomically(folder_ / place, text);
  }
  /// A shell's line, with the build's programs before others.
  process::Result run(const std::string& line, std::vector<std::string> environment = {}) const {
    process::Command command;
    command.argv = {"/bin/sh", "-c", line};
    command.directory = folder_.string();
    command.environment = std::move(environment);
    for (std::string& inherited : process::inherited(
             {"HOME", "LD_LIBRARY_PATH", "LABKIT_NVRTC", "ASAN_OPTIONS", "LABKIT_COMPILER"}))
      command.environment.push_back(std::move(inherited));  // the first of a name counts
    command.environment.push_back("PATH=" + programs_.string() + ":/usr/bin:/bin");
    command.environment.push_back("LABKIT_CACHE=" + (folder_ / "cache").string());
    command.limits = {.wall_seconds = 120};
    return process::run(command);
  }
  bool exists(const std::string& file) const { return fs::exists(folder_ / file); }
  Json json(const std::string& file) const { return Json::parse(read_file(folder_ / file)); }
  static bool no_nvrtc() {
    try {
      compile::find_nvrtc();
      return false;
    } catch (const compile::NoNvrtc&) {
      return true;
    }
  }
  /// A grader without its compiler.
  const std::vector<std::string> broken_ = {"LABKIT_NVRTC=/nowhere.so", "LABKIT_COMPILER=nvrtc"};
  fs::path folder_, programs_;
};

// ---- Classroom 50: https://github.com/foundation50/classroom50/wiki/Advanced-Autograding

class Classroom50 : public LmsTest {
 protected:
  static constexpr const char* kKernel = "labs/lab1_vecadd_coalescing/kernel.cu";

  /// The runner's step: autograder.py in the student's checkout, from the bundle's folder.
  process::Result grade(std::vector<std::string> environment = {}) const {
    for (const std::string& variable : variables_) environment.push_back(variable);
    return run("python3 '" + (kHandouts / "classroom50/autograder.py").string() + "'", environment);
  }
  /// What its runner and its collector refuse; empty: nothing.
  static std::string refused(const Json& result) {
    const auto is_count = [](const Json& value) { return value.is_number_integer() && value >= 0; };
    if (result.value("schema", "") != "classroom50/result/v1") return "schema";
    if (result.value("classroom", "") != "gpu") return "classroom";
    if (result.value("assignment", "") != "lab1-coalescing") return "assignment";
    if (result.value("submission", "").rfind("submit/", 0) != 0) return "submission";
    for (const char* field : {"commit", "release", "review", "datetime"})
      if (result.value(field, "").empty()) return field;
    if (result.value("datetime", "").size() != 20) return "datetime";
    if (result.size() != 11) return "another field";
    if (!is_count(result.at("score")) || !is_count(result.at("max-score"))) return "score";
    if (result.at("score") > result.at("max-score")) return "score above max-score";
    for (const Json& test : result.at("tests")) {
      if (test.value("test-name", "").empty()) return "test-name";
      if (!test.at("passed").is_boolean()) return "passed";
      if (!is_count(test.at("score")) || !is_count(test.at("max-score"))) return "test's score";
      if (test.at("score") > test.at("max-score")) return "test's score above max-score";
    }
    return "";
  }
  void expect_points(int points) const {
    const process::Result graded = grade();
    ASSERT_EQ(graded.exit_code, 0) << graded.out << graded.err;
    const Json result = json("result.json");
    EXPECT_EQ(refused(result), "");
    EXPECT_EQ(result["score"], points);
    EXPECT_EQ(result["max-score"], 100);
    const std::string body = read_file(folder_ / "release-body.md");
    EXPECT_EQ(body.rfind("### lab1: " + std::to_string(points) + " of 100 points\n", 0), 0u)
        << body;
    EXPECT_TRUE(exists("report.html")) << "a release asset";
  }
  std::string body() const { return read_file(folder_ / "release-body.md"); }

  std::vector<std::string> variables_ = {"CLASSROOM=gpu",
                                         "ASSIGNMENT=lab1-coalescing",
                                         "SUBMISSION_TAG=submit/2026-06-01T14-32-05Z-a1b2c3d",
                                         "COMMIT_URL=https://github.com/o/r/commit/a1b2c3d",
                                         "RELEASE_URL=https://github.com/o/r/releases/tag/x",
                                         "REVIEW_URL=https://github.com/o/r/compare/a...b"};
  void SetUp() override {
    LmsTest::SetUp();
    if (run("python3 --version").exit_code != 0) GTEST_SKIP() << "skipped: there is no python3";
  }
};

TEST_F(Classroom50, GradesWhatIsRightAndWhatIsSlow) {
  if (no_nvrtc()) GTEST_SKIP() << "skipped: there is no NVRTC";
  submit(kRight, kKernel);
  expect_points(100);
  EXPECT_EQ(body().find("failed"), std::string::npos) << body();
  submit(kSlow, kKernel);
  expect_points(60);
  EXPECT_NE(body().find("\n    "), std::string::npos) << "says why: " << body();
}

TEST_F(Classroom50, WhatDoesNotCompileOrIsMissingIsAZeroThatSaysWhy) {
  if (no_nvrtc()) GTEST_SKIP() << "skipped: there is no NVRTC";
  submit_text("__global__ void vecadd( {", kKernel);
  expect_points(0);
  EXPECT_NE(body().find("kernel.cu(1): error"), std::string::npos) << body();
  fs::remove(folder_ / kKernel);
  expect_points(0);
  EXPECT_NE(body().find("kernel.cu is not there"), std::string::npos) << body();
}

TEST_F(Classroom50, AGraderThatFailsGivesNoZero) {
  submit(kRight, kKernel);
  submit_text("{\"score\": 100}", "result.json");  // left behind, or a student's
  const process::Result ours = grade(broken_);
  EXPECT_NE(ours.exit_code, 0) << ours.out;
  EXPECT_FALSE(exists("result.json"));
  EXPECT_NE(ours.err.find("LABKIT_NVRTC is /nowhere.so"), std::string::npos) << ours.err;
}

TEST_F(Classroom50, OutsideOfItsRunnerItSaysWhatIsMissing) {
  submit(kRight, kKernel);
  variables_ = {"ASSIGNMENT=lab1", "CLASSROOM=gpu"};
  const process::Result partly = grade();
  EXPECT_NE(partly.exit_code, 0);
  EXPECT_NE(partly.err.find("SUBMISSION_TAG, COMMIT_URL, RELEASE_URL, REVIEW_URL"),
            std::string::npos)
      << partly.err;
  variables_.clear();
  const process::Result bare = grade();
  EXPECT_NE(bare.exit_code, 0);
  EXPECT_EQ(bare.err.rfind("ASSIGNMENT is not set", 0), 0u) << bare.err;
  EXPECT_FALSE(exists("result.json"));
}

TEST_F(Classroom50, ItsRuntimeNamesAnImage) {
  const Json runtime = Json::parse(read_file(kHandouts / "classroom50/runtime.json"));
  EXPECT_EQ(runtime.size(), 2u);
  EXPECT_TRUE(runtime.at("runs-on").is_string());
  EXPECT_TRUE(runtime.at("container").at("image").is_string());
  EXPECT_EQ(runtime.at("container").at("user"), "root");
}

// ---- PrairieLearn: https://docs.prairielearn.com/externalGrading/

class PrairieLearn : public LmsTest {
 protected:
  /// The entrypoint of the question, with this folder's grade/ in place of /grade and lab 1 of lab 3.
  process::Result grade(const std::vector<std::string>& environment = {}) const {
    const Json info = Json::parse(read_file(kHandouts / "prairielearn/info.json"));
    std::string line = info.at("externalGradingOptions").at("entrypoint").get<std::string>();
    line = replace_all(line, "/grade/", (folder_ / "grade/").string());
    line = replace_all(line, "/opt/memory-labs/bin/", programs_.string() + "/");
    return run(replace_all(line, "lab3", "lab1"), environment);
  }
  Json results() const { return json("grade/results/results.json"); }
  static constexpr const char* kKernel = "grade/student/kernel.cu";
};

TEST_F(PrairieLearn, TheScoreIsAFraction) {
  if (no_nvrtc()) GTEST_SKIP() << "skipped: there is no NVRTC";
  for (const auto& [solution, score] : {std::pair{kRight, 1.0}, {kSlow, 0.6}}) {
    submit(solution, kKernel);
    const process::Result graded = grade();
    ASSERT_EQ(graded.exit_code, 0) << "else the job has failed: " << graded.err;
    EXPECT_EQ(results()["gradable"], true);
    EXPECT_DOUBLE_EQ(results()["score"].get<double>(), score);
    EXPECT_EQ(results()["tests"].size(), 5u);
  }
}

TEST_F(PrairieLearn, WhatDoesNotCompileOrIsMissingIsNotGradable) {
  if (no_nvrtc()) GTEST_SKIP() << "skipped: there is no NVRTC";
  submit_text("__global__ void vecadd( {", kKernel);
  ASSERT_EQ(grade().exit_code, 0);
  EXPECT_EQ(results()["gradable"], false);
  EXPECT_NE(results()["format_errors"].dump().find("kernel.cu(1): error"), std::string::npos);
  fs::remove(folder_ / kKernel);
  ASSERT_EQ(grade().exit_code, 0);
  EXPECT_EQ(results()["gradable"], false);
  EXPECT_NE(results()["format_errors"].dump().find("kernel.cu is not there"), std::string::npos);
}

TEST_F(PrairieLearn, AGraderThatFailsIsAFailedJob) {
  submit(kRight, kKernel);
  EXPECT_EQ(grade(broken_).exit_code, kExitOurError);
  EXPECT_FALSE(exists("grade/results/results.json"));
}

// ---- Autolab: https://docs.autolabproject.com/lab/

class Autolab : public LmsTest {
 protected:
  /// Tango's job: the submission, the makefile and the archive in one folder; what make prints, last line first read.
  std::string last_line(const std::vector<std::string>& environment = {}) const {
    fs::copy_file(kHandouts / "autolab/autograde-Makefile", folder_ / "Makefile",
                  fs::copy_options::overwrite_existing);
    // The package, in as far as the makefile knows it: one folder with bin/labkit in it.
    fs::create_directories(folder_ / "package-1.0/bin");
    write_file_atomically(folder_ / "package-1.0/bin/labkit",
                          "#!/bin/sh\nexec '" + (programs_ / "labkit").string() + "' \"$@\"\n");
    fs::permissions(folder_ / "package-1.0/bin/labkit", fs::perms::owner_all);
    const process::Result made =
        run("tar -cf autograde.tar package-1.0 && rm -r package-1.0 && make LAB=lab1 2>&1",
            environment);
    const std::string_view out = trim(made.out);
    return std::string(out.substr(out.rfind('\n') + 1));
  }
};

TEST_F(Autolab, TheLastLineHasTheScores) {
  if (run("make --version").exit_code != 0) GTEST_SKIP() << "skipped: there is no make";
  if (no_nvrtc()) GTEST_SKIP() << "skipped: there is no NVRTC";
  submit(kRight, "kernel.cu");
  EXPECT_EQ(last_line(), R"({"scores":{"lab1":100}})");
  submit(kSlow, "kernel.cu");
  EXPECT_EQ(last_line(), R"({"scores":{"lab1":60}})");
  submit_text("__global__ void vecadd( {", "kernel.cu");
  EXPECT_EQ(last_line(), R"({"scores":{"lab1":0}})");
  fs::remove(folder_ / "kernel.cu");
  EXPECT_EQ(last_line(), R"({"scores":{"lab1":0}})");
}

TEST_F(Autolab, AGraderThatFailsHasNoScores) {
  if (run("make --version").exit_code != 0) GTEST_SKIP() << "skipped: there is no make";
  submit(kRight, "kernel.cu");
  EXPECT_EQ(last_line(broken_).find("scores"), std::string::npos) << last_line(broken_);
}

}  // namespace
}  // namespace labkit::cli
