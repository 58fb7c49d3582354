// Registers whose value is settled before a block runs: copies of parameters, special registers and constants need no
// instruction, and what follows from the thread's number alone is computed once a warp instead of once a block. Each
// counts as executed all the same: instructions are counted by code block.
#include <algorithm>
#include <array>

#include "simt/decoder.h"

namespace labkit::simt {
namespace {

constexpr std::size_t kMostComputedOnce =
    48;  ///< each keeps 128 or 256 bytes of a warp's registers

bool is_move(const Op& op) {
  static const auto narrow = row_number({"mov", "b32"}), wide = row_number({"mov", "b64"});
  return (op.kind == OpKind::lanes32 && op.row == narrow) ||
         (op.kind == OpKind::lanes64 && op.row == wide);
}

}  // namespace

std::vector<bool> written_once(const ptx::Function& function, const RegisterSlots& slots) {
  std::vector<std::uint32_t> writes(function.registers.size(), 0);
  std::vector<bool> once(function.registers.size(), true);
  for (const auto& in : function.body) {
    const RegisterUse use = register_use(in);
    for (const auto r : use.reads)
      if (writes[static_cast<std::size_t>(r)] == 0) once[static_cast<std::size_t>(r)] = false;
    for (const auto r : use.writes) ++writes[static_cast<std::size_t>(r)];
  }
  for (const auto r : slots.unset) once[static_cast<std::size_t>(r)] = false;
  for (std::size_t r = 0; r < once.size(); ++r) once[r] = once[r] && writes[r] == 1;
  return once;
}

std::vector<bool> read_once(const ptx::Function& function) {
  std::vector<std::uint32_t> reads(function.registers.size(), 0);
  for (const auto& in : function.body)
    for (const auto r : register_use(in).reads) ++reads[static_cast<std::size_t>(r)];
  std::vector<bool> once(reads.size());
  for (std::size_t r = 0; r < once.size(); ++r) once[r] = reads[r] == 1;
  return once;
}

/// The slot holds the same from the beginning of a block on.
bool Decoder::is_known(Slot slot) const {
  return is_settled(slot) ? slot != kNoSlot : of_block_.contains(slot);
}

/// The slot holds the same in every block, for a warp.
bool Decoder::is_settled(Slot slot) const { return slot == kNoSlot || settled_.contains(slot); }

/// True if `op`, just decoded from `in`, need not run in its place.
bool Decoder::settle(const ptx::Instruction& in, Op& op) {
  // A shuffle may read what a lane holds that takes no part: that is as it was left, not what it would have been.
  if (has_shuffle_ || f_ != &functions_[0] || in.guard >= 0 || in.operands.empty()) return false;
  const auto& to = in.operands[0];
  if (to.kind != ptx::OperandKind::reg || to.id < 0) return false;
  const auto id = static_cast<std::size_t>(to.id);
  if (id >= f_->written_once.size() || !f_->written_once[id]) return false;
  if (is_move(op) && is_known(op.s[0])) {
    f_->elsewhere[id] = op.s[0];
    return true;
  }
  const bool pure =
      op.kind == OpKind::lanes32 || op.kind == OpKind::lanes64 || op.kind == OpKind::mask;
  if (!pure || program_->once.size() == kMostComputedOnce ||
      !std::all_of(std::begin(op.s), std::end(op.s), [&](Slot s) { return is_settled(s); }))
    return false;
  op.d = next_slot_;
  next_slot_ += op.kind == OpKind::lanes64 ? 256 : 128;
  settled_.insert(op.d);
  f_->elsewhere[id] = op.d;
  program_->once.push_back(op);
  return true;
}

/// add of a product that only it reads: one Op, counted as the two instructions that it is.
bool Decoder::join_product(const ptx::Instruction& in, const Op& op) {
  auto& program = *program_;
  // Of integers: one of doubles may read the product's bits.
  if (in.guard >= 0 || (in.spelling != "add.s64" && in.spelling != "add.u64") ||
      program.ops.size() <= program.blocks.back().first_op)
    return false;
  Op& product = program.ops.back();
  static const auto of_signed = row_number({"mul", "wide", "s32"}),
                    of_unsigned = row_number({"mul", "wide", "u32"}),
                    sum_of_signed = row_number({"mad", "wide", "s32"}),
                    sum_of_unsigned = row_number({"mad", "wide", "u32"});
  if (product.kind != OpKind::lanes64 || product.guard != kNoSlot ||
      (product.row != of_signed && product.row != of_unsigned))
    return false;
  const int n = op.s[0] == product.d ? 0 : 1;
  if (op.s[n] != product.d || op.s[1 - n] == product.d) return false;
  const auto& factor = in.operands[static_cast<std::size_t>(n) + 1];
  if (factor.kind != ptx::OperandKind::reg || !f_->read_once[static_cast<std::size_t>(factor.id)] ||
      !f_->written_once[static_cast<std::size_t>(factor.id)])
    return false;
  // Both once for all lanes, or both in each.
  if ((product.affine == AffineRule::none) != (op.affine == AffineRule::none)) return false;
  if (op.affine != AffineRule::none) product.affine = AffineRule::multiply_add_wide;
  product.needs_lanes = op.needs_lanes;
  product.row = product.row == of_signed ? sum_of_signed : sum_of_unsigned;
  product.s[2] = op.s[1 - n];
  product.d = op.d;
  return true;
}

}  // namespace labkit::simt
