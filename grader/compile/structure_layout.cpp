#include "compile/structure_layout.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>

#include "compile/constant_extents.h"
#include "compile/source.h"

namespace labkit::compile {
namespace {

constexpr std::size_t kMostBytes = 4096;  ///< of a structure
constexpr int kMostDepth = 4;             ///< structures in structures
constexpr std::uint32_t kPointerBytes = 8;

/// Bytes in a structure that belong to a member, and what its address is a multiple of.
struct Layout {
  std::vector<bool> used;
  std::size_t alignment = 1;

  bool add(const Layout& member, std::uint64_t count) {
    if (member.used.empty() || count == 0 || count > kMostBytes) return false;
    const auto rounded = [&](std::size_t size, std::size_t to) {
      return (size + to - 1) / to * to;
    };
    used.resize(rounded(used.size(), member.alignment), false);
    if (used.size() + count * member.used.size() > kMostBytes) return false;
    for (std::uint64_t i = 0; i < count; ++i)
      used.insert(used.end(), member.used.begin(), member.used.end());
    alignment = std::max(alignment, member.alignment);
    return true;
  }
  void finish() { used.resize((used.size() + alignment - 1) / alignment * alignment, false); }
};

Layout plain(std::uint32_t bytes) {
  return {.used = std::vector<bool>(bytes, true), .alignment = bytes};
}

class Reader {
 public:
  explicit Reader(std::string_view source)
      : tokens_(tokens_of(source)), constants_(constants_of(tokens_)) {
    find_structures();
  }

  /// The type that parameter `parameter` of the kernel points to; "" where it is no plain `T*`.
  std::string_view pointed_type(std::string_view kernel, std::size_t parameter) const {
    const Brackets brackets(tokens_);
    bool is_global = false;  // in the declaration at hand
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
      if (is_word(tokens_[i], "__global__")) is_global = true;
      if (is_mark(tokens_[i], ";") || is_mark(tokens_[i], "}")) is_global = false;
      if (!is_global || !is_word(tokens_[i], kernel) || !is_mark(tokens_[i + 1], "(")) continue;
      const std::size_t close = brackets.close_of(i + 1);
      if (close >= tokens_.size()) continue;
      return type_before_star(words_of_parameter(i + 2, close, parameter));
    }
    return {};
  }

  std::optional<Layout> structure(std::string_view type, int depth = 0) const {
    const auto found = structures_.find(type);
    if (depth > kMostDepth || found == structures_.end()) return std::nullopt;
    const auto& [alignment, begin, end] = found->second;
    if (end >= tokens_.size() || !is_mark(tokens_[end], "}")) return std::nullopt;
    Layout layout;
    layout.alignment = alignment;
    for (std::size_t k = begin; k < end;)
      if (!declaration(std::span(tokens_).first(end), k, layout, depth)) return std::nullopt;
    layout.finish();
    return layout;
  }

 private:
  struct Structure {
    std::size_t alignment = 1;
    std::size_t begin = 0, end = 0;  ///< tokens: behind its {, and the next brace
  };

  /// `struct [alignas(8)] name {`: the first of each name.
  void find_structures() {
    for (std::size_t i = 0; i + 2 < tokens_.size(); ++i) {
      if (!is_word(tokens_[i], "struct")) continue;
      std::size_t at = i + 1;
      Structure structure;
      if (is_word(tokens_[at], "__align__") || is_word(tokens_[at], "alignas")) {
        if (at + 4 >= tokens_.size() || !is_mark(tokens_[at + 1], "(") ||
            !is_mark(tokens_[at + 3], ")"))
          continue;
        const std::string_view text = tokens_[at + 2].spelling;
        std::size_t wanted = 0;
        std::from_chars(text.data(), text.data() + text.size(), wanted);
        if (wanted == 0 || wanted > kMostBytes || (wanted & (wanted - 1)) != 0) continue;
        structure.alignment = wanted;
        at += 4;
      }
      if (at + 1 >= tokens_.size() || tokens_[at].kind != Token::Kind::word ||
          !is_mark(tokens_[at + 1], "{"))
        continue;
      structure.begin = structure.end = at + 2;
      while (structure.end < tokens_.size() && !is_mark(tokens_[structure.end], "}") &&
             !is_mark(tokens_[structure.end], "{"))
        ++structure.end;
      structures_.try_emplace(tokens_[at].spelling, structure);
    }
  }

