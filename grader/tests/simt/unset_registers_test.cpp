// Registers that a kernel reads before it sets them: the same poison in each block, whatever ran before, and followed where
// that is asked for.
#include "kernel.h"

namespace labkit::simt::test {
namespace {

RunOptions options(unsigned threads, bool follow) {
  RunOptions made;
  made.threads = threads;
  made.follow_undefined = follow;
  return made;
}

/// Stores %r9, %d9 (its high word), %h1 and what %p9 selects, then sets them all to other things; with enough work after
/// that for their slots to be used again.
const std::string kUnset = kernel_text(1, R"(
    mov.u32 %r1, %ctaid.x;
    mad.lo.u32 %r2, %r1, 32, %r0;
    mul.wide.u32 %d1, %r2, 16;
    add.s64 %d1, %d0, %d1;
    st.global.u32 [%d1], %r9;
    shr.u64 %d2, %d9, 32;
    cvt.u32.u64 %r3, %d2;
    st.global.u32 [%d1+4], %r3;
    cvt.u32.u16 %r4, %h1;
    st.global.u32 [%d1+8], %r4;
    selp.u32 %r5, 1, 0, %p9;
    st.global.u32 [%d1+12], %r5;
    add.u32 %r9, %r2, 5;
    add.u64 %d9, %d1, 7;
    mov.u16 %h1, 3;
    setp.eq.u32 %p9, %r0, 99;
    add.u32 %r10, %r9, 1;
    mul.lo.u32 %r11, %r10, %r9;
    st.shared.u32 [0], %r11;
    @%p9 st.shared.u64 [8], %d9;
    st.shared.u16 [16], %h1;)");

TEST(UnsetRegisters, HoldTheSameInEveryBlock) {
  for (const unsigned threads : {1u, 3u}) {
    Kernel kernel(kUnset);
    kernel.launch.grid = {7, 1, 1};
    kernel.launch.dynamic_shared_bytes = 64;
    const auto out = kernel.buffer(std::vector<std::uint32_t>(7 * 32 * 4));
    kernel.complete(options(threads, false));
    const auto values = kernel.values<std::uint32_t>(out);
    for (std::size_t i = 0; i < values.size(); i += 4) {
      EXPECT_EQ(values[i], ~0u) << i;
      EXPECT_EQ(values[i + 1], ~0u) << i;
      EXPECT_EQ(values[i + 2], 0xFFFFu) << i;
      EXPECT_EQ(values[i + 3], 1u) << i;
    }
  }
}

TEST(UnsetRegisters, AreFollowedFromTheLineThatReadsThem) {
  Kernel kernel(kernel_text(1, R"(
    mov.u32 %r8, %r9;
    add.u32 %r1, %r8, 1;
    mul.wide.u32 %d1, %r0, 4;
    add.s64 %d1, %d0, %d1;
    st.global.u32 [%d1], %r1;)"));
  kernel.buffer(std::vector<std::uint32_t>(32));
  const auto result = kernel.complete(options(1, true));
  ASSERT_EQ(result.undefined_uses.size(), 1u);
  const auto& use = result.undefined_uses[0];
  EXPECT_EQ(use.kind, UndefinedUse::Kind::output);
  EXPECT_EQ(use.origin_space, ptx::Space::reg);
  const auto all = instructions(*kernel.decoded.program);
  const auto& in =
      all[use.origin].function->body[static_cast<std::size_t>(all[use.origin].body_index)];
  EXPECT_EQ(in.root(), "add") << in.spelling;  // not the copy
}

TEST(UnsetRegisters, AreNoneWhereEveryWayHasSetThem) {
  Kernel kernel(kernel_text(1, R"(
    setp.lt.u32 %p0, %r0, 7;
    @%p0 bra FEW;
    mov.u32 %r9, 2;
    bra.uni MEET;
  FEW:
    mov.u32 %r9, 3;
  MEET:
    mul.wide.u32 %d1, %r0, 4;
    add.s64 %d1, %d0, %d1;
    st.global.u32 [%d1], %r9;)"));
  kernel.buffer(std::vector<std::uint32_t>(32));
  EXPECT_TRUE(kernel.complete(options(1, true)).undefined_uses.empty());
}

}  // namespace
}  // namespace labkit::simt::test
