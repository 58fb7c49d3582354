// What the race detector knows of a kernel before it runs. Private to it.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "observe/suspects.h"
#include "observe/update_sources.h"
#include "simt/machine.h"

namespace labkit::observe {

/// How strong an access is. Volatile accesses of one warp to shared memory are held to be plain: what relies on them (a
/// reduction of a warp without __syncwarp) was right only while warps ran in lockstep.
/// A volatile load whose value decides nothing is of data, no flag: against a volatile store it is held to be plain.
enum class Strength : std::uint8_t { plain, volatile_data, volatile_, strong };

inline constexpr std::uint32_t kWidestRaceCell = 4;  ///< bytes

/// Facts of a program that the detector needs again and again.
struct RacePlan {
  RacePlan(const simt::Program& program, const Suspects& suspects);

  const simt::Program& program;
  std::uint32_t shared_cell = kWidestRaceCell, global_cell = kWidestRaceCell;  ///< bytes
  bool flags = false;  ///< some strong read tells a thread of another
  bool orders_some =
      false;  ///< flags, or barriers of some warps: of two that have read one may be over
  bool in_order = false;  ///< blocks may learn of one another: one host thread follows them all
  std::vector<Strength> strength;  ///< by instruction
  std::vector<bool>
      of_block;  ///< by instruction: strong for the threads of its block alone (scope .cta)
  bool watch_shared = true;
  std::optional<std::vector<Suspects::Standing>> standing;
  /// For how many blocks `block` is looked at; 0: another is looked at for it.
  std::uint64_t stands_for(std::uint64_t block) const;
  std::vector<Suspects::Range> watched;  ///< global memory that is
  UpdateSources updates;
};

}  // namespace labkit::observe
