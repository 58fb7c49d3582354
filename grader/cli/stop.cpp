#include "cli/stop.h"

#include <csignal>

namespace labkit::cli {
namespace {

std::atomic<bool> g_stop{false};
static_assert(std::atomic<bool>::is_always_lock_free, "it is set by a signal's handler");

}  // namespace

std::atomic<bool>& stop_flag() { return g_stop; }

StopOnSignals::StopOnSignals() {
  struct sigaction action {};
  action.sa_handler = [](int) { g_stop = true; };
  action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    ::sigaction(kSignals[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) ::sigaction(kSignals[i], &action, nullptr);
  }
}

StopOnSignals::~StopOnSignals() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &before_[i], nullptr);
}

FileLimitIsAnError::FileLimitIsAnError() {
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGXFSZ, &ignore, &before_);
}

FileLimitIsAnError::~FileLimitIsAnError() { ::sigaction(SIGXFSZ, &before_, nullptr); }

}  // namespace labkit::cli
