#include "grade/change_in_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "base/text.h"
#include "compile/tokens.h"

namespace labkit::grade {
namespace {

using compile::Tokens;
using words::Id;

/// What differs in the middle of a line, as tokens [begin, end) of both.
struct MiddleChange {
  Tokens before, after;
  std::size_t begin = 0, old_end = 0, new_end = 0;

  explicit MiddleChange(const ChangedLine& line)
      : before(line.before, Tokens::Keep::code),
        after(line.after, Tokens::Keep::code),
        old_end(before.size()),
        new_end(after.size()) {
    const auto is_same = [&](std::size_t i, std::size_t k) {
      return before.is(i, after[k].spelling);
    };
    while (begin < old_end && begin < new_end && is_same(begin, begin)) ++begin;
    while (old_end > begin && new_end > begin && is_same(old_end - 1, new_end - 1))
      --old_end, --new_end;
  }
};

std::string with_name(const Tokens& of, std::string_view name, const std::string& by) {
  std::string made;
  for (std::size_t i = 0; i < of.size(); ++i)
    made += (of.is(i, name) ? by : std::string(of[i].spelling)) + " ";
  return made;
}
std::string spaced(const Tokens& of) { return with_name(of, {}, {}); }
std::string with_exchanged(const Tokens& of, std::string_view first, std::string_view second) {
  std::string made;
  for (std::size_t i = 0; i < of.size(); ++i)
    made += std::string(of.is(i, first) ? second : of.is(i, second) ? first : of[i].spelling) + " ";
  return made;
}

bool gains(const ChangedLine& line, std::string_view part) {
  return line.after.find(part) != line.after.npos && line.before.find(part) == line.before.npos;
}

/// `array[first][second]` that begins at token `i`; `end` is behind it.
struct Element {
  std::string first, second;
  std::size_t end = 0;
};
std::optional<Element> element_at(const Tokens& of, std::size_t i) {
  const std::size_t close = of.is(i + 1, "[") ? of.close_of(i + 1) : of.size();
  if (close >= of.size() || !of.is(close + 1, "[") || of.close_of(close + 1) >= of.size())
    return std::nullopt;
  const std::size_t last = of.close_of(close + 1);
  return Element{std::string(of.text(i + 2, close)), std::string(of.text(close + 2, last)),
                 last + 1};
}

/// `stage[row][turned(k, t)]` that becomes what another line stores to, for its own row.
words::Message as_it_is_stored(const ChangedLine& line, const Tokens& source) {
  const MiddleChange change(line);
  for (std::size_t i = 0; i < change.after.size(); ++i) {
    const auto read = element_at(change.after, i);
    if (!read || i > change.begin || read->end < change.new_end || change.after.is(read->end, "="))
      continue;
    for (std::size_t k = 0; k < source.size(); ++k) {
      if (!source.is(k, change.after[i].spelling) || source[k].line == line.line) continue;
      const auto store = element_at(source, k);
      if (!store || !source.is(store->end, "=") || store->first == read->first) continue;
      const Tokens stored(store->second, Tokens::Keep::code),
          wanted(read->second, Tokens::Keep::code);
      const bool is_its_own = with_name(stored, store->first, read->first) == spaced(wanted) ||
                              with_exchanged(stored, store->first, read->first) == spaced(wanted);
      if (is_its_own && stored.size() > 1)
        return {Id::change_as_stored,
                {{"line", std::int64_t{source[k].line}},
                 {"element", std::string(source.text(k, store->end))}}};
    }
  }
  return {};
}

/// `y * blockDim.x + x` that becomes `y * (blockDim.x + 1) + x`, which another line has: that line, and "(blockDim.x + 1)".
words::Message longer_row(const ChangedLine& line, const Tokens& source) {
  const MiddleChange change(line);
  for (std::size_t open = 0; open + 1 < change.after.size(); ++open) {
    const std::size_t close = change.after.close_of(open);
    if (!change.after.is(open, "(") || open == 0 || !change.after.is(open - 1, "*") ||
        close >= change.after.size() || open != change.begin)
      continue;
    const std::string_view row = change.after.text(open, close + 1);
    for (std::size_t k = 1; k + 1 < source.size(); ++k)
      if (source.is(k, "(") && source.is(k - 1, "*") && source[k].line != line.line &&
          source.close_of(k) < source.size() && source.text(k, source.close_of(k) + 1) == row)
        return {Id::change_same_pitch,
                {{"line", std::int64_t{source[k].line}}, {"after", std::string(row)}}};
  }
  return {};
}

/// `threads * kHeight`, where `threads = blockDim.x` was meant for all threads of the block.
bool is_row_of_threads(const ChangedLine& line, std::string_view source) {
  const MiddleChange change(line);
  if (change.old_end != change.begin || change.new_end != change.begin + 2 || change.begin == 0 ||
      !change.after.is(change.begin, "*"))
    return false;
  const std::string given(change.after[change.begin - 1].spelling);
  return source.find(given + " = blockDim.x;") != source.npos;
}

/// `r = within(top + y, rows)` that becomes `r = top + y`, and another line that puts 0 where that is outside.
words::Message brought_back(const ChangedLine& line, const std::vector<ChangedLine>& lines) {
  const bool has_zeros = std::ranges::any_of(
      lines, [](const ChangedLine& one) { return gains(one, ": 0") && gains(one, ">= 0"); });
  const MiddleChange change(line);
  const Tokens& before = change.before;
  for (std::size_t i = 0; has_zeros && i < change.begin + 1 && i + 1 < before.size(); ++i) {
    const std::size_t close =
        before.is_word(i) && before.is(i + 1, "(") ? before.close_of(i + 1) : before.size();
    if (close >= before.size()) continue;
    std::size_t comma = close;
    while (comma > i && !before.is(comma, ",")) --comma;
    if (comma == i) continue;
    const std::string without = std::string(before.text(0, i)) + " " +
                                std::string(before.text(i + 2, comma)) + " " +
                                std::string(before.text(close + 1, before.size()));
    if (spaced(Tokens(without, Tokens::Keep::code)) == spaced(change.after))
      return {Id::change_brought_back, {{"before", std::string(before.text(i, close + 1))}}};
  }
  return {};
}

/// `y < rows` that becomes `top + y < rows`, where a pointer was moved by `top` rows.
words::Message from_moved_pointer(const ChangedLine& line, const Tokens& source) {
  const MiddleChange change(line);
  const std::size_t at = change.begin;
  if (!change.after.is_word(at) || !change.after.is(at + 1, "+") || !change.before.is_word(at) ||
      !change.after.is(at + 2, change.before[at].spelling))
    return {};
  for (std::size_t i = 1; i < source.size(); ++i) {
    if (!source.is(i, "+=") || source[i].line >= line.line) continue;
    bool has_it = false, is_pointer = false;
    for (std::size_t k = i; k < source.size() && !source.is(k, ";"); ++k)
      has_it = has_it || source.is(k, change.after[at].spelling);
    for (std::size_t k = 0; k + 1 < source.size(); ++k)
      is_pointer = is_pointer || (source.is(k, source[i - 1].spelling) && source.is(k + 1, "["));
    if (has_it && is_pointer)
      return {Id::change_moved_pointer,
              {{"line", std::int64_t{source[i].line}},
               {"name", std::string(source[i - 1].spelling)},
               {"before", std::string(change.before[at].spelling)},
               {"after", std::string(change.after.text(at, at + 3))}}};
  }
  return {};
}

/// `lane == 31` that becomes `lane == 0`, also where a constant is that lane.
bool is_first_lane(const ChangedLine& line, std::string_view source) {
  const MiddleChange change(line);
  return source.find("__shfl_down_sync") != source.npos && change.new_end == change.begin + 1 &&
         change.after.is(change.begin, "0") && change.begin > 0 &&
         (change.before.is(change.begin - 1, "==") ||
          (change.before.is(change.begin - 1, "=") && change.old_end == change.begin + 1));
}

/// `round < 8` that becomes `round * threads < n`: "n".
std::string length_for_number(const ChangedLine& line, std::string_view source) {
  const auto test_of = [](const std::string& head) {
    const std::size_t first = head.find(';'), second = head.find(';', first + 1);
    const bool is_head = head.starts_with("for (") && second != head.npos;
    return Tokens(
        is_head ? std::string_view(head).substr(first + 1, second - first - 1) : std::string_view(),
        Tokens::Keep::code);
  };
  const Tokens before = test_of(line.before), after = test_of(line.after);
  if (before.size() != 3 || before[2].kind != compile::Token::Kind::number || after.size() < 3 ||
      !after.is_word(after.size() - 1) || !after.is(after.size() - 2, "<"))
    return {};
  const std::string name(after[after.size() - 1].spelling);
  const bool is_given = source.find("int " + name + ",") != source.npos ||
                        source.find("int " + name + ")") != source.npos;
  return is_given ? name : "";
}

/// The brace that closes a loop stands on that line.
bool ends_a_loop(std::uint32_t line, const Tokens& source) {
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (!source.is(i, "for") && !source.is(i, "while")) continue;
    const std::size_t open = source.close_of(i + 1) + 1;
    if (source.is(open, "{") && source.close_of(open) < source.size() &&
        source[source.close_of(open)].line == line)
      return true;
  }
  return false;
}

/// `if (tx < kTile && ...)` that becomes `if (row < rows && ...)`.
words::Message size_of_the_array(const ChangedLine& line, std::string_view source) {
  const auto bound_of = [](const std::string& text) {
    const Tokens head(text.starts_with("if (") ? std::string_view(text) : std::string_view(),
                      Tokens::Keep::code);
    std::size_t sign = 0;
    while (sign < head.size() && !head.is(sign, "<")) ++sign;
    std::size_t end = sign + 1;
    while (end < head.size() && !head.is(end, "&&") && !head.is(end, ")")) ++end;
    return end < head.size() ? std::string(head.text(sign + 1, end)) : std::string();
  };
  const std::string before = bound_of(line.before), after = bound_of(line.after);
  if (before.empty() || after.empty() || before == after) return {};
  const auto has = [&](const std::string& what) { return source.find(what) != source.npos; };
  const bool is_fixed = before.find("Dim.") != std::string::npos ||
                        has("constexpr int " + before) ||
                        before.find_first_not_of("0123456789") == std::string::npos;
  const bool is_given = has("int " + after + ",") || has("int " + after + ")");
  if (!is_fixed || !is_given) return {};
  return {Id::change_matrix_size, {{"before", before}, {"after", after}}};
}

/// `kWidth + kRadius` that becomes `kWidth + 2 * kRadius`, as the extents of an array have it: "kRadius".
std::string width_of_the_halo(const ChangedLine& line, std::string_view source) {
  const MiddleChange change(line);
  if (change.old_end != change.begin || change.new_end != change.begin + 2 ||
      !change.after.is(change.begin, "2") || !change.after.is(change.begin + 1, "*"))
    return {};
  const std::string name(change.after.text(change.new_end, change.new_end + 1));
  for (const std::string_view one : split_lines(source))
    if (one.find("__shared__") != one.npos && one.find("2 * " + name) != one.npos) return name;
  return {};
}

/// `buffer[turn]` that becomes `buffer[1 - turn]`.
bool goes_to_other_buffer(const ChangedLine& line) {
  const MiddleChange change(line);
  const std::string_view more = change.after.text(change.begin, change.new_end);
  return more.starts_with("1 -") || more.starts_with("^ 1") || more == "!";
}

/// `out[i] = p;` and `p *= x;` in the wrong order.
words::Message order_of_store(const std::vector<ChangedLine>& lines) {
  for (std::size_t store = 0; store < lines.size() && lines.size() == 2; ++store) {
    const Tokens stored(lines[store].before, Tokens::Keep::code),
        other(lines[1 - store].before, Tokens::Keep::code);
    const std::size_t end = stored.size();
    const bool is_store = end > 4 && stored.is(end - 1, ";") && stored.is_word(end - 2) &&
                          stored.is(end - 3, "=") && stored.is(end - 4, "]");
    if (!is_store || other.size() < 3 || !other.is(0, stored[end - 2].spelling) ||
        !other[1].spelling.ends_with('='))
      continue;
    return {store == 0 ? Id::change_stored_early : Id::change_stored_late,
            {{"name", std::string(stored[end - 2].spelling)}}};
  }
  return {};
}

/// `tile[N + 1][N]` that becomes `tile[N][N + 1]`.
bool pads_rows(const ChangedLine& line) {
  const Tokens before(line.before, Tokens::Keep::code), after(line.after, Tokens::Keep::code);
  const auto extents = [](const Tokens& of) {
    std::size_t open = 0;
    while (open < of.size() && !of.is(open, "[")) ++open;
    const auto element = open > 0 && open < of.size() ? of.close_of(open) : of.size();
    if (element + 1 >= of.size() || !of.is(element + 1, "["))
      return std::pair<std::string, std::string>();
    return std::pair(std::string(of.text(open + 1, element)),
                     std::string(of.text(element + 2, of.close_of(element + 1))));
  };
  const auto [rows, columns] = extents(before);
  const auto [fewer, more] = extents(after);
  return before.is(0, "__shared__") && rows == more && columns == fewer &&
         rows.starts_with(columns + " +");
}

}  // namespace

