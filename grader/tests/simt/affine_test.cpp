// What rises evenly from lane to lane is computed once a warp (simt/affine.h). It must show nowhere: each kernel here runs
// both ways, and memory, counts, cost and findings are held against each other.
#include <new>
#include <random>

#include "counts.h"
#include "kernel.h"
#include "simt/program.h"

namespace labkit::simt::test {
namespace {

/// Runs it with and without, from the same memory; expects no difference. Returns what the last buffer held.
std::vector<std::uint32_t> same_both_ways(Kernel& kernel, unsigned threads = 2) {
  RunOptions options;
  options.threads = threads;
  options.thread_instruction_budget = 100'000'000;
  const auto saved = kernel.memory.save();
  Counts with, without;
  const auto affine = kernel.run(options, &with);
  const auto contents = kernel.values<std::uint32_t>(kernel.arguments.back());
  const auto after = kernel.memory.save();
  kernel.memory.restore(saved);
  options.affine = false;
  const auto lanes = kernel.run(options, &without);
  EXPECT_EQ(kernel.memory.save().contents, after.contents);
  EXPECT_EQ(affine.completed, lanes.completed);
  EXPECT_EQ(affine.printed, lanes.printed);
  EXPECT_EQ(affine.findings.size(), lanes.findings.size());
  for (std::size_t i = 0; i < std::min(affine.findings.size(), lanes.findings.size()); ++i)
    EXPECT_EQ(all_words(affine.findings[i]), all_words(lanes.findings[i]));
  if (affine.completed) {
    EXPECT_EQ(affine.cost, lanes.cost);
    EXPECT_EQ(with.warps, without.warps);
    EXPECT_EQ(with.threads, without.threads);
    EXPECT_EQ(with.accesses, without.accesses);
    EXPECT_EQ(with.barriers, without.barriers);
  }
  return contents;
}

/// Straight text of random integer instructions, each into a register of its own (%x, %y: 32 and 64 bits); about one in
/// three is stored at the end, so that the others are never needed lane by lane.
class RandomText {
 public:
  explicit RandomText(unsigned seed) : random_(seed) {}
  std::string make() {
    std::string text =
        ".reg .b32 %x<99>; .reg .b64 %y<99>;\n"
        "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mov.u32 %r3, %tid.y; mov.u32 %r4, %ntid.x;\n"
        "mov.u32 %r5, %nctaid.x; mad.lo.u32 %r6, %r2, %r5, %r1; mov.u32 %r7, %ntid.y;\n"
        "mul.lo.u32 %r8, %r4, %r7; mad.lo.u32 %r9, %r3, %r4, %r0; mad.lo.u32 %r9, %r6, %r8, %r9;\n"
        "mul.wide.u32 %d12, %r9, 256; add.s64 %d12, %d0, %d12;\n"
        "mov.u32 %x0, %r0; add.u32 %x1, %r1, 3; mad.lo.u32 %x2, %r1, 64, %r0; add.u32 %x3, %r3, "
        "%r2;\n"
        "cvt.u64.u32 %y0, %x2; cvt.s64.s32 %y1, %x1;\n";
    x_ = 4;
    y_ = 2;
    for (int n = 0; n < 30; ++n) text += instruction();
    int at = 0;
    for (int x = 0; x < x_ && at < 32; ++x)
      if (below(3) == 0)
        text +=
            "st.global.u32 [%d12+" + std::to_string(4 * at++) + "], %x" + std::to_string(x) + ";\n";
    for (int y = 0; y < y_ && at < 60; ++y)
      if (below(3) == 0) {
        at += at % 2;
        text +=
            "st.global.u64 [%d12+" + std::to_string(4 * at) + "], %y" + std::to_string(y) + ";\n";
        at += 2;
      }
    return text;
  }

