// Pages that explain, as they are asked for: `labkit explain`, `labkit profile --html`, and a lab's check that fails.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "class_files.h"
#include "process/process.h"

namespace labkit::cli {
namespace {

namespace fs = std::filesystem;

class Explain : public testing::Test {
 protected:
  process::Result run(const std::string& program, std::vector<std::string> arguments) {
    process::Command command;
    command.argv = {(fs::path(process::own_executable()).parent_path() / program).string()};
    command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
    command.environment = process::inherited(
        {"PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "CUDA_HOME", "LABKIT_NVRTC", "ASAN_OPTIONS"});
    command.environment.push_back("LABKIT_CACHE=" + (folder_.path() / "cache").string());
    command.environment.emplace_back("LABKIT_DEVICE=sim");
    command.limits = {.wall_seconds = 240};
    return process::run(command);
  }
  process::Result check(const std::string& solution, const std::string& test,
                        const fs::path& page) {
    return run("lab3_check", {"--file", path_of(solution), "--gtest_filter=" + test,
                              "--failure-page", page.string()});
  }
  static std::string path_of(const std::string& solution) {
    return std::string(LABKIT_SOURCE_DIR) + "/solutions/lab3_corner_turning/" + solution;
  }
  static std::string last_line(const std::string& text) {
    const auto lines = split_lines(text);
    return lines.empty() ? "" : std::string(lines.back());
  }
  course::TemporaryFolder folder_;
};

TEST_F(Explain, PrintsWhereThePageIs) {
  const fs::path page = folder_.path() / "page.html";
  const auto ran = run("labkit", {"explain", "lab3", "--file", path_of("wrong/coalesced_read.cu"),
                                  "--html", page.string()});
  EXPECT_EQ(ran.exit_code, kExitOk) << ran.err;
  EXPECT_EQ(ran.out, "lab3: gate sectors\nPage: " + page.string() + "\n");
  const std::string html = read_file(page);
  EXPECT_NE(html.find("out[c * rows + r]"), std::string::npos) << "the source stands in it";
  EXPECT_NE(html.find("data-samples"), std::string::npos);
}

TEST_F(Explain, WithoutAPlaceItIsInTheBuild) {
  const auto ran = run("labkit", {"explain", "lab3", "--file", path_of("correct/tile.cu")});
  const fs::path page =
      fs::path(process::own_executable()).parent_path().parent_path() / "pages" / "lab3.html";
  EXPECT_EQ(ran.exit_code, kExitOk) << ran.err;
  EXPECT_EQ(last_line(ran.out), "Page: " + page.string());
  EXPECT_NE(read_file(page).find("Everything that was asked for holds"), std::string::npos);
  fs::remove(page);
}

TEST_F(Explain, AWrongCommandLineIsUsage) {
  EXPECT_EQ(run("labkit", {"explain"}).exit_code, kExitUsage);
  EXPECT_EQ(run("labkit", {"explain", "lab77"}).exit_code, kExitUsage);
  EXPECT_EQ(run("labkit", {"explain", "lab3", "--file", "/nowhere.cu"}).exit_code, kExitUsage);
  const auto nowhere = run("labkit", {"explain", "lab3", "--html", "/nowhere/page.html"});
  EXPECT_EQ(nowhere.exit_code, kExitOurError);
  EXPECT_NE(nowhere.err.find("/nowhere"), std::string::npos) << nowhere.err;
}

TEST_F(Explain, ATestThatFailsEndsWithItsPage) {
  const struct {
    const char *solution, *test, *says;
  } kFailures[] = {
      {"wrong/coalesced_read.cu", "CornerTurning.Bandwidth", "32 wide"},
      {"wrong/no_barrier.cu", "CornerTurning.WholeTiles", "hazard"},
      {"wrong/block_not_turned.cu", "CornerTurning.AnyShape", "expected"},
      {"wrong/square_only.cu", "CornerTurning.AnyShape", "out_of_bounds"},
  };
  for (const auto& failure : kFailures) {
    const fs::path page = folder_.path() / "pages" / "one.html";
    const auto ran = check(failure.solution, failure.test, page);
    EXPECT_EQ(ran.exit_code, kExitVerdict) << failure.solution << ran.out << ran.err;
    EXPECT_EQ(last_line(ran.out), "Page: " + page.string()) << failure.solution;
    ASSERT_TRUE(fs::exists(page)) << failure.solution;
    EXPECT_NE(read_file(page).find(failure.test), std::string::npos) << failure.solution;
  }
}

TEST_F(Explain, WhatDoesNotCompileHasAPageToo) {
  const fs::path page = folder_.path() / "ready.html";
  const fs::path broken = folder_.write("kernel.cu",
                                        "template <typename T>\n__global__ void corner_turn(const "
                                        "T* in, T* out, int rows, int cols) {\n"
                                        "  out[0] = in[0]\n}\n");
  const auto ran =
      run("lab3_check", {"--ready", "--file", broken.string(), "--failure-page", page.string()});
  EXPECT_EQ(ran.exit_code, kExitVerdict);
  EXPECT_EQ(last_line(ran.out), "Page: " + page.string());
  const std::string html = read_file(page);
  EXPECT_NE(html.find("compile_error"), std::string::npos);
  EXPECT_NE(html.find("href=\"#source-L"), std::string::npos) << "the error leads to its line";
}

TEST_F(Explain, ATestThatPassesLeavesNoPageOfAnEarlierFailure) {
  const fs::path page = folder_.write("one.html", "of yesterday");
  const auto ran = check("correct/tile.cu", "CornerTurning.WholeTiles", page);
  EXPECT_EQ(ran.exit_code, kExitOk);
  EXPECT_EQ(ran.out.find("Page:"), std::string::npos);
  EXPECT_FALSE(fs::exists(page));
}

TEST_F(Explain, AFullDiskIsToldAndChangesNoVerdict) {
  const auto ran = check("wrong/coalesced_read.cu", "CornerTurning.Bandwidth", "/dev/full");
  EXPECT_EQ(ran.exit_code, kExitVerdict);
  EXPECT_EQ(last_line(ran.out).rfind("No page: cannot write /dev/full: No space left on device", 0),
            0u)
      << ran.out;
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
  const fs::path file = folder_.write("file", "");
  const auto nowhere = check("wrong/coalesced_read.cu", "CornerTurning.Bandwidth", file / "x.html");
  EXPECT_EQ(nowhere.exit_code, kExitVerdict);
  EXPECT_EQ(last_line(nowhere.out).rfind("No page: cannot write ", 0), 0u) << nowhere.out;
}

TEST_F(Explain, WithoutBeingAskedThereIsNoPage) {
  const auto ran = run("lab3_check", {"--file", path_of("wrong/coalesced_read.cu")});
  EXPECT_EQ(ran.exit_code, kExitVerdict);
  EXPECT_EQ(ran.out.find("Page:"), std::string::npos) << ran.out;
}

TEST_F(Explain, GradeNamesTheCommand) {
  const std::string file = path_of("wrong/coalesced_read.cu");
  const auto failed = run("labkit", {"grade", "lab3", "--file", file});
  EXPECT_EQ(last_line(failed.out),
            "Which line, which lanes and why, on a page: labkit explain lab3 --file " + file);
  const auto passed = run("labkit", {"grade", "lab3", "--file", path_of("correct/tile.cu")});
  EXPECT_EQ(passed.out.find("labkit explain"), std::string::npos);
}

TEST_F(Explain, AProfileWritesAPage) {
  const fs::path page = folder_.path() / "profile.html";
  const fs::path cu = folder_.write("k.cu",
                                    "__global__ void k(const float* in, float* out) {\n"
                                    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                    "  out[i] = in[8 * i];\n"
                                    "}\n");
  const auto ran = run(
      "labkit", {"profile", cu.string(), "--kernel", "k", "--grid", "4", "--block", "64", "--arg",
                 "f32[2048]:random", "--arg", "f32[256]:poison", "--html", page.string()});
  EXPECT_EQ(ran.exit_code, kExitOk) << ran.err;
  EXPECT_EQ(last_line(ran.out), "Page: " + page.string());
  const std::string html = read_file(page);
  EXPECT_NE(html.find("id=\"source-L3\" data-key=\"0-0 0-1\""), std::string::npos);
}

}  // namespace
}  // namespace labkit::cli
