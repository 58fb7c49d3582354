#include "ptx/machine_cost.h"

#include <map>
#include <vector>

#include "ptx/defs.h"
#include "ptx/passes.h"

namespace labkit::ptx {
namespace {

struct Row {
  std::string_view modifiers;  ///< with points between them
  MachineCost cost;
};

/// Cycles of most instructions of 32 bits, which a latency of 1 stands for (profiles: instruction_cycles).
constexpr float kCycles = 4;

const std::map<std::string_view, std::vector<Row>>& table() {
  static const auto rows = [] {
    std::map<std::string_view, std::vector<Row>> all;
#define COST(root, modifiers, issue, alu, fma, xu, fp64, cycles) \
  all[root].push_back(                                           \
      {modifiers, {issue, alu, fma, xu, fp64, static_cast<float>(cycles) / kCycles}});
#include "ptx/machine_costs.def"
#undef COST
    return all;
  }();
  return rows;
}

bool has_all(const Instruction& instruction, std::string_view modifiers) {
  while (!modifiers.empty()) {
    const std::size_t point = std::min(modifiers.find('.'), modifiers.size());
    if (!instruction.has(modifiers.substr(0, point))) return false;
    modifiers.remove_prefix(std::min(point + 1, modifiers.size()));
  }
  return true;
}

}  // namespace

MachineCost machine_cost(const Instruction& instruction) {
  const auto rows = table().find(instruction.root());
  if (rows != table().end())
    for (const Row& row : rows->second)
      if (has_all(instruction, row.modifiers)) return row.cost;
  return {};
}

namespace {

// A division of 32 bits by a number that stays the same in a loop, as nvdisasm shows it (ptxas 13.0, sm_90): IMAD.HI, two IMAD, two
// ISETP, three IADD, SEL, each at its pipe's rate; the conversions and the reciprocal stand before the loop.
constexpr MachineCost kDividedAgain = {.issue = 9, .alu = 12, .fma = 6, .latency = 45 / kCycles};

bool divides_words(const Instruction& instruction) {
  return is_any(instruction, {"div", "rem"}) &&
         (instruction.has("u32") || instruction.has("s32")) && instruction.operands.size() == 3 &&
         instruction.operands[2].kind == OperandKind::reg;
}

}  // namespace

std::vector<MachineCost> machine_costs(const Function& function, const ControlFlow& flow) {
  std::vector<MachineCost> costs;
  for (const Instruction& instruction : function.body) costs.push_back(machine_cost(instruction));
  const auto loops = loops_around(function, flow);
  // Where each register is written last; of one that is written more often nothing is said.
  std::vector<std::int32_t> written(function.registers.size(), -1);
  std::vector<bool> again(function.registers.size(), false);
  for (std::size_t i = 0; i < function.body.size(); ++i)
    visit_defs(function.body[i], [&](std::int32_t id) {
      again[id] = written[id] >= 0;
      written[id] = static_cast<std::int32_t>(i);
    });
  for (std::size_t i = 0; i < function.body.size(); ++i) {
    if (!divides_words(function.body[i]) || loops[i].last <= loops[i].first) continue;
    const std::int32_t divisor = function.body[i].operands[2].id;
    const bool in_loop = written[divisor] >= loops[i].first && written[divisor] < loops[i].last;
    if (!in_loop && !again[divisor]) costs[i] = kDividedAgain;
  }
  return costs;
}

}  // namespace labkit::ptx
