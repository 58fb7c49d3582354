// The picture of a finding: which lanes of which warp are at fault, at which line, over which place in memory. Plain data,
// so that a terminal and a page can each show it, and the sentences that go with it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "launch/launch.h"

namespace labkit::explain {

/// One warp at one line.
struct WarpAtLine {
  std::uint32_t warp = 0;  ///< of its block
  launch::SourceLine where;
  std::string deed;            ///< "writes", "reads beyond the end", "wait"
  std::uint32_t at_fault = 0;  ///< bit i: lane i
  std::uint32_t others = 0;    ///< lanes that do it rightly, or wait as they should
};

struct FindingPicture {
  launch::FindingKind kind = launch::FindingKind::race;
  /// What went wrong in a sentence or two: who, at which line, and what is missing.
  std::string headline;
  std::vector<WarpAtLine> warps;  ///< a race: the one that came first, then the other; else one
  std::string place;  ///< "b[32]", "element 33 of tile"; "": no place in memory, or not known
  /// out_of_bounds: where the place lies to the array.
  std::string array, last_element;  ///< "b", "b[31]"; "": not known
  bool before_array = false;
};

/// Of races, accesses out of bounds or misaligned, uninitialised reads and barriers; nullopt for what has no lanes to
/// show (an endless loop, a failed assertion). `block`: the size of the launch's blocks.
std::optional<FindingPicture> picture_of(const launch::Finding& finding, const launch::Dim3& block);

/// The headline alone; of a budget that was used up, where; "" for what has neither.
std::string finding_in_words(const launch::Finding& finding, const launch::Dim3& block);

}  // namespace labkit::explain
