// Session's part about results: what came back from a launch against what must, what the sanitizers found in it, and what
// the sizes that came out right have in common.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "device/source_findings.h"
#include "lab/compare.h"
#include "lab/session.h"
#include "observe/checks.h"

namespace labkit::lab {
namespace {

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

/// Both at once: the usual cause is that input and output have changed places.
std::string told_of_changed_input(const Mismatch& input, const Mismatch& output) {
  const std::string where = input.stored && input.stored->where.line != 0
                                ? fmt::format("At line {} the", input.stored->where.line)
                                : "The";
  if (output.never_written_count == output.total)
    return fmt::format(
        "{} kernel wrote to `{}`, which is an input, and never to `{}`, the output: have they "
        "changed places?",
        where, input.array, output.array);
  return fmt::format("{} kernel also wrote to `{}`, which is an input.", where, input.array);
}

/// An input that was written where the output is wrong goes into the message, out of the list.
void tell_changed_input(const Case& one, TestResult& result) {
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
  if (result.message.empty()) result.message = told_of_changed_input(*inputs, all.front());
  all.erase(inputs, all.end());
}

}  // namespace

/// Of a launch that went through and yet is at fault: whether that shows in the result.
void Session::tell_result_beside(const Case& one, const device::Outcome& outcome) {
  bool outputs_wrong = false;
  current_->mismatches = compare_all(one, outcome.outputs, true, outputs_wrong);
  if (current_->mismatches.empty()) current_->message = kRightByLuck;
}

void Session::show_launch(const Case& one) {
  current_->launch = {text_of(one, *manifest_.kernel_of(one.kernel))};
}

bool Session::judge(const Case& one, const device::Outcome& outcome, bool on_gpu,
                    bool inputs_back) {
  std::vector<launch::Finding> before;
  before.swap(current_->findings);
  const bool right = judge_alone(one, outcome, on_gpu, inputs_back);
  // The warnings of launches before are theirs, with their threads: beside one that fails they would be taken for its own.
  // A GPU warns of nothing itself.
  // But that threads repeat each other's work, which a small launch tells, is why a larger one takes too long.
  const bool takes_long =
      std::any_of(current_->findings.begin(), current_->findings.end(),
                  [](const auto& finding) { return finding.kind == launch::FindingKind::budget; });
  if (!right && !on_gpu)
    std::erase_if(before, [&](const launch::Finding& finding) {
      return !takes_long || !launch::has_evidence(finding, words::Id::race_repeated_work);
    });
  observe::add_findings(current_->findings, before);
  return right;
}

bool Session::judge_alone(const Case& one, const device::Outcome& outcome, bool on_gpu,
                          bool inputs_back) {
  current_->launches += 1;
  if (!on_gpu) note_cost(one, outcome, false);
  if (current_->printed.size() < kMaxPrinted) {
    current_->printed += outcome.printed.substr(0, kMaxPrinted - current_->printed.size());
    if (!outcome.printed.empty() && current_->printed.size() == kMaxPrinted)
      current_->printed += "...";
  }
  const Kernel& kernel = *manifest_.kernel_of(one.kernel);
  show_launch(one);
  observe::add_findings(current_->findings, outcome.findings);
  device::add_compiler_findings(current_->findings, submission_->compile_log, submission_->source,
                                one.kernel);
  for (const launch::Finding& finding : outcome.findings)
    if (finding.severity == launch::Severity::error) {
      fail(std::string(name_of(finding.kind)));
      if (outcome.completed) tell_result_beside(one, outcome);
      // what mostly goes wrong at some sizes only
      using enum launch::FindingKind;
      if (finding.kind == out_of_bounds || finding.kind == uninitialized || finding.kind == barrier)
        current_->right_where = right_where(one);
      if (on_gpu) current_->on_gpu = gpu_name_;
      if (finding.kind != launch::FindingKind::budget) return false;
      if (on_gpu) {
        endless_on_gpu_.insert(kernel.name);
        return false;
      }
      if (const std::string before = endless_in(one); !before.empty())
        current_->message = fmt::format(
            "{} did not end in {}, so it was given a smaller budget here; fix that one first.",
            kernel.name, before);
      endless_in_.emplace(kernel.name, test_->name);
      return false;
    }
  if (!outcome.completed)
    throw Error("a launch ended early without a reason", "report this: it is a fault of the kit");

  bool outputs_wrong = false;
  current_->mismatches = compare_all(one, outcome.outputs, inputs_back, outputs_wrong);
  // Launches of a GPU may differ from one to the next: then a later one may be wrong, too.
  for (const std::vector<device::Output>& others : outcome.other_outputs) {
    if (!current_->mismatches.empty()) break;
    current_->mismatches = compare_all(one, others, inputs_back, outputs_wrong);
    if (!current_->mismatches.empty())
      current_->message =
          fmt::format("The first launch was right, but {} of the timed ones gave another result.",
                      outcome.differing_samples);
  }
  if (!on_gpu) tell_who_stored(one);
  if (outputs_wrong) tell_changed_input(one, *current_);
  const std::string message = current_->message;
  if (outputs_wrong) {
    fail("wrong_result", message);
    current_->right_where = right_where(one);
  } else if (!current_->mismatches.empty() || !outcome.changed_inputs.empty()) {
    fail("input_changed", current_->mismatches.empty()
                              ? fmt::format("The kernel wrote to `{}`, which is an input.",
                                            array_at(one, outcome.changed_inputs.front()))
                              : message);
  } else {
    right_sizes_[kernel.name].push_back(sizes_of(one));
    return true;
  }
  if (on_gpu) current_->on_gpu = gpu_name_;
  return false;
}

/// All in one plan: each plan costs a process and a context on the GPU.
bool Session::judge_on_gpu(const std::vector<Case>& cases) {
  const std::vector<device::Outcome> outcomes =
      devices_.gpu->run(make_plan(cases, Purpose::check_on_gpu));
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (judge(cases[i], outcomes.at(i), true)) continue;
    keep_detail(cases[i], nullptr);
    return false;
  }
  return true;
}

std::string Session::right_where(const Case& one) const {
  using Sizes = std::vector<std::int64_t>;
  const auto at = right_sizes_.find(manifest_.kernel_of(one.kernel)->name);
  if (at == right_sizes_.end()) return {};
  // an empty launch is right whatever the kernel does
  std::vector<Sizes> right;
  for (const Sizes& sizes : at->second)
    if (std::none_of(sizes.begin(), sizes.end(), [](auto n) { return n == 0; }))
      right.push_back(sizes);
  if (right.empty()) return {};
  const Sizes wrong = sizes_of(one);
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

}  // namespace labkit::lab
