// cvt, for one lane. Rounding of an integer to a float follows Op::modifiers through the processor's rounding mode.
// Out of range floats clamp to the integer's range. NaN becomes 0, or, from f64 or to 64 bits, only the top bit (PTX
// ISA, cvt).
#pragma once
#include "simt/lanes/half.h"

namespace labkit::simt::LABKIT_SIMD {

template <typename T>
inline constexpr bool kIsHalf = __is_same(T, f16) || __is_same(T, bf16);
template <typename T>
inline constexpr bool kIsFloat = kIsHalf<T> || __is_same(T, f32) || __is_same(T, f64);

template <typename T>
inline constexpr T kLowest = Traits<T>::kSigned ? static_cast<T>(Unsigned<T>(1) << (kBits<T> - 1))
                                                : T(0);
template <typename T>
inline constexpr T kHighest = static_cast<T>(~kLowest<T>);
/// 2^bits of the value part: the first float that no longer fits.
template <typename T>
inline constexpr f64 kPastHighest =
    2.0 * static_cast<f64>(Unsigned<T>(1) << (kBits<T> - 1 - (Traits<T>::kSigned ? 1 : 0)));

inline f64 round_to_integer(f64 v, u32 mode) {
  switch (mode & kRoundMask) {
    case 0: {  // nearest even without depending on the processor's mode
      const f64 down = __builtin_floor(v), rest = v - down;
      if (rest != 0.5) return __builtin_copysign(rest < 0.5 ? down : down + 1, v);
      return __builtin_copysign(2.0 * __builtin_floor((down + 1) / 2), v);
    }
    case 1:
      return __builtin_trunc(v);
    case 2:
      return __builtin_floor(v);
    default:
      return __builtin_ceil(v);
  }
}
inline f64 round_float(f64 v, u32 mode) {
  return magnitude(v) >= 0x4330000000000000ull
             ? v
             : round_to_integer(v, mode);  // 2^52 and more, infinity, NaN
}

/// Any source as double, exactly; whole numbers of over 53 bits are rounded to odd.
template <typename S>
inline f64 exact_double(S v) {
  if constexpr (kIsHalf<S>)
    return widen(v);
  else if constexpr (kIsFloat<S> || sizeof(S) < 8)
    return v;
  else {
    const bool negative = v < 0;
    u64 size = negative ? 0 - static_cast<u64>(v) : static_cast<u64>(v);
    const f64 r =
        size >> 53
            ? static_cast<f64>(static_cast<s64>((size >> 11) | ((size & 0x7FF) != 0))) * 2048.0
            : static_cast<f64>(static_cast<s64>(size));
    return negative ? -r : r;
  }
}

/// A double NaN keeps its sign and the upper bits of its payload, made quiet.
inline f32 narrow_nan_f32(f64 v) {
  return from_bits<f32>(static_cast<u32>(bits_of(v) >> 32 & 0x80000000u) | 0x7FC00000u |
                        static_cast<u32>(bits_of(v) >> 29 & 0x3FFFFFu));
}
template <typename H>
inline H narrow_nan(f64 v) {
  constexpr int kMantissaBits = HalfFormat<H>::kPrecision - 1;
  const u64 sign = bits_of(v) >> 48 & 0x8000,
            payload = bits_of(v) >> (52 - kMantissaBits) & HalfFormat<H>::kMantissa;
  return {static_cast<u16>(sign | HalfFormat<H>::kInfinity | 1u << (kMantissaBits - 1) | payload)};
}

template <typename S>
inline S flush_source(S v, u32 m) {
  if constexpr (kIsFloat<S> && sizeof(S) == 4)
    return flush_if(v, m);
  else
    return v;
}

template <typename D, typename S>
inline D converted(S value, u32 m) {
  const S v = flush_source(value, m);
  if constexpr (!kIsFloat<D> && !kIsFloat<S>) {
    if (!(m & kSat)) return static_cast<D>(v);
    using Big = s128;
    const Big big = static_cast<Big>(v), low = static_cast<Big>(kLowest<D>),
              high = static_cast<Big>(kHighest<D>);
    return static_cast<D>(big < low ? low : big > high ? high : big);
  } else if constexpr (!kIsFloat<D>) {
    const f64 wide = exact_double(v);
    if (wide != wide)
      return sizeof(S) == 8 || sizeof(D) == 8 ? static_cast<D>(Unsigned<D>(1) << (kBits<D> - 1))
                                              : D(0);
    const f64 r = round_float(wide, m);
    if (r >= kPastHighest<D>) return kHighest<D>;
    if (r <= static_cast<f64>(kLowest<D>)) return kLowest<D>;
    return static_cast<D>(r);
  } else if constexpr (kIsHalf<D>) {
    f64 wide = exact_double(v);
    if (m & kRoundInteger) wide = round_float(wide, m);
    // .ftz is about subnormal f32 sources, not about the result
    const D r = finish_half<D>(wide, (m & kRoundInteger ? m & ~kRoundMask : m) & ~kFtz);
    if constexpr (kIsFloat<S> && sizeof(S) == 8)
      return wide != wide && !(m & (kSat | kRelu)) ? narrow_nan<D>(wide) : r;
    else
      return r;
  } else if constexpr (!kIsFloat<S>) {
    return finish(static_cast<D>(v), m & kSat);
  } else {
    D r;
    if constexpr (kIsHalf<S>) {
      r = widen(v);
      if constexpr (!(HalfFormat<S>::kPrecision == 8 && sizeof(D) == 4))
        r = canonical(r, r);  // bf16 to f32 is a shift
    } else {
      r = static_cast<D>(m & kRoundInteger ? round_float(v, m) : v);
      if constexpr (sizeof(S) == sizeof(D))
        r = canonical(r, r);
      else if constexpr (sizeof(D) == 8)
        r = v != v && m & kFtz ? D(canonical(v)) : canonical(r, r);
      else if (v != v)
        r = narrow_nan_f32(v);
      // subnormal after rounding with an unbounded exponent
      else if (m & kFtz && magnitude(static_cast<f32>(v * 0x1p100)) < bits_of(0x1p-26f))
        r = __builtin_copysignf(0.0f, r);
    }
    if (m & kRelu && !(r > 0)) r = r != r ? r : D(0);
    return finish(r, sizeof(D) == 8 ? m & ~kFtz : m);
  }
}

/// cvt D <- S. A narrow signed result is sign-extended to the register, whose width Op::imm has as a mask.
template <typename D, typename S>
struct Converting {
  static constexpr bool fits(const char* column) {
    return column[0] == Lane<D>::kLetter && column[1] == '=' && column[2] == Lane<S>::kLetter &&
           column[3] == '\0';
  }
  static void loop(void* d, const std::byte* r, const Op& op, u32 modifiers) {
    using Storage = typename Lane<D>::Storage;
    auto* out = static_cast<Storage*>(__builtin_assume_aligned(d, 64));
    const Source<S> a(r, op, 0);
    const auto width = static_cast<Storage>(op.imm);
    if constexpr (kIsFloat<D>) {
      LABKIT_LANE_LOOP out[i] = Lane<D>::put(converted<D>(a.at(i), modifiers)) & width;
    } else {
      LABKIT_LANE_LOOP out[i] = static_cast<Storage>(converted<D>(a.at(i), modifiers)) & width;
    }
  }
  static void lanes(void* d, const std::byte* r, const Op& op) {
    const u32 m = op.modifiers;
    constexpr int kModes[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    const int mode = m & kRoundInteger || kIsHalf<D> ? 0 : static_cast<int>(m & kRoundMask);
    if (mode == 0) {
      if (m == 0)
        loop(d, r, op, 0);
      else if (m == (kRoundInteger | 1))
        loop(d, r, op, kRoundInteger | 1);
      else
        loop(d, r, op, m);
      return;
    }
    fesetround(kModes[mode]);
    loop(d, r, op, m);
    fesetround(FE_TONEAREST);
    if constexpr (kIsFloat<D> && !kIsFloat<S>) {
      // what compilers make of unsigned sources may subtract, and gives -0 for 0 when rounding down
      if constexpr (!Traits<S>::kSigned) {
        using Storage = typename Lane<D>::Storage;
        auto* out = static_cast<Storage*>(__builtin_assume_aligned(d, 64));
        LABKIT_LANE_LOOP out[i] &= static_cast<Storage>(~(Storage{1} << (8 * sizeof(D) - 1)));
      }
    }
  }
  static constexpr Semantics semantics() { return {&lanes, nullptr}; }
};

/// cvt.f16x2.f32 d, a, b: a becomes the upper half.
template <typename H, u32 kRounding>
inline u32 convert_pair(f32 a, f32 b, u32 m) {
  m = (m & ~kRoundMask) | kRounding;
  return join(finish_half<H>(b, m), finish_half<H>(a, m));
}
inline u32 convert_tf32(f32 a) {
  const u32 bits = bits_of(a);
  return ((bits & 0x7F800000u) == 0x7F800000u ? bits : bits + 0x1000u) & ~0x1FFFu;
}
template <typename T>
inline u32 saturated(s32 v) {
  return static_cast<Unsigned<T>>(v < static_cast<s32>(kLowest<T>)    ? kLowest<T>
                                  : v > static_cast<s32>(kHighest<T>) ? kHighest<T>
                                                                      : static_cast<T>(v));
}
template <typename T>
inline u32 pack16(s32 a, s32 b) {
  return saturated<T>(a) << 16 | saturated<T>(b);
}
template <typename T>
inline u32 pack8(s32 a, s32 b, u32 c) {
  return c << 16 | saturated<T>(a) << 8 | saturated<T>(b);
}

}  // namespace labkit::simt::LABKIT_SIMD
