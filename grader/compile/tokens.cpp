#include "compile/tokens.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_set>
#include <utility>

#include "base/text.h"

namespace labkit::compile {
namespace {

bool is_word_start(char c) { return is_word_character(c) && !is_digit(c); }

/// Of two and three characters; `>>` is not among them.
constexpr std::string_view kOperators[] = {
    "<<=", ">>=", "...", "->", "++", "--", "+=", "-=", "*=", "/=", "%=",
    "&=",  "|=",  "^=",  "==", "!=", "<=", ">=", "&&", "||", "<<", "::"};

/// C++ standard, lex.digraph: the three that people write.
constexpr std::pair<std::string_view, std::string_view> kWordOperators[] = {
    {"and", "&&"}, {"or", "||"}, {"not", "!"}};

class Lexer {
 public:
  Lexer(std::string_view text, Tokens::Keep keep) : text_(text), keep_(keep) {}

  std::vector<Token> read() {
    while (skip_blank()) {
      const std::size_t begin = at_;
      const char c = text_[at_];
      if (c == '#' && line_start_) {
        skip_directive();
        if (keep_ != Tokens::Keep::code) add(Token::Kind::directive, begin);
        continue;
      }
      line_start_ = false;
      if (is_word_start(c)) {
        while (at_ < text_.size() && is_word_character(text_[at_])) ++at_;
        const std::string_view word = text_.substr(begin, at_ - begin);
        if (peek(0) == '"' &&
            (word == "R" || word == "u8R" || word == "uR" || word == "UR" || word == "LR")) {
          skip_raw_string();
          add(Token::Kind::text, begin);
        } else {
          add_word(word, begin);
        }
      } else if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
        skip_number();
        add(Token::Kind::number, begin);
      } else if (c == '"' || c == '\'') {
        skip_quoted(c);
        add(Token::Kind::text, begin);
      } else {
        const auto* const found =
            std::ranges::find_if(kOperators, [&](std::string_view each) { return starts(each); });
        at_ += found == std::end(kOperators) ? 1 : found->size();
        add(Token::Kind::mark, begin);
      }
    }
    pair_brackets();
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool starts(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  void add(Token::Kind kind, std::size_t begin) {
    line_ += static_cast<std::uint32_t>(
        std::ranges::count(text_.substr(counted_, begin - counted_), '\n'));
    counted_ = begin;
    tokens_.push_back({kind, text_.substr(begin, at_ - begin), begin, at_ - begin, line_});
  }
  void add_word(std::string_view word, std::size_t begin) {
    add(Token::Kind::word, begin);
    for (const auto& [written, mark] : kWordOperators)
      if (word == written) {
        tokens_.back().kind = Token::Kind::mark;
        tokens_.back().spelling = mark;
      }
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
  /// To the next token that is no comment; false at the end.
  bool skip_blank() {
    while (at_ < text_.size()) {
      if (at_comment()) {
        const std::size_t begin = at_;
        skip_comment();
        if (keep_ == Tokens::Keep::all) add(Token::Kind::comment, begin);
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
  void skip_number() {
    const std::size_t begin = at_;
    const bool is_hexadecimal = starts("0x") || starts("0X");
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (is_word_character(c) || c == '.') continue;
      // A digit separator is the one apostrophe that begins no character.
      if (c == '\'' && is_word_character(peek(1))) continue;
      const bool in_exponent = (c == '+' || c == '-') && at_ > begin && !is_hexadecimal &&
                               (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E');
      if (!in_exponent) return;
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

  void pair_brackets() {
    constexpr std::string_view kOpen = "([{", kClose = ")]}";
    std::array<std::vector<std::size_t>, kOpen.size()> open;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      tokens_[i].close = tokens_.size();
      if (tokens_[i].kind != Token::Kind::mark) continue;
      const char mark = tokens_[i].spelling.front();
      if (const std::size_t kind = kOpen.find(mark); kind != std::string_view::npos)
        open.at(kind).push_back(i);
      const std::size_t kind = kClose.find(mark);
      if (kind == std::string_view::npos || open.at(kind).empty()) continue;
      tokens_[open.at(kind).back()].close = i;
      open.at(kind).pop_back();
    }
  }

  std::string_view text_;
  Tokens::Keep keep_;
  std::size_t at_ = 0;
  bool line_start_ = true;
  std::uint32_t line_ = 1;  ///< of text_[counted_]
  std::size_t counted_ = 0;
  std::vector<Token> tokens_;
};

std::unordered_set<std::string_view> words_in(std::string_view list) {
  std::unordered_set<std::string_view> words;
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find(' ', at), list.size());
    words.insert(list.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

}  // namespace

Tokens::Tokens(std::string_view source, Keep keep)
    : source_(source), tokens_(Lexer(source, keep).read()) {
  end_.begin = source.size();
  end_.line = tokens_.empty() ? 1 : tokens_.back().line;
  end_.close = tokens_.size();
}

std::string_view Tokens::text(std::size_t begin, std::size_t end) const {
  if (begin >= end || end > size()) return {};
  return source_.substr(tokens_[begin].begin, tokens_[end - 1].end() - tokens_[begin].begin);
}

WordKind kind_of_word(std::string_view word) {
  static const auto keywords = words_in(
      "__device__ __forceinline__ __global__ __host__ __launch_bounds__ __restrict__ __shared__ "
      "alignas asm auto bool break case char class const constexpr continue decltype default do "
      "double double2 else enum extern false float float2 float3 float4 for goto if inline int "
      "int2 int4 long namespace nullptr operator reinterpret_cast return short signed size_t "
      "sizeof static static_assert static_cast struct switch template true typedef typename "
      "uint32_t uint4 union unsigned using void volatile while");
  static const auto of_cuda = words_in(
      "blockDim blockIdx dim3 gridDim make_double2 make_float2 make_float4 max min threadIdx "
      "warpSize");
  if (keywords.contains(word)) return WordKind::keyword;
  return word.starts_with("__") || of_cuda.contains(word) ? WordKind::cuda : WordKind::own;
}

bool is_word_character(char c) {
  return is_letter(c) || is_digit(c) || c == '_' || c == '$' || (c & 0x80) != 0;
}

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
    if ((at == 0 || !is_word_character(text[at - 1])) &&
        (at + word.size() == text.size() || !is_word_character(text[at + word.size()])))
      return true;
  return false;
}

std::uint32_t line_at(std::string_view source, std::size_t offset) {
  return 1 + static_cast<std::uint32_t>(std::ranges::count(source.substr(0, offset), '\n'));
}

}  // namespace labkit::compile
