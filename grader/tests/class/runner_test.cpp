// The runner, with gradings that end as the test says, and no kernels.
#include "class/grading/runner.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "base/error.h"

namespace labkit::course {
namespace {

using std::chrono::milliseconds;

std::string result_of(const char* verdict) {
  return fmt::format(R"({{"verdict": "{}"}})", verdict);
}

/// Twenty tasks: 0 to 9 of lab1, and of lab3.
class Run : public testing::Test {
 protected:
  Run() {
    for (const char* lab : {"lab1", "lab3"})
      for (int i = 0; i < 10; ++i) tasks_.push_back({lab, std::to_string(i), 1});
    calls_.grade = [](const Task&) { return result_of("pass"); };
    calls_.graded = [this](const Task& task, const std::string& result) {
      const std::lock_guard<std::mutex> lock(mutex_);
      results_[task.name()] = result;
    };
  }
  RunResult run() { return run_tasks(tasks_, jobs_, calls_, stop_); }

  std::vector<Task> tasks_;
  unsigned jobs_ = 4;
  RunnerCalls calls_;
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::map<std::string, std::string> results_;
};

TEST_F(Run, DoesEveryTaskOnceAndSeveralAtATime) {
  std::map<std::string, int> times;
  int now = 0, most = 0;
  calls_.grade = [&](const Task& task) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      times[task.name()] += 1;
      most = std::max(most, ++now);
    }
    std::this_thread::sleep_for(milliseconds(20));
    const std::lock_guard<std::mutex> lock(mutex_);
    now -= 1;
    return result_of("pass");
  };
  const RunResult result = run();
  EXPECT_EQ(result.graded, 20u);
  EXPECT_EQ(result.failed, 0u);
  EXPECT_FALSE(result.stopped);
  EXPECT_EQ(results_.size(), 20u);
  EXPECT_EQ(times.size(), 20u);
  for (const auto& [task, count] : times) EXPECT_EQ(count, 1) << task;
  EXPECT_GT(most, 1);
  EXPECT_LE(most, 4);
}

TEST_F(Run, AResultIsKeptBeforeTheNextTaskOfItsThreadBegins) {
  jobs_ = 1;
  std::size_t before = 0;
  calls_.grade = [&](const Task&) {
    EXPECT_EQ(results_.size(), before++);
    return result_of("pass");
  };
  run();
}

TEST_F(Run, OurFaultIsTriedOnceMoreAfterTheOthersThenNotGraded) {
  jobs_ = 1;
  std::vector<std::string> order, told;
  std::set<std::string> tried;
  calls_.grade = [&](const Task& task) {
    order.push_back(task.name());
    if (task.source_sha256 == "0") throw Error("the compiler was killed", "more memory");
    if (task.source_sha256 == "1" && tried.insert(task.name()).second)
      throw std::runtime_error("by chance");
    return result_of("pass");
  };
  calls_.no_verdict = [&](const Task& task, const std::string& message, bool is_last) {
    told.push_back(fmt::format("{} {} {}", task.name(), is_last, message));
  };
  const RunResult result = run();
  EXPECT_EQ(result.graded, 18u);
  EXPECT_EQ(result.failed, 2u);
  ASSERT_EQ(order.size(), 24u);
  EXPECT_EQ(std::set<std::string>(order.begin() + 20, order.end()),
            (std::set<std::string>{"lab1-0", "lab3-0", "lab1-1", "lab3-1"}));
  ASSERT_EQ(told.size(), 6u);
  EXPECT_EQ(told.front(), "lab1-0 false the compiler was killed (fix: more memory)");
  EXPECT_EQ(told.back(), "lab3-0 true the compiler was killed (fix: more memory)");
  EXPECT_FALSE(results_.contains("lab1-0")) << "what is our fault is no zero";
  EXPECT_TRUE(results_.contains("lab1-1"));
}

TEST_F(Run, AMachineThatCannotGradeEndsTheRunAndBlamesNobody) {
  std::atomic<int> tried{0}, blamed{0};
  calls_.grade = [&](const Task&) -> std::string {
    tried += 1;
    throw Error("there is no NVRTC");
  };
  calls_.check_machine = [] { throw Error("there is no NVRTC", "install it"); };
  calls_.no_verdict = [&](const Task&, const std::string&, bool is_last) { blamed += is_last; };
  try {
    run();
    FAIL() << "it went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.remedy(), "install it");
  }
  EXPECT_LE(tried, 8);  // the first, and what ran beside it
  EXPECT_EQ(blamed, 0);
}

