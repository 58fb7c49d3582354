// One context on one GPU with a plan's modules and buffers in it, and the ways to run its launches:
// once, as all begin, and timed.
//
// Memory: a pristine copy of each buffer that has contents, and one arena that all launches share,
// since each starts from fresh buffers. Launches with the same buffers in the same order find them at
// the same addresses, so that no launch is lucky with its banks.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "device/cuda_protocol.h"
#include "device/worker/driver.h"

namespace labkit::device::cuda {

/// The L2 is swept with a buffer of this many times its size, so that with any replacement policy
/// and two partitions little else is left in it.
inline constexpr std::uint64_t kFlushFactor = 4;
inline constexpr std::uint64_t kLeastFlushBytes = 32u << 20;
/// Buffers begin at multiples of this in the arena, as those of cuMemAlloc that are large do.
inline constexpr std::uint64_t kBufferAlignment = 2u << 20;
/// What a context takes of the GPU's memory, about.
inline constexpr std::uint64_t kContextBytes = 768u << 20;

/// What a session takes besides buffers.
std::uint64_t own_bytes(std::uint64_t l2_bytes);

/// The driver refused or ended a launch.
struct LaunchFailure {
  Result code = 0;
  bool at_launch = false;  ///< refused, nothing ran
  std::string words;       ///< instead of the driver's, if not empty
};

class Session {
 public:
  using Hash = unsigned long long;

  /// Takes the GPU's primary context and fills its memory. Throws Trouble. `shared`: the memory
  /// shared with the grader.
  Session(const Driver& driver, DeviceId device, const Request& request, std::byte* shared);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  /// Buffers and the module's variables as the launch finds them. Throws Trouble or, for a module
  /// that the driver cannot compile, LaunchFailure.
  void restore(const LaunchSpec& launch);
  /// Runs it, untimed, and waits. Throws LaunchFailure.
  void run(const LaunchSpec& launch);
  /// As run(), after sweeping L2, with events around it: microseconds. Throws LaunchFailure, or
  /// Trouble if the events give no time.
  double time(const LaunchSpec& launch);
  /// One hash for each of launch.buffers as they are now.
  std::vector<Hash> hashes(const LaunchSpec& launch);
  /// Copies the launch's outputs to set number `set` in the shared memory; 0 is the first run's.
  void keep_outputs(const LaunchSpec& launch, std::uint32_t set);
  const Driver& driver() const { return driver_; }
  /// After a LaunchFailure: is the context still of use?
  bool alive() const;

 private:
  struct Variable {
    Address address = 0, pristine = 0;
    std::size_t bytes = 0;
  };
  struct Loaded {
    ModuleHandle handle = nullptr;
    std::vector<Variable> variables;
    bool reload = false;
    std::map<std::string, Function> functions;
  };

  Address allocate(std::uint64_t bytes, const char* purpose);
  Loaded& load(std::uint32_t module);
  void load_into(Loaded& loaded, const ModuleSpec& spec);
  Function function_of(const LaunchSpec& launch);
  void lay_out();
  void require_memory(std::uint64_t l2_bytes);
  void load_helpers();
  void launch_helper(Function function, std::uint64_t items, std::vector<void*> arguments);
  void fire(const LaunchSpec& launch);
  void wait();
  Address address_of(const LaunchSpec& launch, std::uint32_t buffer) const;

  const Driver& driver_;
  DeviceId device_;
  const Request& request_;
  std::byte* shared_;
  Stream stream_ = nullptr;
  Event begin_ = nullptr, end_ = nullptr;
  unsigned helper_blocks_ = 1;
  ModuleHandle helpers_ = nullptr;
  Function flush_ = nullptr, hash_ = nullptr;
  std::vector<Address> pristine_;  ///< by buffer; 0: uniform
  std::map<std::uint32_t, std::map<std::uint32_t, std::uint64_t>> layout_;  ///< launch, buffer
  std::uint64_t arena_bytes_ = 0, flush_bytes_ = 0;
  Address arena_ = 0, flush_buffer_ = 0, sums_ = 0, sink_ = 0;
  Hash* sums_here_ = nullptr;  ///< pinned
  std::map<std::uint32_t, Loaded> modules_;
};

}  // namespace labkit::device::cuda
