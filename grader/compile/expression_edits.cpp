// Edits of whole expressions: a sum that is multiplied in part, a difference that is divided as one, a step that lacks a factor,
// an index as it stands elsewhere in the kernel.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "compile/edit_maker.h"

namespace labkit::compile {
namespace {

/// Of one set of variables, more ways to write their sum are no pattern.
constexpr std::size_t kMostForms = 6;
/// Tokens between a remainder and its quotient.
constexpr std::size_t kNearby = 40;
/// Tokens behind a condition in which its array is looked for.
constexpr std::size_t kNear = 60;

class ExpressionEdits : public EditMaker {
 public:
  using EditMaker::EditMaker;

  void all(std::size_t begin, std::size_t end) {
    begin_ = begin;
    end_ = end;
    for (std::size_t i = begin; i < end; ++i) {
      product_of_sum(i);
      difference_divided(i);
      rotated(i);
      step(i);
      scaled(i);
      changed_in_place(i);
      compared(i);
      shifted(i);
      remainder(i);
      forgotten(i);
      index_compared(i);
      part_of_index(i);
      repeated(i);
      least(i);
      negative_remainder(i);
      remainder_and_quotient(i);
      closer(i);
      if (const std::size_t left = scope_.primary_begin(i), right = scope_.primary_end(i + 1);
          scope_.is_binary(i) && left < i && right <= end) {
        other_layout(i, left, right);
        other_layout_after(i, left, right);
      }
    }
    for (const Statement& one : scope_.statements(begin, end)) {
      index_of_statement(one);
      at_most(one);
    }
    other_form();
    distribution();
    if (differences_.size() > 1) add(Rank::rounding, differences_, tokens_[begin].line);
  }

 private:
  bool is_sign(std::size_t i) const { return (is(i, "+") || is(i, "-")) && scope_.is_binary(i); }
  bool is_times(std::size_t i) const {
    return (is(i, "*") || is(i, "/") || is(i, "%")) && scope_.is_binary(i);
  }
  /// Behind the product that begins at token `i`.
  std::size_t product_end(std::size_t i) const {
    std::size_t end = scope_.primary_end(i);
    while (end > i && is_times(end)) {
      const std::size_t next = scope_.primary_end(end + 1);
      if (next == end + 1) break;
      end = next;
    }
    return end;
  }
  std::size_t sum_end(std::size_t i) const {
    std::size_t end = product_end(i);
    while (end > i && is_sign(end)) {
      const std::size_t next = product_end(end + 1);
      if (next == end + 1) break;
      end = next;
    }
    return end;
  }

  /// `4 * a + b * c` where all of the sum is to be multiplied.
  void product_of_sum(std::size_t star) {
    if (!is(star, "*") || !scope_.is_binary(star)) return;
    const std::size_t last = sum_end(star + 1), first = scope_.primary_end(star + 1);
    if (last > first && is_sign(first) && last <= end_)
      replace(index, star + 1, last, "(" + text(star + 1, last) + ")");
  }

  /// `(last - first) / 8` where `last / 8 - first / 8` is meant.
  void difference_divided(std::size_t slash) {
    if (!is(slash, "/") || !is(slash - 1, ")") || !scope_.is_binary(slash)) return;
    const std::size_t open = scope_.primary_begin(slash), last = scope_.primary_end(slash + 1);
    if (!is(open, "(")) return;
    const std::size_t sign = product_end(open + 1);
    if (!is_sign(sign) || product_end(sign + 1) + 1 != slash || sign != open + 2) return;
    const std::string by = text(slash + 1, last);
    replace(index, open, last,
            fmt::format("{} / {} {} {} / {}", text(open + 1, sign), by, text(sign, sign + 1),
                        text(sign + 1, slash - 1), by));
  }

