// Rows whose meaning is a function of lanes, and mov, setp, set and cvt around them.
#include "simt/access.h"
#include "simt/decoder.h"

namespace labkit::simt {

using words::Id;
namespace {

OpKind kind_for(char destination) {
  return destination == 'l' ? OpKind::lanes64 : destination == 'p' ? OpKind::mask : OpKind::lanes32;
}

/// Where the space lies among generic addresses; 0: global and constant memory.
std::uint64_t window_of(ptx::Space space) {
  return space == ptx::Space::shared  ? kSharedWindow
         : space == ptx::Space::local ? kLocalWindow
         : space == ptx::Space::param ? kParameterWindow
                                      : 0;
}

}  // namespace

void Decoder::decode_lanes(const InstructionRow& row, const ptx::Instruction& in, Op& op) {
  if (in.root() == "mov" && decode_special_mov(in, op)) return;
  const auto columns = row.operands;
  if (in.operands.size() != columns.size() - 1) fail(Id::unsupported_operands);
  op.row = row_number(row);
  op.kind = kind_for(columns[0]);
  op.d = destination(operand(in, 0), columns[0]);
  for (std::size_t k = 2; k < columns.size(); ++k) {
    const auto& from = operand(in, k - 1);
    const int n = static_cast<int>(k) - 2;
    if (columns[k] == 'i') {
      if (from.kind != ptx::OperandKind::immediate) fail(Id::unsupported_operands);
      op.imm = from.bits;
    } else if (columns[k] == 'p') {
      op.s[n] = predicate(from, op, n);
    } else {
      op.s[n] = source(from, columns[k], type_from_end(in, 0));
    }
  }
}

/// mov of vectors, clocks and addresses of local variables. False if it is a plain one.
bool Decoder::decode_special_mov(const ptx::Instruction& in, Op& op) {
  const auto& to = operand(in, 0);
  const auto& from = operand(in, 1);
  const auto bytes = ptx::size_bytes(type_of(in));
  const bool whole_is_64_bit = bytes == 8;
  const char letter_of_whole = letter_of(bytes);
  auto pack = [&](const ptx::Operand& vector, bool is_source) {
    PackOp packed;
    packed.whole_is_64_bit = whole_is_64_bit;
    packed.element_bits = bytes * 8 / static_cast<std::uint32_t>(vector.elements.size());
    if (packed.element_bits < 8) fail(Id::unsupported_operands);
    const char letter = packed.element_bits == 32 ? 'w' : 'h';
    for (const auto& element : vector.elements)
      packed.elements.push_back(is_source ? source(element, letter)
                                : element.kind == ptx::OperandKind::sink
                                    ? kNoSlot
                                    : destination(element, letter));
    op.aux = static_cast<std::uint32_t>(program_->packs.size());
    program_->packs.push_back(std::move(packed));
  };
  if (to.kind == ptx::OperandKind::vector) {
    op.kind = OpKind::unpack;
    op.s[0] = source(from, letter_of_whole);
    pack(to, false);
    return true;
  }
  if (from.kind == ptx::OperandKind::vector) {
    op.kind = OpKind::pack;
    op.d = destination(to, letter_of_whole);
    pack(from, true);
    return true;
  }
  if (from.kind == ptx::OperandKind::special &&
      (from.name.starts_with("%clock") || from.name.starts_with("%globaltimer"))) {
    op.kind = OpKind::clock;
    op.d = destination(to, whole_is_64_bit ? 'l' : 'w');
    op.imm = (whole_is_64_bit ? 1u : 0u) | (from.name.ends_with("_hi") ? 2u : 0u) |
             (from.name.starts_with("%global") ? 4u : 0u);
    return true;
  }
  if (!decode_local_address(from, whole_is_64_bit, 0, op)) return false;
  op.d = destination(to, whole_is_64_bit ? 'l' : 'w');
  return true;
}

/// Of a local variable, plus `base`; false if it is anything else.
bool Decoder::decode_local_address(const ptx::Operand& from, bool is_64_bit, std::uint64_t base,
                                   Op& op) {
  const auto* variable = from.kind == ptx::OperandKind::symbol ? variable_of(from) : nullptr;
  if (variable == nullptr || variable->space != ptx::Space::local) return false;
  op.kind = OpKind::local_address;
  op.imm = base + static_cast<std::uint64_t>(f_->variable_offset[from.id] + from.offset);
  op.aux = is_64_bit;
  return true;
}

/// Operands 1 and 2, of rows of comparisons, and the third, a predicate that the result is combined with.
void Decoder::decode_comparison(const InstructionRow& row, const ptx::Instruction& in, char letter,
                                ptx::Type type, Op& op) {
  op.row = row_number(row);
  op.s[0] = source(operand(in, 1), letter, type);
  op.s[1] = source(operand(in, 2), letter, type);
  op.bool_op = static_cast<BoolOp>(word_of(in, {"and", "or", "xor"}));
  const bool combined = op.bool_op != BoolOp::none;
  if (in.operands.size() != (combined ? 4u : 3u)) fail(Id::unsupported_operands);
  if (combined) op.s[2] = predicate(operand(in, 3), op, 2);
  // the functors know of .ftz only; the negation of c is the decoder's
  op.imm = op.modifiers & (kNegateSource << 2) ? kAllLanes : 0;
  op.modifiers &= kFtz;
}

/// setp.cmp[.bool].type p[|q], a, b[, c]
void Decoder::decode_compare(const InstructionRow& row, const ptx::Instruction& in, Op& op) {
  decode_comparison(row, in, row.operands[2], type_from_end(in, 0), op);
  destinations(operand(in, 0), 'p', op);
  const bool is_plain = op.bool_op == BoolOp::none && op.d != kNoSlot &&
                        operand(in, 0).kind != ptx::OperandKind::pair;
  op.kind = is_plain ? OpKind::mask : OpKind::set_predicate;
}

/// set.cmp[.bool][.ftz].dtype.stype d, a, b[, c]: a comparison whose result is a value.
void Decoder::decode_set(const ptx::Instruction& in, Op& op) {
  std::vector<std::string_view> words{"setp"};
  const auto result = type_from_end(in, 1);
  for (std::size_t k = 1; k < in.parts.size(); ++k)
    if (k + 2 != in.parts.size()) words.push_back(in.parts[k]);
  const auto* row = find_row(words);
  if (row == nullptr || row->chapter != Chapter::compare) fail(Id::unsupported_unknown);
  decode_comparison(*row, in, row->operands[2], type_from_end(in, 0), op);
  op.kind = OpKind::set_value;
  op.d = destination(operand(in, 0), 'w');
  op.aux = result == ptx::Type::f32 ? 0x3F800000u : 0xFFFFFFFFu;
}

/// setp on pairs of halves: p is about the low halves, q about the high ones.
void Decoder::decode_setp_pair(const ptx::Instruction& in, Op& op) {
  std::vector<std::string_view> words(in.parts.begin(), in.parts.end());
  words.back() = words.back() == "f16x2" ? "f16" : "bf16";
  const auto* row = find_row(words);
  if (row == nullptr) fail(Id::unsupported_unknown);
  decode_comparison(*row, in, 'w', ptx::Type::none, op);
  op.kind = OpKind::set_predicate_pair;
  destinations(operand(in, 0), 'p', op);
}

/// The registers of cvt may be wider than its integer types (PTX ISA, operand size exceeding instruction-type size): the
/// low bits of the source count, and the result is extended to its register as its type says. 64-bit registers are laid
/// out otherwise than narrower ones, so that each takes an Op more, whose result is scratch. Only the last Op has the
/// guard: the ones in front of it may run for any lane.
void Decoder::decode_convert(const InstructionRow& row, const ptx::Instruction& in, Op& op) {
  if (row.operands.size() != 3) return decode_lanes(row, in, op);
  if (in.operands.size() != 2) fail(Id::unsupported_operands);
  const auto& to = operand(in, 0);
  const auto to_type = to.kind == ptx::OperandKind::sink ? ptx::Type::b32 : register_type(to);
  const auto& from = operand(in, 1);
  const auto source_type = type_from_end(in, 0);
  const auto result_type = type_from_end(in, 1);
  char letter = row.operands[0];
  op.imm = letter == 'l' ? ~0ull : 0xFFFFFFFFull;
  op.row = row_number(row);
  if (from.kind == ptx::OperandKind::reg && row.operands[2] != 'l' && is_integer(source_type) &&
      ptx::size_bytes(register_type(from)) == 8) {
    op.s[0] = scratch_slot_;
    program_->ops.push_back({.s = {register_slot(from.id), kNoSlot, kNoSlot, kNoSlot},
                             .aux = static_cast<std::uint32_t>(program_->packs.size()),
                             .kind = OpKind::unpack,
                             .index = op.index});
    program_->packs.push_back({.elements = {scratch_slot_}});
  } else {
    op.s[0] = source(from, row.operands[2], source_type);
  }
  if (letter != 'l' && is_integer(result_type) && ptx::size_bytes(to_type) == 8) {
    Op result = op;
    result.guard = kNoSlot;
    result.guard_xor = 0;
    result.kind = OpKind::lanes32;
    result.d = scratch_slot_ + 128;
    program_->ops.push_back(result);
    op.row = is_signed(result_type) ? row_number({"cvt", "s64", "s32"})
                                    : row_number({"cvt", "u64", "u32"});
    op.modifiers = 0;
    op.s[0] = result.d;
    op.imm = ~0ull;
    letter = 'l';
  } else if (letter == 'h') {  // a narrow result is extended to its register
    if (ptx::size_bytes(to_type) == 4)
      letter = 'w';
    else
      op.imm = 0xFFFF;
  }
  op.kind = kind_for(letter);
  op.d = destination(to, letter);
}

/// Generic addresses are the global ones, and those of the other spaces plus a base (access.h).
void Decoder::decode_cvta(const ptx::Instruction& in, Op& op) {
  const std::uint64_t base = window_of(space_named(in));
  const auto& from = operand(in, 1);
  op.d = destination(operand(in, 0), 'l');
  if (decode_local_address(from, true, base, op)) return;
  op.kind = OpKind::lanes64;
  op.s[0] = source(from, 'l');
  op.s[1] = constant(in.has("to") ? 0 - base : base, true);
  op.row = base == 0 ? row_number({"mov", "u64"}) : row_number({"add", "u64"});
}

void Decoder::decode_isspacep(const ptx::Instruction& in, Op& op) {
  op.kind = OpKind::is_space;
  op.d = destination(operand(in, 0), 'p');
  op.s[0] = source(operand(in, 1), 'l');
  op.imm = window_of(space_named(in));
  op.aux = in.has("const") ? 1 : 0;  // whether a variable is constant is known when it runs
}

/// add.cc, addc, sub.cc, subc, mad.cc, madc: the carry flag is a predicate of its own. Op::imm: bit 0 takes the carry in,
/// bit 1 subtracts, bit 2 multiplies, bit 3 the product's upper half, bit 4 signed, bit 5 64 bits wide.
void Decoder::decode_carry(const ptx::Instruction& in, Op& op) {
  const auto type = type_of(in);
  const bool wide = ptx::size_bytes(type) == 8;
  const char letter = wide ? 'l' : 'w';
  const auto root = in.root();
  const bool takes = root == "addc" || root == "subc" || root == "madc";
  const bool multiplies = root.starts_with("mad");
  op.kind = OpKind::carry;
  op.imm = (takes ? 1u : 0u) | (root.starts_with("sub") ? 2u : 0u) | (multiplies ? 4u : 0u) |
           (in.has("hi") ? 8u : 0u) | (is_signed(type) ? 16u : 0u) | (wide ? 32u : 0u);
  op.d = destination(operand(in, 0), letter);
  op.d2 = carry_slot_;
  for (int n = 0; n < (multiplies ? 3 : 2); ++n)
    op.s[n] = source(operand(in, static_cast<std::size_t>(n) + 1), letter);
}

}  // namespace labkit::simt
