#include "ptx/dominance.h"

#include <utility>

#include "ptx/dominators.h"

namespace labkit::ptx {

Dominance::Dominance(const ControlFlow& flow) : flow_(flow) {
  const std::size_t n = flow.blocks.size();
  std::vector<std::vector<std::int32_t>> predecessors(n);
  for (std::size_t b = 0; b < n; ++b) predecessors[b] = flow.blocks[b].predecessors;
  std::vector<bool> entry(n, false);
  if (n > 0) entry[0] = true;
  parent_ = immediate_post_dominators(predecessors, entry);
  std::vector<std::vector<std::int32_t>> children(n);
  for (std::size_t b = 0; b < n; ++b) {
    if (parent_[b] == static_cast<std::int32_t>(n)) parent_[b] = -1;
    if (parent_[b] >= 0)
      children[static_cast<std::size_t>(parent_[b])].push_back(static_cast<std::int32_t>(b));
  }
  first_.assign(n, -1);
  last_.assign(n, -1);
  seen_for_.assign(n, -1);
  for (std::size_t root = 0; root < n; ++root) {
    if (parent_[root] >= 0) continue;
    std::vector<std::pair<std::int32_t, std::size_t>> stack;
    const auto open = [&](std::int32_t b) {
      first_[static_cast<std::size_t>(b)] = static_cast<std::int32_t>(order_.size());
      order_.push_back(b);
      stack.emplace_back(b, 0);
    };
    open(static_cast<std::int32_t>(root));
    while (!stack.empty()) {
      const auto b = static_cast<std::size_t>(stack.back().first);
      if (stack.back().second < children[b].size()) {
        open(children[b][stack.back().second++]);
      } else {
        last_[b] = static_cast<std::int32_t>(order_.size());
        stack.pop_back();
      }
    }
  }
}

bool Dominance::between(std::int32_t block, std::vector<std::int32_t>& out) {
  out.clear();
  const std::int32_t top = immediate_dominator(block);
  if (top < 0) return true;
  std::size_t edges = 0;
  const auto enter = [&](std::int32_t of) {
    for (const std::int32_t from : flow_.blocks[static_cast<std::size_t>(of)].predecessors) {
      if (++edges > kMostEdges) return;
      std::int32_t& seen = seen_for_[static_cast<std::size_t>(from)];
      if (from == top || seen == block || parent_[static_cast<std::size_t>(from)] < 0) continue;
      seen = block;
      out.push_back(from);
    }
  };
  enter(block);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out.size() > kMostBetween || edges > kMostEdges) return false;
    enter(out[i]);
  }
  return edges <= kMostEdges;
}

}  // namespace labkit::ptx
