// Edits of parts: a block's piece of an array whose loop goes on past its end, a second element for each thread where some need a
// third one, tiles that a loop goes through: by number, by place, or not at all; halves of what may be odd.
#include <fmt/format.h>

#include "compile/edit_maker.h"

namespace labkit::compile {
namespace {

class PartEdits : public EditMaker {
 public:
  PartEdits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
            std::vector<Ranked>& found)
      : EditMaker(tokens, scope, found), begin_(begin), end_(end) {}

  void all() {
    for (std::size_t i = begin_; i < end_; ++i) {
      if (is(i, "for")) {
        end_of_piece(i);
        tiles(i);
      }
      if (is(i, "if")) further_elements(i);
      if (is(i, "=")) odd_halves(i);
    }
  }

 private:
  bool differs(const Piece& piece) const {
    for (std::size_t i = piece.begin; i < piece.end; ++i)
      if (is(i, "blockIdx") || is(i, "threadIdx") ||
          (scope_.is_variable(i) && scope_.is_place(tokens_[i].spelling)))
        return true;
    return false;
  }

  /// Of `blockIdx.x * piece`, "piece"; empty: it is no such product.
  Piece length_in(const Piece& product) const {
    const Piece left{product.begin, scope_.primary_end(product.begin)};
    if (!is(left.end, "*")) return {};
    const Piece right{left.end + 1, scope_.primary_end(left.end + 1)};
    if (right.end != product.end || differs(left) == differs(right)) return {};
    return differs(left) ? right : left;
  }

  /// `begin = blockIdx.x * piece; for (i = begin + threadIdx.x; i < n; ...)`: only as far as the piece goes.
  void end_of_piece(std::size_t word) {
    const std::size_t close = tokens_.close_of(word + 1);
    std::size_t equals = word + 2;
    while (equals < close && !is(equals, "=") && !is(equals, ";")) ++equals;
    std::size_t test = equals;
    while (test < close && !is(test, ";")) ++test;
    std::size_t last = test + 1;
    while (last < close && !is(last, ";")) ++last;
    if (last >= close || !scope_.is_integer(test + 1) || !is(test + 2, "<")) return;
    for (std::size_t i = equals + 1; i < test; ++i) {
      if (!scope_.is_integer(i)) continue;
      const std::string begin = text(i, i + 1);
      const Piece value = value_of(begin, begin_, word);
      const Piece length = value.end == 0 ? Piece{} : length_in(value);
      if (length.end == 0) continue;
      const std::string piece_end = begin + " + " + text_of(length);
      add(step, {insertion(last, fmt::format(" && {} < {}", text(test + 1, test + 2), piece_end))},
          tokens_[word].line, {Id::change_end_of_part, {{"begin", begin}, {"end", piece_end}}});
    }
  }

  /// `for (t = 0; t < m; t += 32)` over `t * 32 + x`: by place, `t + x`. And `for (t = 0; t < tiles; ++t)` over `in[row * m + x]`
  /// alone, each tile the first one: over `t * 32 + x`.
  void tiles(std::size_t word) {
    const std::size_t head = tokens_.close_of(word + 1), open = head + 1;
    const std::size_t close = is(open, "{") ? tokens_.close_of(open) : end_;
    std::size_t equals = word + 2;
    while (equals < head && !is(equals, "=")) ++equals;
    if (close >= end_ || equals >= head || !scope_.is_integer(equals - 1)) return;
    const std::string counter = text(equals - 1, equals);
    std::size_t divided = equals, step = equals;
    for (std::size_t i = equals; i < head; ++i) {
      if (is(i, "/")) divided = i;
      if (is(i, "+=")) step = i;
    }
    Edit by_place;
    bool is_used = false;
    for (std::size_t i = open; i < close; ++i) {
      is_used = is_used || is(i, counter);
      if (is(i, counter) && is(i + 1, "*") && step > equals && scope_.primary_end(i + 2) == i + 3 &&
          text(i + 2, i + 3) == text(step + 1, head))
        by_place.push_back(replacement(i, i + 3, counter));
    }
    if (!by_place.empty())
      add(Rank::step, std::move(by_place), tokens_[word].line,
          {Id::change_counts_elements, {{"name", counter}, {"step", text(step + 1, step + 2)}}});
    if (is_used || (divided == equals && step == equals)) return;
    const std::string place =
        step > equals
            ? counter
            : fmt::format("{} * {}", counter, text(divided + 1, scope_.primary_end(divided + 1)));
    // what is compared with the length that the head has, too
    Edit each;
    for (std::size_t i = open + 1; i + 2 < close; ++i) {
      if (!is(i + 1, "<") || !scope_.is_integer(i) || !scope_.is_integer(i + 2) ||
          !scope_.is_parameter(tokens_[i + 2].spelling))
        continue;
      bool is_length = false;
      for (std::size_t k = equals; k < head; ++k)
        is_length = is_length || is(k, tokens_[i + 2].spelling);
      if (!is_length) continue;
      std::size_t first = i, end = i;
      while (first > open && !is(first - 1, ";") && !is(first - 1, "{") && !is(first - 1, "=") &&
             !is(first - 1, "}"))
        --first;
      while (end < close && !is(end, ";")) ++end;
      for (std::size_t k = first; k < end; ++k)
        if (is(k, tokens_[i].spelling))
          each.push_back(replacement(k, k + 1, fmt::format("({} + {})", place, text(i, i + 1))));
      i = end;
    }
    if (!each.empty())
      add(Rank::step, std::move(each), tokens_[word].line,
          {Id::change_same_tile, {{"name", counter}}});
  }

