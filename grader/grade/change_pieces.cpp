#include "grade/change_pieces.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "compile/edit_scope.h"

namespace labkit::grade::changes {

using compile::Tokens;

namespace {

/// Tokens of a piece in which two parts may have changed places: each pair of parts is compared.
constexpr std::size_t kMostSwapped = 40;

bool is_closing(const Tokens& line, std::size_t i) {
  return line.is(i, ")") || line.is(i, "]") || line.is(i, "}");
}

/// How tightly the binary operator at `i` binds; 0: there is none.
int binds(const Tokens& line, std::size_t i) {
  static constexpr std::pair<std::string_view, int> kRows[] = {
      {"||", 1}, {"&&", 2}, {"|", 3}, {"^", 4},  {"&", 5},  {"==", 6},
      {"!=", 6}, {"<", 7},  {">", 7}, {"<=", 7}, {">=", 7}, {"<<", 8},
      {">>", 8}, {"+", 9},  {"-", 9}, {"*", 10}, {"/", 10}, {"%", 10}};
  const bool has_left = i > 0 && i < line.size() &&
                        (line.is_word(i - 1) || line[i - 1].kind == compile::Token::Kind::number ||
                         is_closing(line, i - 1));
  if (!has_left) return 0;
  for (const auto& [sign, strength] : kRows)
    if (line.is(i, sign)) return strength;
  return 0;
}

/// Of the operators in a piece that no bracket of it holds, the one that binds least; `most` where it has none.
int loosest(const Tokens& line, Piece piece, int most) {
  int least = most;
  for (std::size_t i = piece.begin; i < piece.end; ++i) {
    const std::size_t close = line.close_of(i);
    if (is_opening(line, i) && close < piece.end) i = close;
    if (const int here = binds(line, i); here != 0) least = std::min(least, here);
  }
  return least;
}

}  // namespace

bool is_operator(const Tokens& line, std::size_t i) {
  static constexpr std::string_view kOperators[] = {
      "<",  "<=", ">",  ">=", "==", "!=", "+", "-", "*", "/",  "%",  "&&",
      "||", "=",  "+=", "-=", "*=", "/=", "&", "|", "^", "<<", ">>", "."};
  return i < line.size() && std::ranges::count(kOperators, line[i].spelling) != 0;
}
bool is_opening(const Tokens& line, std::size_t i) {
  return line.is(i, "(") || line.is(i, "[") || line.is(i, "{");
}

Piece with_whole_brackets(const Tokens& line, Piece piece) {
  for (bool grows = true; grows;) {
    grows = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::size_t close = line.close_of(i);
      if (!is_opening(line, i) || close >= line.size()) continue;
      const bool has_open = i >= piece.begin && i < piece.end,
                 has_close = close >= piece.begin && close < piece.end;
      if (has_open == has_close) continue;
      piece = {std::min(piece.begin, i), std::max(piece.end, close + 1)};
      grows = true;
    }
  }
  return piece;
}

std::size_t operand_begin(const Tokens& line, std::size_t end) {
  std::size_t i = end;
  while (i > 0) {
    if (is_closing(line, i - 1)) {
      std::size_t open = i - 1;
      while (open > 0 && line.close_of(open) != i - 1) --open;
      if (line.close_of(open) != i - 1) return i;
      i = open;
    } else if (line.is_word(i - 1) || line[i - 1].kind == compile::Token::Kind::number) {
      --i;
    } else {
      return i;
    }
    if (i == 0 || (!line.is(i - 1, ".") && !is_opening(line, i) && !line.is(i - 1, "->"))) return i;
    if (line.is(i - 1, ".") || line.is(i - 1, "->")) --i;
  }
  return i;
}
std::size_t operand_end(const Tokens& line, std::size_t begin) {
  std::size_t i = begin;
  while (i < line.size() &&
         (line.is(i, "-") || line.is(i, "!") || line.is(i, "*") || line.is(i, "&")))
    ++i;
  while (i < line.size()) {
    if (is_opening(line, i) && line.close_of(i) < line.size())
      i = line.close_of(i) + 1;
    else if (line.is_word(i) || line[i].kind == compile::Token::Kind::number || line.is(i, ".") ||
             line.is(i, "->"))
      ++i;
    else
      break;
  }
  return i;
}

