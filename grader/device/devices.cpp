#include "base/error.h"
#include "device/device.h"
#include "device/sim_device.h"

namespace labkit::device {

Devices make_devices(const std::string& choice, const Options& options) {
  if (choice != "sim" && choice != "cuda" && choice != "auto")
    throw Error("there is no device '" + choice + "'", "there are sim, cuda and auto");
  Devices devices;
  devices.simulator = std::make_unique<SimDevice>(options);
  if (choice == "cuda") throw Error("this build cannot use a GPU yet", "use --device sim");
  return devices;
}

}  // namespace labkit::device
