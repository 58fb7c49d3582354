// Undefined bits on their way through registers. What they are and when they matter stands in definedness.h.
#include "simt/definedness.h"

#include <algorithm>
#include <bit>
#include <string_view>

#include "simt/instruction_table.h"
#include "simt/worker.h"

namespace labkit::simt {
namespace {

using Kind = ShadowRule::Kind;
/// By the beginning of a row's spelling.
struct NamedRule {
  std::string_view spelling;
  Kind kind;
  std::uint8_t data = 0;
};
constexpr NamedRule kRules[] = {
    {"mov.", Kind::moves, 1},      {"shl.", Kind::moves, 1},
    {"shr.", Kind::moves, 1},      {"shf.", Kind::moves, 3},
    {"prmt.", Kind::moves, 3},     {"bfe.", Kind::moves, 1},
    {"bfi.", Kind::moves, 3},      {"brev.", Kind::moves, 1},
    {"selp.", Kind::moves, 3},     {"slct.", Kind::moves, 3},
    {"not.", Kind::keeps},         {"xor.", Kind::keeps},
    {"and.", Kind::ands},          {"or.", Kind::ors},
    {"cvt.sat?.", Kind::moves, 1},  // from integer to integer: nothing is rounded
};

ShadowRule rule_of(const InstructionRow& row) {
  ShadowRule rule;
  rule.result = row.operands[0];
  rule.letters = row.operands.substr(2);
  rule.shifts = row.spelling.starts_with("shl.") || row.spelling.starts_with("shr.");
  for (const auto& [spelling, kind, data] : kRules)
    if (row.spelling.starts_with(spelling)) {
      rule.kind = kind;
      rule.data = data;
    }
  return rule;
}

/// Whether an undefined guard decides about more than the instruction's own result.
bool has_effect(OpKind kind) {
  static constexpr bool kHasEffect[] = {
#define KIND(name, units, has_effect) has_effect,
#include "simt/op_kinds.def"
#undef KIND
  };
  return kHasEffect[static_cast<std::size_t>(kind)];
}

/// Bits of `a op b` that stay undefined: where one operand decides, the other does not matter.
std::uint64_t undefined_and(std::uint64_t a, std::uint64_t undefined_a, std::uint64_t b,
                            std::uint64_t undefined_b) {
  return (undefined_a & (b | undefined_b)) | (undefined_b & (a | undefined_a));
}
std::uint64_t undefined_or(std::uint64_t a, std::uint64_t undefined_a, std::uint64_t b,
                           std::uint64_t undefined_b) {
  return undefined_and(~a, undefined_a, ~b, undefined_b);
}

/// All bits of the bytes that have one.
std::uint64_t whole_bytes(std::uint64_t bits) {
  std::uint64_t result = 0;
  for (unsigned b = 0; b < 64; b += 8)
    if ((bits >> b & 0xFF) != 0) result |= std::uint64_t{0xFF} << b;
  return result;
}

constexpr std::size_t kMostOrigins = 1u << 16;  ///< a host thread

}  // namespace

LaunchShadow::LaunchShadow(Memory::Impl& memory)
    : memory_(memory), shadows_(memory.allocations.size()) {
  for (const auto& row : instruction_rows()) {
    if (row.chapter == Chapter::system) continue;
    auto& rules = rules_[static_cast<std::size_t>(row.chapter)];
    if (rules.size() <= row.number) rules.resize(row.number + 1u);
    rules[row.number] = rule_of(row);
  }
  for (std::size_t k = 0; k < shadows_.size(); ++k) {
    auto& allocation = memory.allocations[k];
    if (allocation.undefined.empty() && !allocation.written)
      allocation.undefined = std::vector<std::uint8_t>(allocation.contents.size(), kNeverWritten);
    shadows_[k] = allocation.undefined.data();
  }
}

void note_use(UseTable& table, const UndefinedUse& use) {
  const auto [at, is_new] = table.try_emplace({use.kind, use.instruction, use.origin}, use);
  if (is_new) return;
  const auto count = at->second.count + use.count;
  if (use.block < at->second.block) at->second = use;
  at->second.count = count;
}

std::byte* Worker::shadow_of(Slot slot) const { return registers + program_.register_bytes + slot; }

namespace {

void set_flag(WarpShadow& shadow, Slot slot, bool any, bool any_new, std::uint32_t origin) {
  auto& flag = shadow.undefined[slot / 4];
  shadow.count += static_cast<std::uint32_t>(any) - flag;
  flag = any;
  if (any_new) shadow.origin[slot / 4] = origin;
}

}  // namespace

void Worker::set_shadow(Slot slot, bool is_64_bit, const std::uint64_t* bits, std::uint32_t mask,
                        std::uint32_t origin) {
  if (slot == kNoSlot) return;
  std::byte* const to = shadow_of(slot);
  std::uint64_t any = 0, any_new = 0;
  for (std::size_t i = 0; i < kLanes; ++i) {
    if (mask >> i & 1) {
      write_lane(to, is_64_bit, i, bits[i]);
      any_new |= read_lane(to, is_64_bit, i);
    }
    any |= read_lane(to, is_64_bit, i);
  }
  set_flag(*warp_shadow_, slot, any != 0, any_new != 0, origin);
}
void Worker::set_shadow_predicate(Slot slot, std::uint32_t bits, std::uint32_t mask,
                                  std::uint32_t origin) {
  if (slot == kNoSlot) return;
  auto* to = words_at(shadow_of(slot));
  *to = (*to & ~mask) | (bits & mask);
  set_flag(*warp_shadow_, slot, *to != 0, (bits & mask) != 0, origin);
}

void Worker::define(Slot slot, char letter, std::uint32_t mask) {
  if (!is_undefined(slot)) return;
  static constexpr std::uint64_t kZero[kLanes] = {};
  if (letter == 'p')
    set_shadow_predicate(slot, 0, mask, 0);
  else
    set_shadow(slot, letter == 'l', kZero, mask, 0);
}

std::uint32_t Worker::undefined_lanes(Slot slot, char letter) const {
  if (letter == 'i' || !is_undefined(slot)) return 0;
  if (letter == 'p') return *words_at(shadow_of(slot));
  const std::uint64_t counts = letter == 'h' ? 0xFFFF : ~0ull;
  return lanes_where([&](std::uint32_t i) {
    return (read_lane(shadow_of(slot), letter == 'l', i) & counts) != 0;
  });
}

std::uint32_t Worker::new_origin(const UndefinedUse& origin) {
  // one for each instruction of a warp, while there are not too many: what a message needs
  auto key = origin.block << 32 ^ std::uint64_t{origin.origin} << 5 ^ origin.origin_thread / kLanes;
  if (undefined_stores.origins.size() > kMostOrigins) key = ~std::uint64_t{origin.origin};
  const auto [at, is_new] =
      origin_index_.try_emplace(key, static_cast<std::uint32_t>(undefined_stores.origins.size()));
  if (is_new) {
    undefined_stores.origins.push_back(origin);
    undefined_stores.lanes.emplace_back();
  }
  return at->second;
}

void Worker::note_undefined(UndefinedUse::Kind kind, std::uint32_t instruction, std::uint32_t lane,
                            std::uint32_t origin) {
  const std::uint32_t thread = warp_->number * kLanes + lane;
  UndefinedUse use = undefined_stores.from(origin, block_, thread);
  use.kind = kind;
  use.instruction = instruction;
  use.block = block_;
  use.thread = thread;
  note_use(undefined_uses, use);
}

void Worker::follow(const Op& op, std::uint32_t mask, std::uint32_t m) {
  const auto& shadow = *warp_shadow_;
  std::uint32_t always = 0;  // lanes of which it is not known whether they have a result
  if (is_undefined(op.guard)) {
    always = undefined_lanes(op.guard, 'p') & mask;
    if (always != 0 && has_effect(op.kind)) {
      note_undefined(UndefinedUse::Kind::predicate, op.index, first_lane(always),
                     shadow.origin[op.guard / 4]);
      always = 0;
    }
  }
  if ((m | always) == 0) return;
  auto decides = [&](UndefinedUse::Kind kind, Slot slot, char letter) {
    const std::uint32_t lanes = undefined_lanes(slot, letter) & m;
    if (lanes != 0) note_undefined(kind, op.index, first_lane(lanes), shadow.origin[slot / 4]);
  };
  const auto locates = [&](Slot slot, std::uint32_t memory) {
    decides(UndefinedUse::Kind::address, slot,
            program_.memory_ops[memory].base_is_32_bit ? 'w' : 'l');
  };
  if (has_row(op.kind)) return follow_row(op, m, always);
  switch (op.kind) {
    case OpKind::load:
    case OpKind::store:
    case OpKind::atomic:
      return locates(op.s[0], op.aux);
    case OpKind::async_copy:
      locates(op.s[0], op.aux);
      return locates(op.s[1], op.aux - 1);
    case OpKind::mbarrier: {
      const auto& what = program_.mbarriers[op.target];
      if (what.kind == MbarrierOp::Kind::pending_count) return;
      locates(op.s[0], what.kind == MbarrierOp::Kind::bulk ? op.aux : what.barrier);
      if (what.kind != MbarrierOp::Kind::bulk) return;
      locates(op.s[1], op.aux - 1);
      return locates(op.s[3], what.barrier);
    }
    case OpKind::matrix:
      m &= program_.matrices[op.target].address_lanes;
      return op.s[0] == kNoSlot ? void() : locates(op.s[0], op.aux);
    case OpKind::image:
      decides(UndefinedUse::Kind::address, op.s[0], 'l');
      for (int n = 1; n < 4; ++n)
        if (op.s[n] != kNoSlot) decides(UndefinedUse::Kind::address, op.s[n], 'w');
      return;
    case OpKind::branch_table:
      return decides(UndefinedUse::Kind::predicate, op.s[0], 'w');
    default:
      return follow_other(op, m | always);
  }
}

void Worker::follow_row(const Op& op, std::uint32_t m, std::uint32_t always) {
  const auto& rule = launch_.shadow->rule(op.row);
  const auto& shadow = *warp_shadow_;
  const std::uint32_t lanes = m | always;
  const bool is_predicate = op.kind == OpKind::mask || op.kind == OpKind::set_predicate ||
                            op.kind == OpKind::set_predicate_pair;
  const char result = is_predicate ? 'p' : op.kind == OpKind::lanes64 ? 'l' : 'w';
  std::uint32_t undefined[4] = {}, all = 0,
                origin = op.guard == kNoSlot ? 0 : shadow.origin[op.guard / 4];
  bool any = always != 0;
  for (std::size_t k = 0; k < rule.letters.size(); ++k) {
    if (rule.letters[k] == 'i' || !is_undefined(op.s[k])) continue;
    undefined[k] = undefined_lanes(op.s[k], rule.letters[k]);
    all |= undefined[k];
    any = true;
    origin = shadow.origin[op.s[k] / 4];
  }
  const bool combined = op.bool_op != BoolOp::none;
  const std::uint32_t other = combined ? undefined_lanes(op.s[2], 'p') : 0;
  if (other != 0) {
    any = true;
    origin = shadow.origin[op.s[2] / 4];
  }
  if (!any) {
    define(op.d, result, lanes);
    if (op.d2 != kNoSlot) define(op.d2, 'p', lanes);
    return;
  }
  if (is_predicate || op.kind == OpKind::set_value) {
    std::uint64_t bits = all;
    if (rule.kind == Kind::ands || rule.kind == Kind::ors) {
      const auto undefined_bits = rule.kind == Kind::ands ? undefined_and : undefined_or;
      bits =
          undefined_bits(read_predicate(op, 0), undefined[0], read_predicate(op, 1), undefined[1]);
    }
    std::uint64_t second = bits;
    if (combined) {
      const std::uint32_t compared = op.run.mask(registers, op);
      const std::uint32_t c = *words(op.s[2]) ^ static_cast<std::uint32_t>(op.imm);
      auto join = [&](std::uint32_t value) -> std::uint64_t {
        return op.bool_op == BoolOp::and_  ? undefined_and(value, all, c, other)
               : op.bool_op == BoolOp::or_ ? undefined_or(value, all, c, other)
                                           : all | other;
      };
      bits = join(compared);
      second = join(~compared);
    }
    const auto first = static_cast<std::uint32_t>(bits) | always;
    if (op.kind == OpKind::set_value) return set_whole_lanes(op.d, false, first, lanes, origin);
    set_shadow_predicate(op.d, first, lanes, origin);
    set_shadow_predicate(op.d2, static_cast<std::uint32_t>(second) | always, lanes, origin);
    return;
  }
  alignas(64) std::uint64_t bits[kLanes] = {};
  const bool is_wide = op.kind == OpKind::lanes64;
  const std::uint64_t full = is_wide ? ~0ull : rule.result == 'h' ? 0xFFFF : 0xFFFFFFFF;
  const auto shadow_lane = [&](int source, std::size_t i) {
    return read_lane(shadow_of(op.s[source]), is_wide, i);
  };
  std::uint32_t wholly = always;
  switch (rule.kind) {
    case Kind::moves: {
      Op moved = op;
      for (std::size_t k = 0; k < rule.letters.size(); ++k) {
        if (rule.data >> k & 1)
          moved.s[k] += program_.register_bytes;
        else
          wholly |= undefined[k];
      }
      alignas(64) std::byte result[kLanes * sizeof(std::uint64_t)];
      moved.run.lanes(result, registers, moved);
      for (std::size_t i = 0; i < kLanes; ++i) {
        bits[i] = read_lane(result, is_wide, i);
        // x * 4 of an undefined x is no part of x, bits that were shifted in or not
        if (rule.shifts && shadow_lane(0, i) == full) bits[i] = whole_bytes(bits[i]);
      }
      break;
    }
    case Kind::keeps:  // in their places
      for (std::size_t k = 0; k < rule.letters.size(); ++k)
        for (std::size_t i = 0; i < kLanes; ++i) bits[i] |= shadow_lane(k, i);
      break;
    case Kind::ands:
    case Kind::ors:
      for (std::size_t i = 0; i < kLanes; ++i) {
        const auto undefined_bits = rule.kind == Kind::ands ? undefined_and : undefined_or;
        bits[i] = undefined_bits(read_lane(registers + op.s[0], is_wide, i), shadow_lane(0, i),
                                 read_lane(registers + op.s[1], is_wide, i), shadow_lane(1, i));
      }
      break;
    case Kind::computes:
      wholly |= all;
      break;
  }
  for (int i = 0; i < kLanes; ++i)
    if (wholly >> i & 1) bits[i] = full;
  set_shadow(op.d, is_wide, bits, lanes, origin);
}

/// Of a register, the lanes of which all is undefined.
void Worker::set_whole_lanes(Slot slot, bool is_64_bit, std::uint32_t undefined, std::uint32_t mask,
                             std::uint32_t origin) {
  std::uint64_t bits[kLanes];
  for (int i = 0; i < kLanes; ++i) bits[i] = undefined >> i & 1 ? ~0ull : 0;
  set_shadow(slot, is_64_bit, bits, mask, origin);
}

void Worker::follow_other(const Op& op, std::uint32_t m) {
  const auto& shadow = *warp_shadow_;
  std::uint64_t bits[kLanes] = {};
  std::uint32_t origin = 0;
  switch (op.kind) {
    case OpKind::carry: {
      const char letter = op.imm & 32 ? 'l' : 'w';
      std::uint32_t lanes = 0;
      const auto add = [&](Slot slot, char l) {
        const auto more = undefined_lanes(slot, l);
        if (more != 0) origin = shadow.origin[slot / 4];
        lanes |= more;
      };
      for (const auto slot : {op.s[0], op.s[1], op.s[2]}) add(slot, letter);
      if (op.imm & 1) add(op.d2, 'p');
      set_whole_lanes(op.d, letter == 'l', lanes, m, origin);
      if (op.modifiers & kCarryOut) set_shadow_predicate(op.d2, lanes, m, origin);
      return;
    }
    case OpKind::pack: {
      const auto& packed = program_.packs[op.aux];
      const std::uint64_t keep =
          packed.element_bits == 64 ? ~0ull : (1ull << packed.element_bits) - 1;
      for (std::size_t k = 0; k < packed.elements.size(); ++k) {
        if (!is_undefined(packed.elements[k])) continue;
        origin = shadow.origin[packed.elements[k] / 4];
        for (std::size_t i = 0; i < kLanes; ++i)
          bits[i] |= (read_lane(shadow_of(packed.elements[k]), false, i) & keep)
                     << (k * packed.element_bits);
      }
      return set_shadow(op.d, packed.whole_is_64_bit, bits, m, origin);
    }
    case OpKind::unpack: {
      const auto& packed = program_.packs[op.aux];
      const std::uint64_t keep = (1ull << packed.element_bits) - 1;
      origin = shadow.origin[op.s[0] / 4];
      for (std::size_t k = 0; k < packed.elements.size(); ++k) {
        for (std::size_t i = 0; i < kLanes; ++i)
          bits[i] = read_lane(shadow_of(op.s[0]), packed.whole_is_64_bit, i) >>
                        (k * packed.element_bits) &
                    keep;
        set_shadow(packed.elements[k], false, bits, m, origin);
      }
      return;
    }
    case OpKind::is_space:
      if (is_undefined(op.s[0])) origin = shadow.origin[op.s[0] / 4];
      return set_shadow_predicate(op.d, undefined_lanes(op.s[0], 'l'), m, origin);
    case OpKind::parameter_load:
    case OpKind::parameter_store:
      return follow_parameter(op, m, op.kind == OpKind::parameter_store);
    case OpKind::local_address:
      return define(op.d, op.aux != 0 ? 'l' : 'w', m);
    case OpKind::clock:
      return define(op.d, op.imm & 1 ? 'l' : 'w', m);
    case OpKind::active_mask:
      return define(op.d, 'w', m);
    case OpKind::barrier:
      if ((op.imm & 15) >= 2) define(op.d, (op.imm & 15) == 2 ? 'w' : 'p', m);
      return;
    default:
      return;
  }
}

/// shfl, vote, match, redux and elect, when all lanes have come that take part.
void Worker::follow_exchange(const Op& op, std::uint32_t mask, std::uint32_t stray) {
  const auto& shadow = *warp_shadow_;
  auto origin_of = [&](Slot slot) { return is_undefined(slot) ? shadow.origin[slot / 4] : 0; };
  switch (op.kind) {
    case OpKind::shuffle: {
      const std::uint32_t unknown =
          undefined_lanes(op.s[1], 'w') | undefined_lanes(op.s[2], 'w') | stray;
      std::uint32_t origin =
          unknown != 0 ? origin_of(op.s[1]) | origin_of(op.s[2]) : origin_of(op.s[0]);
      if (stray != 0) {
        const auto lane = first_lane(stray);
        bool inside = false;
        origin = new_origin({.block = block_,
                             .origin = op.index,
                             .origin_space = ptx::Space::reg,
                             .origin_address = source_lane(op, lane, inside),
                             .origin_thread = warp_->number * kLanes + lane});
      }
      if (!is_undefined(op.s[0]) && unknown == 0) {
        define(op.d, 'w', mask);
        return define(op.d2, 'p', mask);
      }
      std::uint32_t given[kLanes];
      shuffle(op, op.s[0] + program_.register_bytes, given);
      std::uint64_t bits[kLanes];
      for (int i = 0; i < kLanes; ++i) bits[i] = unknown >> i & 1 ? ~0u : given[i];
      set_shadow(op.d, false, bits, mask, origin);
      return set_shadow_predicate(op.d2, unknown, mask, origin);
    }
    case OpKind::vote: {
      const std::uint32_t unknown = undefined_lanes(op.s[0], 'p') & mask;
      const std::uint32_t origin = origin_of(op.s[0]);
      if (op.imm != 3) return set_shadow_predicate(op.d, unknown != 0 ? ~0u : 0, mask, origin);
      std::uint64_t bits[kLanes];
      std::fill(std::begin(bits), std::end(bits), unknown);
      return set_shadow(op.d, false, bits, mask, origin);
    }
    case OpKind::match:
    case OpKind::redux: {
      const char letter = op.kind == OpKind::match && op.imm & 2 ? 'l' : 'w';
      const std::uint32_t unknown = (undefined_lanes(op.s[0], letter) & mask) != 0 ? ~0u : 0;
      const std::uint32_t origin = origin_of(op.s[0]);
      set_whole_lanes(op.d, false, unknown, mask, origin);
      return set_shadow_predicate(op.d2, unknown, mask, origin);
    }
    case OpKind::elect:
      define(op.d, 'w', mask);
      return define(op.d2, 'p', mask);
    default:
      return;
  }
}

}  // namespace labkit::simt
