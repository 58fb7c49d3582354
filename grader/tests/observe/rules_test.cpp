// The counting rules on patterns small enough to count by hand.
#include "observe/rules.h"

#include <gtest/gtest.h>

#include <array>

#include "base/random.h"

namespace labkit::observe {
namespace {

constexpr std::uint32_t kAll = 0xFFFFFFFFu;

template <typename F>
std::array<std::uint64_t, 32> addresses(F&& f) {
  std::array<std::uint64_t, 32> a{};
  for (std::uint64_t i = 0; i < 32; ++i) a[i] = f(i);
  return a;
}

TEST(Sectors, ARowOfFloats) {
  const auto row = addresses([](auto i) { return 4096 + 4 * i; });
  EXPECT_EQ(sector_cost(row.data(), kAll, 4).sectors, 4u);
  EXPECT_EQ(sector_cost(row.data(), kAll, 4).ideal, 4u);
  EXPECT_EQ(sector_cost(row.data(), kAll, 4).partial, 0u);
  const auto shifted = addresses([](auto i) { return 4100 + 4 * i; });
  EXPECT_EQ(sector_cost(shifted.data(), kAll, 4).sectors, 5u);
  EXPECT_EQ(sector_cost(shifted.data(), kAll, 4).partial, 2u);
}

TEST(Sectors, AColumnOfFloats) {
  const auto column = addresses([](auto i) { return 8192 * i; });
  const auto cost = sector_cost(column.data(), kAll, 4);
  EXPECT_EQ(cost.sectors, 32u);
  EXPECT_EQ(cost.ideal, 4u);
  EXPECT_EQ(cost.partial, 32u);
  EXPECT_EQ(sector_cost(column.data(), 0x1u, 4).ideal, 1u);
}

TEST(Sectors, OneAddressForAll) {
  const auto same = addresses([](auto) { return 64; });
  EXPECT_EQ(sector_cost(same.data(), kAll, 4).sectors, 1u);
  EXPECT_EQ(sector_cost(same.data(), kAll, 4).ideal, 1u);
}

// What simt tells by number rests on it (Observer::wants_each_shared_access).
TEST(Banks, ShiftingAllAddressesByWordsOnlyRenamesThem) {
  std::uint64_t drawn = 0;
  const auto draw = [&] { return random_bits(7, drawn++); };
  for (int round = 0; round < 300; ++round) {
    const std::uint32_t bytes = 4u << round % 3, active = static_cast<std::uint32_t>(draw()) | 1;
    const std::uint64_t spread = 1 + draw() % 200;
    const auto a = addresses([&](auto) { return draw() % spread * bytes; });
    for (std::uint64_t shift = 4; shift <= 132; shift += 4) {
      auto moved = a;
      for (auto& address : moved) address += shift;
      for (const bool is_load : {true, false}) {
        const BankCost here = bank_cost(a.data(), active, bytes, is_load),
                       there = bank_cost(moved.data(), active, bytes, is_load);
        ASSERT_EQ(here.wavefronts, there.wavefronts) << bytes << ' ' << shift;
        ASSERT_EQ(here.ideal, there.ideal) << bytes << ' ' << shift;
      }
    }
  }
}

TEST(Banks, StridesOfWords) {
  for (const auto& [stride, wavefronts] :
       {std::pair{1u, 1u}, {2u, 2u}, {3u, 1u}, {32u, 32u}, {33u, 1u}, {48u, 16u}}) {
    const auto a = addresses([stride = stride](auto i) { return 4 * stride * i; });
    EXPECT_EQ(bank_cost(a.data(), kAll, 4, true).wavefronts, wavefronts) << stride;
    EXPECT_EQ(bank_cost(a.data(), kAll, 4, true).ideal, 1u);
  }
}

TEST(Banks, WideAccessesGoInPasses) {
  const auto doubles = addresses([](auto i) { return 8 * i; });
  EXPECT_EQ(bank_cost(doubles.data(), kAll, 8, true).wavefronts, 2u);
  const auto quads = addresses([](auto i) { return 16 * i; });
  EXPECT_EQ(bank_cost(quads.data(), kAll, 16, false).wavefronts, 4u);
}

TEST(Banks, LoadsMergePassesWhenPairsOfLanesAgree) {
  const auto pairs = addresses([](auto i) { return 8 * (i / 2); });
  EXPECT_EQ(bank_cost(pairs.data(), kAll, 8, true).wavefronts, 1u);
  EXPECT_EQ(bank_cost(pairs.data(), kAll, 8, false).wavefronts, 2u);
  auto broken = pairs;
  broken[31] = 1024;
  EXPECT_EQ(bank_cost(broken.data(), kAll, 8, true).wavefronts, 2u);
  EXPECT_EQ(bank_cost(broken.data(), 0x7FFFFFFFu, 8, true).wavefronts,
            1u);  // the lane that differs is off
}

TEST(Banks, PassesWithoutActiveLanesCostNothing) {
  const auto doubles = addresses([](auto i) { return 8 * i; });
  EXPECT_EQ(bank_cost(doubles.data(), 0xFFFFu, 8, true).wavefronts, 1u);
}

}  // namespace
}  // namespace labkit::observe
