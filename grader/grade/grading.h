// The grading of one file: a state that a reader can see, and what fills it, one step after another:
//
//   prepare    read and compile the file                                                            prepare.cpp
//   check      run each case on the simulator under all checks, some in the unoptimised build too   check.cpp
//   simulate   run the graded launch: its results, its counters, a predicted time                   grading.cpp
//   compare    hold what came back against what must, find who stored what is wrong                 compare.cpp
//   cause      of what was found, which caused the rest                                             cause.cpp
//   measure    the times of the kernel and of the copies                                            measure.cpp
//   judge      gates, what makes it slow; points and the verdict                                    judge.cpp, result.cpp
//   repair     once all tests have run: a small change that makes the kernel right                  repair.cpp
//
// Their functions are in steps.h. check() compares each of its launches as soon as it has run.
// check.cpp reaches check() and grade() through lab_test.h; the program around it calls the others. `labkit profile` takes the
// same steps for a launch of its own (profile.h). Nothing here knows GoogleTest.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "device/device.h"
#include "grade/cases.h"
#include "grade/gpu_gates.h"
#include "grade/manifest.h"
#include "grade/prepare.h"
#include "grade/result.h"

namespace labkit::grade {

struct GradingOptions {
  std::filesystem::path file;             ///< what is graded; empty: kernel.cu of the lab's folder
  bool may_be_missing = false;            ///< then that is a verdict, as of the lab's own kernel.cu
  std::filesystem::path cache_directory;  ///< compiled kernels and copy times; empty: keep nothing
  std::filesystem::path copies_directory = {};  ///< of predicted copies; empty: cache_directory
  std::uint64_t seed = 1;
  /// By test: what ptxas counted when it was graded first. Counted with where it counts none here; Registers::by then
  /// begins with device::kRecorded.
  std::map<std::string, device::Registers> recorded_registers = {};
  /// Keep LaunchDetail and the source, for pages and pictures, and look for a change that makes a failed kernel right. Samples of single accesses cost another run of a launch, so
  /// that they are kept of failed tests only.
  bool details = false;
  bool values = false;    ///< LabResult::values, by which submissions are compared
  bool for_page = false;  ///< with `details`: samples of graded tests that passed, too, and films
};

/// The test between begin_test() and end_test().
struct RunningTest {
  const Test* test = nullptr;  ///< of the manifest
  TestResult* result = nullptr;
  const Sizes* sizes = nullptr;                  ///< that graded_size() gives now
  std::uint64_t cost = 0, unoptimised_cost = 0;  ///< of its checks so far, in issue slots
  std::string shape = {};  ///< the array that shape_from_kernel() read; "": none
};

/// What a test launched, kept until all have run: an edit that repairs one of them must hold in the others.
struct KeptTest {
  const Test* test = nullptr;
  TestResult* result = nullptr;
  std::vector<Case> cases = {};                 ///< of a test of correctness
  std::optional<Case> small = {}, graded = {};  ///< of a graded one
  std::string shape = {};                       ///< RunningTest::shape
  bool wants_repair = false;
};

struct Grading {
  Manifest manifest;
  GradingOptions options;
  device::Devices devices;
  std::string gpu;                ///< the GPU's name; "" without one
  std::optional<GpuGates> gates;  ///< confirmed for it
  KnownFigures known;
  Submission submission;
  std::vector<TestResult> results;  ///< parallel to manifest.tests
  std::optional<RunningTest> running;

  // What launches before have shown.
  std::optional<Unoptimised> unoptimised;         ///< made when it is first needed
  std::map<std::string, std::string> endless_in;  ///< kernel name -> test
  std::set<std::string> endless_on_gpu;           ///< kernel names
  /// Kernel name -> whole-number arguments of each launch that came out right.
  std::map<std::string, std::vector<std::vector<std::int64_t>>> right_sizes;
  std::vector<KeptTest> kept;  ///< where details were asked for
  /// Set while a test's function runs again only to say what it launches: check() and grade() put that here.
  KeptTest* asked = nullptr;
  std::function<void(const std::string& test)> run_function;  ///< of check.cpp
  bool runs_again = false;         ///< to tell a test's cause; GoogleTest knows its verdict
  std::set<std::string> repaired;  ///< kernels for which a repair was looked for
  /// Expressions in whose -G build no error was found, and those in which one was (perhaps at another size).
  std::set<std::string> clean_unoptimised, faulty_unoptimised;
};

/// Reads and compiles the file, and asks the simulator whether it can run every kernel: Grading::submission says what came of it.
/// Throws labkit::Error for an options.file that is not there.
Grading start_grading(Manifest manifest, GradingOptions options, device::Devices devices);

/// As if no test had run: `results` are those of then.
void begin_again(Grading& grading, const std::vector<TestResult>& results);

/// A name that lab.toml does not list is our error.
void begin_test(Grading& grading, const std::string& name);
/// Gives the test its points. A test that checked nothing is our error.
const TestResult& end_test(Grading& grading);

// ---- of the running test. These throw labkit::Error for what check.cpp does wrong.

const Test& graded_test(const Grading& grading);
int graded_size(const Grading& grading, std::string_view name);
/// Runs the cases on the simulator under all checks and, if it finds nothing wrong and there is a GPU, there too.
/// Records what came out; false once the test is not passing any more (failed or skipped).
bool check(Grading& grading, const std::vector<Case>& cases);
/// `make` builds the launch with the sizes that graded_size() gives at that time: the graded one, a
/// smaller one of its kind that is checked first, and a GPU's.
bool grade(Grading& grading, const std::function<Case()>& make);
std::optional<std::vector<int>> shape_from_kernel(Grading& grading, std::string_view kernel,
                                                  std::string_view name,
                                                  std::initializer_list<Limit> limits);

/// A test that failed waits for a repair.
bool waits_for_repairs(const Grading& grading);
/// A repair is looked for: what the cache knows is not.
bool must_look_for_repairs(const Grading& grading);
/// Once all tests have run: looks for a small change for each of those.
void find_repairs(Grading& grading);

/// LabResult::values. Empty if it does not compile.
std::map<std::string, std::string> computed_values(Grading& grading);
/// The same of other files for this lab, which are compiled and no more: LabResult::solution_values.
std::map<std::string, std::map<std::string, std::string>> values_of_files(
    const Grading& grading, const std::vector<std::filesystem::path>& files);

/// Everything recorded so far, tests that did not run among them.
LabResult result_of(const Grading& grading);

}  // namespace labkit::grade
