#include "device/worker/driver.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>

#include "device/cuda_protocol.h"

namespace labkit::device::cuda {
namespace {

constexpr char kDriverRemedy[] =
    "Install NVIDIA's driver (Debian: nvidia-driver; Ubuntu: sudo ubuntu-drivers install), in a "
    "container start it with --gpus all, or grade on the simulator: --device sim.";

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

void* open_library() {
  const char* named = std::getenv("LABKIT_LIBCUDA");
  const char* path = named != nullptr && *named != '\0' ? named : "libcuda.so.1";
  void* library = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
  // A file that somebody names as the driver, and that is none, is no machine without a GPU.
  if (library == nullptr && path == named && ::access(path, F_OK) == 0)
    throw Trouble{std::string("LABKIT_LIBCUDA names no driver: ") + ::dlerror(),
                  "Let it name the driver's libcuda.so.1, or unset it."};
  if (library == nullptr)
    throw Trouble{std::string("there is no CUDA driver: ") + ::dlerror(), kDriverRemedy,
                  error_id::kGpuMissing};
  return library;
}

template <typename F>
void require(void* library, F& function, const char* symbol) {
  if (!bind(library, function, symbol))
    throw Trouble{std::string("the CUDA driver has no ") + symbol,
                  "Install NVIDIA's driver for CUDA 11.8 or newer (package nvidia-driver)."};
}

}  // namespace

Driver::Driver() {
  void* const library = open_library();
  // First what tells the age: a driver too old for the rest is told so.
  require(library, get_error_name, "cuGetErrorName");
  require(library, get_error_string, "cuGetErrorString");
  require(library, driver_version, "cuDriverGetVersion");
  require(library, init, "cuInit");
  if (const Result result = driver_version(&version); result == kStubLibrary)
    throw Trouble{"libcuda.so.1 is the CUDA Toolkit's stub, not a driver", kDriverRemedy,
                  error_id::kGpuMissing};
  else
    check(result, "cuDriverGetVersion");
  if (version < kOldestDriver)
    throw Trouble{"the GPU's driver is for CUDA " + version_text(version) +
                      ", but the kit needs one for " + version_text(kOldestDriver) + " or newer",
                  "Install a newer driver (Debian: nvidia-driver; Ubuntu: sudo ubuntu-drivers "
                  "install; 520.61 is the first for CUDA 11.8), or grade on the simulator: "
                  "--device sim."};
  if (const Result result = init(0); result == kNoDevice)
    throw Trouble{"the CUDA driver sees no GPU", kDriverRemedy, error_id::kGpuMissing};
  else
    check(result, "cuInit");

  require(library, device_count, "cuDeviceGetCount");
  require(library, device_get, "cuDeviceGet");
  require(library, device_name, "cuDeviceGetName");
  if (!bind(library, device_uuid, "cuDeviceGetUuid_v2"))
    require(library, device_uuid, "cuDeviceGetUuid");
  require(library, device_attribute, "cuDeviceGetAttribute");
  require(library, device_memory, "cuDeviceTotalMem_v2");
  require(library, retain_context, "cuDevicePrimaryCtxRetain");
  require(library, release_context, "cuDevicePrimaryCtxRelease_v2");
  require(library, set_context, "cuCtxSetCurrent");
  require(library, set_limit, "cuCtxSetLimit");
  bind(library, reset_persisting_l2, "cuCtxResetPersistingL2Cache");
  require(library, memory_info, "cuMemGetInfo_v2");
  require(library, allocate, "cuMemAlloc_v2");
  require(library, free, "cuMemFree_v2");
  require(library, allocate_host, "cuMemAllocHost_v2");
  require(library, copy_in, "cuMemcpyHtoD_v2");
  require(library, copy_out, "cuMemcpyDtoH_v2");
  require(library, copy_out_async, "cuMemcpyDtoHAsync_v2");
  require(library, copy_async, "cuMemcpyDtoDAsync_v2");
  require(library, fill_async, "cuMemsetD8Async");
  require(library, load_module, "cuModuleLoadDataEx");
  require(library, unload_module, "cuModuleUnload");
  require(library, get_function, "cuModuleGetFunction");
  require(library, get_global, "cuModuleGetGlobal_v2");
  require(library, set_function, "cuFuncSetAttribute");
  require(library, launch, "cuLaunchKernel");
  require(library, create_stream, "cuStreamCreate");
  require(library, create_event, "cuEventCreate");
  require(library, record_event, "cuEventRecord");
  require(library, elapsed, "cuEventElapsedTime");
  require(library, synchronize, "cuCtxSynchronize");
}

std::string Driver::name_of(Result result) const {
  const char* text = nullptr;
  if (get_error_name(result, &text) == kSuccess && text != nullptr) return text;
  return "CUDA error " + std::to_string(result);
}

std::string Driver::words_of(Result result) const {
  const char* text = nullptr;
  if (get_error_string(result, &text) == kSuccess && text != nullptr) return text;
  return "the driver has no words for it";
}

void Driver::check(Result result, const std::string& what) const {
  if (result != kSuccess)
    throw Trouble{what + ": " + name_of(result) + " (" + words_of(result) + ")", remedy_of(result),
                  id_of(result)};
}

int Driver::attribute(Attribute attribute, DeviceId device) const {
  int value = 0;
  return device_attribute(&value, static_cast<int>(attribute), device) == kSuccess ? value : 0;
}

std::string id_of(Result result) {
  if (result == kOutOfMemory) return error_id::kGpuOutOfMemory;
  return result == kDeviceUnavailable ? error_id::kGpuBusy : error_id::kGpuFailed;
}

std::string remedy_of(Result result) {
  switch (result) {
    case kOutOfMemory:
      return "Free memory on the GPU (nvidia-smi shows who has it), or use smaller inputs.";
    case kDeviceUnavailable:
      return "Another process has this GPU for itself (compute mode exclusive; nvidia-smi shows "
             "it): wait for it, or pick another with --gpu-id.";
    case kUnsupportedPtx:
      return "The driver is older than NVRTC: install a newer driver, or point LABKIT_NVRTC to the "
             "libnvrtc.so of an older CUDA Toolkit.";
    case 209:  // CUDA_ERROR_NO_BINARY_FOR_GPU
      return "Report this: it is a fault of the kit.";
    case 200:  // CUDA_ERROR_INVALID_IMAGE
      return "If the driver is older than NVRTC, install a newer one, or point LABKIT_NVRTC to an "
             "older libnvrtc.so.";
    case 214:  // CUDA_ERROR_ECC_UNCORRECTABLE
      return "The GPU's memory has a fault: reset the GPU or replace it (nvidia-smi -q -d ECC).";
    case 802:  // CUDA_ERROR_SYSTEM_NOT_READY
      return "Start NVIDIA's fabric manager (nvidia-fabricmanager).";
    case 803:  // CUDA_ERROR_SYSTEM_DRIVER_MISMATCH
      return "The driver's library and kernel module differ: restart the machine after the update.";
    default:
      return "See whether nvidia-smi works; restarting the machine often helps. --device sim needs "
             "no GPU.";
  }
}

}  // namespace labkit::device::cuda
