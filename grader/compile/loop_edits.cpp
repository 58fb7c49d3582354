// Edits of several places that belong together: what stands in a loop and belongs before or after it, one tile for all warps,
// elements that lie side by side for a thread and not for its warp, two values that are exchanged.
#include <fmt/format.h>

#include <set>

#include "base/text.h"
#include "compile/edit_maker.h"

namespace labkit::compile {
namespace {

class LoopEdits : public EditMaker {
 public:
  using EditMaker::EditMaker;

  void all(std::size_t begin, std::size_t end) {
    begin_ = begin;
    end_ = end;
    const std::vector<Statement> statements = scope_.statements(begin, end);
    for (std::size_t k = 0; k + 1 < statements.size(); ++k)
      values_exchanged(statements[k], statements[k + 1]);
    for (const Statement& one : statements)
      if (one.is_declaration) neighbours(one);
    for (std::size_t i = begin; i < end; ++i) {
      if (is(i, "for") || is(i, "while")) moved_out(i);
      if (is(i, "for")) neighbours_of_a_thread(i);
      if (is(i, "for")) turned(i);
      if (is(i, "for")) halves(i);
      if (is(i, "+=")) next_of_loop(i);
      if (is(i, "for")) counter_that_hides(i);
      if (is(i, "for")) part_of_a_warp(i);
      if (is(i, "for")) last_seen(i);
      if (is(i, "for") || is(i, "while")) sum_of_each_turn(i);
      if (is(i, "=")) chunks(i);
      if (scope_.is_in_shared(i) && is(i + 1, "[") && scope_.is_variable(i)) tile_of_a_warp(i);
    }
    walks_apart();
  }

 private:
  /// `int sum = 0; for (...) { for (...) sum += x; out[i] = sum; }`: from 0 again in each iteration.
  void sum_of_each_turn(std::size_t word) {
    const std::size_t open = tokens_.close_of(word + 1) + 1;
    const std::size_t close = is(open, "{") ? tokens_.close_of(open) : end_;
    if (close >= end_) return;
    for (std::size_t name = begin_; name + 3 < word; ++name) {
      if (!scope_.is_variable(name) || !is(name + 1, "=") || !scope_.is_declaration(name + 1) ||
          tokens_[name + 2].kind != Token::Kind::number || !is(name + 3, ";"))
        continue;
      const std::string_view sum = tokens_[name].spelling;
      std::size_t steps = 0, values = 0, uses = 0;
      for (std::size_t i = open; i < close; ++i) {
        if (!is(i, sum)) continue;
        const bool steps_here = is(i + 1, "+=") || is(i + 1, "++") || is(i - 1, "++");
        (steps_here ? steps : is(i + 1, "=") ? values : uses) += 1;
      }
      if (steps > 0 && values == 0 && uses > 0)
        add(assignment,
            {{tokens_[open].end(), tokens_[open].end(), "\v    " + text(name, name + 4)}},
            tokens_[open].line, {Id::change_each_turn, {{"name", std::string(sum)}}});
    }
  }

