#include "ptx/address_values.h"

#include <algorithm>

#include "ptx/defs.h"

namespace labkit::ptx {
namespace {

/// Steps for each instruction, of all look-ups together.
constexpr std::size_t kMostSteps = 256;

}  // namespace

AddressValues::AddressValues(const Function& function, const ControlFlow& flow,
                             Dominance& dominance, const TrailingZeros& zeros)
    : dominance_(dominance),
      zeros_(zeros),
      steps_left_(kMostSteps * (function.body.size() + 1)),
      definitions_(function.registers.size(), 0),
      single_(function.registers.size()),
      defines_many_(flow.blocks.size()),
      killed_on_entry_(flow.blocks.size()),
      all_killed_(flow.blocks.size(), false) {
  for (const Instruction& instruction : function.body)
    visit_defs(instruction, [&](std::int32_t id) { ++definitions_[static_cast<std::size_t>(id)]; });
  for (std::size_t b = 0; b < flow.blocks.size(); ++b) {
    for (std::int32_t i = flow.blocks[b].first; i < flow.blocks[b].last; ++i)
      visit_defs(function.body[static_cast<std::size_t>(i)], [&](std::int32_t id) {
        if (definitions_[static_cast<std::size_t>(id)] > 1) defines_many_[b].push_back(id);
      });
  }
}

std::int32_t AddressValues::new_root(int zeros) {
  zeros_of_root_.push_back(static_cast<std::uint8_t>(zeros));
  return static_cast<std::int32_t>(zeros_of_root_.size()) - 1;
}

void AddressValues::enter(std::int32_t block, const std::vector<std::int32_t>& between,
                          bool between_known) {
  block_ = block;
  const auto b = static_cast<std::size_t>(block);
  all_killed_[b] = !between_known;
  for (const std::int32_t other : between) {
    const auto& killed = defines_many_[static_cast<std::size_t>(other)];
    if (!take_steps(killed.size())) {
      all_killed_[b] = true;
      return;
    }
    killed_on_entry_[b].insert(killed.begin(), killed.end());
  }
}

Value AddressValues::of_register(std::int32_t id) {
  const auto r = static_cast<std::size_t>(id);
  if (definitions_[r] <= 1) {
    if (single_[r].root < 0) single_[r] = {new_root(zeros_.of_register(id)), 0};
    return single_[r];
  }
  // Up the dominator tree to where the register was last known, then down again to remember.
  std::vector<std::int32_t> passed;
  Value value;
  for (std::int32_t at = block_;;) {
    if (const auto exit = at_exit_.find({id, at}); exit != at_exit_.end()) {
      value = exit->second;
      break;
    }
    if (const auto entry = at_entry_.find({id, at}); entry != at_entry_.end()) {
      value = entry->second;
      break;
    }
    passed.push_back(at);
    const auto b = static_cast<std::size_t>(at);
    const std::int32_t above = dominance_.immediate_dominator(at);
    if (above < 0 || !take_steps(1) || all_killed_[b] || killed_on_entry_[b].contains(id)) {
      value = {new_root(zeros_.of_register(id)), 0};
      break;
    }
    at = above;
  }
  for (const std::int32_t b : passed) at_entry_[{id, b}] = value;
  return value;
}

Value AddressValues::of_symbol(const Operand& operand) {
  const auto [found, fresh] =
      symbols_.try_emplace({static_cast<int>(operand.symbol), operand.id}, 0);
  if (fresh) {
    found->second = new_root(zeros_.of_symbol(operand));
    shared_offset_of_root_[found->second] = zeros_.shared_offset(operand);
  }
  return {found->second, static_cast<std::uint64_t>(operand.offset)};
}

Value AddressValues::of_operand(const Operand& operand) {
  if (operand.kind == OperandKind::reg) return of_register(operand.id);
  if (operand.kind == OperandKind::symbol) return of_symbol(operand);
  return {};
}

Value AddressValues::of(const Operand& address) {
  Value value;
  if (address.base == OperandKind::reg) {
    value = of_register(address.id);
    value.offset += static_cast<std::uint64_t>(address.offset);
  } else if (address.base == OperandKind::symbol) {
    value = of_symbol(address);
  }
  // A variable without an index has a known address: neighbours in different variables are
  // neighbours.
  const auto symbol = shared_offset_of_root_.find(value.root);
  if (symbol == shared_offset_of_root_.end() || symbol->second < 0) return value;
  if (absolute_ < 0) absolute_ = new_root(64);
  return {absolute_, value.offset + static_cast<std::uint64_t>(symbol->second)};
}

Value AddressValues::computed(const Instruction& instruction) {
  const auto& operands = instruction.operands;
  const std::string_view root = instruction.root();
  const bool plain = instruction.parts.size() == 2 && instruction.guard < 0;
  const std::string_view type = instruction.parts.back();
  const bool integer = type.ends_with("32") || type.ends_with("64");
  const auto understood = [](const Value& value) { return value.root >= 0; };
  if (plain && integer && !type.starts_with('f')) {
    if (root == "mov" && operands.size() == 2) {
      const Value value = of_operand(operands[1]);
      if (understood(value)) return value;
    }
    if ((root == "add" || root == "sub") && operands.size() == 3) {
      const bool constant_right = operands[2].kind == OperandKind::immediate;
      const bool constant_left = operands[1].kind == OperandKind::immediate;
      if (constant_right || (constant_left && root == "add")) {
        Value value = of_operand(constant_right ? operands[1] : operands[2]);
        const std::uint64_t bits = constant_right ? operands[2].bits : operands[1].bits;
        value.offset += root == "add" ? bits : 0 - bits;
        if (understood(value)) return value;
      } else if (root == "add") {
        const Value a = of_operand(operands[1]);
        const Value b = of_operand(operands[2]);
        if (understood(a) && understood(b)) {
          const auto [found, fresh] = sums_.try_emplace(std::minmax(a.root, b.root), 0);
          if (fresh) found->second = new_root(std::min(zeros_of(a.root), zeros_of(b.root)));
          return {found->second, a.offset + b.offset};
        }
      }
    }
  }
  return {new_root(zeros_.of_result(instruction)), 0};
}

void AddressValues::execute(const Instruction& instruction) {
  if (!writes_first_operand(instruction)) return;
  Value value;
  const bool single = instruction.operands.front().kind == OperandKind::reg;
  if (single) value = computed(instruction);
  visit_defs(instruction, [&](std::int32_t id) {
    const Value result = single ? value : Value{new_root(0), 0};
    if (definitions_[static_cast<std::size_t>(id)] <= 1) {
      single_[static_cast<std::size_t>(id)] = result;
    } else {
      at_exit_[{id, block_}] = result;
    }
  });
}

}  // namespace labkit::ptx
