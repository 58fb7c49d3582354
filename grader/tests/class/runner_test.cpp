// The runner, with gradings that end as the test says, and no kernels.
#include "class/grading/runner.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "base/error.h"
#include "class_files.h"
#include "made_class.h"

namespace labkit::course {
namespace {

using std::chrono::milliseconds;

class Run : public testing::Test {
 protected:
  Run() : book_(folder_.path() / "gradebook.sqlite") {
    book_.put_class(made_class(10, {"lab1", "lab3"}));
    book_.plan(made_conditions());
    options_.jobs = 4;
    calls_.grade = [](const Job& job, const std::string&) { return made_outcome(job); };
  }
  RunResult run() { return run_jobs(book_, options_, calls_, stop_); }
  std::string state_of(const std::string& student, const std::string& lab) {
    for (const Entry& entry : book_.entries())
      if (entry.student == student && entry.lab == lab) return state_name(entry.job->state);
    return "none";
  }

  TemporaryFolder folder_;
  Gradebook book_;
  RunnerOptions options_;
  RunnerCalls calls_;
  std::atomic<bool> stop_{false};
};

TEST_F(Run, DoesEveryJobOnceWithItsSourceAndSeveralAtATime) {
  std::mutex mutex;
  std::map<std::string, int> times;
  int now = 0, most = 0;
  calls_.grade = [&](const Job& job, const std::string& source) {
    EXPECT_EQ(source, fmt::format("// {} {}", job.student, job.lab));
    {
      const std::lock_guard<std::mutex> lock(mutex);
      times[job.student + job.lab] += 1;
      most = std::max(most, ++now);
    }
    std::this_thread::sleep_for(milliseconds(20));
    const std::lock_guard<std::mutex> lock(mutex);
    now -= 1;
    return made_outcome(job);
  };
  std::size_t told = 0;
  calls_.graded = [&](const Job&, const Outcome&) { told += 1; };
  const RunResult result = run();
  EXPECT_EQ(result.graded, 20u);
  EXPECT_EQ(result.failed, 0u);
  EXPECT_FALSE(result.stopped);
  EXPECT_EQ(told, 20u);
  EXPECT_EQ(times.size(), 20u);
  for (const auto& [job, count] : times) EXPECT_EQ(count, 1) << job;
  EXPECT_GT(most, 1);
  EXPECT_LE(most, 4);
  EXPECT_EQ(book_.progress().done, 20u);
}

TEST_F(Run, AResultIsInTheGradebookBeforeTheNextJobOfItsThreadBegins) {
  options_.jobs = 1;
  std::size_t before = 0;
  calls_.grade = [&](const Job& job, const std::string&) {
    EXPECT_EQ(book_.progress().done, before++);
    return made_outcome(job);
  };
  run();
}

TEST_F(Run, OnlyTheLabsThatAreAskedFor) {
  options_.labs = {"lab3"};
  EXPECT_EQ(run().graded, 10u);
  for (const Entry& entry : book_.entries()) EXPECT_EQ(entry.graded, entry.lab == "lab3");
}

TEST_F(Run, OurFaultIsTriedOnceMoreAfterTheOthersThenNotGraded) {
  options_.jobs = 1;
  std::vector<std::string> order;
  calls_.grade = [&](const Job& job, const std::string&) -> Outcome {
    order.push_back(job.student + " " + job.lab);
    if (job.student == "s0") throw Error("the compiler was killed", "more memory");
    if (job.student == "s1" && job.attempts == 0) throw std::runtime_error("by chance");
    return made_outcome(job);
  };
  std::vector<std::string> told;
  calls_.no_verdict = [&](const Job& job, JobState state, const std::string& message) {
    told.push_back(fmt::format("{} {} {} {}", job.student, job.lab, state_name(state), message));
  };
  const RunResult result = run();
  EXPECT_EQ(result.graded, 18u);
  EXPECT_EQ(result.failed, 2u);
  ASSERT_EQ(order.size(), 24u);
  EXPECT_EQ(std::set<std::string>(order.begin() + 20, order.end()),
            (std::set<std::string>{"s0 lab1", "s0 lab3", "s1 lab1", "s1 lab3"}));
  ASSERT_EQ(told.size(), 6u);
  EXPECT_EQ(told.front(), "s0 lab1 waiting the compiler was killed (fix: more memory)");
  EXPECT_EQ(state_of("s0", "lab1"), "failed");
  EXPECT_EQ(state_of("s1", "lab1"), "done");
  for (const Entry& entry : book_.entries())
    if (entry.student == "s0") {
      EXPECT_FALSE(entry.graded) << "what is our fault is no zero";
    }
}

TEST_F(Run, AResultThatIsNoneIsOurFault) {
  calls_.grade = [&](const Job&, const std::string&) { return Outcome{"{}", "{}"}; };
  const RunResult result = run();
  EXPECT_EQ(result.graded, 0u);
  EXPECT_EQ(result.failed, 20u);
}

TEST_F(Run, AMachineThatCannotGradeEndsTheRunAndBlamesNobody) {
  std::atomic<int> tried{0};
  calls_.grade = [&](const Job&, const std::string&) -> Outcome {
    tried += 1;
    throw Error("there is no NVRTC");
  };
  calls_.check_machine = [] { throw Error("there is no NVRTC", "install it"); };
  try {
    run();
    FAIL() << "it went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.remedy(), "install it");
  }
  EXPECT_LE(tried, 10);  // six in a row, and what ran beside them
  const Progress progress = book_.progress();
  EXPECT_EQ(progress.failed, 0u);
  EXPECT_EQ(progress.waiting, 20u);
}

TEST_F(Run, FailuresInARowOnAMachineThatIsWellAreTheJobsOwn) {
  int asked = 0;
  calls_.check_machine = [&] { asked += 1; };
  calls_.grade = [&](const Job& job, const std::string&) -> Outcome {
    if (job.student < "s7") throw Error("died");
    return made_outcome(job);
  };
  const RunResult result = run();
  EXPECT_EQ(result.failed, 14u);
  EXPECT_EQ(result.graded, 6u);
  EXPECT_GE(asked, 1);
}

TEST_F(Run, WhatWouldKeepAllFromAVerdictEndsTheRun) {
  calls_.grade = [&](const Job& job, const std::string&) -> Outcome {
    if (job.student == "s5") throw StopRun("no space left on /out", "free some");
    return made_outcome(job);
  };
  EXPECT_THROW(run(), StopRun);
  const Progress progress = book_.progress();
  EXPECT_EQ(progress.failed, 0u);
  EXPECT_EQ(progress.running, 0u);
  EXPECT_GT(progress.waiting, 0u);
}

TEST_F(Run, StoppedItGivesBackWhatRunsAndGoesOnNextTime) {
  options_.jobs = 2;
  std::atomic<int> done{0};
  calls_.grade = [&](const Job& job, const std::string&) -> Outcome {
    if (done == 5) {
      stop_ = true;
      throw Stopped();
    }
    done += 1;
    return made_outcome(job);
  };
  const RunResult first = run();
  EXPECT_TRUE(first.stopped);
  EXPECT_EQ(first.failed, 0u);
  Progress progress = book_.progress();
  EXPECT_EQ(progress.running, 0u) << "what ran was not given back";
  EXPECT_EQ(progress.done, first.graded);
  EXPECT_EQ(progress.waiting, 20 - first.graded);

  stop_ = false;
  calls_.grade = [](const Job& job, const std::string&) {
    EXPECT_EQ(job.attempts, 0u) << "being stopped is no attempt";
    return made_outcome(job);
  };
  const RunResult second = run();
  EXPECT_EQ(first.graded + second.graded, 20u);
  EXPECT_FALSE(second.stopped);
}

TEST_F(Run, AJobThatFailsWhileItIsStoppedIsNotBlamed) {
  options_.jobs = 1;
  calls_.grade = [&](const Job&, const std::string&) -> Outcome {
    stop_ = true;
    throw Error("killed");
  };
  run();
  EXPECT_EQ(book_.progress().waiting, 20u);
  const Entry first = book_.entries().front();
  EXPECT_EQ(first.job->attempts, 0u);
}

TEST_F(Run, WhatAGpuCouldNotDecideIsMeasuredAgain) {
  options_.jobs = 1;
  options_.undecided_repeats = 2;
  const auto undecided = [](const Job& job) {
    Outcome outcome = made_outcome(job);
    const std::string gate = job.student.back() % 2 ? "gate ratio" : "pass";
    outcome.json.replace(outcome.json.find(gate), gate.size(), "inconclusive");
    return outcome;
  };
  std::map<std::string, int> times;
  calls_.grade = [&](const Job& job, const std::string&) {
    const int time = ++times[job.student + job.lab];
    if (job.student == "s1") return undecided(job);
    if (job.student == "s2" && time < 3) return undecided(job);
    return made_outcome(job);
  };
  EXPECT_EQ(run().graded, 20u);
  EXPECT_EQ(times["s1lab1"], 3);
  EXPECT_EQ(times["s2lab1"], 3);
  EXPECT_EQ(times["s3lab1"], 1);
  const auto verdicts = book_.progress().verdicts;
  EXPECT_EQ(verdicts.at("inconclusive"), 2u);
}

TEST_F(Run, TicksInTheCallersThreadWhateverTheJobsDo) {
  options_.jobs = 1;
  const auto caller = std::this_thread::get_id();
  std::atomic<int> ticks{0};
  calls_.tick = [&] {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    ticks += 1;
  };
  calls_.grade = [&](const Job& job, const std::string&) {
    while (ticks == 0) std::this_thread::sleep_for(milliseconds(1));
    return made_outcome(job);
  };
  EXPECT_EQ(run().graded, 20u);
}

TEST_F(Run, ATickThatThrowsEndsTheRunWithIt) {
  calls_.tick = [] { throw Error("stdout cannot be written"); };
  calls_.grade = [&](const Job& job, const std::string&) {
    while (!stop_) std::this_thread::sleep_for(milliseconds(1));
    return made_outcome(job);
  };
  EXPECT_THROW(run(), Error);
}

}  // namespace
}  // namespace labkit::course
