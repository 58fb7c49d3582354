#include "ptx/trailing_zeros.h"

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

}  // namespace labkit::ptx
