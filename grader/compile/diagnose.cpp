#include "compile/diagnose.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "base/text.h"
#include "compile/outline.h"
#include "compile/source.h"

namespace labkit::compile {
namespace {

using Kind = DiagnosticKind;

constexpr char kWrap[] = "put it between `#ifndef __CUDACC_RTC__` and `#endif`, or in another file";
constexpr char kMadeUpFile[] = "__nv_name_map";  ///< NVRTC's, for name expressions

bool is_host_api(const std::string& identifier) {
  return (identifier.starts_with("cuda") && identifier.size() > 4 && identifier[4] >= 'A' &&
          identifier[4] <= 'Z') ||
         identifier == "malloc_host" || identifier == "fprintf" || identifier == "exit" ||
         identifier == "fopen" || identifier == "FILE";
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool is_variable(const Diagnostic& found) { return found.kind == Kind::host_variable; }

/// `std::cout` and the like.
bool is_host_member(const Diagnostic& found) {
  return found.kind == Kind::no_such_member && found.name(0) == "std";
}

std::string place_of(const Diagnostic& found) {
  return found.file + ":" + std::to_string(found.line);
}

/// Those about `file` in the order of their lines; the others stay where they are.
void sort_by_line(std::vector<Diagnostic>& all, const std::string& file) {
  std::vector<Diagnostic> own;
  std::ranges::copy_if(all, std::back_inserter(own),
                       [&](const Diagnostic& one) { return one.file == file; });
  std::ranges::stable_sort(own, {}, &Diagnostic::line);
  auto next = own.begin();
  for (Diagnostic& one : all)
    if (one.file == file) one = std::move(*next++);
}

/// The name that a line declares: before its first parenthesis; of a variable, before its value or end.
/// NVRTC before 13 shows no carets, so it has to be guessed; nothing, rather than a wrong guess.
std::string declared_name(std::string_view line, bool variable) {
  const std::size_t after = line.find_first_of(variable ? "=;[{(" : "(");
  if (after == std::string_view::npos) return {};
  const std::string_view before = trim(line.substr(0, after));
  std::size_t begin = before.size();
  while (begin > 0 && is_word_character(before[begin - 1])) --begin;
  // A name alone is no declaration, and what follows a dot or an arrow is declared elsewhere.
  if (begin == 0 || begin == before.size() || !contains(" \t*&>", before.substr(begin - 1, 1)))
    return {};
  return std::string(before.substr(begin));
}

void name_host_code(std::vector<Diagnostic>& all, std::string_view source,
                    const std::string& name) {
  const auto lines = split_lines(source);
  for (Diagnostic& found : all)
    if (found.word.empty() && found.is_host_code() && found.file == name && found.line >= 1 &&
        found.line <= lines.size())
      found.word = declared_name(lines[found.line - 1], is_variable(found));
}

/// All that the compiler took for host code, in one sentence.
std::string explain_host_code(const std::vector<Diagnostic>& errors) {
  constexpr std::size_t kMost = 4;
  std::vector<Diagnostic> host = errors;
  std::erase_if(host, [](const Diagnostic& one) { return !one.is_host_code(); });
  const bool has_variables = std::ranges::any_of(host, is_variable);
  std::vector<std::string> listed;
  for (std::size_t i = 0; i < std::min(host.size(), kMost); ++i) {
    const Diagnostic& found = host[i];
    const std::string word = is_variable(found) ? "a variable" : "a function";
    listed.push_back(fmt::format("{} (line {})", found.word.empty() ? word : "`" + found.word + "`",
                                 found.line));
  }
  const bool is_one = host.size() == 1;
  return fmt::format(
      "{}: {}{} {} host code. If the kernel uses {}, write __device__{} before it; if not, {}.",
      place_of(host[0]), joined(listed), host.size() > kMost ? " and more" : "",
      is_one ? "is" : "are", is_one ? "it" : "one of them", has_variables ? " (or constexpr)" : "",
      kWrap);
}

/// Where braces do not balance: the kernel ends at a } that was not meant to end it, and a later one has no { of its own.
std::string explain_braces(std::string_view source, const std::string& name) {
  int depth = 0;
  std::uint32_t closed = 0;
  for (const Token& token : Tokens(source)) {
    if (token.kind == Token::Kind::directive &&
        (contains(token.spelling, "if") || contains(token.spelling, "else")))
      return {};  // not all of the text counts
    if (!token.is("{") && !token.is("}")) continue;
    depth += token.is("{") ? 1 : -1;
    if (depth < 0)
      return name + ":" + std::to_string(token.line) + ": this } has no { of its own" +
             (closed == 0 ? "."
                          : ": the function ends at the } of line " + std::to_string(closed) +
                                " already, and what stands between the two is outside of it. Take "
                                "out the } that is too many, or put in the { that is missing.");
    if (depth == 0) closed = token.line;
  }
  return {};
}

/// The line of `name` at which a template of a header was used, of which `log` complains; "" if there is none.
std::string line_of_use(std::string_view log, const std::string& name) {
  // `...[with Size=33U]" at line 4 of kernel.cu`; NVRTC before 12: `kernel.cu(4): here`
  constexpr std::string_view kAtLine = "\" at line ";
  const std::string old = "\n" + name + "(";
  std::size_t end = log.find(" of " + name + "\n");
  std::size_t at = log.rfind(kAtLine, end);
  if (end != std::string_view::npos && at != std::string_view::npos) {
    at += kAtLine.size();
  } else {
    end = log.find("): here\n");
    at = log.rfind(old, end);
    if (end == std::string_view::npos || at == std::string_view::npos) return {};
    at += old.size();
  }
  const std::string_view line = log.substr(at, end - at);
  const bool is_number = !line.empty() && line.find_first_not_of("0123456789") == line.npos;
  return is_number ? std::string(line) : std::string{};
}

/// The first error stands in a header: where the source uses it. "" if the error stands elsewhere.
std::string explain_header(std::string_view log, std::string_view source, const std::string& name) {
  const std::vector<Diagnostic> all = diagnostics_of(log);
  const auto first = std::ranges::find_if(all, &Diagnostic::is_error);
  if (first == all.end() || first->file == name || first->file == kMadeUpFile) return {};
  if (auto inside = include_inside(source, name)) return *inside;
  const auto folder = [](std::string_view file) { return file.substr(0, file.find('/')); };
  std::string header = "a header";
  for (const std::string& include : includes_of(source))
    if (folder(include) == folder(first->file)) header = "<" + include + ">";
  const std::string line = line_of_use(log, name);
  return name + (line.empty() ? "" : ":" + line) + " does not compile inside " + header +
         ", which it includes: " + place_of(*first) + ": " + first->text + ".";
}

/// `extern float tile[];` inside a function is of the host; what a launch gives has one word more.
std::string explain_dynamic(const std::vector<Diagnostic>& errors, std::string_view source) {
  const auto lines = split_lines(source);
  for (const Diagnostic& found : errors) {
    if (!is_variable(found) || found.line < 1 || found.line > lines.size()) continue;
    const std::string_view line = trim(lines[found.line - 1]);
    if (line.starts_with("extern ") && contains(line, "[]"))
      return place_of(found) + ": is `" + found.word +
             "` missing `__shared__`? The array that a launch gives to each block is declared "
             "`extern __shared__ float name[];`.";
  }
  return {};
}

}  // namespace

std::string lost_parameter(std::string_view log, const std::string& name,
                           const std::string& signature) {
  const std::vector<Diagnostic> errors = errors_in_source_order(log, name);
  const std::size_t open = signature.find('(');
  if (errors.empty() || errors[0].kind != Kind::undefined_identifier || open == std::string::npos)
    return {};
  const std::string parameter = errors[0].name(0);
  return has_word(std::string_view(signature).substr(open), parameter) ? parameter : std::string{};
}

std::optional<std::string> include_inside(std::string_view source, const std::string& name) {
  int depth = 0;
  for (const Token& token : Tokens(source)) {
    if (token.is("{")) ++depth;
    if (token.is("}")) --depth;
    if (token.kind == Token::Kind::directive && depth > 0 && contains(token.spelling, "include"))
      return name + ":" + std::to_string(token.line) +
             ": an #include stands inside a function. It belongs to the top of the file, before "
             "the first kernel.";
  }
  return std::nullopt;
}

std::string explain_rejection(std::string_view log, const std::string& name,
                              const std::vector<std::string>& kernels, std::string_view source,
                              const std::map<std::string, std::string>& signatures) {
  std::vector<Diagnostic> errors = diagnostics_of(log);
  sort_by_line(errors, name);
  std::erase_if(errors, [](const Diagnostic& one) { return !one.is_error; });
  name_host_code(errors, source, name);
  if (std::string braces = explain_braces(source, name); !braces.empty()) return braces;
  if (std::string header = explain_header(log, source, name); !header.empty()) return header;
  for (const Diagnostic& found : errors)
    if (found.kind == Kind::host_function && !found.word.empty())
      for (const std::string& kernel : kernels)
        if (base_name(kernel) == found.word)
          return place_of(found) + ": is `" + found.word +
                 "` missing `__global__`? A kernel is declared `__global__ void`.";
  for (const Diagnostic& found : errors)
    if (found.kind == Kind::no_such_file)
      return place_of(found) + " includes \"" + found.name(0) +
             "\", which is not available here: a submission is one file, and can include only "
             "standard headers and CUDA's device headers.";
  const auto host = std::ranges::find_if(errors, [](const Diagnostic& one) {
    return one.is_host_code() || is_host_api(one.name(0)) || is_host_member(one);
  });
  if (host != errors.end()) {
    if (std::string dynamic = explain_dynamic(errors, source); !dynamic.empty()) return dynamic;
    if (host->is_host_code()) return explain_host_code(errors);
    if (is_host_member(*host))
      return place_of(*host) + " uses std::" + host->name(1) +
             ", which device code does not have. If this is host code, " + kWrap + ".";
    return place_of(*host) + " uses \"" + host->name(0) +
           "\", which belongs to host code, and only device code is compiled here: " + kWrap + ".";
  }
  if (errors.empty()) return name + " does not compile.";
  const Diagnostic& first = errors.front();
  if (first.kind == Kind::qualified_name)  // NVRTC's way to say that std::vector is not there
    return place_of(first) + " uses a type that device code does not have. If this is host code, " +
           kWrap + ".";
  const std::string text = place_of(first) + ": " + first.text;
  for (const auto& [kernel, signature] : signatures)
    if (!lost_parameter(log, name, signature).empty())
      return text + ", a parameter of the kernel as it was given (`" + signature + "`)";
  return text;
}

std::string student_log(std::string_view log) {
  const std::vector<Diagnostic> all = diagnostics_of(log);
  const bool errors = std::ranges::any_of(all, &Diagnostic::is_error);
  std::vector<std::string> blocks = {{}};  // a diagnostic with the lines below it
  bool keep = true;
  for (const std::string_view line : split_lines(log)) {
    if (contains(line, " detected in the compilation of ") || trim(line).empty()) continue;
    const std::vector<Diagnostic> starts = diagnostics_of(line);
    if (starts.empty()) {
      if (keep) blocks.back() += std::string(line) + "\n";
      continue;
    }
    const Diagnostic& found = starts[0];
    keep = found.file != kMadeUpFile && found.file != kReadBefore && (found.is_error || !errors) &&
           found.kind != DiagnosticKind::out_of_memory;
    if (!keep) continue;
    blocks.push_back(found.is_host_code()
                         ? fmt::format("{}({}): error: this {} is host code\n", found.file,
                                       found.line, is_variable(found) ? "variable" : "function")
                         : std::string(line) + "\n");
  }
  std::string kept;
  std::unordered_set<std::string_view> known;  // instances of a template fail alike
  for (const std::string& block : blocks)
    if (known.insert(block).second) kept += block;
  return kept;
}

bool first_error_is_of_a_name(std::string_view log) {
  const std::vector<Diagnostic> all = diagnostics_of(log);
  const auto first = std::ranges::find_if(all, &Diagnostic::is_error);
  return first != all.end() && first->file == kMadeUpFile;
}

std::string explain_missing(const MissingKernel& kernel, const std::string& name) {
  const std::string base = base_name(kernel.expression);
  const bool is_template = kernel.expression.find('<') != std::string::npos;
  const std::string wanted = !kernel.signature.empty() ? kernel.signature
                             : is_template ? "template <...> __global__ void " + base + "(...)"
                                           : "__global__ void " + base + "(...)";
  const std::vector<std::string>& present = kernel.present;
  if (std::ranges::count(present, base) == 0) {
    if (kernel.is_other_function)
      return "Is `" + base + "` in " + name +
             " missing `__global__`? A kernel is declared `__global__ void`.";
    return name + " has no kernel named " + base + " (wanted: `" + wanted + "`); " +
           (present.empty() ? "it has no __global__ function at all."
                            : "its __global__ functions are: " + joined(present) + ".");
  }
  // The kernel is there. An error in the student's own lines says what is wrong inside it.
  for (const Diagnostic& found : diagnostics_of(kernel.log))
    if (found.is_error && found.file == name)
      return "kernel " + kernel.expression + " cannot be compiled: " + place_of(found) + ": " +
             found.text;
  if (!is_template && contains(kernel.log, "instance of function template"))
    return base + " in " + name + " is a template: say of what, as in `" + base + "<float>`.";
  const std::string refused =
      name + " has a kernel " + base + ", but it cannot be used as " + kernel.expression;
  // nobody has said which parameters are wanted: the compiler says what is wrong with the name
  if (kernel.signature.empty())
    for (const Diagnostic& found : diagnostics_of(kernel.log))
      if (found.is_error && found.file == kMadeUpFile) return refused + ": " + found.text + ".";
  return refused + " (wanted: `" + wanted + "`, and only one kernel of that name).";
}

}  // namespace labkit::compile
