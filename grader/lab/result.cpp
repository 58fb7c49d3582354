#include "lab/result.h"

#include <algorithm>

namespace labkit::lab {

const std::vector<std::string>& verdict_kinds() {
  static const std::vector<std::string> kinds = {
      "pass",         "untouched",     "compile_error", "compile_limit", "missing_kernel",
      "signature",    "unsupported",   "launch",        "out_of_bounds", "misaligned",
      "race",         "uninitialized", "barrier",       "budget",        "assert",
      "trap",         "launch_shape",  "wrong_result",  "input_changed", "gate",
      "inconclusive", "static_shared", "not_attempted", "not_run"};
  return kinds;
}

Verdict verdict_from_text(std::string_view text) {
  Verdict verdict{.kind = {}, .gate = {}};
  const std::size_t cut = text.find_first_of(" :");
  const std::string kind(text.substr(0, cut));
  const auto& kinds = verdict_kinds();
  if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) return verdict;
  const std::string_view rest =
      cut == std::string_view::npos ? std::string_view{} : text.substr(cut + 1);
  if ((kind == "gate") == rest.empty())
    return verdict;  // a gate wants a name, nothing else takes one
  verdict.kind = kind;
  verdict.gate = rest;
  return verdict;
}

double GateResult::margin() const {
  if (threshold == 0 || !missing.empty()) return passed ? 1 : -1;
  return (is_minimum ? value - threshold : threshold - value) / threshold;
}

Verdict overall(const std::vector<TestResult>& tests) {
  Verdict first_gate{.kind = {}, .gate = {}};
  bool any = false, open = false;
  for (const TestResult& test : tests) {
    if (test.verdict.neutral()) continue;
    any = true;
    if (test.verdict.passed()) continue;
    if (test.verdict.inconclusive()) {
      open = true;
      continue;
    }
    if (test.verdict.kind != "gate") return test.verdict;
    if (first_gate.kind.empty()) first_gate = test.verdict;
  }
  if (!any) return {};
  if (!first_gate.kind.empty()) return first_gate;
  return {.kind = open ? "inconclusive" : "pass", .gate = {}};
}

void sum_up(LabResult& result) {
  result.points = result.max_points = result.bonus = result.max_bonus = 0;
  result.undecided = result.undecided_bonus = 0;
  for (const TestResult& test : result.tests) {
    (test.bonus ? result.bonus : result.points) += test.points;
    (test.bonus ? result.max_bonus : result.max_points) += test.max_points;
    if (!test.decided())
      (test.bonus ? result.undecided_bonus : result.undecided) += test.max_points;
  }
  if (!result.tests.empty()) result.verdict = overall(result.tests);
}

}  // namespace labkit::lab
