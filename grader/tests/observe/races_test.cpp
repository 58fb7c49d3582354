// What orders threads and what does not, what is undefined and what only looks so: small kernels in PTX.
#include <gtest/gtest.h>

#include <cstring>

#include "checked.h"
#include "observe/checks.h"

namespace labkit::observe::test {
namespace {

constexpr const char* kStoreThenReadOther = R"(
    .loc 1 10 1
    st.shared.u32 [%r2], %r0;
    SYNC
    xor.b32 %r6, %r0, WHO;
    mad.lo.u32 %r6, %r6, 4, %r3;
    .loc 1 20 1
    ld.shared.u32 %r7, [%r6];
    .loc 1 21 1
    st.global.u32 [%d1], %r7;)";
std::string with(std::string text, const std::string& sync, const std::string& who) {
  text.replace(text.find("SYNC"), 4, sync);
  return text.replace(text.find("WHO"), 3, who);
}

TEST(Races, BarrierOrdersTheBlock) {
  Checked().clean(with(kStoreThenReadOther, "bar.sync 0;", "33"));
  const auto finding = Checked().one(with(kStoreThenReadOther, "", "33"), race);
  EXPECT_EQ(finding.other.line, 10u);
  EXPECT_EQ(finding.where.line, 20u);
  EXPECT_EQ(finding.space, "shared");
  EXPECT_EQ(finding.thread.x / 32, 1 - finding.other_thread.x / 32) << dump(finding);
  EXPECT_EQ(finding.hazard, "RAW");
  EXPECT_EQ(finding.array.name, "tile");
  EXPECT_EQ(finding.cause, launch::Cause::race_missing_barrier);
  EXPECT_EQ(
      finding.fix,
      (words::Message{
          words::Id::race_fix_barrier_between,
          {{"barrier", "__syncthreads()"}, {"above", finding.other}, {"below", finding.where}}}))
      << dump(finding);
}

TEST(Races, LanesOfOneWarpMustMeetToo) {
  Checked lone;
  lone.block = {32, 1, 1};
  const auto finding = lone.one(with(kStoreThenReadOther, "", "1"), race);
  EXPECT_EQ(finding.cause, launch::Cause::race_missing_syncwarp);
  EXPECT_EQ(*finding.fix.find("barrier"), words::Value("__syncwarp()")) << dump(finding);
  lone.clean(with(kStoreThenReadOther, "bar.warp.sync -1;", "1"));
  // a shuffle or a vote makes lanes meet, and orders no memory
  for (const char* exchange : {"shfl.sync.idx.b32 %r9|%p1, %r0, 0, 31, -1;",
                               "setp.eq.u32 %p1, %r0, 3;\nvote.sync.ballot.b32 %r9, %p1, -1;"}) {
    const auto met = lone.one(with(kStoreThenReadOther, exchange, "1"), race);
    EXPECT_TRUE(has_evidence(met, words::Id::race_shuffle_orders_nothing)) << dump(met);
  }
  // lanes meet in groups of 16: lane 1 of the same group is ordered, lane 17 is not
  const std::string halves = R"(
    and.b32 %r8, %r0, 16;
    shl.b32 %r8, 65535, %r8;
    bar.warp.sync %r8;)";
  lone.clean(with(kStoreThenReadOther, halves, "1"));
  lone.one(with(kStoreThenReadOther, halves, "17"), race);
  // meeting in the warp orders nothing between warps
  Checked().one(with(kStoreThenReadOther, "bar.warp.sync -1;", "33"), race);
}

TEST(Races, NamedBarriersOrderThoseWhoCome) {
  // warp 0 arrives, warp 1 waits: what warp 0 stored is known to warp 1
  const std::string produce = R"(
    setp.ge.u32 %p0, %r0, 32;
    @%p0 bra CONSUME;
    .loc 1 10 1
    st.shared.u32 [%r2], %r0;
    ARRIVE
    bra DONE;
  CONSUME:
    WAIT
    .loc 1 20 1
    ld.shared.u32 %r7, [%r2+-128];
    st.global.u32 [%d1], %r7;
  DONE:)";
  auto text = [&](const char* arrive, const char* wait) {
    auto made = produce;
    made.replace(made.find("ARRIVE"), 6, arrive);
    return made.replace(made.find("WAIT"), 4, wait);
  };
  Checked().clean(text("bar.arrive 1, 64;", "bar.sync 1, 64;"));
  Checked().one(text("", ""), race);
  // who does not wait is known up to where it arrived, not to where the barrier was complete
  auto late = text("bar.arrive 1, 64;", "bar.sync 1, 64;");
  const std::string store = "st.shared.u32 [%r2], %r0;";
  late.replace(late.find(store), store.size(), "");
  late.insert(late.find("bra DONE;"), ".loc 1 11 1\n" + store + "\n");
  const auto finding = Checked().one(late, race);
  EXPECT_EQ(finding.where.line, 20u);
  EXPECT_EQ(finding.other.line, 11u);
}

