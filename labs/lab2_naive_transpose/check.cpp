// How lab 2 is checked: two naive transposes, any shape and any two-dimensional block; each graded
// by its coalesced side.
#include "grade/lab_test.h"

using namespace labkit::grade;

namespace {

enum class Coalesced { read, write };

/// out[c][r] = in[r][c]. x of the grid runs over the columns of `in` where reads are coalesced,
/// else over its rows.
template <typename T>
Case transpose(Coalesced side, Shape shape, Dim3 block) {
  const auto [rows, cols] = shape;
  const auto in = input<T>("in", shape);
  auto out = output<T>("out", Shape{cols, rows});
  in_rows(cols, rows, [&, rows = rows](int c) {
    for (int r = 0; r < rows; ++r) out(c, r) = in(r, c);
  });
  const bool read = side == Coalesced::read;
  std::string kernel = read ? "transpose_coalesced_read" : "transpose_coalesced_write";
  kernel += sizeof(T) == 8 ? "<double>" : "<float>";
  return Case{
      .kernel = std::move(kernel),
      .grid = {blocks_for(read ? cols : rows, block.x), blocks_for(read ? rows : cols, block.y)},
      .block = block,
      .arguments = {in, out, rows, cols}};
}

void check_shapes(Coalesced side) {
  std::vector<Case> cases;
  for (const Shape shape : odd_shapes()) cases.push_back(transpose<float>(side, shape, {32, 32}));
  for (const Shape shape : {Shape{33, 31}, Shape{5, 101}})
    cases.push_back(transpose<double>(side, shape, {32, 32}));
  check(cases);
}

void check_blocks(Coalesced side) {
  std::vector<Case> cases;
  for (const Dim3 block :
       {Dim3{16, 16}, Dim3{32, 8}, Dim3{8, 32}, Dim3{64, 1}, Dim3{1, 64}, Dim3{7, 5}, Dim3{128, 8}})
    for (const Shape shape : {Shape{64, 64}, Shape{97, 61}, Shape{3, 509}})
      cases.push_back(transpose<float>(side, shape, block));
  check(cases);
}

Case graded(Coalesced side) {
  return transpose<float>(side, {graded_size("rows"), graded_size("cols")}, graded_block());
}

}  // namespace

TEST(NaiveTranspose, ReadAnyShape) { check_shapes(Coalesced::read); }
TEST(NaiveTranspose, ReadAnyBlock) { check_blocks(Coalesced::read); }
TEST(NaiveTranspose, ReadCoalesced) {
  grade([] { return graded(Coalesced::read); });
}

TEST(NaiveTranspose, WriteAnyShape) { check_shapes(Coalesced::write); }
TEST(NaiveTranspose, WriteAnyBlock) { check_blocks(Coalesced::write); }
TEST(NaiveTranspose, WriteCoalesced) {
  grade([] { return graded(Coalesced::write); });
}
