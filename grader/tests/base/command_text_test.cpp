#include "base/command_text.h"

#include <gtest/gtest.h>

namespace labkit {
namespace {

TEST(CommandText, ReadsTimes) {
  EXPECT_EQ(parse_time("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(parse_time("2026-10-04 22:13:14.123456000 -07:00"), 1791177194);
  EXPECT_EQ(parse_time("2026-10-05T05:13:14Z"), 1791177194);
  EXPECT_EQ(parse_time("2026-10-05 05:13:14 UTC"), 1791177194);
  EXPECT_EQ(parse_time("2026-10-05T07:13+02:00"), 1791177180);
  EXPECT_EQ(parse_time("2026-10-05"), 1791158400);
  for (const char* other :
       {"", "yesterday", "2026-13-01", "2026-02-30", "2026-10-05T99:00", "2026-10-05 05:13:14 EST"})
    EXPECT_EQ(parse_time(other), std::nullopt) << other;
}

}  // namespace
}  // namespace labkit
