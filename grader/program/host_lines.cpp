#include "program/host_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>
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

/// How often the name stands behind another word, which its declarations do.
std::size_t declarations_of(const compile::Tokens& tokens, std::string_view name) {
  std::size_t count = 0;
  for (std::size_t i = 1; i < tokens.size(); ++i)
    count += tokens.is(i, name) && tokens.is_word(i - 1) && !tokens.is(i - 1, "return") ? 1 : 0;
  return count;
}

/// The bytes of the arrays of that name, if the file declares nothing else under it; nullopt where one is not known, or they differ.
std::optional<std::uint64_t> bytes_of_array(const compile::Tokens& tokens, std::string_view name) {
  const compile::Constants constants = compile::constants_of(tokens);
  const auto is_one_of = [&](std::size_t i, std::initializer_list<std::string_view> marks) {
    return std::ranges::any_of(marks, [&](std::string_view mark) { return tokens.is(i, mark); });
  };
  std::optional<std::uint64_t> bytes;
  std::size_t begin = 0;  // of the statement or list
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (is_one_of(i, {";", "{", "}", "("})) begin = i + 1;
    if (i == begin || !tokens.is(i, name)) continue;
    std::uint32_t element = 0;  // of the type that the statement begins with
    for (std::size_t t = begin; t < i && tokens.is_word(t) && element == 0; ++t)
      element = bytes_of_type(std::string(tokens[t].spelling));
    const bool is_reference =
        is_one_of(i - 1, {"&", "&&"}) && i > 1 && (tokens.is_word(i - 2) || tokens.is(i - 2, ">"));
    if (is_reference || tokens.is(i - 1, ">")) return std::nullopt;  // perhaps a declaration
    if (tokens.is(i - 1, "*") && (element != 0 || i - 1 == begin + 1)) return std::nullopt;
    const bool is_declared =
        tokens.is_word(i - 1)
            ? !is_one_of(i - 1, {"return", "else", "case", "delete", "sizeof", "throw"})
            : tokens.is(i - 1, ",") && element != 0;
    if (!is_declared) continue;
    std::size_t end = i + 1;
    if (element == 0 || !tokens.is(end, "[")) return std::nullopt;
    const auto extents = compile::extents_at(tokens, end, constants);
    if (!extents || !is_one_of(end, {";", ",", "=", "{"})) return std::nullopt;
    for (std::size_t t = i + 2; t < end; ++t)
      if (tokens.is_word(t) && declarations_of(tokens, tokens[t].spelling) != 1)
        return std::nullopt;
    std::uint64_t all = element;
    for (const std::uint64_t extent : *extents) all *= extent;
    if (all == 0 || bytes.value_or(all) != all) return std::nullopt;
    bytes = all;
  }
  return bytes;
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

std::string Sizes::Size::without_star() const {
  std::string_view type = written;
  if (!type.ends_with('*')) return written;
  type.remove_suffix(1);
  while (type.ends_with(' ')) type.remove_suffix(1);
  return std::string(type);
}

std::optional<HostArray> host_array_at(const words::SourceLine& line, const std::string& function,
                                       std::size_t argument) {
  std::error_code error;
  if (line.line == 0 || !std::filesystem::is_regular_file(line.file, error)) return std::nullopt;
  const std::string source = read_file(line.file);
  const compile::Tokens tokens(source, compile::Tokens::Keep::code);
  std::size_t call = tokens.size();
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].line != line.line || !tokens.is(i, function) || !tokens.is(i + 1, "(")) continue;
    if (call != tokens.size()) return std::nullopt;
    call = i;
  }
  if (call == tokens.size()) return std::nullopt;
  const std::size_t close = tokens.close_of(call + 1);
  std::size_t at = call + 2;
  for (std::size_t left = argument; left > 0 && at < close; ++at) {
    if (tokens.is(at, "(") || tokens.is(at, "[")) at = tokens.close_of(at);
    left -= tokens.is(at, ",") ? 1 : 0;
  }
  if (at + 1 >= close || !tokens.is_word(at) || !tokens.is(at + 1, ",")) return std::nullopt;
  const auto bytes = bytes_of_array(tokens, tokens[at].spelling);
  if (!bytes) return std::nullopt;
  return HostArray{std::string(tokens[at].spelling), *bytes};
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
        sizes.all.push_back(
            {std::string(written), written.ends_with('*') || is_pointer(tokens, written)});
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
