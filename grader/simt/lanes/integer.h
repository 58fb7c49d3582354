// Meanings of the integer rows, for one lane. PTX ISA chapters 9.7.1 (integer), 9.7.2 (extended precision), 9.7.8 (logic
// and shift); where the manual leaves a case open (division by zero, shifts past the width) this is what an H200 gives.
#pragma once
#include "simt/lanes/lanes.h"

namespace labkit::simt::LABKIT_SIMD {

template <typename T>
inline constexpr int kBits = 8 * static_cast<int>(sizeof(T));
template <typename T>
struct Traits;
#define LABKIT_TRAITS(T, U, S, W, IS_SIGNED)   \
  template <>                                  \
  struct Traits<T> {                           \
    using Unsigned = U;                        \
    using Signed = S;                          \
    using Wide = W;                            \
    static constexpr bool kSigned = IS_SIGNED; \
  };
LABKIT_TRAITS(u8, u8, s8, u16, false)
LABKIT_TRAITS(s8, u8, s8, s16, true)
LABKIT_TRAITS(u16, u16, s16, u32, false)
LABKIT_TRAITS(s16, u16, s16, s32, true)
LABKIT_TRAITS(u32, u32, s32, u64, false)
LABKIT_TRAITS(s32, u32, s32, s64, true)
__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;
LABKIT_TRAITS(u64, u64, s64, u128, false)
LABKIT_TRAITS(s64, u64, s64, s128, true)
#undef LABKIT_TRAITS
template <typename T>
using Unsigned = typename Traits<T>::Unsigned;
template <typename T>
using Signed = typename Traits<T>::Signed;
template <typename T>
using Wide = typename Traits<T>::Wide;

template <typename T>
struct Mov {
  static T apply(T a) { return a; }
};
template <typename T>
struct Add {
  static T apply(T a, T b) { return static_cast<T>(a + b); }
};
template <typename T>
struct Sub {
  static T apply(T a, T b) { return static_cast<T>(a - b); }
};
/// Products of 16-bit values are taken as unsigned 32-bit ones: u16 * u16 would promote to int and overflow.
template <typename T>
struct MulLo {
  static T apply(T a, T b) {
    if constexpr (sizeof(T) == 2)
      return static_cast<T>(u32{a} * u32{b});
    else
      return a * b;
  }
};
template <typename T>
struct MadLo {
  static T apply(T a, T b, T c) { return static_cast<T>(MulLo<T>::apply(a, b) + c); }
};
template <typename T>
struct MulHi {
  static T apply(T a, T b) {
    return static_cast<T>((static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b)) >> kBits<T>);
  }
};
template <typename T>
struct MadHi {
  static T apply(T a, T b, T c) {
    return static_cast<T>(static_cast<Unsigned<T>>(MulHi<T>::apply(a, b)) +
                          static_cast<Unsigned<T>>(c));
  }
};
template <typename T>
struct MulWide {
  static Wide<T> apply(T a, T b) { return static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b); }
};
template <typename T>
struct MadWide {
  static Wide<T> apply(T a, T b, Wide<T> c) {
    return static_cast<Wide<T>>(static_cast<Unsigned<Wide<T>>>(MulWide<T>::apply(a, b)) +
                                static_cast<Unsigned<Wide<T>>>(c));
  }
};
inline s32 clamp_to_s32(s64 v) {
  return v > 2147483647LL    ? 2147483647
         : v < -2147483648LL ? static_cast<s32>(-2147483648LL)
                             : static_cast<s32>(v);
}
struct AddSat {
  static s32 apply(s32 a, s32 b) { return clamp_to_s32(s64{a} + b); }
};
struct SubSat {
  static s32 apply(s32 a, s32 b) { return clamp_to_s32(s64{a} - b); }
};
struct MadHiSat {
  static s32 apply(s32 a, s32 b, s32 c) { return clamp_to_s32(s64{MulHi<s32>::apply(a, b)} + c); }
};

