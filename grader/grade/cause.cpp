// cause: which of a failed test's findings caused the others, and what the source itself shows. If the first is an error,
// the verdict becomes its kind; what the source shows changes none. What is told of it is chosen in explain/told_cause.h.
#include <algorithm>

#include "compile/outline.h"
#include "device/source_findings.h"
#include "grade/steps.h"
#include "observe/findings.h"

namespace labkit::grade {
namespace {

/// What only the source shows comes first: parameters in another order lead to all else.
void add_source_slips(const Manifest& manifest, const std::string& source, TestResult& result) {
  std::vector<std::string> given;
  for (const Kernel& kernel : manifest.kernels)
    if (kernel.name == compile::base_name(result.kernel))
      for (const Parameter& parameter : kernel.parameters) given.push_back(parameter.name);
  if (auto swapped = device::swapped_parameters(source, result.kernel, given))
    result.idle.insert(result.idle.begin(), std::move(*swapped));
  const bool some_left =
      std::ranges::count(result.findings, launch::Cause::barrier_after_early_return,
                         &launch::Finding::cause) != 0;
  const bool only_rest_missing =
      (some_left || result.right_where.starts_with("multiples")) && !result.mismatches.empty() &&
      result.mismatches.front().never_written_count == result.mismatches.front().wrong;
  if (only_rest_missing)
    if (auto left = device::left_early(source, result.kernel))
      result.idle.push_back(std::move(*left));
  if (!result.mismatches.empty() && right_digits(result.mismatches.front()) != 0)
    if (auto call = device::rounding_call(source, result.kernel))
      result.idle.push_back(std::move(*call));
  if (!result.mismatches.empty() && is_rounded_to_float(result.mismatches.front()))
    if (auto narrow = device::float_in(source, result.kernel))
      result.idle.push_back(std::move(*narrow));
}

}  // namespace

void find_cause(Grading& grading) {
  TestResult& result = *grading.running->result;
  const Submission& submission = grading.submission;
  Verdict& verdict = result.verdict;
  device::add_declarations(result.findings, submission.source);
  const bool wrong = verdict.kind == "wrong_result" || verdict.kind == "input_changed";
  if (verdict.passed() || verdict.neutral() || verdict.kind == "gate") return;
  observe::order_by_cause(result.findings, wrong);
  const bool by_finding = std::ranges::any_of(
      result.findings, [&](const auto& finding) { return verdict.kind == name_of(finding.kind); });
  if (!wrong && !by_finding) return;
  result.idle = device::idle_statements(submission.compile_log, submission.source, result.kernel);
  add_source_slips(grading.manifest, submission.source, result);
  if (!result.findings.empty() && result.findings.front().severity == launch::Severity::error)
    verdict.kind = std::string(name_of(result.findings.front().kind));
}

}  // namespace labkit::grade
