#include "device/worker/nvml.h"

#include <dlfcn.h>

#include <array>
#include <cstdlib>

#include "device/worker/driver.h"

namespace labkit::device::cuda {
namespace {

// nvmlClocksEventReason..: those that are passing and hit some launches harder than others. The
// power cap (0x4) is no such: a GPU may work under it for good, and all launches of a round do.
constexpr unsigned long long kHwSlowdown = 0x8, kSwThermal = 0x20, kHwThermal = 0x40,
                             kHwPowerBrake = 0x80;
constexpr int kInsufficientSize = 7;  // NVML_ERROR_INSUFFICIENT_SIZE
constexpr int kClockSm = 1, kClockMemory = 2;

}  // namespace

Nvml::Nvml() {
  const char* named = std::getenv("LABKIT_LIBNVML");
  void* library = ::dlopen(named != nullptr && *named != '\0' ? named : "libnvidia-ml.so.1",
                           RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return;
  int (*init)() = nullptr;
  if (!bind(library, init, "nvmlInit_v2") || init() != 0) return;
  if (!bind(library, by_uuid_, "nvmlDeviceGetHandleByUUID")) return;
  // Since CUDA 12.2 under the first name.
  if (!bind(library, reasons_, "nvmlDeviceGetCurrentClocksEventReasons"))
    bind(library, reasons_, "nvmlDeviceGetCurrentClocksThrottleReasons");
  bind(library, utilisation_, "nvmlDeviceGetUtilizationRates");
  bind(library, processes_, "nvmlDeviceGetComputeRunningProcesses_v3");
  bind(library, clock_, "nvmlDeviceGetClockInfo");
  bind(library, memory_, "nvmlDeviceGetMemoryInfo");
  bind(library, version_, "nvmlSystemGetDriverVersion");
  ready_ = true;
}

bool Nvml::watch(const std::string& uuid) {
  gpu_ = nullptr;
  return ready_ && by_uuid_(uuid.c_str(), &gpu_) == 0;
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

unsigned Nvml::sm_clock_mhz() const {
  unsigned mhz = 0;
  return gpu_ != nullptr && clock_ != nullptr && clock_(gpu_, kClockSm, &mhz) == 0 ? mhz : 0;
}

unsigned Nvml::memory_clock_mhz() const {
  unsigned mhz = 0;
  return gpu_ != nullptr && clock_ != nullptr && clock_(gpu_, kClockMemory, &mhz) == 0 ? mhz : 0;
}

std::optional<std::uint64_t> Nvml::free_bytes() const {
  Memory memory{};
  if (gpu_ == nullptr || memory_ == nullptr || memory_(gpu_, &memory) != 0) return {};
  return memory.free;
}

std::string Nvml::driver() const {
  std::array<char, 96> text{};
  if (!ready_ || version_ == nullptr ||
      version_(text.data(), static_cast<unsigned>(text.size())) != 0)
    return {};
  return text.data();
}

}  // namespace labkit::device::cuda
