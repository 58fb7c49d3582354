// How lab 4 is checked: a static and a dynamic tile, any shape and any square block, graded at 32 x
// 32; and a bonus kernel that chooses its own launch shape.
#include "grade/lab_test.h"

using namespace labkit::grade;

namespace {

constexpr const char* kStatic = "transpose_static";
constexpr const char* kDynamic = "transpose_dynamic";
constexpr const char* kRows = "transpose_rows";

struct Launch {
  Dim3 block;
  int tile_cols, tile_rows;
  std::uint32_t dynamic_shared_bytes = 0;
};

/// out[c][r] = in[r][c]
Case transpose(const char* kernel, Shape shape, const Launch& launch) {
  const auto [rows, cols] = shape;
  const auto in = input<float>("in", shape);
  auto out = output<float>("out", Shape{cols, rows});
  in_rows(cols, rows, [&, rows = rows](int c) {
    for (int r = 0; r < rows; ++r) out(c, r) = in(r, c);
  });
  return Case{.kernel = kernel,
              .grid = {blocks_for(cols, launch.tile_cols), blocks_for(rows, launch.tile_rows)},
              .block = launch.block,
              .arguments = {in, out, rows, cols},
              .dynamic_shared_bytes = launch.dynamic_shared_bytes};
}

/// A square block of `edge` x `edge`, one element a thread.
Launch square(const char* kernel, int edge) {
  const std::uint32_t bytes = kernel == kDynamic ? edge * (edge + 1) * sizeof(float) : 0;
  const auto side = static_cast<std::uint32_t>(edge);
  return {
      .block = {side, side}, .tile_cols = edge, .tile_rows = edge, .dynamic_shared_bytes = bytes};
}

void check_shapes(const char* kernel, const Launch& launch) {
  std::vector<Case> cases;
  for (const Shape shape : odd_shapes()) cases.push_back(transpose(kernel, shape, launch));
  check(cases);
}

void check_blocks(const char* kernel) {
  std::vector<Case> cases;
  for (const int edge : {16, 8, 1, 7, 17, 31})
    for (const Shape shape : {Shape{64, 64}, Shape{97, 61}, Shape{3, 129}})
      cases.push_back(transpose(kernel, shape, square(kernel, edge)));
  check(cases);
}

Case graded(const char* kernel, const Launch& launch) {
  return transpose(kernel, {graded_size("rows"), graded_size("cols")}, launch);
}

/// The shape that kernel.cu chose for the bonus kernel; nothing if the test is over already.
std::optional<Launch> chosen() {
  const auto shape = shape_from_kernel(
      kRows, "transpose_rows_shape",
      {{"block_x", 1, 1024}, {"block_y", 1, 1024}, {"tile_cols", 1, 256}, {"tile_rows", 1, 256}});
  if (!shape) return std::nullopt;
  const auto x = static_cast<std::uint32_t>((*shape)[0]);
  const auto y = static_cast<std::uint32_t>((*shape)[1]);
  return Launch{.block = {x, y}, .tile_cols = (*shape)[2], .tile_rows = (*shape)[3]};
}

}  // namespace

TEST(Padding, StaticAnyShape) { check_shapes(kStatic, square(kStatic, 32)); }
TEST(Padding, StaticAnyBlock) { check_blocks(kStatic); }
TEST(Padding, StaticBandwidth) {
  grade([] { return graded(kStatic, square(kStatic, 32)); });
}

TEST(Padding, DynamicAnyShape) { check_shapes(kDynamic, square(kDynamic, 32)); }
TEST(Padding, DynamicAnyBlock) { check_blocks(kDynamic); }
TEST(Padding, DynamicBandwidth) {
  grade([] { return graded(kDynamic, square(kDynamic, 32)); });
}

TEST(Padding, RowsAnyShape) {
  if (const auto launch = chosen()) check_shapes(kRows, *launch);
}
TEST(Padding, RowsBandwidth) {
  if (const auto launch = chosen()) grade([&] { return graded(kRows, *launch); });
}
