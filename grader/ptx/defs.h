// Which registers an instruction reads and writes. Private to the passes.
#pragma once
#include <algorithm>
#include <array>
#include <string_view>

#include "ptx/module.h"

namespace labkit::ptx {

/// True if operand 0 is written. PTX writes its first operand unless the opcode only acts: stores,
/// branches, calls (their results come through .param), barriers, fences, prefetches.
inline bool writes_first_operand(const Instruction& instruction) {
  constexpr std::array<std::string_view, 22> kNone = {
      "st",      "red",           "bra",   "brx",      "call",           "ret",        "exit",
      "trap",    "membar",        "fence", "prefetch", "prefetchu",      "nanosleep",  "pmevent",
      "discard", "applypriority", "brkpt", "stmatrix", "griddepcontrol", "setmaxnreg", "cp",
      "sust"};
  if (instruction.operands.empty()) return false;
  const std::string_view root = instruction.root();
  if (std::find(kNone.begin(), kNone.end(), root) != kNone.end()) return false;
  if (root == "bar" || root == "barrier") return instruction.has("red");
  const OperandKind kind = instruction.operands.front().kind;
  return kind == OperandKind::reg || kind == OperandKind::vector || kind == OperandKind::pair;
}

template <typename Visit>
void visit_registers(const Operand& operand, const Visit& visit) {
  const bool direct = operand.kind == OperandKind::reg ||
                      (operand.kind == OperandKind::address && operand.base == OperandKind::reg);
  if (direct) visit(operand.id);
  for (const Operand& element : operand.elements) visit_registers(element, visit);
}

/// Calls visit(register id) for each register written.
template <typename Visit>
void visit_defs(const Instruction& instruction, const Visit& visit) {
  if (writes_first_operand(instruction)) visit_registers(instruction.operands.front(), visit);
}

/// Calls visit(register id) for each register read, the guard included; a register may come more
/// than once.
template <typename Visit>
void visit_uses(const Instruction& instruction, const Visit& visit) {
  if (instruction.guard >= 0) visit(instruction.guard);
  const std::size_t first = writes_first_operand(instruction) ? 1 : 0;
  for (std::size_t i = first; i < instruction.operands.size(); ++i)
    visit_registers(instruction.operands[i], visit);
}

}  // namespace labkit::ptx
