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

TEST(Text, TellsWhatIsNotSeen) {
  EXPECT_EQ(first_code_point("\xe2\x80\xae!").value, 0x202eu);
  EXPECT_EQ(first_code_point("\xf0\x9f\x98\x80").bytes, 4u);
  for (const char32_t c : {0x1bu, 0x7fu, 0x9bu, 0x200bu, 0x202eu, 0x2066u, 0xe0041u})
    EXPECT_TRUE(is_unseen(c)) << static_cast<unsigned>(c);
  for (const char32_t c : {0x09u, 0x0au, 0x41u, 0xe4u, 0x200du, 0x5dcu, 0x1f600u})
    EXPECT_FALSE(is_unseen(c)) << static_cast<unsigned>(c);
}

}  // namespace
}  // namespace labkit
