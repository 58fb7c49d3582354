#include <bit>
#include <charconv>
#include <limits>

#include "ptx/parser.h"

namespace labkit::ptx {
namespace {

// <cctype> depends on the locale and is undefined for negative chars.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_name_start(char c) { return is_letter(c) || c == '_' || c == '$'; }
bool is_name(char c) { return is_name_start(c) || is_digit(c); }

int digit_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::numeric_limits<int>::max();
}

}  // namespace

void Lexer::skip_blanks_and_comments() {
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c == '\n') {
      ++line_;
      ++position_;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++position_;
    } else if (c == '/' && at(1) == '/') {
      while (position_ < text_.size() && text_[position_] != '\n') ++position_;
    } else if (c == '/' && at(1) == '*') {
      position_ += 2;
      while (position_ < text_.size() && !(text_[position_] == '*' && at(1) == '/')) {
        if (text_[position_] == '\n') ++line_;
        ++position_;
      }
      position_ = position_ < text_.size() ? position_ + 2 : text_.size();
    } else {
      return;
    }
  }
}

Token Lexer::next() {
  skip_blanks_and_comments();
  Token token;
  token.line = line_;
  if (position_ >= text_.size()) return token;
  const char c = text_[position_];
  if (is_digit(c)) return number();
  if (is_name_start(c) || ((c == '.' || c == '%') && is_name_start(at(1)))) return word();
  if (c == '"') {
    const std::size_t close = text_.find_first_of("\"\n", position_ + 1);
    if (close == std::string_view::npos || text_[close] != '"') {
      token.kind = TokenKind::bad;
      token.text = "unterminated string";
      position_ = text_.size();
      return token;
    }
    token.kind = TokenKind::string;
    token.text = text_.substr(position_ + 1, close - position_ - 1);
    position_ = close + 1;
    return token;
  }
  constexpr std::string_view kDouble[] = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
  std::size_t length = 1;
  for (const std::string_view two : kDouble)
    if (text_.substr(position_, 2) == two) length = 2;
  constexpr std::string_view kSingle = "{}[]()<>,;:@!+-*/%~&|^=?";
  token.kind = kSingle.find(c) != std::string_view::npos ? TokenKind::punctuation : TokenKind::bad;
  token.text = text_.substr(position_, length);
  position_ += length;
  return token;
}

Token Lexer::word() {
  Token token;
  token.kind = TokenKind::word;
  token.line = line_;
  const std::size_t begin = position_;
  const bool directive = text_[position_] == '.';
  ++position_;
  while (position_ < text_.size()) {
    if (is_name(text_[position_])) {
      ++position_;
    } else if (!directive && text_[position_] == '.' && is_name(at(1))) {
      position_ += 2;
    } else if (text_[position_] == ':' && at(1) == ':' && is_name(at(2))) {
      position_ += 3;
    } else {
      break;
    }
  }
  token.text = text_.substr(begin, position_ - begin);
  return token;
}

Token Lexer::number() {
  Token token;
  token.line = line_;
  const std::size_t begin = position_;
  const auto finish = [&](TokenKind kind) {
    // A literal that runs into letters (`12ab`, `0f3F8`) is one bad token, not two good ones.
    const bool runs_on = is_name(at(0));
    while (is_name(at(0))) ++position_;
    token.kind = runs_on ? TokenKind::bad : kind;
    token.text = text_.substr(begin, position_ - begin);
    return token;
  };
  const auto digits = [&](int base, int limit) {  // false: no digit, or more than 64 bits
    int count = 0;
    bool fits = true;
    while (count < limit && digit_value(at(0)) < base) {
      const auto wide = static_cast<std::uint64_t>(base);
      const auto digit = static_cast<std::uint64_t>(digit_value(at(0)));
      fits = fits && token.bits <= (std::numeric_limits<std::uint64_t>::max() - digit) / wide;
      token.bits = token.bits * wide + digit;
      ++position_;
      ++count;
    }
    return count > 0 && fits;
  };
  constexpr int kAny = std::numeric_limits<int>::max();

  if (at(0) == '0' && (at(1) == 'f' || at(1) == 'F' || at(1) == 'd' || at(1) == 'D')) {
    const bool single = at(1) == 'f' || at(1) == 'F';
    const int length = single ? 8 : 16;
    position_ += 2;
    const std::size_t first = position_;
    digits(16, length);
    if (position_ - first != static_cast<std::size_t>(length)) return finish(TokenKind::bad);
    return finish(single ? TokenKind::float32 : TokenKind::float64);
  }

  bool fits = true;
  if (at(0) == '0' && (at(1) == 'x' || at(1) == 'X')) {
    position_ += 2;
    fits = digits(16, kAny);
  } else if (at(0) == '0' && (at(1) == 'b' || at(1) == 'B')) {
    position_ += 2;
    fits = digits(2, kAny);
  } else {
    std::size_t end = position_;
    while (end < text_.size() && is_digit(text_[end])) ++end;
    const char after = end < text_.size() ? text_[end] : '\0';
    if (after == '.' || after == 'e' || after == 'E') {  // 1.5, 1e-3, also `.version 9.0`
      double value = 0;
      const char* const last = text_.data() + text_.size();
      const auto [stop, error] = std::from_chars(text_.data() + position_, last, value);
      position_ = static_cast<std::size_t>(stop - text_.data());
      token.bits = std::bit_cast<std::uint64_t>(value);
      if (error != std::errc{} && position_ == begin) ++position_;
      return finish(error == std::errc{} ? TokenKind::float64 : TokenKind::bad);
    }
    fits = digits(at(0) == '0' ? 8 : 10, kAny);
  }
  token.is_unsigned =
      token.bits > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (at(0) == 'U' || at(0) == 'u') {
    token.is_unsigned = true;
    ++position_;
  }
  return finish(fits ? TokenKind::integer : TokenKind::bad);
}

}  // namespace labkit::ptx
