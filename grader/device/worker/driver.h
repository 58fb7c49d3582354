// The part of the CUDA driver API that is used, bound at run time: nothing of the CUDA Toolkit is
// needed to build this, and one binary serves machines with and without a driver. Types and numbers
// are those of the CUDA Driver API reference; names with _v2 are what its headers map the plain ones
// to, and what every driver since CUDA 3.2 has.
#pragma once
#include <dlfcn.h>

#include <cstddef>
#include <string>

#include "base/error.h"

namespace labkit::device::cuda {

/// An error of ours, thrown inside the worker and sent to the grader as an error reply.
struct Trouble {
  std::string message, remedy;
  std::string id = error_id::kGpuFailed;
};

/// Sets the function to a library's symbol; false, and null, if it has none.
template <typename F>
bool bind(void* library, F& function, const char* symbol) {
  function = reinterpret_cast<F>(::dlsym(library, symbol));
  return function != nullptr;
}

using Result = int;  // CUresult
using DeviceId = int;
using Context = void*;
using ModuleHandle = void*;
using Function = void*;
using Stream = void*;
using Event = void*;
using Address = unsigned long long;  // CUdeviceptr

enum : Result {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kStubLibrary = 34,
  kDeviceUnavailable = 46,
  kNoDevice = 100,
  kInvalidPtx = 218,
  kUnsupportedPtx = 222,
  kNotFound = 500,
};

/// CU_DEVICE_ATTRIBUTE_..
enum class Attribute : int {
  multiprocessors = 16,
  compute_mode = 20,
  memory_clock_khz = 36,
  memory_bus_bits = 37,
  l2_bytes = 38,
  capability_major = 75,
  capability_minor = 76,
};
inline constexpr int kModeExclusive = 3;     // CU_COMPUTEMODE_EXCLUSIVE_PROCESS
inline constexpr int kLimitPrintfBytes = 1;  // CU_LIMIT_PRINTF_FIFO_SIZE
inline constexpr int kMaxDynamicShared = 8;  // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
inline constexpr int kJitErrorLog = 5;       // CU_JIT_ERROR_LOG_BUFFER
inline constexpr int kJitErrorLogBytes = 6;  // .._SIZE_BYTES
inline constexpr int kJitLineInfo = 12;      // CU_JIT_GENERATE_LINE_INFO

struct Uuid {
  unsigned char bytes[16];
};

struct Driver {
  /// Loads LABKIT_LIBCUDA or libcuda.so.1, and calls cuInit. Throws Trouble: none, too old, broken.
  Driver();

  Result (*get_error_name)(Result, const char**) = nullptr;
  Result (*get_error_string)(Result, const char**) = nullptr;
  Result (*init)(unsigned) = nullptr;
  Result (*driver_version)(int*) = nullptr;
  Result (*device_count)(int*) = nullptr;
  Result (*device_get)(DeviceId*, int) = nullptr;
  Result (*device_name)(char*, int, DeviceId) = nullptr;
  Result (*device_uuid)(Uuid*, DeviceId) = nullptr;
  Result (*device_attribute)(int*, int, DeviceId) = nullptr;
  Result (*device_memory)(std::size_t*, DeviceId) = nullptr;
  Result (*retain_context)(Context*, DeviceId) = nullptr;
  Result (*release_context)(DeviceId) = nullptr;
  Result (*set_context)(Context) = nullptr;
  Result (*set_limit)(int, std::size_t) = nullptr;
  Result (*reset_persisting_l2)() = nullptr;  ///< null in a driver without it
  Result (*memory_info)(std::size_t*, std::size_t*) = nullptr;
  Result (*allocate)(Address*, std::size_t) = nullptr;
  Result (*free)(Address) = nullptr;
  Result (*allocate_host)(void**, std::size_t) = nullptr;
  Result (*copy_in)(Address, const void*, std::size_t) = nullptr;
  Result (*copy_out)(void*, Address, std::size_t) = nullptr;
  Result (*copy_out_async)(void*, Address, std::size_t, Stream) = nullptr;
  Result (*copy_async)(Address, Address, std::size_t, Stream) = nullptr;
  Result (*fill_async)(Address, unsigned char, std::size_t, Stream) = nullptr;
  Result (*load_module)(ModuleHandle*, const void*, unsigned, int*, void**) = nullptr;
  Result (*unload_module)(ModuleHandle) = nullptr;
  Result (*get_function)(Function*, ModuleHandle, const char*) = nullptr;
  Result (*get_global)(Address*, std::size_t*, ModuleHandle, const char*) = nullptr;
  Result (*set_function)(Function, int, int) = nullptr;
  Result (*launch)(Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   Stream, void**, void**) = nullptr;
  Result (*create_stream)(Stream*, unsigned) = nullptr;
  Result (*create_event)(Event*, unsigned) = nullptr;
  Result (*record_event)(Event, Stream) = nullptr;
  Result (*elapsed)(float*, Event, Event) = nullptr;
  Result (*synchronize)() = nullptr;

  int version = 0;  ///< 13000 for CUDA 13.0

  /// "CUDA_ERROR_ILLEGAL_ADDRESS" and "an illegal memory access was encountered".
  std::string name_of(Result result) const;
  std::string words_of(Result result) const;
  /// Throws Trouble, with the id and the remedy that fit, unless `result` is success.
  void check(Result result, const std::string& what) const;
  int attribute(Attribute attribute, DeviceId device) const;  ///< 0 if the driver does not know it
};

/// What to do about an error that is ours, and its error_id.
std::string remedy_of(Result result);
std::string id_of(Result result);

}  // namespace labkit::device::cuda
