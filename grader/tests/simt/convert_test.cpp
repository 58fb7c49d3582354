// cvt, ld and st with registers wider than their types, as compilers write them for (long long)(int)x.
#include "kernel.h"

namespace labkit::simt::test {
namespace {

constexpr std::uint64_t kValue = 0x1234567890ABCDEFull;

/// What `body` leaves in %d5, which begins as 77, when %d4 holds kValue.
std::uint64_t converted(const std::string& body) {
  Kernel kernel(kernel_text(
      1, "ld.global.u64 %d4, [%d0]; mov.u64 %d5, 77;\n" + body + "\nst.global.u64 [%d0+8], %d5;"));
  const auto address = kernel.buffer(std::vector<std::uint64_t>{kValue, 0});
  kernel.complete();
  return kernel.values<std::uint64_t>(address)[1];
}

TEST(Convert, TheLowBitsOfAWiderSourceCount) {
  EXPECT_EQ(converted("cvt.s64.s32 %d5, %d4;"), 0xFFFFFFFF90ABCDEFull);
  EXPECT_EQ(converted("cvt.u64.u32 %d5, %d4;"), 0x90ABCDEFull);
  EXPECT_EQ(converted("cvt.s64.s16 %d5, %d4;"), 0xFFFFFFFFFFFFCDEFull);
  EXPECT_EQ(converted("cvt.u64.u16 %d5, %d4;"), 0xCDEFull);
  EXPECT_EQ(converted("cvt.s64.s8 %d5, %d4;"), 0xFFFFFFFFFFFFFFEFull);
  EXPECT_EQ(converted("cvt.u64.u8 %d5, %d4;"), 0xEFull);
  EXPECT_EQ(converted("cvt.s32.s8 %r3, %d4; mov.b64 %d5, {%r3, %r3};"), 0xFFFFFFEFFFFFFFEFull);
  EXPECT_EQ(converted("cvt.rn.f64.s32 %d5, %d4;"), 0xC1DBD50C84400000ull);
}

TEST(Convert, AResultIsExtendedToAWiderRegister) {
  EXPECT_EQ(converted("cvt.s32.s64 %d5, %d4;"), 0xFFFFFFFF90ABCDEFull);
  EXPECT_EQ(converted("cvt.u32.u64 %d5, %d4;"), 0x90ABCDEFull);
  EXPECT_EQ(converted("cvt.s8.s64 %d5, %d4;"), 0xFFFFFFFFFFFFFFEFull);
  EXPECT_EQ(converted("cvt.u8.s64 %d5, %d4;"), 0xEFull);
  EXPECT_EQ(converted("cvt.u16.u32 %d5, %d4;"), 0xCDEFull);
  EXPECT_EQ(converted("cvt.sat.s16.s32 %d5, %d4;"), 0xFFFFFFFFFFFF8000ull);
}

TEST(Convert, AGuardHoldsForTheWholeConversion) {
  EXPECT_EQ(converted("setp.ne.s32 %p0, 0, 0; @%p0 cvt.s64.s32 %d5, %d4;"), 77u);
  EXPECT_EQ(converted("setp.ne.s32 %p0, 0, 0; @%p0 cvt.s32.s64 %d5, %d4;"), 77u);
  EXPECT_EQ(converted("setp.eq.s32 %p0, 0, 0; @%p0 cvt.s8.s16 %d5, %d4;"), 0xFFFFFFFFFFFFFFEFull);
}

TEST(Convert, LanesKeepTheirOwnValuesAndOneInstructionIsCounted) {
  Kernel kernel(kernel_text(1,
                            "mul.wide.u32 %d5, %r0, 8; add.s64 %d9, %d0, %d5;\n"
                            "ld.global.u64 %d4, [%d9]; cvt.s32.s16 %d4, %d4;\n"
                            "st.global.u64 [%d9], %d4;"));
  std::vector<std::uint64_t> values;
  for (std::uint64_t i = 0; i < 32; ++i) values.push_back(0xABCD00000000ull + i * 4000);
  const auto address = kernel.buffer(values);
  const auto result = kernel.complete();
  EXPECT_EQ(result.warp_instructions, 8u);
  const auto got = kernel.values<std::int64_t>(address);
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(got[i], static_cast<std::int16_t>(i * 4000)) << i;
}

TEST(Convert, LoadsAndStoresTakeWiderRegisters) {
  EXPECT_EQ(converted("ld.global.s8 %d5, [%d0];"), 0xFFFFFFFFFFFFFFEFull);
  EXPECT_EQ(converted("ld.global.u16 %d5, [%d0];"), 0xCDEFull);
  EXPECT_EQ(converted("ld.global.s32 %d5, [%d0];"), 0xFFFFFFFF90ABCDEFull);
  EXPECT_EQ(converted("st.global.u8 [%d0+1], %d4; ld.global.u32 %d5, [%d0];"), 0x90ABEFEFull);
  EXPECT_EQ(converted("st.global.u32 [%d0+4], %d4; ld.global.u64 %d5, [%d0];"),
            0x90ABCDEF90ABCDEFull);
}

TEST(Convert, ANarrowerRegisterAndAWiderFloatAreStillRefused) {
  EXPECT_EQ(Kernel(kernel_text(0, "cvt.s64.s32 %d5, %h1;")).decoded.refused.size(), 1u);
  EXPECT_EQ(Kernel(kernel_text(0, "cvt.f64.f32 %d5, %d4;")).decoded.refused.size(), 1u);
  EXPECT_EQ(Kernel(kernel_text(0, "add.s32 %r1, %d4, %d4;")).decoded.refused.size(), 1u);
}

}  // namespace
}  // namespace labkit::simt::test
