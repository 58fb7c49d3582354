// Edits of which thread touches which element: indices of the load and of the store exchanged, a test of another index, loops of
// a block for those of a warp, elements of a shared array that nobody has stored.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "compile/edit_maker.h"

namespace labkit::compile {
namespace {

constexpr std::size_t kMostDivisions = 6;

class IndexEdits : public EditMaker {
 public:
  IndexEdits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
             std::vector<Ranked>& found)
      : EditMaker(tokens, scope, found),
        begin_(begin),
        end_(end),
        all_(scope.statements(begin, end)) {}

  void all() {
    indices_exchanged();
    number_divided();
    own_places();
    for (std::size_t k = 0; k < all_.size(); ++k) {
      guarded_element(all_[k]);
      one_of_many(all_[k]);
      sum_of_block(all_[k]);
      row_compared(all_[k]);
      output_as_input(all_[k]);
    }
    for (std::size_t i = begin_; i < end_; ++i) {
      clamped(i);
      if (is(i, "for")) {
        loop_of_warp(i);
        guard_of_next(i);
      }
    }
    if (clamped_.size() > 1) add(rounding, clamped_, tokens_[begin_].line);
  }

 private:
  /// Of `for (`: the end of the statement, behind it.
  std::size_t loop_end(std::size_t word) const {
    std::size_t at = tokens_.close_of(word + 1) + 1;
    if (is(at, "{")) return tokens_.close_of(at) + 1;
    while (at < end_ && !is(at, ";")) ++at;
    return at + 1;
  }

  /// `i = offset + (a * b + t) * stride; if (i < n) out[i] = in[i];`, where out has neither offset nor stride.
  void output_as_input(const Statement& one) {
    const std::size_t index = one.begin + 2, bracket = one.begin + 3;
    if (!scope_.is_pointer(one.begin) || !is(index - 1, "[") || !scope_.is_integer(index) ||
        !is(bracket, "]") || !is(bracket + 1, "="))
      return;
    const Piece value = value_of(tokens_[index].spelling, begin_, one.begin);
    Piece own;
    for (std::size_t i = value.begin; i < value.end && own.end == 0; ++i) {
      const std::size_t close = is(i, "(") ? tokens_.close_of(i) : value.end;
      if (close < value.end && has("threadIdx", {i, close}))
        own = {i + 1, close};
      else if (scope_.is_integer(i) && scope_.is_place(tokens_[i].spelling))
        own = {i, i + 1};
    }
    if (own.end == 0 || own.end - own.begin + 2 >= value.end - value.begin) return;
    Edit edit;
    if (is(one.whole, "if"))
      for (std::size_t i = one.whole + 2; i < one.begin; ++i)
        if (is(i, tokens_[index].spelling)) edit.push_back(replacement(i, i + 1, text_of(own)));
    edit.push_back(replacement(index, bracket, text_of(own)));
    add(Rank::index, std::move(edit), tokens_[one.begin].line);
  }

  /// `v = in[a]; out[b] = v;` where a and b belong to the other array.
  void indices_exchanged() {
    std::vector<Piece> indices;
    for (std::size_t i = begin_; i < end_; ++i)
      if (scope_.is_pointer(i) && is(i + 1, "[") && tokens_.close_of(i + 1) < end_)
        indices.push_back({i + 2, tokens_.close_of(i + 1)});
    if (indices.size() != 2 || text_of(indices[0]) == text_of(indices[1])) return;
    add(swap,
        {replacement(indices[0].begin, indices[0].end, text_of(indices[1])),
         replacement(indices[1].begin, indices[1].end, text_of(indices[0]))},
        tokens_[indices[0].begin].line);
  }