 private:
  unsigned below(unsigned n) { return std::uniform_int_distribution<unsigned>(0, n - 1)(random_); }
  std::string constant() {
    static const char* const kSome[] = {
        "0",  "1",  "4",          "-1",          "31",         "32",
        "3",  "12", "2147483647", "-2147483648", "1000",       "65536",
        "-7", "64", "0x7ffffff0", "0x80000010",  "0xfffffff1", "5"};
    return kSome[below(std::size(kSome))];
  }
  std::string narrow() { return "%x" + std::to_string(below(static_cast<unsigned>(x_))); }
  std::string wide() { return "%y" + std::to_string(below(static_cast<unsigned>(y_))); }
  std::string operand() { return below(2) == 0 ? constant() : narrow(); }
  std::string instruction() {
    const std::string sign = below(2) ? "s" : "u", far = "%y" + std::to_string(y_);
    const auto into = [&](const std::string& opcode, const std::string& operands) {
      return opcode + " %x" + std::to_string(x_++) + ", " + operands + ";\n";
    };
    const auto into_far = [&](const std::string& opcode, const std::string& operands) {
      return opcode + " %y" + std::to_string(y_++) + ", " + operands + ";\n";
    };
    switch (below(16)) {
      case 0:
        return into("add." + sign + "32", narrow() + ", " + operand());
      case 1:
        return into("sub." + sign + "32", narrow() + ", " + operand());
      case 2:
        return into("mul.lo." + sign + "32", narrow() + ", " + operand());
      case 3:
        return into("mad.lo." + sign + "32", narrow() + ", " + operand() + ", " + narrow());
      case 4:
        return into("shl.b32", narrow() + ", " + std::to_string(below(40)));
      case 5:
        return into_far("mul.wide." + sign + "32", narrow() + ", " + operand());
      case 6:
        return into_far("mad.wide." + sign + "32", narrow() + ", " + operand() + ", " + wide());
      case 7:
        return into_far("cvt." + sign + "64." + (below(2) ? "s" : "u") + "32", narrow());
      case 8:
        return into("cvt." + sign + "32." + (below(2) ? "s" : "u") + "64", wide());
      case 9:
        return into_far("add.s64", wide() + ", " + wide());
      case 10:
        return into_far("sub.u64", wide() + ", " + wide());
      case 11:
        return into_far("shl.b64", wide() + ", " + std::to_string(below(70)));
      case 12:
        return into_far("mul.lo.s64", wide() + ", " + wide());
      case 13:
        return into("mov.u32", operand());
      case 14: {
        static const char* const kHow[] = {"eq", "ne", "lt", "le", "gt", "ge"};
        const std::string how = kHow[below(6)];
        const std::string test =
            below(3) == 0 ? "setp." + how + "." + sign + "64 %p1, " + wide() + ", " + wide()
                          : "setp." + how + "." + sign + "32 %p1, " + narrow() + ", " + operand();
        static const char* const kJoin[] = {"or.pred %p1, %p1, %p3", "and.pred %p1, %p3, %p1",
                                            "or.pred %p1, !%p1, %p3", "and.pred %p1, %p1, !%p3"};
        const std::string other =
            "setp.ge.s32 %p3, " + narrow() + ", " + operand() + ";\n" + kJoin[below(4)] + ";\n";
        return test + ";\n" + (below(2) ? other : "") + into("selp.b32", narrow() + ", 7, %p1");
      }
      default: {
        // lanes part, and meet again with another value in a register that both ways write
        const std::string label = "L" + std::to_string(labels_++), x = std::to_string(x_);
        const std::string test =
            "setp.lt." + sign + "32 %p2, " + narrow() + ", " + operand() + ";\n";
        const std::string first = into("mov.u32", narrow());
        return test + first + "@%p2 bra " + label + ";\nadd.u32 %x" + x + ", %x" + x + ", 9;\n" +
               label + ":\n";
      }
    }
  }
  std::mt19937 random_;
  int x_ = 0, y_ = 0, labels_ = 0;
};

class AffineRandom : public testing::TestWithParam<unsigned> {};
TEST_P(AffineRandom, ProgramsDoTheSame) {
  std::size_t once = 0, launches = 0;
  for (unsigned n = 0; n < 40; ++n) {
    const unsigned seed = GetParam() * 40 + n;
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::string body = RandomText(seed).make();
    for (const launch::Dim3 block :
         {launch::Dim3{64, 1, 1}, {32, 2, 1}, {16, 4, 1}, {40, 1, 1}, {1, 64, 1}}) {
      Kernel kernel(kernel_text(1, body));
      kernel.launch.block = block;
      kernel.launch.grid = {3, 2, 1};
      kernel.buffer(std::vector<std::uint32_t>(64 * 64 * 6));
      ASSERT_NE(kernel.decoded.program, nullptr);
      for (const Op& op : kernel.decoded.program->ops)
        once += op.affine != AffineRule::none && !op.needs_lanes ? 1 : 0;
      ++launches;
      same_both_ways(kernel);
      if (testing::Test::HasFailure()) {
        std::printf("%s\n", body.c_str());
        return;
      }
    }
  }
  EXPECT_GT(once, launches * 5);  // it is about something
}
INSTANTIATE_TEST_SUITE_P(Seeds, AffineRandom, testing::Range(0u, 8u));

Kernel launched(const std::string& body, launch::Dim3 grid = {4, 1, 1},
                launch::Dim3 block = {64, 1, 1}) {
  Kernel kernel(kernel_text(1, body));
  kernel.launch.grid = grid;
  kernel.launch.block = block;
  return kernel;
}

const std::string kIndex =
    "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mad.lo.s32 %r3, %r1, %r2, %r0;\n"
    "mul.wide.s32 %d1, %r3, 4; add.s64 %d2, %d0, %d1;\n";

TEST(Affine, IndicesAndAddressesAre) {
  Kernel kernel = launched(kIndex + "st.global.u32 [%d2], %r3;");
  kernel.buffer(std::vector<std::uint32_t>(256));
  const Program& program = *kernel.decoded.program;
  ASSERT_FALSE(program.affine_slots.empty());
  int stores = 0;
  for (const Op& op : program.ops)
    if (op.kind == OpKind::store) {
      ++stores;
      EXPECT_EQ(op.affine, AffineRule::address);
    }
  EXPECT_EQ(stores, 1);
  const auto values = same_both_ways(kernel);
  for (std::uint32_t i = 0; i < values.size(); ++i) EXPECT_EQ(values[i], i);
}

TEST(Affine, LoopsCountOnce) {
  Kernel kernel = launched(kIndex + R"(
    mov.u32 %r4, 0;
    mov.u32 %r5, 0;
  LOOP:
    ld.global.u32 %r6, [%d2];
    add.u32 %r5, %r5, %r6;
    add.s64 %d2, %d2, 1024;
    add.u32 %r4, %r4, 1;
    setp.lt.s32 %p1, %r4, 5;
    @%p1 bra LOOP;
    sub.s64 %d2, %d2, 5120;
    st.global.u32 [%d2], %r5;)");
  std::vector<std::uint32_t> numbers(256 * 5);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::uint32_t>(i * i);
  kernel.buffer(numbers);
  const auto values = same_both_ways(kernel);
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t sum = 0;
    for (std::uint32_t k = 0; k < 5; ++k) sum += numbers[i + 256 * k];
    EXPECT_EQ(values[i], sum) << i;
  }
}

/// The step between lanes differs from turn to turn: each time another pattern, which the budget is charged for.
TEST(Affine, StepsChange) {
  Kernel kernel = launched(kIndex + R"(
    mov.u32 %r4, 0;
    mov.u32 %r5, 0;
  LOOP:
    and.b32 %r8, %r4, 1;
    mul.lo.u32 %r9, %r3, %r4;
    mul.wide.u32 %d3, %r9, 4;
    add.s64 %d4, %d0, %d3;
    ld.global.u32 %r6, [%d4];
    add.u32 %r5, %r5, %r6;
    add.u32 %r4, %r4, 2;
    setp.lt.s32 %p1, %r4, 7;
    @%p1 bra LOOP;
    mov.u32 %r4, 0;
    sub.u32 %r10, 5, %r5;
    st.global.u32 [%d2+8192], %r10;)");
  std::vector<std::uint32_t> numbers(4096);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::uint32_t>(i * i);
  kernel.buffer(numbers);
  const auto values = same_both_ways(kernel);
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t sum = 0;
    for (std::uint32_t k = 0; k < 7; k += 2) sum += numbers[i * k];
    EXPECT_EQ(values[2048 + i], 5 - sum) << i;
  }
}

