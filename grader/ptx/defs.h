// What an instruction does, and which registers it reads and writes.
#pragma once
#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "ptx/module.h"

namespace labkit::ptx {

inline bool is_any(const Instruction& instruction, std::initializer_list<std::string_view> roots) {
  return std::ranges::find(roots, instruction.root()) != roots.end();
}
inline bool leaves(const Instruction& instruction) {
  return is_any(instruction, {"ret", "exit", "trap"});
}
inline bool branches(const Instruction& instruction) { return is_any(instruction, {"bra", "brx"}); }

inline bool in_shared(const Instruction& instruction) {
  return instruction.has("shared") || instruction.has("shared::cta");
}

/// Division and the like: in full precision ptxas calls a subroutine for the rare cases.
inline bool divides(const Instruction& instruction) {
  return is_any(instruction, {"div", "rem", "sqrt", "rcp"});
}
inline bool becomes_call(const Instruction& instruction) {
  if (!divides(instruction)) return false;
  const std::string_view type = instruction.parts.back();
  if (type == "f32") return !instruction.has("approx") && !instruction.has("full");
  return type.ends_with("64") && !instruction.has("approx");
}

/// True if operand 0 is written. PTX writes its first operand unless the opcode only acts: stores,
/// branches, calls (their results come through .param), barriers, fences, prefetches.
inline bool writes_first_operand(const Instruction& instruction) {
  constexpr std::string_view kNone[] = {
      "st",      "red",           "bra",   "brx",      "call",           "ret",        "exit",
      "trap",    "membar",        "fence", "prefetch", "prefetchu",      "nanosleep",  "pmevent",
      "discard", "applypriority", "brkpt", "stmatrix", "griddepcontrol", "setmaxnreg", "cp",
      "sust"};
  if (instruction.operands.empty()) return false;
  const std::string_view root = instruction.root();
  if (std::ranges::find(kNone, root) != std::end(kNone)) return false;
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

/// Calls step(instruction, changed) for each instruction, in text order at first, and again for
/// those that read a register that some step says is `changed(id)`.
template <typename Step>
void until_settled(const Function& function, const Step& step) {
  std::vector<std::vector<std::size_t>> readers(function.registers.size());
  std::vector<std::size_t> work;  // taken from the back
  for (std::size_t i = function.body.size(); i-- > 0;) {
    visit_uses(function.body[i], [&](std::int32_t id) { readers[id].push_back(i); });
    work.push_back(i);
  }
  const auto changed = [&](std::int32_t id) {
    work.insert(work.end(), readers[id].begin(), readers[id].end());
  };
  while (!work.empty()) {
    const Instruction& instruction = function.body[work.back()];
    work.pop_back();
    step(instruction, changed);
  }
}

}  // namespace labkit::ptx
