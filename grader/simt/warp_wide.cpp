// Instructions between the lanes of a warp: shfl, vote, match, redux, elect, bar.warp. All have a member mask in s[3]:
// lanes that it names and that have not exited must take part. A split that comes without them waits; when those that
// wait make up the members, the instruction is done for all of them at once.
#include <bit>

#include "simt/worker.h"

namespace labkit::simt {
namespace {

std::uint32_t members_of(const std::byte* registers, const Op& op, std::uint32_t lanes) {
  const auto* masks = reinterpret_cast<const std::uint32_t*>(registers + op.s[3]);
  std::uint32_t all = 0;
  for (int i = 0; i < kLanes; ++i)
    if (lanes >> i & 1) all |= masks[i];
  return all;
}

}  // namespace

bool Worker::warp_wide(Warp& warp, const Op& op, std::uint32_t mask) {
  auto& split = warp.splits[static_cast<std::size_t>(warp.current)];
  if ((members_of(registers_, op, mask) & warp.live & ~mask) == 0) {
    exchange(warp, op, mask);
    return true;
  }
  split.state = SplitState::at_warp_sync;
  split.waiting = mask;
  recheck_warp_sync(warp);
  return false;
}

void Worker::recheck_warp_sync(Warp& warp) {
  const Op* ops = launch_.ops.data();
  for (std::size_t k = 0; k < warp.used_splits; ++k) {
    if (warp.splits[k].state != SplitState::at_warp_sync) continue;
    const Op& op = ops[warp.splits[k].op];
    auto joins = [&, at = warp.splits[k].op](const Split& other) {
      return other.state == SplitState::at_warp_sync &&
             (other.op == at ||
              (op.kind == OpKind::warp_barrier && ops[other.op].kind == OpKind::warp_barrier));
    };
    std::uint32_t together = 0, needed = 0;
    for (const auto& other : warp.splits)
      if (joins(other)) together |= other.waiting;
    for (const auto& other : warp.splits)
      if (joins(other)) needed |= members_of(warp.registers, ops[other.op], other.waiting);
    if ((needed & warp.live & ~together) != 0) continue;
    std::byte* const before = registers_;
    registers_ = warp.registers;
    exchange(warp, op, together);
    registers_ = before;
    for (auto& other : warp.splits)
      if (joins(other)) {
        other.state = SplitState::ready;
        other.waiting = 0;
        ++other.op;
      }
  }
}

/// Tells the observer which lanes have met: those that name one another, and what they name of those that have exited.
/// Lanes that come together may do so in groups of their own (tiles of cooperative groups).
void Worker::report_warp_sync(const Warp& warp, const Op& op, std::uint32_t mask) {
  const auto* members = reinterpret_cast<const std::uint32_t*>(registers_ + op.s[3]);
  for (std::uint32_t rest = mask; rest != 0;) {
    const std::uint32_t group = members[std::countr_zero(rest)];
    std::uint32_t lanes = 0;
    for (std::uint32_t i = 0; i < kLanes; ++i)
      lanes |= static_cast<std::uint32_t>((rest >> i & 1) != 0 && members[i] == group) << i;
    rest &= ~lanes;
    observer_->on_warp_sync(block_, warp.number, lanes | (group & warp.begun & ~warp.live));
  }
}

void Worker::report_stray_exchange(const Warp& warp, const Op& op, std::uint32_t mask,
                                   std::uint32_t stray) {
  const auto* members = reinterpret_cast<const std::uint32_t*>(registers_ + op.s[3]);
  const std::uint32_t first = members[std::countr_zero(mask)];
  std::uint32_t different = ~first & mask;  // nearly always: one mask, which names all
  for (std::uint32_t i = 0; i < kLanes; ++i) different |= mask >> i & 1 ? members[i] ^ first : 0;
  if ((different | stray) == 0) return;
  StrayExchange exchange{
      .block = block_, .warp = warp.number, .instruction = op.index, .lanes = mask, .stray = stray};
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    if (!(mask >> i & 1)) continue;
    if (!(members[i] >> i & 1)) exchange.unnamed |= 1u << i;
    for (std::uint32_t rest = members[i] & mask; rest != 0; rest &= rest - 1)
      if (members[std::countr_zero(rest)] != members[i]) exchange.differing |= 1u << i;
  }
  if ((exchange.unnamed | exchange.differing | stray) != 0) observer_->on_stray_exchange(exchange);
}

/// PTX ISA, shfl.sync: c holds the clamp in bits 0..4 and the segment mask in bits 8..12.
std::uint32_t Worker::source_lane(const Op& op, std::uint32_t lane, bool& inside) const {
  auto word = [&](Slot slot) {
    return reinterpret_cast<const std::uint32_t*>(registers_ + slot)[lane];
  };
  const std::uint32_t b = word(op.s[1]) & 31, c = word(op.s[2]), clamp = c & 31,
                      segment = c >> 8 & 31;
  const std::uint32_t most = (lane & segment) | (clamp & ~segment), least = lane & segment;
  std::uint32_t from;
  switch (op.imm) {
    case 0:
      from = lane - b;
      inside = static_cast<std::int32_t>(from) >= static_cast<std::int32_t>(most);
      break;
    case 1:
      from = lane + b;
      inside = from <= most;
      break;
    case 2:
      from = lane ^ b;
      inside = from <= most;
      break;
    default:
      from = least | (b & ~segment);
      inside = from <= most;
      break;
  }
  return inside ? from & 31 : lane;
}

