// A film of a few warps: what they do to memory and at barriers, step by step, for a page that plays it. It is recorded in a
// run of its own, of the filmed blocks alone, so that nothing else becomes slower.
#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "launch/launch.h"
#include "observe/counters.h"
#include "observe/samples.h"

namespace labkit::observe {

struct FilmedWarp {
  std::uint64_t block = 0;  ///< linear
  std::uint32_t warp = 0;   ///< in the block
  friend auto operator<=>(const FilmedWarp&, const FilmedWarp&) = default;
};

struct FilmStep {
  enum class What : std::uint8_t {
    access,   ///< lanes of a warp access memory
    wait,     ///< lanes of a warp reach a barrier of the block
    release,  ///< all have reached it: they go on
    exit,     ///< lanes of a warp are done
    stop,     ///< the last: where the launch was stopped, by these lanes
  };
  What what = What::access;
  FilmedWarp who = {};
  std::uint32_t lanes = 0;  ///< that take part; of release: 0
  launch::SourceLine where = {};
  std::uint32_t instruction = 0;  ///< index into LaunchCounters::info; of exit and stop: 0
  ptx::Space space = ptx::Space::global;
  bool is_store = false, is_atomic = false;
  WarpAccess access = {};  ///< of an access
  bool races = false;  ///< an access to the place of the race that is filmed, at one of its lines
  std::uint32_t arrived = 0;  ///< wait: warps of the block that have reached the barrier
  /// What was stored in shared memory before it by what is no step, [begin, end) in bytes.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> filled = {};
  bool others_stored = false;  ///< release: some of that by the block's other warps
  std::uint32_t skipped = 0;   ///< steps of this warp before this one that are left out
  std::uint32_t interval = 0;  ///< barriers of its block that were released before it, kept or not
};

/// Two steps that nothing orders, by index. The film shows them in the order that does harm.
struct FilmedRace {
  /// `late` comes second, and should have been first. The same: lanes of one warp that write to one place at once.
  std::size_t early = 0, late = 0;
  std::uint32_t early_lanes = 0, late_lanes = 0;  ///< that touch the racing place
  std::uint64_t address = 0;
  bool is_of_copy = false;  ///< `early` is one that nobody has waited for; both are where they were
};

/// Of a launch that was stopped: why, and what the pictures of the steps need, of the film's blocks until then.
struct FilmedStop {
  launch::Finding finding;
  LaunchCounters counters;  ///< `info` alone: nothing is counted
  AccessSamples samples;
};

struct Film {
  std::vector<FilmedWarp> warps;
  launch::Dim3 block{0, 0, 0};  ///< of the first one
  std::uint32_t warps_a_block = 0;
  std::vector<FilmStep> steps;
  std::uint64_t left_out = 0;      ///< steps after the last one
  bool is_of_race = false;         ///< the warps are those of a race
  std::optional<FilmedRace> race;  ///< where the film has its two accesses
  std::optional<FilmedStop> stop;  ///< the last step is then its
};

/// Of an instruction, so many steps of each warp are kept: a loop's iterations look alike.
inline constexpr std::uint32_t kFilmedExecutions = 4;
inline constexpr std::uint32_t kFilmedWarps = 4;
inline constexpr std::size_t kMostFilmSteps = 600;

}  // namespace labkit::observe
