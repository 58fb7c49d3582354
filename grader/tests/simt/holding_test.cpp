// What a launch may hold in memory, and how it is refused.
#include "kernel.h"
#include "simt/limits.h"

namespace labkit::simt::test {
namespace {

TEST(Holding, ModuleVariablesAreRefusedByNameBeforeTheyAreMade) {
  const auto text = [](std::uint64_t bytes) {
    return kernel_text(0, ".loc 1 12 3\nst.global.u32 [pile], %r0;",
                       ".file 1 \"a.cu\"\n.visible .global .align 4 .b8 pile[" +
                           std::to_string(bytes) + "];\n.global .b8 small[64];");
  };
  Kernel fits(text(kMostVariableBytes - 64));
  EXPECT_NE(fits.decoded.program, nullptr);
  Kernel kernel(text(kMostVariableBytes));
  ASSERT_EQ(kernel.decoded.refused.size(), 1u);
  const auto& refused = kernel.decoded.refused.front();
  EXPECT_EQ(refused.kind, launch::FindingKind::unsupported);
  ASSERT_EQ(refused.evidence.size(), 3u);
  EXPECT_EQ(refused.evidence[1], (Message{Id::unsupported_variable_bytes,
                                          {{"bytes", words::count(16777280)},
                                           {"most", words::count(16777216)},
                                           {"name", "pile"}}}));
  EXPECT_EQ(refused.evidence[2].id, Id::launch_first_used);
  EXPECT_EQ(refused.where.line, 12u);
}

TEST(Holding, LocalMemoryCountsForAWholeBlock) {
  Kernel kernel(kernel_text(
      0,
      ".local .align 4 .b8 mine[262144];\n.loc 1 7 1\nmov.u32 %r1, mine;\nst.local.u8 [%r1], %h0;",
      ".file 1 \"a.cu\"\n"));
  kernel.launch.block = {224, 1, 1};
  kernel.complete();  // 56 MiB
  kernel.launch.block = {1024, 1, 1};
  const auto finding = kernel.finding();
  EXPECT_EQ(finding.kind, launch::FindingKind::launch);
  ASSERT_EQ(finding.evidence.size(), 4u);
  EXPECT_EQ(
      finding.evidence[1],
      (Message{Id::launch_block_memory,
               {{"block", "1024"}, {"mebibytes", words::count(257)}, {"most", words::count(64)}}}));
  EXPECT_EQ(finding.evidence[2],
            (Message{Id::launch_local_arrays, {{"bytes", words::count(262144)}}}));
  EXPECT_EQ(finding.where.line, 7u);
}

// Frames of 4 KiB, for as deep as it goes: all warps together have 64 MiB.
TEST(Holding, RecursionStopsAtWhatABlockMayHold) {
  const std::string deep = R"(
.func f(.param .b32 a);
.func f(.param .b32 a)
{
.reg .b32 %r<4>; .reg .pred %p<2>;
.local .align 4 .b8 frame[4096];
ld.param.b32 %r1, [a];
setp.eq.u32 %p1, %r1, 0;
@%p1 bra OUT;
add.u32 %r2, %r1, -1;
{ .param .b32 b; st.param.b32 [b], %r2; call.uni f, (b); }
OUT:
ret;
})";
  const auto text = [&](int depth) {
    return kernel_text(0,
                       "{ .param .b32 a; mov.u32 %r1, " + std::to_string(depth) +
                           "; st.param.b32 [a], %r1; call.uni f, (a); }",
                       deep);
  };
  Kernel shallow(text(20));
  shallow.launch.block = {256, 1, 1};
  shallow.launch.grid = {3, 1, 1};
  shallow.complete();
  Kernel kernel(text(120));
  kernel.launch.block = {32, 1, 1};
  kernel.complete();  // one warp alone has room for it
  kernel.launch.block = {1024, 1, 1};
  kernel.launch.grid = {3, 1, 1};
  for (const unsigned threads : {1u, 3u}) {
    RunOptions options;
    options.threads = threads;
    const auto finding = kernel.finding(options);
    EXPECT_EQ(finding.kind, launch::FindingKind::trap);
    EXPECT_EQ(finding.cause, Cause::trap_stack_overflow) << all_words(finding);
    EXPECT_EQ(finding.block.x, 0u);
  }
}

// An observer that runs out of memory is no fault of the kernel's: the exception comes out, from whichever thread.
class NoRoom final : public ObserverFactory {
 public:
  struct Throws final : Observer {
    void on_access(const Access&) override { throw std::bad_alloc(); }
    void on_barrier(std::uint64_t, std::uint32_t, std::uint32_t) override {}
    void on_block_end(std::uint64_t) override {}
  };
  std::unique_ptr<Observer> make() override { return std::make_unique<Throws>(); }
  void collect(Observer&, const Executions&) override {}
};

TEST(Holding, WantOfMemoryWhileItRunsIsThrownOn) {
  for (const unsigned threads : {1u, 4u}) {
    Kernel kernel(kernel_text(1, kOwnElement + "st.global.u32 [%d9], %r0;"));
    kernel.launch.grid = {64, 1, 1};
    kernel.buffer(std::vector<std::uint32_t>(32));
    NoRoom factory;
    RunOptions options;
    options.threads = threads;
    EXPECT_THROW(kernel.run(options, &factory), std::bad_alloc);
  }
}

}  // namespace
}  // namespace labkit::simt::test
