// Where kernels run: the simulator now, a GPU in a process of its own later. Both take a whole plan
// and give back what every launch did; plain data both ways, so that the seam can be a pipe.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "launch/launch.h"
#include "observe/counters.h"
#include "timing/timing.h"

namespace labkit::device {

/// How often a launch is repeated to time it. A device whose times are deterministic gives one
/// sample whatever is asked.
struct Repetition {
  std::uint32_t warmups = 0;
  std::uint32_t min_samples = 1, max_samples = 1;
  double enough_relative_error =
      0;  ///< stop between min and max once the median's error is below this; 0: never
};

struct PlannedLaunch {
  launch::Launch launch;
  Repetition repetition;
  bool want_counters = false;
  bool want_time = false;
  std::uint64_t thread_instruction_budget = 0;  ///< 0: no limit
};

/// One module, the buffers, the launches. Every launch, and every sample of it, starts from the
/// buffers' initial contents and from the module's initial variables: nothing survives from one to
/// the next. Only buffers that a launch names in its arguments are allocated for it.
struct Plan {
  std::string name;  ///< how messages call the module ("kernel.cu")
  std::string ptx;
  std::vector<launch::Buffer> buffers;
  std::vector<PlannedLaunch> launches;
};

struct Output {
  std::uint32_t buffer = 0;  ///< index into Plan::buffers
  std::vector<std::byte> bytes;
};

/// How the simulation itself went; only from the simulator.
struct Simulation {
  double wall_seconds = 0;  ///< of the simulation alone
  std::uint64_t thread_instructions = 0;
  std::string simd;
  unsigned threads = 0;
};

/// What one launch did. `findings` of severity error mean that it did not complete; then outputs
/// are absent.
struct Outcome {
  std::vector<launch::Finding> findings;
  bool completed = false;
  std::vector<Output> outputs;  ///< of the launch's buffers that are outputs, after its last sample
  std::string printed;          ///< by device printf
  std::optional<observe::LaunchCounters> counters;
  std::vector<double> times_us;  ///< one a sample; empty if not wanted
  bool time_is_predicted = false;
  std::optional<timing::Prediction> prediction;
  std::optional<Simulation> simulation;
};

struct Description {
  std::string name;   ///< "sim"
  std::string gpu;    ///< "h200": the profile, or the GPU's name
  std::string title;  ///< for people: "simulator, times predicted for NVIDIA H200 (...)"
  bool deterministic = true;
};

class Device {
 public:
  virtual ~Device() = default;
  virtual Description describe() const = 0;
  /// One outcome a launch, in order; a launch that fails does not keep the next from running.
  /// Throws labkit::Error for what is our fault: a plan that names entries, buffers or sizes that
  /// are not there, or a machine out of memory.
  virtual std::vector<Outcome> run(const Plan& plan) = 0;
  /// What of an entry cannot be run at all, before any launch: unsupported instructions, each with
  /// its line.
  virtual std::vector<launch::Finding> refusals(const Plan& plan, const std::string& entry) = 0;
};

struct Options {
  std::string gpu = "h200";  ///< profile that times are predicted for
  unsigned threads = 0;      ///< host threads of the simulator; 0: all there are
  std::string simd = {};     ///< "": the best there is
  bool merge_shared = true;  ///< count shared accesses as ptxas merges them
};

/// "sim", or "auto": the best device this machine has, today always the simulator. Throws
/// labkit::Error naming the devices, the GPU profiles or the SIMD targets there are.
std::unique_ptr<Device> make_device(const std::string& name, const Options& options = {});

}  // namespace labkit::device
