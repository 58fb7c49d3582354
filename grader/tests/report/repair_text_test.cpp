// Which changes a report shows, and of which it says that they were shown above.
#include <gtest/gtest.h>

#include <string>

#include "report/style.h"
#include "report/text.h"
#include "words/render.h"

namespace labkit::report {
namespace {

/// Line `line` would have to change.
grade::TestResult failed(const std::string& name, const std::string& kind, std::uint32_t line) {
  grade::TestResult test;
  test.name = name;
  test.kernel = "turn";
  test.max_points = 10;
  test.verdict = {.kind = kind, .gate = kind == "gate" ? "limit" : ""};
  grade::GateResult gate;
  gate.name = "limit";
  gate.figure = "excess_global_sectors";
  gate.is_minimum = false;
  gate.value = 8;
  if (kind == "gate") test.gates = {gate};
  test.repair = grade::Repair{.lines = {{line, "i = a;", "i = b;"}}, .launches = 1};
  return test;
}

std::string text_of(const std::vector<grade::TestResult>& tests) {
  grade::LabResult lab;
  lab.lab = "lab3";
  lab.title = "Corner turning";
  lab.file = "kernel.cu";
  lab.device = "simulator";
  lab.gpu = "h200";
  lab.verdict = tests.front().verdict;
  lab.tests = tests;
  return grade_text({{"lab3", lab}}, {});
}

TEST(RepairText, OnlyAChangeThatWasShownIsSaidToFixTheNextTestToo) {
  const std::string as_above = words::text(words::Id::repair_as_above);
  // of a kernel that is wrong, the limits on its speed are named, and what would meet them is not shown
  const std::string slow = text_of({failed("T.Wrong", "wrong_result", 3),
                                    failed("T.Slow", "gate", 4), failed("T.AsSlow", "gate", 4)});
  EXPECT_EQ(slow.find(as_above), std::string::npos) << slow;
  EXPECT_NE(slow.find("3 + i = b;"), std::string::npos) << slow;
  EXPECT_EQ(slow.find("4 + i = b;"), std::string::npos) << slow;
  const std::string wrong =
      text_of({failed("T.Wrong", "wrong_result", 3), failed("T.AsWrong", "wrong_result", 3)});
  EXPECT_NE(wrong.find(as_above), std::string::npos) << wrong;
}

}  // namespace
}  // namespace labkit::report
