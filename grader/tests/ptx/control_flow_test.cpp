#include "ptx/passes.h"
#include "tests/ptx/helpers.h"

namespace labkit::ptx {
namespace {

struct Flow {
  Module module;
  ControlFlow flow;
};
Flow flow_of(const std::string& body) {
  Flow result{test::parsed(test::kernel_text(body)), {}};
  result.flow = control_flow(*result.module.find_function("k"));
  return result;
}
std::vector<std::int32_t> post_dominators(const Flow& f) {
  std::vector<std::int32_t> out;
  for (const BasicBlock& block : f.flow.blocks) out.push_back(block.immediate_post_dominator);
  return out;
}
using Ids = std::vector<std::int32_t>;

TEST(ControlFlow, EmptyBody) { EXPECT_TRUE(flow_of("").flow.blocks.empty()); }

TEST(ControlFlow, StraightCodeIsOneBlockAndBarriersDoNotCut) {
  const Flow f = flow_of("mov.u32 %r1, 1; bar.sync 0; UNUSED: mov.u32 %r2, 2; ret;");
  ASSERT_EQ(f.flow.blocks.size(), 1U);
  EXPECT_EQ(f.flow.blocks[0].last, 4);
  EXPECT_TRUE(f.flow.blocks[0].successors.empty());
  EXPECT_EQ(post_dominators(f), (Ids{-1}));
}

TEST(ControlFlow, Triangle) {  // 0: branch, 1: inside, 2: join
  const Flow f = flow_of("@%p1 bra X; mov.u32 %r1, 1; X: mov.u32 %r2, 2; ret;");
  ASSERT_EQ(f.flow.blocks.size(), 3U);
  EXPECT_EQ(f.flow.blocks[0].successors, (Ids{1, 2}));
  EXPECT_EQ(f.flow.blocks[2].predecessors, (Ids{0, 1}));
  EXPECT_EQ(f.flow.block_of, (Ids{0, 1, 2, 2}));
  EXPECT_EQ(post_dominators(f), (Ids{2, 2, -1}));
}

TEST(ControlFlow, DiamondInsideLoop) {  // 0: entry, 1: head, 2: then, 3: else, 4: latch, 5: out
  const Flow f = flow_of(
      "mov.u32 %r1, 0; H: @%p1 bra E; mov.u32 %r2, 1; bra.uni J; E: mov.u32 %r2, 2; J: @%p2 bra H; "
      "st.f32 [%rd1], %f1; ret;");
  ASSERT_EQ(f.flow.blocks.size(), 6U);
  EXPECT_EQ(f.flow.blocks[4].successors, (Ids{5, 1}));
  EXPECT_EQ(post_dominators(f), (Ids{1, 4, 4, 4, 5, -1}));
}

// y is where the threads that did not return meet, though some paths from the first branch never come there.
TEST(ControlFlow, EarlyReturnsDoNotHideTheMeetingPoint) {
  // 0: if (c)  1: if (d) return  2: x  3: y  4: ret
  const Flow f = flow_of(
      "@%p1 bra Y; @%p2 bra END; mov.u32 %r1, 1; Y: mov.u32 %r2, 2; st.global.u32 [%rd1], %r2; "
      "END: ret;");
  ASSERT_EQ(f.flow.blocks.size(), 5U);
  EXPECT_EQ(post_dominators(f), (Ids{3, 2, 3, 4, -1}));
}

TEST(ControlFlow, GuardedReturnFallsThrough) {
  const Flow f = flow_of("@%p1 ret; mov.u32 %r1, 1; @%p2 exit; mov.u32 %r2, 1; ret;");
  ASSERT_EQ(f.flow.blocks.size(), 3U);
  EXPECT_EQ(f.flow.blocks[0].successors, (Ids{1}));
  EXPECT_EQ(post_dominators(f), (Ids{1, 2, -1}));
}

TEST(ControlFlow, OnlyWayOutOfALoopIsAReturn) {
  const Flow f = flow_of("L: @%p1 bra END; mov.u32 %r1, 1; bra L; END: ret;");
  ASSERT_EQ(f.flow.blocks.size(), 3U);
  EXPECT_EQ(post_dominators(f), (Ids{2, 0, -1}));
}

TEST(ControlFlow, EndlessLoopHasNoPostDominator) {
  const Flow f = flow_of("L: mov.u32 %r1, 1; bra L;");
  EXPECT_EQ(post_dominators(f), (Ids{-1}));
  EXPECT_EQ(f.flow.blocks[0].successors, (Ids{0}));
}

TEST(ControlFlow, RunningOffTheEndReturns) {
  const Flow f = flow_of("@%p1 bra END; mov.u32 %r1, 1; END:");
  ASSERT_EQ(f.flow.blocks.size(), 2U);
  EXPECT_EQ(f.flow.blocks[0].successors, (Ids{1}));
  EXPECT_EQ(f.flow.blocks[1].immediate_post_dominator, -1);
}

TEST(ControlFlow, IndexedBranchGoesToItsTable) {
  const Flow f = flow_of(
      "T: .branchtargets A, B, A; brx.idx %r1, T; A: mov.u32 %r1, 1; bra C; B: mov.u32 %r1, 2; C: "
      "trap;");
  ASSERT_EQ(f.flow.blocks.size(), 4U);
  EXPECT_EQ(f.flow.blocks[0].successors, (Ids{1, 2}));
  EXPECT_EQ(f.flow.blocks[0].immediate_post_dominator, 3);
}

}  // namespace
}  // namespace labkit::ptx
