// What ptxas makes of instructions where they stand.
//
// Source: machine code that ptxas 13.0 makes for sm_90 of tests/timing/data/*.ptx and of fresh_kernels.cu, its loops held against those of the
// PTX; and the instructions executed by an H200 (other_traffic.csv).
//   - Copies, addresses of variables, conversions of addresses and between widths, are no instructions of their own.
//   - The product of an index and an element's size goes into the sums that use it (IMAD.WIDE, LEA).
//   - Shared addresses have 32 bits, and the array's own comes from a uniform register: of what only they need, the upper half is not computed.
//   - A condition that joins another goes into the comparison (ISETP.AND).
//   - Loops that count by a constant are unrolled by four if they are short; counting and branching then cost a quarter.
//   - An atomic operation whose result is not used is a reduction (RED).
//   - Of a division of 32 bits by a number that stays the same in a loop, conversions and reciprocal stand before the loop.
#include <algorithm>
#include <vector>

#include "ptx/added.h"
#include "ptx/defs.h"
#include "ptx/machine_cost.h"
#include "ptx/passes.h"

namespace labkit::ptx {
namespace {

constexpr MachineCost kNothing = {.issue = 0, .latency = 0};
// IMAD.WIDE, as mul.wide in machine_costs.def.
constexpr MachineCost kWideSum = {.issue = 1, .fma = 2.1f, .latency = 5.1f / kUsualCycles};
// IMAD.HI, two IMAD, two ISETP, three IADD, SEL, each at its pipe's rate.
constexpr MachineCost kDividedAgain = {
    .issue = 9, .alu = 12, .fma = 6, .latency = 45 / kUsualCycles};

bool is_wide(const Instruction& instruction) {
  const std::string_view type = instruction.parts.back();
  return type == "u64" || type == "s64" || type == "b64";
}

bool divides_words(const Instruction& instruction) {
  return is_any(instruction, {"div", "rem"}) &&
         (instruction.has("u32") || instruction.has("s32")) && instruction.operands.size() == 3 &&
         instruction.operands[2].kind == OperandKind::reg;
}

bool adds_registers(const Instruction& instruction) {
  return instruction.root() == "add" && instruction.operands.size() == 3 &&
         instruction.operands[1].kind == OperandKind::reg &&
         instruction.operands[2].kind == OperandKind::reg;
}

/// add r, r, 4
bool counts(const Instruction& instruction) {
  const auto& operands = instruction.operands;
  return instruction.root() == "add" && operands.size() == 3 &&
         operands[0].kind == OperandKind::reg && operands[1].kind == OperandKind::reg &&
         operands[0].id == operands[1].id && operands[2].kind == OperandKind::immediate;
}

class Folding {
 public:
  Folding(const Function& function, const ControlFlow& flow)
      : function_(function),
        flow_(flow),
        loops_(loops_around(function, flow)),
        written_(function.registers.size(), kNever),
        readers_(function.registers.size()) {
    for (std::size_t i = 0; i < function.body.size(); ++i) {
      const auto at = static_cast<std::int32_t>(i);
      visit_defs(function.body[i],
                 [&](std::int32_t id) { written_[id] = written_[id] == kNever ? at : kOften; });
      visit_uses(function.body[i], [&](std::int32_t id) { readers_[id].push_back(at); });
    }
    find_low();
    find_products();
  }

  std::vector<MachineCost> costs() {
    for (const Instruction& instruction : function_.body)
      costs_.push_back(machine_cost(instruction));
    for (std::size_t i = 0; i < costs_.size(); ++i) fold(static_cast<std::int32_t>(i));
    for (std::size_t b = 0; b < flow_.blocks.size(); ++b) unroll(b);
    const auto with = issued_with(function_, flow_);
    for (const BasicBlock& block : flow_.blocks)
      if (block.last > block.first && branches_around(block, with))
        costs_[block.last - 1] = kNothing;
    add_machine_instructions(function_, flow_, with, costs_);
    return std::move(costs_);
  }

 private:
  static constexpr std::int32_t kNever = -1, kOften = -2;

  const Instruction* definition(const Operand& operand) const {
    const bool known = operand.kind == OperandKind::reg && written_[operand.id] >= 0;
    return known ? &function_.body[written_[operand.id]] : nullptr;
  }
  template <typename Is>
  bool all_readers(std::int32_t id, const Is& is) const {
    return !readers_[id].empty() && std::ranges::all_of(readers_[id], [&](std::int32_t at) {
      return is(function_.body[at]);
    });
  }
  std::int32_t result_of(const Instruction& instruction) const {
    const bool has =
        writes_first_operand(instruction) && instruction.operands[0].kind == OperandKind::reg;
    return has ? instruction.operands[0].id : -1;
  }

