// Edits of an array of numbers beside the functions: two exchanged, one twice or half as large, and so the constants that it is
// made of.
#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "compile/small_edits.h"

namespace labkit::compile {
namespace {

/// Tokens [begin, end).
using Element = std::pair<std::size_t, std::size_t>;

/// Of `name[4] = {a, b}`.
std::vector<Element> elements_of(const Tokens& tokens, std::string_view name) {
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens.is(i, name) || !tokens.is(i + 1, "[")) continue;
    std::size_t open = tokens.close_of(i + 1) + 1;
    if (tokens.is(open, "=")) ++open;
    const std::size_t close = tokens.close_of(open);
    if (!tokens.is(open, "{") || close >= tokens.size()) continue;
    std::vector<Element> elements;
    for (std::size_t first = open + 1, at = first; at <= close; ++at) {
      if (at == close || tokens.is(at, ",")) {
        if (at > first) elements.emplace_back(first, at);
        first = at + 1;
      } else if (tokens.is(at, "(")) {
        at = std::min(tokens.close_of(at), close - 1);
      }
    }
    return elements;
  }
  return {};
}

/// A number of the source twice, and half as large.
void add_sizes(const Token& number, std::size_t offset, std::vector<Edit>& edits) {
  int value = 0;
  const char *const first = number.spelling.data(), *const last = first + number.spelling.size();
  const auto read = std::from_chars(first, last, value);
  constexpr int kMost = 1 << 16;
  if (read.ec != std::errc() || read.ptr != last || value < 1 || value > kMost) return;
  const std::size_t begin = offset + number.begin;
  for (const int other : {value * 2, value / 2})
    if (other > 0) edits.push_back({{begin, begin + number.length, std::to_string(other)}});
}

/// `constexpr int kEdge = 32;`, `#define EDGE 32`.
void add_constant(const Tokens& tokens, std::string_view name, std::vector<Edit>& edits) {
  for (std::size_t i = 1; i + 3 < tokens.size(); ++i)
    if (tokens.is(i, name) && tokens.is(i + 1, "=") && !tokens.is(i + 2, "{") &&
        (tokens.is(i + 3, ";") || tokens.is(i + 3, ",")))
      return add_sizes(tokens[i + 2], 0, edits);
  const Tokens all(tokens.source());
  for (const Token& line : all) {
    if (line.kind != Token::Kind::directive) continue;
    const Tokens macro(tokens.source().substr(line.begin + 1, line.length - 1), Tokens::Keep::code);
    if (macro.is(0, "define") && macro.is(1, name) && macro.size() == 3)
      return add_sizes(macro[2], line.begin + 1, edits);
  }
}

}  // namespace

std::vector<Edit> initialiser_edits(const Tokens& tokens, std::string_view name) {
  const std::vector<Element> elements = elements_of(tokens, name);
  std::vector<Edit> edits;
  const auto part = [&](const Element& at, const Element& by) {
    return Replacement{tokens[at.first].begin, tokens[at.second - 1].end(),
                       std::string(tokens.text(by.first, by.second))};
  };
  for (std::size_t a = 0; a < elements.size(); ++a)
    for (std::size_t b = a + 1; b < elements.size(); ++b) {
      Edit edit = {part(elements[a], elements[b]), part(elements[b], elements[a])};
      if (edit[0].text != edit[1].text) edits.push_back(std::move(edit));
    }
  std::set<std::string_view> constants;
  for (const auto& [begin, end] : elements)
    for (std::size_t i = begin; i < end; ++i)
      if (tokens[i].kind == Token::Kind::number)
        add_sizes(tokens[i], 0, edits);
      else if (tokens.is_word(i) && constants.insert(tokens[i].spelling).second)
        add_constant(tokens, tokens[i].spelling, edits);
  return edits;
}

}  // namespace labkit::compile
