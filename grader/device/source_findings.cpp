#include "device/source_findings.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>

#include "base/text.h"
#include "compile/declarations.h"

namespace labkit::device {
namespace {

bool is_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, compile::is_word_character);
}

using words::Id;

constexpr std::size_t kMostReported = 100;  // nobody reads more

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
struct Source {
  std::vector<std::string_view> lines;
  std::unordered_set<std::string_view> functions;  ///< that it declares
};

std::optional<IdleStatement> of_statement(std::uint32_t line, std::string_view statement,
                                          const Source& source) {
  const std::string text(statement);
  if (is_name(statement)) {
    if (!statement.starts_with("__") && !source.functions.contains(statement)) return std::nullopt;
    return IdleStatement{
        line, {Id::idle_call, {{"statement", text}}}, {Id::idle_fix_call, {{"function", text}}}};
  }
  if (compares(statement))
    return IdleStatement{
        line, {Id::idle_comparison, {{"statement", text}}}, {Id::idle_fix_comparison}};
  return IdleStatement{line, {Id::idle_value, {{"statement", text}}}, {Id::idle_fix_value}};
}

std::optional<IdleStatement> of_expression(const compile::Diagnostic& diagnostic,
                                           const Source& source) {
  const bool has_caret = diagnostic.caret != std::string::npos;
  std::string_view line;
  if (has_caret)
    line = diagnostic.shown;
  else if (diagnostic.line >= 1 && diagnostic.line <= source.lines.size())
    line = source.lines[diagnostic.line - 1];
  if (const auto index = compile::index_with_comma(line, diagnostic.caret))  // npos: any index
    return IdleStatement{
        diagnostic.line,
        {Id::idle_index_comma, {{"written", index->written}, {"meaning", index->meaning}}},
        {Id::idle_fix_index_comma, {{"meant", index->meant}}}};
  const std::string_view rest = has_caret ? line.substr(diagnostic.caret) : trim(line);
  const std::size_t end = rest.find(';');
  const bool is_one = end != std::string_view::npos &&
                      (has_caret || rest.find_first_of(";{}", end + 1) == std::string_view::npos);
  if (!is_one || rest.substr(0, end).find_first_of("{}") != std::string_view::npos)
    return IdleStatement{diagnostic.line, {Id::idle_some_value}, {Id::idle_fix_value}};
  return of_statement(diagnostic.line, trim(rest.substr(0, end)), source);
}

std::string key_of(const IdleStatement& slip) {
  std::string key = std::to_string(slip.line) + std::string(name_of(slip.what.id));
  for (const words::Parameter& parameter : slip.what.parameters)
    if (const auto* name = std::get_if<std::string>(&parameter.value)) key += ' ' + *name;
  return key;
}

/// What a source declares, looked for once: there may be many findings about it.
class Declared {
 public:
  explicit Declared(std::string_view source) : source_(source) {}

  launch::Declaration in_shared(const launch::Finding& finding) {
    if (!arrays_) arrays_ = compile::shared_arrays_of(source_);
    const auto array = compile::declared_array(*arrays_, finding.array.name, finding.array.bytes,
                                               finding.where.line);
    if (!array) return {};
    return {.extents = array->extents, .element_bytes = array->element_bytes, .members = {}};
  }

  launch::Declaration in_global(const launch::Finding& finding) {
    const auto [known, is_new] = structures_.try_emplace({finding.kernel, finding.array.name});
    if (is_new)
      known->second = compile::pointed_structure(source_, compile::base_name(finding.kernel),
                                                 finding.array.name);
    const auto& to = known->second;
    if (!to) return {};
    const std::uint64_t numbers = to->extent == 0 ? to->members.size() : to->extent;
    if (finding.array.bytes % (numbers * to->number_bytes) != 0) return {};  // no whole structures
    return {.extents = {0},
            .element_bytes = to->number_bytes,
            .members = to->members,
            .member_extent = to->extent};
  }

 private:
  std::string_view source_;
  std::optional<std::vector<compile::DeclaredArray>> arrays_;
  std::map<std::pair<std::string, std::string>, std::optional<compile::PointedStructure>>
      structures_;  ///< by kernel and parameter
};

