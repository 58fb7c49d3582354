// Control flow as the warp sees it: code blocks, and for each branch the block where lanes that part meet again.
//
// Lanes meet at the immediate post-dominator, with one refinement that ptxas makes as well: a way out (an early return,
// an assert that fails) does not count as a path. `if (c) { if (d) return; A; } B` meets in front of B although some
// lanes never get there. An early way out is a block that leaves for good, or jumps (does not fall) to a block that only
// returns.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ptx/module.h"

namespace labkit::simt {

struct FlowBlock {
  std::int32_t first = 0, last = 0;  ///< instructions [first, last) of the body
  std::int32_t taken = -1;           ///< block index of an explicit branch; -1: none
  std::int32_t fallthrough = -1;     ///< block that follows if control can fall through or return
  std::vector<std::int32_t> table;   ///< of brx.idx
  std::int32_t reconvergence = -1;   ///< -1: at the function's end
};
struct Flow {
  std::vector<FlowBlock> blocks;
  /// Body index -> block; [body.size()] is -1 or the last block.
  std::vector<std::int32_t> block_of;
};
/// Blocks end after branches, calls, returns and traps, and before labels. Throws nothing; a branch table that is not
/// found leaves `table` empty (the decoder refuses it).
Flow analyse_flow(const ptx::Function& function);
/// By block: where control may go, rising, none twice; and by block where it may come from.
std::vector<std::vector<std::int32_t>> successors(const Flow& flow);
std::vector<std::vector<std::int32_t>> predecessors(
    const std::vector<std::vector<std::int32_t>>& edges);

}  // namespace labkit::simt
