// Which functions a kernel calls, and which of them may come back to themselves.
#include <algorithm>

#include "simt/decoder.h"

namespace labkit::simt {
namespace {

/// Functions that the simulator provides itself.
bool is_built_in(std::string_view name) { return name == "vprintf" || name == "__assertfail"; }

const ptx::Operand* callee_of(const ptx::Instruction& in) {
  for (const auto& operand : in.operands)
    if (operand.kind == ptx::OperandKind::symbol && operand.symbol == ptx::SymbolKind::function)
      return &operand;
  return nullptr;
}

}  // namespace

void Decoder::find_functions() {
  numbers_.assign(module_.functions.size(), -1);
  const auto add = [&](const ptx::Function& function) {
    numbers_[static_cast<std::size_t>(&function - module_.functions.data())] =
        static_cast<std::int32_t>(functions_.size());
    functions_.push_back({});
    functions_.back().ptx = &function;
  };
  add(entry_);
  for (std::size_t k = 0; k < functions_.size(); ++k) {
    for (const auto& in : functions_[k].ptx->body) {
      has_shuffle_ = has_shuffle_ || in.root() == "shfl";
      if (in.root() != "call") continue;
      const auto* callee = callee_of(in);
      if (callee == nullptr || is_built_in(callee->name)) continue;
      const auto& function = module_.functions[static_cast<std::size_t>(callee->id)];
      if (!function.is_declaration && function_number(*callee) < 0) add(function);
    }
  }
}

/// Of those that are called; -1 for others.
std::int32_t Decoder::function_number(const ptx::Operand& callee) const {
  return numbers_[static_cast<std::size_t>(callee.id)];
}

/// A function is recursive if it may come back to itself: it calls itself, or one that may come to it, which both are of one
/// strongly connected component of the calls. R. E. Tarjan, "Depth-first search and linear graph algorithms" (1972), with a
/// stack of its own instead of recursion.
void Decoder::find_recursion() {
  const std::size_t n = functions_.size();
  std::vector<std::vector<std::size_t>> calls(n);
  for (std::size_t k = 0; k < n; ++k)
    for (const auto& in : functions_[k].ptx->body)
      if (in.root() == "call")
        if (const auto* callee = callee_of(in))
          if (const auto to = function_number(*callee); to >= 0)
            calls[k].push_back(static_cast<std::size_t>(to));
  constexpr std::size_t kNone = ~std::size_t{0};
  std::vector<std::size_t> number(n, kNone), low(n, kNone), at(n, 0), way, open;
  std::vector<bool> is_open(n, false);
  std::size_t numbers = 0;
  const auto enter = [&](std::size_t k) {
    number[k] = low[k] = numbers++;
    way.push_back(k);
    open.push_back(k);
    is_open[k] = true;
  };
  const auto mark = [&](std::size_t k) {
    program_->functions[k].recursive = program_->has_recursion = true;
  };
  enter(0);  // all others are called from it
  while (!way.empty()) {
    const std::size_t k = way.back();
    if (at[k] < calls[k].size()) {
      const std::size_t to = calls[k][at[k]++];
      if (to == k) mark(k);
      if (number[to] == kNone)
        enter(to);
      else if (is_open[to])
        low[k] = std::min(low[k], number[to]);
      continue;
    }
    way.pop_back();
    if (!way.empty()) low[way.back()] = std::min(low[way.back()], low[k]);
    if (low[k] != number[k]) continue;
    const bool is_alone = open.back() == k;
    for (bool more = true; more;) {
      const std::size_t member = open.back();
      open.pop_back();
      is_open[member] = false;
      if (!is_alone) mark(member);
      more = member != k;
    }
  }
}

}  // namespace labkit::simt