  /// `for (...) { float sum = 0; ...; c[i] = sum; }`: the first before the loop, the store after it, both.
  void moved_out(std::size_t word) {
    const std::size_t head = tokens_.close_of(word + 1), open = head + 1;
    if (head >= end_ || !is(open, "{") || tokens_.close_of(open) >= end_) return;
    const std::size_t close = tokens_.close_of(open), word_at = tokens_[word].begin,
                      behind = tokens_[close].end();
    Edit before, after, in_last;
    for (const Piece& item : items(open + 1, close)) {
      const bool is_start = is(item.end - 3, "=") && !is(item.end - 4, "]") &&
                            !is(item.begin, "for") &&
                            tokens_[item.end - 2].kind == Token::Kind::number;
      if (is_start && before.empty())
        before = {{word_at, word_at, text(item.begin, item.end) + "\v  "},
                  replacement(item.begin, item.end, "")};
      if (!stores(item)) continue;
      const std::string stored = in_one_line(item);
      after = {replacement(item.begin, item.end, ""), {behind, behind, "\v  " + stored}};
      // `if (t == tiles - 1 && row < n) ...` of the last step, which there may not be
      const std::size_t condition = item.begin + 2;
      std::size_t conjunct = condition;
      while (conjunct < item.end && !is(conjunct, "&&") && !is(conjunct, ")")) ++conjunct;
      if (is(item.begin, "if") && is(conjunct, "&&") && is(condition + 1, "=="))
        in_last = {after[0], {behind, behind, "\v  if (" + in_one_line({conjunct + 1, item.end})}};
    }
    Edit both = before;
    both.insert(both.end(), after.begin(), after.end());
    if (!before.empty() && !after.empty())  // the sum is whole there
      both.back().text = replace_all(both.back().text, "+=", "=");
    for (Edit* edit : {&before, &after, &both, &in_last})
      if (!edit->empty()) add(step, *edit, tokens_[word].line);
  }
  /// `for (int s = 0; ...) out[(first + lane) * 32 + s] = part[lane][s];` where the lanes and the counter change places.
  void turned(std::size_t word) {
    const std::size_t head = tokens_.close_of(word + 1), open = head + 1;
    std::size_t equals = word + 2;
    while (equals < head && !is(equals, "=") && !is(equals, ";")) ++equals;
    const std::size_t counter = equals - 1;
    if (head >= end_ || !is(equals, "=") || !scope_.is_integer(counter)) return;
    std::size_t close = open;
    if (is(open, "{"))
      close = tokens_.close_of(open);
    else
      while (close < end_ && !is(close, ";")) ++close;
    if (close >= end_) return;
    for (const std::string_view other : scope_.integers(Variable::Place::own, word)) {
      if (!scope_.is_place(other) || is(counter, other)) continue;
      Edit edit;
      bool has_other = false, has_counter = false;
      for (std::size_t i = open; i < close; ++i) {
        const bool is_other = is(i, other);
        if (is(i - 1, ".") || (!is_other && !is(i, tokens_[counter].spelling))) continue;
        edit.push_back(
            replacement(i, i + 1, std::string(is_other ? tokens_[counter].spelling : other)));
        (is_other ? has_other : has_counter) = true;
      }
      if (has_other && has_counter) add(structure, std::move(edit), tokens_[word].line);
    }
  }

  /// `for (int j = 0; j < 32; ++j) y[(first + j) * 32 + lane] = ...`, the same in each warp of the block: to each every few.
  void part_of_a_warp(std::size_t word) {
    std::size_t equals = word + 2;
    const std::size_t close = tokens_.close_of(word + 1);
    while (equals < close && !is(equals, "=") && !is(equals, ";")) ++equals;
    const std::size_t less = equals + 4;
    if (close >= end_ || !is(equals + 1, "0") || !is(equals + 2, ";") || !is(less, "<")) return;
    std::size_t semicolon = less + 1;
    while (semicolon < close && !is(semicolon, ";")) ++semicolon;
    std::string warp;
    for (std::size_t i = begin_; i + 4 < end_ && warp.empty(); ++i)
      if (is(i, "threadIdx") && is(i + 2, "x") && is(i + 3, "%") && scope_.is_fixed(i + 4))
        warp = text(i + 4, i + 5);
    if (warp.empty() || semicolon + 1 >= close) return;
    const std::string counter = text(equals - 1, equals), most = text(less + 1, semicolon);
    std::vector<std::string> ends = {"blockDim.x"};
    for (const std::string_view size : scope_.integers(Variable::Place::file, word))
      ends.emplace(ends.end() - 1, size);
    if (most != warp) ends.insert(ends.begin(), most);
    for (const std::string& end : ends) {
      const bool is_block = end != most;
      add(step,
          {replacement(equals + 1, equals + 2, "threadIdx.x / " + warp),
           replacement(less + 1, semicolon, end),
           replacement(semicolon + 1, close,
                       fmt::format("{} += {} / {}", counter, is_block ? end : "blockDim.x", warp))},
          tokens_[word].line);
    }
  }

