// The parts of the CUDA driver API and of NVML that are used, bound at run time: nothing of the CUDA Toolkit is
// needed to build this, and one binary serves machines with and without a driver. Types and numbers
// are those of the CUDA Driver API reference; names with _v2 are what its headers map the plain ones
// to, and what every driver since CUDA 3.2 has.
#pragma once
#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/error.h"

namespace labkit::device::cuda {

/// An error of ours, thrown inside the worker and sent to the grader as an error reply.
struct Trouble {
  std::string message, remedy;
  std::string id = error_id::kGpuFailed;
};

/// A library's function, for a pointer of any type to functions; null where it has none of that name, nor of the older one.
class Symbol {
 public:
  Symbol(void* library, const char* name, const char* older = nullptr) {
    if (library != nullptr) address_ = ::dlsym(library, name);
    if (library != nullptr && address_ == nullptr && older != nullptr)
      address_ = ::dlsym(library, older);
  }
  bool found() const { return address_ != nullptr; }
  template <typename F>
  operator F*() const {  // NOLINT: for that it is there
    return reinterpret_cast<F*>(address_);
  }

 private:
  void* address_ = nullptr;
};

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
  kOutOfMemory = 2,
  kStubLibrary = 34,
  kDeviceUnavailable = 46,
  kNoDevice = 100,
  kInvalidPtx = 218,
  kUnsupportedPtx = 222,
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

class Driver {
  void* library_ = open_library();

 public:
  /// Loads LABKIT_LIBCUDA or libcuda.so.1, and calls cuInit. Throws Trouble: none, too old, broken.
  Driver() = default;

  // First what tells the age: a driver too old for the rest is reported as that.
  Result (*get_error_name)(Result, const char**) = required("cuGetErrorName");
  Result (*get_error_string)(Result, const char**) = required("cuGetErrorString");
  Result (*driver_version)(int*) = required("cuDriverGetVersion");
  Result (*init)(unsigned) = required("cuInit");
  const int version = started_version();  ///< 13000 for CUDA 13.0

  Result (*device_count)(int*) = required("cuDeviceGetCount");
  Result (*device_get)(DeviceId*, int) = required("cuDeviceGet");
  Result (*device_name)(char*, int, DeviceId) = required("cuDeviceGetName");
  Result (*device_uuid)(Uuid*, DeviceId) = required("cuDeviceGetUuid_v2", "cuDeviceGetUuid");
  Result (*device_attribute)(int*, int, DeviceId) = required("cuDeviceGetAttribute");
  Result (*device_memory)(std::size_t*, DeviceId) = required("cuDeviceTotalMem_v2");
  Result (*retain_context)(Context*, DeviceId) = required("cuDevicePrimaryCtxRetain");
  Result (*release_context)(DeviceId) = required("cuDevicePrimaryCtxRelease_v2");
  Result (*set_context)(Context) = required("cuCtxSetCurrent");
  Result (*set_limit)(int, std::size_t) = required("cuCtxSetLimit");
  /// Null in a driver without it.
  Result (*reset_persisting_l2)() = Symbol(library_, "cuCtxResetPersistingL2Cache");
  Result (*memory_info)(std::size_t*, std::size_t*) = required("cuMemGetInfo_v2");
  Result (*allocate)(Address*, std::size_t) = required("cuMemAlloc_v2");
  Result (*free)(Address) = required("cuMemFree_v2");
  Result (*allocate_host)(void**, std::size_t) = required("cuMemAllocHost_v2");
  Result (*copy_in)(Address, const void*, std::size_t) = required("cuMemcpyHtoD_v2");
  Result (*copy_out)(void*, Address, std::size_t) = required("cuMemcpyDtoH_v2");
  Result (*copy_out_async)(void*, Address, std::size_t, Stream) = required("cuMemcpyDtoHAsync_v2");
  Result (*copy_async)(Address, Address, std::size_t, Stream) = required("cuMemcpyDtoDAsync_v2");
  Result (*fill_async)(Address, unsigned char, std::size_t, Stream) = required("cuMemsetD8Async");
  Result (*load_module)(ModuleHandle*, const void*, unsigned, int*,
                        void**) = required("cuModuleLoadDataEx");
  Result (*unload_module)(ModuleHandle) = required("cuModuleUnload");
  Result (*get_function)(Function*, ModuleHandle, const char*) = required("cuModuleGetFunction");
  Result (*get_global)(Address*, std::size_t*, ModuleHandle,
                       const char*) = required("cuModuleGetGlobal_v2");
  Result (*set_function)(Function, int, int) = required("cuFuncSetAttribute");
  Result (*launch)(Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   Stream, void**, void**) = required("cuLaunchKernel");
  Result (*create_stream)(Stream*, unsigned) = required("cuStreamCreate");
  Result (*create_event)(Event*, unsigned) = required("cuEventCreate");
  Result (*record_event)(Event, Stream) = required("cuEventRecord");
  Result (*elapsed)(float*, Event, Event) = required("cuEventElapsedTime");
  Result (*synchronize)() = required("cuCtxSynchronize");

