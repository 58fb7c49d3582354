// Edits of places that may lie outside of a matrix, where it counts as 0: they are clamped to it, or only one side is tested.
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compile/edit_maker.h"
#include "compile/outline.h"

namespace labkit::compile {

bool EditMaker::is_call(const Piece& piece) const {
  return piece.end > piece.begin + 3 && tokens_.is_word(piece.begin) && is(piece.begin + 1, "(") &&
         tokens_.close_of(piece.begin + 1) == piece.end - 1;
}

std::vector<EditMaker::Piece> EditMaker::arguments(const Piece& call) const {
  std::vector<Piece> found;
  int depth = 0;
  std::size_t first = call.begin + 2;
  for (std::size_t i = first; i < call.end; ++i) {
    depth += is(i, "(") || is(i, "[") ? 1 : is(i, ")") || is(i, "]") ? -1 : 0;
    if (depth > 0 || (!is(i, ",") && i + 1 != call.end)) continue;
    found.push_back({first, i});
    first = i + 1;
  }
  return found;
}

bool EditMaker::limits(std::size_t word) const {
  for (const DeviceFunction& function : device_functions_of(tokens_)) {
    if (function.is_kernel || !is(word, function.name)) continue;
    const Piece body{function.body, tokens_.close_of(function.body)};
    return (has("min", body) && has("max", body)) ||
           (has("<", body) && (has(">", body) || has(">=", body)));
  }
  return false;
}

namespace {

class ClampEdits : public EditMaker {
 public:
  using EditMaker::EditMaker;

  void all(std::size_t begin, std::size_t end) {
    std::vector<Clamp> clamps;
    for (std::size_t i = begin; i < end; ++i)
      if (is(i, "="))
        if (auto found = clamp(i, end)) clamps.push_back(std::move(*found));
    clamps_by_conditions(begin, end, clamps);
    if (!clamps.empty()) not_clamped(clamps, end);
    for (std::size_t i = begin; i < end; ++i) clamped_index(i, end);
    for (std::size_t i = begin; i < end; ++i) {
      if (is(i, "?")) other_than_zero(i, end);
      if (is(i, "if")) lower_bounds({i + 2, tokens_.close_of(i + 1)});
      if (is(i, "=") && (is(i - 2, "bool") || is(i - 2, "auto")))
        lower_bounds({i + 1, scope_.end_of_value(i + 1, end)});
      if (is(i, "=") || is(i, "return")) {
        std::size_t question = i + 1;
        while (question < end && !is(question, "?") && !is(question, ";")) ++question;
        if (is(question, "?")) lower_bounds({i + 1, question});
      }
    }
  }

 private:
  /// `max(0, min(row, rows - 1))`.
  struct Limits {
    Piece place;  ///< `row`
    std::string bound;
  };
  struct Clamp {
    std::string name, bound;
    std::size_t end = 0;  ///< of the last statement that it is
    Edit undone;
  };

  /// Of `n - 1`, "n"; otherwise the whole.
  std::string bound_of(const Piece& last) const {
    const bool is_last =
        last.end > last.begin + 2 && is(last.end - 2, "-") && is(last.end - 1, "1");
    return text(last.begin, is_last ? last.end - 2 : last.end);
  }

  std::optional<Limits> limits_of(const Piece& value) const {
    if (!is_call(value)) return std::nullopt;
    const bool is_min = is(value.begin, "min");
    const std::vector<Piece> outer = arguments(value);
    if (outer.size() < 2) return std::nullopt;
    if (!is_min && !is(value.begin, "max")) {
      if (!limits(value.begin)) return std::nullopt;
      return Limits{outer.front(), bound_of(outer.back())};
    }
    for (const std::size_t inner : {0, 1}) {
      const Piece& call = outer[inner];
      if (!is_call(call) || !is(call.begin, is_min ? "max" : "min")) continue;
      const std::vector<Piece> two = arguments(call);
      if (two.size() != 2) continue;
      const auto is_zero = [&](const Piece& one) {
        return one.end == one.begin + 1 && is(one.begin, "0");
      };
      const auto is_bound = [&](const Piece& one) {
        return one.end > one.begin + 2 && is(one.end - 2, "-") && is(one.end - 1, "1");
      };
      // of max(0, min(place, last)) the place is in the inner call, beside the last or the first element
      const std::size_t of_place = is_min ? (is_zero(two[0]) ? 1 : 0) : (is_bound(two[0]) ? 1 : 0);
      return Limits{two[of_place], bound_of(is_min ? outer[1 - inner] : two[1 - of_place])};
    }
    return std::nullopt;
  }

