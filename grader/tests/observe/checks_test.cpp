// What orders threads and what does not, what is undefined and what only looks so: small kernels in PTX.
#include "observe/checks.h"

#include <gtest/gtest.h>

#include <cstring>

#include "checked.h"

namespace labkit::observe::test {
namespace {

TEST(Barriers, SkippedByAWarp) {
  const auto finding = Checked().one(R"(
    setp.ge.u32 %p0, %r0, 32;
    @%p0 bra SKIP;
    .loc 1 10 1
    bar.sync 0;
  SKIP:
    .loc 1 20 1
    st.global.u32 [%d1], %r0;)",
                                     barrier);
  EXPECT_EQ(finding.where.line, 10u);
  EXPECT_EQ(finding.other.line, 20u);
  EXPECT_EQ(finding.thread.x, 32u);
}

TEST(Barriers, LeftEarlyIsAWarning) {
  Checked().one(R"(
    setp.ge.u32 %p0, %r0, 40;
    @%p0 exit;
    .loc 1 10 1
    bar.sync 0;
    st.global.u32 [%d1], %r0;)",
                barrier, launch::Severity::warning);
}

/// Whose last access was behind the barrier, but in the turn before, has left and not gone past it.
TEST(Barriers, LeftInALoopIsAWarningToo) {
  const std::string loop = R"(
    mov.u32 %r20, 0;
  LOOP:
    mad.lo.u32 %r21, %r20, 20, %r0;
    .loc 1 9 1
    setp.ge.u32 %p0, %r21, 50;
    @%p0 exit;
    .loc 1 10 1
    bar.sync 0;
    .loc 1 20 1
    st.global.u32 [%d1], %r0;
    SECOND
    add.u32 %r20, %r20, 1;
    setp.lt.u32 %p1, %r20, 4;
    @%p1 bra LOOP;)";
  for (const std::string second : {"", ".loc 1 21 1\nbar.sync 0;"}) {
    std::string body = loop;
    body.replace(body.find("SECOND"), 6, second);
    for (const auto& finding : Checked().run(body).findings) {
      EXPECT_EQ(finding.severity, launch::Severity::warning) << all_words(finding);
      EXPECT_EQ(finding.cause, Cause::barrier_after_early_return) << all_words(finding);
    }
  }
}

/// One line, two branches: no unrolled copies of one barrier, for none leads to the other.
TEST(Barriers, TwoOnOneLineAreToldApart) {
  const std::string branches = R"(
    setp.ge.u32 %p0, %r0, WHO;
    .loc 1 10 1
    @%p0 bra B;
    bar.sync 0;
    bra DONE;
  B:
    bar.sync 0;
  DONE:
    .loc 1 30 1
    st.global.u32 [%d1], %r0;)";
  const auto with_who = [&](const std::string& who) {
    std::string body = branches;
    return body.replace(body.find("WHO"), 3, who);
  };
  const auto warps = Checked().one(with_who("32"), barrier);
  EXPECT_TRUE(has_evidence(warps, Id::barrier_elsewhere_in_line)) << all_words(warps);
  const auto lanes = Checked().one(with_who("40"), barrier);
  EXPECT_TRUE(has_evidence(lanes, Id::barrier_elsewhere_in_line)) << all_words(lanes);
  // copies that follow one another are one barrier
  Checked().clean(R"(
    .loc 1 10 1
    bar.sync 0;
    .loc 1 11 1
    st.global.u32 [%d1], %r0;
    .loc 1 10 1
    bar.sync 0;)");
}

TEST(Barriers, TwoThatLetEachOtherGo) {
  const auto finding = Checked().one(R"(
    setp.ge.u32 %p0, %r0, 32;
    @%p0 bra B;
    .loc 1 10 1
    bar.sync 0;
    bra DONE;
  B:
    .loc 1 20 1
    bar.sync 0;
  DONE:
    .loc 1 30 1
    st.global.u32 [%d1], %r0;)",
                                     barrier);
  EXPECT_NE(finding.where.line, finding.other.line);
}

