// Results test by test: Gradescope's results.json and JUnit.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "class/pages/students_view.h"
#include "class/policy/rescore.h"
#include "class/publish/exports.h"

namespace labkit::course {
namespace {

using Json = nlohmann::ordered_json;

double number(const Json& json, const char* key) {
  const auto value = json.find(key);
  return value != json.end() && value->is_number() && std::isfinite(value->get<double>())
             ? value->get<double>()
             : 0;
}

std::string text(const Json& json, const char* key) {
  const auto value = json.find(key);
  return value != json.end() && value->is_string() ? value->get<std::string>() : std::string();
}

/// The explanation's lines, else the message.
std::string told(const Json& json) {
  std::string all;
  const auto lines = json.find("explanation");
  if (lines != json.end() && lines->is_array())
    for (const Json& line : *lines)
      if (line.is_string()) all += (all.empty() ? "" : "\n") + line.get<std::string>();
  return all.empty() ? text(json, "message") : all;
}

/// Right, or not asked for.
bool is_good(const std::string& verdict) { return verdict == "pass" || verdict == "not_attempted"; }

Json parse(const std::string& json) {
  try {
    return Json::parse(json);
  } catch (const Json::exception& error) {
    throw Error(fmt::format("a stored result cannot be read: {}", error.what()), "Grade it again.");
  }
}

std::string xml(std::string_view raw) {
  std::string escaped;
  for (const char c : to_valid_utf8(raw)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\n':
        escaped += "&#10;";
        break;
      case '\t':
        escaped += "&#9;";
        break;
      default:
        // XML 1.0 has no other control characters, not even escaped.
        escaped += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
    }
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

  void add(const std::string& lab, const std::string& name, const std::string& inside) {
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
};

std::string joined(const std::vector<std::string>& list) {
  std::string all;
  for (const std::string& one : list) all += (all.empty() ? "" : "; ") + one;
  return all;
}

void add_tests(Suite& suite, const Grade& grade, const Json& result) {
  const auto tests = result.find("tests");
  if (tests == result.end() || !tests->is_array() || tests->empty()) {
    if (is_good(grade.measured_verdict))
      suite.add(grade.lab, grade.lab, {});
    else
      suite.fail(grade.lab, grade.lab, grade.measured_verdict, told(result));
    return;
  }
  for (const Json& test : *tests) {
    const std::string verdict = text(test, "verdict"), name = text(test, "name");
    if (verdict == "pass")
      suite.add(grade.lab, name, {});
    else if (verdict == "inconclusive" || verdict == "not_attempted" ||
             (verdict == "not_run" && is_good(text(result, "verdict"))))
      suite.skip(grade.lab, name, verdict);
    else if (verdict == "not_run")  // what came before stopped it
      suite.fail(grade.lab, name, text(result, "verdict"), told(result));
    else if (test.value("bonus", false))  // what is optional fails nothing
      suite.skip(grade.lab, name, "bonus missed: " + verdict);
    else
      suite.fail(grade.lab, name, verdict, told(test));
  }
}

}  // namespace

std::string gradescope_results(const std::vector<GradescopeItem>& items,
                               const GradescopeOptions& options) {
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
      output +=
          fmt::format("{} points were taken off: {} day{} late.\n", points_text(grade.taken_off, 2),
                      points_text(grade.late_days, 2), grade.late_days == 1 ? "" : "s");
    for (const std::string& note : grade.notes) output += note + "\n";
    if (item.json.empty()) continue;
    Json result = parse(item.json);
    name_file_only(result);
    const std::string general = text(result, "verdict");
    bool any_ran = false;
    for (const Json& test : result.value("tests", Json::array())) {
      const std::string verdict = text(test, "verdict");
      any_ran |= verdict != "not_run";
      Json one;
      one["name"] = fmt::format("{} {}", grade.lab, text(test, "name"));
      one["name_format"] = "text";
      one["score"] = number(test, "points");
      one["max_score"] = number(test, "max_points");
      one["status"] = is_good(verdict) ? "passed" : "failed";
      one["output"] = verdict == "pass" ? text(test, "about") : told(test);
      one["output_format"] = "text";
      one["visibility"] = options.visibility;
      tests.push_back(std::move(one));
    }
    if (!any_ran && !is_good(general)) output += told(result) + "\n";
  }
  // Beside the tests: lateness, decisions and bonus count too.
  results["score"] = std::max(0.0, std::round(score * 1e6) / 1e6);
  results["output"] = output;
  results["output_format"] = "text";
  results["visibility"] = options.visibility;
  results["stdout_visibility"] = options.stdout_visibility;
  results["tests"] = std::move(tests);
  return results.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string junit_xml(const Report& report, const Gradebook& book,
                      const std::vector<lab::Manifest>& labs) {
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
        suite.error(grade.lab, grade.lab, "not graded: " + joined(all_notes(grade)));
      else if (!grade.decided && grade.state == Grade::State::unreadable)
        suite.fail(grade.lab, grade.lab, "unreadable", joined(all_notes(grade)));
      else if (!result.empty() && grade.state != Grade::State::excused)
        add_tests(suite, grade, parse(result));
      else
        suite.skip(grade.lab, grade.lab, grade.verdict);
    }
    if (suite.tests == 0) continue;
    suites += fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n{}  "
        "</testsuite>\n",
        xml(student.id), suite.tests, suite.failures, suite.errors, suite.skipped, suite.cases);
    sum.tests += suite.tests;
    sum.failures += suite.failures;
    sum.errors += suite.errors;
    sum.skipped += suite.skipped;
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"class\" tests=\"{}\" "
      "failures=\"{}\" "
      "errors=\"{}\" skipped=\"{}\">\n{}</testsuites>\n",
      sum.tests, sum.failures, sum.errors, sum.skipped, suites);
}

}  // namespace labkit::course
