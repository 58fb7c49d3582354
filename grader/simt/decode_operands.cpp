// Operands: registers, constants, special registers and symbols become slots.
#include <algorithm>
#include <bit>

#include "simt/access.h"
#include "simt/decoder.h"
#include "simt/memory.h"

namespace labkit::simt {

using words::Id;

const ptx::Operand& Decoder::operand(const ptx::Instruction& in, std::size_t n) const {
  if (n >= in.operands.size()) fail(Id::unsupported_operands);
  return in.operands[n];
}

ptx::Type Decoder::type_of(const ptx::Instruction& in) {
  for (std::size_t k = in.parts.size(); k-- > 1;)
    if (const auto type = ptx::type_from_name(in.parts[k])) return *type;
  fail(Id::unsupported_operands);
}

ptx::Type Decoder::type_from_end(const ptx::Instruction& in, std::size_t n) {
  return ptx::type_from_name(in.parts[in.parts.size() - 1 - n]).value_or(ptx::Type::none);
}

std::uint8_t Decoder::word_of(const ptx::Instruction& in,
                              std::initializer_list<std::string_view> words) {
  const auto has = [&](std::string_view word) { return in.has(word); };
  return static_cast<std::uint8_t>(std::ranges::find_if(words, has) - words.begin());
}

bool Decoder::is_signed(ptx::Type type) { return ptx::name_of(type).starts_with('s'); }

bool Decoder::is_integer(ptx::Type type) {
  return is_signed(type) || ptx::name_of(type).starts_with('u');
}

ptx::Type Decoder::register_type(const ptx::Operand& operand) const {
  if (operand.kind != ptx::OperandKind::reg || operand.id < 0) fail(Id::unsupported_operands);
  return f_->ptx->registers[operand.id].type;
}

Slot Decoder::register_slot(std::int32_t id) const {
  const auto k = static_cast<std::size_t>(id);
  if (!f_->elsewhere.empty() && f_->elsewhere[k] != kNoSlot) return f_->elsewhere[k];
  const auto number = f_->registers.number[k];
  if (number < 0) fail(Id::unsupported_operands);
  switch (class_of(f_->ptx->registers[k].type)) {
    case RegisterClass::twice:
      return f_->doubles + static_cast<Slot>(number) * 256;
    case RegisterClass::word:
      return f_->words + static_cast<Slot>(number) * 128;
    case RegisterClass::predicate:
      return f_->predicates + static_cast<Slot>(number) * 4;
    default:
      fail(Id::unsupported_operands);
  }
}

namespace {

bool fits(char letter, ptx::Type type) {
  const auto size = ptx::size_bytes(type);
  switch (letter) {
    case 'p':
      return type == ptx::Type::pred;
    case 'l':
      return size == 8;
    case 'w':
      return size == 4;
    case 'h':
      return size == 1 || size == 2;
    default:
      return false;
  }
}

}  // namespace

Slot Decoder::destination(const ptx::Operand& operand, char letter) {
  if (operand.kind == ptx::OperandKind::sink) return scratch_slot_;
  if (!fits(letter, register_type(operand))) fail(Id::unsupported_width, operand.name);
  return register_slot(operand.id);
}

void Decoder::destinations(const ptx::Operand& to, char letter, Op& op) {
  const auto slot = [&](const ptx::Operand& one, char of) {
    return of == 'p' && one.kind == ptx::OperandKind::sink ? kNoSlot : destination(one, of);
  };
  const bool is_pair = to.kind == ptx::OperandKind::pair;
  op.d = slot(is_pair ? to.elements[0] : to, letter);
  if (is_pair) op.d2 = slot(to.elements[1], 'p');
}

Slot Decoder::fixed(FixedSlot wanted) {
  const auto [at, is_new] = fixed_index_.try_emplace(wanted, next_slot_);
  if (!is_new) return at->second;
  wanted.slot = next_slot_;
  next_slot_ += wanted.is_64_bit ? 256 : 128;
  program_->fixed.push_back(wanted);
  const bool changes = changes_with_block(wanted.kind);
  if (changes) program_->of_block.push_back(wanted);
  (changes ? of_block_ : settled_).insert(wanted.slot);
  return wanted.slot;
}

Slot Decoder::constant(std::uint64_t value, bool is_64_bit) {
  return fixed({.is_64_bit = is_64_bit, .value = is_64_bit ? value : value & 0xFFFFFFFFu});
}

const ptx::Variable* Decoder::variable_of(const ptx::Operand& operand) const {
  if (operand.symbol == ptx::SymbolKind::module_variable) return &module_.variables[operand.id];
  if (operand.symbol == ptx::SymbolKind::function_variable) return &f_->ptx->variables[operand.id];
  return nullptr;
}

std::int64_t Decoder::shared_offset(const ptx::Operand& operand) const {
  const auto k = static_cast<std::size_t>(operand.id);
  return operand.symbol == ptx::SymbolKind::module_variable ? module_shared_offset_[k]
                                                            : f_->variable_offset[k];
}

/// Address of a variable in its own space.
Slot Decoder::symbol_address(const ptx::Operand& operand, bool is_64_bit) {
  const auto offset = static_cast<std::uint64_t>(operand.offset);
  if (operand.symbol == ptx::SymbolKind::parameter) {
    if (!f_->ptx->is_entry) fail(Id::unsupported_address_of, operand.name);
    return constant(f_->ptx->parameters[operand.id].offset_bytes + offset, is_64_bit);
  }
  if (operand.symbol == ptx::SymbolKind::function && is_64_bit)
    return constant(function_address(static_cast<std::size_t>(operand.id)), is_64_bit);
  const auto* variable = variable_of(operand);
  if (variable == nullptr) fail(Id::unsupported_address_of, operand.name);
  switch (variable->space) {
    case ptx::Space::shared:
      return constant(static_cast<std::uint64_t>(shared_offset(operand)) + offset, is_64_bit);
    case ptx::Space::global:
    case ptx::Space::constant:
      if (operand.symbol != ptx::SymbolKind::module_variable)
        fail(Id::unsupported_variable_in_function, source_name(std::string(variable->name)));
      if (variable->is_extern)
        fail(Id::unsupported_external_variable, source_name(std::string(variable->name)));
      return fixed({.kind = FixedKind::global_symbol,
                    .is_64_bit = is_64_bit,
                    .value = offset,
                    .variable = operand.id});
    default:
      fail(Id::unsupported_address_of, operand.name);
  }
}

Slot Decoder::special(const ptx::Operand& operand, bool is_64_bit) {
  static constexpr std::pair<std::string_view, FixedKind> kNames[] = {
#define SPECIAL(name, spelling, value) {spelling, FixedKind::name},
#include "simt/special_registers.def"
#undef SPECIAL
  };
  // a cluster has one block
  std::string wanted(operand.name);
  if (wanted.starts_with("%clusterid") || wanted.starts_with("%nclusterid"))
    wanted.replace(wanted.find("cluster"), 7, "cta");
  if (wanted.starts_with("%cluster_")) return constant(wanted.starts_with("%cluster_n"), is_64_bit);
  for (const auto& [name, kind] : kNames)
    if (name == wanted) return fixed({.kind = kind, .is_64_bit = is_64_bit});
  if (operand.name == "%reserved_smem_offset_0" || operand.name == "%reserved_smem_offset_1")
    return constant(kReservedShared, is_64_bit);
  // the address of the grid's workspace (cooperative_groups, driver_abi.h)
  if (operand.name == "%envreg1") return constant(options_.grid_workspace >> 32, is_64_bit);
  if (operand.name == "%envreg2") return constant(options_.grid_workspace & 0xffffffff, is_64_bit);
  fail(Id::unsupported_special_register, operand.name);
}

Slot Decoder::source(const ptx::Operand& operand, char letter, ptx::Type type) {
  const bool is_64_bit = letter == 'l';
  switch (operand.kind) {
    case ptx::OperandKind::reg: {
      const auto have = register_type(operand);
      // 16-bit sources may sit in a 32-bit register: the low half is what counts
      if (!fits(letter, have) && !(letter == 'h' && fits('w', have)))
        fail(Id::unsupported_width, operand.name);
      return register_slot(operand.id);
    }
    case ptx::OperandKind::immediate:
      return constant(letter == 'h' ? operand.bits & 0xFFFF : operand.bits, is_64_bit);
    case ptx::OperandKind::float32:
      if (!is_64_bit) return constant(operand.bits, false);
      return constant(std::bit_cast<std::uint64_t>(
                          double{std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits))}),
                      true);
    case ptx::OperandKind::float64:
      if (is_64_bit) return constant(operand.bits, true);
      if (type != ptx::Type::none && type != ptx::Type::f32) fail(Id::unsupported_operands);
      return constant(
          std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(operand.bits))),
          false);
    case ptx::OperandKind::special:
      return special(operand, is_64_bit);
    case ptx::OperandKind::symbol:
      return symbol_address(operand, is_64_bit);
    default:
      fail(Id::unsupported_operand, operand.name);
  }
}

Slot Decoder::predicate(const ptx::Operand& operand, Op& op, int n) {
  // the first lane word of a constant with all bits alike
  if (operand.kind == ptx::OperandKind::immediate)
    return constant(operand.bits != 0 ? kAllLanes : 0, false);
  if (operand.kind == ptx::OperandKind::special && operand.name == "%is_explicit_cluster")
    return constant(0, false);
  if (operand.kind != ptx::OperandKind::reg || register_type(operand) != ptx::Type::pred)
    fail(Id::unsupported_operands);
  if (operand.negated) op.modifiers |= kNegateSource << n;
  return register_slot(operand.id);
}

}  // namespace labkit::simt
