// Device functions, recursion, local memory, printf and assert.
#include <bit>

#include "kernel.h"

namespace labkit::simt::test {
namespace {

const std::string kFactorial = R"(
.func (.param .b32 out) factorial(.param .b32 n)
{
  .reg .b32 %a<5>; .reg .pred %q<2>;
  ld.param.u32 %a0, [n];
  mov.u32 %a1, 1;
  setp.lt.u32 %q0, %a0, 2;
  @%q0 bra DONE;
  sub.u32 %a2, %a0, 1;
  {
    .param .b32 param0;
    st.param.b32 [param0+0], %a2;
    .param .b32 retval0;
    call.uni (retval0), factorial, (param0);
    ld.param.b32 %a3, [retval0+0];
  }
  mul.lo.u32 %a1, %a3, %a0;
DONE:
  st.param.b32 [out+0], %a1;
  ret;
}
)";

TEST(Call, RecursionOfDifferentDepthInEachLane) {
  Kernel kernel(kernel_text(1, kOwnElement + R"(
    and.b32 %r1, %r0, 7;
    {
      .param .b32 param0;
      st.param.b32 [param0+0], %r1;
      .param .b32 retval0;
      call.uni (retval0), factorial, (param0);
      ld.param.b32 %r2, [retval0+0];
    }
    add.u32 %r2, %r2, %r1;
    st.global.u32 [%d9], %r2;)",
                            kFactorial));
  const auto out = kernel.buffer(std::vector<std::uint32_t>(32));
  kernel.complete();
  const std::uint32_t factorials[] = {1, 1, 2, 6, 24, 120, 720, 5040};
  const auto values = kernel.values<std::uint32_t>(out);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], factorials[i % 8] + i % 8) << i;
}

// Of a header, so that its own line says nothing; through another one.
const std::string kOfAHeader = R"(
.file 1 "kernel.cu"
.file 2 "/helper.h"
.func inner(.param .b64 to)
{
  .reg .b64 %a;
  .loc 2 7 1
  ld.param.u64 %a, [to];
  st.global.u32 [%a], 7;
  ret;
}
.func outer(.param .b64 to)
{
  .reg .b64 %a;
  .loc 2 9 1
  ld.param.u64 %a, [to];
  { .param .b64 param0; st.param.b64 [param0+0], %a; call.uni inner, (param0); }
  ret;
}
)";

std::string call_of(const std::string& function, int line) {
  return ".loc 1 " + std::to_string(line) +
         " 1\n{ .param .b64 param0; st.param.b64 [param0+0], %d0; call.uni " + function +
         ", (param0); }\n";
}

TEST(Call, WhatAHeaderDoesIsOfTheLineThatCalls) {
  for (const char* function : {"inner", "outer"}) {
    Kernel once(kernel_text(1, call_of(function, 30), kOfAHeader));
    once.arguments.push_back(16);
    const auto finding = once.finding();
    EXPECT_EQ(finding.where.line, 30u) << all_words(finding);
    EXPECT_EQ(finding.where.file, "kernel.cu");
    for (const auto& facts : instructions(*once.decoded.program))
      if (facts.is_store && facts.space == ptx::Space::global) {
        EXPECT_EQ(facts.inlined_at.line, 30u);
      }
  }
  // called from two lines, by lanes that part before: each has its own
  for (const std::uint32_t lanes : {0u, 32u, 8u}) {
    const auto text = ".loc 1 10 1\nsetp.ge.u32 %p0, %r0, " + std::to_string(lanes) +
                      ";\n@%p0 bra OTHER;\n" + call_of("outer", 30) + "bra DONE;\nOTHER:\n" +
                      call_of("inner", 40) + "DONE:\n";
    Kernel twice(kernel_text(1, text, kOfAHeader));
    twice.arguments.push_back(16);
    const auto finding = twice.finding();
    EXPECT_EQ(finding.where.line, finding.thread.x < lanes ? 30u : 40u) << all_words(finding);
    for (const auto& facts : instructions(*twice.decoded.program))
      if (facts.is_store && facts.space == ptx::Space::global) {
        EXPECT_TRUE(facts.line_is_of_caller);
      }
  }
}

