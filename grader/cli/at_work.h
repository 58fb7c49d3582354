// Says on stderr that something that takes long goes on. Nobody who waits half a minute can tell it from something that hangs.
#pragma once
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

namespace labkit::cli {

/// From its beginning to its end. On a terminal a line that counts the seconds, and is gone at the end; elsewhere a plain
/// line, and another each time that twice as long has passed.
class AtWork {
 public:
  struct Patience {
    std::chrono::milliseconds terminal{2000}, log{15000};  ///< before the first line
  };
  /// `what`: "simulating k", "grading lab3".
  explicit AtWork(const std::string& what) : AtWork(what, stderr, Patience()) {}
  AtWork(const std::string& what, std::FILE* out, Patience patience);
  /// From now on it is `what`: on a terminal at once.
  void now(const std::string& what);

 private:
  void count_seconds(const std::stop_token& end, std::FILE* out, Patience patience);

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::string what_;
  bool is_new_ = false;
  std::jthread thread_;
};

}  // namespace labkit::cli
