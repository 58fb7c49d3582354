#include "report/lms_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace labkit::report {
namespace {

using Json = nlohmann::json;

grade::TestResult test(const std::string& name, const std::string& verdict, double points,
                       double most, bool bonus = false) {
  grade::TestResult one;
  one.name = name;
  one.about = "About " + name;
  one.verdict = grade::verdict_from_text(verdict);
  one.points = points;
  one.max_points = most;
  one.bonus = bonus;
  return one;
}

grade::LabResult result(std::vector<grade::TestResult> tests) {
  grade::LabResult made;
  made.lab = "lab4";
  made.tests = std::move(tests);
  grade::sum_up(made);
  return made;
}

grade::LabResult half_right() {
  auto made = result({test("A.One", "pass", 60, 60), test("A.Two", "race", 0, 40)});
  made.tests[1].message = {{words::Id::compile_failed, {{"file", "look \x01 there"}}}};
  return made;
}

grade::LabResult with_bonus() {
  return result({test("A.One", "pass", 100, 100), test("A.Bonus", "pass", 20, 20, true),
                 test("A.More", "not_attempted", 0, 20, true)});
}

grade::LabResult not_compiled() {
  auto made = result({test("A.One", "not_run", 0, 60), test("A.Two", "not_run", 0, 40)});
  made.verdict = grade::verdict_from_text("compile_error");
  made.message = {{words::Id::compile_error_at,
                   {{"at", words::SourceLine{"kernel.cu", 3}}, {"text", "expected a \";\""}}}};
  return made;
}

Json classroom50(const grade::LabResult& lab) {
  return Json::parse(classroom50_json({lab}, {"cs", "lab4-banks", "submit/1", "c", "r", "v", "t"}));
}
Json prairielearn(const grade::LabResult& lab) { return Json::parse(prairielearn_json({lab})); }

TEST(Classroom50Json, HasItsFieldsAndARowForEachTest) {
  const Json json = classroom50(half_right());
  const Json expected = {{"schema", "classroom50/result/v1"},
                         {"classroom", "cs"},
                         {"assignment", "lab4-banks"},
                         {"submission", "submit/1"},
                         {"commit", "c"},
                         {"release", "r"},
                         {"review", "v"},
                         {"datetime", "t"},
                         {"score", 60},
                         {"max-score", 100},
                         {"tests", json["tests"]}};
  EXPECT_EQ(json, expected);
  ASSERT_EQ(json["tests"].size(), 2u);
  const Json passed = {{"test-name", "lab4 A.One"},
                       {"passed", true},
                       {"score", 60},
                       {"max-score", 60},
                       {"message", "About A.One"}};
  EXPECT_EQ(json["tests"][0], passed);
  EXPECT_EQ(json["tests"][1]["passed"], false);
  EXPECT_EQ(json["tests"][1]["score"], 0);
  EXPECT_NE(json["tests"][1]["message"].get<std::string>().find("there"), std::string::npos);
}

TEST(Classroom50Json, PointsAreWholeNumbersUpToTheMaximum) {
  const Json bonus = classroom50(with_bonus());
  EXPECT_EQ(bonus["score"], 100);
  EXPECT_EQ(bonus["max-score"], 100);
  EXPECT_EQ(bonus["tests"].size(), 2u) << "a bonus not attempted is left out";
  EXPECT_EQ(bonus["tests"][1]["score"], 20);
  const Json parts = classroom50(result({test("A.One", "gate copy", 33.5, 100)}));
  EXPECT_TRUE(parts["score"].is_number_integer());
  EXPECT_TRUE(parts["tests"][0]["score"].is_number_integer());
}

TEST(Classroom50Json, WhatDoesNotCompileSaysWhyAtEachTest) {
  const Json json = classroom50(not_compiled());
  EXPECT_EQ(json["score"], 0);
  ASSERT_EQ(json["tests"].size(), 2u);
  for (const Json& one : json["tests"]) {
    EXPECT_EQ(one["passed"], false);
    EXPECT_EQ(one["message"].get<std::string>().rfind("kernel.cu:3: expected", 0), 0u) << one;
  }
}

TEST(PrairieLearnJson, TheScoreIsAFractionUpToOne) {
  const Json json = prairielearn(half_right());
  EXPECT_EQ(json["gradable"], true);
  EXPECT_DOUBLE_EQ(json["score"].get<double>(), 0.6);
  EXPECT_EQ(json["message"], "lab4: 60 of 100 points.\n");
  ASSERT_EQ(json["tests"].size(), 2u);
  const Json passed = {
      {"name", "lab4 A.One"}, {"points", 60}, {"max_points", 60}, {"message", "About A.One"}};
  EXPECT_EQ(json["tests"][0], passed);
  EXPECT_EQ(prairielearn(with_bonus())["score"], 1.0);
}

TEST(PrairieLearnJson, WhatDoesNotCompileIsNotGradable) {
  const Json json = prairielearn(not_compiled());
  EXPECT_EQ(json["gradable"], false);
  EXPECT_FALSE(json.contains("score"));
  ASSERT_EQ(json["format_errors"].size(), 1u);
  EXPECT_NE(json["format_errors"][0].get<std::string>().find("expected a"), std::string::npos);
  // Of two labs the other has points.
  const Json both = Json::parse(prairielearn_json({not_compiled(), with_bonus()}));
  EXPECT_EQ(both["gradable"], true);
  EXPECT_DOUBLE_EQ(both["score"].get<double>(), 0.6);
}

TEST(PrairieLearnJson, StaysBelowOneMegabyte) {
  std::vector<grade::TestResult> tests;
  for (int i = 0; i < 20; ++i) {
    tests.push_back(test("A.Test" + std::to_string(i), "race", 0, 5));
    tests.back().message = {{words::Id::compile_failed, {{"file", std::string(200'000, '\x01')}}}};
  }
  EXPECT_LT(prairielearn_json({result(tests)}).size(), 1u << 20);
}

TEST(AutolabLine, IsOneLineWithAProblemForEachLab) {
  auto other = half_right();
  other.lab = "lab5";
  EXPECT_EQ(autolab_line({with_bonus(), other}), "{\"scores\":{\"lab4\":120,\"lab5\":60}}\n");
}

}  // namespace
}  // namespace labkit::report
