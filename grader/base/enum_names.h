// Names of enumerators, as a list in their order.
#pragma once
#include <cstddef>
#include <optional>
#include <string_view>

namespace labkit {

template <typename Enum, std::size_t n>
constexpr std::string_view name_in(const std::string_view (&names)[n], Enum value) {
  const auto at = static_cast<std::size_t>(value);
  return at < n ? names[at] : "?";
}

template <typename Enum, std::size_t n>
constexpr std::optional<Enum> value_in(const std::string_view (&names)[n], std::string_view name) {
  for (std::size_t at = 0; at < n; ++at)
    if (names[at] == name) return static_cast<Enum>(at);
  return std::nullopt;
}

}  // namespace labkit
