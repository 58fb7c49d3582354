#include "cli/stop.h"

namespace labkit::cli {
namespace {

std::atomic<bool> g_stop{false};
static_assert(std::atomic<bool>::is_always_lock_free, "it is set by a signal's handler");

void note_stop(int /*signal*/) { g_stop = true; }
constexpr int kOnce = static_cast<int>(SA_RESTART | SA_RESETHAND);

}  // namespace

std::atomic<bool>& stop_flag() { return g_stop; }

SignalAction::SignalAction(int signal, void (*handler)(int), int flags) : signal_(signal) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  ::sigaction(signal, nullptr, &before_);
  if (before_.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);
}

StopOnSignals::StopOnSignals()
    : interrupt_(SIGINT, note_stop, kOnce),
      terminate_(SIGTERM, note_stop, kOnce),
      hang_up_(SIGHUP, note_stop, kOnce) {}

}  // namespace labkit::cli
