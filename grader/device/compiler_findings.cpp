#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>

#include "base/text.h"
#include "compile/declarations.h"
#include "compile/diagnostics.h"
#include "device/source_findings.h"

namespace labkit::device {
namespace {

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), compile::is_word_character);
}

using words::Id;

struct Slip {
  words::Message what, fix;
};

/// `==` outside all brackets.
bool compares(std::string_view statement) {
  int depth = 0;
  for (std::size_t i = 0; i + 1 < statement.size(); ++i) {
    if (statement[i] == '[' || statement[i] == '(') ++depth;
    if (statement[i] == ']' || statement[i] == ')') --depth;
    if (depth == 0 && statement[i] == '=' && statement[i + 1] == '=') return true;
  }
  return false;
}

/// What the source's warnings are looked up in.
class Source {
 public:
  Source(std::string_view text, const compile::Tokens& tokens) : lines_(split_lines(text)) {
    for (const std::string_view name : compile::declared_functions(tokens)) functions_.insert(name);
  }
  /// The line, from 1.
  std::string_view line(std::uint32_t number) const {
    return number >= 1 && number <= lines_.size() ? lines_[number - 1] : std::string_view{};
  }
  bool declares_function(std::string_view name) const { return functions_.contains(name); }

 private:
  std::vector<std::string_view> lines_;
  std::unordered_set<std::string_view> functions_;
};

std::optional<Slip> of_statement(std::string_view statement, const Source& source) {
  const std::string text(statement);
  if (is_name(statement)) {
    if (!statement.starts_with("__") && !source.declares_function(statement)) return std::nullopt;
    return Slip{{Id::idle_call, {{"statement", text}}}, {Id::idle_fix_call, {{"function", text}}}};
  }
  if (compares(statement))
    return Slip{{Id::idle_comparison, {{"statement", text}}}, {Id::idle_fix_comparison}};
  return Slip{{Id::idle_value, {{"statement", text}}}, {Id::idle_fix_value}};
}

std::optional<Slip> of_expression(const compile::Diagnostic& diagnostic, const Source& source) {
  const bool has_caret = diagnostic.caret != std::string::npos;
  const std::string_view line =
      has_caret ? std::string_view(diagnostic.shown) : source.line(diagnostic.line);
  if (const auto index = compile::index_with_comma(line, diagnostic.caret))  // npos: any index
    return Slip{{Id::idle_index_comma, {{"written", index->written}, {"meaning", index->meaning}}},
                {Id::idle_fix_index_comma, {{"meant", index->meant}}}};
  const std::string_view rest = has_caret ? line.substr(diagnostic.caret) : trim(line);
  const std::size_t end = rest.find(';');
  const bool is_one = end != std::string_view::npos &&
                      (has_caret || rest.find_first_of(";{}", end + 1) == std::string_view::npos);
  if (!is_one || rest.substr(0, end).find_first_of("{}") != std::string_view::npos)
    return Slip{{Id::idle_some_value}, {Id::idle_fix_value}};
  return of_statement(trim(rest.substr(0, end)), source);
}

std::string key_of(std::uint32_t line, const words::Message& what) {
  std::string key = std::to_string(line) + std::string(name_of(what.id));
  for (const words::Parameter& parameter : what.parameters)
    if (const auto* name = std::get_if<std::string>(&parameter.value)) key += ' ' + *name;
  return key;
}

}  // namespace

std::vector<IdleStatement> idle_statements(std::string_view log, std::string_view source,
                                           const std::string& kernel) {
  std::vector<IdleStatement> found;
  const compile::Tokens tokens(source);
  const Source text(source, tokens);
  const compile::OtherKernels others(tokens, kernel);
  std::unordered_set<std::string> known;            // a template has it once for each instance
  std::unordered_set<std::uint32_t> without_caret;  // lines of which one look is enough
  for (const compile::Diagnostic& diagnostic : compile::diagnostics_of(log)) {
    if (diagnostic.is_error || others.have(diagnostic.line)) continue;
    std::optional<Slip> slip;
    if (diagnostic.kind == compile::DiagnosticKind::empty_if)
      slip = Slip{{Id::idle_if}, {Id::idle_fix_if}};
    else if (diagnostic.kind == compile::DiagnosticKind::no_effect &&
             (diagnostic.caret != std::string::npos ||
              without_caret.insert(diagnostic.line).second))
      slip = of_expression(diagnostic, text);
    if (slip && known.insert(key_of(diagnostic.line, slip->what)).second)
      found.push_back({diagnostic.line, std::move(slip->what), std::move(slip->fix)});
  }
  for (IdleStatement& condition : idle_conditions(tokens, others))
    found.push_back(std::move(condition));
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.line < b.line; });
  constexpr std::size_t kMost = 100;  // nobody reads more
  if (found.size() > kMost) found.erase(found.begin() + kMost, found.end());
  return found;
}

void add_compiler_findings(std::vector<launch::Finding>& findings, std::string_view log,
                           std::string_view source, const std::string& kernel) {
  const compile::OtherKernels others(compile::Tokens(source), kernel);
  const std::size_t before = findings.size();
  std::unordered_map<std::uint32_t, std::size_t> known;  // line -> the first finding about it
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (findings[i].kind != launch::FindingKind::uninitialized) continue;
    known.try_emplace(findings[i].where.line, i);
    known.try_emplace(findings[i].other.line, i);
  }
  for (const auto& diagnostic : compile::diagnostics_of(log)) {
    if (diagnostic.is_error || diagnostic.kind != compile::DiagnosticKind::unset_variable ||
        others.have(diagnostic.line))
      continue;
    const words::Message said = {
        Id::undefined_variable_named,
        {{"variable", diagnostic.names.empty() ? std::string{} : diagnostic.names.front()}}};
    const auto [have, is_new] = known.try_emplace(diagnostic.line, findings.size());
    if (!is_new) {  // it knows the variable's name
      launch::Finding& seen = findings[have->second];
      constexpr std::size_t kMostEvidence = 20;  // of variables on one line
      auto& evidence = seen.evidence;
      if (seen.space == "local" && evidence.size() < kMostEvidence &&
          std::find(evidence.begin(), evidence.end(), said) == evidence.end())
        evidence.push_back(said);
      continue;
    }
    constexpr std::size_t kMost = 100;  // nobody reads more
    if (findings.size() >= before + kMost) break;
    launch::Finding finding;
    finding.kind = launch::FindingKind::uninitialized;
    finding.severity = launch::Severity::warning;
    finding.space = "local";
    finding.kernel = kernel;
    finding.where = {diagnostic.file, diagnostic.line};
    finding.cause = launch::Cause::uninitialized_variable;
    finding.evidence.push_back(said);
    finding.fix = {Id::undefined_fix_declared};
    findings.push_back(std::move(finding));
  }
}

}  // namespace labkit::device
