// What barriers order at which threads arrive and wait apart: mbarrier, and that of a cluster of one block.
#include "checked.h"

namespace labkit::observe::test {
namespace {

/// Each thread writes its word, arrives, WAITS, and reads that of a thread of the other warp.
std::string exchanged(const std::string& arrive, const std::string& wait) {
  return R"(
    .shared .align 8 .b64 bar;
    setp.eq.u32 %p0, %r0, 0;
    @%p0 mbarrier.init.shared.b64 [bar], 64;
    bar.sync 0;
    .loc 1 10 1
    st.shared.u32 [%r2], %r0;
    )" + arrive +
         wait + R"(
    xor.b32 %r6, %r0, 33;
    mad.lo.u32 %r6, %r6, 4, %r3;
    .loc 1 20 1
    ld.shared.u32 %r7, [%r6];
    .loc 1 21 1
    st.global.u32 [%d1], %r7;)";
}
const std::string kArrive = "mbarrier.arrive.shared.b64 %d5, [bar];\n";
const std::string kWait =
    "AGAIN: mbarrier.try_wait.shared.b64 %p1, [bar], %d5;\n@!%p1 bra AGAIN;\n";

TEST(Phases, AWaitThatSucceedsOrdersWhatCameBeforeTheArrivals) {
  Checked().clean(exchanged(kArrive, kWait));
  Checked().clean(exchanged("barrier.cluster.arrive;\n", "barrier.cluster.wait;\n"));
}

TEST(Phases, WithoutTheWaitThereIsARace) {
  const auto finding = Checked().one(exchanged(kArrive, ""), race);
  EXPECT_EQ(finding.hazard, "RAW");
  EXPECT_EQ(finding.where.line, 20u);
  Checked().one(exchanged("barrier.cluster.arrive;\n", "") + "barrier.cluster.wait;\n", race);
}

TEST(Phases, WhatComesAfterTheArrivalIsNotOrdered) {
  Checked().one(exchanged(kArrive, "st.shared.u32 [%r2], %r1;\n" + kWait), race);
}

TEST(Phases, OnlyThreadsThatWaitKnow) {
  // lane 0 of each warp waits; the others know after they have met it
  const std::string one = R"(
    and.b32 %r8, %r0, 31;
    setp.ne.u32 %p2, %r8, 0;
    @%p2 bra MET;
  )" + kWait + "MET:\n";
  Checked().clean(exchanged(kArrive, one + "bar.warp.sync -1;\n"));
  Checked().one(exchanged(kArrive, one), race);
}

TEST(Phases, TheBarrierIsInitialisedBeforeOthersUseIt) {
  std::string text = exchanged(kArrive, kWait);
  Checked().clean(text);
  text.erase(text.find("bar.sync 0;"), 11);
  const auto run = Checked().run(text);
  EXPECT_FALSE(run.findings.empty());
}

TEST(Phases, CopiesAreOverForWhoWaitsForTheBarrierTheyArriveAt) {
  const auto copied = [](const std::string& arrive) {
    return R"(
    .shared .align 8 .b64 bar;
    setp.eq.u32 %p0, %r0, 0;
    @%p0 mbarrier.init.shared.b64 [bar], 64;
    bar.sync 0;
    .loc 1 10 1
    cp.async.ca.shared.global [%r2], [%d1], 4;
    )" + arrive +
           kArrive + kWait + R"(
    xor.b32 %r6, %r0, 33;
    mad.lo.u32 %r6, %r6, 4, %r3;
    .loc 1 20 1
    ld.shared.u32 %r7, [%r6];
    st.global.u32 [%d1+1024], %r7;)";
  };
  Checked().clean(copied("cp.async.mbarrier.arrive.shared.b64 [bar];\n"));
  const auto finding = Checked().one(copied(""), race);
  EXPECT_EQ(finding.where.line, 20u);
}

}  // namespace
}  // namespace labkit::observe::test
