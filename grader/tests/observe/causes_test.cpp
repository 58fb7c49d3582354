// What is told first: the cause, then what follows from it.
#include "observe/causes.h"

#include <gtest/gtest.h>

#include "checked.h"

namespace labkit::observe::test {
namespace {

launch::Finding finding(launch::FindingKind kind, const std::string& space, std::uint32_t line,
                        std::uint32_t other = 0) {
  launch::Finding made;
  made.kind = kind;
  made.space = space;
  made.where = {"kernel.cu", line};
  if (other != 0) made.other = {"kernel.cu", other};
  made.text = std::string(name_of(kind)) + "\nFix: mend it.";
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
  EXPECT_NE(both[1].text.find("\nFix: mend the index of line 7 first"), std::string::npos)
      << both[1].text;
  EXPECT_EQ(both[1].text.find("mend it"), std::string::npos);
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
  said.text =
      "Uninitialized variable read\nThe compiler says: variable \"i\" is used before its "
      "value is set\nFix: a.";
  std::vector<launch::Finding> both = {said, finding(uninitialized, "local", 4, 4)};
  order_by_cause(both);
  ASSERT_EQ(both.size(), 1u);
  EXPECT_EQ(both[0].text,
            "uninitialized\nThe compiler says: variable \"i\" is used before its value is "
            "set\nFix: mend it.");
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
  EXPECT_EQ(lanes.fix.id, words::Id::race_fix_share_loop_of_grid) << words_of(lanes);
  const auto blocks = Checked{.grid = {2, 1, 1}, .block = {1, 1, 1}}.one(kAllDoAll, race,
                                                                         launch::Severity::warning);
  EXPECT_EQ(blocks.block.x, 1u) << words_of(blocks);
  // one flag that all set is another matter
  const auto flag =
      Checked{}.one(".loc 1 4 1\nst.global.u32 [%d0], 1;", race, launch::Severity::warning);
  EXPECT_FALSE(has_evidence(flag, words::Id::race_repeated_work)) << words_of(flag);
  EXPECT_EQ(flag.fix.id, words::Id::race_fix_one_thread) << words_of(flag);
}

TEST(Causes, WithoutALoopThePartOfTheIndexIsMissing) {
  const auto blocks = Checked{.grid = {2, 1, 1}}.one(".loc 1 4 1\nst.global.u32 [%d1], %r0;", race,
                                                     launch::Severity::warning);
  EXPECT_EQ(blocks.fix.id, words::Id::race_fix_block_in_index) << words_of(blocks);
}

TEST(Causes, ALaunchOverItsBudgetSaysThatItsThreadsRepeatWork) {
  auto endless = finding(budget, "", 4), repeated = finding(race, "global", 4, 4);
  repeated.severity = launch::Severity::warning;
  repeated.text =
      std::string("Potential WAW hazard\nThe threads ") + kRepeatedWork + ": both.\nFix: share it.";
  std::vector<launch::Finding> findings = {repeated, endless};
  order_by_cause(findings);
  EXPECT_EQ(findings[0].text,
            std::string("budget\nThe threads ") + kRepeatedWork + ": both.\nFix: share it.");
  order_by_cause(findings);  // once is enough
  EXPECT_EQ(findings[0].text.find(kRepeatedWork), findings[0].text.rfind(kRepeatedWork));
}

}  // namespace
}  // namespace labkit::observe::test
