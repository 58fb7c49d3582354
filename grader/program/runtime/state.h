// What the runtime keeps of the one device there is: allocations, modules, errors, the clock of predicted times.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "program/include/cuda_runtime_api.h"
#include "program/runtime/channel.h"

namespace labkit::program {

/// A piece of device memory. Its bytes are mapped at `window` in this process; of memory that the host may use that is its address.
struct Piece {
  std::uint64_t address = 0, bytes = 0, mapped_bytes = 0;
  std::byte* window = nullptr;
  Kind kind = Kind::device;
  bool is_variable = false;
  bool is_of_host() const { return kind != Kind::device; }
};

struct Kernel {
  std::uint32_t module = 0;
  std::string name;
  std::optional<KernelReply> facts = {};
  std::vector<ParameterPlace> parameters = {};
  std::uint64_t most_dynamic_shared = 48 * 1024;  ///< unless cudaFuncSetAttribute() says more
};
struct Variable {
  std::uint32_t module = 0;
  std::string name;
  bool is_managed = false;
};
struct ImageObject;  ///< a texture or surface object (textures.cpp)
struct CallConfiguration {
  dim3 grid, block;
  std::size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
  const void* caller = nullptr;
};

/// Where in the program's own file that is, as its debug information counts; 0: it is a library's.
std::uint64_t place_in_program(const void* address);

/// What it does waits for all other streams, and they for it, but for those that were made not to.
inline bool is_default(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy;
}

/// Whether a call waits for the device, which is when a kernel's fault shows.
enum class Waits : bool { no, yes };

class State {
 public:
  static State& get();

  /// A call of the interface: `body` runs if no error sticks. Keeps what cudaGetLastError() is to say.
  template <typename Body>
  [[gnu::always_inline]] cudaError_t call(const char* name, Waits waits, const Body& body) {
    const std::lock_guard lock(mutex);
    caller = __builtin_return_address(0);  // of the function of the interface
    if (const cudaError_t stuck = enter(waits); stuck != cudaSuccess) return stuck;
    return leave(name, body());
  }
  cudaError_t last_error(bool clear);
  /// The program looks at an error that a call returned.
  void looks_at_error() { unasked_error_ = cudaSuccess; }
  /// A function that the runtime does not have.
  cudaError_t unsupported(const char* name);

  /// In mapped memory; an error otherwise. Null `piece` for 0 bytes.
  cudaError_t allocate(std::uint64_t bytes, Kind kind, void** address);
  cudaError_t release(void* address, bool of_host);
  /// cudaHostRegister(): memory of the host that kernels may use, too. It lies at two addresses: where it was, and in device memory.
  cudaError_t take_pages(void* host, std::uint64_t bytes);
  cudaError_t leave_pages(void* host);
  /// Of memory that the host has, registered or allocated for both; null if a kernel cannot use it.
  void* device_pointer(const void* host) const;
  /// cudaDeviceReset(): no error sticks, and nothing is allocated.
  cudaError_t reset();
  /// The piece that holds the address; null if it is memory of the host alone.
  const Piece* piece_of(const void* address) const;
  /// It lies where memory was freed, and none has been allocated since.
  bool was_freed(const void* address) const;
  /// Of a variable in device code.
  cudaError_t variable(const void* symbol, Piece* piece);
  /// A kernel by its address on the host; null if it is none, or one that cannot be run (then `error` says so).
  Kernel* kernel(const void* function, cudaError_t* error);
  cudaError_t launch(const void* function, const CallConfiguration& how, void** arguments,
                     bool cooperative);
  /// By the function of that name.
  void written(WrittenRequest request, const char* name);
  /// A kernel has changed that: the host must wait for it, and copies in other streams. What waits is not followed in detail: after
  /// any such call all is in order.
  void has_changed(const Stretch& stretch, cudaStream_t stream, bool is_with_host);
  /// An incident where a copy of that in this stream does not wait for its kernel.
  void copies(std::uint64_t address, std::uint64_t bytes, cudaStream_t stream, const char* name);
  /// A copy from the host in this stream, which others must wait for.
  void uploads(const Stretch& stretch, cudaStream_t stream);
  /// A copy to page-locked memory, which the host must wait for.
  void downloads(const Piece& piece, std::uint64_t offset, std::uint64_t bytes);
  void forget_order() { unordered_.clear(); }
  /// The host may use what kernels and copies have changed.
  void open_guarded();
  /// If the address was kept from the host until it waits: the incident that this is, and it is over now.
  std::optional<IncidentKind> open_guarded(const void* address);
  /// Streams and events. An error where it is none, or was destroyed.
  void made(const void* handle) { handles_[handle] = true; }
  void destroyed(const void* handle) { handles_[handle] = false; }
  cudaError_t check(cudaStream_t stream, const char* name);
  cudaError_t check(cudaEvent_t event, const char* name);
  /// From device memory, by the function of that name.
  void moved(std::uint64_t to, std::uint64_t from, const Rows& rows, const char* name);
  /// Lets the clock go on. `is_locked`: the host's side is page-locked.
  void copied(Copy copy, std::uint64_t bytes, bool is_locked = false);
  void incident(IncidentKind what, const char* name, std::uint64_t number,
                std::uint64_t address = 0);

