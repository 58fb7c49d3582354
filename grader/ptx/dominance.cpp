// Lengauer and Tarjan, "A fast algorithm for finding dominators in a flowgraph" (1979), in its simple form: E log N steps
// whatever the graph looks like, since it may be a student's inline assembly.
#include "ptx/dominance.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace labkit::ptx {
namespace {

using Edges = std::vector<std::vector<std::int32_t>>;

/// Nodes by their number in a depth-first search from the root; -1: not reached.
struct Search {
  std::vector<std::int32_t> number;  ///< node -> number
  std::vector<std::int32_t> node;    ///< number -> node
  std::vector<std::int32_t> parent;  ///< number -> number
};

Search search(const Edges& edges, std::size_t root) {
  Search found{std::vector<std::int32_t>(edges.size(), -1), {}, {}};
  std::vector<std::pair<std::size_t, std::size_t>> stack;  // node, edge
  const auto open = [&](std::size_t node) {
    found.number[node] = static_cast<std::int32_t>(found.node.size());
    found.node.push_back(static_cast<std::int32_t>(node));
    found.parent.push_back(stack.empty() ? -1 : found.number[stack.back().first]);
    stack.emplace_back(node, 0);
  };
  open(root);
  while (!stack.empty()) {
    auto& [node, edge] = stack.back();
    if (edge == edges[node].size()) {
      stack.pop_back();
      continue;
    }
    const std::int32_t next = edges[node][edge++];
    if (found.number[next] < 0) open(next);
  }
  return found;
}

/// The forest of the nodes that are done, by number. eval() gives, of a node's ancestors in it, one of the least
/// semidominator, and shortens the ways there.
class Forest {
 public:
  explicit Forest(std::size_t size) : semi(size), ancestor_(size, -1), label_(size) {
    for (std::size_t i = 0; i < size; ++i) semi[i] = label_[i] = static_cast<std::int32_t>(i);
  }
  std::vector<std::int32_t> semi;

  void link(std::size_t node, std::int32_t parent) { ancestor_[node] = parent; }
  std::size_t eval(std::size_t node) {
    if (ancestor_[node] < 0) return node;
    way_.clear();
    for (std::size_t at = node; above(up(at)) >= 0; at = up(at)) way_.push_back(at);
    for (std::size_t i = way_.size(); i-- > 0;) {
      const std::size_t at = way_[i], over = up(at);
      if (semi_of_label(over) < semi_of_label(at)) label_[at] = label_[over];
      ancestor_[at] = above(over);
    }
    return label_[node];
  }

 private:
  std::int32_t above(std::size_t node) const { return ancestor_[node]; }
  std::size_t up(std::size_t node) const { return ancestor_[node]; }
  std::int32_t semi_of_label(std::size_t node) const { return semi[label_[node]]; }
  std::vector<std::int32_t> ancestor_, label_;
  std::vector<std::size_t> way_;
};

}  // namespace

std::vector<std::int32_t> immediate_post_dominators(const Edges& edges,
                                                    const std::vector<bool>& exits) {
  const std::size_t n = edges.size();
  Edges reversed(n + 1);
  for (std::size_t b = 0; b < n; ++b) {
    for (const std::int32_t to : edges[b]) reversed[to].push_back(static_cast<std::int32_t>(b));
    if (exits[b]) reversed[n].push_back(static_cast<std::int32_t>(b));
  }
  const Search found = search(reversed, n);
  const std::size_t count = found.node.size();
  Forest forest(count);
  std::vector<std::int32_t> dominator(count, 0);  // all by number
  std::vector<std::vector<std::size_t>> bucket(count);
  for (std::size_t i = count; i-- > 1;) {
    const std::int32_t b = found.node[i];
    const auto meet = [&](std::int32_t number) {
      if (number < 0) return;
      const std::size_t best = forest.eval(number);
      forest.semi[i] = std::min(forest.semi[i], forest.semi[best]);
    };
    if (exits[b]) meet(0);
    for (const std::int32_t to : edges[b]) meet(found.number[to]);
    bucket[forest.semi[i]].push_back(i);
    const std::int32_t parent = found.parent[i];
    forest.link(i, parent);
    for (const std::size_t k : std::exchange(bucket[parent], {})) {
      const std::size_t best = forest.eval(k);
      dominator[k] = forest.semi[best] < forest.semi[k] ? static_cast<std::int32_t>(best) : parent;
    }
  }
  std::vector<std::int32_t> result(n, -1);
  for (std::size_t i = 1; i < count; ++i) {
    if (dominator[i] != forest.semi[i]) dominator[i] = dominator[dominator[i]];
    result[found.node[i]] = found.node[dominator[i]];
  }
  return result;
}

Dominance::Dominance(const ControlFlow& flow) : flow_(flow) {
  const std::size_t n = flow.blocks.size();
  Edges predecessors(n);
  std::vector<bool> is_entry(n, false);
  for (std::size_t b = 0; b < n; ++b) {
    predecessors[b] = flow.blocks[b].predecessors;
    is_entry[b] = b == 0;
  }
  parent_ = immediate_post_dominators(predecessors, is_entry);
  const auto above_all = static_cast<std::int32_t>(n);
  Edges children(n + 1);
  for (std::size_t b = 0; b < n; ++b) {
    if (parent_[b] == above_all) parent_[b] = -1;
    children[parent_[b] < 0 ? above_all : parent_[b]].push_back(static_cast<std::int32_t>(b));
  }
  const Search tree = search(children, n);
  order_.assign(tree.node.begin() + 1, tree.node.end());
  first_ = tree.number;
  last_ = tree.number;
  for (std::size_t i = order_.size(); i-- > 0;)
    if (const std::int32_t b = order_[i]; parent_[b] >= 0)
      last_[parent_[b]] = std::max(last_[parent_[b]], last_[b]);
  seen_for_.assign(n, -1);
}

bool Dominance::between(std::int32_t block, std::vector<std::int32_t>& out) {
  out.clear();
  const std::int32_t top = immediate_dominator(block);
  if (top < 0) return true;
  std::size_t edges = 0;
  const auto enter = [&](std::int32_t of) {
    for (const std::int32_t from : flow_.blocks[of].predecessors) {
      if (++edges > kMostEdges) return;
      std::int32_t& seen = seen_for_[from];
      if (from == top || seen == block || parent_[from] < 0) continue;
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
