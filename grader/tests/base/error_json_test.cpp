#include <gtest/gtest.h>

#include "base/error.h"

namespace labkit {
namespace {

TEST(ErrorJson, ComesBackAsItWas) {
  const Error error("cannot read a\nb: \"no\"", "\nFix: nothing", error_id::kCannotRead);
  const auto read = read_error_json(error_json(error));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->id(), "io.cannot_read");
  EXPECT_STREQ(read->what(), error.what());
  EXPECT_EQ(read->remedy(), error.remedy());
}

TEST(ErrorJson, BytesThatAreNoTextAreReplaced) {
  const auto read = read_error_json(error_json(Error("file \xff")));
  ASSERT_TRUE(read);
  EXPECT_STREQ(read->what(), "file \xef\xbf\xbd");
  EXPECT_EQ(read->id(), error_id::kOther);
}

TEST(ErrorJson, WhatWasCutShortIsNone) {
  const std::string text = error_json(Error("what", "how", "id"));
  EXPECT_FALSE(read_error_json(text.substr(0, text.size() - 1)));
  EXPECT_FALSE(read_error_json(""));
  EXPECT_FALSE(read_error_json("[]"));
  EXPECT_FALSE(read_error_json(R"({"id": 1, "message": "", "remedy": ""})"));
}

}  // namespace
}  // namespace labkit