/// The last block's second warp has lanes past the end, and warps after it have none within.
TEST(Affine, LanesPartAtABound) {
  Kernel kernel = launched(kIndex + R"(
    setp.ge.s32 %p1, %r3, 211;
    @%p1 bra OVER;
    mad.lo.s32 %r5, %r3, 3, 1;
    st.global.u32 [%d2], %r5;
  OVER:
    add.u32 %r6, %r3, 1000;
    setp.lt.u32 %p2, %r3, 250;
    @%p2 st.global.u32 [%d2+1024], %r6;)");
  kernel.buffer(std::vector<std::uint32_t>(512));
  const auto values = same_both_ways(kernel);
  for (std::uint32_t i = 0; i < 256; ++i) {
    EXPECT_EQ(values[i], i < 211 ? 3 * i + 1 : 0) << i;
    EXPECT_EQ(values[256 + i], i < 250 ? i + 1000 : 0) << i;
  }
}

/// Of a block's three warps the middle one has lanes off, and so another pattern at the same instruction.
TEST(Affine, WarpsOfBothKindsTakeTurns) {
  Kernel kernel = launched(kIndex + R"(
    setp.lt.u32 %p1, %r0, 40;
    setp.ge.u32 %p2, %r0, 64;
    or.pred %p3, %p1, %p2;
    @!%p3 bra OVER;
    ld.global.u32 %r5, [%d2];
    add.u32 %r5, %r5, %r1;
    st.global.u32 [%d2], %r5;
  OVER:)",
                           {5, 1, 1}, {96, 1, 1});
  kernel.buffer(std::vector<std::uint32_t>(480, 7));
  const auto values = same_both_ways(kernel);
  for (std::uint32_t i = 0; i < 480; ++i)
    EXPECT_EQ(values[i], i % 96 < 40 || i % 96 >= 64 ? 7 + i / 96 : 7) << i;
}