  /// Registers of 64 bits of which nobody needs the upper half. One walk from the end, so what goes round a loop is taken to need it.
  void find_low() {
    low_.assign(function_.registers.size(), false);
    for (std::size_t i = function_.body.size(); i-- > 0;) {
      const std::int32_t id = result_of(function_.body[i]);
      if (id < 0 || written_[id] < 0) continue;
      low_[id] = all_readers(id, [&](const Instruction& reader) {
        if (is_any(reader, {"ld", "st", "atom", "red"}))
          return in_shared(reader) && std::ranges::none_of(reader.operands, [&](const Operand& o) {
                   return o.kind == OperandKind::reg && o.id == id;
                 });
        if (reader.root() == "cvt") return reader.has("u32") && reader.parts.back() != "u32";
        const std::int32_t to = result_of(reader);
        return is_any(reader, {"add", "sub", "and", "or", "xor", "shl", "mad", "mul"}) && to >= 0 &&
               low_[to];
      });
    }
  }
  bool is_narrow(const Operand& operand) const {
    if (operand.kind == OperandKind::immediate) return operand.bits >> 32 == 0;
    const Instruction* by = definition(operand);
    if (!by) return false;
    if (by->root() == "cvt") return by->has("u64") && !is_wide_source(*by);
    if (by->root() == "and") return is_narrow_constant(by->operands.back());
    return false;
  }
  static bool is_wide_source(const Instruction& cvt) {
    return cvt.parts.back().ends_with("64") || cvt.parts.back().starts_with('s');
  }
  static bool is_narrow_constant(const Operand& operand) {
    return operand.kind == OperandKind::immediate && operand.bits >> 32 == 0;
  }
  bool is_shared_array(const Operand& operand) const {
    const Instruction* by = definition(operand);
    return by && by->root() == "mov" && by->operands.size() == 2 &&
           by->operands[1].kind == OperandKind::symbol;
  }
  /// Registers that hold an index times a size, and go into sums alone.
  void find_products() {
    product_.assign(function_.registers.size(), false);
    for (const Instruction& in : function_.body) {
      const std::int32_t id = result_of(in);
      if (id < 0 || written_[id] < 0) continue;
      if ((in.root() == "mul" && in.has("wide")) || in.root() == "shl")
        product_[id] = all_readers(id, adds_registers);
    }
  }
  bool is_product(const Operand& operand) const {
    return operand.kind == OperandKind::reg && product_[operand.id];
  }

  void fold(std::int32_t at) {
    const Instruction& in = function_.body[at];
    MachineCost& cost = costs_[at];
    const std::int32_t to = result_of(in);
    const std::string_view root = in.root();
    if (root == "mov" && in.operands.size() == 2 && in.operands[1].kind != OperandKind::special) {
      cost = kNothing;
    } else if (root == "cvta" || (root == "cvt" && is_conversion_of_width(in))) {
      cost = kNothing;
    } else if (is_any(in, {"mul", "shl"}) && to >= 0 && is_product(in.operands[0])) {
      cost = kNothing;
    } else if (adds_registers(in) && is_wide(in)) {
      const bool product = is_product(in.operands[1]) || is_product(in.operands[2]);
      const bool by_wide = product && (is_mul(in.operands[1]) || is_mul(in.operands[2]));
      const bool array = is_shared_array(in.operands[1]) || is_shared_array(in.operands[2]);
      if (to >= 0 && low_[to])
        cost = array && !product ? kNothing : MachineCost{};
      else if (by_wide)
        cost = kWideSum;
    } else if (to >= 0 && is_wide(in) && low_[to] && cost.issue > 1) {
      cost = half(cost);
    } else if (is_any(in, {"and", "or", "xor"}) && is_wide(in) && in.operands.size() == 3 &&
               (is_narrow(in.operands[1]) || is_narrow(in.operands[2]))) {
      cost = half(cost);
    } else if (is_any(in, {"and", "or"}) && in.has("pred") && joins_comparison(in)) {
      cost = kNothing;
    } else if (divides_words(in) && loops_[at].first < loops_[at].last) {
      const std::int32_t by = written_[in.operands[2].id];
      if (by != kOften && (by < loops_[at].first || by >= loops_[at].last)) cost = kDividedAgain;
    }
  }
  static MachineCost half(MachineCost cost) {
    cost.issue /= 2;
    cost.alu /= 2;
    cost.fma /= 2;
    return cost;
  }
  /// From one width of whole numbers to another; `cvt.rn.f32.u32` has four parts.
  static bool is_conversion_of_width(const Instruction& cvt) {
    return cvt.parts.size() == 3 && (cvt.has("u64") || cvt.has("s64") || cvt.has("u32")) &&
           (cvt.parts.back() == "u32" || cvt.parts.back() == "s32" || cvt.parts.back() == "u64" ||
            cvt.parts.back() == "s64");
  }
  bool is_mul(const Operand& operand) const {
    const Instruction* by = definition(operand);
    return by && by->root() == "mul";
  }
  bool joins_comparison(const Instruction& in) const {
    return std::ranges::any_of(in.operands, [&](const Operand& operand) {
      const Instruction* by = definition(operand);
      return by && by != &in && by->root() == "setp" && readers_[operand.id].size() == 1;
    });
  }

