// Edits of how a place is worked out, wherever it is: the row and the column of a number, the layout of all accesses, the block's
// offset in the load and in the store, what is left over after a loop.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "compile/edit_maker.h"

namespace labkit::compile {
namespace {

/// Of one kernel.
constexpr std::size_t kMostOfPlaces = 64;
constexpr std::size_t kMostAccesses = 6;

class PlaceEdits : public EditMaker {
 public:
  PlaceEdits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
             std::vector<Ranked>& found)
      : EditMaker(tokens, scope, found),
        begin_(begin),
        end_(end),
        most_(found.size() + kMostOfPlaces) {}

  void all() {
    row_and_column();
    other_layout();
    offset_of_block();
    calls_of_a_place();
    scaled_index();
    started_from_the_result();
    copy_not_stored();
    place_of_the_load();
    for (std::size_t i = begin_; i < end_; ++i) {
      if (is(i, "for") || is(i, "while")) left_over(i);
      if (is(i, "+") && scope_.is_binary(i)) by_threads(i);
    }
  }

 private:
  void put(Rank rank, Edit edit, std::size_t at) {
    if (!edit.empty() && found_.size() < most_) add(rank, std::move(edit), tokens_[at].line);
  }

  /// `y = e / kWidth, x = e % kWidth` where the rows are as long as those of the array.
  void row_and_column() {
    std::set<std::string> lengths;
    for (std::size_t i = begin_; i + 1 < end_; ++i)
      if (scope_.is_in_shared(i) && is(i, "[") && tokens_.close_of(i) < end_)
        lengths.insert(tokens_.close_of(i) == i + 2 ? text(i + 1, i + 2)
                                                    : "(" + text(i + 1, tokens_.close_of(i)) + ")");
    for (std::size_t i = begin_; i + 1 < end_; ++i) {
      const std::size_t right = is(i, "/") && scope_.is_binary(i) ? scope_.primary_end(i + 1) : i;
      if (right == i || !tokens_.is_word(i - 1)) continue;
      for (std::size_t k = begin_; k + 1 < end_; ++k) {
        if (!is(k, "%") || !is(k - 1, tokens_[i - 1].spelling) ||
            text(k + 1, scope_.primary_end(k + 1)) != text(i + 1, right))
          continue;
        for (const std::string& length : lengths)
          if (length != text(i + 1, right))
            put(condition,
                {replacement(i + 1, right, length),
                 replacement(k + 1, scope_.primary_end(k + 1), length)},
                i);
      }
    }
  }

  /// `in[row + i * rows]` and `out[row + i * rows]` where the rows lie one after another, `row * kRow + i`; and the opposite.
  void other_layout() {
    struct Access {
      Piece index;
      std::string one, other;  ///< `one * length + other`, or `one + other * length`
    };
    std::vector<Access> products_first, products_last;
    for (std::size_t i = begin_; i < end_; ++i) {
      const std::size_t close =
          scope_.is_pointer(i) && is(i + 1, "[") ? tokens_.close_of(i + 1) : end_;
      if (close >= end_) continue;
      const std::size_t first = i + 2, sign = scope_.primary_end(first);
      const std::size_t second = scope_.primary_end(sign + 1);
      if (sign == first || second == sign + 1 || scope_.primary_end(second + 1) != close) continue;
      const std::string a = text(first, sign), b = text(sign + 1, second),
                        c = text(second + 1, close);
      if (is(sign, "+") && is(second, "*"))
        products_last.push_back(
            {{first, close}, a, scope_.is_place(tokens_[sign + 1].spelling) ? b : c});
      if (is(sign, "*") && is(second, "+"))
        products_first.push_back(
            {{first, close}, scope_.is_place(tokens_[first].spelling) ? a : b, c});
    }
    std::vector<std::string_view> lengths = scope_.integers(Variable::Place::file, begin_);
    for (const std::string_view n : scope_.integers(Variable::Place::parameter, begin_))
      lengths.push_back(n);
    const auto all_as = [&](const std::vector<Access>& accesses, const char* format) {
      if (accesses.size() < 2 || accesses.size() > kMostAccesses) return;
      for (const std::string_view length : lengths) {
        Edit edit;
        for (const Access& one : accesses)
          edit.push_back(
              replacement(one.index.begin, one.index.end,
                          fmt::format(fmt::runtime(format), one.one, length, one.other)));
        put(step, std::move(edit), accesses.front().index.begin);
      }
    };
    all_as(products_last, "{0} * {1} + {2}");
    all_as(products_first, "{2} * {1} + {0}");
  }

