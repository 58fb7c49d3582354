// What ptxas makes of instructions where they stand. Expected: machine code of ptxas 13.0 for sm_90.
#include <gtest/gtest.h>

#include "ptx/machine_cost.h"
#include "ptx/passes.h"
#include "tests/ptx/helpers.h"

namespace labkit::ptx {
namespace {

/// Issue slots of a kernel's instructions after `begin`, executed once each.
double slots(const std::string& body, std::size_t begin = 0) {
  const Module module = test::parsed(test::kernel_text(body));
  const Function& function = *module.find_function("k");
  const auto costs = machine_costs(function, control_flow(function));
  EXPECT_EQ(costs.size(), function.body.size());
  double sum = 0;
  for (std::size_t i = begin; i < costs.size(); ++i) sum += costs[i].issue;
  return sum;
}

TEST(Folding, AKernelHasAPrologue) { EXPECT_EQ(slots("ret;"), 3); }

TEST(Folding, AnIndexTimesASizeIsPartOfTheSum) {
  EXPECT_EQ(slots("ret; mul.wide.s32 %rd1,%r1,4; add.s64 %rd2,%rd3,%rd1; add.s64 %rd4,%rd5,%rd1; "
                  "ld.global.f32 %f1,[%rd2]; st.global.f32 [%rd4],%f1;",
                  1),
            4)
      << "IMAD.WIDE, IMAD.WIDE, LDG, STG";
  EXPECT_EQ(slots("ret; mul.wide.s32 %rd1,%r1,4; st.global.u64 [%rd3],%rd1;", 1), 2);
  EXPECT_EQ(slots("ret; add.s64 %rd2,%rd3,%rd1; ld.global.f32 %f1,[%rd2];", 1), 3);
}

TEST(Folding, CopiesAndConversionsOfWidthAreNothing) {
  EXPECT_EQ(slots("ret; mov.f32 %f1,%f2; mov.b32 %r1,%f1; mov.u32 %r2,5; mov.u64 %rd1,t; "
                  "cvta.to.global.u64 %rd2,%rd3; cvt.u64.u32 %rd4,%r2; cvt.u32.u64 %r3,%rd4;",
                  1),
            0);
  EXPECT_EQ(slots("ret; mov.u32 %r1,%tid.x;", 1), 1);
}

TEST(Folding, OfASharedAddressTheUpperHalfIsNotComputed) {
  EXPECT_EQ(slots("mov.u64 %rd9,t; ret; shl.b32 %r2,%r1,2; cvt.u64.u32 %rd1,%r2; "
                  "and.b64 %rd2,%rd1,4092; add.s64 %rd3,%rd9,%rd2; ld.shared.f32 %f1,[%rd3];",
                  2),
            3)
      << "SHL, LOP3, LDS";
  EXPECT_EQ(slots("ret; and.b64 %rd2,%rd1,%rd4; st.global.u64 [%rd3],%rd2;", 1), 3);
}

TEST(Folding, AConditionJoinsAComparison) {
  EXPECT_EQ(
      slots("ret; setp.lt.s32 %p1,%r1,%r2; setp.lt.s32 %p2,%r3,%r4; and.pred %p3,%p1,%p2;", 1), 2);
}

std::string loop(const std::string& body, const std::string& step, const std::string& pragma = {}) {
  return "mov.u32 %r1,0; $L: " + pragma + body + "add.s32 %r1,%r1," + step +
         "; setp.lt.s32 %p1,%r1,%r2; @%p1 bra $L; ret;";
}

TEST(Folding, AShortLoopThatCountsByAConstantIsUnrolled) {
  const std::string sum = "ld.global.f32 %f1,[%rd1]; add.f32 %f2,%f2,%f1; add.s64 %rd1,%rd1,4; ";
  EXPECT_EQ(slots(loop(sum, "1"), 1), 2 + 5 / 4.0 + 1);
  EXPECT_EQ(slots(loop(sum, "%r3"), 1), 7 + 1) << "by a variable";
  EXPECT_EQ(slots(loop(sum, "1", ".pragma \"nounroll\"; "), 1), 7 + 1);
  std::string many;
  for (int i = 0; i < 40; ++i) many += "add.f32 %f2,%f2,%f1; ";
  EXPECT_EQ(slots(loop(sum + many, "1"), 1), 47 + 1) << "too long";
}

TEST(Folding, ABranchAroundPredicatesIsNone) {
  EXPECT_EQ(
      slots("ret; setp.ne.s32 %p1,%r1,0; @%p1 bra $L; add.f32 %f1,%f1,%f2; $L: bar.sync 0; ret;",
            1),
      4)
      << "ISETP, FADD, BAR, EXIT";
}

TEST(Folding, AConversionToFloatIsAnInstructionOfTheAlu) {
  const Module module = test::parsed(
      test::kernel_text("cvt.rn.f32.u32 %f1,%r1; cvt.rn.f32.s32 %f2,%r1; cvt.rzi.u32.f32 %r2,%f1; "
                        "cvt.rn.f32.u64 %f3,%rd1; ret;"));
  const Function& function = *module.find_function("k");
  const auto costs = machine_costs(function, control_flow(function));
  EXPECT_EQ(costs[1].issue, 1);
  for (const std::size_t i : {0, 1}) EXPECT_EQ(costs[i].alu, 2) << "I2FP";
  EXPECT_EQ(costs[2].xu, 8) << "F2I";
  EXPECT_GT(costs[3].xu, 8) << "I2F of 64 bits";
}

TEST(Folding, SharedMemoryHasAWindow) {
  EXPECT_EQ(slots("ret; st.shared.f32 [t],%f1;") - slots("ret; st.global.f32 [%rd1],%f1;"), 3)
      << "S2R, MOV, LEA";
}

TEST(Folding, AComparisonInAnUnrolledLoopStaysWhereItIsNotTheLoops) {
  const std::string sum = "ld.global.f32 %f1,[%rd1]; add.f32 %f2,%f2,%f1; add.s64 %rd1,%rd1,4; ";
  EXPECT_EQ(slots(loop("setp.lt.f32 %p2,%f1,%f3; " + sum, "1"), 1) - slots(loop(sum, "1"), 1), 1);
}

TEST(Folding, ACopyInALoopIsOneWhereBothValuesAreNeeded) {
  const auto copy = [](const std::string& between) {
    return slots("mov.u32 %r1,0; $L: mul.lo.s32 %r3,%r1,%r2; " + between +
                     "mov.u32 %r1,%r3; setp.lt.s32 %p1,%r3,%r4; @%p1 bra $L; ret;",
                 1) -
           slots(between + "ret;", 1);
  };
  EXPECT_EQ(copy("add.s32 %r5,%r5,%r1; ") - copy("add.s32 %r5,%r5,%r6; "), 0)
      << "%r3 is compared behind the copy in both";
  const auto plain = [](const std::string& between) {
    return slots("mov.u32 %r1,0; $L: mul.lo.s32 %r3,%r1,%r2; " + between +
                     "mov.u32 %r1,%r3; @%p1 bra $L; ret;",
                 1);
  };
  EXPECT_EQ(plain("add.s32 %r5,%r5,%r1; ") - plain("add.s32 %r5,%r5,%r6; "), 1);
}

TEST(Folding, ABranchThatDividesAWarpIsHeldTogether) {
  std::string many;
  for (int i = 0; i < 30; ++i) many += "add.f32 %f1,%f1,%f2; ";
  const auto branch = [&](const std::string& value) {
    return slots("mov.u32 %r1," + value + "; setp.ne.s32 %p1,%r1,0; @%p1 bra $L; " + many +
                 "$L: bar.sync 0; ret;");
  };
  EXPECT_EQ(branch("%tid.x") - branch("%ctaid.x"), 2) << "BSSY, BSYNC";
}

TEST(Folding, OneLaneAddsForAllThatAddAtOnePlace) {
  const auto added = [](const std::string& value) {
    return slots("mov.u32 %r2," + value +
                 "; atom.shared.add.u32 %r1,[t],%r2; "
                 "st.global.u32 [%rd1],%r1; ret;");
  };
  EXPECT_EQ(added("%ctaid.x") - added("%tid.x"), 13);
}

TEST(Folding, AnAtomicWhoseResultNobodyReadsIsAReduction) {
  const Module module = test::parsed(test::kernel_text(
      "atom.global.add.u32 %r1,[%rd1],%r2; atom.global.add.u32 %r3,[%rd1],%r2; "
      "atom.global.exch.b32 %r4,[%rd1],%r2; red.global.add.u32 [%rd1],%r3; ret;"));
  EXPECT_EQ(reductions(*module.find_function("k")),
            (std::vector<bool>{true, false, false, true, false}));
}

TEST(Folding, ALoopThatAlsoAsksForAResultIsNotUnrolled) {
  EXPECT_EQ(slots("$L: add.f32 %f1,%f1,%f2; add.s32 %r1,%r1,1; setp.lt.s32 %p1,%r1,%r2; "
                  "setp.lt.f32 %p2,%f1,%f3; and.pred %p3,%p1,%p2; @%p3 bra $L; ret;",
                  1),
            5);
}

}  // namespace
}  // namespace labkit::ptx
