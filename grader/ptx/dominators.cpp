#include "ptx/dominators.h"

#include <utility>

namespace labkit::ptx {

std::vector<std::int32_t> immediate_post_dominators(
    const std::vector<std::vector<std::int32_t>>& edges, const std::vector<bool>& exits) {
  const std::size_t n = edges.size();
  std::vector<std::vector<std::int32_t>> reversed(n + 1);
  for (std::size_t b = 0; b < n; ++b) {
    for (const std::int32_t to : edges[b])
      reversed[static_cast<std::size_t>(to)].push_back(static_cast<std::int32_t>(b));
    if (exits[b]) reversed[n].push_back(static_cast<std::int32_t>(b));
  }
  // Postorder of the reversed graph from the exit, without recursion.
  std::vector<std::int32_t> order_of(n + 1, -1);
  std::vector<std::int32_t> postorder;
  std::vector<std::pair<std::int32_t, std::size_t>> stack{{static_cast<std::int32_t>(n), 0}};
  std::vector<bool> seen(n + 1, false);
  seen[n] = true;
  while (!stack.empty()) {
    const auto node = static_cast<std::size_t>(stack.back().first);
    if (stack.back().second < reversed[node].size()) {
      const std::int32_t next = reversed[node][stack.back().second++];
      if (seen[static_cast<std::size_t>(next)]) continue;
      seen[static_cast<std::size_t>(next)] = true;
      stack.emplace_back(next, 0);
    } else {
      order_of[node] = static_cast<std::int32_t>(postorder.size());
      postorder.push_back(static_cast<std::int32_t>(node));
      stack.pop_back();
    }
  }
  std::vector<std::int32_t> dominator(n + 1, -1);
  dominator[n] = static_cast<std::int32_t>(n);
  const auto meet = [&](std::int32_t a, std::int32_t b) {
    while (a != b) {
      while (order_of[static_cast<std::size_t>(a)] < order_of[static_cast<std::size_t>(b)])
        a = dominator[static_cast<std::size_t>(a)];
      while (order_of[static_cast<std::size_t>(b)] < order_of[static_cast<std::size_t>(a)])
        b = dominator[static_cast<std::size_t>(b)];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = postorder.size() - 1;
         i-- > 0;) {  // the exit, last in postorder, is left out
      const auto b = static_cast<std::size_t>(postorder[i]);
      std::int32_t found = exits[b] ? static_cast<std::int32_t>(n) : -1;
      for (const std::int32_t to : edges[b]) {
        if (dominator[static_cast<std::size_t>(to)] < 0) continue;
        found = found < 0 ? to : meet(found, to);
      }
      if (found == dominator[b]) continue;
      dominator[b] = found;
      changed = true;
    }
  }
  dominator.pop_back();
  return dominator;
}

}  // namespace labkit::ptx