TEST(Call, EndlessRecursionIsAStackOverflow) {
  Kernel kernel(kernel_text(1, "call.uni again, ();", R"(
.func again() { call.uni again, (); ret; }
)"));
  kernel.buffer(std::vector<std::uint32_t>(1));
  const auto finding = kernel.finding();
  EXPECT_EQ(finding.cause, Cause::trap_stack_overflow) << all_words(finding);
}

TEST(Call, ACallInOneSideOfABranchAndASideReturnInTheFunction) {
  Kernel kernel(kernel_text(1, kOwnElement + R"(
    mov.u32 %r2, 5;
    setp.ge.u32 %p0, %r0, 20;
    @%p0 bra MEET;
    {
      .param .b64 param0;
      st.param.b64 [param0+0], %d9;
      call.uni store, (param0);
    }
  MEET:
    red.global.add.u32 [%d9], %r2;)",
                            R"(
.func store(.param .b64 where)
{
  .reg .b32 %a<3>; .reg .b64 %b; .reg .pred %q;
  ld.param.u64 %b, [where];
  mov.u32 %a0, %tid.x;
  setp.lt.u32 %q, %a0, 10;
  @%q ret;
  st.global.u32 [%b], 100;
  ret;
}
)"));
  const auto out = kernel.buffer(std::vector<std::uint32_t>(32));
  kernel.complete();
  const auto values = kernel.values<std::uint32_t>(out);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], i < 10 || i >= 20 ? 5u : 105u) << i;
}

TEST(Local, EachThreadHasItsOwnAndGenericAddressesReachIt) {
  Kernel kernel(kernel_text(1, kOwnElement + R"(
    .local .align 8 .b8 depot[64];
    mov.u64 %d5, depot;
    cvta.local.u64 %d6, %d5;
    and.b32 %r1, %r0, 15;
    mul.wide.u32 %d7, %r1, 4;
    add.s64 %d8, %d5, %d7;
    st.local.u32 [%d8], %r0;
    add.s64 %d8, %d6, %d7;
    ld.u32 %r2, [%d8];
    isspacep.local %p0, %d8;
    isspacep.global %p1, %d8;
    selp.u32 %r3, 1000, 0, %p0;
    selp.u32 %r4, 5000, 0, %p1;
    add.u32 %r2, %r2, %r3;
    add.u32 %r2, %r2, %r4;
    st.global.u32 [%d9], %r2;)"));
  const auto out = kernel.buffer(std::vector<std::uint32_t>(32));
  kernel.complete();
  const auto values = kernel.values<std::uint32_t>(out);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], i + 1000);
}

/// printf(format, 4-byte value, 8-byte value) by the lanes under 2.
std::string print_text(const std::string& format) {
  std::string bytes;
  for (const char c : format) bytes += std::to_string(static_cast<int>(c)) + ", ";
  return kernel_text(1, R"(
    .local .align 8 .b8 depot[16];
    mov.u64 %d5, depot;
    cvta.local.u64 %d6, %d5;
    setp.ge.u32 %p0, %r0, 2;
    @%p0 bra END;
    st.local.u32 [%d5], %r0;
    st.local.u64 [%d5+8], %d1;
    mov.u64 %d7, text;
    cvta.global.u64 %d8, %d7;
    {
      .param .b64 param0; st.param.b64 [param0+0], %d8;
      .param .b64 param1; st.param.b64 [param1+0], %d6;
      .param .b32 retval0;
      call.uni (retval0), vprintf, (param0, param1);
      ld.param.b32 %r2, [retval0+0];
    }
  END:)",
                     ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 "
                     "a);\n.global .align 1 .b8 text[" +
                         std::to_string(format.size() + 1) + "] = {" + bytes + "0};\n");
}

