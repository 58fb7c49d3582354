#include "observe/race_plan.h"

#include <algorithm>

namespace labkit::observe {

RacePlan::RacePlan(const simt::Program& program, const Suspects& suspects)
    : program(program),
      watch_shared((suspects.reasons & Suspects::shared_order) != 0),
      watched(suspects.ranges),
      updates(program) {
  for (const auto& facts : simt::instructions(program)) {
    const auto bytes = std::max<std::uint32_t>(facts.bytes_per_lane, 1);
    const bool accesses = facts.is_load || facts.is_store || facts.is_atomic;
    const bool generic = facts.space == ptx::Space::generic;
    if (accesses && (generic || facts.space == ptx::Space::shared))
      shared_cell = std::min(shared_cell, bytes);
    if (accesses && (generic || facts.space == ptx::Space::global))
      global_cell = std::min(global_cell, bytes);
    flags = flags || facts.acquires;
    const auto& in = facts.function->body[static_cast<std::size_t>(facts.body_index)];
    if (facts.is_barrier) {
      const std::size_t at = in.has("red") ? 1 : 0;  // behind the result
      const bool is_counted = in.operands.size() > (at == 0 ? 1u : 3u);
      const auto& number = in.operands[at];
      orders_some = orders_some || is_counted || number.kind != ptx::OperandKind::immediate ||
                    number.bits != 0;
    }
    const auto index = static_cast<std::uint32_t>(strength.size());
    const bool is_data = in.root() == "ld" && !updates.decides(index);
    strength.push_back(in.has("volatile") && is_data ? Strength::volatile_data
                       : in.has("volatile")          ? Strength::volatile_
                       : facts.is_strong             ? Strength::strong
                                                     : Strength::plain);
    of_block.push_back(facts.is_strong && in.has("cta"));
  }
  orders_some = orders_some || flags;
  in_order = simt::facts(program).order_matters;
  if (!flags && !in_order) standing = suspects.standing;  // what a flag orders its value says
}

std::uint64_t RacePlan::stands_for(std::uint64_t block) const {
  if (!standing) return 1;
  const auto at = std::lower_bound(standing->begin(), standing->end(), block,
                                   [](const auto& one, auto number) { return one.block < number; });
  return at == standing->end() || at->block != block ? 0 : at->blocks;
}

}  // namespace labkit::observe