  /// The value of a variable, and of those in it, has the block's number.
  bool depends_on_block(const Piece& piece, int depth = 0) const {
    constexpr int kMostDepth = 4;
    if (has("blockIdx", piece)) return true;
    for (std::size_t i = piece.begin; i < piece.end && depth < kMostDepth; ++i)
      if (scope_.is_integer(i))
        if (const Piece value = value_of(tokens_[i].spelling, begin_, piece.begin);
            value.end != 0 && value.end <= piece.begin && depends_on_block(value, depth + 1))
          return true;
    return false;
  }
  /// `v = x[t];` and `y[e] = ...;` where neither begins at the block's own elements.
  void offset_of_block() {
    std::vector<std::size_t> loads, stores;  // where each index begins
    for (std::size_t i = begin_; i < end_; ++i) {
      const std::size_t close =
          scope_.is_pointer(i) && is(i + 1, "[") ? tokens_.close_of(i + 1) : end_;
      if (close >= end_ || depends_on_block({i + 2, close})) continue;
      (is(close + 1, "=") ? stores : loads).push_back(i + 2);
    }
    if (loads.empty() || stores.empty() || loads.size() + stores.size() > kMostAccesses) return;
    std::vector<std::string> offsets = {"blockIdx.x * blockDim.x"};
    for (const std::string_view size : scope_.integers(Variable::Place::file, begin_))
      offsets.push_back(fmt::format("blockIdx.x * blockDim.x * {}", size));
    for (const std::string& load : offsets)
      for (const std::string& store : offsets) {
        Edit edit;
        for (const std::size_t at : loads) edit.push_back(insertion(at, load + " + "));
        for (const std::size_t at : stores) edit.push_back(insertion(at, store + " + "));
        put(step, std::move(edit), stores.front());
      }
  }

  /// `row_of(blockIdx.x, threadIdx.x)` of a function that knows one size of a block only.
  void calls_of_a_place() {
    Edit edit;
    for (std::size_t i = begin_; i + 1 < end_; ++i) {
      const std::size_t close =
          is(i + 1, "(") && tokens_.is_word(i) ? tokens_.close_of(i + 1) : end_;
      if (close != i + 9 || !is(i + 2, "blockIdx") || !is(i + 6, "threadIdx") ||
          !is(i + 8, tokens_[i + 4].spelling))
        continue;
      edit.push_back(replacement(
          i, close + 1,
          fmt::format("blockIdx.{0} * blockDim.{0} + threadIdx.{0}", tokens_[i + 4].spelling)));
    }
    put(step, std::move(edit), begin_);
  }

  /// `c[rounds + t]` where it is `rounds * threads + t`, wherever that index is.
  void scaled_index() {
    std::set<std::string> indices;
    for (std::size_t i = begin_; i < end_; ++i)
      if (scope_.is_pointer(i) && is(i + 1, "[") && tokens_.close_of(i + 1) == i + 5 &&
          is(i + 3, "+") && scope_.is_integer(i + 2) && scope_.is_integer(i + 4))
        indices.insert(text(i + 2, i + 5));
    if (indices.size() > kMostAccesses) return;
    std::vector<std::string_view> sizes = scope_.integers(Variable::Place::own, end_ - 1);
    for (const std::string_view n : scope_.integers(Variable::Place::file, begin_))
      sizes.push_back(n);
    for (const std::string& index : indices)
      for (const std::string_view size : sizes) {
        if (scope_.is_place(size)) continue;
        Edit edit;
        for (std::size_t i = begin_; i < end_; ++i)
          if (is(i, "[") && tokens_.close_of(i) == i + 4 && text(i + 1, i + 4) == index &&
              !is(i + 1, size))
            edit.push_back(insertion(i + 2, fmt::format("* {} ", size)));
        if (!edit.empty()) {
          const std::uint32_t line = tokens_[begin_].line;
          const std::size_t at = edit.front().begin;
          std::size_t first = begin_;
          while (first + 1 < end_ && tokens_[first].begin < at) ++first;
          if (found_.size() < most_)
            add(Rank::index, std::move(edit), first < end_ ? tokens_[first].line : line);
        }
      }
  }

