// What is computed once a warp, joined or left out must show nowhere: neither in results nor in counts.
#include "counts.h"
#include "kernel.h"
#include "simt/program.h"

namespace labkit::simt::test {
namespace {

/// Every block's threads write tid * 12 + 5 + block, kept through a loop and a barrier, to their own word.
const std::string kFromTheThread = kernel_text(1, R"(
    .shared .align 4 .b8 s[512];
    mad.lo.u32 %r1, %r0, 12, 5;
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mad.lo.u32 %r4, %r2, %r3, %r0;
    mul.wide.u32 %d1, %r4, 4;
    add.s64 %d2, %d0, %d1;
    mul.wide.u32 %d3, %r0, 4;
    mov.u64 %d4, s;
    add.s64 %d5, %d4, %d3;
    setp.lt.u32 %p1, %r0, 40;
    add.u32 %r5, %r1, %r2;
    st.shared.u32 [%d5], %r5;
    bar.sync 0;
    ld.shared.u32 %r6, [%d5];
    @%p1 add.u32 %r6, %r6, 1000;
    st.global.u32 [%d2], %r6;)");

RunOptions on(unsigned threads) {
  RunOptions options;
  options.threads = threads;
  return options;
}

TEST(Settled, ResultsAndCountsAreThoseOfEveryInstruction) {
  Kernel kernel(kFromTheThread);
  const auto out = kernel.buffer(std::vector<std::uint32_t>(128 * 5));
  kernel.launch.block = {128, 1, 1};
  kernel.launch.grid = {5, 1, 1};
  const Program& program = *kernel.decoded.program;
  ASSERT_FALSE(program.once.empty());
  ASSERT_LT(program.ops.size() + program.once.size(), program.instructions.size());
  for (const unsigned threads : {1u, 3u}) {
    Counts counts;
    kernel.complete(on(threads), &counts);
    const auto values = kernel.values<std::uint32_t>(out);
    for (std::uint32_t i = 0; i < values.size(); ++i)
      ASSERT_EQ(values[i], i % 128 * 12 + 5 + i / 128 + (i % 128 < 40 ? 1000 : 0)) << i;
    for (std::size_t i = 0; i < program.instructions.size(); ++i) {
      const bool guarded = i == index_of(program, "add.u32", 1);
      EXPECT_EQ(counts.warps[i], guarded ? 10u : 20u) << i;
      EXPECT_EQ(counts.threads[i], guarded ? 200u : 640u) << i;
    }
  }
}

/// The register that a loop writes again, or that is read before it is written on some way, is computed in its place.
TEST(Settled, NotWhatIsWrittenTwiceOrReadBefore) {
  Kernel kernel(kernel_text(1, R"(
    mul.wide.u32 %d1, %r0, 4;
    add.s64 %d2, %d0, %d1;
    mov.u32 %r1, 3;
    mov.u32 %r2, 0;
  LOOP:
    setp.eq.u32 %p2, %r2, 0;
    @%p2 bra FIRST;
    add.u32 %r2, %r2, %r3;
  FIRST:
    mad.lo.u32 %r3, %r0, 2, 1;
    add.u32 %r2, %r2, %r3;
    sub.u32 %r1, %r1, 1;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra LOOP;
    st.global.u32 [%d2], %r2;)"));
  const auto out = kernel.buffer(std::vector<std::uint32_t>(32));
  kernel.complete();
  const auto values = kernel.values<std::uint32_t>(out);
  for (std::uint32_t i = 0; i < values.size(); ++i) EXPECT_EQ(values[i], 5 * (2 * i + 1)) << i;
}

/// A product that somebody else reads as well, or that a guard may leave out, is not joined to its sum.
TEST(Settled, AProductIsJoinedToItsSumOnlyIfNobodyElseReadsIt) {
  const auto ops_of = [](const std::string& body, std::uint64_t expected) {
    Kernel kernel(
        kernel_text(1, "ld.global.u32 %r1, [%d0];\n" + body + "st.global.u64 [%d0+8], %d5;\n"));
    const auto out = kernel.buffer(std::vector<std::uint64_t>{7, 0});
    kernel.launch.block = {1, 1, 1};
    kernel.complete();
    EXPECT_EQ(kernel.values<std::uint64_t>(out)[1], expected);
    return kernel.decoded.program->ops.size();
  };
  const auto joined = ops_of("mul.wide.u32 %d4, %r1, 9; add.s64 %d5, %d4, 100;\n", 163);
  EXPECT_EQ(ops_of("mul.wide.u32 %d4, %r1, 9; add.s64 %d5, 100, %d4;\n", 163), joined);
  EXPECT_EQ(ops_of("mul.wide.s32 %d4, %r1, -9; add.s64 %d5, %d4, 100;\n", 37), joined);
  EXPECT_EQ(ops_of("mul.wide.u32 %d4, %r1, 9; add.s64 %d5, %d4, %d4;\n", 126), joined + 1);
  EXPECT_EQ(
      ops_of("mul.wide.u32 %d4, %r1, 9; add.s64 %d6, %d4, 100; sub.s64 %d5, %d6, %d4;\n", 100),
      joined + 2);
  // The bits of the product as a double, and a double added to them: 63 is nearly nothing.
  EXPECT_EQ(ops_of("mul.wide.u32 %d4, %r1, 9; add.f64 %d5, %d4, 0d3FF0000000000000;\n",
                   0x3FF0000000000000),
            joined + 1);
  EXPECT_EQ(ops_of("mov.u64 %d5, 1; setp.eq.u32 %p1, %r1, 8;\n"
                   "mul.wide.u32 %d4, %r1, 9; @%p1 add.s64 %d5, %d4, 100;\n",
                   1),
            joined + 3);
}

/// What a lane holds that has not run is what was there before, as shuffles may show (PTX ISA: undefined).
TEST(Settled, NothingIsWorkedOutAheadForLanesThatAShuffleMayRead) {
  Kernel kernel(kernel_text(1, R"(
    mul.wide.u32 %d1, %r0, 4;
    add.s64 %d2, %d0, %d1;
    setp.ge.u32 %p1, %r0, 16;
    @%p1 bra END;
    mad.lo.u32 %r1, %r0, 5, 1;
    shfl.sync.down.b32 %r2, %r1, 8, 31, 0xffff;
    st.global.u32 [%d2], %r2;
  END:)"));
  const auto out = kernel.buffer(std::vector<std::uint32_t>(32));
  EXPECT_TRUE(kernel.decoded.program->once.empty());
  kernel.complete();
  const auto values = kernel.values<std::uint32_t>(out);
  for (std::uint32_t i = 0; i < 8; ++i) EXPECT_EQ(values[i], (i + 8) * 5 + 1) << i;
  for (std::uint32_t i = 8; i < 16; ++i) EXPECT_NE(values[i], (i + 8) * 5 + 1) << i;
}

/// Counts each access as often as it is said to have happened, and wants them told one by one or not.
class Told final : public ObserverFactory {
 public:
  explicit Told(bool each) : each_(each) {}
  std::uint64_t calls = 0, accesses = 0, addresses = 0;
  std::unique_ptr<Observer> make() override { return std::make_unique<One>(each_); }
  void collect(Observer& observer, const Executions&) override {
    const auto& one = static_cast<One&>(observer);
    calls += one.calls;
    accesses += one.accesses;
    addresses += one.addresses;
  }

 private:
  struct One final : Observer {
    explicit One(bool wants) : each(wants) {}
    bool each;
    std::uint64_t calls = 0, accesses = 0, addresses = 0;
    bool wants_each_shared_access() const override { return each; }
    void on_access(const Access& access) override {
      if (access.space != ptx::Space::shared) return;
      ++calls;
      accesses += access.repeats;
      for (int i = 0; i < kLanes; ++i)
        if (access.active >> i & 1)
          addresses += (access.addresses[i] - access.addresses[0]) * access.repeats;
    }
    void on_barrier(std::uint64_t, std::uint32_t, std::uint32_t) override {}
    void on_block_end(std::uint64_t) override {}
  };
  bool each_;
};

TEST(Settled, SharedAccessesAreToldOneByOneOrByNumber) {
  for (const unsigned threads : {1u, 2u}) {
    Kernel kernel(kFromTheThread);
    kernel.buffer(std::vector<std::uint32_t>(128 * 5));
    kernel.launch.block = {128, 1, 1};
    kernel.launch.grid = {5, 1, 1};
    Told each(true), together(false);
    kernel.complete(on(threads), &each);
    kernel.complete(on(threads), &together);
    EXPECT_EQ(each.accesses, 2u * 4 * 5);
    EXPECT_EQ(each.calls, each.accesses);
    EXPECT_EQ(together.accesses, each.accesses);
    EXPECT_EQ(together.addresses, each.addresses);
    EXPECT_LT(together.calls, each.calls);
  }
}

}  // namespace
}  // namespace labkit::simt::test