  /// `int before = 0; for (int k = 0; ...) { const int s = f(k); if (s != before) { ...; before = s; } }`: before the loop, f(0).
  void last_seen(std::size_t word) {
    const std::size_t close = tokens_.close_of(word + 1), open = close + 1, counter = word + 3;
    if (close >= end_ || !is(open, "{") || tokens_.close_of(open) >= end_ ||
        !is(counter + 1, "=") || !is(counter + 3, ";"))
      return;
    for (std::size_t i = open; i + 3 < tokens_.close_of(open); ++i) {
      if (!is(i, "!=") || !scope_.is_integer(i - 1) || !scope_.is_integer(i + 1)) continue;
      for (const std::size_t seen : {i - 1, i + 1}) {
        const std::size_t now = 2 * i - seen;
        const Piece value = value_of(tokens_[now].spelling, open, i),
                    first = value_of(tokens_[seen].spelling, begin_, word);
        if (value.end == 0 || first.end != first.begin + 1 ||
            tokens_[first.begin].kind != Token::Kind::number)
          continue;
        std::string made;
        for (std::size_t k = value.begin; k < value.end; ++k) {
          const bool is_none = is(k, "+") && is(k + 1, tokens_[counter].spelling) &&
                               is(k + 2, "*") && is(counter + 2, "0");
          if (is_none) {  // 0 times something
            made.erase(made.find_last_not_of(' ') + 1);
            k = scope_.primary_end(k + 3) - 1;
            continue;
          }
          const bool is_counter = is(k, tokens_[counter].spelling);
          made += is_counter ? text(counter + 2, counter + 3) : text(k, k + 1);
          if (k + 1 < value.end && tokens_[k + 1].begin > tokens_[k].end()) made += ' ';
        }
        replace(assignment, first.begin, first.end, made);
      }
    }
  }

  /// `row + 1` in a loop with `row += gridDim.x`, where what comes next is meant.
  void next_of_loop(std::size_t sign) {
    if (!scope_.is_integer(sign - 1) || !scope_.is_place(tokens_[sign - 1].spelling)) return;
    std::size_t last = sign + 1;
    while (last < end_ && !is(last, ";") && !is(last, ")") && !is(last, ",")) ++last;
    if (last >= end_ || (last == sign + 2 && is(sign + 1, "1"))) return;
    for (std::size_t i = begin_; i + 2 < end_; ++i)
      if (is(i, tokens_[sign - 1].spelling) && is(i + 1, "+") && is(i + 2, "1"))
        replace(condition, i + 2, i + 3, text(sign + 1, last));
  }

  /// `for (int half = blockDim.x / 2; ...) if (t < half) part[t] += part[t + half];` with blocks that are no power of two.
  void halves(std::size_t word) {
    const std::size_t close = tokens_.close_of(word + 1);
    std::size_t counter = word + 2, first_end = counter;
    while (first_end < end_ && !is(first_end, ";")) ++first_end;
    while (counter < first_end && !is(counter + 1, "=")) ++counter;
    if (close >= end_ || counter >= first_end) return;
    const std::string half = text(counter, counter + 1);
    const std::size_t test = is(close + 1, "{") ? close + 2 : close + 1, open = test + 1;
    if (!is(test, "if") || !is(open + 2, "<") || !is(open + 3, half)) return;
    const std::size_t test_end = tokens_.close_of(open);
    const Replacement has_partner = {
        tokens_[test_end].begin, tokens_[test_end].begin,
        fmt::format(" && {} + {} < blockDim.x", text(open + 1, open + 2), half)};
    add(condition, {has_partner}, tokens_[test].line, {Id::change_partner});
    if (!has("blockDim", {counter + 2, first_end})) return;
    const auto begin_with = [&](const std::string& first) {
      add(step, {replacement(counter + 2, first_end, first), has_partner}, tokens_[word].line,
          {Id::change_halves});
    };
    for (const std::string_view most : scope_.integers(Variable::Place::file, word))
      begin_with(fmt::format("{} / 2", most));
    if (scope_.integers(Variable::Place::file, word).empty()) begin_with("512");
  }

  /// `int i = ...; for (int i = 0; ...)`, where the first one is to go on.
  void counter_that_hides(std::size_t word) {
    const std::size_t name = word + 3;
    if (!scope_.is_integer(name) || !is(name + 1, "=") || !scope_.is_declaration(name + 1)) return;
    std::size_t end = name;
    while (end < end_ && !is(end, ";")) ++end;
    for (std::size_t i = begin_ + 1; i < word; ++i)
      if (is(i, tokens_[name].spelling) && is(i + 1, "=") && scope_.is_declaration(i + 1) &&
          scope_.block_end(i) > word && end < end_) {
        replace(rounding, word + 2, end + 1, ";",
                {Id::change_hides, {{"name", text(name, name + 1)}}});
        return;
      }
  }

  /// Into global memory.
  bool stores(const Piece& item) const {
    for (const Statement& one : scope_.statements(item.begin, item.end))
      if (scope_.is_pointer(one.begin) && !is(item.begin, "for")) return true;
    return false;
  }
  std::string in_one_line(const Piece& piece) const {
    std::string line = text(piece.begin, piece.end);
    for (char& c : line)
      if (c == '\n') c = '\v';
    return line;
  }

