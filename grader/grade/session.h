// One grading of one file: what lab_test.h's functions and the program around GoogleTest share.
// Knows nothing of GoogleTest itself, so that it can be tested on its own.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "device/device.h"
#include "grade/comparison.h"
#include "grade/gpu_gates.h"
#include "grade/lab_test.h"
#include "grade/manifest.h"
#include "grade/result.h"
#include "grade/submission.h"

namespace labkit::lab {

struct SessionOptions {
  std::filesystem::path file;             ///< what is graded; empty: kernel.cu of the lab's folder
  std::filesystem::path cache_directory;  ///< compiled kernels and copy times; empty: keep nothing
  std::string device = "auto";            ///< see device::make_devices()
  device::Options device_options;
  std::uint64_t seed = 1;
  /// By test: what ptxas counted when it was graded first. Counted with where it counts none here; Registers::by then
  /// begins with device::kRecorded.
  std::map<std::string, device::Registers> recorded_registers = {};
  /// Keep LaunchDetail and the source, for pages and pictures. Samples of single accesses cost another run of a launch, so
  /// that they are kept of failed tests only.
  bool details = false;
  bool samples_of_passed = false;  ///< with `details`: of graded tests that passed, too
};

class Session {
 public:
  /// Throws labkit::Error for an unknown device or a file that is not there.
  Session(Manifest manifest, const SessionOptions& options);
  /// On devices that are there already.
  Session(Manifest manifest, SessionOptions options, device::Devices devices);

  const Manifest& manifest() const { return manifest_; }
  std::uint64_t seed() const { return options_.seed; }
  /// Read and compiled at the first call; also asked of the device whether it can run every kernel.
  const Submission& submission();

  // ---- between begin_test() and end_test(): the current test. These throw labkit::Error for what
  // check.cpp does wrong.
  /// A name that lab.toml does not list is our error.
  void begin_test(const std::string& name);
  const Test& graded_test() const;
  int graded_size(std::string_view name) const;
  /// Runs the cases on the simulator under all checks (observe/checks.h) and, if it finds nothing
  /// wrong and there is a GPU, there too.
  /// Records what came out; false once the test is not passing any more (failed or skipped).
  bool check(const std::vector<Case>& cases);
  /// `make` builds the launch with the sizes that graded_size() gives at that time: the graded one, a
  /// smaller one of its kind that is checked first, and a GPU's.
  bool grade(const std::function<Case()>& make);
  std::optional<std::vector<int>> shape_from_kernel(std::string_view kernel, std::string_view name,
                                                    std::initializer_list<Limit> limits);
  const Verdict& current_verdict() const { return current_->verdict; }
  /// Gives the test its points. A test that checked nothing is our error.
  const TestResult& end_test();

  /// Everything recorded so far, tests that did not run among them.
  LabResult result();

 private:
  bool ready(const Kernel& kernel);
  bool usable(const Case& one);
  /// What the sizes that came out right before have in common, and this one has not.
  std::string right_where(const Case& one) const;
  void fail(const std::string& kind, std::string message = {});
  static constexpr const char* kRightByLuck =
      "The result came out right here, but nothing makes sure of it.";
  enum class Purpose { check, check_unoptimised, grade, check_on_gpu, grade_on_gpu };
  device::Plan make_plan(const std::vector<Case>& cases, Purpose purpose) const;
  /// In issue slots; see kBudgetFloor. A `budget` of lab.toml is one graded launch's, or each of check()'s.
  /// The unoptimised build has one of its own: what it takes is taken from nothing that decides.
  std::uint64_t budget_of(const Case& one, bool unoptimised) const;
  /// Without regard to what the test's launches have taken so far.
  std::uint64_t launch_budget(const Case& one) const;
  void note_cost(const Case& one, const device::Outcome& outcome, bool unoptimised);
  /// The earlier test in which this case's kernel did not end within its budget, or "".
  std::string endless_in(const Case& one) const;
  bool judge_on_simulator(const std::vector<Case>& cases);
  /// A small launch of the graded kind under all checks; true if nothing is wrong.
  bool check_like_graded(const std::function<Case()>& make, const Case& graded);
  /// What the optimiser may have hidden; true if nothing is wrong.
  bool check_unoptimised(const Case& one);
  /// Findings of the optimised build that lack a line get it from the other, which nothing is judged by.
  void learn_lines(const Case& one);
  /// Makes that build; false if it has no such kernel.
  bool has_unoptimised(const Case& one);
  std::optional<device::Outcome> run_unoptimised(const Case& one);
  bool judge_on_gpu(const std::vector<Case>& cases);
  /// Records what is wrong with one launch; true if nothing is.
  bool judge(const Case& one, const device::Outcome& outcome, bool on_gpu, bool inputs_back = true);
  bool judge_alone(const Case& one, const device::Outcome& outcome, bool on_gpu, bool inputs_back);
  /// Of the launch that is judged: shown with a failure.
  void show_launch(const Case& one);
  /// Puts the findings of a test that failed in order, and makes the verdict that of what caused the others.
  void tell_cause();
  void add_source_slips();
  /// Of the current test's mismatches, found by the simulator: another run, which is watched for that alone.
  void tell_who_stored(const Case& one);
  void tell_result_beside(const Case& one, const device::Outcome& outcome);
  lab::Baseline baseline(const Case& one, bool on_gpu) const;
  /// Sizes for the GPU: those of lab.toml, halved until what they need has room there.
  Sizes gpu_sizes(const Case& small) const;
  /// Builds the case again in the GPU's size, runs and measures it there; false if that is not right.
  bool measure_on_gpu(const std::function<Case()>& make, const Case& small);
  void record_prediction(const Case& one, const device::Outcome& outcome);
  /// Keeps the current test's LaunchDetail, if it is wanted. `outcome`: of the launch on the simulator; it may be null.
  void keep_detail(const Case& one, const device::Outcome* outcome);
  void apply_gates(const Case& one, const device::Outcome& outcome);
  /// What a GPU measured in place of what was predicted, where its limit for this gate is confirmed.
  void hold_measured(const Gate& gate, GateResult& result) const;
  std::uint64_t useful_bytes(const Case& one) const;

  Manifest manifest_;
  SessionOptions options_;
  device::Devices devices_;
  std::string gpu_name_;           ///< "" without a GPU
  std::optional<GpuGates> gates_;  ///< confirmed for this GPU
  KnownFigures known_;
  std::optional<Submission> submission_;
  std::optional<Unoptimised> unoptimised_;         ///< made when it is first needed
  std::vector<TestResult> results_;                ///< parallel to manifest_.tests
  std::map<std::string, std::string> endless_in_;  ///< kernel name -> test
  std::set<std::string> endless_on_gpu_;           ///< kernel names
  /// Of the current test's checks so far.
  std::uint64_t test_cost_ = 0, unoptimised_cost_ = 0;
  std::map<std::string, std::vector<std::vector<std::int64_t>>>
      right_sizes_;  ///< kernel name -> whole-number arguments of each launch that came out right
  /// Expressions in whose -G build no error was found, and those in which one was (perhaps at another size).
  std::set<std::string> clean_unoptimised_, faulty_unoptimised_;
  bool watching_small_ = false;  ///< the launch at hand is check_like_graded()'s
  const Test* test_ = nullptr;   ///< the current one
  TestResult* current_ = nullptr;
  const Sizes* sizes_ = nullptr;  ///< that graded_size() gives now
};

/// The session of this program; throws labkit::Error if there is none.
Session& session();
void set_session(Session* session);

}  // namespace labkit::lab
