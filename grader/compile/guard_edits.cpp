// Edits of conditions with what they guard: one for both loads of two tiles, places exchanged in the store and not in its test,
// a second element that nobody tests, a part of a place that is left out in both.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "compile/edit_maker.h"

namespace labkit::compile {
namespace {

/// Names in a condition of which each pair is exchanged.
constexpr std::size_t kMostGuarded = 6;
/// Variables that are tried as the number of elements that are left.
constexpr std::size_t kMostLeft = 4;
/// Tokens from a comparison to the remainder on its other side.
constexpr std::size_t kFarthest = 8;

class GuardEdits : public EditMaker {
 public:
  GuardEdits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
             std::vector<Ranked>& found)
      : EditMaker(tokens, scope, found), begin_(begin), end_(end) {}

  void all() {
    for (std::size_t i = begin_; i < end_; ++i)
      if (is(i, "if"))
        guard(i);
      else if (is(i, "<"))
        fewer_left(i);
      else if (is(i, "%")) {
        other_part(i);
        quotients(i);
      } else
        flat_test(i);
    parity();
    for (const Statement& one : scope_.statements(begin_, end_)) {
      second_element(one);
      part_left_out(one);
    }
  }

 private:
  void guard(std::size_t word) {
    const std::size_t close = tokens_.close_of(word + 1);
    if (close + 1 >= end_ || is(close + 1, "return")) return;
    const bool is_block = is(close + 1, "{");
    std::size_t last = close + 1;
    if (is_block)
      last = tokens_.close_of(close + 1);
    else
      while (last < end_ && !is(last, ";")) ++last;
    if (last >= end_) return;
    exchanged({word + 2, close}, {close + 1, last});
    whole_warp({word + 2, close}, {close + 1, last});
    turned_place(word, {word + 2, last});
    turned_flag({word + 2, close});
    else_zero({is_block ? close + 2 : close + 1, last}, last);
    one_element({word, close + 1}, {is_block ? close + 2 : close + 1, last});
    first_of_each_warp({word + 2, close}, {close + 1, last});
    if (is_block) one_for_two({word, close + 1}, {close + 2, last});
    if (is_block) own_conditions({word, close + 1}, {close + 2, last});
    if (is_block) turned_store({word + 2, close}, {close + 2, last});
  }

  /// `if (x + tx < rows && y + ty < cols) out[(y + ty) * rows + x + tx] = ...` with x and y exchanged.
  void exchanged(const Piece& test, const Piece& body) {
    std::vector<std::string_view> names;
    for (std::size_t i = test.begin; i < test.end; ++i) {
      const std::string_view name = tokens_[i].spelling;
      if (scope_.is_integer(i) && scope_.is_place(name) && has(name, body) &&
          std::ranges::count(names, name) == 0)
        names.push_back(name);
    }
    if (names.size() > kMostGuarded) return;
    for (std::size_t a = 0; a < names.size(); ++a)
      for (std::size_t b = a + 1; b < names.size(); ++b) {
        Edit edit;
        for (std::size_t i = test.begin; i < body.end; ++i)
          if (!is(i - 1, ".") && (is(i, names[a]) || is(i, names[b])))
            edit.push_back(replacement(i, i + 1, std::string(names[is(i, names[a]) ? b : a])));
        add(swap, std::move(edit), tokens_[test.begin].line);
      }
  }

