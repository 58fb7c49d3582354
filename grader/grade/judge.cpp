// Results: what came back from a launch against what must, what the sanitizers found in it, and what the sizes that came
// out right have in common.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "device/source_findings.h"
#include "grade/compare.h"
#include "grade/steps.h"
#include "observe/checks.h"

namespace labkit::grade {
namespace {

using words::Id;

constexpr std::size_t kMaxPrinted = 2048;

LaunchText text_of(const Case& one, const Kernel& kernel) {
  LaunchText text{.kernel = one.kernel,
                  .grid = to_string(one.grid),
                  .block = to_string(one.block),
                  .dynamic_shared_bytes = one.dynamic_shared_bytes,
                  .scalars = {}};
  for (std::size_t i = 0; i < one.arguments.size() && i < kernel.parameters.size(); ++i)
    if (!one.arguments[i].array())
      text.scalars.emplace_back(kernel.parameters[i].name, one.arguments[i].text());
  return text;
}

/// The name of the case's array that is buffer `index` of a plan of its own.
std::string array_at(const Case& one, std::uint32_t index) {
  for (const Argument& argument : one.arguments)
    if (argument.array() && index-- == 0) return argument.array()->name;
  return "?";
}

/// The whole numbers that the case passes and that say how long an array of it is; all, where none does.
std::vector<std::int64_t> sizes_of(const Case& one) {
  const auto is_length = [&](std::int64_t value) {
    return std::any_of(one.arguments.begin(), one.arguments.end(), [&](const Argument& argument) {
      const auto& array = argument.array();
      const auto wanted = static_cast<std::uint64_t>(value);
      return array && (array->cols == wanted || (!array->is_vector && array->rows == wanted));
    });
  };
  std::vector<std::int64_t> sizes, lengths;
  for (const Argument& argument : one.arguments) {
    if (argument.array()) continue;
    std::int64_t value = 0;
    const char* end = argument.text().data() + argument.text().size();
    if (std::from_chars(argument.text().data(), end, value).ptr != end) continue;
    sizes.push_back(value);
    if (is_length(value)) lengths.push_back(value);
  }
  // An offset or a stride is no size, where another number is.
  return lengths.empty() ? sizes : lengths;
}

/// What the inputs hold at that element, those that are vectors of the output's length.
std::vector<std::pair<std::string, std::string>> inputs_beside(const Case& one,
                                                               const ArrayData& output,
                                                               std::uint64_t index) {
  std::vector<std::pair<std::string, std::string>> inputs;
  for (const Argument& argument : one.arguments) {
    if (!argument.array() || argument.array()->is_output) continue;
    const ArrayData& input = *argument.array();
    if (input.is_vector && input.cols == output.cols)
      inputs.emplace_back(input.name, element_text(input, index));
  }
  return inputs;
}

/// What came back against what must. `inputs_back`: the inputs are among `outputs`.
std::vector<Mismatch> compare_all(const Case& one, const std::vector<device::Output>& outputs,
                                  bool inputs_back, bool& outputs_wrong) {
  std::vector<Mismatch> found;
  std::size_t next = 0;
  for (const Argument& argument : one.arguments) {
    if (!argument.array()) continue;
    const ArrayData& array = *argument.array();
    if (!array.is_output && !inputs_back) continue;
    if (next >= outputs.size() || outputs[next].bytes.size() != array.bytes.size())
      throw Error("the device did not give back array " + array.name,
                  "report this: it is a fault of the kit");
    const std::vector<std::byte>& got = outputs[next++].bytes;
    auto mismatch = array.is_output ? compare_output(array, got) : compare_input(array, got);
    if (!mismatch) continue;
    if (array.is_output && array.is_vector)
      mismatch->inputs = inputs_beside(one, array, mismatch->col);
    outputs_wrong |= array.is_output;
    found.push_back(*mismatch);
  }
  return found;
}

/// Both at once: the usual cause is that input and output were swapped.
words::Message describe_changed_input(const Mismatch& input, const Mismatch& output) {
  std::vector<words::Parameter> parameters = {{"array", input.array}, {"output", output.array}};
  const bool has_line = input.stored && input.stored->where.line != 0;
  if (has_line) parameters.push_back({"where", input.stored->where});
  const bool swapped = output.never_written_count == output.total;
  return {swapped    ? has_line ? Id::input_for_output_at : Id::input_for_output
          : has_line ? Id::input_written_too_at
                     : Id::input_written_too,
          std::move(parameters)};
}

/// An input that was written where the output is wrong goes into the message, out of the list.
void report_changed_input(const Case& one, TestResult& result) {
  const auto is_input = [&](const Mismatch& mismatch) {
    return std::any_of(one.arguments.begin(), one.arguments.end(), [&](const Argument& argument) {
      return argument.array() && argument.array()->name == mismatch.array &&
             !argument.array()->is_output;
    });
  };
  std::vector<Mismatch>& all = result.mismatches;
  const auto inputs = std::stable_partition(
      all.begin(), all.end(), [&](const Mismatch& mismatch) { return !is_input(mismatch); });
  if (inputs == all.end() || inputs == all.begin()) return;
  result.input_written = inputs->array;
  if (result.message.empty()) result.message = {describe_changed_input(*inputs, all.front())};
  all.erase(inputs, all.end());
}

/// What the sizes that came out right before have in common, and this one has not.
std::string right_where(const Grading& grading, const Attempt& attempt) {
  using Sizes = std::vector<std::int64_t>;
  const auto at = grading.right_sizes.find(attempt.kernel.name);
  if (at == grading.right_sizes.end()) return {};
  // an empty launch is right whatever the kernel does
  std::vector<Sizes> right;
  for (const Sizes& sizes : at->second)
    if (std::none_of(sizes.begin(), sizes.end(), [](auto n) { return n == 0; }))
      right.push_back(sizes);
  if (right.empty()) return {};
  const Sizes wrong = sizes_of(attempt.one);
  const auto tells = [&](const auto& holds) {
    return std::all_of(right.begin(), right.end(), holds) && !holds(wrong);
  };
  for (const int unit : {32, 16, 8, 4, 2})
    if (tells([&](const Sizes& sizes) {
          return std::all_of(sizes.begin(), sizes.end(), [&](auto n) { return n % unit == 0; });
        }))
      return fmt::format("multiples of {}", unit);
  // One element is as square as it is a row: it tells nothing.
  const bool any_larger = std::any_of(right.begin(), right.end(), [](const Sizes& sizes) {
    return sizes.size() > 1 && sizes.front() > 1;
  });
  if (any_larger && tells([](const Sizes& sizes) {
        return sizes.size() > 1 &&
               std::all_of(sizes.begin(), sizes.end(), [&](auto n) { return n == sizes.front(); });
      }))
    return "square";
  return {};
}

/// Kernels that a launch stopped for taking too long get less time in the tests after it.
void note_endless(Grading& grading, const Attempt& attempt, bool on_gpu) {
  const std::string& kernel = attempt.kernel.name;
  if (on_gpu) {
    grading.endless_on_gpu.insert(kernel);
    return;
  }
  const auto [before, is_first] = grading.endless_in.emplace(kernel, grading.running->test->name);
  if (!is_first && before->second != grading.running->test->name)
    grading.running->result->message = {
        {Id::endless_before, {{"kernel", kernel}, {"test", before->second}}}};
}

/// An error that was found in the launch is its verdict.
void judge_error(Grading& grading, const Attempt& attempt, const device::Outcome& outcome,
                 launch::FindingKind kind, bool on_gpu) {
  using enum launch::FindingKind;
  TestResult& result = *grading.running->result;
  fail(result, name_of(kind));
  if (outcome.completed) {  // it went through and yet is at fault: whether that shows in the result
    bool outputs_wrong = false;
    result.mismatches = compare_all(attempt.one, outcome.outputs, true, outputs_wrong);
    if (result.mismatches.empty()) result.message = {{Id::right_by_luck}};
  }
  // what mostly goes wrong at some sizes only
  if (kind == out_of_bounds || kind == uninitialized || kind == barrier)
    result.right_where = right_where(grading, attempt);
  if (kind == budget) note_endless(grading, attempt, on_gpu);
}

/// What came back against what must; true if it is right.
bool compare(Grading& grading, const Attempt& attempt, const device::Outcome& outcome, bool on_gpu,
             bool inputs_back) {
  TestResult& result = *grading.running->result;
  bool outputs_wrong = false;
  result.mismatches = compare_all(attempt.one, outcome.outputs, inputs_back, outputs_wrong);
  // Launches of a GPU may differ from one to the next: then a later one may be wrong, too.
  for (const std::vector<device::Output>& others : outcome.other_outputs) {
    if (!result.mismatches.empty()) break;
    result.mismatches = compare_all(attempt.one, others, inputs_back, outputs_wrong);
    if (!result.mismatches.empty())
      result.message = {
          {Id::later_launches_differ, {{"count", words::count(outcome.differing_samples)}}}};
  }
  if (!on_gpu) find_who_stored(grading, attempt);
  if (outputs_wrong) {
    report_changed_input(attempt.one, result);
    result.verdict = {.kind = "wrong_result", .gate = {}};
    result.right_where = right_where(grading, attempt);
  } else if (!result.mismatches.empty()) {
    result.verdict = {.kind = "input_changed", .gate = {}};
  } else if (!outcome.changed_inputs.empty()) {
    fail(result, "input_changed",
         {{Id::input_written, {{"array", array_at(attempt.one, outcome.changed_inputs.front())}}}});
  } else {
    return true;
  }
  return false;
}

bool judge_alone(Grading& grading, const Attempt& attempt, const device::Outcome& outcome,
                 Place place) {
  TestResult& result = *grading.running->result;
  const bool on_gpu = place != Place::simulator;
  result.launches += 1;
  if (!on_gpu) note_cost(grading, attempt, outcome, grading.running->cost);
  if (result.printed.size() < kMaxPrinted) {
    result.printed += outcome.printed.substr(0, kMaxPrinted - result.printed.size());
    if (!outcome.printed.empty() && result.printed.size() == kMaxPrinted) result.printed += "...";
  }
  show_launch(result, attempt);
  observe::add_findings(result.findings, outcome.findings);
  device::add_compiler_findings(result.findings, grading.submission.compile_log,
                                grading.submission.source, attempt.one.kernel);
  const auto error = std::find_if(
      outcome.findings.begin(), outcome.findings.end(),
      [](const launch::Finding& finding) { return finding.severity == launch::Severity::error; });
  const bool has_error = error != outcome.findings.end();
  if (!has_error && !outcome.completed)
    throw Error("a launch ended early without a reason", "report this: it is a fault of the kit");
  if (has_error)
    judge_error(grading, attempt, outcome, error->kind, on_gpu);
  else if (compare(grading, attempt, outcome, on_gpu, place != Place::gpu_without_inputs)) {
    grading.right_sizes[attempt.kernel.name].push_back(sizes_of(attempt.one));
    return true;
  }
  if (on_gpu) result.on_gpu = grading.gpu;
  return false;
}

}  // namespace

bool came_out_right(const Attempt& attempt, const device::Outcome& outcome) {
  bool outputs_wrong = false;
  return outcome.completed &&
         std::none_of(outcome.findings.begin(), outcome.findings.end(),
                      [](const launch::Finding& finding) {
                        return finding.severity == launch::Severity::error;
                      }) &&
         compare_all(attempt.one, outcome.outputs, true, outputs_wrong).empty();
}

void show_launch(TestResult& result, const Attempt& attempt) {
  result.launch = {text_of(attempt.one, attempt.kernel)};
}

bool judge(Grading& grading, const Attempt& attempt, const device::Outcome& outcome, Place place) {
  std::vector<launch::Finding>& findings = grading.running->result->findings;
  std::vector<launch::Finding> before;
  before.swap(findings);
  const bool right = judge_alone(grading, attempt, outcome, place);
  // The warnings of launches before are theirs, with their threads: beside one that fails they would be taken for its own.
  // A GPU warns of nothing itself.
  // But that threads repeat each other's work, which a small launch shows, is why a larger one takes too long.
  const bool takes_long = std::any_of(findings.begin(), findings.end(), [](const auto& finding) {
    return finding.kind == launch::FindingKind::budget;
  });
  if (!right && place == Place::simulator)
    std::erase_if(before, [&](const launch::Finding& finding) {
      return !takes_long || !launch::has_evidence(finding, Id::race_repeated_work);
    });
  observe::add_findings(findings, before);
  return right;
}

}  // namespace labkit::grade
