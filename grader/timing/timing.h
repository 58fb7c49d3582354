// Counters, the locality and the traces of a launch and a GPU profile in, time out: a mechanism, not
// a fit of rows. model.cpp says what is worked out for the launch as a whole, replay.cpp how one SM
// of it is replayed.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "launch/launch.h"
#include "observe/counters.h"
#include "timing/likeness.h"
#include "timing/locality.h"

namespace labkit::timing {

/// A GPU as the model sees it. Filled from profiles/<name>.toml, where every number has a unit and
/// a source.
struct GpuProfile {
  std::string name;       ///< "h200"
  std::string title;      ///< "NVIDIA H200 (132 SMs, ...)"
  bool measured = false;  ///< false: from datasheets only

#define NUMBER(table, type, name) type name = 0;
#include "timing/profile_numbers.def"
#undef NUMBER
};
/// Throws labkit::Error naming the known profiles.
const GpuProfile& find_profile(std::string_view name);
std::vector<std::string> profile_names();
/// Those that were measured: the gates of the labs' manifests hold for predictions by these alone.
std::vector<std::string> measured_profile_names();
/// Reads a profile from TOML text. Throws labkit::Error naming `origin` and the entry that is
/// missing, unknown, without unit or source, or no positive number.
GpuProfile parse_profile(const std::string& name, const std::string& toml,
                         const std::string& origin);

struct Activity {
  const observe::LaunchCounters* counters = nullptr;  ///< of the blocks simulated
  /// Where its accesses fall; null: guessed from the counters, which cannot see reuse or torn
  /// lines.
  const Locality* locality = nullptr;
  double scale = 1;  ///< blocks launched / blocks simulated
  launch::Dim3 grid, block;
  std::uint32_t registers_per_thread = 0;  ///< estimate unless said otherwise
  /// An estimate may be too high, so predict() caps it at what lets one block fit.
  bool registers_estimated = true;
  std::uint64_t shared_bytes_per_block = 0;  ///< static + dynamic
  std::uint64_t footprint_bytes = 0;         ///< bytes of all buffers of the launch; 0: not known
  /// L2 is full of what others have written when the launch begins (flushed by a memset, not by
  /// reads), so that each line that it stores pushes one out.
  bool l2_holds_writes = false;
};

struct Occupancy {
  std::uint32_t blocks_per_sm = 0;  ///< 0: a block does not fit at all
  std::uint32_t warps_per_sm = 0;
  std::string limiter;  ///< "registers", "shared memory", "block size", "blocks", "grid"
};
Occupancy occupancy(const Activity& activity, const GpuProfile& gpu);

/// `activity` as predict() reckons with it: an estimate of registers capped at most_registers().
Activity with_registers_that_fit(Activity activity, const GpuProfile& gpu);
/// Whether a block fits on an SM at all, an estimate of its registers being capped.
bool fits(const Activity& activity, const GpuProfile& gpu);

/// Registers a thread with which one block of this size fits on an SM; 255 at most, 0: none.
std::uint32_t most_registers(const launch::Dim3& block, const GpuProfile& gpu);

/// Every name of a Share and of a Bound: first what the critical path of the replayed SM is made of, in the order of
/// replay.h's Cause, then what the replay does not see.
inline constexpr std::array<std::string_view, 14> kShareNames = {
    "DRAM",         "L2",       "stores",       "L1",   "shared memory", "issue",   "latency",
    "instructions", "barriers", "block starts", "tail", "one SM",        "atomics", "launch"};

struct Bound {
  std::string name;  ///< one of kShareNames
  double time_us = 0;
};
struct Share {
  std::string name;  ///< one of kShareNames
  double part = 0;   ///< of the predicted time
};
/// Names of Prediction::stalls, Nsight Compute's (smsp__average_warps_issue_stalled_..._per_issue_active), in the order of replay.h's Stall.
inline constexpr std::array<std::string_view, 11> kStallNames = {
    "selected",        "wait",
    "not_selected",    "math_pipe_throttle",
    "long_scoreboard", "short_scoreboard",
    "mio_throttle",    "lg_throttle",
    "barrier",         "drain",
    "no_instruction"};

struct Prediction {
  double time_us = 0;  ///< predicted, always
  std::string bound;   ///< what has the largest share
  /// What the predicted time is spent on, largest first, nothing left out: the parts add up to 1. Read off the critical
  /// path of the SM that is replayed: "issue" is the schedulers', "latency" that of memory with nobody in the way (too few
  /// bytes are in flight), "instructions" a warp's own, one after another; and "tail" (SMs and block slots that are empty,
  /// at the end or since the grid is small), "one SM" (the busiest block's), "atomics", "launch".
  std::vector<Share> shares;
  /// All but "instructions", "barriers" and "tail", largest first. Each is the time that the launch would take if only it
  /// held things up.
  std::vector<Bound> bounds;
  /// What the warps in flight do, of kStallNames, largest first; the parts add up to 1.
  std::vector<Share> stalls;
  Occupancy occupancy;
  /// The estimate was over most_registers(): the real number is not known, only that ptxas would
  /// have to spill or the launch would fail.
  bool registers_capped = false;
  /// The traced blocks do not stand for the launch, of which too many kinds of blocks or too few of the busy ones were
  /// found: the time is that of blocks which all do the mean, and nothing should be decided by it.
  std::optional<Unlike> unlike;
};
/// Throws labkit::Error if the activity has no counters or the block does not fit on an SM, be it
/// for its threads, its shared memory or registers that are no estimate.
Prediction predict(const Activity& activity, const GpuProfile& gpu);

}  // namespace labkit::timing
