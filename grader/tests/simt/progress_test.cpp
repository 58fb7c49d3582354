// Forward progress: a warp may wait for another, a lane for another of its warp, a block for an earlier or later one.
#include "kernel.h"

namespace labkit::simt::test {
namespace {

// Warp 1 writes, warp 0 polls for it.
TEST(Progress, AWarpMayWaitForAnother) {
  Kernel kernel(kernel_text(1, R"(
    setp.ge.u32 %p0, %r0, 32;
    @%p0 bra WRITE;
  POLL:
    ld.volatile.global.u32 %r1, [%d0];
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra POLL;
    st.global.u32 [%d0+4], %r1;
    bra.uni END;
  WRITE:
    mov.u32 %r2, 42;
    st.volatile.global.u32 [%d0], %r2;
  END:)"));
  kernel.launch.block = {64, 1, 1};
  const auto out = kernel.buffer(std::vector<std::uint32_t>(2));
  kernel.complete();
  EXPECT_EQ(kernel.values<std::uint32_t>(out)[1], 42u);
}

// while (atomicCAS(lock, 0, 1) != 0); counter += 1; lock = 0: each lane of a warp, as written.
TEST(Progress, LanesOfAWarpMayTakeTurnsAtALock) {
  Kernel kernel(kernel_text(1, R"(
  SPIN:
    atom.global.cas.b32 %r1, [%d0], 0, 1;
    setp.ne.u32 %p0, %r1, 0;
    @%p0 bra SPIN;
    ld.volatile.global.u32 %r2, [%d0+4];
    add.u32 %r2, %r2, 1;
    st.volatile.global.u32 [%d0+4], %r2;
    membar.gl;
    atom.global.exch.b32 %r3, [%d0], 0;)"));
  kernel.launch.block = {96, 1, 1};
  kernel.launch.grid = {3, 1, 1};
  const auto out = kernel.buffer(std::vector<std::uint32_t>(2));
  kernel.complete();
  EXPECT_EQ(kernel.values<std::uint32_t>(out)[1], 3u * 96);
}

// A barrier over the whole grid, made by hand: every block must be under way at once.
TEST(Progress, ABlockMayWaitForALaterOne) {
  Kernel kernel(kernel_text(1, R"(
    setp.ne.u32 %p0, %r0, 0;
    @%p0 bra JOIN;
    atom.global.add.u32 %r1, [%d0], 1;
    mov.u32 %r3, %nctaid.x;
  POLL:
    ld.acquire.gpu.global.u32 %r2, [%d0];
    setp.lt.u32 %p1, %r2, %r3;
    @%p1 bra POLL;
  JOIN:
    bar.sync 0;
    red.global.add.u32 [%d0+4], 1;)"));
  kernel.launch.block = {64, 1, 1};
  kernel.launch.grid = {20, 1, 1};
  const auto out = kernel.buffer(std::vector<std::uint32_t>(2));
  RunOptions options;
  options.thread_instruction_budget = 50'000'000;
  kernel.complete(options);
  EXPECT_EQ(kernel.values<std::uint32_t>(out)[1], 20u * 64);
}

TEST(Progress, AnEndlessLoopRunsOutOfBudget) {
  Kernel kernel(kernel_text(1, R"(
  LOOP:
    add.u32 %r1, %r1, 1;
    bra.uni LOOP;)"));
  kernel.buffer(std::vector<std::uint32_t>(1));
  kernel.launch.grid = {8, 1, 1};
  RunOptions options;
  options.thread_instruction_budget = 10'000'000;
  for (const unsigned threads : {1u, 2u, 5u}) {
    options.threads = threads;
    const auto finding = kernel.finding(options);
    EXPECT_EQ(finding.kind, launch::FindingKind::budget);
    EXPECT_EQ(finding.block, (launch::Dim3{0, 0, 0}));
  }
}

TEST(Progress, BlocksThatAllPollForWhatNeverComesRunOutOfBudgetTogether) {
  Kernel kernel(kernel_text(1, R"(
  POLL:
    ld.acquire.gpu.global.u32 %r2, [%d0];
    setp.ne.u32 %p1, %r2, 12345;
    @%p1 bra POLL;)"));
  kernel.buffer(std::vector<std::uint32_t>(1));
  kernel.launch.grid = {3000, 1, 1};  // more than one budget each would take for ever
  RunOptions options;
  options.thread_instruction_budget = 10'000'000;
  const auto finding = kernel.finding(options);
  EXPECT_EQ(finding.kind, launch::FindingKind::budget);
  EXPECT_EQ(finding.block, (launch::Dim3{0, 0, 0}));
}

/// Of blocks that are all alike.
std::uint64_t cost_of_one_block(Kernel& kernel) {
  const std::uint64_t first[] = {0};
  RunOptions options;
  options.blocks = first;
  return kernel.complete(options).cost;
}

TEST(Progress, ManyBlocksTogetherRunOutOfBudget) {
  Kernel kernel(kernel_text(1, "add.u32 %r1, %r0, 1;"));
  kernel.buffer(std::vector<std::uint32_t>(1));
  kernel.launch.grid = {100, 1, 1};
  RunOptions options;
  options.thread_instruction_budget = 10 * cost_of_one_block(kernel) + 1;  // and a little
  for (const unsigned threads : {1u, 2u, 5u}) {
    options.threads = threads;
    const auto finding = kernel.finding(options);
    EXPECT_EQ(finding.kind, launch::FindingKind::budget);
    EXPECT_EQ(finding.block.x, 10u);
  }
}

/// A loop of 500 turns, for the threads that do not skip it.
std::string looping(const std::string& skipped) {
  return kernel_text(1, skipped + R"(
  LOOP:
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p1, %r1, 500;
    @%p1 bra LOOP;
  END:)");
}

// No block takes long; what all of them together were told is that in each a lane worked alone.
TEST(Progress, ManyBlocksOfOneWorkingLaneEachAreToldOfIt) {
  Kernel one(looping("setp.ne.u32 %p0, %r0, 0;\n@%p0 bra END;")), all(looping(""));
  for (Kernel* kernel : {&one, &all}) {
    kernel->buffer(std::vector<std::uint32_t>(1));
    kernel->launch.grid = {50, 1, 1};
    RunOptions options;
    for (const std::uint32_t width : {64u, 1u}) {
      kernel->launch.block = {width, 1, 1};
      options.thread_instruction_budget = 10 * cost_of_one_block(*kernel) + 1;
      for (const unsigned threads : {1u, 2u, 5u}) {
        options.threads = threads;
        const auto finding = kernel->finding(options);
        EXPECT_EQ(finding.kind, launch::FindingKind::budget);
        EXPECT_EQ(finding.block.x, 10u);  // not at the one where a loop went on for too long
        // a block of one thread has no others that could help
        EXPECT_EQ(finding.cause == Cause::budget_one_lane, kernel == &one && width == 64)
            << all_words(finding);
      }
    }
  }
}

// Warps that meet at a barrier in every turn never run for long at a stretch.
TEST(Progress, AnEndlessLoopThroughABarrierRunsOutOfBudget) {
  Kernel kernel(kernel_text(1, R"(
  LOOP:
    .loc 1 9 3
    bar.sync 0;
    add.u32 %r1, %r1, 1;
    bra.uni LOOP;)",
                            ".file 1 \"kernel.cu\"\n"));
  kernel.buffer(std::vector<std::uint32_t>(1));
  kernel.launch.block = {96, 1, 1};
  kernel.launch.grid = {8, 1, 1};
  RunOptions options;
  options.thread_instruction_budget = 10'000'000;
  for (const unsigned threads : {1u, 2u, 5u}) {
    options.threads = threads;
    const auto finding = kernel.finding(options);
    EXPECT_EQ(finding.kind, launch::FindingKind::budget);
    EXPECT_EQ(finding.block, (launch::Dim3{0, 0, 0}));
    EXPECT_EQ(finding.where.line, 9u);
  }
}

// What a verdict may cost: others wait for the first block once they have taken an eighth of the budget.
TEST(Progress, EndlessBlocksOnSeveralThreadsCostLittleMoreThanOne) {
  Kernel kernel(kernel_text(1, R"(
  LOOP:
    add.u32 %r1, %r1, 1;
    bra.uni LOOP;)"));
  kernel.buffer(std::vector<std::uint32_t>(1));
  kernel.launch.grid = {8, 1, 1};
  RunOptions options;
  options.thread_instruction_budget = 64'000'000;
  for (const unsigned threads : {1u, 2u, 5u}) {
    options.threads = threads;
    const RunResult result = kernel.run(options);
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].block, (launch::Dim3{0, 0, 0}));
    const std::uint64_t late = 3'000'000;  // a warp looks up from its loop now and then only
    EXPECT_LE(32 * result.warp_instructions,
              64'000'000 + 8'000'000 * (threads - 1) + late * threads);
  }
}

// Block 0 polls for what block 1 writes after a long loop of its own: the one must not wait for the other's end.
TEST(Progress, AHeavyBlockThatAnEarlierOneWaitsForGoesOn) {
  Kernel kernel(kernel_text(1, R"(
    mov.u32 %r3, %ctaid.x;
    setp.ne.u32 %p0, %r3, 0;
    @%p0 bra HEAVY;
  POLL:
    ld.acquire.gpu.global.u32 %r2, [%d0];
    setp.eq.u32 %p1, %r2, 0;
    @%p1 bra POLL;
    st.global.u32 [%d0+4], %r2;
    bra.uni END;
  HEAVY:
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p2, %r1, 200000;
    @%p2 bra HEAVY;
    mov.u32 %r4, 42;
    st.release.gpu.global.u32 [%d0], %r4;
  END:)"));
  RunOptions options;
  options.thread_instruction_budget = 100'000'000;
  options.threads = 2;
  kernel.launch.grid = {2, 1, 1};
  const auto out = kernel.buffer(std::vector<std::uint32_t>(2));
  kernel.complete(options);
  EXPECT_EQ(kernel.values<std::uint32_t>(out)[1], 42u);
}

TEST(Progress, NoMoreBlocksAreBegunOnceTheBudgetIsSpent) {
  Kernel kernel(kernel_text(1, "add.u32 %r1, %r0, 1;"));
  kernel.buffer(std::vector<std::uint32_t>(1));
  kernel.launch.grid = {200'000, 1, 1};
  RunOptions options;
  const std::uint64_t one = cost_of_one_block(kernel);
  options.thread_instruction_budget = 8'000 * one;
  for (const unsigned threads : {1u, 2u, 5u}) {
    options.threads = threads;
    const RunResult result = kernel.run(options);
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].kind, launch::FindingKind::budget);
    EXPECT_EQ(result.findings[0].block.x, 8'000u);
    EXPECT_LE(result.cost, (8'000 + threads * 2'500) * one);  // of 200'000
  }
}

}  // namespace
}  // namespace labkit::simt::test
