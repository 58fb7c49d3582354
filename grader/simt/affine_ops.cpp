// The decoder's part of affine values: which Ops work on them, and what they hang on.
#include <set>
#include <unordered_map>

#include "simt/decoder.h"

namespace labkit::simt {

/// Marks `op`, just decoded from `in`, with what find_affine() says of it. `one_op`: it is all that `in` became.
void Decoder::note_affine(const ptx::Instruction& in, Op& op, bool one_op) {
  if (f_->affine.steps.empty()) return;
  const auto& step = f_->affine.steps[static_cast<std::size_t>(body_index_)];
  if (step.rule == AffineRule::none) return;
  const auto kind = step.rule == AffineRule::compare ? OpKind::mask
                    : step.is_64_bit                 ? OpKind::lanes64
                                                     : OpKind::lanes32;
  const bool is_access = op.kind == OpKind::load || op.kind == OpKind::store;
  if (!one_op || (step.rule == AffineRule::address ? !is_access : op.kind != kind)) {
    affine_fails_ = true;
    return;
  }
  if (is_access && (program_->memory_ops[op.aux].settled || is_known(op.s[0]))) return;
  op.affine = step.rule;
  op.affine_64 = step.is_64_bit;
  op.affine_signed = step.is_signed;
  op.comparison = step.comparison;
  if (step.rule != AffineRule::compare && step.rule != AffineRule::address)
    op.needs_lanes = f_->affine.needs_lanes[static_cast<std::size_t>(in.operands[0].id)];
}

void Decoder::finish_affine() {
  auto& program = *program_;
  const auto& f = functions_[0];
  if (affine_fails_ || f.affine.steps.empty()) return;
  std::set<Slot> slots;
  for (std::size_t r = 0; r < f.affine.is_affine.size(); ++r) {
    const auto number = f.registers.number[r];
    if (!f.affine.is_affine[r] || f.elsewhere[r] != kNoSlot || number < 0) continue;
    const bool wide = class_of(f.ptx->registers[r].type) == RegisterClass::twice;
    const Slot slot = wide ? f.doubles + static_cast<Slot>(number) * 256
                           : f.words + static_cast<Slot>(number) * 128;
    if (slots.insert(slot).second) program.affine_slots.push_back({slot, wide});
  }
  std::unordered_map<Slot, bool> is_wide;  // of the fixed ones
  for (const auto& fixed : program.fixed) is_wide.try_emplace(fixed.slot, fixed.is_64_bit);
  for (const Op& op : program.once) is_wide.try_emplace(op.d, op.kind == OpKind::lanes64);
  std::set<Slot> sources;
  for (const Op& op : program.ops) {
    const bool access = op.affine == AffineRule::address;
    for (int n = 0; n < 4; ++n) {
      const Slot slot = op.s[n];
      if (slot == kNoSlot) continue;
      if (op.affine == AffineRule::none || op.needs_lanes)
        program.block_needs_lanes = program.block_needs_lanes || of_block_.contains(slot);
      if (op.affine == AffineRule::none || access || slots.contains(slot)) continue;
      if (!sources.insert(slot).second) continue;
      const auto fixed = is_wide.find(slot);
      if (fixed == is_wide.end()) {  // nobody knows what it holds: all goes lane by lane
        program.affine_slots.clear();
        return;
      }
      program.affine_sources.push_back({slot, fixed->second});
    }
  }
  for (const Op& op : program.once)
    for (const Slot slot : op.s)
      program.block_needs_lanes = program.block_needs_lanes || of_block_.contains(slot);
  for (const MemoryOp& memory : program.memory_ops)
    for (const Slot slot : memory.data)
      program.block_needs_lanes = program.block_needs_lanes || of_block_.contains(slot);
  for (const PackOp& pack : program.packs)
    for (const Slot slot : pack.elements)
      program.block_needs_lanes = program.block_needs_lanes || of_block_.contains(slot);
}

}  // namespace labkit::simt
