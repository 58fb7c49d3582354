// f16 and bf16. Both are computed in double precision and rounded once: sums and products of f16 are exact in double;
// where a sum is not (bf16, fma), the double is rounded to odd first, which makes the second rounding the only one.
#pragma once
#include "simt/lanes/float.h"
#include "simt/lanes/integer.h"

namespace labkit::simt::LABKIT_SIMD {

template <typename H>
struct HalfFormat;
template <>
struct HalfFormat<f16> {
  static constexpr int kPrecision = 11, kMinExponent = -14;
  static constexpr u16 kInfinity = 0x7C00, kOne = 0x3C00, kMantissa = 0x03FF;
};
template <>
struct HalfFormat<bf16> {
  static constexpr int kPrecision = 8, kMinExponent = -126;
  static constexpr u16 kInfinity = 0x7F80, kOne = 0x3F80, kMantissa = 0x007F;
};
inline constexpr u16 kHalfNan = 0x7FFF;

inline f32 widen(bf16 h) { return from_bits<f32>(u32{h.bits} << 16); }
inline f32 widen(f16 h) {
  const u32 sign = u32{h.bits & 0x8000u} << 16, exponent = (h.bits >> 10) & 31u,
            mantissa = h.bits & 0x3FFu;
  if (exponent == 31) return from_bits<f32>(sign | 0x7F800000u | mantissa << 13);
  if (exponent == 0) return from_bits<f32>(sign | bits_of(static_cast<f32>(mantissa) * 0x1p-24f));
  return from_bits<f32>(sign | (exponent + 112) << 23 | mantissa << 13);
}
template <typename H>
inline bool is_nan(H h) {
  return (h.bits & 0x7FFF) > HalfFormat<H>::kInfinity;
}

/// Rounds to half precision; `mode` is a rounding of Op::modifiers. NaN becomes 0x7FFF.
template <typename H>
inline H narrow(f64 v, u32 mode) {
  using Format = HalfFormat<H>;
  if (v != v) return {kHalfNan};
  const u64 bits = bits_of(v);
  const bool negative = bits >> 63;
  const u16 sign = negative ? 0x8000 : 0;
  const u64 size = bits & ~FloatBits<f64>::kSign;
  const bool away = mode == 3   ? !negative
                    : mode == 2 ? negative
                                : false;  // directed away from zero
  if (size == 0) return {sign};
  if (size >= FloatBits<f64>::kInfinity) return {static_cast<u16>(sign | Format::kInfinity)};
  const int exponent = static_cast<int>(size >> 52) - 1023;
  const u64 mantissa = (size & FloatBits<f64>::kMantissa) | (size >> 52 ? 1ull << 52 : 0);
  int shift = 53 - Format::kPrecision;
  if (exponent < Format::kMinExponent) shift += Format::kMinExponent - exponent;
  if (shift > 62) shift = 62;
  u64 q = mantissa >> shift;
  const u64 rest = mantissa & ((1ull << shift) - 1), half = 1ull << (shift - 1);
  if (mode == 0 ? rest > half || (rest == half && q & 1) : away && rest != 0) ++q;
  u64 result = q;
  if (exponent >= Format::kMinExponent)
    result += static_cast<u64>(exponent - Format::kMinExponent) << (Format::kPrecision - 1);
  if (result >= Format::kInfinity)
    result = mode == 0 || away ? Format::kInfinity : Format::kInfinity - 1u;
  return {static_cast<u16>(sign | result)};
}

/// a + b, rounded to odd if it is not exact.
inline f64 sum_to_odd(f64 a, f64 b) {
  const f64 s = a + b;
  if (!(magnitude(s) < FloatBits<f64>::kInfinity)) return s;
  const f64 part = s - a;
  const f64 error = (a - (s - part)) + (b - part);
  if (error == 0 || bits_of(s) & 1) return s;
  return from_bits<f64>((error > 0) == (s > 0) ? bits_of(s) + 1 : bits_of(s) - 1);
}

template <typename H>
inline H flush_half(H h, u32 m) {
  return m & kFtz && (h.bits & HalfFormat<H>::kInfinity) == 0 ? H{static_cast<u16>(h.bits & 0x8000)}
                                                              : h;
}
template <typename H>
inline H finish_half(f64 v, u32 m) {
  H r = flush_half(narrow<H>(v, m & kRoundMask), m);
  if (m & kSat) {
    const f32 w = widen(r);
    if (!(w > 0))
      r.bits = 0;
    else if (w > 1)
      r.bits = HalfFormat<H>::kOne;
  }
  if (m & kRelu && !is_nan(r) && r.bits & 0x8000) r.bits = 0;
  return r;
}

/// What instructions do to halves of one type; `m`: Op::modifiers.
template <typename H>
struct Half {
  static f64 wide(H a, u32 m) { return widen(flush_half(a, m)); }
  static H add(H a, H b, u32 m) { return finish_half<H>(sum_to_odd(wide(a, m), wide(b, m)), m); }
  static H sub(H a, H b, u32 m) { return finish_half<H>(sum_to_odd(wide(a, m), -wide(b, m)), m); }
  static H mul(H a, H b, u32 m) { return finish_half<H>(wide(a, m) * wide(b, m), m); }
  static H fma(H a, H b, H c, u32 m) {
    return finish_half<H>(sum_to_odd(wide(a, m) * wide(b, m), wide(c, m)), m);
  }
  static H neg(H a, u32 m) { return with_sign(flush_half(a, m), a.bits ^ 0x8000); }
  static H abs(H a, u32 m) { return with_sign(flush_half(a, m), 0); }
  static H ex2(H a, u32 m) { return finish_half<H>(__builtin_exp2(wide(a, m)), m); }
  static H tanh(H a, u32 m) { return finish_half<H>(__builtin_tanh(f64{widen(a)}), m); }
  template <bool kMaximum>
  [[gnu::always_inline]] static H extreme(H a, H b, u32 m) {
    a = flush_half(a, m);
    b = flush_half(b, m);
    if (m & kNan && (is_nan(a) || is_nan(b))) return {kHalfNan};
    u16 sign = 0;
    if (m & kXorSign) {
      sign = static_cast<u16>((a.bits ^ b.bits) & 0x8000);
      a.bits &= 0x7FFF;
      b.bits &= 0x7FFF;
    }
    if (is_nan(a) && is_nan(b)) return {kHalfNan};
    if (is_nan(a)) return {static_cast<u16>(b.bits | sign)};
    if (is_nan(b)) return {static_cast<u16>(a.bits | sign)};
    // order of sign and magnitude as a whole number: -0 comes just before +0
    const s32 x = a.bits & 0x8000 ? -1 - (a.bits & 0x7FFF) : a.bits,
              y = b.bits & 0x8000 ? -1 - (b.bits & 0x7FFF) : b.bits;
    return {static_cast<u16>(((x < y) != kMaximum ? a.bits : b.bits) | sign)};
  }

 private:
  static H with_sign(H a, int sign) {
    return is_nan(a) ? H{kHalfNan} : H{static_cast<u16>((a.bits & 0x7FFF) | (sign & 0x8000))};
  }
};

template <typename H>
inline H low(u32 v) {
  return {static_cast<u16>(v)};
}
template <typename H>
inline H high(u32 v) {
  return {static_cast<u16>(v >> 16)};
}
template <typename H>
inline u32 join(H l, H h) {
  return l.bits | u32{h.bits} << 16;
}
/// A function of Half on both halves of 32-bit registers.
template <auto kFunction, typename H, typename... U>
struct OnPairs {
  static u32 apply(U... operands) { return apply_modified(operands..., 0); }
  static u32 apply_modified(U... operands, u32 m) {
    return join(kFunction(low<H>(operands)..., m), kFunction(high<H>(operands)..., m));
  }
};

}  // namespace labkit::simt::LABKIT_SIMD
