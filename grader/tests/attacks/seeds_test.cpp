// Right answers get the same points whichever blocks a seed makes the model look at: every correct solution of every lab, its
// graded tests. With a few of each in the kit's own suite, and all under the label `long`.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "compile/compile.h"
#include "grade/manifest.h"
#include "process/process.h"

namespace labkit::attacks {
namespace {

namespace fs = std::filesystem;

class Seeds : public testing::Test {
 protected:
  void SetUp() override {
    try {
      compile::find_nvrtc();
    } catch (const Error& error) {
      GTEST_SKIP() << "needs NVRTC: " << error.what();
    }
    std::string pattern = testing::TempDir() + "labkit-seeds-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override {
    if (!folder_.empty()) fs::remove_all(folder_);
  }

  static std::string graded_tests(const fs::path& lab) {
    std::string filter;
    for (const grade::Test& test : grade::load_manifest(lab).tests)
      if (test.is_graded) filter += (filter.empty() ? "" : ":") + test.name;
    return filter;
  }

  /// Points of each graded test.
  std::map<std::string, double> points(const fs::path& lab, const fs::path& file,
                                       std::uint64_t seed) const {
    const std::string name = lab.filename();
    const fs::path json = folder_ / "result.json";
    process::Command command;
    command.argv = {(fs::path(process::own_executable()).parent_path() / "lab_check").string(),
                    "--lab",
                    name.substr(0, name.find('_')),
                    "--file",
                    file.string(),
                    "--device",
                    "sim",
                    "--seed",
                    std::to_string(seed),
                    "--json",
                    json.string(),
                    "--gtest_filter=" + graded_tests(lab)};
    command.environment = process::inherited(
        {"PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "CUDA_HOME", "LABKIT_NVRTC", "ASAN_OPTIONS"});
    command.environment.push_back("LABKIT_CACHE=" + (folder_ / "cache").string());
    command.limits = {.wall_seconds = 900, .output_bytes = 64u << 20};
    const process::Result run = process::run(command);
    std::map<std::string, double> points;
    const auto result = nlohmann::json::parse(read_file(json), nullptr, false);
    if (result.is_discarded()) {
      ADD_FAILURE() << file << '\n' << run.out << run.err;
      return {};
    }
    for (const auto& test : result["tests"])
      if (test["verdict"] != "not_run") points[test["name"]] = test["points"];
    return points;
  }

  /// `most` of the lab's solutions.
  void expect_the_same(const std::string& lab_name, std::size_t most, std::uint64_t seeds) const {
    const fs::path lab = fs::path(LABKIT_SOURCE_DIR) / "labs" / lab_name;
    std::vector<fs::path> files;
    for (const auto& entry :
         fs::directory_iterator(fs::path(LABKIT_SOURCE_DIR) / "solutions" / lab_name / "correct"))
      if (entry.path().extension() == ".cu") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    ASSERT_FALSE(files.empty());
    files.resize(std::min(files.size(), most));
    for (const fs::path& file : files) {
      const auto first = points(lab, file, 1);
      EXPECT_FALSE(first.empty()) << file;
      for (std::uint64_t seed = 2; seed <= seeds; ++seed)
        EXPECT_EQ(points(lab, file, seed), first) << file << ", seed " << seed;
    }
  }

 private:
  fs::path folder_;
};

TEST_F(Seeds, ASolutionOfLab4HasTheSamePointsUnderAnother) {
  expect_the_same("lab4_bank_conflict_padding", 1, 3);
}

class LongSeeds : public Seeds, public testing::WithParamInterface<std::string> {};
TEST_P(LongSeeds, EachSolutionHasTheSamePointsUnderTwenty) {
  expect_the_same(GetParam(), 1000, 20);
}

std::vector<std::string> labs() {
  std::vector<std::string> all;
  for (const auto& entry : fs::directory_iterator(fs::path(LABKIT_SOURCE_DIR) / "labs"))
    if (fs::exists(entry.path() / "lab.toml")) all.push_back(entry.path().filename());
  std::sort(all.begin(), all.end());
  return all;
}
INSTANTIATE_TEST_SUITE_P(Lab, LongSeeds, testing::ValuesIn(labs()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace labkit::attacks
