#include "class/commands/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace labkit::course {
namespace {

/// Before so many are done nobody can say how fast it goes.
constexpr std::size_t kEnoughForARate = 4;

std::size_t columns_of(std::FILE* out) {
  struct winsize size {};
  if (::ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

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

std::string progress_bar(std::size_t done, std::size_t total, double seconds, std::size_t columns,
                         bool unicode) {
  const std::string text = progress_text(done, total, seconds);
  // Not the last column: some terminals then go to the next line.
  if (columns < text.size() + 14) return text.substr(0, columns > 0 ? columns - 1 : 0);
  const std::size_t width = std::min<std::size_t>(40, columns - text.size() - 4);
  const std::size_t full = total ? width * done / total : width;
  std::string bar;
  for (std::size_t i = 0; i < width; ++i)
    bar += i < full ? (unicode ? "█" : "#") : (unicode ? "░" : ".");
  return fmt::format("[{}] {}", bar, text);
}

ProgressBar::ProgressBar(std::FILE* out, std::size_t total)
    : out_(out), style_(report::style_for(out)), total_(total) {
  const char* term = std::getenv("TERM");
  terminal_ = ::isatty(fileno(out)) == 1 && !(term && std::strcmp(term, "dumb") == 0);
}

double ProgressBar::seconds() const {
  return std::chrono::duration<double>(Clock::now() - begin_).count();
}

void ProgressBar::show(std::size_t done) {
  if (terminal_) {
    const std::string line =
        progress_bar(done, total_, seconds(), columns_of(out_), style_.unicode);
    if (line == shown_) return;
    shown_ = line;
    // To the line's begin, the text, and whatever was longer away.
    std::fprintf(out_, "\r%s\x1b[K", line.c_str());
    std::fflush(out_);
    return;
  }
  if (seconds() < next_line_ || done >= total_) return;
  next_line_ = seconds() + std::clamp(seconds(), kLogSeconds, kLogSecondsAtMost);
  std::fprintf(out_, "graded %s\n", progress_text(done, total_, seconds()).c_str());
  std::fflush(out_);
}

void ProgressBar::say(const std::string& line) {
  clear();
  std::fprintf(out_, "%s\n", line.c_str());
  std::fflush(out_);
}

void ProgressBar::clear() {
  if (!terminal_ || shown_.empty()) return;
  shown_.clear();
  std::fputs("\r\x1b[K", out_);
  std::fflush(out_);
}

Waiting::Waiting(std::FILE* out, std::string doing) : out_(out), doing_(std::move(doing)) {
  std::fprintf(out_, "%s ...\n", doing_.c_str());
  std::fflush(out_);
}

void Waiting::show(const std::string& so_far) {
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  if (seconds < next_) return;
  next_ = seconds + std::min(seconds, kSecondsAtMost);
  std::fprintf(out_, "%s: %s, %s\n", doing_.c_str(), so_far.c_str(),
               duration_text(seconds).c_str());
  std::fflush(out_);
}

}  // namespace labkit::course
