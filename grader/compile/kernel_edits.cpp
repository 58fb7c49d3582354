// Edits of a whole kernel, each of one idea: every access guarded, a loop shared among all threads, the tile stored by other
// threads than loaded it.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "compile/edit_maker.h"

namespace labkit::compile {
namespace {

/// Of the conditions that several accesses may want, so many together.
constexpr std::size_t kMostTogether = 8;

/// Of the conditions that the kernel has, so many for an access that has none.
constexpr std::size_t kMostGuards = 2;

class KernelEdits : public EditMaker {
 public:
  KernelEdits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
              std::vector<Ranked>& found)
      : EditMaker(tokens, scope, found),
        begin_(begin),
        end_(end),
        all_(scope.statements(begin, end)),
        given_(scope.integers(Variable::Place::parameter, begin)),
        constants_(scope.integers(Variable::Place::file, begin)) {}

  void all() {
    guarded();
    left_early();
    zeros_elsewhere();
    block_sizes();
    halves_of_conditions();
    turned_by_threads();
    Edit shared;
    for (std::size_t i = begin_; i < end_; ++i) {
      if (is(i, "for")) loop(i, shared);
      threads_for_size(i);
    }
    sizes_from_the_grid();
    put(step, std::move(shared));
    for (std::size_t k = 0; k < all_.size(); ++k) {
      const Statement& one = all_[k];
      reset_in_loop(one);
      if (one.is_declaration || one.begin >= one.end) continue;
      repeated(one);
      if (scope_.is_pointer(one.begin)) stored_by_others(one);
    }
  }

 private:
  void put(Rank rank, Edit edit) {
    if (edit.empty()) return;
    const auto line = tokens_[token_at(edit.front().begin)].line;
    add(rank, std::move(edit), line);
  }
  std::size_t token_at(std::size_t byte) const {
    std::size_t i = begin_;
    while (i + 1 < end_ && tokens_[i].begin < byte) ++i;
    return i;
  }
  std::string without_parentheses(std::size_t begin, std::size_t end) const {
    return is(begin, "(") && tokens_.close_of(begin) + 1 == end ? text(begin + 1, end - 1)
                                                                : text(begin, end);
  }

  /// The tests of a condition, in one order however they are written.
  static std::vector<std::string_view> tests_of(std::string_view condition) {
    std::vector<std::string_view> tests;
    for (std::size_t at = 0; at <= condition.size();) {
      const std::size_t end = std::min(condition.find("&&", at), condition.size());
      tests.push_back(trim(condition.substr(at, end - at)));
      at = end + 2;
    }
    std::ranges::sort(tests);
    return tests;
  }

  /// What `a[row * length + column]` needs to be inside the array; the whole conditions first, and of these what this very
  /// index needs.
  std::vector<std::string> conditions_of(std::size_t open) const {
    const std::size_t close = tokens_.close_of(open), star = scope_.star_of_index(open);
    std::vector<std::string> found;
    for (std::size_t i = begin_; i < end_ && found.size() < kMostGuards; ++i)  // as elsewhere
      if (is(i, "if") && is(i + 3, "<") && tokens_.close_of(i + 1) < end_)
        found.push_back(text(i + 2, tokens_.close_of(i + 1)));
    if (star == 0) {
      if (scope_.is_variable(open + 1) || is(open + 1, "("))
        for (const auto n : given_)
          found.push_back(fmt::format("{} < {}", text(open + 1, close), n));
      return found;
    }
    const std::size_t left = scope_.primary_begin(star), right = scope_.primary_end(star + 1);
    const std::string row = without_parentheses(left, star), length = text(star + 1, right);
    const std::string column = is(right, "+")                         ? text(right + 1, close)
                               : left > open + 2 && is(left - 1, "+") ? text(open + 1, left - 1)
                                                                      : "";
    const bool is_length = std::ranges::count(given_, length) != 0 && !column.empty();
    const std::string inside = fmt::format("{} < {}", column, length);
    if (is_length)
      for (const auto n : given_) {
        if (n == length) continue;
        const std::string needed = fmt::format("{} < {} && {}", row, n, inside);
        const auto same = std::ranges::find(found, tests_of(needed), tests_of);
        if (same == found.end())
          found.insert(found.begin(), needed);
        else
          std::rotate(found.begin(), same, same + 1);
      }
    if (is_length) found.push_back(inside);
    for (const auto n : given_) found.push_back(fmt::format("{} < {}", row, n));
    if (!is_length)
      for (const auto n : given_) found.push_back(fmt::format("{} < {}", text(open + 1, close), n));
    return found;
  }

