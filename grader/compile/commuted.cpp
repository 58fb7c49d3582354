#include "compile/commuted.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "compile/tokens.h"

namespace labkit::compile {
namespace {

/// Brackets in brackets; what is inside deeper ones keeps its order.
constexpr int kDeepest = 32;

/// An operand, or an operator between two.
struct Part {
  std::string text;
  bool is_operand = false;
};

bool is_product(const Part& part) {
  return !part.is_operand && (part.text == "*" || part.text == "/" || part.text == "%");
}
bool is_sum(const Part& part) { return !part.is_operand && (part.text == "+" || part.text == "-"); }

/// `a OP b`, from the left on, becomes one operand; those of `commutes` in one order.
template <typename Is>
std::vector<Part> merged(const std::vector<Part>& parts, const Is& is, std::string_view commutes) {
  std::vector<Part> made;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool joins = is(parts[i]) && !made.empty() && made.back().is_operand &&
                       i + 1 < parts.size() && parts[i + 1].is_operand;
    if (!joins) {
      made.push_back(parts[i]);
      continue;
    }
    std::string first = std::move(made.back().text), second = parts[i + 1].text;
    if (parts[i].text == commutes && second < first) std::swap(first, second);
    made.back().text = "(" + first + parts[i].text + second + ")";
    ++i;
  }
  return made;
}

std::string ordered(const Tokens& tokens, std::size_t begin, std::size_t end, int depth = 0) {
  if (depth == kDeepest) return std::string(tokens.text(begin, end));
  std::vector<Part> parts;
  bool may_go_on = false;  // the operand before, by a bracket, a member or a word
  for (std::size_t i = begin; i < end; ++i) {
    const Token& token = tokens[i];
    const bool is_open = token.is("(") || token.is("[") || token.is("{");
    const bool is_member = token.is(".") || token.is("->") || token.is("::");
    const bool is_keyword = kind_of_word(token.spelling) == WordKind::keyword;
    const bool is_operand =
        is_open || is_member || (token.kind != Token::Kind::mark && !is_keyword);
    std::string text(token.spelling);
    if (is_open && token.close < end) {
      text += ordered(tokens, i + 1, token.close, depth + 1) +
              std::string(tokens[token.close].spelling);
      i = token.close;
    }
    if (is_operand && may_go_on)
      parts.back().text += (token.is_word() ? " " : "") + text;
    else
      parts.push_back({text, is_operand});
    may_go_on = is_operand;
  }
  // a sign before an operand belongs to it
  for (std::size_t i = parts.size(); i-- > 0;)
    if (is_sum(parts[i]) && (i == 0 || !parts[i - 1].is_operand) && i + 1 < parts.size() &&
        parts[i + 1].is_operand) {
      parts[i + 1].text.insert(0, parts[i].text);
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
    }
  parts = merged(merged(parts, is_product, "*"), is_sum, "+");
  std::string text;
  for (const Part& part : parts) text += part.text + " ";
  return text;
}

std::string sorted(std::string text) {
  std::ranges::sort(text);
  return text;
}

}  // namespace

std::string in_one_order(std::string_view source) {
  const Tokens tokens(source, Tokens::Keep::code);
  return ordered(tokens, 0, tokens.size());
}

Edit without_commuted(std::string_view source, const Edit& edit) {
  Edit left;
  for (std::size_t first = 0, last = 0; first < edit.size(); first = last) {
    const std::size_t at = edit[first].begin,
                      begin = at == 0 ? 0 : source.rfind('\n', at - 1) + 1;  // npos + 1 is 0
    std::size_t end = source.npos;
    Edit parts;
    for (last = first; last < edit.size() && edit[last].begin < end; ++last) {
      end = source.find('\n', edit[last].end);
      parts.push_back(edit[last]);
      parts.back().begin -= begin;
      parts.back().end -= begin;
    }
    const std::string before(source.substr(begin, end - begin)), after = apply_edit(before, parts);
    if (sorted(before) != sorted(after) || in_one_order(before) != in_one_order(after))
      left.insert(left.end(), edit.begin() + static_cast<std::ptrdiff_t>(first),
                  edit.begin() + static_cast<std::ptrdiff_t>(last));
  }
  return left;
}

}  // namespace labkit::compile
