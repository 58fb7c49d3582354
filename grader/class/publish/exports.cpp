#include "class/publish/exports.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "base/error.h"
#include "base/text.h"
#include "report/json.h"
#include "report/lms_json.h"

namespace labkit::course {

namespace {

/// Of a list that is sorted by student, then lab.
template <typename Of>
const Of* find_in(const std::vector<Of>& all, const std::string& student, const std::string& lab) {
  const auto key = [](const Of& one) { return std::tie(one.student, one.lab); };
  const auto at = std::ranges::lower_bound(all, std::tie(student, lab), {}, key);
  return at != all.end() && key(*at) == std::tie(student, lab) ? &*at : nullptr;
}

using Json = nlohmann::ordered_json;

/// Right, or not asked for.
bool is_good(const grade::Verdict& verdict) {
  return verdict.passed() || verdict.kind == "not_attempted";
}

}  // namespace

const Grade* Report::find(const std::string& student, const std::string& lab) const {
  return find_in(grades, student, lab);
}
const Entry* Report::entry(const std::string& student, const std::string& lab) const {
  return find_in(entries, student, lab);
}

Total Report::total(const std::string& student) const {
  const auto [begin, end] = std::ranges::equal_range(grades, student, {}, &Grade::student);
  return total_of({begin, end}, policy);
}

std::vector<const grade::Manifest*> Report::labs(const std::vector<grade::Manifest>& all) const {
  std::vector<const grade::Manifest*> some;
  for (const grade::Manifest& lab : all)
    if (std::ranges::find(grades, lab.id, &Grade::lab) != grades.end()) some.push_back(&lab);
  return some;
}

Report make_report(const Gradebook& book, const Policy& policy,
                   const std::vector<grade::Manifest>& labs, View view) {
  Report report;
  std::map<std::string, double> maximum;
  for (const grade::Manifest& lab : labs) maximum[lab.id] = lab.max_points();
  report.students = book.students();
  report.policy = policy;
  report.entries = book.entries(view);
  report.grades = grade_all(report.entries, policy);
  for (Grade& graded : report.grades)
    if (graded.max_points == 0) graded.max_points = maximum[graded.lab];
  report.review = review_cases(report.entries, report.grades, policy, book.remarks());
  return report;
}

std::string grades_csv(const Report& report, const std::vector<grade::Manifest>& all_labs) {
  const auto labs = report.labs(all_labs);
  const std::vector<std::string> keys = {"email", "login", "sid", "canvas_id", "moodle_id"};
  std::vector<CsvRow> rows = {{"student", "name"}};
  rows[0].insert(rows[0].end(), keys.begin(), keys.end());
  for (const grade::Manifest* lab : labs)
    for (const char* column : {"", " of", " verdict", " days late", " taken off", " comment"})
      rows[0].push_back(lab->id + column);
  for (const char* column : {"total", "total of", "review", "notes"}) rows[0].push_back(column);
  const std::set<std::string> review = to_review(report.review);
  for (const Student& student : report.students) {
    CsvRow row = {guard_formula(student.id), guard_formula(student.name)};
    for (const std::string& key : keys) row.push_back(guard_formula(student.key(key)));
    std::vector<std::string> notes;
    for (const grade::Manifest* lab : labs) {
      const Grade* grade = report.find(student.id, lab->id);
      if (!grade) {
        row.insert(row.end(), 6, "");
        continue;
      }
      row.push_back(grade->points ? points_text(*grade->points) : "");
      row.push_back(points_text(grade->max_points));
      row.push_back(grade->decided ? kDecidedVerdict : grade->verdict);
      row.push_back(grade->late_days > 0 ? points_text(grade->late_days) : "");
      row.push_back(grade->taken_off > 0 ? points_text(grade->taken_off) : "");
      row.push_back(guard_formula(grade->comment));
      for (const std::string& note : all_notes(*grade)) notes.push_back(lab->id + ": " + note);
    }
    const Total total = report.total(student.id);
    for (const std::string& how : total.how) notes.push_back("total, " + how);
    row.push_back(total.points ? points_text(*total.points) : "");
    row.push_back(total.points ? points_text(total.max_points) : "");
    row.push_back(review.contains(student.id) ? "yes" : "");
    row.push_back(guard_formula(joined(notes, "; ")));
    rows.push_back(std::move(row));
  }
  return std::string(kByteOrderMark) + write_csv(rows);
}

std::string gradescope_results(const std::vector<GradescopeItem>& items) {
  double score = 0;
  std::string output;
  Json tests = Json::array();
  for (const GradescopeItem& item : items) {
    const Grade& grade = item.grade;
    if (!grade.points || !std::isfinite(*grade.points))
      throw Error(
          fmt::format("{} of {} has no grade ({})", grade.lab, grade.student, grade.verdict),
          "Grade it again; without results.json Gradescope shows that grading failed, not a zero.");
    score += *grade.points;
    output += fmt::format("{}: {} of {} points ({}).\n", grade.lab, points_text(*grade.points),
                          points_text(grade.max_points), grade.verdict);
    if (grade.taken_off > 0)
      output += fmt::format("{} points were taken off: {} late.\n", points_text(grade.taken_off),
                            days_text(grade.late_days));
    for (const std::string& note : grade.notes) output += note + "\n";
    if (!grade.comment.empty()) output += "Comment: " + grade.comment + "\n";
    if (item.json.empty()) continue;
    const grade::LabResult result = report::read_lab_json(item.json, "the result of " + grade.lab);
    for (const report::TestRow& row : report::test_rows(result))
      tests.push_back({{"name", row.name},
                       {"name_format", "text"},
                       {"score", row.points},
                       {"max_score", row.max_points},
                       {"status", is_good(row.verdict) ? "passed" : "failed"},
                       {"output", row.text},
                       {"output_format", "text"},
                       {"visibility", "visible"}});
    if (const std::string why = report::why_nothing_ran(result); !why.empty()) output += why + "\n";
  }
  // Beside the tests: lateness, decisions and bonus count too.
  const Json results = {{"score", std::max(0.0, std::round(score * 1e6) / 1e6)},
                        {"output", output},
                        {"output_format", "text"},
                        {"visibility", "visible"},
                        {"stdout_visibility", "hidden"},
                        {"tests", tests}};
  return results.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace labkit::course
