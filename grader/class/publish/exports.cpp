#include "class/publish/exports.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "class/intake/owners.h"
#include "class/policy/rescore.h"
#include "explain/words.h"
#include "report/json.h"

namespace labkit::course {

const Grade* Report::find(const std::string& student, const std::string& lab) const {
  const auto at = std::lower_bound(grades.begin(), grades.end(), std::pair(student, lab),
                                   [](const Grade& grade, const auto& key) {
                                     return std::pair(grade.student, grade.lab) < key;
                                   });
  return at != grades.end() && at->student == student && at->lab == lab ? &*at : nullptr;
}

Total Report::total(const std::string& student) const {
  const auto [begin, end] = std::ranges::equal_range(grades, student, {}, &Grade::student);
  return total_of({begin, end}, policy);
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
      row.push_back(grade->points ? number(*grade->points) : "");
      row.push_back(number(lab->max_points()));
      row.push_back(grade->decided ? kDecidedVerdict : grade->verdict);
      row.push_back(grade->late_days > 0 ? number(grade->late_days) : "");
      row.push_back(grade->taken_off > 0 ? number(grade->taken_off) : "");
      row.push_back(guard_formula(grade->comment));
      for (const std::string& note : all_notes(*grade)) notes.push_back(lab->id + ": " + note);
    }
    const Total total = report.total(student.id);
    for (const std::string& how : total.how) notes.push_back("total, " + how);
    row.push_back(total.points ? number(*total.points) : "");
    row.push_back(total.points ? number(total.max_points) : "");
    row.push_back(review.contains(student.id) ? "yes" : "");
    row.push_back(guard_formula(joined(notes, "; ")));
    rows.push_back(std::move(row));
  }
  const bool are_ascii = std::ranges::all_of(report.students, [](const Student& student) {
    return is_ascii(student.id) && is_ascii(student.name);
  });
  return std::string(are_ascii ? "" : kByteOrderMark) + write_csv(rows);
}

namespace {

using Json = nlohmann::ordered_json;

/// Of the file's path the name alone, in all texts of a result.
void name_file_only(Json& result) {
  const std::string path = result.value("file", ""), name = submitted_name(path);
  if (path.empty() || path == name) return;
  const auto replace = [&](const auto& self, Json& value) -> void {
    if (value.is_string())
      value = replace_all(value.get<std::string>(), path, name);
    else if (value.is_structured())
      for (Json& inside : value) self(self, inside);
  };
  replace(replace, result);
}

/// Right, or not asked for.
bool is_good(const grade::Verdict& verdict) {
  return verdict.passed() || verdict.kind == "not_attempted";
}

std::string told(const grade::LabResult& result) { return joined(explain::tell_lab(result), "\n"); }
std::string told(const grade::TestResult& test) { return joined(explain::tell_test(test), "\n"); }

std::string xml(std::string_view raw) {
  static const std::map<char, std::string_view> kEscapes = {{'&', "&amp;"},  {'<', "&lt;"},
                                                            {'>', "&gt;"},   {'"', "&quot;"},
                                                            {'\n', "&#10;"}, {'\t', "&#9;"}};
  std::string escaped;
  for (const char c : to_valid_utf8(raw)) {
    if (const auto at = kEscapes.find(c); at != kEscapes.end())
      escaped += at->second;
    else  // XML 1.0 has no other control characters, not even escaped.
      escaped += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  }
  // Nor U+FFFE and U+FFFF.
  for (const char* none : {"\xef\xbf\xbe", "\xef\xbf\xbf"})
    for (std::size_t at = 0; (at = escaped.find(none, at)) != std::string::npos;)
      escaped.replace(at, 3, "?");
  return escaped;
}

/// A suite being written; its counts come first in the text, so cases are gathered.
struct Suite {
  std::string cases;
  std::map<std::string, std::size_t> ends = {};  ///< of tests: "" (passed), "failure", ...

  void add(const std::string& lab, const std::string& name, const std::string& end = {},
           const std::string& message = {}, const std::string& type = {}) {
    ++ends[end];
    cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\"", xml(lab), xml(name));
    const std::string typed = end == "failure" ? fmt::format(" type=\"{}\"", xml(type)) : "";
    cases += end.empty()
                 ? "/>\n"
                 : fmt::format("><{}{} message=\"{}\"/></testcase>\n", end, typed, xml(message));
  }
  std::string counts() {
    std::size_t tests = 0;
    for (const auto& [end, count] : ends) tests += count;
    return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"", tests,
                       ends["failure"], ends["error"], ends["skipped"]);
  }
};

