#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>

#include "base/text.h"
#include "ptx/parser.h"

namespace labkit::ptx {
namespace {

bool is_name_start(char c) { return is_letter(c) || c == '_' || c == '$'; }
bool is_name(char c) { return is_name_start(c) || is_digit(c); }

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
      position_ = std::min(text_.find('\n', position_), text_.size());
    } else if (c == '/' && at(1) == '*') {
      const std::size_t close = text_.find("*/", position_ + 2);
      const std::string_view comment = text_.substr(position_, close - position_);
      line_ += static_cast<std::uint32_t>(std::ranges::count(comment, '\n'));
      position_ = close == std::string_view::npos ? text_.size() : close + 2;
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
  const auto read = [&](auto& value, std::size_t most, auto... base) {
    const char* const first = text_.data() + position_;
    const char* const last = first + std::min(most, text_.size() - position_);
    const auto [end, error] = std::from_chars(first, last, value, base...);
    position_ += static_cast<std::size_t>(end - first);
    return error == std::errc{};
  };
  constexpr std::size_t kAny = std::string_view::npos;

  const char prefix = at(0) == '0' ? to_lower(at(1)) : '\0';
  if (prefix == 'f' || prefix == 'd') {
    const std::size_t length = prefix == 'f' ? 8 : 16;
    position_ += 2;
    read(token.bits, length, 16);
    if (position_ - begin != 2 + length) return finish(TokenKind::bad);
    return finish(prefix == 'f' ? TokenKind::float32 : TokenKind::float64);
  }

  bool fits = true;
  if (prefix == 'x' || prefix == 'b') {
    position_ += 2;
    fits = read(token.bits, kAny, prefix == 'x' ? 16 : 2);
  } else {
    const std::size_t end = text_.find_first_not_of("0123456789", begin);
    const char after = end < text_.size() ? to_lower(text_[end]) : '\0';
    if (after == '.' || after == 'e') {  // 1.5, 1e-3, also `.version 9.0`
      double value = 0;
      const bool is_good = read(value, kAny);
      token.bits = std::bit_cast<std::uint64_t>(value);
      return finish(is_good ? TokenKind::float64 : TokenKind::bad);
    }
    fits = read(token.bits, kAny, at(0) == '0' ? 8 : 10);
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
