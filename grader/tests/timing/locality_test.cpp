// What the locality observer sees of access streams written out by hand.
#include "timing/locality.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>

namespace labkit::timing {
namespace {

struct Stream {
  explicit Stream(const LocalityOptions& options = {})
      : factory(options), observer(factory.make()) {}
  void access(bool store, std::uint64_t block, std::uint32_t warp, std::uint32_t instruction,
              std::uint32_t bytes, const std::function<std::uint64_t(unsigned)>& address,
              std::uint32_t active = ~0u) {
    std::array<std::uint64_t, 32> addresses{};
    for (unsigned lane = 0; lane < 32; ++lane) addresses[lane] = address(lane);
    simt::Access a;
    a.instruction = instruction;
    a.space = ptx::Space::global;
    a.is_store = store;
    a.bytes_per_lane = bytes;
    a.active = active;
    a.addresses = addresses.data();
    a.block = block;
    a.warp = warp;
    observer->on_access(a);
  }
  void end(std::uint64_t block) { observer->on_block_end(block); }
  Locality result() {
    factory.collect(*observer, {});
    return factory.result();
  }
  LocalityFactory factory;
  std::unique_ptr<simt::Observer> observer;
};

TEST(Locality, CoalescedLoad) {
  Stream stream;
  stream.access(false, 0, 0, 0, 4, [](unsigned lane) { return 4096 + lane * 4ull; });
  stream.end(0);
  const Locality l = stream.result();
  EXPECT_EQ(l.close_blocks, 1u);
  EXPECT_EQ(l.load_requests, 1u);
  EXPECT_EQ(l.load_wavefronts, 1u);
  EXPECT_EQ(l.load_sectors, 4u);
  EXPECT_EQ(l.load_block_sectors, 4u);
  EXPECT_EQ(l.load_atoms, 2u);
  EXPECT_EQ(l.store_requests, 0u);
}

TEST(Locality, WideLoadsGoInPartsAndColumnsConflict) {
  Stream wide;
  wide.access(false, 0, 0, 0, 16, [](unsigned lane) { return lane * 16ull; });
  wide.end(0);
  EXPECT_EQ(wide.result().load_wavefronts, 4u);
  Stream column;  // 32 rows of 8192 floats: one bank; of 8193: every bank once
  column.access(false, 0, 0, 0, 4, [](unsigned lane) { return lane * 8192ull * 4; });
  column.end(0);
  EXPECT_EQ(column.result().load_wavefronts, 32u);
  Stream odd;
  odd.access(false, 0, 0, 0, 4, [](unsigned lane) { return lane * 8193ull * 4; });
  odd.end(0);
  EXPECT_EQ(odd.result().load_wavefronts, 8u);  // but only four lines are looked up a pass
}

TEST(Locality, WarpsOfABlockShareSectorsBlocksDoNot) {
  Stream stream;
  for (std::uint64_t block = 0; block < 2; ++block) {
    for (std::uint32_t warp = 0; warp < 8; ++warp)
      stream.access(false, block, warp, 0, 4,
                    [&](unsigned lane) { return lane * 4096ull + warp * 4ull; });
    stream.end(block);
  }
  const Locality l = stream.result();
  EXPECT_EQ(l.load_sectors, 2u * 8 * 32);
  EXPECT_EQ(l.load_block_sectors, 2u * 32);
  EXPECT_EQ(l.load_reuse_lines, 2u * 32);
  EXPECT_EQ(l.load_atoms, 32u);  // both blocks read the same
  EXPECT_FALSE(l.loads_what_it_stores);
}

TEST(Locality, ALoopHoldsOnlyWhatOneRoundTouches) {
  Stream stream;
  for (unsigned k = 0; k < 100; ++k)
    stream.access(false, 0, 0, 7, 4, [&](unsigned lane) { return k * 128ull + lane * 4ull; });
  stream.end(0);
  const Locality l = stream.result();
  EXPECT_EQ(l.load_reuse_lines, 1u);
  EXPECT_EQ(l.load_block_sectors, 400u);
}

TEST(Locality, WholeAtomsAreNotTorn) {
  Stream stream;
  for (std::uint64_t block = 0; block < 4; ++block) {  // 64 bytes each
    stream.access(
        true, block, 0, 0, 4, [&](unsigned lane) { return block * 64 + lane % 16 * 4ull; }, 0xffff);
    stream.end(block);
  }
  const Locality l = stream.result();
  EXPECT_TRUE(l.torn.empty());
  EXPECT_EQ(l.store_block_lines, 4u);
}

TEST(Locality, TornLinesKnowTheirDistance) {
  Stream stream;
  for (std::uint64_t block :
       {0, 1, 300}) {  // misaligned by 4 bytes: 0 and 1 meet in a line, 1 and 300 in the next
    const std::uint64_t row = block == 300 ? 2 : block;
    stream.access(true, block, 0, 0, 4, [&](unsigned lane) { return 4 + row * 128 + lane * 4ull; });
    stream.end(block);
  }
  stream.access(true, 400, 0, 0, 4, [&](unsigned lane) { return 1 << 20 | lane * 4ull; });
  stream.end(400);
  const Locality l = stream.result();
  // Lines 0 and 3 keep their holes: sectors that are filled, and nothing comes later.
  ASSERT_EQ(l.torn.size(), 2u);
  EXPECT_EQ(l.torn[0].distance_blocks, 1u);    // line 1: blocks 0 and 1
  EXPECT_EQ(l.torn[1].distance_blocks, 299u);  // line 2: blocks 1 and 300
  EXPECT_EQ(l.torn[0].words, 32u);
  EXPECT_EQ(l.torn[1].words, 32u);
  EXPECT_EQ(l.store_sectors, 4u + 4 + 4 + 1 + 4);
  EXPECT_EQ(l.store_partial_sectors, 2u);
  EXPECT_EQ(l.store_chunks, 3u);
}

TEST(Locality, OnlySampledBlocksCount) {
  Stream stream({.close_blocks = 1, .store_blocks = 2});
  for (std::uint64_t block = 0; block < 4; ++block) {
    stream.access(false, block, 0, 0, 4, [](unsigned lane) { return lane * 4ull; });
    stream.access(true, block, 0, 1, 4, [](unsigned lane) { return lane * 4ull; });
    stream.end(block);
  }
  const Locality l = stream.result();
  EXPECT_EQ(l.close_blocks, 1u);
  EXPECT_EQ(l.load_requests, 1u);
  EXPECT_EQ(l.store_blocks, 2u);
  EXPECT_EQ(l.store_requests, 1u);
  EXPECT_EQ(l.store_block_lines, 2u);
}

TEST(Locality, RunsAreSpreadOverTheLaunch) {
  const auto runs = [](std::uint64_t blocks) { return close_runs({.launch_blocks = blocks}); };
  EXPECT_EQ(close_runs({}), std::vector<std::uint64_t>{0});
  EXPECT_EQ(runs(20), (std::vector<std::uint64_t>{0, 8, 16}));
  for (const std::uint64_t blocks : {33, 4096, 65536, 1 << 24}) {
    const std::vector<std::uint64_t> at = runs(blocks);
    ASSERT_EQ(at.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_GE(at[i], i * (blocks / 4)) << blocks;
      EXPECT_LE(at[i] + 8, (i + 1) * (blocks / 4)) << blocks;
    }
    EXPECT_EQ(at, runs(blocks));
  }
  Stream stream({.launch_blocks = 4096});
  for (std::uint64_t block = 0; block < 4096; ++block) {
    stream.access(false, block, 0, 0, 4, [](unsigned lane) { return lane * 4ull; });
    stream.end(block);
  }
  EXPECT_EQ(stream.result().close_blocks, 32u);
}

TEST(Locality, TheBusiestBlockIsKnownWhereverItIs) {
  Stream stream;
  for (std::uint64_t block = 0; block < 2000; ++block) {
    for (unsigned i = 0; i < (block == 1500 ? 7u : 2u); ++i)
      stream.access(
          i & 1, block, 0, 0, 4, [](unsigned lane) { return lane * 4ull; }, 0xff);
    stream.end(block);
  }
  const Locality l = stream.result();
  EXPECT_EQ(l.most_block_requests, 7u);
  EXPECT_EQ(l.most_block_bytes, 7u * 8 * 4);
}

TEST(Locality, BlocksThatWaitForOneAnotherAreToldApart) {
  Stream stream({.launch_blocks = 2});
  const auto access = [&](std::uint64_t block) {
    stream.access(false, block, 0, 0, 4, [](unsigned lane) { return lane * 4ull; });
  };
  for (const std::uint64_t block : {0, 1}) stream.observer->on_block_begin(block, 32);
  for (int turn = 0; turn < 3; ++turn)
    for (const std::uint64_t block : {0, 1}) {
      access(block);
      stream.observer->on_barrier(block, 0, 1);
    }
  access(1);
  stream.end(0);
  stream.end(1);
  const Locality l = stream.result();
  EXPECT_EQ(l.most_block_requests, 4u);
  ASSERT_EQ(l.traces.size(), 1u);
  EXPECT_EQ(l.traces[0].events.size(), 6u);
}

TEST(Locality, OfALargeLaunchAPartIsLookedAtAndStandsForAll) {
  constexpr std::uint64_t kBlocks = 16384;
  Stream stream({.launch_blocks = kBlocks});
  for (std::uint64_t block = 0; block < 2048; ++block) {
    for (std::uint32_t row = 0; row < 8;
         ++row) {  // 128 bytes in each of 8 rows, all but the last four
      stream.access(
          true, block, row, 0, 4,
          [&](unsigned lane) { return (row << 24) + block * 128 + lane * 4ull; }, 0x7fffffff);
      stream.access(false, block, row, 1, 4, [&](unsigned lane) {
        return (1ull << 32) + (row << 24) + block / 2 * 128 + lane * 4ull;
      });
    }
    stream.end(block);
  }
  const Locality l = stream.result();
  EXPECT_EQ(l.store_blocks, 1024u);
  EXPECT_NEAR(l.store_block_lines, 8 * 1024, 80);
  EXPECT_NEAR(l.store_sectors, 8 * 4096, 320);
  EXPECT_NEAR(l.store_partial_sectors, 8 * 1024, 80);
  // Blocks share lines by twos: what the second wants the first has asked for one block before.
  EXPECT_NEAR(l.window_atoms * Locality::kWindowPart, 8 * 1024, 80);
  EXPECT_EQ(l.window_again[0], l.window_atoms);
  EXPECT_EQ(l.window_again[1], 0u);
}

TEST(Locality, SharedMemoryIsNotItsBusiness) {
  Stream stream;
  std::array<std::uint64_t, 32> addresses{};
  simt::Access a;
  a.space = ptx::Space::shared;
  a.active = 1;
  a.addresses = addresses.data();
  stream.observer->on_access(a);
  stream.end(0);
  EXPECT_EQ(stream.result().load_requests, 0u);
}

TEST(Locality, OfHeavyBlocksFewerAreFollowedToTheirEnd) {
  // 40 blocks, 32 of them in the runs; each loads `requests` lines of its own, `heavy` of them again and again.
  const auto seen = [](std::uint64_t requests, std::uint64_t heavy_from) {
    Stream stream({.launch_blocks = 40});
    for (std::uint64_t block = 0; block < 40; ++block) {
      for (std::uint64_t i = 0; i < (block < heavy_from ? 16 : requests); ++i)
        stream.access(false, block, 0, 0, 4,
                      [&](unsigned lane) { return block * 4096 + i % 16 * 128 + lane * 4ull; });
      stream.end(block);
    }
    return stream.result();
  };
  const Locality light = seen(2048, 0);
  EXPECT_EQ(light.close_blocks, 32u);
  EXPECT_EQ(light.load_requests, 32u * 2048);
  // Two of each run, and these as a whole.
  for (const Locality& heavy : {seen(4096, 0), seen(4096, 39 - 8)}) {
    EXPECT_EQ(heavy.close_blocks, 8u);
    EXPECT_EQ(heavy.load_block_sectors, 8u * 16 * 4);
    EXPECT_EQ(heavy.load_packets, 8u * 16);
    EXPECT_EQ(heavy.load_atoms, 8u * 16 * 2);
  }
  EXPECT_EQ(seen(4096, 0).load_requests, 8u * 4096);
}

}  // namespace
}  // namespace labkit::timing
