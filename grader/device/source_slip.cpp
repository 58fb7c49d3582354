#include "device/source_slip.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>

#include "compile/diagnose.h"
#include "compile/source.h"
#include "device/other_kernels.h"

namespace labkit::device {
namespace {

using compile::Token;

/// Tokens between two parentheses: what is longer is not looked at, nor deeper.
constexpr std::size_t kMostTokens = 400;
/// And of a condition with what stands between its tokens (comments): messages quote it.
constexpr std::size_t kMostCharacters = 2000;

/// Tokens [begin, end).
struct Range {
  std::size_t begin = 0, end = 0;
};

/// C++'s operators of one or two signs, put together of the reader's marks.
class Conditions {
 public:
  explicit Conditions(std::string_view source)
      : source_(source), tokens_(compile::tokens_of(source)) {
    find_partners();
  }

  std::size_t count() const { return tokens_.size(); }
  std::size_t begin_of(std::size_t i) const { return tokens_[i].begin; }

  /// The condition of what begins at this token, if that is an if or a loop.
  std::optional<Range> condition_at(std::size_t i) const {
    if (tokens_[i].kind != Token::Kind::word) return std::nullopt;
    const std::string_view word = tokens_[i].spelling;
    if (word != "if" && word != "while" && word != "for") return std::nullopt;
    const std::size_t open = i + (is(i + 1, "constexpr") ? 2 : 1), close = partner(open);
    if (!is(open, "(") || close >= tokens_.size()) return std::nullopt;
    if (word != "for") return Range{open + 1, close};
    std::size_t ends[2] = {0, 0};
    std::size_t found = 0;
    for (std::size_t at = open + 1; at < close && found < 2; at = next(at))
      if (is(at, ";")) ends[found++] = at;
    return found == 2 ? std::optional(Range{ends[0] + 1, ends[1]}) : std::nullopt;
  }

  /// A `=` outside all further parentheses.
  std::optional<std::size_t> assignment_in(const Range& range) const {
    for (std::size_t at = range.begin; at < range.end; at = next(at))
      if (is_single_equals(at)) return declares(range, at) ? std::nullopt : std::optional(at);
    return std::nullopt;
  }

  /// `a < b < c`, at any depth: where it begins and ends.
  std::optional<Range> chain_in(const Range& range) const {
    std::size_t begin = range.begin;
    int same = 0;
    char way = 0;
    bool mixed = false;
    const auto ended = [&](std::size_t at) -> std::optional<Range> {
      const bool found = same >= 2 && !mixed;
      const Range one{begin, at};
      same = 0;
      way = 0;
      mixed = false;
      begin = at + 1;
      return found ? std::optional(one) : std::nullopt;
    };
    for (std::size_t at = range.begin; at < range.end; at = next(at)) {
      if (is(at, "(") || is(at, "["))
        if (const auto inside = chain_in({at + 1, partner(at)})) return inside;
      const char sign = compares(at);
      mixed = mixed || (sign != 0 && way != 0 && sign != way) || is(at, "?");
      if (sign != 0) way = sign;
      same += sign != 0 ? 1 : 0;
      if (is(at, "&") || is(at, "|") || is(at, ",") || is(at, ";")) {
        if (const auto one = ended(at)) return one;
        if (is(at + 1, "&") || is(at + 1, "|")) begin = at + 2;
      }
    }
    return ended(range.end);
  }

  bool is_word_at(std::size_t i, std::string_view word) const {
    return compile::is_word(tokens_[i], word);
  }
  /// The `for` that begins at this token declares the name, and ends at its semicolon.
  bool ends_with_variable(std::size_t i, std::string_view name) const {
    if (!is_word_at(i, "for") || !is(i + 1, "(") || !is(partner(i + 1) + 1, ";")) return false;
    for (std::size_t at = i + 2; at < partner(i + 1) && !is(at, ";"); ++at)
      if (is_word_at(at, name)) return true;
    return false;
  }

  /// "for" or "while", if the loop that begins at this token has no body, and what follows looks like it: a block, or a line
  /// that is indented further. The `while` of a `do` is none.
  std::string_view empty_loop_at(std::size_t i) const {
    const std::string_view word = tokens_[i].spelling;
    if (tokens_[i].kind != Token::Kind::word || (word != "for" && word != "while")) return {};
    if (!is(i + 1, "(") || (i > 0 && is(i - 1, "}") && word == "while")) return {};
    const std::size_t end = partner(i + 1) + 1, after = end + 1;
    if (!is(end, ";") || after >= tokens_.size() || is(after, "}")) return {};
    const auto own = indentation_of(i), next_one = indentation_of(after);
    return is(after, "{") || (next_one.begins_line && next_one.columns > own.columns)
               ? word
               : std::string_view{};
  }

