// What a message or a script says to a shell, a scheduler, or somebody who waits; and times as texts, both ways.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace labkit {

/// A path as the shell takes it again.
std::string shell_word(const std::string& text);

/// This command as it was typed, for the shell.
std::string typed_line();

/// "0-3,7" of {0, 1, 2, 3, 7}. Of another `format` with its two numbers, and another separator: "{0..3} 7".
std::string ranges_text(const std::vector<unsigned>& sorted, const char* format = "{}-{}",
                        const char* between = ",");

/// "40 s", "3 min", "1 h 20 min": for people, who wait that long.
std::string duration_text(double seconds);

/// "2026-11-21 10:42 UTC"
std::string utc_text(std::int64_t seconds_since_1970);

/// "2026-10-04 22:13:14.123456000 -07:00", "2026-10-04T22:13:14Z": seconds since 1970. A time without a zone counts as UTC.
std::optional<std::int64_t> parse_time(std::string_view text);

/// "1 student", "3 students"
std::string counted(std::uint64_t count, const std::string& noun);

}  // namespace labkit