  /// `r ^ c` in rows whose length is no power of two.
  void rotated(std::size_t i) {
    if (!is(i, "^") || i == 0) return;
    const std::size_t left = scope_.primary_begin(i), right = scope_.primary_end(i + 1);
    if (left == i || right == i + 1) return;
    std::vector<std::string> lengths;
    for (std::size_t k = i; k-- > begin_ && !is(k, ";");)  // by which its row is multiplied
      if (is(k, "*") && scope_.is_integer(k + 1)) lengths.push_back(text(k + 1, k + 2));
    lengths.emplace_back("blockDim.x");
    for (const auto place : {Variable::Place::parameter, Variable::Place::file})
      for (const std::string_view n : scope_.integers(place, i)) lengths.emplace_back(n);
    for (const std::string& length : lengths)
      replace(structure, left, right,
              fmt::format("({} + {}) % {}", text(left, i), text(i + 1, right), length));
  }

  /// `x & (n - 1)` where n is no power of two.
  void remainder(std::size_t i) {
    const std::size_t open = i + 1, close = tokens_.close_of(open);
    if (is(i, "&") && is(open, "(") && close < end_ && close > open + 3 && is(close - 2, "-"))
      replace(Rank::step, i, close + 1, "% " + text(open + 1, close - 2));
  }

  /// `(j - i) % n`, which is negative where j is less than i: each, and all() tries all of them together.
  void negative_remainder(std::size_t i) {
    const std::size_t open = scope_.primary_begin(i), sign = product_end(open + 1),
                      right = scope_.primary_end(i + 1);
    if (!is(i, "%") || !is(open, "(") || tokens_.close_of(open) + 1 != i || !is(sign, "-")) return;
    const Replacement whole = replacement(i - 1, i, " + " + text(i + 1, right) + ")");
    add(Rank::rounding, {whole}, tokens_[i].line);
    differences_.push_back(whole);
  }

  /// `e % 32` here and `e / 32` later, exchanged.
  void remainder_and_quotient(std::size_t i) {
    if (!is(i, "%") && !is(i, "/")) return;
    for (std::size_t k = i + 1; k < std::min(i + kNearby, tokens_.size() - 1); ++k)
      if (is(k, is(i, "%") ? "/" : "%") && is(k - 1, tokens_[i - 1].spelling) &&
          is(k + 1, tokens_[i + 1].spelling))
        add(Rank::swap,
            {replacement(i, i + 1, text(k, k + 1)), replacement(k, k + 1, text(i, i + 1))},
            tokens_[i].line);
  }

  /// `y << 5 + x` and `a + b & 31`, where the sum binds closer than it looks.
  void closer(std::size_t i) {
    if (!is(i, "<<") && !is(i, "&") && !is(i, "|") && !is(i, "^")) return;
    const std::size_t left = scope_.primary_begin(i), right = scope_.primary_end(i + 1);
    if (left == i || right == i + 1) return;
    const bool before_sum = is(right, "+") || is(right, "-"),
               after_sum = left > 0 && (is(left - 1, "+") || is(left - 1, "-"));
    if (before_sum || after_sum)
      replace(Rank::rounding, left, right, "(" + text(left, right) + ")");
  }

  /// `if (sector != last) ++count;` that does not keep what it has seen.
  void forgotten(std::size_t i) {
    if (!is(i, "if") || !is(i + 3, "!=") || tokens_.close_of(i + 1) != i + 5) return;
    if (!scope_.is_integer(i + 2) || !scope_.is_integer(i + 4)) return;
    std::size_t last = i + 6;
    const bool is_block = is(last, "{");
    while (!is_block && last < end_ && !is(last, ";")) ++last;
    if (is_block) last = tokens_.close_of(last);
    if (last >= end_) return;
    for (const bool is_second : {true, false}) {
      const std::string kept = text(i + (is_second ? 4 : 2), i + (is_second ? 5 : 3)),
                        seen = text(i + (is_second ? 2 : 4), i + (is_second ? 3 : 5));
      const std::string more = fmt::format("{} = {};", kept, seen);
      if (is_block)
        replace(Rank::step, last, last + 1, "  " + more + "\v }");
      else
        replace(Rank::step, i + 6, last + 1,
                fmt::format("{{ {} {} }}", text(i + 6, last + 1), more));
    }
  }