  /// Each access of global memory that no condition is before: by itself, and all of them together.
  void guarded() {
    struct Access {
      std::size_t open = 0;
      Piece piece;  ///< the statement, or the value that is loaded
      bool is_store = false;
    };
    std::vector<Access> open;
    for (const Statement& one : all_) {
      other_condition(one);
      std::size_t from = one.whole;  // a condition before a loop holds for its first round alone
      for (std::size_t i = one.whole; i < one.begin; ++i)
        if (is(i, "for")) from = i;
      const Piece whole{from, one.end};
      for (const auto* word : {"if", "?", "while", "else"})
        if (has(word, whole)) goto next;
      for (std::size_t i = one.begin; i < one.end; ++i) {
        const std::size_t last = tokens_.close_of(i + 1);
        if (!scope_.is_pointer(i) || !is(i + 1, "[") || last >= one.end) continue;
        const bool is_store = i == one.begin;
        const bool is_value = is(i - 1, "=") && (last + 1 == one.end || is(last + 1, ","));
        if (is_store)
          open.push_back({i + 1, {one.begin, one.end}, true});
        else if (is_value)
          open.push_back({i + 1, {i, last + 1}, false});
        if (is_store) break;
      }
    next:;
    }
    const auto guard_of = [&](const Access& access, const std::string& condition) {
      const std::string what = text_of(access.piece);
      return replacement(access.piece.begin, access.piece.end,
                         access.is_store ? fmt::format("if ({}) {}", condition, what)
                                         : fmt::format("{} ? {} : 0", condition, what));
    };
    const auto is_both = [](const std::string& condition) {
      return condition.find("&&") != condition.npos;
    };
    std::vector<Edit> together(1);
    for (const Access& access : open) {
      const std::vector<std::string> conditions = conditions_of(access.open);
      for (const std::string& condition : conditions) put(step, {guard_of(access, condition)});
      std::vector<Edit> longer;
      for (const Edit& edit : together)
        for (std::size_t k = 0; k < conditions.size() && longer.size() < kMostTogether; ++k) {
          if (k >= 2 && is_both(conditions[0]) && !is_both(conditions[k])) break;
          longer.push_back(edit);
          longer.back().push_back(guard_of(access, conditions[k]));
        }
      together = std::move(longer);
    }
    if (open.size() > 1)
      for (Edit& edit : together) put(step, std::move(edit));
  }

  /// Threads without an element leave, where no barrier needs them.
  void left_early() {
    if (has("__syncthreads", {begin_, end_}) || has("return", {begin_, end_})) return;
    for (const Statement& one : all_)
      if (one.is_declaration && has("blockIdx", {one.begin, one.end}) && one.end + 1 < end_)
        for (std::size_t i = one.begin; i < one.end; ++i)
          if (is(i, "=") && scope_.is_integer(i - 1))
            for (const auto n : given_)
              put(step, {insertion(one.end + 1,
                                   fmt::format("if ({} >= {}) return;\v  ", text(i - 1, i), n))});
  }

  /// Of the `if` before a store, with a brace or without, what the index needs.
  void other_condition(const Statement& one) {
    std::size_t word = one.whole;
    while (word > 0 && is(one.whole - 1, "{") && !is(word, "if") && !is(word, ";")) --word;
    const std::size_t close = is(word, "if") ? tokens_.close_of(word + 1) : end_;
    if (scope_.is_pointer(one.begin) && is(one.begin + 1, "[") &&
        (close + 1 == one.begin || close + 2 == one.whole))
      for (const std::string& condition : conditions_of(one.begin + 1))
        put(index, {replacement(word + 2, close, condition)});
  }

