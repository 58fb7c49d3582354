#include "class/pages/page_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "class/pages/students_view.h"
#include "explain/words.h"
#include "report/json.h"

namespace labkit::course {
namespace {

using nlohmann::json;

/// One of everything, as today's writer has it: where a stored object lacks a key, this says what it
/// would have been.
const json& example() {
  static const json whole = [] {
    lab::GateResult gate;
    lab::TestResult test;
    test.mismatches.emplace_back();
    test.findings.emplace_back();
    test.launch.emplace_back();
    test.gates.push_back(gate);
    test.measured.emplace();
    lab::LabResult result;
    result.tests.push_back(test);
    json all = json::parse(report::lab_json(result));
    // Which of min and max a gate has is data; so is whether it was measured.
    for (json& one : all["tests"])
      for (json& stored : one["gates"])
        for (const char* key : {"min", "max", "culprit"}) stored.erase(key);
    return all;
  }();
  return whole;
}

/// Keys that may be absent because what they speak of is not there.
bool is_optional(const std::string& key) { return key == "launch" || key == "measured"; }

void complete(json& stored, const json& whole) {
  if (stored.is_object() && whole.is_object()) {
    for (const auto& [key, value] : whole.items()) {
      const auto found = stored.find(key);
      if (found != stored.end())
        complete(*found, value);
      else if (!value.is_object() || !is_optional(key))
        stored[key] = value.is_array() ? json::array() : value;
    }
  } else if (stored.is_array() && whole.is_array() && whole.size() == 1) {
    for (json& one : stored) complete(one, whole[0]);
  }
}

}  // namespace

lab::LabResult read_stored_result(const std::string& text, const std::string& name) {
  json stored;
  try {
    stored = json::parse(text);
  } catch (const json::exception& error) {
    throw Error(fmt::format("{} is no lab result: {}", name, error.what()), "Grade it again.");
  }
  complete(stored, example());
  name_file_only(stored);
  return report::read_lab_json(stored.dump(), name);
}

const lab::TestResult* deciding_test(const lab::LabResult& result) {
  return lab::first_to_tell(result.tests);
}

std::string why_in_a_line(const lab::LabResult& result) {
  if (result.verdict.passed()) return {};
  if (!result.message.empty()) return result.message.substr(0, result.message.find('\n'));
  const lab::TestResult* test = deciding_test(result);
  return test ? explain::short_reason(*test) : std::string();
}

}  // namespace labkit::course
