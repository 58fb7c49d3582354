#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <vector>

#include "base/text.h"
#include "compile/outline.h"
#include "device/source_findings.h"

namespace labkit::device {
namespace {

using compile::Token;
using compile::Tokens;

/// Tokens between two parentheses: what is longer is not looked at, nor deeper.
constexpr std::size_t kMostTokens = 400;
/// And of a condition with what stands between its tokens (comments): messages quote it.
constexpr std::size_t kMostCharacters = 2000;

/// Tokens [begin, end).
struct Range {
  std::size_t begin = 0, end = 0;
};

class SourceConditions {
 public:
  explicit SourceConditions(const Tokens& tokens) : tokens_(tokens) {}

  /// The condition of what begins at this token, if that is an if or a loop.
  std::optional<Range> condition_at(std::size_t i) const {
    const Token& word = tokens_[i];
    if (!word.is("if") && !word.is("while") && !word.is("for")) return std::nullopt;
    const std::size_t open = i + (is(i + 1, "constexpr") ? 2 : 1), close = partner(open);
    if (!is(open, "(") || close >= tokens_.size()) return std::nullopt;
    const Range inside{open + 1, close};
    if (!word.is("for")) return inside;
    std::vector<std::size_t> ends;
    for (std::size_t at = inside.begin; at < inside.end && ends.size() < 2; at = next(at))
      if (is(at, ";")) ends.push_back(at);
    return ends.size() == 2 ? std::optional(Range{ends[0] + 1, ends[1]}) : std::nullopt;
  }

  /// A `=` outside all further parentheses.
  std::optional<std::size_t> assignment_in(const Range& range) const {
    for (std::size_t at = range.begin; at < range.end; at = next(at))
      if (is(at, "=")) return declares(range, at) ? std::nullopt : std::optional(at);
    return std::nullopt;
  }

  /// `a < b < c`: its tokens, and where its first two comparisons stand.
  struct Chain {
    Range whole;
    std::size_t first = 0, second = 0;
  };
  /// At any depth.
  std::optional<Chain> chain_in(const Range& range) const {
    std::size_t begin = range.begin;
    std::vector<std::size_t> comparisons;
    bool mixed = false;
    for (std::size_t at = range.begin;; at = next(at)) {
      if (at >= range.end || joins(at) || is(at, "&") || is(at, "|") || is(at, ",") ||
          is(at, ";")) {
        if (comparisons.size() >= 2 && !mixed)
          return Chain{{begin, std::min(at, range.end)}, comparisons[0], comparisons[1]};
        if (at >= range.end) return std::nullopt;
        begin = at + 1;
        comparisons.clear();
        mixed = false;
      }
      if (is(at, "(") || is(at, "["))
        if (const auto inside = chain_in({at + 1, std::min(partner(at), range.end)})) return inside;
      if (compares(at) != 0) comparisons.push_back(at);
      mixed = mixed || is(at, "?") ||
              (compares(at) != 0 && compares(at) != compares(comparisons.front()));
    }
  }

  /// Where the part of a condition that `at` stands in begins: behind && or ||.
  std::size_t begin_of_part(const Range& range, std::size_t at) const {
    std::size_t begin = range.begin;
    for (std::size_t i = range.begin; i < at; i = next(i))
      if (joins(i)) begin = i + 1;
    return begin;
  }

  /// The `for` that begins at this token declares the name, and ends at its semicolon.
  bool ends_with_variable(std::size_t i, std::string_view name) const {
    if (!is(i, "for") || !is(i + 1, "(") || !is(partner(i + 1) + 1, ";")) return false;
    for (std::size_t at = i + 2; at < partner(i + 1) && !is(at, ";"); ++at)
      if (is(at, name)) return true;
    return false;
  }

  /// The `for` that begins at this token declares the name, and repeats a single statement without braces, soon behind which
  /// the name is used on that line.
  bool ends_before_use(std::size_t i, std::string_view name, std::uint32_t line) const {
    constexpr std::uint32_t kNear = 3;  // lines
    std::size_t at = i + 2;
    while (at < tokens_.size() && !is(at, "=") && !is(at, ";")) ++at;
    if (!is(i, "for") || !is(i + 1, "(") || !is(at, "=") || !is(at - 1, name)) return false;
    while (is(i, "if") || is(i, "for")) i = partner(i + 1) + 1;
    while (i < tokens_.size() && !is(i, ";") && !is(i, "{")) ++i;
    if (!is(i, ";") || line > tokens_[i].line + kNear) return false;
    for (; i < tokens_.size() && !is(i, "}") && tokens_[i].line <= line; ++i)
      if (is(i, name) && tokens_[i].line == line) return true;
    return false;
  }