template <typename T>
struct Mul24Lo {
  static s64 product(T a, T b) {
    if constexpr (Traits<T>::kSigned) {
      return s64{static_cast<s32>(static_cast<u32>(a) << 8) >> 8} *
             (static_cast<s32>(static_cast<u32>(b) << 8) >> 8);
    } else {
      return static_cast<s64>(u64{a & 0xFFFFFFu} * (b & 0xFFFFFFu));
    }
  }
  static T apply(T a, T b) { return static_cast<T>(product(a, b)); }
};
template <typename T>
struct Mul24Hi {
  static T apply(T a, T b) { return static_cast<T>(Mul24Lo<T>::product(a, b) >> 16); }
};
template <typename T>
struct Mad24Lo {
  static T apply(T a, T b, T c) {
    return static_cast<T>(static_cast<u32>(Mul24Lo<T>::apply(a, b)) + static_cast<u32>(c));
  }
};
template <typename T>
struct Mad24Hi {
  static T apply(T a, T b, T c) {
    return static_cast<T>(static_cast<u32>(Mul24Hi<T>::apply(a, b)) + static_cast<u32>(c));
  }
};
struct Mad24HiSat {
  static s32 apply(s32 a, s32 b, s32 c) { return clamp_to_s32(s64{Mul24Hi<s32>::apply(a, b)} + c); }
};
template <typename T>
struct Sad {
  static T apply(T a, T b, T c) {
    using U = Unsigned<T>;
    const U distance = a < b ? static_cast<U>(static_cast<U>(b) - static_cast<U>(a))
                             : static_cast<U>(static_cast<U>(a) - static_cast<U>(b));
    return static_cast<T>(static_cast<U>(static_cast<U>(c) + distance));
  }
};
/// x / 0 and x % 0 give all ones (what an H200 gives), the smallest number over -1 itself.
template <typename T>
struct Div {
  static T apply(T a, T b) {
    if (b == 0) return static_cast<T>(~T{0});
    if constexpr (Traits<T>::kSigned)
      if (b == T(-1)) return static_cast<T>(Unsigned<T>(0) - static_cast<Unsigned<T>>(a));
    return static_cast<T>(a / b);
  }
};
template <typename T>
struct Rem {
  static T apply(T a, T b) {
    if (b == 0) return static_cast<T>(~T{0});
    if constexpr (Traits<T>::kSigned)
      if (b == T(-1)) return 0;
    return static_cast<T>(a % b);
  }
};
template <typename T>
struct Neg {
  static T apply(T a) { return static_cast<T>(T{0} - a); }
};
template <typename T>
struct Abs {
  static T apply(T a) {
    return a < 0 ? static_cast<T>(Unsigned<T>(0) - static_cast<Unsigned<T>>(a)) : a;
  }
};
template <typename T>
struct Min {
  static T apply(T a, T b) { return a < b ? a : b; }
};
template <typename T>
struct Max {
  static T apply(T a, T b) { return a > b ? a : b; }
};
template <typename T>
struct MinRelu {
  static T apply(T a, T b) { return Max<T>::apply(0, Min<T>::apply(a, b)); }
};
template <typename T>
struct MaxRelu {
  static T apply(T a, T b) { return Max<T>::apply(0, Max<T>::apply(a, b)); }
};
/// A 16-bit operation on both halves of 32 bits.
template <typename F>
struct Pairwise {
  static u32 apply(u32 a, u32 b) {
    const u16 low = static_cast<u16>(F::apply(static_cast<u16>(a), static_cast<u16>(b)));
    const u16 high =
        static_cast<u16>(F::apply(static_cast<u16>(a >> 16), static_cast<u16>(b >> 16)));
    return low | static_cast<u32>(high) << 16;
  }
};

