#include "cli/watch.h"

#include <gtest/gtest.h>

#include "report/text.h"

namespace labkit::cli {
namespace {

grade::LabResult passed_with_a_warning() {
  grade::LabResult result;
  result.lab = "lab3";
  result.device = "simulator";
  result.points = result.max_points = 40;
  grade::TestResult test;
  test.name = "CornerTurning.WholeTiles";
  test.points = test.max_points = 40;
  test.verdict.kind = result.verdict.kind = "pass";
  launch::Finding finding;
  finding.kind = launch::FindingKind::race;
  finding.severity = launch::Severity::warning;
  finding.where = {"kernel.cu", 7};
  finding.hazard = "WAW";
  test.findings = {finding};
  test.printed = "hello\n";
  result.tests = {test};
  return result;
}

/// Of a pass, too: a warning costs nothing, and is to be known.
TEST(Watch, ShowsAllThatGradeShows) {
  grade::Manifest lab;
  lab.id = "lab3";
  lab.title = "Turning";
  grade::LabResult result = passed_with_a_warning();
  for (const bool passes : {true, false}) {
    if (!passes) {
      result.verdict.kind = result.tests[0].verdict.kind = "wrong_result";
      result.tests[0].message = {{words::Id::right_by_luck}};
    }
    const std::string graded = report::grade_text({{"lab3", result}}, {});
    const std::string below = graded.substr(graded.find("\n\n") + 2);
    const std::string watched = watch_text(lab, result, {}, {});
    EXPECT_NE(below.find(passes ? "with a warning: race (kernel.cu:7)"
                                : "The result came out right here"),
              std::string::npos)
        << below;
    EXPECT_NE(watched.find(below), std::string::npos) << watched << "\n---\n" << below;
  }
}

}  // namespace
}  // namespace labkit::cli
