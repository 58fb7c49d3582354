// How the puzzles are checked: each with two or three small launches.
#include "grade/lab_test.h"

using namespace labkit::grade;

namespace {

Case numbers(const char* kernel, std::uint32_t blocks, std::uint32_t threads) {
  const auto n = static_cast<int>(blocks * threads);
  auto out = output<int>("out", n);
  for (int i = 0; i < n; ++i) out[i] = i;
  return Case{.kernel = kernel, .grid = {blocks}, .block = {threads}, .arguments = {out}};
}

/// out[i] = expected(in, i) for n elements.
template <typename Expected>
Case vector(const char* kernel, int n, std::uint32_t blocks, std::uint32_t threads,
            const Expected& expected) {
  const auto in = input<int>("in", n);
  auto out = output<int>("out", n);
  for (int i = 0; i < n; ++i) out[i] = expected(in, i);
  return Case{.kernel = kernel, .grid = {blocks}, .block = {threads}, .arguments = {in, out, n}};
}

Case guard(int n) {
  return vector("p3_guard", n, blocks_for(n, 64), 64,
                [](const auto& in, int i) { return 2 * in[i]; });
}

Case mirror(int n) {
  return vector("p4_mirror", n, blocks_for(n, 64), 64,
                [n](const auto& in, int i) { return in[n - 1 - i]; });
}

Case stride(int n, std::uint32_t blocks, std::uint32_t threads) {
  const auto in = input<int>("in", n);
  const auto all = static_cast<int>(blocks * threads);
  auto sums = output<int>("sums", all);
  for (int thread = 0; thread < all; ++thread) {
    int sum = 0;
    for (int i = thread; i < n; i += all) sum += in[i];
    sums[thread] = sum;
  }
  return Case{
      .kernel = "p5_stride", .grid = {blocks}, .block = {threads}, .arguments = {in, sums, n}};
}

constexpr std::uint32_t kWide = 16, kHigh = 8;
Dim3 grid_for(int rows, int columns) {
  return {blocks_for(columns, kWide), blocks_for(rows, kHigh)};
}

Case row_column(int rows, int columns) {
  auto out = output<int>("out", rows * columns);
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      out[row * columns + column] = 100 * row + column;
  return Case{.kernel = "p6_row_column",
              .grid = grid_for(rows, columns),
              .block = {kWide, kHigh},
              .arguments = {out, rows, columns}};
}

Case turn(int rows, int columns) {
  const auto in = input<int>("in", rows * columns);
  auto out = output<int>("out", rows * columns);
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      out[column * rows + row] = in[row * columns + column];
  return Case{.kernel = "p7_turn",
              .grid = grid_for(rows, columns),
              .block = {kWide, kHigh},
              .arguments = {in, out, rows, columns}};
}

Case corner(int tiles_down, int tiles_across) {
  constexpr int kTile = 16;
  const int columns = tiles_across * kTile;
  const auto in = input<int>("in", tiles_down * kTile * columns);
  auto corners = output<int>("corners", tiles_down * tiles_across);
  for (int y = 0; y < tiles_down; ++y)
    for (int x = 0; x < tiles_across; ++x)
      corners[y * tiles_across + x] = in[y * kTile * columns + x * kTile];
  return Case{
      .kernel = "p8_corner",
      .grid = {static_cast<std::uint32_t>(tiles_across), static_cast<std::uint32_t>(tiles_down)},
      .block = {kTile, kTile},
      .arguments = {in, corners, columns}};
}

Case barrier(std::uint32_t blocks) {
  constexpr int kThreads = 256;
  const auto n = static_cast<int>(blocks) * kThreads;
  const auto in = input<int>("in", n);
  auto out = output<int>("out", n);
  for (int i = 0; i < n; ++i) out[i] = in[i / kThreads * kThreads + kThreads - 1 - i % kThreads];
  return Case{
      .kernel = "p9_barrier", .grid = {blocks}, .block = {kThreads}, .arguments = {in, out}};
}

Case warp_sum(std::uint32_t blocks, std::uint32_t threads) {
  constexpr int kLanes = 32;
  const auto n = static_cast<int>(blocks * threads);
  const auto in = input<int>("in", n);
  auto sums = output<int>("sums", n / kLanes);
  for (int warp = 0; warp < n / kLanes; ++warp) {
    int sum = 0;
    for (int lane = 0; lane < kLanes; ++lane) sum += in[warp * kLanes + lane];
    sums[warp] = sum;
  }
  return Case{
      .kernel = "p10_warp_sum", .grid = {blocks}, .block = {threads}, .arguments = {in, sums}};
}

}  // namespace

TEST(Puzzle1, Thread) { check({numbers("p1_thread", 1, 32), numbers("p1_thread", 1, 200)}); }

TEST(Puzzle2, Block) { check({numbers("p2_block", 3, 32), numbers("p2_block", 5, 96)}); }

TEST(Puzzle3, Guard) { check({guard(100), guard(128), guard(1)}); }

TEST(Puzzle4, Mirror) { check({mirror(100), mirror(64), mirror(1)}); }

TEST(Puzzle5, Stride) {
  check({stride(1000, 2, 64), stride(100, 1, 32), stride(70, 3, 64), stride(0, 1, 32)});
}

TEST(Puzzle6, RowAndColumn) { check({row_column(10, 40), row_column(33, 5), row_column(16, 16)}); }

TEST(Puzzle7, Turn) { check({turn(10, 40), turn(33, 5), turn(16, 16)}); }

TEST(Puzzle8, Corner) { check({corner(2, 3), corner(4, 1), corner(1, 1)}); }

TEST(Puzzle9, Barrier) { check({barrier(1), barrier(4)}); }

TEST(Puzzle10, WarpSum) { check({warp_sum(1, 32), warp_sum(3, 128)}); }
