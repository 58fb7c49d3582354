#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "explain/words.h"
#include "report/json.h"
#include "words/render.h"

namespace labkit::report {
namespace {

using Json = nlohmann::ordered_json;

/// What is wrong, and what to do next.
std::string message_of(const grade::LabResult& lab, const grade::TestResult& test) {
  if (test.verdict.passed()) return "";
  if (test.verdict.kind == "not_run")
    return fmt::format("{}{}{}", lab.verdict.text(), lab.message.empty() ? "" : ": ",
                       words::render(lab.message));
  const std::string reason = explain::short_reason(test);
  const std::string_view next = explain::next_step(test.verdict.kind);
  return fmt::format("{}{}{}", test.verdict.text(), reason.empty() ? "" : ": " + reason,
                     next.empty() ? "" : fmt::format(" Next: {}", next));
}

launch::SourceLine place_of(const grade::LabResult& lab, const grade::TestResult& test) {
  if (test.verdict.kind == "not_run") return lab.where;
  if (const launch::Finding* finding = explain::first_error(test.findings)) return finding->where;
  for (const grade::GateResult& gate : test.gates)
    if (!gate.passed) return gate.culprit.where;
  return {};
}

}  // namespace

std::string classroom_json(const std::vector<grade::LabResult>& results) {
  Json json;
  json["version"] = 1;
  json["status"] = "pass";
  double most = 0;
  Json tests = Json::array();
  for (const grade::LabResult& lab : results) {
    most += lab.max_points;
    for (const grade::TestResult& test : lab.tests) {
      if (test.verdict.kind == "not_attempted") continue;
      if (test.bonus && test.verdict.kind == "not_run") continue;
      const launch::SourceLine where = place_of(lab, test);
      Json one;
      one["name"] = lab.lab + " " + test.name;
      one["status"] = test.verdict.passed() ? "pass" : test.decided() ? "fail" : "error";
      one["score"] = test.points;
      one["message"] = to_valid_utf8(message_of(lab, test));
      one["test_code"] = "labkit grade " + lab.lab;
      one["filename"] = std::filesystem::path(lab.file).filename().string();
      one["line_no"] = where.line;
      one["duration"] = 0;
      if (!test.bonus && one["status"] != "pass" && json["status"] != "error")
        json["status"] = one["status"];
      tests.push_back(one);
    }
  }
  json["max_score"] = most;
  json["tests"] = tests;
  return json.dump(1) + "\n";
}

}  // namespace labkit::report
