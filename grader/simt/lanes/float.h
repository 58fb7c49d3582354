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
inline f64 canonical(f64 r, f64 a) {
  return r != r ? (a != a ? quiet(a) : from_bits<f64>(0xFFF8000000000000ull)) : r;
}
inline f64 canonical(f64 r, f64 a, f64 b) {
  return r != r ? (b != b   ? quiet(b)
                   : a != a ? quiet(a)
                            : from_bits<f64>(0xFFF8000000000000ull))
                : r;
}
inline f64 canonical(f64 r, f64 a, f64 b, f64 c) {
  return r != r ? (c != c   ? quiet(c)
                   : b != b ? quiet(b)
                   : a != a ? quiet(a)
                            : from_bits<f64>(0xFFF8000000000000ull))
                : r;
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

/// Functors of which each operand is flushed, and the result finished.
template <typename F, typename... T>
struct Flushing {
  static auto apply_modified(T... operands, u32 m) {
    return finish(F::apply(flush_if(operands, m)...), m);
  }
};
template <typename F, typename T>
using FloatUnary = Flushing<F, T>;
template <typename F, typename T>
using FloatBinary = Flushing<F, T, T>;

template <typename T>
struct FloatAdd : FloatBinary<FloatAdd<T>, T> {
  static T apply(T a, T b) { return canonical(a + b, a, b); }
};
template <typename T>
struct FloatSub : FloatBinary<FloatSub<T>, T> {
  static T apply(T a, T b) { return canonical(a - b, a, b); }
};
template <typename T>
struct FloatMul : FloatBinary<FloatMul<T>, T> {
  static T apply(T a, T b) { return canonical(a * b, a, b); }
  static T apply_modified(T a, T b, u32 m) {
    T r = FloatBinary<FloatMul<T>, T>::apply_modified(a, b, m);
    if constexpr (sizeof(T) == 4) {
      const bool first = magnitude(a) < magnitude(b);
      r = flush_below_normal(
          r, times_2_30_if(flush_if(a, m), first) * times_2_30_if(flush_if(b, m), !first), m);
    }
    return r;
  }
};
inline f32 fused(f32 a, f32 b, f32 c) { return __builtin_fmaf(a, b, c); }
inline f64 fused(f64 a, f64 b, f64 c) { return __builtin_fma(a, b, c); }
template <typename T>
struct FloatFma {
  static T apply(T a, T b, T c) { return canonical(fused(a, b, c), a, b, c); }
  static T apply_modified(T a, T b, T c, u32 m) {
    a = flush_if(a, m);
    b = flush_if(b, m);
    c = flush_if(c, m);
    T r = finish(apply(a, b, c), m);
    if constexpr (sizeof(T) == 4) {
      const bool first = magnitude(a) < magnitude(b);
      r = flush_below_normal(
          r, fused(times_2_30_if(a, first), times_2_30_if(b, !first), c * 0x1p30f), m);
    }
    return r;
  }
};
/// 2^30 a / b, where it is near the smallest normal number.
inline f32 scaled_quotient(f32 a, f32 b) {
  return magnitude(a) <= 0x3F800000u ? a * 0x1p30f / b : a / (b * 0x1p-30f);
}
template <typename T>
struct FloatDiv : FloatBinary<FloatDiv<T>, T> {
  static T apply(T a, T b) { return canonical(a / b, b, a); }
  static T apply_modified(T a, T b, u32 m) {
    const T r = FloatBinary<FloatDiv<T>, T>::apply_modified(a, b, m);
    if constexpr (sizeof(T) == 4)
      return flush_below_normal(r, scaled_quotient(flush_if(a, m), flush_if(b, m)), m);
    else
      return r;
  }
};
/// For |b| in (2^126, 2^128) the hardware gives 0, or NaN if a is infinite (PTX ISA, div).
struct FloatDivApprox : FloatBinary<FloatDivApprox, f32> {
  static f32 apply(f32 a, f32 b) {
    const u32 magnitude = bits_of(b) & 0x7FFFFFFFu;
    const bool huge = magnitude > 0x7E800000u && magnitude < 0x7F800000u;
    return canonical(huge ? a * from_bits<f32>(bits_of(b) & 0x80000000u) : a / b);
  }
  static f32 apply_modified(f32 a, f32 b, u32 m) {
    const f32 r = FloatBinary<FloatDivApprox, f32>::apply_modified(a, b, m);
    return flush_below_normal(r, scaled_quotient(flush_if(a, m), flush_if(b, m)), m);
  }
};
template <typename T>
struct FloatRcp : FloatUnary<FloatRcp<T>, T> {
  static T apply(T a) { return canonical(T(1) / a, a); }
};
inline f32 square_root(f32 a) { return __builtin_sqrtf(a); }
inline f64 square_root(f64 a) { return __builtin_sqrt(a); }
template <typename T>
struct FloatSqrt : FloatUnary<FloatSqrt<T>, T> {
  static T apply(T a) { return canonical(square_root(a), a); }
};
/// The .approx.ftz.f64 forms compute the upper 32 bits of the result only (PTX ISA, rcp and rsqrt).
inline f64 upper_half(f64 v) { return from_bits<f64>(bits_of(v) & 0xFFFFFFFF00000000ull); }
struct ApproxRcpF64 : FloatUnary<ApproxRcpF64, f64> {
  static f64 apply(f64 a) { return upper_half(canonical(1.0 / a, a)); }
};
struct RsqrtF64 {
  static f64 apply(f64 a) { return canonical(1.0 / __builtin_sqrt(a), a); }
};
struct ApproxRsqrtF64 : FloatUnary<ApproxRsqrtF64, f64> {
  static f64 apply(f64 a) { return upper_half(RsqrtF64::apply(a)); }
};
/// Computed in double precision and rounded once.
template <auto kFunction>
struct ThroughDouble : FloatUnary<ThroughDouble<kFunction>, f32> {
  static f32 apply(f32 a) { return canonical(static_cast<f32>(kFunction(static_cast<f64>(a)))); }
};
using Rsqrt = ThroughDouble<[](f64 a) { return 1.0 / __builtin_sqrt(a); }>;
using Sin = ThroughDouble<[](f64 a) { return __builtin_sin(a); }>;
using Cos = ThroughDouble<[](f64 a) { return __builtin_cos(a); }>;
using Ex2 = ThroughDouble<[](f64 a) { return __builtin_exp2(a); }>;
using Lg2 = ThroughDouble<[](f64 a) { return __builtin_log2(a); }>;
using Tanh = ThroughDouble<[](f64 a) { return __builtin_tanh(a); }>;

/// min and max: a NaN operand loses, two give a NaN (canonical in f32, the second operand in f64), -0 < +0.
template <typename T>
inline T canonical_nan() {
  if constexpr (sizeof(T) == 4)
    return from_bits<f32>(0x7FFFFFFFu);
  else
    return from_bits<f64>(0x7FFFFFFFFFFFFFFFull);
}
template <typename T, bool kMaximum>
inline T extreme(T a, T b) {
  const bool a_negative = (bits_of(a) & FloatBits<T>::kSign) != 0;
  const T of_equal = a_negative == kMaximum ? b : a;  // matters for -0 and +0 only
  T r = a == b ? of_equal : ((a < b) != kMaximum ? a : b);
  r = a != a ? b : b != b ? a : r;
  return canonical(r, r);
}
template <typename T, bool kMaximum>
struct FloatExtreme {
  static T apply(T a, T b) { return extreme<T, kMaximum>(a, b); }
  static T apply_modified(T a, T b, u32 m) {
    a = flush_if(a, m);
    b = flush_if(b, m);
    if (m & kNan && (a != a || b != b)) return canonical_nan<T>();
    if (!(m & kXorSign)) return extreme<T, kMaximum>(a, b);
    const Word<T> sign = (bits_of(a) ^ bits_of(b)) & FloatBits<T>::kSign;
    const T r = extreme<T, kMaximum>(from_bits<T>(bits_of(a) & ~FloatBits<T>::kSign),
                                     from_bits<T>(bits_of(b) & ~FloatBits<T>::kSign));
    return r != r ? r : from_bits<T>(bits_of(r) | sign);
  }
};
template <typename T>
using FloatMin = FloatExtreme<T, false>;
template <typename T>
using FloatMax = FloatExtreme<T, true>;
template <typename T>
struct FloatAbs : FloatUnary<FloatAbs<T>, T> {
  static T apply(T a) {
    return a != a ? canonical(a, a) : from_bits<T>(bits_of(a) & ~FloatBits<T>::kSign);
  }
};
template <typename T>
struct FloatNeg : FloatUnary<FloatNeg<T>, T> {
  static T apply(T a) {
    return a != a ? canonical(a, a) : from_bits<T>(bits_of(a) ^ FloatBits<T>::kSign);
  }
};
/// The sign of a on the value of b.
template <typename W>
struct CopySign {
  static W apply(W a, W b) {
    constexpr W kSign = W{1} << (8 * sizeof(W) - 1);
    return (a & kSign) | (b & ~kSign);
  }
};
template <typename T>
struct IsFinite {
  static bool apply(T a) { return magnitude(a) < FloatBits<T>::kInfinity; }
};
template <typename T>
struct IsInfinite {
  static bool apply(T a) { return magnitude(a) == FloatBits<T>::kInfinity; }
};
template <typename T>
struct IsNumber {
  static bool apply(T a) { return magnitude(a) <= FloatBits<T>::kInfinity; }
};
template <typename T>
struct IsNan {
  static bool apply(T a) { return magnitude(a) > FloatBits<T>::kInfinity; }
};
/// Zeros count as normal (PTX ISA, testp).
template <typename T>
struct IsNormal {
  static bool apply(T a) {
    return magnitude(a) < FloatBits<T>::kInfinity &&
           (magnitude(a) == 0 || magnitude(a) > FloatBits<T>::kMantissa);
  }
};
template <typename T>
struct IsSubnormal {
  static bool apply(T a) { return magnitude(a) != 0 && magnitude(a) <= FloatBits<T>::kMantissa; }
};

}  // namespace labkit::simt::LABKIT_SIMD
