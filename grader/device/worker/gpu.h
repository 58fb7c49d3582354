// One GPU as this process holds it: its primary context, and what every plan needs there besides its
// own buffers. Kept from plan to plan, since a context takes longer to make than most plans to run.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "device/worker/driver.h"

namespace labkit::device::cuda {

/// The L2 is swept with a buffer of this many times its size, so that with any replacement policy
/// and two partitions little else is left in it.
inline constexpr std::uint64_t kFlushFactor = 4;
inline constexpr std::uint64_t kLeastFlushBytes = 32u << 20;
/// What a context takes of the GPU's memory, about.
inline constexpr std::uint64_t kContextBytes = 768u << 20;
/// Buffers of one launch; a kernel has 4 KiB of parameters.
inline constexpr std::size_t kMostBuffers = 64;

/// What is taken besides buffers.
std::uint64_t own_bytes(std::uint64_t l2_bytes);

/// The driver refused or ended a launch.
struct LaunchFailure {
  Result code = 0;
  bool at_launch = false;  ///< refused, nothing ran
  std::string words;       ///< instead of the driver's, if not empty
};

class Gpu {
 public:
  using Hash = unsigned long long;

  /// Takes the primary context. Throws Trouble.
  Gpu(const Driver& driver, DeviceId device);
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;
  ~Gpu();

  const Driver& driver() const { return driver_; }
  DeviceId device() const { return device_; }
  Stream stream() const { return stream_; }
  /// Throws Trouble if so much is not to be had, or more than the kit's share of what is free.
  void require_memory(std::uint64_t bytes) const;
  Address allocate(std::uint64_t bytes, const char* purpose);
  void free(Address address) {
    if (address != 0) driver_.free(address);
  }

  /// Until all that was given to the stream is done. Throws LaunchFailure.
  void wait();
  /// After a LaunchFailure: is the context still of use?
  bool alive() const { return driver_.synchronize() == kSuccess; }
  /// How long what `launch` gives to the stream takes, after sweeping L2. Throws LaunchFailure or Trouble.
  double time_us(const std::function<void()>& launch);
  /// One hash for each of these, by words of 4 bytes. Throws LaunchFailure.
  std::vector<Hash> hashes(const std::vector<std::pair<Address, std::uint64_t>>& words);

 private:
  /// What was in L2 is not any more, nor do lines persist there that a launch asked for.
  void sweep_l2();
  void launch_helper(Function function, std::uint64_t items, std::vector<void*> arguments);

  const Driver& driver_;
  DeviceId device_;
  Stream stream_ = nullptr;
  Event begin_ = nullptr, end_ = nullptr;
  unsigned helper_blocks_ = 1;
  ModuleHandle helpers_ = nullptr;
  Function flush_ = nullptr, hash_ = nullptr;
  std::uint64_t flush_bytes_ = 0;
  Address flush_buffer_ = 0, sums_ = 0, sink_ = 0;
  Hash* sums_here_ = nullptr;  ///< pinned
};

}  // namespace labkit::device::cuda
