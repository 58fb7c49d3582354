#include "simt/registers.h"

#include <algorithm>
#include <array>
#include <queue>
#include <utility>

#include "ptx/defs.h"

namespace labkit::simt {
namespace {

/// Pairs of a register and a block that it lives in: solutions have some thousands.
constexpr std::size_t kMostLive = std::size_t{1} << 24;

/// What a block does with a register.
struct Mention {
  std::int32_t reg = 0, block = 0;
  bool upward = false;  ///< read before it is written
  bool kills = false;   ///< written; a guarded write leaves the old value in some lanes
};

/// By register, then by block.
std::vector<Mention> mentions_of(const ptx::Function& function, const Flow& flow,
                                 const std::vector<RegisterUse>& uses) {
  std::vector<Mention> mentions;
  std::vector<std::size_t> latest(function.registers.size());  // of each register
  for (std::size_t b = 0; b < flow.blocks.size(); ++b) {
    const std::size_t begin = mentions.size();
    const auto mention = [&](std::int32_t reg) -> Mention& {
      std::size_t& at = latest[reg];
      if (at < begin || at >= mentions.size() || mentions[at].reg != reg) {
        at = mentions.size();
        mentions.push_back({reg, static_cast<std::int32_t>(b)});
      }
      return mentions[at];
    };
    for (auto i = static_cast<std::size_t>(flow.blocks[b].first);
         i < static_cast<std::size_t>(flow.blocks[b].last); ++i) {
      for (const auto r : uses[i].reads) {
        Mention& m = mention(r);
        m.upward = m.upward || !m.kills;
      }
      for (const auto r : uses[i].writes) {
        Mention& m = mention(r);
        m.kills = m.kills || function.body[i].guard < 0;
      }
    }
  }
  std::ranges::stable_sort(mentions,
                           [](const Mention& a, const Mention& b) { return a.reg < b.reg; });
  return mentions;
}

}  // namespace

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

/// Of each register, back from where it is read to where it is written.
LiveRegisters live_registers(const ptx::Function& function, const Flow& flow) {
  LiveRegisters live;
  live.uses.reserve(function.body.size());
  for (const auto& in : function.body) live.uses.push_back(register_use(in));
  live.lifetimes.resize(function.registers.size());
  const std::size_t n = flow.blocks.size();
  for (std::size_t i = 0; i < live.uses.size(); ++i) {
    const auto at = 2 * static_cast<std::int32_t>(i);
    for (const auto r : live.uses[i].reads) live.lifetimes[r].cover(at, at);
    for (const auto r : live.uses[i].writes) live.lifetimes[r].cover(at + 1, at + 1);
  }
  const auto mentions = mentions_of(function, flow, live.uses);
  const auto before = predecessors(successors(flow));
  std::vector<std::int32_t> out_for(n, -1), mention_for(n, -1);  // the last register of which so
  std::vector<const Mention*> mention_in(n, nullptr);
  std::size_t lives = 0;
  for (std::size_t m = 0; m < mentions.size();) {
    const std::int32_t reg = mentions[m].reg;
    Lifetime& lifetime = live.lifetimes[reg];
    std::vector<std::int32_t> in;  // blocks that it lives into
    for (; m < mentions.size() && mentions[m].reg == reg; ++m) {
      const auto b = static_cast<std::size_t>(mentions[m].block);
      mention_for[b] = reg;
      mention_in[b] = &mentions[m];
      if (mentions[m].upward) in.push_back(mentions[m].block);
    }
    bool is_unset = false;
    while (!in.empty()) {
      const auto b = static_cast<std::size_t>(in.back());
      in.pop_back();
      is_unset = is_unset || b == 0;
      // 0: what lives from the beginning on
      const std::int32_t first = flow.blocks[b].first;
      lifetime.cover(std::max(0, 2 * first - 1), 2 * first);
      for (const std::size_t p : before[b]) {
        if (std::exchange(out_for[p], reg) == reg) continue;
        if (++lives > kMostLive) {
          live.too_many = true;
          return live;
        }
        const std::int32_t last = flow.blocks[p].last;
        lifetime.cover(2 * last - 1, 2 * last);
        const bool is_mentioned = mention_for[p] == reg;
        if (!is_mentioned || (!mention_in[p]->kills && !mention_in[p]->upward))
          in.push_back(static_cast<std::int32_t>(p));
      }
    }
    if (is_unset) live.unset.push_back(reg);
  }
  return live;
}

RegisterSlots assign_registers(const ptx::Function& function, LiveRegisters live,
                               const std::vector<bool>& apart) {
  const std::size_t count = function.registers.size();
  RegisterSlots slots;
  slots.number.assign(count, -1);
  slots.is_read.assign(count, false);
  for (const auto& use : live.uses)
    for (const auto r : use.reads) slots.is_read[r] = true;
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
