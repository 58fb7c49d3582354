// `labkit hint`, as it is typed.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "../base/temporary_folder.h"
#include "base/error.h"
#include "base/files.h"
#include "cli/hint_state.h"
#include "kept_cache.h"
#include "process/process.h"
#include "report/style.h"

namespace labkit::cli {
namespace {

std::filesystem::path solution(const std::string& path) {
  return std::filesystem::path(LABKIT_SOURCE_DIR) / "solutions/lab3_corner_turning" / path;
}

/// A semicolon is missing: told in a moment, and with as many hints as a race.
constexpr const char* kBroken =
    "template <typename T>\n__global__ void corner_turn(const T* in, T* out, "
    "int rows, int cols) {\n  out[0] = in[0]\n}\n";

/// Hints do not stay from one test to the next.
class HintTest : public testing::Test {
 protected:
  void SetUp() override {
    file_ = folder_.path() / "kernel.cu";
    std::filesystem::remove_all(kept_cache() / "hints");
  }

  void use(const std::filesystem::path& source) {
    std::filesystem::copy_file(source, file_, std::filesystem::copy_options::overwrite_existing);
  }
  process::Result hint(std::vector<std::string> more = {}) {
    process::Command command;
    command.argv = {
        (std::filesystem::path(process::own_executable()).parent_path() / "labkit").string(),
        "hint",
        "lab3",
        "--device",
        "sim",
        "--file",
        file_.string()};
    command.argv.insert(command.argv.end(), more.begin(), more.end());
    command.environment = process::inherited(
        {"PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "CUDA_HOME", "LABKIT_NVRTC", "ASAN_OPTIONS"});
    command.environment.push_back("LABKIT_CACHE=" + kept_cache().string());
    command.limits = {.wall_seconds = 120};
    process::Result result = process::run(command);
    EXPECT_EQ(result.exit_code, kExitOk) << result.out << result.err;
    return result;
  }
  static std::filesystem::path state() { return kept_cache() / "hints/lab3.json"; }

  TemporaryFolder folder_;
  std::filesystem::path file_;
};

bool says(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

TEST_F(HintTest, GivesOneTierAfterTheOtherForTheDefectAtHand) {
  use(solution("wrong/no_barrier.cu"));
  const std::string first = hint().out;
  EXPECT_TRUE(says(first, "CornerTurning.WholeTiles: race\n")) << first;
  EXPECT_TRUE(says(first, "Hint 1 of 3\n")) << first;
  EXPECT_TRUE(says(first, "2 more hints for this mistake:\n  labkit hint lab3")) << first;
  EXPECT_TRUE(says(first, "reads from the tile at line ")) << first;
  EXPECT_FALSE(says(first, "Hint 2"));
  EXPECT_TRUE(says(hint().out, "Hint 2 of 3\n"));
  const std::string again = hint({"--again"}).out;
  EXPECT_TRUE(says(again, "Hint 1 of 3\n") && says(again, "Hint 2 of 3\n")) << again;
  EXPECT_FALSE(says(again, "Hint 3"));
  const std::string last = hint().out;
  EXPECT_TRUE(says(last, "Hint 3 of 3\n") && says(last, "the last hint")) << last;
  EXPECT_EQ(hint().out, last);
  EXPECT_TRUE(says(hint({"--reset"}).out, "start again"));
  EXPECT_EQ(hint().out, first);
}

TEST_F(HintTest, AnotherDefectHasALadderOfItsOwnAndTheOldOneIsKept) {
  use(solution("wrong/no_barrier.cu"));
  hint();
  use(solution("wrong/tile_not_turned.cu"));
  const std::string other = hint().out;
  EXPECT_TRUE(says(other, "Hint 1 of 3\n")) << other;
  EXPECT_TRUE(says(other, "holds what belongs to out")) << other;
  // a line more moves the race, and does not begin its hints anew, nor does an attempt to mend the line
  std::ofstream(file_) << "// again\n" << read_file(solution("wrong/no_barrier.cu"));
  const std::string moved = hint().out;
  EXPECT_TRUE(says(moved, "Hint 2 of 3\n")) << moved;
  use(solution("correct/tile.cu"));
  EXPECT_TRUE(says(hint().out, "lab3 passes, 100 of 100 points: there is nothing to hint at."));
}

TEST_F(HintTest, AskingAgainDoesNotGradeAgain) {
  use(solution("wrong/no_barrier.cu"));
  hint();
  // what the state says is what is told: the result in it is the one that is used
  std::string text = read_file(state());
  const std::string from = "change_waits", to = "change_atomic";
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + 1))
    text.replace(at, from.size(), to);
  std::ofstream(state()) << text;
  EXPECT_TRUE(says(hint().out, "Without an atomic operation"));
  std::ofstream(file_) << "// again\n" << read_file(solution("wrong/no_barrier.cu"));
  EXPECT_TRUE(says(hint().out, "Without the barrier"));
}

TEST_F(HintTest, ADefectOfTheSameKindAtAnotherPlaceBeginsWithItsFirstHint) {
  HintState state(folder_.path() / "hints", "lab3");
  const HintedDefect first{.id = "out_of_bounds.tail turn", .line = 9, .text = "out[i] = 1;"};
  state.set_shown("a.cu", first, 3);
  EXPECT_EQ(state.shown("a.cu", first), 3u);
  EXPECT_EQ(state.shown("b.cu", first), 0u);
  HintedDefect moved = first, tried = first, other = first, kind = first;
  moved.line = 12;
  tried.text = "out[i - 1] = 1;";
  other.line = 20;
  other.text = "in[i] = 1;";
  kind.id = "out_of_bounds.one_past turn";
  EXPECT_EQ(state.shown("a.cu", moved), 3u) << "lines above it were put in";
  EXPECT_EQ(state.shown("a.cu", tried), 3u) << "it was to be fixed, and is not";
  EXPECT_EQ(state.shown("a.cu", other), 0u);
  EXPECT_EQ(state.shown("a.cu", kind), 0u);
  state.set_shown("a.cu", other, 1);
  EXPECT_EQ(state.shown("a.cu", tried), 0u) << "the last one was another";
  EXPECT_EQ(state.shown("a.cu", first), 3u) << "the old one is back";
  state.write();
  const HintState read(folder_.path() / "hints", "lab3");
  EXPECT_EQ(read.warning, "");
  EXPECT_EQ(read.shown("a.cu", other), 1u);
  EXPECT_EQ(read.shown("a.cu", first), 3u);
}

TEST_F(HintTest, WhatWasMendedBeginsAnewShouldItComeBack) {
  std::ofstream(file_) << kBroken;
  hint();
  EXPECT_TRUE(says(hint().out, "Hint 2 of 3\n"));
  use(solution("correct/tile.cu"));
  hint();
  std::ofstream(file_) << kBroken;
  EXPECT_TRUE(says(hint().out, "Hint 1 of 3\n"));
}

TEST_F(HintTest, AStateThatCannotBeReadBeginsAnewAndSaysSo) {
  std::ofstream(file_) << kBroken;
  hint();
  for (const char* spoilt : {"", "{", "[]", "{\"version\": 1}", "{\"version\": 2, \"shown\": 3}"}) {
    std::ofstream(state()) << spoilt;
    const process::Result result = hint();
    EXPECT_TRUE(says(result.err, "lab3.json could not be read; the hints of lab3 start again."))
        << result.err;
    EXPECT_TRUE(says(result.out, "Hint 1 of 3\n")) << result.out;
    EXPECT_TRUE(says(hint().out, "Hint 2 of 3\n"));
  }
}

TEST_F(HintTest, WhatNeverCompiledAndWhatIsEmptyHaveHintsToo) {
  std::ofstream(file_) << kBroken;
  const std::string broken = hint().out;
  EXPECT_TRUE(says(broken, "Hint 1 of 3\n") && says(broken, "what is at line 3,") &&
              says(broken, "lab3: compile error\n  A semicolon is missing"))
      << broken;
  use(std::filesystem::path(LABKIT_SOURCE_DIR) / "labs/lab3_corner_turning/kernel.cu");
  if (says(read_file(file_), "TODO")) {
    const std::string stub = hint().out;
    EXPECT_TRUE(says(stub, "A naive transpose strides on one side.")) << stub;
  }
}

TEST(HintText, IsBrokenAtBlanks) {
  EXPECT_EQ(report::wrapped("one two three", 9, "  "), "  one two\n  three\n");
  EXPECT_EQ(report::wrapped("  one   two ", 80, ""), "one two\n");
  EXPECT_EQ(report::wrapped("toolongaword x", 4, ""), "toolongaword\nx\n");
  EXPECT_EQ(report::wrapped("", 80, "  "), "");
}

}  // namespace
}  // namespace labkit::cli
