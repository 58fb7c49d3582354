// Pages that explain, as they are asked for: `labkit explain`, `labkit profile --html`, and a lab's check that fails.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "../base/temporary_folder.h"
#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "kept_cache.h"
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
    command.environment.push_back("LABKIT_CACHE=" + kept_cache().string());
    command.environment.emplace_back("LABKIT_DEVICE=sim");
    command.limits = {.wall_seconds = 240};
    return process::run(command);
  }
  process::Result check(const std::string& solution, const std::string& test,
                        const fs::path& page) {
    return run("lab_check", {"--lab", "lab3", "--file", path_of(solution), "--gtest_filter=" + test,
                             "--failure-page", page.string()});
  }
  static std::string path_of(const std::string& solution) {
    return std::string(LABKIT_SOURCE_DIR) + "/solutions/lab3_corner_turning/" + solution;
  }
  static std::string last_line(const std::string& text) {
    const auto lines = split_lines(text);
    return lines.empty() ? "" : std::string(lines.back());
  }
  static std::string of_lab0(const std::string& solution) {
    return std::string(LABKIT_SOURCE_DIR) + "/solutions/lab0_copy_offset/" + solution;
  }
  TemporaryFolder folder_;
};

TEST_F(Explain, PrintsWhereThePageIs) {
  const fs::path page = folder_.path() / "page.html";
  const auto ran = run("labkit", {"explain", "lab3", "--file", path_of("wrong/coalesced_read.cu"),
                                  "--html", page.string()});
  EXPECT_EQ(ran.exit_code, kExitOk) << ran.err;
  EXPECT_EQ(ran.out.find("lab3: too much traffic\n  "), 0u) << ran.out;
  EXPECT_EQ(last_line(ran.out), "Page: " + page.string());
  const std::string html = read_file(page);
  EXPECT_NE(html.find("out[c * rows + r]"), std::string::npos) << "the source stands in it";
  EXPECT_NE(html.find("data-worst"), std::string::npos);
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

/// To stand in another page: the source and the player, and of a race both steps; nothing else of the page that explains.
TEST_F(Explain, TheFilmCanStandAlone) {
  const fs::path page = folder_.path() / "film.html";
  const std::string source = LABKIT_SOURCE_DIR "/handouts/examples/tiles_race.cu";
  const auto film_of = [&](const std::string& launch, const std::string& file) {
    return run("labkit", {"profile", file, "--check", "--film", page.string(), launch});
  };
  EXPECT_EQ(film_of("reverse<<<1, 64>>>(f32[192]:iota, f32[192]:poison, 192)", source).exit_code,
            kExitVerdict);
  const std::string html = read_file(page);
  EXPECT_LT(html.size(), 2'000'000u);
  EXPECT_NE(html.find("id=\"film-slider\""), std::string::npos);
  EXPECT_NE(html.find("tile[63 - t]"), std::string::npos) << "the source";
  EXPECT_NE(html.find("has not yet read it at <a href"), std::string::npos) << html;
  EXPECT_NE(html.find("has already written it at <a href"), std::string::npos);
  for (const char* absent :
       {"<header", "<footer", "id=\"gates\"", "id=\"counters\"", "id=\"found\""})
    EXPECT_EQ(html.find(absent), std::string::npos) << absent;
  EXPECT_EQ(film_of("reverse<<<1, 2048>>>(f32[192]:iota, f32[192]:poison, 192)", source).exit_code,
            kExitUsage);
  EXPECT_EQ(read_file(page), html) << "a launch that no GPU begins has no film";
  const std::string wrong = folder_.write("k.cu", "__global__ void k() { oops }\n").string();
  fs::remove(page);
  const auto none = film_of("k<<<1, 32>>>()", wrong);
  EXPECT_EQ(none.exit_code, kExitVerdict);
  EXPECT_NE(none.err.find("has no film"), std::string::npos) << none.err;
  EXPECT_FALSE(fs::exists(page));
}

TEST_F(Explain, AWrongCommandLineIsUsage) {
  EXPECT_EQ(run("labkit", {"explain"}).exit_code, kExitUsage);
  EXPECT_EQ(run("labkit", {"explain", "lab77"}).exit_code, kExitUsage);
  EXPECT_EQ(run("labkit", {"explain", "lab3", "--file", "/nowhere.cu"}).exit_code, kExitUsage);
}

/// A place that nothing can be written to is the user's to mend, and is told before the work.
TEST_F(Explain, AWrongPlaceForAReportIsUsage) {
  const std::string cu = folder_.write("k.cu", "__global__ void k() {}\n").string();
  const std::vector<std::string> profile = {"profile", cu, "k<<<1, 1>>>()"};
  const struct {
    std::string place, says;
  } kPlaces[] = {{"/nowhere/page.html", "there is no folder /nowhere"},
                 {"/proc/x", "no file can be made in /proc"},
                 {"", "has no name"},
                 {folder_.path().string(), "Is a directory"},
                 {cu, "will not write over"}};
  for (const auto& [place, says] : kPlaces) {
    for (std::vector<std::string> arguments :
         {std::vector<std::string>{"explain", "lab3", "--html"},
          std::vector<std::string>{"grade", "lab3", "--json"}, profile, profile}) {
      if (arguments[0] == "profile") arguments.emplace_back("--html");
      arguments.push_back(place);
      const auto ran = run("labkit", arguments);
      EXPECT_EQ(ran.exit_code, kExitUsage) << arguments[0] << " " << place << ": " << ran.err;
      EXPECT_NE((ran.out + ran.err).find(says), std::string::npos) << ran.out << ran.err;
    }
  }
  EXPECT_EQ(read_file(cu), "__global__ void k() {}\n");
}

TEST_F(Explain, ATestThatFailsEndsWithItsPage) {
  const struct {
    const char *solution, *test;
  } kFailures[] = {
      {"wrong/coalesced_read.cu", "CornerTurning.Bandwidth"},
      {"wrong/no_barrier.cu", "CornerTurning.WholeTiles"},
      {"wrong/block_not_turned.cu", "CornerTurning.AnyShape"},
      {"wrong/whole_tiles_only.cu", "CornerTurning.AnyShape"},
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
  const auto ran = run("lab_check", {"--lab", "lab3", "--ready", "--file", broken.string(),
                                     "--failure-page", page.string()});
  EXPECT_EQ(ran.exit_code, kExitVerdict);
  EXPECT_EQ(last_line(ran.out), "Page: " + page.string());
  const std::string html = read_file(page);
  EXPECT_NE(html.find("compile error"), std::string::npos);
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
  const auto check = [&](const fs::path& page) {
    return run("lab_check", {"--lab", "lab0", "--file", of_lab0("wrong/offset_forgotten.cu"),
                             "--failure-page", page.string()});
  };
  const auto ran = check("/dev/full");
  EXPECT_EQ(ran.exit_code, kExitVerdict);
  EXPECT_EQ(last_line(ran.out).rfind("No page: cannot write /dev/full: No space left on device", 0),
            0u)
      << ran.out;
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
  const fs::path file = folder_.write("file", "");
  const auto nowhere = check(file / "x.html");
  EXPECT_EQ(nowhere.exit_code, kExitVerdict);
  EXPECT_EQ(last_line(nowhere.out).rfind("No page: cannot write ", 0), 0u) << nowhere.out;
}

TEST_F(Explain, WithoutBeingAskedThereIsNoPage) {
  const auto ran =
      run("lab_check", {"--lab", "lab0", "--file", of_lab0("wrong/offset_forgotten.cu")});
  EXPECT_EQ(ran.exit_code, kExitVerdict);
  EXPECT_EQ(ran.out.find("Page:"), std::string::npos) << ran.out;
}

TEST_F(Explain, GradeNamesTheCommand) {
  const std::string file = of_lab0("wrong/offset_forgotten.cu");
  const auto failed = run("labkit", {"grade", "lab0", "--file", file});
  EXPECT_EQ(last_line(failed.out),
            "See which line, which lanes and why on a page: labkit explain lab0 --file " + file);
  const auto passed = run("labkit", {"grade", "lab0", "--file", of_lab0("correct/plain.cu")});
  EXPECT_EQ(passed.out.find("labkit explain"), std::string::npos);
}

/// As a class's gradings have it.
TEST_F(Explain, TheTimesOfCopiesAreKeptWhereTheCommandSays) {
  const auto ran = run("lab_check", {"--lab", "lab0", "--file", of_lab0("correct/plain.cu"),
                                     "--copies", (folder_.path() / "kept").string()});
  EXPECT_EQ(ran.exit_code, kExitOk) << ran.out << ran.err;
  EXPECT_FALSE(fs::is_empty(folder_.path() / "kept/copies"));
}

TEST_F(Explain, AProfileWritesAPage) {
  const fs::path page = folder_.path() / "profile.html";
  const fs::path cu = folder_.write("k.cu",
                                    "__global__ void k(const float* in, float* out) {\n"
                                    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                    "  out[i] = in[8 * i];\n"
                                    "}\n");
  const auto ran =
      run("labkit", {"profile", cu.string(), "k<<<4, 64>>>(f32[2048]:random, f32[256]:poison)",
                     "--html", page.string()});
  EXPECT_EQ(ran.exit_code, kExitOk) << ran.err;
  EXPECT_EQ(last_line(ran.out), "Page: " + page.string());
  const std::string html = read_file(page);
  EXPECT_NE(html.find("id=\"source-L3\" data-key=\"0-0 0-1\""), std::string::npos);
}

/// What used up the budget is named by its line: a loop that no single block makes too long, and a printf.
TEST_F(Explain, AUsedUpBudgetHasALine) {
  const fs::path cu = folder_.write("k.cu",
                                    "#include <cstdio>\n"
                                    "__global__ void k(float* out, int n) {\n"
                                    "  float sum = 0;\n"
                                    "  for (int i = 0; i < n; ++i)\n"
                                    "    sum = sum * 0.5f + out[threadIdx.x];\n"
                                    "  out[threadIdx.x] = sum;\n"
                                    "}\n"
                                    "__global__ void p(float* out, int n) {\n"
                                    "  for (int i = 0; i < n; ++i)\n"
                                    "    printf(\"turn %d\\n\", i);\n"
                                    "}\n");
  const auto profile = [&](const char* kernel, const char* grid, const char* turns) {
    return run("labkit", {"profile", cu.string(),
                          fmt::format("{}<<<{}, 32>>>(f32[32]:zero, {})", kernel, grid, turns),
                          "--budget", "2000000"});
  };
  const auto many = profile("k", "1000", "i32:200");
  EXPECT_EQ(many.exit_code, kExitVerdict) << many.out << many.err;
  EXPECT_NE(many.out.find("most often at line 5"), std::string::npos) << many.out;
  EXPECT_NE(many.out.find("at k in k.cu:5"), std::string::npos) << many.out;
  for (const auto& printing : {profile("p", "1000", "i32:20"), profile("p", "1", "i32:1000000")}) {
    EXPECT_EQ(printing.exit_code, kExitVerdict) << printing.out << printing.err;
    EXPECT_NE(printing.out.find("The printf of line 10 runs too often."), std::string::npos)
        << printing.out;
    EXPECT_NE(printing.out.find("Fix: Print from one thread"), std::string::npos) << printing.out;
    EXPECT_NE(printing.out.find("  | turn 0\n"), std::string::npos) << printing.out;
  }
}

TEST_F(Explain, GradeTellsALinesFaultInFewLines) {
  const auto race = run("labkit", {"grade", "lab3", "--file", path_of("wrong/no_barrier.cu")});
  EXPECT_NE(race.out.find("Thread (1,0,0) writes tile[0][1] at line "), std::string::npos)
      << race.out;
  EXPECT_NE(race.out.find("+ __syncthreads();"), std::string::npos) << race.out;
  EXPECT_NE(race.out.find("CornerTurning.AnyShape: race\n  The change above fixes this too."),
            std::string::npos)
      << race.out;
  const auto barrier =
      run("labkit", {"grade", "lab3", "--file", path_of("wrong/barrier_inside_if.cu")});
  EXPECT_NE(barrier.out.find("Lanes 0 to 30 of warp 0 wait at the barrier of line "),
            std::string::npos)
      << barrier.out;
  const auto bounds = run("labkit", {"grade", "lab3", "--file", path_of("wrong/square_only.cu")});
  EXPECT_NE(bounds.out.find("but the last element is out["), std::string::npos) << bounds.out;
  EXPECT_NE(bounds.out.find("Lanes 0 to 31 of warp 31 are past the end."), std::string::npos)
      << bounds.out;
  const auto gate = run("labkit", {"grade", "lab3", "--file", path_of("wrong/coalesced_read.cu")});
  EXPECT_NE(gate.out.find("\n  Limit missed: "), std::string::npos) << gate.out;
}

}  // namespace
}  // namespace labkit::cli
