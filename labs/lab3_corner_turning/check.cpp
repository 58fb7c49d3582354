// How lab 3 is checked: a tile of 32 x 32 a block, any rows and columns.
#include "grade/lab_test.h"

using namespace labkit::grade;

namespace {

constexpr int kTile = 32;

/// out[c][r] = in[r][c]
template <typename T>
Case corner_turn(const char* kernel, Shape shape) {
  const auto [rows, cols] = shape;
  const auto in = input<T>("in", Shape{rows, cols});
  auto out = output<T>("out", Shape{cols, rows});
  in_rows(cols, rows, [&, rows = rows](int c) {
    for (int r = 0; r < rows; ++r) out(c, r) = in(r, c);
  });
  return Case{.kernel = kernel,
              .grid = {blocks_for(cols, kTile), blocks_for(rows, kTile)},
              .block = {kTile, kTile},
              .arguments = {in, out, rows, cols}};
}
Case floats(Shape shape) { return corner_turn<float>("corner_turn<float>", shape); }
Case doubles(Shape shape) { return corner_turn<double>("corner_turn<double>", shape); }

}  // namespace

TEST(CornerTurning, WholeTiles) { check({floats({32, 32}), floats({64, 64}), floats({256, 256})}); }

TEST(CornerTurning, AnyShape) {
  std::vector<Case> cases;
  for (const Shape shape : odd_shapes()) cases.push_back(floats(shape));
  check(cases);
}

TEST(CornerTurning, Doubles) { check({doubles({32, 32}), doubles({33, 31}), doubles({5, 101})}); }

TEST(CornerTurning, Bandwidth) {
  grade([] { return floats({graded_size("rows"), graded_size("cols")}); });
}