  /// `if (inside) tile[y][x] = in[i];` where the other elements are read too.
  void zeros_elsewhere() {
    Edit edit;
    for (const Statement& one : all_) {
      if (!is(one.whole, "if") || tokens_.close_of(one.whole + 1) + 1 != one.begin) continue;
      std::size_t equals = one.begin + 1;
      while (is(equals, "[")) equals = tokens_.close_of(equals) + 1;
      const Variable* array = scope_.variable(one.begin);
      if (array == nullptr || array->kind != Variable::Kind::array ||
          scope_.is_pointer(one.begin) || !is(equals, "=") || is(one.end + 1, "else"))
        continue;
      edit.push_back(
          replacement(one.whole, one.end,
                      fmt::format("{} = {} ? {} : 0", text(one.begin, equals),
                                  text(one.whole + 2, one.begin - 1), text(equals + 1, one.end))));
    }
    put(step, std::move(edit));
  }

  /// `blockIdx.x * 32` where the block may have another size.
  void block_sizes() {
    Edit edit;
    for (std::size_t i = begin_; i + 4 < end_; ++i) {
      if (!is(i, "blockIdx") || !is(i + 1, ".")) continue;
      const bool is_first = is(i + 3, "*");
      const std::size_t size = is_first ? i + 4 : i - 2;
      const Variable* constant = scope_.variable(size);
      const bool is_fixed = tokens_[size].kind == Token::Kind::number ||
                            (constant != nullptr && constant->place == Variable::Place::file);
      if ((is_first || is(i - 1, "*")) && is_fixed)
        edit.push_back(replacement(size, size + 1, "blockDim." + text(i + 2, i + 3)));
    }
    put(structure, std::move(edit));
  }

  /// `bool inside = row < n && col < p;` before a load that needs one half of it.
  void halves_of_conditions() {
    for (const Statement& one : all_) {
      std::size_t both = one.begin;
      while (both < one.end && !is(both, "&&")) ++both;
      if (!is(one.begin, "bool") || both + 4 != one.end || one.begin + 6 != both) continue;
      const Piece halves[] = {{both - 3, both}, {both + 1, one.end}};
      Edit edit;
      for (const Statement& user : all_) {
        if (!is(user.whole, "if") || scope_.is_pointer(user.begin)) continue;
        for (const Piece& half : halves)
          for (std::size_t i = user.whole; i < user.begin; ++i)
            if (is(i, tokens_[one.begin + 1].spelling) &&
                !has(tokens_[halves[&half == halves].begin].spelling, {user.begin, user.end}))
              edit.push_back(replacement(i, i + 1, text_of(half)));
      }
      put(step, std::move(edit));
    }
  }

  /// Swaps the x and the y of `threadIdx`, in [begin, end), of what `with` names too, and of variables that hold one of them.
  Edit turned(const Piece& piece, std::initializer_list<std::string_view> parts) const {
    Edit edit;
    for (std::size_t i = piece.begin; i + 2 < piece.end; ++i)
      if (std::ranges::count(parts, tokens_[i].spelling) != 0 && is(i + 1, ".") &&
          (is(i + 2, "x") || is(i + 2, "y")))
        edit.push_back(replacement(i + 2, i + 3, is(i + 2, "x") ? "y" : "x"));
    const bool of_threads = std::ranges::count(parts, "threadIdx") != 0;
    const std::string_view x = holder_of("x"), y = holder_of("y");
    if (of_threads && !x.empty() && !y.empty() && piece.begin != begin_)
      for (std::size_t i = piece.begin; i < piece.end; ++i)
        if (is(i, x) || is(i, y))
          edit.push_back(replacement(i, i + 1, std::string(is(i, x) ? y : x)));
    std::ranges::sort(edit, {}, &Replacement::begin);
    return edit;
  }
  /// "tx", of `tx = threadIdx.x`.
  std::string_view holder_of(std::string_view part) const {
    for (std::size_t i = begin_ + 1; i + 3 < end_; ++i)
      if (is(i, "=") && is(i + 1, "threadIdx") && is(i + 3, part) &&
          (is(i + 4, ",") || is(i + 4, ";")))
        return tokens_[i - 1].spelling;
    return {};
  }
  void turned_by_threads() {
    put(condition, turned({begin_, end_}, {"threadIdx"}));
    put(condition, turned({begin_, end_}, {"threadIdx", "blockDim"}));
    for (std::size_t i = begin_; i < end_; ++i)  // all that follows a barrier
      if (is(i, "__syncthreads")) put(swap, turned({i, end_}, {"threadIdx"}));
  }

