// The jobs of a gradebook that wait, done by several threads at once.
//
// Each result is in the gradebook as soon as its job has ended, so that whatever ends this process
// costs at most the jobs that were running; the same run started again does the rest.
#pragma once
#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "class/gradebook/gradebook.h"

namespace labkit::course {

/// Thrown by the grading of a job that was told to stop: the job waits again as if never begun.
using labkit::Stopped;

/// Thrown by the grading of a job for what would keep every other job from a verdict, too (a full
/// disk): the run ends with it, and no job is blamed.
class StopRun : public Error {
 public:
  using Error::Error;
};

struct RunnerOptions {
  unsigned jobs = 1;                   ///< at once
  std::vector<std::string> labs = {};  ///< only of these; empty: all
  unsigned max_attempts = 2;           ///< of a job that comes to no verdict by our fault
  unsigned undecided_repeats = 2;      ///< of a job that a GPU could not decide
  /// So many first attempts in a row without a verdict are taken for the machine's fault:
  /// `check_machine` is asked.
  unsigned suspicious_failures = 6;
};

/// Jobs, times and what to do with them. All but `grade` may be empty.
struct RunnerCalls {
  /// One source. Called from several threads. Stopped and StopRun mean what they say; any other
  /// exception is our fault: the job is tried again after the others, then failed.
  std::function<Outcome(const Job& job, const std::string& source)> grade;
  /// Throws labkit::Error if this machine cannot grade at all.
  std::function<void()> check_machine;
  /// After each job that ended with a result, or in our fault. One at a time.
  std::function<void(const Job& job, const Outcome& outcome)> graded;
  /// `state`: waiting (it will be tried again) or failed.
  std::function<void(const Job& job, JobState state, const std::string& message)> no_verdict;
  /// Several times a second, in the thread that called run_jobs().
  std::function<void()> tick;
};

struct RunResult {
  std::size_t graded = 0;
  std::size_t failed = 0;  ///< by our fault, after the last attempt
  bool stopped = false;    ///< `stop` was set before everything was done
};

/// Until nothing waits or `stop` is set; then what runs is expected to end soon with Stopped. Throws
/// labkit::Error if the gradebook cannot be written or the machine cannot grade; what was graded
/// before is kept.
RunResult run_jobs(Gradebook& book, const RunnerOptions& options, const RunnerCalls& calls,
                   std::atomic<bool>& stop);

/// The verdict of a result is INCONCLUSIVE: nothing failed, but a GPU could not decide.
bool is_inconclusive(const Outcome& outcome);

}  // namespace labkit::course
