#include "class/policy/rescore.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/text.h"
#include "class_files.h"
#include "made_class.h"
#include "report/json.h"

namespace labkit::course {
namespace {

constexpr const char* kToml = R"(
title = "Turn"
idea = "An idea."
reference = "correct/a.cu"
[[kernel]]
expressions = ["turn"]
parameters = ["const float* in", "float* out"]
[[test]]
name = "Turn.Right"
points = 60
about = "Right."
[[test]]
name = "Turn.Fast"
about = "Fast."
block = "32x32"
size = { rows = 64 }
  [[test.gate]]
  name = "sectors"
  figure = "excess_global_sectors"
  points = 30
  max = 0
  reason = "r"
  next = "n"
  [[test.gate]]
  name = "ratio"
  figure = "ratio"
  points = 10
  min = 0.5
  reason = "r"
  next = "n"
)";

grade::Manifest lab_of(const std::string& toml = kToml) {
  return grade::parse_manifest(toml, "/labs/lab1_turn", "lab.toml");
}
std::string edited(const std::string& from, const std::string& to) {
  return replace_all(kToml, from, to);
}

grade::GateResult gate_of(const std::string& name, const std::string& figure, bool is_minimum) {
  grade::GateResult gate;
  gate.name = name;
  gate.figure = figure;
  gate.is_minimum = is_minimum;
  gate.passed = true;
  return gate;
}
grade::LabResult result(double sectors, double ratio) {
  grade::LabResult result;
  result.lab = "lab1";
  result.points = result.max_points = 100;
  grade::TestResult right, fast;
  right.name = "Turn.Right";
  right.points = right.max_points = 60;
  fast.name = "Turn.Fast";
  fast.points = fast.max_points = 40;
  fast.gates = {gate_of("sectors", "excess_global_sectors", false),
                gate_of("ratio", "ratio", true)};
  fast.figures = {
      {"load_sectors_per_request", 4}, {"excess_global_sectors", sectors}, {"ratio", ratio}};
  right.verdict = fast.verdict = result.verdict = {"pass"};
  result.tests = {right, fast};
  return result;
}
std::string scored(const grade::LabResult& stored, const std::string& toml = kToml) {
  const Rescored rescored = rescore(stored, lab_of(toml));
  if (!rescored.note.empty()) return rescored.note;
  const grade::LabResult& r = rescored.result;
  return r.verdict.text() + " " + std::to_string(static_cast<int>(r.points)) + "/" +
         std::to_string(static_cast<int>(r.max_points)) + " +" +
         std::to_string(static_cast<int>(r.bonus)) + (r.undecided > 0 ? " undecided" : "");
}

TEST(Rescore, UnchangedIsUnchanged) { EXPECT_EQ(scored(result(0, 0.6)), "pass 100/100 +0"); }

TEST(Rescore, PointsAndGatesMove) {
  EXPECT_EQ(scored(result(0, 0.6), edited("points = 30", "points = 10")), "pass 80/80 +0");
  EXPECT_EQ(scored(result(0, 0.6), edited("min = 0.5", "min = 0.7")), "gate ratio 90/100 +0");
  EXPECT_EQ(scored(result(8, 0.4)), "gate sectors 60/100 +0");
  EXPECT_EQ(scored(result(8, 0.6)), "gate sectors 60/100 +0") << "its speed earns nothing then";
  EXPECT_EQ(scored(result(8, 0.4), edited("max = 0", "max = 10")), "gate ratio 90/100 +0");
  EXPECT_EQ(
      scored(result(8, 0.4), replace_all(edited("max = 0", "max = 10"), "min = 0.5", "min = 0.3")),
      "pass 100/100 +0");
  EXPECT_EQ(scored(result(0, 0.6), edited("about = \"Fast.\"", "about = \"Fast.\"\nbonus = true")),
            "pass 60/60 +40");
}

TEST(Rescore, ANewGateIsHeldAgainstWhatIsStored) {
  const auto with = [](const std::string& figure, const std::string& limit) {
    const std::string more = "  [[test.gate]]\n  name = \"more\"\n  figure = \"" + figure +
                             "\"\n  points = 5\n  " + limit +
                             "\n  reason = \"r\"\n  next = \"n\"\n";
    std::string toml = kToml;  // counters come before ratios
    const bool is_ratio = figure.find("ratio") != std::string::npos;
    return toml.insert(is_ratio ? toml.size() : toml.rfind("  [[test.gate]]"), more);
  };
  EXPECT_EQ(scored(result(0, 0.6), with("ratio", "min = 0.9")), "gate more 100/105 +0");
  EXPECT_EQ(scored(result(0, 0.6), with("best_ratio", "min = 0.9")),
            "Turn.Fast: no best_ratio is stored for gate more");
  EXPECT_EQ(scored(result(0, 0.6), with("load_sectors_per_request", "max = 5")),
            "Turn.Fast: no load_sectors_per_request is stored for gate more")
      << "a kernel without requests would hold any maximum";
}

TEST(Rescore, WhatWasWrongStaysWrong) {
  grade::LabResult race = result(0, 0.6);
  race.verdict = race.tests[0].verdict = {"race"};
  race.tests[0].points = 0;
  EXPECT_EQ(scored(race, edited("min = 0.5", "min = 0.1")), "race 40/100 +0");
  grade::LabResult failed = result(0, 0.6);
  failed.verdict = {"compile_error"};
  for (grade::TestResult& test : failed.tests) {
    test.verdict = {"not_run"};
    test.points = 0;
  }
  EXPECT_EQ(scored(failed), "compile_error 0/100 +0");
  EXPECT_EQ(scored(result(0, std::nan(""))), "gate ratio 90/100 +0");
  grade::LabResult missing = result(0, 0.6);
  missing.tests[1].gates[0].missing = {words::Id::figure_without_time};
  EXPECT_EQ(scored(missing), "gate sectors 60/100 +0");
}

TEST(Rescore, AGpusDecisionStays) {
  grade::LabResult measured = result(0, 0.2);  // the prediction
  measured.tests[1].gates[1].measured = true;
  EXPECT_EQ(scored(measured), "pass 100/100 +0");
  measured.tests[1].gates[1].passed = false;
  measured.tests[1].gates[1].undecided = {words::Id::measured_disturbed, {{"trouble", "noise"}}};
  EXPECT_EQ(scored(measured), "inconclusive 90/100 +0 undecided");
}

TEST(Rescore, ANewTestMustBeGraded) {
  EXPECT_EQ(scored(result(0, 0.6), edited("Turn.Right", "Turn.Other")), "Turn.Other is new");
}

TEST(Rescore, BackAndForthGivesWhatWasGraded) {
  const grade::LabResult graded = result(0, 0.6);
  const Rescored strict = rescore(graded, lab_of(edited("min = 0.5", "min = 0.7")));
  EXPECT_EQ(strict.result.verdict.text(), "gate ratio");
  EXPECT_EQ(scored(strict.result), "pass 100/100 +0");
}

TEST(Rescore, HashesTellMeasuringFromScoring) {
  const TemporaryFolder folder;
  folder.write("lab1_turn/check.cpp", "// checks");
  const auto hash = [&](const std::string& toml) {
    folder.write("lab1_turn/lab.toml", toml);
    return measurement_hash(grade::load_manifest(folder.path() / "lab1_turn"));
  };
  const std::string before = hash(kToml);
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"points = 30", "points = 31"},
                                                        {"min = 0.5", "min = 0.6"},
                                                        {"An idea.", "Another."},
                                                        {"Fast.", "Quick."}}) {
    EXPECT_EQ(hash(edited(from, to)), before) << to;
  }
  EXPECT_NE(hash(edited("rows = 64", "rows = 65")), before);
  EXPECT_NE(hash(edited("32x32", "32x16")), before);
  EXPECT_NE(hash(edited("float* out", "double* out")), before);
  folder.write("lab1_turn/check.cpp", "// checks more");
  EXPECT_NE(hash(kToml), before);
}