  /// `row = x(); col = y();` the other way round, and each two variables of both lines exchanged.
  void values_exchanged(const Statement& one, const Statement& next) {
    if (next.whole != one.end + 1) return;
    const auto value = [&](const Statement& of) -> Piece {
      for (std::size_t i = of.begin; i < of.end; ++i)
        if (is(i, "=")) return {i + 1, of.end};
      return {};
    };
    const Piece a = value(one), b = value(next);
    if (a.end == 0 || b.end == 0) return;
    const std::string first = text(a.begin, a.end), second = text(b.begin, b.end);
    if (first != second)
      add(swap, {replacement(a.begin, a.end, second), replacement(b.begin, b.end, first)},
          tokens_[one.begin].line);
  }

  /// `__shared__ float tile[32][33]` that each warp takes for its own.
  void tile_of_a_warp(std::size_t array) {
    Edit uses;
    for (const auto& [begin, end] : scope_.bodies())
      for (std::size_t i = begin; i < end; ++i) {
        if (is(i, "threadIdx") && is(i + 2, "y")) return;
        if (i == array || !is(i, tokens_[array].spelling) || is(i - 1, ".")) continue;
        uses.push_back(replacement(i, i + 1, text(i, i + 1) + "[threadIdx.x / 32]"));
      }
    std::vector<std::string> warps;
    for (const std::string_view constant : scope_.integers(Variable::Place::file, array))
      warps.push_back(fmt::format("{} / 32", constant));
    for (const char* number : {"4", "8"}) warps.emplace_back(number);
    for (const std::string& count : warps) {
      Edit edit = uses;
      const std::size_t at = tokens_[array].end();
      edit.push_back({at, at, "[" + count + "]"});
      std::ranges::sort(edit, {}, &Replacement::begin);
      add(step, std::move(edit), tokens_[array].line);
    }
  }

  /// `const int base = blockIdx.x * chunk; if (base < n) ...`: a grid of fewer blocks goes on from there. Where no condition
  /// of it is, all of the next loop is repeated.
  void chunks(std::size_t equals) {
    std::size_t block = equals + 1;
    while (block < end_ && !is(block, ";") && !is(block, "blockIdx")) ++block;
    const std::size_t v = equals - 1;
    if (!is(block, "blockIdx") || !scope_.is_integer(v)) return;
    std::size_t begin = block, end = block + 3;
    while (is(begin - 1, "*")) begin = scope_.primary_begin(begin - 1);
    while (is(end, "*")) end = scope_.primary_end(end + 1);
    const std::string name = text(v, equals);
    std::string all = text(begin, end);
    all.replace(tokens_[block].begin - tokens_[begin].begin, tokens_[block].length, "gridDim");
    for (std::size_t i = begin_; i < end_; ++i)
      if (is(i, name) && (is(i + 1, "+=") || is(i + 1, "++") || is(i - 1, "++"))) return;
    Edit declared;
    for (std::size_t i = v; i >= begin_ && !is(i, ";") && !is(i, "{") && !is(i, "}"); --i)
      if (is(i, "const")) declared.push_back({tokens_[i].begin, tokens_[i + 1].begin, ""});
    const auto put = [&](std::size_t from, std::size_t to, const std::string& head) {
      Edit edit = declared;
      edit.push_back(
          {tokens_[from].begin, to > from ? tokens_[to - 1].end() : tokens_[from].begin,
           fmt::format("for (; {}; {} += {}){}", head, name, all, to > from ? "" : " ")});
      add(step, std::move(edit), tokens_[from].line);
    };
    int depth = 0;
    for (std::size_t i = end; i < end_; ++i) {
      depth += is(i, "{") ? 1 : is(i, "}") ? -1 : 0;
      if (depth < 0) return;
      if (const std::size_t close = tokens_.close_of(i + 1);
          is(i, "if") && close + 1 < end_ && !is(close + 1, "return")) {
        for (std::size_t at = i + 2; at + 1 < close; ++at)
          if (is(at, name)) return put(i, close + 1, text(i + 2, close));
      } else if (is(i, "for") && depth == 0) {
        std::size_t less = i;
        while (less < end_ && !is(less, "<") && !is(less, "{")) ++less;
        const bool is_short = is(less, "<") && scope_.is_fixed(less + 1) && is(less + 2, ";");
        for (const std::string_view n : scope_.integers(Variable::Place::parameter, i)) {
          if (is_short)  // so many elements at each turn
            put(i, i, fmt::format("{} * {} < {}", name, text(less + 1, less + 2), n));
          put(i, i, name + " < " + std::string(n));
        }
        return;
      }
    }
  }

