// Copies under way (cp.async) and lanes that do not take part (shfl.sync), in PTX.
#include <gtest/gtest.h>

#include "checked.h"

namespace labkit::observe::test {
namespace {

/// Each thread copies its own word of p to the tile; WAIT; reads word tid ^ WHO of it.
std::string copied(const std::string& wait, const std::string& who) {
  return R"(
    .loc 1 10 1
    cp.async.ca.shared.global [%r2], [%d1], 4;
    .loc 1 11 1
    )" + wait +
         R"(
    xor.b32 %r6, %r0, )" +
         who + R"(;
    mad.lo.u32 %r6, %r6, 4, %r3;
    .loc 1 20 1
    ld.shared.u32 %r7, [%r6];
    .loc 1 21 1
    st.global.u32 [%d1+1024], %r7;)";
}

TEST(AsyncCopies, MustBeWaitedForByTheirOwnThreadToo) {
  Checked().clean(copied("cp.async.commit_group;\ncp.async.wait_group 0;", "0"));
  Checked().clean(copied("cp.async.wait_all;", "0"));
  // a barrier does not wait for copies
  for (const char* wait : {"", "cp.async.commit_group;", "cp.async.commit_group;\nbar.sync 0;",
                           "cp.async.commit_group;\ncp.async.wait_group 1;"}) {
    const auto finding = Checked().one(copied(wait, "0"), race);
    EXPECT_EQ(finding.space, "shared") << wait;
    EXPECT_EQ(finding.other.line, 10u) << wait;
    EXPECT_EQ(finding.where.line, 20u) << wait;
    EXPECT_EQ(finding.thread, finding.other_thread) << wait;
    EXPECT_EQ(finding.hazard, "RAW");
    EXPECT_TRUE(has_evidence(finding, words::Id::race_own_copy_under_way)) << dump(finding);
    EXPECT_EQ(finding.fix.id, words::Id::race_fix_wait_for_copy) << dump(finding);
  }
}

TEST(AsyncCopies, ThatAreInNoGroupAreWaitedForByNoWait) {
  for (const char* wait : {"cp.async.wait_group 0;", "cp.async.wait_group 1;\nbar.sync 0;"}) {
    const auto finding = Checked().one(copied(wait, "0"), race);
    EXPECT_EQ(finding.cause, launch::Cause::race_copy_not_committed) << dump(finding);
    EXPECT_TRUE(has_evidence(finding, words::Id::race_copy_not_committed)) << dump(finding);
    EXPECT_EQ(finding.fix.id, words::Id::race_fix_commit) << dump(finding);
  }
}

TEST(AsyncCopies, OthersNeedTheWaitAndThenABarrier) {
  const std::string wait = "cp.async.commit_group;\ncp.async.wait_group 0;\n";
  Checked().clean(copied(wait + "bar.sync 0;", "33"));
  auto finding = Checked().one(copied(wait, "33"), race);
  EXPECT_EQ(finding.fix.id, words::Id::race_fix_barrier_after_copy) << dump(finding);
  // the barrier first, the wait later: the others have not waited
  Checked().one(copied("cp.async.commit_group;\nbar.sync 0;\ncp.async.wait_group 0;", "33"), race);
  finding = Checked().one(copied("cp.async.commit_group;\nbar.sync 0;", "33"), race);
  EXPECT_EQ(finding.fix.id, words::Id::race_fix_all_wait_for_copy) << dump(finding);
  // of the own warp it is enough that its lanes meet
  Checked lone;
  lone.block = {32, 1, 1};
  lone.clean(copied(wait + "bar.warp.sync -1;", "1"));
  lone.one(copied(wait, "1"), race);
}

TEST(AsyncCopies, WhatWasReadBeforeMustBeOver) {
  const std::string text = R"(
    st.shared.u32 [%r2], %r0;
    bar.sync 0;
    xor.b32 %r6, %r0, 33;
    mad.lo.u32 %r6, %r6, 4, %r3;
    .loc 1 10 1
    ld.shared.u32 %r7, [%r6];
    SYNC
    .loc 1 20 1
    cp.async.ca.shared.global [%r2], [%d1], 4;
    cp.async.wait_all;
    st.global.u32 [%d1+1024], %r7;)";
  auto with = [&](const char* sync) {
    auto made = text;
    return made.replace(made.find("SYNC"), 4, sync);
  };
  Checked().clean(with("bar.sync 0;"));
  const auto finding = Checked().one(with(""), race);
  EXPECT_EQ(finding.hazard, "WAR");
}

TEST(AsyncCopies, NobodyWritesOverThem) {
  const auto finding = Checked().one(
      "\n.loc 1 10 1\ncp.async.ca.shared.global [%r2], [%d1], 4;\n.loc 1 20 1\n"
      "st.shared.u32 [%r2], 0;\ncp.async.wait_all;",
      race);
  EXPECT_EQ(finding.hazard, "WAW");
}

