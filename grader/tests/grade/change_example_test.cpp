// Which expression a change is about, whose two values are then computed. What comes of it is tested in cli/repaired/.
#include "grade/change_example.h"

#include <gtest/gtest.h>

namespace labkit::grade {
namespace {

struct Changed {
  std::string line, changed;
  std::string before, after;  ///< "": none
};

class Expression : public testing::TestWithParam<Changed> {};

TEST_P(Expression, IsWhatHasOneValue) {
  const Changed& row = GetParam();
  const auto found = changed_expression({.line = 7, .before = row.line, .after = row.changed});
  ASSERT_EQ(found.has_value(), !row.before.empty());
  if (!found) return;
  EXPECT_EQ(found->before, row.before);
  EXPECT_EQ(found->after, row.after);
  EXPECT_EQ(row.line.substr(found->begin, row.before.size()), row.before);
}

INSTANTIATE_TEST_SUITE_P(
    All, Expression,
    testing::Values(Changed{"const int i = threadIdx.x;",
                            "const int i = blockIdx.x * blockDim.x + threadIdx.x;", "threadIdx.x",
                            "blockIdx.x * blockDim.x + threadIdx.x"},
                    Changed{"if (i <= n) out[i] = in[i];", "if (i < n) out[i] = in[i];", "i <= n",
                            "i < n"},
                    Changed{"out[y * height + x] = v;", "out[y * width + x] = v;", "y * height + x",
                            "y * width + x"},
                    Changed{"if (row < rows && col < rows) {", "if (row < rows && col < cols) {",
                            "col < rows", "col < cols"},
                    Changed{"if (row < rows || col < cols) {", "if (row < rows && col < cols) {",
                            "row < rows || col < cols", "row < rows && col < cols"},
                    Changed{"for (int i = 0; i < n; i += 1) {",
                            "for (int i = 0; i < n; i += step) {", "1", "step"},
                    Changed{"at = (x + y) * n;", "at = (x + 1 + y) * n;", "x + y", "x + 1 + y"},
                    Changed{"end = min(first + part, n);", "end = min(first + part + 1, n);",
                            "first + part", "first + part + 1"}));

INSTANTIATE_TEST_SUITE_P(
    None, Expression,
    testing::Values(Changed{"sum = in[i];", "sum += in[i];", "", ""},
                    Changed{"sum += a[i] * b[i];", "sum += a[j] * b[k];", "", ""},  // accesses
                    Changed{"v = tile[x][y];", "v = tile[y][x];", "", ""},          // two indices
                    Changed{"v = next(i) + 1;", "v = next(i) + 2;", "", ""},        // a call
                    Changed{"i = n++ + 1;", "i = n++ + 2;", "", ""},
                    Changed{"+ threadIdx.x;", "+ threadIdx.y;", "", ""},  // begins in another line
                    Changed{"#define AT(i) i * 2", "#define AT(i) (i) * 2", "", ""},
                    Changed{"__syncthreads();", "", "", ""}));

}  // namespace
}  // namespace labkit::grade
