// The worker process, labkit-cuda, as CudaDevice holds it: asked plan after plan, and begun anew when
// a launch took it down.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/cuda_plan.h"
#include "device/cuda_protocol.h"
#include "device/gpu_lock.h"
#include "process/companion.h"

namespace labkit::device::cuda {

class Worker {
 public:
  /// Starts it. Throws labkit::Error if it is not there or cannot be started.
  Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  /// Has it end by itself, so that a profiler around it can write what it saw; kills it in the end.
  ~Worker();

  /// Every reply to the request; if the worker ended over it, has_ended(). The buffers' bytes are to
  /// be in memory() before.
  std::vector<Reply> ask(Request request, double wall_seconds);
  bool has_ended() const { return companion_->has_ended(); }
  const process::Result& result() const { return companion_->result(); }
  /// Another process in the place of the one that ended, on the same memory.
  void restart();
  SharedMemory& memory() { return memory_; }
  /// Does it see what a worker started now would see?
  bool is_current() const;
  /// On this GPU it has a context from its first plan on.
  void announce(const std::string& uuid);

 private:
  SharedMemory memory_;
  std::vector<std::string> environment_;
  std::unique_ptr<process::Companion> companion_;
  std::optional<GpuPresence> presence_;
};

/// What a worker that ended otherwise than it should is told as. `wall_seconds`: its limit.
[[noreturn]] void worker_error(const process::Result& run, double wall_seconds);
/// How it ended.
std::string describe_end(const process::Result& run, double wall_seconds);

/// A worker that has answered and is idle: kept for who comes next, if that sees the same machine.
void keep_idle(std::unique_ptr<Worker> worker);
/// That one, or a new one.
std::unique_ptr<Worker> idle_or_new();

}  // namespace labkit::device::cuda
