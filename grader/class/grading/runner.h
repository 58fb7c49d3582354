// Tasks done by several threads at once.
#pragma once
#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "class/grading/plan.h"

namespace labkit::course {

/// All but `grade` may be empty. `grade` and `graded` are called from several threads.
struct RunnerCalls {
  /// To a result (format of report/json.h). Stopped: it was told to, and is as if it had never begun. What
  /// cannot be written (a full disk) would keep every other task from a verdict, too, and ends the run. Any other exception is
  /// our fault: the task is tried again after the others, then failed.
  std::function<std::string(const Task& task)> grade;
  /// After each task that ended with a result. What it throws ends the run.
  std::function<void(const Task& task, const std::string& result)> graded;
  /// By our fault; unless `is_last` it will be tried again. One at a time. What it throws ends the run.
  std::function<void(const Task& task, const std::string& message, bool is_last)> no_verdict;
  /// Throws labkit::Error if this machine cannot grade at all. Asked when a first attempt came to no verdict.
  std::function<void()> check_machine;
  /// Several times a second, in the thread that called run_tasks().
  std::function<void()> tick;
};

struct RunResult {
  std::size_t graded = 0;
  std::size_t failed = 0;  ///< by our fault, after the last attempt
  bool stopped = false;    ///< before everything was done
};

/// `jobs` at once, until all are done or `stop` is set; then what runs is expected to end soon with Stopped. Throws labkit::Error if a
/// result cannot be kept or the machine cannot grade.
RunResult run_tasks(const std::vector<Task>& tasks, unsigned jobs, const RunnerCalls& calls,
                    std::atomic<bool>& stop);

/// A GPU may change this result of the simulator: it is right as far as a ratio is held against a limit.
bool can_be_measured(const std::string& result);

}  // namespace labkit::course
