// Which expressions are the same but for the order of their operands.
#include "compile/commuted.h"

#include <gtest/gtest.h>

namespace labkit::compile {
namespace {

struct Pair {
  const char *one, *other;
  bool same;
};
void PrintTo(const Pair& pair, std::ostream* out) { *out << pair.one << "  " << pair.other; }
class Commuted : public testing::TestWithParam<Pair> {};

TEST_P(Commuted, AreToldFromOthers) {
  EXPECT_EQ(in_one_order(GetParam().one) == in_one_order(GetParam().other), GetParam().same);
}

INSTANTIATE_TEST_SUITE_P(
    Pairs, Commuted,
    testing::Values(Pair{"int s = blockDim.x * gridDim.x;", "int s = gridDim.x * blockDim.x;",
                         true},
                    Pair{"a * b + c", "c + b * a", true}, Pair{"x[a + b]", "x[b + a]", true},
                    Pair{"f(a, b)", "f(b, a)", false}, Pair{"a - b", "b - a", false},
                    Pair{"a / b", "b / a", false}, Pair{"a * b / c", "b * a / c", true},
                    Pair{"a / b * c", "c / b * a", false}, Pair{"a * b + c", "a * c + b", false},
                    Pair{"-a + b", "b + -a", true}, Pair{"a + b", "a * b", false},
                    Pair{"(a + b) * c", "c * (b + a)", true}, Pair{"a < b", "b < a", false},
                    Pair{"x = a + b", "a = x + b", false}));

TEST(Commuted, StopsAtDeepBrackets) {
  const std::string deep = std::string(2000, '(') + "a + b" + std::string(2000, ')');
  EXPECT_FALSE(in_one_order(deep).empty());
}

}  // namespace
}  // namespace labkit::compile