  /// `int r = max(0, min(row, rows - 1));`, or `r = max(0, min(r, rows - 1));`, which goes.
  std::optional<Clamp> clamp(std::size_t equals, std::size_t end) const {
    const bool is_declared = scope_.is_declaration(equals);
    if (!is_declared && !is(equals - 2, ";") && !is(equals - 2, "{")) return std::nullopt;
    const Piece value{equals + 1, scope_.end_of_value(equals + 1, end)};
    const auto found = limits_of(value);
    if (!found) return std::nullopt;
    const std::string name = text(equals - 1, equals);
    const bool goes = !is_declared && text_of(found->place) == name;
    return Clamp{name,
                 found->bound,
                 value.end,
                 {goes ? replacement(equals - 1, value.end + 1, "")
                       : replacement(value.begin, value.end, text_of(found->place))}};
  }

  /// `if (r < 0) r = 0;` and `if (r >= rows) r = rows - 1;`, one after the other or with `else`.
  void clamps_by_conditions(std::size_t begin, std::size_t end, std::vector<Clamp>& clamps) const {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t low = i + 2;
      const auto all_are = [&](std::initializer_list<std::string_view> words) {
        std::size_t at = low;
        return std::ranges::all_of(words, [&](std::string_view word) { return is(++at, word); });
      };
      if (!is(i, "if") || !scope_.is_integer(low) ||
          !all_are({"<", "0", ")", tokens_[low].spelling, "=", "0", ";"}))
        continue;
      for (std::size_t k = low + 8; k < end; ++k) {
        const std::size_t high = k + 2, close = is(k, "if") ? tokens_.close_of(k + 1) : end;
        if (close >= end || !is(high, tokens_[low].spelling) || !is(high + 1, ">=") ||
            !is(close + 1, tokens_[low].spelling) || !is(close + 2, "="))
          continue;
        const std::size_t semicolon = scope_.end_of_value(close + 3, end);
        const Piece last{close + 3, semicolon};
        const std::string bound = text(high + 2, close);
        if (bound_of(last) != bound || text_of(last) == bound) continue;
        const bool is_else = is(k - 1, "else") && k - 1 == low + 8;
        if (is(k - 1, "else") && !is_else) continue;
        Edit undone = is_else
                          ? Edit{replacement(i, semicolon + 1, "")}
                          : Edit{replacement(i, low + 8, ""), replacement(k, semicolon + 1, "")};
        clamps.push_back({text(low, low + 1), bound, semicolon, std::move(undone)});
        break;
      }
    }
  }

  /// `inside ? in[r * cols + c] : in[0];`
  void other_than_zero(std::size_t question, std::size_t end) {
    std::size_t colon = question;
    while (colon < end && !is(colon, ":") && !is(colon, ";")) ++colon;
    const std::size_t last = is(colon, ":") ? scope_.end_of_value(colon + 1, end) : end;
    if (last < end && last > colon + 1 && scope_.is_pointer(question + 1) && !is(colon + 1, "0"))
      replace(condition, colon + 1, last, "0");
  }

