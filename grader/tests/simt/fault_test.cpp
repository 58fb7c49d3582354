// Every way an access can go wrong stops the launch and says where.
#include "kernel.h"

namespace labkit::simt::test {
namespace {

/// Whether that message is among the evidence, whatever it is about.
bool says(const launch::Finding& finding, Id id) { return launch::has_evidence(finding, id); }

TEST(Fault, ReadPastTheEndOfAnAllocation) {
  Kernel kernel(
      ".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p0){\n"
      ".reg .b32 %r<4>; .reg .b64 %d<4>;\n"
      ".loc 1 12 3\n"
      "ld.param.u64 %d0, [p0];\nmov.u32 %r0, %tid.x;\nmul.wide.u32 %d1, %r0, 4;\nadd.s64 %d1, %d0, "
      "%d1;\n"
      ".loc 1 13 5\n"
      "ld.global.u32 %r1, [%d1];\nret;\n}\n.file 1 \"x.cu\"\n");
  const auto address = kernel.buffer(std::vector<std::uint32_t>(10));
  const auto finding = kernel.finding();
  EXPECT_EQ(finding.kind, launch::FindingKind::out_of_bounds);
  EXPECT_EQ(finding.thread, (launch::Dim3{10, 0, 0}));
  EXPECT_EQ(finding.block, (launch::Dim3{0, 0, 0}));
  EXPECT_EQ(finding.where.file, "x.cu");
  EXPECT_EQ(finding.where.line, 13u);
  EXPECT_EQ(finding.address, address + 40);
  EXPECT_EQ(finding.space, "global");
  EXPECT_EQ(finding.access, launch::Access::read);
  EXPECT_EQ(finding.access_bytes, 4u);
  ASSERT_EQ(finding.evidence.size(), 1u);
  EXPECT_EQ(
      finding.evidence[0],
      (Message{Id::bounds_after,
               {{"bytes", words::count(1)}, {"array", "buffer 0"}, {"size", words::count(40)}}}))
      << all_words(finding);
}

TEST(Fault, WriteInFrontOfAnAllocation) {
  Kernel kernel(kernel_text(1, "st.global.u32 [%d0+-8], %r0;"));
  kernel.buffer(std::vector<std::uint32_t>(10));
  const auto finding = kernel.finding();
  EXPECT_EQ(finding.access, launch::Access::write);
  ASSERT_TRUE(says(finding, Id::bounds_before)) << all_words(finding);
  EXPECT_EQ(*finding.evidence[0].find("bytes"), words::count(8));
}

TEST(Fault, AVectorAccessThatRunsOverTheEnd) {
  Kernel kernel(kernel_text(1, "ld.global.v4.u32 {%r1,%r2,%r3,%r4}, [%d0];"));
  kernel.buffer(std::vector<std::uint32_t>(3));
  const auto finding = kernel.finding();
  EXPECT_EQ(finding.access_bytes, 16u);
  EXPECT_TRUE(says(finding, Id::bounds_over_end)) << all_words(finding);
}

TEST(Fault, AnEmptyAllocationHasNothingToRead) {
  Kernel kernel(kernel_text(1, "ld.global.u8 %h0, [%d0];"));
  EXPECT_NE(kernel.buffer(std::vector<std::uint32_t>()), 0u);
  EXPECT_EQ(kernel.finding().kind, launch::FindingKind::out_of_bounds);
}

TEST(Fault, NullPointer) {
  Kernel kernel(kernel_text(1, "ld.global.u32 %r1, [%d0];"));
  kernel.arguments.push_back(0);
  const auto finding = kernel.finding();
  EXPECT_EQ(finding.kind, launch::FindingKind::out_of_bounds);
  EXPECT_EQ(finding.cause, Cause::out_of_bounds_null_pointer);
}

TEST(Fault, Misaligned) {
  Kernel kernel(kernel_text(1, "ld.global.u32 %r1, [%d0+2];"));
  kernel.buffer(std::vector<std::uint32_t>(10));
  const auto finding = kernel.finding();
  EXPECT_EQ(finding.kind, launch::FindingKind::misaligned);
  EXPECT_EQ(finding.cause, Cause::misaligned);
  EXPECT_TRUE(says(finding, Id::misaligned_in)) << all_words(finding);
}

TEST(Fault, AnotherBufferIsNeverHitByAWrongIndex) {
  // 2^31 - 1 elements beyond the first buffer there is nothing
  Kernel kernel(kernel_text(2,
                            "mov.u32 %r1, 2147483647; mul.wide.s32 %d5, %r1, 4; add.s64 %d6, %d0, "
                            "%d5; st.global.u32 [%d6], %r0;"));
  kernel.buffer(std::vector<std::uint32_t>(10));
  kernel.buffer(std::vector<std::uint32_t>(10));
  EXPECT_EQ(kernel.finding().kind, launch::FindingKind::out_of_bounds);
}

TEST(Fault, SharedMemoryEndsWithTheBlocksShare) {
  Kernel kernel(kernel_text(1,
                            ".shared .align 4 .b8 s[64];\nmov.u32 %r1, s;\nmad.lo.u32 %r1, %r0, 4, "
                            "%r1;\nst.shared.u32 [%r1], %r0;"));
  kernel.buffer(std::vector<std::uint32_t>(1));
  const auto finding = kernel.finding();
  EXPECT_EQ(finding.space, "shared");
  EXPECT_EQ(finding.thread.x, 16u);
  EXPECT_EQ(finding.access, launch::Access::write);
  EXPECT_EQ(finding.array.name, "s");
}

TEST(Fault, DynamicSharedMemoryIsAsLargeAsTheLaunchSays) {
  const auto text =
      kernel_text(1, "mov.u32 %r1, d;\nmad.lo.u32 %r1, %r0, 4, %r1;\nst.shared.u32 [%r1], %r0;",
                  ".extern .shared .align 16 .b8 d[];");
  Kernel enough(text);
  enough.launch.dynamic_shared_bytes = 128;
  enough.buffer(std::vector<std::uint32_t>(1));
  enough.complete();
  Kernel small(text);
  small.launch.dynamic_shared_bytes = 124;
  small.buffer(std::vector<std::uint32_t>(1));
  EXPECT_EQ(small.finding().thread.x, 31u);
}

TEST(Fault, LocalMemory) {
  Kernel kernel(kernel_text(1,
                            ".local .align 4 .b8 l[16];\nmov.u64 %d5, l;\nmul.wide.u32 %d6, %r0, "
                            "4;\nadd.s64 %d5, %d5, %d6;\nst.local.u32 [%d5], %r0;"));
  kernel.buffer(std::vector<std::uint32_t>(1));
  const auto finding = kernel.finding();
  EXPECT_EQ(finding.space, "local");
  EXPECT_EQ(finding.thread.x, 4u);
}

TEST(Fault, AGenericAddressIsJudgedInItsOwnSpace) {
  Kernel kernel(kernel_text(1,
                            ".shared .align 4 .b8 s[64];\nmov.u64 %d5, s;\ncvta.shared.u64 %d5, "
                            "%d5;\nld.u32 %r1, [%d5+64];"));
  kernel.buffer(std::vector<std::uint32_t>(1));
  EXPECT_EQ(kernel.finding().space, "shared");
}

TEST(Fault, ConstantVariablesCannotBeWritten) {
  Kernel kernel(kernel_text(1, "mov.u64 %d5, c;\ncvta.const.u64 %d5, %d5;\nst.u32 [%d5], %r0;",
                            ".const .align 4 .u32 c = 5;"));
  kernel.buffer(std::vector<std::uint32_t>(1));
  EXPECT_TRUE(says(kernel.finding(), Id::bounds_constant));
}

TEST(Fault, AtomicsAreCheckedToo) {
  Kernel kernel(kernel_text(1, "red.global.add.u32 [%d0+40], 1;"));
  kernel.buffer(std::vector<std::uint32_t>(10));
  EXPECT_EQ(kernel.finding().access, launch::Access::atomic);
}

TEST(Fault, TheFirstBlockIsReportedForAnyNumberOfThreads) {
  // blocks 5 and later fault
  Kernel kernel(kernel_text(1,
                            "mov.u32 %r1, %ctaid.x;\nmul.wide.u32 %d5, %r1, 4;\nadd.s64 %d5, %d0, "
                            "%d5;\nst.global.u32 [%d5], %r1;"));
  kernel.buffer(std::vector<std::uint32_t>(5));
  kernel.launch.grid = {1000, 1, 1};
  for (const unsigned threads : {1u, 2u, 5u}) {
    RunOptions options;
    options.threads = threads;
    EXPECT_EQ(kernel.finding(options).block.x, 5u);
  }
}

TEST(Fault, Trap) {
  Kernel kernel(kernel_text(1, "setp.eq.u32 %p0, %r0, 7;\n@!%p0 bra END;\ntrap;\nEND:"));
  kernel.buffer(std::vector<std::uint32_t>(1));
  const auto finding = kernel.finding();
  EXPECT_EQ(finding.kind, launch::FindingKind::trap);
  EXPECT_TRUE(says(finding, Id::trap_stopped));
  EXPECT_EQ(finding.thread.x, 7u);
}

struct NotRun {
  const char *instruction, *spelling;
  Id why;
};
class Refused : public testing::TestWithParam<NotRun> {};
TEST_P(Refused, ByNameBeforeAnythingRuns) {
  const auto [instruction, spelling, why] = GetParam();
  Kernel kernel(kernel_text(1, instruction));
  EXPECT_EQ(kernel.decoded.program, nullptr);
  ASSERT_EQ(kernel.decoded.refused.size(), 1u);
  const auto& refused = kernel.decoded.refused[0];
  EXPECT_EQ(refused.kind, launch::FindingKind::unsupported);
  ASSERT_EQ(refused.evidence.size(), 2u);
  EXPECT_EQ(*refused.evidence[0].find("instruction"), words::Value(spelling));
  EXPECT_EQ(refused.evidence[1].id, why) << all_words(refused);
}
INSTANTIATE_TEST_SUITE_P(
    Instructions, Refused,
    testing::Values(
        NotRun{"frobnicate.b32 %r1, %r0;", "frobnicate.b32", Id::unsupported_unknown},
        NotRun{"add.wrong.s32 %r1, %r0, %r0;", "add.wrong.s32", Id::unsupported_unknown},
        NotRun{"add.s32.ftz %r1, %r0, %r0;", "add.s32.ftz", Id::unsupported_unknown},
        NotRun{"add.s32 %r1, %r0;", "add.s32", Id::unsupported_operands},
        NotRun{"add.s32 %r1, %d0, %r0;", "add.s32", Id::unsupported_width},
        NotRun{"ld.global.b128 %d1, [%d0];", "ld.global.b128", Id::unsupported_unknown},
        NotRun{"mov.u32 %r1, %envreg3;", "mov.u32", Id::unsupported_special_register},
        NotRun{"wmma.mma.sync %r1, %r0;", "wmma.mma.sync", Id::unsupported_unknown},
        NotRun{"bar.sync 16;", "bar.sync", Id::unsupported_barrier_number},
        NotRun{"bar.arrive -1, 32;", "bar.arrive", Id::unsupported_barrier_number},
        NotRun{"barrier.sync 99, 32;", "barrier.sync", Id::unsupported_barrier_number}));

/// A variable that is too large, or in the wrong place, is refused; its size must not wrap on the way.
struct BadVariable {
  const char* body;
  Id why;
  std::int64_t bytes = 0;  ///< 0: not said
};
class RefusedVariable : public testing::TestWithParam<BadVariable> {};
TEST_P(RefusedVariable, InAFunction) {
  const auto [body, why, bytes] = GetParam();
  const Kernel kernel(kernel_text(1, body));
  EXPECT_EQ(kernel.decoded.program, nullptr);
  ASSERT_FALSE(kernel.decoded.refused.empty());
  const auto& refused = kernel.decoded.refused[0];
  EXPECT_EQ(refused.kind, launch::FindingKind::unsupported);
  ASSERT_EQ(refused.evidence.size(), 2u);
  EXPECT_EQ(refused.evidence[1].id, why) << all_words(refused);
  if (bytes != 0) {
    EXPECT_EQ(*refused.evidence[1].find("bytes"), words::Value(bytes));
  }
}
INSTANTIATE_TEST_SUITE_P(
    Bodies, RefusedVariable,
    testing::Values(
        BadVariable{".global .b8 v[16]; ld.global.u8 %r1, [v];",
                    Id::unsupported_variable_in_function},
        BadVariable{".const .b32 v = 7; ld.const.u32 %r1, [v];",
                    Id::unsupported_variable_in_function},
        BadVariable{".global .b8 v[16]; mov.u64 %d1, v;", Id::unsupported_variable_in_function},
        BadVariable{".shared .align 4 .b8 v[4294967295]; mov.u32 %r1, v;",
                    Id::unsupported_shared_bytes, 4294967295},
        BadVariable{".shared .align 4 .b8 v[1099511627775]; st.shared.u32 [v], %r0;",
                    Id::unsupported_shared_bytes},
        BadVariable{".shared .b8 v[1099511627775]; .shared .b8 w[1099511627775];",
                    Id::unsupported_shared_bytes},
        BadVariable{".local .b8 v[524304]; mov.u64 %d1, v;", Id::unsupported_local_bytes, 524304},
        BadVariable{".local .b8 v[4294967312]; mov.u64 %d1, v;", Id::unsupported_local_bytes,
                    4294967312},
        BadVariable{".param .b8 v[4294967312];", Id::unsupported_parameter_bytes, 4294967312}));

TEST(VariableSizes, OfAModuleOver16MebibytesInAll) {
  const Kernel large(kernel_text(0, "", ".global .b8 v[16777216]; .const .b8 w[16];"));
  ASSERT_EQ(large.decoded.refused.size(), 1u);
  EXPECT_EQ(large.decoded.refused[0].kind, launch::FindingKind::unsupported);
  EXPECT_EQ(*large.decoded.refused[0].evidence[1].find("bytes"), words::count(16777232));
  EXPECT_NE(Kernel(kernel_text(0, "", ".global .b8 v[16777216];")).decoded.program, nullptr);
}

// ptxas: "uses too much shared data (0xc001 bytes, 0xc000 max)".
TEST(VariableSizes, StaticSharedMemoryOver48KibibytesIsALaunchFinding) {
  for (const char* before : {"", ".shared .b8 v[49152];"}) {  // in the kernel and in the module
    const bool of_module = *before != 0;
    const std::string use = "mov.u32 %r1, v; .shared .b8 w[1];";
    Kernel kernel(of_module ? kernel_text(0, use, before)
                            : kernel_text(0, ".shared .b8 v[49153];"));
    const auto finding = kernel.finding();
    EXPECT_EQ(finding.kind, launch::FindingKind::launch);
    EXPECT_TRUE(says(finding, Id::launch_impossible));
    EXPECT_EQ(finding.evidence[1],
              (Message{Id::launch_static_shared,
                       {{"bytes", words::count(49153)}, {"most", words::count(49152)}}}))
        << all_words(finding);
  }
  Kernel(kernel_text(0, ".shared .b8 v[49152];")).complete();
}

TEST(VariableSizes, StaticAndDynamicSharedMemoryTogetherMayTake227Kibibytes) {
  Kernel kernel(kernel_text(0, ".shared .align 16 .b8 v[49152];"));
  kernel.launch.dynamic_shared_bytes = 232448 - 49152;
  kernel.complete();
  ++kernel.launch.dynamic_shared_bytes;
  const auto finding = kernel.finding();
  EXPECT_EQ(finding.kind, launch::FindingKind::launch);
  ASSERT_TRUE(says(finding, Id::launch_shared)) << all_words(finding);
  EXPECT_EQ(*finding.evidence[1].find("bytes"), words::count(232449));
}

// NVRTC defines what a source only declares, with a warning, and a GPU loads that; what is external
// still in the PTX nobody defines.
TEST(ExternalVariable, IsRefusedByNameHoweverItIsUsed) {
  for (const char* use : {"ld.global.u32 %r1, [nobody];", "st.global.u32 [nobody], %r0;",
                          "mov.u64 %d1, nobody;", "atom.global.add.u32 %r1, [nobody], %r0;"}) {
    const Kernel kernel(kernel_text(0, use, ".extern .global .align 4 .u32 nobody;"));
    EXPECT_EQ(kernel.decoded.program, nullptr) << use;
    ASSERT_EQ(kernel.decoded.refused.size(), 1u) << use;
    EXPECT_EQ(kernel.decoded.refused[0].kind, launch::FindingKind::unsupported);
    EXPECT_EQ(kernel.decoded.refused[0].evidence[1],
              (Message{Id::unsupported_external_variable, {{"name", "nobody"}}}));
  }
}

TEST(Launch, WhatCudaWouldRefuseIsAFinding) {
  auto expect_refused = [](Id why, auto&& change) {
    Kernel kernel(kernel_text(1, ".loc 1 9 3\nmov.u32 %r1, 7;", ".file 1 \"k.cu\"\n"));
    kernel.buffer(std::vector<std::uint32_t>(1));
    change(kernel);
    const auto finding = kernel.finding();
    EXPECT_EQ(finding.cause, Cause::launch) << all_words(finding);
    EXPECT_TRUE(says(finding, why)) << all_words(finding);
    EXPECT_EQ(finding.where.line, 9u) << "the kernel's first line that is known";
  };
  expect_refused(Id::launch_large_block, [](Kernel& k) { k.launch.block = {1025, 1, 1}; });
  expect_refused(Id::launch_large_block, [](Kernel& k) { k.launch.block = {32, 32, 2}; });
  expect_refused(Id::launch_large_block, [](Kernel& k) { k.launch.block = {1, 1, 65}; });
  expect_refused(Id::launch_large_grid, [](Kernel& k) { k.launch.grid = {1, 65536, 1}; });
  expect_refused(Id::launch_empty, [](Kernel& k) { k.launch.grid = {0, 1, 1}; });
  expect_refused(Id::launch_shared, [](Kernel& k) { k.launch.dynamic_shared_bytes = 232449; });
  expect_refused(Id::launch_arguments, [](Kernel& k) { k.arguments.push_back(1); });
}

TEST(Launch, AnUnknownEntryOrTargetIsOurError) {
  Kernel kernel(kernel_text(1, ""));
  kernel.buffer(std::vector<std::uint32_t>(1));
  RunOptions options;
  options.simd = "mmx";
  EXPECT_THROW(kernel.run(options), std::runtime_error);
  EXPECT_THROW(decode(module_of(*kernel.decoded.program), "nobody"), std::runtime_error);
}

}  // namespace
}  // namespace labkit::simt::test