  /// `if (me + threads < size) fill(me + threads)`: in a loop, by as much each time.
  void further_elements(std::size_t word) {
    const std::size_t open = word + 1, close = tokens_.close_of(open);
    std::size_t less = open + 1;
    while (less < close && !is(less, "<")) ++less;
    const std::size_t plus = scope_.primary_end(open + 1);
    if (less >= close || !is(plus, "+") || scope_.primary_end(plus + 1) != less) return;
    for (std::size_t i = less + 1; i < close; ++i)
      if (is(i, "&&") || is(i, "||")) return;
    const Piece first{open + 1, plus}, second{plus + 1, less};
    if (differs(first) == differs(second)) return;
    std::size_t end = close + 1;
    if (is(end, "{"))
      end = tokens_.close_of(end) + 1;
    else
      while (end < end_ && !is(end, ";")) ++end;
    if (end >= end_ || is(end + 1, "else")) return;
    const std::string next = text(open + 1, less),
                      length = text_of(differs(first) ? second : first);
    Edit edit = {replacement(
        word, close + 1,
        fmt::format("for (int next = {}; next {}; next += {})", next, text(less, close), length))};
    for (std::size_t i = close + 1; i + (less - open - 1) <= end; ++i) {
      if (is(i, "next")) return;
      if (text(i, i + (less - open - 1)) == next)
        edit.push_back(replacement(i, i + (less - open - 1), "next"));
    }
    if (edit.size() > 1) add(step, std::move(edit), tokens_[word].line);
  }

  /// `half = count / 2; if (t < half) part[t] += part[t + half]; count = half;` where `count` may be odd: half of it, rounded up,
  /// and only with a partner.
  void odd_halves(std::size_t equals) {
    const bool is_halved = equals > begin_ && scope_.is_integer(equals - 1) &&
                           scope_.is_integer(equals + 1) &&
                           ((is(equals + 2, "/") && is(equals + 3, "2") && is(equals + 4, ";")) ||
                            (is(equals + 2, ">") && is(equals + 3, ">") && is(equals + 4, "1") &&
                             is(equals + 5, ";")));
    if (!is_halved) return;
    const std::string half = text(equals - 1, equals), count = text(equals + 1, equals + 2);
    const std::size_t value_end = is(equals + 2, "/") ? equals + 4 : equals + 5;
    Edit edit = {replacement(equals + 1, value_end, fmt::format("({} + 1) / 2", count))};
    bool goes_on = false;
    for (std::size_t i = value_end; i + 2 < end_; ++i) {
      goes_on = goes_on || (is(i, count) && is(i + 1, "=") && is(i + 2, half));
      const std::size_t first = is(i, "<") && is(i + 1, half) ? scope_.primary_begin(i) : i;
      if (first < i && first > value_end)
        edit.push_back(
            replacement(first, i + 2, fmt::format("{} + {} < {}", text(first, i), half, count)));
    }
    if (goes_on && edit.size() == 2)
      add(rounding, std::move(edit), tokens_[equals].line, {Id::change_halves});
  }

  std::size_t begin_, end_;
};

}  // namespace

void part_edits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
                std::vector<Ranked>& found) {
  PartEdits(tokens, scope, begin, end, found).all();
}

}  // namespace labkit::compile