  /// Of `t * 8` or `8 * t`, the operand that differs between threads; empty: it is no such product.
  Piece varying(std::size_t i) const {
    const std::size_t star = scope_.primary_end(i), last = scope_.primary_end(star + 1);
    if (!is(star, "*") || last == star + 1) return {};
    return scope_.is_fixed(i) && star == i + 1 ? Piece{star + 1, last} : Piece{i, star};
  }

  /// `for (i = t * 8; i < n; i += threads * 8)` over `i + k`: instead the threads of a warp side by side.
  void neighbours_of_a_thread(std::size_t word) {
    const std::size_t open = word + 1, close = tokens_.close_of(open);
    std::size_t equals = open, plus = close;
    while (equals < close && !is(equals, "=")) ++equals;
    for (std::size_t i = equals; i < close; ++i)
      if (is(i, "+=")) plus = i;
    if (plus >= close || close >= end_) return;
    const Piece first = varying(equals + 1), step_of = varying(plus + 1);
    if (first.end == 0 || step_of.end == 0) return;
    std::size_t last = equals;
    while (last < close && !is(last, ";")) ++last;
    side_by_side(equals, last, first, text_of(step_of), close);
  }

  /// The same of `i = 2 * t` without a loop.
  void neighbours(const Statement& one) {
    for (std::size_t i = one.begin; i < one.end; ++i) {
      const Piece first = is(i, "=") ? varying(i + 1) : Piece{};
      if (first.end != 0 && scope_.end_of_value(i + 1, one.end) == one.end)
        side_by_side(i, one.end, first, "gridDim.x * blockDim.x", one.end);
    }
  }

  /// The value [equals + 1, last) becomes `first`, and `i + 1` in what follows `from` one of another round.
  void side_by_side(std::size_t equals, std::size_t last, const Piece& first,
                    const std::string& threads, std::size_t from) {
    const std::string_view v = tokens_[equals - 1].spelling;
    Edit edit = {replacement(equals + 1, last, text_of(first))};
    for (std::size_t i = from; i + 2 < end_; ++i)
      if (is(i, v) && is(i + 1, "+") && scope_.is_integer(i + 2))
        edit.push_back(
            replacement(i, i + 3, fmt::format("{} + {} * {}", v, text(i + 2, i + 3), threads)));
      else if (is(i, v) && is(i + 1, "+") && tokens_[i + 2].kind == Token::Kind::number)
        edit.push_back(replacement(i + 2, i + 3,
                                   (is(i + 2, "1") ? "" : text(i + 2, i + 3) + " * ") + threads));
    if (edit.size() > 1) add(step, std::move(edit), tokens_[equals].line);
  }

  /// `from = z + i * 8; from[k]` of arrays that lie one after another: `from = z + i; from[k * n]`.
  void walks_apart() {
    Edit starts;
    std::set<std::string_view> pointers;
    for (std::size_t i = begin_ + 1; i + 4 < end_; ++i) {
      if (!is(i, "=") || !scope_.is_pointer(i + 1) || !is(i + 2, "+")) continue;
      const std::size_t star = scope_.primary_end(i + 3);
      if (!is(star, "*")) continue;
      starts.push_back(replacement(star, scope_.primary_end(star + 1), ""));
      pointers.insert(tokens_[i - 1].spelling);
    }
    if (starts.empty()) return;
    for (const std::string_view n : scope_.integers(Variable::Place::parameter, begin_)) {
      Edit edit = starts;
      for (std::size_t i = begin_; i < end_; ++i)
        if (const std::size_t close = tokens_.close_of(i + 1);
            pointers.contains(tokens_[i].spelling) && is(i + 1, "[") && close < end_)
          edit.push_back(replacement(i + 2, close, fmt::format("{} * {}", text(i + 2, close), n)));
      std::ranges::sort(edit, {}, &Replacement::begin);
      add(step, std::move(edit), tokens_[begin_].line);
    }
  }

  std::size_t begin_ = 0, end_ = 0;
};

}  // namespace

void loop_edits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
                std::vector<Ranked>& found) {
  LoopEdits(tokens, scope, found).all(begin, end);
}

}  // namespace labkit::compile
