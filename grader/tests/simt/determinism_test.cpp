// The same results and counts for any number of host threads and on every SIMD target.
#include "counts.h"
#include "kernel.h"

namespace labkit::simt::test {
namespace {

// Divergence, loops, shared memory, float atomics and integer atomics in one kernel.
const std::string kMixed = kernel_text(1, R"(
    .shared .align 4 .b8 s[1024];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r10, %ntid.x;
    mad.lo.u32 %r2, %r1, %r10, %r0;
    mul.wide.u32 %d5, %r2, 4;
    add.s64 %d5, %d0, %d5;
    cvt.rn.f32.u32 %f0, %r2;
    mov.u32 %r3, 0;
    and.b32 %r4, %r2, 13;
  LOOP:
    fma.rn.f32 %f0, %f0, 0f3F7FBE77, 0f3DCCCCCD;
    add.u32 %r3, %r3, 1;
    setp.le.u32 %p0, %r3, %r4;
    @%p0 bra LOOP;
    mov.u32 %r5, s;
    mad.lo.u32 %r6, %r0, 4, %r5;
    st.shared.f32 [%r6], %f0;
    bar.sync 0;
    xor.b32 %r7, %r0, 33;
    mad.lo.u32 %r7, %r7, 4, %r5;
    ld.shared.f32 %f1, [%r7];
    div.rn.f32 %f2, %f0, %f1;
    sqrt.rn.f32 %f3, %f2;
    st.global.f32 [%d5], %f3;
    red.global.add.f32 [%d0+262144], %f2;
    red.global.add.u32 [%d0+262148], %r3;)");

struct Outcome {
  std::vector<std::uint32_t> memory;
  std::vector<std::uint64_t> warps, threads;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome outcome(const std::string& text, const RunOptions& options) {
  Kernel kernel(text);
  const auto out = kernel.buffer(std::vector<std::uint32_t>(65536 + 2));
  kernel.launch.block = {128, 1, 1};
  kernel.launch.grid = {512, 1, 1};
  Counts counts;
  kernel.complete(options, &counts);
  return {kernel.values<std::uint32_t>(out), counts.warps, counts.threads};
}

TEST(Determinism, ThreadsAndTargetsChangeNothing) {
  std::string integers = kMixed;
  integers.erase(integers.find("red.global.add.f32"),
                 integers.find("red.global.add.u32") - integers.find("red.global.add.f32"));
  for (const auto& text : {kMixed, integers}) {
    const auto reference = outcome(text, {});
    for (const auto& simd : simd_targets())
      for (const unsigned threads : {1u, 2u, 5u}) {
        RunOptions options;
        options.simd = simd;
        options.threads = threads;
        EXPECT_TRUE(outcome(text, options) == reference) << simd << " " << threads;
      }
  }
}

TEST(Targets, ThePortableOneIsAlwaysThereAndLast) {
  const auto targets = simd_targets();
  ASSERT_FALSE(targets.empty());
  EXPECT_EQ(targets.back(), "portable");
}

TEST(Sampling, OnlySomeBlocksRun) {
  Kernel kernel(kernel_text(1,
                            "mov.u32 %r1, %ctaid.x;\nmul.wide.u32 %d5, %r1, 4;\nadd.s64 %d5, %d0, "
                            "%d5;\nst.global.u32 [%d5], 1;"));
  const auto out = kernel.buffer(std::vector<std::uint32_t>(10));
  kernel.launch.grid = {10, 1, 1};
  RunOptions options;
  const std::vector<std::uint64_t> chosen = {0, 3, 4, 9};
  options.blocks = chosen;
  kernel.complete(options);
  const std::vector<std::uint32_t> expected = {1, 0, 0, 1, 1, 0, 0, 0, 0, 1};
  EXPECT_EQ(kernel.values<std::uint32_t>(out), expected);
}

}  // namespace
}  // namespace labkit::simt::test
