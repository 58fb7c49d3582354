// Kernels that spend their time on what costs the simulator most, at the size at which lab 2 is graded. Each is told that
// it goes on for too long; that this is soon is a count (simt/limits.h), which tests/bench/budget_bench holds against time.
#include "attack.h"
#include "base/error.h"

namespace labkit::attacks {
namespace {

struct Kind {
  const char* name;
  const char* work;  ///< @WORK@ of costly.cu
};

const Kind kKinds[] = {
    {"Plain", R"(asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(f)))"},
    {"Match", R"(asm volatile("match.any.sync.b32 %0, %0, -1;" : "+r"(u)))"},
    {"Vote",
     R"(asm volatile("{.reg .pred p; setp.ne.u32 p, %0, 3; vote.sync.ballot.b32 %0, p, -1;}" : "+r"(u)))"},
    {"Shuffle", R"(asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 31, -1;" : "+r"(u)))"},
    {"Reduce", R"(asm volatile("redux.sync.add.s32 %0, %0, -1;" : "+r"(u)))"},
    {"AtomicsOnOneWord", "atomicAdd(counters, 1u)"},
    {"AtomicsScattered",
     "hop = hop * 1664525u + 1013904223u; atomicAdd(counters + (hop >> 16), 1u)"},
    {"LoadsScattered",
     "hop = hop * 1664525u + 1013904223u; u += ((volatile unsigned*)out)[(hop >> 8) % size]"},
    {"Division", R"(asm volatile("div.rz.f64 %0, %0, %1;" : "+d"(d) : "d"(e)))"},
    {"SquareRoots", R"(asm volatile("sqrt.rn.f64 %0, %0;" : "+d"(d)))"},
    {"LocalArrays", "mine[(u + k) % 32] = mine[(u + k + 7) % 32] + 1"},
    {"Printing", R"(printf("%d %f\n", u, d))"},
    {"Barriers", "__syncthreads()"},
};

class CostAttack : public Attack, public testing::WithParamInterface<Kind> {};

TEST_P(CostAttack, IsToldSoon) {
  const Graded graded = grade("costly", {.lab = "lab2", .tests = "*Coalesced"},
                              {{"@WORK@", GetParam().work}, {"@FROM@", "2048"}});
  EXPECT_EQ(graded.test("ReadCoalesced"), "budget") << graded.run.out << graded.run.err;
  EXPECT_EQ(graded.test("WriteCoalesced"), "budget") << graded.run.out << graded.run.err;
  EXPECT_EQ(graded.run.exit_code, kExitVerdict);
}

INSTANTIATE_TEST_SUITE_P(Of, CostAttack, testing::ValuesIn(kKinds),
                         [](const auto& kind) { return std::string(kind.param.name); });

}  // namespace
}  // namespace labkit::attacks
