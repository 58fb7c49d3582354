// Edits of barriers: one that is missing, one that a condition or an early return keeps threads from, an array that the
// threads of a block do not share.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "compile/edit_maker.h"
#include "compile/outline.h"

namespace labkit::compile {
namespace {

constexpr const char* kBarrier = "__syncthreads();";

class BarrierEdits : public EditMaker {
 public:
  BarrierEdits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
               std::vector<Ranked>& found)
      : EditMaker(tokens, scope, found),
        begin_(begin),
        end_(end),
        all_(scope.statements(begin, end)) {}

  void all() {
    for (const Statement& one : all_) {
      if (is(one.begin, "return")) returned(one);
      if (one.is_declaration) not_shared(one);
      group_of_a_function(one);
    }
    if (!has("__shared__", {0, tokens_.size()})) return;
    missing({begin_, end_});
    commits();
    for (std::size_t i = begin_; i < end_; ++i)
      if (is(i, "if") && is(i + 1, "(") && is(tokens_.close_of(i + 1) + 1, "{")) in_condition(i);
  }

 private:
  void put(Rank rank, Edit edit, std::size_t at, words::Message why = {}) {
    std::ranges::stable_sort(edit, {}, &Replacement::begin);
    add(rank, std::move(edit), tokens_[at].line, std::move(why));
  }

  /// `float tile[32][32];` that other threads are to read. Where the launch gives the shared memory, that is to be used.
  void not_shared(const Statement& one) {
    if (!has("extern", {begin_, end_}) && is(one.end - 1, "]") &&
        !has("__shared__", {one.begin, one.end}) && !has("=", {one.begin, one.end}))
      put(rounding, {insertion(one.begin, "__shared__ ")}, one.begin);
  }

  /// `if (next < rows) begin_copy(...)`, a function that ends a group: otherwise an empty one is to end.
  void group_of_a_function(const Statement& one) {
    if (!is(one.whole, "if") || !is(one.begin + 1, "(")) return;
    for (const DeviceFunction& function : device_functions_of(tokens_))
      if (!function.is_kernel && is(one.begin, function.name) &&
          has("__pipeline_commit", {function.body, tokens_.close_of(function.body)}))
        put(rounding,
            {{tokens_[one.end].end(), tokens_[one.end].end(), "\v  else __pipeline_commit();"}},
            one.begin, {Id::change_commit});
  }

  bool uses_arrays(const Piece& item) const {
    for (std::size_t i = item.begin; i < item.end; ++i)
      if (const Variable* used = scope_.variable(i); used && used->kind == Variable::Kind::array)
        return true;
    return false;
  }

  /// A barrier before each statement, or for a weaker one there, at the end of each loop, and both.
  void missing(const Piece& block) {
    const std::vector<Piece> all = items(block.begin, block.end);
    std::vector<std::pair<Replacement, std::size_t>> between;
    bool uses = false;  // arrays, before this statement
    Piece weak;         // behind what uses arrays
    for (const Piece& item : all) {
      const bool is_loop = is(item.begin, "for") || is(item.begin, "while");
      const std::size_t open = tokens_.close_of(item.begin + 1) + 1;
      if (is_loop && is(open, "{") && item.end - 1 > open) {
        missing({open + 1, item.end - 1});
        for (const Piece& inner : items(open + 1, item.end - 1))
          if (is(inner.begin, "__syncthreads"))
            put(condition,
                {replacement(inner.begin, inner.end, ""),
                 replacement(item.end - 1, item.end, std::string("}\v  ") + kBarrier)},
                inner.begin);
      }
      const bool is_array = is(item.begin, "__shared__") || is(item.begin, "extern");
      if (is(item.begin, "__syncwarp")) weak = item;
      if (is_array || !uses_arrays(item)) continue;
      if (uses)
        between.emplace_back(weak.end != 0 ? replacement(weak.begin, weak.end, kBarrier)
                                           : insertion(item.begin, std::string(kBarrier) + "\v  "),
                             item.begin);
      uses = true;
      weak = {};
    }
    for (const auto& [one, at] : between) put(condition, {one}, at);
    if (block.begin == begin_ || all.empty()) return;
    const Replacement last = insertion(block.end, std::string("  ") + kBarrier + "\v  ");
    for (std::size_t i = all.back().begin; i < all.back().end; ++i)  // it waits for all of these
      if (i == all.back().begin || tokens_[i].line != tokens_[i - 1].line)
        put(condition, {last}, i);
    for (const auto& [one, at] : between) put(condition, {one, last}, at);
  }

