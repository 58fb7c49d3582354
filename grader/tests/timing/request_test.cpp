// What requests touch, worked out or known; and the replay's queue.
#include "timing/request.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <queue>
#include <random>
#include <set>
#include <tuple>

#include "timing/locality.h"
#include "timing/replay_queue.h"

namespace labkit::timing {
namespace {

struct Lanes {
  std::array<std::uint64_t, 32> distance{};  ///< from the first active lane
  std::uint32_t active = ~0u, bytes = 4;
};

/// Several kinds: rising, falling, one place, a column, at random, halves.
std::vector<Lanes> some_lanes() {
  std::mt19937 random(1);
  std::vector<Lanes> all;
  for (const std::uint32_t bytes : {1u, 2u, 4u, 8u, 16u})
    for (int kind = 0; kind < 6; ++kind)
      for (const std::uint32_t active : {~0u, 0x00ffff0fu, 0x80000000u}) {
        Lanes lanes{.active = active, .bytes = bytes};
        for (unsigned lane = 0; lane < 32; ++lane) {
          const std::array<std::uint64_t, 6> kinds = {
              std::uint64_t{lane} * bytes,
              (0ull - lane) * bytes,
              0,
              std::uint64_t{lane} * 256,
              random() % 4096 / 16 * 16ull,
              std::uint64_t{lane / 16} * 512 + lane % 16 * bytes};
          lanes.distance[lane] = kinds[static_cast<std::size_t>(kind)];
        }
        all.push_back(lanes);
      }
  return all;
}

TEST(RequestLines, KnownOrNotTheyAreWhatTheLanesTouch) {
  const std::vector<Lanes> all = some_lanes();
  RequestLines lines;
  for (int round = 0; round < 40; ++round)  // so many that what is known is forgotten in between
    for (std::size_t p = 0; p < all.size(); ++p)
      for (const bool has_pattern : {true, true, false}) {
        const std::uint64_t base = (1u << 20) + static_cast<std::uint64_t>(round) * 7 * 16;
        std::array<std::uint64_t, 32> addresses{};
        std::map<std::uint64_t, std::set<std::uint64_t>> words;  // by line
        std::set<std::uint64_t> sectors;
        for (unsigned lane = 0; lane < 32; ++lane) {
          addresses[lane] = base + all[p].distance[lane];
          if (!(all[p].active >> lane & 1)) continue;
          for (std::uint64_t byte = addresses[lane]; byte < addresses[lane] + all[p].bytes; ++byte)
            words[byte >> 7].insert(byte >> 2 & 31), sectors.insert(byte >> 5);
        }
        simt::Access access;
        access.active = all[p].active;
        access.bytes_per_lane = all[p].bytes;
        access.addresses = addresses.data();
        access.pattern = has_pattern ? static_cast<std::uint32_t>(p) + 1 : 0;
        const Touched touched = lines.of(access);
        ASSERT_EQ(touched.lines.size(), words.size());
        ASSERT_EQ(touched.sectors, sectors.size());
        auto expected = words.begin();
        std::uint32_t lanes = 0;
        for (const TouchedLine& each : touched.lines) {
          ASSERT_EQ(touched.line(each), expected->first);
          std::uint32_t bits = 0;
          for (const std::uint64_t word : expected->second) bits |= 1u << word;
          ASSERT_EQ(each.words, bits);
          for (unsigned s = 0; s < 4; ++s)
            ASSERT_EQ(each.sectors >> s & 1u, sectors.count(expected->first * 4 + s));
          lanes += each.lanes;
          ++expected;
        }
        ASSERT_EQ(lanes, simt::lane_count(access.active));
      }
}

TEST(Locality, APatternThatIsKnownChangesNothing) {
  const std::vector<Lanes> all = some_lanes();
  const auto seen = [&](bool has_pattern) {
    LocalityFactory factory({.launch_blocks = 100, .store_blocks = 40});
    const auto observer = factory.make();
    std::mt19937 random(2);
    std::uint64_t block = 0;
    for (; block < 100; ++block) {
      for (int i = 0; i < 400; ++i) {
        const std::size_t p = random() % all.size();
        std::array<std::uint64_t, 32> addresses{};
        simt::Pattern shape;
        shape.alignment_bits = 0;
        const std::uint64_t base = (1u << 20) + random() % 256 * 16;
        bool consecutive = all[p].active == ~0u, uniform = true;
        for (unsigned lane = 0; lane < 32; ++lane) {
          addresses[lane] = base + all[p].distance[lane];
          if (!(all[p].active >> lane & 1)) continue;
          const std::uint64_t delta =
              all[p].distance[lane] -
              all[p].distance[static_cast<std::size_t>(std::countr_zero(all[p].active))];
          shape.alignment_bits |= delta;
          shape.high = std::max(shape.high, static_cast<std::int64_t>(delta + all[p].bytes));
          consecutive = consecutive && delta == std::uint64_t{lane} * all[p].bytes;
          uniform = uniform && delta == 0;
        }
        shape.shape = consecutive ? simt::Shape::consecutive
                      : uniform   ? simt::Shape::uniform
                                  : simt::Shape::scattered;
        simt::Access access;
        access.space = ptx::Space::global;
        access.instruction = static_cast<std::uint32_t>(p % 16);
        access.warp = random() % 8;
        access.is_store = i % 3 == 0;
        access.is_atomic = i % 7 == 1;
        access.active = all[p].active;
        access.bytes_per_lane = all[p].bytes;
        access.addresses = addresses.data();
        access.block = block;
        if (has_pattern) {
          access.shape = &shape;
          access.pattern = static_cast<std::uint32_t>(p) + 1;
        }
        observer->on_access(access);
      }
      observer->on_block_end(block);
    }
    factory.collect(*observer, {});
    return factory.result();
  };
  const Locality known = seen(true);
  EXPECT_EQ(known, seen(false));
  EXPECT_GT(known.load_packets, 0u);
  EXPECT_GT(known.window_atoms, 0u);
}

TEST(TimeQueue, TheEarliestFirstAndOfOneTimeTheFirst) {
  using Entry = std::tuple<double, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> expected;
  TimeQueue<int> queue;
  std::mt19937 random(3);
  double now = 0;
  for (int i = 0; i < 20000; ++i) {
    if (random() % 100 < 52) {
      const double time = now + static_cast<double>(random() % 8) / 4;
      expected.emplace(time, i);
      queue.push(time, i);
    } else if (!expected.empty()) {
      const auto [time, item] = queue.pop();
      ASSERT_EQ(Entry(time, item), expected.top());
      expected.pop();
      now = time;
    }
    ASSERT_EQ(queue.empty(), expected.empty());
  }
}

}  // namespace
}  // namespace labkit::timing
