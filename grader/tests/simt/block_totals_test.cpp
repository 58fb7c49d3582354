// What a block has done when it ends: its path, and how often each instruction ran.
#include <map>
#include <memory>

#include "kernel.h"

namespace labkit::simt::test {
namespace {

struct Total {
  std::uint64_t path = 0, instructions = 0;
  std::vector<std::uint64_t> executions;
};

/// Keeps every block's total; executions of blocks below `wanted` alone.
class Totals final : public ObserverFactory {
 public:
  explicit Totals(std::uint64_t wanted) : wanted_(wanted) {}
  std::unique_ptr<Observer> make() override { return std::make_unique<Keeper>(wanted_); }
  void collect(Observer& observer, const Executions& executions) override {
    for (auto& [block, total] : static_cast<Keeper&>(observer).totals) blocks[block] = total;
    launch.resize(executions.of_warps.size());
    for (std::size_t i = 0; i < launch.size(); ++i) launch[i] += executions.of_warps[i];
  }

  std::map<std::uint64_t, Total> blocks;
  std::vector<std::uint64_t> launch;

 private:
  struct Keeper final : Observer {
    explicit Keeper(std::uint64_t wanted_blocks) : wanted(wanted_blocks) {}
    void on_access(const Access&) override {}
    void on_barrier(std::uint64_t, std::uint32_t, std::uint32_t) override {}
    void on_block_begin(std::uint64_t block, std::uint32_t) override { begun = block; }
    bool wants_executions() const override { return begun < wanted; }
    void on_block_total(const BlockTotals& total) override {
      EXPECT_EQ(totals.count(total.block), 0u) << "once";
      totals[total.block] = {
          total.path, total.instructions, {total.executions.begin(), total.executions.end()}};
    }
    void on_block_end(std::uint64_t block) override { EXPECT_EQ(totals.count(block), 1u); }
    std::uint64_t wanted, begun = 0;
    std::map<std::uint64_t, Total> totals;
  };
  std::uint64_t wanted_;
};

/// Warps `%r1` (a number) of a block of two go another way than the others. %r2 is the block.
std::string one_warp_apart(const std::string& which) {
  return kernel_text(1, R"(
    mov.u32 %r2, %ctaid.x;
    shr.u32 %r3, %r0, 5;
    )" + which + R"(
    setp.ne.u32 %p0, %r3, %r1;
    @%p0 bra END;
    mov.u32 %r4, 0;
  LOOP:
    add.u32 %r4, %r4, 1;
    setp.lt.u32 %p1, %r4, 8;
    @%p1 bra LOOP;
  END:)");
}

TEST(BlockTotals, WhicheverWarpTakesAPathTheBlockIsOfTheSameKind) {
  Kernel kernel(one_warp_apart("and.b32 %r1, %r2, 1;"));
  kernel.launch.block = {64, 1, 1};
  kernel.launch.grid = {6, 1, 1};
  kernel.buffer(std::vector<std::uint32_t>(1));
  Totals totals(6);
  kernel.complete({}, &totals);
  ASSERT_EQ(totals.blocks.size(), 6u);
  for (const auto& [block, total] : totals.blocks) {
    EXPECT_EQ(total.path, totals.blocks[0].path) << block;
    EXPECT_EQ(total.executions, totals.blocks[0].executions) << block;
  }
}

TEST(BlockTotals, OneWarpOrBothAreTwoKinds) {
  Kernel kernel(one_warp_apart("and.b32 %r1, %r2, 1; mul.lo.u32 %r1, %r1, 7;"));  // 0 or none
  kernel.launch.block = {64, 1, 1};
  kernel.launch.grid = {4, 1, 1};
  kernel.buffer(std::vector<std::uint32_t>(1));
  Totals totals(0);
  kernel.complete({}, &totals);
  EXPECT_EQ(totals.blocks[0].path, totals.blocks[2].path);
  EXPECT_EQ(totals.blocks[1].path, totals.blocks[3].path);
  EXPECT_NE(totals.blocks[0].path, totals.blocks[1].path);
  EXPECT_GT(totals.blocks[0].instructions, totals.blocks[1].instructions);
  EXPECT_TRUE(totals.blocks[0].executions.empty()) << "nobody wanted them";
}

// The same instructions as often, in another order.
TEST(BlockTotals, TheOrderOfAWarpsWorkMakesTwoKinds) {
  Kernel kernel(kernel_text(1, R"(
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r4, 0;
  LOOP:
    setp.ne.u32 %p0, %r4, %r2;
    @%p0 bra OTHER;
    mul.lo.u32 %r5, %r4, 3;
    bra NEXT;
  OTHER:
    add.u32 %r5, %r4, 3;
  NEXT:
    st.global.u32 [%d0], %r5;
    add.u32 %r4, %r4, 1;
    setp.lt.u32 %p1, %r4, 2;
    @%p1 bra LOOP;)"));
  kernel.launch.grid = {2, 1, 1};
  kernel.buffer(std::vector<std::uint32_t>(1));
  Totals totals(2);
  kernel.complete({}, &totals);
  EXPECT_EQ(totals.blocks[0].executions, totals.blocks[1].executions);
  EXPECT_NE(totals.blocks[0].path, totals.blocks[1].path);
}

// Blocks that wait for later ones are set aside in the middle: what others do meanwhile is not theirs.
TEST(BlockTotals, EachBlockCountsItsOwnAndTogetherTheyAreTheLaunch) {
  Kernel kernel(kernel_text(1, R"(
    setp.ne.u32 %p0, %r0, 0;
    @%p0 bra JOIN;
    atom.global.add.u32 %r1, [%d0], 1;
    mov.u32 %r3, %nctaid.x;
  POLL:
    ld.acquire.gpu.global.u32 %r2, [%d0];
    setp.lt.u32 %p1, %r2, %r3;
    @%p1 bra POLL;
  JOIN:
    bar.sync 0;
    red.global.add.u32 [%d0+4], 1;)"));
  kernel.launch.block = {64, 1, 1};
  kernel.launch.grid = {5, 1, 1};
  kernel.buffer(std::vector<std::uint32_t>(2));
  Totals totals(5);
  kernel.complete({}, &totals);
  ASSERT_EQ(totals.blocks.size(), 5u);
  std::vector<std::uint64_t> sum(totals.launch.size());
  for (const auto& [block, total] : totals.blocks) {
    ASSERT_EQ(total.executions.size(), sum.size());
    const std::uint64_t red =
        total.executions[sum.size() - 2];  // by two warps, one perhaps in parts
    EXPECT_TRUE(red == 2 || red == 3) << red << " in block " << block;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += total.executions[i];
  }
  EXPECT_EQ(sum, totals.launch);
}

}  // namespace
}  // namespace labkit::simt::test
