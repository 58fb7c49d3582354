// mma, wmma and ldmatrix: what the golden files do not show. Their results are in tests/golden.
#include "kernel.h"

namespace labkit::simt::test {
namespace {

const std::string kProduct =
    "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r1, %r2}, {%r3}, "
    "{%f4, %f5, %f6, %f7};\n";
const std::string kSetUp =
    "mov.b32 %r1, 0; mov.b32 %r2, 0; mov.b32 %r3, 0; mov.f32 %f4, 0f00000000;\n"
    "mov.f32 %f5, 0f00000000; mov.f32 %f6, 0f00000000; mov.f32 %f7, 0f00000000;\n";

TEST(Matrix, LanesThatHavePartedWaitForOneAnother) {
  Kernel kernel(kernel_text(1, kSetUp +
                                   "setp.lt.u32 %p0, %r0, 16; @%p0 bra low;\n"
                                   "mov.f32 %f4, 0f3F800000; bra both;\nlow:\n"
                                   "mov.f32 %f4, 0f40000000;\nboth:\n" +
                                   kProduct + kOwnElement + "st.global.f32 [%d9], %f0;"));
  const auto out = kernel.buffer(std::vector<float>(32));
  kernel.complete();
  const auto values = kernel.values<float>(out);
  EXPECT_EQ(values[0], 2);
  EXPECT_EQ(values[31], 1);
}

TEST(Matrix, HalfAWarpHasNoProduct) {
  Kernel kernel(kernel_text(0, kSetUp + kProduct));
  kernel.launch.block = {48, 1, 1};
  const auto finding = kernel.finding();
  EXPECT_EQ(finding.cause, Cause::barrier_mask);
  EXPECT_NE(all_words(finding).find("16 of them came"), std::string::npos) << all_words(finding);
}

TEST(Matrix, LanesThatNeverComeAreADeadlock) {
  Kernel kernel(kernel_text(
      0, kSetUp + "setp.lt.u32 %p0, %r0, 16; @%p0 bra out;\n" + kProduct + "out: bar.sync 0;"));
  EXPECT_EQ(kernel.finding().kind, launch::FindingKind::barrier);
}

TEST(Matrix, ShapesAndTypesThatDoNotGoTogetherAreRefused) {
  const auto is_taken = [](const std::string& body) {
    return Kernel(kernel_text(1, body)).decoded.refused.empty();
  };
  const std::string eight = "{%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}", load = "wmma.load.";
  EXPECT_TRUE(is_taken(load + "a.sync.aligned.row.m16n16k16.f16 " + eight + ", [%d0], %r0;"));
  EXPECT_FALSE(is_taken(load + "a.sync.aligned.row.m16n16k16.s32 " + eight + ", [%d0], %r0;"));
  EXPECT_FALSE(is_taken(load + "a.sync.aligned.row.m16n16k8.f16 " + eight + ", [%d0], %r0;"));
  EXPECT_FALSE(is_taken(load + "c.sync.aligned.row.m16n16k16.f16 " + eight + ", [%d0], %r0;"));
  EXPECT_FALSE(
      is_taken("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0, %f1}, {%r1, %r2}, "
               "{%r3}, {%f4, %f5, %f6, %f7};"));
  EXPECT_FALSE(is_taken("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2}, [%d0];"));
}

TEST(Matrix, RowsOfLdmatrixMustBeInsideAndAligned) {
  const std::string tile = ".shared .align 16 .b8 tile[128];\n";
  const auto finding = [&](const std::string& address) {
    return Kernel(kernel_text(0, tile +
                                     "mov.u64 %d1, tile; mad.wide.u32 %d1, %r0, 16, %d1;\n"
                                     "ldmatrix.sync.aligned.m8n8." +
                                     address))
        .finding();
  };
  // of x1 the addresses of the first eight lanes count
  EXPECT_TRUE(
      Kernel(kernel_text(0, tile + "mov.u64 %d1, tile; mad.wide.u32 %d1, %r0, 16, %d1;\n"
                                   "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%d1];"))
          .run()
          .completed);
  EXPECT_EQ(finding("x2.shared.b16 {%r1, %r2}, [%d1];").cause, Cause::out_of_bounds_shared);
  EXPECT_EQ(finding("x1.shared.b16 {%r1}, [%d1+8];").cause, Cause::misaligned);
}

/// Eight rows of which the last was never written: what comes of that row is undefined, and nothing else.
TEST(Matrix, UndefinedRowsMakeUndefinedRowsOfTheProduct) {
  const auto run = [](const std::string& stores) {
    Kernel kernel(kernel_text(
        1, ".shared .align 16 .b8 tile[128];\n" + kSetUp +
               "mov.u64 %d1, tile; mad.wide.u32 %d2, %r0, 16, %d1;\n"
               "setp.lt.u32 %p0, %r0, 7; @%p0 st.shared.v4.b32 [%d2], {%r1, %r1, %r1, %r1};\n"
               "bar.sync 0; and.b32 %r5, %r0, 7; mad.wide.u32 %d2, %r5, 16, %d1;\n"
               "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%d2];\n" +
               kProduct + kOwnElement + "setp.lt.u32 %p1, %r0, 28;\n" + stores));
    kernel.buffer(std::vector<float>(32));
    RunOptions options;
    options.follow_undefined = true;
    return kernel.complete(options).undefined_uses;
  };
  EXPECT_TRUE(run("st.global.f32 [%d9], %f2;").empty());       // rows 8 to 15
  EXPECT_TRUE(run("@%p1 st.global.f32 [%d9], %f0;").empty());  // rows 0 to 6
  const auto uses = run("st.global.f32 [%d9], %f0;");
  ASSERT_EQ(uses.size(), 1u);
  EXPECT_EQ(uses[0].kind, UndefinedUse::Kind::output);
  EXPECT_EQ(uses[0].thread, 28u);
  EXPECT_EQ(uses[0].origin_address, 7u * 16);
}

}  // namespace
}  // namespace labkit::simt::test
