// Text whose characters take two columns.
#include <gtest/gtest.h>

#include "base/text.h"
#include "report/style.h"

namespace labkit::report {
namespace {

TEST(WideText, TakesTwoColumnsACharacter) {
  EXPECT_EQ(width("warp"), 4u);
  EXPECT_EQ(width("线程束"), 6u);
  EXPECT_EQ(width("第 3 行。"), 9u);
  EXPECT_EQ(width("e\xcc\x81"), 1u);  // an accent of its own
  EXPECT_EQ(width("█▒·⋮"), 4u);
  EXPECT_EQ(width("\x1b[31m竞争\x1b[0m"), 4u);
}

TEST(WideText, WrapsBetweenCharactersButKeepsPunctuationAndWordsTogether) {
  EXPECT_EQ(wrapped("线程块的线程", 8, ""), "线程块的\n线程\n");
  EXPECT_EQ(wrapped("线程块，线程", 6, ""), "线程\n块，线\n程\n");  // no line begins with a comma
  EXPECT_EQ(wrapped("线程“块”。束", 7, ""), "线程\n“块”。\n束\n");
  EXPECT_EQ(wrapped("在第 12 行加 __syncthreads()。然后", 18, "  "),
            "  在第 12 行加\n  __syncthreads()。\n  然后\n");
  EXPECT_EQ(wrapped("one two three", 7, ""), "one two\nthree\n");
}

TEST(WideText, IsCutAndAlignedByColumns) {
  EXPECT_EQ(clipped("线程束", 5), "线程");
  EXPECT_EQ(clipped("\x1b[2m线程束\x1b[0m", 3), "\x1b[2m线\x1b[0m");
  EXPECT_EQ(table({{"实验", "分数"}, {"lab3", "7"}}, {false, true}), "实验  分数\nlab3     7\n");
}

}  // namespace
}  // namespace labkit::report
