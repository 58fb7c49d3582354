#include "grade/source.h"

#include <algorithm>

#include "base/text.h"

namespace labkit::lab {
namespace {

using compile::is_mark;
using compile::Token;

std::vector<Token> code_tokens(std::string_view source) {
  if (source.find("__global__") == std::string_view::npos) return {};
  std::vector<Token> tokens = compile::tokens_of(source);
  std::erase_if(tokens, [](const Token& token) { return token.kind == Token::Kind::directive; });
  return tokens;
}

/// Nothing between the braces but `extern __shared__ ... ;`.
bool is_empty(const std::vector<Token>& tokens, std::size_t first, std::size_t last) {
  while (first < last) {
    if (tokens[first].spelling != "extern") return false;
    while (first < last && tokens[first].spelling != ";") ++first;
    ++first;
  }
  return true;
}

}  // namespace

SourceOutline::SourceOutline(std::string_view source)
    : source_(source), tokens_(code_tokens(source)), brackets_(tokens_), lines_(source) {
  bool is_global = false;  // in the declaration at hand
  for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
    const Token& token = tokens_[i];
    if (token.spelling == "__global__") is_global = true;
    if (is_mark(token, ";") || is_mark(token, "{") || is_mark(token, "}")) is_global = false;
    if (!is_global || token.kind != Token::Kind::word || !is_mark(tokens_[i + 1], "(")) continue;
    const std::size_t body = brackets_.close_of(i + 1) + 1;
    if (is_mark(tokens_, body, "{"))  // else a declaration
      bodies_.try_emplace(token.spelling, body);
  }
}

KernelSource SourceOutline::kernel(std::string_view name) const {
  const auto found = bodies_.find(name);
  if (found == bodies_.end()) return {};
  const std::size_t open = found->second, close = brackets_.close_of(open);
  const bool is_closed = close < tokens_.size();
  KernelSource kernel;
  kernel.found = true;
  kernel.line = lines_.line_at(tokens_[open].begin);
  kernel.untouched = is_closed && is_empty(tokens_, open + 1, close);
  const std::size_t todo = source_.find("TODO", lines_.begin_of(kernel.line));
  if (todo == std::string_view::npos) return kernel;
  kernel.todo_line = lines_.line_at(todo);
  kernel.body_has_todo = is_closed && kernel.todo_line <= lines_.line_at(tokens_[close].begin);
  return kernel;
}

KernelSource inspect_kernel(std::string_view source, std::string_view name) {
  return SourceOutline(source).kernel(name);
}

std::string first_comment(std::string_view source) {
  source = trim(source);
  if (source.substr(0, 2) == "/*") {
    const std::size_t end = source.find("*/");
    return std::string(trim(source.substr(2, end == std::string_view::npos ? end : end - 2)));
  }
  std::string comment;
  for (std::string_view line : split_lines(source)) {
    line = trim(line);
    if (line.substr(0, 2) != "//") break;
    if (!comment.empty()) comment += '\n';
    comment += trim(line.substr(2));
  }
  return comment;
}

std::vector<std::string> all_declared(std::string_view source, std::string_view key) {
  const std::string comment = first_comment(source), mark = std::string(key) + ":";
  std::vector<std::string> values;
  for (const std::string_view line : split_lines(comment))
    if (line.starts_with(mark)) values.emplace_back(trim(line.substr(mark.size())));
  return values;
}

std::optional<std::string> declared(std::string_view source, std::string_view key) {
  const std::vector<std::string> values = all_declared(source, key);
  return values.empty() ? std::nullopt : std::optional(values.front());
}

std::optional<std::string> declared_verdict(std::string_view source) {
  return declared(source, "verdict");
}

std::vector<std::uint32_t> marked_lines(std::string_view source) {
  std::vector<std::uint32_t> marked;
  const auto lines = split_lines(source);
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (trim(lines[i]).ends_with("// <--")) marked.push_back(static_cast<std::uint32_t>(i + 1));
  return marked;
}

}  // namespace labkit::lab
