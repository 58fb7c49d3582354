#include "simt/registers.h"

#include <algorithm>
#include <array>
#include <queue>
#include <string_view>

namespace labkit::simt {
namespace {

bool has_destination(const ptx::Instruction& in) {
  static constexpr std::array<std::string_view, 15> kNone = {
      "st",     "red",   "bra",      "brx",       "call", "ret",       "exit", "trap",
      "membar", "fence", "prefetch", "prefetchu", "cp",   "nanosleep", "brkpt"};
  if (std::find(kNone.begin(), kNone.end(), in.root()) != kNone.end()) return false;
  if (in.root() == "bar" || in.root() == "barrier") return in.has("red");
  return true;
}

void collect(const ptx::Operand& operand, std::vector<std::int32_t>& out) {
  const bool is_register =
      operand.kind == ptx::OperandKind::reg ||
      (operand.kind == ptx::OperandKind::address && operand.base == ptx::OperandKind::reg);
  if (is_register && operand.id >= 0) out.push_back(operand.id);
  for (const auto& element : operand.elements) collect(element, out);
}

using Bits = LiveRegisters::Bits;
bool get(const Bits& bits, std::int32_t i) {
  return bits[static_cast<std::size_t>(i) / 64] >> (i % 64) & 1;
}
void set(Bits& bits, std::int32_t i) { bits[static_cast<std::size_t>(i) / 64] |= 1ull << (i % 64); }
void clear(Bits& bits, std::int32_t i) {
  bits[static_cast<std::size_t>(i) / 64] &= ~(1ull << (i % 64));
}

struct Interval {
  std::int32_t begin = -1, end = -1,
               id = -1;  ///< positions: 2 * instruction + 1 writes, 2 * instruction reads
  void cover(std::int32_t from, std::int32_t to) {
    begin = begin < 0 ? from : std::min(begin, from);
    end = std::max(end, to);
  }
};

}  // namespace

RegisterUse register_use(const ptx::Instruction& instruction) {
  RegisterUse use;
  for (std::size_t k = 0; k < instruction.operands.size(); ++k) {
    const auto& operand = instruction.operands[k];
    const bool written =
        k == 0 && has_destination(instruction) && operand.kind != ptx::OperandKind::address;
    collect(operand, written ? use.writes : use.reads);
  }
  if (instruction.guard >= 0) use.reads.push_back(instruction.guard);
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
  const std::size_t count = function.registers.size(), words = (count + 63) / 64;
  LiveRegisters registers;
  registers.uses.reserve(function.body.size());
  for (const auto& in : function.body) registers.uses.push_back(register_use(in));
  // a guarded write leaves the old value in some lanes, so it ends nothing
  const std::size_t n = flow.blocks.size();
  auto& live_in = registers.in;
  live_in.assign(n, Bits(words));
  registers.out.assign(n, Bits(words));
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = n; b-- > 0;) {
      const auto& block = flow.blocks[b];
      Bits live(words);
      auto join = [&](std::int32_t s) {
        if (s >= 0)
          for (std::size_t w = 0; w < words; ++w)
            live[w] |= live_in[static_cast<std::size_t>(s)][w];
      };
      join(block.taken);
      join(block.fallthrough);
      for (const auto s : block.table) join(s);
      registers.out[b] = live;
      for (std::int32_t i = block.last; i-- > block.first;) {
        const auto k = static_cast<std::size_t>(i);
        if (function.body[k].guard < 0)
          for (const auto r : registers.uses[k].writes) clear(live, r);
        for (const auto r : registers.uses[k].reads) set(live, r);
      }
      if (live != live_in[b]) {
        live_in[b] = std::move(live);
        changed = true;
      }
    }
  }
  for (std::int32_t r = 0; n != 0 && r < static_cast<std::int32_t>(count); ++r)
    if (get(live_in[0], r)) registers.unset.push_back(r);
  return registers;
}

RegisterSlots assign_registers(const ptx::Function& function, const Flow& flow, LiveRegisters live,
                               const std::vector<bool>& apart) {
  const std::size_t count = function.registers.size(), n = flow.blocks.size();
  const auto& uses = live.uses;
  RegisterSlots slots;
  slots.number.assign(count, -1);
  slots.is_read.assign(count, false);
  for (const auto& use : uses)
    for (const auto r : use.reads) slots.is_read[static_cast<std::size_t>(r)] = true;
  slots.unset = std::move(live.unset);
  std::vector<Interval> intervals(count);
  for (std::size_t b = 0; b < n; ++b) {
    const auto& block = flow.blocks[b];
    for (std::int32_t r = 0; r < static_cast<std::int32_t>(count); ++r) {
      auto& interval = intervals[static_cast<std::size_t>(r)];
      // 0: what lives from the beginning on
      if (get(live.in[b], r)) interval.cover(std::max(0, 2 * block.first - 1), 2 * block.first);
      if (get(live.out[b], r)) interval.cover(2 * block.last - 1, 2 * block.last);
    }
    for (std::int32_t i = block.first; i < block.last; ++i) {
      for (const auto r : uses[static_cast<std::size_t>(i)].reads)
        intervals[static_cast<std::size_t>(r)].cover(2 * i, 2 * i);
      for (const auto r : uses[static_cast<std::size_t>(i)].writes)
        intervals[static_cast<std::size_t>(r)].cover(2 * i + 1, 2 * i + 1);
    }
  }
  for (std::size_t r = 0; r < count; ++r) intervals[r].id = static_cast<std::int32_t>(r);
  std::erase_if(intervals, [](const Interval& i) { return i.end < 0; });
  std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) {
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