  std::string applied(const Piece& piece, const Edit& edit) const {
    Edit own = edit;
    const std::size_t from = tokens_[piece.begin].begin;
    for (Replacement& one : own) one.begin -= from, one.end -= from;
    return apply_edit(text_of(piece), own);
  }

  /// Another thread, or another block, stores what this one loaded: its row and column are worked out again before the store.
  void stored_by_others(const Statement& one) {
    std::string computed[2];
    std::vector<std::string_view> names;
    std::size_t first = one.whole;
    bool in_place = false;
    for (std::size_t i = one.whole; i < one.end; ++i) {
      const std::string_view name = tokens_[i].spelling;
      if (!scope_.is_integer(i) || std::ranges::count(names, name) != 0) continue;
      const Piece value = value_of(name, begin_, one.whole);
      if (!has("blockIdx", value)) continue;
      names.push_back(name);
      first = std::min(first, value.begin);
      in_place = std::any_of(&tokens_[begin_], &tokens_[value.begin],
                             [](const Token& token) { return token.spelling == "__syncthreads"; });
      const Edit by[] = {turned(value, {"blockIdx"}), turned(value, {"threadIdx"})};
      for (int k : {0, 1}) computed[k] += fmt::format("{} = {};\v  ", name, applied(value, by[k]));
    }
    if (names.size() != 2) return;
    const Piece whole{one.whole, one.end};
    const Edit same, other = turned(whole, {"threadIdx"});
    if (in_place) {
      put(swap, turned({first, one.end}, {"threadIdx"}));
      put(swap, turned({first, one.end}, {"blockIdx"}));
      return;
    }
    for (const std::string& values : computed)
      for (const Edit& store : {same, other})
        put(structure, {replacement(one.whole, one.end, values + applied(whole, store))});
  }

  /// `sum = 0;` in a loop that is to add up in it: before the loop instead.
  void reset_in_loop(const Statement& one) {
    if (one.end != one.begin + 3 || !is(one.begin + 1, "=") || !scope_.is_variable(one.begin) ||
        tokens_[one.begin + 2].kind != Token::Kind::number)
      return;
    std::size_t loop = end_;
    for (std::size_t i = begin_; i < one.whole; ++i)
      if (is(i, "for") && is(tokens_.close_of(i + 1) + 1, "{") &&
          tokens_.close_of(tokens_.close_of(i + 1) + 1) > one.end)
        loop = i;
    if (loop < one.whole)
      put(step, {insertion(loop, text(one.begin, one.end) + ";\v  "),
                 replacement(one.whole, one.end + 1, "")});
  }

  /// `w[i].part[0] = ...` where a loop is missing.
  void repeated(const Statement& one) {
    Edit edit;
    for (std::size_t i = one.begin; i + 2 < one.end; ++i)
      if (is(i, "[") && tokens_[i + 1].kind == Token::Kind::number && is(i + 2, "]"))
        edit.push_back(replacement(i + 1, i + 2, "k"));
    if (edit.empty() || one.whole == begin_) return;
    for (const auto& constant : constants_) {
      Edit all = {insertion(one.begin, fmt::format("for (int k = 0; k < {}; k++) ", constant))};
      all.insert(all.end(), edit.begin(), edit.end());
      put(structure, std::move(all));
    }
  }

