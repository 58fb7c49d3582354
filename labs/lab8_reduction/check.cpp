// How lab 8 is checked: any length, any grid, blocks of any number of warps. The elements are whole numbers, so that every
// order of the additions gives the same sum.
#include "grade/lab_test.h"

using namespace labkit::grade;

namespace {

template <typename T>
Case sum(int n, std::uint32_t blocks, std::uint32_t threads) {
  const int most = sizeof(T) == 8 ? 1'000'000'000 : 100;  // so that no float holds a double's sum
  // As many below 0 as above: no sum of floats comes near 2^24, and so none is rounded.
  const auto x = whole_input<T>("x", n, -most, most + 1);
  auto total = zeroed_output<T>("total", 1);
  long long exact = 0;
  for (int i = 0; i < n; ++i) exact += static_cast<long long>(x[i]);
  total[0] = static_cast<T>(exact);
  return Case{.kernel = sizeof(T) == 8 ? "sum<double>" : "sum<float>",
              .grid = {blocks},
              .block = {threads},
              .arguments = {x, total, n}};
}

Case graded_sum() {
  const int n = graded_size("n");
  const std::uint32_t threads = graded_block().x;
  return sum<float>(n, blocks_for(n, std::int64_t{threads} * graded_elements_a_thread()), threads);
}

}  // namespace

TEST(Sum, AnyLength) {
  std::vector<Case> cases;
  for (const int n : odd_lengths()) cases.push_back(sum<float>(n, blocks_for(n, 256), 256));
  check(cases);
}

TEST(Sum, AnyLaunch) {
  std::vector<Case> cases;
  for (const int n : {1000, 1021, 4099}) {
    cases.push_back(sum<float>(n, 1, 32));     // one warp for all
    cases.push_back(sum<float>(n, 2, 128));    // many elements a thread
    cases.push_back(sum<float>(n, 3, 96));     // no power of two
    cases.push_back(sum<float>(n, 2, 992));    // 31 warps
    cases.push_back(sum<float>(n, 16, 1024));  // more threads than elements
  }
  check(cases);
}

TEST(Sum, Doubles) {
  check({sum<double>(1, 1, 256), sum<double>(33, 2, 32), sum<double>(1021, 4, 224),
         sum<double>(4099, 3, 1024)});
}

TEST(Sum, OneElementEach) { grade(graded_sum); }

TEST(Sum, Bandwidth) { grade(graded_sum); }
