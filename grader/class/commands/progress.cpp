#include "class/commands/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace labkit::course {
namespace {

/// Before so many are done nobody can say how fast it goes.
constexpr std::size_t kEnoughForARate = 4;

}  // namespace

std::string duration_text(double seconds) {
  const auto whole = static_cast<long long>(std::llround(std::max(0.0, seconds)));
  if (whole < 60) return fmt::format("{} s", whole);
  const long long minutes = (whole + 30) / 60;
  if (minutes < 60) return fmt::format("{} min", minutes);
  return minutes % 60 ? fmt::format("{} h {} min", minutes / 60, minutes % 60)
                      : fmt::format("{} h", minutes / 60);
}

std::string progress_text(std::size_t done, std::size_t total, double seconds) {
  std::string text = fmt::format("{} of {} ({}%)", done, total, total ? 100 * done / total : 100);
  if (done >= total) return text;
  if (done < kEnoughForARate || seconds <= 0) return text;
  const double rate = static_cast<double>(done) / seconds;
  text += rate >= 0.1 ? fmt::format(", {:.1f} a second", rate)
                      : fmt::format(", {:.1f} a minute", 60 * rate);
  return text +
         fmt::format(", about {} left", duration_text(static_cast<double>(total - done) / rate));
}

double ProgressLine::seconds() const {
  return std::chrono::duration<double>(Clock::now() - begin_).count();
}

void ProgressLine::show(const std::string& text) {
  if (seconds() < next_) return;
  next_ = seconds() + std::clamp(seconds(), kSeconds, kSecondsAtMost);
  say(text);
}

void ProgressLine::say(const std::string& line) {
  std::fprintf(out_, "%s\n", line.c_str());
  std::fflush(out_);
}

}  // namespace labkit::course
