// Branches, calls, barriers and what lanes of a warp say to one another; which functions a kernel calls, which of them may
// come back to themselves, and the lines that call functions of headers.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "simt/decoder.h"
#include "simt/memory.h"

namespace labkit::simt {

using words::Id;

void Decoder::decode_branch(const ptx::Instruction& in, Op& op) {
  const auto& to = operand(in, 0);
  if (to.kind != ptx::OperandKind::label) fail(Id::unsupported_operands);
  const auto block = f_->flow.block_of[to.id];
  op.target = f_->first_block + block;
  op.kind = in.guard < 0 ? OpKind::jump : OpKind::branch;
}

void Decoder::decode_branch_table(const ptx::Instruction& in, Op& op) {
  if (in.guard >= 0) fail(Id::unsupported_branch_table);
  op.kind = OpKind::branch_table;
  op.s[0] = source(operand(in, 0), 'w');
  op.aux = static_cast<std::uint32_t>(program_->branch_tables.size());
  std::vector<std::int32_t> table;
  for (const auto block : f_->flow.blocks[block_ - f_->first_block].table)
    table.push_back(f_->first_block + block);
  if (table.empty()) fail(Id::unsupported_branch_table);
  program_->branch_tables.push_back(std::move(table));
}

ParameterArea Decoder::area_of_list_element(const ptx::Operand& element) const {
  ptx::Operand address = element;
  address.kind = ptx::OperandKind::address;
  address.base = ptx::OperandKind::symbol;
  if (element.kind != ptx::OperandKind::symbol) fail(Id::unsupported_arguments);
  const auto area = parameter_area(address);
  if (!area) fail(Id::unsupported_arguments);
  return *area;
}

namespace {

/// malloc and free, and what clang calls for new, new[], delete and delete[], which nvcc makes of those.
constexpr std::string_view kAllocates[] = {"malloc", "_Znwm", "_Znam"};
constexpr std::string_view kFrees[] = {"free", "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm"};

}  // namespace

void Decoder::decode_call(const ptx::Instruction& in, Op& op) {
  if (in.guard >= 0) fail(Id::unsupported_conditional_call);
  CallSite site;
  site.instruction = op.index;
  const ptx::Operand* callee = nullptr;
  for (const auto& o : in.operands) {
    if (o.kind == ptx::OperandKind::symbol && o.symbol == ptx::SymbolKind::function &&
        callee == nullptr) {
      callee = &o;
    } else if (o.kind == ptx::OperandKind::reg && callee == nullptr && !site.pointer) {
      site.pointer = source(o, 'l', ptx::Type::u64);
    } else if (o.kind == ptx::OperandKind::list) {
      for (const auto& element : o.elements)
        (callee == nullptr && !site.pointer ? site.results : site.arguments)
            .push_back(area_of_list_element(element));
    }
  }
  op.aux = static_cast<std::uint32_t>(program_->calls.size());
  if (callee == nullptr) {
    if (!site.pointer) fail(Id::unsupported_call_through_pointer);
    op.kind = OpKind::call;
  } else if (callee->name == "vprintf") {
    if (site.arguments.size() != 2) fail(Id::unsupported_arguments);
    op.kind = OpKind::call_printf;
  } else if (const bool frees = std::ranges::count(kFrees, callee->name) != 0;
             options_.has_heap && (frees || std::ranges::count(kAllocates, callee->name) != 0) &&
             module_.functions[callee->id].is_declaration) {
    if (site.arguments.empty() || site.arguments[0].bytes != 8 ||
        (!frees && (site.results.size() != 1 || site.results[0].bytes != 8)))
      fail(Id::unsupported_arguments);
    op.kind = OpKind::call_heap;
    op.imm = frees ? 1 : 0;
    program_->facts.uses_heap = program_->facts.order_matters = true;
  } else if (callee->name == "__assertfail") {
    if (site.arguments.size() != 5) fail(Id::unsupported_arguments);
    op.kind = OpKind::call_assert;
  } else {
    op.kind = OpKind::call;
    site.function = function_number(*callee);
    if (site.function < 0)
      fail(Id::unsupported_missing_function, source_name(std::string(callee->name)));
    const auto& f = functions_[site.function];
    if (f.parameters.size() != site.arguments.size() || f.returns.size() < site.results.size())
      fail(Id::unsupported_arguments);
    for (std::size_t k = 0; k < site.arguments.size(); ++k)
      if (site.arguments[k].bytes < f.parameters[k].bytes) fail(Id::unsupported_arguments);
    for (std::size_t k = 0; k < site.results.size(); ++k)
      if (site.results[k].bytes < f.returns[k].bytes) fail(Id::unsupported_arguments);
  }
  program_->calls.push_back(std::move(site));
}

void Decoder::decode_trap(const ptx::Instruction& in, Op& op) {
  op.kind = OpKind::trap;
  op.imm = in.root() == "brkpt";
}

/// bar.{sync,arrive,red}: Op::imm has what it does (0 sync, 1 arrive, 2 popc, 3 and, 4 or), bit 4: all lanes of a warp
/// must come together. s[0] the barrier, s[1] the number of threads, s[2] the predicate.
void Decoder::decode_barrier(const ptx::Instruction& in, Op& op) {
  op.kind = OpKind::barrier;
  const bool reduces = in.has("red");
  const bool aligned = in.root() == "bar" || in.has("aligned");
  op.imm = word_of(in, {"sync", "arrive", "popc", "and", "or"}) | (aligned ? 16u : 0u);
  std::size_t at = 0;
  if (reduces) op.d = destination(operand(in, at++), in.has("popc") ? 'w' : 'p');
  const auto& number = operand(in, at++);
  if (number.kind == ptx::OperandKind::immediate && number.bits > 15)
    fail(Id::unsupported_barrier_number, std::to_string(static_cast<std::int32_t>(number.bits)));
  op.s[0] = source(number, 'w');
  if (number.kind == ptx::OperandKind::immediate)
    op.aux = static_cast<std::uint32_t>(number.bits) + 1;
  const std::size_t rest = in.operands.size() - at - (reduces ? 1 : 0);
  if (rest == 1) op.s[1] = source(operand(in, at++), 'w');
  if (rest > 1) fail(Id::unsupported_operands);
  if (in.has("arrive") && op.s[1] == kNoSlot) fail(Id::unsupported_operands);
  if (reduces) op.s[2] = predicate(operand(in, at), op, 2);
  program_->instructions[op.index].is_barrier = true;
}

/// Of a cluster of one block: barrier number kClusterBarrier, at which all threads of the block arrive, and wait later.
void Decoder::decode_cluster_barrier(const ptx::Instruction& in, Op& op) {
  if (!in.operands.empty()) fail(Id::unsupported_operands);
  const bool arrives = in.has("arrive");
  op.kind = arrives ? OpKind::barrier : OpKind::cluster_wait;
  op.imm = (arrives ? 1u : 0u) | (in.has("aligned") ? 16u : 0u);
  op.aux = kClusterBarrier + 1;
}

/// Shared memory of the cluster's only block is where it is for the block itself.
void Decoder::decode_mapa(const ptx::Instruction& in, Op& op) {
  const bool wide = in.has("u64");
  const char letter = wide ? 'l' : 'w';
  if (in.operands.size() != 3) fail(Id::unsupported_operands);
  source(operand(in, 2), 'w');
  op.d = destination(operand(in, 0), letter);
  if (decode_local_address(operand(in, 1), wide, 0, op)) fail(Id::unsupported_operands);
  op.kind = wide ? OpKind::lanes64 : OpKind::lanes32;
  op.row = row_number({"mov", wide ? "b64" : "b32"});
  op.s[0] = source(operand(in, 1), letter);
}

void Decoder::decode_get_rank(const ptx::Instruction& in, Op& op) {
  if (in.operands.size() != 2) fail(Id::unsupported_operands);
  source(operand(in, 1), in.has("u64") ? 'l' : 'w');
  op.kind = OpKind::lanes32;
  op.row = row_number({"mov", "b32"});
  op.d = destination(operand(in, 0), 'w');
  op.s[0] = constant(0, false);
}

void Decoder::decode_warp_barrier(const ptx::Instruction& in, Op& op) {
  op.kind = OpKind::warp_barrier;
  op.s[3] = source(operand(in, 0), 'w');
}

/// Last operand: the lanes that must come. Without .sync, as before Volta, those that are here do (Op::aux 1).
void Decoder::decode_members(const ptx::Instruction& in, std::size_t at, Op& op) {
  op.aux = in.has("sync") ? 0 : 1;
  if (in.operands.size() != at + (op.aux == 0 ? 1 : 0)) fail(Id::unsupported_operands);
  op.s[3] = op.aux == 0 ? source(operand(in, at), 'w') : constant(kAllLanes, false);
}

/// Op::imm of shfl: 0 up, 1 down, 2 bfly, 3 idx. The member mask of every warp-wide instruction is s[3].
void Decoder::decode_shuffle(const ptx::Instruction& in, Op& op) {
  op.kind = OpKind::shuffle;
  op.imm = word_of(in, {"up", "down", "bfly", "idx"});
  destinations(operand(in, 0), 'w', op);
  for (int n = 0; n < 3; ++n) op.s[n] = source(operand(in, static_cast<std::size_t>(n) + 1), 'w');
  decode_members(in, 4, op);
}

/// Op::imm of vote: 0 all, 1 any, 2 uni, 3 ballot.
void Decoder::decode_vote(const ptx::Instruction& in, Op& op) {
  op.kind = OpKind::vote;
  op.imm = word_of(in, {"all", "any", "uni", "ballot"});
  op.d = destination(operand(in, 0), op.imm == 3 ? 'w' : 'p');
  op.s[0] = predicate(operand(in, 1), op, 0);
  decode_members(in, 2, op);
}

void Decoder::decode_match(const ptx::Instruction& in, Op& op) {
  op.kind = OpKind::match;
  const bool wide = in.has("b64");
  op.imm = (in.has("all") ? 1u : 0u) | (wide ? 2u : 0u);
  destinations(operand(in, 0), 'w', op);
  op.s[0] = source(operand(in, 1), wide ? 'l' : 'w');
  op.s[3] = source(operand(in, 2), 'w');
}

/// Op::imm of redux: 0 add, 1 min, 2 max, 3 and, 4 or, 5 xor; bit 3: signed.
void Decoder::decode_redux(const ptx::Instruction& in, Op& op) {
  op.kind = OpKind::redux;
  op.imm = word_of(in, {"add", "min", "max", "and", "or", "xor"}) | (in.has("s32") ? 8u : 0u);
  op.d = destination(operand(in, 0), 'w');
  op.s[0] = source(operand(in, 1), 'w');
  op.s[3] = source(operand(in, 2), 'w');
}

void Decoder::decode_active_mask(const ptx::Instruction& in, Op& op) {
  op.kind = OpKind::active_mask;
  op.d = destination(operand(in, 0), 'w');
}

void Decoder::decode_elect(const ptx::Instruction& in, Op& op) {
  op.kind = OpKind::elect;
  const auto& to = operand(in, 0);
  if (to.kind != ptx::OperandKind::pair) fail(Id::unsupported_operands);
  destinations(to, 'w', op);
  op.s[3] = source(operand(in, 1), 'w');
}

void Decoder::decode_sleep(const ptx::Instruction& in, Op& op) {
  op.kind = OpKind::sleep;
  op.s[0] = source(operand(in, 0), 'w');
}

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

/// Those whose address code or the first value of a variable holds.
std::vector<std::size_t> Decoder::functions_with_address() const {
  std::vector<bool> has_address(module_.functions.size(), false);
  for (const auto& function : module_.functions)
    for (const auto& in : function.body)
      if (in.root() != "call")
        for (const auto& operand : in.operands)
          if (operand.symbol == ptx::SymbolKind::function) has_address[operand.id] = true;
  std::unordered_map<std::string_view, std::size_t> index_of;
  for (std::size_t k = 0; k < module_.functions.size(); ++k)
    index_of.emplace(module_.functions[k].name, k);
  for (const auto& variable : module_.variables)
    for (const auto& relocation : variable.relocations)
      if (const auto at = index_of.find(relocation.symbol); at != index_of.end())
        has_address[at->second] = true;
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < has_address.size(); ++k)
    if (has_address[k] && !module_.functions[k].is_declaration && !module_.functions[k].is_entry)
      found.push_back(k);
  return found;
}