  /// Two places of a thread in the matrix that is read, and their declarations for the one that is stored to.
  struct TurnedPlaces {
    std::vector<std::string_view> names;
    std::string declared;  ///< `const int out_r = ..., out_c = ...;`
  };
  TurnedPlaces turned_places(std::size_t word, const Piece& all) const {
    TurnedPlaces made;
    for (std::size_t i = all.begin; i < all.end; ++i) {
      const std::string_view name = tokens_[i].spelling;
      if (!scope_.is_integer(i) || is(i - 1, ".") || std::ranges::count(made.names, name) != 0)
        continue;
      const Piece value = value_of(name, begin_, word);
      if (!has("blockIdx", value)) continue;
      made.names.push_back(name);
      made.declared += fmt::format("{} out_{} = ", made.declared.empty() ? "const int" : ",", name);
      for (std::size_t k = value.begin; k < value.end; ++k) {
        const bool is_part = is(k - 2, "blockIdx") && (is(k, "x") || is(k, "y"));
        made.declared += is_part ? is(k, "x") ? "y" : "x" : text(k, k + 1);
        if (k + 1 < value.end && tokens_[k + 1].begin > tokens_[k].end()) made.declared += ' ';
      }
    }
    made.declared += ";\v  ";
    return made;
  }
  /// What stands for token `i` where it is one of the two places, else "".
  std::string placed(const TurnedPlaces& places, bool turns, std::size_t i) const {
    const bool is_first = is(i, places.names[0]);
    if (is(i - 1, ".") || (!is_first && !is(i, places.names[1]))) return {};
    return fmt::format("out_{}", places.names[is_first == turns ? 1 : 0]);
  }
  std::string with_places(const TurnedPlaces& places, bool turns, const Piece& piece) const {
    std::string made;
    for (std::size_t k = piece.begin; k < piece.end; ++k) {
      const std::string other = placed(places, turns, k);
      made += (k == piece.begin ? "" : " ") + (other.empty() ? text(k, k + 1) : other);
    }
    return made;
  }

  /// `if (x < rows && y < cols) out[y * rows + x] = tile[...]` with the places of the load: the tile itself is to be turned.
  void turned_place(std::size_t word, const Piece& all) {
    const TurnedPlaces places = turned_places(word, all);
    if (places.names.size() != 2) return;
    for (const bool turns : {false, true}) {
      Edit edit = {insertion(word, places.declared)};
      for (std::size_t i = all.begin; i < all.end; ++i) {
        const std::size_t second = turns && is(i, "[") ? tokens_.close_of(i) + 1 : all.end;
        const std::size_t last = is(second, "[") ? tokens_.close_of(second) : all.end;
        if (std::string place = placed(places, turns, i); !place.empty()) {
          edit.push_back(replacement(i, i + 1, std::move(place)));
        } else if (i == word + 2 && is(i + 1, ")")) {  // a truth variable
          edit.push_back(
              replacement(i, i + 1, with_places(places, turns, condition_of({i, i + 1}))));
        } else if (last < all.end) {
          edit.push_back(replacement(
              i, last + 1, "[" + text(second + 1, last) + "][" + text(i + 1, second - 1) + "]"));
          i = last;
        }
      }
      add(index, std::move(edit), tokens_[word].line, {Id::change_turned_place});
    }
  }

  /// `if (r < rows && c < cols) { tile[...] = in[...]; __syncthreads(); out[c * rows + r] = tile[...]; }`, the store with the places
  /// of the load: the barrier outside, and a condition and places of its own for the store.
  void turned_store(const Piece& test, const Piece& body) {
    const std::vector<Piece> all = items(body.begin, body.end);
    if (all.size() < 2 || !scope_.is_pointer(all.back().begin)) return;
    const Piece store = all.back(), before = all[all.size() - 2];
    const bool has_barrier = is(before.begin, "__syncthreads");
    const TurnedPlaces places = turned_places(test.begin, store);
    if (places.names.size() != 2) return;
    for (const bool turns : {false, true}) {
      const std::string between =
          fmt::format("}}\v  __syncthreads();\v  {}if ({}) {{", places.declared,
                      with_places(places, turns, condition_of(test)));
      Edit edit = {has_barrier ? replacement(before.begin, before.end, between)
                               : insertion(store.begin, between + "\v    ")};
      for (std::size_t i = store.begin; i < store.end; ++i)
        if (std::string place = placed(places, turns, i); !place.empty())
          edit.push_back(replacement(i, i + 1, std::move(place)));
      add(condition, std::move(edit), tokens_[store.begin].line, {Id::change_turned_place});
    }
  }

