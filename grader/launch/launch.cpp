#include "launch/launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <type_traits>

#include "base/enum_names.h"
#include "base/random.h"

namespace labkit::launch {

std::optional<Dim3> parse_dim3(std::string_view text) {
  std::uint32_t parts[3] = {1, 1, 1};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::uint32_t& part : parts) {
    const auto [next, error] = std::from_chars(at, end, part);
    if (error != std::errc{} || part == 0 || part > 0x7fffffffu) return std::nullopt;
    if (next == end) return Dim3{parts[0], parts[1], parts[2]};
    if (*next != 'x') return std::nullopt;
    at = next + 1;
  }
  return std::nullopt;
}

std::string to_string(const Dim3& dim) {
  if (dim.z != 1) return fmt::format("{}x{}x{}", dim.x, dim.y, dim.z);
  if (dim.y != 1) return fmt::format("{}x{}", dim.x, dim.y);
  return std::to_string(dim.x);
}

std::string triple(const Dim3& dim) { return fmt::format("({},{},{})", dim.x, dim.y, dim.z); }
std::string bracketed(const Dim3& dim) { return fmt::format("[{},{},{}]", dim.x, dim.y, dim.z); }

constexpr std::string_view kElements[] = {"u8", "u16", "i32", "i64", "f16", "f32", "f64"};
constexpr std::uint32_t kElementBytes[] = {1, 2, 4, 8, 2, 4, 8};

std::string_view name_of(Element element) { return name_in(kElements, element); }
std::optional<Element> element_from_name(std::string_view name) {
  return value_in<Element>(kElements, name);
}
std::uint32_t size_bytes(Element element) {
  return kElementBytes[static_cast<std::size_t>(element)];
}

std::string_view name_of(Access access) {
  constexpr std::string_view kNames[] = {"none", "read", "write", "atomic"};
  return name_in(kNames, access);
}

std::string_view name_of(FindingKind kind) {
  constexpr std::string_view kNames[] = {
      "race",   "out_of_bounds", "misaligned", "uninitialized", "barrier",
      "assert", "budget",        "trap",       "unsupported",   "launch"};
  return name_in(kNames, kind);
}

bool has_evidence(const Finding& finding, words::Id id) {
  return std::ranges::find(finding.evidence, id, &words::Message::id) != finding.evidence.end();
}

const Finding* first_error(std::span<const Finding> findings) {
  const auto error = std::ranges::find(findings, Severity::error, &Finding::severity);
  return error == findings.end() ? nullptr : &*error;
}

bool has_kind(std::span<const Finding> findings, FindingKind kind) {
  return std::ranges::find(findings, kind, &Finding::kind) != findings.end();
}

std::string Declaration::element(const std::string& array, std::uint64_t index) const {
  std::string member;
  if (member_extent != 0) {
    member = "." + members.front() + "[" + std::to_string(index % member_extent) + "]";
    index /= member_extent;
  } else if (!members.empty()) {
    member = "." + members[index % members.size()];
    index /= members.size();
  }
  std::string indices;
  for (std::size_t i = extents.size(); i-- > 1;) {
    indices.insert(0, "[" + std::to_string(index % extents[i]) + "]");
    index /= extents[i];
  }
  return array + "[" + std::to_string(index) + "]" + indices + member;
}

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

float half_value(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  const float sign = (bits & 0x8000u) != 0 ? -1.0f : 1.0f;
  if (exponent == 31) return mantissa == 0 ? sign * HUGE_VALF : std::nanf("");
  return sign * std::ldexp(static_cast<float>(exponent == 0 ? mantissa : mantissa + 1024),
                           std::max(exponent, 1) - 25);
}

namespace {

template <typename T, typename F>
void each(std::vector<std::byte>& bytes, const F& value_at) {
  for (std::size_t i = 0; i < bytes.size() / sizeof(T); ++i) {
    const T value = value_at(i);
    std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
  }
}

/// Of the seed and the index only, so that any part of the contents can be had again anywhere.
template <typename T>
T random_value(const Buffer& buffer, std::size_t i) {
  const std::uint64_t seed = buffer.seed;
  if (buffer.range) {
    const double value = random_uniform(seed, i, buffer.range->low, buffer.range->high);
    return static_cast<T>(std::is_integral_v<T> ? std::floor(value) : value);
  }
  if constexpr (std::is_same_v<T, float>)
    // 24 bits, so that the conversion is exact and never rounds up to 1.
    return static_cast<float>(static_cast<std::int64_t>(random_bits(seed, i) >> 39) - (1 << 24)) *
           0x1p-24f;
  else if constexpr (std::is_same_v<T, double>)
    return random_uniform(seed, i, -1, 1);
  else
    return static_cast<T>(std::is_signed_v<T> ? random_bits(seed, i) % 1024 : random_bits(seed, i));
}

struct CauseRow {
  std::string_view id, meaning;
};
constexpr CauseRow kCauses[] = {
    {"", ""},
#define CAUSE(name, id, meaning) {id, meaning},
#include "launch/causes.def"
#undef CAUSE
};

}  // namespace

std::string_view id_of(Cause cause) { return kCauses[static_cast<std::size_t>(cause)].id; }
std::string_view meaning_of(Cause cause) {
  return kCauses[static_cast<std::size_t>(cause)].meaning;
}

std::optional<Cause> cause_from_id(std::string_view id) {
  const auto* const at =
      std::ranges::find(std::begin(kCauses) + 1, std::end(kCauses), id, &CauseRow::id);
  if (at == std::end(kCauses)) return std::nullopt;
  return static_cast<Cause>(at - std::begin(kCauses));
}

std::vector<std::byte> initial_contents(const Buffer& buffer) {
  if (buffer.fill == Fill::given) return buffer.given();
  const std::byte start = buffer.fill == Fill::poison ? kPoison : std::byte{0};
  std::vector<std::byte> bytes(buffer.size_in_bytes(), start);
  if (buffer.fill != Fill::random && buffer.fill != Fill::iota) return bytes;
  const bool is_random = buffer.fill == Fill::random;
  if (buffer.element == Element::f16)
    each<std::uint16_t>(bytes, [&](std::size_t i) {
      const Range range = buffer.range.value_or(Range{});
      const double value = is_random ? random_uniform(buffer.seed, i, range.low, range.high) : i;
      return half_bits(static_cast<float>(value));
    });
  else
    with_type_of(buffer.element, [&]<typename T>(T) {
      each<T>(bytes, [&](std::size_t i) {
        return is_random ? random_value<T>(buffer, i) : static_cast<T>(i);
      });
    });
  return bytes;
}

}  // namespace labkit::launch
