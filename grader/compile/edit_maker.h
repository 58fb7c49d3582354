// What the two kinds of small edits share: the tokens, and how an edit is made. Private to small_edits.
#pragma once
#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compile/edit_scope.h"
#include "compile/small_edits.h"

namespace labkit::compile {

/// How soon an edit is tried.
enum class Rank : std::uint8_t {
  rounding,
  condition,
  swap,
  assignment,
  step,
  index,
  name,
  structure
};

struct Ranked {
  Rank rank;
  std::uint32_t line;
  Edit edit;
  words::Message why = {};  ///< as SmallEdit's
};

/// Puts the parts in order, each once; false if two overlap.
inline bool put_in_order(Edit& edit) {
  const auto place = [](const Replacement& part) { return std::pair(part.begin, part.end); };
  std::ranges::stable_sort(edit, {}, place);
  const auto [again, end] = std::ranges::unique(edit, [&](const auto& a, const auto& b) {
    return place(a) == place(b) && a.text == b.text && a.begin < a.end;
  });
  edit.erase(again, end);
  return std::ranges::adjacent_find(
             edit, [](const auto& a, const auto& b) { return a.end > b.begin; }) == edit.end();
}

/// As many brackets are open behind it as before: one too many would spoil what is compiled beside it.
inline bool keeps_brackets(std::string_view source, const Edit& edit) {
  for (const auto& [open, close] :
       {std::pair('(', ')'), std::pair('[', ']'), std::pair('{', '}')}) {
    std::ptrdiff_t more = 0;
    for (const Replacement& part : edit) {
      const std::string_view was = source.substr(part.begin, part.end - part.begin);
      more += std::ranges::count(part.text, open) - std::ranges::count(part.text, close);
      more -= std::ranges::count(was, open) - std::ranges::count(was, close);
    }
    if (more != 0) return false;
  }
  return true;
}

class EditMaker {
 public:
  EditMaker(const Tokens& tokens, const EditScope& scope, std::vector<Ranked>& found)
      : tokens_(tokens), scope_(scope), found_(found) {}

 protected:
  using enum Rank;
  using Id = words::Id;
  bool is(std::size_t i, std::string_view what) const { return tokens_.is(i, what); }
  std::string text(std::size_t begin, std::size_t end) const {
    return std::string(tokens_.text(begin, end));
  }
  void add(Rank rank, Edit edit, std::uint32_t line, words::Message why = {}) {
    for (Replacement& part : edit) keep_lines(part);
    make_variable(edit);
    found_.push_back({rank, line, std::move(edit), std::move(why)});
  }
  /// `constexpr int pitch = kMaxTile + 1;` whose value becomes one of the launch: `const int pitch`.
  void make_variable(Edit& edit) const;
  /// Tokens [begin, end) become `by`.
  Replacement replacement(std::size_t begin, std::size_t end, std::string by) const {
    Replacement made{tokens_[begin].begin, tokens_[end - 1].end(), std::move(by)};
    const std::string_view source = tokens_.source();
    const bool is_gap = made.text.empty() && made.begin > 0 && source[made.begin - 1] == ' ' &&
                        made.end < source.size() &&
                        (source[made.end] == ';' || source[made.end] == ')');
    if (is_gap) --made.begin;  // nothing stands between a blank and what ends the expression
    keep_lines(made);
    return made;
  }
  void replace(Rank rank, std::size_t begin, std::size_t end, std::string by,
               words::Message why = {}) {
    add(rank, {replacement(begin, end, std::move(by))}, tokens_[begin].line, std::move(why));
  }
  /// Before token `i`, on its line.
  Replacement insertion(std::size_t i, std::string what) const {
    return {tokens_[i].begin, tokens_[i].begin, std::move(what)};
  }
  /// Tokens [begin, end).
  struct Piece {
    std::size_t begin = 0, end = 0;
  };
  std::string text_of(const Piece& piece) const { return text(piece.begin, piece.end); }
  bool has(std::string_view word, const Piece& piece) const {
    for (std::size_t i = piece.begin; i < piece.end; ++i)
      if (is(i, word)) return true;
    return false;
  }
  /// The last value before token `before`, and from token `begin` on, of the variable of this name; empty: it has none there.
  Piece value_of(std::string_view name, std::size_t begin, std::size_t before) const {
    for (std::size_t i = before; i-- > begin;)
      if (is(i, name) && is(i + 1, "=")) return {i + 2, scope_.end_of_value(i + 2, before)};
    return {};
  }
  /// A quotient begins at token `i`, or what it names has one as its value: `steps = m / 32`.
  bool is_quotient(std::size_t i) const {
    return is(i + 1, "/") || has("/", value_of(tokens_[i].spelling, 0, i));
  }
  /// `name(...)`, all of it.
  bool is_call(const Piece& piece) const;
  std::vector<Piece> arguments(const Piece& call) const;
  /// A function that limits a value on both sides.
  bool limits(std::size_t word) const;
  /// Statements between braces, blocks whole.
  std::vector<Piece> items(std::size_t begin, std::size_t end) const;
  /// Swaps the x and the y of what has parts in [begin, end), threads and blocks, and with `variables` each two of these that
  /// are of one kind.
  void group(std::size_t begin, std::size_t end, bool variables);

