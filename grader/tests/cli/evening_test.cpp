// A student's evening, as it is typed, in a copy of the kit's labs: list, show, watch, reset.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <future>
#include <regex>
#include <thread>

#include "base/error.h"
#include "base/files.h"
#include "cli/commands.h"
#include "cli/lab_state.h"
#include "compile/compile.h"
#include "process/process.h"
#include "report/style.h"

namespace labkit::cli {
namespace {

namespace fs = std::filesystem;

const fs::path kEveningSource = LABKIT_SOURCE_DIR;

bool evening_says(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

class Evening : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / ("labkit_evening_test_" + std::to_string(getpid()));
    fs::remove_all(root_);
    for (const char* lab : {"lab1_vecadd_coalescing", "lab3_corner_turning"}) {
      fs::create_directories(root_ / "labs");
      fs::copy(kEveningSource / "labs" / lab, root_ / "labs" / lab, fs::copy_options::recursive);
      // Who tests the kit may have worked on it.
      fs::copy_file(kEveningSource / "labs" / lab / ".stub", root_ / "labs" / lab / "kernel.cu",
                    fs::copy_options::overwrite_existing);
    }
    fs::copy_file(kEveningSource / "labs/hints.toml", root_ / "labs/hints.toml");
  }
  void TearDown() override { fs::remove_all(root_); }