TEST(Races, WhoOnlyArrivesBringsWhatItKnewThen) {
  // warp 0 stores; warp 1 arrives for warp 2, and learns of warp 0 before that, or only after
  const auto text = [](const std::string& first, const std::string& then) {
    return R"(
    shr.u32 %r8, %r0, 5;
    setp.eq.u32 %p0, %r8, 1;
    @%p0 bra BETWEEN;
    setp.eq.u32 %p0, %r8, 2;
    @%p0 bra CONSUME;
    .loc 1 10 1
    st.shared.u32 [%r2], %r0;
    bar.arrive 1, 64;
    bra DONE;
  BETWEEN:
    )" + first +
           "\n" + then +
           R"(
    bra DONE;
  CONSUME:
    bar.sync 2, 64;
    .loc 1 20 1
    ld.shared.u32 %r7, [%r2+-256];
    st.global.u32 [%d1], %r7;
  DONE:)";
  };
  Checked three;
  three.block = {96, 1, 1};
  three.clean(text("bar.sync 1, 64;", "bar.arrive 2, 64;"));
  three.one(text("bar.arrive 2, 64;", "bar.sync 1, 64;"), race);
}

TEST(Races, SameInstructionSameWord) {
  const auto finding = Checked().one("\n.loc 1 5 1\nst.shared.u32 [tile], %r0;", race);
  EXPECT_EQ(finding.where.line, finding.other.line);
  Checked().one("\n.loc 1 5 1\nst.shared.u32 [tile], 7;", race, launch::Severity::warning);
  Checked().clean(
      "\nmov.u32 %r9, 0; setp.eq.u32 %p0, %r0, 0;\n@%p0 st.shared.u32 [tile], %r9;\n"
      "bar.sync 0;\nred.shared.add.u32 [tile], 1;\nbar.sync 0;\n"
      "ld.shared.u32 %r7, [tile];\nst.global.u32 [%d1], %r7;");
  // the first one is not ordered with the sums
  Checked().one(
      "\n.loc 1 5 1\nmov.u32 %r9, 0; setp.eq.u32 %p0, %r0, 0;\n"
      "@%p0 st.shared.u32 [tile], %r9;\n.loc 1 6 1\nred.shared.add.u32 [tile], 1;",
      race);
}

TEST(Races, BytesOfOneWordAreDifferentPlaces) {
  Checked().clean("\nadd.u32 %r6, %r3, %r0;\ncvt.u16.u32 %h0, %r0;\nst.shared.u8 [%r6], %h0;");
  Checked().clean(
      "\ncvt.u64.u32 %d4, %r0;\nadd.u64 %d4, %d0, %d4;\ncvt.u16.u32 %h0, %r0;\n"
      "st.global.u8 [%d4], %h0;");
}

TEST(Races, BetweenBlocksForAnyNumberOfHostThreads) {
  std::string first;
  for (const unsigned threads : {1u, 2u, 4u}) {
    Checked many;
    many.grid = {9, 1, 1};
    many.threads = threads;
    many.clean("\nst.global.u32 [%d2], %r0;");
    const auto finding = many.one("\n.loc 1 7 1\nst.global.u32 [%d1], %r5;", race);
    EXPECT_EQ(finding.space, "global");
    EXPECT_EQ(finding.count, 64u);
    EXPECT_EQ(finding.other_block.x, 0u);
    EXPECT_EQ(finding.block.x, 1u);
    if (first.empty()) first = dump(finding);
    EXPECT_EQ(dump(finding), first);
    many.one("\n.loc 1 7 1\nst.global.u32 [%d1], 7;", race, launch::Severity::warning);
    // a lost update, and the mend
    many.one(
        "\n.loc 1 7 1\nld.global.u32 %r6, [%d1];\nadd.u32 %r6, %r6, 1;\n"
        "st.global.u32 [%d1], %r6;",
        race);
    many.clean("\nred.global.add.u32 [%d1], 1;");
    // atomics and plain reads
    many.one("\n.loc 1 7 1\nred.global.add.u32 [%d1], 1;\n.loc 1 8 1\nld.global.u32 %r6, [%d1];",
             race);
  }
}

TEST(Races, BarriersOrderGlobalMemoryInTheBlockOnly) {
  const std::string text = R"(
    .loc 1 10 1
    st.global.u32 [%d2], %r0;
    bar.sync 0;
    xor.b32 %r6, %r5, 33;
    mad.wide.u32 %d3, %r6, 4, %d0;
    .loc 1 20 1
    ld.global.u32 %r7, [%d3];)";
  Checked two;
  two.grid = {2, 1, 1};
  two.clean(text);
  auto far = text;
  far.replace(far.find("33;"), 3, "64;");
  two.one(far, race);
}

