// What is told of kernels that race between blocks is the same for any number of host threads, also where what they race
// for decides an index, a branch, a loop or whether the launch ends early.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/sha256.h"
#include "checked.h"
#include "words/render.h"

namespace labkit::observe::test {
namespace {

/// Blocks of 64 threads; each thread stores its number + 1 to %d2, its place in p, and reads in %r6 what a thread AWAY
/// words from there stores, if there is one: mostly a block that is over, seldom one that is not yet begun.
std::string steered(int away, const std::string& by) {
  const std::string bound = away < 0 ? "setp.lt.s32 %p0, %r5, " + std::to_string(-away)
                                     : "setp.ge.s32 %p0, %r5, " + std::to_string(16384 - away);
  return std::string(kHeader) + R"(
.visible .entry k(.param .u64 p)
{
.reg .b32 %r<40>; .reg .b64 %d<20>; .reg .pred %p<20>;
.loc 1 1 1
ld.param.u64 %d0, [p];
mov.u32 %r0, %tid.x;
mov.u32 %r1, %ctaid.x;
mad.lo.u32 %r5, %r1, 64, %r0;
mad.wide.u32 %d2, %r5, 4, %d0;
add.u32 %r4, %r5, 1;
mov.u32 %r3, tile;
mad.lo.u32 %r2, %r0, 4, %r3;
.loc 1 10 1
st.global.u32 [%d2], %r4;
)" + bound +
         ";\n@%p0 bra DONE;\n.loc 1 20 1\nAGAIN:\nld.global.u32 %r6, [%d2+" +
         std::to_string(4 * away) + "];\n" + by + "\nDONE:\nret;\n}\n";
}

const std::vector<std::pair<const char*, std::string>> kBy = {
    {"an index in bounds",
     "mad.wide.u32 %d3, %r6, 4, %d0;\n.loc 1 30 1\nst.global.u32 [%d3+65536], %r5;"},
    {"an index out of bounds",
     "sub.u32 %r6, %r6, 1;\nmad.wide.s32 %d3, %r6, 4, %d0;\n.loc 1 30 1\nld.global.u32 %r7, "
     "[%d3];"},
    {"a branch to a store", R"(
     setp.ne.u32 %p1, %r6, 0;
     @%p1 bra DONE;
     .loc 1 30 1
     st.global.u32 [%d0+131072], %r5;)"},
    {"a loop until it is there", "setp.eq.u32 %p1, %r6, 0;\n@%p1 bra AGAIN;"},
    {"how often a loop turns", R"(
     and.b32 %r6, %r6, 63;
   TURN:
     .loc 1 30 1
     st.global.u32 [%d0+131072], %r5;
     sub.s32 %r6, %r6, 1;
     setp.gt.s32 %p1, %r6, 0;
     @%p1 bra TURN;)"},
    {"who comes to a barrier", R"(
     setp.eq.u32 %p1, %r6, 0;
     @%p1 bra DONE;
     .loc 1 30 1
     bar.sync 0;)"},
    {"a trap", "setp.eq.u32 %p1, %r6, 0;\n.loc 1 30 1\n@%p1 trap;"},
    {"a place in shared memory", R"(
     and.b32 %r6, %r6, 60;
     add.u32 %r6, %r6, %r3;
     .loc 1 30 1
     st.shared.u32 [%r6], %r5;)"},
    {"an index into what nobody wrote", R"(
     setp.ne.u32 %p1, %r6, 0;
     @%p1 bra DONE;
     ld.shared.u32 %r7, [%r2];
     .loc 1 30 1
     st.global.u32 [%d2], %r7;)"},
};

std::string told(const ptx::Module& module, bool written, unsigned threads) {
  const auto decoded = simt::decode(module, "k");
  if (!decoded.program)
    return decoded.refused.empty() ? "?" : words::render(decoded.refused.front().evidence);
  simt::Memory memory;
  const auto address =
      memory.allocate("p", std::vector<std::byte>(65536 * 4, std::byte{0}), written);
  launch::Launch launch;
  launch.kernel = launch.entry = "k";
  launch.grid = {256, 1, 1};
  launch.block = {64, 1, 1};
  simt::RunOptions options;
  options.threads = threads;
  options.thread_instruction_budget = 3'000'000;
  const auto run =
      run_checked(*decoded.program, launch, std::as_bytes(std::span(&address, 1)), memory, options);
  std::string all = run.result.completed ? "completed\n" : "stopped\n";
  for (const auto& finding : run.findings)
    all += std::string(launch::name_of(finding.kind)) + " x" + std::to_string(finding.count) + " " +
           dump(finding) + "\n\n";
  if (run.result.completed) {  // else nobody looks at it
    const auto bytes = memory.contents(address);
    all += sha256_hex(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }
  return all;
}

TEST(HostThreads, ChangeNothingWhereARaceBetweenBlocksDecides) {
  for (const auto& [what, by] : kBy)
    for (const int away : {-640, 640})
      for (const bool written : {true, false}) {
        const auto parsed = ptx::parse(steered(away, by));
        ASSERT_TRUE(parsed.module) << what << ": " << parsed.error.message;
        const auto one = told(*parsed.module, written, 1);
        EXPECT_NE(one.find("\nFix: "), std::string::npos) << what << away << one;
        for (const unsigned threads : {2u, 3u, 2u, 3u, 2u, 3u})
          ASSERT_EQ(told(*parsed.module, written, threads), one)
              << what << ", " << away << " words away, " << threads << " host threads";
      }
}

}  // namespace
}  // namespace labkit::observe::test
