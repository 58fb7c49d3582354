// `labkit new lab`, in a folder that looks like the kit's.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "grade/manifest.h"
#include "process/process.h"

namespace labkit::cli {
namespace {

namespace fs = std::filesystem;

class NewLab : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / ("labkit_new_lab_test_" + std::to_string(getpid()));
    fs::create_directories(root_ / "labs");
    fs::create_directories(root_ / "handouts");
    const fs::path source = LABKIT_SOURCE_DIR;
    fs::copy(source / "labs/lab1_vecadd_coalescing", root_ / "labs/lab1_vecadd_coalescing");
    fs::copy(source / "handouts/new_lab", root_ / "handouts/new_lab", fs::copy_options::recursive);
  }
  void TearDown() override { fs::remove_all(root_); }
  process::Result make(const std::string& folder) const {
    process::Command command;
    command.argv = {(fs::path(process::own_executable()).parent_path() / "labkit").string(), "new",
                    "lab", folder};
    command.environment = process::inherited({"PATH", "LD_LIBRARY_PATH", "ASAN_OPTIONS"});
    command.environment.push_back("LABKIT_ROOT=" + root_.string());
    command.limits = {.wall_seconds = 60};
    return process::run(command);
  }
  fs::path root_;
};

TEST_F(NewLab, HasAllThatALabHasUnderItsOwnName) {
  const process::Result made = make("lab12_walk_back");
  ASSERT_EQ(made.exit_code, kExitOk) << made.err;
  EXPECT_NE(made.out.find("labkit lab check lab12\n"), std::string::npos) << made.out;
  const grade::Manifest lab = grade::load_manifest(root_ / "labs/lab12_walk_back");
  EXPECT_EQ(lab.id, "lab12");
  EXPECT_TRUE(fs::exists(root_ / "solutions/lab12_walk_back" / lab.reference));
  EXPECT_EQ(read_file(lab.directory / "kernel.cu"), read_file(lab.directory / ".stub"));
  for (const char* where : {"labs", "solutions"})
    for (const auto& entry : fs::recursive_directory_iterator(root_ / where / "lab12_walk_back"))
      if (entry.is_regular_file()) {
        const std::string text = read_file(entry.path());
        for (const char* old : {"lab20", "lab 20", "Lab 20"})
          EXPECT_EQ(text.find(old), std::string::npos) << entry.path();
      }
  EXPECT_NE(read_file(lab.directory / "README.md").find("ctest -L lab12 --output-on-failure"),
            std::string::npos);
}

TEST_F(NewLab, AWrongNameOrATakenOneMakesNothing) {
  for (const char* name :
       {"lab", "lab7", "lab7_", "labx_y", "my_lab", "lab7_Name", "../lab7_x", "lab1_other"}) {
    const process::Result refused = make(name);
    EXPECT_EQ(refused.exit_code, kExitUsage) << name << refused.out;
    EXPECT_FALSE(fs::exists(root_ / "solutions")) << name;
  }
  EXPECT_NE(make("lab1_other").err.find("there is a lab1 already: labs/lab1_vecadd_coalescing"),
            std::string::npos);
  fs::remove_all(root_ / "handouts");
  EXPECT_EQ(make("lab21_x").exit_code, kExitUsage);
}

}  // namespace
}  // namespace labkit::cli
