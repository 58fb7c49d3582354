#include "compile/source.h"

#include <algorithm>

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
  void skip_raw_string() {
    const std::size_t open = text_.find('(', at_);
    if (open == std::string_view::npos) {
      at_ = text_.size();
      return;
    }
    const std::string close = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
    const std::size_t end = text_.find(close, open);
    at_ = end == std::string_view::npos ? text_.size() : end + close.size();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool line_start_ = true;
  std::vector<Token> tokens_;
};

/// Index of the token that closes the bracket at `open`, or tokens.size().
std::size_t closing(const std::vector<Token>& tokens, std::size_t open, std::string_view left,
                    std::string_view right) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    if (tokens[i].kind != Token::Kind::mark) continue;
    if (tokens[i].spelling == left) ++depth;
    if (tokens[i].spelling == right && --depth == 0) return i;
  }
  return tokens.size();
}

bool is_mark(const std::vector<Token>& tokens, std::size_t i, std::string_view mark) {
  return i < tokens.size() && tokens[i].kind == Token::Kind::mark && tokens[i].spelling == mark;
}

struct Extent {
  std::size_t first, last;  ///< tokens
};

/// The definitions of main at namespace scope.
std::vector<Extent> mains(const std::vector<Token>& tokens) {
  std::vector<Extent> found;
  int depth = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (is_mark(tokens, i, "{")) ++depth;
    if (is_mark(tokens, i, "}")) --depth;
    if (depth != 0 || tokens[i].kind != Token::Kind::word || tokens[i].spelling != "main" ||
        !is_mark(tokens, i + 1, "("))
      continue;
    std::size_t body = closing(tokens, i + 1, "(", ")") + 1;
    while (body < tokens.size() && !is_mark(tokens, body, "{") && !is_mark(tokens, body, ";"))
      ++body;  // noexcept, try, -> int
    if (!is_mark(tokens, body, "{")) continue;
    const std::size_t end = closing(tokens, body, "{", "}");
    if (end >= tokens.size()) continue;
    std::size_t first = i;
    while (first > 0 && tokens[first - 1].kind == Token::Kind::word) --first;
    found.push_back({first, end});
    i = end;
  }
  return found;
}

}  // namespace

std::vector<Token> tokens_of(std::string_view source) { return Reader(source).read(); }

std::vector<std::string> includes_of(std::string_view source) {
  std::vector<std::string> names;
  for (const Token& token : tokens_of(source)) {
    if (token.kind != Token::Kind::directive) continue;
    std::string_view line = token.spelling.substr(1);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (!line.starts_with("include")) continue;
    const std::size_t open = line.find_first_of("<\"");
    if (open == std::string_view::npos) continue;
    const std::size_t close = line.find(line[open] == '<' ? '>' : '"', open + 1);
    if (close != std::string_view::npos)
      names.emplace_back(line.substr(open + 1, close - open - 1));
  }
  return names;
}

std::vector<std::string> kernels_of(std::string_view source) {
  const std::vector<Token> tokens = tokens_of(source);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].spelling != "__global__") continue;
    // __global__ void __launch_bounds__(256) name(...): the first word before a parenthesis that is
    // no attribute.
    for (std::size_t at = i + 1; at + 1 < tokens.size(); ++at) {
      if (is_mark(tokens, at, "{") || is_mark(tokens, at, ";")) break;
      if (tokens[at].kind != Token::Kind::word || !is_mark(tokens, at + 1, "(")) continue;
      const std::string_view word = tokens[at].spelling;
      if (word == "__launch_bounds__" || word == "__attribute__" || word == "alignas") {
        at = closing(tokens, at + 1, "(", ")");
        continue;
      }
      if (std::find(names.begin(), names.end(), word) == names.end()) names.emplace_back(word);
      break;
    }
  }
  return names;
}

bool declares_function(std::string_view source, std::string_view name) {
  const std::vector<Token> tokens = tokens_of(source);
  int depth = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (is_mark(tokens, i, "{")) ++depth;
    if (is_mark(tokens, i, "}")) --depth;
    if (depth == 0 && tokens[i].kind == Token::Kind::word && tokens[i].spelling == name &&
        is_mark(tokens, i + 1, "("))
      return true;
  }
  return false;
}

std::uint32_t line_at(std::string_view source, std::size_t offset) {
  return 1 +
         static_cast<std::uint32_t>(std::count(
             source.begin(),
             source.begin() + static_cast<std::ptrdiff_t>(std::min(offset, source.size())), '\n'));
}

