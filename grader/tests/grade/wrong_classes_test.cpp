#include <gtest/gtest.h>

#include "base/error.h"
#include "grade/source.h"

namespace labkit::grade {
namespace {

constexpr const char* kClasses = R"(
classes = ["a barrier", "a tail"]
[does_not_fit.lab1]
"a barrier" = "no shared memory"
)";

TEST(WrongClasses, AreReadWithTheirReasons) {
  const WrongClasses classes = parse_wrong_classes(kClasses, "classes.toml");
  EXPECT_EQ(classes.names, (std::vector<std::string>{"a barrier", "a tail"}));
  EXPECT_EQ(classes.does_not_fit.at("lab1").at("a barrier"), "no shared memory");
  const auto found = by_class(classes, {{"x.cu", "// verdict: race\n// class: a tail\n"},
                                        {"y.cu", "// class: a tail\n"},
                                        {"z.cu", "// verdict: race\n"}});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.at("a tail"), (std::vector<std::string>{"x.cu", "y.cu"}));
}

TEST(WrongClasses, WhatNobodyKnowsIsRefusedByName) {
  const auto refused = [](const std::string& text) {
    try {
      parse_wrong_classes(text, "classes.toml");
    } catch (const Error& error) {
      EXPECT_FALSE(error.remedy().empty());
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  EXPECT_NE(refused("classes = [").find("classes.toml:1"), std::string::npos);
  EXPECT_NE(refused("").find("`classes` is missing"), std::string::npos);
  EXPECT_NE(refused("classes = [\"a\"]\n[does_not_fit.lab1]\nb = \"c\"\n").find("unknown key `b`"),
            std::string::npos);
  EXPECT_NE(refused("classes = [\"a\"]\n[does_not_fit.lab1]\na = \" \"\n").find("empty"),
            std::string::npos);
  const WrongClasses classes = parse_wrong_classes(kClasses, "classes.toml");
  EXPECT_THROW(by_class(classes, {{"x.cu", "// class: a tale\n"}}), Error);
}

}  // namespace
}  // namespace labkit::grade
