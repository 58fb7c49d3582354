// Values that rise evenly from lane to lane: base + lane * step. Indices and addresses mostly do, and so one addition does
// the work of 32. Which registers hold nothing else is found when a kernel is decoded (affine.cpp); a warp whose threads'
// numbers rise evenly then computes them once for all lanes, until its lanes part or a value comes around its width, and
// from there on lane by lane. Nothing that is computed, counted or charged differs.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ptx/module.h"
#include "simt/op.h"

namespace labkit::simt {

struct AffineUse {
  /// What an instruction of the body does to affine values; none: it is done lane by lane.
  struct Step {
    AffineRule rule = AffineRule::none;
    bool is_64_bit = false, is_signed = false;  ///< as in Op
    Comparison comparison = Comparison::eq;
  };
  std::vector<Step> steps;        ///< by instruction
  std::vector<bool> is_affine;    ///< by register: whatever writes it
  std::vector<bool> needs_lanes;  ///< by register: an affine one that is read lane by lane as well
};

/// `unset`: registers that may be read before they are written, which hold anything.
AffineUse find_affine(const ptx::Function& entry, const std::vector<std::int32_t>& unset);

// What instructions do to affine values.
// Of 32-bit values the upper halves of base and step are anything: what is done to them does not reach down.
// In a launch's second list of Ops, `d` and `s` of these are places in the warp's file.

inline Affine& file_at(Affine* file, std::uint32_t place) {
  return *reinterpret_cast<Affine*>(reinterpret_cast<std::byte*>(file) + place);
}
inline const Affine& file_at(const Affine* file, std::uint32_t place) {
  return *reinterpret_cast<const Affine*>(reinterpret_cast<const std::byte*>(file) + place);
}

inline bool is_uniform(Affine value, bool is_64_bit) {
  return is_64_bit ? value.step == 0 : static_cast<std::uint32_t>(value.step) == 0;
}

/// First and last lane's value in the numbers that the 32 bits stand for; false if a lane between comes around.
inline bool ends_of(Affine value, bool is_signed, std::int64_t& first, std::int64_t& last) {
  const auto low = static_cast<std::uint32_t>(value.base);
  first = is_signed ? static_cast<std::int64_t>(static_cast<std::int32_t>(low))
                    : static_cast<std::int64_t>(low);
  last = first;
  if (is_uniform(value, false)) return true;
  last = first + 31 * static_cast<std::int64_t>(static_cast<std::int32_t>(value.step));
  return is_signed ? last == static_cast<std::int32_t>(last)
                   : last >= 0 && last <= std::int64_t{0xFFFFFFFF};
}

/// A 32-bit value in 64 bits; false if a lane comes around.
inline bool widened(Affine& value, bool is_signed) {
  std::int64_t first = 0, last = 0;
  if (!ends_of(value, is_signed, first, last)) return false;
  value = {static_cast<std::uint64_t>(first),
           static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(value.step)})};
  return true;
}

/// False if neither factor is uniform.
inline bool times(Affine& a, Affine b, bool is_64_bit) {
  if (!is_uniform(a, is_64_bit)) {
    if (!is_uniform(b, is_64_bit)) return false;
    a = {a.base * b.base, a.step * b.base};
  } else {
    a = {a.base * b.base, a.base * b.step};
  }
  return true;
}

inline Affine sum(Affine a, Affine b) { return {a.base + b.base, a.step + b.step}; }

/// Does `op`, whose rule it is, to the registers in `file`; false: nothing was done, for the result is not affine.
template <AffineRule kRule>
[[gnu::always_inline]] inline bool do_affine(Affine* file, const Op& op) {
  const auto source = [&](int n) { return file_at(file, op.s[n]); };
  Affine value = source(0);
  if constexpr (kRule == AffineRule::add) {
    value = sum(value, source(1));
  } else if constexpr (kRule == AffineRule::subtract) {
    const Affine b = source(1);
    value = {value.base - b.base, value.step - b.step};
  } else if constexpr (kRule == AffineRule::shift_left) {
    const Affine by = source(1);
    if (!is_uniform(by, false)) return false;
    const auto bits = static_cast<std::uint32_t>(by.base);
    value = bits < (op.affine_64 ? 64u : 32u) ? Affine{value.base << bits, value.step << bits}
                                              : Affine{};
  } else if constexpr (kRule == AffineRule::multiply || kRule == AffineRule::multiply_add) {
    if (!times(value, source(1), op.affine_64)) return false;
    if constexpr (kRule == AffineRule::multiply_add) value = sum(value, source(2));
  } else if constexpr (kRule == AffineRule::multiply_wide ||
                       kRule == AffineRule::multiply_add_wide) {
    Affine b = source(1);
    if (!widened(value, op.affine_signed) || !widened(b, op.affine_signed) ||
        !times(value, b, true))
      return false;
    if constexpr (kRule == AffineRule::multiply_add_wide) value = sum(value, source(2));
  } else if constexpr (kRule == AffineRule::widen) {
    if (!widened(value, op.affine_signed)) return false;
  } else {
    static_assert(kRule == AffineRule::move);
  }
  file_at(file, op.d) = value;
  return true;
}

inline bool do_affine(Affine* file, const Op& op) {
  switch (op.affine) {
#define RULE(rule)       \
  case AffineRule::rule: \
    return do_affine<AffineRule::rule>(file, op);
    LABKIT_AFFINE_RULES(RULE)
#undef RULE
    default:
      return false;
  }
}

template <typename T>
inline bool holds(Comparison comparison, T a, T b) {
  const int order = 1 + (a > b) - (a < b);
  return static_cast<unsigned>(comparison) >> order & 1;
}

template <typename T>
inline std::uint32_t compare_lanes(Comparison comparison, Affine a, Affine b) {
  std::uint32_t mask = 0;
  for (std::uint64_t i = 0; i < kLanes; ++i)
    mask |= std::uint32_t{holds(comparison, static_cast<T>(a.base + i * a.step),
                                static_cast<T>(b.base + i * b.step))}
            << i;
  return mask;
}

/// Bit i: the comparison holds in lane i.
inline std::uint32_t compare_affine(const Affine* file, const Op& op) {
  const Affine a = file_at(file, op.s[0]), b = file_at(file, op.s[1]);
  if (op.affine_64)
    return op.affine_signed ? compare_lanes<std::int64_t>(op.comparison, a, b)
                            : compare_lanes<std::uint64_t>(op.comparison, a, b);
  std::int64_t first_a = 0, last_a = 0, first_b = 0, last_b = 0;
  if (ends_of(a, op.affine_signed, first_a, last_a) &&
      ends_of(b, op.affine_signed, first_b, last_b)) {
    const std::int64_t first = first_a - first_b, last = last_a - last_b;
    // Between two ends on one side of 0 nothing else can be.
    if ((first < 0 && last < 0) || (first > 0 && last > 0) || (first == 0 && last == 0))
      return holds<std::int64_t>(op.comparison, first, 0) ? kAllLanes : 0;
  }
  return op.affine_signed ? compare_lanes<std::int32_t>(op.comparison, a, b)
                          : compare_lanes<std::uint32_t>(op.comparison, a, b);
}

}  // namespace labkit::simt
