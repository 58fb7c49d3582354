#include "simt/control.h"

#include <algorithm>
#include <utility>

#include "ptx/defs.h"
#include "ptx/dominance.h"

namespace labkit::simt {
namespace {

bool ends_block(const ptx::Instruction& in) {
  return ptx::leaves(in) || ptx::branches(in) || ptx::is_any(in, {"call", "brkpt"});
}

const std::vector<std::int32_t>* branch_targets(const ptx::Function& function,
                                                const ptx::Instruction& in) {
  for (const auto& operand : in.operands)
    if (operand.symbol == ptx::SymbolKind::label_table && operand.id >= 0)
      return &function.branch_tables[operand.id].second;
  return nullptr;
}

void find_blocks(const ptx::Function& function, Flow& flow) {
  const auto count = static_cast<std::int32_t>(function.body.size());
  std::vector<bool> leader(function.body.size() + 1, false);
  if (count > 0) leader[0] = true;
  auto mark = [&](std::int32_t at) {
    if (at >= 0 && at <= count) leader[at] = true;
  };
  for (std::int32_t i = 0; i < count; ++i) {
    const auto& in = function.body[i];
    if (!ends_block(in)) continue;
    mark(i + 1);
    if (in.root() == "bra" && !in.operands.empty()) mark(in.operands[0].id);
    if (in.root() == "brx")
      if (const auto* targets = branch_targets(function, in))
        for (const auto target : *targets) mark(target);
  }
  flow.block_of.assign(function.body.size() + 1, -1);
  for (std::int32_t i = 0; i < count; ++i) {
    if (leader[i]) {
      flow.blocks.emplace_back();
      flow.blocks.back().first = i;
    }
    flow.blocks.back().last = i + 1;
    flow.block_of[i] = static_cast<std::int32_t>(flow.blocks.size()) - 1;
  }
  if (leader.back()) {  // the end of the body: an empty block that returns
    flow.blocks.emplace_back();
    flow.blocks.back().first = flow.blocks.back().last = count;
    flow.block_of.back() = static_cast<std::int32_t>(flow.blocks.size()) - 1;
  }
}

void link_blocks(const ptx::Function& function, Flow& flow) {
  for (std::size_t b = 0; b < flow.blocks.size(); ++b) {
    auto& block = flow.blocks[b];
    const std::int32_t next = b + 1 < flow.blocks.size() ? static_cast<std::int32_t>(b) + 1 : -1;
    block.fallthrough = next;
    if (block.first == block.last) {
      block.fallthrough = -1;
      continue;
    }
    const auto& in = function.body[static_cast<std::size_t>(block.last) - 1];
    auto block_at = [&](std::int32_t at) {
      return at >= 0 && static_cast<std::size_t>(at) < flow.block_of.size() ? flow.block_of[at]
                                                                            : -1;
    };
    if (in.root() == "bra" && !in.operands.empty()) block.taken = block_at(in.operands[0].id);
    if (in.root() == "brx")
      if (const auto* targets = branch_targets(function, in))
        for (const auto target : *targets) block.table.push_back(block_at(target));
    if (in.guard < 0 && (ptx::branches(in) || ptx::leaves(in))) block.fallthrough = -1;
  }
}

bool only_returns(const ptx::Function& function, const FlowBlock& block) {
  if (block.last - block.first > 1) return false;
  if (block.first == block.last) return true;
  const auto& in = function.body[block.first];
  return in.guard < 0 && (in.root() == "ret" || in.root() == "exit");
}

/// Marks each block with an edge to one of `work` or to one so marked, if it is to follow: asked once for each such edge.
template <typename F>
void spread_back(const std::vector<std::vector<std::int32_t>>& before,
                 std::vector<std::size_t> work, std::vector<bool>& marked, const F& follows) {
  while (!work.empty()) {
    const std::size_t done = work.back();
    work.pop_back();
    for (const std::size_t b : before[done]) {
      if (marked[b] || !follows(b)) continue;
      marked[b] = true;
      work.push_back(b);
    }
  }
}

std::vector<std::size_t> marked_blocks(const std::vector<bool>& marked) {
  std::vector<std::size_t> blocks;
  for (std::size_t b = 0; b < marked.size(); ++b)
    if (marked[b]) blocks.push_back(b);
  return blocks;
}

/// Edges that count for reconvergence.
std::vector<std::vector<std::int32_t>> counting_edges(const ptx::Function& function,
                                                      const Flow& flow) {
  const std::size_t n = flow.blocks.size();
  auto all = successors(flow);
  std::vector<bool> early(n, false), bare(n, false);
  for (std::size_t b = 0; b < n; ++b) bare[b] = only_returns(function, flow.blocks[b]);
  for (std::size_t b = 0; b < n; ++b) {
    const auto& block = flow.blocks[b];
    const auto& next = all[b];
    if (next.empty() && !bare[b] && b + 1 < n)
      early[b] = true;  // leaves for good, and is not the last to do so
    // a jump to the end; one to the very next block (unoptimised code ends so) is where the others come by
    if (next.size() == 1 && block.taken == next[0] && bare[next[0]] &&
        next[0] != static_cast<std::int32_t>(b) + 1)
      early[b] = true;
  }
  // A block all of whose successors are early is, too.
  std::vector<std::size_t> late(n);  // successors that are not early
  for (std::size_t b = 0; b < n; ++b) late[b] = all[b].size();
  spread_back(predecessors(all), marked_blocks(early), early,
              [&](std::size_t b) { return --late[b] == 0; });
  std::vector<std::vector<std::int32_t>> edges(n);
  for (std::size_t b = 0; b < n; ++b) {
    const auto& block = flow.blocks[b];
    for (const auto s : all[b]) {
      const auto k = static_cast<std::size_t>(s);
      if (early[k] || (bare[k] && s != block.fallthrough)) continue;
      edges[b].push_back(s);
    }
    if (edges[b].empty() || all[b].size() < 2) edges[b] = all[b];
  }
  // A loop left only by ways out must keep them: give edges back to blocks that no longer reach an end. First what is no more
  // than a conditional jump to the end, the last loop first: what stands before that loop then reaches the end by it.
  std::vector<bool> ends(n);
  for (std::size_t b = 0; b < n; ++b) ends[b] = edges[b].empty();
  const auto before = predecessors(edges);
  const auto reach_end = [&](std::vector<std::size_t> from) {
    spread_back(before, std::move(from), ends, [](std::size_t) { return true; });
  };
  reach_end(marked_blocks(ends));
  for (std::size_t b = n; b-- > 0;) {
    if (ends[b]) continue;
    ends[b] = std::ranges::any_of(
        all[b], [&](std::int32_t s) { return bare[static_cast<std::size_t>(s)]; });
    if (!ends[b]) continue;
    edges[b] = all[b];
    reach_end({b});
  }
  for (std::size_t b = 0; b < n; ++b)
    if (!ends[b]) edges[b] = std::move(all[b]);
  return edges;
}

void find_reconvergence(const ptx::Function& function, Flow& flow) {
  const auto edges = counting_edges(function, flow);
  std::vector<bool> exits(edges.size());
  for (std::size_t b = 0; b < edges.size(); ++b) exits[b] = edges[b].empty();
  const auto meeting = ptx::immediate_post_dominators(edges, exits);
  const auto exit = static_cast<std::int32_t>(edges.size());
  for (std::size_t b = 0; b < edges.size(); ++b)
    flow.blocks[b].reconvergence = meeting[b] == exit ? -1 : meeting[b];
}

}  // namespace

std::vector<std::vector<std::int32_t>> successors(const Flow& flow) {
  std::vector<std::vector<std::int32_t>> edges;
  for (const auto& block : flow.blocks) {
    auto& to = edges.emplace_back(block.table);
    if (block.taken >= 0) to.push_back(block.taken);
    if (block.fallthrough >= 0) to.push_back(block.fallthrough);
    std::ranges::sort(to);
    to.erase(std::unique(to.begin(), to.end()), to.end());
  }
  return edges;
}

std::vector<std::vector<std::int32_t>> predecessors(
    const std::vector<std::vector<std::int32_t>>& edges) {
  std::vector<std::vector<std::int32_t>> before(edges.size());
  for (std::size_t b = 0; b < edges.size(); ++b)
    for (const auto to : edges[b])
      if (to >= 0) before[to].push_back(static_cast<std::int32_t>(b));
  return before;
}

Flow analyse_flow(const ptx::Function& function) {
  Flow flow;
  find_blocks(function, flow);
  link_blocks(function, flow);
  find_reconvergence(function, flow);
  return flow;
}

}  // namespace labkit::simt