Piece widened(const Tokens& line, Piece piece) {
  piece = with_whole_brackets(line, piece);
  const auto is_one = [&](compile::Token::Kind kind) {
    return piece.begin + 1 == piece.end && line[piece.begin].kind == kind;
  };
  const auto is_number = [&] { return is_one(compile::Token::Kind::number); };
  // `int span = 32 * step`, and a name that is compared
  const auto goes_on = [&] {
    const bool is_compared =
        line.is(piece.end, "<") || line.is(piece.end, "<=") || line.is(piece.end, ">=");
    return (is_one(compile::Token::Kind::word) && is_compared) ||
           (is_number() && piece.begin > 0 && line.is(piece.begin - 1, "=") &&
            is_operator(line, piece.end));
  };
  const auto needs_left = [&] {
    return piece.begin > 0 && piece.begin < line.size() &&
           (is_operator(line, piece.begin) || line.is(piece.begin, "[") ||
            line.is(piece.begin - 1, ".") || line.is(piece.begin - 1, "->") ||
            (is_number() && is_operator(line, piece.begin - 1) && !goes_on()));
  };
  const auto needs_right = [&] {
    return piece.end < line.size() && piece.end > 0 &&
           (is_operator(line, piece.end - 1) || line.is(piece.end, ".") ||
            line.is(piece.end, "[") || goes_on());
  };
  for (int more = 0; more < 4 && (needs_left() || needs_right()); ++more) {
    if (needs_left()) {
      const bool is_behind = !is_operator(line, piece.begin) && !line.is(piece.begin, "[");
      const std::size_t begin = operand_begin(line, piece.begin - (is_behind ? 1 : 0));
      if (begin == piece.begin) break;
      piece.begin = begin;
    }
    if (needs_right()) {
      const std::size_t end = operand_end(line, piece.end + (goes_on() ? 1 : 0));
      if (end == piece.end) break;
      piece.end = end;
    }
    piece = with_whole_brackets(line, piece);
  }
  return piece;
}

Piece with_tighter_neighbours(const Tokens& line, Piece piece, const Tokens& other_line,
                              Piece other) {
  constexpr int kTightest = 100;
  for (bool grows = true; grows;) {
    grows = false;
    const int least =
        std::min(loosest(line, piece, kTightest), loosest(other_line, other, kTightest));
    if (piece.begin > 0 && binds(line, piece.begin - 1) > least) {
      const std::size_t begin = operand_begin(line, piece.begin - 1);
      grows = begin + 1 < piece.begin;
      if (grows) {
        other.begin -= piece.begin - begin;
        piece.begin = begin;
      }
    }
    if (binds(line, piece.end) > least) {
      const std::size_t end = operand_end(line, piece.end + 1);
      if (end > piece.end + 1) {
        grows = true;
        other.end += end - piece.end;
        piece.end = end;
      }
    }
  }
  return piece;
}

std::string line_text(const Tokens& line, Piece piece) {
  std::string text(line.text(piece.begin, std::min(piece.end, line.size())));
  for (std::size_t at = 0; (at = text.find('\n', at)) != text.npos;) text[at] = ' ';
  return text;
}
std::string quoted(const Tokens& line, Piece piece) {
  std::string text = line_text(line, piece);
  return text.size() > kReadable ? text.substr(0, kReadable) + " ..." : text;
}

std::optional<Swap> swap_of(const Tokens& before, Piece from, const Tokens& after, Piece to) {
  if (from.end - from.begin != to.end - to.begin) return std::nullopt;
  const std::size_t n = from.end - from.begin;
  if (n > kMostSwapped) return std::nullopt;
  const auto same = [&](std::size_t at, std::size_t other, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      if (!before[from.begin + at + i].is(after[to.begin + other + i].spelling)) return false;
    return true;
  };
  for (std::size_t first = 1; first < n; ++first)
    for (std::size_t second = 1; first + second < n; ++second) {
      const std::size_t between = n - first - second;
      if (same(0, n - first, first) && same(first, second, between) && same(n - second, 0, second))
        return Swap{.first = {from.begin, from.begin + first},
                    .second = {from.end - second, from.end}};
    }
  return std::nullopt;
}