TEST(Rescore, TheWholeClassWithoutRunningAnything) {
  const TemporaryFolder folder;
  Gradebook book(folder.path() / "g.sqlite");
  book.put_class(made_class(2, {"lab1"}));
  book.plan(made_conditions());
  for (const Job& job : book.to_do())
    book.finish(job.id, {report::lab_json(result(job.student == "s0" ? 0 : 8, 0.6)), "{}"});
  // As graded, s1 has 100 points by mistake of the stored headline; under the gates it has 60.
  EXPECT_EQ(book.entries()[1].points, 100);
  EXPECT_TRUE(rescore_all(book, {lab_of()}).empty());
  EXPECT_EQ(book.entries()[0].points, 100);
  EXPECT_EQ(book.entries()[1].points, 60);
  EXPECT_TRUE(rescore_all(book, {lab_of(edited("max = 0", "max = 10"))}).empty());
  EXPECT_EQ(book.entries()[1].points, 100);
  EXPECT_EQ(book.plan(made_conditions()), 0u);
  EXPECT_EQ(
      rescore_all(book, {lab_of(edited("Turn.Right", "Turn.Other"))}),
      (std::vector<std::string>{"s0, lab1: Turn.Other is new", "s1, lab1: Turn.Other is new"}));
  EXPECT_EQ(book.entries()[1].points, 100) << "until it is graded again";
  EXPECT_EQ(book.plan(made_conditions()), 2u);
}

}  // namespace
}  // namespace labkit::course
