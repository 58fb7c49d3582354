// Folders that killed workers left in the temporary folder.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "class/grading/job.h"
#include "class_files.h"

namespace labkit::course {
namespace {

namespace fs = std::filesystem;

class WorkFolders : public testing::Test {
 protected:
  WorkFolders() { ::setenv("TMPDIR", folder_.path().c_str(), 1); }
  ~WorkFolders() override {
    if (before_.empty())
      ::unsetenv("TMPDIR");
    else
      ::setenv("TMPDIR", before_.c_str(), 1);
  }
  fs::path make(const std::string& name) const {
    folder_.write(name + "/job-0/kernel.cu", "x");
    return folder_.path() / name;
  }
  const std::string before_ = ::getenv("TMPDIR") ? ::getenv("TMPDIR") : "";
  TemporaryFolder folder_;
};

TEST_F(WorkFolders, OfAKilledProcessIsRemovedByTheNext) {
  const pid_t child = ::fork();
  if (child == 0) {
    const WorkFolder left;
    ::kill(::getpid(), SIGKILL);
  }
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  ASSERT_FALSE(fs::is_empty(folder_.path())) << "the killed one left it";
  {
    const WorkFolder next;
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 1);
    const WorkFolder another;  // both in use
    EXPECT_TRUE(fs::exists(next.path()) && fs::exists(another.path()));
  }
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

TEST_F(WorkFolders, WhatIsNotOursOrInUseStays) {
  const fs::path other = make("labkit-of-another-program"), foreign = make("labkit-class-foreign"),
                 left = make("labkit-class-left");
  fs::create_directory_symlink(other, folder_.path() / "labkit-class-link");
  const bool is_root = ::geteuid() == 0;  // only root can make a folder another user's
  ASSERT_EQ(is_root ? ::chown(foreign.c_str(), 12345, 12345) : 0, 0);
  const WorkFolder folder;
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(other / "job-0/kernel.cu"));
  EXPECT_EQ(fs::exists(foreign), is_root);
}

}  // namespace
}  // namespace labkit::course
