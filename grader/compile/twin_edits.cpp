// Edits of what belongs together in a kernel, all at once: the loops that go over a tile, two variables that are declared alike,
// the conditions before a load and before a store, the parts of a head of a loop that halves.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "compile/edit_maker.h"

namespace labkit::compile {
namespace {

/// Of one kernel.
constexpr std::size_t kMostTwins = 48;
constexpr std::size_t kMostConditions = 4;

class TwinEdits : public EditMaker {
 public:
  TwinEdits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
            std::vector<Ranked>& found)
      : EditMaker(tokens, scope, found),
        begin_(begin),
        end_(end),
        most_(found.size() + kMostTwins) {}

  void all() {
    bounds_as_extents();
    conditions_as_accesses();
    const std::vector<Statement> all = scope_.statements(begin_, end_);
    for (std::size_t k = 0; k < all.size(); ++k) {
      declared_alike(all[k], all[k]);
      if (k + 1 < all.size()) declared_alike(all[k], all[k + 1]);
    }
    for (std::size_t i = begin_; i < end_; ++i) {
      if (is(i, "for")) halving(i);
      if (is(i, "blockIdx")) part_of_block(i);
      toggled(i);
    }
  }

 private:
  void put(Rank rank, Edit edit, std::size_t at) {
    if (!edit.empty() && found_.size() < most_) add(rank, std::move(edit), tokens_[at].line);
  }

  /// Of `for (int y = ...; y < bound; ...)`.
  struct Head {
    std::string_view counter;
    Piece start, bound;
  };
  Head head_at(std::size_t word) const {
    const std::size_t close = is(word, "for") ? tokens_.close_of(word + 1) : end_;
    if (close >= end_) return {};
    std::size_t equals = word, first = word;
    while (equals < close && !is(equals, "=")) ++equals;
    while (first < close && !is(first, ";")) ++first;
    std::size_t second = first + 1;
    while (second < close && !is(second, ";")) ++second;
    if (equals + 1 >= first || second >= close || !is(first + 1, tokens_[equals - 1].spelling))
      return {};
    return {tokens_[equals - 1].spelling, {equals + 1, first}, {first + 3, second}};
  }

  /// `tile[y][x] = ...` in loops over y and x that end before the rows and columns of the tile do.
  void bounds_as_extents() {
    std::map<std::string_view, std::vector<Piece>> extents;
    for (std::size_t i = begin_; i + 3 < end_; ++i)
      if (is(i, "__shared__"))
        for (; i < end_ && !is(i, ";"); ++i)
          for (std::size_t open = i + 1;
               tokens_.is_word(i) && is(open, "[") && tokens_.close_of(open) < end_;
               open = tokens_.close_of(open) + 1)
            extents[tokens_[i].spelling].push_back({open + 1, tokens_.close_of(open)});
    std::map<std::size_t, Replacement> all;
    std::vector<std::size_t> words;
    for (std::size_t i = begin_; i < end_; ++i) {
      if (is(i, "for")) words.push_back(i);
      const auto array = extents.find(tokens_[i].spelling);
      if (array == extents.end() || !is(i + 1, "[") || scope_.is_in_shared(i)) continue;
      std::size_t open = i + 1;
      Edit edit;
      for (const Piece& extent : array->second) {
        const std::size_t close = is(open, "[") ? tokens_.close_of(open) : end_;
        if (close >= end_) break;
        for (auto word = words.rbegin(); word != words.rend() && close == open + 2; ++word) {
          const Head head = head_at(*word);
          if (head.counter != tokens_[open + 1].spelling) continue;
          if (text_of(head.bound) != text_of(extent))
            edit.push_back(replacement(head.bound.begin, head.bound.end, text_of(extent)));
          break;
        }
        open = close + 1;
      }
      if (!is(open, "=")) continue;
      for (const Replacement& one : edit) all.emplace(one.begin, one);
      put(condition, std::move(edit), i);
    }
    Edit together;
    for (auto& [at, one] : all) together.push_back(std::move(one));
    if (together.size() > 1) put(condition, std::move(together), begin_);
  }