  /// `blockIdx.x + k` where the next one of the block is a whole grid away; so of threads.
  void by_threads(std::size_t plus) {
    const std::size_t k = plus + 1;
    if (!scope_.is_integer(k) || !scope_.is_place(tokens_[k].spelling) || is(k + 1, "*") ||
        is(k + 1, "."))
      return;
    const std::size_t left = scope_.primary_begin(plus);
    const Piece value =
        left + 1 == plus ? value_of(tokens_[left].spelling, begin_, left) : Piece{left, plus};
    for (const char* d : {"x", "y"}) {
      const auto names = [&](std::string_view word) {
        for (std::size_t i = value.begin; i + 2 < value.end + 1 && i + 2 < end_; ++i)
          if (is(i, word) && is(i + 2, d)) return true;
        return false;
      };
      const bool of_block = names("blockIdx"), of_thread = names("threadIdx");
      if (of_block && !of_thread)
        replace(step, k, k + 1, fmt::format("{} * gridDim.{}", text(k, k + 1), d));
      if (of_thread) replace(name, k, k + 1, fmt::format("{} * blockDim.{}", text(k, k + 1), d));
    }
  }

  /// `bins[b] = counts[b]; ...; counts[b] = bins[b];` of several blocks: each begins with 0, and adds.
  void started_from_the_result() {
    const std::vector<Statement> all = scope_.statements(begin_, end_);
    const auto copies = [&](const Statement& one, bool from_pointer) {
      const std::size_t equals = scope_.primary_end(one.begin);
      return !one.is_declaration && is(equals, "=") && scope_.primary_end(equals + 1) == one.end &&
             scope_.is_variable(one.begin) && is(one.begin + 1, "[") && is(equals + 2, "[") &&
             scope_.is_pointer(from_pointer ? equals + 1 : one.begin) &&
             !scope_.is_pointer(from_pointer ? one.begin : equals + 1);
    };
    for (const Statement& first : all)
      for (const Statement& last : all) {
        if (first.begin >= last.begin || !copies(first, true) || !copies(last, false)) continue;
        const std::size_t equals = scope_.primary_end(first.begin),
                          to = scope_.primary_end(last.begin);
        if (is(equals + 1, tokens_[last.begin].spelling))
          put(step,
              {replacement(equals + 1, first.end, "0"),
               replacement(last.begin, last.end,
                           fmt::format("atomicAdd(&{}, {})", text(last.begin, to),
                                       text(to + 1, last.end)))},
              last.begin);
      }
  }

  /// `Number q = z[i]; ...` that is worked out, and stored nowhere.
  void copy_not_stored() {
    std::set<std::string_view> stored;
    for (std::size_t i = begin_; i < end_; ++i)
      if (scope_.is_pointer(i) && is(i + 1, "[") && tokens_.close_of(i + 1) < end_) {
        const std::size_t last = scope_.primary_end(i);
        if (is(last, "=") || is(last, "+=") || is(last, "*=")) stored.insert(tokens_[i].spelling);
      }
    for (const Statement& one : scope_.statements(begin_, end_)) {
      std::size_t equals = one.begin;
      while (equals < one.end && !is(equals, "=")) ++equals;
      const std::size_t index = equals + 2, close = is(index, "[") ? tokens_.close_of(index) : end_;
      if (!one.is_declaration || close + 1 != one.end || !scope_.is_pointer(equals + 1)) continue;
      const std::size_t behind = scope_.block_end(one.begin);
      for (const std::string_view array : scope_.variables(Variable::Kind::array, one.begin))
        if (scope_.is_parameter(array) && !stored.contains(array) && !is(equals + 1, array) &&
            behind <= end_)
          put(step,
              {insertion(behind, fmt::format("  {}{} = {};\v  ", array, text(index, close + 1),
                                             tokens_[equals - 1].spelling))},
              one.begin);
    }
  }

