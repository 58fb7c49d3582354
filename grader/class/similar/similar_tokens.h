// A kernel as a sequence of tokens in which names and layout do not show. Private to similar.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace labkit::course {

/// Comments, blanks, braces and words that change nothing (`const`, `__restrict__`, `static`) are
/// gone. Names are numbered; keywords, CUDA's own words, operators and numbers are themselves.
struct Token {
  std::uint64_t value = 0;  ///< a hash of its text; of a name: its number in this source
  bool is_name = false;
};

struct TokenText {
  std::vector<Token> tokens;
  std::vector<std::string>
      comments;               ///< words in small letters with a blank between; long ones only
  std::uint64_t letters = 0;  ///< a hash of the text without any blanks
  bool cut = false;           ///< there is more than kMaxTokens
};

inline constexpr std::size_t kMaxTokens = 20'000;

/// Takes any bytes; what is no C++ gives some tokens too. Linear in the text.
TokenText tokens_of(std::string_view source);

/// A hash of each `length` tokens in a row, in which names are numbered anew by where they first
/// occur: two passages have the same if one is the other with other names, each replaced by one.
/// Empty for a shorter text.
std::vector<std::uint64_t> passages(const std::vector<Token>& tokens, std::size_t length);

/// The code between the fences (``` or ~~~) of a Markdown text.
std::string fenced_code(std::string_view markdown);

}  // namespace labkit::course
