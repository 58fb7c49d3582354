#include "program/host_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>
#include <string_view>

#include "base/files.h"
#include "compile/constant_extents.h"
#include "compile/tokens.h"
#include "process/process.h"
#include "program/compilers.h"

namespace labkit::program {
namespace {

/// addr2line's, of binutils or LLVM.
words::SourceLine read_line(const std::filesystem::path& program, std::uint64_t caller) {
  constexpr double kMostSeconds = 20;
  std::string reader = find_program("addr2line");
  if (reader.empty()) reader = find_program("llvm-addr2line");
  if (reader.empty()) return {};
  process::Command command;
  command.argv = {reader, "-i", "-e", program.string(), fmt::format("{:#x}", caller - 1)};
  command.environment = process::whole_environment();
  command.limits.wall_seconds = kMostSeconds;
  // the line, and those that it was inlined at
  std::istringstream lines(process::run(command).out);
  for (std::string line; std::getline(lines, line);) {
    // without debug information "??:0"; CUDA's own wrappers are no place to look at
    const auto colon = line.rfind(':');
    if (colon == std::string::npos || line.find('?') != std::string::npos ||
        line.find("cuda_runtime") != std::string::npos)
      continue;
    words::SourceLine where{line.substr(0, colon), 0};
    // behind it may stand " (discriminator 1)"
    std::from_chars(line.data() + colon + 1, line.data() + line.size(), where.line);
    return where;
  }
  return {};
}

/// Declared like `float* name;`, `float *name = ...`, `, *name;` or as a parameter.
bool is_pointer(const compile::Tokens& tokens, std::string_view name) {
  for (std::size_t i = 2; i + 1 < tokens.size(); ++i)
    if (tokens.is(i, name) && tokens.is(i - 1, "*") &&
        (tokens.is_word(i - 2) || tokens.is(i - 2, ",")) &&
        (tokens.is(i + 1, "=") || tokens.is(i + 1, ";") || tokens.is(i + 1, ",") ||
         tokens.is(i + 1, ")")))
      return true;
  return false;
}

}  // namespace

words::SourceLine HostLines::at(std::uint64_t caller) {
  if (caller == 0) return {};
  const auto [known, is_new] = known_.try_emplace(caller);
  if (is_new) known->second = read_line(program_, caller);
  return known->second;
}

std::uint32_t bytes_of_type(const std::string& type) {
  std::uint32_t bytes = 0;
  std::istringstream words(type);
  for (std::string word; words >> word;) {
    if (word == "const" || word == "volatile" || word == "signed") continue;
    const std::uint32_t one = compile::bytes_of_type(word);
    if (one == 0) return 0;
    // "unsigned char", "unsigned long long", "long int": what is not int or unsigned says it
    if (bytes == 0 || (word != "int" && word != "unsigned")) bytes = one;
  }
  return bytes;
}

Sizes sizes_at(const words::SourceLine& line) {
  std::error_code error;
  if (line.line == 0 || !std::filesystem::is_regular_file(line.file, error)) return {};
  const std::string source = read_file(line.file);
  const compile::Tokens tokens(source, compile::Tokens::Keep::code);
  const auto ends = [&](std::size_t i) {
    return tokens.is(i, ";") || tokens.is(i, "{") || tokens.is(i, "}");
  };
  const auto first = static_cast<std::size_t>(
      std::ranges::find(tokens, line.line, &compile::Token::line) - tokens.begin());
  if (first == tokens.size()) return {};
  std::size_t begin = first, end = first;
  while (begin > 0 && !ends(begin - 1)) --begin;
  // to the end of the last statement that begins on that line
  while (end < tokens.size() &&
         !(ends(end) && (end + 1 == tokens.size() || tokens[end + 1].line > line.line)))
    ++end;
  Sizes sizes{.is_known = true};
  std::set<std::string_view> names;
  const auto look = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      if (tokens.is(i, "sizeof")) {
        const bool in_brackets = tokens.is(i + 1, "(") && tokens.close_of(i + 1) < to;
        const std::string_view written = in_brackets  ? tokens.text(i + 2, tokens.close_of(i + 1))
                                         : i + 1 < to ? tokens[i + 1].spelling
                                                      : std::string_view();
        sizes.all.push_back({std::string(written), is_pointer(tokens, written)});
      } else if (tokens.is_word(i)) {
        names.insert(tokens[i].spelling);
      }
    }
  };
  look(begin, end);
  const std::set<std::string_view> in_statement = names;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens.is_word(i) || !tokens.is(i + 1, "=") || !in_statement.contains(tokens[i].spelling))
      continue;
    std::size_t stop = i + 2;
    while (stop < tokens.size() && !ends(stop)) ++stop;
    look(i + 2, stop);
  }
  return sizes;
}

}  // namespace labkit::program
