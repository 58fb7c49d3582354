// Comparisons for one lane. For floats eq, lt, ... are false if an operand is NaN, ne too; equ, ltu, ... are true.
#pragma once
#include "simt/lanes/half.h"

namespace labkit::simt::LABKIT_SIMD {

// By the words of the rows.
inline constexpr auto Compare_eq = [](auto a, auto b) -> bool { return a == b; };
inline constexpr auto Compare_ne = [](auto a, auto b) -> bool { return (a < b) | (a > b); };
inline constexpr auto Compare_lt = [](auto a, auto b) -> bool { return a < b; };
inline constexpr auto Compare_le = [](auto a, auto b) -> bool { return a <= b; };
inline constexpr auto Compare_gt = [](auto a, auto b) -> bool { return a > b; };
inline constexpr auto Compare_ge = [](auto a, auto b) -> bool { return a >= b; };
inline constexpr auto Compare_equ = [](auto a, auto b) -> bool { return !((a < b) | (a > b)); };
inline constexpr auto Compare_neu = [](auto a, auto b) -> bool { return !(a == b); };
inline constexpr auto Compare_ltu = [](auto a, auto b) -> bool { return !(a >= b); };
inline constexpr auto Compare_leu = [](auto a, auto b) -> bool { return !(a > b); };
inline constexpr auto Compare_gtu = [](auto a, auto b) -> bool { return !(a <= b); };
inline constexpr auto Compare_geu = [](auto a, auto b) -> bool { return !(a < b); };
inline constexpr auto Compare_num = [](auto a, auto b) -> bool { return (a == a) & (b == b); };
inline constexpr auto Compare_nan = [](auto a, auto b) -> bool { return (a != a) | (b != b); };

template <auto C, typename T>
struct Compare {
  static bool apply(T a, T b) {
    if constexpr (Lane<T>::kLetter == 'h' && !requires { a < b; })
      return C(widen(a), widen(b));
    else
      return C(a, b);
  }
  static bool apply_modified(T a, T b, u32 m) {
    if constexpr (requires { FloatBits<T>::kSign; })
      return C(flush_if(a, m), flush_if(b, m));
    else
      return C(widen(flush_half(a, m)), widen(flush_half(b, m)));
  }
};

/// set giving a half: 1 or 0.
template <auto C, typename H>
struct SetHalf {
  static H apply(H a, H b) { return apply_modified(a, b, 0); }
  static H apply_modified(H a, H b, u32 m) {
    return {C(widen(flush_half(a, m)), widen(flush_half(b, m))) ? HalfFormat<H>::kOne : u16{0}};
  }
};

/// set on pairs: each half becomes `kTrue` or 0.
template <auto C, typename H, u16 kTrue>
struct SetPair {
  static u32 apply(u32 a, u32 b) { return apply_modified(a, b, 0); }
  static u32 apply_modified(u32 a, u32 b, u32 m) {
    const bool l = C(widen(flush_half(low<H>(a), m)), widen(flush_half(low<H>(b), m)));
    const bool h = C(widen(flush_half(high<H>(a), m)), widen(flush_half(high<H>(b), m)));
    return (l ? u32{kTrue} : 0u) | (h ? u32{kTrue} << 16 : 0u);
  }
};

}  // namespace labkit::simt::LABKIT_SIMD
