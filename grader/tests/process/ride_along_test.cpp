// A child that is given no environment is started past libc's execve, through which profilers follow.
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.h"
#include "process/process.h"

namespace {
bool refuse_libc = false;
}  // namespace

// In place of libc's, as a preloaded library would be.
extern "C" int execve(const char* path, char* const argv[], char* const environment[]) noexcept {
  if (refuse_libc) {
    errno = EACCES;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_execve, path, argv, environment));
}

namespace labkit::process {
namespace {

class RideAlong : public testing::Test {
 protected:
  void SetUp() override { refuse_libc = true; }
  void TearDown() override { refuse_libc = false; }
};

TEST_F(RideAlong, NotWithoutEnvironment) {
  Command command;
  command.argv = {"/bin/echo", "here"};
  const Result done = run(command);
  EXPECT_EQ(done.out, "here\n");
}

TEST_F(RideAlong, OthersGoThroughLibc) {
  Command command;
  command.argv = {"/bin/echo", "here"};
  command.environment = {"A=b"};
  EXPECT_THROW(run(command), Error);
}

}  // namespace
}  // namespace labkit::process
