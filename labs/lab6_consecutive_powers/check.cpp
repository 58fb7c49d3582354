// How lab 6 is checked: 32 powers of each number, number after number and power after power.
#include "grade/lab_test.h"

using namespace labkit::grade;

namespace {

constexpr int kPowers = 32;
constexpr int kBlock = 128;

enum class Order { by_number, by_power };

Case powers(Order order, int n) {
  const auto x = input<float>("x", n, 0.9, 1.1);
  const bool altered = order == Order::by_power;
  auto y = altered ? output<float>("y", Shape{kPowers, n}) : output<float>("y", Shape{n, kPowers});
  y.within_bounds();
  in_rows(n, kPowers, [&](int i) {
    double power = x[i];
    for (int k = 0; k < kPowers; ++k) {
      power *= x[i];
      // k + 1 multiplications, each rounded once
      y.expect(altered ? std::int64_t{k} * n + i : std::int64_t{i} * kPowers + k, power,
               rounding_bound<float>(k + 1) * power);
    }
  });
  return Case{.kernel = altered ? "powers_altered" : "powers",
              .grid = {blocks_for(n, kBlock)},
              .block = {kBlock},
              .arguments = {x, y, n}};
}

void check_lengths(Order order) {
  std::vector<Case> cases;
  for (const int n : odd_lengths()) cases.push_back(powers(order, n));
  check(cases);
}

}  // namespace

TEST(Powers, AnyLength) { check_lengths(Order::by_number); }
TEST(Powers, Bandwidth) {
  grade([] { return powers(Order::by_number, graded_size("n")); });
}

TEST(Powers, AlteredAnyLength) { check_lengths(Order::by_power); }
TEST(Powers, AlteredBandwidth) {
  grade([] { return powers(Order::by_power, graded_size("n")); });
}
