// A kit that was copied or moved works on its own labs: programs and labs of this build in a folder of their own.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "compile/compile.h"
#include "process/process.h"

namespace labkit::cli {
namespace {

namespace fs = std::filesystem;

const fs::path kMovedKitSource = LABKIT_SOURCE_DIR;
constexpr const char* kLab = "lab0_copy_offset";

bool moved_kit_says(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

bool no_nvrtc() {
  try {
    compile::find_nvrtc();
    return false;
  } catch (const compile::NoNvrtc&) {
    return true;
  }
}

fs::path kernel_of(const fs::path& kit) { return kit / "labs" / kLab / "kernel.cu"; }
void solve(const fs::path& kit, const char* solution) {
  write_file_atomically(kernel_of(kit), read_file(kMovedKitSource / "solutions" / kLab / solution));
}

class MovedKit : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::canonical(fs::temp_directory_path()) /
              ("labkit_moved_test_" + std::to_string(getpid()));
    fs::remove_all(folder_);
    original_ = folder_ / "original";
    fs::create_directories(original_ / "labs");
    fs::create_directories(original_ / "build/default/labs");  // CMake's, which holds no lab
    fs::copy(kMovedKitSource / "labs" / kLab, original_ / "labs" / kLab,
             fs::copy_options::recursive);
    fs::copy_file(kMovedKitSource / "labs/hints.toml", original_ / "labs/hints.toml");
    put_programs(original_ / "build/default/bin");
    solve(original_, "correct/plain.cu");
  }
  void TearDown() override { fs::remove_all(folder_); }

  static void put_programs(const fs::path& bin) {
    fs::create_directories(bin);
    for (const char* name : {"labkit", "labkit-nvrtc", "labkit-cuda", "lab_check"}) {
      const fs::path from = fs::path(process::own_executable()).parent_path() / name;
      std::error_code elsewhere;  // not the same disk: a copy does, too
      fs::create_hard_link(from, bin / name, elsewhere);
      if (elsewhere) fs::copy_file(from, bin / name);
    }
  }
  static void copy(const fs::path& from, const fs::path& to) {
    fs::copy(from, to, fs::copy_options::recursive);
  }
  /// In a folder that is no kit, unless another is named.
  process::Result type(const fs::path& program, const std::vector<std::string>& words,
                       const fs::path& directory = "/") const {
    process::Command command;
    command.argv = {program.string()};
    command.argv.insert(command.argv.end(), words.begin(), words.end());
    command.directory = directory.string();
    command.environment = process::inherited(
        {"PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "CUDA_HOME", "LABKIT_NVRTC", "ASAN_OPTIONS"});
    command.environment.push_back("LABKIT_DEVICE=sim");
    command.limits = {.wall_seconds = 240};
    return process::run(command);
  }
  process::Result labkit(const fs::path& kit, const std::vector<std::string>& words) const {
    return type(kit / "build/default/bin/labkit", words);
  }
  void expect_works_on(const fs::path& kit) const {
    const process::Result shown = labkit(kit, {"show", "lab0"});
    EXPECT_TRUE(moved_kit_says(shown.out, "Write here: " + kernel_of(kit).string()))
        << shown.out << shown.err;
    if (!no_nvrtc()) {
      const process::Result graded = labkit(kit, {"grade", "lab0"});
      EXPECT_EQ(graded.exit_code, kExitVerdict) << graded.out << graded.err;
      // as CTest runs it
      const process::Result check = type(kit / "build/default/bin/lab_check", {"--lab", "lab0"});
      EXPECT_EQ(check.exit_code, kExitVerdict) << check.out << check.err;
      EXPECT_TRUE(fs::exists(kit / "build/default/cache/state/lab0"));
    }
    const process::Result reset = labkit(kit, {"reset", "lab0"});
    EXPECT_EQ(reset.exit_code, kExitOk) << reset.err;
    EXPECT_EQ(read_file(kernel_of(kit)), read_file(kit / "labs" / kLab / ".stub"));
  }

  fs::path folder_, original_;
};

TEST_F(MovedKit, ACopyWorksOnItsOwnLabs) {
  const fs::path copied = folder_ / "copy";
  copy(original_, copied);
  solve(copied, "wrong/offset_forgotten.cu");
  const std::string before = read_file(kernel_of(original_));
  expect_works_on(copied);
  EXPECT_EQ(read_file(kernel_of(original_)), before);
  EXPECT_FALSE(fs::exists(original_ / "build/default/cache"));
}

TEST_F(MovedKit, AMovedOneToo) {
  const fs::path moved = folder_ / "moved";
  fs::rename(original_, moved);
  solve(moved, "wrong/offset_forgotten.cu");
  expect_works_on(moved);
  EXPECT_FALSE(fs::exists(original_));
}

TEST_F(MovedKit, ALinkToItIsTheSameKit) {
  fs::create_directory_symlink(original_, folder_ / "link");
  const process::Result shown = labkit(folder_ / "link", {"show", "lab0"});
  EXPECT_TRUE(moved_kit_says(shown.out, "Write here: " + kernel_of(original_).string()))
      << shown.out;
}

TEST_F(MovedKit, ProgramsElsewhereWorkOnTheKitAroundThem) {
  put_programs(folder_ / "elsewhere/bin");
  const fs::path program = folder_ / "elsewhere/bin/labkit";
  const process::Result shown = type(program, {"show", "lab0"}, original_ / "labs" / kLab);
  EXPECT_TRUE(moved_kit_says(shown.out, "Write here: " + kernel_of(original_).string()))
      << shown.out;
  const process::Result nowhere = type(program, {"show", "lab0"}, "/");
  EXPECT_EQ(nowhere.exit_code, kExitOurError);
  EXPECT_TRUE(moved_kit_says(nowhere.err, "there is no kit")) << nowhere.err;
  EXPECT_TRUE(moved_kit_says(nowhere.err, "LABKIT_ROOT")) << nowhere.err;
}

/// CTest's lists in a copied build folder still name the original's programs.
TEST_F(MovedKit, CTestRunsNothingOfACopiedBuild) {
  const fs::path build = fs::path(process::own_executable()).parent_path().parent_path();
  const fs::path copied = folder_ / "copy/build/default";
  fs::create_directories(copied / "labs");
  for (const char* file : {"here.cmake", "CTestTestfile.cmake", "labs/CTestTestfile.cmake"})
    fs::copy_file(build / file, copied / file);
  const auto list = [&](const fs::path& place) {
    return type(LABKIT_CTEST, {"--test-dir", place.string(), "-N", "-L", "lab0"});
  };
  EXPECT_TRUE(moved_kit_says(list(build / "labs").out, "lab0.ready"));
  for (const fs::path& place : {copied, copied / "labs"}) {
    const process::Result refused = list(place);
    EXPECT_FALSE(moved_kit_says(refused.out, "lab0.ready")) << refused.out;
    EXPECT_TRUE(moved_kit_says(refused.err, "./kit list")) << refused.err;
  }
}

}  // namespace
}  // namespace labkit::cli