  /// Of `blockIdx.x * kTile + tx`, the thread: `threadIdx.x`, or a variable that holds it.
  Piece thread_in(const Piece& place) const {
    for (std::size_t i = place.begin; i < place.end; ++i) {
      if (is(i, "threadIdx")) return {i, i + 3};
      const Piece value = scope_.is_integer(i) && !is(i - 1, ".")
                              ? value_of(tokens_[i].spelling, begin_, place.begin)
                              : Piece{};
      if (value.end == value.begin + 3 && is(value.begin, "threadIdx")) return {i, i + 1};
    }
    return {};
  }
  /// `to_row = col; to_col = row; ... out[to_row * rows + to_col] = tile[y][x];`, where a thread stores the element that it loaded:
  /// the blocks change places, and the threads do not.
  void place_of_the_load() {
    struct Alias {
      std::size_t name;  // of the place that it is set to
      Piece place, thread;
    };
    std::vector<Alias> both;
    for (std::size_t i = begin_ + 1; i + 2 < end_; ++i) {
      if (!scope_.is_integer(i - 1) || !is(i, "=") || !scope_.is_integer(i + 1) ||
          (!is(i + 2, ";") && !is(i + 2, ",")))
        continue;
      const Piece place = value_of(tokens_[i + 1].spelling, begin_, i);
      const Piece thread = has("blockIdx", place) ? thread_in(place) : Piece{};
      if (thread.end != 0) both.push_back({i + 1, place, thread});
    }
    if (both.size() != 2) return;
    Edit edit;
    for (const std::size_t k : {0, 1}) {
      const Alias &one = both[k], &other = both[1 - k];
      edit.push_back(replacement(
          one.name, one.name + 1,
          text(one.place.begin, one.thread.begin) + " " + text_of(other.thread) +
              (one.thread.end < one.place.end ? " " + text(one.thread.end, one.place.end) : "")));
    }
    for (std::size_t i = both[1].name; i + 1 < end_; ++i) {
      if (!is(i, "[") || scope_.is_pointer(i - 1) || is(i - 1, "]")) continue;
      const std::size_t second = tokens_.close_of(i) + 1;
      const std::size_t last = is(second, "[") ? tokens_.close_of(second) : end_;
      if (last >= end_ || is(last + 1, "=")) continue;
      edit.push_back(replacement(
          i, last + 1, "[" + text(second + 1, last) + "][" + text(i + 1, second - 1) + "]"));
    }
    if (edit.size() == 3)
      add(index, std::move(edit), tokens_[both[0].name].line, {Id::change_own_element});
  }

  /// `if (now != last) { atomicAdd(&bins[last], run); ... }` in a loop, after which the last run is left over.
  void left_over(std::size_t word) {
    const std::size_t open = tokens_.close_of(word + 1) + 1;
    if (open >= end_ || !is(open, "{") || tokens_.close_of(open) >= end_) return;
    const std::size_t close = tokens_.close_of(open);
    for (const Statement& one : scope_.statements(open + 1, close)) {
      const bool is_within = scope_.block_end(one.whole) != close;
      const bool is_store = is(one.begin, "atomicAdd") || scope_.is_pointer(one.begin);
      if (!one.is_declaration && is_store && (is_within || is(one.whole, "if")))
        put(step,
            {{tokens_[close].end(), tokens_[close].end(),
              "\v  " + text(is(one.whole, "else") ? one.begin : one.whole, one.end) + ";"}},
            one.begin);
    }
  }

  const std::size_t begin_, end_, most_;
};

}  // namespace

void place_edits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
                 std::vector<Ranked>& found) {
  PlaceEdits(tokens, scope, begin, end, found).all();
}

}  // namespace labkit::compile