  /// The `for` or `while` at this token has no body, and what follows looks like it: a block, or a line that is indented
  /// further. The `while` of a `do` is none.
  bool is_empty_loop(std::size_t i) const {
    if (!is(i, "for") && (!is(i, "while") || (i > 0 && is(i - 1, "}")))) return false;
    const std::size_t end = partner(i + 1) + 1, after = end + 1;
    if (!is(i + 1, "(") || !is(end, ";") || after >= tokens_.size() || is(after, "}")) return false;
    const auto own = indentation_of(i), following = indentation_of(after);
    return is(after, "{") || (following.begins_line && following.columns > own.columns);
  }

 private:
  struct Indentation {
    std::size_t columns = 0;  ///< of its line
    bool begins_line = false;
  };
  Indentation indentation_of(std::size_t i) const {
    constexpr std::size_t kMostColumns = 200;  // nobody indents further
    const std::size_t begin = tokens_[i].begin, from = begin - std::min(begin, kMostColumns);
    std::string_view before = tokens_.source().substr(from, begin - from);
    if (const std::size_t end = before.rfind('\n'); end != std::string_view::npos)
      before.remove_prefix(end + 1);
    const std::size_t columns = std::min(before.find_first_not_of(" \t"), before.size());
    return {columns, columns == before.size()};
  }
  bool is(std::size_t i, std::string_view what) const { return tokens_.is(i, what); }
  bool joins(std::size_t i) const { return is(i, "&&") || is(i, "||"); }
  /// '<' or '>' of a comparison, also with `=`; 0 for what is none: `>>`, which is two tokens.
  char compares(std::size_t i) const {
    const auto shifts = [&](std::size_t first) {
      return is(first, ">") && is(first + 1, ">") &&
             tokens_[first].end() == tokens_[first + 1].begin;
    };
    if (!is(i, "<") && !is(i, "<=") && !is(i, ">") && !is(i, ">=")) return 0;
    return shifts(i) || (i > 0 && shifts(i - 1)) ? 0 : tokens_[i].spelling[0];
  }
  /// `if (int n = f())`: only names, * and & stand before the name that gets a value.
  bool declares(const Range& range, std::size_t equals) const {
    std::size_t words = 0;
    for (std::size_t at = range.begin; at < equals; ++at) {
      if (tokens_.is_word(at))
        ++words;
      else if (!is(at, "*") && !is(at, "&") && !is(at, "::"))
        return false;
    }
    return words >= 2;
  }
  std::size_t partner(std::size_t open) const {
    const std::size_t close = tokens_.close_of(open);
    return close < tokens_.size() && close - open <= kMostTokens ? close : tokens_.size();
  }
  /// The next token that is not within parentheses that open here.
  std::size_t next(std::size_t i) const {
    return is(i, "(") || is(i, "[") ? partner(i) + 1 : i + 1;
  }

  const Tokens& tokens_;
};

}  // namespace

std::vector<IdleStatement> source_slips(const Tokens& tokens, const compile::OtherKernels& others) {
  std::vector<IdleStatement> found;
  const SourceConditions all(tokens);
  const auto text = [&](std::size_t begin, std::size_t end) {
    return std::string(tokens.text(begin, end));
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (all.is_empty_loop(i) && !others.have(tokens[i].line)) {
      const std::string loop(tokens[i].spelling);
      found.push_back({tokens[i].line,
                       {words::Id::idle_loop, {{"loop", loop}}},
                       {words::Id::idle_fix_loop, {{"loop", loop}}}});
    }
    const auto range = all.condition_at(i);
    if (!range || tokens.text(range->begin, range->end).size() > kMostCharacters) continue;
    if (const auto equals = all.assignment_in(*range)) {
      if (others.have(tokens[*equals].line)) continue;
      const std::string left = text(all.begin_of_part(*range, *equals), *equals),
                        right = text(*equals + 1, range->end);
      found.push_back({tokens[*equals].line,
                       {words::Id::idle_assignment, {{"left", left}, {"right", right}}},
                       {words::Id::idle_fix_assignment}});
    } else if (const auto chain = all.chain_in(*range)) {
      const std::uint32_t line = tokens[chain->first].line;
      if (others.have(line)) continue;
      const std::string both = text(chain->whole.begin, chain->whole.end),
                        left = text(chain->whole.begin, chain->second);
      found.push_back({line,
                       {words::Id::idle_chain, {{"both", both}, {"left", left}}},
                       {words::Id::idle_fix_chain}});
    }
  }
  return found;
}

std::uint32_t loop_without_body(const compile::Diagnostic& error, std::string_view source,
                                bool of_one_statement) {
  if (error.kind != compile::DiagnosticKind::undefined_identifier) return 0;
  const Tokens tokens(source);
  const SourceConditions all(tokens);
  for (std::size_t i = 0; i < tokens.size() && tokens[i].line <= error.line; ++i)
    if (of_one_statement ? all.ends_before_use(i, error.name(0), error.line)
                         : all.ends_with_variable(i, error.name(0)))
      return tokens[i].line;
  return 0;
}

std::optional<IdleStatement> swapped_parameters(std::string_view source, const std::string& kernel,
                                                const std::vector<std::string>& given) {
  const compile::KernelHead head = compile::kernel_head(Tokens(source), compile::base_name(kernel));
  const auto& own = head.parameters;
  if (!std::is_permutation(own.begin(), own.end(), given.begin(), given.end())) return std::nullopt;
  const auto [name, wanted] = std::mismatch(own.begin(), own.end(), given.begin());
  if (name == own.end()) return std::nullopt;
  return IdleStatement{
      head.line,
      {words::Id::idle_parameter_order, {{"wanted", *wanted}, {"name", std::string(*name)}}},
      {words::Id::idle_fix_parameter_order, {{"order", joined(given)}}}};
}

namespace {

/// The names that differ from lane to lane as far as the text shows it: what is set from threadIdx or from such a name, not
/// divided, since that counts warps.
class LaneNames {
 public:
  explicit LaneNames(const Tokens& tokens) : tokens_(tokens) {}
  void read_assignment(std::size_t equals) {
    std::size_t end = equals + 1;
    while (end < tokens_.size() && !tokens_.is(end, ";") && !tokens_.is(end, "{")) ++end;
    if (equals > 0 && any_in(equals + 1, end)) names_.insert(tokens_[equals - 1].spelling);
  }
  bool any_in(std::size_t begin, std::size_t end) const {
    bool found = false;
    for (std::size_t i = begin; i < end; ++i) {
      const bool is_thread = tokens_.is(i, "threadIdx");
      if (!is_thread && !names_.contains(tokens_[i].spelling)) continue;
      const std::size_t after = i + (is_thread ? 3 : 1);
      if (i > begin && tokens_.is(i - 1, "-")) return false;  // i - lane: where its warp begins
      found = found || (!tokens_.is(after, "/") && !tokens_.is(after, ">"));
    }
    return found;
  }

