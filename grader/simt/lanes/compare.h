// Comparisons for one lane. For floats eq, lt, ... are false if an operand is NaN, ne too; equ, ltu, ... are true.
#pragma once
#include "simt/lanes/half.h"

namespace labkit::simt::LABKIT_SIMD {

struct Compare_eq {
  template <typename T>
  static bool of(T a, T b) {
    return a == b;
  }
};
struct Compare_ne {
  template <typename T>
  static bool of(T a, T b) {
    return (a < b) | (a > b);
  }
};
struct Compare_lt {
  template <typename T>
  static bool of(T a, T b) {
    return a < b;
  }
};
struct Compare_le {
  template <typename T>
  static bool of(T a, T b) {
    return a <= b;
  }
};
struct Compare_gt {
  template <typename T>
  static bool of(T a, T b) {
    return a > b;
  }
};
struct Compare_ge {
  template <typename T>
  static bool of(T a, T b) {
    return a >= b;
  }
};
struct Compare_equ {
  template <typename T>
  static bool of(T a, T b) {
    return !((a < b) | (a > b));
  }
};
struct Compare_neu {
  template <typename T>
  static bool of(T a, T b) {
    return !(a == b);
  }
};
struct Compare_ltu {
  template <typename T>
  static bool of(T a, T b) {
    return !(a >= b);
  }
};
struct Compare_leu {
  template <typename T>
  static bool of(T a, T b) {
    return !(a > b);
  }
};
struct Compare_gtu {
  template <typename T>
  static bool of(T a, T b) {
    return !(a <= b);
  }
};
struct Compare_geu {
  template <typename T>
  static bool of(T a, T b) {
    return !(a < b);
  }
};
struct Compare_num {
  template <typename T>
  static bool of(T a, T b) {
    return (a == a) & (b == b);
  }
};
struct Compare_nan {
  template <typename T>
  static bool of(T a, T b) {
    return (a != a) | (b != b);
  }
};

template <typename C, typename T>
struct Compare {
  static bool apply(T a, T b) {
    if constexpr (Lane<T>::kLetter == 'h' && !requires { a < b; })
      return C::of(widen(a), widen(b));
    else
      return C::of(a, b);
  }
  static bool apply_modified(T a, T b, u32 m) {
    if constexpr (requires { FloatBits<T>::kSign; })
      return C::of(flush_if(a, m), flush_if(b, m));
    else
      return C::of(widen(flush_half(a, m)), widen(flush_half(b, m)));
  }
};

/// set giving a half: 1 or 0.
template <typename C, typename H>
struct SetHalf {
  static H apply(H a, H b) { return apply_modified(a, b, 0); }
  static H apply_modified(H a, H b, u32 m) {
    return {C::of(widen(flush_half(a, m)), widen(flush_half(b, m))) ? HalfFormat<H>::kOne : u16{0}};
  }
};

/// set on pairs: each half becomes `kTrue` or 0.
template <typename C, typename H, u16 kTrue>
struct SetPair {
  static u32 apply(u32 a, u32 b) { return apply_modified(a, b, 0); }
  static u32 apply_modified(u32 a, u32 b, u32 m) {
    const bool l = C::of(widen(flush_half(low<H>(a), m)), widen(flush_half(low<H>(b), m)));
    const bool h = C::of(widen(flush_half(high<H>(a), m)), widen(flush_half(high<H>(b), m)));
    return (l ? u32{kTrue} : 0u) | (h ? u32{kTrue} << 16 : 0u);
  }
};

}  // namespace labkit::simt::LABKIT_SIMD
