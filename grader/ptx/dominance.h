// Dominators of any graph, and the dominator tree of a function.
#pragma once
#include <cstdint>
#include <vector>

#include "ptx/passes.h"

namespace labkit::ptx {

/// Immediate post-dominator of each node over `edges` (successors; `exits[b]`: b also leaves the
/// graph). n stands for the exit, -1 for a node from which the exit cannot be reached. With
/// predecessors as edges and exits[0] alone it gives the immediate dominators, n for the entry and
/// -1 for what the entry does not reach.
std::vector<std::int32_t> immediate_post_dominators(
    const std::vector<std::vector<std::int32_t>>& edges, const std::vector<bool>& exits);

/// What may run between a block and its immediate dominator.
class Dominance {
 public:
  explicit Dominance(const ControlFlow& flow);
  /// Block index; -1 for the entry and for blocks that cannot be reached.
  std::int32_t immediate_dominator(std::int32_t block) const { return parent_[block]; }
  bool dominates(std::int32_t above, std::int32_t below) const {
    return first_[above] <= first_[below] && last_[below] <= last_[above];
  }
  /// All blocks, each after its dominator.
  const std::vector<std::int32_t>& order() const { return order_; }
  /// The blocks on paths from a block's immediate dominator to it, without the dominator; the block
  /// itself is among them if it lies on a cycle that does not pass the dominator. False if there
  /// are more than `kMostBetween`, or more than `kMostEdges` lead there.
  bool between(std::int32_t block, std::vector<std::int32_t>& out);

 private:
  static constexpr std::size_t kMostBetween = 512, kMostEdges = 4096;
  const ControlFlow& flow_;
  std::vector<std::int32_t> parent_;
  /// The first and last position in a preorder of the tree below each block.
  std::vector<std::int32_t> first_, last_;
  std::vector<std::int32_t> order_;
  std::vector<std::int32_t> seen_for_;
};

}  // namespace labkit::ptx
