#include "explain/size_slip.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace labkit::explain {
namespace {

using compile::Diagnostic;
using compile::Tokens;
using words::Id;
using words::Message;

/// `int tile = 32;`, of a name on that line that is to be a constant.
Message of_literal(const Diagnostic& error, const Tokens& tokens) {
  std::map<std::string_view, std::size_t> values;  // of each name the first
  for (std::size_t i = 1; i + 3 < tokens.size(); ++i)
    if (tokens.is_word(i) && tokens.is(i - 1, "int") && tokens.is(i + 1, "=") &&
        tokens[i + 2].kind == compile::Token::Kind::number && !tokens.is(i - 2, "const") &&
        !tokens.is(i - 2, "constexpr") && (tokens.is(i + 3, ";") || tokens.is(i + 3, ",")))
      values.try_emplace(tokens[i].spelling, i);
  for (std::size_t u = 1; u < tokens.size(); ++u) {
    if (tokens[u].line != error.line || tokens.is(u - 1, ".") || tokens.is(u - 1, "->")) continue;
    if (const auto found = values.find(tokens[u].spelling); found != values.end())
      return {Id::compile_variable_value,
              {{"name", std::string(found->first)},
               {"value", std::string(tokens[found->second + 2].spelling)},
               {"first", words::SourceLine{error.file, tokens[found->second].line}},
               at(error)}};
  }
  return {};
}

/// Names that a `constexpr` declares, one or several.
std::set<std::string_view> constants(const Tokens& tokens) {
  std::set<std::string_view> names;
  bool is_declared = false;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens.is(i, "constexpr") || tokens.is(i, ";")) is_declared = tokens.is(i, "constexpr");
    if (is_declared && tokens.is(i + 1, "=")) names.insert(tokens[i].spelling);
  }
  return names;
}

}  // namespace

words::Message size_that_varies(const Diagnostic& error, const Tokens& tokens) {
  if (Message literal = of_literal(error, tokens)) return literal;
  std::set<std::string_view> names, used, sizes;
  for (const compile::Token& token : tokens)
    if (token.line == error.line) used.insert(token.spelling);
  const std::set<std::string_view> fixed = constants(tokens);
  int depth = 0;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    if (tokens[i].line != error.line) continue;
    depth += tokens.is(i, "[") ? 1 : tokens.is(i, "]") ? -1 : 0;
    if (depth > 0 && tokens.is_word(i) && !tokens.is(i - 1, ".") &&
        !fixed.contains(tokens[i].spelling))
      sizes.insert(tokens.is(i + 1, ".") ? tokens.text(i, i + 3) : tokens[i].spelling);
  }
  if (used.contains("constexpr")) return {Id::compile_constexpr_value, {at(error)}};
  for (std::size_t i = 0; i + 3 < tokens.size(); ++i) {
    if (tokens.is(i, "{")) i = std::min(tokens.close_of(i), tokens.size() - 1);
    if (i == 0 || !tokens.is(i, "int") || !tokens.is(i - 1, "constexpr")) continue;
    for (std::size_t at = i + 1;
         at + 1 < tokens.size() && !tokens.is(at, ";") && !tokens.is(at, "constexpr"); ++at)
      if (tokens.is(at + 1, "=") && !used.contains(tokens[at].spelling))
        names.insert(tokens[at].spelling);
  }
  constexpr std::size_t kMostNames = 4;
  const std::size_t parts = std::ranges::count_if(
      sizes, [](std::string_view size) { return size.starts_with("blockDim."); });
  if (parts > 0 && parts == sizes.size() && !names.empty() && names.size() <= kMostNames)
    return {Id::compile_launch_size_names,
            {at(error),
             {"count", words::count(parts)},
             {"sizes", fmt::format("`{}`", fmt::join(sizes, "`, `"))},
             {"names", fmt::format("`{}`", fmt::join(names, "`, `"))}}};
  if (names.size() != 1 || sizes.size() > 1)  // one constant is not the size of two
    return {used.contains("blockDim") ? Id::compile_launch_size : Id::compile_variable_size,
            {at(error)}};
  return {Id::compile_variable_size_constant, {{"name", std::string(*names.begin())}, at(error)}};
}

words::Message values_of_shared(const Diagnostic& error, const Tokens& tokens) {
  for (std::size_t i = 0; i + 3 < tokens.size(); ++i) {
    if (!tokens.is_word(i)) continue;
    const std::size_t close = tokens.is(i + 1, "[") ? tokens.close_of(i + 1) : tokens.size();
    if (tokens[i].line != error.line || close + 1 >= tokens.size()) continue;
    const std::size_t second = tokens.is(close + 1, "[") ? tokens.close_of(close + 1) : close;
    if (tokens.is(second + 1, "[")) break;  // of three
    if (second != close)
      return {Id::compile_shared_rows,
              {{"array", std::string(tokens[i].spelling)},
               {"rows", std::string(tokens.text(i + 2, close))},
               {"columns", std::string(tokens.text(close + 2, second))},
               at(error)}};
    if (!tokens.is(close + 1, "=") && !tokens.is(close + 1, "{")) continue;
    return {Id::compile_shared_values,
            {{"array", std::string(tokens[i].spelling)},
             {"size", std::string(tokens.text(i + 2, close))},
             at(error)}};
  }
  return {Id::compile_shared_value, {at(error)}};
}

words::Message one_index_of_two(const Diagnostic& error, const Tokens& tokens) {
  std::set<std::string_view> tables;
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
    const std::size_t close = tokens.is(i + 1, "[") ? tokens.close_of(i + 1) : tokens.size();
    if (close + 1 >= tokens.size() || !tokens.is_word(i)) continue;
    const std::string_view name = tokens[i].spelling;
    if (tokens.is(close + 1, "[") && tokens.is_word(i - 1)) tables.insert(name);
    if (tokens[i].line == error.line && tokens.is(close + 1, "=") && tables.contains(name))
      return {Id::compile_one_index, {{"name", std::string(name)}, at(error)}};
  }
  return {};
}

}  // namespace labkit::explain
