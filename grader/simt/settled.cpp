// Registers of which nothing has to be computed while a block runs.
//
// Those whose value is settled before a block runs: copies of parameters, special registers and constants need no
// instruction, and what follows from the thread's number alone is computed once a warp instead of once a block. Each
// counts as executed all the same: instructions are counted by code block.
#include <algorithm>
#include <cstring>
#include <ranges>

#include "simt/decoder.h"
#include "simt/worker.h"

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

UsedOnce used_once(const ptx::Function& function, const RegisterSlots& slots) {
  const std::size_t count = function.registers.size();
  std::vector<std::uint32_t> writes(count, 0), reads(count, 0);
  UsedOnce once{std::vector<bool>(count, true), std::vector<bool>(count)};
  for (const auto& in : function.body) {
    const RegisterUse use = register_use(in);
    for (const auto r : use.reads) {
      const auto k = static_cast<std::size_t>(r);
      ++reads[k];
      if (writes[k] == 0) once.written[k] = false;
    }
    for (const auto r : use.writes) ++writes[r];
  }
  for (const auto r : slots.unset) once.written[r] = false;
  for (std::size_t r = 0; r < count; ++r) {
    once.written[r] = once.written[r] && writes[r] == 1;
    once.read[r] = reads[r] == 1;
  }
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
  if (!f_->once.written[id]) return false;
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
  const auto id = static_cast<std::size_t>(factor.id);
  if (factor.kind != ptx::OperandKind::reg || !f_->once.read[id] || !f_->once.written[id])
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

// ---- variables that were never set: PTX has no instruction for their first value, and reads the register all the same

/// Which registers have a slot and are not only copied, and the first instruction that reads them, or a copy, for more.
void Decoder::note_unset(FunctionState& f) {
  if (f.registers.unset.empty()) return;
  f_ = &f;
  const auto& body = f.ptx->body;
  std::vector<std::size_t> first(f.ptx->registers.size(), body.size());  // that reads each
  std::vector<std::pair<std::size_t, std::size_t>> copies;               // from, to
  for (std::size_t i = body.size(); i-- > 0;) {
    const auto use = register_use(body[i]);
    if (body[i].root() == "mov" && body[i].guard < 0 && use.reads.size() == 1 &&
        use.writes.size() == 1)
      copies.emplace_back(use.reads[0], use.writes[0]);
    else
      for (const auto r : use.reads) first[r] = i;
  }
  // the variables of -G are copied at every turn of a loop; longer chains are not worth more
  constexpr int kPasses = 16;
  for (int pass = 0; pass < kPasses; ++pass)
    for (const auto& [from, to] : copies | std::views::reverse)
      first[from] = std::min(first[from], first[to]);
  for (const auto id : f.registers.unset) {
    const auto r = static_cast<std::size_t>(id);
    if (f.registers.number[r] < 0 || first[r] == body.size()) continue;
    const auto type = f.ptx->registers[r].type;
    const char letter = type == ptx::Type::pred ? 'p' : letter_of(ptx::size_bytes(type));
    program_->unset.push_back(
        {register_slot(id), letter, f.first_instruction + static_cast<std::uint32_t>(first[r])});
  }
}

/// At the beginning of a block. Their bits are all ones, a NaN, as memory's are; undefined ones where that is followed.
void Worker::forget_unset(Warp& warp) {
  registers = warp.registers;
  if (shadow_) warp_shadow_ = &shadow_->warps[warp.number];
  for (const auto& unset : program_.unset) {
    const bool is_wide = unset.letter == 'l';
    std::uint64_t ones[kLanes];
    std::fill(std::begin(ones), std::end(ones), unset.letter == 'h' ? 0xFFFF : ~0ull);
    for (std::size_t i = 0; i < (unset.letter == 'p' ? 1 : kLanes); ++i)
      write_lane(warp.registers + unset.slot, is_wide, i, ones[i]);
    if (!shadow_) continue;
    const auto number = new_origin({.origin = unset.instruction,
                                    .origin_space = ptx::Space::reg,
                                    .origin_address = kNeverSet});
    if (unset.letter == 'p')
      set_shadow_predicate(unset.slot, ~0u, kAllLanes, number);
    else
      set_shadow(unset.slot, is_wide, ones, kAllLanes, number);
  }
}

bool may_read_unset(const Program& program) { return !program.unset.empty(); }

// ---- the registers of a warp that no instruction writes: constants, parameters, addresses of symbols and what special
// registers say. They are filled once a warp, the few that change with the block once a block.

void Worker::fill_fixed(Warp& warp, bool per_block_only) {
  const auto& grid = launch_.launch->grid;
  const auto& block = launch_.launch->block;
  const std::uint32_t first = warp.number * kLanes;
  for (const auto& slot : per_block_only ? program_.of_block : program_.fixed) {
    auto* at = warp.registers + slot.slot;
    const auto fill = [&]<typename T>(T* lanes, const auto& value) {
      for (std::uint32_t i = 0; i < kLanes; ++i) lanes[i] = static_cast<T>(value(i));
    };
    const auto each = [&](const auto& value) {
      // Of the three coordinates of a block mostly one differs from that of the block before.
      if (changes_with_block(slot.kind) && value(0) == read_lane(at, slot.is_64_bit, 0)) return;
      if (slot.is_64_bit)
        fill(reinterpret_cast<std::uint64_t*>(at), value);
      else
        fill(reinterpret_cast<std::uint32_t*>(at), value);
    };
    switch (slot.kind) {
      case FixedKind::constant:
        each([&](std::uint32_t) { return slot.value; });
        break;
      case FixedKind::parameter: {
        std::uint64_t value = 0;
        std::memcpy(&value, launch_.parameters.data() + slot.value, slot.bytes);
        if (slot.sign_extend) value = sign_extended(value, slot.bytes);
        each([&](std::uint32_t) { return value; });
        break;
      }
      case FixedKind::global_symbol: {
        const auto variable = static_cast<std::size_t>(slot.variable);
        each([&](std::uint32_t) { return (*launch_.variables)[variable] + slot.value; });
        break;
      }
#define SPECIAL(name, spelling, value)                                              \
  case FixedKind::name:                                                             \
    each([&]([[maybe_unused]] std::uint32_t i) -> std::uint64_t { return value; }); \
    break;
#include "simt/special_registers.def"
#undef SPECIAL
    }
  }
}

}  // namespace labkit::simt
