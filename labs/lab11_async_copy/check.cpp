// How lab 11 is checked: ranks in rows of 256, for any number of rows and any grid. Whole numbers, so that some elements of a row
// are equal.
#include "grade/lab_test.h"

using namespace labkit::grade;

namespace {

constexpr int kRow = 256;

Case ranks(int rows, std::uint32_t blocks) {
  Input<float> in(make_array("in", rows, kRow, false, false, element_of<float>()));
  fill_whole_values(*in.data(), -1000, 1001);
  auto out = output<int>("out", Shape{rows, kRow});
  in_rows(rows, std::int64_t{kRow} * kRow / 8, [&](int r) {
    for (int i = 0; i < kRow; ++i) {
      int smaller = 0;
      for (int k = 0; k < kRow; ++k) smaller += in(r, k) < in(r, i);
      out(r, i) = smaller;
    }
  });
  return Case{.kernel = "ranks", .grid = {blocks}, .block = {kRow}, .arguments = {in, out, rows}};
}

}  // namespace

TEST(Ranks, OneRowEach) {
  check({ranks(1, 1), ranks(2, 2), ranks(33, 33), ranks(0, 1), ranks(5, 9)});
}

TEST(Ranks, AnyGrid) {
  check({ranks(2, 1), ranks(3, 1), ranks(8, 1), ranks(7, 2), ranks(9, 4), ranks(31, 5),
         ranks(64, 13)});
}

TEST(Ranks, Overlap) {
  grade(
      [] { return ranks(graded_size("rows"), static_cast<std::uint32_t>(graded_size("blocks"))); });
}
