// One block is looked at for all that do alike: nothing must be missed, and nothing counted otherwise (Checked holds each
// run against one that looks at every block).
#include "observe/alike_blocks.h"

#include <gtest/gtest.h>

#include "checked.h"

namespace labkit::observe::test {
namespace {

/// Reads the word of the thread that WHO says, mostly after a barrier, and leaves it in a place of its own.
std::string read_of(const std::string& who, const std::string& barrier) {
  return R"(
    .loc 1 10 1
    st.shared.u32 [%r2], %r0;
)" + barrier +
         R"(
    .loc 1 20 1
)" + who +
         R"(
    mad.lo.u32 %r6, %r6, 4, %r3;
    ld.shared.u32 %r7, [%r6];
    .loc 1 21 1
    st.global.u32 [%d2], %r7;)";
}

TEST(AlikeBlocks, CountForAll) {
  Checked one, many;
  many.grid = {20, 1, 1};
  const auto text = read_of("xor.b32 %r6, %r0, 33;", "");
  const auto alone = one.one(text, race);
  const auto all = many.one(text, race);
  EXPECT_GT(alone.count, 0u);
  EXPECT_EQ(all.count, 20 * alone.count);
  EXPECT_EQ(all.block.x, 0u);
  many.threads = 2;
  EXPECT_EQ(many.one(text, race).count, all.count);
}

TEST(AlikeBlocks, TheOnlyOneThatDiffersIsLookedAt) {
  Checked many;
  many.grid = {20, 1, 1};
  for (const unsigned threads : {1u, 2u}) {
    many.threads = threads;
    // all meet, but block 13
    const auto found = many.one(
        read_of("xor.b32 %r6, %r0, 33;", "setp.ne.u32 %p1, %r1, 13;\n@%p1 bar.sync 0;"), race);
    EXPECT_EQ(found.block.x, 13u) << dump(found);
    // none meet, and block 13 alone reads what another warp has stored
    const auto other = many.one(
        read_of("setp.eq.u32 %p1, %r1, 13;\nselp.u32 %r8, 33, 0, %p1;\nxor.b32 %r6, %r0, %r8;", ""),
        race);
    EXPECT_EQ(other.block.x, 13u) << dump(other);
  }
}

TEST(AlikeBlocks, BlocksOfTwoKindsAreBothLookedAt) {
  Checked many;
  many.grid = {20, 1, 1};
  const auto result = many.run(R"(
    and.b32 %r8, %r1, 1;
    setp.eq.u32 %p1, %r8, 0;
    .loc 1 10 1
    @%p1 st.shared.u32 [%r2], %r0;
    .loc 1 11 1
    @!%p1 st.shared.u32 [%r2], %r0;
    xor.b32 %r6, %r0, 33;
    mad.lo.u32 %r6, %r6, 4, %r3;
    .loc 1 20 1
    ld.shared.u32 %r7, [%r6];
    st.global.u32 [%d2], %r7;)");
  // one barrier orders both pairs of lines
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_TRUE(has_evidence(result.findings[0], words::Id::race_also_between));
}

TEST(AlikeBlocks, WhatIsStoredTellsThemApart) {
  Checked many;
  many.grid = {20, 1, 1};
  const std::string all_to_one_place = R"(
    setp.eq.u32 %p1, %r1, 7;
    selp.u32 %r8, %r0, 5, %p1;
    .loc 1 10 1
    st.shared.u32 [tile], %r8;)";
  const auto found =
      many.one(all_to_one_place, race);  // an error: in block 7 they store different values
  EXPECT_EQ(found.block.x, 7u) << dump(found);
  const std::string same = R"(
    .loc 1 10 1
    mov.u32 %r8, 5;
    st.shared.u32 [tile], %r8;)";
  many.one(same, race, launch::Severity::warning);
}

TEST(AlikeBlocks, NoTwoExchangesOfAddressesLookAlike) {
  // lanes exchange the places that they read: sums of the addresses, weighted by lane or not, stay the same
  const auto history_of = [](std::vector<std::uint64_t> addresses) {
    addresses.resize(32);
    simt::Access access;
    access.active = 0xF;
    access.addresses = addresses.data();
    SharedHistory history;
    history.add(access);
    return history.hash();
  };
  EXPECT_EQ(history_of({0, 4, 8, 12}), history_of({0, 4, 8, 12}));
  EXPECT_NE(history_of({0, 4, 8, 12}), history_of({4, 0, 8, 12}));
  EXPECT_NE(history_of({0, 4, 8, 12}), history_of({4, 0, 4, 16}));
  EXPECT_NE(history_of({8, 8, 8, 8}), history_of({12, 0, 12, 8}));
}

TEST(AlikeBlocks, TooManyKindsAreNotToldApart) {
  AlikeBlocks blocks;
  for (std::uint64_t k = 0; k < 100; ++k) {
    blocks.add(k % 3, 100 - k);
  }
  const auto first = blocks.first_ones();
  ASSERT_TRUE(first);
  ASSERT_EQ(first->size(), 3u);
  EXPECT_EQ((*first)[0].block, 1u);
  EXPECT_EQ((*first)[0].blocks + (*first)[1].blocks + (*first)[2].blocks, 100u);
  AlikeBlocks more = blocks;
  for (std::uint64_t k = 0; k < 70'000; ++k) more.add(k, k);
  EXPECT_FALSE(more.first_ones());
  blocks.add(more);
  EXPECT_FALSE(blocks.first_ones());
}

}  // namespace
}  // namespace labkit::observe::test
