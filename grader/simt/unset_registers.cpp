// Variables that were never set: PTX has no instruction for their first value, and reads the register all the same.
#include <algorithm>

#include "simt/decoder.h"
#include "simt/worker.h"

namespace labkit::simt {

std::vector<std::pair<std::int32_t, std::size_t>> unset_readers(const ptx::Function& function,
                                                                const RegisterSlots& slots) {
  std::vector<std::pair<std::int32_t, std::size_t>> result;
  if (slots.unset.empty()) return result;
  const std::size_t none = function.body.size();
  std::vector<std::size_t> first(function.registers.size(), none);
  std::vector<std::pair<std::size_t, std::size_t>> copies;  // from, to
  for (std::size_t i = 0; i < function.body.size(); ++i) {
    const auto& in = function.body[i];
    const auto use = register_use(in);
    const bool copy =
        in.root() == "mov" && in.guard < 0 && use.reads.size() == 1 && use.writes.size() == 1;
    if (copy) {
      copies.emplace_back(use.reads[0], use.writes[0]);
      continue;
    }
    for (const auto r : use.reads) {
      auto& at = first[static_cast<std::size_t>(r)];
      at = std::min(at, i);
    }
  }
  // the variables of -G are copied at every turn of a loop; longer chains are not worth more
  constexpr int kPasses = 16;
  for (int pass = 0; pass < kPasses; ++pass)
    for (const auto& [from, to] : copies) first[from] = std::min(first[from], first[to]);
  for (const auto id : slots.unset) {
    const auto r = static_cast<std::size_t>(id);
    if (slots.number[r] >= 0 && first[r] != none) result.emplace_back(id, first[r]);
  }
  return result;
}

/// Variables that were never set: which registers, and where that shows.
void Decoder::note_unset(FunctionState& f) {
  f_ = &f;
  for (const auto& [id, reader] : unset_readers(*f.ptx, f.registers)) {
    const auto type = f.ptx->registers[static_cast<std::size_t>(id)].type;
    const auto cls = class_of(type);
    const char letter = cls == RegisterClass::predicate ? 'p'
                        : cls == RegisterClass::twice   ? 'l'
                        : ptx::size_bytes(type) < 4     ? 'h'
                                                        : 'w';
    program_->unset.push_back(
        {register_slot(id), letter, f.first_instruction + static_cast<std::uint32_t>(reader)});
  }
}

/// At the beginning of a block. Their bits are all ones, a NaN, as memory's are; undefined ones where that is followed.
void Worker::forget_unset(Warp& warp) {
  registers_ = warp.registers;
  if (shadow_) warp_shadow_ = &shadow_->warps[warp.number];
  for (const auto& unset : program_.unset) {
    const bool is_wide = unset.letter == 'l';
    std::uint64_t ones[kLanes];
    std::fill(std::begin(ones), std::end(ones), unset.letter == 'h' ? 0xFFFF : ~0ull);
    auto* at = warp.registers + unset.slot;
    for (std::size_t i = 0; i < (unset.letter == 'p' ? 1 : kLanes); ++i)
      write_lane(at, is_wide, i, ones[i]);
    if (!shadow_) continue;
    UndefinedUse origin;
    origin.origin = unset.instruction;
    origin.origin_space = ptx::Space::reg;
    origin.origin_address = kNeverSet;
    const auto number = new_origin(origin);
    if (unset.letter == 'p')
      set_shadow_predicate(unset.slot, ~0u, kAllLanes, number);
    else
      set_shadow(unset.slot, is_wide, ones, kAllLanes, number);
  }
}

bool may_read_unset(const Program& program) { return !program.unset.empty(); }

}  // namespace labkit::simt