std::uint32_t Worker::shuffle(const Op& op, Slot given, std::uint32_t* values) const {
  const auto* words = reinterpret_cast<const std::uint32_t*>(registers_ + given);
  std::uint32_t bits = 0;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    bool inside = false;
    // a lane that does not take part has nothing to give: its register as it is
    values[i] = words[source_lane(op, i, inside)];
    bits |= static_cast<std::uint32_t>(inside) << i;
  }
  return bits;
}

std::uint32_t Worker::stray_lanes(const Op& op, std::uint32_t mask) const {
  const auto* members = reinterpret_cast<const std::uint32_t*>(registers_ + op.s[3]);
  std::uint32_t all = mask, stray = 0;
  for (std::uint32_t i = 0; i < kLanes; ++i) all &= mask >> i & 1 ? members[i] : ~0u;
  if (all == kAllLanes) return 0;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    bool inside = false;
    if (mask >> i & 1)
      stray |= static_cast<std::uint32_t>(!((members[i] & mask) >> source_lane(op, i, inside) & 1))
               << i;
  }
  return stray;
}

void Worker::exchange(Warp& warp, const Op& op, std::uint32_t mask) {
  if (observer_ != nullptr || shadow_) {
    const std::uint32_t stray = op.kind == OpKind::shuffle ? stray_lanes(op, mask) : 0;
    if (observer_ != nullptr) {
      if (op.kind == OpKind::warp_barrier) report_warp_sync(warp, op, mask);
      report_stray_exchange(warp, op, mask, stray);
    }
    if (shadow_) {
      auto* const before = warp_shadow_;
      warp_shadow_ = &shadow_->warps[warp.number];
      if (warp_shadow_->count != 0 || stray != 0) follow_exchange(op, mask, stray);
      warp_shadow_ = before;
    }
  }
  auto word = [&](Slot slot, int i) {
    return reinterpret_cast<const std::uint32_t*>(registers_ + slot)[i];
  };
  alignas(64) std::uint32_t values[kLanes] = {};
  std::uint32_t bits = 0;
  switch (op.kind) {
    case OpKind::shuffle:
      bits = shuffle(op, op.s[0], values);
      write32(op.d, values, mask);
      return write_predicate(op.d2, bits, mask);
    case OpKind::vote: {
      const std::uint32_t p = read_predicate(op, 0);
      std::uint32_t result = 0;
      for (int i = 0; i < kLanes; ++i) {
        const std::uint32_t voters = word(op.s[3], i) & mask, yes = p & voters;
        values[i] = yes;
        const bool answer = op.imm == 0   ? yes == voters
                            : op.imm == 1 ? yes != 0
                                          : (yes == voters || yes == 0);
        result |= static_cast<std::uint32_t>(answer) << i;
      }
      if (op.imm == 3) return write32(op.d, values, mask);
      return write_predicate(op.d, result, mask);
    }
    case OpKind::match: {
      const bool all = op.imm & 1, wide = op.imm & 2;
      const auto value = [&](int i) {
        return read_lane(registers_ + op.s[0], wide, static_cast<std::size_t>(i));
      };
      for (int i = 0; i < kLanes; ++i) {
        const std::uint32_t members = word(op.s[3], i) & mask;
        std::uint32_t same = 0;
        for (int j = 0; j < kLanes; ++j)
          if (members >> j & 1 && value(j) == value(i)) same |= 1u << j;
        const bool everyone = same == members;
        values[i] = all && !everyone ? 0 : same;
        bits |= static_cast<std::uint32_t>(everyone) << i;
      }
      write32(op.d, values, mask);
      return write_predicate(op.d2, bits, mask);
    }
    case OpKind::redux: {
      const bool is_signed = op.imm & 8;
      const auto joined = [&](std::uint32_t a, std::uint32_t b) {
        const bool less =
            is_signed ? static_cast<std::int32_t>(b) < static_cast<std::int32_t>(a) : b < a;
        switch (op.imm & 7) {
          case 0:
            return a + b;
          case 1:
            return less ? b : a;
          case 2:
            return less ? a : b;
          case 3:
            return a & b;
          case 4:
            return a | b;
          default:
            return a ^ b;
        }
      };
      for (int i = 0; i < kLanes; ++i) {
        std::uint32_t rest = word(op.s[3], i) & mask;
        if (rest != 0) values[i] = word(op.s[0], std::countr_zero(rest));
        while ((rest &= rest - 1) != 0)
          values[i] = joined(values[i], word(op.s[0], std::countr_zero(rest)));
      }
      return write32(op.d, values, mask);
    }
    case OpKind::elect: {
      for (int i = 0; i < kLanes; ++i) {
        const std::uint32_t members = word(op.s[3], i) & mask;
        const int leader = members == 0 ? 0 : std::countr_zero(members);
        values[i] = static_cast<std::uint32_t>(leader);
        bits |= static_cast<std::uint32_t>(leader == i) << i;
      }
      write32(op.d, values, mask);
      return write_predicate(op.d2, bits, mask);
    }
    default:
      return;
  }
}

}  // namespace labkit::simt
