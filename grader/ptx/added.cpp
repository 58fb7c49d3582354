// What ptxas adds.
//
// Source: instructions that an H200 executed, by Nsight Compute's source page (CUDA 13.0, ptxas for sm_90, 28 November 2026), of kernels in
// tests/timing/data/fresh_kernels.cu and third_kernels.cu:
//   - The stack's address and the descriptor of global memory are loaded; the window of shared memory is computed (S2R, MOV, LEA), and each
//     array in it (LEA).
//   - A copy at the end of a loop is one (MOV) where both values are needed for a while: digits_7, march_wide. Else both share a register.
//   - A branch that the lanes of a warp may take differently is held together: BSSY before, BSYNC behind (bfs_level, select).
//   - An atomic addition of a whole number that all lanes make at one place is made by one of them: VOTE, FLO, POPC and ten more, or
//     seven where the result is not used (select, bfs_level).
#include "ptx/added.h"

#include <algorithm>
#include <set>

#include "ptx/defs.h"
#include "ptx/dependent.h"

namespace labkit::ptx {
namespace {

constexpr float kPrologue = 2, kSharedWindow = 2;  // instructions
constexpr float kHeldTogether = 2;
constexpr float kAggregated = 13, kAggregatedReduction = 7, kAggregatedXu = 5;

class Added {
 public:
  Added(const Function& function, const ControlFlow& flow, const std::vector<std::int32_t>& with,
        std::vector<MachineCost>& costs)
      : function_(function),
        flow_(flow),
        with_(with),
        costs_(costs),
        writes_(function.registers.size(), 0),
        written_(function.registers.size(), -1),
        used_(function.registers.size(), -1),
        used_last_(function.registers.size(), -1),
        varies_(thread_dependent(function)),
        loops_(loops_around(function, flow)) {
    for (const Instruction& in : function.body)
      visit_defs(in, [&](std::int32_t id) { ++writes_[id]; });
  }

  void all() {
    prologue();
    const std::vector<bool> reduces = reductions(function_);
    for (std::size_t i = 0; i < function_.body.size(); ++i) aggregate(i, reduces[i]);
    for (const BasicBlock& block : flow_.blocks) {
      copies(block);
      hold_together(block);
    }
  }

 private:
  void prologue() {
    if (!function_.is_entry || costs_.empty()) return;
    std::set<std::string_view> arrays;
    for (const Instruction& in : function_.body)
      for (const Operand& operand : in.operands) {
        const bool is_variable = operand.symbol == SymbolKind::module_variable ||
                                 operand.symbol == SymbolKind::function_variable;
        if (is_variable && (in_shared(in) || in.root() == "mov")) arrays.insert(operand.name);
      }
    costs_[0].issue +=
        kPrologue + (arrays.empty() ? 0 : kSharedWindow + static_cast<float>(arrays.size()));
  }

  /// atom.shared.add.u32 %r1, [count], 1
  void aggregate(std::size_t at, bool is_reduction) {
    const Instruction& in = function_.body[at];
    const std::string_view type = in.parts.back();
    if (!is_any(in, {"atom", "red"}) || !in.has("add") || (type != "u32" && type != "s32")) return;
    bool varies = false;
    const bool writes = writes_first_operand(in);
    for (std::size_t i = writes ? 1 : 0; i < in.operands.size(); ++i)
      visit_registers(in.operands[i], [&](std::int32_t id) { varies = varies || varies_[id]; });
    if (varies) return;
    costs_[at].issue += is_reduction ? kAggregatedReduction : kAggregated;
    costs_[at].xu += kAggregatedXu;
  }

  /// mov.u32 %r1, %r2 with %r1 needed behind the value of %r2, or %r2 behind this.
  void copies(const BasicBlock& block) {
    for (std::int32_t i = block.first; i < block.last; ++i)
      visit_uses(function_.body[i], [&](std::int32_t id) { used_last_[id] = i; });
    for (std::int32_t i = block.first; i < block.last; ++i) {
      const Instruction& in = function_.body[i];
      if (copies_in_loop(in, i)) {
        const std::int32_t to = in.operands[0].id, from = in.operands[1].id, made = written_[from];
        const bool is_made_here = made >= block.first;
        if (writes_[from] > 1 || (is_made_here && (used_[to] > made || used_last_[from] > i)))
          costs_[i] = {};
      }
      visit_uses(in, [&](std::int32_t id) { used_[id] = i; });
      visit_defs(in, [&](std::int32_t id) { written_[id] = i; });
    }
  }
  /// ... to a register that several instructions write.
  bool copies_in_loop(const Instruction& in, std::int32_t at) const {
    return in.root() == "mov" && in.operands.size() == 2 && loops_[at].first < loops_[at].last &&
           in.operands[0].kind == OperandKind::reg && in.operands[1].kind == OperandKind::reg &&
           writes_[in.operands[0].id] > 1;
  }

  bool is_predicated(const BasicBlock& block) const {
    return block.predecessors.size() == 1 && block.last - block.first <= kPredicated &&
           std::ranges::none_of(instructions_of(function_, block), [](const Instruction& in) {
             return is_any(in, {"bar", "barrier", "call", "atom", "red", "mbarrier"}) ||
                    divides(in) || in.guard >= 0;
           });
  }

  void hold_together(const BasicBlock& block) {
    if (block.last <= block.first || block.successors.size() < 2 ||
        block.immediate_post_dominator < 0)
      return;
    const std::int32_t at = block.last - 1;
    const Instruction& bra = function_.body[at];
    if (bra.root() != "bra" || bra.guard < 0 || !varies_[bra.guard]) return;
    const TextRange& loop = loops_[at];
    for (const std::int32_t to : block.successors) {
      const BasicBlock& next = flow_.blocks[to];
      const bool leaves_loop =  // the loop as a whole is held together
          loop.first < loop.last && (next.first < loop.first || next.first >= loop.last);
      const bool is_exit = leaves(function_.body[next.first]);  // EXIT with a predicate
      if (next.first <= block.first || leaves_loop || is_exit || is_predicated(next)) return;
    }
    costs_[at].issue += kHeldTogether;
  }

  const Function& function_;
  const ControlFlow& flow_;
  const std::vector<std::int32_t>& with_;
  std::vector<MachineCost>& costs_;
  std::vector<std::int32_t> writes_;          ///< of each register, how many
  std::vector<std::int32_t> written_, used_;  ///< the last so far, or -1
  std::vector<std::int32_t> used_last_;       ///< of the block
  Registers varies_;                          ///< may be another in each lane
  std::vector<TextRange> loops_;
};

}  // namespace

void add_machine_instructions(const Function& function, const ControlFlow& flow,
                              const std::vector<std::int32_t>& with,
                              std::vector<MachineCost>& costs) {
  Added(function, flow, with, costs).all();
}

}  // namespace labkit::ptx
