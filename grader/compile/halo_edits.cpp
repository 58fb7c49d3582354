// Edits of a tile with a halo: its corners, where only its sides are loaded; an array of its own for what takes the place of
// elements that other threads still read.
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compile/edit_maker.h"

namespace labkit::compile {
namespace {

class HaloEdits : public EditMaker {
 public:
  using EditMaker::EditMaker;

  /// `tile[y][x] = at(r, c); if (tx < R) tile[y][x - R] = at(r, c - R); if (ty < R) tile[y - R][x] = at(r - R, c);`: for each two
  /// such sides what both have together.
  void corners(std::size_t begin, std::size_t end) {
    const std::vector<Statement> all = scope_.statements(begin, end);
    const std::vector<Condition> conditions = conditions_of(all, begin);
    for (const Statement& own : all) {
      if (own.whole != own.begin || own.is_declaration || !is(own.begin + 1, "[") ||
          own.end - own.begin > kMostTokens)
        continue;
      std::vector<Side> rows, columns;
      std::size_t last = 0;
      for (std::size_t i = 0; i < all.size() && rows.size() + columns.size() < kMostSides; ++i) {
        if (all[i].whole <= own.end) continue;
        auto side = side_of(all[i], own, conditions[i]);
        if (!side) continue;
        (side->is_of_row ? rows : columns).push_back(std::move(*side));
        last = std::max(last, conditions[i].last);
      }
      if (rows.empty() || columns.empty()) continue;
      add(condition, {{tokens_[last].end(), tokens_[last].end(), loads(own, rows, columns)}},
          tokens_[last].line, {Id::change_corners});
      return;
    }
  }

  /// `tile[y][x] = sum;` behind sums of what is in the tile: into an array of its own, which is read behind the next barrier.
  void array_of_its_own(std::size_t begin, std::size_t end) {
    for (const Statement& declared : scope_.statements(begin, end)) {
      const std::size_t name = declared.whole + 2;
      if (!is(declared.whole, "__shared__") || !is(name + 1, "[")) continue;
      const std::string_view array = tokens_[name].spelling;
      std::size_t stores = 0;
      bool is_read = false;  // since the last barrier
      for (std::size_t i = declared.end; i < end; ++i) {
        if (is(i, "__syncthreads")) is_read = false;
        const std::size_t close = is(i, array) ? indices_end(i + 1) : i;
        if (close == i || close >= end) continue;
        const bool is_store = is(close, "=");
        if (is_store && stores > 0 && is_read) store_elsewhere(declared, i, close, end);
        stores += is_store ? 1 : 0;
        is_read = is_read || !is_store;
      }
    }
  }

 private:
  /// Behind all of `[y][x]`.
  std::size_t indices_end(std::size_t i) const {
    while (is(i, "[") && tokens_.close_of(i) < tokens_.size()) i = tokens_.close_of(i) + 1;
    return i;
  }
  /// The store at token `at`, whose `=` is token `equals`.
  void store_elsewhere(const Statement& declared, std::size_t at, std::size_t equals,
                       std::size_t end) {
    const std::string array = text(at, at + 1);
    const bool has_name = tokens_.is_word(equals + 1) && is(equals + 2, ";");
    const std::string own = has_name ? text(equals + 1, equals + 2) + "s" : array + "_of_sums";
    const auto is_own = [&](const Token& token) { return token.is(own); };
    if (std::ranges::any_of(tokens_, is_own)) return;
    const std::size_t name = declared.whole + 2;
    Edit edit = {{tokens_[declared.end].end(), tokens_[declared.end].end(),
                  fmt::format("\v  {} {}{};", text(declared.whole, name), own,
                              text(name + 1, indices_end(name + 1)))},
                 replacement(at, at + 1, own)};
    bool is_behind = false;
    for (std::size_t i = equals; i < end; ++i) {
      is_behind = is_behind || is(i, "__syncthreads");
      if (is_behind && is(i, array)) edit.push_back(replacement(i, i + 1, own));
    }
    if (edit.size() > 2) add(rounding, std::move(edit), tokens_[at].line);
  }

  static constexpr std::size_t kMostTokens = 100, kMostSides = 8;

  /// What alone a statement depends on, between the brackets of its `if`; `last` is the last token of that. Empty: nothing.
  struct Condition {
    std::size_t begin = 0, end = 0, last = 0;
  };
  /// How a statement differs from the thread's own.
  struct Side {
    std::string condition;
    std::vector<std::string> before;  ///< put before each of its tokens
    std::vector<bool> is_left_out;    ///< of its tokens
    bool is_of_row = false;           ///< its first index is another one
  };