  fs::path kernel() const { return root_ / "labs/lab1_vecadd_coalescing/kernel.cu"; }
  /// As an editor saves: a new file in the old one's place.
  void save(const std::string& solution) const {
    write_file_atomically(
        kernel(), read_file(kEveningSource / "solutions/lab1_vecadd_coalescing" / solution));
  }
  process::Result type(const std::string& program, std::vector<std::string> words,
                       const std::atomic<bool>* stop = nullptr) const {
    process::Command command;
    command.argv = {(fs::path(process::own_executable()).parent_path() / program).string()};
    command.argv.insert(command.argv.end(), words.begin(), words.end());
    command.environment = process::inherited(
        {"PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "CUDA_HOME", "LABKIT_NVRTC", "ASAN_OPTIONS"});
    command.environment.push_back("LABKIT_ROOT=" + root_.string());
    command.environment.push_back("LABKIT_CACHE=" + (root_ / "cache").string());
    command.environment.push_back("LABKIT_DEVICE=sim");
    command.limits = {.wall_seconds = 240};
    command.stop = stop;
    return process::run(command);
  }
  process::Result labkit(const std::vector<std::string>& words) const {
    return type("labkit", words);
  }
  /// The line of `labkit list` that begins so, with single blanks.
  std::string listed(const std::string& lab) const {
    const std::string text = labkit({"list"}).out;
    const std::size_t at = text.find("\n" + lab);
    if (at == text.npos) return text;
    return std::regex_replace(text.substr(at + 1, text.find('\n', at + 1) - at - 1),
                              std::regex(" +"), " ");
  }
  static bool no_nvrtc() {
    try {
      compile::find_nvrtc();
      return false;
    } catch (const compile::NoNvrtc&) {
      return true;
    }
  }
  fs::path root_;
};

TEST_F(Evening, TheListSaysHowFarEachLabIs) {
  if (no_nvrtc()) GTEST_SKIP() << "skipped: there is no NVRTC";
  EXPECT_TRUE(evening_says(listed("lab1"), "0/100 not begun")) << listed("lab1");
  EXPECT_TRUE(evening_says(labkit({"list"}).out, "Next: lab1,"));
  save("wrong/chunk_a_thread.cu");
  EXPECT_TRUE(evening_says(listed("lab1"), "0/100 not graded yet")) << listed("lab1");
  EXPECT_EQ(labkit({"grade", "lab1"}).exit_code, kExitVerdict);
  EXPECT_TRUE(evening_says(listed("lab1"), "60/100 too much traffic")) << listed("lab1");
  save("correct/grid_stride.cu");
  EXPECT_TRUE(evening_says(listed("lab1"), "0/100, best 60 changed since it was graded"))
      << listed("lab1");
  // as CTest does it, a test at a time
  type("lab_check", {"--lab", "lab1", "--gtest_filter=VecAdd.AnyLength"});
  EXPECT_TRUE(evening_says(listed("lab1"), "20/100, best 60 pass, 4 of 5 tests not run"))
      << listed("lab1");
  type("lab_check", {"--lab", "lab1", "--gtest_filter=-VecAdd.AnyLength"});
  EXPECT_TRUE(evening_says(listed("lab1"), "100/100 pass V")) << listed("lab1");
  EXPECT_TRUE(evening_says(labkit({"list"}).out, "Next: lab3,"));
  write_file_atomically(kernel(),
                        "template <typename T>\n__global__ void vecadd(const T* a, const "
                        "T* b, T* c, int n) { c[0] = 1 }\n");
  labkit({"grade", "lab1"});
  EXPECT_TRUE(evening_says(listed("lab1"), "0/100, best 100 compile error V")) << listed("lab1");
  fs::remove(kernel());
  EXPECT_TRUE(evening_says(listed("lab1"), "kernel.cu is not there")) << listed("lab1");
}

TEST_F(Evening, AStateThatCannotBeReadIsNone) {
  if (no_nvrtc()) GTEST_SKIP() << "skipped: there is no NVRTC";
  save("correct/grid_stride.cu");
  type("lab_check", {"--lab", "lab1", "--gtest_filter=VecAdd.AnyLength"});
  const fs::path state = root_ / "cache/state/lab1/VecAdd.AnyLength.json";
  ASSERT_TRUE(fs::exists(state));
  for (const char* spoilt : {"", "[]", "{\"of\": 3}", "{\"of\": \"x\", \"verdict\": \"great\"}"}) {
    write_file_atomically(state, spoilt);
    EXPECT_TRUE(evening_says(listed("lab1"), "not graded yet")) << listed("lab1");
  }
}

TEST_F(Evening, AnotherFileThanTheLabsOwnIsNoProgress) {
  if (no_nvrtc()) GTEST_SKIP() << "skipped: there is no NVRTC";
  const fs::path other = root_ / "other.cu";
  fs::copy_file(kEveningSource / "solutions/lab1_vecadd_coalescing/correct/grid_stride.cu", other);
  EXPECT_EQ(labkit({"grade", "lab1", "--file", other.string()}).exit_code, kExitOk);
  EXPECT_TRUE(evening_says(listed("lab1"), "not begun")) << listed("lab1");
  EXPECT_FALSE(fs::exists(root_ / "cache/state"));
}

TEST_F(Evening, ResetKeepsWhatItTakesAway) {
  EXPECT_TRUE(evening_says(labkit({"reset", "lab1"}).out, "as it was handed out"));
  EXPECT_TRUE(evening_says(labkit({"reset", "lab1", "--undo"}).out, "no reset has kept anything"));
  save("correct/grid_stride.cu");
  const std::string mine = read_file(kernel());
  const process::Result reset = labkit({"reset", "lab1"});
  EXPECT_EQ(reset.exit_code, kExitOk) << reset.err;
  EXPECT_TRUE(evening_says(reset.out, "Yours is kept in ")) << reset.out;
  EXPECT_EQ(read_file(kernel()), read_file(kEveningSource / "labs/lab1_vecadd_coalescing/.stub"));
  const grade::Manifest lab = grade::load_manifest(root_ / "labs/lab1_vecadd_coalescing");
  ASSERT_EQ(backups_of(lab).size(), 1u);
  EXPECT_EQ(read_file(backups_of(lab).front()), mine);
  // Twice in one second, and back step by step.
  save("wrong/chunk_a_thread.cu");
  const std::string later = read_file(kernel());
  labkit({"reset", "lab1"});
  EXPECT_EQ(backups_of(lab).size(), 2u);
  labkit({"reset", "lab1", "--undo"});
  EXPECT_EQ(read_file(kernel()), later);
  // What an undo takes away is kept as well.
  const process::Result undo = labkit({"reset", "lab1", "--undo"});
  EXPECT_EQ(read_file(kernel()), mine);
  EXPECT_TRUE(evening_says(undo.out, "is kept in")) << undo.out;
  ASSERT_EQ(backups_of(lab).size(), 1u);
  EXPECT_EQ(read_file(backups_of(lab).front()), later);
}

TEST_F(Evening, ResetWithoutWhatWasHandedOutIsOurs) {
  fs::remove(root_ / "labs/lab1_vecadd_coalescing/.stub");
  const process::Result reset = labkit({"reset", "lab1"});
  EXPECT_EQ(reset.exit_code, kExitOurError);
  EXPECT_TRUE(evening_says(reset.err, "Fix: copy labs/lab1_vecadd_coalescing")) << reset.err;
  EXPECT_EQ(labkit({"reset", "lab99"}).exit_code, kExitUsage);
  EXPECT_EQ(labkit({"reset"}).exit_code, kExitUsage);
}

TEST_F(Evening, ShowTellsTheTaskAndWhereToWrite) {
  const process::Result shown = labkit({"show", "lab1"});
  EXPECT_EQ(shown.exit_code, kExitOk) << shown.err;
  EXPECT_TRUE(evening_says(shown.out, "The task\n--------\n")) << shown.out;
  EXPECT_TRUE(evening_says(shown.out, "Write here: " + kernel().string())) << shown.out;
  EXPECT_TRUE(evening_says(shown.out, "So far:     0/100 points, not begun")) << shown.out;
  EXPECT_EQ(shown.out.find("| --- |"), std::string::npos);
  EXPECT_EQ(labkit({"show", "nothing"}).exit_code, kExitUsage);
  // what comes too early waits for the pass, and stays once the file changes again
  const std::string later = "Once it passes\n--------------\n";
  EXPECT_FALSE(evening_says(shown.out, later)) << shown.out;
  const std::string limits = "How it is graded\n----------------\n";
  EXPECT_FALSE(evening_says(shown.out, limits)) << shown.out;
  EXPECT_FALSE(evening_says(shown.out, "<!--")) << shown.out;
  save("correct/grid_stride.cu");
  EXPECT_EQ(labkit({"grade", "lab1"}).exit_code, kExitOk);
  EXPECT_TRUE(evening_says(labkit({"show", "lab1"}).out, later));
  save("wrong/chunk_a_thread.cu");
  EXPECT_TRUE(evening_says(labkit({"show", "lab1"}).out, later));
  EXPECT_TRUE(evening_says(labkit({"show", "lab1"}).out, limits));
}

TEST(TerminalText, TablesAreInColumnsAndCodeIsMovedIn) {
  EXPECT_EQ(terminal_text("# A\ntext `x`\n\n| a | b |\n| --- | --- |\n| `long` | 1 |\n\n```c\nint "
                          "i;\n# no title\n```\n",
                          {}),
            "A\n=\ntext `x`\n\n  a       b\n  `long`  1\n\n    int i;\n    # no title\n");
  EXPECT_EQ(terminal_text("## A\n`x` and `y", {.colour = true, .unicode = false}),
            "\x1b[1mA\x1b[0m\n\x1b[1mx\x1b[0m and `y\n");
}

/// Whether `holds` comes true within the minute.
bool comes(const std::function<bool()>& holds) {
  for (int i = 0; i < 600; ++i) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return false;
}

TEST_F(Evening, WatchGradesTheLabThatWasSaved) {
  if (no_nvrtc()) GTEST_SKIP() << "skipped: there is no NVRTC";
  // A lab that is named is graded as it is; the next verdict is of what was saved then.
  save("wrong/chunk_a_thread.cu");
  auto watch = std::async(std::launch::async, [&] {
    return labkit({"watch", "lab1", "--count", "2"});
  });
  const fs::path state = root_ / "cache/state/lab1/VecAdd.BandwidthDouble.json";
  ASSERT_TRUE(comes([&] { return fs::exists(state); }));
  save("correct/grid_stride.cu");
  // Saved before the first verdict was shown, that one is given up, and the second takes another save.
  while (watch.wait_for(std::chrono::seconds(30)) != std::future_status::ready)
    write_file_atomically(kernel(), read_file(kernel()) + "\n");
  const process::Result result = watch.get();
  EXPECT_EQ(result.exit_code, kExitOk) << result.out << result.err;
  const std::size_t first = result.out.find("lab1  Vector addition, coalesced: 60 of 100 points");
  const std::size_t then = result.out.find("lab1  Vector addition, coalesced: 100 of 100 points");
  // The save may have come before the first verdict was told: then the newer one alone was worth it.
  EXPECT_NE(then, std::string::npos) << result.out;
  if (first != std::string::npos) {
    EXPECT_LT(first, then);
    EXPECT_TRUE(evening_says(result.out, "lab1 VecAdd.BandwidthFloat: too much traffic"))
        << result.out;
    EXPECT_TRUE(evening_says(result.out, "Stuck? labkit hint lab1")) << result.out;
  }
  EXPECT_TRUE(evening_says(result.out, "lab1 passes. Next: labkit show lab3")) << result.out;
  EXPECT_EQ(result.out.find('\x1b'), std::string::npos);
}

TEST_F(Evening, WatchTellsATroubleOfOursAndWhatDoesNotCompile) {
  if (no_nvrtc()) GTEST_SKIP() << "skipped: there is no NVRTC";
  write_file_atomically(kernel(),
                        "template <typename T>\n__global__ void vecadd(const T* a, const "
                        "T* b, T* c, int n) { c[0] = 1 }\n");
  const process::Result broken = labkit({"watch", "lab1", "--count", "1"});
  EXPECT_EQ(broken.exit_code, kExitVerdict);
  EXPECT_TRUE(evening_says(broken.out, "0 of 100 points\n\nlab1: compile error\n")) << broken.out;
  write_file_atomically(root_ / "labs/lab1_vecadd_coalescing/figures.toml", "no = [toml");
  const process::Result ours = labkit({"watch", "lab1", "--count", "1"});
  EXPECT_EQ(ours.exit_code, kExitOurError) << ours.out;
  EXPECT_TRUE(evening_says(ours.out, "no verdict: ")) << ours.out;
}

}  // namespace
}  // namespace labkit::cli