  /// `if (i < n) { ...; i += step; }` where several elements are left.
  void repeated(std::size_t i) {
    const std::size_t close = tokens_.close_of(i + 1), last = tokens_.close_of(close + 1);
    if (!is(i, "if") || !is(i + 3, "<") || !is(close + 1, "{") || last >= end_) return;
    for (std::size_t at = close; at < last; ++at)
      if (is(at, tokens_[i + 2].spelling) && (is(at + 1, "+=") || is(at + 1, "++")))
        replace(Rank::step, i, i + 1, "while");
  }

  /// `min(4 * kBlock, n - base)` where all of it, or the other one, is to be multiplied.
  void least(std::size_t i) {
    const std::size_t close = tokens_.close_of(i + 1), comma = scope_.end_of_value(i + 2, end_);
    if ((!is(i, "min") && !is(i, "max")) || !is(i + 1, "(") || !is(comma, ",") || close >= end_ ||
        scope_.end_of_value(comma + 1, end_) != close)
      return;
    const auto in_brackets = [&](std::size_t begin, std::size_t end) {
      return product_end(begin) == end ? text(begin, end) : "(" + text(begin, end) + ")";
    };
    for (const bool is_first : {true, false}) {
      const std::size_t begin = is_first ? i + 2 : comma + 1, end = is_first ? comma : close;
      const std::size_t star = scope_.primary_end(begin);
      if (!is(star, "*") || scope_.primary_end(star + 1) != end) continue;
      const std::size_t first = is_first ? comma + 1 : i + 2, last = is_first ? close : comma;
      const std::string left = text(begin, star), right = text(star + 1, end),
                        other = text(first, last);
      const auto call = [&](const std::string& one) {
        return text(i, i + 1) + (is_first ? fmt::format("({}, {})", one, other)
                                          : fmt::format("({}, {})", other, one));
      };
      replace(Rank::swap, i, close + 1, call(left) + " * " + right);
      replace(Rank::swap, i, close + 1, call(right) + " * " + left);
      for (const std::string& factor : {left, right})
        replace(Rank::swap, first, last, in_brackets(first, last) + " * " + factor);
    }
  }

  /// `if (i + 1 < n) a[j] = ...`: the index that is used, instead.
  void index_compared(std::size_t i) {
    if (!is(i, "if") || !is(i + 1, "(")) return;
    const std::size_t close = tokens_.close_of(i + 1), less = sum_end(i + 2);
    if (close >= end_ || !is(less, "<") || less == i + 2) return;
    std::set<std::string> indices;
    for (std::size_t at = close; at < std::min(close + kNear, end_); ++at)
      if (is(at, "[") && scope_.is_pointer(at - 1) && tokens_.close_of(at) < end_)
        indices.insert(text(at + 1, tokens_.close_of(at)));
    for (const std::string& one : indices)
      if (one != text(i + 2, less)) replace(condition, i + 2, less, one);
  }

  std::vector<std::string_view> lengths() const {
    std::vector<std::string_view> all = scope_.integers(Variable::Place::parameter, begin_);
    for (const std::string_view constant : scope_.integers(Variable::Place::file, begin_))
      all.push_back(constant);
    return all;
  }

  /// `p += 32` where a row is meant, or so many rows.
  void step(std::size_t i) {
    if (!is(i, "+=") && !is(i, "-=")) return;
    const std::size_t last = scope_.end_of_value(i + 1, end_);
    if (last <= i + 1) return;
    for (const std::string_view n : lengths()) {
      if (is(i - 2, ";") && is(i - 3, n)) continue;  // `j < n; j += n` makes one turn
      const Variable* moved = i > 0 ? scope_.variable(i - 1) : nullptr;
      const Rank rank =
          moved != nullptr && moved->kind == Variable::Kind::array ? Rank::step : name;
      if (!is(i + 1, n)) replace(rank, i + 1, last, std::string(n));
      if (sum_end(i + 1) == last && product_end(i + 1) == last)
        replace(rank, i + 1, last, text(i + 1, last) + " * " + std::string(n));
    }
  }

