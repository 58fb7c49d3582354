// Undefined bits on their way through registers. What they are and when they matter stands in definedness.h.
#include "simt/definedness.h"

#include <bit>
#include <cstring>
#include <string_view>

#include "simt/instruction_table.h"
#include "simt/worker.h"

namespace labkit::simt {
namespace {

/// Rows that only move bits: the beginning of their id, and which sources are moved.
struct Mover {
  std::string_view id;
  std::uint8_t data;
};
constexpr Mover kMovers[] = {{"mov_", 1}, {"shl_", 1}, {"shr_", 1},  {"shf_", 3},  {"prmt_", 3},
                             {"bfe_", 1}, {"bfi_", 3}, {"brev_", 1}, {"selp_", 3}, {"slct_", 3}};

bool is_integer_cvt(const InstructionRow& row) {
  if (!row.id.starts_with("cvt_")) return false;
  auto rest = row.id.substr(4);
  const auto bar = rest.find('_');
  auto is_integer = [](std::string_view word) {
    return word.size() >= 2 && (word[0] == 'u' || word[0] == 's') && word[1] >= '1' &&
           word[1] <= '8';
  };
  return bar != std::string_view::npos && is_integer(rest.substr(0, bar)) &&
         is_integer(rest.substr(bar + 1)) && rest.find('_', bar + 1) == std::string_view::npos;
}

ShadowRule rule_of(const InstructionRow& row) {
  ShadowRule rule;
  rule.result = row.operands[0];
  const auto letters = row.operands.substr(2);
  for (std::size_t k = 0; k < letters.size() && k < 4; ++k) rule.letters[k] = letters[k];
  for (const auto& mover : kMovers)
    if (row.id.starts_with(mover.id)) {
      rule.kind = ShadowRule::Kind::moves;
      rule.data = mover.data;
    }
  rule.shifts = row.id.starts_with("shl_") || row.id.starts_with("shr_");
  if (is_integer_cvt(row)) {
    rule.kind = ShadowRule::Kind::moves;
    rule.data = 1;
  }
  if (row.id.starts_with("not_") || row.id.starts_with("xor_")) rule.kind = ShadowRule::Kind::keeps;
  if (row.id.starts_with("and_")) rule.kind = ShadowRule::Kind::ands;
  if (row.id.starts_with("or_")) rule.kind = ShadowRule::Kind::ors;
  return rule;
}

/// Whether an undefined guard decides about more than the instruction's own result.
bool has_effect(OpKind kind) {
  switch (kind) {
    case OpKind::lanes32:
    case OpKind::lanes64:
    case OpKind::mask:
    case OpKind::set_predicate:
    case OpKind::set_predicate_pair:
    case OpKind::set_value:
    case OpKind::carry:
    case OpKind::pack:
    case OpKind::unpack:
    case OpKind::local_address:
    case OpKind::is_space:
    case OpKind::parameter_load:
    case OpKind::active_mask:
    case OpKind::clock:
    case OpKind::async_commit:
    case OpKind::nothing:
      return false;
    default:
      return true;
  }
}

/// Bits of `a op b` that stay undefined: where one operand decides, the other does not matter.
template <typename T>
T undefined_and(T a, T undefined_a, T b, T undefined_b) {
  return static_cast<T>((undefined_a & (b | undefined_b)) | (undefined_b & (a | undefined_a)));
}
template <typename T>
T undefined_or(T a, T undefined_a, T b, T undefined_b) {
  return undefined_and<T>(static_cast<T>(~a), undefined_a, static_cast<T>(~b), undefined_b);
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

LaunchShadow::LaunchShadow(const Program&, Memory::Impl& memory)
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
      allocation.undefined.assign(allocation.contents.size(), kNeverWritten);
    shadows_[k] = allocation.undefined.empty() ? nullptr : allocation.undefined.data();
  }
}
LaunchShadow::~LaunchShadow() = default;

void note_use(UseTable& table, const UndefinedUse& use) {
  const auto [at, is_new] = table.try_emplace({use.kind, use.instruction, use.origin}, use);
  if (is_new) return;
  const auto count = at->second.count + use.count;
  if (use.block < at->second.block) at->second = use;
  at->second.count = count;
}

std::uint32_t* Worker::shadow32(Slot slot) const {
  return reinterpret_cast<std::uint32_t*>(registers_ + program_.register_bytes + slot);
}
std::uint64_t* Worker::shadow64(Slot slot) const {
  return reinterpret_cast<std::uint64_t*>(registers_ + program_.register_bytes + slot);
}

namespace {

void set_flag(WarpShadow& shadow, Slot slot, bool any, bool any_new, std::uint32_t origin) {
  auto& flag = shadow.undefined[slot / 4];
  shadow.count += static_cast<std::uint32_t>(any) - flag;
  flag = any;
  if (any_new) shadow.origin[slot / 4] = origin;
}

template <typename T>
void set_lanes(WarpShadow& shadow, T* to, Slot slot, const T* bits, std::uint32_t mask,
               std::uint32_t origin) {
  T any = 0, any_new = 0;
  for (int i = 0; i < kLanes; ++i) {
    const bool on = mask >> i & 1;
    to[i] = on ? bits[i] : to[i];
    any_new |= on ? bits[i] : 0;
    any |= to[i];
  }
  set_flag(shadow, slot, any != 0, any_new != 0, origin);
}

}  // namespace

void Worker::set_shadow32(Slot slot, const std::uint32_t* bits, std::uint32_t mask,
                          std::uint32_t origin) {
  if (slot != kNoSlot) set_lanes(*warp_shadow_, shadow32(slot), slot, bits, mask, origin);
}
void Worker::set_shadow64(Slot slot, const std::uint64_t* bits, std::uint32_t mask,
                          std::uint32_t origin) {
  if (slot != kNoSlot) set_lanes(*warp_shadow_, shadow64(slot), slot, bits, mask, origin);
}
void Worker::set_shadow_predicate(Slot slot, std::uint32_t bits, std::uint32_t mask,
                                  std::uint32_t origin) {
  if (slot == kNoSlot) return;
  auto* to = shadow32(slot);
  *to = (*to & ~mask) | (bits & mask);
  set_flag(*warp_shadow_, slot, *to != 0, (bits & mask) != 0, origin);
}

void Worker::define(Slot slot, char letter, std::uint32_t mask) {
  if (!is_undefined(slot)) return;
  alignas(64) static constexpr std::uint64_t kZero[kLanes] = {};
  if (letter == 'p')
    set_shadow_predicate(slot, 0, mask, 0);
  else if (letter == 'l')
    set_shadow64(slot, kZero, mask, 0);
  else
    set_shadow32(slot, reinterpret_cast<const std::uint32_t*>(kZero), mask, 0);
}

std::uint32_t Worker::undefined_lanes(Slot slot, char letter) const {
  if (letter == 'i' || letter == '\0' || !is_undefined(slot)) return 0;
  if (letter == 'p') return *shadow32(slot);
  std::uint32_t lanes = 0;
  for (int i = 0; i < kLanes; ++i) {
    const std::uint64_t bits = letter == 'l'   ? shadow64(slot)[i]
                               : letter == 'h' ? shadow32(slot)[i] & 0xFFFF
                                               : shadow32(slot)[i];
    lanes |= static_cast<std::uint32_t>(bits != 0) << i;
  }
  return lanes;
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

void Worker::follow(Warp& warp, const Op& op, std::uint32_t mask, std::uint32_t m) {
  const auto& shadow = *warp_shadow_;
  std::uint32_t always =
      0;  // lanes whose result is undefined because it is not known whether it is one
  if (is_undefined(op.guard)) {
    always = *shadow32(op.guard) & mask;
    if (always != 0 && has_effect(op.kind)) {
      note_undefined(UndefinedUse::Kind::predicate, op.index,
                     static_cast<std::uint32_t>(std::countr_zero(always)),
                     shadow.origin[op.guard / 4]);
      always = 0;
    }
  }
  if ((m | always) == 0) return;
  auto decides = [&](UndefinedUse::Kind kind, Slot slot, char letter) {
    const std::uint32_t lanes = undefined_lanes(slot, letter) & m;
    if (lanes != 0)
      note_undefined(kind, op.index, static_cast<std::uint32_t>(std::countr_zero(lanes)),
                     shadow.origin[slot / 4]);
  };
  switch (op.kind) {
    case OpKind::lanes32:
    case OpKind::lanes64:
    case OpKind::mask:
    case OpKind::set_predicate:
    case OpKind::set_predicate_pair:
    case OpKind::set_value:
      return follow_row(op, m, always);
    case OpKind::load:
    case OpKind::store:
      return decides(UndefinedUse::Kind::address, op.s[0],
                     program_.memory_ops[op.aux].base_is_32_bit ? 'w' : 'l');
    case OpKind::atomic: {
      const auto& atomic = program_.atomics[static_cast<std::size_t>(op.target)];
      return decides(UndefinedUse::Kind::address, op.s[0],
                     program_.memory_ops[atomic.memory].base_is_32_bit ? 'w' : 'l');
    }
    case OpKind::async_copy:
      decides(UndefinedUse::Kind::address, op.s[0],
              program_.memory_ops[op.aux].base_is_32_bit ? 'w' : 'l');
      return decides(UndefinedUse::Kind::address, op.s[1],
                     program_.memory_ops[op.aux - 1].base_is_32_bit ? 'w' : 'l');
    case OpKind::branch_table:
      return decides(UndefinedUse::Kind::predicate, op.s[0], 'w');
    default:
      return follow_other(warp, op, m | always);
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
  for (int k = 0; k < 4 && rule.letters[k] != '\0'; ++k) {
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
    std::uint32_t bits = all;
    if (rule.kind == ShadowRule::Kind::ands)
      bits =
          undefined_and(read_predicate(op, 0), undefined[0], read_predicate(op, 1), undefined[1]);
    if (rule.kind == ShadowRule::Kind::ors)
      bits = undefined_or(read_predicate(op, 0), undefined[0], read_predicate(op, 1), undefined[1]);
    std::uint32_t second = bits;
    if (combined) {
      const std::uint32_t compared = op.run.mask(registers_, op);
      const std::uint32_t c = *reinterpret_cast<const std::uint32_t*>(registers_ + op.s[2]) ^
                              static_cast<std::uint32_t>(op.imm);
      auto join = [&](std::uint32_t value) {
        return op.bool_op == BoolOp::and_  ? undefined_and(value, all, c, other)
               : op.bool_op == BoolOp::or_ ? undefined_or(value, all, c, other)
                                           : all | other;
      };
      bits = join(compared);
      second = join(~compared);
    }
    if (op.kind != OpKind::set_value) {
      set_shadow_predicate(op.d, bits | always, lanes, origin);
      set_shadow_predicate(op.d2, second | always, lanes, origin);
      return;
    }
    alignas(64) std::uint32_t words[kLanes];
    for (int i = 0; i < kLanes; ++i) words[i] = (bits | always) >> i & 1 ? ~0u : 0;
    return set_shadow32(op.d, words, lanes, origin);
  }
  alignas(64) std::uint64_t wide[kLanes] = {};
  alignas(64) std::uint32_t narrow[kLanes] = {};
  const bool is_wide = op.kind == OpKind::lanes64;
  std::uint32_t wholly = always;
  switch (rule.kind) {
    case ShadowRule::Kind::moves: {
      Op moved = op;
      for (int k = 0; k < 4 && rule.letters[k] != '\0'; ++k) {
        if (rule.data >> k & 1)
          moved.s[k] += program_.register_bytes;
        else
          wholly |= undefined[k];
      }
      moved.run.lanes(is_wide ? static_cast<void*>(wide) : narrow, registers_, moved);
      if (!rule.shifts) break;
      // x * 4 of an undefined x is no part of x, bits that were shifted in or not
      const std::uint64_t full = is_wide ? ~0ull : rule.result == 'h' ? 0xFFFF : ~0u;
      for (int i = 0; i < kLanes; ++i) {
        if ((is_wide ? shadow64(op.s[0])[i] : shadow32(op.s[0])[i]) != full) continue;
        if (is_wide)
          wide[i] = whole_bytes(wide[i]);
        else
          narrow[i] = static_cast<std::uint32_t>(whole_bytes(narrow[i]));
      }
      break;
    }
    case ShadowRule::Kind::keeps:  // in their places
      for (int k = 0; k < 4 && rule.letters[k] != '\0'; ++k)
        for (int i = 0; i < kLanes; ++i)
          (is_wide ? wide[i] |= shadow64(op.s[k])[i] : narrow[i] |= shadow32(op.s[k])[i]);
      break;
    case ShadowRule::Kind::ands:
    case ShadowRule::Kind::ors: {
      const bool is_and = rule.kind == ShadowRule::Kind::ands;
      for (int i = 0; i < kLanes; ++i) {
        if (is_wide) {
          const auto a = reinterpret_cast<const std::uint64_t*>(registers_ + op.s[0])[i],
                     b = reinterpret_cast<const std::uint64_t*>(registers_ + op.s[1])[i];
          const auto ua = shadow64(op.s[0])[i], ub = shadow64(op.s[1])[i];
          wide[i] = is_and ? undefined_and(a, ua, b, ub) : undefined_or(a, ua, b, ub);
        } else {
          const auto a = reinterpret_cast<const std::uint32_t*>(registers_ + op.s[0])[i],
                     b = reinterpret_cast<const std::uint32_t*>(registers_ + op.s[1])[i];
          const auto ua = shadow32(op.s[0])[i], ub = shadow32(op.s[1])[i];
          narrow[i] = is_and ? undefined_and(a, ua, b, ub) : undefined_or(a, ua, b, ub);
        }
      }
      break;
    }
    case ShadowRule::Kind::computes:
      wholly |= all;
      break;
  }
  const std::uint32_t ones = rule.result == 'h' ? 0xFFFFu : ~0u;
  for (int i = 0; i < kLanes; ++i)
    if (wholly >> i & 1) {
      wide[i] = ~0ull;
      narrow[i] = ones;
    }
  if (is_wide)
    set_shadow64(op.d, wide, lanes, origin);
  else
    set_shadow32(op.d, narrow, lanes, origin);
}

void Worker::follow_other(Warp& warp, const Op& op, std::uint32_t m) {
  const auto& shadow = *warp_shadow_;
  alignas(64) std::uint64_t wide[kLanes] = {};
  alignas(64) std::uint32_t narrow[kLanes] = {};
  std::uint32_t origin = 0;
  switch (op.kind) {
    case OpKind::carry: {
      const char letter = op.imm & 32 ? 'l' : 'w';
      std::uint32_t lanes = 0;
      auto add = [&](Slot slot, char l) {
        if (const auto more = undefined_lanes(slot, l); more != 0) {
          lanes |= more;
          origin = shadow.origin[slot / 4];
        }
      };
      for (const auto slot : {op.s[0], op.s[1], op.s[2]}) add(slot, letter);
      if (op.imm & 1) add(op.d2, 'p');
      for (int i = 0; i < kLanes; ++i)
        if (lanes >> i & 1) wide[i] = ~0ull, narrow[i] = ~0u;
      if (letter == 'l')
        set_shadow64(op.d, wide, m, origin);
      else
        set_shadow32(op.d, narrow, m, origin);
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
        for (int i = 0; i < kLanes; ++i)
          wide[i] |= (shadow32(packed.elements[k])[i] & keep) << (k * packed.element_bits);
      }
      if (packed.whole_is_64_bit) return set_shadow64(op.d, wide, m, origin);
      for (int i = 0; i < kLanes; ++i) narrow[i] = static_cast<std::uint32_t>(wide[i]);
      return set_shadow32(op.d, narrow, m, origin);
    }
    case OpKind::unpack: {
      const auto& packed = program_.packs[op.aux];
      const std::uint64_t keep = (1ull << packed.element_bits) - 1;
      origin = shadow.origin[op.s[0] / 4];
      std::memcpy(wide, shadow64(op.s[0]), packed.whole_is_64_bit ? sizeof wide : 0);
      if (!packed.whole_is_64_bit)
        for (int i = 0; i < kLanes; ++i) wide[i] = shadow32(op.s[0])[i];
      for (std::size_t k = 0; k < packed.elements.size(); ++k) {
        for (int i = 0; i < kLanes; ++i)
          narrow[i] = static_cast<std::uint32_t>(wide[i] >> (k * packed.element_bits) & keep);
        set_shadow32(packed.elements[k], narrow, m, origin);
      }
      return;
    }
    case OpKind::is_space:
      if (is_undefined(op.s[0])) origin = shadow.origin[op.s[0] / 4];
      return set_shadow_predicate(op.d, undefined_lanes(op.s[0], 'l'), m, origin);
    case OpKind::parameter_load:
    case OpKind::parameter_store:
      return follow_parameter(warp, op, m, op.kind == OpKind::parameter_store);
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
  alignas(64) std::uint32_t words[kLanes] = {};
  auto origin_of = [&](Slot slot) { return is_undefined(slot) ? shadow.origin[slot / 4] : 0; };
  switch (op.kind) {
    case OpKind::shuffle: {
      const std::uint32_t unknown =
          undefined_lanes(op.s[1], 'w') | undefined_lanes(op.s[2], 'w') | stray;
      std::uint32_t origin =
          unknown != 0 ? origin_of(op.s[1]) | origin_of(op.s[2]) : origin_of(op.s[0]);
      if (stray != 0) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(stray));
        bool inside = false;
        UndefinedUse from;
        from.block = block_;
        from.origin = op.index;
        from.origin_space = ptx::Space::reg;
        from.origin_address = source_lane(op, lane, inside);
        from.origin_thread = warp_->number * kLanes + lane;
        origin = new_origin(from);
      }
      if (!is_undefined(op.s[0]) && unknown == 0) {
        define(op.d, 'w', mask);
        return define(op.d2, 'p', mask);
      }
      shuffle(op, op.s[0] + program_.register_bytes, words);
      for (int i = 0; i < kLanes; ++i)
        if (unknown >> i & 1) words[i] = ~0u;
      set_shadow32(op.d, words, mask, origin);
      return set_shadow_predicate(op.d2, unknown, mask, origin);
    }
    case OpKind::vote: {
      const std::uint32_t unknown = undefined_lanes(op.s[0], 'p') & mask;
      const std::uint32_t origin = origin_of(op.s[0]);
      if (op.imm != 3) return set_shadow_predicate(op.d, unknown != 0 ? ~0u : 0, mask, origin);
      for (auto& word : words) word = unknown;
      return set_shadow32(op.d, words, mask, origin);
    }
    case OpKind::match:
    case OpKind::redux: {
      const char letter = op.kind == OpKind::match && op.imm & 2 ? 'l' : 'w';
      const std::uint32_t unknown = undefined_lanes(op.s[0], letter) & mask;
      const std::uint32_t origin = origin_of(op.s[0]);
      for (auto& word : words) word = unknown != 0 ? ~0u : 0;
      set_shadow32(op.d, words, mask, origin);
      return set_shadow_predicate(op.d2, words[0], mask, origin);
    }
    case OpKind::elect:
      define(op.d, 'w', mask);
      return define(op.d2, 'p', mask);
    default:
      return;
  }
}

}  // namespace labkit::simt
