#include "explain/brace_slip.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace labkit::explain {
namespace {

using compile::Token;
using compile::Tokens;

/// How far the line is indented that this token begins; a tab counts as one.
std::size_t indent_of(std::string_view source, const Token& token) {
  std::size_t begin = token.begin;
  while (begin > 0 && source[begin - 1] != '\n') --begin;
  const std::size_t first = source.find_first_not_of(" \t", begin);
  return first - begin;
}

/// Lines are left out, and then braces of both branches of a condition are in the source.
bool has_conditions(std::string_view source) {
  const Tokens all(source);
  return std::ranges::any_of(all, [&](const Token& token) {
    return token.kind == Token::Kind::directive &&
           trim(source.substr(token.begin + 1, token.length - 1)).starts_with("if");
  });
}

}  // namespace

words::Message open_brace(const std::string& file, const Tokens& tokens) {
  struct Open {
    std::uint32_t line;
    std::size_t indent;
  };
  if (has_conditions(tokens.source())) return {};
  std::vector<Open> open;
  std::optional<Open> lost;
  std::uint32_t before = 0;
  std::uint32_t last_line = 0;
  std::size_t indent = 0;  // of the line that is read
  for (const Token& token : tokens) {
    const bool begins_line = token.line != last_line;
    last_line = token.line;
    if (begins_line) indent = indent_of(tokens.source(), token);
    // what belongs further out, while this one is still open
    const bool is_outside = begins_line && !open.empty() && indent < open.back().indent;
    const bool is_function = begins_line && !open.empty() && indent == 0 &&
                             (token.is("__global__") || token.is("template"));
    if (!lost && ((token.is("}") && is_outside) || is_function)) {
      lost = open.back();
      before = token.line;
    }
    if (token.is("{")) open.push_back({token.line, indent});
    if (!token.is("}")) continue;
    if (open.empty()) return {};
    open.pop_back();
  }
  if (open.empty() || !lost) return {};
  return {words::Id::compile_open_brace,
          {{"at", words::SourceLine{file, lost->line}}, {"line", std::int64_t{before}}}};
}

}  // namespace labkit::explain
