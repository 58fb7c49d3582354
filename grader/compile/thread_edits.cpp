// Edits of what a thread is taken for: the number of a thread in its block, a thread for each part or each warp, an array that
// a function declares anew for each call.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "compile/edit_maker.h"
#include "compile/outline.h"

namespace labkit::compile {
namespace {

/// Tokens between a quotient and its remainder.
constexpr std::size_t kNearby = 24;

class ThreadEdits : public EditMaker {
 public:
  using EditMaker::EditMaker;

  void all(std::size_t begin, std::size_t end) {
    end_ = end;
    for (std::size_t i = begin; i < end; ++i) {
      number_in_block(i);
      part_of_threads(i);
      thread_of_each_part(i);
      shared_value(i);
      number_in_grid(i);
      row_and_column(i);
    }
    whole_loops(begin, end);
    one_for_each_thread(begin, end);
  }

  /// `__shared__` in a function that is called twice: one array, whichever call it is.
  void arrays_of_functions() {
    for (const DeviceFunction& function : device_functions_of(tokens_)) {
      const std::size_t close = tokens_.close_of(function.body);
      bool has_array = false;
      for (std::size_t i = function.body; !function.is_kernel && i < close; ++i)
        has_array = has_array || is(i, "__shared__");
      if (has_array) copy_for_each_call(function);
    }
  }

 private:
  /// `if (t < kBins) bins[t] = 0;` in a block that may have fewer threads: a loop, wherever that is so.
  void one_for_each_thread(std::size_t begin, std::size_t end) {
    const Piece everywhere{0, tokens_.size()};
    std::string counter = "k";
    while (has(counter, everywhere)) counter += "k";
    Edit all;
    std::size_t places = 0, line = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t close = is(i, "if") ? tokens_.close_of(i + 1) : end;
      if (close + 1 >= end) continue;
      const bool is_part = is(i + 2, "threadIdx") && is(i + 4, "x");
      const std::size_t less = is_part ? i + 5 : i + 3;
      const std::string thread = text(i + 2, less);
      const Piece value = is_part ? Piece{} : value_of(thread, begin, i);
      if (!is(less, "<") || less + 2 != close || !scope_.is_fixed(less + 1) ||
          (!is_part && (value.end == 0 || text_of(value) != "threadIdx.x")))
        continue;
      std::size_t last = close + 1;
      while (!is(close + 1, "{") && last < end && !is(last, ";")) ++last;
      if (is(close + 1, "{")) last = tokens_.close_of(close + 1);
      if (last >= end || has("__syncthreads", {close, last}) || is(last + 1, "else") ||
          has("return", {close, last}))
        continue;
      Edit edit = {replacement(i, close + 1,
                               fmt::format("for (int {0} = {1}; {0} < {2}; {0} += blockDim.x)",
                                           counter, thread, text(less + 1, less + 2)))};
      for (std::size_t k = close + 1; k < last; ++k) {
        const std::size_t behind = k + (is_part ? 3 : 1);
        if (text(k, behind) == thread && !is(k - 1, "."))
          edit.push_back(replacement(k, behind, counter));
      }
      if (edit.size() == 1) continue;
      line = places++ == 0 ? tokens_[i].line : line;
      all.insert(all.end(), edit.begin(), edit.end());
      add(condition, std::move(edit), tokens_[i].line);
    }
    if (places > 1) add(condition, std::move(all), static_cast<std::uint32_t>(line));
  }

  /// `threadIdx.x` for the number of the thread, where a block has two dimensions.
  void number_in_block(std::size_t i) {
    if (!is(i, "threadIdx") || !is(i + 2, "x")) return;
    for (const auto& [begin, end] : scope_.bodies())
      for (std::size_t at = begin; at < end; ++at)
        if (is(at, "threadIdx") && is(at + 2, "y")) return;
    const bool is_whole = is(i - 1, "=") && is(i + 3, ";");
    const char* const number = "threadIdx.y * blockDim.x + threadIdx.x";
    replace(index, i, i + 3, is_whole ? number : fmt::format("({})", number),
            {Id::change_number_in_block});
  }

  /// `threadIdx.x % 32` beside a warp of the whole grid.
  void number_in_grid(std::size_t i) {
    if (is(i, "threadIdx") && is(i + 2, "x") && (is(i + 3, "%") || is(i + 3, "/")))
      replace(index, i, i + 3, "(blockIdx.x * blockDim.x + threadIdx.x)");
  }

  /// `r = i / cols; c = i % cols;` of an index whose rows are as long as another size.
  void row_and_column(std::size_t i) {
    if (!is(i, "/") && !is(i, "%")) return;
    if (!is(i - 2, "=") || !scope_.is_integer(i + 1)) return;
    for (std::size_t k = i + 2; k < std::min(i + kNearby, end_); ++k) {
      if (!is(k, is(i, "/") ? "%" : "/") || !is(k - 2, "=") ||
          !is(k - 1, tokens_[i - 1].spelling) || !is(k + 1, tokens_[i + 1].spelling))
        continue;
      for (const std::string_view size : scope_.integers(Variable::Place::parameter, i)) {
        if (is(i + 1, size)) continue;
        for (const bool exchanged : {false, true}) {
          const std::size_t first = exchanged ? k : i, second = exchanged ? i : k;
          add(index,
              {replacement(i, i + 2, fmt::format("{} {}", text(first, first + 1), size)),
               replacement(k, k + 2, fmt::format("{} {}", text(second, second + 1), size))},
              tokens_[i].line);
        }
      }
      return;
    }
  }

  /// Tokens [begin, end), and the blanks before them, are deleted.
  Replacement without(std::size_t begin, std::size_t end) const {
    Replacement made = replacement(begin, end, "");
    if (tokens_[begin - 1].line == tokens_[begin].line) made.begin = tokens_[begin - 1].end();
    return made;
  }

