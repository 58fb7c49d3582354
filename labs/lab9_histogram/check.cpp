// How lab 9 is checked: any length, any grid, any number of warps, random and skewed bytes. Graded on random bytes; the bonus
// kernel on bytes that are all equal.
#include "grade/lab_test.h"

using namespace labkit::grade;

namespace {

/// Values from `low` up to, and without, `high`.
struct Values {
  int low = 0, high = 256;
};
constexpr Values kAll{}, kFew{'A', 'E'}, kOne{'A', 'B'};

Case histogram(const char* kernel, int n, std::uint32_t blocks, std::uint32_t threads,
               Values values) {
  const auto data = whole_input<unsigned char>("data", n, values.low, values.high);
  auto counts = zeroed_output<int>("counts", 256);
  for (int i = 0; i < n; ++i) ++counts[data[i]];
  return Case{
      .kernel = kernel, .grid = {blocks}, .block = {threads}, .arguments = {data, counts, n}};
}

void check_lengths(const char* kernel) {
  std::vector<Case> cases;
  for (const int n : odd_lengths())
    cases.push_back(histogram(kernel, n, blocks_for(n, 1024), 256, kAll));
  check(cases);
}

void check_launches(const char* kernel) {
  std::vector<Case> cases;
  for (const int n : {1000, 1021, 4099})
    for (const Values values : {kAll, kFew, kOne}) {
      cases.push_back(histogram(kernel, n, 1, 32, values));  // one warp for all
      cases.push_back(histogram(kernel, n, 3, 96, values));  // fewer threads than bins
      cases.push_back(
          histogram(kernel, n, 2, 416, values));  // more, and no multiple of their number
      cases.push_back(histogram(kernel, n, 16, 1024, values));  // more threads than bytes
    }
  check(cases);
}

Case graded_histogram(const char* kernel, Values values) {
  const int n = graded_size("n");
  const std::uint32_t threads = graded_block().x;
  // A thread of the copy reads and writes its elements, 4 bytes each; one of the histogram reads as many bytes in all.
  const std::int64_t bytes_a_thread = std::int64_t{8} * graded_elements_a_thread();
  return histogram(kernel, n, blocks_for(n, threads * bytes_a_thread), threads, values);
}

}  // namespace

TEST(Histogram, AnyLength) { check_lengths("histogram"); }
TEST(Histogram, AnyLaunch) { check_launches("histogram"); }
TEST(Histogram, Bandwidth) {
  grade([] { return graded_histogram("histogram", kAll); });
}

TEST(Histogram, SkewedAnyLaunch) { check_launches("histogram_skewed"); }
TEST(Histogram, SkewedBandwidth) {
  grade([] { return graded_histogram("histogram_skewed", kOne); });
}
