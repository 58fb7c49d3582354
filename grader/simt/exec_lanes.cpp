// Instructions on lanes that are not plain loops of the target: partial masks, predicates, vectors, carries.
#include <algorithm>
#include <cstring>

#include "simt/access.h"
#include "simt/worker.h"

namespace labkit::simt {

void Worker::write32(Slot slot, const std::uint32_t* values, std::uint32_t mask) {
  auto* d = words(slot);
  if (mask == kAllLanes)
    std::memcpy(d, values, 128);
  else
    launch_.target->blend32(d, values, mask);
}

void Worker::write(Slot slot, bool is_64_bit, const std::uint64_t* values, std::uint32_t mask) {
  if (is_64_bit) {
    launch_.target->blend64(reinterpret_cast<std::uint64_t*>(registers + slot), values, mask);
    return;
  }
  alignas(64) std::uint32_t narrow[kLanes];
  for (int i = 0; i < kLanes; ++i) narrow[i] = static_cast<std::uint32_t>(values[i]);
  write32(slot, narrow, mask);
}

void Worker::write_predicate(Slot slot, std::uint32_t bits, std::uint32_t mask) {
  if (slot != kNoSlot) *words(slot) = (*words(slot) & ~mask) | (bits & mask);
}

std::uint32_t Worker::read_predicate(const Op& op, int n) const {
  return *words(op.s[n]) ^ (op.modifiers & (kNegateSource << n) ? kAllLanes : 0);
}

void Worker::masked_lanes(const Op& op, std::uint32_t mask) {
  alignas(64) std::byte values[kLanes * sizeof(std::uint64_t)];
  op.run.lanes(values, registers, op);
  std::byte* const d = registers + op.d;
  if (op.kind == OpKind::lanes32)
    launch_.target->blend32(words_at(d), words_at(values), mask);
  else
    launch_.target->blend64(reinterpret_cast<std::uint64_t*>(d),
                            reinterpret_cast<const std::uint64_t*>(values), mask);
}

/// A comparison's result combined with predicate c (s[2], negated by imm).
std::uint32_t Worker::combine(const Op& op, std::uint32_t result) const {
  if (op.bool_op == BoolOp::none) return result;
  const std::uint32_t c = *words(op.s[2]) ^ static_cast<std::uint32_t>(op.imm);
  return op.bool_op == BoolOp::and_  ? result & c
         : op.bool_op == BoolOp::or_ ? result | c
                                     : result ^ c;
}

/// setp.cmp.bool p|q, a, b, c: p = (a cmp b) bool c, q = !(a cmp b) bool c.
void Worker::set_predicate(const Op& op, std::uint32_t mask) {
  const std::uint32_t result = op.run.mask(registers, op);
  const std::uint32_t p = combine(op, result), q = combine(op, ~result);
  if (op.kind == OpKind::set_value) {
    alignas(64) std::uint32_t values[kLanes];
    for (int i = 0; i < kLanes; ++i) values[i] = p >> i & 1 ? op.aux : 0;
    return write32(op.d, values, mask);
  }
  write_predicate(op.d, p, mask);
  write_predicate(op.d2, q, mask);
}

void Worker::pack(const Op& op, std::uint32_t mask) {
  const auto& packed = program_.packs[op.aux];
  alignas(64) std::uint64_t values[kLanes] = {};
  const std::uint64_t keep = packed.element_bits == 64 ? ~0ull : (1ull << packed.element_bits) - 1;
  for (std::size_t k = 0; k < packed.elements.size(); ++k) {
    const auto* from = words(packed.elements[k]);
    for (int i = 0; i < kLanes; ++i) values[i] |= (from[i] & keep) << (k * packed.element_bits);
  }
  write(op.d, packed.whole_is_64_bit, values, mask);
}

void Worker::unpack(const Op& op, std::uint32_t mask) {
  const auto& packed = program_.packs[op.aux];
  alignas(64) std::uint64_t values[kLanes];
  for (std::size_t i = 0; i < kLanes; ++i)
    values[i] = read_lane(registers + op.s[0], packed.whole_is_64_bit, i);
  const std::uint64_t keep = (1ull << packed.element_bits) - 1;
  for (std::size_t k = 0; k < packed.elements.size(); ++k) {
    if (packed.elements[k] == kNoSlot) continue;
    alignas(64) std::uint32_t element[kLanes];
    for (int i = 0; i < kLanes; ++i)
      element[i] = static_cast<std::uint32_t>(values[i] >> (k * packed.element_bits) & keep);
    write32(packed.elements[k], element, mask);
  }
}

void Worker::carry(const Op& op, std::uint32_t mask) {
  __extension__ using u128 = unsigned __int128;
  __extension__ using s128 = __int128;
  const bool takes = op.imm & 1, subtracts = op.imm & 2, multiplies = op.imm & 4, high = op.imm & 8,
             is_signed = op.imm & 16, wide = op.imm & 32;
  const unsigned bits = wide ? 64 : 32;
  const auto value = [&](int n, std::size_t i) { return read_lane(registers + op.s[n], wide, i); };
  auto* flag = words(op.d2);
  alignas(64) std::uint64_t values[kLanes];
  std::uint32_t out = 0;
  for (std::size_t i = 0; i < kLanes; ++i) {
    std::uint64_t a = value(0, i), b = value(1, i);
    const std::uint64_t in = takes ? *flag >> i & 1 : 0;
    if (multiplies) {
      u128 product = static_cast<u128>(a) * b;
      if (is_signed) {
        const auto factor = [&](std::uint64_t v) {
          return static_cast<s128>(static_cast<std::int64_t>(sign_extended(v, bits / 8)));
        };
        product = static_cast<u128>(factor(a) * factor(b));
      }
      a = static_cast<std::uint64_t>(high ? product >> bits : product);
      if (!wide) a &= 0xFFFFFFFFu;
      b = value(2, i);
    }
    const u128 sum = subtracts ? static_cast<u128>(a) - b - in : static_cast<u128>(a) + b + in;
    values[i] = static_cast<std::uint64_t>(sum);
    out |= static_cast<std::uint32_t>(sum >> bits & 1) << i;
  }
  write(op.d, wide, values, mask);
  if (op.modifiers & kCarryOut) write_predicate(op.d2, out, mask);
}

void Worker::other_lanes(Warp& warp, const Split& split, const Op& op, std::uint32_t mask) {
  switch (op.kind) {
    case OpKind::set_predicate:
    case OpKind::set_value:
      return set_predicate(op, mask);
    case OpKind::set_predicate_pair: {
      // the comparison of halves reads the low 16 bits of a lane: once as it is, once shifted down
      const std::uint32_t low = op.run.mask(registers, op);
      alignas(64) std::uint32_t shifted[2 * kLanes];
      for (int n = 0; n < 2; ++n)
        for (int i = 0; i < kLanes; ++i) shifted[n * kLanes + i] = words(op.s[n])[i] >> 16;
      Op upper = op;
      upper.s[0] = 0;
      upper.s[1] = kLanes * sizeof(std::uint32_t);
      const std::uint32_t high = op.run.mask(reinterpret_cast<const std::byte*>(shifted), upper);
      write_predicate(op.d, combine(op, low), mask);
      return write_predicate(op.d2, combine(op, high), mask);
    }
    case OpKind::carry:
      return carry(op, mask);
    case OpKind::pack:
      return pack(op, mask);
    case OpKind::unpack:
      return unpack(op, mask);
    case OpKind::parameter_load:
    case OpKind::parameter_store:
      return access_parameter(warp, op, mask);
    case OpKind::local_address:
    case OpKind::clock:
    case OpKind::active_mask: {
      std::uint64_t value = op.imm + split.local_base;
      if (op.kind == OpKind::active_mask) value = split.mask;
      if (op.kind == OpKind::clock) {
        polled_ |= kReadsClock;
        // deterministic: instructions of this block so far, a nanosecond each on the global timer
        value = clock_ + static_cast<std::uint64_t>(&op - launch_.ops.data()) -
                program_.blocks[split.block].first_op;
        if (op.imm & 2) value >>= 32;
      }
      const bool wide =
          op.kind == OpKind::clock ? op.imm & 1 : op.kind == OpKind::local_address && op.aux != 0;
      alignas(64) std::uint64_t values[kLanes];
      std::fill(std::begin(values), std::end(values), value);
      return write(op.d, wide, values, mask);
    }
    case OpKind::is_space: {
      const auto* address = reinterpret_cast<const std::uint64_t*>(registers + op.s[0]);
      const auto is_inside = [&](std::uint32_t i) {
        const std::uint64_t a = address[i];
        const std::uint64_t window = a >= kParameterWindow ? kParameterWindow
                                     : a >= kLocalWindow   ? kLocalWindow
                                     : a >= kSharedWindow  ? kSharedWindow
                                                           : 0;
        if (window != op.imm || window != 0) return window == op.imm;
        const auto* allocation = launch_.memory->slot_of(a);
        return (allocation != nullptr && allocation->is_constant) == (op.aux != 0);
      };
      return write_predicate(op.d, lanes_where(is_inside), mask);
    }
    default:
      return;
  }
}

}  // namespace labkit::simt
