// How lab 20 is checked: any length, any one-dimensional launch; graded at eight elements a thread.
#include "grade/lab_test.h"

using namespace labkit::grade;

namespace {

Case reversal(int n, std::uint32_t blocks, std::uint32_t threads) {
  const auto in = input<float>("in", n);
  auto out = output<float>("out", n);
  in_rows(n, 1, [&](int i) { out[n - 1 - i] = in[i]; });
  return Case{
      .kernel = "reversal", .grid = {blocks}, .block = {threads}, .arguments = {in, out, n}};
}

}  // namespace

TEST(Reversal, AnyLength) {
  std::vector<Case> cases;
  for (const int n : odd_lengths()) cases.push_back(reversal(n, blocks_for(n, 256), 256));
  check(cases);
}

TEST(Reversal, AnyGrid) {
  check({reversal(1000, 1, 32), reversal(1021, 3, 96), reversal(4099, 7, 33),
         reversal(1000, 64, 1024)});
}

TEST(Reversal, Bandwidth) {
  grade([] {
    const int n = graded_size("n");
    const std::uint32_t threads = graded_block().x;
    return reversal(n, blocks_for(n, std::int64_t{threads} * graded_elements_a_thread()), threads);
  });
}