// The last block to come adds up what all have left: ordered by fence, atomic and the barriers around them.
std::string last_block(const char* fence) {
  return std::string(R"(
    .loc 1 10 1
    st.global.u32 [%d2], %r0;
    )") + fence +
         R"(
    bar.sync 0;
    setp.ne.u32 %p0, %r0, 0;
    @%p0 bra WAIT;
    atom.global.add.u32 %r8, [%d0+8192], 1;
    st.shared.u32 [tile], %r8;
  WAIT:
    bar.sync 0;
    ld.shared.u32 %r9, [tile];
    setp.ne.u32 %p1, %r9, 3;
    @%p1 bra DONE;
    mad.wide.u32 %d5, %r0, 4, %d0;
    .loc 1 20 1
    ld.global.u32 %r10, [%d5];
    ld.global.u32 %r11, [%d5+256];
    ld.global.u32 %r12, [%d5+512];
  DONE:)";
}
TEST(Races, TheLastBlockKnowsWhatWasFencedOff) {
  Checked four;
  four.grid = {4, 1, 1};
  four.clean(last_block("membar.gl;"));
  four.one(last_block(""), race);
}

std::string locked(const char* fence) {
  return std::string(R"(
    and.b32 %r6, %r0, 31;
    setp.ne.u32 %p0, %r6, 0;
    @%p0 bra DONE;
  AGAIN:
    atom.global.cas.b32 %r7, [%d0+8192], 0, 1;
    setp.ne.u32 %p1, %r7, 0;
    @%p1 bra AGAIN;
    membar.gl;
    .loc 1 20 1
    ld.global.u32 %r8, [%d0+8196];
    add.u32 %r8, %r8, 1;
    st.global.u32 [%d0+8196], %r8;
    )") + fence +
         R"(
    atom.global.exch.b32 %r9, [%d0+8192], 0;
  DONE:)";
}
TEST(Races, LocksOrderWhatTheyGuard) {
  Checked four;
  four.grid = {4, 1, 1};
  four.clean(locked("membar.gl;"));
}

/// A fence of the block, and an atomic function of it, are for the threads of the block alone.
TEST(Races, ScopesEndWithTheBlock) {
  Checked four;
  four.grid = {4, 1, 1};
  four.one(last_block("membar.cta;"), race);
  four.one(last_block("fence.acq_rel.cta;"), race);
  four.clean(last_block("fence.acq_rel.gpu;"));
  EXPECT_EQ(four.run(locked("membar.cta;")).findings.at(0).kind, race);
  Checked lone = four;
  lone.grid = {1, 1, 1};
  lone.clean(locked("membar.cta;"));

  const std::string add = ".loc 1 10 1\nred.SCOPE.global.add.u32 [%d0], 1;";
  const auto scoped = [&](std::string text, const std::string& scope) {
    return text.replace(text.find("SCOPE"), 5, scope);
  };
  for (const unsigned threads : {1u, 3u}) {
    four.threads = threads;
    const auto between = four.one(scoped(add, "cta"), race);
    EXPECT_EQ(between.fix.id, words::Id::race_fix_atomic_for_all) << dump(between);
    EXPECT_EQ(between.block.x, 1u);
    four.clean(scoped(add, "gpu"));
  }
  lone.clean(scoped(add, "cta"));
  // one of each: what is atomic for its own block alone is not for the other
  four.one("setp.eq.u32 %p0, %r1, 0;\n@%p0 bra MINE;\n" + scoped(add, "gpu") +
               "\nbra DONE;\nMINE:\n" + scoped(add, "cta") + "\nDONE:",
           race);
  // with its result the blocks run in order
  four.one(".loc 1 10 1\natom.cta.global.add.u32 %r6, [%d0], 1;\nst.global.u32 [%d2+64], %r6;",
           race);
}

TEST(Races, VolatileFlagsOrderBlocksButNotLanes) {
  Checked two;
  two.grid = {2, 1, 1};
  two.block = {32, 1, 1};
  const std::string flag = R"(
    setp.ne.u32 %p0, %r0, 0;
    @%p0 bra DONE;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra READ;
    .loc 1 10 1
    st.global.u32 [%d0+64], 5;
    membar.gl;
    st.volatile.global.u32 [%d0], 1;
    bra DONE;
  READ:
    ld.volatile.global.u32 %r6, [%d0];
    setp.eq.u32 %p2, %r6, 0;
    @%p2 bra READ;
    membar.gl;
    .loc 1 20 1
    ld.global.u32 %r7, [%d0+64];
  DONE:)";
  two.clean(flag);
  // a reduction that relies on lanes running in lockstep
  Checked lone;
  lone.block = {32, 1, 1};
  lone.one(R"(
    st.volatile.shared.u32 [%r2], %r0;
    bar.warp.sync -1;
    setp.ge.u32 %p0, %r0, 16;
    @%p0 bra DONE;
    .loc 1 10 1
    ld.volatile.shared.u32 %r6, [%r2];
    ld.volatile.shared.u32 %r7, [%r2+4];
    add.u32 %r6, %r6, %r7;
    st.volatile.shared.u32 [%r2], %r6;
  DONE:)",
           race);
}

}  // namespace
}  // namespace labkit::observe::test
