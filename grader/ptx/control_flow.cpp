// Basic blocks and immediate post-dominators.
//
// A warp that splits at a branch comes together again at the branch's immediate post-dominator.
// Threads that return early do not come: on Volta and later an exited thread is taken out of the
// convergence barriers it belongs to. So an edge into a block that does nothing but return counts
// as "this thread is gone", and the post-dominator is computed among those who stay:
//
//     if (c) { if (d) return; x(); }   // y post-dominates both branches for the threads that live
//     on y();
//
// Where nobody stays (every way out is such a block), the edge counts as an ordinary one.
#include <utility>

#include "ptx/defs.h"
#include "ptx/dominance.h"
#include "ptx/passes.h"

namespace labkit::ptx {
namespace {

/// Body indices that a branch may go to.
std::vector<std::int32_t> targets(const Function& function, const Instruction& instruction) {
  std::vector<std::int32_t> out;
  for (const Operand& operand : instruction.operands) {
    if (operand.kind == OperandKind::label) out.push_back(operand.id);
    if (operand.kind == OperandKind::symbol && operand.symbol == SymbolKind::label_table &&
        operand.id >= 0) {
      const auto& table = function.branch_tables[operand.id].second;
      out.insert(out.end(), table.begin(), table.end());
    }
  }
  return out;
}

}  // namespace

ControlFlow control_flow(const Function& function) {
  ControlFlow flow;
  const std::size_t count = function.body.size();
  flow.block_of.assign(count, -1);
  if (count == 0) return flow;

  std::vector<bool> leader(count + 1, false);
  leader[0] = true;
  for (std::size_t i = 0; i < count; ++i) {
    const Instruction& instruction = function.body[i];
    if (!branches(instruction) && !leaves(instruction)) continue;
    leader[i + 1] = true;
    for (const std::int32_t target : targets(function, instruction)) leader[target] = true;
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (leader[i]) flow.blocks.push_back({static_cast<std::int32_t>(i), 0, {}, {}, -1});
    flow.block_of[i] = static_cast<std::int32_t>(flow.blocks.size()) - 1;
    flow.blocks.back().last = static_cast<std::int32_t>(i) + 1;
  }

  const std::size_t n = flow.blocks.size();
  std::vector<bool> exits(n, false);
  std::vector<std::size_t> reached_from(n, n);  // the last block that goes there, so far
  for (std::size_t b = 0; b < n; ++b) {
    BasicBlock& block = flow.blocks[b];
    const auto reach = [&](std::int32_t index) {
      if (index >= static_cast<std::int32_t>(count)) {  // running off the end returns
        exits[b] = true;
        return;
      }
      const std::int32_t to = flow.block_of[index];
      if (std::exchange(reached_from[to], b) != b) block.successors.push_back(to);
    };
    const Instruction& end = function.body[block.last - 1];
    if ((!branches(end) && !leaves(end)) || end.guard >= 0) reach(block.last);
    if (leaves(end)) exits[b] = true;
    if (branches(end))
      for (const std::int32_t target : targets(function, end)) reach(target);
    for (const std::int32_t to : block.successors)
      flow.blocks[to].predecessors.push_back(static_cast<std::int32_t>(b));
  }

  std::vector<std::vector<std::int32_t>> all(n), staying(n);
  std::vector<bool> gone(n, false);  // blocks that only return
  for (std::size_t b = 0; b < n; ++b) {
    const BasicBlock& block = flow.blocks[b];
    all[b] = block.successors;
    gone[b] = block.last - block.first == 1 && exits[b] && block.successors.empty() &&
              leaves(function.body[block.first]);
  }
  std::vector<bool> staying_exits = exits;
  for (std::size_t b = 0; b < n; ++b) {
    for (const std::int32_t to : all[b])
      if (!gone[to]) staying[b].push_back(to);
    if (staying[b].empty()) {
      staying[b] = all[b];
    } else {
      staying_exits[b] = false;  // a guarded return: the others go on
    }
  }
  const std::vector<std::int32_t> among_staying = immediate_post_dominators(staying, staying_exits);
  const std::vector<std::int32_t> among_all = immediate_post_dominators(all, exits);
  for (std::size_t b = 0; b < n; ++b) {
    const std::int32_t found = among_staying[b] >= 0 ? among_staying[b] : among_all[b];
    flow.blocks[b].immediate_post_dominator = found == static_cast<std::int32_t>(n) ? -1 : found;
  }
  return flow;
}

}  // namespace labkit::ptx
