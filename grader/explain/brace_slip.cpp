#include "explain/brace_slip.h"

#include <optional>
#include <string_view>
#include <vector>

namespace labkit::explain {
namespace {

using compile::Token;
using compile::Tokens;

/// How far the line of the token is indented; a tab counts as one.
std::size_t indent_of(std::string_view source, const Token& token) {
  std::size_t begin = token.begin;
  while (begin > 0 && source[begin - 1] != '\n') --begin;
  const std::size_t first = source.find_first_not_of(" \t", begin);
  return first - begin;
}

}  // namespace

words::Message open_brace(const std::string& file, const Tokens& tokens) {
  struct Open {
    std::uint32_t line;
    std::size_t indent;
  };
  std::vector<Open> open;
  std::optional<Open> lost;
  std::uint32_t before = 0;
  std::uint32_t last_line = 0;
  for (const Token& token : tokens) {
    const bool begins_line = token.line != last_line;
    last_line = token.line;
    const std::size_t indent = begins_line ? indent_of(tokens.source(), token) : 0;
    // what belongs further out, while this one is still open
    const bool is_outside = begins_line && !open.empty() && indent < open.back().indent;
    const bool is_function = begins_line && !open.empty() && indent == 0 &&
                             (token.is("__global__") || token.is("template"));
    if (!lost && ((token.is("}") && is_outside) || is_function)) {
      lost = open.back();
      before = token.line;
    }
    if (token.is("{")) open.push_back({token.line, indent_of(tokens.source(), token)});
    if (!token.is("}")) continue;
    if (open.empty()) return {};
    open.pop_back();
  }
  if (open.empty() || !lost) return {};
  return {words::Id::compile_open_brace,
          {{"at", words::SourceLine{file, lost->line}}, {"line", std::int64_t{before}}}};
}

}  // namespace labkit::explain