  const Tokens& tokens_;
  const EditScope& scope_;
  std::vector<Ranked>& found_;

 private:
  /// As many lines as before, so that each edit is shown beside what it changes.
  void keep_lines(Replacement& part) const {
    const std::string_view before = tokens_.source().substr(part.begin, part.end - part.begin);
    auto missing = std::ranges::count(before, '\n') - std::ranges::count(part.text, '\n');
    if (missing > 0) part.text.insert(0, static_cast<std::size_t>(missing), '\n');
    for (; missing < 0; ++missing) part.text[part.text.rfind('\n')] = ' ';
  }
  using Names = std::initializer_list<std::pair<std::string_view, std::string_view>>;
  void exchange(std::size_t begin, std::size_t end, Names pairs, bool members, Rank rank = swap);
  /// Of `i < end; i += step`: exchanged, such a loop makes one turn, whatever it is about.
  bool are_end_and_step(std::size_t end, std::size_t step) const {
    return (is(end - 1, "<") || is(end - 1, "<=")) && is(step - 1, "+=");
  }
};

/// Of whole statements: deleted, guarded, in another order, without a first value.
void statement_edits(const Tokens& tokens, const EditScope& scope, std::size_t begin,
                     std::size_t end, std::vector<Ranked>& found);
/// Of the kernel as a whole: each access guarded, loops shared among threads, a tile that other threads store.
void kernel_edits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
                  std::vector<Ranked>& found);

/// Of sizes, and of how far things reach.
void size_edits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
                std::vector<Ranked>& found);
/// Of types, and of what C++ makes of them.
void type_edits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
                std::vector<Ranked>& found);
/// Of whole expressions, and indices as they stand elsewhere.
void expression_edits(const Tokens& tokens, const EditScope& scope, std::size_t begin,
                      std::size_t end, std::vector<Ranked>& found);
/// Of which thread touches which element.
void index_edits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
                 std::vector<Ranked>& found);
/// Of several places that belong together.
void loop_edits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
                std::vector<Ranked>& found);
/// Of barriers, and of conditions and returns that keep threads from them.
void barrier_edits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
                   std::vector<Ranked>& found);
/// Of a tile with a halo.
void halo_edits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
                std::vector<Ranked>& found);
/// Of conditions with what they guard.
void guard_edits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
                 std::vector<Ranked>& found);
/// Of two places that are wrong in the same way.
void pair_edits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
                std::vector<Ranked>& found);
/// Of what belongs together: loops, declarations, conditions.
void twin_edits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
                std::vector<Ranked>& found);
/// Of how a place is worked out, wherever it is.
void place_edits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
                 std::vector<Ranked>& found);
/// Of how far a part goes, and of what is left of it.
void part_edits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
                std::vector<Ranked>& found);
/// Of what small functions are given and give back.
void helper_edits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
                  std::vector<Ranked>& found);
/// Of places that may lie outside, where it counts as 0: clamped ones, and tests of one side only.
void clamp_edits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
                 std::vector<Ranked>& found);
/// Of what a thread is taken for.
void thread_edits(const Tokens& tokens, const EditScope& scope, std::vector<Ranked>& found);
/// Of `column ^ row`, and of rows that are rotated.
void swizzle_edits(const Tokens& tokens, const EditScope& scope, std::vector<Ranked>& found);
/// The same edit at several places that belong together; of those that were found.
void joined_edits(const Tokens& tokens, const EditScope& scope, std::vector<Ranked>& found);
/// `total` for `gridDim.x * blockDim.x` in those that were found, where a variable holds it.
void name_held_values(const Tokens& tokens, const EditScope& scope, std::vector<Ranked>& found);
void macro_edits(const Tokens& tokens, const EditScope& scope, std::vector<Ranked>& found);

}  // namespace labkit::compile
