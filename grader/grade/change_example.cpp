#include "grade/change_example.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

#include "base/text.h"
#include "compile/outline.h"
#include "compile/tokens.h"
#include "grade/change_pieces.h"
#include "grade/repair_search.h"

namespace labkit::grade {
namespace {

using compile::Token;
using compile::Tokens;
using words::Id;

template <std::size_t size>
bool is_one_of(const Token& token, const std::array<std::string_view, size>& all) {
  return std::ranges::find(all, token.spelling) != all.end();
}

bool is_joined(const Token& token) { return token.is("&&") || token.is("||"); }

/// An expression ends beside it.
bool ends_expression(const Token& token) {
  constexpr std::array<std::string_view, 21> kEnds = {
      "(", "[",  "{",  ")",  "]",  "}",  ",",  ";",  "?",  ":",     "!",
      "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "return"};
  return is_one_of(token, kEnds);
}

/// Tokens [begin, end) store nothing and choose nothing.
bool is_value(const Tokens& line, std::size_t begin, std::size_t end) {
  constexpr std::array<std::string_view, 15> kNot = {
      "++", "--", "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "{", ";", "?", ":"};
  for (std::size_t i = begin; i < end; ++i) {
    if (is_one_of(line[i], kNot) || line[i].kind == Token::Kind::text) return false;
    if (line.close_of(i) != line.size() && line.close_of(i) >= end) return false;
  }
  return begin < end;
}

/// Nor do they call anything that does, or read an array, which may end before: they may be computed once more.
bool is_harmless(const Tokens& line, std::size_t begin, std::size_t end) {
  constexpr std::array<std::string_view, 4> kPure = {"min", "max", "abs", "sizeof"};
  for (std::size_t i = begin; i < end; ++i) {
    const bool is_call = line.is(i, "(") && i > begin && line.is_word(i - 1) &&
                         !is_one_of(line[i - 1], kPure) &&
                         !line[i - 1].spelling.starts_with("__shfl_");
    if (is_call || line.is(i, "[") || line.is(i, "->")) return false;
  }
  return is_value(line, begin, end);
}

/// No bracket in [begin, end) closes one before it.
bool is_balanced(const Tokens& line, std::size_t begin, std::size_t end) {
  int depth = 0;
  for (std::size_t i = begin; i < end; ++i) {
    if (line.is(i, "(")) ++depth;
    if (line.is(i, ")") && --depth < 0) return false;
    if (depth == 0 && line.is(i, ",")) return false;
  }
  return depth == 0;
}

/// The opening bracket that token `close` closes; size() where none does.
std::size_t open_of(const Tokens& line, std::size_t close) {
  for (std::size_t i = close; i-- > 0;)
    if (line.close_of(i) == close) return i;
  return line.size();
}

/// Prints where the two differ, first in each of the first blocks, so that what is printed does not depend on how blocks share
/// the machine's cores.
constexpr std::string_view kSeen =
    "template <typename T> struct LabkitKind { static const int kind = T(0.5) != T(0) ? 1 : 0; };"
    "template <> struct LabkitKind<bool> { static const int kind = 2; };"
    "__device__ int labkit_told[4096];"
    "template <typename A, typename B> __device__ A labkit_seen(A before, B after) {"
    "  unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);"
    "  bool differ = LabkitKind<A>::kind == 2 || LabkitKind<B>::kind == 2"
    "      ? (before != A(0)) != (after != B(0)) : (double)before != (double)after;"
    "  if (differ && block < 4096 && atomicExch(&labkit_told[block], 1) "
    "== 0)"
    "    printf(\"\\x01seen %u %u %u %u %u %u %d %.17g %d %.17g\\n\", threadIdx.x, threadIdx.y, "
    "threadIdx.z,"
    "           blockIdx.x, blockIdx.y, blockIdx.z, LabkitKind<A>::kind, (double)before,"
    "           LabkitKind<B>::kind, (double)after);"
    "  return before;"
    "}\n";

/// `other`: what it is compared with.
std::string number_text(int kind, int other, double value) {
  constexpr int kFloat = 1, kTruth = 2;
  if (kind == kTruth || other == kTruth) return value != 0 ? "true" : "false";
  return kind == kFloat ? fmt::format("{:.6g}", value) : fmt::format("{:.0f}", value);
}

/// Behind the includes, since it stands in the namespace of its copy.
std::string probed(const std::string& source, const ChangedLine& line,
                   const ChangedExpression& seen) {
  std::string made(kSeen);
  std::uint32_t number = 0;
  for (const std::string_view one : split_lines(source)) {
    if (++number != line.line) {
      made.append(one).append("\n");
      continue;
    }
    const std::size_t at = one.find(line.before);
    if (at == std::string_view::npos) return {};
    made.append(one.substr(0, at + seen.begin));
    made.append(fmt::format("labkit_seen({}, {})", seen.before, seen.after));
    made.append(one.substr(at + seen.begin + seen.before.size())).append("\n");
  }
  return made;
}

/// Those between the braces of the launch's kernel.
std::vector<ChangedLine> lines_of_kernel(const Grading& grading, const Attempt& attempt) {
  const std::string& source = grading.submission.source;
  const Tokens tokens(source, Tokens::Keep::code);
  std::uint32_t first = 1, last = 0, number = 0;
  for (const compile::DeviceFunction& function : compile::device_functions_of(tokens))
    if (function.name == compile::base_name(attempt.one.kernel) &&
        tokens.close_of(function.body) < tokens.size()) {
      first = tokens[function.body].line;
      last = tokens[tokens.close_of(function.body)].line;
    }
  std::vector<ChangedLine> lines;
  for (const std::string_view line : split_lines(source))
    if (++number >= first && number <= last) lines.push_back({number, std::string(trim(line)), ""});
  return lines;
}

struct Difference {
  launch::Dim3 thread, block;
  std::string was, is;
};

/// The first thread of the launch in which the two have different values.
std::optional<Difference> first_difference(Grading& grading, const ChangedLine& line,
                                           const ChangedExpression& changed,
                                           const Attempt& attempt) {
  if (grading.submission.source.size() > repairs::kMostRepairBytes) return std::nullopt;
  const std::string source = probed(grading.submission.source, line, changed);
  if (source.empty()) return std::nullopt;
  repairs::Search search(grading, source, attempt.one.kernel, {attempt.one.kernel}, 0);
  const repairs::Batch batch = search.unchanged();
  if (batch.sources.empty()) return std::nullopt;
  const device::Outcome outcome = search.run(batch, 0, attempt, attempt.budget);
  const std::size_t at = outcome.printed.find("\x01seen ");
  if (at == std::string::npos) return std::nullopt;
  Difference found;
  launch::Dim3 &thread = found.thread, &block = found.block;
  int kind = 0, other_kind = 0;
  double was = 0, is = 0;
  if (std::sscanf(outcome.printed.c_str() + at, "\x01seen %u %u %u %u %u %u %d %lg %d %lg",
                  &thread.x, &thread.y, &thread.z, &block.x, &block.y, &block.z, &kind, &was,
                  &other_kind, &is) != 10)
    return std::nullopt;
  found.was = number_text(kind, other_kind, was);
  found.is = number_text(other_kind, kind, is);
  return found;
}

}  // namespace

std::optional<ChangedExpression> changed_expression(const ChangedLine& line) {
  if (line.before.starts_with("#")) return std::nullopt;
  const Tokens before(line.before, Tokens::Keep::code), after(line.after, Tokens::Keep::code);
  std::size_t begin = 0, behind = 0;  // tokens that are the same in front, and at the end
  const std::size_t least = std::min(before.size(), after.size());
  while (begin < least && before.is(begin, after[begin].spelling)) ++begin;
  while (behind < least - begin &&
         before[before.size() - 1 - behind].is(after[after.size() - 1 - behind].spelling))
    ++behind;
  bool joins = false;
  for (std::size_t i = begin; i < before.size() - behind; ++i) joins |= is_joined(before[i]);
  for (std::size_t i = begin; i < after.size() - behind; ++i) joins |= is_joined(after[i]);
  const auto ends = [&](const Token& token) {
    return ends_expression(token) || (!joins && is_joined(token));
  };
  while (begin > 0) {
    const std::size_t left = begin - 1;
    const std::size_t open = before.is(left, ")") ? open_of(before, left) : before.size();
    if (open == before.size() && ends(before[left])) break;
    begin = open == before.size() ? left : open;
  }
  while (behind > 0) {
    const std::size_t right = before.size() - behind;
    const std::size_t close = before.is(right, "(") ? before.close_of(right) : before.size();
    if (close == before.size() && ends(before[right])) break;
    behind = before.size() - (close == before.size() ? right : close) - 1;
  }
  const std::size_t end = before.size() - behind, after_end = after.size() - behind;
  // an expression that goes on in another line
  if (begin == 0 || behind == 0 || begin >= end || begin >= after_end) return std::nullopt;
  // the value of a number is no news
  if (begin + 1 == end && before[begin].kind == Token::Kind::number && begin + 1 == after_end &&
      after[begin].kind == Token::Kind::number)
    return std::nullopt;
  if (!is_value(before, begin, end) || !is_harmless(after, begin, after_end) ||
      !is_balanced(before, begin, end) || !is_balanced(after, begin, after_end))
    return std::nullopt;
  return ChangedExpression{before[begin].begin, std::string(before.text(begin, end)),
                           std::string(after.text(begin, after_end))};
}

words::Message example_of(Grading& grading, const Repair& repair, const Attempt& attempt) {
  if (repair.lines.size() != 1) return {};
  const std::optional<ChangedExpression> changed = changed_expression(repair.lines[0]);
  if (!changed || changed->before.size() > changes::kReadable ||
      changed->after.size() > changes::kReadable)
    return {};
  const auto seen = first_difference(grading, repair.lines[0], *changed, attempt);
  if (!seen) return {};
  return {Id::change_example,
          {{"thread", launch::triple(seen->thread)},
           {"block", launch::triple(seen->block)},
           {"before", changed->before},
           {"was", seen->was},
           {"after", changed->after},
           {"is", seen->is}}};
}

words::Message example_of_quotient(Grading& grading, const Attempt& attempt) {
  constexpr int kMostTried = 4;  // each is compiled and run
  int tried = 0;
  for (const ChangedLine& line : lines_of_kernel(grading, attempt)) {
    const Tokens tokens(line.before, Tokens::Keep::code);
    for (std::size_t i = 2; i + 2 < tokens.size() && tried < kMostTried; ++i) {
      if (!tokens.is(i - 2, "=") || !tokens.is_word(i - 1) || !tokens.is(i, "/")) continue;
      const std::size_t end = tokens.is(i + 1, "(") ? tokens.close_of(i + 1) + 1 : i + 2;
      if (!tokens.is(end, ";")) continue;
      const std::string number(tokens.text(i - 1, i)), parts(tokens.text(i + 1, end));
      const ChangedExpression rounded{tokens[i - 1].begin, number + " / " + parts,
                                      fmt::format("({0} + {1} - 1) / {1}", number, parts)};
      if (tokens.text(i - 1, end) != rounded.before) continue;
      ++tried;
      const auto seen = first_difference(grading, line, rounded, attempt);
      if (!seen || seen->was != "0") continue;
      return {Id::rounding_example,
              {{"line", std::int64_t{line.line}},
               {"thread", launch::triple(seen->thread)},
               {"block", launch::triple(seen->block)},
               {"before", rounded.before}}};
    }
  }
  return {};
}

words::Message example_of_answer(Grading& grading, std::string_view answer,
                                 const Attempt& attempt) {
  std::optional<std::pair<ChangedLine, ChangedExpression>> likest;
  std::size_t most = 0;  // bytes that stay
  for (ChangedLine& line : lines_of_kernel(grading, attempt)) {
    line.after = answer;
    const auto changed = changed_expression(line);
    if (!changed || changed->before.size() > changes::kReadable) continue;
    const std::size_t stays = answer.size() - changed->after.size();
    if (stays <= most) continue;
    most = stays;
    likest.emplace(std::move(line), *changed);
  }
  if (!likest) return {};
  const auto seen = first_difference(grading, likest->first, likest->second, attempt);
  if (!seen) return {};
  return {Id::answer_example,
          {{"line", std::int64_t{likest->first.line}},
           {"thread", launch::triple(seen->thread)},
           {"block", launch::triple(seen->block)},
           {"before", likest->second.before},
           {"was", seen->was},
           {"is", seen->is}}};
}

}  // namespace labkit::grade
