#include "class/similar/similar_tokens.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "base/text.h"
#include "compile/tokens.h"

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

using compile::Tokens;
using TokenKind = compile::Token::Kind;

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
    if (c != '\'') text += to_lower(c);
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

class ShinglesReader {
 public:
  TokenText read(std::string_view source) {
    result_.letters = kOffset;
    for (const char c : source)
      if (static_cast<unsigned char>(c) > ' ')
        result_.letters = (result_.letters ^ static_cast<unsigned char>(c)) * kPrime;
    read_code(source);
    return std::move(result_);
  }

 private:
  void add(Token token) {
    if (result_.tokens.size() >= kMaxTokens)
      result_.cut = true;
    else
      result_.tokens.push_back(token);
  }
  void add_text(std::string_view text) { add({hash_of(text), false}); }

  void read_code(std::string_view code, bool in_directive = false) {
    const Tokens tokens(code, Tokens::Keep::all);
    for (std::size_t i = 0; i < tokens.size() && !result_.cut; ++i) {
      const std::string_view text = tokens[i].spelling;
      switch (tokens[i].kind) {
        case TokenKind::comment:
          comment(text);
          break;
        case TokenKind::directive:
          if (!in_directive) directive(text);
          break;
        case TokenKind::number:
          add_text(number_text(text));
          break;
        case TokenKind::text:
          add_text(text.front() == '\'' ? "'" : "\"");
          break;
        case TokenKind::word:
          word(text, i > 0 && tokens.is(i - 1, "."));
          break;
        case TokenKind::mark:
          if (text != "{" && text != "}") add_text(text);
          break;
      }
    }
  }

  void comment(std::string_view text) {
    std::string words;
    std::size_t letters = 0;
    for (const char c : text) {
      const bool part = compile::is_word_character(c);
      letters += part ? 1 : 0;
      if (part)
        words += to_lower(c);
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
  void directive(std::string_view text) {
    text = trim(text.substr(1));
    constexpr std::string_view kDefine = "define";
    if (!text.starts_with(kDefine)) return;
    add_text("#define");
    read_code(text.substr(kDefine.size()), true);
  }

  void word(std::string_view word, bool behind_dot) {
    if (says_nothing(word)) return;
    // Members of threadIdx and of float4, not of a student's own.
    const bool is_member = behind_dot && word.size() == 1 && word >= "w" && word <= "z";
    if (is_member || compile::kind_of_word(word) != compile::WordKind::own)
      return add_text(word == "class" ? "typename" : word);
    const auto [name, is_new] = names_.try_emplace(word, names_.size());
    add({name->second, true});
  }

  TokenText result_;
  std::map<std::string_view, std::uint64_t> names_;  ///< views into the source
};

}  // namespace

TokenText tokens_of(std::string_view source) { return ShinglesReader().read(source); }

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