TEST(Undefined, ByLaneByteAndUse) {
  Checked lone;
  lone.block = {32, 1, 1};
  // left in global memory
  auto finding =
      lone.one("\n.loc 1 10 1\nld.shared.u32 %r6, [%r2];\n.loc 1 20 1\nst.global.u32 [%d1], %r6;",
               uninitialized);
  EXPECT_EQ(finding.where.line, 10u);
  EXPECT_EQ(finding.other.line, 20u);
  EXPECT_EQ(finding.space, "shared");
  EXPECT_EQ(finding.count, 32u);
  EXPECT_EQ(finding.cause, launch::Cause::uninitialized_shared);
  EXPECT_EQ(finding.access_bytes, 4u);
  // read and forgotten; or overwritten before the end
  lone.clean("\nld.shared.u32 %r6, [%r2];\nadd.u32 %r6, %r6, 1;");
  lone.clean("\nld.shared.u32 %r6, [%r2];\nst.global.u32 [%d1], %r6;\nst.global.u32 [%d1], %r0;");
  // an address, a condition
  lone.one(
      "\n.loc 1 10 1\nld.shared.u32 %r6, [%r2];\nand.b32 %r6, %r6, 4;\n"
      "cvt.u64.u32 %d5, %r6;\nadd.u64 %d5, %d0, %d5;\n.loc 1 20 1\nld.global.u32 %r7, [%d5];",
      uninitialized);
  lone.one(
      "\n.loc 1 10 1\nld.shared.u32 %r6, [%r2];\nsetp.gt.s32 %p0, %r6, 0;\n.loc 1 20 1\n"
      "@%p0 bra DONE;\nst.global.u32 [%d1], %r0;\nDONE:",
      uninitialized);
  // masked off: what decides is defined
  lone.clean("\nld.shared.u32 %r6, [%r2];\nand.b32 %r6, %r6, 0;\nst.global.u32 [%d1], %r6;");
  lone.clean(
      "\nst.shared.u8 [%r2], 1;\nld.shared.u32 %r6, [%r2];\nand.b32 %r6, %r6, 255;\n"
      "st.global.u32 [%d1], %r6;");
  lone.clean(
      "\nst.shared.u8 [%r2], 1;\nld.shared.u32 %r6, [%r2];\nprmt.b32 %r6, %r6, 0, 0x4440;\n"
      "st.global.u32 [%d1], %r6;");
  // padding that is copied along, through a register, selp and shfl
  lone.clean(
      "\nst.shared.u8 [%r2], 1;\nld.shared.u32 %r6, [%r2];\nsetp.eq.u32 %p0, %r0, 3;\n"
      "selp.b32 %r7, %r6, %r6, %p0;\nshfl.sync.bfly.b32 %r8|%p1, %r7, 1, 31, -1;\n"
      "st.global.u32 [%d1], %r8;");
  // only one lane has it, and another gets it by shfl
  finding = lone.one(
      "\nsetp.ne.u32 %p0, %r0, 5;\n@%p0 st.shared.u32 [%r2], %r0;\n.loc 1 10 1\n"
      "ld.shared.u32 %r6, [%r2];\nshfl.sync.bfly.b32 %r8|%p1, %r6, 1, 31, -1;\n"
      ".loc 1 20 1\nst.global.u32 [%d1], %r8;",
      uninitialized);
  EXPECT_EQ(finding.count, 1u);
  EXPECT_EQ(finding.other_thread.x, 4u);
  EXPECT_EQ(finding.thread.x, 5u);
}

TEST(Undefined, GlobalMemoryThatNobodyWrote) {
  Checked unwritten;
  unwritten.written = false;
  unwritten.clean(
      "\nst.global.u32 [%d1], %r0;\nld.global.u32 %r6, [%d1];\nst.global.u32 [%d1], %r6;");
  const auto finding = unwritten.one(
      "\n.loc 1 10 1\nld.global.u32 %r6, [%d1];\nadd.u32 %r6, %r6, 1;\nst.global.u32 [%d1], %r6;",
      uninitialized);
  EXPECT_EQ(finding.space, "global");
  unwritten.one("\n.loc 1 10 1\nred.global.add.u32 [%d1], 1;", uninitialized);
  Checked().clean("\nld.global.u32 %r6, [%d1];\nst.global.u32 [%d1], %r6;");
}

TEST(Undefined, TheCallerCanAskWhatIsStillNotWritten) {
  const char* text =
      ".version 7.8\n.target sm_90\n.address_size 64\n.shared .align 4 .b8 s[64];\n"
      ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<4>; .reg .b64 %d<4>;\n"
      "ld.param.u64 %d0, [p];\nst.global.u32 [%d0+4], 1;\n";
  for (const bool odd : {false, true}) {  // without and with a close look
    auto parsed = ptx::parse(std::string(text) +
                             (odd ? "ld.shared.u32 %r1, [s];\nst.global.u32 [%d0+8], %r1;\n" : "") +
                             "ret;\n}\n");
    ASSERT_TRUE(parsed.module);
    const auto decoded = simt::decode(*parsed.module, "k");
    simt::Memory memory;
    const auto address = memory.allocate("p", std::vector<std::byte>(16), false);
    launch::Launch launch;
    launch.entry = "k";
    const auto run =
        run_checked(*decoded.program, launch, std::as_bytes(std::span(&address, 1)), memory);
    EXPECT_EQ(run.looked_closely, odd);
    EXPECT_GT(run.dearest_look, 0u);
    if (odd)  // a quick look and a close one, which costs many times as much
      EXPECT_GE(run.result.cost, run.dearest_look * kCloseLookCosts);
    else
      EXPECT_EQ(run.result.cost, run.dearest_look);
    const auto defined = memory.defined(address);
    ASSERT_EQ(defined.size(), 16u);
    for (std::size_t k = 0; k < 16; ++k)
      EXPECT_EQ(defined[k] == simt::Memory::kDefined, k / 4 == 1) << k;
  }
}

TEST(Bounds, AnArrayEndsWhereItIsDeclaredToEnd) {
  // tile has 128 words, `other` lies behind it
  Checked().clean("\nst.shared.u32 [%r2], %r0;");
  const auto finding = Checked().one(
      "\nmov.u32 %r9, other;\n.loc 1 10 1\nst.shared.u32 [%r2+256], %r0;\n"
      ".loc 1 11 1\nst.shared.u32 [%r2+512], %r0;",
      out_of_bounds);
  EXPECT_EQ(finding.where.line, 11u);
  EXPECT_EQ(finding.cause, Cause::out_of_bounds_shared);
  EXPECT_EQ(finding.fix, (Message{Id::bounds_fix_declared_size, {{"array", "tile"}}}));
  ASSERT_EQ(finding.evidence.size(), 2u);
  EXPECT_EQ(
      finding.evidence[0],
      (Message{Id::bounds_after,
               {{"bytes", words::count(1)}, {"array", "tile"}, {"size", words::count(512)}}}));
  EXPECT_EQ(finding.evidence[1],
            (Message{Id::bounds_lands_in, {{"offset", words::count(0)}, {"array", "other"}}}));
}

}  // namespace
}  // namespace labkit::observe::test