Prepared prepare(std::string_view source, const std::string& name) {
  if (source.starts_with("\xef\xbb\xbf")) source.remove_prefix(3);
  Prepared prepared{std::string(source), {}};
  const std::vector<Token> tokens = tokens_of(source);
  for (const Extent& extent : mains(tokens)) {
    const std::size_t begin = tokens[extent.first].begin;
    const std::size_t end = tokens[extent.last].begin + 1;
    for (std::size_t i = begin; i < end; ++i)
      if (source[i] != '\n' && source[i] != '\r') prepared.source[i] = ' ';
    prepared.notes.push_back("main() was left out (" + name + ", lines " +
                             std::to_string(line_at(source, begin)) + " to " +
                             std::to_string(line_at(source, end - 1)) +
                             "): only device code is compiled here.");
  }
  return prepared;
}

namespace {

/// Unicode 15, chapters "General Punctuation" and "Halfwidth and Fullwidth Forms".
constexpr struct {
  std::uint32_t code;
  std::string_view means;
} kLookAlikes[] = {
    {0x00A0, "a blank"}, {0x00B4, "'"},       {0x00D7, "*"},  {0x037E, ";"},
    {0x200B, "nothing"}, {0x2010, "-"},       {0x2011, "-"},  {0x2012, "-"},
    {0x2013, "-"},       {0x2014, "-"},       {0x2018, "'"},  {0x2019, "'"},
    {0x201A, ","},       {0x201C, "\""},      {0x201D, "\""}, {0x201E, "\""},
    {0x2026, "..."},     {0x202F, "a blank"}, {0x2212, "-"},  {0x2215, "/"},
    {0x2217, "*"},       {0x2264, "<="},      {0x2265, ">="}, {0x2260, "!="},
    {0x2236, ":"},       {0x3000, "a blank"}, {0x3001, ","},  {0x3002, "."},
    {0xFEFF, "nothing"},
};

std::string meaning_of(std::uint32_t code) {
  for (const auto& [look_alike, means] : kLookAlikes)
    if (look_alike == code) return std::string(means);
  if (code >= 0xFF01 && code <= 0xFF5E)  // the full-width forms of ! to ~
    return std::string(1, static_cast<char>(code - 0xFF01 + '!'));
  return {};
}

}  // namespace

std::optional<std::string> look_alike(std::string_view source, const std::string& name,
                                      std::uint32_t line) {
  std::size_t begin = 0;
  for (std::uint32_t n = 1; n < line && begin < source.size(); ++n)
    begin = std::min(source.find('\n', begin), source.size() - 1) + 1;
  const std::string_view text = source.substr(begin, source.find('\n', begin) - begin);
  std::uint32_t column = 1;
  for (std::size_t i = 0; i < text.size(); ++column) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    std::uint32_t code = length == 1 ? lead : lead & (0x7Fu >> length);
    for (std::size_t k = 1; k < length && i + k < text.size(); ++k)
      code = code << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3F);
    const std::string means = code < 0x80 ? std::string{} : meaning_of(code);
    if (!means.empty()) {
      constexpr char kDigits[] = "0123456789ABCDEF";
      std::string hex;
      for (int shift = 12; shift >= 0; shift -= 4) hex += kDigits[code >> shift & 15];
      const bool spelled = means.size() > 3;  // "a blank", "nothing"
      return name + ":" + std::to_string(line) + ", column " + std::to_string(column) + ": `" +
             std::string(text.substr(i, length)) + "` (U+" + hex + ") only looks like " +
             (spelled ? means : "`" + means + "`") + ". Type it anew on this keyboard's C++ keys.";
    }
    i += length;
  }
  return std::nullopt;
}

std::optional<std::string> unreadable(std::string_view source, const std::string& name) {
  if (source.starts_with("\xff\xfe") || source.starts_with("\xfe\xff"))
    return name + " is saved as UTF-16; please save it as UTF-8.";
  if (const std::size_t nul = source.find('\0'); nul != std::string_view::npos)
    return name + " has a NUL byte in line " + std::to_string(line_at(source, nul)) +
           ", so it is no text file; please save it as plain UTF-8 text.";
  if (tokens_of(source).empty()) return name + " is empty.";
  return std::nullopt;
}

}  // namespace labkit::compile
