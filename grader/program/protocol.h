// What a CUDA program's runtime (runtime/, in the program's own process) and labkit say to each other over a socket: fixed
// structures and bytes behind them. The program asks, labkit answers; what is marked "no answer" is only told. Device memory never
// passes through: it lies in a file in memory that both have open, at offsets that allocate() hands out. Plain data,
// and nothing else included: the runtime is linked into programs that nobody here has seen.
#pragma once
#include <cstdint>

#include "simt/image.h"

namespace labkit::program {

/// "SOCKET,MEMORY": the program's descriptors of both.
inline constexpr char kDescriptorsVariable[] = "LABKIT_PROGRAM";

/// CUDA's own numbers, of those that labkit decides on.
enum CudaError : std::int32_t {
  kSuccess = 0,
  kInvalidValue = 1,
  kMemoryAllocation = 2,
  kInvalidConfiguration = 9,
  kInvalidSymbol = 13,
  kInvalidDeviceFunction = 98,
  kInvalidKernelImage = 200,
  kSymbolNotFound = 500,
  kIllegalAddress = 700,
  kLaunchOutOfResources = 701,
  kAssert = 710,
  kMisalignedAddress = 716,
  kLaunchFailure = 719,
  kCooperativeLaunchTooLarge = 720,
  kNotSupported = 801,
};

enum class Op : std::uint32_t {
  module,    ///< bytes: a fat binary -> ModuleReply
  kernel,    ///< KernelRequest, name -> KernelReply, a ParameterPlace each
  variable,  ///< KernelRequest, name -> AllocateReply
  allocate,  ///< AllocateRequest -> AllocateReply
  release,   ///< ReleaseRequest -> nothing
  image,     ///< ImageRequest -> ImageReply
  no_image,  ///< ImageReply: it is destroyed -> nothing
  written,   ///< WrittenRequest, the function's name; no answer
  moved,     ///< MovedRequest, the function's name; no answer
  launch,  ///< LaunchRequest, name, parameters, a Stretch each -> LaunchReply, a Stretch each, what the kernel printed
  heap,    ///< HeapRequest -> nothing
  device,  ///< -> DeviceReply
  copied,  ///< CopiedRequest; no answer
  incident,  ///< IncidentRequest, the function's name, more; no answer
};

struct Request {
  Op op = Op::device;
  std::uint32_t bytes = 0;  ///< that follow
};
struct Reply {
  std::int32_t error = kSuccess;
  std::uint32_t bytes = 0;
};

struct ModuleReply {
  std::uint32_t module = 0;
};
struct KernelRequest {
  std::uint32_t module = 0;
};
struct KernelReply {
  std::uint64_t static_shared_bytes = 0, local_bytes = 0, constant_bytes = 0;
  std::uint32_t registers = 0, max_threads = 1024, parameters = 0;
  std::uint32_t ptx_arch = 0;  ///< that its PTX was made for: 80
};
struct ParameterPlace {
  std::uint32_t offset = 0, bytes = 0;
};
enum class Kind : std::uint32_t {
  device,   ///< cudaMalloc
  managed,  ///< the host reads and writes it at the same address
  host,     ///< page-locked memory of the host, which kernels may use
};
struct AllocateRequest {
  std::uint64_t bytes = 0;
  Kind kind = Kind::device;
  std::uint32_t unused = 0;
  std::uint64_t caller = 0;  ///< as in IncidentRequest
};
struct AllocateReply {
  std::uint64_t address = 0, bytes = 0;
  std::uint64_t offset = 0;  ///< in the shared file
};
struct ReleaseRequest {
  std::uint64_t address = 0;
  std::uint64_t caller = 0;  ///< as in IncidentRequest
};
/// How much malloc() in kernels may give.
struct HeapRequest {
  std::uint64_t bytes = 0;
};
/// A texture or surface object.
struct ImageRequest {
  simt::Image image;
};
struct ImageReply {
  std::uint64_t handle = 0;
};
/// The program has changed [address, address + bytes).
struct WrittenRequest {
  std::uint64_t address = 0, bytes = 0;
  std::uint64_t from = 0;    ///< the host's memory that was copied; 0: none
  std::uint64_t caller = 0;  ///< as in IncidentRequest
  std::int32_t value = -1;   ///< of a memset: of each byte; -1: it is none
  std::uint32_t unused = 0;
  std::uint64_t name_bytes = 0;
};
/// What is copied, in bytes, and how far rows and slices lie apart.
struct Rows {
  std::uint64_t width = 0, height = 1, to_pitch = 0, from_pitch = 0;
  std::uint64_t depth = 1, to_slice = 0, from_slice = 0;
  bool is_empty() const { return width == 0 || height == 0 || depth == 0; }
  std::uint64_t bytes() const { return width * height * depth; }
  std::uint64_t to_bytes() const { return reach(to_pitch, to_slice); }
  std::uint64_t from_bytes() const { return reach(from_pitch, from_slice); }
  /// `call` with how far each row lies behind the first of either side.
  template <typename Call>
  void each(const Call& call) const {
    for (std::uint64_t slice = 0; slice < depth; ++slice)
      for (std::uint64_t row = 0; row < height; ++row)
        call(slice * to_slice + row * to_pitch, slice * from_slice + row * from_pitch);
  }

