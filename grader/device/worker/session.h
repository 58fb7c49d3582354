// One plan's modules and buffers on a GPU, and the ways to run its launches: once, as all begin, and
// timed. What it took there it gives back at its end.
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
#include "device/worker/gpu.h"

namespace labkit::device::cuda {

/// Buffers begin at multiples of this in the arena, as those of cuMemAlloc that are large do.
inline constexpr std::uint64_t kBufferAlignment = 2u << 20;

class Session {
 public:
  using Hash = Gpu::Hash;

  /// Fills the GPU's memory. Throws Trouble. `shared`: the memory shared with the grader.
  Session(Gpu& gpu, const Request& request, std::byte* shared);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  /// Buffers and the module's variables as the launch finds them. Throws Trouble or, for a module
  /// that the driver cannot compile, LaunchFailure.
  void restore(const LaunchSpec& launch);
  /// Runs it, untimed, and waits. Throws LaunchFailure.
  void run(const LaunchSpec& launch) {
    fire(launch);
    gpu_.wait();
  }
  /// As run(), after sweeping L2, with events around it: microseconds. Throws LaunchFailure, or
  /// Trouble if the events give no time.
  double time(const LaunchSpec& launch);
  /// One hash for each of launch.buffers as they are now.
  std::vector<Hash> hashes(const LaunchSpec& launch);
  /// Copies the launch's outputs to set number `set` in the shared memory; 0 is the first run's.
  void keep_outputs(const LaunchSpec& launch, std::uint32_t set);
  const Driver& driver() const { return driver_; }
  /// After a LaunchFailure: is the context still of use?
  bool alive() const { return gpu_.alive(); }

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

  /// Freed with the session.
  Address allocate(std::uint64_t bytes, const char* purpose);
  Loaded& load(std::uint32_t module);
  void load_into(Loaded& loaded, const ModuleSpec& spec);
  Function function_of(const LaunchSpec& launch);
  void lay_out();
  void fire(const LaunchSpec& launch);
  Address address_of(const LaunchSpec& launch, std::uint32_t buffer) const;

  Gpu& gpu_;
  const Driver& driver_;
  const Request& request_;
  std::byte* shared_;
  std::vector<Address> allocated_;
  std::vector<Address> pristine_;  ///< by buffer; 0: uniform
  std::map<std::uint32_t, std::map<std::uint32_t, std::uint64_t>> layout_;  ///< launch, buffer
  std::uint64_t arena_bytes_ = 0;
  Address arena_ = 0;
  std::vector<Loaded> modules_;  ///< as far as they are loaded
};

}  // namespace labkit::device::cuda
