#include "base/text.h"

#include <gtest/gtest.h>

namespace labkit {
namespace {

using Lines = std::vector<std::string_view>;

TEST(Text, SplitsLinesOfEitherKind) {
  EXPECT_EQ(split_lines("a\nb\r\n\nc"), (Lines{"a", "b", "", "c"}));
  EXPECT_EQ(split_lines("a\n"), (Lines{"a"}));
  EXPECT_EQ(split_lines(""), Lines{});
  EXPECT_EQ(split_lines("\n"), (Lines{""}));
}

TEST(Text, Trims) {
  EXPECT_EQ(trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(trim(" \n"), "");
  EXPECT_EQ(trim(""), "");
}

TEST(Text, ReplacesEveryOccurrenceOnce) {
  EXPECT_EQ(replace_all("aXbXX", "X", "YX"), "aYXbYXYX");
  EXPECT_EQ(replace_all("aaa", "aa", "b"), "ba");
}

TEST(Text, KeepsUtf8AndReplacesWhatIsNot) {
  EXPECT_EQ(to_valid_utf8("plain \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"),
            "plain \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
  EXPECT_EQ(to_valid_utf8("caf\xe9 "), "caf\xef\xbf\xbd ");          // Latin-1
  EXPECT_EQ(to_valid_utf8("\xc0\xaf"), "\xef\xbf\xbd\xef\xbf\xbd");  // overlong
  EXPECT_EQ(to_valid_utf8("\xed\xa0\x80").size(), 9u);               // a surrogate
  EXPECT_EQ(to_valid_utf8("\xf4\x90\x80\x80").size(), 12u);          // above U+10FFFF
  EXPECT_EQ(to_valid_utf8("\xe2\x82"), "\xef\xbf\xbd\xef\xbf\xbd");  // cut short
}

}  // namespace
}  // namespace labkit