  /// A term of an index or of a pointer that lacks a factor: `y + blockIdx.x * kBlock`.
  void scaled(std::size_t plus) {
    if (!is_sign(plus)) return;
    const std::size_t last = product_end(plus + 1);
    const bool is_pointers = is(plus - 1, ")") || scope_.is_pointer(plus - 1);
    const bool is_product = is_times(scope_.primary_end(plus + 1));
    if (last == plus + 1 || last > end_ || (!is_product && !is_pointers)) return;
    for (const std::string_view n : lengths())
      replace(name, plus + 1, last, text(plus + 1, last) + " * " + std::string(n));
  }

  /// `w[i] *= factor` where `w[i] = z[i] * factor` is meant.
  void changed_in_place(std::size_t i) {
    if (!is(i, "*=") && !is(i, "+=")) return;
    const std::size_t first = scope_.primary_begin(i), last = scope_.end_of_value(i + 1, end_);
    if (first == i || !scope_.is_pointer(first)) return;
    for (const std::string_view other : scope_.variables(Variable::Kind::array, i))
      if (!is(first, other) && scope_.is_parameter(other))
        replace(assignment, i, last,
                fmt::format("= {}{} {} {}", other, text(first + 1, i), text(i, i + 1).substr(0, 1),
                            text(i + 1, last)));
  }

  /// `i` where the kernel has `i - 1` elsewhere.
  void shifted(std::size_t i) {
    if (!is(i + 2, "1") || (!is(i + 1, "-") && !is(i + 1, "+")) || !scope_.is_integer(i)) return;
    if (!scope_.is_place(tokens_[i].spelling) || is(i - 1, ".")) return;
    for (std::size_t at = begin_; at < end_; ++at)
      if (is(at, tokens_[i].spelling) && !is(at + 1, "=") && !is(at + 2, "1") && !is(at - 1, "."))
        replace(index, at, at + 1, "(" + text(i, i + 3) + ")");
  }

  /// Sums of the kernel in which that variable is, but for the one at token `not_at`.
  std::set<std::string> sums_with(std::string_view variable, std::size_t not_at) const {
    std::set<std::string> sums;
    for (std::size_t i = begin_; i < end_; ++i) {
      const bool begins = is(i - 1, "(") || is(i - 1, "[") || is(i - 1, "=");
      const std::size_t last = begins ? sum_end(i) : i;
      if (last <= i + 1 || last > end_ || (i <= not_at && not_at < last)) continue;
      bool has_it = false, is_plain = true;
      for (std::size_t at = i; at < last; ++at) {
        has_it = has_it || is(at, variable);
        is_plain = is_plain && !is(at, "[") && !is(at, "<");
      }
      if (has_it && is_plain) sums.insert(text(i, last));
    }
    return sums;
  }

  /// `y < n` where the element is in another row: `y + k < n`.
  void compared(std::size_t less) {
    if (!is(less, "<") || less == 0 || !scope_.is_integer(less - 1)) return;
    for (const std::string& sum : sums_with(tokens_[less - 1].spelling, less - 1))
      replace(condition, less - 1, less, sum);
  }

  /// `x[t]` where `x[base + t]` is meant.
  void part_of_index(std::size_t open) {
    if (!is(open, "[") || !is(open + 2, "]") || !scope_.is_pointer(open - 1)) return;
    if (!scope_.is_integer(open + 1)) return;
    for (const std::string& sum : sums_with(tokens_[open + 1].spelling, open + 1))
      replace(index, open + 1, open + 2, sum);
  }

  /// A count that has a limit: of the lanes of a warp, or a constant.
  void at_most(const Statement& one) {
    std::size_t equals = one.begin;
    while (equals < one.end && !is(equals, "=")) ++equals;
    if (one.is_declaration || equals >= one.end || !scope_.is_pointer(one.begin)) return;
    for (std::size_t i = equals; i < one.end; ++i)
      if (is(i, "[") || is(i, "?")) return;
    std::vector<std::string> limits = {"32"};
    for (const std::string_view n : scope_.integers(Variable::Place::file, one.begin))
      limits.emplace_back(n);
    for (const std::string& most : limits)
      replace(structure, equals + 1, one.end,
              fmt::format("min({}, {})", text(equals + 1, one.end), most),
              {most == "32" ? Id::change_at_most_32 : Id::none});
  }

