#include "ptx/address_values.h"

#include <algorithm>
#include <array>
#include <bit>

#include "ptx/defs.h"

namespace labkit::ptx {

namespace {

constexpr int kAll = 64;

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
  std::vector<std::vector<std::int32_t>> readers(function.registers.size());
  std::vector<std::int32_t> work;
  const auto size = static_cast<std::int32_t>(function.body.size());
  for (std::int32_t i = 0; i < size; ++i) {
    visit_uses(function.body[static_cast<std::size_t>(i)],
               [&](std::int32_t id) { readers[static_cast<std::size_t>(id)].push_back(i); });
    work.push_back(size - 1 - i);  // popped from the back: text order first
  }
  while (!work.empty()) {  // each register sinks at most 64 times
    const Instruction& instruction = function.body[static_cast<std::size_t>(work.back())];
    work.pop_back();
    if (!writes_first_operand(instruction)) continue;
    const bool single = instruction.operands.front().kind == OperandKind::reg;
    const auto value = static_cast<std::uint8_t>(single ? transfer(instruction) : 0);
    visit_defs(instruction, [&](std::int32_t id) {
      std::uint8_t& known = known_[static_cast<std::size_t>(id)];
      if (value >= known) return;
      known = value;
      const auto& who = readers[static_cast<std::size_t>(id)];
      work.insert(work.end(), who.begin(), who.end());
    });
  }
}

std::int64_t TrailingZeros::shared_offset(const Operand& operand) const {
  const std::vector<std::int64_t>* offsets = nullptr;
  if (operand.symbol == SymbolKind::function_variable) offsets = &shared_offset_of_;
  if (operand.symbol == SymbolKind::module_variable) offsets = &module_shared_offset_of_;
  if (offsets == nullptr || static_cast<std::size_t>(operand.id) >= offsets->size()) return -1;
  return (*offsets)[static_cast<std::size_t>(operand.id)];
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

int TrailingZeros::transfer(const Instruction& instruction) const {
  const std::string_view root = instruction.root();
  const auto& operands = instruction.operands;
  const auto of = [&](std::size_t i) { return i < operands.size() ? of_operand(operands[i]) : 0; };
  const auto immediate = [&](std::size_t i) -> std::optional<std::uint64_t> {
    if (i < operands.size() && operands[i].kind == OperandKind::immediate) return operands[i].bits;
    return std::nullopt;
  };
  const std::string_view type = instruction.parts.back();
  if (!is_integer(type)) return 0;
  const bool low = instruction.has("lo") || instruction.has("wide");

  if (root == "mov" || root == "neg" || root == "abs") return of(1);
  if (root == "cvta")
    return instruction.has("shared") || instruction.has("shared::cta") ? of(1) : 0;
  if (root == "cvt") {
    const bool integers = instruction.parts.size() >= 3 &&
                          is_integer(instruction.parts[instruction.parts.size() - 2]);
    return integers && !instruction.has("sat") ? of(1) : 0;
  }
  constexpr std::array<std::string_view, 7> kLeast = {"add", "sub", "or",  "xor",
                                                      "min", "max", "selp"};
  if (std::find(kLeast.begin(), kLeast.end(), root) != kLeast.end())
    return instruction.has("sat") ? 0 : std::min(of(1), of(2));
  if (root == "and") return std::max(of(1), of(2));
  if (root == "shl")
    return static_cast<int>(
        std::min<std::uint64_t>(kAll, static_cast<std::uint64_t>(of(1)) +
                                          std::min<std::uint64_t>(immediate(2).value_or(0), kAll)));
  if (root == "shr") {
    const auto by = immediate(2);
    return by ? std::max(0, of(1) - static_cast<int>(std::min<std::uint64_t>(*by, kAll))) : 0;
  }
  if (root == "mul" && low) return std::min(kAll, of(1) + of(2));
  if (root == "mad" && low) return std::min({kAll, of(1) + of(2), of(3)});
  return 0;
}

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
