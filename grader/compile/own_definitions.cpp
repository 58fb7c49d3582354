#include "compile/own_definitions.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>

#include "base/text.h"
#include "compile/own_headers.h"

namespace labkit::compile {
namespace {

constexpr std::string_view kBlank = " \t";

std::string_view without_blanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kBlank), text.size()));
}

/// The word that `text` begins with, behind blanks.
std::string_view first_word(std::string_view text) {
  text = without_blanks(text);
  std::size_t end = 0;
  while (end < text.size() &&
         (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_'))
    ++end;
  return text.substr(0, end);
}

std::string_view after(std::string_view text, std::string_view word) {
  return text.substr(static_cast<std::size_t>(word.end() - text.begin()));
}

/// "" if the line defines no macro.
std::string_view defined_macro(std::string_view line) {
  line = without_blanks(line);
  if (!line.starts_with('#')) return {};
  line.remove_prefix(1);
  const std::string_view word = first_word(line);
  return word == "define" ? first_word(after(line, word)) : std::string_view{};
}

const std::set<std::string_view>& own_macros() {
  static const std::set<std::string_view> macros = [] {
    std::set<std::string_view> all;
    for (const OwnHeader& own : own_headers())
      for (const std::string_view line : split_lines(own.text)) all.insert(defined_macro(line));
    all.erase("");
    return all;
  }();
  return macros;
}

/// As in int_fast16_t, uint64_t, uintptr_t.
bool is_integer_type(std::string_view word) {
  if (word.starts_with('u')) word.remove_prefix(1);
  if (!word.starts_with("int") || !word.ends_with("_t")) return false;
  word = word.substr(3, word.size() - 5);
  for (const std::string_view kind : {"_least", "_fast"})
    if (word.starts_with(kind)) word.remove_prefix(kind.size());
  constexpr std::string_view kWidths[] = {"8", "16", "32", "64", "ptr", "max"};
  return std::find(std::begin(kWidths), std::end(kWidths), word) != std::end(kWidths);
}

/// `typedef unsigned long long uint64_t;`, `using uint64_t = unsigned long long;`
bool defines_integer_type(std::string_view line) {
  const std::string_view keyword = first_word(line);
  if (keyword == "using") {
    const std::string_view rest = after(line, keyword);
    const std::string_view name = first_word(rest);
    return is_integer_type(name) && without_blanks(after(rest, name)).starts_with('=');
  }
  if (keyword == "_LIBCUDACXX_ADDITIONAL_INTS")
    return true;  // int_fast16_t and others, in CUDA 11 and 12
  if (keyword != "typedef") return false;
  const std::size_t end = line.find(';');
  if (end == std::string_view::npos) return false;
  const std::string_view declared = line.substr(0, end);
  const std::size_t name = declared.find_last_of(" \t*&>:") + 1;
  return is_integer_type(declared.substr(name)) && declared.find('<') == std::string_view::npos;
}

}  // namespace

std::string with_own_definitions(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string_view line = text.substr(at, end - at);
    at = end;
    const std::string_view macro = defined_macro(line);
    const std::size_t last = line.find_last_not_of("\r\n");
    if (!macro.empty() && own_macros().contains(macro) && line[last] != '\\')
      result += "#ifndef " + std::string(macro) + "\n" + std::string(line.substr(0, last + 1)) +
                "\n#endif\n";
    else if (defines_integer_type(line))
      result += std::string("#include <") + kOwnIntegers + ">\n";
    else
      result += line;
  }
  return result;
}

}  // namespace labkit::compile
