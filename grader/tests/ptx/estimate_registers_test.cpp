#include "ptx/passes.h"
#include "tests/ptx/helpers.h"

namespace labkit::ptx {
namespace {

std::uint32_t registers_of(const std::string& body) {
  const Module module = test::parsed(test::kernel_text(body));
  const Function* k = module.find_function("k");
  return estimate_registers(*k, control_flow(*k));
}

TEST(EstimateRegisters, CountsWhatLivesAtTheWidestPoint) {
  const std::uint32_t none = registers_of("ret;");
  // a, b and their sum are never all alive: two at most.
  EXPECT_EQ(registers_of("mov.u32 %r1,%tid.x; mov.u32 %r2,%tid.y; add.u32 %r3,%r1,%r2; "
                         "st.global.u32 [0],%r3; ret;"),
            none + 2);
  EXPECT_EQ(registers_of("ld.global.u64 %rd1,[0]; st.global.u64 [8],%rd1; ret;"), none + 2)
      << "64 bits are two";
  EXPECT_EQ(registers_of("setp.eq.u32 %p1,1,2; @%p1 ret; ret;"), none) << "predicates are none";
  EXPECT_EQ(registers_of("ld.param.u64 %rd1,[a]; bar.sync 0; st.global.u32 [%rd1],1; ret;"), none)
      << "parameters are fetched again";
}

TEST(EstimateRegisters, LivesAroundLoops) {
  const std::uint32_t none = registers_of("ret;");
  // %r2 is read in the next turn, so it lives through the whole loop beside %r1 and %r3.
  EXPECT_EQ(
      registers_of(
          "mov.u32 %r1,%tid.x; mov.u32 %r2,%tid.y; L: ld.global.u32 %r3,[0]; add.u32 %r1,%r1,%r3;"
          "add.u32 %r1,%r1,%r2; setp.lt.u32 %p1,%r1,9; @%p1 bra L; st.global.u32 [0],%r1; ret;"),
      none + 3);
  EXPECT_EQ(
      registers_of("mov.u32 %r1,%tid.x; bra B; A: st.global.u32 [0],%r1; ret; B: @%p1 bra A; ret;"),
      none + 1);
}

TEST(EstimateRegisters, GuardedWritesKeepTheOldValue) {
  const std::uint32_t none = registers_of("ret;");
  EXPECT_EQ(registers_of("mov.u32 %r1,%tid.x; mov.u32 %r2,%tid.y; @%p1 mov.u32 %r1,%tid.z; add.u32 "
                         "%r1,%r1,%r2; st.global.u32 [0],%r1; ret;"),
            none + 2);
}

TEST(EstimateRegisters, NeverAboveWhatAThreadCanHave) {
  std::string body;
  for (int i = 0; i < 300; ++i)
    body += ".reg .b64 w" + std::to_string(i) + "; mov.u64 w" + std::to_string(i) + ",%clock64;\n";
  for (int i = 0; i < 300; ++i) body += "st.global.u64 [0],w" + std::to_string(i) + ";\n";
  EXPECT_EQ(registers_of(body), 255U);
}

}  // namespace
}  // namespace labkit::ptx
