#include "cli/at_work.h"

#include <fmt/format.h>
#include <unistd.h>


#include "report/style.h"

namespace labkit::cli {

AtWork::AtWork(std::string what, std::FILE* out, Patience patience)
    : what_(report::printable(what)),
      out_(out),
      terminal_(isatty(fileno(out)) == 1),
      thread_([this, patience] { report(patience); }) {}

AtWork::~AtWork() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_one();
  thread_.join();
}

void AtWork::report(Patience patience) {
  using Clock = std::chrono::steady_clock;
  using std::chrono::seconds;
  const Clock::time_point begin = Clock::now();
  std::chrono::milliseconds next = terminal_ ? patience.terminal : patience.log;
  std::unique_lock lock(mutex_);
  bool shown = false;
  while (!ended_.wait_until(lock, begin + next, [&] { return end_; })) {
    shown = true;
    const auto passed = std::chrono::duration_cast<seconds>(next).count();
    std::fputs(terminal_ ? fmt::format("\r{} ... {} s ", what_, passed).c_str()
                         : fmt::format("{}: still at work after {} s\n", what_, passed).c_str(),
               out_);
    std::fflush(out_);
    next = terminal_ ? next + seconds(1) : next * 2 + seconds(next.count() == 0);
  }
  if (shown && terminal_) {
    std::fputs("\r\033[K", out_);
    std::fflush(out_);
  }
}

}  // namespace labkit::cli
