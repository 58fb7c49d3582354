#include "class/publish/exports.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"

namespace labkit::course {

const Grade* Report::find(const std::string& student, const std::string& lab) const {
  const auto at = std::lower_bound(grades.begin(), grades.end(), std::pair(student, lab),
                                   [](const Grade& grade, const auto& key) {
                                     return std::pair(grade.student, grade.lab) < key;
                                   });
  return at != grades.end() && at->student == student && at->lab == lab ? &*at : nullptr;
}

std::string Report::shown(const std::string& student) const {
  const auto found = std::ranges::find(students, student, &Student::id);
  return found == students.end() ? student : found->shown();
}

const Submission* Report::submission(const std::string& student, const std::string& lab) const {
  for (const Submission& one : submissions)
    if (one.student == student && one.lab == lab) return &one;
  return nullptr;
}

std::vector<const grade::Manifest*> Report::labs(const std::vector<grade::Manifest>& all) const {
  std::vector<const grade::Manifest*> some;
  for (const grade::Manifest& lab : all)
    if (std::ranges::find(grades, lab.id, &Grade::lab) != grades.end()) some.push_back(&lab);
  return some;
}

Report make_report(const Gradebook& book, const Policy& policy,
                   const std::vector<grade::Manifest>& labs) {
  Report report;
  std::map<std::string, double> maximum;
  for (const grade::Manifest& lab : labs) maximum[lab.id] = lab.max_points();
  report.students = book.students();
  report.policy = policy;
  const std::vector<Entry> entries = book.entries();
  report.grades = grade_all(entries, policy);
  for (Grade& graded : report.grades)
    if (graded.max_points == 0) graded.max_points = maximum[graded.lab];
  for (const Entry& entry : entries)
    if (entry.submitted) report.submissions.push_back(entry.submission);
  report.review = review_cases(entries, report.grades, policy, book.remarks());
  return report;
}

std::string grades_csv(const Report& report, const std::vector<grade::Manifest>& all_labs) {
  const auto labs = report.labs(all_labs);
  const auto number = [&](double value) { return points_text(value, report.policy.decimals); };
  const std::vector<std::string> keys = {"email", "login", "sid", "canvas_id", "moodle_id"};
  std::vector<CsvRow> rows = {{"student", "name"}};
  rows[0].insert(rows[0].end(), keys.begin(), keys.end());
  for (const grade::Manifest* lab : labs)
    for (const char* column : {"", " of", " verdict", " days late", " taken off"})
      rows[0].push_back(lab->id + column);
  for (const char* column : {"total", "review", "notes"}) rows[0].push_back(column);
  const std::set<std::string> review = to_review(report.review);
  for (const Student& student : report.students) {
    CsvRow row = {guard_formula(student.id), guard_formula(student.name)};
    for (const std::string& key : keys) row.push_back(guard_formula(student.key(key)));
    std::optional<double> total;
    std::vector<std::string> notes;
    for (const grade::Manifest* lab : labs) {
      const Grade* grade = report.find(student.id, lab->id);
      if (!grade) {
        row.insert(row.end(), 5, "");
        continue;
      }
      row.push_back(grade->points ? number(*grade->points) : "");
      row.push_back(number(lab->max_points()));
      row.push_back(grade->decided ? kDecidedVerdict : grade->verdict);
      row.push_back(grade->late_days > 0 ? number(grade->late_days) : "");
      row.push_back(grade->taken_off > 0 ? number(grade->taken_off) : "");
      if (grade->points) total = total.value_or(0) + *grade->points;
      for (const std::string& note : all_notes(*grade)) notes.push_back(lab->id + ": " + note);
    }
    row.push_back(total ? number(*total) : "");
    row.push_back(review.contains(student.id) ? "yes" : "");
    row.push_back(guard_formula(joined(notes, "; ")));
    rows.push_back(std::move(row));
  }
  return write_sheet(rows);
}

std::vector<GradescopeAssignment> gradescope_assignments(const std::vector<Root>& roots,
                                                         const std::vector<grade::Manifest>& labs) {
  std::vector<GradescopeAssignment> assignments;
  std::set<std::string> named;
  for (const Root& root : roots) {
    if (root.format != Format::gradescope) continue;
    GradescopeAssignment one;
    for (const grade::Manifest& lab : labs)
      if (std::ranges::find(root.labs, lab.id) != root.labs.end()) one.labs.push_back(lab.id);
    one.name = joined(one.labs, "+");
    if (!one.labs.empty() && named.insert(one.name).second) assignments.push_back(std::move(one));
  }
  return assignments;
}

}  // namespace labkit::course
