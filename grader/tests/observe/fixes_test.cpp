// What stops a launch says its mend in a line, too.
#include <gtest/gtest.h>

#include "checked.h"
#include "observe/findings.h"
#include "observe/places.h"

namespace labkit::observe::test {
namespace {

using enum words::Id;

/// The one finding's fix; it must be a race.
words::Message race_fix(const std::string& body) {
  const auto run = Checked{}.run(body);
  if (run.findings.empty()) return {};
  EXPECT_EQ(run.findings[0].kind, race) << dump(run.findings[0]);
  return run.findings[0].fix;
}
words::Message at_lines(words::Id id, std::uint32_t above, std::uint32_t below) {
  const auto file = [](std::uint32_t line) { return launch::SourceLine{"kernel.cu", line}; };
  if (id == race_fix_barrier_out_of_condition)
    return {id, {{"above", file(above)}, {"below", file(below)}}};
  if (id == race_fix_barrier_at_end_of_loop)
    return {id, {{"barrier", "__syncthreads()"}, {"below", file(below)}, {"above", file(above)}}};
  return {id, {{"barrier", "__syncthreads()"}, {"above", file(above)}, {"below", file(below)}}};
}

/// The one finding; it must be an error of that kind.
launch::Finding finding_of(const std::string& body, launch::FindingKind kind) {
  const auto run = Checked{}.run(body);
  EXPECT_EQ(run.findings.size(), 1u);
  if (run.findings.empty()) return {};
  EXPECT_EQ(run.findings[0].kind, kind) << all_words(run.findings[0]);
  return run.findings[0];
}

TEST(Fixes, ForAccesses) {
  const auto outside =
      finding_of("add.u64 %d1, %d1, 16384;\nst.global.u32 [%d1], %r0;", out_of_bounds);
  EXPECT_NE(all_words(outside).find("the index with the size"), std::string::npos)
      << all_words(outside);
  const auto shared =
      finding_of("add.u32 %r2, %r2, 4096;\nst.shared.u32 [%r2], %r0;", out_of_bounds);
  EXPECT_EQ(shared.fix, (Message{Id::bounds_fix_declared_size, {{"array", "tile"}}}))
      << all_words(shared);
  const auto odd = finding_of("add.u64 %d1, %d1, 2;\nst.global.u32 [%d1], %r0;", misaligned);
  EXPECT_EQ(odd.fix.id, Id::misaligned_fix);
}

TEST(Fixes, ForBarriersOfTheBlockAndOfTheWarp) {
  const std::string some = "setp.lt.u32 %p0, %r0, 7;\n";
  const auto block = finding_of(some + "@%p0 bra SKIP;\nbar.sync 0;\nSKIP: bar.sync 1;", barrier);
  EXPECT_EQ(block.cause, Cause::barrier_not_on_every_path);
  EXPECT_EQ(block.fix.id, Id::barrier_fix_all_threads) << all_words(block);
  const auto warp = finding_of(
      some + "@%p0 bra SKIP;\nbar.warp.sync 0xffffffff;\nSKIP: .loc 1 2 1\nbar.sync 1;", barrier);
  EXPECT_EQ(warp.cause, Cause::barrier_mask);
  EXPECT_EQ(warp.fix.id, Id::barrier_fix_named_lanes) << all_words(warp);
}

TEST(Fixes, ForWhatStopsItself) {
  const auto stopped = finding_of("trap;", trap);
  EXPECT_EQ(stopped.fix.id, Id::trap_fix_look);
}

TEST(Fixes, OfAStackOverflowIsNotOfPointers) {
  launch::Finding finding;
  finding.kind = trap;
  finding.cause = Cause::trap_stack_overflow;
  const auto parsed = ptx::parse(std::string(kHeader) + ".visible .entry k()\n{\nret;\n}\n");
  ASSERT_TRUE(parsed.module);
  const auto decoded = simt::decode(*parsed.module, "k");
  add_fix(finding, *decoded.program);
  EXPECT_EQ(finding.fix.id, Id::trap_fix_recursion);
}

TEST(Fixes, OfOneMatterInTwoBuildsIsTheOneWithALine) {
  launch::Finding shuffle;
  shuffle.kind = barrier;
  shuffle.evidence = {{Id::barrier_divergent_warp}};
  shuffle.where = {"kernel.cu", 3};
  launch::Finding without = shuffle;  // in __shfl_sync, which -G calls
  without.where = {};
  without.evidence.push_back({Id::barrier_stuck});
  std::vector<launch::Finding> all = {shuffle};
  add_findings(all, {without});
  EXPECT_EQ(all.size(), 1u);
  launch::Finding update;
  update.kind = race;
  update.space = "global";
  update.evidence = {{race_update_lost}};
  update.where = {"kernel.cu", 9};
  update.other = {"kernel.cu", 7};
  std::vector<launch::Finding> updates = {update};
  update.other = {"kernel.cu", 2};  // in the function that the other build has inlined
  add_findings(updates, {update});
  EXPECT_EQ(updates.size(), 1u);
  update.where = {"kernel.cu", 10};
  add_findings(updates, {update});
  EXPECT_EQ(updates.size(), 2u);
  without.kind = race;
  add_findings(all, {without});
  EXPECT_EQ(all.size(), 2u);
}

TEST(Fixes, OfARaceWhoseLinesOneBuildKnowsIsOne) {
  launch::Finding whole;
  whole.kind = race;
  whole.space = "shared";
  whole.where = {"kernel.cu", 9};
  whole.other = {"kernel.cu", 7};
  launch::Finding half = whole, none = whole;
  half.other = none.where = none.other = {};
  for (const auto& less : {half, none}) {
    std::vector<launch::Finding> first = {less}, second = {whole};
    add_findings(first, {whole});
    add_findings(second, {less});
    for (const auto& all : {first, second}) {
      ASSERT_EQ(all.size(), 1u);
      EXPECT_EQ(all[0].other.line, 7u);
    }
  }
  half.where.line = 8;  // another one
  std::vector<launch::Finding> two = {whole};
  add_findings(two, {half});
  EXPECT_EQ(two.size(), 2u);
}

TEST(Fixes, ForRacesBetweenTwoLines) {
  const std::string put = ".loc 1 10 1\nst.shared.u32 [%r2], %r0;\n",
                    wait = ".loc 1 11 1\nbar.sync 0;\n",
                    take =
                        ".loc 1 12 1\nxor.b32 %r6, %r0, 32;\nmad.lo.u32 %r7, %r6, 4, %r3;\n"
                        "ld.shared.u32 %r8, [%r7];\nst.global.u32 [%d1], %r8;\n",
                    again =
                        ".loc 1 13 1\nadd.u32 %r20, %r20, 1;\nsetp.lt.u32 %p1, %r20, 3;\n"
                        "@%p1 bra LOOP;";
  EXPECT_EQ(race_fix(put + take), at_lines(race_fix_barrier_between, 10, 12));
  EXPECT_EQ(race_fix("mov.u32 %r20, 0;\nLOOP:\n" + put + wait + take + again),
            at_lines(race_fix_barrier_at_end_of_loop, 10, 12));
  EXPECT_EQ(
      race_fix("mov.u32 %r20, 0;\nLOOP:\n" + put + take + ".loc 1 13 1\nbar.sync 0;\n" + again),
      at_lines(race_fix_barrier_between, 10, 12));
  // the second warp goes past the barrier of the first
  EXPECT_EQ(race_fix(put + "setp.ge.u32 %p0, %r0, 32;\n@%p0 bra PAST;\n" + wait + "PAST:\n" + take),
            at_lines(race_fix_barrier_out_of_condition, 10, 12));
}

/// Two lines that only some threads come to: a barrier between them would be one that the others miss.
TEST(Fixes, OfARaceInsideAConditionLeaveIt) {
  const std::string put = ".loc 1 10 1\nst.shared.u32 [%r2], %r0;\n",
                    take =
                        ".loc 1 12 1\nxor.b32 %r6, %r0, 32;\nmad.lo.u32 %r7, %r6, 4, %r3;\n"
                        "ld.shared.u32 %r8, [%r7];\nst.global.u32 [%d1], %r8;\n";
  EXPECT_EQ(race_fix("and.b32 %r9, %r0, 31;\nsetp.ge.u32 %p0, %r9, 30;\n@%p0 bra DONE;\n" + put +
                     take + "DONE:"),
            at_lines(race_fix_barrier_outside_condition, 10, 12));
  // a condition that is the same for all threads of a block keeps none of them away
  EXPECT_EQ(race_fix("setp.ge.u32 %p0, %r1, 30;\n@%p0 bra DONE;\n" + put + take + "DONE:"),
            at_lines(race_fix_barrier_between, 10, 12));
}

TEST(Fixes, OfALockWithoutAFenceAreFences) {
  const auto locked = [](const std::string& fence) {
    return R"(
    setp.ne.u32 %p0, %r0, 0;
    @%p0 bra DONE;
    .loc 1 5 1
  AGAIN:
    atom.global.cas.b32 %r7, [%d0+8192], 0, 1;
    setp.ne.u32 %p1, %r7, 0;
    @%p1 bra AGAIN;
    .loc 1 6 1
    ld.global.u32 %r8, [%d0+8196];
    add.u32 %r8, %r8, 1;
    st.global.u32 [%d0+8196], %r8;
    )" + fence +
           R"(
    .loc 1 7 1
    atom.global.exch.b32 %r9, [%d0+8192], 0;
  DONE:)";
  };
  const Checked four{.grid = {4, 1, 1}};
  const auto none = four.run(locked("")), of_block = four.run(locked("membar.cta;"));
  ASSERT_FALSE(none.findings.empty());
  EXPECT_EQ(none.findings[0].cause, launch::Cause::race_missing_fence);
  EXPECT_EQ(none.findings[0].fix, (words::Message{race_fix_fences,
                                                  {{"given", launch::SourceLine{"kernel.cu", 7}},
                                                   {"taken", launch::SourceLine{"kernel.cu", 5}}}}))
      << dump(none.findings[0]);
  ASSERT_FALSE(of_block.findings.empty());
  EXPECT_EQ(of_block.findings[0].fix.id, race_fix_fence_for_all);
  EXPECT_TRUE(four.run(locked("membar.gl;")).findings.empty());
}