  /// `if (inside) { ...; __syncthreads(); ... }`: the barrier (or the end of a group of copies) outside, the rest inside or for all threads; or the condition
  /// only where global memory is accessed.
  void in_condition(std::size_t word) {
    const std::size_t open = tokens_.close_of(word + 1) + 1, close = tokens_.close_of(open);
    if (close >= end_ || is(close + 1, "else") || (word > begin_ && is(word - 1, "else"))) return;
    const std::string inside = text(word + 2, open - 1);
    const bool has_barrier = has("__syncthreads", {open, close});
    if (!has_barrier) split({open, close}, inside);
    if (!has_barrier && !has("__pipeline_commit", {open, close})) return;
    for (const Piece& item : items(open + 1, close)) {
      const bool is_commit = is(item.begin, "__pipeline_commit");
      if (!is(item.begin, "__syncthreads") && !is_commit) continue;
      const std::string out = "}\v  " + text_of(item);
      put(is_commit ? rounding : condition,
          {replacement(item.begin, item.end, out), replacement(close, close + 1, "")}, item.begin,
          {is_commit ? Id::change_commit : Id::none});
      if (item.end != close)
        put(condition,
            {replacement(item.begin, item.end, fmt::format("{}\v  if ({}) {{", out, inside))},
            item.begin);
    }
    if (!has_barrier) return;
    for (Edit& edit : accesses_inside({open + 1, close}, inside)) {
      edit.push_back(replacement(word, open + 1, ""));
      edit.push_back(replacement(close, close + 1, ""));
      put(condition, std::move(edit), word);
    }
  }

  /// `if (inside) { tile[x] = in[i]; out[j] = tile[y]; }`: a barrier behind the store, outside of the condition; what follows
  /// for all threads, or inside again.
  void split(const Piece& braces, const std::string& inside) {
    const std::vector<Piece> all = items(braces.begin + 1, braces.end);
    for (std::size_t k = 1; k < all.size(); ++k) {
      if (!uses_arrays(all[k - 1])) continue;
      const std::string barrier = fmt::format("}}\v  {}\v  ", kBarrier);
      put(condition,
          {insertion(all[k].begin, barrier), replacement(braces.end, braces.end + 1, "")},
          all[k].begin);
      put(condition, {insertion(all[k].begin, fmt::format("{}if ({}) {{\v  ", barrier, inside))},
          all[k].begin);
    }
  }

  /// The last token of the outermost `if` around what ends with token `last`.
  std::size_t end_of_ifs(std::size_t last) const {
    const auto opener = [&](std::size_t close, std::string_view bracket) {
      std::size_t open = close;
      while (open > begin_ && !(is(open, bracket) && tokens_.close_of(open) == close)) --open;
      return open;
    };
    while (last + 1 < end_ && is(last + 1, "}") && !is(last + 2, "else")) {
      const std::size_t brace = opener(last + 1, "{");
      if (brace == begin_ || !is(brace - 1, ")") || !is(opener(brace - 1, "(") - 1, "if")) break;
      ++last;
    }
    return last;
  }
  /// Asynchronous copies that are in no group: one behind each.
  void commits() {
    if (has("__pipeline_commit", {begin_, end_})) return;
    Edit edit;
    for (const Statement& one : all_) {
      if (!is(one.begin, "__pipeline_memcpy_async")) continue;
      const std::size_t last = end_of_ifs(one.end);
      if (edit.empty() || edit.back().begin != tokens_[last].end())
        edit.push_back({tokens_[last].end(), tokens_[last].end(), "\v  __pipeline_commit();"});
    }
    if (!edit.empty())
      add(condition, std::move(edit), tokens_[begin_].line, {Id::change_in_no_group});
  }