  /// `__shared__ float value;`, of which each thread needs one of its own.
  void shared_value(std::size_t i) {
    if (!is(i, "__shared__")) return;
    std::size_t last = i;
    while (last < end_ && !is(last, ";")) ++last;
    if (last < end_ && !has("[", {i, last}))
      add(index, {{tokens_[i].begin, tokens_[i + 1].begin, ""}}, tokens_[i].line,
          {Id::change_shared_value});
  }

  bool is_of_threads(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i)
      if (is(i, "threadIdx") || (scope_.is_integer(i) && scope_.is_place(tokens_[i].spelling)))
        return true;
    return false;
  }

  /// `(blockIdx.x * blockDim.x + threadIdx.x) / 32`, where each thread has one of its own.
  void part_of_threads(std::size_t i) {
    if ((!is(i, "/") && !is(i, "%")) || !scope_.is_binary(i)) return;
    const std::size_t left = scope_.primary_begin(i), right = scope_.primary_end(i + 1);
    if (right == i + 2 && right <= end_ && left < i && is_of_threads(left, i))
      add(index, {without(i, right)}, tokens_[i].line);
  }

  /// `i = t / 8, k = t % 8;` where each thread takes all eight.
  void thread_of_each_part(std::size_t i) {
    if (!is(i, "/") || !is(i - 2, "=")) return;
    for (std::size_t k = i + 2; k < std::min(i + kNearby, end_); ++k) {
      if (!is(k, "%") || !is(k - 2, "=") || !is(k - 1, tokens_[i - 1].spelling) ||
          !is(k + 1, tokens_[i + 1].spelling))
        continue;
      const bool is_own = is(k + 2, ";") && tokens_.is_word(k - 4);  // `int k = t % 8;`
      std::size_t first = is_own ? k - 4 : k - 3, last = is_own ? k + 3 : k + 2;
      if (is_own && is(first - 1, "const")) --first;
      if (!is_own && !is(first - 1, ",")) continue;
      if (!is_own) --first;
      for (const Statement& one : scope_.statements(last, end_)) {
        if (one.is_declaration) continue;
        const std::string part = text(k - 3, k - 2);
        add(structure,
            {without(i, i + 2), without(first, last),
             insertion(one.whole, fmt::format("for (int {0} = 0; {0} < {1}; ++{0}) ", part,
                                              text(i + 1, i + 2)))},
            tokens_[i].line);
        return;
      }
    }
  }

  /// `for (int y = 0; y < rows; ++y)` that each thread runs through, where it is to take what is its own: all loops of a
  /// counter, and two counters at once.
  void whole_loops(std::size_t begin, std::size_t end) {
    struct Loop {
      std::size_t start = 0, step = 0, close = 0;
    };
    std::map<std::string, std::vector<Loop>> loops;
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t close = is(i, "for") ? tokens_.close_of(i + 1) : end;
      if (close >= end || !is(i + 4, "=") || !is(i + 5, "0") || !is(i + 6, ";")) continue;
      const bool by_one = is(close - 2, "++") || is(close - 1, "++");
      if (by_one || has("+=", {i, close}))
        loops[text(i + 3, i + 4)].push_back({i + 5, by_one ? close - 2 : close, close});
    }
    const auto own = [&](const std::string& counter, const char* d, bool in_block) {
      Edit edit;
      for (const Loop& one : loops[counter]) {
        edit.push_back(replacement(
            one.start, one.start + 1,
            fmt::format(fmt::runtime(in_block ? "threadIdx.{0}"
                                              : "blockIdx.{0} * blockDim.{0} + threadIdx.{0}"),
                        d)));
        if (one.step < one.close)
          edit.push_back(
              replacement(one.step, one.close,
                          fmt::format(fmt::runtime(in_block ? "{0} += blockDim.{1}"
                                                            : "{0} += gridDim.{1} * blockDim.{1}"),
                                      counter, d)));
      }
      return edit;
    };
    for (const bool in_block : {true, false})
      for (const auto& [counter, of_counter] : loops)
        for (const char* d : {"x", "y"}) {
          add(step, own(counter, d, in_block), tokens_[of_counter.front().start].line);
          for (const auto& [other, of_other] : loops) {
            if (other == counter) continue;
            Edit both = own(counter, d, in_block),
                 second = own(other, *d == 'x' ? "y" : "x", in_block);
            both.insert(both.end(), second.begin(), second.end());
            std::ranges::sort(both, {}, &Replacement::begin);
            add(structure, std::move(both), tokens_[of_counter.front().start].line);
          }
        }
  }

  void copy_for_each_call(const DeviceFunction& function) {
    Edit edit;
    std::size_t named = function.body;
    while (named > 0 && !is(named, function.name)) --named;
    std::size_t first = named;
    while (first > 0 && !is(first - 1, "}") && !is(first - 1, ";")) --first;
    if (is(first, "template")) return;
    edit.push_back(insertion(first, "template <int kCopy> "));
    std::size_t calls = 0;
    for (std::size_t i = function.body; i + 1 < tokens_.size(); ++i)
      if (is(i, function.name) && is(i + 1, "("))
        edit.push_back(replacement(i, i + 1, fmt::format("{}<{}>", function.name, calls++)));
    if (calls > 1) add(index, std::move(edit), tokens_[first].line, {Id::change_array_of_function});
  }

  std::size_t end_ = 0;
};

}  // namespace

void thread_edits(const Tokens& tokens, const EditScope& scope, std::vector<Ranked>& found) {
  ThreadEdits edits(tokens, scope, found);
  for (const auto& [begin, end] : scope.bodies()) edits.all(begin, end);
  edits.arrays_of_functions();
}

}  // namespace labkit::compile