 private:
  const Tokens& tokens_;
  std::set<std::string_view> names_;
};

}  // namespace

std::optional<IdleStatement> left_early(std::string_view source, const std::string& kernel) {
  const Tokens tokens(source, Tokens::Keep::code);
  const std::string name = compile::base_name(kernel);
  for (const compile::DeviceFunction& function : compile::device_functions_of(tokens)) {
    if (!function.is_kernel || function.name != name) continue;
    const std::size_t end = tokens.close_of(function.body);
    std::size_t left = end;
    LaneNames lanes(tokens);
    for (std::size_t i = function.body; i < end; ++i) {
      if (tokens.is(i, "=")) lanes.read_assignment(i);
      if (tokens.is(i, "if") && tokens.is(i + 1, "(") && left == end) {
        const std::size_t close = tokens.close_of(i + 1),
                          then = close + (tokens.is(close + 1, "{") ? 2 : 1);
        if (close < end && tokens.is(then, "return") && lanes.any_in(i + 2, close)) left = then;
      }
      const std::string_view word = tokens[i].spelling;
      const bool meets = word.starts_with("__sync") || word.starts_with("__shfl");
      if (left < end && meets)
        return IdleStatement{
            tokens[left].line,
            {words::Id::idle_left_early,
             {{"barrier", std::string(word)}, {"line", words::count(tokens[i].line)}}},
            {words::Id::idle_fix_left_early, {{"barrier", std::string(word)}}}};
    }
  }
  return std::nullopt;
}

std::optional<IdleStatement> rounding_call(std::string_view source, const std::string& kernel) {
  constexpr std::string_view kFunctions[] = {"pow",  "powf", "__powf", "powi",  "exp",
                                             "expf", "exp2", "exp2f",  "__expf"};
  const Tokens tokens(source);
  const compile::OtherKernels others(tokens, kernel);
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const bool is_one = tokens.is_word(i) && tokens.is(i + 1, "(") &&
                        std::ranges::count(kFunctions, tokens[i].spelling) != 0;
    if (is_one && !others.have(tokens[i].line))
      return IdleStatement{
          tokens[i].line,
          {words::Id::idle_rounding, {{"function", std::string(tokens[i].spelling)}}},
          {words::Id::idle_fix_rounding}};
  }
  return std::nullopt;
}

std::optional<IdleStatement> float_in(std::string_view source, const std::string& kernel) {
  const Tokens tokens(source, Tokens::Keep::code);
  const compile::OtherKernels others(tokens, kernel);
  for (std::size_t i = 0; i < tokens.size(); ++i)
    if (tokens.is(i, "float") && !others.have(tokens[i].line))
      return IdleStatement{tokens[i].line,
                           {words::Id::idle_float, {{"type", "double"}}},
                           {words::Id::idle_fix_float, {{"type", "double"}}}};
  return std::nullopt;
}

}  // namespace labkit::device
