// What an index should have been: from the threads, the launch's whole numbers and the sizes of its arrays. Where an access is
// outside, or two threads store to one element, the finding then has the cause:
//   one too far (`<=` for `<`), a missing comparison, a row or a column that does not exist, rows of another array's length,
//   swapped arrays, a wrong formula, a tile's index that counts blocks, an index that wraps around.
// What fits none of them, or several, is left as it is.
#pragma once
#include <cstdint>
#include <vector>

#include "launch/launch.h"
#include "simt/machine.h"

namespace labkit::observe {

/// What the program says of the access that a finding is about.
struct IndexFacts {
  bool in_loop = true;
  bool from_memory = false;  ///< the index was computed from what the kernel has read
  int bits = 0;  ///< of a race: the thread's number was cut to so few, 8 or 16; 0: to none
};

/// The cause and the fix of a finding out of bounds that has no fix yet, and of a race between two stores of one line to
/// rows that overlap. `arrays`: those of the launch.
void describe_index(launch::Finding& finding, const launch::Launch& launch,
                    const std::vector<simt::Memory::Place>& arrays, const IndexFacts& facts = {});

/// Takes the evidence out that describe_index put in.
void forget_index(launch::Finding& finding);

/// The evidence that two places of a matrix are one.
words::Message rows_overlap(std::uint64_t row, std::uint64_t column, std::uint64_t other_row,
                            std::uint64_t other_column, std::uint64_t length);

}  // namespace labkit::observe