  /// `if (lane < warps) sum = of_warp(sums[lane]);` where all lanes of the warp must take part.
  void whole_warp(const Piece& test, const Piece& body) {
    std::size_t sign = test.begin;
    while (sign < test.end && !is(sign, "<")) ++sign;
    if (sign + 2 != test.end || !scope_.is_integer(sign + 1)) return;
    const std::string lane = text(test.begin, sign);
    Edit edit = {replacement(sign + 1, test.end, "32")};
    for (std::size_t i = body.begin; i < body.end; ++i) {
      const std::size_t close = is(i + 1, "[") ? tokens_.close_of(i + 1) : body.end;
      if (close >= body.end || is(close + 1, "=") || text(i + 2, close) != lane) continue;
      const std::string value =
          fmt::format("{} ? {} : 0", text(test.begin, test.end), text(i, close + 1));
      const bool is_alone = (is(i - 1, "(") || is(i - 1, "=") || is(i - 1, ",")) &&
                            (is(close + 1, ")") || is(close + 1, ";") || is(close + 1, ","));
      edit.push_back(replacement(i, close + 1, is_alone ? value : "(" + value + ")"));
    }
    if (edit.size() > 1)
      add(condition, std::move(edit), tokens_[test.begin].line, {Id::change_whole_warp});
  }

  /// Without the brackets around all of it.
  std::string bare(const Piece& value) const {
    const bool has_brackets =
        is(value.begin, "(") && tokens_.close_of(value.begin) + 1 == value.end;
    return has_brackets ? text(value.begin + 1, value.end - 1) : text_of(value);
  }
  /// Behind `rows * cols`.
  std::size_t product_end(std::size_t begin) const {
    std::size_t end = scope_.primary_end(begin);
    while (is(end, "*") && scope_.primary_end(end + 1) > end + 1) end = scope_.primary_end(end + 1);
    return end;
  }
  /// `at = row * cols + column; at >= 0 && at < size`, which is true of the end of the row before, too; or the opposite.
  void flat_test(std::size_t i) {
    const auto tests = [&](std::string_view first, std::string_view both, std::string_view last) {
      return is(i + 1, first) && is(i + 2, "0") && is(i + 3, both) &&
             is(i + 4, tokens_[i].spelling) && is(i + 5, last);
    };
    const bool is_outside = tests("<", "||", ">="),
               has_lower = tests(">=", "&&", "<") || is_outside;
    const std::size_t end = has_lower ? product_end(i + 6) : i + 3;
    if (!scope_.is_integer(i) || (!has_lower && !is(i + 1, "<")) || end > end_) return;
    const Piece value = value_of(tokens_[i].spelling, begin_, i);
    const std::size_t star = value.end != 0 && scope_.primary_end(value.begin) < value.end
                                 ? scope_.primary_end(value.begin)
                                 : 0;
    if (star == 0 || !is(star, "*") || !is(star + 2, "+") || !scope_.is_integer(star + 1)) return;
    const std::string row = bare({value.begin, star}), column = bare({star + 3, value.end});
    for (const std::string_view rows : scope_.integers(Variable::Place::parameter, i)) {
      if (is(star + 1, rows)) continue;
      const auto test = [&](const std::string& place, std::string_view most) {
        if (is_outside) return fmt::format("{0} < 0 || {0} >= {1}", place, most);
        return fmt::format("{}{} < {}", has_lower ? place + " >= 0 && " : "", place, most);
      };
      replace(condition, i, end,
              test(row, rows) + (is_outside ? " || " : " && ") +
                  test(column, tokens_[star + 1].spelling),
              {Id::change_next_row});
    }
  }

