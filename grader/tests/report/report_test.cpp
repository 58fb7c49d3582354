#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "report/json.h"
#include "report/style.h"
#include "report/text.h"
#include "words/render.h"

namespace labkit::report {
namespace {

using Json = nlohmann::json;

grade::LabResult sample() {
  grade::LabResult result;
  result.lab = "lab3";
  result.folder = "lab3_corner_turning";
  result.title = "Corner turning";
  result.file = "/x/kernel.cu";
  result.device = "simulator";
  result.gpu = "h200";
  result.compiler = "NVRTC 13.0";
  result.seed = 7;
  result.notes = {{words::Id::note_line_directives,
                   {{"file", "kernel.cu"}, {"count", words::count(1)}, {"lines", "3"}}}};
  grade::TestResult right;
  right.name = "CornerTurning.AnyShape";
  right.about = "Right.";
  right.kernel = "turn";
  right.verdict.kind = "pass";
  right.points = right.max_points = 30;
  right.launches = 24;
  grade::TestResult wrong = right;
  wrong.name = "CornerTurning.Doubles";
  wrong.verdict.kind = "wrong_result";
  wrong.points = 0;
  grade::Mismatch m;
  m.array = "out";
  m.rows = 3;
  m.cols = 5;
  m.row = 1;
  m.col = 2;
  m.expected = "0.5";
  m.got = "nan";
  m.bound = "1e-7";
  m.never_written = true;
  m.wrong = m.never_written_count = 2;
  m.total = 15;
  m.stored = {.stores = 3,
              .several_threads = true,
              .where = {"kernel.cu", 7},
              .where_inside = {"kernel.cu", 2},
              .thread = {1, 4, 0},
              .block = {2, 0, 0}};
  wrong.mismatches = {m};
  m.array = "in";
  m.stored = {.stores = 0};
  wrong.mismatches.push_back(m);
  wrong.launch = {{.kernel = "turn<double>",
                   .grid = "1",
                   .block = "32x32",
                   .dynamic_shared_bytes = 8,
                   .scalars = {{"rows", "5"}}}};
  launch::Finding finding;
  finding.kind = launch::FindingKind::race;
  finding.severity = launch::Severity::warning;
  finding.kernel = "k\xff";  // not UTF-8
  finding.cause = launch::Cause::race_same_element;
  finding.access = finding.other_access = launch::Access::write;
  finding.evidence = {
      {words::Id::race_repeated_work, {{"line", words::SourceLine{"kernel.cu", 3}}}}};
  finding.fix = {words::Id::undefined_fix_declared};
  finding.where = {"kernel.cu", 3};
  finding.other = {"kernel.cu", 4};
  finding.thread = {1, 2, 3};
  finding.address = 0x7f0000000000ull;
  finding.array = {"z", 0x7f0000000000ull, 640};
  finding.declared = {.extents = {0}, .element_bytes = 8, .members = {"part"}, .member_extent = 8};
  finding.hazard = "WAW";
  wrong.findings = {finding};
  wrong.input_written = "in";
  wrong.printed = "\x1b[2Jpass\n";
  grade::TestResult slow = right;
  slow.name = "CornerTurning.Bandwidth";
  slow.verdict = {.kind = "gate", .gate = "ratio"};
  slow.points = 0;
  slow.figures = {{"ratio", 0.25}, {"time_us", 20.5}, {"excess_global_sectors", 458752}};
  slow.time_is_predicted = true;
  slow.time_bound = "DRAM";
  slow.registers = {.per_thread = 32,
                    .by = "NVRTC 13.0's ptxas for sm_90",
                    .stack_bytes = 48,
                    .spilled_bytes = 16};
  grade::GateResult gate;
  gate.name = "ratio";
  gate.figure = "ratio";
  gate.threshold = 0.4;
  gate.value = 0.25;
  gate.reason = "Because.";
  gate.next = "Try.";
  gate.culprit = {.where = {"kernel.cu", 9}, .instruction = "st.global.f32", .value = 12};
  slow.gates = {gate};
  grade::TestResult bonus = right;
  bonus.name = "CornerTurning.Bonus";
  bonus.verdict.kind = "not_attempted";
  bonus.points = 0;
  bonus.bonus = true;
  result.tests = {right, wrong, slow, bonus};
  grade::sum_up(result);
  return result;
}

TEST(LabJson, ReadsBackWhatWasWritten) {
  const std::string written = lab_json(sample());
  EXPECT_EQ(lab_json(read_lab_json(written, "x")), written);
}

TEST(LabJson, ADeclarationThatNoArrayCanHaveIsNone) {
  const std::string written = lab_json(sample());
  const auto declared = [](const std::string& json) {
    return read_lab_json(json, "x").tests[1].findings[0].declared;
  };
  EXPECT_EQ(declared(written).element("z", 42), "z[5].part[2]");
  auto changed = nlohmann::json::parse(written);
  for (auto& test : changed["tests"])
    for (auto& finding : test["findings"]) finding["declared"]["extents"] = {4, 0};
  EXPECT_FALSE(declared(changed.dump()).known());
}

TEST(LabJson, KeepsWhatAGateLacks) {
  grade::LabResult result = sample();
  result.tests[2].gates[0].missing = {words::Id::figure_without_global_loads};
  const std::string written = lab_json(result);
  EXPECT_EQ(read_lab_json(written, "x").tests[2].gates[0].missing.id,
            words::Id::figure_without_global_loads);
}

TEST(LabJson, WhatDoesNothingAndWhatTheTimeGoesToComeBack) {
  grade::LabResult result = sample();
  result.tests[1].idle = {{.line = 7,
                           .what = {words::Id::idle_call, {{"statement", "f"}}},
                           .fix = {words::Id::idle_fix_call, {{"function", "f"}}}}};
  result.tests[2].time_bound_part = 0.55;
  result.tests[2].time_unlike = timing::Unlike{.work = "barriers", .distance = 1.5};
  const grade::LabResult read = read_lab_json(lab_json(result), "x");
  ASSERT_EQ(read.tests[1].idle.size(), 1u);
  EXPECT_EQ(read.tests[1].idle[0].line, 7u);
  EXPECT_EQ(read.tests[1].idle[0].what, result.tests[1].idle[0].what);
  EXPECT_EQ(read.tests[1].idle[0].fix, result.tests[1].idle[0].fix);
  EXPECT_EQ(read.tests[2].time_bound_part, 0.55);
  ASSERT_TRUE(read.tests[2].time_unlike);
  EXPECT_EQ(read.tests[2].time_unlike->work, "barriers");
  EXPECT_EQ(read.tests[2].time_unlike->distance, 1.5);
  EXPECT_FALSE(read.tests[1].time_unlike);
  EXPECT_TRUE(read.tests[2].idle.empty());
}

TEST(LabJson, HasWhatOthersLookFor) {
  const Json json = Json::parse(lab_json(sample()));
  EXPECT_EQ(json["verdict"], "wrong_result");
  EXPECT_EQ(json["points"], 30);
  EXPECT_TRUE(json["points"].is_number_integer());
  EXPECT_EQ(json["max_points"], 90);
  EXPECT_EQ(json["max_bonus"], 30);
  EXPECT_EQ(json["tests"][2]["verdict"], "gate ratio");
  EXPECT_EQ(json["tests"][2]["gates"][0]["min"], 0.4);
  EXPECT_NEAR(json["tests"][2]["gates"][0]["margin"], -0.375, 1e-12);
  EXPECT_EQ(json["tests"][2]["figures"]["excess_global_sectors"], 458752);
  EXPECT_EQ(json["tests"][1]["mismatches"][0]["first"], Json::array({1, 2}));
  EXPECT_EQ(json["notes"][0]["lines"], "3");
}

TEST(LabJson, WhatIsNotFiniteIsNullAndStaysAFailure) {
  grade::LabResult result = sample();
  result.tests[2].gates[0].value = std::numeric_limits<double>::quiet_NaN();
  const std::string written = lab_json(result);
  EXPECT_TRUE(Json::parse(written)["tests"][2]["gates"][0]["value"].is_null());
  EXPECT_FALSE(read_lab_json(written, "x").tests[2].gates[0].passed);
}

TEST(LabJson, AnythingElseIsRefusedByName) {
  for (const char* text : {"", "{", "[]", "{}", "{\"format\": 2}", "{\"format\": 1}", "null",
                           "{\"format\":1,\"lab\":3}"}) {
    try {
      read_lab_json(text, "result.json");
      FAIL() << text;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("result.json"), std::string::npos) << error.what();
    }
  }
}

// A result is a file that anybody may have changed; a sentence with a hole in it must not end the program.
TEST(LabJson, AMessageWithoutItsParameterIsRefused) {
  Json json = Json::parse(lab_json(sample()));
  Json& message = json["tests"][1]["findings"][0]["evidence"][0];
  ASSERT_EQ(message.erase("line"), 1u) << message;
  EXPECT_THROW(read_lab_json(json.dump(), "x"), Error);
}

/// What test_text needs of a lab beside the test.
grade::LabResult lab3() {
  grade::LabResult result;
  result.lab = "lab3";
  return result;
}

TEST(TestText, SaysPointsFiguresAndNextStep) {
  const grade::LabResult result = sample();
  const Style plain;
  EXPECT_EQ(test_text(lab3(), result.tests[0], plain),
            "pass  lab3 CornerTurning.AnyShape, 30 of 30 points\n");
  EXPECT_EQ(test_text(lab3(), result.tests[2], plain),
            "FAIL  lab3 CornerTurning.Bandwidth, 0 of 30 points: too slow\n"
            "  Because.\n"
            "  Next: Try.\n"
            "  Limit missed: 0.25 times the copy's speed, 0.40 needed\n"
            "    at kernel.cu:9 (st.global.f32): warps reach it 12 times\n");
}

TEST(TestText, WarningsAreShownAndCostNothing) {
  grade::TestResult test = sample().tests[0];
  launch::Finding warning;
  warning.kind = launch::FindingKind::barrier;
  warning.severity = launch::Severity::warning;
  warning.evidence = {{words::Id::barrier_divergent_block}};
  warning.kernel = "k";
  warning.where = {"kernel.cu", 7};
  test.findings = {warning};
  const std::string text = test_text(lab3(), test, {});
  EXPECT_EQ(text.find("pass  lab3 "), 0u) << text;
  EXPECT_NE(text.find("    Barrier error detected. Divergent thread(s) in block.\n"
                      "    at k in kernel.cu:7\n"),
            std::string::npos)
      << text;
}

TEST(TestText, ASkippedTestSaysSoInCTestsWords) {
  EXPECT_EQ(test_text(lab3(), sample().tests[3], {}).find("skipped  lab3 "), 0u);
}

TEST(TestText, AKernelsPrintsAreQuotedAndHarmless) {
  const std::string text = test_text(lab3(), sample().tests[1], {});
  EXPECT_NE(text.find("  | \\x1b[2Jpass"), std::string::npos) << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(GradeText, IsATableWithReasonsBelow) {
  const std::string text = grade_text({{"lab3", sample()}, {"lab4", sample()}}, {});
  EXPECT_NE(text.find("lab3  wrong result   30/90"), std::string::npos) << text;
  EXPECT_NE(text.find("60/180"), std::string::npos) << text;
  EXPECT_NE(text.find("lab3 CornerTurning.Bandwidth: too slow\n  0.25 times the copy's speed, "
                      "0.40 needed (kernel.cu:9)\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("Bonus:"), std::string::npos) << "a bonus not attempted is no failure";
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(GradeText, AWarningOfATestThatPassedIsOneLine) {
  grade::LabResult result = sample();
  result.tests.resize(1);
  launch::Finding warning;
  warning.kind = launch::FindingKind::race;
  warning.severity = launch::Severity::warning;
  warning.where = {"kernel.cu", 7};
  warning.hazard = "WAW";
  result.tests[0].findings = {warning, warning};
  const std::string text = grade_text({{"lab3", result}}, {});
  const auto line = text.find("passed, with a warning: race (kernel.cu:7)\n");
  ASSERT_NE(line, std::string::npos) << text;
  EXPECT_EQ(text.find("with a warning", line + 20), std::string::npos) << text;
}

TEST(GradeText, BeginsWithTheTestThatHintsAndPagesBeginWith) {
  grade::LabResult result = sample();
  std::swap(result.tests[1], result.tests[2]);  // what is slow stands before what is wrong
  ASSERT_EQ(result.tests[1].verdict.kind, "gate");
  ASSERT_EQ(grade::first_to_tell(result.tests), &result.tests[2]);
  const std::string text = grade_text({{"lab3", result}}, {});
  const auto wrong = text.find("lab3 CornerTurning.Doubles: "),
             slow = text.find("lab3 CornerTurning.Bandwidth: ");
  ASSERT_NE(wrong, std::string::npos) << text;
  ASSERT_NE(slow, std::string::npos) << text;
  EXPECT_LT(wrong, slow) << text;
}

TEST(GradeText, AWrongResultHasItsLaunchAndWhatToDoOnceAKernel) {
  grade::LabResult result = sample();
  grade::TestResult again = result.tests[1];
  again.name = "CornerTurning.Again";
  again.mismatches[0].col = 4;
  result.tests.push_back(again);
  const std::string text = grade_text({{"lab3", result}}, {});
  const std::string launch =
      "turn<double>, rows = 5, grid 1, block 32x32, 8 bytes of dynamic "
      "shared memory";
  EXPECT_NE(text.find("  Launch: " + launch + "\n"), std::string::npos) << text;
  EXPECT_NE(text.find("lab3 CornerTurning.Again: wrong result\n  out[1][4]: expected 0.5, never "
                      "written (" +
                      launch + ")\n"),
            std::string::npos)
      << text;
  const auto shape = text.find("`out` (3 x 5)");
  EXPECT_EQ(text.find("`out` (3 x 5)", shape + 1), std::string::npos) << "the rest is told once";
}

TEST(GradeText, ALabOfWhichOnlyAPartIsEmptyIsUnfinished) {
  grade::LabResult result = sample();
  result.tests.resize(2);
  result.tests[1].verdict = result.verdict = {.kind = "untouched", .gate = {}};
  EXPECT_NE(grade_text({{"lab3", result}}, {}).find("lab3  unfinished  "), std::string::npos);
  result.tests.erase(result.tests.begin());
  EXPECT_NE(grade_text({{"lab3", result}}, {}).find("lab3  untouched  "), std::string::npos);
}

TEST(GradeText, ALabThatNeverRanSaysWhy) {
  grade::LabResult result = sample();
  result.tests.clear();
  result.verdict.kind = "untouched";
  result.message = {{words::Id::submission_empty, {{"kernel", "turn"}}}};
  const std::string text = grade_text({{"lab3", result}}, {});
  EXPECT_NE(text.find("lab3: untouched\n  " + words::render(result.message)), std::string::npos)
      << text;
}

TEST(SourceLines, ShowTheLineWithItsNumberAndMarkTheOnlyAccess) {
  const std::string source = "a\n\tout[i + s[2]] = in[i];  // out\nin[0] = in[1];\n";
  EXPECT_EQ(source_lines(source, {{2, "out"}, {3, "in"}}, {}, "  "),
            "     2 | out[i + s[2]] = in[i];  // out\n"
            "       | ^^^^^^^^^^^^^\n"
            "     3 | in[0] = in[1];\n");
  EXPECT_EQ(source_lines(source, {{0, ""}, {9, ""}}, {}, ""), "");
  Style narrow;
  narrow.columns = 24;
  EXPECT_EQ(source_lines(source, {{2, "out"}}, narrow, "  "),
            "     2 | out[i + s[2]...\n"
            "       | ^^^^^^^^^^^^\n");
}

TEST(Style, LongLinesAndLastCellsWrapOnATerminalAlone) {
  Style narrow;
  narrow.columns = 20;
  EXPECT_EQ(lines_text({"one two three four five", "  six seven eight nine ten"}, narrow, ""),
            "one two three four\nfive\n  six seven eight\n  nine ten\n");
  EXPECT_EQ(lines_text({"one two three four five"}, {}, ""), "one two three four five\n");
  EXPECT_EQ(table({{"a", "one two three four five six"}}, {false, false}, 24),
            "a  one two three four\n   five six\n");
}

TEST(FiguresText, ShowsGradedLaunchesSideBySide) {
  grade::LabResult result = sample();
  EXPECT_NE(figures_text(result.tests, {}).find("CornerTurning.Bandwidth"), std::string::npos);
  EXPECT_EQ(figures_text(result.tests, {}).find("CornerTurning.AnyShape"), std::string::npos);
  EXPECT_NE(figures_text(result.tests, {}).find("predicted"), std::string::npos);
  EXPECT_EQ(figures_text(result.tests, {}, 2), "");
  EXPECT_EQ(figures_text({}, {}), "");
}

TEST(Printable, ControlCharactersAreSpelledOut) {
  EXPECT_EQ(printable("a\tb\n"), "a\tb\n");
  EXPECT_EQ(printable("\x1b[31m"), "\\x1b[31m");
  EXPECT_EQ(printable("\r\x07\x7f"), "\\x0d\\x07\\x7f");
  EXPECT_EQ(printable("\xc3\xa4"), "\xc3\xa4");
  EXPECT_EQ(printable("\xc2\x9b"), "\\x9b");  // CSI in one character
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(printable("ana\xe2\x80\xae uc.sql"), "ana\\u202e uc.sql");  // from right to left
  EXPECT_EQ(printable("a\xe2\x81\xa6\xe2\x80\x8b"), "a\\u2066\\u200b");
  EXPECT_EQ(printable("\xd9\x85\xe2\x80\x8c\xd8\xa7"), "\xd9\x85\xe2\x80\x8c\xd8\xa7");  // a joiner
}

TEST(Table, AlignsWhatIsSeen) {
  EXPECT_EQ(table({{"a", "1"}, {"bcd", "234"}}, {false, true}), "a      1\nbcd  234\n");
  EXPECT_EQ(table({{"\x1b[31mab\x1b[0m", "x"}, {"abc", "y"}}, {false, false}),
            "\x1b[31mab\x1b[0m   x\nabc  y\n");
  EXPECT_EQ(table({{"\xc3\xa4", "x"}, {"ab", "y"}}, {false, false}), "\xc3\xa4   x\nab  y\n");
  EXPECT_EQ(table({}, {}), "");
}

TEST(Style, AFileGetsNoColour) {
  std::FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  EXPECT_FALSE(style_for(file).colour);
  EXPECT_FALSE(style_for(file).unicode);
  std::fclose(file);
}

TEST(Style, ColourIsAnEscapeSequenceAndItsEnd) {
  const Style colour{.colour = true, .unicode = false};
  EXPECT_EQ(colour.bad("x"), "\x1b[31mx\x1b[0m");
  EXPECT_EQ(Style{}.bad("x"), "x");
}

TEST(GradeText, WhatAKernelPrintedIsQuotedOnceAndCut) {
  grade::LabResult lab = sample();
  for (grade::TestResult& test : lab.tests)
    test.printed = "lab3  pass  100/100\n\x1b[2J\n3\n4\n5\n6\n" + std::string(5000, 'x') + "\n";
  const std::string text = grade_text({{"lab3", lab}}, {});
  EXPECT_NE(text.find("the kernel printed:\n  | lab3  pass  100/100\n  | \\x1b[2J\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("the kernel printed:"), text.rfind("the kernel printed:"));
  EXPECT_EQ(text.find("  | 6"), std::string::npos);
  EXPECT_EQ(text.find("\nlab3  pass  100/100\n"), std::string::npos);
}

grade::TestResult racing(const std::string& name) {
  grade::TestResult test = sample().tests.at(0);
  test.name = name;
  test.verdict = {.kind = "race", .gate = {}};
  test.mismatches.clear();
  test.gates.clear();
  test.message.clear();
  launch::Finding race;
  race.kind = launch::FindingKind::race;
  race.other_access = launch::Access::write;
  race.access = launch::Access::read;
  race.hazard = "RAW";
  race.space = "shared";
  race.kernel = "k";
  race.fix = {words::Id::race_fix_barrier_between,
              {{"barrier", "__syncthreads()"},
               {"above", launch::SourceLine{"k.cu", 12}},
               {"below", launch::SourceLine{"k.cu", 16}}}};
  race.other = {"k.cu", 12};
  race.where = {"k.cu", 16};
  race.other_thread = {1, 0, 0};
  race.thread = {0, 1, 0};
  race.block = race.other_block = {0, 0, 0};
  test.findings = {race};
  test.launch = {{.kernel = "k", .grid = "1", .block = "32x32", .scalars = {}}};
  return test;
}

TEST(LabJson, WhoIsAtFaultComesBackAsItWas) {
  grade::LabResult result = sample();
  result.tests = {racing("T.One")};
  launch::Finding& written = result.tests[0].findings[0];
  written.lanes = 0xf0;
  written.other_lanes = 0xf;
  written.access_bytes = 8;
  written.array = {"tile", 16, 4096};
  const launch::Finding read = read_lab_json(lab_json(result), "it").tests.at(0).findings.at(0);
  EXPECT_EQ(read.lanes, 0xf0u);
  EXPECT_EQ(read.other_lanes, 0xfu);
  EXPECT_EQ(read.access_bytes, 8u);
  EXPECT_EQ(read.array.name, "tile");
  EXPECT_EQ(read.array.begin, 16u);
  EXPECT_EQ(read.array.bytes, 4096u);
  // A gradebook of an earlier kit has none of it.
  const grade::LabResult old = read_lab_json(lab_json([&] {
                                               result.tests = {racing("T.One")};
                                               return result;
                                             }()),
                                             "it");
  EXPECT_EQ(old.tests.at(0).findings.at(0).lanes, 0u);
}

TEST(GradeText, ARaceHasBothLinesTheThreadsAndTheFixOnce) {
  grade::LabResult result = sample();
  result.message.clear();
  result.verdict = {.kind = "race", .gate = {}};
  result.tests = {racing("T.One"), racing("T.Two")};
  const std::string text = grade_text({{"lab3", result}}, {});
  EXPECT_NE(
      text.find("lab3 T.One: race\n  Thread (1,0,0) writes an address at line 12, thread (0,1,0) "
                "reads it at line 16: nothing orders these two accesses.\n"
                "  Fix: " +
                words::render(result.tests[0].findings[0].fix) +
                "\n  Launch: k, grid 1, block 32x32\n"
                "  In compute-sanitizer's words: Potential RAW hazard detected at __shared__ 0x0 "
                "in block (0,0,0) (k.cu:16)\n"
                "lab3 T.Two: race, as above (k.cu:16)\n"),
      std::string::npos)
      << text;
}

}  // namespace
}  // namespace labkit::report
