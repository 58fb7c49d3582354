#include "class/similar/similar_tokens.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_set>

#include "base/text.h"

namespace labkit::course {
namespace {

/// FNV-1a, 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/).
constexpr std::uint64_t kOffset = 14695981039346656037ull, kPrime = 1099511628211ull;
std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * kPrime;
  return hash ^ (hash >> 29);
}
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = kOffset;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * kPrime;
  return hash;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

/// Words that stand for themselves. Whatever begins with two underscores is the compiler's or CUDA's.
bool is_known(std::string_view word) {
  static const std::unordered_set<std::string_view> words = {
      "if",        "else",     "for",         "while",       "do",           "return",
      "break",     "continue", "switch",      "case",        "default",      "goto",
      "void",      "int",      "float",       "double",      "bool",         "char",
      "short",     "long",     "unsigned",    "signed",      "auto",         "struct",
      "template",  "typename", "class",       "using",       "typedef",      "sizeof",
      "extern",    "true",     "false",       "operator",    "namespace",    "enum",
      "union",     "nullptr",  "asm",         "decltype",    "static_cast",  "reinterpret_cast",
      "threadIdx", "blockIdx", "blockDim",    "gridDim",     "warpSize",     "float2",
      "float3",    "float4",   "double2",     "int2",        "int4",         "uint4",
      "size_t",    "dim3",     "make_float2", "make_float4", "make_double2", "min",
      "max"};
  return word.starts_with("__") || words.contains(word);
}
/// Words that a copy may gain or lose without being another program.
bool says_nothing(std::string_view word) {
  static const std::unordered_set<std::string_view> words = {
      "const",        "constexpr",  "static",          "inline",       "volatile", "restrict",
      "__restrict__", "__restrict", "__forceinline__", "__noinline__", "register", "final"};
  return words.contains(word);
}

/// 0x20u, 32 and 32'0 less what does not change it: digits' marks, the suffix, a fraction of nothing.
std::string number_text(std::string_view raw) {
  std::string text;
  for (const char c : raw)
    if (c != '\'') text += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const bool hexadecimal = text.starts_with("0x");
  while (text.size() > 1 &&
         (text.back() == 'u' || text.back() == 'l' || (text.back() == 'f' && !hexadecimal)))
    text.pop_back();
  if (!hexadecimal && text.find('.') != std::string::npos && text.find('e') == std::string::npos) {
    while (text.ends_with('0')) text.pop_back();
    if (text.ends_with('.')) text.pop_back();
    if (text.empty()) text.push_back('0');
  }
  return text;
}

class Scanner {
 public:
  explicit Scanner(std::string_view source) : text_(source) {}