bool reads_as_stored(const std::vector<ChangedLine>& lines, std::string_view source) {
  return lines.size() == 1 &&
         bool(as_it_is_stored(lines.front(), Tokens(source, Tokens::Keep::code)));
}

words::Message own_conditions(const std::vector<ChangedLine>& lines) {
  const auto chooses = [](const ChangedLine& line) {
    return line.before.find('?') == line.before.npos && line.after.find(" ? ") != line.after.npos &&
           line.after.ends_with(" : 0;");
  };
  if (lines.size() < 3 || !lines[0].before.starts_with("if (") || !lines[0].after.empty() ||
      std::ranges::count_if(lines, chooses) < 2)
    return {};
  return {Id::change_own_conditions, {{"line", std::int64_t{lines[0].line}}}};
}

words::Message stored_once(const std::vector<ChangedLine>& lines) {
  for (const ChangedLine& taken : lines) {
    const Tokens before(taken.before, Tokens::Keep::code);
    for (std::size_t i = 1; i < before.size(); ++i) {
      if (!before.is(i, "+=") || !before.is(i - 1, "]") || !taken.after.empty()) continue;
      std::string stored = taken.before;
      stored.replace(before[i].begin, before[i].length, "=");
      const bool comes_later = std::ranges::any_of(lines, [&](const ChangedLine& line) {
        return line.after.starts_with("}") && line.after.find(stored) != line.after.npos;
      });
      std::size_t array = 0;  // whose bracket ends before the sign
      while (array + 2 < i && (!before.is(array + 1, "[") || before.close_of(array + 1) != i - 1))
        ++array;
      if (comes_later)
        return {
            Id::change_stored_once,
            {{"line", std::int64_t{taken.line}}, {"array", std::string(before[array].spelling)}}};
    }
  }
  return {};
}

