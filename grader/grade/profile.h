// Launches of any kernels, observed: what `labkit profile` does.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "device/device.h"
#include "device/source_findings.h"
#include "grade/prepare.h"
#include "launch/arguments.h"
#include "launch/launch.h"

namespace labkit::grade {

struct ProfileRequest {
  std::filesystem::path file;
  /// One after another; an array that one makes is there for those that follow, by its name, which is else that of the
  /// kernel's parameter.
  std::vector<launch::ParsedLaunch> launches;
  /// What variables of the file hold, __constant__ or __device__, instead of what it says itself.
  std::map<std::string, launch::ParsedArgument> variables = {};
  std::set<std::string> wanted_arrays = {};     ///< of which Profiled::arrays has the contents
  std::uint64_t seed = 1;                       ///< of random arrays
  std::uint64_t thread_instruction_budget = 0;  ///< of a launch; 0: no limit
  double wall_seconds = 0;                      ///< of a launch on a GPU; 0: the device's limit
  bool debug = false;    ///< for a debugger on the GPU: unoptimised code, run once, not timed
  bool check = false;    ///< all sanitizers, on the optimised and the unoptimised build
  bool samples = false;  ///< keep single accesses, for pictures
  bool film = false;     ///< keep a film of a few warps, for a page
  bool simulate = true;  ///< false: only measure, where there is a GPU
  std::filesystem::path cache_directory;  ///< of compiled kernels; empty: none
  /// For a file that is no device code alone: the compiler of whole programs, which is no jail's. Null: there is none.
  Compiler whole_programs = nullptr;
  bool only_whole = false;  ///< that one, whatever the file is
};

/// One launch.
struct Profile {
  std::string file, kernel, compiler;
  launch::Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  device::Description device;              ///< that counted: the simulator
  std::optional<device::Description> gpu;  ///< that measured
  /// Empty, or why nothing was launched: "compile_error", "compile_limit", "missing_kernel",
  /// "unsupported".
  std::string refusal;
  std::vector<words::Message> message;  ///< for a refusal
  std::string compile_log;
  std::vector<words::Message> notes;
  std::string device_note;                  ///< device::Devices::note
  std::vector<device::IdleStatement> idle;  ///< statements of the kernel that do nothing
  bool simulated = false;
  device::Outcome outcome;                  ///< of the simulator, if `simulated`
  std::optional<device::Outcome> measured;  ///< of the GPU
  bool failed() const;                      ///< a refusal, or a finding of severity error
};

struct Profiled {
  /// At least one, and none behind one that failed.
  std::vector<Profile> launches;
  std::map<std::string, launch::Buffer> arrays;  ///< as the last launch left them, by name
};

/// What of the array is not as in `right`, which holds elements of its type: off by more than `tolerance`, or that part of
/// what it must be; without a tolerance, and of integers, by anything. NaN is right where it is expected. nullopt: nothing.
/// Throws std::invalid_argument where there are not as many.
std::optional<Mismatch> compare_with(const launch::Buffer& array, std::vector<std::byte> right,
                                     double tolerance);

/// On the simulator, and first on the GPU if there is one. Throws std::invalid_argument naming the first argument that does not
/// fit the kernel's parameters, and labkit::Error for what is ours.
Profiled profile(const device::Devices& devices, const ProfileRequest& request);

}  // namespace labkit::grade
