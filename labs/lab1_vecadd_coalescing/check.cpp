// How lab 1 is checked: any length, any one-dimensional launch; graded at eight elements a thread.
#include "grade/lab_test.h"

using namespace labkit::grade;

namespace {

template <typename T>
Case vecadd(int n, std::uint32_t blocks, std::uint32_t threads) {
  const auto a = input<T>("a", n);
  const auto b = input<T>("b", n);
  auto c = output<T>("c", n);
  in_rows(n, 1, [&](int i) { c[i] = a[i] + b[i]; });
  return Case{.kernel = sizeof(T) == 8 ? "vecadd<double>" : "vecadd<float>",
              .grid = {blocks},
              .block = {threads},
              .arguments = {a, b, c, n}};
}

template <typename T>
Case graded_vecadd() {
  const int n = graded_size("n");
  const std::uint32_t threads = graded_block().x;
  return vecadd<T>(n, blocks_for(n, std::int64_t{threads} * graded_elements_a_thread()), threads);
}

}  // namespace

TEST(VecAdd, AnyLength) {
  std::vector<Case> cases;
  for (const int n : odd_lengths()) cases.push_back(vecadd<float>(n, blocks_for(n, 256), 256));
  check(cases);
}

TEST(VecAdd, AnyGrid) {
  std::vector<Case> cases;
  for (const int n : {1000, 1021, 4099}) {
    cases.push_back(vecadd<float>(n, 1, 32));     // many elements a thread
    cases.push_back(vecadd<float>(n, 1, 1));      // one thread for all
    cases.push_back(vecadd<float>(n, 3, 96));     // a few, and not evenly shared
    cases.push_back(vecadd<float>(n, 7, 33));     // warps that are not full
    cases.push_back(vecadd<float>(n, 64, 1024));  // far more threads than elements
  }
  check(cases);
}

TEST(VecAdd, Doubles) {
  check({vecadd<double>(1, 1, 256), vecadd<double>(33, 2, 32), vecadd<double>(1021, 4, 256),
         vecadd<double>(4099, 3, 128)});
}

TEST(VecAdd, BandwidthFloat) { grade(graded_vecadd<float>); }

TEST(VecAdd, BandwidthDouble) { grade(graded_vecadd<double>); }
