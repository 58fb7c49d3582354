// What is told first: the cause, then what follows from it.
#include <gtest/gtest.h>

#include "checked.h"
#include "observe/findings.h"

namespace labkit::observe::test {
namespace {

using words::Id;

launch::Finding finding(launch::FindingKind kind, const std::string& space, std::uint32_t line,
                        std::uint32_t other = 0) {
  launch::Finding made;
  made.kind = kind;
  made.space = space;
  made.where = {"kernel.cu", line};
  if (other != 0) made.other = {"kernel.cu", other};
  made.fix = {Id::undefined_fix_declared};
  return made;
}

std::string order_of(std::vector<launch::Finding> findings, bool result_is_wrong = false) {
  order_by_cause(findings, result_is_wrong);
  std::string text;
  for (const auto& f : findings)
    text += std::string(name_of(f.kind)) + std::to_string(f.where.line) +
            (f.severity == launch::Severity::error ? "! " : " ");
  return text;
}

// Unoptimised, a variable is in local memory, and each read of it is a finding.
TEST(Causes, ReadsOfOneUnsetVariableAreOneFinding) {
  const auto read = [](std::uint32_t line, Id use, std::uint64_t address) {
    launch::Finding made = finding(uninitialized, "local", line, line);
    made.cause = launch::Cause::uninitialized_variable;
    made.address = address;
    made.access_bytes = 4;
    made.evidence = {{use, {}}};
    return made;
  };
  const launch::Finding address = read(8, Id::undefined_decides_address, 28),
                        condition = read(7, Id::undefined_decides_condition, 28);
  std::vector<launch::Finding> findings = {address, condition};
  order_by_cause(findings);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].where.line, 7u);
  EXPECT_EQ(findings[0].other.line, 8u);
  EXPECT_TRUE(launch::has_evidence(findings[0], Id::undefined_decides_address));
  EXPECT_EQ(order_of({condition, address}), "uninitialized7! ");
  EXPECT_EQ(order_of({condition, read(8, Id::undefined_decides_address, 32)}),
            "uninitialized7! uninitialized8! ");
}

TEST(Causes, AnAccessOutOfBoundsComesBeforeTheRacesOfItsLine) {
  const auto outside = finding(out_of_bounds, "shared", 7);
  EXPECT_EQ(order_of({finding(race, "shared", 9, 7), outside}), "out_of_bounds7! race9! ");
  EXPECT_EQ(order_of({finding(race, "shared", 7, 5), outside}), "out_of_bounds7! race7! ");
  // of other lines, or another space, what was found first stays first
  EXPECT_EQ(order_of({finding(race, "shared", 9, 8), outside}), "race9! out_of_bounds7! ");
  EXPECT_EQ(order_of({finding(race, "global", 9, 7), outside}), "race9! out_of_bounds7! ");
}

TEST(Causes, ARaceThatFollowsFromAnIndexSpeaksOfIt) {
  std::vector<launch::Finding> both = {finding(race, "shared", 9, 7),
                                       finding(out_of_bounds, "shared", 7)};
  order_by_cause(both);
  const words::Message first = {Id::index_fix_line_first,
                                {{"line", words::SourceLine{"kernel.cu", 7}}}};
  EXPECT_EQ(both[1].fix, first);
}

TEST(Causes, WhatNobodyWroteComesBeforeWhereItLeads) {
  EXPECT_EQ(order_of({finding(out_of_bounds, "global", 7), finding(uninitialized, "shared", 5, 7)}),
            "uninitialized5! out_of_bounds7! ");
  EXPECT_EQ(order_of({finding(out_of_bounds, "global", 7), finding(uninitialized, "shared", 5, 8)}),
            "out_of_bounds7! uninitialized5! ");
}

TEST(Causes, AVariableThatTheCompilerSawUnsetIsTheErrorWhereSomethingWentWrong) {
  auto unset = finding(uninitialized, "local", 4);
  unset.severity = launch::Severity::warning;
  EXPECT_EQ(order_of({finding(out_of_bounds, "global", 5), unset}),
            "uninitialized4! out_of_bounds5! ");
  EXPECT_EQ(order_of({unset}, true), "uninitialized4! ");
  EXPECT_EQ(order_of({unset}), "uninitialized4 ");
  EXPECT_EQ(order_of({finding(barrier, "", 5), unset}), "barrier5! uninitialized4 ");
}