  bool is_shared_array(std::string_view name) const {
    for (std::size_t i = begin_; i + 3 < end_; ++i)
      if (is(i, "__shared__") && is(i + 2, name) && is(i + 3, "[")) return true;
    return false;
  }
  /// `if (inside) tile[y][x] = in[i];` of shared memory, whose other elements are read as well.
  void else_zero(const Piece& body, std::size_t last) {
    std::size_t end = body.begin + 1;
    while (is(end, "[")) end = tokens_.close_of(end) + 1;
    if (end == body.begin + 1 || !is(end, "=") || is(last + 1, "else") ||
        !is_shared_array(tokens_[body.begin].spelling))
      return;
    std::size_t semicolon = end;
    while (semicolon < last && !is(semicolon, ";")) ++semicolon;
    if (is(last, "}") ? semicolon + 1 != last : semicolon != last)
      return;  // more statements than one
    add(condition,
        {{tokens_[last].end(), tokens_[last].end(), " else " + text(body.begin, end) + " = 0;"}},
        tokens_[last].line);
  }
  /// `if (i < n) mine = x[i];` where a thread may have several.
  void one_element(const Piece& head, const Piece& body) {
    const std::size_t place = head.begin + 2, sign = body.begin + 1;
    if (!scope_.is_integer(place) || !is(place + 1, "<") || !tokens_.is_word(body.begin) ||
        !is(sign, "=") || !scope_.is_pointer(sign + 1))
      return;
    const std::string i = text(place, place + 1);
    add(structure,
        {replacement(
             head.begin, head.end,
             fmt::format("for (; {}; {} += gridDim.x * blockDim.x)", text(place, head.end - 1), i)),
         replacement(sign, sign + 1, "+=")},
        tokens_[head.begin].line);
  }
  /// `if (threadIdx.x == 0) atomicAdd(total, sum);` where `sum` is that of a warp.
  void first_of_each_warp(const Piece& test, const Piece& body) {
    if (test.end < test.begin + 3 || !is(test.end - 2, "==") || !is(test.end - 1, "0") ||
        !has("atomicAdd", body) || !has("__shfl_down_sync", {begin_, test.begin}))
      return;
    add(condition, {insertion(test.end - 2, "% 32 ")}, tokens_[test.begin].line,
        {Id::change_sum_of_each_warp});
  }

  /// `t + half < blockDim.x`, where fewer are left than the block has threads.
  void fewer_left(std::size_t sign) {
    if (!is(sign + 1, "blockDim") || !is(sign + 2, ".")) return;
    std::size_t count = 0;
    for (const std::string_view left : scope_.integers(Variable::Place::own, sign))
      if (!scope_.is_place(left) && count++ < kMostLeft)
        replace(condition, sign + 1, sign + 4, std::string(left));
  }

  /// `here % 8 == 0`, where it matters that `here / 8` is another than `before / 8`.
  void other_part(std::size_t sign) {
    const std::size_t end = scope_.primary_end(sign + 1);
    if (!scope_.is_integer(sign - 1) || scope_.primary_begin(sign) != sign - 1 || !is(end, "==") ||
        !is(end + 1, "0"))
      return;
    const std::string value = text(sign - 1, sign), by = text(sign + 1, end);
    std::size_t count = 0;
    for (const std::string_view other : scope_.integers(Variable::Place::own, sign))
      if (other != value && count++ < kMostLeft)
        replace(structure, sign - 1, end + 2,
                fmt::format("{} / {} != {} / {}", value, by, other, by), {Id::change_quotients});
  }

  /// `here % 8 < before % 8`: that `here / 8` is another than `before / 8`.
  void quotients(std::size_t sign) {
    const std::size_t less = scope_.primary_end(sign + 1);
    if (!is(less, "<") && !is(less, ">")) return;
    for (std::size_t other = less + 1; other < less + kFarthest && other < end_; ++other) {
      if (!is(other, "%")) continue;
      if (text(sign + 1, less) == text(other + 1, scope_.primary_end(other + 1)))
        add(structure,
            {replacement(sign, sign + 1, "/"), replacement(less, less + 1, "!="),
             replacement(other, other + 1, "/")},
            tokens_[sign].line, {Id::change_remainders});
      return;
    }
  }

