// Ctrl-C and the signals like it, and files that may not grow.
#pragma once
#include <signal.h>

#include <array>
#include <atomic>

namespace labkit::cli {

/// True once somebody asked this process to stop.
std::atomic<bool>& stop_flag();
inline bool stop_asked() { return stop_flag(); }

/// SIGINT, SIGTERM and SIGHUP set stop_flag() while this lives, unless they were ignored (nohup). A
/// second one ends the process at once, which loses nothing either.
class StopOnSignals {
 public:
  StopOnSignals();
  ~StopOnSignals();
  StopOnSignals(const StopOnSignals&) = delete;
  StopOnSignals& operator=(const StopOnSignals&) = delete;

 private:
  static constexpr std::array<int, 3> kSignals = {SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, kSignals.size()> before_{};
};

/// While this lives, a file that may grow no more (ulimit -f) is told as a full disk is, not by dying. After
/// it the signal does what it did before.
class FileLimitIsAnError {
 public:
  FileLimitIsAnError();
  ~FileLimitIsAnError();
  FileLimitIsAnError(const FileLimitIsAnError&) = delete;
  FileLimitIsAnError& operator=(const FileLimitIsAnError&) = delete;

 private:
  struct sigaction before_ {};
};

}  // namespace labkit::cli