TEST(Fixes, ThroughANullPointerSpeakOfThePointer) {
  const auto null = finding_of("mov.u64 %d3, 0;\nst.global.u32 [%d3], %r0;", out_of_bounds);
  EXPECT_EQ(null.cause, Cause::out_of_bounds_null_pointer);
  EXPECT_EQ(null.fix.id, Id::bounds_fix_null);
}

TEST(Fixes, PastAllSharedMemoryNameTheArray) {
  const auto run = Checked{}.run(".loc 1 9 1\nst.shared.u32 [%r2+3200], %r0;");
  ASSERT_FALSE(run.findings.empty());
  const auto& finding = run.findings[0];
  EXPECT_EQ(finding.kind, out_of_bounds);
  EXPECT_TRUE(finding.array.name == "tile" || finding.array.name == "other") << finding.array.name;
  ASSERT_TRUE(has_evidence(finding, Id::bounds_after)) << all_words(finding);
  EXPECT_EQ(*finding.evidence[0].find("array"), words::Value(finding.array.name));
}

TEST(Names, AreAsInTheSource) {
  EXPECT_EQ(source_name("_ZZ5r_wawPfE1s_$_0"), "s");
  EXPECT_EQ(source_name("_ZZ5r_wawPfE1s"), "s");
  EXPECT_EQ(source_name("d"), "d");
}

}  // namespace
}  // namespace labkit::observe::test
