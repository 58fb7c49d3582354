// What buffers hold before a launch. Random contents depend on the seed and the index only, so that
// any part of them can be had again anywhere.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "base/random.h"
#include "launch/launch.h"

namespace labkit::launch {

std::uint16_t half_bits(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint16_t sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000u);
  const float magnitude = std::fabs(value);
  if (magnitude == 0) return sign;
  if (std::isnan(value)) return 0x7fff;
  if (magnitude >= 65520.0f) return sign | 0x7c00u;  // rounds to infinity
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  // One unit in the last place: 11 significant bits, but never below the subnormal spacing 2^-24.
  const int ulp_exponent = std::max(exponent - 11, -24);
  const std::uint32_t units =
      static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, -ulp_exponent)));
  // `units` runs to 2048 (a carry into the next binade); adding lets the carry do the right thing.
  return sign |
         static_cast<std::uint16_t>((static_cast<std::uint32_t>(ulp_exponent + 24) << 10) + units);
}

namespace {

template <typename T, typename F>
void each(std::vector<std::byte>& bytes, const F& value_at) {
  for (std::size_t i = 0; i < bytes.size() / sizeof(T); ++i) {
    const T value = value_at(i);
    std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
  }
}

template <typename T>
T random_value(std::uint64_t seed, std::size_t i) {
  if constexpr (std::is_same_v<T, float>)
    // 24 bits, so that the conversion is exact and never rounds up to 1.
    return static_cast<float>(static_cast<std::int64_t>(random_bits(seed, i) >> 39) - (1 << 24)) *
           0x1p-24f;
  else if constexpr (std::is_same_v<T, double>)
    return random_uniform(seed, i, -1, 1);
  else
    return static_cast<T>(std::is_signed_v<T> ? random_bits(seed, i) % 1024 : random_bits(seed, i));
}

}  // namespace

std::vector<std::byte> initial_contents(const Buffer& buffer) {
  if (buffer.fill == Fill::given) return buffer.given();
  const std::byte start = buffer.fill == Fill::poison ? kPoison : std::byte{0};
  std::vector<std::byte> bytes(buffer.size_in_bytes(), start);
  if (buffer.fill != Fill::random && buffer.fill != Fill::iota) return bytes;
  const bool is_random = buffer.fill == Fill::random;
  if (buffer.element == Element::f16)
    each<std::uint16_t>(bytes, [&](std::size_t i) {
      const double value = is_random ? random_uniform(buffer.seed, i, -1, 1) : i;
      return half_bits(static_cast<float>(value));
    });
  else
    with_type_of(buffer.element, [&]<typename T>(T) {
      each<T>(bytes, [&](std::size_t i) {
        return is_random ? random_value<T>(buffer.seed, i) : static_cast<T>(i);
      });
    });
  return bytes;
}

}  // namespace labkit::launch
