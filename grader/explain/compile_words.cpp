#include "explain/compile_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "compile/diagnose.h"
#include "compile/index_comma.h"

namespace labkit::explain {
namespace {

/// "kernel.cu(12): error: TEXT", and under it the line of the source.
struct FirstError {
  std::uint32_t line = 0;
  std::string_view text;  ///< up to the end of its first line
  std::string_view rest;  ///< all that the compiler says of it, the source's line among it
};

std::optional<FirstError> first_error_of(std::string_view log) {
  const std::size_t colon = log.find("): error: "), fatal = log.find("): catastrophic error: ");
  const std::size_t at = std::min(colon, fatal);
  if (at == std::string_view::npos) return std::nullopt;
  const std::size_t open = log.rfind('(', at);
  if (open == std::string_view::npos) return std::nullopt;
  FirstError error;
  const char* const end = log.data() + at;
  const auto [read, problem] = std::from_chars(log.data() + open + 1, end, error.line);
  if (problem != std::errc() || read != end) return std::nullopt;
  const std::string_view all = log.substr(log.find("error: ", at) + 7);
  error.text = all.substr(0, all.find('\n'));
  const std::size_t next = std::min(all.find("): error: "), all.find("): note "));
  error.rest = all.substr(0, next);
  return error;
}

/// What stands between the first pair of quotes behind `before`; "" if there is none.
std::string_view quoted(std::string_view text, std::string_view before) {
  const std::size_t at = text.find(before);
  if (at == std::string_view::npos) return {};
  const std::size_t begin = text.find('"', at + before.size());
  if (begin == std::string_view::npos) return {};
  return text.substr(begin + 1, text.find('"', begin + 1) - begin - 1);
}

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// "threadIdx", if it stands in the text without one of its parts.
std::string_view without_its_part(std::string_view text) {
  for (const std::string_view name : {"threadIdx", "blockIdx", "blockDim", "gridDim"})
    for (std::size_t at = text.find(name); at != std::string_view::npos;
         at = text.find(name, at + 1)) {
      const std::size_t end = at + name.size();
      const bool is_whole =
          (at == 0 || !is_name(text[at - 1])) && (end == text.size() || !is_name(text[end]));
      if (is_whole && (end == text.size() || text[end] != '.')) return name;
    }
  return {};
}

/// How many letters have to be put in, taken out or replaced; capitals count as others.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

std::string_view meant_by(std::string_view name) {
  constexpr std::size_t kMostSlips = 2;
  for (const std::string_view known : {"threadIdx", "blockIdx", "blockDim", "gridDim",
                                       "__syncthreads", "__syncwarp", "__shared__", "printf"})
    if (distance(name, known) <= kMostSlips) return known;
  return {};
}

std::string of_unknown(std::string_view name, std::uint32_t line) {
  if (name == "cout" || name == "cerr" || name == "endl")
    return fmt::format(
        "Line {}: a kernel has no `{}`. Print with printf(\"%d\\n\", i), or take the line out.",
        line, name);
  if (name.starts_with("cuda"))
    return fmt::format(
        "Line {}: `{}` is a function of the host, and this file holds device code alone: memory "
        "and "
        "launch are there already.",
        line, name);
  if (const std::string_view meant = meant_by(name); !meant.empty())
    return fmt::format("Line {}: `{}` is not known. Is `{}` meant?", line, name, meant);
  return fmt::format(
      "Line {}: `{}` is not known there. Is it spelt as where it is declared, and declared above "
      "it?",
      line, name);
}

std::string of_missing(std::string_view symbol, const FirstError& error, std::uint32_t where) {
  if (symbol == ";" && where != 0 && where < error.line)
    return fmt::format(
        "A semicolon is missing at the end of line {}; the compiler notices it only "
        "in line {}.",
        where, error.line);
  const char* const name = symbol == ";"   ? "semicolon"
                           : symbol == ")" ? "closing parenthesis )"
                           : symbol == "]" ? "closing bracket ]"
                           : symbol == "}" ? "closing brace }"
                                           : nullptr;
  if (name == nullptr) return {};
  return fmt::format("A {} is missing in line {}, before the place that ^ marks.", name,
                     error.line);
}

/// What the compiler expects on that line, in any of its errors: "]"; "" where it expects nothing there.
std::string_view missed_on(std::string_view log, std::uint32_t line) {
  const std::string start = fmt::format("({}): error: expected a ", line);
  const std::size_t at = log.find(start);
  if (at == std::string_view::npos) return {};
  return quoted(log.substr(at), "expected a ");
}

}  // namespace

std::string compile_slip(const lab::LabResult& result) {
  if (result.verdict.kind != "compile_error") return {};
  const auto error = first_error_of(result.compile_log);
  if (!error) return {};
  const std::string_view text = error->text;
  const auto says = [&](std::string_view part) {
    return text.find(part) != std::string_view::npos;
  };
  if (says("closing brace") || says("end of file"))
    return "A closing brace } is missing: each { needs one. The kernel's own stands in its last "
           "line.";
  if (const auto index = compile::index_with_comma(error->rest);
      index && text.starts_with("expected a \"]\""))
    return fmt::format(
        "Line {}: where an array is declared, each of its sizes has brackets of its own, too: "
        "`{}`, "
        "not `{}`.",
        error->line, index->meant, index->written);
  if (text.starts_with("expected a \""))
    return of_missing(quoted(text, "expected a "), *error, result.where.line);
  if (error->rest.find("uint3") != std::string_view::npos ||
      error->rest.find("dim3") != std::string_view::npos) {
    const std::string_view name = without_its_part(error->rest);
    if (!name.empty())
      return fmt::format(
          "Line {0}: `{1}` has three parts; say which one: `{1}.x`, `{1}.y` or "
          "`{1}.z`.",
          error->line, name);
  }
  if (const std::string_view member = quoted(text, "namespace \"std\" has no member");
      !member.empty())
    return member == "cout" || member == "cerr" || member == "endl"
               ? of_unknown(member, error->line)
               : fmt::format(
                     "Line {}: `std::{}` is for the host. A kernel works with plain arrays "
                     "and numbers.",
                     error->line, member);
  if (const std::string_view name = quoted(text, "identifier");
      says("is undefined") && result.message.find(compile::kLostParameter) != std::string::npos)
    return fmt::format(
        "Line {}: `{}` is one of the kernel's parameters as they were given, and its head does not "
        "have it any more: put it back there, in its place.",
        error->line, name);
  if (const std::string_view name = quoted(text, "identifier"); says("is undefined"))
    return of_unknown(name, error->line);
  if (says("cannot open source file"))
    return fmt::format(
        "Line {}: there is no \"{}\" here. Take the #include out; what you need of it "
        "has to stand in this file.",
        error->line, quoted(text, "source file"));
  if (const auto index = compile::index_with_comma(error->rest))
    return fmt::format(
        "Line {}: `{}` is `{}` to C++, for a comma takes the last of its two sides. Give each "
        "index brackets of its own: `{}`.",
        error->line, index->written, index->meaning, index->meant);
  if (text.starts_with("incomplete type") && says("[]\""))
    return fmt::format(
        "Line {}: this array has no size. An array that is as large as the launch says is "
        "declared with `extern` in front, `extern __shared__ float name[];`; any other wants its "
        "size between the brackets.",
        error->line);
  if (says("must have pointer-to-object type"))
    return fmt::format(
        "Line {}: a pair of brackets too many: what stands before it is one number already, and no "
        "array. An array that comes as a pointer has one index; of a row and a column the kernel "
        "makes that one number itself.",
        error->line);
  if (says("must have class type") && text.ends_with("*\""))
    return fmt::format(
        "Line {}: `.` asks for a part of one structure, and what stands before it is a pointer to "
        "many of them: pick one first, with an index.",
        error->line);
  if (says("\"__shared__\" does not apply here"))
    return fmt::format(
        "Line {}: the type of the elements is missing: a declaration says `__shared__`, the type, "
        "the name, the size.",
        error->line);
  if (says("must be a modifiable lvalue")) {
    // `w[k * n + i = z[i]` is read as a store to the sum, and then the bracket is missed
    if (const auto symbol = missed_on(result.compile_log, error->line); !symbol.empty())
      return of_missing(symbol, *error, error->line);
    return fmt::format(
        "Line {} stores to something that is const. An input can only be read: have "
        "two arrays changed places?",
        error->line);
  }
  if (says("apparent call"))
    return fmt::format(
        "Line {}: round brackets call a function. An element of an array stands in "
        "square ones: `a[i]`.",
        error->line);
  if (says("must have a constant value"))
    return fmt::format(
        "Line {}: the size of an array has to be a number that is known while "
        "compiling, a constant, and no variable.",
        error->line);
  return {};
}

bool is_slip_of_meaning(const lab::LabResult& result) {
  const auto error = first_error_of(result.compile_log);
  return error && !compile_slip(result).empty() && !error->text.starts_with("expected a \"") &&
         error->text.find("closing brace") == std::string_view::npos &&
         error->text.find("end of file") == std::string_view::npos &&
         error->text.find("is undefined") == std::string_view::npos &&
         missed_on(result.compile_log, error->line).empty() &&
         error->text.find("cannot open source file") == std::string_view::npos;
}

}  // namespace labkit::explain
