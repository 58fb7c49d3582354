// Small helpers for text that the standard library lacks.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace labkit {

/// Lines without their ends ("\n" or "\r\n"); a last line without an end counts, an empty text has
/// none.
std::vector<std::string_view> split_lines(std::string_view text);

/// Without blanks, tabs and line ends at both sides.
std::string_view trim(std::string_view text);

/// Every occurrence of `from` (not empty) replaced by `to`.
std::string replace_all(std::string text, std::string_view from, std::string_view to);

/// The same text as valid UTF-8: each byte that is not part of a well-formed sequence becomes
/// U+FFFD. Students' files and the compiler's quotes of them come in any encoding; JSON takes only
/// this one.
std::string to_valid_utf8(std::string_view text);

}  // namespace labkit
