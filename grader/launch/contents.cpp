// What buffers hold before a launch. Random contents depend on the seed and the index only, so that
// any part of them can be had again anywhere.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

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
void each(std::vector<std::byte>& bytes, F&& value_at) {
  const std::size_t count = bytes.size() / sizeof(T);
  for (std::size_t i = 0; i < count; ++i) {
    const T value = value_at(i);
    std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
  }
}

void fill_random(Element element, std::uint64_t seed, std::vector<std::byte>& bytes) {
  const auto signed_unit = [seed](std::size_t i) { return random_uniform(seed, i, -1, 1); };
  switch (element) {
    case Element::u8:
      return each<std::uint8_t>(
          bytes, [&](std::size_t i) { return static_cast<std::uint8_t>(random_bits(seed, i)); });
    case Element::u16:
      return each<std::uint16_t>(
          bytes, [&](std::size_t i) { return static_cast<std::uint16_t>(random_bits(seed, i)); });
    case Element::i32:
      return each<std::int32_t>(bytes, [&](std::size_t i) {
        return static_cast<std::int32_t>(random_bits(seed, i) % 1024);
      });
    case Element::i64:
      return each<std::int64_t>(bytes, [&](std::size_t i) {
        return static_cast<std::int64_t>(random_bits(seed, i) % 1024);
      });
    case Element::f16:
      return each<std::uint16_t>(
          bytes, [&](std::size_t i) { return half_bits(static_cast<float>(signed_unit(i))); });
    case Element::f32:
      // 24 bits, so that the conversion is exact and never rounds up to 1.
      return each<float>(bytes, [&](std::size_t i) {
        return static_cast<float>(static_cast<std::int64_t>(random_bits(seed, i) >> 39) -
                                  (1 << 24)) *
               0x1p-24f;
      });
    case Element::f64:
      return each<double>(bytes, signed_unit);
  }
}

void fill_iota(Element element, std::vector<std::byte>& bytes) {
  switch (element) {
    case Element::u8:
      return each<std::uint8_t>(bytes, [](std::size_t i) { return static_cast<std::uint8_t>(i); });
    case Element::u16:
      return each<std::uint16_t>(bytes,
                                 [](std::size_t i) { return static_cast<std::uint16_t>(i); });
    case Element::i32:
      return each<std::int32_t>(bytes, [](std::size_t i) { return static_cast<std::int32_t>(i); });
    case Element::i64:
      return each<std::int64_t>(bytes, [](std::size_t i) { return static_cast<std::int64_t>(i); });
    case Element::f16:
      return each<std::uint16_t>(bytes,
                                 [](std::size_t i) { return half_bits(static_cast<float>(i)); });
    case Element::f32:
      return each<float>(bytes, [](std::size_t i) { return static_cast<float>(i); });
    case Element::f64:
      return each<double>(bytes, [](std::size_t i) { return static_cast<double>(i); });
  }
}

}  // namespace

std::vector<std::byte> initial_contents(const Buffer& buffer) {
  if (buffer.fill == Fill::given) return buffer.given();
  const std::byte start = buffer.fill == Fill::poison ? kPoison : std::byte{0};
  std::vector<std::byte> bytes(buffer.size_in_bytes(), start);
  if (buffer.fill == Fill::random) fill_random(buffer.element, buffer.seed, bytes);
  if (buffer.fill == Fill::iota) fill_iota(buffer.element, bytes);
  return bytes;
}

}  // namespace labkit::launch
