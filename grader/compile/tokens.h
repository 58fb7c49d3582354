// The tokens of a .cu, and which bracket closes which, each found in one pass: what looks at a student's text works on
// these, so that a file of awkward tokens takes no longer than another of its size (tests/scan counts the steps).
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace labkit::compile {

struct Token {
  enum class Kind : std::uint8_t { word, number, text, mark, directive };
  Kind kind = Kind::mark;
  std::string_view spelling;  ///< into the source; a directive is its whole logical line
  std::size_t begin = 0;      ///< offset in the source
};
std::vector<Token> tokens_of(std::string_view source);

inline bool is_mark(const Token& token, std::string_view mark) {
  return token.kind == Token::Kind::mark && token.spelling == mark;
}
inline bool is_word(const Token& token, std::string_view word) {
  return token.kind == Token::Kind::word && token.spelling == word;
}
inline bool is_mark(const std::vector<Token>& tokens, std::size_t i, std::string_view mark) {
  return i < tokens.size() && is_mark(tokens[i], mark);
}

/// Pairs of ( ), [ ] and { }, each kind for itself: brackets of another kind between two do not matter.
class Brackets {
 public:
  explicit Brackets(const std::vector<Token>& tokens);
  /// Index of the token that closes the bracket at `open`; the number of tokens if none does, or if no bracket opens there.
  std::size_t close_of(std::size_t open) const {
    return open < close_of_.size() ? close_of_[open] : close_of_.size();
  }

 private:
  std::vector<std::size_t> close_of_;
};

/// Where a text's lines begin.
class Lines {
 public:
  explicit Lines(std::string_view text);
  /// Line (from 1) of an offset.
  std::uint32_t line_at(std::size_t offset) const;
  /// Offset of a line's (from 1) first character; the text's size behind the last line.
  std::size_t begin_of(std::uint32_t line) const;

 private:
  std::vector<std::size_t> begins_;
  std::size_t size_;
};

/// Line (from 1) of an offset. It counts from the beginning: for many, use Lines.
std::uint32_t line_at(std::string_view source, std::size_t offset);

}  // namespace labkit::compile