words::Message reason_in_kernel(const std::vector<ChangedLine>& lines, std::string_view source) {
  const Tokens tokens(source, Tokens::Keep::code);
  const bool drops_barrier = std::ranges::any_of(lines, [](const ChangedLine& line) {
    return line.before.starts_with("__syncthreads()") && line.after.empty();
  });
  if (words::Message reason = order_of_store(lines)) return reason;
  for (const ChangedLine& line : lines) {
    if (pads_rows(line)) return {Id::change_pads_rows};
    if (drops_barrier && gains(line, "__syncthreads()") && ends_a_loop(line.line, tokens))
      return {Id::change_barrier_behind_loop};
    if (lines.size() == 1)
      if (words::Message reason = as_it_is_stored(line, tokens)) return reason;
    if (words::Message reason = longer_row(line, tokens)) return reason;
    if (is_row_of_threads(line, source)) return {Id::change_block_threads};
    if (words::Message reason = from_moved_pointer(line, tokens)) return reason;
    if (words::Message reason = brought_back(line, lines)) return reason;
    if (words::Message reason = size_of_the_array(line, source)) return reason;
    if (const std::string name = width_of_the_halo(line, source); !name.empty())
      return {Id::change_both_sides, {{"name", name}}};
    if (line.before.find("memcpy_async") != line.before.npos && goes_to_other_buffer(line))
      return {Id::change_other_buffer};
    if (is_first_lane(line, source)) return {Id::change_first_lane};
    if (const std::string name = length_for_number(line, source); !name.empty())
      return {Id::change_fixed_count, {{"name", name}}};
  }
  const auto conditions = std::ranges::count_if(
      lines, [](const ChangedLine& line) { return line.after.starts_with("if ("); });
  if (lines.size() > 2 && conditions > 1 && lines[0].before.starts_with("if (") &&
      (lines[0].after.empty() || lines[0].after == "{") && source.find("__shared__") != source.npos)
    return {Id::change_each_condition};
  return {};
}

words::Message array_of_its_own(const std::vector<ChangedLine>& lines) {
  if (lines.size() < 3 || !lines[0].after.starts_with(lines[0].before + "\n") ||
      !lines[0].before.starts_with("__shared__"))
    return {};
  const Tokens own(std::string_view(lines[0].after).substr(lines[0].before.size()),
                   Tokens::Keep::code);
  const Tokens declared(lines[0].before, Tokens::Keep::code);
  if (own.size() != declared.size() || !own.is(0, "__shared__") || own.size() < 3) return {};
  const std::string from(declared[2].spelling), to(own[2].spelling);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const Tokens before(lines[i].before, Tokens::Keep::code),
        after(lines[i].after, Tokens::Keep::code);
    if (with_name(before, from, to) != spaced(after)) return {};
  }
  return {Id::change_own_array, {{"line", std::int64_t{lines[1].line}}, {"array", from}}};
}

}  // namespace labkit::grade
