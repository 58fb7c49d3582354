#include "cli/device_options.h"

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "device/device.h"
#include "timing/timing.h"

namespace labkit::cli {

namespace {

/// Refuses what the environment says of an option if the option would refuse it. CLI11 from 2.4 on passes over
/// a variable that does not fit, which would let a typo choose another device.
void check_environment(const char* variable, const CLI::Validator& allowed) {
  const char* set = std::getenv(variable);
  if (!set || !*set) return;
  std::string value = set;
  if (const std::string why = allowed(value); !why.empty())
    throw CLI::ValidationError(variable, why);
}

}  // namespace

void add_device_options(CLI::App& app, DeviceChoice& choice) {
  const CLI::Validator devices = CLI::IsMember(std::vector<std::string>{"auto", "cuda", "sim"});
  const CLI::Validator ids = CLI::Range(-1, 1023);
  app.preparse_callback([devices, ids](std::size_t) {
    check_environment("LABKIT_DEVICE", devices);
    check_environment("LABKIT_GPU_ID", ids);
  });
  app.add_option("--device", choice.device,
                 "cuda: the simulator and a GPU beside it; sim: the simulator alone; auto: a GPU "
                 "where there is one")
      ->check(devices)
      ->envname("LABKIT_DEVICE")
      ->capture_default_str();
  app.add_option("--gpu-id", choice.gpu_id,
                 "which GPU, as the driver numbers them; -1: the first that is free")
      ->check(ids)
      ->envname("LABKIT_GPU_ID")
      ->capture_default_str();
}

void add_gpu_profile_option(CLI::App& app, std::string& gpu) {
  app.add_option("--gpu", gpu, "the GPU whose times are predicted and graded")
      ->check(CLI::IsMember(timing::measured_profile_names()))
      ->capture_default_str();
}

void add_any_gpu_profile_option(CLI::App& app, std::string& gpu) {
  std::vector<std::string> names = timing::profile_names();
  names.push_back(kEveryGpu);
  app.add_option("--gpu", gpu, "the GPU whose times are predicted; all: on each, side by side")
      ->check(CLI::IsMember(names))
      ->capture_default_str();
}

bool has_gpu(const DeviceChoice& choice, std::string& why_not) {
  if (choice.device == "sim") {
    why_not = "--device sim wants none";
    return false;
  }
  const device::Devices devices = device::make_devices("auto", {.gpu_id = choice.gpu_id});
  if (devices.gpu) return true;
  why_not = devices.note.empty() ? "there is no NVIDIA GPU here" : devices.note;
  return false;
}

}  // namespace labkit::cli
