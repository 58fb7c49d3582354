// What CudaDevice and its worker, labkit-cuda, say to each other. Requests are CBOR maps on the
// worker's stdin, replies CBOR maps on its stdout, each after its length; the last reply to a request
// is `done`, or the worker ends. The bytes of buffers never pass through: they lie in a file in memory
// that both have open (kMemoryFd), whose first page is a Progress.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"

namespace labkit::device::cuda {

inline constexpr char kWorkerName[] = "labkit-cuda";
/// The worker's descriptor of the shared memory: process::kFirstKept.
inline constexpr int kMemoryFd = 4;
/// Buffers and the Progress begin at multiples of this in the shared memory.
inline constexpr std::uint64_t kPageBytes = 4096;
/// Oldest driver taken, in cuDriverGetVersion's figures: CUDA 11.8, as for NVRTC.
inline constexpr int kOldestDriver = 11080;
/// "13.0" of 13000.
inline std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}
/// Of what is free on the GPU, a plan may take one part in this many.
inline constexpr std::uint64_t kMemoryShare = 2;
/// Of device printf, as the simulator keeps it.
inline constexpr std::uint64_t kMostPrinted = 1u << 20;

/// At the start of the shared memory: which launch is under way, so that a worker that dies tells
/// whose launch killed it.
struct Progress {
  std::uint32_t launch_plus_one;  ///< index into Plan::launches, plus 1; 0: none
};

struct ModuleSpec {
  std::string name, ptx, cubin;
  std::vector<std::string> variables;  ///< its .global variables, to be as new before each run
  bool reload = false;                 ///< they are not known: load it anew before each run
};

struct BufferSpec {
  std::uint64_t bytes = 0;
  std::int64_t contents_at = -1;  ///< in the shared memory; -1: every byte is `fill`
  std::uint32_t fill = 0;
  bool output = false;
};

struct ArgumentSpec {
  std::int64_t buffer = -1;  ///< -1: `bytes` as they are
  std::uint64_t offset_bytes = 0;
  std::string bytes;
};

struct LaunchSpec {
  std::uint32_t index = 0;  ///< in Plan::launches
  bool driver_copy = false, timed = false;
  std::uint32_t module = 0;
  std::string kernel, entry;
  std::vector<std::uint32_t> grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<ArgumentSpec> arguments;
  std::vector<std::uint32_t> buffers;  ///< that the arguments name, each once, rising
  double wall_seconds = 0;
  /// In the shared memory: output buffers of the first run in the order of `buffers`, each at a
  /// whole page; then, set after set of `set_bytes`, those of differing samples.
  std::uint64_t outputs_at = 0, set_bytes = 0;
};

struct Request {
  bool describe = false;  ///< which GPUs are there? nothing else counts then
  int gpu = 0;            ///< by the driver's number
  /// Processes of the kit that have a context on that GPU, this worker not counted: idle now, but NVML
  /// counts them.
  std::uint32_t idle_contexts = 0;
  std::vector<ModuleSpec> modules;
  std::vector<BufferSpec> buffers;
  std::vector<LaunchSpec> launches;
  Repetition repetition;
};

struct GpuSpec {
  std::string name;
  bool exclusive = false;  ///< compute mode: one process has it at a time
  GpuFacts facts;
};

struct TimedSpec {
  std::uint32_t index = 0;
  std::vector<double> times_us;
  std::uint32_t differing_samples = 0, other_sets = 0;
  std::vector<std::uint32_t> changed_inputs;
};

struct Reply {
  enum class Kind : std::uint8_t {
    gpus,     ///< the answer to `describe`
    ran,      ///< launch `index` ran once; its outputs lie in the shared memory
    failed,   ///< launch `index` failed with the driver's `code`; the worker may end with it
    endless,  ///< launch `index` took longer than its limit; the worker ends
    window,   ///< times of all timed launches, and the conditions
    error,    ///< ours; the worker ends
    done,     ///< all of the request is answered; the worker waits for the next
  };
  Kind kind = Kind::error;
  std::uint32_t index = 0;
  int code = 0;
  bool at_launch = false;
  std::string code_name, words;    ///< of the driver for `code`
  std::string printed, complaint;  ///< what the driver wrote to stdout and stderr meanwhile
  std::vector<std::uint32_t> changed_inputs;
  double seconds = 0;      ///< of endless: the limit
  std::string error;       ///< of error: as base/error.h has it
  int driver_version = 0;  ///< 13000 for CUDA 13.0
  bool has_nvml = false;
  std::vector<GpuSpec> gpus;
  std::vector<TimedSpec> timed;
  Conditions conditions;
};

/// If this is set in its environment, the worker does not begin before a debugger is attached to it.
inline constexpr char kDebuggerVariable[] = "LABKIT_WAIT_FOR_DEBUGGER";
/// Has one of NVIDIA's tools put itself between CUDA and this process, or is a debugger to? Then
/// launches are replayed or stopped, and take as long as they take.
bool is_watched_by_tools();

/// With their length before them, as they go through the pipe.
std::string encode(const Request& request);
std::string encode(const Reply& reply);
using Length = std::uint32_t;
/// `bytes`: without the length.
Request decode_request(std::string_view bytes);
/// Every whole reply in `bytes`; what a dying worker left unfinished is dropped.
std::vector<Reply> decode_replies(std::string_view bytes);
/// Is the last of them `done`, with nothing after it?
bool is_done(std::string_view bytes);

/// `bytes` up to the next whole page.
constexpr std::uint64_t whole_pages(std::uint64_t bytes) {
  return (bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
}

}  // namespace labkit::device::cuda
