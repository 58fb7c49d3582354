#include "class/policy/rescore.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "class_files.h"
#include "made_class.h"

namespace labkit::course {
namespace {

using Json = nlohmann::json;

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

/// As report/json.h writes it, shortened; the fields of a later kit among them.
Json result(double sectors, double ratio) {
  Json json = Json::parse(R"({
    "format": 1, "lab": "lab1", "verdict": "pass", "points": 100, "max_points": 100, "bonus": 0,
    "max_bonus": 0, "a_field_of_later": {"x": 1},
    "tests": [
      {"name": "Turn.Right", "verdict": "pass", "points": 60, "max_points": 60, "bonus": false,
       "gates": [], "figures": {}},
      {"name": "Turn.Fast", "verdict": "pass", "points": 40, "max_points": 40, "bonus": false,
       "gates": [{"name": "sectors", "figure": "excess_global_sectors", "max": 0, "passed": true},
                 {"name": "ratio", "figure": "ratio", "min": 0.5, "passed": true}],
       "figures": {"load_sectors_per_request": 4}}]})");
  json["tests"][1]["figures"]["excess_global_sectors"] = sectors;
  json["tests"][1]["figures"]["ratio"] = ratio;
  return json;
}
std::string scored(const Json& json, const std::string& toml = kToml) {
  const Rescored r = rescore(json.dump(), lab_of(toml));
  return r.verdict + " " + std::to_string(static_cast<int>(r.points)) + "/" +
         std::to_string(static_cast<int>(r.max_points)) + " +" +
         std::to_string(static_cast<int>(r.bonus)) + (r.undecided > 0 ? " undecided" : "") +
         (r.note.empty() ? "" : " | " + r.note);
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
            "pass 105/105 +0 | Turn.Fast: no best_ratio is stored for gate more; grade it again");
  EXPECT_EQ(scored(result(0, 0.6), with("load_sectors_per_request", "max = 5")),
            "pass 105/105 +0 | Turn.Fast: no load_sectors_per_request is stored for gate more; "
            "grade it again")
      << "a kernel without requests would hold any maximum";
}

TEST(Rescore, WhatWasWrongStaysWrong) {
  Json json = result(0, 0.6);
  json["tests"][0]["verdict"] = "race";
  json["verdict"] = "race";
  EXPECT_EQ(scored(json, edited("min = 0.5", "min = 0.1")), "race 40/100 +0");
  Json failed = result(0, 0.6);
  failed["verdict"] = "compile_error";
  for (Json& test : failed["tests"]) test["verdict"] = "not_run";
  EXPECT_EQ(scored(failed), "compile_error 0/100 +0");
  Json nan = result(0, 0.6);
  nan["tests"][1]["figures"]["ratio"] = nullptr;
  EXPECT_EQ(scored(nan), "gate ratio 90/100 +0");
  Json missing = result(0, 0.6);
  missing["tests"][1]["gates"][0]["missing"] = "the kernel made no global loads";
  EXPECT_EQ(scored(missing), "gate sectors 60/100 +0");
}

TEST(Rescore, AGpusDecisionStays) {
  Json json = result(0, 0.2);  // the prediction
  json["tests"][1]["gates"][1]["interval"] = {0.7, 0.8};
  EXPECT_EQ(scored(json), "pass 100/100 +0");
  json["tests"][1]["gates"][1]["undecided"] = "too noisy";
  EXPECT_EQ(scored(json), "inconclusive 90/100 +0 undecided");
}

TEST(Rescore, ANewTestMustBeGraded) {
  EXPECT_EQ(scored(result(0, 0.6), edited("Turn.Right", "Turn.Other"))
                .find("pass 40/100 +0 | Turn.Other is new"),
            0u);
  EXPECT_THROW(rescore("no JSON", lab_of()), Error);
  EXPECT_THROW(rescore("{}", lab_of()), Error);
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
    const bool is_scored = from != "An idea." && from != "Fast.";
    EXPECT_EQ(scoring_hash(lab_of(edited(from, to))) != scoring_hash(lab_of()), is_scored) << to;
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
    book.finish(job.id, {result(job.student == "s0" ? 0 : 8, 0.6).dump(), "{}"});
  // As graded, s1 has 100 points by mistake of the stored headline; under the gates it has 60.
  const RescoredClass first = rescore_all(book, {lab_of()});
  EXPECT_EQ(first.changed.size(), 1u);
  EXPECT_TRUE(first.grade_again.empty());
  EXPECT_EQ(book.entries()[1].rescored->points, 60);
  EXPECT_EQ(book.entries()[1].points, 100) << "what was graded is kept";
  EXPECT_EQ(rescore_all(book, {lab_of()}).changed.size(), 0u) << "as it was shown";
  const RescoredClass loose = rescore_all(book, {lab_of(edited("max = 0", "max = 10"))});
  EXPECT_EQ(loose.changed.size(), 1u) << "back to what was graded, and not as it was shown";
  EXPECT_FALSE(book.entries()[1].rescored);
  EXPECT_EQ(book.plan(made_conditions()), 0u);
  EXPECT_EQ(rescore_all(book, {lab_of(edited("Turn.Right", "Turn.Other"))}).grade_again.size(), 2u);
}

}  // namespace
}  // namespace labkit::course
