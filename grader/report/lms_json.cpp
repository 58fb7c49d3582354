#include "report/lms_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "explain/words.h"
#include "report/json_values.h"

namespace labkit::report {
namespace {

/// Of a text, in bytes: 20 tests of control characters, six bytes each in JSON, stay below PrairieLearn's 1 MB.
constexpr std::size_t kMaxText = 4000;

std::string shortened(const std::string& text) {
  return to_valid_utf8(text.size() <= kMaxText ? text : text.substr(0, kMaxText) + "\n...");
}

double points_of(const grade::LabResult& lab) { return lab.points + lab.bonus; }

struct Sum {
  double points = 0, max_points = 0;
};
Sum sum_of(const std::vector<grade::LabResult>& results) {
  Sum sum;
  for (const grade::LabResult& lab : results) {
    sum.points += points_of(lab);
    sum.max_points += lab.max_points;
  }
  return sum;
}

/// All that was attempted.
std::vector<TestRow> rows_of(const std::vector<grade::LabResult>& results) {
  std::vector<TestRow> rows;
  for (const grade::LabResult& lab : results) {
    const std::string why = why_nothing_ran(lab);
    for (TestRow& row : test_rows(lab)) {
      if (row.verdict.kind == "not_attempted") continue;
      row.text = shortened(row.text.empty() ? why : row.text);
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

}  // namespace

std::vector<TestRow> test_rows(const grade::LabResult& lab) {
  std::vector<TestRow> rows;
  for (const grade::TestResult& test : lab.tests)
    rows.push_back(
        {.name = fmt::format("{} {}", lab.lab, test.name),
         .verdict = test.verdict,
         .points = test.decided() ? test.points : 0,
         .max_points = test.max_points,
         .text = test.verdict.passed() ? test.about : joined(explain::tell_test(test), "\n")});
  return rows;
}

std::string why_nothing_ran(const grade::LabResult& lab) {
  const bool any_ran = std::ranges::any_of(
      lab.tests, [](const grade::TestResult& test) { return test.verdict.kind != "not_run"; });
  return any_ran ? "" : joined(explain::tell_lab(lab), "\n");
}

std::string classroom50_json(const std::vector<grade::LabResult>& results,
                             const Classroom50Submission& submission) {
  Json tests = Json::array();
  for (const TestRow& row : rows_of(results))
    tests.push_back({{"test-name", row.name},
                     {"passed", row.verdict.passed()},
                     {"score", std::lround(row.points)},
                     {"max-score", std::lround(row.max_points)},
                     {"message", row.text}});
  const Sum sum = sum_of(results);
  const long most = std::lround(sum.max_points);
  const Json result = {{"schema", "classroom50/result/v1"},
                       {"classroom", submission.classroom},
                       {"assignment", submission.assignment},
                       {"submission", submission.tag},
                       {"commit", submission.commit_url},
                       {"release", submission.release_url},
                       {"review", submission.review_url},
                       {"datetime", submission.time},
                       {"score", std::min(std::lround(sum.points), most)},
                       {"max-score", most},
                       {"tests", tests}};
  return result.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string prairielearn_json(const std::vector<grade::LabResult>& results) {
  Json reasons = Json::array(), tests = Json::array();
  std::string message;
  for (const grade::LabResult& lab : results) {
    const std::string why = why_nothing_ran(lab);
    if (!why.empty()) reasons.push_back(shortened(why));
    message += fmt::format("{}: {} of {} points.\n", lab.lab, explain::number(points_of(lab)),
                           explain::number(lab.max_points));
  }
  if (!results.empty() && reasons.size() == results.size())
    return Json{{"gradable", false}, {"format_errors", reasons}}.dump(1) + "\n";
  for (const TestRow& row : rows_of(results))
    tests.push_back({{"name", row.name},
                     {"points", json_number(row.points)},
                     {"max_points", json_number(row.max_points)},
                     {"message", row.text}});
  const Sum sum = sum_of(results);
  const Json result = {
      {"gradable", true},
      {"score", sum.max_points > 0 ? std::clamp(sum.points / sum.max_points, 0.0, 1.0) : 0.0},
      {"message", message},
      {"tests", tests}};
  return result.dump(1) + "\n";
}

std::string autolab_line(const std::vector<grade::LabResult>& results) {
  Json scores = Json::object();
  for (const grade::LabResult& lab : results) scores[lab.lab] = json_number(points_of(lab));
  return Json{{"scores", scores}}.dump() + "\n";
}

}  // namespace labkit::report