 private:
  std::uint64_t reach(std::uint64_t pitch, std::uint64_t slice) const {
    return is_empty() ? 0 : (depth - 1) * slice + (height - 1) * pitch + width;
  }
};
/// A copy from device memory, to there or to the host.
struct MovedRequest {
  std::uint64_t to = 0, from = 0;
  Rows rows;
  std::uint64_t caller = 0;  ///< as in IncidentRequest
  std::uint64_t name_bytes = 0;
};
struct LaunchRequest {
  std::uint64_t caller = 0;  ///< as in IncidentRequest
  std::uint32_t module = 0;
  std::uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  std::uint32_t cooperative = 0;
  std::uint64_t dynamic_shared_bytes = 0, most_dynamic_shared_bytes = 0;
  std::uint32_t name_bytes = 0, parameter_bytes = 0;
  std::uint64_t uploads = 0;  ///< that it does not wait for; a Stretch each follows the parameters
};
struct LaunchReply {
  double seconds = 0;  ///< predicted
  std::int32_t fault =
      kSuccess;  ///< that the kernel met while it ran: the program hears of it later, as with CUDA
  std::uint32_t printed_bytes = 0;  ///< that follow the stretches
  std::uint32_t is_with_host = 0;   ///< it is made to use memory at the same time as the host
  std::uint32_t unused = 0;
  std::uint64_t stretches = 0;   ///< that the kernel changed; they follow
  std::uint64_t upload = ~0ull;  ///< number of the first of `uploads` that it uses; ~0: none
};
struct Stretch {
  std::uint64_t address = 0, bytes = 0;
};
struct DeviceReply {
  char name[256] = {};
  std::uint64_t memory_bytes = 0, free_bytes = 0, l2_bytes = 0;
  std::uint64_t shared_bytes_per_sm = 0, shared_bytes_per_block_max = 0;
  double sm_clock_hz = 0, launch_seconds = 0, dram_bytes_per_second = 0;
  double host_link_bytes_per_second = 0;
  std::uint32_t sm_count = 0, max_threads_per_sm = 0, max_blocks_per_sm = 0, registers_per_sm = 0;
  std::uint32_t compute_major = 9, compute_minor = 0;
};
enum class IncidentKind : std::uint32_t {
  unsupported,  ///< a function of the runtime that is not there
  failed,       ///< a call failed; `number` is its error
  unchecked,    ///< and the program went on as if nothing had happened
  host_access,  ///< the host used a pointer to device memory; `number` is the address
  bad_copy,     ///< a copy reaches past the end of an allocation; `number`: by how many bytes
  host_end,     ///< a copy reaches past the end of the host's memory; `number`: its bytes
  direction,    ///< of a copy, which does not fit; `number`: a Misfit
  freed_use,  ///< memory is used that was freed; `number` is the address. Of no function: by the host
  freed_twice,  ///< `number` is the address
  bad_free,     ///< the function cannot free that; `number` is the address
  unordered,    ///< a copy of what a kernel in another stream changed; `number` is the address
  early_access,  ///< the host uses what a kernel changed, and has not waited; `number` is the address
  early_read,    ///< the same of what a copy changed
  unordered_upload,  ///< a kernel uses what is copied in another stream; `number`: the copy's caller, `address`: of the memory
  host_small,  ///< a copy to the host's memory is larger than that; `number`: bytes, `address`: what it has
  host_short,  ///< the same of a copy from there
  destroyed_stream,
  unknown_stream,
  destroyed_event,
  unknown_event,
};
/// What a copy's direction says wrongly: that this is the other memory.
enum class Misfit : std::uint32_t { host_target, host_source };
struct IncidentRequest {
  IncidentKind incident = IncidentKind::unsupported;
  std::uint32_t name_bytes = 0;
  std::uint64_t number = 0, address = 0;
  std::uint64_t caller = 0;  ///< where in the program's file it was called; 0: elsewhere
};
enum class Copy : std::uint32_t { to_device, to_host, on_device, on_host, fill };
struct CopiedRequest {
  Copy copy = Copy::to_device;
  std::uint32_t unused = 0;
  std::uint64_t bytes = 0;
  double seconds = 0;  ///< predicted
};

}  // namespace labkit::program