  /// `i / 32` beside `threadIdx.x % 32`: quotient and remainder of two numbers where one is meant.
  void number_divided() {
    struct Division {
      Piece number;
      std::string divisor;
    };
    std::vector<Division> quotients, remainders;
    for (std::size_t i = begin_ + 1; i + 1 < end_; ++i) {
      std::vector<Division>* const all = is(i, "/")   ? &quotients
                                         : is(i, "%") ? &remainders
                                                      : nullptr;
      const std::size_t number = scope_.primary_begin(i), last = scope_.primary_end(i + 1);
      if (all && all->size() < kMostDivisions && number < i && last > i + 1)
        all->push_back({{number, i}, text(i + 1, last)});
    }
    for (const Division& one : quotients)
      for (const Division& other : remainders) {
        if (one.divisor != other.divisor || text_of(one.number) == text_of(other.number)) continue;
        replace(index, other.number.begin, other.number.end, text_of(one.number));
        replace(index, one.number.begin, one.number.end, text_of(other.number));
      }
  }

  /// `r = blockIdx.y; c = threadIdx.x;`, of which each is a part of the thread's place in the grid.
  void own_places() {
    Edit edit;
    std::string parts;
    std::uint32_t line = 0;
    for (std::size_t i = begin_ + 1; i + 3 < end_; ++i) {
      if (!is(i - 1, "=") || !is(i + 1, ".") || !is(i + 3, ";") ||
          (!is(i, "threadIdx") && !is(i, "blockIdx")))
        continue;
      const std::string part = text(i + 2, i + 3);
      if (parts.find(part) != std::string::npos) return;
      parts += part;
      line = tokens_[i].line;
      edit.push_back(
          replacement(i, i + 3, fmt::format("blockIdx.{0} * blockDim.{0} + threadIdx.{0}", part)));
    }
    if (edit.size() == 2) add(index, edit, line);
  }

  /// `mine = sums[lane]`, of which only as many are stored as the block has warps.
  void guarded_element(const Statement& one) {
    std::size_t array = one.begin + 1;  // all of a value, or of what a function is given
    while (array < one.end && !is_alone(array, one.end)) ++array;
    if (array >= one.end || scope_.is_pointer(array) || !scope_.is_integer(array + 2)) return;
    std::vector<std::string> counts = {"blockDim.x / 32"};
    for (const std::string_view own : scope_.integers(Variable::Place::own, array))
      if (!is(array + 2, own)) counts.emplace_back(own);
    for (const std::string& count : counts)
      replace(structure, array, array + 4,
              fmt::format("{} < {} ? {} : 0", text(array + 2, array + 3), count,
                          text(array, array + 4)),
              {Id::change_unstored});
  }
  bool is_alone(std::size_t array, std::size_t end) const {
    return is(array + 1, "[") && is(array + 3, "]") &&
           ((is(array - 1, "=") && array + 4 == end) || (is(array - 1, "(") && is(array + 4, ")")));
  }

  /// `atomicAdd(total, sum)` by every lane that has the sum.
  void one_of_many(const Statement& one) {
    if (!is(one.begin, "atomicAdd")) return;
    for (const char* first : {"threadIdx.x % 32", "threadIdx.x"})
      add(rounding, {insertion(one.begin, fmt::format("if ({} == 0) ", first))},
          tokens_[one.begin].line);
  }

  /// `if (lane == 0) atomicAdd(total, sum)`: the sums of a block's warps in shared memory first.
  void sum_of_block(const Statement& one) {
    const std::size_t last = tokens_.close_of(one.begin + 1);
    if (!is(one.begin, "atomicAdd") || !is(one.whole, "if") || !scope_.is_pointer(one.begin + 2) ||
        !is(one.begin + 3, ",") || one.end != last + 1 || last != one.begin + 5)
      return;
    std::size_t name = begin_;  // of the sum, where it is declared
    while (name < one.whole && !(is(name, tokens_[last - 1].spelling) && tokens_.is_word(name - 1)))
      ++name;
    if (name == one.whole) return;
    add(structure,
        {insertion(one.whole,
                   fmt::format("__shared__ {} of_block;\v  if (threadIdx.x == 0) of_block = 0;\v  "
                               "__syncthreads();\v  ",
                               text(name - 1, name))),
         replacement(one.begin + 2, one.begin + 3, "&of_block"),
         {tokens_[one.end].end(), tokens_[one.end].end(),
          fmt::format("\v  __syncthreads();\v  if (threadIdx.x == 0) atomicAdd({}, of_block);",
                      text(one.begin + 2, one.begin + 3))}},
        tokens_[one.whole].line, {Id::change_once_a_block});
  }

