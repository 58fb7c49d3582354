#include "ptx/address_values.h"

#include <algorithm>
#include <bit>

#include "ptx/defs.h"

namespace labkit::ptx {

namespace {

constexpr int kAll = 64;
/// Steps for each instruction, of all look-ups together.
constexpr std::size_t kMostSteps = 256;

int zeros(std::uint64_t value) { return std::countr_zero(value); }  // 64 for 0

bool is_integer(std::string_view word) {
  const auto type = type_from_name(word);
  return type && !word.starts_with('f') && !word.starts_with("bf") && *type != Type::pred;
}

}  // namespace

TrailingZeros::TrailingZeros(const Function& function,
                             const std::vector<std::int64_t>& shared_offset_of,
                             const std::vector<std::int64_t>& module_shared_offset_of)
    : shared_offset_of_(shared_offset_of),
      module_shared_offset_of_(module_shared_offset_of),
      known_(function.registers.size(), kAll) {
  until_settled(function, [&](const Instruction& instruction, const auto& changed) {
    if (!writes_first_operand(instruction)) return;
    const bool single = instruction.operands.front().kind == OperandKind::reg;
    const auto value = static_cast<std::uint8_t>(single ? of_result(instruction) : 0);
    visit_defs(instruction, [&](std::int32_t id) {
      if (value >= known_[id]) return;
      known_[id] = value;  // each register sinks at most 64 times
      changed(id);
    });
  });
}

std::int64_t TrailingZeros::shared_offset(const Operand& operand) const {
  const auto at = [&](const std::vector<std::int64_t>& offsets) {
    return operand.id < std::ssize(offsets) ? offsets[operand.id] : -1;
  };
  if (operand.symbol == SymbolKind::function_variable) return at(shared_offset_of_);
  if (operand.symbol == SymbolKind::module_variable) return at(module_shared_offset_of_);
  return -1;
}

int TrailingZeros::of_symbol(const Operand& operand) const {
  const std::int64_t offset = shared_offset(operand);
  return offset < 0 ? 0 : zeros(static_cast<std::uint64_t>(offset));
}

int TrailingZeros::of_operand(const Operand& operand) const {
  if (operand.kind == OperandKind::reg) return of_register(operand.id);
  if (operand.kind == OperandKind::immediate) return zeros(operand.bits);
  if (operand.kind == OperandKind::symbol)
    return std::min(of_symbol(operand), zeros(static_cast<std::uint64_t>(operand.offset)));
  return 0;
}

int TrailingZeros::of_result(const Instruction& instruction) const {
  const std::vector<Operand>& operands = instruction.operands;
  const auto of = [&](std::size_t i) { return i < operands.size() ? of_operand(operands[i]) : 0; };
  const std::vector<std::string_view>& parts = instruction.parts;
  if (!is_integer(parts.back())) return 0;
  const bool is_sat = instruction.has("sat");
  const std::string_view root = instruction.root();

  if (is_any(instruction, {"mov", "neg", "abs"})) return of(1);
  if (root == "cvta")
    return instruction.has("shared") || instruction.has("shared::cta") ? of(1) : 0;
  if (root == "cvt")
    return parts.size() >= 3 && is_integer(parts[parts.size() - 2]) && !is_sat ? of(1) : 0;
  if (is_any(instruction, {"add", "sub", "or", "xor", "min", "max", "selp"}))
    return is_sat ? 0 : std::min(of(1), of(2));
  if (root == "and") return std::max(of(1), of(2));
  if (root == "shl" || root == "shr") {
    const bool is_known = operands.size() > 2 && operands[2].kind == OperandKind::immediate;
    const int by = is_known ? static_cast<int>(std::min<std::uint64_t>(operands[2].bits, kAll)) : 0;
    if (root == "shl") return std::min(kAll, of(1) + by);
    return is_known ? std::max(0, of(1) - by) : 0;
  }
  if (instruction.has("lo") || instruction.has("wide")) {
    if (root == "mul") return std::min(kAll, of(1) + of(2));
    if (root == "mad") return std::min({kAll, of(1) + of(2), of(3)});
  }
  return 0;
}

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
    visit_defs(instruction, [&](std::int32_t id) { ++definitions_[id]; });
  for (std::size_t b = 0; b < flow.blocks.size(); ++b)
    for (const Instruction& instruction : instructions_of(function, flow.blocks[b]))
      visit_defs(instruction, [&](std::int32_t id) {
        if (definitions_[id] > 1) defines_many_[b].push_back(id);
      });
}

