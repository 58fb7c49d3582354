// What an index must have been: from the threads, the launch's whole numbers and the sizes of its arrays. Where an access is
// outside, or two threads store to one element, the finding then says which slip it is, and not only that there is one:
//   one too far (`<=` for `<`), no question whether there is an element, a row or a column that does not exist, rows of
//   another array's length, arrays that have changed places, a tile's index that counts blocks.
// What fits none of them, or several, is left as it is.
#pragma once
#include <vector>

#include "launch/launch.h"
#include "simt/machine.h"

namespace labkit::observe {

/// Parts of what is said; grader/explain tells defects by them.
inline constexpr const char* kRowsOverlap = "are one place by rows of";
inline constexpr const char* kOtherRowLength = "see how long a row of";
inline constexpr const char* kOtherArray = "is longer and has such an element";
inline constexpr const char* kCountsBlocks = "each block has an array of its own";

/// What the program says of the access that a finding is about.
struct IndexFacts {
  bool in_loop = true;
  bool from_memory = false;  ///< the index was computed from what the kernel has read
};

/// Adds the fix to the text of a finding out of bounds that has no fix yet, and puts them in place of the
/// fix of a race between two stores of one line. `arrays`: those of the launch.
void tell_index(launch::Finding& finding, const launch::Launch& launch,
                const std::vector<simt::Memory::Place>& arrays, const IndexFacts& facts = {});

}  // namespace labkit::observe
