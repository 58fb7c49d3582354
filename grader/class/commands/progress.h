// How far a class is, while it is graded.
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>

namespace labkit::course {

/// "40 s", "3 min", "1 h 20 min": for people, who wait that long.
std::string duration_text(double seconds);

/// How many of how many, how fast, how long still. `seconds`: since `done` was 0.
std::string progress_text(std::size_t done, std::size_t total, double seconds);
/// How far something is, a line now and then, ever more seldom.
class ProgressLine {
 public:
  explicit ProgressLine(std::FILE* out) : out_(out) {}
  /// To be called several times a second.
  void show(const std::string& text);
  void say(const std::string& line);
  double seconds() const;

 private:
  static constexpr double kFirstSeconds = 1, kSeconds = 15, kSecondsAtMost = 300;
  using Clock = std::chrono::steady_clock;
  std::FILE* out_;
  Clock::time_point begin_ = Clock::now();
  double next_ = kFirstSeconds;  ///< in seconds from the beginning
};

}  // namespace labkit::course
