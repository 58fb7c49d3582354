// What grading a lab gives: plain data. Words are explain/'s business, formats report/'s.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device/device.h"
#include "device/source_findings.h"
#include "grade/figures.h"
#include "grade/known_figures.h"
#include "grade/manifest.h"
#include "grade/policy.h"
#include "grade/predictions.h"
#include "launch/cause.h"
#include "launch/launch.h"
#include "observe/samples.h"

namespace labkit::grade {

/// Verdicts, as they stand in JSON and in a wrong solution's first comment. `gate` carries the gate's name.
///   pass            everything asked for holds; of a lab: every test that is not for bonus points
///   untouched       the kernel's body is still empty
///   not_attempted   an optional kernel is still empty: no points, no failure
///   compile_error, compile_limit, missing_kernel, signature
///                   the source never became the kernel that was asked for
///   unsupported, launch, out_of_bounds, misaligned, race, uninitialized, barrier, budget, assert, trap
///                   findings of a launch
///   launch_shape    the launch shape that kernel.cu declares is missing or not usable
///   static_shared   a kernel whose shared memory must be dynamic declares a static array
///   wrong_result, input_changed
///   gate NAME       right, but over a limit
///   inconclusive    right, but a GPU's measurement was too noisy or too disturbed to tell on which
///                   side of a limit it lies: neither a pass nor a failure, and not decided
///   not_run         the test did not run
struct Verdict {
  std::string kind = "not_run";
  std::string gate = {};  ///< for kind "gate"
  bool passed() const { return kind == "pass"; }
  bool inconclusive() const { return kind == "inconclusive"; }
  /// Neither a failure nor a pass.
  bool neutral() const { return kind == "not_attempted" || kind == "not_run"; }
  std::string text() const { return kind == "gate" ? "gate " + gate : kind; }
  friend bool operator==(const Verdict&, const Verdict&) = default;
};
/// "out_of_bounds", "gate sectors" or "gate:sectors". An unknown kind gives an empty kind.
Verdict verdict_from_text(std::string_view text);
/// Every kind above, for messages.
const std::vector<std::string>& verdict_kinds();

/// The first element that differs, and how many do.
struct Mismatch {
  std::string array;  ///< "out"
  bool is_vector = false;
  std::uint64_t rows = 0, cols = 0, row = 0, col = 0;
  std::string expected, got;   ///< as decimal text that tells them apart
  std::string bound;           ///< how far off it might have been; empty: not at all
  bool never_written = false;  ///< still poison
  std::uint64_t wrong = 0, total = 0, never_written_count = 0;
  bool constant = false;   ///< every element came back as `got`, though they should differ
  std::string belongs_to;  ///< the one element that `got` would be right for ("out[1][0]"); else ""
  /// Of a vector: the inputs that are vectors of the same length, and what they hold at `col`.
  std::vector<std::pair<std::string, std::string>> inputs;
  /// Who stored stored_element(). The simulator's answer: none where a GPU found what is wrong.
  std::optional<observe::StoredBy> stored;
  words::Message
      unreached;  ///< why that store does not reach the element that nobody wrote; none: not known
  words::Message places;  ///< where the wrong ones lie (places_*); none: no pattern
  words::Message
      unread;  ///< what of the inputs, or of the sums in shared memory, nobody read (unread_*)
  struct Element {
    std::uint64_t row = 0, col = 0;
  };
  /// The wrong one; of one that nobody wrote the one before it, which is right: to the left, else above. None before the
  /// first.
  std::optional<Element> stored_element() const;
};

/// So many digits of the first wrong element are right, from 5 on; 0: fewer.
int right_digits(const Mismatch& mismatch);
/// A double that has the value of a float, where the right one has not.
bool is_rounded_to_float(const Mismatch& mismatch);

/// A line of the source before and after a change, without what it is indented by.
struct ChangedLine {
  std::uint32_t line = 0;
  std::string before, after;
};
/// A change that was tried (grade/repair.cpp): with it, all launches of the test come out right, or a limit that was missed holds.
struct Repair {
  std::vector<ChangedLine> lines;
  std::uint64_t launches = 0;            ///< 0: it is about a limit
  std::vector<words::Message> why = {};  ///< what it changes; none if other tests stay wrong
};

/// Which launch a failure is about.
struct LaunchText {
  std::string kernel, grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<std::pair<std::string, std::string>> scalars = {};  ///< parameter name, value
};

struct GateResult {
  std::string name, figure, reason, next;
  bool is_minimum = true;
  double threshold = 0, value = 0;
  double points = 0, max_points = 0;
  bool passed = false;
  bool missed() const { return !passed && !undecided; }
  Culprit culprit;           ///< for counters that a line is to blame for
  words::Message missing;    ///< why the value says nothing (figure_without_*); else none
  bool measured = false;     ///< the value is a GPU's; else counted or predicted by the simulator
  grade::Interval interval;  ///< of a measured value
  words::Message undecided;  ///< why a measured value neither holds nor fails; else none
  words::Message note;       ///< why a GPU's ratio was not used here; else none
  /// How far on the right side, as a fraction of the threshold (negative: on the wrong side). A
  /// maximum of 0 that holds counts as 1, one that does not as -1: such counters are exact.
  double margin() const;
};

/// What a GPU measured of a graded launch, beside the simulator's counters and prediction.
struct Measurement {
  std::string gpu;  ///< "NVIDIA H200"
  Sizes size;       ///< graded there
  /// time_us, bandwidth_gbps, copy_us, best_copy_us, driver_copy_us (those there are), share_of_peak
  /// (compulsory bytes over time, against DRAM's peak)
  Figures figures;
  std::optional<grade::Interval> ratio, best_ratio;
  std::uint64_t samples = 0;
  device::Conditions conditions;
  words::Message undecided;    ///< why it decides nothing; else none
  words::Message information;  ///< why it is information only; else none
};

/// What a page about a launch shows beside the figures; only where it was asked for.
struct LaunchDetail {
  observe::LaunchCounters counters;
  std::optional<observe::AccessSamples> samples;
  std::optional<observe::Film> film;  ///< for a page alone
  std::optional<timing::Prediction> prediction;
  std::optional<device::Registers> registers;  ///< beside `prediction`
  double useful_bytes = 0;                     ///< 0: not known
  double compulsory_bytes = 0;                 ///< of all arrays, each once; 0: not known

