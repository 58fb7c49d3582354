#include "compile/outline.h"

#include <algorithm>
#include <unordered_set>

#include "base/text.h"

namespace labkit::compile {
namespace {

/// Nothing between the braces but `extern __shared__ ... ;`.
bool is_empty(const Tokens& tokens, std::size_t first, std::size_t last) {
  while (first < last) {
    if (!tokens.is(first, "extern")) return false;
    while (first < last && !tokens.is(first, ";")) ++first;
    ++first;
  }
  return true;
}

/// Lines with a `____`, for a student to fill in.
std::vector<std::uint32_t> blanks_of(const Tokens& tokens, std::size_t first, std::size_t last) {
  std::vector<std::uint32_t> lines;
  for (; first < last; ++first)
    if (tokens.is(first, "____") && (lines.empty() || lines.back() != tokens[first].line))
      lines.push_back(tokens[first].line);
  return lines;
}

bool is_type(std::string_view word) {
  constexpr std::string_view kTypes[] = {"bool",  "char",   "short",  "int",     "long",
                                         "float", "double", "signed", "unsigned"};
  return std::ranges::count(kTypes, word) != 0;
}

}  // namespace

std::vector<DeviceFunction> device_functions_of(const Tokens& tokens) {
  std::vector<DeviceFunction> functions;
  DeviceFunction next;  // its line is 0 where none has begun, its name empty where none was seen
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.is("__global__") || token.is("__device__")) {
      if (next.line == 0) next.line = token.line;
      next.is_kernel |= token.is("__global__");
    } else if (token.is(";") || token.is("{") || token.is("}")) {
      next.body = token.is("{") ? i : tokens.size();
      if (!next.name.empty()) functions.push_back(next);
      next = {};
    } else if (next.line != 0 && token.is("operator")) {
      i += tokens.is(i + 3, "(") ? 2 : 1;  // `operator()(int row, int column)`, `operator!=(...)`
      if (tokens.close_of(i + 1) >= tokens.size()) continue;
      next.name = token.spelling;
      next.open = i + 1;
      i = tokens.close_of(i + 1);
    } else if (next.line != 0 && token.is_word() && tokens.close_of(i + 1) < tokens.size()) {
      // The last word before parentheses, but for `__launch_bounds__(256)`: macros may stand before the name.
      if (!tokens.is(i + 1, "(")) continue;
      if (!token.spelling.starts_with("__") && !token.is("alignas")) {
        next.name = token.spelling;
        next.open = i + 1;
      }
      i = tokens.close_of(i + 1);
    }
  }
  return functions;
}

std::vector<std::string> kernels_of(std::string_view source) {
  std::vector<std::string> names;
  std::unordered_set<std::string_view> known;
  for (const DeviceFunction& function : device_functions_of(Tokens(source)))
    if (function.is_kernel && known.insert(function.name).second) names.emplace_back(function.name);
  return names;
}

std::vector<std::string_view> declared_functions(const Tokens& tokens) {
  std::vector<std::string_view> names;
  int depth = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens.is(i, "{")) ++depth;
    if (tokens.is(i, "}")) --depth;
    if (depth == 0 && tokens.is_word(i) && tokens.is(i + 1, "("))
      names.push_back(tokens[i].spelling);
  }
  return names;
}

KernelHead kernel_head(const Tokens& tokens, std::string_view kernel) {
  const std::vector<DeviceFunction> functions = device_functions_of(tokens);
  const auto found = std::ranges::find_if(functions, [&](const DeviceFunction& function) {
    return function.is_kernel && function.name == kernel;
  });
  if (found == functions.end()) return {};
  KernelHead head{tokens[found->open - 1].line, {}};
  const std::size_t close = tokens.close_of(found->open);
  std::size_t words = 0;  // of this parameter
  std::string_view last;
  int depth = 0;
  for (std::size_t i = found->open + 1; i <= close && i < tokens.size(); ++i) {
    if (i == close || (depth == 0 && tokens.is(i, ","))) {
      if (words > 0)
        head.parameters.push_back(words > 1 && !is_type(last) ? last : std::string_view{});
      words = 0;
    } else if (tokens.is_word(i) && depth == 0) {
      last = tokens[i].spelling;
      words += last == "const" || last.starts_with("__") ? 0 : 1;
    }
    if (tokens.is(i, "<") || tokens.is(i, "[") || tokens.is(i, "(")) ++depth;
    if (tokens.is(i, ">") || tokens.is(i, "]") || tokens.is(i, ")")) --depth;
  }
  return head;
}

std::string base_name(std::string_view expression) {
  return std::string(trim(expression.substr(0, expression.find('<'))));
}

SourceOutline::SourceOutline(std::string_view source)
    : source_(source), tokens_(source, Tokens::Keep::code) {
  for (const DeviceFunction& function : device_functions_of(tokens_))
    if (function.is_kernel && function.body < tokens_.size())
      bodies_.try_emplace(function.name, function.body);
}

KernelSource SourceOutline::kernel(std::string_view name) const {
  const auto found = bodies_.find(name);
  if (found == bodies_.end()) return {};
  const Token& open = tokens_[found->second];
  const bool is_closed = open.close < tokens_.size();
  KernelSource kernel;
  kernel.found = true;
  kernel.line = open.line;
  if (is_closed) kernel.blanks = blanks_of(tokens_, found->second + 1, open.close);
  kernel.untouched =
      is_closed && (!kernel.blanks.empty() || is_empty(tokens_, found->second + 1, open.close));
  const std::size_t todo = source_.find("TODO", source_.rfind('\n', open.begin) + 1);
  if (todo == std::string_view::npos) return kernel;
  kernel.todo_line = line_at(source_, todo);
  kernel.body_has_todo = is_closed && kernel.todo_line <= tokens_[open.close].line;
  return kernel;
}

OtherKernels::OtherKernels(const Tokens& tokens, const std::string& kernel) {
  std::string own = base_name(kernel);
  if (const std::size_t colons = own.rfind("::"); colons != own.npos) own.erase(0, colons + 2);
  for (const DeviceFunction& function : device_functions_of(tokens))
    begins_.emplace_back(function.line, function.is_kernel && function.name != own);
}

bool OtherKernels::have(std::uint32_t line) const {
  const auto next = std::upper_bound(begins_.begin(), begins_.end(), std::pair(line, true));
  return next != begins_.begin() && std::prev(next)->second;
}

}  // namespace labkit::compile
