// Meanings of the integer rows, for one lane. PTX ISA chapters 9.7.1 (integer), 9.7.2 (extended precision), 9.7.8 (logic
// and shift); where the manual leaves a case open (division by zero, shifts past the width) this is what an H200 gives.
#pragma once
#include "simt/lanes/lanes.h"

namespace labkit::simt::LABKIT_SIMD {

template <typename T>
inline constexpr int kBits = 8 * static_cast<int>(sizeof(T));
template <typename T>
struct Traits;
#define LABKIT_TRAITS(T, U, W, IS_SIGNED)      \
  template <>                                  \
  struct Traits<T> {                           \
    using Unsigned = U;                        \
    using Wide = W;                            \
    static constexpr bool kSigned = IS_SIGNED; \
  };
LABKIT_TRAITS(u8, u8, u16, false)
LABKIT_TRAITS(s8, u8, s16, true)
LABKIT_TRAITS(u16, u16, u32, false)
LABKIT_TRAITS(s16, u16, s32, true)
LABKIT_TRAITS(u32, u32, u64, false)
LABKIT_TRAITS(s32, u32, s64, true)
__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;
LABKIT_TRAITS(u64, u64, u128, false)
LABKIT_TRAITS(s64, u64, s128, true)
#undef LABKIT_TRAITS
template <typename T>
using Unsigned = typename Traits<T>::Unsigned;
template <typename T>
using Wide = typename Traits<T>::Wide;

/// What instructions do to integers of one type.
template <typename T>
struct Integer {
  static T mov(T a) { return a; }
  static T add(T a, T b) { return static_cast<T>(a + b); }
  static T sub(T a, T b) { return static_cast<T>(a - b); }
  /// Products of 16-bit values are taken as unsigned 32-bit ones: u16 * u16 would promote to int and overflow.
  static T mul_lo(T a, T b) {
    if constexpr (sizeof(T) == 2)
      return static_cast<T>(u32{a} * u32{b});
    else
      return a * b;
  }
  static T mad_lo(T a, T b, T c) { return static_cast<T>(mul_lo(a, b) + c); }
  static T mul_hi(T a, T b) {
    return static_cast<T>((static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b)) >> kBits<T>);
  }
  static T wrapped_sum(T a, T b) {
    return static_cast<T>(static_cast<Unsigned<T>>(a) + static_cast<Unsigned<T>>(b));
  }
  static T mad_hi(T a, T b, T c) { return wrapped_sum(mul_hi(a, b), c); }
  static Wide<T> mul_wide(T a, T b) { return static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b); }
  static Wide<T> mad_wide(T a, T b, Wide<T> c) {
    return Integer<Wide<T>>::wrapped_sum(mul_wide(a, b), c);
  }
  static s64 product24(T a, T b) {
    if constexpr (Traits<T>::kSigned)
      return s64{static_cast<s32>(static_cast<u32>(a) << 8) >> 8} *
             (static_cast<s32>(static_cast<u32>(b) << 8) >> 8);
    else
      return static_cast<s64>(u64{a & 0xFFFFFFu} * (b & 0xFFFFFFu));
  }
  static T mul24_lo(T a, T b) { return static_cast<T>(product24(a, b)); }
  static T mul24_hi(T a, T b) { return static_cast<T>(product24(a, b) >> 16); }
  static T mad24_lo(T a, T b, T c) { return wrapped_sum(mul24_lo(a, b), c); }
  static T mad24_hi(T a, T b, T c) { return wrapped_sum(mul24_hi(a, b), c); }
  static T sad(T a, T b, T c) {
    using U = Unsigned<T>;
    const U distance = a < b ? static_cast<U>(static_cast<U>(b) - static_cast<U>(a))
                             : static_cast<U>(static_cast<U>(a) - static_cast<U>(b));
    return static_cast<T>(static_cast<U>(static_cast<U>(c) + distance));
  }
  /// x / 0 and x % 0 give all ones (what an H200 gives), the smallest number over -1 itself.
  static T div(T a, T b) {
    if (b == 0) return static_cast<T>(~T{0});
    if constexpr (Traits<T>::kSigned)
      if (b == T(-1)) return static_cast<T>(Unsigned<T>(0) - static_cast<Unsigned<T>>(a));
    return static_cast<T>(a / b);
  }
  static T rem(T a, T b) {
    if (b == 0) return static_cast<T>(~T{0});
    if constexpr (Traits<T>::kSigned)
      if (b == T(-1)) return 0;
    return static_cast<T>(a % b);
  }
  static T neg(T a) { return static_cast<T>(T{0} - a); }
  static T abs(T a) {
    return a < 0 ? static_cast<T>(Unsigned<T>(0) - static_cast<Unsigned<T>>(a)) : a;
  }
  static T min(T a, T b) { return a < b ? a : b; }
  static T max(T a, T b) { return a > b ? a : b; }
  static T min_relu(T a, T b) { return max(0, min(a, b)); }
  static T max_relu(T a, T b) { return max(0, max(a, b)); }
  static u32 popc(T a) {
    if constexpr (sizeof(T) == 8)
      return static_cast<u32>(__builtin_popcountll(a));
    else
      return static_cast<u32>(__builtin_popcount(a));
  }
  static u32 clz(T a) {
    if (a == 0) return static_cast<u32>(kBits<T>);
    if constexpr (sizeof(T) == 8)
      return static_cast<u32>(__builtin_clzll(a));
    else
      return static_cast<u32>(__builtin_clz(a));
  }
  template <bool kShiftAmount>
  static u32 bfind(T a) {
    using U = Unsigned<T>;
    U v = static_cast<U>(a);
    if constexpr (Traits<T>::kSigned)
      if (a < 0) v = static_cast<U>(~v);
    if (v == 0) return 0xFFFFFFFFu;
    const u32 position = static_cast<u32>(kBits<T>) - 1 - Integer<U>::clz(v);
    return kShiftAmount ? static_cast<u32>(kBits<T>) - 1 - position : position;
  }
  static T bfe(T a, u32 position, u32 length) {
    using U = Unsigned<T>;
    const u32 pos = position & 0xFF, len = length & 0xFF, top = static_cast<u32>(kBits<T>) - 1;
    if (len == 0) return 0;
    const u32 last = pos + len - 1 < top ? pos + len - 1 : top;  // where the sign is taken from
    U value = pos > top ? U{0} : static_cast<U>(static_cast<U>(a) >> pos);
    const U keep = len > top ? static_cast<U>(~U{0}) : static_cast<U>((U{1} << len) - 1);
    value &= keep;
    if constexpr (Traits<T>::kSigned) {
      if ((static_cast<U>(a) >> last) & 1) {
        const u32 have = pos > top ? 0 : last - pos + 1;  // bits that really came from a
        if (have <= top) value |= static_cast<U>(~U{0} << have);
      }
    }
    return static_cast<T>(value);
  }
  static T bfi(T a, T b, u32 position, u32 length) {
    const u32 pos = position & 0xFF, len = length & 0xFF, bits = static_cast<u32>(kBits<T>);
    if (len == 0 || pos >= bits) return b;
    const T ones = len >= bits ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << len) - 1);
    const T field = static_cast<T>(ones << pos);
    return static_cast<T>((b & ~field) | ((a << pos) & field));
  }
  template <bool kClamp>
  static T szext(T a, u32 length) {
    const u32 len = kClamp ? (length > 32 ? 32 : length) : (length & 31);
    if (len == 0) return 0;
    if (len >= 32) return a;
    const u32 shift = 32 - len;
    return static_cast<T>(static_cast<T>(static_cast<u32>(a) << shift) >> shift);
  }
  static T bit_and(T a, T b) { return a & b; }
  static T bit_or(T a, T b) { return a | b; }
  static T bit_xor(T a, T b) { return a ^ b; }
  static T bit_not(T a) { return static_cast<T>(~a); }
  static T cnot(T a) { return a == 0 ? 1 : 0; }
  /// Shift amounts are unsigned and clamped at the width.
  static T shl(T a, u32 n) {
    return n >= static_cast<u32>(kBits<T>) ? T{0} : static_cast<T>(a << n);
  }
  static T shr(T a, u32 n) {
    if constexpr (Traits<T>::kSigned) {
      const u32 most = static_cast<u32>(kBits<T>) - 1;
      return static_cast<T>(a >> (n > most ? most : n));
    } else {
      return n >= static_cast<u32>(kBits<T>) ? T{0} : static_cast<T>(a >> n);
    }
  }
  static T selp(T a, T b, bool p) { return p ? a : b; }
  static T slct(T a, T b, s32 c) { return c >= 0 ? a : b; }
};

