// How far a class is, while it is graded: one line that changes on a terminal, a line now and then in
// a log.
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <mutex>
#include <string>

namespace labkit::course {

/// "40 s", "3 min", "1 h 20 min": for people, who wait that long.
std::string duration_text(double seconds);

/// How many of how many, how fast, how long still. `seconds`: since `done` was 0.
std::string progress_text(std::size_t done, std::size_t total, double seconds);
/// A text that changes: in its place on a terminal; in a log a line now and then, ever more seldom. From any thread.
class ProgressLine {
 public:
  explicit ProgressLine(std::FILE* out);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Several times a second.
  void show(const std::string& text);
  /// A line that stays; the text comes back with the next show().
  void say(const std::string& line);
  void clear();
  double seconds() const;

  static constexpr double kFirstLogSeconds = 1, kLogSeconds = 15, kLogSecondsAtMost = 300;

 private:
  using Clock = std::chrono::steady_clock;
  std::FILE* out_;
  std::size_t columns_;  ///< of a terminal; 0: it is none
  Clock::time_point begin_ = Clock::now();
  double next_line_ = kFirstLogSeconds;  ///< in a log, in seconds from the beginning
  std::string shown_;
  std::recursive_mutex mutex_;
};

}  // namespace labkit::course
