// The steps that grading.cpp and profile.cpp lead through: one launch of the running test, planned, checked, compared, measured,
// judged. Private to grade/.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grade/grading.h"

namespace labkit::grade {

/// One launch of the running test: a case of check.cpp, ready for any build.
struct Attempt {
  const Case& one;
  const Kernel& kernel;  ///< of the manifest
  LaunchSetup setup;
  std::uint64_t useful_bytes = 0;
  std::uint64_t budget = 0;  ///< of this launch alone, in issue slots
  bool is_small = false;     ///< of the graded kind, and checked before the graded one is run
};
Attempt attempt_of(const Grading& grading, const Case& one, bool is_small = false);
/// The case fits lab.toml, else it is our error; false if its kernel cannot be launched, which the test's result then says.
bool is_ready(Grading& grading, const Case& one);

/// Of a kernel's instance that declares most.
std::uint64_t static_shared_bytes(const Submission& submitted, const Kernel& kernel);

void fail(TestResult& result, std::string_view kind, std::vector<words::Message> message = {});

// ---- plans (attempt.cpp)
/// Under all checks, within what is left of the test's budget.
device::Plan checked_plan(const Grading& grading, const Build& build, const Attempt& attempt,
                          std::uint64_t cost_so_far);
/// For results, counters and a predicted time.
device::Plan graded_plan(const Grading& grading, const Build& build, const Attempt& attempt);
/// All in one plan: each plan costs a process and a context on the GPU.
device::Plan gpu_plan(const Grading& grading, const std::vector<Attempt>& attempts);
/// A check's outcomes add up in `sum`: what many launches take together has a limit as well.
void note_cost(Grading& grading, const Attempt& attempt, const device::Outcome& outcome,
               std::uint64_t& sum);

// ---- check (check.cpp)
/// Each under all checks, and some in the unoptimised build. The first that is not right ends it.
bool check_on_simulator(Grading& grading, const std::vector<Attempt>& attempts);
/// Of each kernel the smallest launch that has any element, and then the largest that is small enough, else the smallest
/// of all: with hardly an element for hardly a thread other ways through the kernel are taken.
std::vector<const Attempt*> to_run_unoptimised(const std::vector<const Attempt*>& attempts);
/// The smallest case of the graded kind.
Case small_case(Grading& grading, const std::function<Case()>& make, const Case& graded);
/// Its launch under all checks; true if nothing is wrong.
bool check_small(Grading& grading, const Case& small);
/// The build, if the kernel compiled in it; else null.
Unoptimised* unoptimised_of(Grading& grading, const std::string& expression);
/// Runs a plan of that build. Findings that do not speak of the source are taken out; what ended the launch is the build's trouble.
device::Outcome check_unoptimised(device::Device& simulator, Unoptimised& unoptimised,
                                  const device::Plan& plan);

// ---- cause (cause.cpp)
/// Puts the findings of a test that failed in order, and makes the verdict that of what caused the others.
void find_cause(Grading& grading);

// ---- compare (compare.cpp, elements.cpp)
/// The first element of an output, in row-major order, that is wrong, with the counts; nullopt if all are right. `got` must
/// have the array's size.
std::optional<Mismatch> compare_output(const ArrayData& array, std::span<const std::byte> got);
/// Each element that is wanted is one of the input, as it is.
bool is_made_of(const ArrayData& output, const ArrayData& input);
/// Which are wrong, in row-major order.
std::vector<bool> wrong_elements(const ArrayData& array, std::span<const std::byte> got);
/// The same of an input, byte for byte, against what went in.
std::optional<Mismatch> compare_input(const ArrayData& array, std::span<const std::byte> got);
/// An element of an input as decimal text.
std::string element_text(const ArrayData& array, std::uint64_t index);
enum class Place : std::uint8_t { simulator, gpu, gpu_without_inputs };
/// Records what is wrong with one launch; true if nothing is.
bool compare(Grading& grading, const Attempt& attempt, const device::Outcome& outcome, Place place);
/// What came back against what must. `inputs_back`: the inputs are among `outputs`.
std::vector<Mismatch> compare_all(const Case& one, const std::vector<device::Output>& outputs,
                                  bool inputs_back);
/// Completed, without an error, with each array as it must be.
bool came_out_right(const Attempt& attempt, const device::Outcome& outcome);
/// Of the launch that is compared: shown with a failure.
void show_launch(TestResult& result, const Attempt& attempt);

// ---- measure (measure.cpp)
/// Into `result`, that of the running test or one that is tried in its place, as judge_gates().
void record_prediction(const Grading& grading, const Attempt& attempt,
                       const device::Outcome& outcome, TestResult& result);
/// Builds the case again in the GPU's size, runs and measures it there; false if that is not right.
bool measure_on_gpu(Grading& grading, const std::function<Case()>& make, const Case& small);
// ---- judge (judge.cpp)
void judge_gates(const Grading& grading, const Attempt& attempt, const device::Outcome& outcome,
                 TestResult& result);

// ---- for pages (detail.cpp)
/// Of the plan's launch: of the race that is the first error, or up to what stopped it, if there is either.
std::optional<observe::Film> film_of(device::Device& simulator, device::Plan plan,
                                     const std::vector<launch::Finding>& findings);
/// Keeps the test's LaunchDetail, if it is wanted. `outcome`: of the launch on the simulator; it may be null.
void keep_detail(Grading& grading, const Attempt& attempt, const device::Outcome* outcome);

}  // namespace labkit::grade
