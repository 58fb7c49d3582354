// Which blocks are looked at: within the launch, spread over it, and others for each seed.
#include "timing/drawn_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "timing/locality.h"

namespace labkit::timing {
namespace {

constexpr std::uint64_t kSeeds = 20;

TEST(TracedBlocks, AllOfFewElseTwoRunsWithinTheLaunch) {
  EXPECT_EQ(traced_blocks(3, 1), (std::vector<std::uint64_t>{0, 1, 2}));
  for (const std::uint64_t blocks : {13ull, 100ull, 640ull, 5000ull, 1ull << 30})
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      const std::vector<std::uint64_t> traced = traced_blocks(blocks, seed);
      EXPECT_EQ(traced.size(), blocks < 256 ? 2u : blocks < 768 ? 10u : 12u);
      EXPECT_TRUE(std::is_sorted(traced.begin(), traced.end()));
      EXPECT_EQ(std::adjacent_find(traced.begin(), traced.end()), traced.end());
      EXPECT_LT(traced.back(), blocks);
      EXPECT_LT(traced[traced.size() / 2 - 1], blocks / 2) << "a run in either half";
      EXPECT_GE(traced[traced.size() / 2], blocks / 2);
    }
  const std::vector<std::uint64_t> far = traced_blocks(1 << 20, 1);
  EXPECT_EQ(far[1] - far[0], 132u);
}

// A kernel may be fast in a few blocks: those of one seed are no others' (4096: the bonus kernel of lab 4).
TEST(TracedBlocks, EachSeedHasItsOwn) {
  std::map<std::uint64_t, int> times;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed)
    for (const std::uint64_t block : traced_blocks(4096, seed)) ++times[block];
  for (const auto& [block, count] : times) EXPECT_LE(count, 3) << block;
  EXPECT_GT(times.size(), 200u);
}

TEST(CloseRuns, EachSeedHasItsOwn) {
  std::set<std::vector<std::uint64_t>> all;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed)
    all.insert(close_runs({.launch_blocks = 4096, .seed = seed}));
  EXPECT_EQ(all.size(), kSeeds);
}

TEST(Window, LiesSomewhereInTheLaunchAndAtItsBeginningWithoutASeed) {
  EXPECT_EQ(window_begin(4096, 256, 0), 0u);
  std::set<std::uint64_t> all;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const std::uint64_t begin = window_begin(4096, 256, seed);
    EXPECT_LE(begin + 256, 4096u);
    all.insert(begin);
    EXPECT_EQ(window_begin(256, 256, seed), 0u) << "there is no other place";
  }
  EXPECT_GT(all.size(), 15u);
}

TEST(WorkKept, OfEveryBlockUnlessThereAreVeryMany) {
  for (std::uint64_t block = 0; block < 65536; block += 97)
    EXPECT_TRUE(is_work_kept(block, 65536, 3));
  std::uint64_t kept = 0;
  for (std::uint64_t block = 0; block < 1 << 20; ++block) kept += is_work_kept(block, 1 << 20, 3);
  EXPECT_NEAR(static_cast<double>(kept), 65536, 2000);
}

/// How many of the typical blocks are of each path.
std::map<std::uint64_t, int> paths_of(const std::vector<BlockWork>& all, std::uint64_t seed) {
  std::map<std::uint64_t, int> paths;
  for (const BlockWork& work : typical_blocks(all, seed)) ++paths[work.path];
  return paths;
}

TEST(TypicalBlocks, EachKindHasItsShare) {
  std::vector<BlockWork> all;
  for (std::uint64_t block = 0; block < 1200;
       ++block)  // one half, a third, a sixth; as many instructions
    all.push_back({block, block % 6 < 3 ? 11u : block % 6 < 5 ? 12u : 13u, 100});
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    auto paths = paths_of(all, seed);
    EXPECT_EQ(paths[11], 6) << seed;
    EXPECT_EQ(paths[12], 4) << seed;
    EXPECT_EQ(paths[13], 2) << seed;
  }
}

TEST(TypicalBlocks, WorkThatRisesIsMetOnAverage) {
  std::vector<BlockWork> all;
  for (std::uint64_t block = 0; block < 1000; ++block) all.push_back({block, block, block});
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    double sum = 0;
    const std::vector<BlockWork> typical = typical_blocks(all, seed);
    ASSERT_EQ(typical.size(), 12u);
    for (const BlockWork& work : typical) sum += static_cast<double>(work.instructions);
    EXPECT_NEAR(sum / 12, 499.5, 45) << seed;
  }
  EXPECT_EQ(typical_blocks(std::span(all).first(5), 1).size(), 5u);
}

// One seed's choice among equals is not another's.
TEST(TypicalBlocks, AmongEqualBlocksTheSeedDecides) {
  std::vector<BlockWork> all;
  for (std::uint64_t block = 0; block < 4096; ++block) all.push_back({block, 1, 1});
  std::map<std::uint64_t, int> times;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed)
    for (const BlockWork& work : typical_blocks(all, seed)) ++times[work.block];
  for (const auto& [block, count] : times) EXPECT_LE(count, 3) << block;
}

}  // namespace
}  // namespace labkit::timing
