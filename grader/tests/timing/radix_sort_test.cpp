// Sorted like std::stable_sort does it, short lists and long ones, with digits that differ and that do not.
#include "timing/radix_sort.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "timing/flat_words.h"

namespace labkit::timing {
namespace {

struct Item {
  std::uint64_t key = 0;
  std::size_t place = 0;
  friend bool operator==(const Item&, const Item&) = default;
};

TEST(RadixSort, IsStableForAnyKeys) {
  for (const std::size_t size : {0u, 1u, 100u, 511u, 512u, 5000u})
    for (const std::uint64_t spread : {1ull, 3ull, 2048ull, 2049ull, 1ull << 40, ~0ull}) {
      std::vector<Item> items(size);
      for (std::size_t i = 0; i < size; ++i) {
        const std::uint64_t drawn = random_bits(spread, i);
        items[i] = {spread == ~0ull ? drawn : (7ull << 50) + drawn % spread, i};
      }
      auto expected = items;
      std::stable_sort(expected.begin(), expected.end(),
                       [](const Item& a, const Item& b) { return a.key < b.key; });
      sort_by(items, [](const Item& item) { return item.key; });
      EXPECT_EQ(items, expected) << size << ' ' << spread;
    }
}

TEST(FlatWords, KeepTheirWordsThroughGrowthAndForgetThemAtOnce) {
  FlatWords words;
  for (int era = 0; era < 3; ++era) {
    for (std::uint64_t i = 0; i < 5000; ++i) words[i * 1024] |= static_cast<std::uint32_t>(i) + 1;
    for (std::uint64_t i = 0; i < 5000; ++i)
      ASSERT_EQ(words[i * 1024], static_cast<std::uint32_t>(i) + 1) << era;
    EXPECT_EQ(words.items().size(), 5000u);
    words.clear();
    EXPECT_TRUE(words.items().empty());
    EXPECT_EQ(words[0], 0u);
    words.clear();
  }
}

}  // namespace
}  // namespace labkit::timing