  std::size_t length(const Range& range) const {
    if (range.begin >= range.end) return 0;
    const Token& last = tokens_[range.end - 1];
    return last.begin + last.spelling.size() - tokens_[range.begin].begin;
  }
  std::string text(std::size_t begin, std::size_t end) const {
    if (begin >= end || end > tokens_.size()) return {};
    const Token& last = tokens_[end - 1];
    return std::string(source_.substr(tokens_[begin].begin,
                                      last.begin + last.spelling.size() - tokens_[begin].begin));
  }
  /// Where the part of a condition that `at` stands in begins and ends: between && and ||.
  Range part_of(const Range& range, std::size_t at) const {
    Range part = range;
    for (std::size_t i = range.begin; i < range.end; i = next(i)) {
      const bool joins = (is(i, "&") || is(i, "|")) && i + 1 < range.end &&
                         tokens_[i + 1].spelling == tokens_[i].spelling;
      if (joins && i < at) part.begin = i + 2;
      if (joins && i > at && part.end == range.end) part.end = i;
    }
    return part;
  }
  /// The middle comparison of a chain: where its second operator stands.
  std::size_t second_of(const Range& chain) const {
    int seen = 0;
    for (std::size_t at = chain.begin; at < chain.end; at = next(at))
      if (compares(at) != 0 && ++seen == 2) return at;
    return chain.end;
  }
  std::size_t first_of(const Range& chain) const {
    for (std::size_t at = chain.begin; at < chain.end; at = next(at))
      if (compares(at) != 0) return at;
    return chain.end;
  }

 private:
  bool is(std::size_t i, std::string_view mark) const {
    return i < tokens_.size() && tokens_[i].spelling == mark;
  }
  struct Indentation {
    std::size_t columns = 0;  ///< of its line
    bool begins_line = false;
  };
  Indentation indentation_of(std::size_t i) const {
    constexpr std::size_t kMostColumns = 200;  // nobody indents further
    const std::size_t begin = tokens_[i].begin, from = begin - std::min(begin, kMostColumns);
    std::string_view before = source_.substr(from, begin - from);
    if (const std::size_t end = before.rfind('\n'); end != std::string_view::npos)
      before.remove_prefix(end + 1);
    const std::size_t columns = std::min(before.find_first_not_of(" \t"), before.size());
    return {columns, columns == before.size()};
  }
  /// What stands in the source beside a mark of one sign.
  char beside(std::size_t i, std::ptrdiff_t away) const {
    const auto at = static_cast<std::ptrdiff_t>(tokens_[i].begin) + away;
    return at < 0 || static_cast<std::size_t>(at) >= source_.size()
               ? ' '
               : source_[static_cast<std::size_t>(at)];
  }
  bool is_single_equals(std::size_t i) const {
    return is(i, "=") && beside(i, 1) != '=' &&
           std::string_view("=!<>+-*/%&|^").find(beside(i, -1)) == std::string_view::npos;
  }
  /// '<' or '>' of a comparison, also with `=`; 0 for what is none: shifts, arrows.
  char compares(std::size_t i) const {
    if (!is(i, "<") && !is(i, ">")) return 0;
    const char sign = tokens_[i].spelling[0];
    if (beside(i, -1) == sign || beside(i, 1) == sign || beside(i, -1) == '-') return 0;
    return sign;
  }
  /// `if (int n = f())`: only names, * and & stand before the name that gets a value.
  bool declares(const Range& range, std::size_t equals) const {
    std::size_t words = 0;
    for (std::size_t at = range.begin; at < equals; ++at) {
      if (tokens_[at].kind == Token::Kind::word)
        ++words;
      else if (!is(at, "*") && !is(at, "&") && !is(at, ":"))
        return false;
    }
    return words >= 2 && !(is(range.begin + 1, "&") && is(range.begin + 2, "&"));
  }
  /// Of ( and [, one as the other.
  void find_partners() {
    partner_.assign(tokens_.size(), tokens_.size());
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (is(i, "(") || is(i, "[")) open.push_back(i);
      if ((!is(i, ")") && !is(i, "]")) || open.empty()) continue;
      if (i - open.back() <= kMostTokens) partner_[open.back()] = i;
      open.pop_back();
    }
  }
  std::size_t partner(std::size_t open) const {
    return open < partner_.size() ? partner_[open] : tokens_.size();
  }
  /// The next token that is not within parentheses that open here.
  std::size_t next(std::size_t i) const {
    return is(i, "(") || is(i, "[") ? partner(i) + 1 : i + 1;
  }

