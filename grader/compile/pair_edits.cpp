// Edits of two places that are wrong in the same way, of which neither repairs anything by itself: both comparisons of a
// condition, the conditions around a pointer that was moved, a read with the indices of its store, a loop like its sister.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "compile/edit_maker.h"

namespace labkit::compile {
namespace {

/// Names that each comparison of a condition may lack, or may have in its place.
constexpr std::size_t kMostLacking = 4;
/// Of one kernel.
constexpr std::size_t kMostPairs = 64, kMostSisters = 4;

class PairEdits : public EditMaker {
 public:
  PairEdits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
            std::vector<Ranked>& found)
      : EditMaker(tokens, scope, found),
        begin_(begin),
        end_(end),
        most_(found.size() + kMostPairs) {}

  void all() {
    moved_pointers();
    indices_of_stores();
    for (std::size_t i = begin_; i < end_; ++i)
      if (const Piece test = test_at(i); test.end != 0) comparisons(test);
    sister_loops();
  }

 private:
  /// Of `if (...)`, of `bool inside = ...;`, of `x = ... ? a : b;`: the condition that begins at token `i`.
  Piece test_at(std::size_t i) const {
    if (is(i, "if") && is(i + 1, "(") && tokens_.close_of(i + 1) < end_)
      return {i + 2, tokens_.close_of(i + 1)};
    if (!is(i, "=")) return {};
    std::size_t last = i + 1;
    while (last < end_ && !is(last, ";") && !is(last, "?")) ++last;
    return is(last, "?") || is(i - 2, "bool") ? Piece{i + 1, last} : Piece{};
  }

  struct Comparison {
    Piece left;
    Piece right;
  };
  /// `a < n && b < m`, each side one operand or a sum without brackets.
  std::vector<Comparison> comparisons_of(const Piece& test) const {
    std::vector<Comparison> all;
    std::size_t first = test.begin;
    for (std::size_t i = test.begin; i <= test.end; ++i) {
      if (i < test.end && (is(i, "(") || is(i, "["))) {
        i = std::min(tokens_.close_of(i), test.end);
        continue;
      }
      if (i < test.end && !is(i, "&&") && !is(i, "||")) continue;
      for (std::size_t sign = first; sign < i; ++sign)
        if (sign > first && sign + 1 < i &&
            (is(sign, "<") || is(sign, ">=") || is(sign, "<=") || is(sign, ">")))
          all.push_back({{first, sign}, {sign + 1, i}});
      first = i + 1;
    }
    return all;
  }

  void pair(Rank rank, const Piece& one, const std::string& by, const Piece& other,
            const std::string& other_by) {
    if (found_.size() < most_)
      add(rank,
          {replacement(one.begin, one.end, by), replacement(other.begin, other.end, other_by)},
          tokens_[one.begin].line);
  }

  /// `y < rows && x < cols` where it is `top + y` and `left + x`, or `row` and `column`, or the other lengths.
  void comparisons(const Piece& test) {
    std::vector<Comparison> all = comparisons_of(test);
    std::erase_if(all, [&](const Comparison& one) {
      return is(one.right.begin, "0") || !scope_.is_integer(one.left.begin);
    });
    if (all.size() != 2) return;
    const Comparison &a = all[0], &b = all[1];
    std::vector<std::string_view> places;
    for (const std::string_view name : scope_.integers(Variable::Place::own, test.begin))
      if (!has(name, test) && scope_.is_place(name)) places.push_back(name);
    const bool are_names = a.left.end == a.left.begin + 1 && b.left.end == b.left.begin + 1;
    if (places.size() <= kMostLacking)
      for (const std::string_view one : places)
        for (const std::string_view other : places) {
          if (one == other) continue;
          const auto sum = [&](std::string_view name, const Piece& left) {
            return fmt::format("{} + {}", name, text_of(left));
          };
          pair(swap, a.left, sum(one, a.left), b.left, sum(other, b.left));
          if (are_names) pair(swap, a.left, std::string(one), b.left, std::string(other));
        }
    const std::vector<std::string_view> sizes =
        scope_.integers(Variable::Place::parameter, test.begin);
    if (sizes.size() <= kMostLacking)
      for (const std::string_view one : sizes)
        for (const std::string_view other : sizes)
          if (one != other && text_of(a.right) != one && text_of(b.right) != other)
            pair(swap, a.right, std::string(one), b.right, std::string(other));
  }

  /// Where a pointer was moved to: `p += row * n + column;`.
  struct Corner {
    std::string row, column;
  };
  std::map<std::string_view, Corner> corners() const {
    std::map<std::string_view, Corner> all;
    for (std::size_t i = begin_ + 1; i < end_; ++i) {
      const bool is_moved = is(i, "+=") && scope_.is_pointer(i - 1);
      const bool points = is(i, "=") && scope_.is_pointer(i + 1) && is(i + 2, "+");
      if (!is_moved && !points) continue;
      const std::size_t first = points ? i + 3 : i + 1, last = scope_.end_of_value(first, end_);
      Corner corner;
      for (std::size_t at = first; at < last;) {
        const std::size_t end = scope_.primary_end(at);
        if (end == at) break;
        const bool is_row = is(end, "*");
        (is_row ? corner.row : corner.column) = text(at, end);
        const std::size_t next = is_row ? scope_.primary_end(end + 1) : end;
        if (!is(next, "+") && next < last) break;
        at = next + 1;
      }
      if (!corner.row.empty()) all[tokens_[i - 1].spelling] = corner;
    }
    return all;
  }

