#include "compile/diagnose.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <unordered_set>

#include "base/text.h"
#include "compile/outline.h"
#include "compile/source.h"

namespace labkit::compile {
namespace {

using Kind = DiagnosticKind;
using words::Id;
using words::Message;
using words::SourceLine;

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

SourceLine place_of(const Diagnostic& found) { return {found.file, found.line}; }

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

/// All that the compiler took for host code, in one message.
Message explain_host_code(const std::vector<Diagnostic>& errors) {
  constexpr std::size_t kMost = 4;
  std::vector<Diagnostic> host = errors;
  std::erase_if(host, [](const Diagnostic& one) { return !one.is_host_code(); });
  std::vector<std::string> names, lines;
  for (std::size_t i = 0; i < std::min(host.size(), kMost); ++i) {
    names.push_back("`" + host[i].word + "`");
    lines.push_back(std::to_string(host[i].line));
  }
  if (host.size() > kMost) {
    names.emplace_back("...");
    lines.emplace_back("...");
  }
  Message message{.id = std::ranges::any_of(host, is_variable) ? Id::compile_host_variables
                                                               : Id::compile_host_functions,
                  .parameters = {{"at", place_of(host[0])},
                                 {"count", words::count(host.size())},
                                 {"lines", joined(lines)}}};
  if (std::ranges::count(names, "``") != 0)
    message.id = Id::compile_host_lines;
  else
    message.parameters.push_back({"names", joined(names)});
  return message;
}

/// Where braces do not balance: the kernel ends at a } that was not meant to end it, and a later one has no { of its own.
Message explain_braces(std::string_view source, const std::string& name) {
  int depth = 0;
  std::uint32_t closed = 0;
  for (const Token& token : Tokens(source)) {
    if (token.kind == Token::Kind::directive &&
        (contains(token.spelling, "if") || contains(token.spelling, "else")))
      return {};  // not all of the text counts
    if (!token.is("{") && !token.is("}")) continue;
    depth += token.is("{") ? 1 : -1;
    if (depth < 0 && closed == 0)
      return {Id::compile_unmatched_brace, {{"at", SourceLine{name, token.line}}}};
    if (depth < 0)
      return {Id::compile_extra_brace,
              {{"at", SourceLine{name, token.line}}, {"closed", SourceLine{name, closed}}}};
    if (depth == 0) closed = token.line;
  }
  return {};
}

/// The line of `name` at which a template of a header was used, of which `log` complains; 0 if there is none.
std::uint32_t line_of_use(std::string_view log, const std::string& name) {
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
    if (end == std::string_view::npos || at == std::string_view::npos) return 0;
    at += old.size();
  }
  const std::string_view digits = log.substr(at, end > at ? end - at : 0);
  std::uint32_t line = 0;
  const auto [behind, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), line);
  return wrong == std::errc() && behind == digits.data() + digits.size() ? line : 0;
}

/// The first error stands in a header: where the source uses it. None if the error stands elsewhere.
Message explain_header(std::string_view log, std::string_view source, const std::string& name) {
  const std::vector<Diagnostic> all = diagnostics_of(log);
  const auto first = std::ranges::find_if(all, &Diagnostic::is_error);
  if (first == all.end() || first->file == name || first->file == kMadeUpFile) return {};
  if (Message inside = include_inside(source, name)) return inside;
  const auto folder = [](std::string_view file) { return file.substr(0, file.find('/')); };
  std::string header = first->file;
  for (const std::string& include : includes_of(source))
    if (folder(include) == folder(first->file)) header = "<" + include + ">";
  return {Id::compile_inside_header,
          {{"at", SourceLine{name, line_of_use(log, name)}},
           {"header", header},
           {"inner", place_of(*first)},
           {"text", first->text}}};
}