  std::string_view source_;
  std::vector<Token> tokens_;
  std::vector<std::size_t> partner_;
};

}  // namespace

std::vector<IdleStatement> source_slips(std::string_view source, const std::string& kernel) {
  std::vector<IdleStatement> found;
  const Conditions all(source);
  const compile::Lines lines(source);
  const OtherKernels others(source, kernel);
  for (std::size_t i = 0; i < all.count(); ++i) {
    if (const std::string_view loop = all.empty_loop_at(i); !loop.empty()) {
      const std::uint32_t line = lines.line_at(all.begin_of(i));
      if (!others.have(line))
        found.push_back({line,
                         {words::Id::idle_loop, {{"loop", std::string(loop)}}},
                         {words::Id::idle_fix_loop, {{"loop", std::string(loop)}}}});
    }
    const auto range = all.condition_at(i);
    if (!range || all.length(*range) > kMostCharacters) continue;
    if (const auto equals = all.assignment_in(*range)) {
      const std::uint32_t line = lines.line_at(all.begin_of(*equals));
      if (others.have(line)) continue;
      const Range part = all.part_of(*range, *equals);
      const std::string left = all.text(part.begin, *equals),
                        right = all.text(*equals + 1, range->end);
      found.push_back({line,
                       {words::Id::idle_assignment, {{"left", left}, {"right", right}}},
                       {words::Id::idle_fix_assignment}});
      continue;
    }
    if (const auto chain = all.chain_in(*range)) {
      const std::size_t first = all.first_of(*chain), second = all.second_of(*chain);
      const std::uint32_t line = lines.line_at(all.begin_of(first));
      if (others.have(line)) continue;
      const std::string both = all.text(chain->begin, chain->end),
                        left = all.text(chain->begin, second);
      found.push_back({line,
                       {words::Id::idle_chain, {{"both", both}, {"left", left}}},
                       {words::Id::idle_fix_chain}});
    }
  }
  return found;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    next[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      next[j] =
          std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        next[j] = std::min(next[j], before[j - 2] + 1);
    }
    before.swap(row);
    row.swap(next);
  }
  return row[b.size()];
}

std::uint32_t loop_without_body(const compile::Diagnostic& error, std::string_view source) {
  if (error.kind != compile::DiagnosticKind::undefined_identifier) return 0;
  const Conditions all(source);
  const compile::Lines lines(source);
  const std::size_t end = lines.begin_of(error.line + 1);
  for (std::size_t i = 0; i < all.count() && all.begin_of(i) < end; ++i)
    if (all.ends_with_variable(i, error.name(0))) return lines.line_at(all.begin_of(i));
  return 0;
}

std::optional<IdleStatement> swapped_parameters(std::string_view source, const std::string& kernel,
                                                const std::vector<std::string>& given) {
  const compile::KernelHead head = compile::kernel_head(source, compile::base_name(kernel));
  const auto& own = head.parameters;
  if (!std::is_permutation(own.begin(), own.end(), given.begin(), given.end())) return std::nullopt;
  const auto [name, wanted] = std::mismatch(own.begin(), own.end(), given.begin());
  if (name == own.end()) return std::nullopt;
  std::string order;
  for (const std::string& parameter : given) order += (order.empty() ? "" : ", ") + parameter;
  return IdleStatement{
      head.line,
      {words::Id::idle_parameter_order, {{"wanted", *wanted}, {"name", std::string(*name)}}},
      {words::Id::idle_fix_parameter_order, {{"order", order}}}};
}

std::optional<IdleStatement> rounding_call(std::string_view source, const std::string& kernel) {
  constexpr std::string_view kFunctions[] = {"pow",  "powf", "__powf", "powi",  "exp",
                                             "expf", "exp2", "exp2f",  "__expf"};
  const std::vector<Token> tokens = compile::tokens_of(source);
  const compile::Lines lines(source);
  const OtherKernels others(source, kernel);
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const bool is_one =
        tokens[i].kind == Token::Kind::word && compile::is_mark(tokens[i + 1], "(") &&
        std::find(std::begin(kFunctions), std::end(kFunctions), tokens[i].spelling) !=
            std::end(kFunctions);
    if (!is_one) continue;
    const std::uint32_t line = lines.line_at(tokens[i].begin);
    if (!others.have(line))
      return IdleStatement{
          line,
          {words::Id::idle_rounding, {{"function", std::string(tokens[i].spelling)}}},
          {words::Id::idle_fix_rounding}};
  }
  return std::nullopt;
}

}  // namespace labkit::device
