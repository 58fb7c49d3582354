// Edits of what small functions are given and give back: an index that is inside though its column is not, parts that a function
// rounds one by one.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "compile/edit_maker.h"
#include "compile/outline.h"

namespace labkit::compile {
namespace {

class HelperEdits : public EditMaker {
 public:
  using EditMaker::EditMaker;

  void all(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (is(i, "+")) rounded_apart(i, begin);
      if (is(i, "+")) divided_apart(i, begin);
      if (is(i, "return")) step_of_a_block(i);
      flat_for_a_place(i, end);
      other_direction(i, end);
    }
  }

 private:
  /// `or_zero(in, r * cols + c, rows * cols)`: where the column is none of the matrix, the flat index can be inside of it all the
  /// same.
  void flat_for_a_place(std::size_t word, std::size_t end) {
    const Piece call{word, is(word + 1, "(") ? tokens_.close_of(word + 1) + 1 : word};
    if (call.end >= end || !is_call(call) || !limits(word)) return;
    for (const Piece& one : arguments(call)) {
      const std::size_t column = scope_.primary_begin(one.end);
      if (column < one.begin + 4 || column == one.end || !is(column - 1, "+")) continue;
      const std::size_t length = scope_.primary_begin(column - 1);
      if (length < one.begin + 2 || length == column - 1 || !is(length - 1, "*")) continue;
      const std::string c = text(column, one.end);
      const bool is_alone = is(call.begin - 1, "=") && is(call.end, ";");
      const std::string chosen = fmt::format("{0} >= 0 && {0} < {1} ? {2} : 0", c,
                                             text(length, column - 1), text_of(call));
      replace(condition, call.begin, call.end, is_alone ? chosen : "(" + chosen + ")",
              {Id::change_next_row});
    }
  }

  /// `int step() { return blockDim.x; }`: of all blocks.
  void step_of_a_block(std::size_t word) {
    if (is(word + 1, "blockDim") && is(word + 4, ";"))
      replace(step, word + 1, word + 4,
              fmt::format("gridDim.{} * {}", text(word + 3, word + 4), text(word + 1, word + 4)),
              {Id::change_step_of_block});
  }

  /// `place(blockIdx.y, threadIdx.y)` of a function that returns `block * blockDim.x + thread`: that, with `blockDim.y`.
  void other_direction(std::size_t word, std::size_t end) {
    const Piece call{word, is(word + 1, "(") ? tokens_.close_of(word + 1) + 1 : word};
    if (call.end >= end || !is_call(call) || !has("y", call) || has("x", call)) return;
    for (const DeviceFunction& function : device_functions_of(tokens_)) {
      const std::size_t close = tokens_.close_of(function.body);
      if (function.is_kernel || !is(word, function.name) || !is(function.body + 1, "return") ||
          !is(close - 1, ";"))
        continue;
      const Piece value{function.body + 2, close - 1};
      std::size_t head = function.body;
      while (head > 0 && !is(head, function.name)) --head;
      const std::vector<Piece> declared = arguments({head, tokens_.close_of(head + 1) + 1}),
                               given = arguments(call);
      if (!has("blockDim", value) || declared.size() != given.size()) return;
      std::string inlined;
      for (std::size_t i = value.begin; i < value.end; ++i) {
        std::string token = text(i, i + 1);
        for (std::size_t k = 0; k < given.size(); ++k)
          if (!is(i - 1, ".") && is(declared[k].end - 1, token)) token = text_of(given[k]);
        if (is(i - 1, ".") && is(i - 2, "blockDim") && token == "x") token = "y";
        const bool is_apart = i > value.begin && tokens_[i].begin > tokens_[i - 1].end();
        inlined += (is_apart ? " " : "") + token;
      }
      const bool is_alone = is(call.begin - 1, "=") && is(call.end, ";");
      replace(swap, call.begin, call.end, is_alone ? inlined : "(" + inlined + ")");
    }
  }

  /// The call that the value of `one` is, or of the variable that it names.
  std::optional<Piece> call_of(const Piece& one, std::size_t begin) const {
    if (is_call(one)) return one;
    if (one.end != one.begin + 1 || !scope_.is_variable(one.begin)) return std::nullopt;
    const Piece value = value_of(tokens_[one.begin].spelling, begin, one.begin);
    return is_call(value) ? std::optional(value) : std::nullopt;
  }
  /// `part(a) + part(b)` where part(a + b) is meant.
  void rounded_apart(std::size_t plus, std::size_t begin) {
    if (!scope_.is_binary(plus)) return;
    const Piece left{scope_.primary_begin(plus), plus},
        right{plus + 1, scope_.primary_end(plus + 1)};
    const auto first = call_of(left, begin), second = call_of(right, begin);
    if (!first || !second || !is(first->begin, tokens_[second->begin].spelling)) return;
    const std::vector<Piece> a = arguments(*first), b = arguments(*second);
    if (a.size() == 1 && b.size() == 1)
      replace(rounding, left.begin, right.end,
              fmt::format("{}({} + {})", text(first->begin, first->begin + 1), text_of(a[0]),
                          text_of(b[0])));
  }

  /// What is divided and by what, where all of the piece is `a * b / 8`.
  struct Quotient {
    Piece number, by;
  };
  std::optional<Quotient> quotient(const Piece& piece) const {
    const Piece by{scope_.primary_begin(piece.end), piece.end};
    if (by.begin < piece.begin + 2 || by.begin == by.end || !is(by.begin - 1, "/")) return {};
    std::size_t first = scope_.primary_begin(by.begin - 1);
    while (first > piece.begin && (is(first - 1, "*") || is(first - 1, "/")) &&
           scope_.primary_begin(first - 1) < first - 1)
      first = scope_.primary_begin(first - 1);
    return first == piece.begin ? std::optional(Quotient{{first, by.begin - 1}, by}) : std::nullopt;
  }
  /// The quotient that the piece is, or the variable that it names.
  std::optional<Quotient> quotient_of(const Piece& piece, std::size_t begin) const {
    const bool is_name = piece.end == piece.begin + 1 && scope_.is_integer(piece.begin);
    return quotient(is_name ? value_of(tokens_[piece.begin].spelling, begin, piece.begin) : piece);
  }
  /// `first / 8 + lane * step / 8` where the sum is to be divided, also through a variable.
  void divided_apart(std::size_t plus, std::size_t begin) {
    if (!scope_.is_binary(plus)) return;
    Piece left{scope_.primary_begin(plus), plus}, right{plus + 1, scope_.primary_end(plus + 1)};
    while (left.begin > begin && (is(left.begin - 1, "*") || is(left.begin - 1, "/")) &&
           scope_.primary_begin(left.begin - 1) < left.begin - 1)
      left.begin = scope_.primary_begin(left.begin - 1);
    while ((is(right.end, "*") || is(right.end, "/")) &&
           scope_.primary_end(right.end + 1) > right.end + 1)
      right.end = scope_.primary_end(right.end + 1);
    const auto first = quotient_of(left, begin), second = quotient_of(right, begin);
    if (!first || !second || text_of(first->by) != text_of(second->by)) return;
    replace(rounding, left.begin, right.end,
            fmt::format("({} + {}) / {}", text_of(first->number), text_of(second->number),
                        text_of(first->by)),
            {Id::change_parts_divided});
  }
};

}  // namespace

void helper_edits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
                  std::vector<Ranked>& found) {
  HelperEdits(tokens, scope, found).all(begin, end);
}

}  // namespace labkit::compile
