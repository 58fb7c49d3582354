#include "device/worker/driver.h"

#include <unistd.h>

#include <array>
#include <cstdlib>

#include "device/cuda_protocol.h"

namespace labkit::device::cuda {
namespace {

constexpr char kDriverRemedy[] =
    "Install NVIDIA's driver (Debian: nvidia-driver; Ubuntu: sudo ubuntu-drivers install), in a "
    "container start it with --gpus all, or grade on the simulator: --device sim.";

// nvmlClocksEventReason..: those that are passing and hit some launches harder than others. The
// power cap (0x4) is no such: a GPU may work under it for good, and all launches of a round do.
constexpr unsigned long long kHwSlowdown = 0x8, kSwThermal = 0x20, kHwThermal = 0x40,
                             kHwPowerBrake = 0x80;
constexpr int kInsufficientSize = 7;  // NVML_ERROR_INSUFFICIENT_SIZE

}  // namespace

void* Driver::open_library() {
  const char* named = std::getenv("LABKIT_LIBCUDA");
  const char* path = named != nullptr && *named != '\0' ? named : "libcuda.so.1";
  if (void* library = ::dlopen(path, RTLD_NOW | RTLD_LOCAL)) return library;
  // A file that somebody names as the driver, and that is none, is no machine without a GPU.
  if (path == named && ::access(path, F_OK) == 0)
    throw Trouble{std::string("LABKIT_LIBCUDA names no driver: ") + ::dlerror(),
                  "Let it name the driver's libcuda.so.1, or unset it."};
  throw Trouble{std::string("there is no CUDA driver: ") + ::dlerror(), kDriverRemedy,
                error_id::kGpuMissing};
}

Symbol Driver::required(const char* name, const char* older) const {
  const Symbol symbol(library_, name, older);
  if (!symbol.found())
    throw Trouble{std::string("the CUDA driver has no ") + (older != nullptr ? older : name),
                  "Install NVIDIA's driver for CUDA 11.8 or newer (package nvidia-driver)."};
  return symbol;
}

int Driver::started_version() const {
  int found = 0;
  const Result told = driver_version(&found);
  if (told == kStubLibrary)
    throw Trouble{"libcuda.so.1 is the CUDA Toolkit's stub, not a driver", kDriverRemedy,
                  error_id::kGpuMissing};
  check(told, "cuDriverGetVersion");
  if (found < kOldestDriver)
    throw Trouble{"the GPU's driver is for CUDA " + version_text(found) +
                      ", but the kit needs one for " + version_text(kOldestDriver) + " or newer",
                  "Install a newer driver (Debian: nvidia-driver; Ubuntu: sudo ubuntu-drivers "
                  "install; 520.61 is the first for CUDA 11.8), or grade on the simulator: "
                  "--device sim."};
  const Result started = init(0);
  if (started == kNoDevice)
    throw Trouble{"the CUDA driver sees no GPU", kDriverRemedy, error_id::kGpuMissing};
  check(started, "cuInit");
  return found;
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

unsigned Driver::attribute(Attribute attribute, DeviceId device) const {
  int value = 0;
  const bool known = device_attribute(&value, static_cast<int>(attribute), device) == kSuccess;
  return known && value > 0 ? static_cast<unsigned>(value) : 0;
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

void* Nvml::started_library() {
  const char* named = std::getenv("LABKIT_LIBNVML");
  void* library = ::dlopen(named != nullptr && *named != '\0' ? named : "libnvidia-ml.so.1",
                           RTLD_NOW | RTLD_LOCAL);
  int (*init)() = Symbol(library, "nvmlInit_v2");
  return init != nullptr && init() == 0 ? library : nullptr;
}

bool Nvml::watch(const std::string& uuid) {
  gpu_ = nullptr;
  return loaded() && by_uuid_(uuid.c_str(), &gpu_) == 0;
}

std::string Nvml::throttled() const {
  unsigned long long reasons = 0;
  if (gpu_ == nullptr || reasons_ == nullptr || reasons_(gpu_, &reasons) != 0) return {};
  if ((reasons & (kSwThermal | kHwThermal)) != 0) return "by heat";
  if ((reasons & kHwPowerBrake) != 0) return "by the power supply";
  if ((reasons & kHwSlowdown) != 0) return "by the hardware, for heat or power";
  return {};
}

std::optional<unsigned> Nvml::utilisation() const {
  Utilisation rates{};
  if (gpu_ == nullptr || utilisation_ == nullptr || utilisation_(gpu_, &rates) != 0) return {};
  return rates.gpu;
}

unsigned Nvml::processes() const {
  unsigned count = 0;
  if (gpu_ == nullptr || processes_ == nullptr) return kUnknown;
  const int result = processes_(gpu_, &count, nullptr);
  // No room was offered for any: success means that there are none.
  if (result == kInsufficientSize) return count;
  return result == 0 ? 0 : kUnknown;
}

unsigned Nvml::clock_mhz(int which) const {
  unsigned mhz = 0;
  return gpu_ != nullptr && clock_ != nullptr && clock_(gpu_, which, &mhz) == 0 ? mhz : 0;
}

std::optional<std::uint64_t> Nvml::free_bytes() const {
  Memory memory{};
  if (gpu_ == nullptr || memory_ == nullptr || memory_(gpu_, &memory) != 0) return {};
  return memory.free;
}

std::string Nvml::driver() const {
  std::array<char, 96> text{};
  if (!loaded() || version_ == nullptr ||
      version_(text.data(), static_cast<unsigned>(text.size())) != 0)
    return {};
  return text.data();
}

}  // namespace labkit::device::cuda
