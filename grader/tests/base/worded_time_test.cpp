#include "base/worded_time.h"

#include <gtest/gtest.h>

#include "base/command_text.h"

namespace labkit {
namespace {

TEST(WordedTime, ReadsManyFormsAndRefusesOthers) {
  const auto time = parse_time("2026-11-15 23:59:00");
  for (const char* text :
       {"Sunday, 15 November 2026, 11:59 PM", "Sunday, November 15, 2026, 11:59 PM",
        "Nov 15, 2026 1159 PM", "15 Nov, 2026 11:59 PM", "Nov. 15, 2026 2359",
        "Sonntag, 15. November 2026, 23:59", "15 de nov. de 2026, 23:59", "2026年11月15日 23:59"})
    EXPECT_EQ(parse_worded_time(text), time) << text;
  for (const char* text : {"", "-", "15 Foo 2026, 23:59", "2 jui 2026, 10:00", "15 November 2026",
                           "2026年11月15日 下午11:59"})
    EXPECT_EQ(parse_worded_time(text), std::nullopt) << text;
  EXPECT_EQ(parse_worded_time("15 November 2026, 23:59" + std::string(100, ' ')), std::nullopt);
}

}  // namespace
}  // namespace labkit