  /// What a truth variable stands for, or the condition itself.
  Piece condition_of(const Piece& test) const {
    if (test.end != test.begin + 1) return test;
    const Piece value = value_of(tokens_[test.begin].spelling, begin_, test.begin);
    return value.end != 0 ? value : test;
  }
  /// `if (inside) out[...] = ...`, where `inside` is `y < height && x < width` of the tile that was read: as it is stored, turned,
  /// each has the other's end.
  void turned_flag(const Piece& test) {
    const Piece value = condition_of(test);
    std::vector<std::size_t> signs;
    for (std::size_t i = value.begin; i < value.end && value.begin != test.begin; ++i)
      if (is(i, "<") || is(i, "&&") || is(i, "||")) signs.push_back(i);
    if (signs.size() != 3 || !is(signs[0], "<") || !is(signs[1], "&&") || !is(signs[2], "<"))
      return;
    replace(condition, test.begin, test.end,
            fmt::format("{} < {} && {} < {}", text(value.begin, signs[0]),
                        text(signs[2] + 1, value.end), text(signs[1] + 1, signs[2]),
                        text(signs[0] + 1, signs[1])));
  }
  /// `if (row < n && col < p) { a[y][x] = ...; b[y][x] = ...; }` where each needs one half of it.
  void one_for_two(const Piece& head, const Piece& body) {
    const std::vector<Piece> both = items(body.begin, body.end);
    const Piece tested = condition_of({head.begin + 2, head.end - 1});
    std::size_t sign = tested.begin;
    while (sign < tested.end && !is(sign, "&&")) ++sign;
    if (both.size() != 2 || sign + 1 >= tested.end) return;
    const std::string halves[] = {text(tested.begin, sign), text(sign + 1, tested.end)};
    const auto guarded = [&](std::size_t statement, const std::string& half) {
      return is(statement, "if") ? insertion(statement + 2, half + " && ")
                                 : insertion(statement, "if (" + half + ") ");
    };
    for (const std::size_t first : {0, 1})
      add(condition,
          {replacement(head.begin, head.end + 1, ""), guarded(both[0].begin, halves[first]),
           guarded(both[1].begin, halves[1 - first]), replacement(body.end, body.end + 1, "")},
          tokens_[head.begin].line,
          {is_shared_array(tokens_[both[0].begin].spelling) ? Id::change_each_condition
                                                            : Id::none});
  }

  /// Of `here = in[...]`, the part of the condition that this index needs; empty: it needs all of it, or nothing of it.
  std::string part_for(const Piece& index, const Piece& test) const {
    std::string part;
    std::size_t kept = 0, count = 0;
    for (std::size_t at = test.begin; at < test.end; ++count) {
      std::size_t end = at;
      while (end < test.end && !is(end, "&&")) ++end;
      if (has(tokens_[at].spelling, index)) {
        part += (part.empty() ? "" : " && ") + text(at, end);
        ++kept;
      }
      at = end + 1;
    }
    return kept == count ? "" : part;
  }
  /// `if (i < n && j < p && k < m) { s[y][x] = a[i * m + k]; t[y][x] = b[k * p + j]; } else ...`: what each load needs.
  void own_conditions(const Piece& head, const Piece& body) {
    const Piece test = {head.begin + 2, head.end - 1};
    if (has("||", test) || has("(", test)) return;
    Edit edit = {replacement(head.begin, head.end + 1, "")};
    for (const Piece& one : items(body.begin, body.end)) {
      std::size_t equals = one.begin;
      while (equals < one.end && !is(equals, "=")) ++equals;
      if (equals + 2 >= one.end || !is_shared_array(tokens_[one.begin].spelling) ||
          !scope_.is_pointer(equals + 1) || !is(equals + 2, "["))
        return;
      const std::size_t close = tokens_.close_of(equals + 2);
      const std::string part = part_for({equals + 3, close}, test);
      if (part.empty() || !is(close + 1, ";")) return;
      edit.push_back(insertion(equals + 1, part + " ? "));
      edit.push_back({tokens_[close].end(), tokens_[close].end(), " : 0"});
    }
    std::size_t last = body.end;
    if (edit.size() < 4) return;
    if (is(last + 1, "else")) {
      if (!is(last + 2, "{")) return;
      last = tokens_.close_of(last + 2);
      if (last >= end_) return;
    }
    edit.push_back(replacement(body.end, last + 1, ""));
    add(condition, std::move(edit), tokens_[head.begin].line, {Id::change_each_condition});
  }

