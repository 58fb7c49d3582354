// Small helpers for text that the standard library lacks.
#pragma once
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace labkit {

/// Lines without their ends ("\n" or "\r\n"); a last line without an end counts, an empty text has
/// none.
std::vector<std::string_view> split_lines(std::string_view text);
/// Not of a string that is gone when its lines are read.
template <typename Text>
requires std::same_as<Text, std::string>
void split_lines(Text&& text) = delete;

/// Of ASCII.
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

inline char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
inline bool is_letter(char c) { return to_lower(c) >= 'a' && to_lower(c) <= 'z'; }
std::string to_lower(std::string_view text);
/// With a capital at its beginning, if a letter of ASCII is there.
std::string capitalised(std::string text);

/// "a, b": whatever can be appended to a text, with `between` between them.
template <typename List>
std::string joined(const List& list, std::string_view between = ", ") {
  std::string text;
  bool first = true;
  for (const auto& one : list) {
    if (!std::exchange(first, false)) text += between;
    text += one;
  }
  return text;
}

/// "ana, bo and 3 more"
template <typename Names>
std::string first_few(const Names& names, std::size_t most, const char* between = ", ") {
  const auto count = static_cast<std::size_t>(std::size(names));
  const std::vector<std::string> first(
      names.begin(), std::next(names.begin(), static_cast<std::ptrdiff_t>(std::min(most, count))));
  return joined(first, between) +
         (count > first.size() ? " and " + std::to_string(count - first.size()) + " more" : "");
}

/// Without blanks, tabs and line ends at both sides.
std::string_view trim(std::string_view text);

/// Every occurrence of `from` (not empty) replaced by `to`.
std::string replace_all(std::string text, std::string_view from, std::string_view to);

/// The same text as valid UTF-8: each byte that is not part of a well-formed sequence becomes
/// U+FFFD. Students' files and the compiler's quotes of them come in any encoding; JSON takes only
/// this one.
std::string to_valid_utf8(std::string_view text);

struct CodePoint {
  char32_t value = 0;
  std::size_t bytes = 0;
};
/// The first of `text`, which is valid UTF-8 and not empty.
CodePoint first_code_point(std::string_view text);

/// What is not seen, or moves what is: control characters but tab and line end, spaces of no width, marks
/// that turn the direction of writing.
bool is_unseen(char32_t c);

/// "a//b" at '/': "a", "", "b".
std::vector<std::string_view> split(std::string_view text, char separator);

/// "123" of "Participant 123", in any language; "" of a text that ends otherwise.
std::string last_number(const std::string& text);

/// At most `max_bytes`, cut between characters.
std::string cut_utf8(std::string text, std::size_t max_bytes);

/// How many letters must be inserted, removed, replaced or swapped with their neighbour; case counts.
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace labkit