  /// `a[row * m + min(k, m - 1)]`, where what lies outside is 0.
  void clamped(std::size_t array) {
    const std::size_t close = is(array + 1, "[") ? tokens_.close_of(array + 1) : end_;
    if (close >= end_ || !scope_.is_pointer(array)) return;
    for (std::size_t i = array + 2; i + 7 <= close; ++i) {
      if (!is(i, "min") || !is(i + 3, ",") || !is(i + 5, "-") || !is(i + 6, "1")) continue;
      const std::string place = text(i + 2, i + 3);
      const auto source = [&](std::size_t from, std::size_t to) {
        return std::string(tokens_.source().substr(from, to - from));
      };
      const Replacement by =
          replacement(array, close + 1,
                      fmt::format("{} < {} ? {}{}{} : 0", place, text(i + 4, i + 5),
                                  source(tokens_[array].begin, tokens_[i].begin), place,
                                  source(tokens_[i + 7].end(), tokens_[close].end())));
      add(rounding, {by}, tokens_[array].line);
      clamped_.push_back(by);
      return;
    }
  }

  /// `if (i < n) y[(first + r) * 32 + lane] = ...`, where first + r is to be tested.
  void row_compared(const Statement& one) {
    std::size_t test = one.whole;
    while (test < one.begin && !is(test, "if")) ++test;
    if (test == one.begin || !is(test + 3, "<") || !scope_.is_integer(test + 2)) return;
    for (std::size_t open = one.begin; open < one.end; ++open) {
      const std::size_t star = is(open, "[") ? scope_.star_of_index(open) : 0;
      if (star == 0 || !is(star - 1, ")")) continue;
      const std::size_t row = scope_.primary_begin(star);
      replace(rounding, test + 2, test + 3, text(row + 1, star - 1));
    }
  }

  /// `for (b = threadIdx.x; b < bins; b += blockDim.x) part[warp][b] = 0;`: of a warp's own part, by the threads of that warp.
  void loop_of_warp(std::size_t word) {
    const std::size_t close = tokens_.close_of(word + 1);
    std::size_t equals = word;
    while (equals < close && !is(equals, "=")) ++equals;
    std::size_t first = equals;
    while (first < close && !is(first, ";")) ++first;
    if (close >= end_ || first >= close || !is(close - 4, "+=") || !is(close - 3, "blockDim"))
      return;
    std::size_t start = equals + 1;  // or where a variable of that name gets its value
    if (const Piece value = value_of(tokens_[start].spelling, begin_, word); value.end != 0)
      start = value.begin;
    if (text(start, start + 3) != "threadIdx.x") return;
    add(structure,
        {replacement(equals + 1, first, "threadIdx.x % 32"), replacement(close - 3, close, "32")},
        tokens_[word].line);
  }

  /// A loop whose sum only the thread of the `if` behind it needs.
  void guard_of_next(std::size_t word) {
    const std::size_t next = loop_end(word);
    if (next >= end_ || !is(next, "if") || !is(next + 1, "(")) return;
    const std::size_t close = tokens_.close_of(next + 1);
    if (close < end_)
      add(index, {insertion(word, "if " + text(next + 1, close + 1) + " ")}, tokens_[word].line);
  }

  const std::size_t begin_, end_;
  const std::vector<Statement> all_;
  Edit clamped_;  ///< of clamped()
};

}  // namespace

void index_edits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
                 std::vector<Ranked>& found) {
  IndexEdits(tokens, scope, begin, end, found).all();
}

}  // namespace labkit::compile
