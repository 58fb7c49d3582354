#include "simt/registers.h"

#include <algorithm>
#include <array>
#include <queue>
#include <utility>

#include "ptx/defs.h"
#include "ptx/passes.h"

namespace labkit::simt {

RegisterUse register_use(const ptx::Instruction& instruction) {
  RegisterUse use;
  ptx::visit_defs(instruction, [&](std::int32_t id) { use.writes.push_back(id); });
  ptx::visit_uses(instruction, [&](std::int32_t id) { use.reads.push_back(id); });
  return use;
}

RegisterClass class_of(ptx::Type type) {
  switch (type) {
    case ptx::Type::pred:
      return RegisterClass::predicate;
    case ptx::Type::b128:
    case ptx::Type::none:
      return RegisterClass::unsupported;
    default:
      return ptx::size_bytes(type) == 8 ? RegisterClass::twice : RegisterClass::word;
  }
}

LiveRegisters live_registers(const ptx::Function& function, const Flow& flow) {
  LiveRegisters live;
  live.is_read.assign(function.registers.size(), false);
  live.lifetimes.resize(function.registers.size());
  for (std::int32_t i = 0; i < std::ssize(function.body); ++i) {
    ptx::visit_uses(function.body[i], [&](std::int32_t r) {
      live.lifetimes[r].cover(2 * i, 2 * i);
      live.is_read[r] = true;
    });
    ptx::visit_defs(function.body[i],
                    [&](std::int32_t r) { live.lifetimes[r].cover(2 * i + 1, 2 * i + 1); });
  }
  ptx::ControlFlow blocks;
  for (auto& before : predecessors(successors(flow))) {
    const FlowBlock& block = flow.blocks[blocks.blocks.size()];
    blocks.blocks.push_back({block.first, block.last, {}, std::move(before), -1});
  }
  const auto into = [&](std::int32_t reg, std::int32_t block) {
    if (block == 0 && (live.unset.empty() || live.unset.back() != reg)) live.unset.push_back(reg);
    // 0: what lives from the beginning on
    const std::int32_t first = flow.blocks[block].first;
    live.lifetimes[reg].cover(std::max(0, 2 * first - 1), 2 * first);
  };
  const auto out_of = [&](std::int32_t reg, std::int32_t block, bool) {
    const std::int32_t last = flow.blocks[block].last;
    live.lifetimes[reg].cover(2 * last - 1, 2 * last);
  };
  live.too_many = !ptx::follow_lives(function, blocks, into, out_of);
  return live;
}

RegisterSlots assign_registers(const ptx::Function& function, LiveRegisters live,
                               const std::vector<bool>& apart) {
  const std::size_t count = function.registers.size();
  RegisterSlots slots;
  slots.number.assign(count, -1);
  slots.is_read = std::move(live.is_read);
  slots.unset = std::move(live.unset);
  struct Interval {
    std::int32_t begin, end, id;
  };
  std::vector<Interval> intervals;
  for (std::size_t r = 0; r < count; ++r)
    if (const Lifetime& life = live.lifetimes[r]; life.end >= 0)
      intervals.push_back({life.begin, life.end, static_cast<std::int32_t>(r)});
  std::ranges::sort(intervals, [](const Interval& a, const Interval& b) {
    return std::pair(a.begin, a.id) < std::pair(b.begin, b.id);
  });

  using Ending = std::pair<std::int32_t, std::int32_t>;  // end position, slot
  // of each class, and of those apart
  std::array<std::priority_queue<Ending, std::vector<Ending>, std::greater<>>, 4> active;
  std::array<std::vector<std::int32_t>, 4> free_slots;
  std::array<std::uint32_t, 2> used{0, 0};
  for (const auto& interval : intervals) {
    const auto id = static_cast<std::size_t>(interval.id);
    const auto cls = class_of(function.registers[id].type);
    if (cls == RegisterClass::unsupported) continue;
    if (cls == RegisterClass::predicate) {
      slots.number[id] = static_cast<std::int32_t>(slots.predicates++);
      continue;
    }
    const std::size_t width = cls == RegisterClass::twice ? 1 : 0,
                      c = width + (!apart.empty() && apart[id] ? 2 : 0);
    while (!active[c].empty() && active[c].top().first < interval.begin) {
      free_slots[c].push_back(active[c].top().second);
      active[c].pop();
    }
    std::int32_t slot;
    if (free_slots[c].empty()) {
      slot = static_cast<std::int32_t>(used[width]++);
    } else {
      slot = free_slots[c].back();
      free_slots[c].pop_back();
    }
    slots.number[id] = slot;
    active[c].emplace(interval.end, slot);
  }
  slots.words = used[0];
  slots.doubles = used[1];
  return slots;
}

}  // namespace labkit::simt