  /// `if (y < rows && x < cols) tile[y][x] = in[y * cols + x];` behind `in += top * cols + left`: all such conditions.
  void moved_pointers() {
    const std::map<std::string_view, Corner> moved = corners();
    Edit together;
    for (std::size_t i = begin_; i < end_ && !moved.empty(); ++i) {
      const Piece test = test_at(i);
      if (test.end == 0) continue;
      std::size_t last = test.end;
      while (last < end_ && !is(last, ";")) ++last;
      for (std::size_t at = test.end; at < last; ++at) {
        const auto corner = moved.find(tokens_[at].spelling);
        const std::size_t star =
            corner != moved.end() && is(at + 1, "[") ? scope_.star_of_index(at + 1) : 0;
        const std::size_t plus = star == 0 ? 0 : scope_.primary_end(star + 1);
        if (star == 0 || !is(plus, "+")) continue;
        const std::string row = text(at + 2, star),
                          column = text(plus + 1, tokens_.close_of(at + 1));
        Edit edit;
        for (const Comparison& one : comparisons_of(test)) {
          const std::string left = text_of(one.left);
          const std::string& more = left == row ? corner->second.row : corner->second.column;
          if ((left == row || left == column) && !more.empty())
            edit.push_back(insertion(one.left.begin, more + " + "));
        }
        if (edit.empty()) continue;
        together.insert(together.end(), edit.begin(), edit.end());
        add(condition, std::move(edit), tokens_[i].line);
        break;
      }
    }
    if (together.size() > 2) add(rounding, std::move(together), tokens_[begin_].line);
  }

  struct Element {
    Piece first, second;
    bool is_store = false;
  };
  std::string with_name(const Piece& piece, const std::string& name, const std::string& by) const {
    std::string made;
    for (std::size_t i = piece.begin; i < piece.end; ++i) {
      made += is(i, name) && !is(i - 1, ".") ? by : text(i, i + 1);
      if (i + 1 < piece.end && tokens_[i + 1].begin > tokens_[i].end()) made += " ";
    }
    return made;
  }
  /// `tile[row][turned(k, t)]`, which is stored as `tile[t][turned(k, t)]`: by the row.
  void indices_of_stores() {
    std::map<std::string_view, std::vector<Element>> arrays;
    for (std::size_t i = begin_; i < end_; ++i) {
      const Variable* array = scope_.variable(i);
      if (array == nullptr || array->kind != Variable::Kind::array || !is(i + 1, "[")) continue;
      const std::size_t second = tokens_.close_of(i + 1) + 1;
      if (second >= end_ || !is(second, "[") || tokens_.close_of(second) >= end_ ||
          scope_.is_in_shared(i))
        continue;
      const std::size_t last = tokens_.close_of(second);
      arrays[array->name].push_back({{i + 2, second - 1}, {second + 1, last}, is(last + 1, "=")});
    }
    const auto is_name = [&](const Piece& piece) {
      return piece.end == piece.begin + 1 && scope_.is_integer(piece.begin);
    };
    const auto as_the_other = [&](const Piece& from, const Piece& of, const Piece& to,
                                  const Piece& changed) {
      if (!is_name(from) || !is_name(to) || !has(tokens_[from.begin].spelling, of)) return;
      const std::string by = with_name(of, text_of(from), text_of(to));
      if (by != text_of(changed) && of.end > of.begin + 1 && found_.size() < most_)
        replace(condition, changed.begin, changed.end, by);
    };
    for (const auto& [array, elements] : arrays)
      for (const Element& store : elements)
        for (const Element& read : elements) {
          if (!store.is_store || read.is_store) continue;
          as_the_other(store.first, store.second, read.first, read.second);
          as_the_other(store.second, store.first, read.second, read.first);
          as_the_other(read.first, read.second, store.first, store.second);
        }
  }

  struct Head {
    std::string_view counter;
    Piece parts[3];  ///< the first value, the condition, the step
  };
  /// Each part of the head of a loop as another loop of the kernel has it.
  void sister_loops() {
    std::vector<Head> heads;
    for (std::size_t i = begin_; i < end_; ++i) {
      const std::size_t close = is(i, "for") ? tokens_.close_of(i + 1) : end_;
      if (close >= end_) continue;
      std::size_t equals = i, first = i, second = i;
      while (equals < close && !is(equals, "=")) ++equals;
      while (first < close && !is(first, ";")) ++first;
      second = first + 1;
      while (second < close && !is(second, ";")) ++second;
      if (equals + 1 < first && first + 1 < second && second + 1 < close)
        heads.push_back({tokens_[equals - 1].spelling,
                         {{equals + 1, first}, {first + 1, second}, {second + 1, close}}});
    }
    if (heads.size() > kMostSisters) return;
    for (const Head& head : heads)
      for (const Head& sister : heads)
        for (std::size_t k = 0; k < 3; ++k) {
          const std::string by =
              with_name(sister.parts[k], std::string(sister.counter), std::string(head.counter));
          if (by != text_of(head.parts[k]) && found_.size() < most_)
            replace(index, head.parts[k].begin, head.parts[k].end, by);
        }
  }

  const std::size_t begin_, end_, most_;
};

}  // namespace

void pair_edits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
                std::vector<Ranked>& found) {
  PairEdits(tokens, scope, begin, end, found).all();
}

}  // namespace labkit::compile