  /// "CUDA_ERROR_ILLEGAL_ADDRESS" and "an illegal memory access was encountered".
  std::string name_of(Result result) const;
  std::string words_of(Result result) const;
  /// Throws Trouble, with the id and the remedy that fit, unless `result` is success.
  void check(Result result, const std::string& what) const;
  /// 0 if the driver does not know it.
  unsigned attribute(Attribute attribute, DeviceId device) const;

 private:
  static void* open_library();
  Symbol required(const char* name, const char* older = nullptr) const;
  int started_version() const;
};

/// What to do about an error that is ours, and its error_id.
std::string remedy_of(Result result);
std::string id_of(Result result);

/// NVIDIA's management library (LABKIT_LIBNVML or libnvidia-ml.so.1): is the GPU throttled, does anyone else use it, what do
/// its clocks say. All that it tells is optional.
class Nvml {
 public:
  bool loaded() const { return by_uuid_ != nullptr; }
  /// From here on, questions are about this GPU ("GPU-..."); false if NVML does not know it.
  bool watch(const std::string& uuid);

  /// Why the clocks are held down now ("by heat", "by the power supply"), or empty.
  std::string throttled() const;
  /// Per cent of the last sampling period (up to a second) that kernels ran.
  std::optional<unsigned> utilisation() const;
  /// How many have a context on the GPU, this one among them if it has; kUnknown if NVML cannot say.
  unsigned processes() const;
  static constexpr unsigned kUnknown = ~0u;
  unsigned sm_clock_mhz() const { return clock_mhz(1); }      // NVML_CLOCK_SM
  unsigned memory_clock_mhz() const { return clock_mhz(2); }  // NVML_CLOCK_MEM
  std::optional<std::uint64_t> free_bytes() const;
  std::string driver() const;  ///< "580.159.04", or empty

 private:
  using Handle = void*;
  struct Utilisation {
    unsigned gpu, memory;
  };
  struct Memory {
    unsigned long long total, free, used;
  };
  static void* started_library();  ///< null: there is none, or it cannot start
  unsigned clock_mhz(int which) const;

  void* library_ = started_library();
  Handle gpu_ = nullptr;
  int (*by_uuid_)(const char*, Handle*) = Symbol(library_, "nvmlDeviceGetHandleByUUID");
  // Since CUDA 12.2 under the first name.
  int (*reasons_)(Handle,
                  unsigned long long*) = Symbol(library_, "nvmlDeviceGetCurrentClocksEventReasons",
                                                "nvmlDeviceGetCurrentClocksThrottleReasons");
  int (*utilisation_)(Handle, Utilisation*) = Symbol(library_, "nvmlDeviceGetUtilizationRates");
  int (*processes_)(Handle, unsigned*, void*) = Symbol(library_,
                                                       "nvmlDeviceGetComputeRunningProcesses_v3");
  int (*clock_)(Handle, int, unsigned*) = Symbol(library_, "nvmlDeviceGetClockInfo");
  int (*memory_)(Handle, Memory*) = Symbol(library_, "nvmlDeviceGetMemoryInfo");
  int (*version_)(char*, unsigned) = Symbol(library_, "nvmlSystemGetDriverVersion");
};

}  // namespace labkit::device::cuda
