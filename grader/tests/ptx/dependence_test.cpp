// Chains of dependent instructions.
#include <numeric>

#include "ptx/passes.h"
#include "tests/ptx/helpers.h"

namespace labkit::ptx {
namespace {

int chain_of(const std::string& body) {
  const Module module = test::parsed(test::kernel_text(body));
  const Function& function = *module.find_function("k");
  const auto links = dependence_links(function, control_flow(function));
  EXPECT_EQ(links.size(), function.body.size());
  return std::accumulate(links.begin(), links.end(), 0);
}

TEST(Dependence, AChainIsAsLongAsItsResultsAreNeeded) {
  const int end = chain_of("ret;");
  EXPECT_EQ(end, 1);
  EXPECT_EQ(chain_of("add.f32 %f1,%f2,%f3; add.f32 %f4,%f5,%f6; add.f32 %f7,%f8,%f9; ret;"), 1)
      << "none needs another";
  EXPECT_EQ(chain_of("add.f32 %f1,%f1,%f3; add.f32 %f1,%f1,%f4; add.f32 %f1,%f1,%f5; ret;"), 3);
  EXPECT_EQ(chain_of("add.f32 %f1,%f1,%f3; add.f32 %f4,%f4,%f3; add.f32 %f1,%f1,%f5; "
                     "add.f32 %f4,%f4,%f5; add.f32 %f1,%f1,%f4; ret;"),
            3)
      << "two chains of two side by side, and their sum";
}

TEST(Dependence, WhatPtxasFoldsAwayIsNoLink) {
  EXPECT_EQ(chain_of("ld.param.u64 %rd1,[a]; cvta.to.global.u64 %rd2,%rd1; mov.u32 %r1,%tid.x; "
                     "mul.wide.u32 %rd3,%r1,4; add.s64 %rd4,%rd2,%rd3; ld.global.f32 %f1,[%rd4]; "
                     "ret;"),
            2)
      << "the address, and the load";
}

TEST(Dependence, ABranchWaitsForItsCondition) {
  // ten cycles from the comparison, ten to what follows (tests/h200/branches.csv)
  EXPECT_EQ(chain_of("$L: add.f32 %f1,%f1,%f2; setp.lt.f32 %p1,%f1,%f3; @%p1 bra $L; ret;"), 8);
  EXPECT_EQ(chain_of("$L: add.f32 %f1,%f1,%f2; setp.lt.f32 %p1,%f1,%f3; setp.gt.f32 %p2,%f1,%f4; "
                     "and.pred %p3,%p1,%p2; @%p3 bra $L; ret;"),
            11)
      << "one comparison waits for the other";
  EXPECT_EQ(chain_of("$L: ld.global.f32 %f1,[%rd1]; add.f32 %f2,%f2,%f1; add.s32 %r1,%r1,%r3; "
                     "add.s32 %r2,%r2,1; setp.lt.s32 %p1,%r2,%r4; @%p1 bra $L; ret;"),
            3)
      << "how often is known while the load is on its way";
}

TEST(Dependence, AGuardIsNeededAndABlockBeginsAnew) {
  EXPECT_EQ(chain_of("setp.ne.s32 %p1,%r1,0; @%p1 add.f32 %f1,%f1,%f2; ret;"), 2);
  EXPECT_EQ(chain_of("setp.ne.s32 %p1,%r1,0; @%p1 bra $L; add.f32 %f1,%f1,%f2; $L: ret;"), 4)
      << "compared and branched; added; returned";
  EXPECT_EQ(
      chain_of("setp.ne.s32 %p1,%r1,0; @%p1 bra $L; add.f32 %f1,%f1,%f2; $L: bar.sync 0; ret;"), 3)
      << "no branch is left";
}

}  // namespace
}  // namespace labkit::ptx
