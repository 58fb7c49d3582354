// Editors that ask clangd: a kernel.cu has no false error there, without a CUDA Toolkit, and a true one is seen.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/text.h"
#include "process/process.h"

namespace labkit::cli {
namespace {

namespace fs = std::filesystem;

const fs::path kEditorSource = LABKIT_SOURCE_DIR;

fs::path clangd() {
  for (const char* name : {"/usr/bin/clangd", "/usr/local/bin/clangd"})
    if (fs::exists(name)) return name;
  return {};
}

class Editor : public testing::Test {
 protected:
  void SetUp() override {
    if (clangd().empty())
      GTEST_SKIP() << "skipped: there is no clangd (sudo apt-get install clangd)";
    home_ = fs::temp_directory_path() / ("labkit_editor_test_" + std::to_string(getpid()));
    fs::create_directories(home_);
  }
  void TearDown() override { fs::remove_all(home_); }

  /// What clangd has against a file, a line each: "E[..] [undeclared_var_use] Line 3: ...".
  std::string complaints(const fs::path& file) const {
    process::Command command;
    // Of its features only the first line is tried: it is the diagnostics of the whole that matter.
    command.argv = {clangd().string(), "--check=" + file.string(), "--check-lines=1-1"};
    command.environment = {"HOME=" + home_.string(), "PATH=/usr/bin:/bin"};
    command.limits = {.wall_seconds = 120};
    const process::Result result = process::run(command);
    EXPECT_EQ(result.end, process::End::exited) << process::describe(result, command.limits);
    EXPECT_NE(result.err.find("All checks completed"), std::string::npos) << result.err;
    std::string found;
    for (const std::string_view line : split_lines(result.err))
      if (line.starts_with("E[") && line.find("All checks completed") == line.npos)
        found += std::string(line) + "\n";
    return found;
  }
  fs::path home_;
};

TEST_F(Editor, HasNothingAgainstTheStubs) {
  for (const auto& lab : fs::directory_iterator(kEditorSource / "labs"))
    if (fs::exists(lab.path() / "kernel.cu")) {
      EXPECT_EQ(complaints(lab.path() / "kernel.cu"), "") << lab.path();
    }
}

/// Of each lab those files that come first, so many.
std::vector<fs::path> solutions(std::size_t of_a_lab) {
  std::vector<fs::path> all;
  for (const auto& lab : fs::directory_iterator(kEditorSource / "solutions")) {
    if (!lab.is_directory()) continue;
    std::vector<fs::path> files;
    for (const auto& file : fs::directory_iterator(lab.path() / "correct"))
      // Its main() is host code, which no lab asks for; and cooperative groups need the toolkit's header.
      if (file.path().stem() != "whole_program" &&
          read_file(file.path()).find("#include <cooperative_groups") == std::string::npos)
        files.push_back(file.path());
    std::sort(files.begin(), files.end());
    files.resize(std::min(files.size(), of_a_lab));
    all.insert(all.end(), files.begin(), files.end());
  }
  return all;
}

TEST_F(Editor, HasNothingAgainstASolutionOfEachLab) {
  const auto files = solutions(1);
  EXPECT_GE(files.size(), 12u);
  for (const fs::path& file : files) EXPECT_EQ(complaints(file), "") << file;
}

TEST_F(Editor, HasNothingAgainstAnySolution) {
  for (const fs::path& file : solutions(1000)) EXPECT_EQ(complaints(file), "") << file;
}

TEST_F(Editor, SeesWhatIsWrong) {
  fs::create_directories(home_ / "labs/lab1_x");
  fs::copy_file(kEditorSource / "labs/.clangd", home_ / "labs/.clangd");
  fs::copy(kEditorSource / "labs/.editor", home_ / "labs/.editor", fs::copy_options::recursive);
  const fs::path kernel = home_ / "labs/lab1_x/kernel.cu";
  write_file_atomically(kernel,
                        "__global__ void k(float* out) {\n  out[threadIdx.x] = blockDim.q;\n}\n");
  EXPECT_NE(complaints(kernel).find("Line 2: no member named 'q' in 'dim3'"), std::string::npos)
      << complaints(kernel);
  write_file_atomically(kernel,
                        "__global__ void k(unsigned* n) { atomicAdd(&n[threadIdx.x], 1); }\n");
  EXPECT_EQ(complaints(kernel), "");
}

TEST(Devcontainer, SetsTheKitUp) {
  const auto json =
      nlohmann::json::parse(read_file(kEditorSource / ".devcontainer/devcontainer.json"), nullptr,
                            /*allow_exceptions=*/true, /*ignore_comments=*/true);
  EXPECT_NE(json.at("image").get<std::string>().find("ubuntu-24.04"), std::string::npos);
  EXPECT_NE(json.at("postCreateCommand").get<std::string>().find("./kit packages"),
            std::string::npos);
}

}  // namespace
}  // namespace labkit::cli