/// A pipeline of `stages` tiles of 32 words: step s of 8 copies words 32 s ... into stage s % stages while it adds up what
/// was copied before. `pending`: groups that its wait leaves under way. `last`: the barrier at the end of each step.
std::string pipeline(int stages, int pending, bool last) {
  const auto n = [](int value) { return std::to_string(value); };
  std::string text = "\nmov.u32 %r20, 0;\nmov.u32 %r10, 0;\n";
  auto copy = [&](const std::string& step) {  // of step %rX, then commit
    return "setp.ge.u32 %p2, " + step + ", 8;\n@%p2 bra NONE" + step.substr(1) +
           ";\nrem.u32 %r12, " + step + ", " + n(stages) +
           ";\nmad.lo.u32 %r13, %r12, 128, %r2;\nmul.wide.u32 %d5, " + step +
           ", 128;\nadd.u64 %d5, %d1, %d5;\n.loc 1 10 1\n"
           "cp.async.ca.shared.global [%r13], [%d5], 4;\nNONE" +
           step.substr(1) + ":\ncp.async.commit_group;\n";
  };
  for (int s = 0; s + 1 < stages; ++s)
    text += "mov.u32 %r1" + n(4 + s) + ", " + n(s) + ";\n" + copy("%r1" + n(4 + s));
  text += "LOOP:\nadd.u32 %r11, %r10, " + n(stages - 1) + ";\n" + copy("%r11") +
          "cp.async.wait_group " + n(pending) +
          ";\nbar.sync 0;\n"
          "rem.u32 %r12, %r10, " +
          n(stages) +
          ";\nxor.b32 %r6, %r0, 1;\nmad.lo.u32 %r6, %r6, 4, %r3;\n"
          "mad.lo.u32 %r6, %r12, 128, %r6;\n.loc 1 20 1\nld.shared.u32 %r7, [%r6];\n"
          "add.u32 %r20, %r20, %r7;\n";
  if (last) text += "bar.sync 0;\n";
  text +=
      "add.u32 %r10, %r10, 1;\nsetp.lt.u32 %p3, %r10, 8;\n@%p3 bra LOOP;\n"
      "st.global.u32 [%d1+8192], %r20;";
  return text;
}

TEST(AsyncCopies, PipelinesOfSeveralStages) {
  Checked lone;
  lone.block = {32, 1, 1};
  for (const int stages : {2, 3, 4}) {
    SCOPED_TRACE(stages);
    lone.clean(pipeline(stages, stages - 1, true));
    lone.clean(pipeline(stages, 0, true));
    // one group too many is left under way: it is read, and copied over
    const auto run = lone.run(pipeline(stages, stages, true));
    ASSERT_EQ(run.findings.size(), 2u);
    for (const auto& finding : run.findings) {
      EXPECT_EQ(finding.kind, race);
      EXPECT_EQ(finding.cause, launch::Cause::race_copy_not_awaited) << dump(finding);
    }
    // without the barrier at the end the next copies overtake slow readers
    lone.one(pipeline(stages, stages - 1, false), race);
  }
}

TEST(AsyncCopies, AreForgottenWithTheirBlock) {
  Checked many;
  many.grid = {5, 1, 1};
  many.clean("\nmov.u32 %r9, 0;\ncp.async.ca.shared.global [%r2], [%d1], 4;\n");
  many.clean(
      "\ncp.async.ca.shared.global [%r2], [%d1], 4;\ncp.async.wait_all;\nbar.sync 0;\n"
      "xor.b32 %r6, %r0, 33;\nmad.lo.u32 %r6, %r6, 4, %r3;\nld.shared.u32 %r7, [%r6];\n");
}

TEST(AsyncCopies, WaitedForByPartOfAWarp) {
  // odd lanes wait, all read their own
  const auto finding = Checked().one(
      copied("cp.async.commit_group;\nand.b32 %r8, %r0, 1;\nsetp.eq.u32 %p4, %r8, 1;\n"
             "@%p4 cp.async.wait_group 0;",
             "0"),
      race);
  EXPECT_EQ(finding.thread.x % 2, 0u);
  EXPECT_EQ(finding.count, 32u);
}

// ---- lanes that do not take part