  const DeviceReply& device();

  std::recursive_mutex mutex;
  const void* caller = nullptr;         ///< behind the program's call that is under way
  const void* launch_caller = nullptr;  ///< the same of <<<>>>, whose calls come from elsewhere
  struct Copying {
    const char* name = nullptr;  ///< of the function; null: none
    std::uint64_t bytes = 0;
  } copying;  ///< now
  Channel channel;
  std::map<const void*, Kernel> kernels;      ///< by their address on the host
  std::map<const void*, Variable> variables;  ///< the same
  std::vector<CallConfiguration> calls;       ///< of <<<>>>, until the launch
  std::map<cudaArray_const_t, std::shared_ptr<cudaArray>> arrays;
  std::map<std::uint64_t, std::shared_ptr<const ImageObject>> images;  ///< by their handles
  double now_seconds = 0;                                              ///< of the device, predicted
  std::uint64_t heap_bytes = 8 << 20;                                  ///< of malloc() in kernels

 private:
  State();
  cudaError_t enter(Waits waits);
  cudaError_t leave(const char* name, cudaError_t error);
  /// A call failed, and the program does something else or ends.
  void tell_unasked();
  /// Maps it, at its own address if the host may use it.
  cudaError_t map(const AllocateReply& reply, Kind kind, bool is_variable, Piece* made);

  std::map<std::uint64_t, Piece> pieces_;         ///< by the address behind them
  std::map<std::uint64_t, std::uint64_t> freed_;  ///< by the address behind it: where it began
  std::map<const void*, Piece> variable_pieces_;
  cudaError_t check(const void* handle, IncidentKind unknown, IncidentKind gone, const char* name);
  void guard(std::byte* begin, std::uint64_t bytes, IncidentKind what);

  struct Unordered {
    Stretch stretch;
    cudaStream_t stream = nullptr;
    std::uint64_t uploaded_by = 0;  ///< the copy's caller; 0: a kernel changed it
  };
  std::vector<Unordered> unordered_;  ///< what changed in streams that nobody has waited for
  struct Guarded {
    std::byte* begin = nullptr;
    std::uint64_t bytes = 0;
    IncidentKind what = IncidentKind::early_access;
  };
  std::vector<Guarded> guarded_;  ///< memory of the host that it must not use before it waits
  std::map<const void*, bool> handles_;  ///< of streams and events: whether they are there still
  struct Pages {
    std::byte* begin = nullptr;  ///< the first whole page
    std::uint64_t bytes = 0, mapped_bytes = 0, address = 0;
  };
  std::map<const void*, Pages> registered_;  ///< by what was registered
  std::optional<DeviceReply> device_;
  cudaError_t last_ = cudaSuccess;
  cudaError_t fault_ = cudaSuccess;  ///< of a kernel, until the program waits for it
  cudaError_t stuck_ = cudaSuccess;  ///< what every call says from then on
  std::string unasked_;  ///< the call that failed last, if nobody has asked for the error
  cudaError_t unasked_error_ = cudaSuccess;
  const void* unasked_caller_ = nullptr;
};

}  // namespace labkit::program
