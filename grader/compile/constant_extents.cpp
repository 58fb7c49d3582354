#include "compile/constant_extents.h"

#include <algorithm>
#include <charconv>
#include <span>

#include "base/text.h"

namespace labkit::compile {
namespace {

// A source is a student's, and may be anything: what it could make long, deep or large has a limit.
constexpr int kMostSteps = 256;          ///< of one expression, the names that it uses among them
constexpr std::size_t kMostTokens = 32;  ///< of what a name stands for
constexpr std::int64_t kMostValue = 1 << 30;

/// A constant expression of whole numbers, as far as extents use them: + - * / % and brackets.
class Expression {
 public:
  /// `steps` is used up.
  Expression(std::span<const Token> tokens, const Constants& constants, int& steps)
      : tokens_(tokens), constants_(constants), steps_(steps) {}

  std::optional<std::int64_t> value() {
    const auto result = sum();
    return at_ == tokens_.size() ? result : std::nullopt;
  }

 private:
  using Value = std::optional<std::int64_t>;

  static Value bounded(std::int64_t value) {
    return value >= -kMostValue && value <= kMostValue ? Value(value) : std::nullopt;
  }

  bool take(std::string_view mark) {
    if (at_ >= tokens_.size() || !tokens_[at_].is(mark)) return false;
    ++at_;
    return true;
  }
  Value sum() {
    Value left = product();
    while (left) {
      const bool adds = take("+");
      if (!adds && !take("-")) break;
      const Value right = product();
      if (!right) return std::nullopt;
      left = bounded(adds ? *left + *right : *left - *right);
    }
    return left;
  }
  Value product() {
    Value left = factor();
    while (left) {
      const char op = take("*") ? '*' : take("/") ? '/' : take("%") ? '%' : '\0';
      if (op == '\0') break;
      const Value right = factor();
      if (!right || (op != '*' && *right == 0)) return std::nullopt;
      left = bounded(op == '*' ? *left * *right : op == '/' ? *left / *right : *left % *right);
    }
    return left;
  }
  Value factor() {
    if (--steps_ < 0) return std::nullopt;
    if (take("(")) {
      const Value inside = sum();
      return take(")") ? inside : std::nullopt;
    }
    if (at_ >= tokens_.size()) return std::nullopt;
    const Token& token = tokens_[at_++];
    if (token.kind == Token::Kind::number) return number(token.spelling);
    if (!token.is_word()) return std::nullopt;
    const auto known = constants_.find(token.spelling);
    if (known == constants_.end()) return std::nullopt;
    return Expression(known->second, constants_, steps_).value();
  }
  static Value number(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool only_suffix =
        std::all_of(end, text.data() + text.size(), [](char c) { return c == 'u' || c == 'U'; });
    return problem == std::errc() && only_suffix ? bounded(value) : std::nullopt;
  }

  std::span<const Token> tokens_;
  const Constants& constants_;
  int& steps_;
  std::size_t at_ = 0;
};

/// "#define NAME 32" as a name and what it stands for.
void add_macro(Constants& constants, std::string_view directive) {
  std::string_view rest = trim(directive.substr(1));
  constexpr std::string_view kDefine = "define";
  if (!rest.starts_with(kDefine)) return;
  rest = trim(rest.substr(kDefine.size()));
  const Tokens tokens(rest);
  if (tokens.size() < 2 || tokens.size() > kMostTokens || !tokens.is_word(0)) return;
  // a macro with parameters has its bracket right behind its name
  if (tokens.is(1, "(") && tokens[1].begin == tokens[0].end()) return;
  constants.emplace(tokens[0].spelling, std::vector<Token>(tokens.begin() + 1, tokens.end()));
}

}  // namespace

Constants constants_of(const Tokens& tokens) {
  Constants constants;
  bool constant = false;  // in the declaration at hand
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.kind == Token::Kind::directive) add_macro(constants, token.spelling);
    if (token.is("constexpr") || token.is("const") || token.is("enum")) constant = true;
    if (token.is(";") || token.is(")")) constant = false;
    if (!constant || !token.is_word() || !tokens.is(i + 1, "=")) continue;
    std::size_t end = i + 2;
    while (end < tokens.size() && end - i <= kMostTokens && !tokens.is(end, ";") &&
           !tokens.is(end, ",") && !tokens.is(end, "}"))
      ++end;
    if (end - i > kMostTokens) continue;
    constants.emplace(token.spelling,
                      std::vector<Token>(tokens.begin() + static_cast<std::ptrdiff_t>(i + 2),
                                         tokens.begin() + static_cast<std::ptrdiff_t>(end)));
  }
  return constants;
}

std::optional<std::int64_t> value_of(std::string_view name, const Constants& constants) {
  const auto known = constants.find(name);
  if (known == constants.end()) return std::nullopt;
  int steps = kMostSteps;
  return Expression(known->second, constants, steps).value();
}

std::uint32_t bytes_of_type(std::string_view type) {
  constexpr struct {
    std::string_view name;
    std::uint32_t bytes;
  } kTypes[] = {{"char", 1},    {"bool", 1},     {"short", 2},    {"half", 2},     {"__half", 2},
                {"int", 4},     {"unsigned", 4}, {"float", 4},    {"int32_t", 4},  {"uint32_t", 4},
                {"double", 8},  {"long", 8},     {"int64_t", 8},  {"uint64_t", 8}, {"size_t", 8},
                {"float2", 8},  {"int2", 8},     {"float4", 16},  {"int4", 16},    {"double2", 16},
                {"uint8_t", 1}, {"int8_t", 1},   {"uint16_t", 2}, {"int16_t", 2}};
  for (const auto& [name, bytes] : kTypes)
    if (name == type) return bytes;
  return 0;
}

std::optional<std::vector<std::uint64_t>> extents_at(const Tokens& tokens, std::size_t& at,
                                                     const Constants& constants) {
  std::vector<std::uint64_t> extents;
  bool known = true;
  while (tokens.is(at, "[")) {
    const std::size_t end = tokens.close_of(at);
    if (end >= tokens.size()) {
      at = end;
      return std::nullopt;
    }
    const std::span<const Token> inside(tokens.begin() + static_cast<std::ptrdiff_t>(at + 1),
                                        end - at - 1);
    at = end + 1;
    if (inside.empty() && extents.empty()) {
      extents.push_back(0);
      continue;
    }
    int steps = kMostSteps;
    const auto value = Expression(inside, constants, steps).value();
    known = known && value && *value > 0;
    extents.push_back(known ? static_cast<std::uint64_t>(*value) : 1);
  }
  return known && !extents.empty() ? std::optional(std::move(extents)) : std::nullopt;
}

}  // namespace labkit::compile
