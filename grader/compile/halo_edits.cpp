// Edits of a tile with a halo: its corners, where only its sides are loaded.
#include <fmt/format.h>

#include <optional>
#include <string>
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
    for (const Statement& own : all) {
      if (own.whole != own.begin || own.is_declaration || !is(own.begin + 1, "[")) continue;
      std::vector<Side> rows, columns;
      std::size_t last = 0;
      for (const Statement& one : all) {
        const auto side = one.whole > own.end ? side_of(one, own) : std::nullopt;
        if (!side) continue;
        (side->is_of_row ? rows : columns).push_back(*side);
        last = one.end;
      }
      if (rows.empty() || columns.empty()) continue;
      std::string added;
      for (const Side& row : rows)
        for (const Side& column : columns) added += "\v  " + corner(own, row, column);
      add(condition, {{tokens_[last].end(), tokens_[last].end(), added}}, tokens_[last].line);
      return;
    }
  }

 private:
  struct Side {
    std::string condition;
    std::vector<std::string> put_in;  ///< before each token of the thread's own statement
    bool is_of_row = false;           ///< its first index is another one
  };

  /// What `one` has beside the thread's own statement, under a condition.
  std::optional<Side> side_of(const Statement& one, const Statement& own) const {
    const std::size_t close = is(one.whole, "if") ? tokens_.close_of(one.whole + 1) : 0;
    if (close == 0 || close + 1 != one.begin) return std::nullopt;
    Side side{text(one.whole + 2, close), std::vector<std::string>(own.end - own.begin + 1), false};
    std::size_t at = own.begin;
    const std::size_t first_index = tokens_.close_of(own.begin + 1);
    for (std::size_t i = one.begin; i < one.end; ++i) {
      if (at < own.end && is(i, tokens_[at].spelling)) {
        ++at;
        continue;
      }
      side.put_in[at - own.begin] += " " + text(i, i + 1);
      side.is_of_row = side.is_of_row || at <= first_index;
    }
    return at == own.end ? std::optional(std::move(side)) : std::nullopt;
  }

  std::string corner(const Statement& own, const Side& row, const Side& column) const {
    std::string made = fmt::format("if ({} && {}) ", row.condition, column.condition);
    for (std::size_t i = own.begin; i < own.end; ++i) {
      const std::size_t k = i - own.begin;
      made += row.put_in[k] + column.put_in[k];
      if (i > own.begin && tokens_[i].begin > tokens_[i - 1].end()) made += ' ';
      made += text(i, i + 1);
    }
    return made + ";";
  }
};

}  // namespace

void halo_edits(const Tokens& tokens, const EditScope& scope, std::size_t begin, std::size_t end,
                std::vector<Ranked>& found) {
  HaloEdits(tokens, scope, found).corners(begin, end);
}

}  // namespace labkit::compile
