// How long a warp's own instructions take one after another.
//
// An instruction waits for the results that it uses; those that need none of one another's may follow each other at once.
// Of a basic block the longest chain counts, and each instruction that makes it longer is charged one link: the sum of the
// charges of what executes is the length of the chains executed. ptxas orders independent instructions so that they do not
// stand in each other's way, which is why their order in PTX does not matter.
//
// A division in full precision branches to a call for the rare cases: what stands behind it is not issued before its result
// is known (nvdisasm of fresh_kernels.cu: FCHK, BRA, BSYNC).
//
// What ptxas folds into the instruction that uses it costs nothing (folding.cpp).
//
// A branch reads its condition late, and nothing behind it is issued before it is taken or not. That counts in loops; those at the
// beginning of a kernel are part of what a warp costs before it does anything (profiles: warp_prologue_seconds). How often a loop of
// several blocks has been run is known early: ptxas counts ahead.
#include <algorithm>

#include "ptx/defs.h"
#include "ptx/machine_cost.h"
#include "ptx/passes.h"

namespace labkit::ptx {
namespace {

/// add r, r, 4
bool is_step(const Instruction& in) {
  const auto& operands = in.operands;
  return in.root() == "add" && operands.size() == 3 && operands[0].kind == OperandKind::reg &&
         operands[1].kind == OperandKind::reg && operands[0].id == operands[1].id &&
         operands[2].kind == OperandKind::immediate;
}

/// A parameter (an operand in constant memory) or a special register.
bool is_there(const Instruction& instruction) {
  return instruction.root() == "mov" || (instruction.root() == "ld" && instruction.has("param"));
}

/// From a comparison to the branch that asks for it, beyond what a result takes otherwise, and from the branch to what is issued next.
/// Source: tests/h200/branches.csv: a loop takes ten cycles more than its chain, one that asks the chain's end 24 (four of them the
/// comparison); a condition around 16 more links 24 if it is met, 21 if not.
constexpr float kAsked = 10 / kUsualCycles, kBranch = 10 / kUsualCycles;

/// A condition around accesses to global memory, of which ptxas makes predicates in longer runs than of others (predication.cpp).
bool goes_around_memory(const Function& function, const ControlFlow& flow,
                        const BasicBlock& block) {
  return std::ranges::any_of(block.successors, [&](std::int32_t to) {
    const BasicBlock& side = flow.blocks[to];
    return side.first >= block.last && side.predecessors.size() == 1 &&
           std::ranges::any_of(instructions_of(function, side), [](const Instruction& in) {
             return is_any(in, {"ld", "st"}) && in.has("global");
           });
  });
}

bool joins_conditions(const Instruction& in) { return is_any(in, {"and", "or"}) && in.has("pred"); }

/// What `block` ends with asks only for how often its loop has been run, which is known before: from the turn before, or while what the
/// block loads is on its way.
bool counts_ahead(const Function& function, const BasicBlock& block, std::size_t number) {
  const auto body = instructions_of(function, block);
  const bool again = std::ranges::count(block.successors, static_cast<std::int32_t>(number)) > 0;
  if (again && std::ranges::none_of(body, [](const Instruction& in) { return in.root() == "ld"; }))
    return false;
  const std::int32_t asked = body.back().guard;
  const auto comparison = std::ranges::find_if(body, [&](const Instruction& in) {
    return in.root() == "setp" && !in.operands.empty() && in.operands[0].id == asked;
  });
  if (comparison == body.end()) return false;
  bool counts = true;
  visit_uses(*comparison, [&](std::int32_t id) {
    for (const Instruction& in : body)
      visit_defs(in, [&](std::int32_t to) { counts &= to != id || is_step(in); });
  });
  return counts;
}

}  // namespace

std::vector<float> dependence_links(const Function& function, const ControlFlow& flow) {
  std::vector<float> links(function.body.size(), 0);
  std::vector<float> depth(function.registers.size(), 0), asked(function.registers.size(), 0);
  std::vector<std::size_t> block_of(function.registers.size(), ~std::size_t{0});
  const auto costs = machine_costs(function, flow);
  const auto loops = loops_around(function, flow);
  for (std::size_t b = 0; b < flow.blocks.size(); ++b) {
    float longest = 0, called = 0;
    for (std::int32_t i = flow.blocks[b].first; i < flow.blocks[b].last; ++i) {
      const Instruction& instruction = function.body[i];
      if (branches(instruction) && loops[i].first < loops[i].last &&
          !goes_around_memory(function, flow, flow.blocks[b])) {
        // A part of it, where ptxas unrolls the loop; none, where it makes predicates of the branch.
        const float part = std::min(costs[i].issue, 1.0f);
        float at = longest - 1;
        if (instruction.guard >= 0 && block_of[instruction.guard] == b &&
            !counts_ahead(function, flow.blocks[b], b))
          at = std::max(at, asked[instruction.guard] + kAsked);
        links[i] = std::max(at + kBranch - longest, 0.0f) * part;
        longest += links[i];
        continue;
      }
      float at = called, first = 0;
      bool one = true;
      visit_uses(instruction, [&](std::int32_t id) {
        const float needed = block_of[id] == b ? depth[id] : 0;
        first = one ? needed : std::min(first, needed);
        one = false;
        at = std::max(at, needed);
      });
      if (!is_there(instruction)) at += costs[i].latency;
      if (becomes_call(instruction)) called = at;
      visit_defs(instruction, [&](std::int32_t id) {
        depth[id] = at;
        // Of two conditions that are joined one comparison asks for the other's result.
        asked[id] =
            joins_conditions(instruction) && first > 0 ? std::max(at, first + kAsked + 1) : at;
        block_of[id] = b;
      });
      links[i] = std::max(at - longest, 0.0f);
      longest = std::max(longest, at);
    }
  }
  return links;
}

}  // namespace labkit::ptx