  // Of loops that ptxas 13.0 was given, the longest that it unrolled, in PTX instructions: of sums of global loads 32 (of 36 none; with other
  // arithmetic 45), of shared ones 68, with a barrier 61; of stores 12; of loads that are stored 24; of arithmetic 22. It counts
  // by a constant, or it is not unrolled.
  static constexpr std::int32_t kGlobalLoads = 40, kSharedLoads = 64, kLoadsAndStores = 26,
                                kStores = 13, kArithmetic = 22;
  static constexpr float kTurns = 4;

  /// Whether predicates stand in for the branch at its end.
  bool branches_around(const BasicBlock& block, const std::vector<std::int32_t>& with) const {
    return branches(function_.body[block.last - 1]) &&
           std::ranges::any_of(block.successors, [&](std::int32_t to) {
             const std::int32_t first = flow_.blocks[to].first;
             return flow_.blocks[to].predecessors.size() == 1 && first < flow_.blocks[to].last &&
                    function_.body[first].guard < 0 && with[first] != first;
           });
  }

  void unroll(std::size_t b) {
    const BasicBlock& block = flow_.blocks[b];
    if (std::ranges::count(block.successors, static_cast<std::int32_t>(b)) == 0 ||
        block.last - block.first > kSharedLoads ||
        std::ranges::binary_search(function_.not_unrolled, block.first))
      return;
    bool shared = false, global = false, stores = false, compares = false;
    for (const Instruction& in : instructions_of(function_, block)) {
      if (is_any(in, {"call", "atom", "red", "membar", "fence"}) || becomes_call(in)) return;
      (in_shared(in) ? shared : global) |= in.root() == "ld";
      stores |= in.root() == "st";
      compares |= in.root() == "setp" &&
                  in.operands[0].id == function_.body[block.last - 1].guard &&
                  compares_counter(block, in);
    }
    const std::int32_t most = stores   ? (shared || global ? kLoadsAndStores : kStores)
                              : global ? kGlobalLoads
                              : shared ? kSharedLoads
                                       : kArithmetic;
    if (!compares || block.last - block.first > most) return;
    for (std::int32_t i = block.first; i < block.last; ++i) {
      const Instruction& in = function_.body[i];
      const bool is_end =
          in.root() == "bra" ||
          (in.root() == "setp" && in.operands[0].id == function_.body[block.last - 1].guard);
      if (counts(in) || is_end) costs_[i] = part(costs_[i], kTurns);
    }
  }
  static MachineCost part(MachineCost cost, float of) {
    cost.issue /= of;
    cost.alu /= of;
    cost.fma /= of;
    return cost;
  }
  bool compares_counter(const BasicBlock& block, const Instruction& setp) const {
    for (const Instruction& in : instructions_of(function_, block))
      if (counts(in) && std::ranges::any_of(setp.operands, [&](const Operand& operand) {
            return operand.kind == OperandKind::reg && operand.id == in.operands[0].id;
          }))
        return true;
    return false;
  }

  const Function& function_;
  const ControlFlow& flow_;
  std::vector<TextRange> loops_;
  std::vector<std::int32_t> written_;  ///< where each register is
  std::vector<std::vector<std::int32_t>> readers_;
  std::vector<bool> low_, product_;
  std::vector<MachineCost> costs_;
};

}  // namespace

std::vector<bool> reductions(const Function& function) {
  std::vector<bool> is_read(function.registers.size(), false), is_reduction;
  for (const Instruction& in : function.body)
    visit_uses(in, [&](std::int32_t id) { is_read[id] = true; });
  for (const Instruction& in : function.body) {
    bool needs_result = in.root() != "red";
    if (in.root() == "atom" && !in.has("cas") && !in.has("exch")) {
      needs_result = false;
      visit_defs(in, [&](std::int32_t id) { needs_result |= is_read[id]; });
    }
    is_reduction.push_back(!needs_result);
  }
  return is_reduction;
}

std::vector<MachineCost> machine_costs(const Function& function, const ControlFlow& flow) {
  return Folding(function, flow).costs();
}

}  // namespace labkit::ptx