  TokenText run() {
    result_.letters = kOffset;
    for (const char c : text_)
      if (!is_blank(c) && c != '\n')
        result_.letters = (result_.letters ^ static_cast<unsigned char>(c)) * kPrime;
    while (at_ < text_.size() && !result_.cut) step();
    return std::move(result_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  void add(Token token) {
    if (result_.tokens.size() >= kMaxTokens)
      result_.cut = true;
    else
      result_.tokens.push_back(token);
  }
  void add_text(std::string_view text) { add({hash_of(text), false}); }

  void step() {
    const char c = peek();
    if (c == '\n') {
      at_line_start_ = true;
      ++at_;
    } else if (is_blank(c)) {
      ++at_;
    } else if (c == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
      at_ += peek(1) == '\n' ? 2 : 3;
    } else if (c == '/' && (peek(1) == '/' || peek(1) == '*')) {
      comment();
    } else if (c == '#' && at_line_start_) {
      directive();
    } else {
      at_line_start_ = false;
      if (is_digit(c) || (c == '.' && is_digit(peek(1))))
        number();
      else if (is_letter(c))
        word();
      else if (c == '"' || c == '\'')
        quoted(c);
      else
        operation();
    }
  }

  void comment() {
    const bool line = peek(1) == '/';
    const std::size_t begin = at_ + 2;
    std::size_t end = text_.find(line ? "\n" : "*/", begin);
    at_ = end == std::string_view::npos ? text_.size() : end + (line ? 0 : 2);
    end = std::min(end, text_.size());
    std::string words;
    std::size_t letters = 0;
    for (const char c : text_.substr(begin, end - begin)) {
      const bool part = is_letter(c) || is_digit(c);
      letters += part ? 1 : 0;
      if (part)
        words += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      else if (!words.empty() && words.back() != ' ')
        words += ' ';
    }
    while (words.ends_with(' ')) words.pop_back();
    // "loop", "read tile": anybody writes that.
    constexpr std::size_t kTelling = 16, kMostComments = 2000;
    if (letters >= kTelling && result_.comments.size() < kMostComments)
      result_.comments.push_back(std::move(words));
  }

  /// Only what #define says is code; what is included or promised to the compiler is not.
  void directive() {
    ++at_;
    while (is_blank(peek())) ++at_;
    std::size_t end = at_;
    while (end < text_.size() && is_letter(text_[end])) ++end;
    const std::string_view name = text_.substr(at_, end - at_);
    at_ = end;
    at_line_start_ = false;
    if (name == "define") {
      add_text("#define");
      return;
    }
    while (at_ < text_.size() && peek() != '\n') at_ += peek() == '\\' && peek(1) == '\n' ? 2 : 1;
  }

  void number() {
    const std::size_t begin = at_;
    while (is_digit(peek()) || is_letter(peek()) || peek() == '.' || peek() == '\'' ||
           ((peek() == '+' || peek() == '-') && (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E') &&
            peek(1) != '\0' && text_.substr(begin, 2) != "0x"))
      ++at_;
    add_text(number_text(text_.substr(begin, at_ - begin)));
  }

  void word() {
    const std::size_t begin = at_;
    while (is_letter(peek()) || is_digit(peek())) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (says_nothing(word)) return;
    // Members of threadIdx and of float4, not of a student's own.
    const bool member = begin > 0 && text_[begin - 1] == '.' && word.size() == 1 &&
                        (word == "x" || word == "y" || word == "z" || word == "w");
    if (member || is_known(word)) {
      add_text(word == "class" ? "typename" : word);
      return;
    }
    const auto [name, is_new] = names_.try_emplace(word, names_.size());
    add({name->second, true});
  }

  void quoted(char quote) {
    ++at_;
    while (at_ < text_.size() && peek() != quote && peek() != '\n') at_ += peek() == '\\' ? 2 : 1;
    at_ = std::min(at_ + 1, text_.size());
    add_text(quote == '"' ? "\"" : "'");
  }

  void operation() {
    static constexpr std::array<std::string_view, 22> kLong = {
        "<<=", ">>=", "...", "->", "++", "--", "+=", "-=", "*=", "/=", "%=",
        "&=",  "|=",  "^=",  "==", "!=", "<=", ">=", "&&", "||", "<<", "::"};
    // ">>" closes two lists of template arguments as often as it shifts.
    for (const std::string_view each : kLong)
      if (text_.substr(at_, each.size()) == each) {
        add_text(each);
        at_ += each.size();
        return;
      }
    if (peek() != '{' && peek() != '}') add_text(text_.substr(at_, 1));
    ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool at_line_start_ = true;
  TokenText result_;
  std::map<std::string_view, std::uint64_t> names_;
};

}  // namespace

TokenText tokens_of(std::string_view source) { return Scanner(source).run(); }

std::vector<std::uint64_t> passages(const std::vector<Token>& tokens, std::size_t length) {
  std::vector<std::uint64_t> hashes;
  if (tokens.size() < length) return hashes;
  hashes.reserve(tokens.size() - length + 1);
  std::vector<std::uint64_t> seen;
  for (std::size_t begin = 0; begin + length <= tokens.size(); ++begin) {
    seen.clear();
    std::uint64_t hash = kOffset;
    for (std::size_t i = begin; i < begin + length; ++i) {
      const Token& token = tokens[i];
      if (!token.is_name) {
        hash = mix(hash, token.value);
        continue;
      }
      const auto found = std::find(seen.begin(), seen.end(), token.value);
      hash = mix(hash, static_cast<std::uint64_t>(found - seen.begin()) + 1);
      if (found == seen.end()) seen.push_back(token.value);
    }
    hashes.push_back(hash);
  }
  return hashes;
}

std::string fenced_code(std::string_view markdown) {
  std::string code;
  std::string_view fence;
  for (const std::string_view line : split_lines(markdown)) {
    const std::string_view bare = trim(line);
    if (fence.empty()) {
      if (bare.starts_with("```") || bare.starts_with("~~~")) fence = bare.substr(0, 3);
    } else if (bare.starts_with(fence)) {
      fence = {};
    } else {
      code += std::string(line) + "\n";
    }
  }
  return code;
}

}  // namespace labkit::course
