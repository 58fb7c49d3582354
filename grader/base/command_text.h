// What a message or a script says to a shell, a scheduler, or somebody who waits.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace labkit {

/// A path as the shell takes it again.
std::string shell_word(const std::string& text);

/// "0-3,7" of {0, 1, 2, 3, 7}. Of another `format` with its two numbers, and another separator: "{0..3} 7".
std::string ranges_text(const std::vector<unsigned>& sorted, const char* format = "{}-{}",
                        const char* between = ",");

/// "40 s", "3 min", "1 h 20 min": for people, who wait that long.
std::string duration_text(double seconds);

/// "2026-11-21 10:42 UTC"
std::string utc_text(std::int64_t seconds_since_1970);

}  // namespace labkit
