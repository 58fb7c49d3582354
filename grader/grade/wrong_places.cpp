#include "grade/wrong_places.h"

#include <algorithm>
#include <utility>

namespace labkit::grade {
namespace {

using words::Id;

struct Stretch {
  std::uint64_t first = 0, last = 0;
  std::uint64_t length() const { return last - first + 1; }
  std::string text() const {
    return first == last ? std::to_string(first)
                         : std::to_string(first) + "-" + std::to_string(last);
  }
};

std::vector<Stretch> stretches_of(const std::vector<std::uint64_t>& numbers) {
  std::vector<Stretch> all;
  for (const std::uint64_t number : numbers) {
    if (!all.empty() && all.back().last + 1 == number)
      all.back().last = number;
    else
      all.push_back({number, number});
  }
  return all;
}

/// Each as long as the first, but for the last, which may end early; and all as far apart.
bool are_regular(const std::vector<Stretch>& all) {
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (all[i].first - all[i - 1].first != all[1].first - all[0].first) return false;
    if (i + 1 < all.size() ? all[i].length() != all[0].length() : all[i].length() > all[0].length())
      return false;
  }
  return true;
}

std::vector<std::uint64_t> sorted(std::vector<std::uint64_t> numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::ranges::unique(numbers).begin(), numbers.end());
  return numbers;
}

}  // namespace

std::string stretches(const std::vector<std::uint64_t>& numbers, std::uint64_t size) {
  constexpr std::size_t kMost = 3;
  const std::vector<Stretch> all = stretches_of(numbers);
  if (all.empty() || numbers.size() == size) return {};
  std::string text;
  if (all.size() <= kMost) {
    for (const Stretch& one : all) text += (text.empty() ? "" : ", ") + one.text();
    return text;
  }
  if (!are_regular(all)) return {};
  return all[0].text() + ", " + all[1].text() + ", ..., " + all.back().text();
}

words::Message wrong_places(const std::vector<std::uint64_t>& wrong, std::uint64_t rows,
                            std::uint64_t cols, bool is_vector) {
  if (wrong.size() < 2 || cols == 0 || wrong.size() >= rows * cols) return {};
  if (is_vector) {
    std::string text = stretches(wrong, rows * cols);
    return text.empty() ? words::Message{}
                        : words::Message{Id::places_elements, {{"places", std::move(text)}}};
  }
  std::vector<std::uint64_t> row, column;
  for (const std::uint64_t one : wrong) {
    row.push_back(one / cols);
    column.push_back(one % cols);
  }
  row = sorted(std::move(row));
  column = sorted(std::move(column));
  const words::Parameter row_count{"row_count", words::count(row.size())},
      column_count{"column_count", words::count(column.size())};
  std::string in_rows = stretches(row, rows), in_columns = stretches(column, cols);
  if (in_rows.empty() && in_columns.empty()) return {};
  if (in_rows.empty())
    return {Id::places_columns, {column_count, {"columns", std::move(in_columns)}}};
  if (in_columns.empty()) return {Id::places_rows, {row_count, {"rows", std::move(in_rows)}}};
  return {
      Id::places_both,
      {row_count, column_count, {"rows", std::move(in_rows)}, {"columns", std::move(in_columns)}}};
}

}  // namespace labkit::grade
