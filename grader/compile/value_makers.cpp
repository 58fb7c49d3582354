// Lines where the values are made that other lines use: assignments, heads of loops and conditions, functions and their calls.
#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>

#include "compile/edit_scope.h"

namespace labkit::compile {

std::set<std::uint32_t> EditScope::makers_of(const std::set<std::uint32_t>& lines) const {
  std::set<std::string_view> used;
  const auto each = [&](const auto& take) {
    for (const auto* const ranges : {&bodies_, &structures_})
      for (const auto& [begin, end] : *ranges)
        for (std::size_t i = begin; i < end; ++i)
          if (is_variable(i)) take(i);
  };
  each([&](std::size_t i) {
    if (lines.contains(tokens_[i].line)) used.insert(tokens_[i].spelling);
  });
  std::set<std::uint32_t> makers;
  each([&](std::size_t i) {
    std::size_t next = i + 1;
    while (tokens_.is(next, "[") && tokens_.close_of(next) < tokens_.size())
      next = tokens_.close_of(next) + 1;
    const bool is_declared = i > 0 && tokens_.is_word(i - 1) && !tokens_.is(i - 1, "return");
    const bool is_made = is_declared || (next < tokens_.size() && assigns(tokens_[next].spelling));
    if (is_made && used.contains(tokens_[i].spelling)) makers.insert(tokens_[i].line);
  });
  add_heads(lines, makers);
  add_called(lines, makers);
  return makers;
}

void EditScope::add_called(const std::set<std::uint32_t>& lines,
                           std::set<std::uint32_t>& makers) const {
  std::set<std::string_view> words;
  for (std::size_t i = 0; i < tokens_.size(); ++i)
    if (tokens_.is_word(i) && lines.contains(tokens_[i].line)) words.insert(tokens_[i].spelling);
  std::set<std::string_view> users;  // functions with one of these lines
  for (std::size_t i = 1; i < tokens_.size(); ++i) {
    const std::size_t close = tokens_.is(i, "(") ? tokens_.close_of(i) : tokens_.size();
    for (const auto& [begin, end] : bodies_) {
      if (close >= begin || begin > close + 2 || !tokens_.is(close + 1, "{")) continue;
      const std::string_view name = tokens_[i - 1].spelling;
      for (std::size_t k = begin; k < end; ++k) {
        if (words.contains(name)) makers.insert(tokens_[k].line);
        if (lines.contains(tokens_[k].line)) users.insert(name);
      }
    }
  }
  for (std::size_t i = 0; i + 1 < tokens_.size(); ++i)
    if (users.contains(tokens_[i].spelling) && tokens_.is(i + 1, "("))
      makers.insert(tokens_[i].line);
  const Tokens all(tokens_.source());
  for (const Token& token : all)
    if (token.kind == Token::Kind::directive) {
      const Tokens directive(tokens_.source().substr(token.begin + 1, token.length - 1),
                             Tokens::Keep::code);
      if (directive.is(0, "define") && directive.size() > 2 &&
          words.contains(directive[1].spelling))
        for (const Token& part : directive) makers.insert(token.line + part.line - 1);
    }
}

void EditScope::add_heads(const std::set<std::uint32_t>& lines,
                          std::set<std::uint32_t>& makers) const {
  std::set<std::uint32_t> heads;
  for (const auto& [begin, end] : bodies_)
    for (std::size_t i = begin; i < end; ++i) {
      const bool is_loop = tokens_.is(i, "for") || tokens_.is(i, "while");
      if (!is_loop && !tokens_.is(i, "if")) continue;
      const std::size_t close = tokens_.close_of(i + 1);
      const bool encloses =
          close + 1 < end && tokens_.is(close + 1, "{") && tokens_.close_of(close + 1) < end &&
          std::ranges::any_of(lines, [&](std::uint32_t line) {
            return line > tokens_[close].line && line < tokens_[tokens_.close_of(close + 1)].line;
          });
      if (!is_loop && encloses) heads.insert(tokens_[i].line);
      if (!is_loop) {
        const bool leaves = close + 1 < end &&
                            (tokens_.is(close + 1, "return") || tokens_.is(close + 1, "continue"));
        const auto is_below = [&, last_line = tokens_[end - 1].line](std::uint32_t line) {
          return line > tokens_[i].line && line <= last_line;
        };
        if (leaves && std::ranges::any_of(lines, is_below)) heads.insert(tokens_[i].line);
        continue;
      }
      std::size_t last = close + 1;
      if (tokens_.is(last, "{"))
        last = tokens_.close_of(last);
      else
        while (last < end && !tokens_.is(last, ";")) ++last;
      if (close >= end || last >= end) continue;
      const auto is_inside = [&](std::uint32_t line) {
        return line > tokens_[close].line && line <= tokens_[last].line;
      };
      if (std::ranges::any_of(lines, is_inside) || std::ranges::any_of(makers, is_inside))
        heads.insert(tokens_[i].line);
    }
  makers.insert(heads.begin(), heads.end());
}

}  // namespace labkit::compile