template <typename T>
struct Popc {
  static u32 apply(T a) {
    if constexpr (sizeof(T) == 8)
      return static_cast<u32>(__builtin_popcountll(a));
    else
      return static_cast<u32>(__builtin_popcount(a));
  }
};
template <typename T>
struct Clz {
  static u32 apply(T a) {
    if (a == 0) return static_cast<u32>(kBits<T>);
    if constexpr (sizeof(T) == 8)
      return static_cast<u32>(__builtin_clzll(a));
    else
      return static_cast<u32>(__builtin_clz(a));
  }
};
template <typename T, bool kShiftAmount>
struct Bfind {
  static u32 apply(T a) {
    using U = Unsigned<T>;
    U v = static_cast<U>(a);
    if constexpr (Traits<T>::kSigned)
      if (a < 0) v = static_cast<U>(~v);
    if (v == 0) return 0xFFFFFFFFu;
    const u32 position = static_cast<u32>(kBits<T>) - 1 - Clz<U>::apply(v);
    return kShiftAmount ? static_cast<u32>(kBits<T>) - 1 - position : position;
  }
};
struct Brev32 {
  static u32 apply(u32 v) {
    v = ((v >> 1) & 0x55555555u) | ((v & 0x55555555u) << 1);
    v = ((v >> 2) & 0x33333333u) | ((v & 0x33333333u) << 2);
    v = ((v >> 4) & 0x0F0F0F0Fu) | ((v & 0x0F0F0F0Fu) << 4);
    return __builtin_bswap32(v);
  }
};
struct Brev64 {
  static u64 apply(u64 v) {
    return u64{Brev32::apply(static_cast<u32>(v))} << 32 | Brev32::apply(static_cast<u32>(v >> 32));
  }
};
template <typename T>
struct Bfe {
  static T apply(T a, u32 position, u32 length) {
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
};
template <typename T>
struct Bfi {
  static T apply(T a, T b, u32 position, u32 length) {
    const u32 pos = position & 0xFF, len = length & 0xFF, bits = static_cast<u32>(kBits<T>);
    if (len == 0 || pos >= bits) return b;
    const T ones = len >= bits ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << len) - 1);
    const T field = static_cast<T>(ones << pos);
    return static_cast<T>((b & ~field) | ((a << pos) & field));
  }
};
/// Position of the |offset|-th set bit from `base`, upward for offset > 0, downward for < 0.
struct Fns {
  static u32 apply(u32 mask, u32 base, s32 offset) {
    if (base > 31) return 0xFFFFFFFFu;
    if (offset == 0) return (mask >> base) & 1 ? base : 0xFFFFFFFFu;
    const int step = offset > 0 ? 1 : -1;
    int wanted = offset > 0 ? offset : (offset < -32 ? 33 : -offset);
    for (int position = static_cast<int>(base); position >= 0 && position < 32; position += step)
      if ((mask >> position) & 1 && --wanted == 0) return static_cast<u32>(position);
    return 0xFFFFFFFFu;
  }
};
template <typename T, bool kClamp>
struct Szext {
  static T apply(T a, u32 length) {
    const u32 len = kClamp ? (length > 32 ? 32 : length) : (length & 31);
    if (len == 0) return 0;
    if (len >= 32) return a;
    const u32 shift = 32 - len;
    return static_cast<T>(static_cast<T>(static_cast<u32>(a) << shift) >> shift);
  }
};
template <bool kClamp>
struct Bmsk {
  static u32 apply(u32 position, u32 length) {
    const u32 pos = kClamp ? position : (position & 31), len = kClamp ? length : (length & 31);
    if (pos > 31) return 0;
    const u32 ones = len > 31 ? ~0u : (1u << len) - 1;
    return ones << pos;
  }
};
template <typename A, typename B>
struct Dp4a {
  static u32 apply(u32 a, u32 b, u32 c) {
    for (int byte = 0; byte < 4; ++byte)
      c += static_cast<u32>(static_cast<s32>(static_cast<A>(a >> (8 * byte))) *
                            static_cast<s32>(static_cast<B>(b >> (8 * byte))));
    return c;
  }
};
/// Of the four bytes each; kSum adds them up and adds c (without it c is not used: all four lanes are written).
template <bool kSum>
struct AbsoluteDifference4 {
  static u32 apply(u32 a, u32 b, u32 c) {
    u32 bytes = 0, sum = c;
    for (int byte = 0; byte < 4; ++byte) {
      const u32 x = a >> (8 * byte) & 0xFF, y = b >> (8 * byte) & 0xFF,
                distance = x < y ? y - x : x - y;
      bytes |= distance << (8 * byte);
      sum += distance;
    }
    return kSum ? sum : bytes;
  }
};
template <typename A, typename B, int kFirstByte>
struct Dp2a {
  static u32 apply(u32 a, u32 b, u32 c) {
    for (int half = 0; half < 2; ++half)
      c += static_cast<u32>(static_cast<s32>(static_cast<A>(a >> (16 * half))) *
                            static_cast<s32>(static_cast<B>(b >> (8 * (half + kFirstByte)))));
    return c;
  }
};

