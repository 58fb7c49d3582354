#include "counts.h"
#include "kernel.h"

namespace labkit::simt::test {
namespace {

const std::string kShared = ".shared .align 4 .b8 window[4096];\n";

TEST(Barrier, WarpsSeeWhatOthersWroteBefore) {
  Kernel kernel(kernel_text(1, kShared + kOwnElement + R"(
    mov.u32 %r5, window;
    mad.lo.u32 %r1, %r0, 4, %r5;
    st.shared.u32 [%r1], %r0;
    bar.sync 0;
    xor.b32 %r2, %r0, 96;
    mad.lo.u32 %r2, %r2, 4, %r5;
    ld.shared.u32 %r3, [%r2];
    st.global.u32 [%d9], %r3;)"));
  kernel.launch.block = {128, 1, 1};
  const auto out = kernel.buffer(std::vector<std::uint32_t>(128));
  Counts counts;
  kernel.complete({}, &counts);
  const auto values = kernel.values<std::uint32_t>(out);
  for (std::uint32_t i = 0; i < 128; ++i) EXPECT_EQ(values[i], i ^ 96u);
  EXPECT_EQ(counts.barriers, 4u);
}

TEST(Barrier, ExitedThreadsCountAsArrived) {
  Kernel kernel(kernel_text(1, R"(
    setp.ge.u32 %p0, %r0, 40;
    @%p0 exit;
    bar.sync 0;
    red.global.add.u32 [%d0], 1;)"));
  kernel.launch.block = {128, 1, 1};
  const auto out = kernel.buffer(std::vector<std::uint32_t>(1));
  kernel.complete();
  EXPECT_EQ(kernel.values<std::uint32_t>(out)[0], 40u);
}

/// As NVRTC writes `if (...) return;` without optimising: a block that jumps to the end, where the others come by as well.
TEST(Barrier, ThreadsThatReturnEarlyInUnoptimisedCodeHaveExited) {
  Kernel kernel(kernel_text(1, R"(
    setp.lt.u32 %p0, %r0, 40;
    @%p0 bra GO;
    bra.uni LEAVE;
  LEAVE:
    bra.uni END;
  GO:
    bar.sync 0;
    setp.ge.u32 %p1, %r0, 20;
    @%p1 bra LAST;
    bra.uni ADD;
  ADD:
    red.global.add.u32 [%d0], 1;
    bra.uni LAST;
  LAST:
    bra.uni END;
  END:)"));
  kernel.launch.block = {128, 1, 1};
  const auto out = kernel.buffer(std::vector<std::uint32_t>(1));
  kernel.complete();
  EXPECT_EQ(kernel.values<std::uint32_t>(out)[0], 20u);
}

TEST(Barrier, PartOfAWarpAtABarrierIsAnError) {
  Kernel kernel(kernel_text(1, kOwnElement + R"(
    setp.ge.u32 %p0, %r0, 48;
    @%p0 bra SKIP;
    bar.sync 0;
  SKIP:
    st.global.u32 [%d9], %r0;)"));
  kernel.launch.block = {64, 1, 1};
  kernel.buffer(std::vector<std::uint32_t>(64));
  const auto finding = kernel.finding();
  EXPECT_EQ(finding.kind, launch::FindingKind::barrier);
  EXPECT_EQ(finding.cause, Cause::barrier_not_on_every_path);
  EXPECT_TRUE(launch::has_evidence(finding, Id::barrier_divergent_warp)) << all_words(finding);
  EXPECT_EQ(finding.thread, (launch::Dim3{32, 0, 0}));
}

// 16 + tid.x / 32: masked to four bits it would be an honest barrier.
TEST(Barrier, ANumberComputedOutOfRangeIsAnError) {
  for (const std::string which : {"bar.sync", "barrier.sync"}) {
    Kernel kernel(kernel_text(1, R"(
    .loc 1 7 3
    shr.u32 %r1, %r0, 5;
    add.u32 %r1, %r1, 15;
    )" + which + R"( %r1;)",
                              ".file 1 \"kernel.cu\"\n"));
    kernel.buffer(std::vector<std::uint32_t>(1));
    kernel.launch.block = {32, 1, 1};
    kernel.complete();  // 15 is the last there is
    kernel.launch.block = {64, 1, 1};
    const auto finding = kernel.finding();
    EXPECT_EQ(finding.kind, launch::FindingKind::barrier);
    EXPECT_EQ(finding.severity, launch::Severity::error);
    EXPECT_EQ(finding.cause, Cause::barrier_arguments);
    ASSERT_EQ(finding.evidence.size(), 2u);
    EXPECT_EQ(finding.evidence[1],
              (Message{Id::barrier_no_such_number, {{"number", words::count(16)}}}));
    EXPECT_EQ(finding.thread, (launch::Dim3{32, 0, 0}));
    EXPECT_EQ(finding.where.line, 7u);
  }
}

TEST(Barrier, ThreadsOfAWarpThatNameDifferentBarriersAreAnError) {
  Kernel kernel(kernel_text(1, R"(
    shr.u32 %r1, %r0, 4;
    bar.sync %r1;)"));
  kernel.buffer(std::vector<std::uint32_t>(1));
  const auto finding = kernel.finding();
  EXPECT_EQ(finding.kind, launch::FindingKind::barrier);
  EXPECT_TRUE(launch::has_evidence(finding, Id::barrier_numbers_differ)) << all_words(finding);
  EXPECT_EQ(finding.thread, (launch::Dim3{16, 0, 0}));
}

TEST(Barrier, TwoSidesOfABranchWithABarrierEachAreAnError) {
  Kernel kernel(kernel_text(1, R"(
    setp.ge.u32 %p0, %r0, 16;
    @%p0 bra OTHER;
    bar.sync 0;
    bra.uni MEET;
  OTHER:
    bar.sync 0;
  MEET:
    red.global.add.u32 [%d0], 1;)"));
  kernel.buffer(std::vector<std::uint32_t>(1));
  EXPECT_EQ(kernel.finding().kind, launch::FindingKind::barrier);
}

TEST(Barrier, WarpsAtDifferentBarriersNeverMeet) {
  Kernel kernel(kernel_text(1, R"(
    setp.ge.u32 %p0, %r0, 32;
    @%p0 bra OTHER;
    bar.sync 1;
    bra.uni MEET;
  OTHER:
    bar.sync 2;
  MEET:
    red.global.add.u32 [%d0], 1;)"));
  kernel.launch.block = {64, 1, 1};
  kernel.buffer(std::vector<std::uint32_t>(1));
  const auto finding = kernel.finding();
  EXPECT_EQ(finding.kind, launch::FindingKind::barrier);
  EXPECT_TRUE(launch::has_evidence(finding, Id::barrier_divergent_block)) << all_words(finding);
}

TEST(Barrier, ABarrierOfSomeWarpsLeavesTheOthersAlone) {
  // warps 0 and 1 meet at barrier 1; warp 2 passes by
  Kernel kernel(kernel_text(1, R"(
    setp.ge.u32 %p0, %r0, 64;
    @%p0 bra MEET;
    bar.sync 1, 64;
  MEET:
    red.global.add.u32 [%d0], 1;)"));
  kernel.launch.block = {96, 1, 1};
  const auto out = kernel.buffer(std::vector<std::uint32_t>(1));
  kernel.complete();
  EXPECT_EQ(kernel.values<std::uint32_t>(out)[0], 96u);
}

TEST(Barrier, ArriveDoesNotWait) {
  // warp 0 arrives only, warp 1 waits for it
  Kernel kernel(kernel_text(1, R"(
    setp.ge.u32 %p0, %r0, 32;
    @%p0 bra WAIT;
    st.global.u32 [%d0], 5;
    bar.arrive 1, 64;
    bra.uni END;
  WAIT:
    bar.sync 1, 64;
    ld.global.u32 %r1, [%d0];
    st.global.u32 [%d0+4], %r1;
  END:)"));
  kernel.launch.block = {64, 1, 1};
  const auto out = kernel.buffer(std::vector<std::uint32_t>(2));
  kernel.complete();
  EXPECT_EQ(kernel.values<std::uint32_t>(out)[1], 5u);
}

// What only arrives may come to a barrier of the whole block, too, if both mean the same threads.
TEST(Barrier, TheWholeBlockIsACountToo) {
  Kernel kernel(kernel_text(1, R"(
    setp.ge.u32 %p0, %r0, 32;
    @%p0 bra WAIT;
    bar.arrive 0, 64;
    bra.uni END;
  WAIT:
    bar.sync 0;
  END:
    red.global.add.u32 [%d0], 1;)"));
  kernel.launch.block = {40, 1, 1};  // two warps, the second of 8 threads
  const auto out = kernel.buffer(std::vector<std::uint32_t>(1));
  kernel.complete();
  EXPECT_EQ(kernel.values<std::uint32_t>(out)[0], 40u);
}

struct Miscounted {
  const char *first, *second;  // by warp
  Id says, fix;
  std::int64_t expected = 0;  // that others count; 0: not said
};
class Miscount : public testing::TestWithParam<Miscounted> {};
TEST_P(Miscount, IsTold) {
  const auto& [first, second, says, fix, expected] = GetParam();
  Kernel kernel(kernel_text(0, std::string("mov.u32 %r1, 48; add.u32 %r2, %r0, 32;\n"
                                           "setp.ge.u32 %p0, %r0, 32;\n@%p0 bra SECOND;\n") +
                                   first + "\nbra.uni END;\nSECOND:\n" + second + "\nEND:\n"));
  kernel.launch.block = {64, 1, 1};
  const auto finding = kernel.finding();
  EXPECT_EQ(finding.kind, launch::FindingKind::barrier);
  EXPECT_EQ(finding.cause, Cause::barrier_arguments);
  ASSERT_EQ(finding.evidence.size(), 2u) << all_words(finding);
  EXPECT_EQ(finding.evidence[1].id, says) << all_words(finding);
  EXPECT_EQ(finding.fix.id, fix) << all_words(finding);
  EXPECT_EQ(*finding.evidence[1].find("barrier"), words::count(1));
  if (expected != 0) {
    EXPECT_EQ(*finding.evidence[1].find("expected"), words::Value(expected));
  }
}
INSTANTIATE_TEST_SUITE_P(
    Counts, Miscount,
    testing::Values(
        Miscounted{"bar.sync 1, 64;", "", Id::barrier_waits_for, Id::barrier_fix_as_many, 64},
        Miscounted{"bar.sync 1, 64;", "bar.sync 2, 64;", Id::barrier_waits_for,
                   Id::barrier_fix_as_many, 64},
        Miscounted{"bar.sync 1, 64;", "bar.sync 0;", Id::barrier_waits_for, Id::barrier_fix_as_many,
                   64},
        Miscounted{"bar.sync 1, 64;", "bar.sync 1, 96;", Id::barrier_other_count,
                   Id::barrier_fix_same_count, 64},
        Miscounted{"bar.sync 1;", "bar.sync 1, 32;", Id::barrier_other_count,
                   Id::barrier_fix_same_count, 64},
        Miscounted{"bar.sync 1, 96;", "bar.sync 1;", Id::barrier_other_count,
                   Id::barrier_fix_same_count, 96},
        Miscounted{"bar.sync 1, %r1;", "", Id::barrier_no_whole_warps, Id::barrier_fix_multiple},
        Miscounted{"barrier.sync 1, %r2;", "", Id::barrier_lanes_count_differently,
                   Id::barrier_fix_same_count},
        Miscounted{"bar.arrive 1, 64; bar.arrive 1, 64;", "bar.sync 1, 64;",
                   Id::barrier_arrives_again, Id::barrier_fix_wait},
        Miscounted{"bar.arrive 1, 64; bar.sync 1, 64;", "bar.sync 1, 64;",
                   Id::barrier_arrives_again, Id::barrier_fix_wait}));

TEST(Barrier, Reductions) {
  Kernel kernel(kernel_text(1, kOwnElement + R"(
    and.b32 %r1, %r0, 3;
    setp.eq.u32 %p0, %r1, 0;
    bar.red.popc.u32 %r2, 0, %p0;
    bar.red.and.pred %p1, 0, %p0;
    bar.red.or.pred %p2, 0, !%p0;
    selp.u32 %r3, 1000, 0, %p1;
    selp.u32 %r4, 2000, 0, %p2;
    add.u32 %r2, %r2, %r3;
    add.u32 %r2, %r2, %r4;
    st.global.u32 [%d9], %r2;)"));
  kernel.launch.block = {96, 1, 1};
  const auto out = kernel.buffer(std::vector<std::uint32_t>(96));
  kernel.complete();
  for (const auto value : kernel.values<std::uint32_t>(out)) EXPECT_EQ(value, 24u + 2000u);
}

TEST(WarpBarrier, LanesWaitForTheMembersThatHaveNotExited) {
  // lanes 0..15 go one way, 16..31 another; both meet at a bar.warp.sync of their own
  Kernel kernel(kernel_text(1, kOwnElement + kShared + R"(
    mov.u32 %r5, window;
    mad.lo.u32 %r1, %r0, 4, %r5;
    st.shared.u32 [%r1], 0;
    setp.eq.u32 %p2, %r0, 31;
    @%p2 exit;
    setp.ge.u32 %p0, %r0, 16;
    @%p0 bra HIGH;
    st.shared.u32 [%r1], 11;
    bar.warp.sync -1;
    ld.shared.u32 %r3, [%r1+64];
    bra.uni MEET;
  HIGH:
    st.shared.u32 [%r1], 22;
    bar.warp.sync -1;
    ld.shared.u32 %r3, [%r1+-64];
  MEET:
    st.global.u32 [%d9], %r3;)"));
  const auto out = kernel.buffer(std::vector<std::uint32_t>(32));
  kernel.complete();
  const auto values = kernel.values<std::uint32_t>(out);
  for (std::uint32_t i = 0; i < 31; ++i)
    EXPECT_EQ(values[i], i < 15 ? 22u : i == 15 ? 0u : 11u) << i;
}

TEST(WarpBarrier, AShuffleThatNamesALaneWhichNeverComesIsAnError) {
  Kernel kernel(kernel_text(1, kOwnElement + R"(
    setp.ge.u32 %p0, %r0, 16;
    @%p0 bra MEET;
    shfl.sync.idx.b32 %r1, %r0, 0, 31, -1;
  MEET:
    bar.sync 0;
    st.global.u32 [%d9], %r1;)"));
  kernel.buffer(std::vector<std::uint32_t>(32));
  EXPECT_EQ(kernel.finding().kind, launch::FindingKind::barrier);
}

}  // namespace
}  // namespace labkit::simt::test