  /// `gridDim.x * blockDim.x` as the length of a row; `y * blockDim.x + x` where that length is meant.
  void threads_for_size(std::size_t i) {
    const bool is_block = is(i, "blockDim"), is_grid = is(i, "gridDim");
    if ((!is_block && !is_grid) || !is(i + 1, ".") || i + 3 >= end_) return;
    const bool is_product = is(i + 3, "*") && is(i + 4, is_block ? "gridDim" : "blockDim") &&
                            is(i + 5, ".") && is(i + 6, tokens_[i + 2].spelling);
    if (is_product && !is(i - 1, "+="))
      for (const auto n : given_) replace(name, i, i + 7, std::string(n));
    const bool is_alone = (is(i - 1, "=") || is(i - 1, "+=")) && (is(i + 3, ";") || is(i + 3, ")"));
    const bool is_last = is(i - 1, "*") && !is(i - 3, ".") && !is(i - 3, "gridDim");
    if (is_block && !is_product && (is_alone || is_last))
      replace(index, i, i + 3, fmt::format("gridDim.{0} * blockDim.{0}", text(i + 2, i + 3)),
              {is_alone ? Id::change_step_of_block : Id::none});
    if (is(i - 1, "=") && scope_.is_integer(i - 2)) count_of_threads(i, is_grid);
  }
  /// `step = gridDim.x` where all threads of the grid are meant, `threads = blockDim.x` of a block in two dimensions, and
  /// `width = gridDim.x * kBlock` where a size is.
  void count_of_threads(std::size_t i, bool is_grid) {
    const std::string along = text(i + 2, i + 3);
    if (is(i + 3, ";") || is(i + 3, ","))
      replace(
          index, i, i + 3,
          is_grid ? fmt::format("gridDim.{0} * blockDim.{0}", along) : "blockDim.x * blockDim.y",
          {is_grid ? Id::change_step_of_grid : Id::change_block_threads});
    for (std::size_t k = begin_; k + 3 < i && !is_grid; ++k)  // with `first = threadIdx.x`
      if (is(k, "=") && is(k + 1, "threadIdx") && is(k + 4, ";") && is(k + 3, along))
        add(index,
            {replacement(k + 1, k + 4,
                         fmt::format("blockIdx.{0} * blockDim.{0} + threadIdx.{0}", along)),
             replacement(i, i + 3, fmt::format("gridDim.{0} * blockDim.{0}", along))},
            tokens_[i].line, {Id::change_each_block});
    const std::size_t end = scope_.end_of_value(i, end_);
    if (is_grid && is(i + 3, "*") && end == i + 5 && tokens_.is_word(i + 4))
      for (const auto n : given_) replace(name, i, end, std::string(n));
  }

  /// `width = gridDim.x * blockDim.x` and the same in y, both at once.
  void sizes_from_the_grid() {
    for (const auto a : given_)
      for (const auto b : given_) {
        Edit edit;
        for (std::size_t i = begin_; i + 5 < end_; ++i)
          if (is(i, "gridDim") && is(i + 3, "*") && is(i - 1, "=") &&
              (is(i + 4, "blockDim") || scope_.is_fixed(i + 4)))
            edit.push_back(replacement(i, i + (is(i + 4, "blockDim") ? 7 : 5),
                                       std::string(is(i + 2, "x") ? a : b)));
        if (a != b && edit.size() == 2) put(name, std::move(edit));
      }
  }

  /// How far a loop over tiles goes, where its end is anything else: `(n + 31) / 32` where its body multiplies by 32; where it
  /// does not, steps of a tile up to `n`. `bound`: the end, in the head or where the variable there gets its value.
  void tiles(const std::string& v, const Piece& body, const Piece& head, Piece bound, bool by_one) {
    std::set<std::string> sizes;
    for (std::size_t i = body.begin; i + 2 < body.end; ++i) {
      if (is(i, v) && is(i + 1, "*") && scope_.is_fixed(i + 2)) sizes.insert(text(i + 2, i + 3));
      if (is(i + 2, v) && is(i + 1, "*") && scope_.is_fixed(i)) sizes.insert(text(i, i + 1));
    }
    if (sizes.empty() && by_one && (bound.end > bound.begin + 1 || is_quotient(bound.begin)))
      for (const auto n : given_)
        for (const auto size : constants_)
          put(step, {replacement(bound.begin, head.end, fmt::format("{}; {} += {}", n, v, size))});
    if (const Piece value = value_of(tokens_[bound.begin].spelling, begin_, head.begin);
        bound.end == bound.begin + 1 && value.end != 0)
      bound = value;
    for (const std::string& size : sizes)
      for (const auto n : given_)
        put(step,
            {replacement(bound.begin, bound.end, fmt::format("({0} + {1} - 1) / {1}", n, size))});
  }

