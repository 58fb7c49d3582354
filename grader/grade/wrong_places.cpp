#include "grade/wrong_places.h"

#include <algorithm>
#include <utility>

namespace labkit::grade {
namespace {

using words::Id;

/// Set numbers side by side.
struct Stretch {
  std::uint64_t first = 0, end = 0;
  std::uint64_t length() const { return end - first; }
  std::string text() const {
    return length() == 1 ? std::to_string(first)
                         : std::to_string(first) + "-" + std::to_string(end - 1);
  }
};

/// The next one from `at` on; empty: there is none.
Stretch next_stretch(const std::vector<bool>& is_set, std::uint64_t at) {
  const auto begin = is_set.begin();
  const auto first = std::find(begin + static_cast<std::ptrdiff_t>(at), is_set.end(), true);
  const auto end = std::find(first, is_set.end(), false);
  return {static_cast<std::uint64_t>(first - begin), static_cast<std::uint64_t>(end - begin)};
}

std::int64_t count_of(const std::vector<bool>& is_set) { return std::ranges::count(is_set, true); }

/// Where elements at several sides of an array are wrong, and no others: rows and columns by themselves say little of them.
words::Message wrong_sides(const std::vector<bool>& is_wrong, std::uint64_t cols) {
  const std::uint64_t last = is_wrong.size() / cols - 1;
  if (last < 2 || cols < 3) return {};  // nearly all of it is a side
  std::uint64_t first_row = 0, last_row = 0, first_column = 0,
                last_column = 0;  // wrong, but for the corners
  for (std::uint64_t i = 0; i < is_wrong.size(); ++i) {
    if (!is_wrong[i]) continue;
    const std::uint64_t row = i / cols, column = i % cols;
    const bool is_at_row = row == 0 || row == last,
               is_at_column = column == 0 || column + 1 == cols;
    if (!is_at_row && !is_at_column) return {};
    if (!is_at_column) ++(row == 0 ? first_row : last_row);
    if (!is_at_row) ++(column == 0 ? first_column : last_column);
  }
  if ((first_row + last_row == 0) || (first_column + last_column == 0)) return {};
  return {first_row + first_column == 0 ? Id::places_last : Id::places_edge};
}

}  // namespace

std::string stretches(const std::vector<bool>& is_set) {
  constexpr std::size_t kMost = 3;
  std::vector<Stretch> first;  // no more than kMost
  Stretch last;
  std::size_t count = 0;
  bool is_regular =
      true;  // each as long as the first, but for the last, which may end early; and all as far apart
  for (Stretch one = next_stretch(is_set, 0); one.length() != 0;
       one = next_stretch(is_set, one.end)) {
    if (count > 1)
      is_regular = is_regular && one.first - last.first == first[1].first - first[0].first;
    if (count > 0)
      is_regular =
          is_regular && last.length() == first[0].length() && one.length() <= first[0].length();
    if (first.size() < kMost) first.push_back(one);
    last = one;
    if (++count > kMost && !is_regular) return {};
  }
  if (count == 0 || last.length() == is_set.size()) return {};
  if (count > kMost) return first[0].text() + ", " + first[1].text() + ", ..., " + last.text();
  std::string text;
  for (const Stretch& one : first) text += (text.empty() ? "" : ", ") + one.text();
  return text;
}

words::Message wrong_places(const std::vector<bool>& is_wrong, std::uint64_t cols, bool is_vector) {
  const auto wrong = static_cast<std::uint64_t>(count_of(is_wrong));
  if (wrong < 2 || cols == 0 || wrong == is_wrong.size()) return {};
  if (is_vector) {
    std::string text = stretches(is_wrong);
    return text.empty() ? words::Message{}
                        : words::Message{Id::places_elements, {{"places", std::move(text)}}};
  }
  if (words::Message sides = wrong_sides(is_wrong, cols)) return sides;
  std::vector<bool> rows(is_wrong.size() / cols), columns(cols);
  for (std::uint64_t i = 0; i < is_wrong.size(); ++i)
    if (is_wrong[i]) rows[i / cols] = columns[i % cols] = true;
  const words::Parameter row_count{"row_count", count_of(rows)},
      column_count{"column_count", count_of(columns)};
  std::string in_rows = stretches(rows), in_columns = stretches(columns);
  if (in_rows.empty() && in_columns.empty()) return {};
  if (in_rows.empty())
    return {Id::places_columns, {column_count, {"columns", std::move(in_columns)}}};
  if (in_columns.empty()) return {Id::places_rows, {row_count, {"rows", std::move(in_rows)}}};
  return {
      Id::places_both,
      {row_count, column_count, {"rows", std::move(in_rows)}, {"columns", std::move(in_columns)}}};
}

}  // namespace labkit::grade
