#include "cli/at_work.h"

#include <fmt/format.h>
#include <unistd.h>

#include <condition_variable>
#include <mutex>
#include <stop_token>

#include "report/style.h"
#include "words/render.h"

namespace labkit::cli {
namespace {

void count_seconds(const std::stop_token& end, const std::string& what, std::FILE* out,
                   AtWork::Patience patience) {
  const bool terminal = isatty(fileno(out)) == 1;
  const auto begin = std::chrono::steady_clock::now();
  std::chrono::milliseconds next = terminal ? patience.terminal : patience.log;
  std::mutex mutex;
  std::condition_variable_any ended;
  std::unique_lock lock(mutex);
  bool shown = false;
  while (!ended.wait_until(lock, end, begin + next, [&] { return end.stop_requested(); })) {
    shown = true;
    const auto passed = std::chrono::duration_cast<std::chrono::seconds>(next).count();
    const std::string text =
        terminal ? fmt::format("\r{} ... {} s ", what, passed)
                 : words::text(words::Id::still_at_work,
                               {{"what", what}, {"seconds", std::to_string(passed)}}) +
                       "\n";
    std::fputs(text.c_str(), out);
    std::fflush(out);
    next = terminal ? next + std::chrono::seconds(1)
                    : next * 2 + std::chrono::seconds(next.count() == 0);
  }
  if (shown && terminal) {
    std::fputs("\r\033[K", out);
    std::fflush(out);
  }
}

}  // namespace

AtWork::AtWork(const std::string& what, std::FILE* out, Patience patience)
    : thread_(count_seconds, report::printable(what), out, patience) {}

}  // namespace labkit::cli