/// The line of the brace that closes the innermost loop around both lines; 0: there is none.
std::uint32_t end_of_loop(const compile::Tokens& tokens, std::uint32_t one, std::uint32_t other) {
  std::uint32_t begin = 0, end = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if ((!tokens.is(i, "for") && !tokens.is(i, "while")) || !tokens.is(i + 1, "(")) continue;
    const std::size_t body = tokens.close_of(i + 1) + 1;
    if (body >= tokens.size() || !tokens.is(body, "{") || tokens.close_of(body) >= tokens.size())
      continue;
    const std::uint32_t first = tokens[i].line, last = tokens[tokens.close_of(body)].line;
    if (first <= std::min(one, other) && std::max(one, other) <= last && first >= begin) {
      begin = first;
      end = last;
    }
  }
  return end;
}

/// "After line 24" may be inside of an inner loop: the brace is not.
void name_end_of_loop(words::Message& fix, const compile::Tokens& tokens) {
  using enum words::Id;
  if (fix.id != race_fix_barrier_at_end_of_loop &&
      fix.id != race_fix_barrier_for_all_at_end_of_loop)
    return;
  const auto* above = std::get_if<words::SourceLine>(fix.find("above"));
  const auto* below = std::get_if<words::SourceLine>(fix.find("below"));
  if (!above || !below || above->file != below->file) return;
  const std::uint32_t end = end_of_loop(tokens, above->line, below->line);
  if (end == 0) return;
  fix = {fix.id == race_fix_barrier_at_end_of_loop ? race_fix_barrier_before_end
                                                   : race_fix_barrier_for_all_before_end,
         {{"barrier", *fix.find("barrier")}, {"end", words::SourceLine{below->file, end}}}};
}

/// The one name on its line that is declared without a value before it.
void name_variable(launch::Finding& finding, const compile::Tokens& tokens) {
  std::unordered_set<std::string_view> unset, found;
  for (std::size_t i = 1; i < tokens.size() && tokens[i].line <= finding.where.line; ++i) {
    if (tokens.is_word(i) && tokens.is_word(i - 1) && tokens.is(i + 1, ";"))
      unset.insert(tokens[i].spelling);
    if (tokens[i].line == finding.where.line && unset.contains(tokens[i].spelling))
      found.insert(tokens[i].spelling);
  }
  if (found.size() == 1)
    finding.evidence.push_back(
        {words::Id::undefined_variable_named, {{"variable", std::string(*found.begin())}}});
}

/// An index below 0, on whose line a short stands.
void name_short_index(launch::Finding& finding, const compile::Tokens& tokens) {
  std::unordered_set<std::string_view> shorts;
  for (std::size_t i = 1; i < tokens.size() && tokens[i].line <= finding.where.line; ++i) {
    if (tokens.is_word(i) && (tokens.is(i - 1, "short") || tokens.is(i - 1, "int16_t")))
      shorts.insert(tokens[i].spelling);
    if (tokens[i].line == finding.where.line && shorts.contains(tokens[i].spelling))
      finding.fix = {words::Id::bounds_fix_short_index};
  }
}

/// tile[threadIdx.y][threadIdx.x] or the other way, of a thread whose number is past the tile's rows: the block is larger.
void name_tile_of_block(launch::Finding& finding) {
  const auto& extents = finding.declared.extents;
  const bool is_outside = finding.fix.id == words::Id::bounds_fix_declared_size ||
                          finding.fix.id == words::Id::bounds_fix_declared_size_in_loop;
  if (!is_outside || extents.size() != 2 || finding.access_bytes == 0) return;
  const std::uint64_t element = (finding.address - finding.array.begin) / finding.access_bytes,
                      x = finding.thread.x, y = finding.thread.y;
  for (const auto& [row, col] : {std::pair(y, x), std::pair(x, y)})
    if (row * extents[1] + col == element && x != y &&
        (row > extents[0] || col > extents[1] || extents[0] == extents[1]))
      finding.fix = {words::Id::bounds_fix_tile_of_block,
                     {{"array", finding.array.name},
                      {"rows", words::count(extents[0])},
                      {"columns", words::count(extents[1])},
                      {"thread", triple(finding.thread)}}};
}

}  // namespace

