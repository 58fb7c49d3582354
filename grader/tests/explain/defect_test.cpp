#include "explain/defect.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "explain/finding_picture.h"
#include "explain/words.h"
#include "words/render.h"

namespace labkit::explain {
namespace {

grade::LabResult result_of(const std::string& verdict) {
  grade::LabResult result;
  grade::TestResult test;
  test.name = "A.B";
  test.kernel = "k";
  test.verdict = grade::verdict_from_text(verdict);
  test.launch = {{.kernel = "k<float>",
                  .grid = "2x2x1",
                  .block = "32x32x1",
                  .dynamic_shared_bytes = 0,
                  .scalars = {{"rows", "33"}, {"cols", "40"}}}};
  result.tests = {test};
  result.verdict = test.verdict;
  return result;
}

launch::Finding finding(launch::FindingKind kind, const std::string& space = {}) {
  launch::Finding made;
  made.kind = kind;
  made.space = space;
  return made;
}

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

std::string id(const grade::LabResult& result, const ExtentsOf& extents = {}) {
  const auto defect = first_defect(result, extents);
  return defect ? defect->id : "none";
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
  EXPECT_EQ(lines[1],
            "Likely cause (line 4): `__syncthreads;` does nothing: a function's name without () is "
            "not a call.");
  EXPECT_EQ(lines[2], "Fix: Write `__syncthreads();`.");
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

TEST(Defect, OfAWrongResultIsItsPattern) {
  const auto with = [](std::uint64_t row, std::uint64_t col, std::uint64_t wrong,
                       std::uint64_t never_written) {
    grade::LabResult result = result_of("wrong_result");
    grade::Mismatch m;
    m.array = "out";
    m.rows = 40;
    m.cols = 33;
    m.total = 40 * 33;
    m.row = row;
    m.col = col;
    m.wrong = wrong;
    m.never_written_count = never_written;
    m.never_written = never_written > 0;
    result.tests[0].mismatches = {m};
    return result;
  };
  EXPECT_EQ(id(with(0, 1, 9, 0)), "wrong_result.value");
  EXPECT_EQ(id(with(0, 1, 9, 9)), "wrong_result.never_written");
  EXPECT_EQ(id(with(39, 30, 3, 3)), "wrong_result.tail");
  EXPECT_EQ(id(with(0, 4, 40 * 29, 40 * 29)), "wrong_result.row_ends");
  EXPECT_EQ(id(with(0, 4, 40 * 29 + 1, 40 * 29 + 1)), "wrong_result.never_written");
  EXPECT_EQ(id(with(4, 0, 36 * 33, 36 * 33)), "wrong_result.last_rows");
  EXPECT_EQ(id(with(4, 0, 36 * 33, 36 * 33 - 1)), "wrong_result.value");
  grade::LabResult input = with(0, 0, 1320, 1320);
  input.tests[0].input_written = "in";
  EXPECT_EQ(id(input), "wrong_result.input_written");
  EXPECT_EQ(id(with(39, 30, 3, 2)), "wrong_result.value");
  EXPECT_EQ(id(with(0, 32, 1320 - 1024, 1320 - 1024)), "wrong_result.first_block");
  EXPECT_EQ(id(with(0, 16, 1320 - 1024, 1320 - 1024)), "wrong_result.never_written");
  // more than one block's share: several blocks did a part
  grade::LabResult small_blocks = with(0, 16, 1320 - 1024, 1320 - 1024);
  small_blocks.tests[0].launch[0].block = "16x16x1";
  small_blocks.tests[0].launch[0].grid = "3x3x1";
  EXPECT_EQ(id(small_blocks), "wrong_result.never_written");
  grade::LabResult one = with(0, 1, 9, 0);
  one.tests[0].mismatches[0].belongs_to = "out[1][0]";
  EXPECT_EQ(id(one), "wrong_result.other_element");
  one.tests[0].right_where = "square";
  EXPECT_EQ(id(one), "wrong_result.square");
  one.tests[0].right_where = "multiples of 32";
  EXPECT_EQ(id(one), "wrong_result.multiples");
  grade::LabResult missing = with(0, 1, 9, 9);
  missing.tests[0].right_where = "square";
  EXPECT_EQ(id(missing), "wrong_result.square_missing");
  one.tests[0].mismatches[0].constant = true;
  EXPECT_EQ(id(one), "wrong_result.constant");
}

TEST(Defect, OfAResultThatIsRightInItsFirstDigitsIsARounding) {
  grade::LabResult result = result_of("wrong_result");
  grade::Mismatch m;
  m.wrong = m.total = 8;
  m.expected = "0.4216160286386015";
  m.got = "0.42161601781845093";
  result.tests[0].mismatches = {m};
  EXPECT_EQ(id(result), "wrong_result.digits");
  EXPECT_EQ(right_digits(m), 7);
  m.got = "0.4226";
  EXPECT_EQ(right_digits(m), 0);
  m.expected = "1000000";  // a count, one too many
  m.got = "1000001";
  EXPECT_EQ(right_digits(m), 0);
  result.tests[0].mismatches = {m};
  EXPECT_EQ(id(result), "wrong_result.value");
}

TEST(Defect, OfElementsThatNobodyWroteIsWhoWroteOthersTwice) {
  grade::LabResult result = result_of("wrong_result");
  grade::Mismatch m;
  m.is_vector = true;
  m.cols = m.total = 100;
  m.col = 40;
  m.wrong = m.never_written_count = 30;
  result.tests[0].mismatches = {m};
  launch::Finding twice = finding(launch::FindingKind::race, "global");
  twice.severity = launch::Severity::warning;
  twice.where = twice.other = {"kernel.cu", 7};
  twice.cause = launch::Cause::race_same_element;
  twice.evidence = {{words::Id::race_repeated_work, {{"line", twice.where}}}};
  twice.fix = {words::Id::race_fix_share_loop_of_grid};
  result.tests[0].findings = {twice};
  EXPECT_EQ(id(result), "race.same_element");
  const auto told = tell_test_in_short(result.tests[0]);
  EXPECT_EQ(std::count(told.begin(), told.end(), "Fix: " + words::render(twice.fix)), 1);
  m.never_written_count = 10;  // most are wrong by their value
  result.tests[0].mismatches = {m};
  EXPECT_NE(id(result), "race.same_element");
}

/// A vector of n elements of which `wrong` from `first` on were never written, in blocks of `block` threads.
grade::LabResult unwritten(std::uint64_t n, std::uint64_t first, std::uint64_t wrong,
                           const char* grid, const char* block) {
  grade::LabResult result = result_of("wrong_result");
  grade::Mismatch m;
  m.array = "out";
  m.is_vector = true;
  m.rows = 1;
  m.cols = m.total = n;
  m.col = first;
  m.wrong = m.never_written_count = wrong;
  m.never_written = true;
  result.tests[0].mismatches = {m};
  result.tests[0].launch[0].grid = grid;
  result.tests[0].launch[0].block = block;
  result.tests[0].launch[0].scalars = {{"n", std::to_string(n)}};
  return result;
}

TEST(Defect, OfAVectorSaysWhichElementsWereLeftOut) {
  EXPECT_EQ(id(unwritten(32, 1, 31, "1", "256")), "wrong_result.threads_not_adjacent");
  EXPECT_EQ(id(unwritten(1000, 1, 968, "1", "1")), "wrong_result.loop_step");
  EXPECT_EQ(id(unwritten(1000, 64, 800, "2", "32")), "wrong_result.loop_step");
  EXPECT_EQ(id(unwritten(1000, 64, 936, "2", "32")), "wrong_result.tail") << "each did just one";
  EXPECT_EQ(id(unwritten(257, 250, 7, "3", "96")), "wrong_result.guard") << "each has a thread";
  EXPECT_EQ(id(unwritten(257, 250, 7, "2", "96")), "wrong_result.tail");
  EXPECT_EQ(id(unwritten(1000, 500, 7, "4", "256")), "wrong_result.never_written");
  grade::LabResult not_a_size = unwritten(1000, 1, 968, "1", "1");
  not_a_size.tests[0].launch[0].scalars = {{"n", "500"}};
  EXPECT_EQ(id(not_a_size), "wrong_result.never_written")
      << "how its threads share it is not known";
}

TEST(Defect, OfBlocksInOneAnothersPlace) {
  grade::LabResult result = result_of("wrong_result");
  grade::Mismatch m;
  m.array = "out";
  m.rows = m.cols = 64;
  m.total = 4096;
  m.row = 3;
  m.col = 40;
  m.wrong = 2048;
  m.belongs_to = "out[35][8]";
  result.tests[0].mismatches = {m};
  EXPECT_EQ(id(result), "wrong_result.blocks_exchanged");
  for (const char* other : {"out[40][3]", "out[3][41]", "out[36][8]", ""}) {
    result.tests[0].mismatches[0].belongs_to = other;
    EXPECT_NE(id(result), "wrong_result.blocks_exchanged") << other;
  }
}

TEST(Defect, OfAWrongResultIsTheWarningBesideIt) {
  grade::LabResult result = unwritten(1000, 500, 7, "4", "256");
  launch::Finding left = finding(launch::FindingKind::barrier, "");
  left.severity = launch::Severity::warning;
  left.cause = launch::Cause::barrier_after_early_return;
  result.tests[0].findings = {left};
  EXPECT_EQ(id(result), "barrier.after_early_return");
  EXPECT_EQ(first_defect(result)->finding, &result.tests[0].findings[0]);
  result.tests[0].mismatches[0].never_written_count = 0;  // who has left makes no value wrong
  EXPECT_EQ(id(result), "wrong_result.value");
  launch::Finding race = finding(launch::FindingKind::race, "shared");
  race.severity = launch::Severity::warning;
  race.cause = launch::Cause::race_same_element;
  result.tests[0].findings.push_back(race);
  EXPECT_EQ(id(result), "race.same_element");
  result.verdict.kind = result.tests[0].verdict.kind = "input_changed";
  EXPECT_EQ(id(result), "input_changed");
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
  result.message = {{words::Id::compiler_says, {{"text", "kernel.cu is empty."}}}};
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