template <typename T>
struct And {
  static T apply(T a, T b) { return a & b; }
};
template <typename T>
struct Or {
  static T apply(T a, T b) { return a | b; }
};
template <typename T>
struct Xor {
  static T apply(T a, T b) { return a ^ b; }
};
template <typename T>
struct Not {
  static T apply(T a) { return static_cast<T>(~a); }
};
template <typename T>
struct Cnot {
  static T apply(T a) { return a == 0 ? 1 : 0; }
};
struct AndPred {
  static Mask apply(Mask a, Mask b) { return {a.bits & b.bits}; }
};
struct OrPred {
  static Mask apply(Mask a, Mask b) { return {a.bits | b.bits}; }
};
struct XorPred {
  static Mask apply(Mask a, Mask b) { return {a.bits ^ b.bits}; }
};
struct NotPred {
  static Mask apply(Mask a) { return {~a.bits}; }
};
struct MovPred {
  static Mask apply(Mask a) { return a; }
};
struct Lop3 {
  static u32 apply(u32 a, u32 b, u32 c, Immediate table) {
    u32 r = 0;
    for (u32 k = 0; k < 8; ++k) {  // minterm k has a in bit 2, b in bit 1, c in bit 0
      const u32 on = 0u - static_cast<u32>((table.bits >> k) & 1);
      r |= on & (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
    }
    return r;
  }
};
/// Shift amounts are unsigned and clamped at the width.
template <typename T>
struct Shl {
  static T apply(T a, u32 n) {
    return n >= static_cast<u32>(kBits<T>) ? T{0} : static_cast<T>(a << n);
  }
};
template <typename T>
struct Shr {
  static T apply(T a, u32 n) {
    if constexpr (Traits<T>::kSigned) {
      const u32 most = static_cast<u32>(kBits<T>) - 1;
      return static_cast<T>(a >> (n > most ? most : n));
    } else {
      return n >= static_cast<u32>(kBits<T>) ? T{0} : static_cast<T>(a >> n);
    }
  }
};
/// Funnel shift of {b:a} (b is the high word).
template <bool kLeft, bool kClamp>
struct Shf {
  static u32 apply(u32 a, u32 b, u32 c) {
    const u32 n = kClamp ? (c > 32 ? 32 : c) : (c & 31);
    const u64 both = u64{b} << 32 | a;
    return kLeft ? static_cast<u32>((both << n) >> 32) : static_cast<u32>(both >> n);
  }
};
inline u32 permuted_byte(u64 bytes, u32 selector) {
  const u32 byte = static_cast<u32>(bytes >> (8 * (selector & 7))) & 0xFF;
  return selector & 8 ? (byte & 0x80 ? 0xFFu : 0u) : byte;
}
struct Prmt {
  static u32 apply(u32 a, u32 b, u32 selectors) {
    const u64 bytes = u64{b} << 32 | a;
    u32 r = 0;
    for (u32 k = 0; k < 4; ++k) r |= permuted_byte(bytes, (selectors >> (4 * k)) & 15) << (8 * k);
    return r;
  }
};
/// Modes f4e, b4e, rc8, ecl, ecr, rc16 of prmt: byte selectors for each value of c[1:0] (PTX ISA, prmt).
template <int kMode>
struct PrmtMode {
  static u32 apply(u32 a, u32 b, u32 c) {
    constexpr u16 kSelectors[6][4] = {
        {0x3210, 0x4321, 0x5432, 0x6543}, {0x5670, 0x6701, 0x7012, 0x0123},
        {0x0000, 0x1111, 0x2222, 0x3333}, {0x3210, 0x3211, 0x3222, 0x3333},
        {0x0000, 0x1110, 0x2210, 0x3210}, {0x1010, 0x3232, 0x1010, 0x3232}};
    return Prmt::apply(a, b, kSelectors[kMode][c & 3]);
  }
};
template <typename T>
struct Selp {
  static T apply(T a, T b, bool p) { return p ? a : b; }
};
template <typename T>
struct Slct {
  static T apply(T a, T b, s32 c) { return c >= 0 ? a : b; }
};
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
