// What warps issue without a thread that executes it.
//
// ptxas makes predicates of a branch around few instructions: every warp that comes by issues them, and one of memory takes
// its place in the queues even if no lane is on. Source: the SASS that ptxas 13.0 makes for sm_90 of branches around shared
// accesses and arithmetic (K loads and stores, sums of K loads, a load, J fused multiply-adds and a store; the same on both
// sides): predicates up to 8 PTX instructions a side, branches from 10 on. Global accesses are predicated in longer runs
// (8 stores); they do not matter here and are left out.
#include <algorithm>
#include <numeric>

#include "ptx/defs.h"
#include "ptx/passes.h"

namespace labkit::ptx {
namespace {

constexpr std::int32_t kMostPredicated = 8;

/// Whether all of a block can be predicated: no barrier, call, end or division (which is many instructions), and short.
bool is_short(const Function& function, const BasicBlock& block) {
  std::int32_t count = 0;
  for (const Instruction& instruction : instructions_of(function, block)) {
    const bool is_jump = instruction.root() == "bra";
    if (leaves(instruction) || (is_jump && instruction.guard >= 0) || divides(instruction) ||
        is_any(instruction, {"bar", "barrier", "call", "brx", "mbarrier"}))
      return false;
    count += !is_jump;
  }
  return count <= kMostPredicated;
}

}  // namespace

std::vector<std::int32_t> issued_with(const Function& function, const ControlFlow& flow) {
  std::vector<std::int32_t> with(function.body.size());
  std::iota(with.begin(), with.end(), 0);
  // Of each block, an instruction that all execute which come by; if all have guards, its last.
  std::vector<std::int32_t> head(flow.blocks.size());
  for (std::size_t b = 0; b < flow.blocks.size(); ++b) {
    const BasicBlock& block = flow.blocks[b];
    head[b] = block.last - 1;
    for (std::int32_t i = block.last; i-- > block.first;)
      if (function.body[i].guard < 0) head[b] = i;
    for (std::int32_t i = block.first; i < block.last; ++i)
      if (function.body[i].guard >= 0) with[i] = head[b];
  }
  for (std::size_t b = 0; b < flow.blocks.size(); ++b) {
    const BasicBlock& from = flow.blocks[b];
    const std::int32_t join = from.immediate_post_dominator;
    if (from.successors.size() != 2 || join < 0) continue;
    std::vector<const BasicBlock*> sides;
    bool fits = true;
    for (std::int32_t at : from.successors) {
      std::int32_t before = static_cast<std::int32_t>(b);
      while (fits && at != join) {  // a side may begin with a block that only goes on to another
        const BasicBlock& side = flow.blocks[at];
        fits = side.predecessors.size() == 1 && side.predecessors[0] == before &&
               side.successors.size() == 1 && is_short(function, side);
        if (!fits) break;
        sides.push_back(&side);
        before = at;
        at = side.successors[0];
      }
    }
    if (!fits) continue;
    for (const BasicBlock* side : sides)
      std::fill(with.begin() + side->first, with.begin() + side->last, with[head[b]]);
  }
  return with;
}

std::vector<TextRange> loops_around(const Function& function, const ControlFlow& flow) {
  std::vector<TextRange> loops;
  for (const BasicBlock& block : flow.blocks)
    for (const std::int32_t to : block.successors) {
      const TextRange loop{flow.blocks[to].first, block.last};
      if (loop.first < loop.last) loops.push_back(loop);  // else forward
    }
  std::ranges::stable_sort(loops, {}, [](const TextRange& loop) { return loop.last - loop.first; });
  // The shortest first: what has a loop is passed over by those that follow.
  std::vector<TextRange> around(function.body.size());
  std::vector<std::int32_t> free(function.body.size() + 1);  // of each, the next without a loop
  std::iota(free.begin(), free.end(), 0);
  const auto next_free = [&](std::int32_t at) {
    while (free[at] != at) {
      std::int32_t& next = free[at];
      at = next = free[next];
    }
    return at;
  };
  for (const TextRange& loop : loops)
    for (std::int32_t i = next_free(loop.first); i < loop.last; i = next_free(i)) {
      around[i] = loop;
      free[i] = i + 1;
    }
  return around;
}

}  // namespace labkit::ptx
