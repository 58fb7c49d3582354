// Which blocks of a launch are looked at closely. They are drawn from a seed: a kernel that knew them could be fast in
// these alone.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace labkit::timing {

/// Blocks to trace, rising, of a launch of `blocks`: two runs, somewhere in either half of the launch, of blocks that
/// lie as far apart as those that one SM of a large GPU gets one after another; or all if they are very few; of some
/// hundred blocks, one of 64. `blocks` 0: not known.
std::vector<std::uint64_t> traced_blocks(std::uint64_t blocks, std::uint64_t seed);

/// Where a window of `length` blocks begins. With seed 0, at the first.
std::uint64_t window_begin(std::uint64_t blocks, std::uint64_t length, std::uint64_t seed);

/// What one block did, as far as it tells blocks apart.
struct BlockWork {
  std::uint64_t block = 0;
  std::uint64_t path = 0, instructions = 0;  ///< simt::BlockTotals
  friend bool operator==(const BlockWork&, const BlockWork&) = default;
};

/// Whether the work of this block is kept: of every block, or of so many of a large launch.
bool is_work_kept(std::uint64_t block, std::uint64_t blocks, std::uint64_t seed);

/// Blocks that together do what all do, rising: in the order of their work, and of their path where that is equal, one of
/// each twelfth.
std::vector<BlockWork> typical_blocks(std::span<const BlockWork> all, std::uint64_t seed);

}  // namespace labkit::timing