TEST_F(Run, FailuresOnAMachineThatIsWellAreTheTasksOwn) {
  int asked = 0;
  calls_.check_machine = [&] { asked += 1; };
  calls_.grade = [&](const Task& task) {
    if (task.source_sha256 < "7") throw Error("died");
    return result_of("pass");
  };
  const RunResult result = run();
  EXPECT_EQ(result.failed, 14u);
  EXPECT_EQ(result.graded, 6u);
  EXPECT_EQ(asked, 14);
}

TEST_F(Run, WhatWouldKeepAllFromAVerdictEndsTheRun) {
  int blamed = 0;
  calls_.no_verdict = [&](const Task&, const std::string&, bool) { blamed += 1; };
  calls_.grade = [&](const Task& task) {
    if (task.source_sha256 == "5")
      throw Error("no space left on /out", "free some", error_id::kCannotWrite);
    return result_of("pass");
  };
  EXPECT_THROW(run(), Error);
  EXPECT_EQ(blamed, 0);
}

/// Two tasks fail at once: the check of the second is ended by what the first one's said.
TEST_F(Run, WhatEndsTheRunIsWhatWasFoundFirst) {
  jobs_ = 2;
  std::atomic<int> started{0};
  calls_.grade = [&](const Task&) -> std::string {
    started += 1;
    while (started < 2) std::this_thread::yield();
    throw Error("died");
  };
  bool is_first = true;  // one thread at a time asks
  calls_.check_machine = [&] {
    if (std::exchange(is_first, false)) throw Error("no compiler", "install it");
    while (!stop_) std::this_thread::yield();
    throw Stopped();
  };
  try {
    run();
    FAIL() << "it went on";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "no compiler");
  }
}

TEST_F(Run, AResultThatCannotBeKeptEndsTheRun) {
  calls_.graded = [](const Task&, const std::string&) { throw Error("the disk is full"); };
  EXPECT_THROW(run(), Error);
}

TEST_F(Run, StoppedItEndsWithoutBlame) {
  jobs_ = 2;
  std::atomic<int> done{0}, blamed{0};
  calls_.no_verdict = [&](const Task&, const std::string&, bool) { blamed += 1; };
  calls_.grade = [&](const Task&) {
    if (done == 5) {
      stop_ = true;
      throw Stopped();
    }
    done += 1;
    return result_of("pass");
  };
  const RunResult result = run();
  EXPECT_TRUE(result.stopped);
  EXPECT_EQ(result.failed, 0u);
  EXPECT_EQ(results_.size(), result.graded);
  EXPECT_LT(result.graded, 20u);
  EXPECT_EQ(blamed, 0);
}

TEST_F(Run, APlanThatIsOverEndsTheRunToo) {
  jobs_ = 1;
  calls_.graded = [](const Task&, const std::string&) { throw Stopped(); };
  const RunResult result = run();
  EXPECT_TRUE(result.stopped);
  EXPECT_EQ(result.graded, 0u);
}

TEST_F(Run, ATaskThatFailsWhileItIsStoppedIsNotBlamed) {
  jobs_ = 1;
  int blamed = 0;
  calls_.no_verdict = [&](const Task&, const std::string&, bool) { blamed += 1; };
  calls_.grade = [&](const Task&) -> std::string {
    stop_ = true;
    throw Error("killed");
  };
  EXPECT_EQ(run().failed, 0u);
  EXPECT_EQ(blamed, 0);
}

TEST_F(Run, TicksInTheCallersThreadWhateverTheTasksDo) {
  jobs_ = 1;
  const auto caller = std::this_thread::get_id();
  std::atomic<int> ticks{0};
  calls_.tick = [&] {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    ticks += 1;
  };
  calls_.grade = [&](const Task&) {
    while (ticks == 0) std::this_thread::sleep_for(milliseconds(1));
    return result_of("pass");
  };
  EXPECT_EQ(run().graded, 20u);
}

TEST_F(Run, ATickThatThrowsEndsTheRunWithIt) {
  calls_.tick = [] { throw Error("stdout cannot be written"); };
  calls_.grade = [&](const Task&) {
    while (!stop_) std::this_thread::sleep_for(milliseconds(1));
    return result_of("pass");
  };
  EXPECT_THROW(run(), Error);
}

}  // namespace
}  // namespace labkit::course
