// Points and verdicts: of a test, of gates, of a lab.
#include "grade/result.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace labkit::grade {

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
  Verdict verdict{.kind = {}};
  const std::size_t cut = text.find_first_of(" :");
  const std::string kind(text.substr(0, cut));
  if (!std::ranges::count(verdict_kinds(), kind)) return verdict;
  const std::string_view rest =
      cut == std::string_view::npos ? std::string_view{} : text.substr(cut + 1);
  if ((kind == "gate") == rest.empty())
    return verdict;  // a gate wants a name, nothing else takes one
  verdict.kind = kind;
  verdict.gate = rest;
  return verdict;
}

double GateResult::margin() const {
  if (threshold == 0 || missing) return passed ? 1 : -1;
  return (is_minimum ? value - threshold : threshold - value) / threshold;
}

void award_gates(TestResult& test) {
  test.points = 0;
  for (GateResult& gate : test.gates) gate.points = 0;
  for (GateResult& gate : test.gates) {
    if (!gate.passed) {
      test.verdict = gate.undecided ? Verdict{.kind = "inconclusive"}
                                    : Verdict{.kind = "gate", .gate = gate.name};
      return;
    }
    gate.points = gate.max_points;
    test.points += gate.points;
  }
  test.verdict = {.kind = "pass"};
}

namespace {

const TestResult* first_failure(const std::vector<TestResult>& tests, bool with_bonus) {
  const auto rank_of = [](const TestResult& test) {
    if (test.verdict.inconclusive()) return 6;
    const int rank = test.verdict.kind == "untouched" ? 2 : test.verdict.kind == "gate" ? 1 : 0;
    return test.bonus ? 3 + rank : rank;
  };
  const TestResult* first = nullptr;
  for (const TestResult& test : tests) {
    if (test.verdict.passed() || test.verdict.neutral() || (test.bonus && !with_bonus)) continue;
    if (first == nullptr || rank_of(test) < rank_of(*first)) first = &test;
  }
  return first;
}

}  // namespace

const TestResult* first_to_tell(const std::vector<TestResult>& tests) {
  return first_failure(tests, true);
}

Verdict overall(const std::vector<TestResult>& tests) {
  if (const TestResult* first = first_failure(tests, false)) return first->verdict;
  const bool any = std::ranges::any_of(tests, &Verdict::passed, &TestResult::verdict);
  return any ? Verdict{.kind = "pass"} : Verdict{};
}

void sum_up(LabResult& result) {
  result.points = result.max_points = result.bonus = result.max_bonus = 0;
  result.undecided = result.undecided_bonus = 0;
  for (const TestResult& test : result.tests) {
    (test.bonus ? result.bonus : result.points) += test.points;
    (test.bonus ? result.max_bonus : result.max_points) += test.max_points;
    if (!test.decided())
      (test.bonus ? result.undecided_bonus : result.undecided) += test.max_points - test.points;
  }
  if (!result.tests.empty()) result.verdict = overall(result.tests);
}

std::optional<Mismatch::Element> Mismatch::stored_element() const {
  if (!never_written) return Element{row, col};
  if (col > 0) return Element{row, col - 1};
  if (row > 0) return Element{row - 1, col};
  return std::nullopt;
}

int right_digits(const Mismatch& mismatch) {
  // whole numbers are counted, not rounded
  const bool is_whole = mismatch.expected.find_first_of(".e") == std::string::npos;
  if (mismatch.never_written || is_whole) return 0;
  const double expected = std::strtod(mismatch.expected.c_str(), nullptr),
               got = std::strtod(mismatch.got.c_str(), nullptr);
  const double off = std::fabs(got - expected) / std::fabs(expected);
  constexpr int kLeast = 5;
  if (!std::isfinite(off) || off == 0) return 0;
  const int digits = static_cast<int>(std::floor(-std::log10(off)));
  return digits >= kLeast ? digits : 0;
}

bool is_rounded_to_float(const Mismatch& mismatch) {
  if (right_digits(mismatch) == 0) return false;
  const double expected = std::strtod(mismatch.expected.c_str(), nullptr),
               got = std::strtod(mismatch.got.c_str(), nullptr);
  return got == static_cast<float>(got) && expected != static_cast<float>(expected);
}

}  // namespace labkit::grade
