// Instructions between the lanes of a warp: shfl, vote, match, redux, elect, bar.warp, and those on matrices (matrix.h). All have a member mask in s[3]:
// lanes that it names and that have not exited must take part. A split that comes without them waits; when those that
// wait make up the members, the instruction is done for all of them at once.
#include <utility>

#include "simt/worker.h"

namespace labkit::simt {
namespace {

std::uint32_t members_of(const std::byte* registers, const Op& op, std::uint32_t lanes) {
  const auto* masks = words_at(registers + op.s[3]);
  std::uint32_t all = 0;
  for (const std::uint32_t i : LanesOf(lanes)) all |= masks[i];
  return all;
}

}  // namespace

bool Worker::warp_wide(Warp& warp, const Op& op, std::uint32_t mask) {
  auto& split = warp.split(warp.current);
  if ((members_of(registers, op, mask) & warp.live & ~mask) == 0) {
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
    std::byte* const before = std::exchange(registers, warp.registers);
    exchange(warp, op, together);
    registers = before;
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
  const auto* members = words(op.s[3]);
  for (std::uint32_t rest = mask; rest != 0;) {
    const std::uint32_t group = members[first_lane(rest)];
    const std::uint32_t lanes = rest & lanes_where([&](auto i) { return members[i] == group; });
    rest &= ~lanes;
    observer_->on_warp_sync(block_, warp.number, lanes | (group & warp.begun & ~warp.live));
  }
}

void Worker::report_stray_exchange(const Warp& warp, const Op& op, std::uint32_t mask,
                                   std::uint32_t stray) {
  const auto* members = words(op.s[3]);
  const std::uint32_t first = members[first_lane(mask)];
  // of shfl.idx the lane, which many take modulo 32 on purpose
  const bool goes_far = op.kind == OpKind::shuffle && op.imm <= 2;
  const std::uint32_t distance = goes_far ? words(op.s[1])[first_lane(mask)] : 0;
  std::uint32_t different = ~first & mask;  // nearly always: one mask, which names all
  for (const std::uint32_t i : LanesOf(mask)) different |= members[i] ^ first;
  if ((different | stray) == 0 && distance < kLanes) return;
  StrayExchange exchange{.block = block_,
                         .warp = warp.number,
                         .instruction = op.index,
                         .lanes = mask,
                         .stray = stray,
                         .distance = distance < kLanes ? 0 : distance};
  for (const std::uint32_t i : LanesOf(mask)) {
    if (!(members[i] >> i & 1)) exchange.unnamed |= 1u << i;
    for (const std::uint32_t named : LanesOf(members[i] & mask))
      if (members[named] != members[i]) exchange.differing |= 1u << i;
  }
  if ((exchange.unnamed | exchange.differing | stray | exchange.distance) != 0)
    observer_->on_stray_exchange(exchange);
}

/// PTX ISA, shfl.sync: c holds the clamp in bits 0..4 and the segment mask in bits 8..12.
std::uint32_t Worker::source_lane(const Op& op, std::uint32_t lane, bool& inside) const {
  const std::uint32_t b = words(op.s[1])[lane] & 31, c = words(op.s[2])[lane], clamp = c & 31,
                      segment = c >> 8 & 31;
  const std::uint32_t least = lane & segment, most = least | (clamp & ~segment);
  const std::uint32_t from = op.imm == 0   ? lane - b
                             : op.imm == 1 ? lane + b
                             : op.imm == 2 ? lane ^ b
                                           : least | (b & ~segment);
  inside = op.imm == 0 ? static_cast<std::int32_t>(from) >= static_cast<std::int32_t>(most)
                       : from <= most;
  return inside ? from & 31 : lane;
}

std::uint32_t Worker::shuffle(const Op& op, Slot given, std::uint32_t* values) const {
  return lanes_where([&](std::uint32_t i) {
    bool inside = false;
    // a lane that does not take part has nothing to give: its register as it is
    values[i] = words(given)[source_lane(op, i, inside)];
    return inside;
  });
}

std::uint32_t Worker::stray_lanes(const Op& op, std::uint32_t mask) const {
  const auto* members = words(op.s[3]);
  std::uint32_t all = mask;
  for (const std::uint32_t i : LanesOf(mask)) all &= members[i];
  if (all == kAllLanes) return 0;
  return mask & lanes_where([&](std::uint32_t i) {
           bool inside = false;
           return !((members[i] & mask) >> source_lane(op, i, inside) & 1);
         });
}

void Worker::exchange(Warp& warp, const Op& op, std::uint32_t mask) {
  if (op.kind == OpKind::matrix) {
    matrix(op, mask);
    return;
  }
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
  const auto* members = words(op.s[3]);
  alignas(64) std::uint32_t values[kLanes] = {};
  std::uint32_t bits = 0;
  switch (op.kind) {
    case OpKind::shuffle:
      bits = shuffle(op, op.s[0], values);
      break;
    case OpKind::vote: {
      const std::uint32_t p = read_predicate(op, 0);
      bits = lanes_where([&](std::uint32_t i) {
        const std::uint32_t voters = members[i] & mask, yes = p & voters;
        values[i] = yes;
        return op.imm == 0 ? yes == voters : op.imm == 1 ? yes != 0 : yes == voters || yes == 0;
      });
      if (op.imm != 3) return write_predicate(op.d, bits, mask);
      break;
    }
    case OpKind::match: {
      const bool all = op.imm & 1, wide = op.imm & 2;
      const auto value = [&](std::uint32_t i) { return read_lane(registers + op.s[0], wide, i); };
      bits = lanes_where([&](std::uint32_t i) {
        std::uint32_t same = 0;
        for (const std::uint32_t j : LanesOf(members[i] & mask))
          if (value(j) == value(i)) same |= 1u << j;
        const bool everyone = same == (members[i] & mask);
        values[i] = all && !everyone ? 0 : same;
        return everyone;
      });
      break;
    }
    case OpKind::redux: {
      const auto joined = [&](std::uint32_t a, std::uint32_t b) {
        const bool is_signed = op.imm & 8;
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
      for (std::uint32_t i = 0; i < kLanes; ++i) {
        const std::uint32_t all = members[i] & mask;
        if (all == 0) continue;
        values[i] = words(op.s[0])[first_lane(all)];
        for (const std::uint32_t j : LanesOf(all & (all - 1)))
          values[i] = joined(values[i], words(op.s[0])[j]);
      }
      break;
    }
    case OpKind::elect:
      bits = lanes_where([&](std::uint32_t i) {
        const std::uint32_t all = members[i] & mask;
        values[i] = all == 0 ? 0 : first_lane(all);
        return values[i] == i;
      });
      break;
    default:
      return;
  }
  write32(op.d, values, mask);
  write_predicate(op.d2, bits, mask);
}

}  // namespace labkit::simt
