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
#include <algorithm>

#include "ptx/defs.h"
#include "ptx/machine_cost.h"
#include "ptx/passes.h"

namespace labkit::ptx {
namespace {

/// A parameter (an operand in constant memory) or a special register.
bool is_there(const Instruction& instruction) {
  return instruction.root() == "mov" || (instruction.root() == "ld" && instruction.has("param"));
}

}  // namespace

std::vector<float> dependence_links(const Function& function, const ControlFlow& flow) {
  std::vector<float> links(function.body.size(), 0);
  std::vector<float> depth(function.registers.size(), 0);
  std::vector<std::size_t> block_of(function.registers.size(), ~std::size_t{0});
  const auto costs = machine_costs(function, flow);
  for (std::size_t b = 0; b < flow.blocks.size(); ++b) {
    float longest = 0, called = 0;
    for (std::int32_t i = flow.blocks[b].first; i < flow.blocks[b].last; ++i) {
      const Instruction& instruction = function.body[i];
      float at = called;
      visit_uses(instruction, [&](std::int32_t id) {
        if (block_of[id] == b) at = std::max(at, depth[id]);
      });
      if (!is_there(instruction)) at += costs[i].latency;
      if (becomes_call(instruction)) called = at;
      visit_defs(instruction, [&](std::int32_t id) {
        depth[id] = at;
        block_of[id] = b;
      });
      links[i] = std::max(at - longest, 0.0f);
      longest = std::max(longest, at);
    }
  }
  return links;
}

}  // namespace labkit::ptx
