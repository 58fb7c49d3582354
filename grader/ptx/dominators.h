// Dominators of a graph of n nodes.
#pragma once
#include <cstdint>
#include <vector>

namespace labkit::ptx {

/// Immediate post-dominator of each node over `edges` (successors; `exits[b]`: b also leaves the
/// graph). n stands for the exit, -1 for a node from which the exit cannot be reached. With
/// predecessors as edges and exits[0] alone it gives the immediate dominators, n for the entry and
/// -1 for what the entry does not reach.
std::vector<std::int32_t> immediate_post_dominators(
    const std::vector<std::vector<std::int32_t>>& edges, const std::vector<bool>& exits);

}  // namespace labkit::ptx