/// `extern float tile[];` inside a function is of the host; what a launch gives has one word more.
Message explain_dynamic(const std::vector<Diagnostic>& errors, std::string_view source) {
  const auto lines = split_lines(source);
  for (const Diagnostic& found : errors) {
    if (!is_variable(found) || found.line < 1 || found.line > lines.size()) continue;
    const std::string_view line = trim(lines[found.line - 1]);
    if (line.starts_with("extern ") && contains(line, "[]") && !found.word.empty())
      return {Id::compile_missing_shared, {{"at", place_of(found)}, {"name", found.word}}};
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

Message include_inside(std::string_view source, const std::string& name) {
  int depth = 0;
  for (const Token& token : Tokens(source)) {
    if (token.is("{")) ++depth;
    if (token.is("}")) --depth;
    if (token.kind == Token::Kind::directive && depth > 0 && contains(token.spelling, "include"))
      return {Id::compile_include_inside, {{"at", SourceLine{name, token.line}}}};
  }
  return {};
}

Message explain_rejection(std::string_view log, const std::string& name,
                          const std::vector<std::string>& kernels, std::string_view source,
                          const std::map<std::string, std::string>& signatures) {
  std::vector<Diagnostic> errors = diagnostics_of(log);
  sort_by_line(errors, name);
  std::erase_if(errors, [](const Diagnostic& one) { return !one.is_error; });
  name_host_code(errors, source, name);
  if (Message braces = explain_braces(source, name)) return braces;
  if (Message header = explain_header(log, source, name)) return header;
  for (const Diagnostic& found : errors)
    if (found.kind == Kind::host_function && !found.word.empty())
      for (const std::string& kernel : kernels)
        if (base_name(kernel) == found.word)
          return {Id::compile_missing_global, {{"at", place_of(found)}, {"name", found.word}}};
  for (const Diagnostic& found : errors)
    if (found.kind == Kind::no_such_file)
      return {Id::compile_missing_header, {{"at", place_of(found)}, {"name", found.name(0)}}};
  const auto host = std::ranges::find_if(errors, [](const Diagnostic& one) {
    return one.is_host_code() || is_host_api(one.name(0)) || is_host_member(one);
  });
  if (host != errors.end()) {
    if (Message dynamic = explain_dynamic(errors, source)) return dynamic;
    if (host->is_host_code()) return explain_host_code(errors);
    if (is_host_member(*host))
      return {Id::compile_host_standard, {{"at", place_of(*host)}, {"name", host->name(1)}}};
    return {Id::compile_host_name, {{"at", place_of(*host)}, {"name", host->name(0)}}};
  }
  if (errors.empty()) return {Id::compile_failed, {{"file", name}}};
  const Diagnostic& first = errors.front();
  if (first.kind == Kind::qualified_name)  // NVRTC's way to say that std::vector is not there
    return {Id::compile_host_type, {{"at", place_of(first)}}};
  for (const auto& [kernel, signature] : signatures)
    if (!lost_parameter(log, name, signature).empty())
      return {Id::compile_error_lost_parameter,
              {{"at", place_of(first)}, {"text", first.text}, {"signature", signature}}};
  return {Id::compile_error_at, {{"at", place_of(first)}, {"text", first.text}}};
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

Message explain_missing(const MissingKernel& kernel, const std::string& name) {
  const std::string base = base_name(kernel.expression);
  const bool is_template = kernel.expression.find('<') != std::string::npos;
  const std::string wanted = !kernel.signature.empty() ? kernel.signature
                             : is_template ? "template <...> __global__ void " + base + "(...)"
                                           : "__global__ void " + base + "(...)";
  const std::vector<std::string>& present = kernel.present;
  if (std::ranges::count(present, base) == 0) {
    if (kernel.is_other_function)
      return {Id::compile_missing_global, {{"at", SourceLine{name, 0}}, {"name", base}}};
    Message message{.id = Id::compile_no_kernel,
                    .parameters = {{"file", name}, {"kernel", base}, {"wanted", wanted}}};
    if (!present.empty()) {
      message.id = Id::compile_no_such_kernel;
      message.parameters.push_back({"present", joined(present)});
    }
    return message;
  }
  // The kernel is there. An error in the student's own lines says what is wrong inside it.
  for (const Diagnostic& found : diagnostics_of(kernel.log))
    if (found.is_error && found.file == name)
      return {Id::compile_kernel_error,
              {{"at", place_of(found)}, {"kernel", kernel.expression}, {"text", found.text}}};
  if (!is_template && contains(kernel.log, "instance of function template"))
    return {Id::compile_template_kernel, {{"kernel", base}, {"file", name}}};
  Message refused{
      .id = Id::compile_other_kernel,
      .parameters = {{"file", name}, {"kernel", base}, {"expression", kernel.expression}}};
  // nobody has said which parameters are wanted: the compiler says what is wrong with the name
  if (kernel.signature.empty())
    for (const Diagnostic& found : diagnostics_of(kernel.log))
      if (found.is_error && found.file == kMadeUpFile) {
        refused.id = Id::compile_kernel_refused;
        refused.parameters.push_back({"text", found.text});
        return refused;
      }
  refused.parameters.push_back({"wanted", wanted});
  return refused;
}

}  // namespace labkit::compile
