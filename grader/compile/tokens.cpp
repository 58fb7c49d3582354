#include "compile/tokens.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace labkit::compile {
namespace {

bool is_word_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80) != 0;
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_word_start(c) || is_digit(c); }

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::vector<Token> read() {
    while (skip_blank()) {
      const std::size_t begin = at_;
      const char c = text_[at_];
      if (c == '#' && line_start_) {
        skip_directive();
        add(Token::Kind::directive, begin);
        line_start_ = true;
        continue;
      }
      line_start_ = false;
      if (is_word_start(c)) {
        while (at_ < text_.size() && is_word(text_[at_])) ++at_;
        const std::string_view word = text_.substr(begin, at_ - begin);
        if (peek(0) == '"' &&
            (word == "R" || word == "u8R" || word == "uR" || word == "UR" || word == "LR")) {
          skip_raw_string();
          add(Token::Kind::text, begin);
        } else {
          add(Token::Kind::word, begin);
        }
      } else if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
        // A digit separator is the one apostrophe that begins no character.
        while (at_ < text_.size() && (is_word(text_[at_]) || text_[at_] == '.' ||
                                      (text_[at_] == '\'' && is_word(peek(1)))))
          ++at_;
        add(Token::Kind::number, begin);
      } else if (c == '"' || c == '\'') {
        skip_quoted(c);
        add(Token::Kind::text, begin);
      } else {
        ++at_;
        add(Token::Kind::mark, begin);
      }
    }
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool starts(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  void add(Token::Kind kind, std::size_t begin) {
    tokens_.push_back({kind, text_.substr(begin, at_ - begin), begin});
  }
  /// Length of a backslash and the line end behind it, or 0.
  std::size_t splice() const {
    if (peek(0) != '\\') return 0;
    if (peek(1) == '\n') return 2;
    return peek(1) == '\r' && peek(2) == '\n' ? 3 : 0;
  }
  void skip_comment() {
    if (starts("//")) {
      while (at_ < text_.size() && text_[at_] != '\n') at_ += std::max<std::size_t>(splice(), 1);
    } else {
      const std::size_t end = text_.find("*/", at_ + 2);
      at_ = end == std::string_view::npos ? text_.size() : end + 2;
    }
    at_ = std::min(at_, text_.size());
  }
  bool at_comment() const { return starts("//") || starts("/*"); }
  /// To the next token; false at the end.
  bool skip_blank() {
    while (at_ < text_.size()) {
      if (at_comment()) {
        skip_comment();
      } else if (const std::size_t length = splice()) {
        at_ += length;
      } else if (text_[at_] == '\n') {
        line_start_ = true;
        ++at_;
      } else if (static_cast<unsigned char>(text_[at_]) <= ' ') {
        ++at_;
      } else {
        return true;
      }
    }
    return false;
  }
  void skip_directive() {
    while (at_ < text_.size() && text_[at_] != '\n') {
      if (starts("//")) {
        skip_comment();
        return;
      }
      if (starts("/*"))
        skip_comment();
      else
        at_ += std::max<std::size_t>(splice(), 1);
    }
  }
  void skip_quoted(char quote) {
    ++at_;
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
      if (const std::size_t length = splice())
        at_ += length;
      else
        at_ += text_[at_] == '\\' ? 2 : 1;
    }
    at_ = std::min(at_ + 1, text_.size());
  }
  /// One whose parenthesis does not come soon enough is none to C++ either, and read as a plain one.
  void skip_raw_string() {
    constexpr std::size_t kMostDelimiter = 16;  // C++ standard, lex.string
    const std::size_t open = text_.substr(at_, kMostDelimiter + 2).find('(');
    if (open == std::string_view::npos) return skip_quoted('"');
    const std::string close = ")" + std::string(text_.substr(at_ + 1, open - 1)) + "\"";
    const std::size_t end = text_.find(close, at_ + open);
    at_ = end == std::string_view::npos ? text_.size() : end + close.size();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool line_start_ = true;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view source) { return Reader(source).read(); }

Brackets::Brackets(const std::vector<Token>& tokens) : close_of_(tokens.size(), tokens.size()) {
  constexpr std::string_view kOpen = "([{", kClose = ")]}";
  std::array<std::vector<std::size_t>, kOpen.size()> open;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != Token::Kind::mark) continue;
    const char mark = tokens[i].spelling.front();
    if (const std::size_t kind = kOpen.find(mark); kind != std::string_view::npos)
      open.at(kind).push_back(i);
    const std::size_t kind = kClose.find(mark);
    if (kind == std::string_view::npos || open.at(kind).empty()) continue;
    close_of_[open.at(kind).back()] = i;
    open.at(kind).pop_back();
  }
}

Lines::Lines(std::string_view text) : begins_{0}, size_(text.size()) {
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
    begins_.push_back(at + 1);
}

std::uint32_t Lines::line_at(std::size_t offset) const {
  return static_cast<std::uint32_t>(
      std::upper_bound(begins_.begin(), begins_.end(), std::min(offset, size_)) - begins_.begin());
}

std::size_t Lines::begin_of(std::uint32_t line) const {
  if (line == 0) return 0;
  return line <= begins_.size() ? begins_[line - 1] : size_;
}

std::uint32_t line_at(std::string_view source, std::size_t offset) {
  return 1 +
         static_cast<std::uint32_t>(std::count(
             source.begin(),
             source.begin() + static_cast<std::ptrdiff_t>(std::min(offset, source.size())), '\n'));
}

}  // namespace labkit::compile
