#include "device/gpu_lock.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>

#include "base/error.h"

namespace labkit::device {
namespace {

class GpuLocks : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "labkit-lock-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
    ::setenv("LABKIT_LOCK_DIR", directory_.c_str(), 1);
  }
  void TearDown() override {
    ::unsetenv("LABKIT_LOCK_DIR");
    std::filesystem::remove_all(directory_);
  }

  /// A process that holds the lock of `uuid` until release(): returns once it does.
  void hold_elsewhere(const std::string& uuid) {
    int ready[2], release[2];
    ASSERT_EQ(::pipe(ready), 0);
    ASSERT_EQ(::pipe(release), 0);
    holder_ = ::fork();
    char byte = 0;
    if (holder_ == 0) {
      ::close(release[1]);
      const GpuLock lock({uuid});
      [[maybe_unused]] ssize_t done = ::write(ready[1], &byte, 1);
      done = ::read(release[0], &byte, 1);
      ::_exit(0);
    }
    ::close(release[0]);
    release_ = release[1];
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  }
  void release() {
    ::close(release_);
    ::waitpid(holder_, nullptr, 0);
  }

  std::filesystem::path directory_;
  pid_t holder_ = -1;
  int release_ = -1;
};

TEST_F(GpuLocks, AnotherProcessHoldsItTheNextFreeOneIsTaken) {
  hold_elsewhere("GPU-a");
  {
    const GpuLock lock({"GPU-a", "GPU-b"});
    EXPECT_EQ(lock.which(), 1u);
  }
  EXPECT_THROW(GpuLock({"GPU-a"}, GpuLock::Use::alone, 0.1), Error);
  release();
  EXPECT_EQ(GpuLock({"GPU-a", "GPU-b"}).which(), 0u);
}

TEST_F(GpuLocks, WhoOnlyComputesSharesItAndNeverWithOneThatTimes) {
  using Use = GpuLock::Use;
  {
    const GpuLock first({"GPU-a"}, Use::shared), second({"GPU-a"}, Use::shared, 0.1);
    EXPECT_THROW(GpuLock({"GPU-a"}, Use::alone, 0.1), Error);
  }
  const GpuLock alone({"GPU-a"}, Use::alone, 0.1);
  EXPECT_THROW(GpuLock({"GPU-a"}, Use::shared, 0.1), Error);
}

TEST_F(GpuLocks, WhoWaitsToTimeComesBeforeWhoAsksLater) {
  using Use = GpuLock::Use;
  auto computing = std::make_unique<GpuLock>(std::vector<std::string>{"GPU-a"}, Use::shared);
  std::atomic<bool> waits{true};
  std::thread timing([&] {
    const GpuLock alone({"GPU-a"}, Use::alone, 60);
    waits = false;
  });
  // Once the other has the turn, nobody else gets in, though the lock itself could be shared.
  const auto shut_out = [] {
    try {
      const GpuLock later({"GPU-a"}, Use::shared, 0);
      return false;
    } catch (const Error&) {
      return true;
    }
  };
  while (!shut_out()) std::this_thread::yield();
  EXPECT_TRUE(waits);
  computing.reset();
  timing.join();
  EXPECT_FALSE(waits);
  EXPECT_FALSE(shut_out());
}

TEST_F(GpuLocks, IsWaitedForUntilItsHolderEnds) {
  hold_elsewhere("GPU-a");
  ::alarm(60);  // a lock that is never given back ends the test
  const pid_t releaser = ::fork();
  if (releaser == 0) {
    ::usleep(100'000);
    ::kill(holder_, SIGKILL);
    ::_exit(0);
  }
  ::close(release_);
  EXPECT_EQ(GpuLock({"GPU-a"}).which(), 0u);
  ::waitpid(releaser, nullptr, 0);
  ::waitpid(holder_, nullptr, 0);
  ::alarm(0);
}

TEST_F(GpuLocks, AreEverybodysAndNeverLinks) {
  { const GpuLock lock({"GPU-a"}); }
  struct stat info {};
  ASSERT_EQ(::stat(lock_path("GPU-a").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0666u);
  const auto precious = directory_ / "precious";
  std::ofstream(precious) << "text";
  std::filesystem::create_symlink(precious, lock_path("GPU-b"));
  EXPECT_THROW(GpuLock({"GPU-b"}), Error);
  std::filesystem::create_directory(lock_path("GPU-c"));
  EXPECT_THROW(GpuLock({"GPU-c"}), Error);
  ASSERT_EQ(::mkfifo(lock_path("GPU-d").c_str(), 0666), 0);
  EXPECT_THROW(GpuLock({"GPU-d"}), Error);
}

TEST_F(GpuLocks, WhoIsPresentIsCounted) {
  const GpuPresence mine("GPU-a");
  EXPECT_EQ(mine.others(), 0u);
  std::vector<std::unique_ptr<GpuPresence>> others;
  for (std::uint32_t i = 1; i <= 20; ++i) {  // of one process, so that they ask for the same byte
    others.push_back(std::make_unique<GpuPresence>("GPU-a"));
    EXPECT_EQ(mine.others(), i);
    EXPECT_EQ(others.back()->others(), i);
  }
  const GpuPresence elsewhere("GPU-b");
  EXPECT_EQ(elsewhere.others(), 0u);
  others.erase(others.begin() + 3, others.begin() + 10);
  EXPECT_EQ(mine.others(), 13u);
  // One that is killed is gone.
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const GpuPresence there("GPU-a");
    [[maybe_unused]] const ssize_t done = ::write(ready[1], "", 1);
    ::pause();
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_EQ(mine.others(), 14u);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(mine.others(), 13u);
}

}  // namespace
}  // namespace labkit::device
