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

/// Of halves.
template <auto C, typename H>
inline bool holds(H a, H b, u32 m) {
  return C(widen(flush_half(a, m)), widen(flush_half(b, m)));
}
template <auto C, typename T>
struct Compare {
  static bool apply(T a, T b) {
    if constexpr (requires { a < b; })
      return C(a, b);
    else
      return holds<C>(a, b, 0);
  }
  static bool apply_modified(T a, T b, u32 m) {
    if constexpr (requires { a < b; })
      return C(flush_if(a, m), flush_if(b, m));
    else
      return holds<C>(a, b, m);
  }
};
/// set giving a half: 1 or 0.
template <auto C, typename H>
inline H set_half(H a, H b, u32 m) {
  return {holds<C>(a, b, m) ? HalfFormat<H>::kOne : u16{0}};
}
/// set on pairs: each half becomes `kTrue` or 0.
template <auto C, typename H, u16 kTrue>
inline u32 set_pair(u32 a, u32 b, u32 m) {
  return (holds<C>(low<H>(a), low<H>(b), m) ? u32{kTrue} : 0u) |
         (holds<C>(high<H>(a), high<H>(b), m) ? u32{kTrue} << 16 : 0u);
}

}  // namespace labkit::simt::LABKIT_SIMD
