#include "base/parallel.h"

#include <gtest/gtest.h>

namespace labkit {
namespace {

TEST(InParallel, EveryElementOnce) {
  for (const std::uint64_t count : {0u, 1u, 7u, 100u, 1001u}) {
    std::vector<int> seen(count);
    in_parallel(count, 10, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) ++seen[i];
    });
    EXPECT_EQ(seen, std::vector<int>(count, 1));
  }
}

TEST(InParallel, LittleIsDoneHere) {
  const auto here = std::this_thread::get_id();
  in_parallel(9, 10, [&](std::uint64_t begin, std::uint64_t end) {
    EXPECT_EQ(std::this_thread::get_id(), here);
    EXPECT_EQ(begin, 0u);
    EXPECT_EQ(end, 9u);
  });
}

}  // namespace
}  // namespace labkit
