#include "grade/change.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "compile/commuted.h"
#include "compile/tokens.h"
#include "grade/change_in_kernel.h"
#include "grade/change_pieces.h"
#include "grade/change_reason.h"

namespace labkit::grade {
namespace {

using namespace changes;
using compile::Tokens;
using words::Id;

/// Each about a line; the lines after these are only named.
constexpr std::size_t kMostSentences = 2;

/// Two names, or two parts as in `threadIdx.x`, that change places in all of the lines, and nothing else changes.
std::optional<std::pair<std::string, std::string>> exchanged(
    const std::vector<ChangedLine>& lines) {
  using Names = std::pair<std::string, std::string>;
  std::optional<Names> names, whole;
  bool goes_both_ways = false, has_one_owner = true;
  for (const ChangedLine& line : lines) {
    const Tokens before(line.before, Tokens::Keep::code), after(line.after, Tokens::Keep::code);
    if (before.size() != after.size()) return std::nullopt;
    const auto name = [](const Tokens& of, std::size_t i, bool with_owner) {
      return std::string(of.text(with_owner && i >= 2 && of.is(i - 1, ".") ? i - 2 : i, i + 1));
    };
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (before.is(i, after[i].spelling)) continue;
      if (!before.is_word(i) || !after.is_word(i)) return std::nullopt;
      Names pair{name(before, i, false), name(after, i, false)},
          owned{name(before, i, true), name(after, i, true)};
      if (!names) std::tie(names, whole) = std::pair(pair, owned);
      if (pair != *names) {
        goes_both_ways = true;
        std::swap(pair.first, pair.second);
        std::swap(owned.first, owned.second);
      }
      if (pair != *names) return std::nullopt;
      has_one_owner = has_one_owner && owned == *whole;
    }
  }
  if (!goes_both_ways) return std::nullopt;
  return has_one_owner ? whole : names;
}

/// Of `inside ? in[i] : 0`, where `in[i]` stood.
std::optional<Piece> condition_of(const Tokens& after, Piece to) {
  if (after.is(to.begin, "(") && after.close_of(to.begin) + 1 == to.end) ++to.begin, --to.end;
  std::size_t mark = to.begin;
  while (mark < to.end && !after.is(mark, "?")) ++mark;
  const bool is_choice = mark < to.end && to.end >= 2 && after.is(to.end - 2, ":") &&
                         (after.is(to.end - 1, "0") || after.is(to.end - 1, "0.0f"));
  return is_choice && mark > to.begin ? std::optional(Piece{to.begin, mark}) : std::nullopt;
}

/// Of `if (inside) {` that becomes `{`.
std::optional<Piece> condition_gone(const Tokens& before, const Tokens& after) {
  const std::size_t close = before.is(0, "if") ? before.close_of(1) : before.size();
  if (close >= before.size() || before.size() - close - 1 != after.size()) return std::nullopt;
  for (std::size_t i = 0; i < after.size(); ++i)
    if (!after.is(i, before[close + 1 + i].spelling)) return std::nullopt;
  return Piece{2, close};
}

bool is_place(Id id) {
  constexpr Id kPlaces[] = {Id::change_other,    Id::change_loop,   Id::change_condition,
                            Id::change_returned, Id::change_value,  Id::change_extent,
                            Id::change_index,    Id::change_type,   Id::change_stored,
                            Id::change_argument, Id::change_target, Id::change_line};
  return std::ranges::count(kPlaces, id) != 0;
}

/// Of `x` in `blockIdx.x` all of it.
Piece with_owner(const Tokens& line, const Piece& part) {
  const bool is_member = part.begin >= 2 && line.is(part.begin - 1, ".");
  return {is_member ? part.begin - 2 : part.begin, part.end};
}

words::Message of_line(const ChangedLine& changed) {
  const words::Parameter line = {"line", std::int64_t{changed.line}};
  if (changed.after.empty()) return {Id::change_deleted, {line, {"before", changed.before}}};
  if (changed.after.starts_with(changed.before + " else ") && changed.after.ends_with("] = 0;"))
    return {Id::change_else_zero, {line}};
  std::string_view old_line = changed.before, new_line = changed.after;
  for (const auto& [before, after] : {std::pair<std::string_view, std::string_view>{"#", "#"},
                                      {"constexpr ", "const "}})  // what follows is what matters
    if (old_line.starts_with(before) && new_line.starts_with(after)) {
      old_line.remove_prefix(before.size());
      new_line.remove_prefix(after.size());
    }
  if (compile::in_one_order(old_line) == compile::in_one_order(new_line)) return {};
  const Tokens before(old_line, Tokens::Keep::code), after(new_line, Tokens::Keep::code);
  if (before.empty())
    return {Id::change_added, {line, {"after", quoted(after, {0, after.size()})}}};
  if (after.empty())
    return {Id::change_deleted, {line, {"before", quoted(before, {0, before.size()})}}};
  if (const auto gone = condition_gone(before, after))
    return {Id::change_condition_gone, {line, {"condition", quoted(before, *gone)}}};
  if (!changed.before.starts_with("if (") && changed.after.starts_with("for (;") &&
      changed.after.ends_with(changed.before))
    return {Id::change_repeated, {line}};
  if (!changed.before.empty() && changed.after.starts_with(changed.before + "\n")) {
    const Tokens added(std::string_view(changed.after).substr(changed.before.size() + 1),
                       Tokens::Keep::code);
    if (std::ranges::count(changed.after, '\n') > 1) return {Id::change_added_lines, {line}};
    return {Id::change_added_behind, {line, {"after", quoted(added, {0, added.size()})}}};
  }
  Piece from{0, before.size()}, to{0, after.size()};
  while (!from.empty() && !to.empty() && before[from.begin].is(after[to.begin].spelling))
    ++from.begin, ++to.begin;
  while (!from.empty() && !to.empty() && before[from.end - 1].is(after[to.end - 1].spelling))
    --from.end, --to.end;
  if (from.empty() && to.empty()) return {};
  if (from.empty() && after.is(to.begin, "if") && after.is(to.begin + 1, "(") &&
      after.close_of(to.begin + 1) < to.end)
    return {
        after.is(after.close_of(to.begin + 1) + 1, "return") ? Id::change_return : Id::change_guard,
        {line, {"condition", quoted(after, {to.begin + 2, after.close_of(to.begin + 1)})}}};
  if (from.empty() && after.is(to.end - 1, ";"))
    return {Id::change_added, {line, {"after", quoted(after, to)}}};
  // a store that a condition left out becomes a store of 0
  if (before.is(from.begin, "if"))
    for (std::size_t mark = to.begin; mark + 1 < after.size(); ++mark)
      if (after.is(mark, "?") && before.is(from.begin + 1, "(") &&
          before.close_of(from.begin + 1) < before.size())
        return {Id::change_zero,
                {line,
                 {"condition", quoted(before, {from.begin + 2, before.close_of(from.begin + 1)})}}};
  if (const auto condition = condition_of(after, to))
    return {Id::change_choice, {line, {"condition", quoted(after, *condition)}}};
  const auto swap = swap_of(before, from, after, to);
  Piece wide_from = from;
  if (from.empty()) {  // beside what is inserted
    wide_from.begin -= wide_from.begin == before.size() ? 1 : 0;
    wide_from.end = wide_from.begin + 1;
  }
  if (from.empty() && wide_from.begin > 0 && !before.is_word(wide_from.begin) &&
      operand_begin(before, from.begin) < from.begin)
    wide_from = {operand_begin(before, from.begin), from.begin};
  const auto adds = [&](std::initializer_list<std::string_view> signs) {
    return from.empty() && std::ranges::any_of(signs, [&](std::string_view sign) {
             return after.is(to.begin, sign);
           });
  };
  const bool is_join =
      from.end == from.begin + 1 && (before.is(from.begin, "&&") || before.is(from.begin, "||"));
  for (std::size_t i = from.begin; (is_join || adds({"&&", "||", "+", "-"})) && i-- > 0;) {
    if (!is_opening(before, i) || before.close_of(i) < from.begin) continue;
    const bool is_head = i > 0 && before.is_word(i - 1);  // of a condition, or of a call
    if (is_join)
      wide_from = {i + 1, before.close_of(i)};
    else if (before.is(i, "(") && (!is_head || adds({"&&", "||"})))  // all of it
      wide_from = {i, std::min(before.close_of(i) + 1, before.size())};
    if (before.is(i, "(") || adds({"+", "-"})) break;
  }
  wide_from = widened(before, wide_from);
  const bool is_bracket =
      (before.is(wide_from.begin, "(") && before.close_of(wide_from.begin) + 1 == wide_from.end) ||
      (after.is(to.begin, "(") && after.close_of(to.begin) + 1 == to.end);
  if (is_bracket && is_operator(before, wide_from.end))  // parentheses mean nothing by themselves
    wide_from.end = operand_end(before, wide_from.end + 1);
  else if (is_bracket && wide_from.begin > 0 && is_operator(before, wide_from.begin - 1))
    wide_from.begin = operand_begin(before, wide_from.begin - 1);
  // as much of the other as is common on both sides
  Piece wide_to{to.begin - (from.begin - wide_from.begin), to.end + (wide_from.end - from.end)};
  if (const Piece whole = with_whole_brackets(after, wide_to);
      whole.begin < wide_to.begin || whole.end > wide_to.end) {
    wide_from = with_whole_brackets(before, {wide_from.begin - (wide_to.begin - whole.begin),
                                             wide_from.end + (whole.end - wide_to.end)});
    wide_to = {to.begin - (from.begin - wide_from.begin), to.end + (wide_from.end - from.end)};
  }
  if (wide_to.empty() && wide_from.end < before.size()) ++wide_from.end, ++wide_to.end;
  const Piece whole = with_tighter_neighbours(before, wide_from, after, wide_to);
  wide_to = {wide_to.begin - (wide_from.begin - whole.begin),
             wide_to.end + (whole.end - wide_from.end)};
  wide_from = whole;
  const words::Parameter old_text = {"before", quoted(before, wide_from)},
                         new_text = {"after", quoted(after, wide_to)};
  if (swap) {
    const bool are_indices = before.is(swap->first.end, "]") && before.is(swap->first.end + 1, "[");
    const std::size_t open = swap->first.begin;
    if (are_indices && open >= 2 && before.is(open - 1, "[") && before.is_word(open - 2))
      return {changed.before.starts_with("__shared__") ? Id::change_swapped_extents
                                                       : Id::change_swapped_indices,
              {line, {"array", std::string(before[open - 2].spelling)}, old_text, new_text}};
    return {Id::change_exchanged,
            {line,
             {"first", quoted(before, with_owner(before, swap->first))},
             {"second", quoted(before, with_owner(before, swap->second))},
             old_text,
             new_text}};
  }
  if (const auto names = exchanged({changed}))
    return {Id::change_exchanged, {line, {"first", names->first}, {"second", names->second}}};
  words::Message place = place_of(changed.line, before, from.begin);
  const auto same = same_everywhere(before, after);
  const std::string was = same ? same->first : quoted(before, wide_from),
                    is = same ? same->second : quoted(after, wide_to);
  const auto is_one_word = [](const std::string& text) {
    return std::ranges::all_of(text, compile::is_word_character);
  };
  if (is_one_word(was) && is_one_word(is)) place.id = Id::change_other;
  place.parameters.push_back({"before", was});
  place.parameters.push_back({"after", is});
  return place;
}

std::string numbers_of(const std::vector<ChangedLine>& lines) {
  std::string all;
  for (const ChangedLine& one : lines) all += (all.empty() ? "" : ", ") + std::to_string(one.line);
  return all;
}

/// `if (r < 0) r = 0;`: what is tested is set.
bool sets_what_it_tests(const std::string& line) {
  constexpr std::string_view kBegin = "if (";
  if (!line.starts_with(kBegin)) return false;
  const std::size_t blank = line.find(' ', kBegin.size()), close = line.find(") ");
  if (blank == std::string::npos || close == std::string::npos || blank > close) return false;
  const std::string name = line.substr(kBegin.size(), blank - kBegin.size());
  return std::string_view(line).substr(close + 2).starts_with(name + " = ");
}

/// `r = min(max(r, 0), rows - 1);` goes, and `in[...]` becomes `r >= 0 && r < rows ? in[...] : 0`.
words::Message not_clamped(const std::vector<ChangedLine>& lines) {
  std::vector<ChangedLine> clamps;
  bool is_zero = false;
  for (const ChangedLine& one : lines) {
    const auto loses = [&](std::string_view what) {
      return one.before.find(what) != std::string::npos &&
             one.after.find(what) == std::string::npos;
    };
    const bool has_zero = one.after.find(" >= 0 && ") != std::string::npos &&
                          one.after.find(" : 0") != std::string::npos &&
                          one.before.find(" >= 0 && ") == std::string::npos;
    is_zero = is_zero || has_zero;
    if (loses("min(") || loses("max(") || (one.after.empty() && sets_what_it_tests(one.before)))
      clamps.push_back(one);
    else if (!has_zero)
      return {};
  }
  if (!is_zero || clamps.empty()) return {};
  return {Id::change_clamped,
          {{"lines", numbers_of(clamps)}, {"count", static_cast<std::int64_t>(clamps.size())}}};
}

/// What several lines come to in one sentence; none where they do not.
words::Message of_lines(const std::vector<ChangedLine>& lines) {
  const auto line_of = [](const ChangedLine& one) { return std::int64_t{one.line}; };
  if (lines.size() == 2 && lines[0].after == lines[1].before && lines[1].after == lines[0].before)
    return {Id::change_order, {{"first", line_of(lines[0])}, {"second", line_of(lines[1])}}};
  for (const auto& whole : {array_of_its_own, own_conditions})
    if (words::Message one = whole(lines)) return one;
  if (words::Message zero = not_clamped(lines)) return zero;
  const auto becomes_loop = [](const ChangedLine& one) {
    return one.before.starts_with("if (") && one.after.starts_with("for (");
  };
  if (!lines.empty() && std::ranges::all_of(lines, becomes_loop))
    return {Id::change_if_loops,
            {{"lines", numbers_of(lines)}, {"count", static_cast<std::int64_t>(lines.size())}}};
  if (!lines.empty() && std::ranges::all_of(lines, shares_loop))
    return {Id::change_whole_loop,
            {{"lines", numbers_of(lines)}, {"count", static_cast<std::int64_t>(lines.size())}}};
  for (const ChangedLine& one : lines) {  // `float tile[8][32];` of `float tile[32];`
    const std::size_t open = one.before.find('[');
    if (lines.size() == 1 || open == std::string::npos || !one.before.starts_with("__shared__"))
      continue;
    const std::size_t close = one.after.find(']', open);
    std::size_t first = open;
    while (first > 0 && compile::is_word_character(one.before[first - 1])) --first;
    if (close != std::string::npos &&
        one.before == std::string(one.after).erase(open, close + 1 - open))
      return {Id::change_tile_for_each_warp, {{"array", one.before.substr(first, open - first)}}};
  }
  return {};
}

/// Statements that go from one line to another; a sum that is stored once is stored with a plain `=`.
std::vector<words::Message> moved(const std::vector<ChangedLine>& lines) {
  if (lines.size() == 2 && lines[1].before == "}" && lines[1].after.empty() &&
      lines[0].after.starts_with("}") && lines[0].after.ends_with(lines[0].before) &&
      !lines[0].before.starts_with("__pipeline"))
    return {{Id::change_if_ends,
             {{"line", std::int64_t{lines[0].line}},
              {"before", lines[0].after.find("__syncthreads()") == std::string::npos
                             ? lines[0].before
                             : "__syncthreads();"}}}};
  std::vector<words::Message> all;
  for (const ChangedLine& one : lines)
    for (const ChangedLine& other : lines) {
      const std::string stored = replace_all(one.before, "+=", "=");
      if (one.before != "}" && one.after.empty() && !one.before.empty() && !other.after.empty() &&
          other.before.find(one.before) == std::string::npos &&
          (other.after.find(one.before) != std::string::npos ||
           other.after.find(stored) != std::string::npos) &&
          all.size() < kMostSentences)
        all.push_back({other.after.starts_with(one.before) ? Id::change_moved_before
                                                           : Id::change_moved_behind,
                       {{"line", std::int64_t{one.line}},
                        {"before", one.before},
                        {"other", std::int64_t{other.line}}}});
    }
  const auto other_of = [](const words::Message& one) { return *one.find("other"); };
  const bool is_one_block =
      all.size() > 1 && std::ranges::all_of(all, [&](const words::Message& one) {
        return one.id == Id::change_moved_behind && other_of(one) == other_of(all.front());
      });
  if (!is_one_block) return all;
  std::uint32_t first = 0, last = 0;  // all that goes, with the brackets between
  for (const ChangedLine& one : lines)
    if (one.after.empty()) first = first == 0 ? one.line : first, last = one.line;
  return {{Id::change_moved_lines,
           {{"first", std::int64_t{first}},
            {"last", std::int64_t{last}},
            {"other", other_of(all.front())}}}};
}

/// Of two lines and more the sentences, where the first do not read by themselves: the lines that they are about go.
std::vector<words::Message> of_pair(std::vector<ChangedLine>& lines) {
  const ChangedLine first = lines[0], second = lines[1];
  if (!first.after.empty() || !first.before.starts_with("if (") || second.after.empty() ||
      first.before.ends_with("{"))
    return {};
  if (first.before.ends_with("return;")) {  // the opposite is a condition further down
    const words::Message guard = of_line(second);
    if (guard.id != Id::change_guard) return {};
    lines.erase(lines.begin(), lines.begin() + 2);
    return {{Id::change_returns_early,
             {{"line", std::int64_t{first.line}},
              {"condition", *guard.find("condition")},
              {"other", std::int64_t{second.line}}}}};
  }
  // an `if` taken off a store that becomes `inside ? value : 0`
  lines.erase(lines.begin(), lines.begin() + 2);
  return {of_line({second.line, first.before + " " + second.before, second.after})};
}

/// Only so that a variable can change.
bool drops_const(const ChangedLine& line) {
  const std::size_t at = line.before.find("const ");
  return at != std::string::npos && line.after == std::string(line.before).erase(at, 6);
}

/// Two lines that exchange a piece, or the same change in several.
words::Message of_all(const std::vector<ChangedLine>& lines,
                      const std::vector<words::Message>& each) {
  const auto are = [&](Id id) {
    return each.size() > 1 && std::ranges::all_of(each, [&](const words::Message& one) {
             return one.id == id && one.id == each[0].id;
           });
  };
  if (are(Id::change_swapped_indices)) {
    const words::Value& array = *each[0].find("array");
    const bool is_one = std::ranges::all_of(
        each, [&](const words::Message& one) { return *one.find("array") == array; });
    return is_one ? words::Message{Id::change_swapped_indices_lines,
                                   {{"lines", numbers_of(lines)}, {"array", array}}}
                  : words::Message{};
  }
  if (are(Id::change_zero)) return {Id::change_zero_lines, {{"lines", numbers_of(lines)}}};
  if (each.size() != 2 || !is_place(each[0].id) || !is_place(each[1].id)) return {};
  const words::Value &before = *each[0].find("before"), &after = *each[0].find("after");
  if (*each[1].find("before") == after && *each[1].find("after") == before)
    return {Id::change_swapped_lines,
            {{"first", std::int64_t{lines[0].line}},
             {"second", std::int64_t{lines[1].line}},
             {"before", before},
             {"after", after}}};
  return {};
}

/// The same at another line becomes one sentence about both; false where it is not the same.
bool joins(words::Message& sentence, const words::Message& other) {
  const auto same = [&](const char* name) {
    const words::Value *one = sentence.find(name), *two = other.find(name);
    return one == two || (one && two && *one == *two);
  };
  if (!is_place(sentence.id) || sentence.id != other.id) return false;
  if (sentence.id == Id::change_other ? !same("before") || !same("after") : !same("name"))
    return false;
  for (words::Parameter& one : sentence.parameters)
    if (one.name == "lines")
      one.value =
          std::get<std::string>(one.value) + ", " + std::get<std::string>(*other.find("lines"));
    else if (one.name == "count")
      one.value = std::get<std::int64_t>(one.value) + 1;
  return true;
}

std::vector<words::Message> sentences_of(const std::vector<ChangedLine>& lines) {
  if (const words::Message whole = of_lines(lines)) return {whole};
  if (const words::Message once = stored_once(lines)) return {once};
  std::vector<words::Message> sentences = moved(lines);
  if (!sentences.empty()) return sentences;
  std::vector<ChangedLine> left = lines;
  while (left.size() > 1) {
    std::vector<words::Message> pair = of_pair(left);
    if (pair.empty()) break;
    sentences.insert(sentences.end(), pair.begin(), pair.end());
  }
  std::vector<words::Message> each;
  for (const ChangedLine& one : left) each.push_back(of_line(one));
  if (const words::Message one = of_all(left, each)) {
    sentences.push_back(one);
    return sentences;
  }
  if (const auto names = exchanged(lines); names && lines.size() > 1)
    return {{Id::change_exchanged_lines,
             {{"lines", numbers_of(lines)}, {"first", names->first}, {"second", names->second}}}};
  std::string more;
  std::int64_t count = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const auto takes = [&](words::Message& sentence) { return joins(sentence, each[i]); };
    if (!each[i] || std::ranges::any_of(sentences, takes)) continue;
    if (sentences.size() < kMostSentences && (left.size() == 1 || !drops_const(left[i]))) {
      sentences.push_back(each[i]);
      continue;
    }
    more += (more.empty() ? "" : ", ") + std::to_string(left[i].line);
    ++count;
  }
  if (count > 0) sentences.push_back({Id::change_more, {{"lines", more}, {"count", count}}});
  return sentences;
}

}  // namespace