  bool is_stopped() const { return film && film->stop; }
};
/// Of a launch that did not end there are no figures.
inline LaunchDetail detail_of_stopped(observe::Film film) {
  LaunchDetail detail;
  detail.counters = std::move(film.stop->counters);
  detail.samples = std::move(film.stop->samples);
  detail.film = std::move(film);
  return detail;
}

struct TestResult {
  std::string name, about, kernel;
  std::string next;  ///< of lab.toml: what to do where it failed, in place of all other advice; ""
  Verdict verdict;
  double points = 0, max_points = 0;
  bool bonus = false;
  std::vector<words::Message> message;  ///< what no other field says (signature, launch shape)
  std::vector<Mismatch> mismatches;     ///< at most one an array
  std::string input_written;  ///< beside a wrong output: the input that the kernel changed
  words::Message
      example;  ///< a value of a line that tells what is wrong (answer_example, rounding_example)
  std::vector<launch::Finding> findings;
  std::vector<device::IdleStatement> idle;  ///< of its kernel, where it failed
  std::optional<Repair> repair;             ///< where details were asked for and one was found
  std::vector<LaunchText> launch;           ///< of the failure, or the graded one: none or one
  std::vector<GateResult> gates;
  Figures figures;  ///< of the graded launch; empty if none was reached
  bool time_is_predicted = false;
  std::string time_bound;      ///< what bounds the predicted time ("DRAM")
  double time_bound_part = 0;  ///< of the predicted time, 0 to 1; 0: not known
  /// Of a graded launch that missed a gate: what costs most of its predicted time, and why (grade/slowness.h).
  std::optional<launch::Diagnosis> slow;
  /// timing::Prediction::unlike: no gate on a predicted time passes, since there is none to go by.
  std::optional<timing::Unlike> time_unlike;
  std::optional<device::Registers> registers;  ///< that the predicted time counts with
  std::optional<Measurement> measured;
  std::string on_gpu;   ///< the GPU that found what the simulator had not; else ""
  std::string printed;  ///< what the kernels printed, cut; quoted, never believed
  std::uint64_t launches = 0;
  /// The largest part of a budget that one of the launches took, 0 to 1, or all of the test's together: simulator only.
  double budget_share = 0;
  /// Of a wrong result, or what stopped a launch: what the launches of this kernel that came out right before it have in
  /// common, and it has not: "square", "multiples of 32"; "" where there is no such thing.
  std::string right_where;
  /// Of `launch`, on the simulator, if details were asked for and it completed.
  std::shared_ptr<const LaunchDetail> detail;
  std::vector<KnownAnswer> known;  ///< for comparison, of a graded test that did not pass its gates
  bool decided() const { return !verdict.inconclusive(); }
};

/// See LabResult::values.
inline constexpr const char* kOptimised = " optimised";

struct LabResult {
  std::string lab, folder, title;
  std::string file;    ///< what was graded
  std::string source;  ///< its text, if details were asked for; else ""
  std::string device, gpu, compiler;
  std::string jail;        ///< what held while it compiled, see process/jail.h; "" if nothing was
  std::string ptx_sha256;  ///< of what the simulator ran; "" if it did not compile
  /// What each kernel computes (ptx/values.h): "hash:line" each; where GradingOptions::values asks. By kernel: of its
  /// unoptimised build, and with kOptimised behind the kernel's name of the one that is graded.
  std::map<std::string, std::string> values;
  /// Of a class's reference: the same of each of the kit's right solutions, by file name.
  std::map<std::string, std::map<std::string, std::string>> solution_values;
  std::string measured_on;  ///< the GPU beside the simulator, "NVIDIA H200"; "" if there was none
  std::string gpu_driver;   ///< its driver
  std::string device_note;  ///< why a GPU that seems to be there was not used; else ""
  std::uint64_t seed = 0;
  Verdict verdict;                      ///< of the whole: see overall()
  std::vector<words::Message> message;  ///< for verdicts reached before any test
  launch::SourceLine where;             ///< for those: where to begin
  std::string compile_log;  ///< where it did not compile, or details were asked for; else ""
  /// A parameter of the kernel as given that the source uses, but its head lost; or "".
  std::string lost_parameter;
  std::vector<words::Message> notes;  ///< what the compiler accepted silently, what was not checked
  std::vector<TestResult> tests;      ///< in the order of lab.toml
  std::vector<PredictionResult> predictions;
  double points = 0, max_points = 0;  ///< without bonus
  double bonus = 0, max_bonus = 0;
  double undecided = 0, undecided_bonus = 0;  ///< points that are neither won nor lost
};

/// The test that is told first, by everybody who tells of one: `labkit grade`, `hint`, `explain`, the pages. What is wrong comes
/// before what is slow, that before what is still empty, that before what is for bonus points, and all that before what is
/// undecided; of those alike the first in lab.toml, where tests go from simple to hard. Null if no test failed or is undecided.
const TestResult* first_to_tell(const std::vector<TestResult>& tests);

/// Each gate's points are earned where it and all gates before it hold: a kernel that misses only the last limit, that of
/// speed, keeps the points of the counters, and one that skips the lesson earns nothing for being fast. Sets the points of
/// `test` and of its gates, and the verdict: of the first gate that does not hold.
void award_gates(TestResult& test);

/// What the lab's required tests come to: pass if all passed, else the verdict of the first to report among them. A bonus test
/// never changes it; where nothing else ran (`--gtest_filter`) it is not_run unless the bonus passed.
Verdict overall(const std::vector<TestResult>& tests);
/// Sums the tests into points, bonus and verdict.
void sum_up(LabResult& result);

}  // namespace labkit::grade
