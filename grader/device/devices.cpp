#include "base/error.h"
#include "device/cuda_device.h"
#include "device/device.h"
#include "device/sim_device.h"

namespace labkit::device {

Devices make_devices(const std::string& choice, const Options& options) {
  if (choice != "sim" && choice != "cuda" && choice != "auto")
    throw Error("there is no device '" + choice + "'", "there are sim, cuda and auto");
  Devices devices;
  devices.simulator = std::make_unique<SimDevice>(options);
  if (choice == "sim") return devices;
  const bool must = choice == "cuda";
  try {
    devices.gpu = std::make_unique<CudaDevice>(options);
  } catch (const NoGpu&) {
    if (must) throw;
  } catch (const NoSuchGpu&) {
    throw;  // who names one of several wants that one
  } catch (const Error& error) {
    if (must) throw;
    devices.note = std::string("the GPU is not used: ") + error.what() + ". " + error.remedy();
  }
  return devices;
}

}  // namespace labkit::device