void Decoder::find_functions() {
  numbers_.assign(module_.functions.size(), -1);
  const auto add = [&](const ptx::Function& function) {
    numbers_[&function - module_.functions.data()] = static_cast<std::int32_t>(functions_.size());
    functions_.push_back({});
    functions_.back().ptx = &function;
  };
  add(entry_);
  for (std::size_t k = 0; k < functions_.size(); ++k) {
    for (const auto& in : functions_[k].ptx->body) {
      has_shuffle_ = has_shuffle_ || in.root() == "shfl";
      if (in.root() != "call") continue;
      const auto* callee = callee_of(in);
      if (callee == nullptr && program_->function_at.empty())  // any of these, then
        for (const std::size_t number : functions_with_address()) {
          if (numbers_[number] < 0) add(module_.functions[number]);
          program_->function_at.emplace(function_address(number), numbers_[number]);
        }
      if (callee == nullptr || is_built_in(callee->name)) continue;
      const auto& function = module_.functions[callee->id];
      if (!function.is_declaration && function_number(*callee) < 0) add(function);
    }
  }
}

/// Of those that are called; -1 for others.
std::int32_t Decoder::function_number(const ptx::Operand& callee) const {
  return numbers_[callee.id];
}

/// A function is recursive if it may come back to itself: it calls itself, or one that may come to it, which both are of one
/// strongly connected component of the calls. R. E. Tarjan, "Depth-first search and linear graph algorithms" (1972), with a
/// stack of its own instead of recursion.
void Decoder::find_recursion() {
  const std::size_t n = functions_.size();
  std::vector<std::vector<std::size_t>> calls(n);
  for (std::size_t k = 0; k < n; ++k)
    for (const auto& in : functions_[k].ptx->body)
      if (in.root() == "call") {
        if (const auto* callee = callee_of(in)) {
          if (const auto to = function_number(*callee); to >= 0)
            calls[k].push_back(static_cast<std::size_t>(to));
        } else {
          for (const auto& [address, to] : program_->function_at)
            calls[k].push_back(static_cast<std::size_t>(to));
        }
      }
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
