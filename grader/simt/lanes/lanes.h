// How an instruction's meaning becomes a loop over 32 lanes.
//
// The files of this folder are compiled once per SIMD target (LABKIT_SIMD names it), each into a namespace of its own.
// They are plain loops; the compiler vectorises them with the target's flags. They include nothing of the standard
// library that has inline functions: an AVX-512 copy of one could be the copy the linker keeps for everybody.
//
// A meaning is a function of the values of one lane. Modified<F> takes a functor of two: `static R apply(A a, B b, ...)`, and
// `apply_modified(..., std::uint32_t modifiers)`, used when .ftz, .sat or a rounding mode is present.
#pragma once
#include <fenv.h>

#include <cstddef>
#include <cstdint>

#include "simt/access.h"
#include "simt/op.h"

#if defined(__clang__)
#define LABKIT_LANE_LOOP _Pragma("clang loop vectorize(assume_safety)") for (int i = 0; i < 32; ++i)
#define LABKIT_HALF_LOOP _Pragma("clang loop vectorize(assume_safety)") for (int i = 0; i < 16; ++i)
#else
#define LABKIT_LANE_LOOP _Pragma("GCC ivdep") for (int i = 0; i < 32; ++i)
#define LABKIT_HALF_LOOP _Pragma("GCC ivdep") for (int i = 0; i < 16; ++i)
#endif