/// Indices of 32 bits that come around within a warp, with and without a sign.
TEST(Affine, ValuesComeAround) {
  for (const std::string sign : {"s", "u"})
    for (const std::string by : {"0x7ffffff0", "0xfffffff0", "-16"}) {
      SCOPED_TRACE(sign + " " + by);
      Kernel kernel = launched(kIndex + "add.s32 %r4, %r3, " + by + ";\n" + "mul.wide." + sign +
                               "32 %d3, %r4, 4;\nshr.u64 %d4, %d3, 16;\ncvt.u32.u64 %r5, %d4;\n"
                               "setp.lt." +
                               sign +
                               "32 %p1, %r4, 8;\nselp.b32 %r6, 1, 2, %p1;\n"
                               "add.u32 %r5, %r5, %r6;\nst.global.u32 [%d2], %r5;");
      kernel.buffer(std::vector<std::uint32_t>(256));
      same_both_ways(kernel);
    }
}

TEST(Affine, AFaultIsToldAlike) {
  for (const std::string where : {"[%d2+512]", "[%d2+2]", "[%d2+-4]"}) {
    SCOPED_TRACE(where);
    Kernel kernel = launched(kIndex + "st.global.u32 " + where + ", %r3;");
    kernel.buffer(std::vector<std::uint32_t>(256));
    same_both_ways(kernel, 1);
    EXPECT_FALSE(kernel.run().completed);
  }
}

/// What is read lane by lane as well: stored, shifted right, printed to another's parameter.
TEST(Affine, OthersReadTheLanes) {
  Kernel kernel = launched(kIndex + R"(
    shr.u32 %r4, %r3, 1;
    xor.b32 %r5, %r3, %r4;
    mov.u32 %r7, %r3;
    add.u32 %r7, %r7, %r1;
    st.global.u32 [%d2], %r5;
    st.global.v2.u32 [%d2+1024], {%r3, %r7};)",
                           {4, 1, 1}, {32, 2, 1});
  kernel.buffer(std::vector<std::uint32_t>(1024));
  same_both_ways(kernel, 1);
}

/// An instruction whose first register is one that it reads.
TEST(Affine, TheFirstOperandMayBeRead) {
  Kernel kernel = launched(kIndex + R"(
    and.b32 %r4, %r1, 1;
    mov.u32 %r6, %r1;
    add.u32 %r7, %r6, 1;
  TABLE: .branchtargets ZERO, ONE;
    nanosleep.u32 %r7;
    mov.u32 %r9, %ntid.x;
    add.u32 %r10, %r9, 0;
    bar.sync %r7, %r10;
    sub.u32 %r8, %r7, 1;
    brx.idx.uni %r8, TABLE;
  ZERO:
    mov.u32 %r5, 11;
    bra.uni DONE;
  ONE:
    mov.u32 %r5, 22;
  DONE:
    st.global.u32 [%d2], %r5;)",
                           {2, 1, 1});
  kernel.buffer(std::vector<std::uint32_t>(128));
  const auto values = same_both_ways(kernel);
  for (std::uint32_t i = 0; i < 128; ++i) EXPECT_EQ(values[i], i < 64 ? 11 : 22) << i;
}

TEST(Affine, TimeIsTheSame) {
  Kernel kernel = launched(kIndex + R"(
    mov.u32 %r8, %clock;
    add.s32 %r9, %r3, 5;
    mov.u32 %r10, %clock;
    sub.u32 %r11, %r10, %r8;
    st.global.u32 [%d2], %r11;)");
  kernel.buffer(std::vector<std::uint32_t>(256));
  same_both_ways(kernel);
}

