// Times as programs write them for people, in the languages of the world's learning platforms.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace labkit {

/// The first time in `text`, as if it were UTC, in seconds since 1970: "Sunday, 15 November 2026, 11:59 PM", "Nov 15, 2026 1159 PM",
/// "Sonntag, 15. November 2026, 23:59", "2026年11月15日 23:59". Months in twelve languages, whole or cut after three letters or more.
/// Nullopt for any other, and for a text of more than 100 bytes.
std::optional<std::int64_t> parse_worded_time(const std::string& text);

}  // namespace labkit
