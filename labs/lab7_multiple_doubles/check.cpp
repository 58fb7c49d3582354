// How lab 7 is checked: complex quad doubles times a power of two, as structures and as eight arrays, and from the arrays to
// structures. All of it is exact.
#include "grade/lab_test.h"

using namespace labkit::grade;

namespace {

constexpr int kParts = 8;
constexpr int kBlock = 256;

enum class What { structures, arrays, convert };

Case multiple_doubles(What what, int n) {
  const bool from_arrays = what != What::structures, to_arrays = what == What::arrays;
  const Shape by_number{n, kParts}, by_part{kParts, n};
  const auto z = input<double>("z", from_arrays ? by_part : by_number);
  auto w = output<double>("w", to_arrays ? by_part : by_number);
  const double factor = what == What::convert ? 1 : 0.125;
  in_rows(n, kParts, [&](int i) {
    for (int k = 0; k < kParts; ++k) {
      const double part = factor * (from_arrays ? z(k, i) : z(i, k));
      (to_arrays ? w(k, i) : w(i, k)) = part;
    }
  });
  Case one{.kernel = what == What::convert  ? "to_structures"
                     : what == What::arrays ? "scale_arrays"
                                            : "scale_structures",
           .grid = {blocks_for(n, kBlock)},
           .block = {kBlock},
           .arguments = {z, w}};
  if (what != What::convert) one.arguments.emplace_back(factor);
  one.arguments.emplace_back(n);
  return one;
}

void check_lengths(What what) {
  std::vector<Case> cases;
  for (const int n : odd_lengths()) cases.push_back(multiple_doubles(what, n));
  check(cases);
}

void grade_size(What what) {
  grade([what] { return multiple_doubles(what, graded_size("n")); });
}

}  // namespace

TEST(MultipleDoubles, StructuresAnyLength) { check_lengths(What::structures); }
TEST(MultipleDoubles, StructuresBandwidth) { grade_size(What::structures); }

TEST(MultipleDoubles, ArraysAnyLength) { check_lengths(What::arrays); }
TEST(MultipleDoubles, ArraysBandwidth) { grade_size(What::arrays); }

TEST(MultipleDoubles, ConvertAnyLength) { check_lengths(What::convert); }
TEST(MultipleDoubles, ConvertBandwidth) { grade_size(What::convert); }