  /// `sum += x[i] + x[i + b];` where only i is tested.
  void second_element(const Statement& one) {
    std::string_view before;
    for (std::size_t i = one.begin; i + 1 < one.end; ++i) {
      if (!scope_.is_pointer(i) || !is(i + 1, "[")) continue;
      const std::size_t close = tokens_.close_of(i + 1);
      if (close >= one.end) return;
      const bool is_fixed = close == i + 3 && tokens_[i + 2].kind == Token::Kind::number;
      if (before == tokens_[i].spelling && !is_fixed)
        for (const std::string_view n : scope_.integers(Variable::Place::parameter, i))
          replace(condition, i, close + 1,
                  fmt::format("({} < {} ? {} : 0)", text(i + 2, close), n, text(i, close + 1)));
      before = tokens_[i].spelling;
    }
  }

  /// Constants that `part` is made of come first: of `warp = threadIdx.x / kWarp`, kWarp.
  std::vector<std::string_view> sizes_of(std::string_view part, std::size_t at) const {
    std::vector<std::string_view> sizes = scope_.integers(Variable::Place::file, at);
    const Piece value = value_of(part, begin_, at);
    std::ranges::stable_partition(sizes, [&](std::string_view size) { return has(size, value); });
    if (value.end == value.begin + 5 && is(value.begin + 3, "/"))  // `threadIdx.x / 32`
      sizes.insert(sizes.begin(), tokens_[value.begin + 4].spelling);
    return sizes;
  }
  /// `if (first + k < n) y[(first + k) * 32 + lane]` where the rows of a warp begin at `first + warp * 32`.
  void part_left_out(const Statement& one) {
    if (!scope_.is_pointer(one.begin) || !is(one.begin + 1, "[")) return;
    const std::size_t open = one.begin + 2, sum = open + 1, close = sum + 3;
    if (!is(open, "(") || !scope_.is_integer(sum) || !is(sum + 1, "+") ||
        !scope_.is_integer(sum + 2) || !is(close, ")"))
      return;
    for (const std::string_view part : scope_.integers(Variable::Place::own, open)) {
      if (!scope_.is_place(part) || is(sum, part) || is(sum + 2, part)) continue;
      for (const std::string_view each : sizes_of(part, open)) {
        Edit edit;
        for (std::size_t i = begin_ + 1; i + 2 < end_; ++i)
          if (text(i, i + 3) == text(sum, close) && is(i - 1, "("))
            edit.push_back(insertion(i + 1, fmt::format("+ {} * {} ", part, each)));
        add(step, std::move(edit), tokens_[open].line);
      }
    }
  }

  /// `row % 2` of a loop that goes on by gridDim.x: of two buffers in turn always the same one.
  void parity() {
    for (const char* step : {"gridDim.x", "blockDim.x"}) {
      Edit edit;
      for (std::size_t i = begin_; i + 1 < end_; ++i)
        if (scope_.is_binary(i) &&
            ((is(i, "%") && is(i + 1, "2")) || (is(i, "&") && is(i + 1, "1"))))
          edit.push_back(insertion(i, fmt::format("/ {} ", step)));
      if (!edit.empty())
        add(rounding, std::move(edit), tokens_[begin_].line,
            {Id::change_alternates, {{"step", fmt::format("`{}`", step)}}});
    }
  }

  const std::size_t begin_, end_;
};

}  // namespace

void guard_edits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
                 std::vector<Ranked>& found) {
  GuardEdits(tokens, scope, begin, end, found).all();
}

}  // namespace labkit::compile
