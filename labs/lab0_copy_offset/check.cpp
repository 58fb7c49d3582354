// How lab 0 is checked: lengths, offsets and strides; the sectors as a student predicts them; a launch with an offset of 1.
#include "grade/lab_test.h"

using namespace labkit::grade;

namespace {

constexpr int kFloatsASector = 8;

Case copy(int n, int offset, int stride, std::uint32_t threads) {
  // No element more than is asked for: what a thread without one reads lies outside.
  const std::int64_t length = n == 0 ? 0 : offset + std::int64_t{n - 1} * stride + 1;
  const auto in = input<float>("in", length);
  auto out = output<float>("out", n);
  in_rows(n, 1, [&](int i) { out[i] = in[offset + std::int64_t{i} * stride]; });
  return Case{.kernel = "copy",
              .grid = {blocks_for(n, threads)},
              .block = {threads},
              .arguments = {in, out, n, offset, stride},
              .useful_bytes = std::uint64_t{2} * sizeof(float) * static_cast<std::uint64_t>(n)};
}

/// Distinct sectors of 32 floats, as they are counted one by one.
int sectors_of(int offset, int stride) {
  int count = 0, last = -1;
  for (int lane = 0; lane < 32; ++lane) {
    const int sector = (offset + lane * stride) / kFloatsASector;
    count += sector != last;
    last = sector;
  }
  return count;
}

Case predict(int cases, int most_offset, int most_stride, std::uint32_t threads) {
  const auto offset = input<int>("offset", cases, 0, most_offset + 1);
  const auto stride = input<int>("stride", cases, 1, most_stride + 1);
  auto sectors = output<int>("sectors", cases);
  for (int c = 0; c < cases; ++c) sectors[c] = sectors_of(offset[c], stride[c]);
  return Case{.kernel = "predict",
              .grid = {blocks_for(cases, threads)},
              .block = {threads},
              .arguments = {offset, stride, sectors, cases}};
}

}  // namespace

TEST(Copy, AnyLength) {
  std::vector<Case> cases;
  for (const int n : odd_lengths()) cases.push_back(copy(n, 0, 1, 256));
  check(cases);
}

TEST(Copy, OffsetAndStride) {
  std::vector<Case> cases;
  for (const int offset : {7, 1, 8, 33})
    for (const int stride : {1, 2, 3, 8, 32}) cases.push_back(copy(257, offset, stride, 96));
  cases.push_back(copy(1, 5, 7, 32));
  cases.push_back(copy(0, 3, 2, 32));
  check(cases);
}

TEST(Predict, Sectors) {
  // what can be drawn by hand comes first: the first wrong count is told
  check({predict(64, 0, 1, 32), predict(100, 0, 4, 64), predict(100, 7, 4, 64),
         predict(100, 40, 1, 32), predict(100, 0, 40, 64), predict(1, 7, 3, 32),
         predict(301, 40, 40, 128)});
}

TEST(Copy, Bandwidth) {
  grade([] { return copy(graded_size("n"), 1, 1, graded_block().x); });
}
