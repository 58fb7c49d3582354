#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/json.h"

namespace labkit::report {
namespace {

using Json = nlohmann::json;

grade::TestResult test(const std::string& name, const std::string& verdict, double points,
                       double most, bool bonus = false) {
  grade::TestResult one;
  one.name = name;
  one.verdict = grade::verdict_from_text(verdict);
  one.points = points;
  one.max_points = most;
  one.bonus = bonus;
  return one;
}

grade::LabResult result(std::vector<grade::TestResult> tests) {
  grade::LabResult made;
  made.lab = "lab4";
  made.file = "/x/labs/lab4_bank_conflict_padding/kernel.cu";
  made.tests = std::move(tests);
  grade::sum_up(made);
  return made;
}

TEST(ClassroomJson, HasATestForEachTestAndSumsToThePoints) {
  auto made = result({test("A.One", "pass", 60, 60), test("A.Two", "race", 0, 40)});
  launch::Finding finding;
  finding.kind = launch::FindingKind::race;
  finding.hazard = "RAW";
  finding.space = "shared";
  finding.where = {"kernel.cu", 12};
  made.tests[1].findings = {finding};
  const Json json = Json::parse(classroom_json({made}));
  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json["status"], "fail");
  EXPECT_EQ(json["max_score"], 100);
  ASSERT_EQ(json["tests"].size(), 2u);
  EXPECT_EQ(json["tests"][0]["status"], "pass");
  EXPECT_EQ(json["tests"][0]["score"], 60);
  EXPECT_EQ(json["tests"][0]["message"], "");
  const Json& race = json["tests"][1];
  EXPECT_EQ(race["name"], "lab4 A.Two");
  EXPECT_EQ(race["status"], "fail");
  EXPECT_EQ(race["score"], 0);
  EXPECT_EQ(race["filename"], "kernel.cu");
  EXPECT_EQ(race["line_no"], 12);
  EXPECT_EQ(race["message"].get<std::string>().rfind("race: Potential RAW hazard", 0), 0u) << race;
  for (const char* key : {"test_code", "duration"}) EXPECT_TRUE(race.contains(key)) << key;
}

TEST(ClassroomJson, BonusIsOnTopAndCostsNothing) {
  const Json json = Json::parse(classroom_json(
      {result({test("A.One", "pass", 100, 100), test("A.Bonus", "pass", 20, 20, true),
               test("A.More", "not_attempted", 0, 20, true)})}));
  EXPECT_EQ(json["status"], "pass");
  EXPECT_EQ(json["max_score"], 100);
  EXPECT_EQ(json["tests"].size(), 2u);
}

TEST(ClassroomJson, WhatWasSaidBeforeAnyTestStandsAtEach) {
  auto made = result({test("A.One", "not_run", 0, 60), test("A.Two", "not_run", 0, 40)});
  made.verdict = grade::verdict_from_text("compile_error");
  made.message = {{words::Id::compiler_says, {{"text", "kernel.cu:3: expected a \";\""}}}};
  made.where = {"kernel.cu", 3};
  const Json json = Json::parse(classroom_json({made}));
  EXPECT_EQ(json["status"], "fail");
  ASSERT_EQ(json["tests"].size(), 2u);
  for (const Json& one : json["tests"]) {
    EXPECT_EQ(one["status"], "fail");
    EXPECT_EQ(one["message"], "compile_error: kernel.cu:3: expected a \";\"");
    EXPECT_EQ(one["line_no"], 3);
  }
}

TEST(ClassroomJson, WhatIsUndecidedIsNoFailure) {
  const Json json = Json::parse(classroom_json(
      {result({test("A.One", "wrong_result", 0, 60), test("A.Two", "inconclusive", 0, 40)})}));
  EXPECT_EQ(json["status"], "error");
  EXPECT_EQ(json["tests"][1]["status"], "error");
}

}  // namespace
}  // namespace labkit::report