TEST(Causes, TheCompilersNameOfAVariableGoesWithTheThreadThatReadIt) {
  auto said = finding(uninitialized, "local", 4);
  said.severity = launch::Severity::warning;
  said.evidence = {{Id::undefined_variable_named, {{"variable", std::string("i")}}}};
  auto seen = finding(uninitialized, "local", 4, 4);
  seen.evidence = {{Id::undefined_variable}};
  std::vector<launch::Finding> both = {said, seen};
  order_by_cause(both);
  ASSERT_EQ(both.size(), 1u);
  ASSERT_EQ(both[0].evidence.size(), 2u);
  EXPECT_EQ(both[0].evidence[1], said.evidence[0]);
  EXPECT_EQ(both[0].fix, seen.fix);
}

/// All threads write 1 to p[0], p[1], ... p[15].
const char* const kAllDoAll =
    "mov.u32 %r9, 0;\n.loc 1 4 1\nLOOP: mad.wide.u32 %d3, %r9, 4, %d0;\n"
    "st.global.u32 [%d3], 1;\nadd.u32 %r9, %r9, 1;\nsetp.lt.u32 %p1, %r9, 16;\n@%p1 bra LOOP;\n";

TEST(Causes, ThreadsThatRepeatEachOthersWorkAreTold) {
  const auto lanes = Checked{.block = {32, 1, 1}}.one(kAllDoAll, race, launch::Severity::warning);
  EXPECT_EQ(
      lanes.evidence,
      (std::vector<words::Message>{{words::Id::race_repeated_work, {{"line", lanes.where}}}}));
  EXPECT_EQ(lanes.where.line, 4u);
  EXPECT_EQ(lanes.fix.id, words::Id::race_fix_share_loop_of_grid) << dump(lanes);
  const auto blocks = Checked{.grid = {2, 1, 1}, .block = {1, 1, 1}}.one(kAllDoAll, race,
                                                                         launch::Severity::warning);
  EXPECT_EQ(blocks.block.x, 1u) << dump(blocks);
  // one flag that all set is another matter
  const auto flag =
      Checked{}.one(".loc 1 4 1\nst.global.u32 [%d0], 1;", race, launch::Severity::warning);
  EXPECT_FALSE(has_evidence(flag, words::Id::race_repeated_work)) << dump(flag);
  EXPECT_EQ(flag.fix.id, words::Id::race_fix_thread_in_index_or_one) << dump(flag);
}

TEST(Causes, WithoutALoopThePartOfTheIndexIsMissing) {
  const auto blocks = Checked{.grid = {2, 1, 1}}.one(".loc 1 4 1\nst.global.u32 [%d1], %r0;", race,
                                                     launch::Severity::warning);
  EXPECT_EQ(blocks.fix.id, words::Id::race_fix_block_in_index) << dump(blocks);
}

TEST(Causes, ALaunchOverItsBudgetSaysThatItsThreadsRepeatWork) {
  auto endless = finding(budget, "", 4), repeated = finding(race, "global", 4, 4);
  repeated.severity = launch::Severity::warning;
  repeated.evidence = {{Id::race_repeated_work, {{"line", repeated.where}}}};
  repeated.fix = {Id::undefined_fix_output};
  std::vector<launch::Finding> findings = {repeated, endless};
  order_by_cause(findings);
  order_by_cause(findings);  // once is enough
  EXPECT_EQ(findings[0].cause, launch::Cause::budget_repeated_work);
  EXPECT_EQ(findings[0].evidence, repeated.evidence);
  EXPECT_EQ(findings[0].fix, repeated.fix);
}

launch::Finding without_barrier(const char* barrier, std::uint32_t store, std::uint32_t load) {
  auto made = finding(race, "shared", load, store);
  made.fix = {Id::race_fix_barrier_at_end_of_loop,
              {{"barrier", barrier}, {"below", made.where}, {"above", made.other}}};
  return made;
}

TEST(Causes, ABarrierThatSeveralLinesLackIsOneFinding) {
  const auto lanes = without_barrier("__syncwarp()", 4, 7),
             warps = without_barrier("__syncthreads()", 5, 7);
  for (std::vector<launch::Finding> both : {std::vector{lanes, warps}, std::vector{warps, lanes}}) {
    merge_races(both);
    ASSERT_EQ(both.size(), 1u);
    EXPECT_EQ(both[0].other.line, 5u);
    EXPECT_EQ(*both[0].fix.find("barrier"), words::Value("__syncthreads()"));
    EXPECT_EQ(std::get<launch::SourceLine>(*both[0].fix.find("above")).line, 4u);
    EXPECT_EQ(both[0].evidence,
              (std::vector<words::Message>{
                  {Id::race_also_between, {{"line", lanes.other}, {"other_line", lanes.where}}}}));
  }
  std::vector<launch::Finding> apart = {lanes, without_barrier("__syncthreads()", 8, 9)};
  merge_races(apart);
  EXPECT_EQ(apart.size(), 2u) << "two loops, two barriers";
}

}  // namespace
}  // namespace labkit::observe::test