std::string_view without_comment(std::string_view line) {
  bool is_quoted = false;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    is_quoted = is_quoted != (line[i] == '"');
    if (!is_quoted && line[i] == '/' && line[i + 1] == '/') return trim(line.substr(0, i));
  }
  return line;
}

std::vector<words::Message> describe_change(const std::vector<ChangedLine>& changed,
                                            std::string_view source, words::Message reason) {
  std::vector<ChangedLine> lines = changed;
  for (ChangedLine& line : lines)
    for (std::string* const text : {&line.before, &line.after})
      if (!text->starts_with("//") && text->find('\n') == std::string::npos)
        *text = std::string(without_comment(*text));
  std::vector<words::Message> sentences = sentences_of(lines);
  if (!reason) reason = reason_of(sentences, lines, source);
  if (!reason) return sentences;
  if (names_only_places(sentences))
    sentences = {
        {Id::change_at,
         {{"lines", numbers_of(lines)}, {"count", static_cast<std::int64_t>(lines.size())}}}};
  sentences.push_back(std::move(reason));
  return sentences;
}

bool names_only_places(const std::vector<words::Message>& why) {
  constexpr Id kSeen[] = {Id::change_deleted, Id::change_added, Id::change_added_behind,
                          Id::change_added_lines, Id::change_more};
  return std::ranges::all_of(why, [&](const words::Message& one) {
    return is_place(one.id) || std::ranges::count(kSeen, one.id) != 0;
  });
}

}  // namespace labkit::grade
