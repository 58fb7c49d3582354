#include "class/grading/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <future>
#include <mutex>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/error.h"

namespace labkit::course {
namespace {

constexpr std::chrono::milliseconds kTick{200};
/// Of a task that comes to no verdict by our fault.
constexpr unsigned kAttempts = 2;

class Runner {
 public:
  Runner(unsigned jobs, const RunnerCalls& calls, std::atomic<bool>& stop)
      : jobs_(jobs), calls_(calls), stop_(stop) {}

  RunResult run(const std::vector<Task>& tasks) {
    std::vector<const Task*> left;
    for (const Task& task : tasks) left.push_back(&task);
    for (unsigned number = 1; number <= kAttempts && !left.empty(); ++number)
      left = attempt_all(left, number);
    result_.stopped = is_over();
    return result_;
  }

 private:
  bool is_over() const { return stop_ || is_stopped_; }

  /// Those that came to no verdict.
  std::vector<const Task*> attempt_all(const std::vector<const Task*>& tasks, unsigned number) {
    std::atomic<std::size_t> next{0};
    std::vector<const Task*> failed;
    const auto work = [&] {
      try {
        for (std::size_t at = 0; !is_over() && (at = next++) < tasks.size();)
          if (!attempt(*tasks[at], number)) {
            const std::lock_guard<std::mutex> lock(mutex_);
            failed.push_back(tasks[at]);
          }
      } catch (...) {  // what comes after a stop may be its consequence
        if (!stop_.exchange(true)) stopped_by_ = std::current_exception();
      }
    };
    std::vector<std::future<void>> workers;  // joined wherever this is left
    while (workers.size() < std::max(1u, jobs_)) try {
        workers.push_back(std::async(std::launch::async, work));
      } catch (const std::system_error&) {  // the others do it
        if (workers.empty()) throw;
        break;
      }
    try {
      for (std::future<void>& worker : workers)
        while (worker.wait_for(kTick) != std::future_status::ready)
          if (calls_.tick) calls_.tick();
    } catch (...) {
      stop_ = true;
      throw;
    }
    for (std::future<void>& worker : workers) worker.get();
    if (stopped_by_) std::rethrow_exception(stopped_by_);
    return failed;
  }

  /// False if it came to no verdict.
  bool attempt(const Task& task, unsigned number) {
    std::string trouble, result;
    try {
      result = calls_.grade(task);
    } catch (const Stopped&) {
      is_stopped_ = true;
      return true;
    } catch (const Error& error) {
      if (error.id() == error_id::kCannotWrite) throw;
      trouble = error.what();
      if (!error.remedy().empty()) trouble += fmt::format(" (fix: {})", error.remedy());
    } catch (const std::exception& error) {
      trouble = error.what();
    }
    if (!trouble.empty()) return failed(task, number, trouble);
    try {
      if (calls_.graded) calls_.graded(task, result);
    } catch (const Stopped&) {
      is_stopped_ = true;
      return true;
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    result_.graded += 1;
    return true;
  }

  bool failed(const Task& task, unsigned number, const std::string& trouble) {
    if (stop_) return true;  // whatever stops the run may be what it stumbled over
    const std::lock_guard<std::mutex> lock(mutex_);
    if (number == 1 && calls_.check_machine) calls_.check_machine();
    const bool is_last = number == kAttempts;
    result_.failed += is_last;
    if (calls_.no_verdict) calls_.no_verdict(task, trouble, is_last);
    return false;
  }

  const unsigned jobs_;
  const RunnerCalls& calls_;
  std::atomic<bool>& stop_;
  std::atomic<bool> is_stopped_{false};  ///< a task was
  std::exception_ptr stopped_by_;        ///< written once, by whoever sets stop_
  std::mutex mutex_;
  RunResult result_;
};

}  // namespace

RunResult run_tasks(const std::vector<Task>& tasks, unsigned jobs, const RunnerCalls& calls,
                    std::atomic<bool>& stop) {
  return Runner(jobs, calls, stop).run(tasks);
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
