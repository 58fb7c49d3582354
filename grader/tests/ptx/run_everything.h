// Parses a text and runs every pass on what comes out, checking what must hold whatever the text
// says. Shared by the fuzz target and by the test that replays its corpus; a broken promise ends
// the process.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <string>

#include "ptx/module.h"
#include "ptx/passes.h"

namespace labkit::ptx::test {

inline void promise(bool holds) {
  if (!holds) std::abort();
}

inline void check_operand(const Module& module, const Function& function, const Operand& operand) {
  const auto below = [&](std::size_t size) {
    return operand.id >= 0 && static_cast<std::size_t>(operand.id) < size;
  };
  const bool address = operand.kind == OperandKind::address;
  if (operand.kind == OperandKind::reg || (address && operand.base == OperandKind::reg))
    promise(below(function.registers.size()));
  if (operand.kind == OperandKind::label) promise(below(function.body.size() + 1));
  if (operand.kind == OperandKind::symbol || (address && operand.base == OperandKind::symbol)) {
    switch (operand.symbol) {
      case SymbolKind::none:
        promise(false);
        break;
      case SymbolKind::module_variable:
        promise(below(module.variables.size()));
        break;
      case SymbolKind::function_variable:
        promise(below(function.variables.size()));
        break;
      case SymbolKind::parameter:
        promise(below(function.parameters.size()));
        break;
      case SymbolKind::return_parameter:
        promise(below(function.returns.size()));
        break;
      case SymbolKind::function:
        promise(below(module.functions.size()));
        break;
      case SymbolKind::label_table:
        promise(operand.id == -1 || below(function.branch_tables.size()));
        break;
    }
  }
  if (operand.kind == OperandKind::pair) promise(operand.elements.size() == 2);
  for (const Operand& element : operand.elements) check_operand(module, function, element);
}

inline void check_passes(const Module& module, const Function& function) {
  const std::size_t size = function.body.size();
  const ControlFlow flow = control_flow(function);
  promise(flow.block_of.size() == size);
  std::size_t covered = 0;
  const auto blocks = static_cast<std::int32_t>(flow.blocks.size());
  for (const BasicBlock& block : flow.blocks) {
    promise(block.first < block.last);
    covered += static_cast<std::size_t>(block.last - block.first);
    promise(block.immediate_post_dominator >= -1 && block.immediate_post_dominator < blocks);
    for (const std::int32_t to : block.successors) promise(to >= 0 && to < blocks);
  }
  promise(covered == size);

  std::vector<std::int64_t> offsets(function.variables.size(), -1);
  for (std::size_t v = 0; v < offsets.size(); ++v)
    if (function.variables[v].space == Space::shared)
      offsets[v] = static_cast<std::int64_t>(v * 16);
  const std::vector<std::int64_t> module_offsets(module.variables.size(), 64);
  const SharedMerges merges = merge_shared_accesses(function, flow, offsets, module_offsets);
  promise(merges.group_of.size() == size);
  for (std::size_t g = 0; g < merges.groups.size(); ++g) {
    bool found = false;
    promise(merges.groups[g].members.size() >= 2);
    for (const std::int32_t member : merges.groups[g].members) {
      promise(merges.group_of.at(static_cast<std::size_t>(member)) == static_cast<std::int32_t>(g));
      found = found || member == merges.groups[g].representative;
    }
    promise(found);
  }
  promise(estimate_registers(function, flow) <= 255);
  const LatencyDepth depth = latency_depth(function, flow);
  promise(depth.serial_loads_at.size() == size && depth.serial_shared_loads_at.size() == size);
}

/// True if the text parsed.
inline bool run_everything(const std::string& text) {
  const ParseResult result = parse(text);
  if (!result.module) {
    promise(!result.error.message.empty());
    return false;
  }
  const Module& module = *result.module;
  for (const Function& function : module.functions) {
    for (const Instruction& instruction : function.body) {
      promise(instruction.guard >= -1 &&
              instruction.guard < static_cast<std::int32_t>(function.registers.size()));
      promise(!instruction.parts.empty());
      for (const Operand& operand : instruction.operands) check_operand(module, function, operand);
    }
    for (const auto& [name, at] : function.label_at)
      promise(static_cast<std::size_t>(at) <= function.body.size());
    for (const auto& [name, table] : function.branch_tables)
      for (const std::int32_t at : table)
        promise(at >= 0 && static_cast<std::size_t>(at) <= function.body.size());
    check_passes(module, function);
  }
  for (const Variable& variable : module.variables) {
    promise(variable.initial.empty() || variable.initial.size() == variable.size_bytes);
    for (const Relocation& relocation : variable.relocations)
      promise(relocation.offset_bytes + 8 <= variable.initial.size());
  }
  return true;
}

}  // namespace labkit::ptx::test