std::int32_t AddressValues::new_root(int zeros) {
  zeros_of_root_.push_back(static_cast<std::uint8_t>(zeros));
  return static_cast<std::int32_t>(zeros_of_root_.size()) - 1;
}

void AddressValues::enter(std::int32_t block, const std::vector<std::int32_t>& between,
                          bool between_known) {
  block_ = block;
  all_killed_[block] = !between_known;
  for (const std::int32_t other : between) {
    const std::vector<std::int32_t>& killed = defines_many_[other];
    if (!take_steps(killed.size())) {
      all_killed_[block] = true;
      return;
    }
    killed_on_entry_[block].insert(killed.begin(), killed.end());
  }
}

Value AddressValues::of_register(std::int32_t id) {
  if (definitions_[id] <= 1) {
    if (single_[id].root < 0) single_[id] = {new_root(zeros_.of_register(id)), 0};
    return single_[id];
  }
  // Up the dominator tree to where the register was last known, then down again to remember.
  std::vector<std::int32_t> passed;
  Value value;
  for (std::int32_t at = block_; value.root < 0; at = dominance_.immediate_dominator(at)) {
    if (const auto exit = at_exit_.find({id, at}); exit != at_exit_.end()) {
      value = exit->second;
    } else if (const auto entry = at_entry_.find({id, at}); entry != at_entry_.end()) {
      value = entry->second;
    } else {
      passed.push_back(at);
      if (dominance_.immediate_dominator(at) < 0 || !take_steps(1) || all_killed_[at] ||
          killed_on_entry_[at].contains(id))
        value = {new_root(zeros_.of_register(id)), 0};
    }
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
  const std::vector<Operand>& operands = instruction.operands;
  const std::string_view root = instruction.root(), type = instruction.parts.back();
  const auto is_constant = [&](std::size_t i) {
    return operands[i].kind == OperandKind::immediate;
  };
  const bool is_plain = instruction.parts.size() == 2 && instruction.guard < 0 &&
                        (type.ends_with("32") || type.ends_with("64")) && !type.starts_with('f');
  const bool is_sum = is_plain && (root == "add" || root == "sub") && operands.size() == 3;
  Value value;
  if (is_plain && root == "mov" && operands.size() == 2) {
    value = of_operand(operands[1]);
  } else if (is_sum && is_constant(2)) {
    value = of_operand(operands[1]);
    value.offset += root == "add" ? operands[2].bits : 0 - operands[2].bits;
  } else if (is_sum && root == "add" && is_constant(1)) {
    value = of_operand(operands[2]);
    value.offset += operands[1].bits;
  } else if (is_sum && root == "add") {
    const Value a = of_operand(operands[1]), b = of_operand(operands[2]);
    if (a.root >= 0 && b.root >= 0) {
      const auto [found, fresh] = sums_.try_emplace(std::minmax(a.root, b.root), 0);
      if (fresh) found->second = new_root(std::min(zeros_of(a.root), zeros_of(b.root)));
      value = {found->second, a.offset + b.offset};
    }
  }
  return value.root >= 0 ? value : Value{new_root(zeros_.of_result(instruction)), 0};
}

void AddressValues::execute(const Instruction& instruction) {
  if (!writes_first_operand(instruction)) return;
  Value value;
  const bool single = instruction.operands.front().kind == OperandKind::reg;
  if (single) value = computed(instruction);
  visit_defs(instruction, [&](std::int32_t id) {
    const Value result = single ? value : Value{new_root(0), 0};
    (definitions_[id] <= 1 ? single_[id] : at_exit_[{id, block_}]) = result;
  });
}

}  // namespace labkit::ptx
