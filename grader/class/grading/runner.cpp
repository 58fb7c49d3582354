#include "class/grading/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <thread>

namespace labkit::course {
namespace {

constexpr std::chrono::milliseconds kTick{200};

class Runner {
 public:
  Runner(const std::vector<Task>& tasks, const RunnerOptions& options, const RunnerCalls& calls,
         std::atomic<bool>& stop)
      : options_(options), calls_(calls), stop_(stop) {
    for (const Task& task : tasks) waiting_.push_back({&task});
  }

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
    result_.stopped = stop_ || is_over_;
    return result_;
  }

 private:
  struct Attempt {
    const Task* task = nullptr;
    unsigned before = 0;  ///< attempts that came to no verdict
  };

  void wait_for_the_end() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (working_ > 0) {
      changed_.wait_for(lock, kTick);
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
      while (const std::optional<Attempt> attempt = next()) {
        try_once(*attempt);
        const std::lock_guard<std::mutex> lock(mutex_);
        running_ -= 1;
        changed_.notify_all();
      }
    } catch (...) {
      end_with(std::current_exception());
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    working_ -= 1;
    changed_.notify_all();
  }

  /// A task that fails comes back: whoever finds nothing waits for those that still run.
  std::optional<Attempt> next() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!stop_ && !is_over_) {
      if (!waiting_.empty()) {
        const Attempt attempt = waiting_.front();
        waiting_.pop_front();
        running_ += 1;
        return attempt;
      }
      if (running_ == 0) break;
      changed_.wait_for(lock, kTick);
    }
    return std::nullopt;
  }

  void try_once(const Attempt& attempt) {
    std::string trouble, result;
    try {
      result = calls_.grade(*attempt.task);
      for (unsigned i = 0; i < options_.undecided_repeats && is_inconclusive(result); ++i) {
        if (stop_) throw Stopped();
        result = calls_.grade(*attempt.task);
      }
    } catch (const Stopped&) {
      is_over_ = true;
      return;
    } catch (const StopRun&) {
      throw;
    } catch (const Error& error) {
      trouble = error.what();
      if (!error.remedy().empty()) trouble += fmt::format(" (fix: {})", error.remedy());
    } catch (const std::exception& error) {
      trouble = error.what();
    }
    if (!trouble.empty()) return failed(attempt, trouble);
    try {
      if (calls_.graded) calls_.graded(*attempt.task, result);
    } catch (const Stopped&) {
      is_over_ = true;
      return;
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    result_.graded += 1;
  }

  void failed(const Attempt& attempt, const std::string& trouble) {
    if (stop_) return;  // whatever stops the run may be what it stumbled over
    const std::lock_guard<std::mutex> lock(mutex_);
    if (attempt.before == 0 && calls_.check_machine) calls_.check_machine();
    const bool is_last = attempt.before + 1 >= options_.max_attempts;
    if (is_last)
      result_.failed += 1;
    else
      waiting_.push_back({attempt.task, attempt.before + 1});
    if (calls_.no_verdict) calls_.no_verdict(*attempt.task, trouble, is_last);
  }

  void end_with(std::exception_ptr fault) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!fault_) fault_ = std::move(fault);
    stop_ = true;
    changed_.notify_all();
  }

  const RunnerOptions& options_;
  const RunnerCalls& calls_;
  std::atomic<bool>& stop_;
  std::atomic<bool> is_over_{false};  ///< a task was stopped

  std::mutex mutex_;  ///< of all below
  std::condition_variable changed_;
  std::deque<Attempt> waiting_;
  unsigned working_ = 0, running_ = 0;  ///< threads; tasks
  RunResult result_;
  std::exception_ptr fault_;
};

}  // namespace

RunResult run_tasks(const std::vector<Task>& tasks, const RunnerOptions& options,
                    const RunnerCalls& calls, std::atomic<bool>& stop) {
  return Runner(tasks, options, calls, stop).run();
}

bool is_inconclusive(const std::string& result) {
  const nlohmann::json json = nlohmann::json::parse(result, nullptr, false);
  return json.is_object() && json.value("verdict", "") == "inconclusive";
}

bool can_be_measured(const std::string& result) {
  const nlohmann::json json = nlohmann::json::parse(result);
  for (const auto& test : json.at("tests"))
    for (const auto& gate : test.at("gates")) {
      const std::string figure = gate.at("figure");
      if (figure == "ratio" || figure == "best_ratio") return true;
    }
  return false;
}

}  // namespace labkit::course