  /// Of `if (...)` and of `= (...) ? in[i] : 0`: the condition.
  Piece test_at(std::size_t i) const {
    if (is(i, "if") && is(i + 1, "(") && tokens_.close_of(i + 1) < end_)
      return {i + 2, tokens_.close_of(i + 1)};
    if (!is(i, "=")) return {};
    std::size_t last = i + 1;
    while (last < end_ && !is(last, ";") && !is(last, "?")) ++last;
    if (!is(last, "?")) return {};
    const bool has_brackets = is(i + 1, "(") && tokens_.close_of(i + 1) + 1 == last;
    return has_brackets ? Piece{i + 2, last - 1} : Piece{i + 1, last};
  }

  /// `if (...) tile[y][x] = in[row * cols + column];`: what the index of the access needs, also where the store needs another.
  void conditions_as_accesses() {
    struct Guard {
      Piece test;
      std::vector<std::string> needed;
    };
    std::vector<Guard> guards;
    const std::vector<std::string_view> given = scope_.integers(Variable::Place::parameter, begin_);
    for (std::size_t i = begin_; i < end_; ++i) {
      const Piece test = test_at(i);
      if (test.end == 0 || is(test.end + 1, "return")) continue;
      std::size_t at = test.end, last = at;
      while (last < end_ && !is(last, ";")) ++last;
      while (at < last && !(scope_.is_pointer(at) && is(at + 1, "["))) ++at;
      const std::size_t star = at < last ? scope_.star_of_index(at + 1) : 0;
      const std::size_t plus = star == 0 ? 0 : scope_.primary_end(star + 1);
      if (star == 0 || !is(plus, "+") || scope_.primary_begin(star) != at + 2) continue;
      const auto bare = [&](std::size_t begin, std::size_t end) {
        const bool has_brackets = is(begin, "(") && tokens_.close_of(begin) + 1 == end;
        return has_brackets ? text(begin + 1, end - 1) : text(begin, end);
      };
      Guard guard{test, {}};
      for (const std::string_view rows : given)
        if (!is(star + 1, rows) && std::ranges::count(given, tokens_[star + 1].spelling) != 0)
          guard.needed.push_back(fmt::format("{} < {} && {} < {}", bare(at + 2, star), rows,
                                             bare(plus + 1, tokens_.close_of(at + 1)),
                                             text(star + 1, plus)));
      if (!guard.needed.empty()) guards.push_back(std::move(guard));
    }
    if (guards.size() > kMostConditions) return;
    for (const Guard& one : guards)
      for (const std::string& needed : one.needed)
        put(swap, {replacement(one.test.begin, one.test.end, needed)}, one.test.begin);
    for (std::size_t a = 0; a < guards.size(); ++a)
      for (std::size_t b = a + 1; b < guards.size(); ++b)
        for (const std::string& one : guards[a].needed)
          for (const std::string& other : guards[b].needed)
            put(swap,
                {replacement(guards[a].test.begin, guards[a].test.end, one),
                 replacement(guards[b].test.begin, guards[b].test.end, other)},
                guards[a].test.begin);
  }

