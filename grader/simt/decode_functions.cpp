// Which functions a kernel calls, which of them may come back to themselves, and the lines that call functions of headers.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

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

namespace {

/// 0: no line is known.
std::uint32_t file_of(const ptx::Function& function) {
  for (const auto& in : function.body)
    if (shown(in).line != 0) return shown(in).file;
  return 0;
}

using Line = std::pair<std::uint32_t, std::uint32_t>;  // file, line
constexpr Line kNotKnown{0, 0};

/// Lines that a function is called at: none, one, or several, which are all one.
struct Lines {
  std::optional<Line> first;
  bool several = false;

  /// False if that is nothing new.
  bool add(const Lines& other) {
    const Lines before = *this;
    if (!first) first = other.first;
    several = several || other.several || (other.first && other.first != first);
    return first != before.first || several != before.several;
  }
  bool is_one() const { return first && !several && *first != kNotKnown; }
};

}  // namespace

/// Lines for functions of headers that are called and not inlined, as in a build for debugging: a line of a header is of no
/// use to the reader. It is the line of the kernel's own source that calls, if there is but one; else only the stack of
/// calls knows it (Worker::caller_line).
void Decoder::note_callers() {
  const std::uint32_t own = file_of(entry_);
  if (own == 0) return;
  auto& program = *program_;
  for (std::size_t k = 1; k < functions_.size(); ++k)
    program.functions[k].is_of_header = file_of(*functions_[k].ptx) != own;
  std::vector<Lines> called_at(functions_.size());
  std::vector<std::vector<std::size_t>> calls(functions_.size());  // from header to header
  std::vector<std::size_t> work;
  for (const Op& op : program.ops) {
    if (op.kind != OpKind::call) continue;
    const auto& site = program.calls[op.aux];
    if (site.function < 0) continue;
    const auto to = static_cast<std::size_t>(site.function);
    const auto from = program.blocks[program.block_of[op.index]].function;
    if (!program.functions[to].is_of_header) continue;
    if (program.functions[from].is_of_header) {
      calls[from].push_back(to);
      continue;
    }
    const auto& facts = program.instructions[op.index];
    const auto& at = shown(facts);
    if (called_at[to].add({at.file == own ? Line(at.file, at.line) : kNotKnown}))
      work.push_back(to);
  }
  while (!work.empty()) {  // what is known of a function changes twice at most
    const std::size_t from = work.back();
    work.pop_back();
    for (const std::size_t to : calls[from])
      if (called_at[to].add(called_at[from])) work.push_back(to);
  }
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    const auto function = program.blocks[program.block_of[i]].function;
    auto& facts = program.instructions[i];
    if (!program.functions[function].is_of_header) {
      // a header's function that was inlined all the same: a build for debugging does not say where
      facts.line_is_of_caller =
          facts.inlined_at.line == 0 && facts.location.line != 0 && facts.location.file != own;
      continue;
    }
    const Lines& lines = called_at[function];
    if (lines.is_one())
      facts.inlined_at = {lines.first->first, lines.first->second, 0};
    else
      facts.line_is_of_caller = true;
  }
}

}  // namespace labkit::simt
