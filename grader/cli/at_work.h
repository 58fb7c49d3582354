// Says on stderr that something that takes long goes on. Nobody who waits half a minute can tell it from something that hangs.
#pragma once
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
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
  explicit AtWork(std::string what) : AtWork(std::move(what), stderr, Patience()) {}
  AtWork(std::string what, std::FILE* out, Patience patience);
  ~AtWork();
  AtWork(const AtWork&) = delete;
  AtWork& operator=(const AtWork&) = delete;

 private:
  void report(Patience patience);

  std::string what_;
  std::FILE* out_;
  bool terminal_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false;
  std::thread thread_;
};

}  // namespace labkit::cli
