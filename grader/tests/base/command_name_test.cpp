#include <gtest/gtest.h>

#include <cstdlib>

#include "base/error.h"

namespace labkit {
namespace {

TEST(CommandName, IsWhatTheWrapperSays) {
  ASSERT_EQ(::setenv("LABKIT_COMMAND", "./kit", 1), 0);
  EXPECT_EQ(command_name(), "./kit");
  ASSERT_EQ(::setenv("LABKIT_COMMAND", "./kit\x1b[2J", 1), 0);
  EXPECT_EQ(command_name(), "labkit");
  ASSERT_EQ(::unsetenv("LABKIT_COMMAND"), 0);
  EXPECT_EQ(command_name(), "labkit");
}

}  // namespace
}  // namespace labkit
