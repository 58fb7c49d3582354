// A child that stays and is asked again and again: questions on its stdin, answers on its stdout.
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "process/process.h"

namespace labkit::process {

struct Started;

class Companion {
 public:
  /// Starts it. Command::input is not looked at, and of the limits those on wall time and output are
  /// not: ask() has its own. The child dies with the thread that starts it. Throws labkit::Error if
  /// it cannot be started.
  explicit Companion(const Command& command);
  Companion(const Companion&) = delete;
  Companion& operator=(const Companion&) = delete;
  /// Kills it, if it is still there.
  ~Companion();

  /// Says `question`, then hears until `is_whole(answer)`. False: it ended before, or was killed after
  /// `wall_seconds` (0: no limit); then result() tells of it, and `answer` holds what it had said.
  bool ask(std::string_view question, std::string& answer,
           const std::function<bool(std::string_view)>& is_whole, double wall_seconds);
  /// Closes its stdin, which should end it, and waits until it has; after `wall_seconds` it is killed
  /// (0: waits for ever).
  void finish(double wall_seconds);

  bool has_ended() const { return started_ == nullptr; }
  /// Once it has ended. `out` is empty; `err` is what it wrote there last, cut.
  const Result& result() const { return result_; }

 private:
  using Clock = std::chrono::steady_clock;
  bool say(std::string_view question, Clock::time_point deadline);
  bool hear(std::string& answer, const std::function<bool(std::string_view)>& is_whole,
            Clock::time_point deadline);
  void keep_err();
  void collect(End end);

  std::unique_ptr<Started> started_;
  Descriptor in_;
  Limits limits_;
  Clock::time_point begin_;
  Result result_;
};

}  // namespace labkit::process
