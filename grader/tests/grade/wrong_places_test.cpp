// Where wrong elements lie, in a line.
#include "grade/wrong_places.h"

#include <gtest/gtest.h>

#include <functional>

namespace labkit::grade {
namespace {

using words::Id;

words::Message places(std::uint64_t rows, std::uint64_t cols,
                      const std::function<bool(std::uint64_t, std::uint64_t)>& is_wrong,
                      bool is_vector = false) {
  std::vector<bool> wrong(rows * cols);
  for (std::uint64_t i = 0; i < wrong.size(); ++i) wrong[i] = is_wrong(i / cols, i % cols);
  return wrong_places(wrong, cols, is_vector);
}

std::string value(const words::Message& message, std::string_view name) {
  const words::Value* found = message.find(name);
  return found ? std::get<std::string>(*found) : "";
}

TEST(WrongPlaces, AreColumnsOrRows) {
  const auto edges = places(8, 32, [](auto, auto col) { return col < 3 || col >= 29; });
  EXPECT_EQ(edges.id, Id::places_columns);
  EXPECT_EQ(value(edges, "columns"), "0-2, 29-31");
  const auto row = places(8, 32, [](auto row, auto) { return row == 7; });
  EXPECT_EQ(row.id, Id::places_rows);
  EXPECT_EQ(value(row, "rows"), "7");
  const auto corner = places(8, 8, [](auto row, auto col) { return row > 5 && col > 6; });
  EXPECT_EQ(corner.id, Id::places_both);
  EXPECT_EQ(value(corner, "rows"), "6-7");
  EXPECT_EQ(value(corner, "columns"), "7");
}

TEST(WrongPlaces, AreTheSides) {
  const auto last = [](auto row, auto col) { return row == 7 || (col == 7 && row > 2); };
  EXPECT_EQ(places(8, 8, last).id, Id::places_last);
  const auto ring = [](auto row, auto col) { return row == 0 || col == 0 || col == 7; };
  EXPECT_EQ(places(8, 8, ring).id, Id::places_edge);
  const auto both = places(8, 8, [](auto row, auto) { return row == 0 || row == 7; });
  EXPECT_EQ(both.id, Id::places_rows);  // one kind of side: which ones says more
  const auto inner = [](auto row, auto col) {
    return row == 7 || col == 7 || (row == 3 && col == 3);
  };
  EXPECT_FALSE(places(8, 8, inner));
}

TEST(WrongPlaces, AreElementsOfAVector) {
  const auto tail = places(
      1, 257, [](auto, auto col) { return col >= 250; }, true);
  EXPECT_EQ(tail.id, Id::places_elements);
  EXPECT_EQ(value(tail, "places"), "250-256");
}

TEST(WrongPlaces, FollowAtOneDistance) {
  const auto odd = places(
      1, 32, [](auto, auto col) { return col % 2 == 1; }, true);
  EXPECT_EQ(value(odd, "places"), "1, 3, ..., 31");
  // the last one may end early
  const auto halves = places(
      1, 120, [](auto, auto col) { return col % 32 >= 16; }, true);
  EXPECT_EQ(value(halves, "places"), "16-31, 48-63, ..., 112-119");
}

TEST(WrongPlaces, AreSilentWithoutAPattern) {
  EXPECT_FALSE(places(4, 8, [](auto, auto) { return true; }));
  EXPECT_FALSE(places(4, 8, [](auto row, auto col) { return row == 1 && col == 1; }));
  EXPECT_FALSE(places(8, 8, [](auto row, auto col) { return row == col; }));
  EXPECT_FALSE(places(
      1, 64,
      [](auto, auto col) { return col == 1 || col == 5 || col == 6 || col == 40 || col == 50; },
      true));
}

}  // namespace
}  // namespace labkit::grade
