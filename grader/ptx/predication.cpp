// What warps issue without a thread that executes it.
//
// ptxas makes predicates of a branch around few instructions: every warp that comes by issues them, and one of memory takes
// its place in the queues even if no lane is on. Source: the SASS that ptxas 13.0 makes for sm_90 of branches around shared
// accesses and arithmetic (K loads and stores, sums of K loads, a load, J fused multiply-adds and a store; the same on both
// sides): predicates up to 8 PTX instructions a side, branches from 10 on. Global accesses are predicated in longer runs
// (8 stores); they do not matter here and are left out.
#include <algorithm>
#include <numeric>

#include "ptx/passes.h"

namespace labkit::ptx {
namespace {

constexpr std::int32_t kMostPredicated = 8;

bool is_branch(const Instruction& instruction) {
  return instruction.root() == "bra" || instruction.root() == "brx";
}

/// Whether all of a block can be predicated: no barrier, call or end, and short.
bool is_short(const Function& function, const BasicBlock& block) {
  std::int32_t count = 0;
  for (std::int32_t i = block.first; i < block.last; ++i) {
    const Instruction& instruction = function.body[static_cast<std::size_t>(i)];
    const std::string_view root = instruction.root();
    if (root == "bar" || root == "barrier" || root == "call" || root == "ret" || root == "exit" ||
        root == "trap" || root == "brx" || root == "mbarrier" ||
        (root == "bra" && instruction.guard >= 0))
      return false;
    count += root != "bra";
  }
  return count <= kMostPredicated;
}

}  // namespace

std::vector<bool> issued_by_all(const Function& function, const ControlFlow& flow) {
  std::vector<bool> issued(function.body.size(), false);
  for (std::size_t i = 0; i < issued.size(); ++i)
    issued[i] = function.body[i].guard >= 0 && !is_branch(function.body[i]);
  for (std::size_t b = 0; b < flow.blocks.size(); ++b) {
    const BasicBlock& from = flow.blocks[b];
    const std::int32_t join = from.immediate_post_dominator;
    if (from.successors.size() != 2 || join < 0) continue;
    std::vector<const BasicBlock*> sides;
    bool fits = true;
    for (std::int32_t at : from.successors) {
      std::int32_t before = static_cast<std::int32_t>(b);
      while (fits && at != join) {  // a side may begin with a block that only goes on to another
        const BasicBlock& side = flow.blocks[static_cast<std::size_t>(at)];
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
      std::fill(issued.begin() + side->first, issued.begin() + side->last, true);
  }
  return issued;
}

std::vector<TextRange> loops_around(const Function& function, const ControlFlow& flow) {
  std::vector<TextRange> loops;
  for (const BasicBlock& block : flow.blocks)
    for (const std::int32_t to : block.successors) {
      const TextRange loop{flow.blocks[static_cast<std::size_t>(to)].first, block.last};
      if (loop.first < loop.last) loops.push_back(loop);  // else forward
    }
  std::stable_sort(loops.begin(), loops.end(), [](const TextRange& a, const TextRange& b) {
    return a.last - a.first < b.last - b.first;
  });
  // The shortest first: what has a loop is passed over by those that follow.
  std::vector<TextRange> around(function.body.size());
  std::vector<std::int32_t> free(function.body.size() + 1);  // of each, the next without a loop
  std::iota(free.begin(), free.end(), 0);
  const auto next_free = [&](std::int32_t at) {
    while (free[static_cast<std::size_t>(at)] != at) {
      std::int32_t& next = free[static_cast<std::size_t>(at)];
      at = next = free[static_cast<std::size_t>(next)];
    }
    return at;
  };
  for (const TextRange& loop : loops)
    for (std::int32_t i = next_free(loop.first); i < loop.last; i = next_free(i)) {
      around[static_cast<std::size_t>(i)] = loop;
      free[static_cast<std::size_t>(i)] = i + 1;
    }
  return around;
}

}  // namespace labkit::ptx
