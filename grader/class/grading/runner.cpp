#include "class/grading/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

namespace labkit::course {
namespace {

constexpr std::chrono::milliseconds kTick{200};

class Runner {
 public:
  Runner(Gradebook& book, const RunnerOptions& options, const RunnerCalls& calls,
         std::atomic<bool>& stop)
      : book_(book), options_(options), calls_(calls), stop_(stop) {}

  RunResult run() {
    std::vector<std::thread> threads;
    working_ = std::max(1u, options_.jobs);
    const unsigned count = working_;
    for (unsigned i = 0; i < count; ++i) {
      try {
        threads.emplace_back([this] { work(); });
      } catch (const std::system_error&) {  // the others do it
        const std::lock_guard<std::mutex> lock(mutex_);
        working_ -= count - i;
        if (i == 0) fault_ = std::current_exception();
        break;
      }
    }
    wait_for_the_end();
    for (std::thread& thread : threads) thread.join();
    if (fault_) std::rethrow_exception(fault_);
    result_.stopped = stop_;
    return result_;
  }

 private:
  void wait_for_the_end() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (working_ > 0) {
      ended_.wait_for(lock, kTick);
      if (!calls_.tick) continue;
      lock.unlock();
      try {
        calls_.tick();
      } catch (...) {
        end_with(std::current_exception());
      }
      lock.lock();
    }
  }

  void work() {
    try {
      while (const std::optional<Job> job = next()) do_job(*job);
    } catch (...) {
      end_with(std::current_exception());
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    working_ -= 1;
    ended_.notify_all();
    idle_.notify_all();
  }

  /// A job that fails comes back: whoever finds nothing waits for those that still run.
  std::optional<Job> next() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!stop_) {
      if (std::optional<Job> job = book_.begin_next(options_.labs)) {
        running_ += 1;
        return job;
      }
      if (running_ == 0) break;
      idle_.wait_for(lock, kTick);
    }
    return std::nullopt;
  }

  void do_job(const Job& job) {
    struct Leaving {
      Runner& runner;
      ~Leaving() {
        const std::lock_guard<std::mutex> lock(runner.mutex_);
        runner.running_ -= 1;
        runner.idle_.notify_all();
      }
    } const leaving{*this};
    std::string trouble;
    try {
      const Outcome outcome = grade(job);
      book_.finish(job.id, outcome);
      const std::lock_guard<std::mutex> lock(mutex_);
      result_.graded += 1;
      failures_in_a_row_ = 0;
      if (calls_.graded) calls_.graded(job, outcome);
      return;
    } catch (const Stopped&) {
      book_.give_back(job.id);
      return;
    } catch (const StopRun&) {
      give_back_quietly(job);
      throw;
    } catch (const GradebookFault&) {
      throw;
    } catch (const Error& error) {
      trouble = error.what();
      if (!error.remedy().empty()) trouble += fmt::format(" (fix: {})", error.remedy());
    } catch (const std::exception& error) {
      trouble = error.what();
    }
    failed(job, trouble);
  }

  Outcome grade(const Job& job) {
    const std::optional<std::string> kept = book_.source(job.source_sha256);
    if (!kept) throw Error("the source of this job is gone", "run the same command again");
    const std::string& source = *kept;
    Outcome outcome = calls_.grade(job, source);
    for (unsigned i = 0; i < options_.undecided_repeats && is_inconclusive(outcome); ++i) {
      if (stop_) throw Stopped();
      outcome = calls_.grade(job, source);
    }
    return outcome;
  }

  void failed(const Job& job, const std::string& trouble) {
    if (stop_) {  // whatever stops the run may be what it stumbled over
      give_back_quietly(job);
      return;
    }
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      // Only first attempts: second ones come together at the end.
      if (job.attempts == 0) failures_in_a_row_ += 1;
      if (failures_in_a_row_ >= options_.suspicious_failures) {
        failures_in_a_row_ = 0;
        if (calls_.check_machine) {
          try {
            calls_.check_machine();
          } catch (...) {
            give_back_quietly(job);
            throw;
          }
        }
      }
    }
    const JobState state = book_.fail(job.id, trouble, options_.max_attempts);
    const std::lock_guard<std::mutex> lock(mutex_);
    if (state == JobState::failed) result_.failed += 1;
    if (calls_.no_verdict) calls_.no_verdict(job, state, trouble);
  }

  /// If even that fails, plan() finds the job running and lets it wait again.
  void give_back_quietly(const Job& job) {
    try {
      book_.give_back(job.id);
    } catch (const Error&) {
    }
  }

  void end_with(std::exception_ptr fault) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!fault_) fault_ = std::move(fault);
    stop_ = true;
    idle_.notify_all();
  }

  Gradebook& book_;
  const RunnerOptions& options_;
  const RunnerCalls& calls_;
  std::atomic<bool>& stop_;

  std::mutex mutex_;  ///< of all below
  std::condition_variable ended_, idle_;
  unsigned working_ = 0, running_ = 0;  ///< threads; jobs
  unsigned failures_in_a_row_ = 0;
  RunResult result_;
  std::exception_ptr fault_;
};

}  // namespace

RunResult run_jobs(Gradebook& book, const RunnerOptions& options, const RunnerCalls& calls,
                   std::atomic<bool>& stop) {
  return Runner(book, options, calls, stop).run();
}

bool is_inconclusive(const Outcome& outcome) {
  const nlohmann::json result = nlohmann::json::parse(outcome.json, nullptr, false);
  return result.is_object() && result.value("verdict", "") == "inconclusive";
}

}  // namespace labkit::course