std::string printed(const std::string& format, std::uint64_t second) {
  auto text = print_text(format);
  // the second value is a constant of the kernel
  const auto at = text.find("mov.u32 %r0, %tid.x;");
  text.insert(at, "mov.u64 %d1, " + std::to_string(second) + ";\n");
  Kernel kernel(text);
  kernel.buffer(std::vector<std::uint32_t>(1));
  return kernel.complete().printed;
}

TEST(Printf, ValuesInLaneOrder) {
  EXPECT_EQ(printed("%d %f\n", std::bit_cast<std::uint64_t>(1.5)), "0 1.500000\n1 1.500000\n");
  EXPECT_EQ(printed("<%5d|%-8.3e>", std::bit_cast<std::uint64_t>(0.25)),
            "<    0|2.500e-01><    1|2.500e-01>");
  EXPECT_EQ(printed("%08x %llu%%", 1ull << 40), "00000000 1099511627776%00000001 1099511627776%");
}

TEST(Printf, AHostileFormatReachesNothing) {
  EXPECT_EQ(printed("%n", 0), "%n%n");
  EXPECT_EQ(printed("%d %s", 12345), "0 1 ");  // a string that is not there
  EXPECT_EQ(printed("%d%", 0), "01");
  EXPECT_EQ(printed("%99999999d", 0).size(), 2048u);  // widths are bounded
}

TEST(Printf, IsCutAtAMebibyteAndInBlockOrder) {
  auto text = print_text("%d some text to fill the buffer with\n");
  Kernel kernel(text);
  kernel.buffer(std::vector<std::uint32_t>(1));
  kernel.launch.grid = {20000, 1, 1};
  std::string first;
  for (const unsigned threads : {1u, 2u, 5u}) {
    RunOptions options;
    options.threads = threads;
    const auto all = kernel.complete(options).printed;
    EXPECT_EQ(all.size(), 1u << 20);
    if (first.empty()) first = all;
    EXPECT_EQ(all, first);
  }
}

TEST(Printf, IsChargedToTheBudgetWhateverItPrints) {
  // a loop of 200 turns, too few for the check that loops have
  auto text = print_text("");
  text.insert(text.find("    st.local.u32 [%d5], %r0;"), "mov.u32 %r3, 0;\nAGAIN:\n");
  text.insert(text.find("  END:"),
              "add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 200; @%p1 bra AGAIN;\n");
  Kernel kernel(text);
  kernel.buffer(std::vector<std::uint32_t>(1));
  RunOptions options;
  options.thread_instruction_budget = 3'000'000;
  kernel.complete(options);
  options.thread_instruction_budget = 1'000'000;
  EXPECT_EQ(kernel.finding(options).kind, launch::FindingKind::budget);
}

TEST(Assert, StopsTheLaunchWithItsWords) {
  Kernel kernel(kernel_text(1, R"(
    setp.lt.u32 %p0, %r0, 3;
    @%p0 bra END;
    mov.u64 %d5, text;
    cvta.global.u64 %d5, %d5;
    {
      .param .b64 param0; st.param.b64 [param0+0], %d5;
      .param .b64 param1; st.param.b64 [param1+0], %d5;
      .param .b32 param2; st.param.b32 [param2+0], 77;
      .param .b64 param3; st.param.b64 [param3+0], %d5;
      .param .b64 param4; st.param.b64 [param4+0], 1;
      call.uni __assertfail, (param0, param1, param2, param3, param4);
    }
    trap;
  END:)",
                            ".extern .func __assertfail (.param .b64 a, .param .b64 b, .param .b32 "
                            "c, .param .b64 d, .param .b64 e);\n"
                            ".global .align 1 .b8 text[6] = {110, 32, 62, 32, 48, 0};\n"));
  kernel.buffer(std::vector<std::uint32_t>(1));
  const auto finding = kernel.finding();
  EXPECT_EQ(finding.kind, launch::FindingKind::assertion);
  EXPECT_EQ(words::render(finding.evidence),
            "n > 0:77: n > 0: block: [0,0,0], thread: [3,0,0] Assertion `n > 0` failed.");
}

}  // namespace
}  // namespace labkit::simt::test
