// Where kernels run: the simulator, or a GPU in a process of its own. Both take a whole plan and give
// back what every launch did; plain data both ways, so that the seam can be a pipe.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/machine_code.h"
#include "launch/launch.h"
#include "observe/counters.h"
#include "observe/film.h"
#include "observe/samples.h"
#include "timing/timing.h"

namespace labkit::ptx {
struct Module;
}

namespace labkit::device {

/// How often the launches of a plan are timed. A device whose times are deterministic gives one
/// sample whatever is asked. The numbers are policy, and stand in grade/policy.cpp.
struct Repetition {
  std::uint32_t warmups = 0;  ///< rounds that look like samples and are thrown away
  std::uint32_t min_samples = 1, max_samples = 1;
  /// Stop between min and max once, for every timed launch but the first, the 95% interval of the
  /// ratio of the first's time to its own is no wider than this, to either side, relative to the
  /// ratio; with one timed launch, once its median is known so. 0: never stop early.
  double enough_relative_error = 0;
  double max_seconds = 0;       ///< for all rounds; 0: no limit
  double max_wait_seconds = 0;  ///< for a GPU that is busy or throttled, before and between rounds
};

/// Code: PTX, which the simulator runs; and, for a GPU, what it was compiled to.
struct Module {
  std::string name;  ///< how messages call it ("kernel.cu")
  std::string ptx;
  std::string cubin = {};             ///< for Description::arch; empty: the driver compiles the PTX
  compile::Assembled assembled = {};  ///< of `ptx`; its kernels' registers are else estimated
  /// What `ptx` says, where somebody has parsed it; a device parses it itself otherwise, once.
  std::shared_ptr<const ptx::Module> parsed = {};
};

struct BytesOf {
  std::uint32_t buffer = 0;  ///< index into Plan::buffers
  std::uint64_t begin = 0, bytes = 0;
};

struct PlannedLaunch {
  /// driver_copy: the driver's own copy of the first argument's buffer to the second's, which are
  /// equally large; there is no kernel then. Only a GPU knows it.
  enum class Kind : std::uint8_t { kernel, driver_copy };
  Kind kind = Kind::kernel;
  std::uint32_t module = 0;  ///< index into Plan::modules
  launch::Launch launch;
  bool want_counters = false;  ///< a device that has none gives none
  bool want_time = false;
  /// Single accesses, for pictures. Only the simulator has them; a GPU takes no notice.
  bool want_samples = false;
  /// The launch is a part of one that is so many times as large (more blocks that do the same, more of each buffer): its
  /// time is predicted for that. Only for the simulator; a GPU refuses it.
  std::uint32_t part_of = 1;
  /// Under all sanitizers (observe/checks.h): the findings are then what they find. Beside counters or a time it is another run.
  /// Only the simulator has them; a GPU takes no notice.
  bool check = false;
  /// Beside counters or a time: the sanitizers look for races in shared memory, in a few blocks that the plan's seed draws. A
  /// launch too large for `check` may skip a barrier at that very size. Only the simulator does; a GPU takes no notice.
  bool check_drawn_blocks = false;
  /// Who stored there is told. The launch is then run for that alone. Only for the simulator; a GPU takes no notice.
  std::vector<BytesOf> watch_stores = {};
  /// The same of what nobody reads.
  bool watch_reads = false;
  /// A film of a few warps (observe/film.h): of what was found, if that is given. The launch is then run for that alone. Only
  /// for the simulator; a GPU takes no notice.
  bool want_film = false;
  std::optional<launch::Finding> filmed_finding = {};
  std::uint64_t thread_instruction_budget = 0;  ///< of the simulator (simt/limits.h); 0: no limit
  double wall_seconds =
      0;  ///< of one launch on a GPU, before it counts as endless; 0: the device's own limit
};

/// Modules, buffers, launches. Every launch, and every sample of it, starts from the buffers'
/// initial contents and from the module's initial variables: nothing survives from one to the next.
/// Only buffers that a launch names in its arguments are allocated for it. Launches with want_time
/// are timed in turn, round after round, in one window, so that whatever the machine does befalls
/// all of them alike.
struct Plan {
  std::vector<Module> modules;
  std::vector<launch::Buffer> buffers;
  /// Of those that are known to lie in rows, the elements of a row, by index; for words alone. May be shorter; 0: not known.
  std::vector<std::uint64_t> row_elements = {};
  std::vector<PlannedLaunch> launches;
  /// From which it is drawn what the simulator looks at closely to predict a time.
  std::uint64_t seed = 0;
  Repetition repetition;  ///< of the launches with want_time
};

struct Output {
  std::uint32_t buffer = 0;  ///< index into Plan::buffers
  std::vector<std::byte> bytes;
  /// Of a checked launch: not 0 for each byte that is not written or holds what nobody wrote. Empty: all are defined.
  std::vector<std::uint8_t> undefined = {};
};

/// How the simulation itself went; only from the simulator.
struct Simulation {
  double wall_seconds = 0;  ///< of the simulation alone
  std::uint64_t thread_instructions = 0;
  std::uint64_t cost = 0;  ///< of the budget: simt::RunResult::cost, of all looks at the launch
  std::uint64_t dearest_look = 0;  ///< of one of them: what the launch's own budget must hold
  std::string simd;
  unsigned threads = 0;
};

/// Under what conditions a GPU's times were taken; the same for all launches of a plan.
struct Conditions {
  std::uint32_t rounds = 0;     ///< samples a launch
  bool settled = false;         ///< the stopping rule was met, not the ceiling
  double waited_seconds = 0;    ///< for a busy or throttled GPU
  std::uint32_t disturbed = 0;  ///< rounds thrown away because the GPU was throttled or busy
  std::string trouble;  ///< what could not be waited out ("clocks are held down by heat"); else ""
  std::uint32_t sm_clock_mhz = 0, memory_clock_mhz = 0;  ///< as found at the end; 0: not known
  std::string gpu_uuid;                                  ///< of the GPU that ran the plan
  bool watched = false;  ///< NVML told of throttling and of others; without it only drift is seen
};

inline constexpr std::size_t kMostOtherOutputs = 3;

/// What the launch would take on another GPU.
struct PredictionElsewhere {
  std::string gpu;                               ///< the profile's name
  std::string title;                             ///< "NVIDIA T4 (40 SMs, ...)"
  bool gpu_is_measured = false;                  ///< timing::GpuProfile::measured
  std::optional<timing::Prediction> prediction;  ///< none: a block does not fit on one of its SMs
};

/// Begins the name of who counted registers, if it was not now.
inline constexpr std::string_view kRecorded = "recorded: ";

/// Registers of a thread, as a predicted time counts them.
struct Registers {
  std::uint32_t per_thread = 0;
  std::string by{};  ///< who counted them (compile::Assembled::by); "": they are estimated
  std::string why_estimated{};   ///< then
  bool estimate_capped = false;  ///< timing::Prediction::registers_capped
  // Of a thread; 0 where nobody counted.
  std::uint32_t stack_bytes = 0;    ///< compile::Assembled::Kernel's
  std::uint32_t spilled_bytes = 0;  ///< of these, more than the PTX asks for
};

/// What one launch did. `findings` of severity error mean that it did not complete; then outputs
/// are absent.
struct Outcome {
  std::vector<launch::Finding> findings;
  bool completed = false;
  std::vector<Output> outputs;  ///< of the launch's buffers that are outputs, after its first run
  /// Outputs of timed samples that were not the same bytes as `outputs`: each kind that was seen
  /// once, at most kMostOtherOutputs of them. To be judged as `outputs` are.
  std::vector<std::vector<Output>> other_outputs;
  std::uint32_t differing_samples = 0;        ///< timed samples whose outputs were not `outputs`
  std::vector<std::uint32_t> changed_inputs;  ///< on a GPU: buffers, not outputs, it wrote to
  std::string printed;                        ///< by device printf, of the first run
  std::optional<observe::LaunchCounters> counters;
  std::optional<observe::AccessSamples> samples;  ///< of a launch that completed
  std::optional<observe::Film> film;              ///< for want_film
  std::vector<observe::StoredBy> stored;          ///< for watch_stores, of a launch that completed
  std::optional<observe::Unread> unread;          ///< for watch_reads: of the plan's buffers
  /// One a sample; empty if not wanted. On a GPU the i-th times of all timed launches come from the
  /// same round.
  std::vector<double> times_us;
  bool time_is_predicted = false;
  std::optional<Conditions> conditions;  ///< of a measured time
  std::optional<timing::Prediction> prediction;
  std::optional<Registers> registers;          ///< beside `prediction`
  std::vector<PredictionElsewhere> elsewhere;  ///< for Options::other_gpus, in their order
  std::optional<Simulation> simulation;
};

/// What a real GPU says of itself.
struct GpuFacts {
  int id = 0;          ///< as the driver numbers them: --gpu-id
  std::string uuid;    ///< "GPU-6f3c..."
  std::string driver;  ///< "580.159.04", or the CUDA version that the driver speaks
  int compute_major = 0, compute_minor = 0;
  std::uint32_t multiprocessors = 0;
  std::uint64_t memory_bytes = 0, free_bytes = 0, l2_bytes = 0;
  double peak_bytes_per_second = 0;  ///< of DRAM: clock x bus width x 2; 0: not known
  /// A plan whose buffers take no more than this, all together, is not refused for its memory: half
  /// of what is free, less the device's own needs, halved again for the pristine copies.
  std::uint64_t max_bytes = 0;
};

struct Description {
  std::string name;   ///< "sim", "cuda"
  std::string gpu;    ///< "h200": the profile, or the GPU's name ("NVIDIA H200")
  std::string title;  ///< for people: "simulator, times predicted for NVIDIA H200 (...)"
  std::string arch = "compute_90";  ///< what to compile for: "compute_90", "sm_90"
  bool deterministic = true;
  std::optional<GpuFacts> facts = {};  ///< of a GPU
};

class Device {
 public:
  virtual ~Device() = default;
  virtual Description describe() const = 0;
  /// One outcome a launch, in order; a launch that fails does not keep the next from running, unless it
  /// is of the same kernel and the first did not end on a GPU.
  /// Throws labkit::Error for what is our fault: a plan that names entries, buffers or sizes that
  /// are not there, or a machine out of memory.
  virtual std::vector<Outcome> run(const Plan& plan) = 0;
  /// What of an entry cannot be run at all, before any launch: unsupported instructions, each with
  /// its line. A GPU refuses nothing.
  virtual std::vector<launch::Finding> refusals(const Module& module, const std::string& entry) = 0;
};

struct Options {
  int gpu_id = -1;           ///< which GPU, as the driver numbers them; -1: the first that is free
  std::string gpu = "h200";  ///< profile that the simulator predicts times for
  std::vector<std::string> other_gpus = {};  ///< profiles to predict times for as well
  unsigned threads = 0;                      ///< host threads of the simulator; 0: all there are
  std::string simd = {};                     ///< "": the best there is
  bool merge_shared = true;                  ///< count shared accesses as ptxas merges them
};

/// The devices that something is graded on: the simulator always, as the sanitizer and for counters;
/// a GPU beside it where one is wanted.
struct Devices {
  std::unique_ptr<Device> simulator;
  std::unique_ptr<Device> gpu;  ///< null: none wanted, or none here
  std::string
      note;  ///< with "auto", why a GPU that seems to be there is not used (a driver too old); else ""
};

/// The simulator. Throws labkit::Error naming the GPU profiles or the SIMD targets there are.
std::unique_ptr<Device> make_simulator(const Options& options = {});

/// `choice`: "sim", "cuda" (a GPU must be there, else labkit::Error with the mend) or "auto" (a GPU
/// if there is one). Throws labkit::Error naming the devices, the GPU profiles or the SIMD targets
/// there are.
Devices make_devices(const std::string& choice, const Options& options = {});

}  // namespace labkit::device
