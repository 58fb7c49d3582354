#include "cli/at_work.h"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "report/style.h"
#include "words/render.h"

namespace labkit::cli {

AtWork::AtWork(const std::string& what, std::FILE* out, Patience patience)
    : what_(report::printable(what)), thread_([this, out, patience](const std::stop_token& end) {
        count_seconds(end, out, patience);
      }) {}

void AtWork::now(const std::string& what) {
  const std::lock_guard lock(mutex_);
  what_ = report::printable(what);
  is_new_ = true;
  changed_.notify_all();
}

void AtWork::count_seconds(const std::stop_token& end, std::FILE* out, Patience patience) {
  const bool terminal = isatty(fileno(out)) == 1;
  const auto begin = std::chrono::steady_clock::now();
  std::chrono::milliseconds next = terminal ? patience.terminal : patience.log;
  std::unique_lock lock(mutex_);
  bool shown = false;
  while (true) {
    changed_.wait_until(lock, end, begin + next, [&] { return terminal && is_new_; });
    if (end.stop_requested()) break;
    shown = true;
    const auto passed = std::chrono::duration_cast<std::chrono::seconds>(
                            is_new_ ? std::chrono::steady_clock::now() - begin : next)
                            .count();
    const std::string text =
        terminal ? fmt::format("\r{} ... {} s \033[K", what_, passed)
                 : words::text(words::Id::still_at_work,
                               {{"what", what_}, {"seconds", std::to_string(passed)}}) +
                       "\n";
    std::fputs(text.c_str(), out);
    std::fflush(out);
    if (std::exchange(is_new_, false) && terminal)
      next = std::chrono::seconds(passed + 1);
    else
      next = terminal ? next + std::chrono::seconds(1)
                      : next * 2 + std::chrono::seconds(next.count() == 0);
  }
  if (shown && terminal) {
    std::fputs("\r\033[K", out);
    std::fflush(out);
  }
}

}  // namespace labkit::cli
