#include "grade/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace labkit::grade {
namespace {

const TestResult* find_test(const LabResult& result, const std::string& name) {
  const auto at = std::ranges::find(result.tests, name, &TestResult::name);
  return at == result.tests.end() ? nullptr : &*at;
}

/// A counter of the simulator told the test's answer apart: one of its gates that is no ratio failed.
bool told_by_counter(const SolutionRuns& solution, const Test& test) {
  return std::ranges::any_of(solution.runs, [&](const LabResult& run) {
    const TestResult* result = find_test(run, test.name);
    return result && std::ranges::any_of(result->gates, [&](const GateResult& held) {
             return held.figure != "ratio" && held.figure != "best_ratio" && !held.passed;
           });
  });
}

/// Three digits are as many as a limit can mean; kept only if the window still holds it.
double rounded_within(double value, double low, double high) {
  const double step = std::pow(10, std::floor(std::log10(value)) - 2);
  for (const double near : {value, value + step / 2})
    if (const double rounded = std::stod(fmt::format("{:.3g}", near));
        rounded >= low && rounded <= high)
      return rounded;
  return value;
}

/// The graded size of all measurements of a test; they must agree, or a ratio means two things.
Sizes size_of(const std::vector<SolutionRuns>& solutions, const Test& test) {
  Sizes size;
  for (const SolutionRuns& solution : solutions)
    for (const LabResult& run : solution.runs) {
      const TestResult* result = find_test(run, test.name);
      if (!result || !result->measured) continue;
      if (!size.empty() && size != result->measured->size)
        throw Error(test.name + " was measured at two sizes",
                    "see that nothing else takes the GPU's memory, and calibrate again");
      size = result->measured->size;
    }
  return size;
}

/// The solution's ratio over all its runs: the median of the medians, and the reach of all intervals.
/// nullopt if one of the runs did not measure this test, or could not be believed.
std::optional<GateWitness> witness_of(const SolutionRuns& solution, const Test& test,
                                      const Gate& gate) {
  GateWitness witness{.file = solution.file, .ratio = {}};
  std::vector<double> medians;
  for (const LabResult& run : solution.runs) {
    const TestResult* result = find_test(run, test.name);
    if (!result || !result->measured || result->measured->undecided) return std::nullopt;
    const auto& ratio =
        gate.figure == "ratio" ? result->measured->ratio : result->measured->best_ratio;
    if (!ratio) return std::nullopt;
    witness.ratio.low = medians.empty() ? ratio->low : std::min(witness.ratio.low, ratio->low);
    witness.ratio.high = std::max(witness.ratio.high, ratio->high);
    medians.push_back(ratio->value);
  }
  if (medians.empty()) return std::nullopt;
  std::ranges::sort(medians);
  witness.ratio.value = medians[medians.size() / 2];
  return witness;
}

}  // namespace

GpuGate find_window(const std::string& name, const std::vector<GateWitness>& right,
                    const std::vector<GateWitness>& must_miss,
                    const std::vector<GateWitness>& told_otherwise) {
  GpuGate gate;
  gate.name = name;
  gate.slowest_right =
      *std::ranges::min_element(right, {}, [](const GateWitness& each) { return each.ratio.low; });
  gate.window_high = gate.slowest_right.ratio.low / (1 + kGateMargin);
  if (!must_miss.empty()) {
    gate.fastest_wrong = *std::ranges::max_element(
        must_miss, {}, [](const GateWitness& each) { return each.ratio.high; });
    gate.window_low = gate.fastest_wrong->ratio.high / (1 - kGateMargin);
  }
  if (gate.window_low > gate.window_high) {
    gate.note =
        fmt::format("{} is too near {}: no limit tells them apart, and the simulator counts",
                    gate.fastest_wrong->file, gate.slowest_right.file);
    return gate;
  }
  gate.min =
      rounded_within(std::max(gate.window_low, kPartOfSlowestRight * gate.slowest_right.ratio.low),
                     gate.window_low, gate.window_high);
  for (const GateWitness& slow : told_otherwise)
    if (slow.ratio.high > (1 - kGateMargin) * *gate.min) gate.told_by_counters.push_back(slow.file);
  if (!gate.told_by_counters.empty())
    gate.note = "counters stop the answers that this limit does not";
  return gate;
}

GpuGates calibrate(const Manifest& lab, const std::vector<SolutionRuns>& solutions,
                   std::vector<std::string>& complaints) {
  GpuGates gates;
  for (const Test& test : lab.tests)
    for (const Gate& gate : test.gates) {
      if (!gate.is_ratio() || !gate.is_minimum) continue;
      std::vector<GateWitness> right, must_miss, told_otherwise;
      for (const SolutionRuns& solution : solutions) {
        const bool skipped = std::ranges::all_of(solution.runs, [&](const LabResult& run) {
          const TestResult* result = find_test(run, test.name);
          return result && result->verdict.kind == "not_attempted";
        });
        if (skipped && !solution.runs.empty()) continue;  // an optional kernel
        const bool must = solution.declared.kind == "gate" && solution.declared.gate == gate.name;
        if (!solution.is_right && !must && !told_by_counter(solution, test)) continue;
        const auto witness = witness_of(solution, test, gate);
        if (!witness) {
          complaints.push_back(fmt::format("{} {}: {} has no measurement to be believed", lab.id,
                                           solution.file, test.name));
          continue;
        }
        (solution.is_right ? right : must ? must_miss : told_otherwise).push_back(*witness);
      }
      if (right.empty()) {
        complaints.push_back(
            fmt::format("{}: no right answer was measured for gate {}", lab.id, gate.name));
        continue;
      }
      gates.gates.push_back(find_window(gate.name, right, must_miss, told_otherwise));
      gates.gates.back().size = size_of(solutions, test);
    }
  return gates;
}

}  // namespace labkit::grade
