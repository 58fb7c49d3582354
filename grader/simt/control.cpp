#include "simt/control.h"

#include <algorithm>

namespace labkit::simt {
namespace {

bool leaves(const ptx::Instruction& in) {
  return in.root() == "ret" || in.root() == "exit" || in.root() == "trap";
}
bool ends_block(const ptx::Instruction& in) {
  return leaves(in) || in.root() == "bra" || in.root() == "brx" || in.root() == "call" ||
         in.root() == "brkpt";
}

const std::vector<std::int32_t>* branch_targets(const ptx::Function& function,
                                                const ptx::Instruction& in) {
  for (const auto& operand : in.operands)
    for (const auto& [name, targets] : function.branch_tables)
      if (operand.name == name) return &targets;
  return nullptr;
}

std::vector<std::int32_t> successors(const FlowBlock& block) {
  std::vector<std::int32_t> all = block.table;
  if (block.taken >= 0) all.push_back(block.taken);
  if (block.fallthrough >= 0) all.push_back(block.fallthrough);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

void find_blocks(const ptx::Function& function, Flow& flow) {
  const auto count = static_cast<std::int32_t>(function.body.size());
  std::vector<bool> leader(function.body.size() + 1, false);
  if (count > 0) leader[0] = true;
  auto mark = [&](std::int32_t at) {
    if (at >= 0 && at <= count) leader[static_cast<std::size_t>(at)] = true;
  };
  for (std::int32_t i = 0; i < count; ++i) {
    const auto& in = function.body[static_cast<std::size_t>(i)];
    if (!ends_block(in)) continue;
    mark(i + 1);
    if (in.root() == "bra" && !in.operands.empty()) mark(in.operands[0].id);
    if (in.root() == "brx")
      if (const auto* targets = branch_targets(function, in))
        for (const auto target : *targets) mark(target);
  }
  flow.block_of.assign(function.body.size() + 1, -1);
  for (std::int32_t i = 0; i < count; ++i) {
    if (leader[static_cast<std::size_t>(i)]) {
      flow.blocks.emplace_back();
      flow.blocks.back().first = i;
    }
    flow.blocks.back().last = i + 1;
    flow.block_of[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(flow.blocks.size()) - 1;
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
      return at >= 0 && static_cast<std::size_t>(at) < flow.block_of.size()
                 ? flow.block_of[static_cast<std::size_t>(at)]
                 : -1;
    };
    if (in.root() == "bra" && !in.operands.empty()) block.taken = block_at(in.operands[0].id);
    if (in.root() == "brx")
      if (const auto* targets = branch_targets(function, in))
        for (const auto target : *targets) block.table.push_back(block_at(target));
    if (in.guard < 0 && (in.root() == "bra" || in.root() == "brx" || leaves(in)))
      block.fallthrough = -1;
  }
}

bool only_returns(const ptx::Function& function, const FlowBlock& block) {
  if (block.last - block.first > 1) return false;
  if (block.first == block.last) return true;
  const auto& in = function.body[static_cast<std::size_t>(block.first)];
  return in.guard < 0 && (in.root() == "ret" || in.root() == "exit");
}

/// Edges that count for reconvergence.
std::vector<std::vector<std::int32_t>> counting_edges(const ptx::Function& function,
                                                      const Flow& flow) {
  const std::size_t n = flow.blocks.size();
  std::vector<bool> early(n, false), bare(n, false);
  for (std::size_t b = 0; b < n; ++b) bare[b] = only_returns(function, flow.blocks[b]);
  for (std::size_t b = 0; b < n; ++b) {
    const auto& block = flow.blocks[b];
    const auto next = successors(block);
    if (next.empty() && !bare[b] && b + 1 < n)
      early[b] = true;  // leaves for good, and is not the last to do so
    // a jump to the end; one to the very next block (unoptimised code ends so) is where the others come by
    if (next.size() == 1 && block.taken == next[0] && bare[static_cast<std::size_t>(next[0])] &&
        next[0] != static_cast<std::int32_t>(b) + 1)
      early[b] = true;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = 0; b < n; ++b) {
      const auto next = successors(flow.blocks[b]);
      if (early[b] || next.empty()) continue;
      if (!std::all_of(next.begin(), next.end(),
                       [&](auto s) { return early[static_cast<std::size_t>(s)]; }))
        continue;
      early[b] = changed = true;
    }
  }
  std::vector<std::vector<std::int32_t>> edges(n);
  for (std::size_t b = 0; b < n; ++b) {
    const auto& block = flow.blocks[b];
    const auto all = successors(block);
    for (const auto s : all) {
      const auto k = static_cast<std::size_t>(s);
      if (early[k] || (bare[k] && s != block.fallthrough)) continue;
      edges[b].push_back(s);
    }
    if (edges[b].empty() || all.size() < 2) edges[b] = all;
  }
  // A loop left only by ways out must keep them: give back all edges of blocks that no longer reach an end.
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<bool> ends(n, false);
    for (bool more = true; more;) {
      more = false;
      for (std::size_t b = n; b-- > 0;) {
        if (ends[b]) continue;
        const bool now = edges[b].empty() ||
                         std::any_of(edges[b].begin(), edges[b].end(),
                                     [&](auto s) { return ends[static_cast<std::size_t>(s)]; });
        if (now) ends[b] = more = true;
      }
    }
    for (std::size_t b = 0; b < n; ++b) {
      if (ends[b]) continue;
      auto all = successors(flow.blocks[b]);
      if (all != edges[b]) {
        edges[b] = std::move(all);
        changed = true;
      }
    }
  }
  return edges;
}

/// Immediate post-dominators (Cooper, Harvey, Kennedy: "A simple, fast dominance algorithm", on the reversed graph).
void find_reconvergence(const ptx::Function& function, Flow& flow) {
  const auto edges = counting_edges(function, flow);
  const auto n = static_cast<std::int32_t>(flow.blocks.size());
  const std::int32_t exit = n;  // virtual
  std::vector<std::vector<std::int32_t>> into(static_cast<std::size_t>(n) + 1);
  for (std::int32_t b = 0; b < n; ++b) {
    const auto& out = edges[static_cast<std::size_t>(b)];
    if (out.empty()) into[static_cast<std::size_t>(exit)].push_back(b);
    for (const auto s : out) into[static_cast<std::size_t>(s)].push_back(b);
  }
  std::vector<std::int32_t> order(static_cast<std::size_t>(n) + 1, -1), sequence;
  std::vector<std::pair<std::int32_t, std::size_t>> stack{{exit, 0}};
  std::vector<bool> seen(static_cast<std::size_t>(n) + 1, false);
  seen[static_cast<std::size_t>(exit)] = true;
  while (!stack.empty()) {
    auto& [node, at] = stack.back();
    const auto& out = into[static_cast<std::size_t>(node)];
    if (at < out.size()) {
      const auto next = out[at++];
      if (!seen[static_cast<std::size_t>(next)]) {
        seen[static_cast<std::size_t>(next)] = true;
        stack.emplace_back(next, 0);
      }
    } else {
      order[static_cast<std::size_t>(node)] = static_cast<std::int32_t>(sequence.size());
      sequence.push_back(node);
      stack.pop_back();
    }
  }
  std::vector<std::int32_t> idom(static_cast<std::size_t>(n) + 1, -1);
  idom[static_cast<std::size_t>(exit)] = exit;
  auto meet = [&](std::int32_t a, std::int32_t b) {
    while (a != b) {
      while (order[static_cast<std::size_t>(a)] < order[static_cast<std::size_t>(b)])
        a = idom[static_cast<std::size_t>(a)];
      while (order[static_cast<std::size_t>(b)] < order[static_cast<std::size_t>(a)])
        b = idom[static_cast<std::size_t>(b)];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto it = sequence.rbegin(); it != sequence.rend(); ++it) {
      const auto node = *it;
      if (node == exit) continue;
      std::int32_t best = -1;
      auto consider = [&](std::int32_t s) {
        if (order[static_cast<std::size_t>(s)] < 0 || idom[static_cast<std::size_t>(s)] < 0) return;
        best = best < 0 ? s : meet(best, s);
      };
      const auto& out = edges[static_cast<std::size_t>(node)];
      if (out.empty()) consider(exit);
      for (const auto s : out) consider(s);
      if (best != idom[static_cast<std::size_t>(node)]) {
        idom[static_cast<std::size_t>(node)] = best;
        changed = true;
      }
    }
  }
  for (std::int32_t b = 0; b < n; ++b) {
    const auto meeting = idom[static_cast<std::size_t>(b)];
    flow.blocks[static_cast<std::size_t>(b)].reconvergence = meeting == exit ? -1 : meeting;
  }
}

}  // namespace

Flow analyse_flow(const ptx::Function& function) {
  Flow flow;
  find_blocks(function, flow);
  link_blocks(function, flow);
  find_reconvergence(function, flow);
  return flow;
}

}  // namespace labkit::simt
