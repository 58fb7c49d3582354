// Ctrl-C and the signals like it, and files that may not grow.
#pragma once
#include <signal.h>

#include <atomic>

namespace labkit::cli {

/// True once somebody asked this process to stop.
std::atomic<bool>& stop_flag();
inline bool stop_asked() { return stop_flag(); }

/// What a signal does while this lives, unless it was ignored (nohup); after it what it did before.
class SignalAction {
 public:
  SignalAction(int signal, void (*handler)(int), int flags = 0);
  ~SignalAction() { ::sigaction(signal_, &before_, nullptr); }
  SignalAction(const SignalAction&) = delete;
  SignalAction& operator=(const SignalAction&) = delete;

 private:
  int signal_;
  struct sigaction before_ {};
};

/// SIGINT, SIGTERM and SIGHUP set stop_flag(). A second one ends the process at once, which loses nothing either.
class StopOnSignals {
  SignalAction interrupt_, terminate_, hang_up_;

 public:
  StopOnSignals();
};

/// A file that may grow no more (ulimit -f) is told as a full disk is, not by dying.
class FileLimitIsAnError {
  SignalAction ignored_{SIGXFSZ, SIG_IGN};
};

}  // namespace labkit::cli
