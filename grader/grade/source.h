// What a solution declares of itself: in its first comment, and by marks behind its lines.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace labkit::grade {

/// The text of the file's first comment (// lines that follow one another count as one), without
/// comment marks; empty if something else stands before it.
std::string first_comment(std::string_view source);

/// What follows "KEY:" in the first comment, up to the line's end; nullopt if it is not there. Wrong
/// solutions declare their `verdict`, `class` and `defect` so, and what must be told of them (`says`), or never (`never`).
std::optional<std::string> declared(std::string_view source, std::string_view key);
/// The same, of each line that has it, in order.
std::vector<std::string> all_declared(std::string_view source, std::string_view key);
std::optional<std::string> declared_verdict(std::string_view source);

/// The lines, from 1, that end with the mark `// <--`: where a wrong solution goes wrong.
std::vector<std::uint32_t> marked_lines(std::string_view source);

}  // namespace labkit::grade