void add_tests(Suite& suite, const Grade& grade, const grade::LabResult& result) {
  const auto fail = [&](const std::string& test, const std::string& verdict, const auto& about) {
    suite.add(grade.lab, test, "failure", told(about), verdict);
  };
  if (result.tests.empty()) {
    if (is_good(grade::verdict_from_text(grade.measured_verdict)))
      suite.add(grade.lab, grade.lab);
    else
      fail(grade.lab, grade.measured_verdict, result);
  }
  for (const grade::TestResult& test : result.tests) {
    const std::string verdict = test.verdict.text();
    const bool not_run = test.verdict.kind == "not_run";
    if (test.verdict.passed())
      suite.add(grade.lab, test.name);
    else if (test.verdict.inconclusive() || is_good(test.verdict) ||
             (not_run && is_good(result.verdict)))
      suite.add(grade.lab, test.name, "skipped", verdict);
    else if (not_run)  // what came before stopped it
      fail(test.name, result.verdict.text(), result);
    else if (test.bonus)  // what is optional fails nothing
      suite.add(grade.lab, test.name, "skipped", "bonus missed: " + verdict);
    else
      fail(test.name, verdict, test);
  }
}

}  // namespace

grade::LabResult stored_result(const std::string& text, const std::string& name) {
  try {
    Json json = Json::parse(text);
    name_file_only(json);
    return report::read_lab_json(json.dump(), name);
  } catch (const Json::exception& error) {
    throw Error(fmt::format("{} is no lab result: {}", name, error.what()), "Grade it again.");
  }
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
    output += fmt::format("{}: {} of {} points ({}).\n", grade.lab, points_text(*grade.points, 2),
                          points_text(grade.max_points, 2), grade.verdict);
    if (grade.taken_off > 0)
      output += fmt::format("{} points were taken off: {} late.\n", points_text(grade.taken_off, 2),
                            days_text(grade.late_days));
    for (const std::string& note : grade.notes) output += note + "\n";
    if (!grade.comment.empty()) output += "Comment: " + grade.comment + "\n";
    if (item.json.empty()) continue;
    const grade::LabResult result = stored_result(item.json, "the result of " + grade.lab);
    bool any_ran = false;
    for (const grade::TestResult& test : result.tests) {
      any_ran |= test.verdict.kind != "not_run";
      tests.push_back({{"name", fmt::format("{} {}", grade.lab, test.name)},
                       {"name_format", "text"},
                       {"score", test.decided() ? test.points : 0},
                       {"max_score", test.max_points},
                       {"status", is_good(test.verdict) ? "passed" : "failed"},
                       {"output", test.verdict.passed() ? test.about : told(test)},
                       {"output_format", "text"},
                       {"visibility", "visible"}});
    }
    if (!any_ran && !is_good(result.verdict)) output += told(result) + "\n";
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

std::string junit_xml(const Report& report, const Gradebook& book,
                      const std::vector<grade::Manifest>& labs) {
  std::map<std::pair<std::string, std::string>, Entry> graded;
  for (Entry& entry : book.entries())
    if (entry.graded) graded[{entry.student, entry.lab}] = std::move(entry);
  std::string suites;
  Suite sum;
  for (const Student& student : report.students) {
    Suite suite;
    for (const Grade& grade : report.grades) {
      if (grade.student != student.id) continue;
      const auto entry = graded.find({grade.student, grade.lab});
      const std::string result =
          entry == graded.end() ? "" : result_that_counts(book, entry->second, labs);
      if (grade.decided && result.empty())
        suite.add(grade.lab, grade.lab, "skipped",
                  fmt::format("{} points by decision", points_text(*grade.points, 2)));
      else if (!grade.decided && grade.state == Grade::State::not_graded)
        suite.add(grade.lab, grade.lab, "error", "not graded: " + joined(all_notes(grade), "; "));
      else if (!grade.decided && grade.state == Grade::State::unreadable)
        suite.add(grade.lab, grade.lab, "failure", joined(all_notes(grade), "; "), "unreadable");
      else if (!result.empty() && grade.state != Grade::State::excused)
        add_tests(suite, grade, stored_result(result, grade.student + ", " + grade.lab));
      else
        suite.add(grade.lab, grade.lab, "skipped", grade.verdict);
    }
    if (suite.ends.empty()) continue;
    suites += fmt::format("  <testsuite name=\"{}\" {}>\n{}  </testsuite>\n", xml(student.id),
                          suite.counts(), suite.cases);
    for (const auto& [end, count] : suite.ends) sum.ends[end] += count;
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"class\" "
      "{}>\n{}</testsuites>\n",
      sum.counts(), suites);
}

}  // namespace labkit::course
