#include "explain/defect.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "defects.h"
#include "explain/finding_picture.h"
#include "explain/words.h"
#include "words/render.h"

namespace labkit::explain {
namespace {

grade::LabResult race(launch::Cause cause) {
  grade::LabResult result = result_of("race");
  launch::Finding f = finding(launch::FindingKind::race, "shared");
  f.cause = cause;
  f.other_access = launch::Access::write;
  f.access = launch::Access::read;
  f.other = {"kernel.cu", 3};
  f.where = {"kernel.cu", 5};
  f.other_thread = {0, 1, 0};
  result.tests[0].findings = {f};
  return result;
}

TEST(Defect, OfARaceIsItsCause) {
  EXPECT_EQ(id(race(launch::Cause::race_missing_barrier)), "race.missing_barrier");
  EXPECT_EQ(id(race(launch::Cause::race_lost_update)), "race.lost_update");
  EXPECT_EQ(id(race(launch::Cause::none)), "race");
}

// What the compiler has seen to do nothing leads, whatever came of it; it makes nothing slow.
TEST(Defect, OfAStatementThatDoesNothing) {
  grade::LabResult result = race(launch::Cause::race_missing_barrier);
  result.tests[0].idle = {{.line = 4,
                           .what = {words::Id::idle_call, {{"statement", "__syncthreads"}}},
                           .fix = {words::Id::idle_fix_call, {{"function", "__syncthreads"}}}}};
  const auto defect = first_defect(result);
  ASSERT_TRUE(defect && defect->idle);
  EXPECT_EQ(defect->id, "no_effect");
  EXPECT_TRUE(is_defect_id(defect->id));
  const auto lines = tell_test_in_short(result.tests[0]);
  ASSERT_GE(lines.size(), 3u);
  EXPECT_EQ(lines[0],
            "Line 4: `__syncthreads;` does nothing: a function's name without () is "
            "not a call.");
  EXPECT_EQ(lines[1], "Fix: Write `__syncthreads();`.");
  EXPECT_TRUE(lines[2].starts_with("What happened: "));
  result.tests[0].findings[0].fix = {words::Id::undefined_fix_declared};
  for (const auto& told : {tell_test(result.tests[0]), tell_test_in_short(result.tests[0])}) {
    EXPECT_EQ(std::count(told.begin(), told.end(), "Fix: Write `__syncthreads();`."), 1);
    EXPECT_EQ(std::count_if(told.begin(), told.end(),
                            [](const auto& line) { return line.starts_with("Fix: Give"); }),
              0);
  }
  result.tests[0].verdict = result.verdict = {.kind = "gate", .gate = "sectors"};
  EXPECT_EQ(id(result), "gate.sectors");
}

TEST(Defect, OfALimitOfTimeIsWhatMostOfItGoesTo) {
  grade::LabResult result = result_of("gate ratio");
  grade::TestResult& test = result.tests[0];
  grade::GateResult gate;
  gate.name = "ratio";
  gate.figure = "best_ratio";
  gate.value = 2;
  gate.threshold = 5;
  gate.reason = "The reference reaches more.";
  gate.culprit = {.where = {"kernel.cu", 9}, .instruction = "bar.sync", .value = 4096};
  test.gates = {gate};
  test.time_bound = "DRAM";
  EXPECT_EQ(id(result), "gate.ratio");
  test.time_bound = "barriers";
  test.time_bound_part = 0.55;
  EXPECT_EQ(id(result), "gate.barriers");
  const auto told = tell_test(test);
  EXPECT_EQ(std::count(told.begin(), told.end(),
                       "Barriers take 55% of the predicted time, more than anything else."),
            1);
  EXPECT_EQ(std::count(told.begin(), told.end(),
                       "  at kernel.cu:9 (bar.sync): warps reach it 4,096 times"),
            1);
  test.time_bound = "atomics";
  EXPECT_EQ(id(result), "gate.atomics");
  // a GPU does not say what its time goes to, the prediction beside it does; a counter has its own line
  test.gates[0].measured = true;
  EXPECT_EQ(id(result), "gate.atomics");
  test.gates[0].measured = false;
  test.gates[0].figure = "global_load_sectors";
  EXPECT_EQ(id(result), "gate.ratio");
}

TEST(Defect, OfABudgetWhetherItEnds) {
  grade::LabResult result = result_of("budget");
  result.tests[0].findings = {finding(launch::FindingKind::budget)};
  for (const auto cause : {launch::Cause::budget, launch::Cause::budget_too_much_work,
                           launch::Cause::budget_narrow_counter, launch::Cause::budget_one_lane}) {
    result.tests[0].findings[0].cause = cause;
    EXPECT_EQ(id(result), launch::id_of(cause));
  }
}

TEST(Defect, OfALaunchThatHasTooManyRegisters) {
  grade::LabResult result = result_of("launch");
  result.tests[0].findings = {finding(launch::FindingKind::launch)};
  EXPECT_EQ(id(result), "launch");
  result.tests[0].findings[0].cause = launch::Cause::launch_too_many_registers;
  EXPECT_EQ(id(result), "launch.too_many_registers");
}

// A rest that fills no whole warp is smaller than the grid.
TEST(Defect, WhatLacksALoopIsNoRest) {
  grade::LabResult result = result_of("wrong_result");
  grade::Mismatch m;
  m.array = "c";
  m.is_vector = m.never_written = true;
  m.cols = m.total = 1000;
  m.col = 256;
  m.wrong = m.never_written_count = 744;
  grade::TestResult& test = result.tests[0];
  test.mismatches = {m};
  test.right_where = "multiples of 32";
  test.launch = {{.kernel = "k", .grid = "1", .block = "32", .scalars = {{"n", "1000"}}}};
  EXPECT_EQ(id(result), "wrong_result.tail");
  test.mismatches[0].col = 992;
  test.mismatches[0].wrong = test.mismatches[0].never_written_count = 8;
  EXPECT_EQ(id(result), "wrong_result.multiples");
}

TEST(Defect, OutOfBoundsIsByAThreadWithoutAnElementOrWithOne) {
  const ExtentsOf extents = {{"k", {"cols", "rows"}}};
  grade::LabResult result = result_of("out_of_bounds");
  launch::Finding f = finding(launch::FindingKind::out_of_bounds, "global");
  const auto with = [&](launch::Dim3 block, launch::Dim3 thread, const std::string& space,
                        std::uint64_t bytes_past_the_end = 0) {
    f.block = block;
    f.thread = thread;
    f.space = space;
    f.evidence.clear();
    if (bytes_past_the_end != 0)
      f.evidence = {{words::Id::bounds_after, {{"bytes", words::count(bytes_past_the_end)}}}};
    result.tests[0].findings = {f};
    return result;
  };
  EXPECT_EQ(id(with({0, 1, 0}, {0, 1, 0}, "global"), extents), "out_of_bounds.tail");
  EXPECT_EQ(id(with({1, 0, 0}, {8, 0, 0}, "global"), extents), "out_of_bounds.tail");
  EXPECT_EQ(id(with({1, 0, 0}, {7, 0, 0}, "global"), extents), "out_of_bounds.wrong_index");
  EXPECT_EQ(id(with({1, 0, 0}, {7, 0, 0}, "global", 1), extents), "out_of_bounds.one_past");
  EXPECT_EQ(id(with({1, 0, 0}, {7, 0, 0}, "shared"), extents), "out_of_bounds.shared");
  // rows and columns are mixed up, whichever thread shows it first
  grade::LabResult square = with({0, 1, 0}, {0, 1, 0}, "global");
  square.tests[0].right_where = "square";
  EXPECT_EQ(id(square, extents), "out_of_bounds.wrong_index");
  // who knows no extents takes the usual case
  EXPECT_EQ(id(with({1, 0, 0}, {7, 0, 0}, "global")), "out_of_bounds.tail");
}

TEST(Defect, OfWhatNobodyWroteAndOfBarriers) {
  for (const auto& [space, wanted] :
       std::vector<std::pair<std::string, std::string>>{{"shared", "uninitialized.shared"},
                                                        {"global", "uninitialized.output"},
                                                        {"local", "uninitialized.variable"},
                                                        {"", "uninitialized.shuffle"}}) {
    grade::LabResult result = result_of("uninitialized");
    result.tests[0].findings = {finding(launch::FindingKind::uninitialized, space)};
    result.tests[0].findings[0].cause = launch::cause_from_id(wanted).value();
    EXPECT_EQ(id(result), wanted);
  }
  grade::LabResult result = result_of("barrier");
  result.tests[0].findings = {finding(launch::FindingKind::barrier)};
  EXPECT_EQ(id(result), "barrier") << "what says no more than its kind";
  result.tests[0].findings[0].cause = launch::Cause::barrier_mask;
  EXPECT_EQ(id(result), "barrier.mask");
  // a warning is not what the verdict is about
  launch::Finding warning = finding(launch::FindingKind::barrier);
  warning.severity = launch::Severity::warning;
  result.tests[0].findings.insert(result.tests[0].findings.begin(), warning);
  EXPECT_EQ(id(result), "barrier.mask");
}

TEST(Defect, OfAnIndexIsTheSlipThatWasWorkedOut) {
  grade::LabResult result = result_of("out_of_bounds");
  launch::Finding f = finding(launch::FindingKind::out_of_bounds, "global");
  const auto with = [&](launch::Cause cause) {
    f.cause = cause;
    result.tests[0].findings = {f};
    return id(result);
  };
  using enum launch::Cause;
  EXPECT_EQ(with(out_of_bounds_wrong_row_length), "out_of_bounds.wrong_row_length");
  EXPECT_EQ(with(out_of_bounds_other_array), "out_of_bounds.other_array");
  f.space = "shared";
  EXPECT_EQ(with(out_of_bounds_block_index_in_shared), "out_of_bounds.block_index_in_shared");
  EXPECT_EQ(with(none), "out_of_bounds.shared");
  EXPECT_EQ(id(race(race_rows_overlap)), "race.rows_overlap");
}

TEST(Defect, OfVectorsAndOfTilesThatAreNotShared) {
  grade::LabResult result = result_of("out_of_bounds");
  launch::Finding wide = finding(launch::FindingKind::out_of_bounds, "global");
  wide.access_bytes = 16;
  wide.evidence = {{words::Id::bounds_after, {{"bytes", words::count(1)}}}};
  result.tests[0].findings = {wide};
  EXPECT_EQ(id(result), "out_of_bounds.vector");
  result = result_of("uninitialized");
  launch::Finding own = finding(launch::FindingKind::uninitialized, "local");
  own.cause = launch::Cause::uninitialized_not_shared;
  result.tests[0].findings = {own};
  EXPECT_EQ(id(result), "uninitialized.not_shared");
}

TEST(Defect, OfAGateHasItsNameAndItsFigure) {
  grade::LabResult result = result_of("gate sectors");
  grade::GateResult gate;
  gate.name = "sectors";
  gate.figure = "excess_global_sectors";
  result.tests[0].gates = {grade::GateResult{}, gate};
  const auto defect = first_defect(result);
  ASSERT_TRUE(defect);
  EXPECT_EQ(defect->id, "gate.sectors");
  EXPECT_EQ(defect->figure_id, "gate.excess_global_sectors");
  EXPECT_EQ(defect->gate, &result.tests[0].gates[1]);
}

TEST(Defect, OfSectorsMayBeThatTheSameBytesMoveAgain) {
  grade::LabResult result = result_of("gate sectors");
  grade::GateResult gate;
  gate.name = "sectors";
  gate.figure = "excess_global_sectors";
  gate.reason = "It strides.";
  gate.next = "Do not stride.";
  result.tests[0].gates = {gate};
  result.tests[0].figures = {{"excess_global_load_sectors", 0},
                             {"excess_global_store_sectors", 0},
                             {"load_sectors_per_request", 4},
                             {"store_sectors_per_request", 4}};
  EXPECT_EQ(id(result), "gate.moved_again");
  EXPECT_EQ(first_defect(result)->figure_id, "");
  std::string told;
  for (const std::string& line : tell_test_in_short(result.tests[0])) told += line + "\n";
  EXPECT_NE(told.find("Each request uses all that it moves"), std::string::npos) << told;
  EXPECT_EQ(told.find("stride"), std::string::npos) << told;
  result.tests[0].figures["load_sectors_per_request"] = 1;  // half empty: another matter
  EXPECT_EQ(id(result), "gate.sectors");
  result.tests[0].figures["load_sectors_per_request"] = 4;
  result.tests[0].figures["excess_global_store_sectors"] = 8;
  EXPECT_EQ(id(result), "gate.sectors");
}

TEST(Defect, BelongsToTheTestThatTheVerdictIsOf) {
  grade::LabResult result = result_of("gate sectors");
  result.tests.push_back(result_of("budget").tests[0]);
  result.verdict = result.tests[1].verdict;  // what is wrong comes before what is slow
  EXPECT_EQ(id(result), "budget");
  EXPECT_EQ(first_defect(result)->test, &result.tests[1]);
  grade::LabResult before;  // any test ran
  before.verdict = grade::verdict_from_text("compile_error");
  before.compile_log = "kernel.cu(3): error: expected a \";\"\n";
  EXPECT_EQ(id(before), "compile_error");
}

TEST(Defect, OfAFileThatIsNoSourceIsNoErrorInIt) {
  grade::LabResult result;
  result.verdict = grade::verdict_from_text("compile_error");
  result.message = {{words::Id::compile_empty_file, {{"file", "kernel.cu"}}}};
  EXPECT_EQ(id(result), "compile_error.no_source");
  result.compile_log = "kernel.cu(1): error: expected a declaration\n";
  EXPECT_EQ(id(result), "compile_error");
}

TEST(Defect, OfAWrongResultIsTheVariableThatTheCompilerSawUnset) {
  grade::LabResult result = result_of("wrong_result");
  grade::Mismatch mismatch;
  mismatch.rows = mismatch.cols = 8;
  mismatch.total = 64;
  mismatch.wrong = 3;
  result.tests[0].mismatches = {mismatch};
  EXPECT_EQ(id(result), "wrong_result.value");
  launch::Finding unset = finding(launch::FindingKind::uninitialized, "local");
  unset.severity = launch::Severity::warning;
  unset.cause = launch::Cause::uninitialized_variable;
  result.tests[0].findings = {unset};
  EXPECT_EQ(id(result), "uninitialized.variable");
  EXPECT_EQ(first_defect(result)->finding, &result.tests[0].findings[0]);
}

TEST(Defect, OfALaunchWhoseThreadsRepeatWorkIsNoEndlessLoop) {
  grade::LabResult result = result_of("budget");
  launch::Finding endless = finding(launch::FindingKind::budget, "");
  endless.cause = launch::Cause::budget_repeated_work;
  endless.evidence = {
      {words::Id::race_repeated_work, {{"line", words::SourceLine{"kernel.cu", 4}}}}};
  endless.where.line = 4;
  result.tests[0].findings = {endless};
  EXPECT_EQ(id(result), "budget.repeated_work");
  EXPECT_EQ(finding_in_words(endless, {32, 1, 1}), words::render(endless.evidence[0]));
}

TEST(Defect, OfAStackThatIsUsedUpIsNoPointer) {
  grade::LabResult result = result_of("trap");
  result.tests[0].findings = {finding(launch::FindingKind::trap)};
  for (const auto cause : {launch::Cause::trap, launch::Cause::trap_stack_overflow}) {
    result.tests[0].findings[0].cause = cause;
    EXPECT_EQ(id(result), launch::id_of(cause));
  }
}

TEST(Defect, IsNotThereWhereNothingIsWrong) {
  EXPECT_EQ(id(result_of("pass")), "none");
  EXPECT_EQ(id(result_of("inconclusive")), "none");
  EXPECT_EQ(id(result_of("not_run")), "none");
  grade::LabResult bonus = result_of("pass");
  bonus.tests.push_back(result_of("not_attempted").tests[0]);
  EXPECT_EQ(id(bonus), "not_attempted");
}

}  // namespace
}  // namespace labkit::explain
