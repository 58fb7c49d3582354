#include <gtest/gtest.h>

#include <algorithm>

#include "defects.h"
#include "explain/finding_picture.h"
#include "explain/words.h"
#include "words/render.h"

namespace labkit::explain {
namespace {

TEST(WrongResultDefect, OfAWrongResultIsItsPattern) {
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

TEST(WrongResultDefect, OfAResultThatIsRightInItsFirstDigitsIsARounding) {
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

TEST(WrongResultDefect, OfElementsThatNobodyWroteIsWhoWroteOthersTwice) {
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

TEST(WrongResultDefect, OfAVectorSaysWhichElementsWereLeftOut) {
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

TEST(WrongResultDefect, OfBlocksInOneAnothersPlace) {
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

TEST(WrongResultDefect, OfAWrongResultIsTheWarningBesideIt) {
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

}  // namespace
}  // namespace labkit::explain
