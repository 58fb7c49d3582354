// --device, --gpu-id and --gpu, the same for every command and every lab's check program.
#pragma once
#include <string>

#include "cli/command_line.h"

namespace labkit::cli {

struct DeviceChoice {
  std::string device = "auto";  ///< auto, cuda or sim
  int gpu_id = -1;              ///< as the driver numbers them; -1: the first that is free
};

/// Adds the options; what the command line does not say, LABKIT_DEVICE and LABKIT_GPU_ID may.
void add_device_options(CLI::App& app, DeviceChoice& choice);

/// Adds --gpu, the profile of the simulator; one that there is not is refused naming those there are. To grade with, only
/// one that was measured: the gates hold for no other.
void add_gpu_profile_option(CLI::App& app, std::string& gpu);
/// The same to look at: any profile, or kEveryGpu.
void add_any_gpu_profile_option(CLI::App& app, std::string& gpu);
inline constexpr const char* kEveryGpu = "all";

/// True if there is a usable GPU; else why not, for people.
bool has_gpu(const DeviceChoice& choice, std::string& why_not);

}  // namespace labkit::cli
