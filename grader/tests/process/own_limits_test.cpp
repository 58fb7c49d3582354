#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstddef>
#include <memory>
#include <new>

#include "process/jail.h"

namespace labkit::process {
namespace {

TEST(OwnLimits, BeyondItAnAllocationThrows) {
  struct rlimit before {};
  ASSERT_EQ(::getrlimit(RLIMIT_DATA, &before), 0);
  constexpr std::size_t kMost = 512u << 20;
  if (!limit_own_memory(kMost)) GTEST_SKIP() << "not in this build, or limited already";
  EXPECT_THROW(std::make_unique<std::byte[]>(kMost), std::bad_alloc);
  EXPECT_NO_THROW(std::make_unique<std::byte[]>(kMost / 8));
  EXPECT_FALSE(limit_own_memory(2 * kMost));  // never raised
  ASSERT_EQ(::setrlimit(RLIMIT_DATA, &before), 0);
  EXPECT_NO_THROW(std::make_unique<std::byte[]>(kMost));
}

}  // namespace
}  // namespace labkit::process
