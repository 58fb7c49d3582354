#include "explain/words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "explain/defect.h"
#include "words/render.h"

namespace labkit::explain {
namespace {

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

grade::GateResult gate() {
  grade::GateResult made;
  made.name = "sectors";
  made.figure = "store_sectors_per_request";
  made.is_minimum = false;
  made.threshold = 4.5;
  made.value = 32;
  made.reason = "32 neighbours lie in 4 sectors.";
  made.next = "Write along a row.";
  made.culprit = {.where = {"kernel.cu", 21}, .instruction = "st.global.f32", .value = 32};
  return made;
}

TEST(Number, IsShortAndGrouped) {
  EXPECT_EQ(number(0), "0");
  EXPECT_EQ(number(32), "32");
  EXPECT_EQ(number(458752), "458,752");
  EXPECT_EQ(number(1234567.8), "1,234,568");
  EXPECT_EQ(number(-1234), "-1,234");
  EXPECT_EQ(number(0.5349), "0.53");
  EXPECT_EQ(number(123.45), "123.5");
  EXPECT_EQ(number(0.001234), "0.0012");
  EXPECT_EQ(number(std::nan("")), "nan");
}

TEST(Gate, SaysFiguresLineReasonAndNextStep) {
  EXPECT_EQ(joined(tell_gate(gate())),
            "32 sectors per global store request, at most 4.50 allowed\n"
            "  at kernel.cu:21 (st.global.f32): 32\n"
            "  Why: 32 neighbours lie in 4 sectors.\n"
            "  Next: Write along a row.\n");
}

TEST(Gate, ANearMissIsToldApart) {
  grade::GateResult near = gate();
  near.is_minimum = true;
  near.value = 0.6987;
  near.threshold = 0.70;
  near.figure = "ratio";
  EXPECT_EQ(limit_text(near), "0.699 times the copy's speed, 0.700 needed");
}

TEST(Gate, WithoutABasisSaysSo) {
  grade::GateResult none = gate();
  none.missing = {words::Id::figure_without_global_loads};
  EXPECT_EQ(limit_text(none), words::render(none.missing));
}

TEST(Gate, ThatHoldsIsOneLine) {
  grade::GateResult held = gate();
  held.passed = true;
  EXPECT_EQ(tell_gate(held).size(), 1u);
}

grade::Mismatch mismatch() {
  grade::Mismatch m;
  m.array = "out";
  m.rows = 33;
  m.cols = 31;
  m.row = 5;
  m.col = 32;
  m.expected = "0.5";
  m.got = "0.25";
  m.wrong = 12;
  m.total = 1023;
  return m;
}

TEST(Mismatch, SaysWhereWhatAndHowMany) {
  EXPECT_EQ(joined(tell_mismatch(mismatch())),
            "`out` (33 x 31): 12 of 1,023 elements are wrong\n"
            "  the first is out[5][32]: expected 0.5, got 0.25\n");
}

TEST(Mismatch, SaysNeverWritten) {
  grade::Mismatch m = mismatch();
  m.never_written = true;
  m.never_written_count = 12;
  EXPECT_EQ(joined(tell_mismatch(m)),
            "`out` (33 x 31): 12 of 1,023 elements were never written\n"
            "  the first is out[5][32]: expected 0.5\n");
}

TEST(Mismatch, SaysWhoStoredIt) {
  grade::Mismatch m = mismatch();
  m.stored = {.stores = 1, .where = {"kernel.cu", 21}, .thread = {3, 4, 0}, .block = {0, 1, 0}};
  EXPECT_EQ(joined(tell_mismatch(m)),
            "`out` (33 x 31): 12 of 1,023 elements are wrong\n"
            "  the first is out[5][32]: expected 0.5, got 0.25\n"
            "  out[5][32] was stored by thread (3,4,0) of block (0,1,0) at line 21\n");
  m.stored->stores = 32;
  EXPECT_NE(joined(tell_mismatch(m))
                .find("  out[5][32] was written 32 times, each time by thread (3,4,0) of block "
                      "(0,1,0) at line 21\n"),
            std::string::npos);
  m.stored->several_threads = true;
  EXPECT_NE(
      joined(tell_mismatch(m)).find("written 32 times by different threads, last by thread (3"),
      std::string::npos);
  m.stored->where = {};
  EXPECT_EQ(tell_who_stored(m), "thread (3,4,0) of block (0,1,0)");
}

TEST(Mismatch, OfWhatNobodyWroteTheOneBeforeIsSaid) {
  grade::Mismatch m = mismatch();
  m.never_written = true;
  m.never_written_count = 12;
  m.stored = {.stores = 1, .where = {"kernel.cu", 21}, .thread = {31, 5, 0}, .block = {0, 0, 0}};
  EXPECT_NE(joined(tell_mismatch(m))
                .find("  the one before it, out[5][31], was stored by thread (31,5,0) of block "
                      "(0,0,0) at line 21\n"),
            std::string::npos);
  m.col = 0;
  EXPECT_EQ(tell_element_before(m), "out[4][0]");
  m.row = 0;
  m.stored.reset();
  EXPECT_EQ(tell_element_before(m), "");
  EXPECT_EQ(joined(tell_mismatch(m)).find("stored"), std::string::npos);
}

TEST(Mismatch, WhereNothingWasWrittenAtAllThatIsSaid) {
  grade::Mismatch m = mismatch();
  m.row = m.col = 0;
  m.never_written = true;
  m.wrong = m.never_written_count = m.total;
  EXPECT_NE(joined(tell_mismatch(m)).find("  No thread stored anything to `out`.\n"),
            std::string::npos);
}

TEST(Mismatch, OfAVectorHasOneIndexAndItsBound) {
  grade::Mismatch m = mismatch();
  m.is_vector = true;
  m.bound = "1e-07";
  m.wrong = 1;
  const std::string text = joined(tell_mismatch(m));
  EXPECT_NE(text.find("out[32]: expected 0.5 (within 1e-07), got 0.25"), std::string::npos) << text;
  EXPECT_NE(text.find("1 of 1,023 elements is wrong"), std::string::npos) << text;
}

TEST(Launch, NamesTheScalars) {
  const grade::LaunchText launch{.kernel = "turn<float>",
                                 .grid = "2x1",
                                 .block = "32x32",
                                 .dynamic_shared_bytes = 4224,
                                 .scalars = {{"rows", "31"}, {"cols", "33"}}};
  EXPECT_EQ(tell_launch(launch),
            "turn<float>, rows = 31, cols = 33, grid 2x1, block 32x32, 4,224 bytes of dynamic "
            "shared memory");
}

TEST(Test, ThatPassedNeedsNoWords) {
  grade::TestResult test;
  test.verdict.kind = "pass";
  EXPECT_TRUE(tell_test(test).empty());
  EXPECT_TRUE(short_reason(test).empty());
}

TEST(Test, FindingKeepsTheSanitizersWordsAndAddsTheNextStep) {
  grade::TestResult test;
  test.verdict.kind = "out_of_bounds";
  launch::Finding warning, error;
  warning.severity = launch::Severity::warning;
  warning.kind = launch::FindingKind::race;
  error.space = "global";
  error.access = launch::Access::write;
  error.access_bytes = 4;
  error.where = {"kernel.cu", 12};
  test.findings = {warning, error};
  const std::string text = joined(tell_test(test));
  EXPECT_EQ(text.find("Invalid __global__ write of size 4 bytes"), 0u);
  EXPECT_NE(text.find("Next: Compare the indices"), std::string::npos);
  EXPECT_EQ(short_reason(test), "Invalid __global__ write of size 4 bytes (kernel.cu:12)");
}

TEST(Test, OnlyMissedGatesAreTold) {
  grade::TestResult test;
  test.verdict = {.kind = "gate", .gate = "sectors"};
  grade::GateResult held = gate();
  held.passed = true;
  held.figure = "ratio";
  test.gates = {held, gate()};
  const std::string text = joined(tell_test(test));
  EXPECT_EQ(text.find("ratio"), std::string::npos);
  EXPECT_EQ(short_reason(test),
            "32 sectors per global store request, at most 4.50 allowed (kernel.cu:21)");
}

TEST(Test, TheCauseComesBeforeTheLimitThatItMisses) {
  grade::TestResult test;
  test.verdict = {.kind = "gate", .gate = "sectors"};
  test.gates = {gate(), gate()};
  test.gates[1].next = "Another.";
  const std::vector<std::string> all = tell_test(test), first = tell_test_in_short(test);
  ASSERT_EQ(first.size(), 3u);
  EXPECT_EQ(first[0], gate().reason);
  EXPECT_EQ(first[1], "Next: " + gate().next);
  EXPECT_EQ(first[2], "Limit missed: " + short_reason(test));
  EXPECT_EQ(headline(test), first[0]);
  ASSERT_EQ(all.size(), 6u) << "a later limit has no advice of its own";
  EXPECT_EQ(all[1], first[1]);
  EXPECT_EQ(all[2], all[4]);
  EXPECT_EQ(verdict_words(test), "too much traffic");
}

TEST(LinesAtFault, AreThoseOfTheCause) {
  const auto lines_of = [](const grade::TestResult& test) {
    std::vector<std::uint32_t> lines;
    for (const LineAtFault& each : lines_at_fault(test)) lines.push_back(each.line);
    return lines;
  };
  using Lines = std::vector<std::uint32_t>;
  grade::TestResult test;
  test.verdict = {.kind = "gate", .gate = "sectors"};
  test.gates = {gate()};
  EXPECT_EQ(lines_of(test), Lines{21});
  launch::Finding race;
  race.kind = launch::FindingKind::race;
  race.where = {"kernel.cu", 16};
  race.other = {"kernel.cu", 12};
  test.verdict = {.kind = "race", .gate = {}};
  test.findings = {race};
  EXPECT_EQ(lines_of(test), (Lines{12, 16}));
  test.idle = {{.line = 4, .what = {}, .fix = {}}};
  EXPECT_EQ(lines_of(test), Lines{4}) << "the statement that does nothing is the cause";
  test.verdict.kind = "pass";
  EXPECT_EQ(lines_of(test), Lines{});
}

TEST(Test, ChangedInputIsCalledSo) {
  grade::TestResult test;
  test.verdict.kind = "input_changed";
  test.mismatches = {mismatch()};
  EXPECT_NE(joined(tell_test(test))
                .find("`out` is an input, but came back changed: out[5][32] was 0.5, is 0.25"),
            std::string::npos);
}

TEST(Lab, UntouchedSaysWhereToStart) {
  grade::LabResult result;
  result.verdict.kind = "untouched";
  result.message = {{words::Id::submission_empty, {{"kernel", "turn"}}}};
  result.file = "labs/lab3/kernel.cu";
  result.where = {"kernel.cu", 17};
  EXPECT_EQ(
      joined(tell_lab(result)),
      words::render(result.message) +
          "\nStart at labs/lab3/kernel.cu:17; README.md beside it says what the kernel must do.\n");
}

TEST(Lab, ALongCompilerLogIsCut) {
  grade::LabResult result;
  result.verdict.kind = "compile_error";
  result.message = {{words::Id::compile_failed, {{"file", "kernel.cu"}}}};
  for (int i = 0; i < 100; ++i) result.compile_log += "kernel.cu(1): error\n";
  EXPECT_LT(tell_lab(result).size(), 17u);
}

TEST(Lab, WithoutASourceThereIsNoFirstErrorToMend) {
  grade::LabResult result;
  result.verdict.kind = "compile_error";
  result.message = {{words::Id::compile_empty_file, {{"file", "kernel.cu"}}}};
  result.lab = "lab3";
  const std::string text = joined(tell_lab(result));
  EXPECT_EQ(text.find("first error"), std::string::npos) << text;
  EXPECT_NE(text.find("labkit reset lab3` brings the empty kernel back"), std::string::npos)
      << text;
  result.compile_log =
      "kernel.cu(3): error: a class has no such member\nkernel.cu(5): error: nor this";
  EXPECT_NE(joined(tell_lab(result)).find("first error"), std::string::npos);
}

TEST(Predictions, AreRightOrWrongOrNamedWhileTheyAreOpen) {
  grade::LabResult result;
  result.file = "labs/lab0_x/kernel.cu";
  const auto one = [](const char* constant, std::int64_t guess, std::optional<double> counted) {
    return grade::PredictionResult{.constant = constant,
                                   .figure = "load_sectors_per_request",
                                   .why = "Why.",
                                   .guess = guess,
                                   .counted = counted};
  };
  result.predictions = {one("kA", 4, 4), one("kB", 32, 1)};
  EXPECT_EQ(
      tell_predictions(result),
      (std::vector<std::string>{
          "You predicted 4 for kA (sectors per global load request), and 4 were counted: right.",
          "You predicted 32 for kB (sectors per global load request), but 1 was counted. Why."}));
  result.predictions = {one("kA", 0, std::nullopt), one("kB", 0, std::nullopt), one("kC", 0, 4)};
  EXPECT_EQ(tell_predictions(result),
            (std::vector<std::string>{
                "Predict kA, kB in kernel.cu: 0 counts as no prediction. It costs no points."}));
}

/// What got lost on its way comes before the element that shows it.
TEST(NextStep, OfASumThatNobodyReadsIsToReadIt) {
  grade::TestResult test;
  test.verdict.kind = "wrong_result";
  grade::Mismatch m = mismatch();
  m.unread = {words::Id::unread_sum,
              {{"block", "(0,0,0)"},
               {"line", launch::SourceLine{"kernel.cu", 15}},
               {"element", "part[2]"}}};
  test.mismatches = {m};
  const std::string lost =
      "In block (0,0,0), nothing reads the value that line 15 leaves in part[2].";
  const std::vector<std::string> told = tell_test_in_short(test);
  EXPECT_EQ(told.front(), lost);
  EXPECT_EQ(std::ranges::count(told, lost), 1);
  EXPECT_EQ(told.back().find("Next: Let some thread read these values"), 0u);
  EXPECT_EQ(wrong_result_id(test), "wrong_result.unread_shared");
  ASSERT_EQ(lines_at_fault(test).size(), 1u);
  EXPECT_EQ(lines_at_fault(test)[0].line, 15u);
  test.repair.emplace();
  EXPECT_NE(headline(test), lost) << "an edit says it better";
}

TEST(NextStep, OfAWrongResultIsOfWhatIsWrongInIt) {
  grade::TestResult test;
  test.verdict.kind = "wrong_result";
  grade::Mismatch m = mismatch();
  m.is_vector = m.never_written = true;
  m.cols = m.total = 1000;
  m.col = 1;
  m.wrong = m.never_written_count = 968;
  test.mismatches = {m};
  test.launch = {{.kernel = "k",
                  .grid = "1",
                  .block = "1",
                  .dynamic_shared_bytes = 0,
                  .scalars = {{"n", "1000"}}}};
  EXPECT_EQ(tell_test(test).back(),
            "Next: Compare how far your loop steps with how many threads this launch has.");
  EXPECT_EQ(tell_test_in_short(test).back(), tell_test(test).back());
  test.mismatches.clear();
  EXPECT_EQ(wrong_result_id(test), "wrong_result");
  EXPECT_NE(next_step("race.rows_overlap").find("multiplied"), std::string_view::npos);
}

TEST(Mismatch, SaysWhatItIsMadeFromUnlessNobodyWroteIt) {
  grade::Mismatch m = mismatch();
  m.is_vector = true;
  m.never_written = false;
  m.inputs = {{"offset", "8"}, {"stride", "30"}};
  EXPECT_NE(joined(tell_mismatch(m)).find("where offset[32] = 8, stride[32] = 30\n"),
            std::string::npos);
  m.never_written = true;
  EXPECT_EQ(joined(tell_mismatch(m)).find("stride"), std::string::npos);
  m.cols = m.total = m.wrong = 1;
  EXPECT_EQ(joined(tell_mismatch(m)).find("out[32]: expected "), 0U);
}

TEST(Test, OfABudgetSaysHowMuchWasTooMuch) {
  grade::TestResult test;
  test.verdict.kind = "budget";
  launch::Finding endless;
  endless.kind = launch::FindingKind::budget;
  endless.where = {"kernel.cu", 4};
  endless.cause = launch::Cause::budget;
  endless.evidence = {{words::Id::budget_endless,
                       {{"instructions", words::count(31'250'000)}, {"line", endless.where}}}};
  endless.fix = {words::Id::budget_fix_endless};
  test.findings = {endless};
  const std::vector<std::string> told = tell_test_in_short(test);
  ASSERT_EQ(told.size(), 2u);
  EXPECT_EQ(told[0],
            "The loop at line 4 never seems to end: stopped after about 31 million warp "
            "instructions.");
  EXPECT_EQ(told[1], "Fix: " + words::render(endless.fix));
  test.message = {{words::Id::endless_before, {{"kernel", "k"}, {"test", "T.One"}}}};
  for (const std::string& line : tell_test_in_short(test))
    EXPECT_EQ(line.find("twice the work"), std::string::npos) << line;
}

TEST(NextStep, OfAStackOverflowIsNotOfPointers) {
  EXPECT_EQ(next_step("trap.stack_overflow").find("pointer"), std::string_view::npos);
  EXPECT_NE(next_step("trap.stack_overflow").find("recursion"), std::string_view::npos);
}

TEST(NextStep, EveryFailingVerdictHasOne) {
  for (const std::string& kind : grade::verdict_kinds()) {
    if (kind == "pass" || kind == "gate" || kind == "not_attempted" || kind == "not_run")
      continue;  // gates bring their own
    EXPECT_FALSE(next_step(kind).empty()) << kind;
  }
}

TEST(NextStep, OfAFindingIsOfItsOwnKind) {
  const auto next_of = [](const launch::Finding& finding) {
    grade::TestResult test;
    test.verdict = {.kind = std::string(name_of(finding.kind)), .gate = {}};
    test.findings = {finding};
    test.launch = {{.kernel = "k",
                    .grid = "1x1x1",
                    .block = "64x1x1",
                    .dynamic_shared_bytes = 0,
                    .scalars = {}}};
    return tell_test(test).back();
  };
  launch::Finding finding;
  finding.kind = launch::FindingKind::barrier;
  EXPECT_NE(next_of(finding).find("__syncthreads()"), std::string::npos);
  finding.cause = launch::Cause::barrier_mask;
  EXPECT_EQ(next_of(finding).find("__syncthreads()"), std::string::npos);
  EXPECT_NE(next_of(finding).find("mask"), std::string::npos);
  finding.kind = launch::FindingKind::race;
  finding.space = "shared";
  finding.cause = launch::Cause::race_missing_syncwarp;
  EXPECT_NE(next_of(finding).find("__syncwarp()"), std::string::npos);
  finding.cause = launch::Cause::race_between_blocks;
  EXPECT_NE(next_of(finding).find("Blocks run in any order"), std::string::npos);
}

TEST(Mismatch, SaysWhoseValueItIsAndWhatWasRightBefore) {
  grade::TestResult test;
  test.verdict.kind = "wrong_result";
  grade::Mismatch m;
  m.array = "out";
  m.rows = m.cols = 4;
  m.expected = "1";
  m.got = "2";
  m.wrong = m.total = 16;
  m.belongs_to = "out[1][0]";
  test.mismatches = {m};
  EXPECT_NE(joined(tell_test(test)).find("that value belongs in out[1][0]\n"), std::string::npos);
  test.mismatches[0].constant = true;
  test.right_where = "multiples of 32";
  EXPECT_EQ(joined(tell_test(test)).find("belongs"), std::string::npos);
  EXPECT_NE(joined(tell_test(test)).find("every element has the same value\n"), std::string::npos);
  EXPECT_NE(
      joined(tell_test(test)).find("Only sizes that are multiples of 32 were right so far.\n"),
      std::string::npos);
  test.right_where = "square";
  EXPECT_NE(joined(tell_test(test)).find("Only square sizes were right so far.\n"),
            std::string::npos);
}

}  // namespace
}  // namespace labkit::explain