  /// `int r = top + ty, c = left + tx;` where both lack a constant, or both have one too many.
  void declared_alike(const Statement& one, const Statement& other) {
    if (!one.is_declaration || !other.is_declaration) return;
    std::vector<Piece> sums;
    for (std::size_t i = one.begin; i < other.end; ++i)
      if (is(i, "=") && scope_.is_integer(i - 1))
        if (const std::size_t end = scope_.end_of_value(i + 1, other.end); end > i + 1)
          sums.push_back({i + 1, end});
    if (sums.size() != 2 || (one.begin != other.begin && sums[1].begin < other.begin)) return;
    const auto signs = [&](const Piece& sum) {
      std::string made;
      for (std::size_t i = sum.begin; i < sum.end; ++i)
        made += scope_.is_binary(i) ? text(i, i + 1) : "";
      return made;
    };
    if (signs(sums[0]) != signs(sums[1]) || signs(sums[0]).empty()) return;
    // `r + y` where r has the thread's own row already
    for (const bool keeps_first : {true, false}) {
      Edit edit;
      for (const Piece& sum : sums)
        for (std::size_t i = sum.begin; i < sum.end; ++i) {
          if (!scope_.is_integer(i) || is(i - 1, ".")) continue;
          const Piece value = value_of(tokens_[i].spelling, begin_, one.begin);
          std::size_t plus = value.begin;
          while (plus < value.end && !(is(plus, "+") && scope_.is_binary(plus))) ++plus;
          if (value.end == 0 || plus >= value.end) continue;
          edit.push_back(replacement(
              i, i + 1, keeps_first ? text(value.begin, plus) : text(plus + 1, value.end)));
          break;
        }
      if (edit.size() == 2) put(step, std::move(edit), one.begin);
    }
    for (const std::string_view constant : scope_.integers(Variable::Place::file, one.begin))
      for (const char* sign : {"+", "-"}) {
        Edit edit;
        for (const Piece& sum : sums)
          edit.push_back({tokens_[sum.end - 1].end(), tokens_[sum.end - 1].end(),
                          fmt::format(" {} {}", sign, constant)});
        put(step, std::move(edit), one.begin);
      }
  }

  /// `for (int d = 32; d > 1; d /= 2)` where the first is half as much, or the last is 1, or both.
  void halving(std::size_t word) {
    const Head head = head_at(word);
    const std::size_t close = tokens_.close_of(word + 1), sign = head.bound.begin - 1;
    const bool halves = close < end_ && (is(close - 2, "/=") || is(close - 2, ">>="));
    if (head.bound.end == 0 || !halves || (!is(sign, ">") && !is(sign, ">="))) return;
    const std::string start = text_of(head.start);
    const bool is_number = start.find_first_not_of("0123456789") == start.npos && start.size() < 5;
    const std::string half = is_number ? std::to_string(std::stoi(start) / 2) : start + " / 2";
    const std::string rest = "; " + std::string(head.counter), behind = text(head.bound.end, close);
    for (const std::string& first : {half, start})
      for (const char* end : {" > 0", " >= 1"})
        replace(step, head.start.begin, close, first + rest + end + behind, {Id::change_halving});
  }

  /// `turn = 1 - turn;` or `turn ^= 1;`: where else the other of two buffers may be meant.
  void toggled(std::size_t i) {
    const std::string name = text(i, i + 1);
    const bool is_difference =
                   is(i + 1, "=") && is(i + 2, "1") && is(i + 3, "-") && is(i + 4, name),
               is_bit = is(i + 1, "^=") && is(i + 2, "1"),
               is_not = is(i + 1, "=") && is(i + 2, "!") && is(i + 3, name);
    if (!scope_.is_variable(i) || (!is_difference && !is_bit && !is_not)) return;
    const std::string other = is_bit ? name + " ^ 1" : is_not ? "!" + name : "1 - " + name;
    for (std::size_t at = begin_; at + 2 < end_; ++at)
      if (is(at, "[") && is(at + 1, name) && is(at + 2, "]"))
        put(condition, {replacement(at + 1, at + 2, other)}, at);
  }

  /// `blockIdx.x * blockDim.x` where a block has a part of another size.
  void part_of_block(std::size_t i) {
    if (!is(i + 1, ".") || !is(i + 3, "*") || !is(i + 4, "blockDim")) return;
    for (const std::string_view own : scope_.integers(Variable::Place::own, i))
      if (!scope_.is_place(own)) replace(name, i + 4, i + 7, std::string(own));
  }

  const std::size_t begin_, end_, most_;
};

}  // namespace

void twin_edits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
                std::vector<Ranked>& found) {
  TwinEdits(tokens, scope, begin, end, found).all();
}

}  // namespace labkit::compile