  /// Another layout: `i * 8 + k` where the element is at `k * n + i`.
  void other_layout(std::size_t plus, std::size_t left, std::size_t right) {
    if (!is(plus, "+") || left < 2) return;
    std::size_t first = left;
    std::string row;
    if (is(left - 1, "*") && scope_.is_binary(left - 1)) {
      first = scope_.primary_begin(left - 1);
      if (first < left - 1) row = text(first, left - 1);
    } else if (left + 1 == plus) {
      row = scope_.row_of(tokens_[left].spelling);
    }
    if (row.empty()) return;
    const std::string column = text(plus + 1, right);
    for (const auto place :
         {Variable::Place::parameter, Variable::Place::file, Variable::Place::own})
      for (const std::string_view length : scope_.integers(place, plus))
        if (place != Variable::Place::own || !scope_.is_place(length))
          replace(name, first, right, fmt::format("{} * {} + {}", column, length, row));
  }
  /// `i + k * n` where the element is at `i * 8 + k`.
  void other_layout_after(std::size_t plus, std::size_t left, std::size_t right) {
    std::size_t star = right;
    while (is(star, "%") || is(star, "/")) star = scope_.primary_end(star + 1);
    const bool begins = is(left - 1, "[") || is(left - 1, "return") || is(left - 1, "=");
    if (!is(plus, "+") || !begins || !is(star, "*")) return;
    for (const auto place : {Variable::Place::parameter, Variable::Place::file})
      for (const std::string_view length : scope_.integers(place, begin_))
        replace(name, left, scope_.primary_end(star + 1),
                fmt::format("{} * {} + {}", text(left, plus), length, text(plus + 1, star)));
  }

  /// `to[4 + k] = from[k]`: an index as it is for another array of the statement.
  void index_of_statement(const Statement& one) {
    std::set<std::string> indices;
    const auto each = [&](const auto& take) {
      for (std::size_t i = one.begin; i < one.end; ++i)
        if (const std::size_t close = tokens_.close_of(i);
            is(i, "[") && close < one.end && close > i + 1)
          take(i + 1, close);
    };
    each([&](std::size_t begin, std::size_t end) { indices.insert(text(begin, end)); });
    if (indices.size() < 2 || indices.size() > kMostForms) return;
    each([&](std::size_t begin, std::size_t end) {
      for (const std::string& other : indices)
        if (other != text(begin, end)) replace(index, begin, end, other);
    });
  }

  /// `4 * ty + u` where the kernel has `ty + 16 * u` elsewhere: as there, and all such places at once.
  void other_form() {
    struct Place {
      std::size_t begin = 0, end = 0;
    };
    std::map<std::set<std::string_view>, std::map<std::string, std::vector<Place>>> forms;
    for (std::size_t i = begin_; i < end_; ++i) {
      const bool begins = is(i - 1, "(") || is(i - 1, "[") || is(i - 1, "=") || is(i - 1, "+") ||
                          is(i - 1, ",") || is(i - 1, "return");
      if (!begins) continue;
      const std::size_t last = sum_end(i);
      if (last > end_ || last == i) continue;
      if (is(i - 1, "=") && scope_.is_declaration(i - 1) && last == i + 1) continue;
      std::set<std::string_view> names;
      for (std::size_t at = i; at < last; ++at)
        if (scope_.is_integer(at) && !is(at - 1, ".") && scope_.is_place(tokens_[at].spelling))
          names.insert(tokens_[at].spelling);
      if (!names.empty()) forms[names][text(i, last)].push_back({i, last});
    }
    std::map<std::size_t, Replacement> all;
    for (const auto& [names, texts] : forms) {
      if (texts.size() < 2 || texts.size() > kMostForms) continue;
      for (const auto& [own, places] : texts)
        for (const auto& [other, others] : texts)
          if (own != other)
            for (const Place& place : places) {
              if (std::ranges::any_of(others, [&](const Place& part) {  // it is a part of this one
                    return part.begin >= place.begin && part.end <= place.end;
                  }))
                continue;
              const bool is_factor = is_times(place.end) || is(place.begin - 1, "*");
              const std::string by = is_factor ? "(" + other + ")" : other;
              replace(names.size() > 1 ? swap : name, place.begin, place.end, by);
              if (names.size() > 1 && texts.size() == 2 && place.begin > others.front().begin)
                all.emplace(place.begin, replacement(place.begin, place.end, by));
            }
    }
    Edit together;
    for (auto& [at, one] : all)
      if (together.empty() || together.back().end <= one.begin) together.push_back(std::move(one));
    if (together.size() > 1) {
      const std::uint32_t line = tokens_[all.begin()->first].line;
      add(swap, std::move(together), line);
    }
  }

