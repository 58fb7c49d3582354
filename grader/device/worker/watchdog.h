// Ends the worker when a launch takes too long: a thread of its own, since the driver may hang in
// the very call that waits. A launch stopped by a debugger or replayed by a profiler takes as long as
// it takes, so under those it sleeps.
#pragma once
#include <atomic>
#include <cstdint>
#include <thread>

namespace labkit::device::cuda {

class Watchdog {
 public:
  explicit Watchdog(int reply_fd);
  /// From now on, until disarm(), launch `index` runs and has `seconds`.
  void arm(std::uint32_t index, double seconds);
  void disarm();

 private:
  void watch(const std::stop_token& end) const;

  int reply_fd_;
  mutable std::atomic<std::int64_t> deadline_ns_{0};  ///< steady clock; 0: nothing runs
  std::atomic<std::uint32_t> index_{0};
  std::atomic<double> seconds_{0};
  std::jthread thread_;  // the last: it uses the others, and ends before them
};

/// Does a debugger hold this process?
bool is_debugged();

/// If kDebuggerVariable is set, waits until one does; any process of the user may then be it.
void wait_for_debugger();

}  // namespace labkit::device::cuda
