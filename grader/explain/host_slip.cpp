#include "explain/host_slip.h"

#include <cstdint>
#include <string>

#include "compile/outline.h"
#include "explain/size_slip.h"

namespace labkit::explain {
namespace {

using compile::Tokens;
using words::Id;

/// The name that is declared on a line, outside of all braces: of a function before its parenthesis, of a variable before its
/// value, its extents or its end.
std::string_view declared_on(std::uint32_t line, bool is_function, const Tokens& tokens) {
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens.is(i, "{") && tokens.close_of(i) < tokens.size()) i = tokens.close_of(i);
    if (tokens[i].line < line || !tokens.is_word(i)) continue;
    if (tokens[i].line > line) break;
    const bool ends_here =
        is_function ? tokens.is(i + 1, "(")
                    : tokens.is(i + 1, "=") || tokens.is(i + 1, "[") || tokens.is(i + 1, ";");
    if (ends_here) return tokens[i].spelling;
  }
  return {};
}

/// The first line of a kernel, or of another function for the GPU, that names it; 0: none does.
std::uint32_t used_at(std::string_view name, const Tokens& tokens) {
  for (const compile::DeviceFunction& function : compile::device_functions_of(tokens)) {
    const std::size_t end =
        function.body < tokens.size() ? tokens.close_of(function.body) : tokens.size();
    for (std::size_t i = function.body; i < end; ++i)
      if (tokens.is(i, name)) return tokens[i].line;
  }
  return 0;
}

}  // namespace

words::Message used_on_the_host_only(const compile::Diagnostic& error, const Tokens& tokens) {
  const bool is_function = error.kind == compile::DiagnosticKind::host_function;
  const std::string_view name = declared_on(error.line, is_function, tokens);
  const std::uint32_t line = name.empty() ? 0 : used_at(name, tokens);
  if (line == 0) return {};
  return {is_function ? Id::compile_host_function_used : Id::compile_host_variable_used,
          {{"name", std::string(name)}, at(error), {"used", words::SourceLine{error.file, line}}}};
}

}  // namespace labkit::explain