  /// A thread's elements side by side, `ty * 4 + u`, where the kernel has them a stride apart elsewhere, `ty + 16 * q`: as there,
  /// everywhere; and the other way round.
  void distribution() {
    struct Sum {
      std::size_t begin = 0, end = 0;
      std::string thread, factor, own;
    };
    std::vector<Sum> beside, apart;
    std::set<std::string_view> counters;
    for (std::size_t i = begin_; i < end_; ++i)
      if (is(i, "++")) counters.insert(tokens_[tokens_.is_word(i + 1) ? i + 1 : i - 1].spelling);
    const auto is_counter = [&](std::size_t i) { return counters.contains(tokens_[i].spelling); };
    const auto is_thread = [&](std::size_t i) {
      return scope_.is_integer(i) && scope_.is_place(tokens_[i].spelling) && !is_counter(i);
    };
    for (std::size_t i = begin_; i + 5 <= end_; ++i) {
      if (is_times(i - 1) || is_times(i + 5) || is(i - 1, ".")) continue;
      const bool is_product_first = is(i + 1, "*") && is(i + 3, "+"),
                 is_product_last = is(i + 1, "+") && is(i + 3, "*");
      const std::size_t product = is_product_first ? i : i + 2;
      const std::size_t factor = scope_.is_fixed(product) ? product : product + 2;
      const std::size_t other = 2 * product + 2 - factor, alone = is_product_first ? i + 4 : i;
      if ((!is_product_first && !is_product_last) || !scope_.is_fixed(factor)) continue;
      if (is_product_first && is_thread(other) && is_counter(alone))
        beside.push_back(
            {i, i + 5, text(other, other + 1), text(factor, factor + 1), text(alone, alone + 1)});
      if (is_product_last && is_thread(alone) && is_counter(other))
        apart.push_back(
            {i, i + 5, text(alone, alone + 1), text(factor, factor + 1), text(other, other + 1)});
    }
    const auto as_others = [&](const std::vector<Sum>& changed, const std::vector<Sum>& others,
                               const char* format) {
      std::set<std::string> factors;
      for (const Sum& other : others) factors.insert(other.factor);
      if (changed.empty() || factors.size() > kMostForms) return;
      for (const std::string& factor : factors) {
        Edit edit;
        for (const Sum& one : changed)
          edit.push_back(replacement(
              one.begin, one.end, fmt::format(fmt::runtime(format), one.thread, factor, one.own)));
        add(swap, std::move(edit), tokens_[changed.front().begin].line);
      }
    };
    as_others(beside, apart, "{0} + {1} * {2}");
    as_others(apart, beside, "{0} * {1} + {2}");
  }

  std::size_t begin_ = 0, end_ = 0;
  Edit differences_;  ///< of negative_remainder()
};

}  // namespace

void expression_edits(const Tokens& tokens, const EditScope& scope, std::size_t begin,
                      std::size_t end, std::vector<Ranked>& found) {
  ExpressionEdits(tokens, scope, found).all(begin, end);
}

}  // namespace labkit::compile