  /// The value of the variable, or of one that it is made of, has a minus.
  bool is_subtracted_from(std::string_view name, std::size_t before, int depth = 0) const {
    constexpr int kMostDepth = 3;
    const Piece value = value_of(name, 0, before);
    if (has("-", value)) return true;
    for (std::size_t i = value.begin; i < value.end && depth < kMostDepth; ++i)
      if (scope_.is_integer(i) && is_subtracted_from(tokens_[i].spelling, value.begin, depth + 1))
        return true;
    return false;
  }
  /// `if (r < 0 || r >= rows || c >= cols)`: also for a c below 0; and `r >= 0 && r < rows && c < cols`. One that may be below
  /// by what is seen of it, and all that are not tested.
  void lower_bounds(const Piece& test) {
    if (test.end > tokens_.size()) return;
    Edit all;
    bool is_added = false;
    for (std::size_t i = test.begin; i + 2 < test.end; ++i) {
      const bool is_first = i == test.begin || is(i - 1, "&&") || is(i - 1, "||") || is(i - 1, "(");
      const bool is_outside = is(i + 1, ">=");
      if (!is_first || !scope_.is_integer(i) || is(i + 2, "0") || (!is_outside && !is(i + 1, "<")))
        continue;
      bool is_tested = false;
      for (std::size_t k = test.begin; k + 2 < test.end; ++k)
        is_tested = is_tested || (is(k, tokens_[i].spelling) && is(k + 2, "0"));
      if (is_tested) continue;
      all.push_back(insertion(i, text(i, i + 1) + (is_outside ? " < 0 || " : " >= 0 && ")));
      is_added = is_subtracted_from(tokens_[i].spelling, i);
      if (is_added) add(condition, {all.back()}, tokens_[i].line);
    }
    if (all.size() > 1 || (all.size() == 1 && !is_added))
      add(condition, all, tokens_[test.begin].line);
  }

  static std::string is_inside(const std::string& place, const std::string& bound) {
    return fmt::format("{0} >= 0 && {0} < {1}", place, bound);
  }
  /// The load of tokens [begin, end), or 0.
  Replacement or_zero(std::size_t begin, std::size_t end, const std::string& inside,
                      const std::string& load) const {
    const std::string chosen = fmt::format("{} ? {} : 0", inside, load);
    const bool is_alone = is(begin - 1, "=") && is(end, ";");
    return replacement(begin, end, is_alone ? chosen : "(" + chosen + ")");
  }

  /// `tile[y][x] = in[r * cols + c]` with r and c clamped, where what lies outside is 0.
  void not_clamped(const std::vector<Clamp>& clamps, std::size_t end) {
    Edit edit;
    std::uint32_t line = 0;
    const auto first = std::ranges::min_element(clamps, {}, &Clamp::end);
    for (std::size_t i = first->end; i < end; ++i) {
      const std::size_t close = is(i + 1, "[") ? tokens_.close_of(i + 1) : end;
      if (close >= end || !scope_.is_pointer(i) || is(close + 1, "=")) continue;
      std::string inside;
      for (const Clamp& one : clamps)
        if (has(one.name, {i + 2, close}))
          inside += (inside.empty() ? "" : " && ") + is_inside(one.name, one.bound);
      if (inside.empty()) continue;
      edit.push_back(or_zero(i, close + 1, inside, text(i, close + 1)));
      line = tokens_[i].line;
    }
    if (edit.empty()) return;
    for (const Clamp& one : clamps) edit.insert(edit.end(), one.undone.begin(), one.undone.end());
    if (put_in_order(edit)) add(condition, std::move(edit), line);
  }

  /// `in[min(max(r, 0), rows - 1) * cols + min(max(c, 0), cols - 1)]`.
  void clamped_index(std::size_t at, std::size_t end) {
    const std::size_t close =
        scope_.is_pointer(at) && is(at + 1, "[") ? tokens_.close_of(at + 1) : end;
    if (close >= end || is(close + 1, "=")) return;
    std::string inside, load;
    const std::string_view source = tokens_.source();
    std::size_t from = tokens_[at].begin;  // byte
    for (std::size_t i = at + 2; i < close; ++i) {
      const Piece call{i, is(i + 1, "(") ? tokens_.close_of(i + 1) + 1 : i};
      const auto found = limits_of(call);
      if (!found) continue;
      const std::string place = text_of(found->place);
      const bool is_word = found->place.end == found->place.begin + 1;
      inside += (inside.empty() ? "" : " && ") + is_inside(place, found->bound);
      load += source.substr(from, tokens_[i].begin - from);
      load += is_word ? place : "(" + place + ")";
      i = call.end - 1;
      from = tokens_[i].end();
    }
    if (inside.empty()) return;
    load += source.substr(from, tokens_[close].end() - from);
    add(condition, {or_zero(at, close + 1, inside, load)}, tokens_[at].line);
  }
};

}  // namespace

void clamp_edits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
                 std::vector<Ranked>& found) {
  ClampEdits(tokens, scope, found).all(begin, end);
}

}  // namespace labkit::compile
