// NVIDIA's management library, bound at run time (LABKIT_LIBNVML or libnvidia-ml.so.1): is the GPU
// throttled, does anyone else use it, what do its clocks say. All that it tells is optional.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace labkit::device::cuda {

class Nvml {
 public:
  Nvml();
  bool loaded() const { return ready_; }
  /// From here on, questions are about this GPU ("GPU-..."); false if NVML does not know it.
  bool watch(const std::string& uuid);

  /// Why the clocks are held down now ("by heat", "by the power supply"), or empty.
  std::string throttled() const;
  /// Per cent of the last sampling period (up to a second) that kernels ran.
  std::optional<unsigned> utilisation() const;
  /// How many have a context on the GPU, this one among them if it has; kUnknown if NVML cannot say.
  unsigned processes() const;
  static constexpr unsigned kUnknown = ~0u;
  unsigned sm_clock_mhz() const;
  unsigned memory_clock_mhz() const;
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
  bool ready_ = false;
  Handle gpu_ = nullptr;
  int (*by_uuid_)(const char*, Handle*) = nullptr;
  int (*reasons_)(Handle, unsigned long long*) = nullptr;
  int (*utilisation_)(Handle, Utilisation*) = nullptr;
  int (*processes_)(Handle, unsigned*, void*) = nullptr;
  int (*clock_)(Handle, int, unsigned*) = nullptr;
  int (*memory_)(Handle, Memory*) = nullptr;
  int (*version_)(char*, unsigned) = nullptr;
};

}  // namespace labkit::device::cuda
