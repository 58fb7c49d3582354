#include "counts.h"
#include "kernel.h"

namespace labkit::simt::test {
namespace {

TEST(Divergence, BothSidesOfABranchRunOnceAndMeetBehindIt) {
  Kernel kernel(kernel_text(1, kOwnElement + R"(
    setp.lt.u32 %p0, %r0, 10;
    @%p0 bra LESS;
    mul.lo.u32 %r1, %r0, 3;
    bra.uni MEET;
  LESS:
    sub.u32 %r1, %r0, 100;
  MEET:
    xor.b32 %r1, %r1, 1;
    st.global.u32 [%d9], %r1;)"));
  const auto out = kernel.buffer(std::vector<std::uint32_t>(32));
  Counts counts;
  kernel.complete({}, &counts);
  const auto values = kernel.values<std::uint32_t>(out);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], (i < 10 ? i - 100 : 3 * i) ^ 1u);
  const auto& program = *kernel.decoded.program;
  EXPECT_EQ(counts.warps[index_of(program, "mul.lo.u32")], 1u);
  EXPECT_EQ(counts.threads[index_of(program, "mul.lo.u32")], 22u);
  EXPECT_EQ(counts.threads[index_of(program, "sub.u32")], 10u);
  EXPECT_EQ(counts.warps[index_of(program, "xor.b32")], 1u);
  EXPECT_EQ(counts.threads[index_of(program, "xor.b32")], 32u);
}

TEST(Divergence, ABallotHasTwoSpellings) {
  Kernel kernel(kernel_text(1, kOwnElement + R"(
    setp.lt.u32 %p0, %r0, 10;
    vote.ballot.sync.b32 %r1, %p0, 0xffffffff;
    vote.sync.ballot.b32 %r2, %p0, 0xffffffff;
    add.u32 %r1, %r1, %r2;
    st.global.u32 [%d9], %r1;)"));
  const auto out = kernel.buffer(std::vector<std::uint32_t>(32));
  kernel.complete();
  EXPECT_EQ(kernel.values<std::uint32_t>(out)[31], 2 * 0x3ffu);
}

TEST(Divergence, LanesLeaveALoopOneByOneAndMeetBehindIt) {
  Kernel kernel(kernel_text(1, kOwnElement + R"(
    mov.u32 %r1, 0;
    mov.u32 %r2, 0;
  LOOP:
    add.u32 %r2, %r2, %r1;
    add.u32 %r1, %r1, 1;
    setp.le.u32 %p0, %r1, %r0;
    @%p0 bra LOOP;
    st.global.u32 [%d9], %r2;)"));
  const auto out = kernel.buffer(std::vector<std::uint32_t>(32));
  Counts counts;
  kernel.complete({}, &counts);
  const auto values = kernel.values<std::uint32_t>(out);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], i * (i + 1) / 2);
  EXPECT_EQ(counts.warps[index_of(*kernel.decoded.program, "add.u32")], 32u);
  EXPECT_EQ(counts.threads[index_of(*kernel.decoded.program, "add.u32")], 32u * 33 / 2);
  EXPECT_EQ(counts.warps[index_of(*kernel.decoded.program, "st.global.u32")], 1u);
}

// if (tid < 16) { if (tid & 1) return; A } B: B runs once for all who are left, although some lanes never get there.
TEST(Divergence, AnEarlyReturnDoesNotKeepTheOthersApart) {
  Kernel kernel(kernel_text(1, kOwnElement + R"(
    setp.ge.u32 %p0, %r0, 16;
    @%p0 bra B;
    and.b32 %r1, %r0, 1;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra END;
    st.global.u32 [%d9], 7;
  B:
    atom.global.add.u32 %r2, [%d9], 100;
  END:)"));
  const auto out = kernel.buffer(std::vector<std::uint32_t>(32));
  Counts counts;
  kernel.complete({}, &counts);
  const auto values = kernel.values<std::uint32_t>(out);
  for (std::uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(values[i], i >= 16 ? 100u : i % 2 == 1 ? 0u : 107u);
  const auto b = index_of(*kernel.decoded.program, "atom.global.add.u32");
  EXPECT_EQ(counts.warps[b], 1u);
  EXPECT_EQ(counts.threads[b], 24u);
}

// if (tid > 30) return; __syncwarp(); for (i = 0; i < 3; ++i) A; as unoptimised code has it: the loop, too, ends with a jump to
// the end, but only the return is one that does not count.
TEST(Divergence, AnEarlyReturnBeforeALastLoopIsOneStill) {
  Kernel kernel(kernel_text(1, kOwnElement + R"(
    setp.lt.u32 %p0, %r0, 31;
    @%p0 bra GO;
    bra.uni LEAVE;
  LEAVE:
    bra.uni END;
  GO:
    mov.u32 %r1, 0;
    bar.warp.sync -1;
  LOOP:
    setp.ge.u32 %p1, %r1, 3;
    @%p1 bra END;
    bra.uni BODY;
  BODY:
    atom.global.add.u32 %r2, [%d9], 100;
    add.u32 %r1, %r1, 1;
    bra.uni LOOP;
  END:)"));
  const auto out = kernel.buffer(std::vector<std::uint32_t>(32));
  kernel.complete({});
  const auto values = kernel.values<std::uint32_t>(out);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], i < 31 ? 300u : 0u);
}

TEST(Divergence, PredicatedInstructionsCountTheLanesThatAreOn) {
  Kernel kernel(kernel_text(1, kOwnElement + R"(
    setp.lt.u32 %p0, %r0, 5;
    setp.gt.u32 %p1, %r0, 99;
    mov.u32 %r1, 1;
    @%p0 add.u32 %r1, %r1, 1;
    @!%p0 sub.u32 %r1, %r1, 1;
    @%p1 xor.b32 %r1, %r1, 255;
    st.global.u32 [%d9], %r1;)"));
  const auto out = kernel.buffer(std::vector<std::uint32_t>(32));
  Counts counts;
  const auto result = kernel.complete({}, &counts);
  const auto values = kernel.values<std::uint32_t>(out);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], i < 5 ? 2u : 0u);
  const auto& program = *kernel.decoded.program;
  EXPECT_EQ(counts.threads[index_of(program, "add.u32")], 5u);
  EXPECT_EQ(counts.threads[index_of(program, "sub.u32")], 27u);
  EXPECT_EQ(counts.warps[index_of(program, "xor.b32")], 0u);
  EXPECT_EQ(result.thread_instructions, 32u * 9 + 5 + 27);
}

TEST(Divergence, BranchThroughATable) {
  Kernel kernel(kernel_text(1, kOwnElement + R"(
    and.b32 %r1, %r0, 3;
    ts: .branchtargets A, B, A, C;
    brx.idx %r1, ts;
  A: mov.u32 %r2, 10; bra.uni MEET;
  B: mov.u32 %r2, 20; bra.uni MEET;
  C: mov.u32 %r2, 30;
  MEET:
    st.global.u32 [%d9], %r2;)"));
  const auto out = kernel.buffer(std::vector<std::uint32_t>(32));
  Counts counts;
  kernel.complete({}, &counts);
  const std::uint32_t want[] = {10, 20, 10, 30};
  const auto values = kernel.values<std::uint32_t>(out);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], want[i % 4]);
  EXPECT_EQ(counts.warps[index_of(*kernel.decoded.program, "st.global.u32")], 1u);
}

TEST(Divergence, ActiveMaskIsThatOfTheSplit) {
  Kernel kernel(kernel_text(1, kOwnElement + R"(
    setp.lt.u32 %p0, %r0, 8;
    @%p0 bra LOW;
    activemask.b32 %r1;
    bra.uni MEET;
  LOW:
    activemask.b32 %r1;
  MEET:
    st.global.u32 [%d9], %r1;)"));
  const auto out = kernel.buffer(std::vector<std::uint32_t>(32));
  kernel.complete();
  const auto values = kernel.values<std::uint32_t>(out);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], i < 8 ? 0xFFu : 0xFFFFFF00u);
}

}  // namespace
}  // namespace labkit::simt::test