  /// A loop over a thread's own elements, shared with all threads instead; `shared` gets the steps of all such loops. One
  /// that ends after a number of rounds. One whose counter counts tiles.
  void loop(std::size_t word, Edit& shared) {
    const std::size_t open = word + 1, close = tokens_.close_of(open);
    std::size_t equals = open, first = open, second = open;
    while (first < close && !is(first, ";")) ++first;
    for (second = first + 1; second < close && !is(second, ";");) ++second;
    while (equals < first && !is(equals, "=")) ++equals;
    if (close >= end_ || second >= close || equals + 1 >= first) return;
    if (!is(first + 2, "<") && !is(first + 2, "!=")) return;
    const std::string v = text(equals - 1, equals);
    const bool by_one = second + 3 == close && (has("++", {second, close}));
    const std::size_t last = is(close + 1, "{") ? tokens_.close_of(close + 1) : end_;
    tiles(v, {close + 1, std::min(last, end_)}, {open + 1, close}, {first + 3, second}, by_one);
    Piece start{equals + 1, first};
    if (const Piece value = value_of(tokens_[start.begin].spelling, begin_, word);
        first == equals + 2 && value.end != 0)
      start = value;
    for (const char* d : {"x", "y"}) {
      const bool is_d =
          has("blockIdx", start) && has(d, start) && !has(*d == 'x' ? "y" : "x", start);
      if (by_one && is_d)
        shared.push_back(
            replacement(second + 1, close, fmt::format("{0} += gridDim.{1} * blockDim.{1}", v, d)));
    }
    if (tokens_[equals + 1].kind != Token::Kind::number)
      for (const auto n : given_)
        put(step, {replacement(equals + 1, close,
                               fmt::format("blockIdx.x * blockDim.x + threadIdx.x; {0} < {1}; {0} "
                                           "+= gridDim.x * blockDim.x",
                                           v, n))});
    Edit scaled;
    for (std::size_t i = close; i < end_; ++i) {
      if (is(i, v) && is(i + 1, "*") && scope_.is_integer(i + 2) &&
          tokens_[first + 3].kind == Token::Kind::number)
        for (const auto n : given_)
          put(step, {replacement(first + 1, second, fmt::format("{} < {}", text(i, i + 3), n))});
      if (!scope_.is_pointer(i) || !is(i + 1, "[")) continue;
      for (std::size_t at = i + 2; at < tokens_.close_of(i + 1) && !constants_.empty(); ++at)
        if (is(at, v) && !is(at + 1, "*") && !is(at - 1, "*"))
          scaled.push_back(replacement(at, at + 1, fmt::format("{} * {}", v, constants_.front())));
    }
    put(step, std::move(scaled));
    if (second == first + 4)
      number_of_rounds(v, {close, end_}, value_of(tokens_[first + 3].spelling, begin_, word));
  }

  /// `rounds = 8; for (k = 0; k < rounds; ++k) ... k * threads ...`: as many as n needs. `rounds`: its value.
  void number_of_rounds(const std::string& v, const Piece& body, const Piece& rounds) {
    if (rounds.end != rounds.begin + 1 || tokens_[rounds.begin].kind != Token::Kind::number) return;
    for (std::size_t i = body.begin + 1; i + 1 < body.end; ++i) {
      if (!is(i, "*") || !scope_.is_integer(i - 1) || !scope_.is_integer(i + 1)) continue;
      const std::string left = text(i - 1, i), right = text(i + 1, i + 2);
      if (left != v && right != v) continue;
      const std::string each = left == v ? right : left;
      for (const auto n : given_)
        replace(step, rounds.begin, rounds.end, fmt::format("({0} + {1} - 1) / {1}", n, each),
                {Id::change_fixed_count, {{"name", std::string(n)}}});
      return;
    }
  }

  const std::size_t begin_, end_;
  const std::vector<Statement> all_;
  const std::vector<std::string_view> given_, constants_;
};

}  // namespace

void kernel_edits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
                  std::vector<Ranked>& found) {
  KernelEdits(tokens, scope, begin, end, found).all();
}

}  // namespace labkit::compile
