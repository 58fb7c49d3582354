// Optional values in JSON: null where there is none.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>

namespace nlohmann {
template <typename T>
struct adl_serializer<std::optional<T>> {
  static void to_json(json& to, const std::optional<T>& from) {
    to = from ? json(*from) : json(nullptr);
  }
  static void from_json(const json& from, std::optional<T>& to) {
    to = from.is_null() ? std::nullopt : std::optional<T>(from.get<T>());
  }
};
}  // namespace nlohmann
