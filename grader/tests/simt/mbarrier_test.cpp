// Barriers in shared memory (mbarrier), and that of a cluster of one block: who waits for whom, and what is wrong.
#include "kernel.h"

namespace labkit::simt::test {
namespace {

const std::string kBarrier = ".shared .align 8 .b64 bar;\n";
std::string begun(const std::string& count) {
  return kBarrier + "setp.eq.u32 %p0, %r0, 0; @%p0 mbarrier.init.shared.b64 [bar], " + count +
         ";\nbar.sync 0;\n";
}
const std::string kWait = "AGAIN: mbarrier.try_wait.shared.b64 %p1, [bar], %d5; @!%p1 bra AGAIN;\n";

Kernel of_threads(unsigned threads, const std::string& text) {
  Kernel kernel(text);
  kernel.launch.block = {threads, 1, 1};
  return kernel;
}

TEST(Mbarrier, AWarpWaitsUntilTheOtherHasArrived) {
  auto kernel = of_threads(
      64, kernel_text(1, ".shared .b32 tile[64];\n" + begun("64") +
                             "mov.u64 %d3, tile; mad.wide.u32 %d4, %r0, 4, %d3;\n"
                             "st.shared.u32 [%d4], %r0;\n"
                             "mbarrier.arrive.shared.b64 %d5, [bar];\n" +
                             kWait + "xor.b32 %r1, %r0, 63; mad.wide.u32 %d4, %r1, 4, %d3;\n" +
                             "ld.shared.u32 %r2, [%d4];\n" + kOwnElement +
                             "st.global.u32 [%d9], %r2;"));
  const auto out = kernel.buffer(std::vector<std::uint32_t>(64));
  kernel.complete();
  for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(kernel.values<std::uint32_t>(out)[i], 63 - i);
}

TEST(Mbarrier, WaitingForArrivalsThatNeverComeIsADeadlock) {
  for (const char* between : {"", "nanosleep.u32 10;", "mov.u64 %d6, %globaltimer;"}) {
    auto kernel = of_threads(
        64,
        kernel_text(0, begun("65") + "mbarrier.arrive.shared.b64 %d5, [bar];\nAGAIN: " + between +
                           "mbarrier.test_wait.shared.b64 %p1, [bar], %d5;\n"
                           "@!%p1 bra AGAIN;\n"));
    const auto finding = kernel.finding();
    EXPECT_EQ(finding.cause, Cause::barrier_arguments) << between;
    EXPECT_NE(all_words(finding).find("64 of 65"), std::string::npos) << all_words(finding);
  }
}

TEST(Mbarrier, BytesThatNobodyCopiesAreADeadlockToo) {
  auto kernel = of_threads(
      1, kernel_text(
             0, begun("1") + "mbarrier.arrive.expect_tx.shared.b64 %d5, [bar], 64;\n" + kWait));
  EXPECT_NE(all_words(kernel.finding()).find("copies of 64 bytes"), std::string::npos);
}

TEST(Mbarrier, AWaitWithALimitOfItsOwnEnds) {
  auto kernel = of_threads(32, kernel_text(0, begun("33") + R"(
    mbarrier.arrive.shared.b64 %d5, [bar];
    mov.u64 %d6, %globaltimer;
  AGAIN:
    mbarrier.test_wait.shared.b64 %p1, [bar], %d5;
    mov.u64 %d7, %globaltimer;
    sub.u64 %d7, %d7, %d6;
    setp.lt.u64 %p2, %d7, 100000;
    @%p2 bra AGAIN;)"));
  kernel.complete();
}

TEST(Mbarrier, WhatIsNoBarrierIsFound) {
  const auto words_of = [](const std::string& body) {
    return all_words(of_threads(1, kernel_text(0, kBarrier + body)).finding());
  };
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  const std::string arrive = "mbarrier.arrive.shared.b64 %d5, [bar];\n",
                    init = "mbarrier.init.shared.b64 [bar], 1;\n";
  EXPECT_TRUE(has(words_of(arrive), "was not initialised"));
  EXPECT_TRUE(
      has(words_of(init + "mbarrier.inval.shared.b64 [bar];\n" + arrive), "was not initialised"));
  EXPECT_TRUE(has(words_of("mbarrier.init.shared.b64 [bar], 0;\n"), "1 to 1,048,575"));
  EXPECT_TRUE(has(words_of(init + "mbarrier.arrive.shared.b64 %d5, [bar], 2;\n"),
                  "2 arrivals come at a barrier that waits for 1 more"));
}

TEST(Cluster, ThreadsArriveAndWaitLater) {
  auto kernel =
      of_threads(64, kernel_text(1,
                                 ".shared .b32 tile[64];\nmov.u64 %d3, tile;\n"
                                 "mad.wide.u32 %d4, %r0, 4, %d3; st.shared.u32 [%d4], %r0;\n"
                                 "barrier.cluster.arrive.aligned;\nadd.u32 %r3, %r0, 1;\n"
                                 "barrier.cluster.wait.aligned;\nxor.b32 %r1, %r0, 63;\n"
                                 "mad.wide.u32 %d4, %r1, 4, %d3; ld.shared.u32 %r2, [%d4];\n" +
                                     kOwnElement + "st.global.u32 [%d9], %r2;"));
  const auto out = kernel.buffer(std::vector<std::uint32_t>(64));
  kernel.complete();
  for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(kernel.values<std::uint32_t>(out)[i], 63 - i);
}

TEST(Cluster, WhoWaitsForThreadsThatDoNotArriveIsStuck) {
  auto kernel =
      of_threads(64, kernel_text(0,
                                 "setp.lt.u32 %p0, %r0, 32; @%p0 barrier.cluster.arrive;\n"
                                 "@%p0 barrier.cluster.wait;\n@!%p0 bar.sync 1, 64;"));
  EXPECT_EQ(kernel.finding().kind, launch::FindingKind::barrier);
}

TEST(Cluster, OfSeveralBlocksIsRefused) {
  const std::string text = kernel_text(0, "");
  std::string clusters = text;
  clusters.insert(clusters.find('{'), ".reqnctapercluster 2, 1, 1\n");
  EXPECT_TRUE(Kernel(text).decoded.refused.empty());
  EXPECT_FALSE(Kernel(clusters).decoded.refused.empty());
}

}  // namespace
}  // namespace labkit::simt::test
