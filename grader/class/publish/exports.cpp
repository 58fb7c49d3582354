#include "class/publish/exports.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"

namespace labkit::course {

namespace {

bool is_ascii(const std::string& text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

}  // namespace

const Grade* Report::find(const std::string& student, const std::string& lab) const {
  const auto at = std::lower_bound(grades.begin(), grades.end(), std::pair(student, lab),
                                   [](const Grade& grade, const auto& key) {
                                     return std::pair(grade.student, grade.lab) < key;
                                   });
  return at != grades.end() && at->student == student && at->lab == lab ? &*at : nullptr;
}

const Submission* Report::submission(const std::string& student, const std::string& lab) const {
  for (const Submission& one : submissions)
    if (one.student == student && one.lab == lab) return &one;
  return nullptr;
}

std::vector<const grade::Manifest*> Report::labs(const std::vector<grade::Manifest>& all) const {
  std::vector<const grade::Manifest*> some;
  for (const grade::Manifest& lab : all)
    if (std::any_of(grades.begin(), grades.end(), [&](const Grade& g) { return g.lab == lab.id; }))
      some.push_back(&lab);
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
  std::vector<CsvRow> rows(1);
  rows[0] = {"student", "name"};
  rows[0].insert(rows[0].end(), keys.begin(), keys.end());
  for (const grade::Manifest* lab : labs)
    for (const char* column : {"", " of", " verdict", " days late", " taken off"})
      rows[0].push_back(lab->id + column);
  for (const char* column : {"total", "review", "notes"}) rows[0].push_back(column);
  const std::set<std::string> review = to_review(report.review);
  bool ascii = true;
  for (const Student& student : report.students) {
    CsvRow row = {guard_formula(student.id), guard_formula(student.name)};
    ascii &= is_ascii(student.name) && is_ascii(student.id);
    for (const std::string& key : keys) row.push_back(guard_formula(student.key(key)));
    double total = 0;
    bool any = false;
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
      if (grade->points) {
        total += *grade->points;
        any = true;
      }
      for (const std::string& note : all_notes(*grade)) notes.push_back(lab->id + ": " + note);
    }
    row.push_back(any ? number(total) : "");
    row.push_back(review.contains(student.id) ? "yes" : "");
    row.push_back(guard_formula(joined(notes, "; ")));
    rows.push_back(std::move(row));
  }
  return std::string(ascii ? std::string_view() : kByteOrderMark) + write_csv(rows);
}

std::vector<GradescopeAssignment> gradescope_assignments(const std::vector<Root>& roots,
                                                         const std::vector<grade::Manifest>& labs) {
  std::vector<GradescopeAssignment> assignments;
  std::set<std::string> named;
  for (const Root& root : roots) {
    if (root.format != Format::gradescope) continue;
    GradescopeAssignment one;
    for (const grade::Manifest& lab : labs)
      if (std::find(root.labs.begin(), root.labs.end(), lab.id) != root.labs.end())
        one.labs.push_back(lab.id);
    one.name = joined(one.labs, "+");
    if (!one.labs.empty() && named.insert(one.name).second) assignments.push_back(std::move(one));
  }
  return assignments;
}

}  // namespace labkit::course
