// How lab 10 is checked: 49 elements in matrices of any shape, and six neighbours in boxes. The elements are whole numbers, so small
// that their sums are exact as floats, in every order.
#include "grade/lab_test.h"

using namespace labkit::grade;

namespace {

constexpr std::uint32_t kWidth = 32, kHeight = 8;
constexpr int kRadius = 3;

Input<float> whole_matrix(Shape shape) {
  Input<float> in(make_array("in", shape.rows, shape.cols, false, false, element_of<float>()));
  fill_whole_values(*in.data(), -300'000, 300'001);
  return in;
}

Case smooth(Shape shape) {
  const int rows = shape.rows, cols = shape.cols;
  const auto in = whole_matrix(shape);
  auto out = output<float>("out", shape);
  in_rows(rows, 49 * std::int64_t{cols}, [&](int r) {
    for (int c = 0; c < cols; ++c) {
      float sum = 0;
      for (int y = std::max(0, r - kRadius); y <= std::min(rows - 1, r + kRadius); ++y)
        for (int x = std::max(0, c - kRadius); x <= std::min(cols - 1, c + kRadius); ++x)
          sum += in(y, x);
      out(r, c) = sum;
    }
  });
  return Case{.kernel = "smooth",
              .grid = {blocks_for(cols, kWidth), blocks_for(rows, kHeight)},
              .block = {kWidth, kHeight},
              .arguments = {in, out, rows, cols}};
}

Case laplace(int nz, int ny, int nx) {
  const int rows = nz * ny;  // of all layers, one after another
  const std::int64_t n = std::int64_t{rows} * nx;
  const auto values = whole_input<float>("in", n, -300'000, 300'001);
  auto out = output<float>("out", n);
  const auto in = [&](int row, int x) { return values[std::int64_t{row} * nx + x]; };
  in_rows(rows, 7 * std::int64_t{nx}, [&](int row) {
    const int z = row / ny, y = row % ny;
    for (int x = 0; x < nx; ++x) {
      float sum = -6 * in(row, x);
      if (x > 0) sum += in(row, x - 1);
      if (x + 1 < nx) sum += in(row, x + 1);
      if (y > 0) sum += in(row - 1, x);
      if (y + 1 < ny) sum += in(row + 1, x);
      if (z > 0) sum += in(row - ny, x);
      if (z + 1 < nz) sum += in(row + ny, x);
      out[std::int64_t{row} * nx + x] = sum;
    }
  });
  return Case{.kernel = "laplace",
              .grid = {blocks_for(nx, kWidth), blocks_for(ny, kHeight)},
              .block = {kWidth, kHeight},
              .arguments = {values, out, nz, ny, nx}};
}

}  // namespace

TEST(Smooth, WholeTiles) { check({smooth({8, 32}), smooth({16, 64}), smooth({40, 96})}); }

TEST(Smooth, AnyShape) {
  std::vector<Case> cases;
  for (const Shape shape : odd_shapes()) cases.push_back(smooth(shape));
  check(cases);
}

TEST(Smooth, Bandwidth) {
  grade([] { return smooth({graded_size("rows"), graded_size("cols")}); });
}

TEST(Laplace, AnyShape) {
  check({laplace(1, 1, 1), laplace(4, 8, 32), laplace(3, 3, 3), laplace(5, 17, 40),
         laplace(2, 9, 33), laplace(9, 1, 5), laplace(3, 10, 1), laplace(0, 4, 4)});
}

TEST(Laplace, Bandwidth) {
  grade([] { return laplace(graded_size("nz"), graded_size("ny"), graded_size("nx")); });
}
