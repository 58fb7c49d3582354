// What a launch takes of its budget: more for what costs the host more, and the same everywhere.
#include "kernel.h"

namespace labkit::simt::test {
namespace {

/// Slots of a launch whose body is `body`, twenty times, beyond one with `nothing` in its place.
std::uint64_t cost_of_body(const std::string& body, const std::string& before = {},
                           const RunOptions& options = {}) {
  std::uint64_t costs[2];
  for (int times : {0, 20}) {
    std::string text = before;
    for (int k = 0; k < times; ++k) text += body + "\n";
    Kernel kernel(kernel_text(1, text));
    kernel.launch.block = {64, 1, 1};
    kernel.launch.grid = {24, 1, 1};
    kernel.buffer(std::vector<std::uint32_t>(1u << 16));
    costs[times != 0] = kernel.complete(options).cost;
  }
  return (costs[1] - costs[0]) / (20 * 2 * 24);
}

const std::string kOwn = kOwnElement;
const std::string kFar = "mul.wide.u32 %d8, %r0, 1024; add.s64 %d8, %d0, %d8;\n";
/// Other distances each time.
const std::string kHop =
    "mad.lo.u32 %r9, %r9, 1664525, %r0; shr.u32 %r8, %r9, 15; and.b32 %r8, %r8, 65532;\n"
    "cvt.u64.u32 %d8, %r8; add.s64 %d8, %d0, %d8;\n";

TEST(Cost, APlainInstructionTakes32SlotsHoweverManyLanesAreOn) {
  EXPECT_EQ(cost_of_body("add.u32 %r1, %r1, %r0;"), 32u);
  EXPECT_EQ(cost_of_body("@%p1 add.u32 %r1, %r1, %r0;", "setp.eq.u32 %p1, %r0, %r0;"), 40u);
  // One that is passed is not free, or a loop of such would be endless for nothing.
  EXPECT_EQ(cost_of_body("@%p1 add.u32 %r1, %r1, %r0;", "setp.ne.u32 %p1, %r0, %r0;"), 8u);
}

TEST(Cost, WhatTakesTheHostLongerTakesMore) {
  EXPECT_GE(cost_of_body("match.any.sync.b32 %r1, %r0, -1;"), 50u * 32);
  EXPECT_GE(cost_of_body("redux.sync.add.s32 %r1, %r0, -1;"), 100u * 32);
  EXPECT_GE(cost_of_body("div.u64 %d7, %d6, %d5;", "mov.u64 %d5, 3;"), 5u * 32);
  EXPECT_GE(cost_of_body("tanh.approx.f32 %f1, %f2;"), 20u * 32);
  EXPECT_GE(cost_of_body("fma.rn.f16x2 %r1, %r2, %r3, %r4;"), 40u * 32);
}

TEST(Cost, AddressesCountByHowTheyLie) {
  const auto near = cost_of_body("ld.global.u32 %r1, [%d9];", kOwn),
             one_pattern = cost_of_body("ld.global.u32 %r1, [%d8];", kFar),
             hop = cost_of_body(kHop + "ld.global.u32 %r1, [%d8];", "mov.u32 %r9, %r0;"),
             generic = cost_of_body("ld.u32 %r1, [%d9];", kOwn),
             atomic = cost_of_body("red.global.add.u32 [%d9], 1;", kOwn),
             scattered = cost_of_body("red.global.add.u32 [%d8], 1;", kFar);
  EXPECT_LE(near, 30u * 32);
  EXPECT_LE(one_pattern, near);  // known from the warp before
  EXPECT_GE(generic, near + 30 * 32);
  EXPECT_GE(scattered, atomic + 200 * 32);
  EXPECT_GE(hop, near);
}

TEST(Cost, NewDistancesInALoopAreCharged) {
  auto cost = [](const std::string& step) {
    Kernel kernel(kernel_text(1, "mov.u32 %r5, 0; mov.u32 %r9, %r0;\n" + kOwn + "LOOP:\n" + step +
                                     "ld.global.u32 %r1, [%d8];\nadd.u32 %r5, %r5, 1;\n"
                                     "setp.lt.u32 %p1, %r5, 100;\n@%p1 bra LOOP;"));
    kernel.buffer(std::vector<std::uint32_t>(1u << 16));
    return kernel.complete().cost;
  };
  EXPECT_GE(cost(kHop), cost("mov.u64 %d8, %d9;") + 100u * 200 * 32);
}

TEST(Cost, IsTheSameForAnyNumberOfThreadsAndOnEverySimdTarget) {
  const std::string body =
      "mov.u32 %r5, 0; mov.u32 %r9, %r0;\nLOOP:\n" + kHop +
      "st.global.u32 [%d8], %r5;\nbar.sync 0;\nadd.u32 %r5, %r5, 1;\n"
      "mov.u32 %r6, %ctaid.x; and.b32 %r6, %r6, 3; setp.lt.u32 %p1, %r5, %r6;\n@%p1 bra LOOP;";
  std::uint64_t first = 0;
  for (const auto& simd : simd_targets())
    for (const unsigned threads : {1u, 2u, 5u}) {
      Kernel kernel(kernel_text(1, body));
      kernel.launch.block = {96, 1, 1};
      kernel.launch.grid = {200, 1, 1};
      kernel.buffer(std::vector<std::uint32_t>(1u << 16));
      RunOptions options;
      options.threads = threads;
      options.simd = simd;
      const auto cost = kernel.complete(options).cost;
      if (first == 0) first = cost;
      EXPECT_EQ(cost, first) << simd << ' ' << threads;
    }
}

// A launch ends at the same cost with a budget of just that, and not with one less.
TEST(Cost, IsWhatABudgetIsHeldAgainst) {
  Kernel kernel(kernel_text(1, "match.any.sync.b32 %r1, %r0, -1;"));
  kernel.launch.grid = {8, 1, 1};
  kernel.buffer(std::vector<std::uint32_t>(32));
  RunOptions options;
  options.thread_instruction_budget = kernel.complete().cost;
  kernel.complete(options);
  --options.thread_instruction_budget;
  EXPECT_EQ(kernel.finding(options).kind, launch::FindingKind::budget);
}

}  // namespace
}  // namespace labkit::simt::test
