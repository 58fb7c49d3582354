// Meanings of the single and double precision rows, for one lane. add, sub, mul, fma, div.rn, sqrt.rn and rcp.rn are
// IEEE operations and bit-identical to the hardware's (-ffp-contract=off keeps them apart). Directed roundings run the
// same code under another rounding mode (Modified, lanes.h).
//
// What is not bit-identical, with the largest error against the exact value, in units of the last place:
//   rcp, sqrt, div .approx and .full   0.5 (correctly rounded; the hardware's may be 1 to 2)
//   rsqrt, ex2, lg2, tanh .approx      0.5 plus what rounding twice adds (the hardware's: 2, 2, 2^-22 absolute, 2^-11)
//   sin, cos .approx                   0.5 (the hardware's: 2^-20.5 absolute in [-pi, pi])
#pragma once
#include "simt/lanes/lanes.h"

namespace labkit::simt::LABKIT_SIMD {

template <typename T>
struct FloatBits;
template <>
struct FloatBits<f32> {
  using Word = u32;
  static constexpr u32 kSign = 0x80000000u, kInfinity = 0x7F800000u, kMantissa = 0x007FFFFFu;
};
template <>
struct FloatBits<f64> {
  using Word = u64;
  static constexpr u64 kSign = 1ull << 63, kInfinity = 0x7FF0000000000000ull,
                       kMantissa = 0x000FFFFFFFFFFFFFull;
};
template <typename T>
using Word = typename FloatBits<T>::Word;
template <typename T>
inline Word<T> bits_of(T v) {
  return __builtin_bit_cast(Word<T>, v);
}
template <typename T>
inline T from_bits(Word<T> v) {
  return __builtin_bit_cast(T, v);
}

template <typename T>
inline Word<T> magnitude(T a) {
  return bits_of(a) & ~FloatBits<T>::kSign;
}

/// A result that is NaN: single precision gives 0x7FFFFFFF whatever went in (CUDA C programming guide, floating-point
/// standard); double precision passes the last NaN operand on (division the first), made quiet, or else makes 0xFFF8000000000000
/// (recorded on an H200: tests/golden).
template <typename... A>
inline f32 canonical(f32 r, A...) {
  return r != r ? from_bits<f32>(0x7FFFFFFFu) : r;
}
inline f64 quiet(f64 v) { return from_bits<f64>(bits_of(v) | 0x0008000000000000ull); }
template <typename... A>
inline f64 canonical(f64 r, A... operands) {
  f64 nan = from_bits<f64>(0xFFF8000000000000ull);
  ((nan = operands != operands ? quiet(operands) : nan), ...);
  return r != r ? nan : r;
}

/// Subnormal to zero of the same sign.
template <typename T>
inline T flush(T v) {
  return (bits_of(v) & FloatBits<T>::kInfinity) == 0
             ? from_bits<T>(bits_of(v) & FloatBits<T>::kSign)
             : v;
}
template <typename T>
inline T flush_if(T v, u32 modifiers) {
  return modifiers & kFtz ? flush(v) : v;
}
/// .sat: into [0, 1], NaN to +0.
template <typename T>
inline T finish(T r, u32 modifiers) {
  r = flush_if(r, modifiers);
  if (modifiers & kSat) r = r > T(0) ? (r < T(1) ? r : T(1)) : T(0);
  return r;
}

/// What .ftz flushes is subnormal when rounded with an unbounded exponent, so a result that rounds up to the smallest
/// normal number may count as subnormal (recorded on an H200: tests/golden/mul_f32.ptx). `scaled` is 2^30 times the result.
inline f32 flush_below_normal(f32 r, f32 scaled, u32 m) {
  return m & kFtz && magnitude(scaled) < bits_of(0x1p-96f)
             ? from_bits<f32>(bits_of(r) & FloatBits<f32>::kSign)
             : r;
}
inline f32 times_2_30_if(f32 v, bool yes) { return yes ? v * 0x1p30f : v; }

/// A function of which each operand is flushed, and the result finished.
template <auto kFunction, typename Function = decltype(kFunction)>
struct Flushing;
template <auto kFunction, typename R, typename... T>
struct Flushing<kFunction, R (*)(T...)> {
  static R apply(T... operands) { return kFunction(operands...); }
  static R apply_modified(T... operands, u32 m) {
    return finish(kFunction(flush_if(operands, m)...), m);
  }
};
template <auto kFunction>
using Flushed = Modified<Flushing<kFunction>>;

inline f32 fused(f32 a, f32 b, f32 c) { return __builtin_fmaf(a, b, c); }
inline f64 fused(f64 a, f64 b, f64 c) { return __builtin_fma(a, b, c); }
inline f32 square_root(f32 a) { return __builtin_sqrtf(a); }
inline f64 square_root(f64 a) { return __builtin_sqrt(a); }

/// What instructions do to floats of one type.
template <typename T>
struct Float {
  static constexpr Word<T> kSign = FloatBits<T>::kSign, kInfinity = FloatBits<T>::kInfinity,
                           kMantissa = FloatBits<T>::kMantissa;
  static T add(T a, T b) { return canonical(a + b, a, b); }
  static T sub(T a, T b) { return canonical(a - b, a, b); }
  static T mul(T a, T b) { return canonical(a * b, a, b); }
  static T fma(T a, T b, T c) { return canonical(fused(a, b, c), a, b, c); }
  static T div(T a, T b) { return canonical(a / b, b, a); }
  static T rcp(T a) { return canonical(T(1) / a, a); }
  static T sqrt(T a) { return canonical(square_root(a), a); }
  static T rsqrt(T a) { return canonical(T(1) / square_root(a), a); }
  static T abs(T a) { return a != a ? canonical(a, a) : from_bits<T>(magnitude(a)); }
  static T neg(T a) { return a != a ? canonical(a, a) : from_bits<T>(bits_of(a) ^ kSign); }
  /// The sign of a on the value of b.
  static T copysign(T a, T b) { return from_bits<T>((bits_of(a) & kSign) | magnitude(b)); }
  static bool is_finite(T a) { return magnitude(a) < kInfinity; }
  static bool is_infinite(T a) { return magnitude(a) == kInfinity; }
  static bool is_number(T a) { return magnitude(a) <= kInfinity; }
  static bool is_nan(T a) { return magnitude(a) > kInfinity; }
  /// Zeros count as normal (PTX ISA, testp).
  static bool is_normal(T a) { return is_finite(a) && !is_subnormal(a); }
  static bool is_subnormal(T a) { return magnitude(a) != 0 && magnitude(a) <= kMantissa; }
};

struct FloatMul : Flushing<Float<f32>::mul> {
  static f32 apply_modified(f32 a, f32 b, u32 m) {
    const f32 r = Flushing<Float<f32>::mul>::apply_modified(a, b, m);
    const bool first = magnitude(a) < magnitude(b);
    return flush_below_normal(
        r, times_2_30_if(flush_if(a, m), first) * times_2_30_if(flush_if(b, m), !first), m);
  }
};
struct FloatFma : Flushing<Float<f32>::fma> {
  static f32 apply_modified(f32 a, f32 b, f32 c, u32 m) {
    a = flush_if(a, m);
    b = flush_if(b, m);
    c = flush_if(c, m);
    const f32 r = finish(apply(a, b, c), m);
    const bool first = magnitude(a) < magnitude(b);
    return flush_below_normal(
        r, fused(times_2_30_if(a, first), times_2_30_if(b, !first), c * 0x1p30f), m);
  }
};
/// For |b| in (2^126, 2^128) the hardware gives 0, or NaN if a is infinite (PTX ISA, div).
inline f32 div_approx(f32 a, f32 b) {
  const bool huge = magnitude(b) > 0x7E800000u && magnitude(b) < 0x7F800000u;
  return canonical(huge ? a * from_bits<f32>(bits_of(b) & 0x80000000u) : a / b);
}
/// 2^30 a / b, where it is near the smallest normal number.
inline f32 scaled_quotient(f32 a, f32 b) {
  return magnitude(a) <= 0x3F800000u ? a * 0x1p30f / b : a / (b * 0x1p-30f);
}
/// Division by either function that does it without modifiers.
template <auto kFunction>
struct FloatDiv : Flushing<kFunction> {
  static f32 apply_modified(f32 a, f32 b, u32 m) {
    const f32 r = Flushing<kFunction>::apply_modified(a, b, m);
    return flush_below_normal(r, scaled_quotient(flush_if(a, m), flush_if(b, m)), m);
  }
};
/// The .approx.ftz.f64 forms compute the upper 32 bits of the result only (PTX ISA, rcp and rsqrt).
template <auto kFunction>
inline f64 upper_half(f64 a) {
  return from_bits<f64>(bits_of(kFunction(a)) & 0xFFFFFFFF00000000ull);
}
/// Computed in double precision and rounded once.
inline f32 rounded(f64 v) { return canonical(static_cast<f32>(v)); }
inline f32 rsqrt(f32 a) { return rounded(1.0 / __builtin_sqrt(f64{a})); }
inline f32 sin(f32 a) { return rounded(__builtin_sin(f64{a})); }
inline f32 cos(f32 a) { return rounded(__builtin_cos(f64{a})); }
inline f32 ex2(f32 a) { return rounded(__builtin_exp2(f64{a})); }
inline f32 lg2(f32 a) { return rounded(__builtin_log2(f64{a})); }
inline f32 tanh(f32 a) { return rounded(__builtin_tanh(f64{a})); }

/// min and max: a NaN operand loses, two give a NaN (canonical in f32, the second operand in f64), -0 < +0.
template <typename T, bool kMaximum>
inline T extreme(T a, T b) {
  const bool a_negative = (bits_of(a) & FloatBits<T>::kSign) != 0;
  const T of_equal = a_negative == kMaximum ? b : a;  // matters for -0 and +0 only
  T r = a == b ? of_equal : ((a < b) != kMaximum ? a : b);
  r = a != a ? b : b != b ? a : r;
  return canonical(r, r);
}
template <bool kMaximum>
struct FloatExtreme {
  static f32 apply(f32 a, f32 b) { return extreme<f32, kMaximum>(a, b); }
  static f32 apply_modified(f32 a, f32 b, u32 m) {
    a = flush_if(a, m);
    b = flush_if(b, m);
    if (m & kNan && (a != a || b != b)) return from_bits<f32>(0x7FFFFFFFu);
    if (!(m & kXorSign)) return apply(a, b);
    const u32 sign = (bits_of(a) ^ bits_of(b)) & FloatBits<f32>::kSign;
    const f32 r = apply(from_bits<f32>(magnitude(a)), from_bits<f32>(magnitude(b)));
    return r != r ? r : from_bits<f32>(bits_of(r) | sign);
  }
};

}  // namespace labkit::simt::LABKIT_SIMD