namespace labkit::simt::LABKIT_SIMD {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;
using f32 = float;
using f64 = double;
struct f16 {
  u16 bits;
};
struct bf16 {
  u16 bits;
};
/// A whole predicate: bit i is lane i.
struct Mask {
  u32 bits;
};
/// An operand that must be a constant (immLut of lop3).
struct Immediate {
  u64 bits;
};

/// The value of type T in one lane of a register, and back. Narrow values are zero-extended.
template <typename T>
struct Lane {
  using Storage = u32;
  static constexpr char kLetter = sizeof(T) == 4 ? 'w' : 'h';
  static T get(u32 v) {
    if constexpr (sizeof(T) == 4)
      return __builtin_bit_cast(T, v);
    else if constexpr (sizeof(T) == 2)
      return __builtin_bit_cast(T, static_cast<u16>(v));
    else
      return __builtin_bit_cast(T, static_cast<u8>(v));
  }
  static u32 put(T v) {
    if constexpr (sizeof(T) == 4)
      return __builtin_bit_cast(u32, v);
    else if constexpr (sizeof(T) == 2)
      return __builtin_bit_cast(u16, v);
    else
      return __builtin_bit_cast(u8, v);
  }
};
template <>
struct Lane<Mask> {
  static constexpr char kLetter = 'p';
};
template <>
struct Lane<bool> : Lane<Mask> {};
/// 64 bits.
template <typename T>
struct WideLane {
  using Storage = u64;
  static constexpr char kLetter = 'l';
  static T get(u64 v) { return __builtin_bit_cast(T, v); }
  static u64 put(T v) { return __builtin_bit_cast(u64, v); }
};
template <>
struct Lane<u64> : WideLane<u64> {};
template <>
struct Lane<s64> : WideLane<s64> {};
template <>
struct Lane<f64> : WideLane<f64> {};

/// A source operand, seen lane by lane.
template <typename T>
struct Source {
  static constexpr char kLetter = Lane<T>::kLetter;
  const typename Lane<T>::Storage* p;
  Source(const std::byte* r, const Op& op, int n)
      : p(static_cast<const typename Lane<T>::Storage*>(
            __builtin_assume_aligned(r + op.s[n], 64))) {}
  T at(int i) const { return Lane<T>::get(p[i]); }
};
template <>
struct Source<bool> {
  static constexpr char kLetter = 'p';
  u32 bits;
  Source(const std::byte* r, const Op& op, int n)
      : bits(*reinterpret_cast<const u32*>(r + op.s[n]) ^
             (op.modifiers & (kNegateSource << n) ? ~0u : 0u)) {}
  bool at(int i) const { return (bits >> i) & 1; }
};
template <>
struct Source<Mask> {
  static constexpr char kLetter = 'p';
};
template <>
struct Source<Immediate> {
  static constexpr char kLetter = 'i';
  Immediate value;
  Source(const std::byte*, const Op& op, int) : value{op.imm} {}
  Immediate at(int) const { return value; }
};

/// One bit per lane from 32 words that are 0 or ~0.
u32 mask_of(const s32* words);
template <typename T>
inline void blend(T* d, const T* s, u32 mask) {
  LABKIT_LANE_LOOP d[i] = (mask >> i) & 1 ? s[i] : d[i];
}

template <typename F>
struct Signature;
template <typename R, typename... A>
struct Signature<R (*)(A...)> {
  using Result = R;
  /// Whether the operand column of the table ("w=ww") says the same as the functor.
  static constexpr bool fits(const char* column) {
    constexpr char want[] = {Lane<R>::kLetter, '=', Source<A>::kLetter..., '\0'};
    for (int i = 0;; ++i) {
      if (column[i] != want[i]) return false;
      if (column[i] == '\0') return true;
    }
  }
};
/// The sources of an instruction, each a member of its own so that a loop over the lanes may keep them in registers.
template <int kNumber, typename... A>
struct Sources {
  Sources(const std::byte*, const Op&) {}
  template <typename F, typename... V>
  auto apply(F f, int, V... values) const {
    return f(values...);
  }
};
template <int kNumber, typename A, typename... Rest>
struct Sources<kNumber, A, Rest...> {
  const Source<A> first;
  const Sources<kNumber + 1, Rest...> rest;
  Sources(const std::byte* r, const Op& op) : first(r, op, kNumber), rest(r, op) {}
  /// f of their values in lane i.
  template <typename F, typename... V>
  auto apply(F f, int i, V... values) const {
    return rest.apply(f, i, values..., first.at(i));
  }
};

/// d[i] = f(source 0, source 1, ...) for 32 lanes.
template <typename R, typename... A, typename F>
inline void each(void* d, const std::byte* r, const Op& op, F f, R (*)(A...)) {
  auto* out = static_cast<typename Lane<R>::Storage*>(__builtin_assume_aligned(d, 64));
  const Sources<0, A...> sources(r, op);
  LABKIT_LANE_LOOP out[i] = Lane<R>::put(sources.apply(f, i));
}

/// A test of lane values: returns the predicate.
template <typename... A, typename F>
inline u32 test(const std::byte* r, const Op& op, F f, bool (*)(A...)) {
  alignas(64) s32 words[32];
  const Sources<0, A...> sources(r, op);
  LABKIT_LANE_LOOP words[i] = -static_cast<s32>(sources.apply(f, i));
  return mask_of(words);
}

/// Functions of whole predicates (and.pred): 32 lanes are one word.
template <typename F>
inline u32 logic(const std::byte* r, const Op& op, F f, Mask (*)(Mask)) {
  return f(Mask{Source<bool>(r, op, 0).bits}).bits;
}
template <typename F>
inline u32 logic(const std::byte* r, const Op& op, F f, Mask (*)(Mask, Mask)) {
  return f(Mask{Source<bool>(r, op, 0).bits}, Mask{Source<bool>(r, op, 1).bits}).bits;
}

/// The semantics of a function without modifiers.
template <auto kFunction>
struct Plain {
  using Apply = decltype(kFunction);
  using Result = typename Signature<Apply>::Result;
  static constexpr bool fits(const char* column) { return Signature<Apply>::fits(column); }
  static void lanes(void* d, const std::byte* r, const Op& op) {
    each(
        d, r, op, [](auto... v) { return kFunction(v...); }, Apply{});
  }
  static u32 mask(const std::byte* r, const Op& op) {
    auto f = [](auto... v) { return kFunction(v...); };
    if constexpr (__is_same(Result, Mask))
      return logic(r, op, f, Apply{});
    else
      return test(r, op, f, Apply{});
  }
  static constexpr Semantics semantics() {
    if constexpr (Lane<Result>::kLetter == 'p')
      return {nullptr, &mask};
    else
      return {&lanes, nullptr};
  }
};

/// The semantics of a functor whose modifiers matter: without any, the plain loop. A directed rounding runs the same
/// loop with the processor's rounding mode changed; the loops read their operands from memory after the change.
template <typename F>
struct Modified {
  using Apply = decltype(&F::apply);
  static constexpr bool fits(const char* column) { return Signature<Apply>::fits(column); }
  static void plain_or_modified(void* d, const std::byte* r, const Op& op, u32 modifiers) {
    if ((modifiers & ~kRoundMask) == 0)
      each(
          d, r, op, [](auto... v) { return F::apply(v...); }, Apply{});
    else
      each(
          d, r, op, [modifiers](auto... v) { return F::apply_modified(v..., modifiers); }, Apply{});
  }
  static void lanes(void* d, const std::byte* r, const Op& op) {
    const u32 modifiers = op.modifiers;
    if ((modifiers & kRoundMask) == 0) return plain_or_modified(d, r, op, modifiers);
    constexpr int kModes[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    fesetround(kModes[modifiers & kRoundMask]);
    plain_or_modified(d, r, op, modifiers);
    fesetround(FE_TONEAREST);
  }
  static u32 mask(const std::byte* r, const Op& op) {
    const u32 modifiers = op.modifiers;
    if (modifiers == 0)
      return test(
          r, op, [](auto... v) { return F::apply(v...); }, Apply{});
    return test(
        r, op, [modifiers](auto... v) { return F::apply_modified(v..., modifiers); }, Apply{});
  }
  static constexpr Semantics semantics() {
    if constexpr (__is_same(typename Signature<Apply>::Result, bool))
      return {nullptr, &mask};
    else
      return {&lanes, nullptr};
  }
};

/// The same of one function that takes the modifiers last, 0 where there are none.
template <auto kFunction, typename... A>
struct TakingModifiers {
  static auto apply(A... operands) { return kFunction(operands..., 0); }
  static auto apply_modified(A... operands, u32 modifiers) {
    return kFunction(operands..., modifiers);
  }
};
template <auto kFunction, typename... A>
using WithModifiers = Modified<TakingModifiers<kFunction, A...>>;

// What the files of this folder make for their target, joined by target.cpp.
extern const Semantics integer_rows[];
extern const Semantics float_rows[];
extern const Semantics half_rows[];
extern const Semantics compare_rows[];
extern const Semantics convert_rows[];
bool load(AccessState& state, const Op& op, std::uint32_t mask);
bool store(AccessState& state, const Op& op, std::uint32_t mask);
void spread(std::uint64_t* addresses, const Pattern& pattern, std::uint64_t start);
bool load_affine(AccessState& state, const Op& op, Affine base);
bool store_affine(AccessState& state, const Op& op, Affine base);

}  // namespace labkit::simt::LABKIT_SIMD