std::optional<std::pair<std::string, std::string>> same_everywhere(const Tokens& before,
                                                                   const Tokens& after) {
  constexpr std::size_t kMostTokens = 100;
  const std::size_t n = before.size(), m = after.size();
  if (n > kMostTokens || m > kMostTokens) return std::nullopt;
  // of what is common, how much can follow a place in both
  std::vector<std::vector<std::size_t>> common(n + 1, std::vector<std::size_t>(m + 1));
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t k = m; k-- > 0;)
      common[i][k] = before[i].is(after[k].spelling) ? common[i + 1][k + 1] + 1
                                                     : std::max(common[i + 1][k], common[i][k + 1]);
  std::optional<std::pair<std::string, std::string>> same, narrow;  // as it reads, and as it is
  bool is_same = true, is_narrow = true;
  int places = 0;
  for (std::size_t i = 0, k = 0; i < n || k < m;) {
    const auto is_common = [&] {
      return i < n && k < m && before[i].is(after[k].spelling) &&
             common[i][k] == common[i + 1][k + 1] + 1;
    };
    if (is_common()) {
      ++i, ++k;
      continue;
    }
    Piece from{i, i}, to{k, k};
    while ((i < n || k < m) && !is_common())
      k == m || (i < n && common[i + 1][k] == common[i][k]) ? ++i : ++k;
    from.end = i;
    to.end = k;
    const Piece own_to = to;
    Piece wide = from;
    if (from.empty() && is_operator(after, to.begin))
      wide.begin = operand_begin(before, from.begin);
    else if (from.empty() && is_operator(after, to.end - 1))
      wide.end = operand_end(before, from.end);
    wide = widened(before, wide);
    to = {to.begin - (from.begin - wide.begin), to.end + (wide.end - from.end)};
    const std::pair texts{quoted(before, wide), quoted(after, to)},
        own{quoted(before, from), quoted(after, own_to)};
    if (wide.empty()) return std::nullopt;
    is_same = is_same && (!same || texts == *same);
    const bool is_member = from.begin > 0 && before.is(from.begin - 1, ".");
    is_narrow = is_narrow && !from.empty() && !is_member && (!narrow || own == *narrow);
    same = texts;
    narrow = own;
    ++places;
  }
  return places < 2 ? std::nullopt : is_same ? same : is_narrow ? narrow : std::nullopt;
}

namespace {

/// The innermost bracket of this kind around token `at`; the number of tokens if there is none.
std::size_t bracket_around(const compile::Tokens& line, std::string_view open, std::size_t at) {
  for (std::size_t i = std::min(at, line.size()); i-- > 0;)
    if (line.is(i, open) && line.close_of(i) >= at) return i;
  return line.size();
}

/// Of `[j]` in `a[i][j]`, which begins at `open`, the bracket before `i`.
std::size_t first_index(const compile::Tokens& line, std::size_t open) {
  while (open > 1 && open < line.size() && line.is(open - 1, "]")) {
    const std::size_t close = open - 1;
    while (open > 0 && line.close_of(open) != close) --open;
  }
  return open;
}

}  // namespace

words::Message place_of(std::uint32_t number, const compile::Tokens& line, std::size_t at) {
  const auto message = [&](words::Id id, std::size_t name) {
    words::Message made = {id, {{"lines", std::to_string(number)}, {"count", std::int64_t{1}}}};
    if (name < line.size()) made.parameters.push_back({"name", std::string(line[name].spelling)});
    return made;
  };
  const std::size_t none = line.size();
  if (line.is(0, "for") || line.is(0, "while")) return message(words::Id::change_loop, none);
  if (line.is(0, "if") && at <= line.close_of(1)) return message(words::Id::change_condition, none);
  if (line.is(0, "return")) return message(words::Id::change_returned, none);
  if (line.is(0, "define")) return message(words::Id::change_value, 1);
  std::size_t sign = at;  // before what changes
  while (sign > 0 && !compile::is_assignment(line[sign - 1].spelling)) --sign;
  const bool is_declaration = line.is_word(0) && (line.is_word(1) || line.is(1, "<"));
  const std::size_t index = first_index(line, bracket_around(line, "[", at));
  if (index < none && index > 0 && line.is_word(index - 1))
    return message(is_declaration && sign == 0 ? words::Id::change_extent : words::Id::change_index,
                   index - 1);
  if (sign > 1) {
    if (line.is_word(sign - 2)) return message(words::Id::change_value, sign - 2);
    std::size_t open = sign - 2;
    while (open > 0 && line.close_of(open) != sign - 2) --open;
    open = first_index(line, open);
    if (open > 0 && line.is_word(open - 1)) return message(words::Id::change_stored, open - 1);
  }
  std::size_t equals = at;  // behind what changes
  while (equals < none && !line.is(equals, "=")) ++equals;
  if (is_declaration && equals < none && line.is_word(equals - 1))
    return message(words::Id::change_type, equals - 1);
  for (const std::size_t word : {0, 1})  // `p++` and `++p`
    if (line.is_word(word) && (line.is(1 - word, "++") || line.is(1 - word, "--")))
      return message(words::Id::change_value, word);
  if (std::ranges::any_of(line,
                          [](const auto& token) { return compile::is_assignment(token.spelling); }))
    return message(words::Id::change_target, none);
  const std::size_t call = bracket_around(line, "(", at);
  if (call < none && call > 0 && line.is_word(call - 1) && !line.is(call - 1, "if"))
    return message(words::Id::change_argument, call - 1);
  return message(words::Id::change_line, none);
}

}  // namespace labkit::grade::changes
