// Edits of parts: a block's piece of an array whose loop goes on past its end, and a second element for each thread where some need
// a third one.
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
      if (is(i, "for")) end_of_piece(i);
      if (is(i, "if")) further_elements(i);
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
      if (length.end != 0)
        add(step,
            {insertion(last, fmt::format(" && {} < {} + {}", text(test + 1, test + 2), begin,
                                         text_of(length)))},
            tokens_[word].line);
    }
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

  std::size_t begin_, end_;
};

}  // namespace

void part_edits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
                std::vector<Ranked>& found) {
  PartEdits(tokens, scope, begin, end, found).all();
}

}  // namespace labkit::compile
