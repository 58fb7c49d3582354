// Counter-based random values: value i of a stream depends on the seed and on i alone, so inputs
// come out the same whatever the order, the number of threads or the size of the buffer they are
// drawn for.
//
// The mixer is SplitMix64's finaliser (Steele, Lea, Flood, "Fast splittable pseudorandom number
// generators", OOPSLA 2014), applied to the seed first so that neighbouring seeds give unrelated
// streams.
#pragma once
#include <cstdint>

namespace labkit {

/// A bijection of 64-bit words whose output bits each depend on all input bits.
constexpr std::uint64_t mix64(std::uint64_t word) {
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9ull;
  word = (word ^ (word >> 27)) * 0x94d049bb133111ebull;
  return word ^ (word >> 31);
}

/// 64 random bits: value `index` of stream `seed`.
constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
  constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ull;  // 2^64 / golden ratio, odd
  return mix64(mix64(seed + kGolden) + (index + 1) * kGolden);
}

/// Uniform on [0, 1), a multiple of 2^-53.
constexpr double random_unit(std::uint64_t seed, std::uint64_t index) {
  return static_cast<double>(random_bits(seed, index) >> 11) * 0x1p-53;
}

/// Uniform on [low, high).
constexpr double random_uniform(std::uint64_t seed, std::uint64_t index, double low, double high) {
  return low + (high - low) * random_unit(seed, index);
}

}  // namespace labkit
