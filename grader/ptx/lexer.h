// PTX tokens, made on demand. Words keep their dots (`ld.global.v4.f32`, `%tid.x`, `shared::cta`),
// but a word that begins with a dot ends before the next one, so that `.reg.pred` is two. Source:
// PTX ISA 9.0, chapter 4.
#pragma once
#include <cstdint>
#include <string_view>

namespace labkit::ptx {

enum class TokenKind : std::uint8_t {
  end,
  bad,          ///< a character or literal that PTX has not; `text` is it
  word,         ///< identifier, opcode or directive
  integer,      ///< bits; is_unsigned for a U suffix or a value above INT64_MAX
  float32,      ///< 0f3F800000; bits = IEEE single
  float64,      ///< 0d3FF0000000000000 or 1.5; bits = IEEE double
  string,       ///< text without the quotes
  punctuation,  ///< one or two characters, see `is`
};

struct Token {
  TokenKind kind = TokenKind::end;
  bool is_unsigned = false;
  std::uint32_t line = 1;
  std::uint64_t bits = 0;
  std::string_view text;

  bool is(std::string_view spelling) const {
    return (kind == TokenKind::word || kind == TokenKind::punctuation) && text == spelling;
  }
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}
  /// The next token; after the last one, `end` for ever.
  Token next();

 private:
  void skip_blanks_and_comments();
  Token number();
  Token word();
  char at(std::size_t ahead) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
  }

  std::string_view text_;
  std::size_t position_ = 0;
  std::uint32_t line_ = 1;
};

}  // namespace labkit::ptx
