// What nobody reads: elements of inputs, and values that a block leaves in shared memory.
#include "observe/unread.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>

#include "simt/machine.h"
#include "words/render.h"

namespace labkit::observe::test {
namespace {

/// A warp, a buffer of 64 floats in %d0; %r0 tid.x, %r2 its word of `sums`, %d1 its element.
Unread unread_of(const std::string& body, launch::Dim3 grid = {1, 1, 1}) {
  const auto parsed = ptx::parse(R"(.version 7.8
.target sm_90
.address_size 64
.shared .align 16 .b8 sums[256];
.visible .entry k(.param .u64 p)
{
.reg .b32 %r<40>; .reg .b64 %d<20>; .reg .pred %p<20>;
.loc 1 3 1
ld.param.u64 %d0, [p];
mov.u32 %r0, %tid.x;
mul.wide.u32 %d1, %r0, 4;
add.s64 %d1, %d0, %d1;
mov.u32 %r2, sums;
mad.lo.u32 %r2, %r0, 4, %r2;
add.u32 %r1, %r0, 1;
)" + body + "\nret;\n}\n.file 1 \"kernel.cu\"\n");
  EXPECT_TRUE(parsed.module) << parsed.error.message << " at " << parsed.error.ptx_line;
  const auto decoded = simt::decode(*parsed.module, "k");
  EXPECT_TRUE(decoded.program);
  simt::Memory memory;
  const std::uint64_t address = memory.allocate("p", std::vector<std::byte>(256, std::byte{0}));
  launch::Launch launch;
  launch.kernel = launch.entry = "k";
  launch.grid = grid;
  launch.block = {32, 1, 1};
  const Places names(*decoded.program, launch, memory);
  const NamedRange array{.name = "p", .begin = address, .bytes = 256};
  ReadWatch watch(names, std::span(&array, 1));
  const auto ran = simt::run(*decoded.program, launch, std::as_bytes(std::span(&address, 1)),
                             memory, &watch, {.threads = 1, .simd = {}});
  EXPECT_TRUE(ran.completed);
  return watch.take();
}

/// The first three threads store; the first adds the second's value to its own and reads the sum.
constexpr const char* kThreeSums = R"(
setp.lt.u32 %p1, %r0, 3;
.loc 1 7 1
@%p1 st.shared.u32 [%r2], %r1;
bar.sync 0;
setp.eq.u32 %p2, %r0, 0;
.loc 1 9 1
@%p2 ld.shared.u32 %r4, [sums];
@%p2 ld.shared.u32 %r5, [sums+4];
add.u32 %r4, %r4, %r5;
@%p2 st.shared.u32 [sums], %r4;
@%p2 ld.shared.u32 %r6, [sums];
@%p2 st.global.u32 [%d0], %r6;)";

TEST(Unread, TheLastOfAnOddNumberOfSumsIsLost) {
  const Unread unread = unread_of(kThreeSums, {2, 1, 1});
  ASSERT_TRUE(unread.left);
  EXPECT_EQ(unread.left->elements, (std::vector<std::uint64_t>{2}));
  EXPECT_EQ(unread.left->array.name, "sums");
  EXPECT_EQ(unread.left->where.line, 7u);
  EXPECT_EQ(unread.left->block, (launch::Dim3{0, 0, 0}));
}

TEST(Unread, BinsThatNobodyMergesAreLost) {
  const Unread unread = unread_of(R"(
.loc 1 5 1
atom.shared.add.u32 %r4, [%r2], 1;
bar.sync 0;
setp.lt.u32 %p1, %r0, 20;
@%p1 ld.shared.u32 %r5, [%r2];)");
  ASSERT_TRUE(unread.left);
  EXPECT_EQ(unread.left->elements.size(), 12u);
  EXPECT_EQ(unread.left->elements.front(), 20u);
}

/// Zeros behind the last element, the first word of a tile with a border, and what is all unread are no sign of a loss.
TEST(Unread, NotAllThatNobodyReadsIsMissing) {
  const auto reads = [](const char* condition, const char* value) {
    return unread_of(std::string("mov.u32 %r7, ") + value + ";\n.loc 1 5 1\n" +
                     "st.shared.u32 [%r2], %r7;\nbar.sync 0;\n" + condition +
                     "\n@%p1 ld.shared.u32 %r5, [%r2];")
        .left;
  };
  EXPECT_TRUE(reads("setp.lt.u32 %p1, %r0, 20;", "1"));
  EXPECT_FALSE(reads("setp.lt.u32 %p1, %r0, 20;", "0")) << "zeros";
  EXPECT_FALSE(reads("setp.gt.u32 %p1, %r0, 0;", "1")) << "the first";
  EXPECT_FALSE(reads("setp.gt.u32 %p1, %r0, 99;", "1")) << "all";
}

TEST(Unread, OfAnInputEachByteIsKnown) {
  const Unread unread = unread_of("setp.lt.u32 %p1, %r0, 30;\n@%p1 ld.global.u32 %r5, [%d1];");
  ASSERT_EQ(unread.read.size(), 1u);
  EXPECT_EQ(std::ranges::count(unread.read[0], 1), 120);
  EXPECT_EQ(unread.read[0][119], 1);
  EXPECT_EQ(unread.read[0][120], 0);
  EXPECT_FALSE(unread.left);
}

}  // namespace
}  // namespace labkit::observe::test