  /// The opposite of `a >= n || b >= m`; "" if that is not plain to see.
  std::string opposite(std::size_t begin, std::size_t end) const {
    const std::string outside = text(begin, end);
    if (is(begin, "!") && scope_.primary_end(begin + 1) == end) return text(begin + 1, end);
    if (outside.find_first_of("<&!") != outside.npos || outside.find(">=") == outside.npos)
      return {};
    return replace_all(replace_all(outside, ">=", "<"), "||", "&&");
  }

  /// `if (outside) return;` before a barrier: the opposite around the next statement, or around all accesses, instead.
  void returned(const Statement& one) {
    if (!is(one.whole, "if") || one.end != one.begin + 1) return;
    const std::size_t close = tokens_.close_of(one.whole + 1);
    const std::string inside = opposite(one.whole + 2, close);
    if (inside.empty() || close + 1 != one.begin) return;
    const Replacement gone = replacement(one.whole, one.end + 1, "");
    std::size_t next = one.end + 1;
    for (const Statement& later : all_)
      if (later.whole == next && later.is_declaration) next = later.end + 1;
    if (next < end_ && !is(next, "}"))
      put(assignment, {gone, insertion(next, "if (" + inside + ") ")}, one.whole);
    for (Edit& edit : accesses_inside({one.end + 1, end_}, inside)) {
      edit.push_back(gone);
      put(assignment, std::move(edit), one.whole);
    }
  }

  /// Each access of global memory under a condition: stores alone; loads alone, which give 0; both; loads that leave out their
  /// store.
  std::vector<Edit> accesses_inside(const Piece& block, const std::string& inside) const {
    Edit left_out, zeros, only_loads, only_stores;
    for (const Statement& one : all_) {
      if (one.begin < block.begin || one.end > block.end) continue;
      const bool is_store = scope_.is_pointer(one.begin) || is(one.begin, "*");
      const bool is_conditional = is(one.whole, "if");
      const Replacement guard = is_conditional && tokens_.close_of(one.whole + 1) + 1 == one.begin
                                    ? insertion(one.whole + 2, inside + " && ")
                                    : insertion(one.begin, "if (" + inside + ") ");
      if (is_store) {
        for (Edit* const edit : {&left_out, &zeros, &only_stores}) edit->push_back(guard);
        continue;
      }
      Edit loads;
      for (std::size_t i = one.begin + 1; i < one.end; ++i)
        if (is(i - 1, "=") && scope_.is_pointer(i) && is(i + 1, "[")) {
          loads.push_back(insertion(i, inside + " ? "));
          loads.push_back(insertion(scope_.primary_end(i), " : 0"));
        }
      zeros.insert(zeros.end(), loads.begin(), loads.end());
      only_loads.insert(only_loads.end(), loads.begin(), loads.end());
      if (!loads.empty() && !one.is_declaration)
        left_out.push_back(guard);
      else
        left_out.insert(left_out.end(), loads.begin(), loads.end());
    }
    std::vector<Edit> all;
    if (!only_stores.empty()) all.push_back(only_stores);
    if (!only_loads.empty()) all.push_back(only_loads);
    if (zeros.size() != only_loads.size()) all.push_back(zeros);
    if (left_out.size() != zeros.size()) all.push_back(left_out);
    return all;
  }

  const std::size_t begin_, end_;
  const std::vector<Statement> all_;
};

}  // namespace

void barrier_edits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
                   std::vector<Ranked>& found) {
  BarrierEdits(tokens, scope, begin, end, found).all();
}

}  // namespace labkit::compile