void add_declarations(std::vector<launch::Finding>& findings, std::string_view source) {
  Declared declared(source);
  std::optional<compile::Tokens> tokens;
  for (launch::Finding& finding : findings) {
    if (finding.kind == launch::FindingKind::race) {
      if (!tokens) tokens.emplace(source, compile::Tokens::Keep::code);
      name_end_of_loop(finding.fix, *tokens);
    }
    if (finding.fix.id == words::Id::bounds_fix_negative) {
      if (!tokens) tokens.emplace(source, compile::Tokens::Keep::code);
      name_short_index(finding, *tokens);
    }
    if (finding.array.name.empty() && finding.cause == launch::Cause::uninitialized_variable) {
      if (!tokens) tokens.emplace(source, compile::Tokens::Keep::code);
      name_variable(finding, *tokens);
    }
    if (finding.array.name.empty()) continue;
    if (finding.space == "shared") finding.declared = declared.in_shared(finding);
    if (finding.space == "shared") name_tile_of_block(finding);
    if (finding.space == "global") finding.declared = declared.in_global(finding);
  }
}

std::string shared_array_on(std::string_view source, std::uint32_t line) {
  const compile::Tokens tokens(source, compile::Tokens::Keep::code);
  std::unordered_set<std::string_view> arrays, found;
  bool is_declared = false;
  for (std::size_t i = 0; i < tokens.size() && tokens[i].line <= line; ++i) {
    if (is_declared && tokens.is(i, "[")) arrays.insert(tokens[i - 1].spelling);
    is_declared =
        tokens.is(i, "__shared__") || (is_declared && !tokens.is(i, "[") && !tokens.is(i, ";"));
    if (tokens[i].line == line && arrays.contains(tokens[i].spelling))
      found.insert(tokens[i].spelling);
  }
  return found.size() == 1 ? std::string(*found.begin()) : std::string();
}

std::vector<IdleStatement> idle_statements(std::string_view log, std::string_view source,
                                           const std::string& kernel) {
  std::vector<IdleStatement> found;
  const compile::Tokens tokens(source);
  const std::vector<std::string_view> functions = compile::declared_functions(tokens);
  const Source text{split_lines(source), {functions.begin(), functions.end()}};
  const compile::OtherKernels others(tokens, kernel);
  std::unordered_set<std::string> known;            // a template has it once for each instance
  std::unordered_set<std::uint32_t> without_caret;  // lines of which one look is enough
  for (const compile::Diagnostic& diagnostic : compile::diagnostics_of(log)) {
    if (diagnostic.is_error || others.have(diagnostic.line)) continue;
    std::optional<IdleStatement> slip;
    if (diagnostic.kind == compile::DiagnosticKind::empty_if)
      slip = {diagnostic.line, {Id::idle_if}, {Id::idle_fix_if}};
    else if (diagnostic.kind == compile::DiagnosticKind::no_effect &&
             (diagnostic.caret != std::string::npos ||
              without_caret.insert(diagnostic.line).second))
      slip = of_expression(diagnostic, text);
    if (slip && known.insert(key_of(*slip)).second) found.push_back(std::move(*slip));
  }
  for (IdleStatement& condition : source_slips(tokens, others))
    found.push_back(std::move(condition));
  std::ranges::stable_sort(found, {}, &IdleStatement::line);
  if (found.size() > kMostReported) found.resize(kMostReported);
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
    const words::Message said = {Id::undefined_variable_named, {{"variable", diagnostic.name(0)}}};
    const auto [have, is_new] = known.try_emplace(diagnostic.line, findings.size());
    if (!is_new) {  // it knows the variable's name
      launch::Finding& seen = findings[have->second];
      constexpr std::size_t kMostEvidence = 20;  // of variables on one line
      auto& evidence = seen.evidence;
      if (seen.space == "local" && evidence.size() < kMostEvidence &&
          std::ranges::count(evidence, said) == 0)
        evidence.push_back(said);
      continue;
    }
    if (findings.size() >= before + kMostReported) break;
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