  std::vector<Condition> conditions_of(const std::vector<Statement>& all, std::size_t begin) const {
    std::vector<Condition> made, open;
    std::size_t i = begin, brace = 0;
    for (const Statement& one : all) {
      for (; i < one.whole; ++i) {
        while (!open.empty() && open.back().last <= i) open.pop_back();
        const std::size_t close = is(i, "if") ? tokens_.close_of(i + 1) : 0;
        if (close != 0 && is(close + 1, "{")) {
          brace = close + 1;
          open.push_back({i + 2, close, tokens_.close_of(brace)});
        } else if (is(i, "{") && i != brace) {
          open.push_back({0, 0, tokens_.close_of(i)});
        }
      }
      const std::size_t close = is(one.whole, "if") ? tokens_.close_of(one.whole + 1) : 0;
      if (one.whole == one.begin)
        made.push_back(open.empty() ? Condition{} : open.back());
      else if (close + 1 == one.begin)
        made.push_back({one.whole + 2, close, one.end});
      else
        made.push_back({});
    }
    return made;
  }

  /// What `one` has beside the thread's own statement, under a condition.
  std::optional<Side> side_of(const Statement& one, const Statement& own,
                              const Condition& condition) const {
    const std::size_t m = own.end - own.begin, n = one.end - one.begin;
    if (condition.end == 0 || n > kMostTokens || !is(one.begin, tokens_[own.begin].spelling))
      return std::nullopt;
    const auto same = [&](std::size_t i, std::size_t k) {
      return is(one.begin + k, tokens_[own.begin + i].spelling);
    };
    // the longest common subsequence of their tokens, from the end
    std::vector<std::vector<std::size_t>> common(m + 1, std::vector<std::size_t>(n + 1));
    for (std::size_t i = m; i-- > 0;)
      for (std::size_t k = n; k-- > 0;)
        common[i][k] =
            same(i, k) ? common[i + 1][k + 1] + 1 : std::max(common[i + 1][k], common[i][k + 1]);
    Side side{text(condition.begin, condition.end), std::vector<std::string>(m + 1),
              std::vector<bool>(m), false};
    const std::size_t first_index = tokens_.close_of(own.begin + 1) - own.begin;
    for (std::size_t i = 0, k = 0; i < m || k < n;) {
      if (i < m && k < n && same(i, k)) {
        ++i, ++k;
        continue;
      }
      side.is_of_row = side.is_of_row || i <= first_index;
      if (k < n && (i == m || common[i][k + 1] >= common[i + 1][k]))
        side.before[i] += " " + text(one.begin + k, one.begin + k + 1), ++k;
      else
        side.is_left_out[i++] = true;
    }
    return side;
  }

  /// Those of each row with those of each column, under both conditions.
  std::string loads(const Statement& own, const std::vector<Side>& rows,
                    const std::vector<Side>& columns) const {
    std::vector<std::pair<std::string, std::vector<std::string>>> guarded;
    for (const Side& row : rows)
      for (const Side& column : columns) {
        std::string both = fmt::format("\v  if ({} && {}) ", row.condition, column.condition);
        if (guarded.empty() || guarded.back().first != both)
          guarded.emplace_back(std::move(both), std::vector<std::string>{});
        guarded.back().second.push_back(corner(own, row, column));
      }
    std::string made;
    for (const auto& [both, corners] : guarded)
      made += both + (corners.size() == 1
                          ? corners.front()
                          : fmt::format("{{\v    {}\v  }}", fmt::join(corners, "\v    ")));
    return made;
  }

  std::string corner(const Statement& own, const Side& row, const Side& column) const {
    std::string made;
    for (std::size_t i = own.begin; i < own.end; ++i) {
      const std::size_t k = i - own.begin;
      made += row.before[k] + column.before[k];
      if (row.is_left_out[k] || column.is_left_out[k]) continue;
      if (i > own.begin && tokens_[i].begin > tokens_[i - 1].end()) made += ' ';
      made += text(i, i + 1);
    }
    return made + ";";
  }
};

}  // namespace

void halo_edits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
                std::vector<Ranked>& found) {
  HaloEdits edits(tokens, scope, found);
  edits.corners(begin, end);
  edits.array_of_its_own(begin, end);
}

}  // namespace labkit::compile
