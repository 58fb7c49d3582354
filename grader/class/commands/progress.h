// How far a class is, while it is graded: one line that changes on a terminal, a line now and then in
// a log.
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>

#include "report/style.h"

namespace labkit::course {

/// "40 s", "3 min", "1 h 20 min": for people, who wait that long.
std::string duration_text(double seconds);

/// How many of how many, how fast, how long still. `seconds`: since `done` was 0.
std::string progress_text(std::size_t done, std::size_t total, double seconds);
/// The same with a bar before it, for a terminal of so many columns.
std::string progress_bar(std::size_t done, std::size_t total, double seconds, std::size_t columns,
                         bool unicode);

class ProgressBar {
 public:
  ProgressBar(std::FILE* out, std::size_t total);
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Several times a second. In a log it says something after the first second and after kLogSeconds, then ever
  /// more seldom.
  void show(std::size_t done);
  /// A line of its own; the bar comes back with the next show().
  void say(const std::string& line);
  void clear();
  double seconds() const;

  static constexpr double kFirstLogSeconds = 1, kLogSeconds = 15, kLogSecondsAtMost = 300;

 private:
  using Clock = std::chrono::steady_clock;
  std::FILE* out_;
  bool terminal_;
  report::Style style_;
  std::size_t total_;
  Clock::time_point begin_ = Clock::now();
  double next_line_ = kFirstLogSeconds;  ///< in a log, in seconds from the beginning
  std::string shown_;
};

/// Of work that nobody knows the length of: a line at once, and one now and then while it lasts.
class Waiting {
 public:
  /// `doing`: "Reading week1.zip".
  Waiting(std::FILE* out, std::string doing);
  /// Several times a second. `so_far`: "12 files".
  void show(const std::string& so_far);

 private:
  static constexpr double kFirstSeconds = 2, kSecondsAtMost = 60;
  std::FILE* out_;
  std::string doing_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double next_ = kFirstSeconds;
};

}  // namespace labkit::course
