// Results test by test: Gradescope's results.json and JUnit.
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "class/intake/owners.h"
#include "class/policy/rescore.h"
#include "class/publish/exports.h"
#include "explain/words.h"
#include "report/json.h"

namespace labkit::course {
namespace {

using Json = nlohmann::ordered_json;

/// Of the file's path the name alone, in all texts of a result.
void name_file_only(Json& result) {
  const std::string path = result.value("file", ""), name = students_file_name(path);
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
  std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;

  void add(const std::string& lab, const std::string& name, const std::string& inside = {}) {
    ++tests;
    cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\"", xml(lab), xml(name));
    cases += inside.empty() ? "/>\n" : fmt::format(">{}</testcase>\n", inside);
  }
  void fail(const std::string& lab, const std::string& name, const std::string& type,
            const std::string& message) {
    ++failures;
    add(lab, name, fmt::format("<failure type=\"{}\" message=\"{}\"/>", xml(type), xml(message)));
  }
  void skip(const std::string& lab, const std::string& name, const std::string& message) {
    ++skipped;
    add(lab, name, fmt::format("<skipped message=\"{}\"/>", xml(message)));
  }
  void error(const std::string& lab, const std::string& name, const std::string& message) {
    ++errors;
    add(lab, name, fmt::format("<error message=\"{}\"/>", xml(message)));
  }
  void add(const Suite& other) {
    tests += other.tests;
    failures += other.failures;
    errors += other.errors;
    skipped += other.skipped;
  }
  std::string counts() const {
    return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"", tests, failures,
                       errors, skipped);
  }
};

void add_tests(Suite& suite, const Grade& grade, const grade::LabResult& result) {
  if (result.tests.empty()) {
    if (is_good(grade::verdict_from_text(grade.measured_verdict)))
      suite.add(grade.lab, grade.lab);
    else
      suite.fail(grade.lab, grade.lab, grade.measured_verdict, told(result));
    return;
  }
  for (const grade::TestResult& test : result.tests) {
    const std::string verdict = test.verdict.text();
    const bool not_run = test.verdict.kind == "not_run";
    if (test.verdict.passed())
      suite.add(grade.lab, test.name);
    else if (test.verdict.inconclusive() || is_good(test.verdict) ||
             (not_run && is_good(result.verdict)))
      suite.skip(grade.lab, test.name, verdict);
    else if (not_run)  // what came before stopped it
      suite.fail(grade.lab, test.name, result.verdict.text(), told(result));
    else if (test.bonus)  // what is optional fails nothing
      suite.skip(grade.lab, test.name, "bonus missed: " + verdict);
    else
      suite.fail(grade.lab, test.name, verdict, told(test));
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
  Json results;
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
  results["score"] = std::max(0.0, std::round(score * 1e6) / 1e6);
  results["output"] = output;
  results["output_format"] = "text";
  results["visibility"] = "visible";
  results["stdout_visibility"] = "hidden";
  results["tests"] = std::move(tests);
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
        suite.skip(grade.lab, grade.lab,
                   fmt::format("{} points by decision", points_text(*grade.points, 2)));
      else if (!grade.decided && grade.state == Grade::State::not_graded)
        suite.error(grade.lab, grade.lab, "not graded: " + joined(all_notes(grade), "; "));
      else if (!grade.decided && grade.state == Grade::State::unreadable)
        suite.fail(grade.lab, grade.lab, "unreadable", joined(all_notes(grade), "; "));
      else if (!result.empty() && grade.state != Grade::State::excused)
        add_tests(suite, grade, stored_result(result, grade.student + ", " + grade.lab));
      else
        suite.skip(grade.lab, grade.lab, grade.verdict);
    }
    if (suite.tests == 0) continue;
    suites += fmt::format("  <testsuite name=\"{}\" {}>\n{}  </testsuite>\n", xml(student.id),
                          suite.counts(), suite.cases);
    sum.add(suite);
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"class\" "
      "{}>\n{}</testsuites>\n",
      sum.counts(), suites);
}

}  // namespace labkit::course