/// Counted by number or one by one, of blocks apart or not: it comes to the same.
class Global final : public ObserverFactory {
 public:
  Global(bool each, bool apart) : each_(each), apart_(apart) {}
  std::uint64_t calls = 0, accesses = 0, places = 0, late = 0;
  std::unique_ptr<Observer> make() override { return std::make_unique<One>(each_, apart_); }
  void collect(Observer& observer, const Executions&) override {
    const auto& one = static_cast<One&>(observer);
    calls += one.calls;
    accesses += one.accesses;
    places += one.places;
    late += one.late;
  }

 private:
  struct One final : Observer {
    One(bool wants_each, bool wants_apart) : each(wants_each), apart(wants_apart) {}
    bool each, apart, within = false;
    std::uint64_t calls = 0, accesses = 0, places = 0, late = 0;
    bool wants_each_global_access() const override { return each; }
    bool wants_blocks_apart() const override { return apart; }
    void on_block_begin(std::uint64_t, std::uint32_t) override { within = true; }
    void on_access(const Access& access) override {
      ++calls;
      accesses += access.repeats;
      for (int i = 0; i < kLanes; ++i)
        if (access.active >> i & 1)
          places += (access.addresses[i] - access.addresses[0] + 1) * access.repeats +
                    (access.addresses[i] % 32) * 1000 * access.repeats;
      late += within ? 0 : 1;
    }
    void on_barrier(std::uint64_t, std::uint32_t, std::uint32_t) override {}
    void on_block_end(std::uint64_t) override { within = false; }
  };
  bool each_, apart_;
};

/// Whoever listens may run out of memory when what was counted is told at the end.
TEST(Affine, WhatAnObserverThrowsIsThrownOn) {
  class Throwing final : public ObserverFactory {
   public:
    std::unique_ptr<Observer> make() override { return std::make_unique<One>(); }
    void collect(Observer&, const Executions&) override {}

   private:
    struct One final : Observer {
      bool wants_each_global_access() const override { return false; }
      bool wants_blocks_apart() const override { return false; }
      void on_access(const Access& access) override {
        if (access.repeats > 1) throw std::bad_alloc();
      }
      void on_barrier(std::uint64_t, std::uint32_t, std::uint32_t) override {}
      void on_block_end(std::uint64_t) override {}
    };
  };
  for (const unsigned threads : {1u, 2u}) {
    Kernel kernel =
        launched(kIndex + "ld.global.u32 %r5, [%d2];\nld.global.u32 %r6, [%d2];", {4000, 1, 1});
    kernel.buffer(std::vector<std::uint32_t>(4000 * 64));
    RunOptions options;
    options.threads = threads;
    Throwing throwing;
    EXPECT_THROW(kernel.run(options, &throwing), std::bad_alloc);
  }
}

TEST(Affine, GlobalAccessesAreToldOneByOneOrByNumber) {
  // rows of 35 words: each warp's place in a sector differs; then some words apart, and bytes, by a branch of the block
  const std::string body = kIndex + R"(
    mul.wide.u32 %d3, %r1, 140;
    mul.wide.u32 %d4, %r0, 4;
    add.s64 %d5, %d0, %d3;
    add.s64 %d5, %d5, %d4;
    ld.global.u32 %r4, [%d5];
    and.b32 %r5, %r1, 1;
    setp.eq.u32 %p1, %r5, 0;
    @%p1 bra EVEN;
    ld.global.u32 %r6, [%d5+140];
  EVEN:
    mul.wide.u32 %d6, %r0, 12;
    add.s64 %d7, %d0, %d6;
    ld.global.u32 %r7, [%d7];
    cvt.u64.u32 %d8, %r3;
    add.s64 %d8, %d0, %d8;
    ld.global.u8 %r9, [%d8+3];)";
  for (const unsigned threads : {1u, 2u}) {
    RunOptions options;
    options.threads = threads;
    Global each(true, true), apart(false, true), together(false, false);
    for (Global* told : {&each, &apart, &together}) {
      Kernel kernel = launched(body, {24, 1, 1}, {96, 1, 1});
      kernel.buffer(std::vector<std::uint32_t>(4096));
      kernel.complete(options, told);
    }
    EXPECT_EQ(each.calls, each.accesses);
    EXPECT_EQ(apart.accesses, each.accesses);
    EXPECT_EQ(together.accesses, each.accesses);
    EXPECT_EQ(apart.places, each.places);
    EXPECT_EQ(together.places, each.places);
    EXPECT_EQ(each.late, 0u);
    EXPECT_EQ(apart.late, 0u);
    EXPECT_LT(apart.calls, each.calls);
    EXPECT_LT(together.calls, apart.calls);
  }
}

}  // namespace
}  // namespace labkit::simt::test
