// A plan as the worker gets it: the request, and the memory that both share.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "device/cuda_protocol.h"

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
  int fd() const { return fd_; }
  std::byte* data() { return data_; }
  Progress& progress() { return *reinterpret_cast<Progress*>(data_); }
  /// Bytes of it; the pages are given back to the system, and read as 0 from then on.
  std::vector<std::byte> take(std::uint64_t at, std::uint64_t bytes);

 private:
  void unmap();

  int fd_ = -1;
  std::byte* data_ = nullptr;
  std::uint64_t bytes_ = 0;
};

/// What of a module's PTX the worker must know.
struct ModuleFacts {
  bool known = false;  ///< its PTX could be read
  std::vector<std::string> variables;
  std::map<std::string, std::vector<std::uint64_t>> parameter_bytes;  ///< by entry
};
ModuleFacts facts_of(const Module& module);

/// Limit of a launch that names none (PlannedLaunch::wall_seconds). Not much less would do: a
/// misaligned address in every warp of a full H200 took the driver 4.5 s to tell of (580.159.04,
/// 2026-11-21: `labkit profile --device cuda --time-limit 60` of such a kernel, 4096 blocks of 256).
inline constexpr double kDefaultWallSeconds = 10;

/// The whole plan; `facts` of its modules, in their order. Throws labkit::Error for a plan that names
/// what is not there. `shared_bytes`: how large the memory must be.
Request request_of(const Plan& plan, std::span<const ModuleFacts> facts,
                   std::uint64_t& shared_bytes);
/// Writes the buffers' contents.
void fill(const Plan& plan, const Request& request, SharedMemory& memory);
/// Outputs of a launch from set number `set`, 0 for the first run's.
std::vector<Output> take_outputs(const Request& request, const LaunchSpec& launch,
                                 std::uint32_t set, SharedMemory& memory);

}  // namespace labkit::device::cuda