TEST(Shuffles, FromALaneThatIsNotThere) {
  Checked lone;
  lone.block = {32, 1, 1};
  lone.clean("\nshfl.sync.down.b32 %r6|%p0, %r0, 16, 31, -1;\nst.global.u32 [%d1], %r6;");
  // 40 threads: the second warp has 8 lanes
  Checked forty;
  forty.block = {40, 1, 1};
  const auto finding = forty.one(
      "\n.loc 1 10 1\nshfl.sync.down.b32 %r6|%p0, %r0, 4, 31, -1;\n.loc 1 20 1\n"
      "st.global.u32 [%d1], %r6;",
      uninitialized);
  EXPECT_EQ(finding.where.line, 10u);
  EXPECT_EQ(finding.other.line, 20u);
  EXPECT_EQ(finding.thread.x, 36u);
  EXPECT_EQ(finding.count, 4u);
  EXPECT_EQ(finding.cause, launch::Cause::uninitialized_shuffle);
  const words::Message lane = {words::Id::undefined_lane, {{"lane", std::int64_t{8}}}};
  ASSERT_FALSE(finding.evidence.empty());
  EXPECT_EQ(finding.evidence[0], lane) << dump(finding);
  EXPECT_EQ(finding.fix.id, words::Id::undefined_fix_shuffle);
  // read and thrown away
  forty.clean("\nshfl.sync.down.b32 %r6|%p0, %r0, 4, 31, -1;\nst.global.u32 [%d1], %r0;");
  // within the lanes that are there
  forty.clean("\nshfl.sync.bfly.b32 %r6|%p0, %r0, 4, 31, -1;\nst.global.u32 [%d1], %r6;");
}

TEST(Shuffles, FromALaneThatWentAnotherWay) {
  Checked lone;
  lone.block = {32, 1, 1};
  auto text = [](const char* mask) {
    return std::string(R"(
    setp.ge.u32 %p0, %r0, 16;
    @%p0 bra DONE;
    .loc 1 10 1
    shfl.sync.down.b32 %r6|%p1, %r0, 8, 31, )") +
           mask + R"(;
    .loc 1 20 1
    st.global.u32 [%d1], %r6;
  DONE:)";
  };
  const auto finding = lone.one(text("65535"), uninitialized);
  EXPECT_EQ(finding.thread.x, 8u);
  EXPECT_EQ(finding.count, 8u);
  // one that takes only what is there
  auto below = text("65535");
  below.replace(below.find("down"), 4, "bfly");
  lone.clean(below);
}

TEST(Shuffles, OverMoreLanesThanAWarpHas) {
  Checked block;
  block.block = {64, 1, 1};
  const auto over = [](const char* kind, const char* end, int lanes) {
    return fmt::format(
        "\n.loc 1 10 1\nshfl.sync.{}.b32 %r6|%p1, %r0, {}, {}, -1;\nst.global.u32 [%d1], %r6;",
        kind, lanes, end);
  };
  for (const char* kind : {"down", "bfly", "up"}) {
    const auto* const end = std::string_view(kind) == "up" ? "0" : "31";
    const auto finding = block.one(over(kind, end, 64), barrier, launch::Severity::warning);
    EXPECT_EQ(finding.cause, Cause::shuffle_distance);
    EXPECT_EQ(finding.where.line, 10u);
    EXPECT_EQ(finding.count, 2u);  // one of each warp
    EXPECT_TRUE(has_evidence(finding, Id::shuffle_distance)) << all_words(finding);
    EXPECT_EQ(block.one(over(kind, end, 32), barrier, launch::Severity::warning).cause,
              Cause::shuffle_distance);
    const auto wraps = block.one(over(kind, end, 48), barrier, launch::Severity::warning);
    EXPECT_TRUE(has_evidence(wraps, Id::shuffle_wraps)) << all_words(wraps);
    block.clean(over(kind, end, 31));
  }
  block.clean(over("idx", "31", 64));  // a lane modulo 32
}

TEST(Shuffles, MasksThatDoNotMatch) {
  Checked lone;
  lone.block = {32, 1, 1};
  auto finding = lone.one("\n.loc 1 10 1\nbar.warp.sync 65535;", barrier);
  EXPECT_EQ(finding.where.line, 10u);
  EXPECT_EQ(finding.thread.x, 16u);
  EXPECT_EQ(finding.cause, Cause::barrier_mask);
  EXPECT_TRUE(has_evidence(finding, Id::barrier_mask_without_self)) << all_words(finding);
  // lane 0 names all, the others name all but lane 0
  finding = lone.one(
      "\nsetp.eq.u32 %p0, %r0, 0;\nselp.b32 %r8, -1, -2, %p0;\n.loc 1 10 1\nbar.warp.sync %r8;",
      barrier);
  EXPECT_EQ(finding.cause, Cause::barrier_mask);
  EXPECT_TRUE(has_evidence(finding, Id::barrier_masks_differ)) << all_words(finding);
  // two halves, each with its own mask
  lone.clean("\nand.b32 %r8, %r0, 16;\nshl.b32 %r8, 65535, %r8;\nbar.warp.sync %r8;");
  lone.clean(
      "\nactivemask.b32 %r8;\nshfl.sync.idx.b32 %r6|%p1, %r0, 0, 31, %r8;\n"
      "st.global.u32 [%d1], %r6;");
}

}  // namespace
}  // namespace labkit::observe::test
