// The worker process, labkit-cuda, as CudaDevice holds it: asked plan after plan, and begun anew when
// a launch took it down. A plan as it gets it (cuda_plan.cpp), and what its replies say of a launch (cuda_findings.cpp).
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "device/cuda_protocol.h"
#include "device/gpu_lock.h"
#include "process/companion.h"

namespace labkit::device::cuda {

/// A file in memory, mapped; its descriptor is for the worker, which maps it anew for each plan.
/// Throws labkit::Error.
class SharedMemory {
 public:
  SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory();
  /// So large, and 0 everywhere.
  void resize(std::uint64_t bytes);
  int fd() const { return file_.get(); }
  std::byte* data() { return data_; }
  Progress& progress() { return *reinterpret_cast<Progress*>(data_); }
  /// Bytes of it; the pages are given back to the system, and read as 0 from then on.
  std::vector<std::byte> take(std::uint64_t at, std::uint64_t bytes);

 private:
  void unmap();

  Descriptor file_;
  std::byte* data_ = nullptr;
  std::uint64_t bytes_ = 0;
};

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
  bool is_current() const { return environment_ == process::whole_environment(); }
  /// On this GPU it has a context from its first plan on.
  void announce(const std::string& uuid) {
    if (!presence_ || presence_->uuid() != uuid) presence_.emplace(uuid);
  }

 private:
  SharedMemory memory_;
  std::vector<std::string> environment_;
  std::unique_ptr<process::Companion> companion_;
  std::optional<GpuPresence> presence_;
};

/// What a worker that ended otherwise than it should is told as. `wall_seconds`: its limit.
[[noreturn]] void worker_error(const process::Result& run, double wall_seconds);
std::string describe_end(const process::Result& run, double wall_seconds);

/// A worker that has answered and is idle: kept for who comes next, if that sees the same machine.
void keep_idle(std::unique_ptr<Worker> worker);
/// That one, or a new one.
std::unique_ptr<Worker> idle_or_new();

/// Limit of a launch that names none (PlannedLaunch::wall_seconds). Not much less would do: a
/// misaligned address in every warp of a full H200 took the driver 4.5 s to tell of (580.159.04,
/// 2026-11-21: `labkit profile --device cuda --time-limit 60` of such a kernel, 4096 blocks of 256).
inline constexpr double kDefaultWallSeconds = 10;

/// The whole plan. Throws labkit::Error for a plan that names what is not there. `shared_bytes`: how large the memory must
/// be.
Request request_of(const Plan& plan, std::uint64_t& shared_bytes);
/// Writes the buffers' contents.
void fill(const Plan& plan, const Request& request, SharedMemory& memory);
/// Outputs of a launch from set number `set`, 0 for the first run's.
std::vector<Output> take_outputs(const Request& request, const LaunchSpec& launch,
                                 std::uint32_t set, SharedMemory& memory);

/// A reply of kind failed or endless. nullopt: it is not the launch's fault. `ptx` is the launch's
/// module; `gpu` its name ("NVIDIA H200").
std::optional<launch::Finding> finding_of(const Reply& reply, const launch::Launch& launch,
                                          const std::string& ptx, const std::string& gpu);

/// The worker died of `how` ("killed by signal 11 ...") while this launch ran, twice.
launch::Finding crash_finding(const std::string& how, const launch::Launch& launch,
                              const std::string& gpu);

/// Of a launch that was left out, since another of the same kernel in the plan did not end.
launch::Finding spared_finding(const launch::Launch& launch, const std::string& gpu);

/// What to do about a driver's error that is ours.
std::string remedy_of_code(int code);

}  // namespace labkit::device::cuda