  /// The tokens of one parameter of those in [begin, end).
  std::vector<Token> words_of_parameter(std::size_t begin, std::size_t end,
                                        std::size_t parameter) const {
    std::vector<Token> words;
    int depth = 0;
    std::size_t number = 0;
    for (std::size_t k = begin; k < end && number <= parameter; ++k) {
      const Token& token = tokens_[k];
      if (depth == 0 && is_mark(token, ",")) {
        ++number;
        continue;
      }
      depth += is_mark(token, "(") || is_mark(token, "<");
      depth -= is_mark(token, ")") || is_mark(token, ">");
      if (number == parameter) words.push_back(token);
    }
    return words;
  }

  static std::string_view type_before_star(const std::vector<Token>& words) {
    std::string_view type;
    std::size_t stars = 0;
    for (const Token& token : words) {
      if (is_mark(token, "*")) ++stars;
      if (token.kind != Token::Kind::word || token.spelling == "const" ||
          token.spelling == "struct" || token.spelling == "__restrict__")
        continue;
      if (stars == 0) type = token.spelling;
    }
    return stars == 1 ? type : std::string_view{};
  }

  std::optional<Layout> type_of(const std::vector<std::string_view>& words, int depth) const {
    std::uint32_t bytes = 0;
    for (const std::string_view word : words) {
      if (word == "const" || word == "volatile" || word == "signed" || word == "struct") continue;
      const std::uint32_t one = bytes_of_type(word);
      if (one == 0) return words.size() == 1 ? structure(word, depth + 1) : std::nullopt;
      // "unsigned char", "unsigned long long", "long int": what is not int or unsigned says it
      if (bytes == 0 || (word != "int" && word != "unsigned")) bytes = one;
    }
    return bytes == 0 ? std::nullopt : std::optional(plain(bytes));
  }

  /// `type name [extent] {, name} ;` from `at`, which is behind it then.
  bool declaration(std::span<const Token> tokens, std::size_t& at, Layout& layout,
                   int depth) const {
    std::vector<std::string_view> words;
    while (at < tokens.size() && tokens[at].kind == Token::Kind::word)
      words.push_back(tokens[at++].spelling);
    bool is_pointer = false;
    std::optional<Layout> type;
    if (at < tokens.size() && is_mark(tokens[at], "*")) {
      is_pointer = true;
    } else {
      if (words.size() < 2) return false;
      words.pop_back();  // the first name
      --at;
      type = type_of(words, depth);
    }
    while (at < tokens.size()) {
      const bool points = is_mark(tokens[at], "*");
      if (points && ++at >= tokens.size()) return false;
      if (tokens[at].kind != Token::Kind::word || (is_pointer && !points)) return false;
      std::uint64_t count = 1;
      if (++at < tokens.size() && is_mark(tokens[at], "[")) {
        const auto extents = extents_at(tokens, at, constants_);
        if (!extents) return false;
        for (const std::uint64_t extent : *extents)
          count = std::min(count * extent, kMostBytes + 1);
      }
      const std::optional<Layout> member = points ? plain(kPointerBytes) : type;
      if (!member || !layout.add(*member, count) || at >= tokens.size()) return false;
      if (is_mark(tokens[at], ";")) return ++at, true;
      if (!is_mark(tokens[at], ",")) return false;
      ++at;
    }
    return false;
  }

  std::vector<Token> tokens_;
  Constants constants_;
  std::unordered_map<std::string_view, Structure> structures_;
};

}  // namespace

std::vector<bool> padding_of_pointed(std::string_view source, std::string_view kernel,
                                     std::size_t parameter) {
  const Reader reader(source);
  const std::string_view type = reader.pointed_type(kernel, parameter);
  if (type.empty() || bytes_of_type(type) != 0) return {};
  const auto layout = reader.structure(type);
  if (!layout || std::find(layout->used.begin(), layout->used.end(), false) == layout->used.end())
    return {};
  std::vector<bool> padding = layout->used;
  padding.flip();
  return padding;
}

}  // namespace labkit::compile