inline s32 clamp_to_s32(s64 v) {
  return v > 2147483647LL    ? 2147483647
         : v < -2147483648LL ? static_cast<s32>(-2147483648LL)
                             : static_cast<s32>(v);
}
inline s32 add_sat(s32 a, s32 b) { return clamp_to_s32(s64{a} + b); }
inline s32 sub_sat(s32 a, s32 b) { return clamp_to_s32(s64{a} - b); }
inline s32 mad_hi_sat(s32 a, s32 b, s32 c) {
  return clamp_to_s32(s64{Integer<s32>::mul_hi(a, b)} + c);
}
inline s32 mad24_hi_sat(s32 a, s32 b, s32 c) {
  return clamp_to_s32(s64{Integer<s32>::mul24_hi(a, b)} + c);
}
/// A 16-bit operation on both halves of 32 bits.
template <auto kFunction>
inline u32 pairwise(u32 a, u32 b) {
  const auto l = static_cast<u16>(kFunction(static_cast<u16>(a), static_cast<u16>(b)));
  const auto h = static_cast<u16>(kFunction(static_cast<u16>(a >> 16), static_cast<u16>(b >> 16)));
  return l | u32{h} << 16;
}
inline u32 brev32(u32 v) {
  v = ((v >> 1) & 0x55555555u) | ((v & 0x55555555u) << 1);
  v = ((v >> 2) & 0x33333333u) | ((v & 0x33333333u) << 2);
  v = ((v >> 4) & 0x0F0F0F0Fu) | ((v & 0x0F0F0F0Fu) << 4);
  return __builtin_bswap32(v);
}
inline u64 brev64(u64 v) {
  return u64{brev32(static_cast<u32>(v))} << 32 | brev32(static_cast<u32>(v >> 32));
}
/// Position of the |offset|-th set bit from `base`, upward for offset > 0, downward for < 0.
inline u32 fns(u32 mask, u32 base, s32 offset) {
  if (base > 31) return 0xFFFFFFFFu;
  if (offset == 0) return (mask >> base) & 1 ? base : 0xFFFFFFFFu;
  const int step = offset > 0 ? 1 : -1;
  int wanted = offset > 0 ? offset : (offset < -32 ? 33 : -offset);
  for (int position = static_cast<int>(base); position >= 0 && position < 32; position += step)
    if ((mask >> position) & 1 && --wanted == 0) return static_cast<u32>(position);
  return 0xFFFFFFFFu;
}
template <bool kClamp>
inline u32 bmsk(u32 position, u32 length) {
  const u32 pos = kClamp ? position : (position & 31), len = kClamp ? length : (length & 31);
  if (pos > 31) return 0;
  const u32 ones = len > 31 ? ~0u : (1u << len) - 1;
  return ones << pos;
}
template <typename A, typename B>
inline u32 dp4a(u32 a, u32 b, u32 c) {
  for (int byte = 0; byte < 4; ++byte)
    c += static_cast<u32>(static_cast<s32>(static_cast<A>(a >> (8 * byte))) *
                          static_cast<s32>(static_cast<B>(b >> (8 * byte))));
  return c;
}
/// Of the four bytes each; kSum adds them up and adds c (without it c is not used: all four lanes are written).
template <bool kSum>
inline u32 absolute_difference4(u32 a, u32 b, u32 c) {
  u32 bytes = 0, sum = c;
  for (int byte = 0; byte < 4; ++byte) {
    const u32 x = a >> (8 * byte) & 0xFF, y = b >> (8 * byte) & 0xFF,
              distance = x < y ? y - x : x - y;
    bytes |= distance << (8 * byte);
    sum += distance;
  }
  return kSum ? sum : bytes;
}
template <typename A, typename B, int kFirstByte>
inline u32 dp2a(u32 a, u32 b, u32 c) {
  for (int half = 0; half < 2; ++half)
    c += static_cast<u32>(static_cast<s32>(static_cast<A>(a >> (16 * half))) *
                          static_cast<s32>(static_cast<B>(b >> (8 * (half + kFirstByte)))));
  return c;
}
inline Mask and_pred(Mask a, Mask b) { return {a.bits & b.bits}; }
inline Mask or_pred(Mask a, Mask b) { return {a.bits | b.bits}; }
inline Mask xor_pred(Mask a, Mask b) { return {a.bits ^ b.bits}; }
inline Mask not_pred(Mask a) { return {~a.bits}; }
inline Mask mov_pred(Mask a) { return a; }
inline u32 lop3(u32 a, u32 b, u32 c, Immediate table) {
  u32 r = 0;
  for (u32 k = 0; k < 8; ++k) {  // minterm k has a in bit 2, b in bit 1, c in bit 0
    const u32 on = 0u - static_cast<u32>((table.bits >> k) & 1);
    r |= on & (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
  }
  return r;
}
/// Funnel shift of {b:a} (b is the high word).
template <bool kLeft, bool kClamp>
inline u32 shf(u32 a, u32 b, u32 c) {
  const u32 n = kClamp ? (c > 32 ? 32 : c) : (c & 31);
  const u64 both = u64{b} << 32 | a;
  return kLeft ? static_cast<u32>((both << n) >> 32) : static_cast<u32>(both >> n);
}
inline u32 permuted_byte(u64 bytes, u32 selector) {
  const u32 byte = static_cast<u32>(bytes >> (8 * (selector & 7))) & 0xFF;
  return selector & 8 ? (byte & 0x80 ? 0xFFu : 0u) : byte;
}
inline u32 prmt(u32 a, u32 b, u32 selectors) {
  const u64 bytes = u64{b} << 32 | a;
  u32 r = 0;
  for (u32 k = 0; k < 4; ++k) r |= permuted_byte(bytes, (selectors >> (4 * k)) & 15) << (8 * k);
  return r;
}
/// Modes f4e, b4e, rc8, ecl, ecr, rc16 of prmt: byte selectors for each value of c[1:0] (PTX ISA, prmt).
template <int kMode>
inline u32 prmt_mode(u32 a, u32 b, u32 c) {
  constexpr u16 kSelectors[6][4] = {
      {0x3210, 0x4321, 0x5432, 0x6543}, {0x5670, 0x6701, 0x7012, 0x0123},
      {0x0000, 0x1111, 0x2222, 0x3333}, {0x3210, 0x3211, 0x3222, 0x3333},
      {0x0000, 0x1110, 0x2210, 0x3210}, {0x1010, 0x3232, 0x1010, 0x3232}};
  return prmt(a, b, kSelectors[kMode][c & 3]);
}
/// -0 counts as >= 0, NaN does not.
template <typename T>
struct SlctFloat {
  static T apply(T a, T b, f32 c) { return c >= 0.0f ? a : b; }
  static T apply_modified(T a, T b, f32 c, u32) {
    const bool tiny = (__builtin_bit_cast(u32, c) & 0x7F800000u) == 0;
    return tiny || c >= 0.0f ? a : b;
  }
};

}  // namespace labkit::simt::LABKIT_SIMD
