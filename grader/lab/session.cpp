#include "lab/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "lab/compare.h"
#include "measure/policy.h"

namespace labkit::lab {
namespace {

Session* g_session = nullptr;

/// In issue slots, 32 for each instruction of a warp. At the small sizes of check() the slowest right solution takes a
/// quarter of the floor; launches at graded sizes have a `budget` of their own in lab.toml. Small enough that an endless loop
/// is told within a second.
constexpr std::uint64_t kBudgetFloor = 40'000'000;
constexpr std::uint64_t kBudgetPerWord = 60;
constexpr std::uint64_t kBudgetCeiling = 3'000'000'000;
/// A kernel that did not end in one test gets this part of the budget in the tests after it: what is right there still
/// passes, and what is endless there too costs little.
constexpr std::uint64_t kBudgetPartAfterEndless = 4;
constexpr std::size_t kMaxPrinted = 2048;

[[noreturn]] void author_error(const Test* test, const std::string& what) {
  throw Error(fmt::format("{}{}", test ? test->name + ": " : "", what),
              "correct check.cpp or lab.toml of this lab");
}

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

/// check.cpp against lab.toml: a mistake of the lab's author, never the student's.
void require_fitting(const Case& one, const Kernel* kernel, const Test& test) {
  if (!kernel) author_error(&test, fmt::format("lab.toml has no expression `{}`", one.kernel));
  if (one.arguments.size() != kernel->parameters.size())
    author_error(&test, fmt::format("`{}` takes {} parameters, the case gives {}", one.kernel,
                                    kernel->parameters.size(), one.arguments.size()));
  for (std::size_t i = 0; i < one.arguments.size(); ++i) {
    const std::size_t size = one.arguments[i].array() ? 8 : one.arguments[i].scalar().size();
    if (size != kernel->parameters[i].size_bytes)
      author_error(&test,
                   fmt::format("argument {} of `{}` has {} bytes, `{}` has {}", i + 1, one.kernel,
                               size, kernel->parameters[i].text, kernel->parameters[i].size_bytes));
  }
}

}  // namespace

Session& session() {
  if (!g_session)
    throw Error("a lab's check was used outside its program", "run it with ctest or labkit grade");
  return *g_session;
}
void set_session(Session* session) { g_session = session; }

Session::Session(Manifest manifest, SessionOptions options)
    : Session(std::move(manifest), options,
              std::move(device::make_devices(options.device, options.device_options).simulator)) {}

Session::Session(Manifest manifest, SessionOptions options, std::unique_ptr<device::Device> device)
    : manifest_(std::move(manifest)), options_(std::move(options)), device_(std::move(device)) {
  if (options_.file.empty()) options_.file = manifest_.directory / "kernel.cu";
  if (!std::filesystem::exists(options_.file))
    throw Error(options_.file.string() + " is not there", "name the file to grade with --file");
  for (const Test& test : manifest_.tests) {
    TestResult result;
    result.name = test.name;
    result.about = test.about;
    result.kernel = test.kernel;
    result.max_points = test.points;
    result.bonus = test.bonus;
    results_.push_back(std::move(result));
  }
}

const Submission& Session::submission() {
  if (submission_) return *submission_;
  submission_ = prepare(manifest_, options_.file, options_.cache_directory);
  if (!submission_->verdict.passed()) return *submission_;
  const device::Module module{.name = options_.file.filename().string(), .ptx = submission_->ptx};
  for (const auto& [expression, entry] : submission_->entries) {
    const std::vector<launch::Finding> refused = device_->refusals(module, entry);
    if (refused.empty()) continue;
    submission_->verdict.kind = name_of(refused.front().kind);
    submission_->message = refused.front().text;
    submission_->where = refused.front().where;
    break;
  }
  return *submission_;
}

void Session::begin_test(const std::string& name) {
  test_ = manifest_.find_test(name);
  if (!test_) author_error(nullptr, fmt::format("lab.toml has no [[test]] called {}", name));
  current_ = &results_[static_cast<std::size_t>(test_ - manifest_.tests.data())];
}

const Test& Session::graded_test() const {
  if (!test_ || !test_->is_graded)
    author_error(test_, "lab.toml gives this test no `block`, so it is not graded");
  return *test_;
}

int Session::graded_size(std::string_view name) const {
  const auto at = graded_test().size.find(std::string(name));
  if (at == test_->size.end()) author_error(test_, fmt::format("`size` has no `{}`", name));
  return at->second;
}

void Session::fail(const std::string& kind, std::string message) {
  current_->verdict = {.kind = kind, .gate = {}};
  current_->message = std::move(message);
}

/// Is there something to launch? If not, says so in the current test.
bool Session::ready(const Kernel& kernel) {
  const Submission& submitted = submission();
  if (!submitted.attempted(kernel)) {
    fail(kernel.optional ? "not_attempted" : "untouched",
         fmt::format("{} is still empty.", kernel.name));
    return false;
  }
  if (submitted.verdict.passed()) return true;
  fail(submitted.verdict.kind, submitted.message);
  return false;
}

std::uint64_t Session::useful_bytes(const Case& one) const {
  if (one.useful_bytes > 0) return one.useful_bytes;
  std::uint64_t bytes = 0;
  for (const Argument& argument : one.arguments)
    if (argument.array()) bytes += argument.array()->bytes.size();
  return bytes;
}

std::uint64_t Session::budget_of(const Case& one) const {
  const std::uint64_t words = useful_bytes(one) / 4;
  const std::uint64_t budget =
      test_->budget ? test_->budget
                    : std::min(kBudgetCeiling, kBudgetFloor + kBudgetPerWord * words);
  return endless_in(one).empty() ? budget
                                 : std::max<std::uint64_t>(1, budget / kBudgetPartAfterEndless);
}

std::string Session::endless_in(const Case& one) const {
  const auto at = endless_in_.find(manifest_.kernel_of(one.kernel)->name);
  return at == endless_in_.end() || at->second == test_->name ? std::string{} : at->second;
}

device::Plan Session::make_plan(const std::vector<Case>& cases, bool graded) const {
  device::Plan plan;
  plan.modules = {{.name = options_.file.filename().string(), .ptx = submission_->ptx}};
  if (graded) plan.repetition = measure::default_policy(device_->describe()).repetition;
  for (const Case& one : cases) {
    launch::Launch launch{.kernel = one.kernel,
                          .entry = submission_->entries.at(one.kernel),
                          .grid = one.grid,
                          .block = one.block,
                          .dynamic_shared_bytes = one.dynamic_shared_bytes,
                          .arguments = {}};
    for (const Argument& argument : one.arguments) {
      if (!argument.array()) {
        launch.arguments.emplace_back(argument.scalar());
        continue;
      }
      const ArrayData& array = *argument.array();
      launch.arguments.emplace_back(
          launch::BufferRef{static_cast<std::uint32_t>(plan.buffers.size()), 0});
      launch::Buffer buffer;
      buffer.name = array.name;
      buffer.element = array.element;
      buffer.count = array.rows * array.cols;
      buffer.fill = array.is_output ? launch::Fill::poison : launch::Fill::given;
      if (!array.is_output) buffer.data = array.bytes;
      buffer.is_output = true;  // inputs too: they must come back unchanged
      plan.buffers.push_back(std::move(buffer));
    }
    plan.launches.push_back({.launch = std::move(launch),
                             .want_counters = graded,
                             .want_time = graded,
                             .thread_instruction_budget = budget_of(one)});
  }
  return plan;
}

/// Records what is wrong with one launch; true if nothing is.
bool Session::judge(const Case& one, const device::Outcome& outcome) {
  current_->launches += 1;
  if (current_->printed.size() < kMaxPrinted) {
    current_->printed += outcome.printed.substr(0, kMaxPrinted - current_->printed.size());
    if (outcome.printed.size() > 0 && current_->printed.size() == kMaxPrinted)
      current_->printed += "...";
  }
  const Kernel& kernel = *manifest_.kernel_of(one.kernel);
  current_->launch = {text_of(one, kernel)};
  for (const launch::Finding& finding : outcome.findings) current_->findings.push_back(finding);
  for (const launch::Finding& finding : outcome.findings)
    if (finding.severity == launch::Severity::error) {
      fail(std::string(name_of(finding.kind)));
      if (finding.kind != launch::FindingKind::budget) return false;
      if (const std::string before = endless_in(one); !before.empty())
        current_->message =
            fmt::format("{} did not end in {}, so it was given a quarter of the usual budget here.",
                        kernel.name, before);
      endless_in_.emplace(kernel.name, test_->name);
      return false;
    }
  if (!outcome.completed)
    throw Error("a launch ended early without a reason", "report this: it is a fault of the kit");

  bool inputs_changed = false, outputs_wrong = false;
  std::size_t next = 0;
  for (const Argument& argument : one.arguments) {
    if (!argument.array()) continue;
    const ArrayData& array = *argument.array();
    if (next >= outcome.outputs.size() || outcome.outputs[next].bytes.size() != array.bytes.size())
      throw Error("the device did not give back array " + array.name,
                  "report this: it is a fault of the kit");
    const std::vector<std::byte>& got = outcome.outputs[next++].bytes;
    const auto mismatch = array.is_output ? compare_output(array, got) : compare_input(array, got);
    if (!mismatch) continue;
    (array.is_output ? outputs_wrong : inputs_changed) = true;
    current_->mismatches.push_back(*mismatch);
  }
  if (outputs_wrong)
    fail("wrong_result");
  else if (inputs_changed)
    fail("input_changed");
  return !outputs_wrong && !inputs_changed;
}

/// The first case that is not right ends it. Where a plan costs nothing but its launches, each case is one, so that nothing
/// is run after that; else they go in one plan.
bool Session::judge_all(const std::vector<Case>& cases) {
  if (device_->describe().deterministic) {
    for (const Case& one : cases)
      if (!judge(one, device_->run(make_plan({one}, false)).at(0))) return false;
    return true;
  }
  const std::vector<device::Outcome> outcomes = device_->run(make_plan(cases, false));
  for (std::size_t i = 0; i < cases.size(); ++i)
    if (!judge(cases[i], outcomes.at(i))) return false;
  return true;
}

bool Session::check(const std::vector<Case>& cases) {
  if (!test_) author_error(nullptr, "check() outside a test");
  if (current_->verdict.kind != "not_run" && !current_->verdict.passed()) return false;
  if (cases.empty()) author_error(test_, "check() of nothing");
  for (const Case& one : cases) {
    const Kernel* kernel = manifest_.kernel_of(one.kernel);
    require_fitting(one, kernel, *test_);
    if (!ready(*kernel)) return false;
  }
  if (!judge_all(cases)) return false;
  current_->verdict.kind = "pass";
  current_->launch.clear();
  return true;
}

bool Session::grade(const Case& one) {
  graded_test();
  if (current_->verdict.kind != "not_run" && !current_->verdict.passed()) return false;
  const Kernel* kernel = manifest_.kernel_of(one.kernel);
  require_fitting(one, kernel, *test_);
  if (!ready(*kernel)) return false;
  const std::vector<device::Outcome> outcomes = device_->run(make_plan({one}, true));
  if (!judge(one, outcomes.at(0))) return false;
  current_->verdict.kind = "pass";
  apply_gates(one, outcomes[0]);
  return current_->verdict.passed();
}

void Session::apply_gates(const Case& one, const device::Outcome& outcome) {
  if (!outcome.counters)
    throw Error("the device gave no counters", "report this: it is a fault of the kit");
  Figures& figures = current_->figures;
  figures = counter_figures(*outcome.counters, useful_bytes(one));
  const double useful = static_cast<double>(useful_bytes(one));
  const double time_us = measure::summarise(outcome.times_us).median_us;
  const std::uint64_t copy_bytes =
      test_->copy_bytes ? test_->copy_bytes : static_cast<std::uint64_t>(useful);
  // A test held against the best copy alone chose its own shape, or saturates the memory: no copy of that shape is its
  // measure, and simulating one would be for nothing.
  const auto speaks_of = [&](std::string_view figure) {
    return std::any_of(test_->gates.begin(), test_->gates.end(),
                       [&](const Gate& gate) { return gate.figure == figure; });
  };
  std::optional<measure::CopyTime> copy;
  if (speaks_of("ratio") || !speaks_of("best_ratio"))
    copy = measure::time_copy(*device_,
                              {.block = test_->block,
                               .elements_a_thread = test_->elements_a_thread,
                               .element = test_->element,
                               .best = false},
                              copy_bytes, options_.cache_directory);
  const measure::CopyTime best = measure::time_copy(*device_, {.block = {}, .best = true},
                                                    copy_bytes, options_.cache_directory);
  const double rate = useful / time_us * 1e6;
  figures["time_us"] = time_us;
  figures["best_copy_us"] = best.time_us;
  figures["bandwidth_gbps"] = rate / 1e9;
  if (copy) {
    figures["copy_us"] = copy->time_us;
    figures["ratio"] = rate / copy->bytes_per_second();
  }
  figures["best_ratio"] = rate / best.bytes_per_second();
  current_->time_is_predicted = outcome.time_is_predicted;
  if (outcome.prediction) current_->time_bound = outcome.prediction->bound;

  for (const Gate& gate : test_->gates) {
    const auto value = figures.find(gate.figure);
    if (value == figures.end())
      throw Error(fmt::format("gate {}: the device gave no {}", gate.name, gate.figure),
                  "report this: it is a fault of the kit");
    GateResult result{.name = gate.name,
                      .figure = gate.figure,
                      .reason = gate.reason,
                      .next = gate.next,
                      .is_minimum = gate.is_minimum,
                      .threshold = gate.threshold,
                      .value = value->second,
                      .passed = false,
                      .culprit = {},
                      .missing = missing_basis(gate.figure, *outcome.counters)};
    // Written so that a NaN fails.
    result.passed =
        gate.is_minimum ? result.value >= gate.threshold : result.value <= gate.threshold;
    result.passed &= result.missing.empty();
    if (!result.passed)
      result.culprit = worst_line(gate.figure, *outcome.counters, useful_bytes(one));
    if (!result.passed && current_->verdict.passed())
      current_->verdict = {.kind = "gate", .gate = gate.name};
    current_->gates.push_back(std::move(result));
  }
}

std::optional<std::vector<int>> Session::shape_from_kernel(std::string_view kernel_name,
                                                           std::string_view name,
                                                           std::initializer_list<Limit> limits) {
  if (!test_) author_error(nullptr, "shape_from_kernel() outside a test");
  const Kernel* kernel = manifest_.find_kernel(kernel_name);
  if (!kernel) author_error(test_, fmt::format("lab.toml has no kernel `{}`", kernel_name));
  if (!ready(*kernel)) return std::nullopt;
  std::string wanted;
  for (const Limit& limit : limits)
    wanted += (wanted.empty() ? "" : ", ") + std::string(limit.name);
  const std::string declare =
      fmt::format("Declare it at the top of the file: __constant__ int {}[{}] = {{{}}};", name,
                  limits.size(), wanted);
  const ptx::Variable* variable = submission_->module->find_variable(name);
  if (!variable) {
    fail("launch_shape", fmt::format("There is no `{}`. {}", name, declare));
    return std::nullopt;
  }
  if (variable->is_extern || !variable->relocations.empty() ||
      variable->size_bytes != 4 * limits.size() ||
      (variable->space != ptx::Space::constant && variable->space != ptx::Space::global)) {
    fail("launch_shape", fmt::format("`{}` is not {} ints. {}", name, limits.size(), declare));
    return std::nullopt;
  }
  // PTX leaves out trailing zeros, and the whole initialiser where all are zero.
  std::vector<std::uint8_t> bytes = variable->initial;
  bytes.resize(4 * limits.size());
  std::vector<int> values(limits.size());
  std::memcpy(values.data(), bytes.data(), bytes.size());
  std::size_t i = 0;
  for (const Limit& limit : limits) {
    const int value = values[i++];
    if (value >= limit.low && value <= limit.high) continue;
    fail("launch_shape", fmt::format("`{}` says {} for {}; it must be {} to {}.", name, value,
                                     limit.name, limit.low, limit.high));
    return std::nullopt;
  }
  return values;
}

const TestResult& Session::end_test() {
  if (!test_) author_error(nullptr, "no test to end");
  TestResult& done = *current_;
  const Test* test = test_;
  test_ = nullptr;
  current_ = nullptr;
  if (done.verdict.kind == "not_run") author_error(test, "the test checks nothing");
  if (done.verdict.passed()) {
    done.points = done.max_points;
    if (!test->gates.empty() && done.gates.empty())
      author_error(test, "lab.toml gives it gates, but it never calls grade()");
  }
  return done;
}

LabResult Session::result() {
  LabResult result;
  result.lab = manifest_.id;
  result.folder = manifest_.folder;
  result.title = manifest_.title;
  result.file = options_.file.string();
  const device::Description description = device_->describe();
  result.device = description.title.empty() ? description.name : description.title;
  result.gpu = description.gpu;
  result.seed = options_.seed;
  result.tests = results_;
  sum_up(result);
  if (submission_) {
    result.compiler = submission_->compiler;
    result.notes = submission_->notes;
    if (!submission_->verdict.passed()) {
      result.verdict = submission_->verdict;
      result.message = submission_->message;
      result.where = submission_->where;
      result.compile_log = submission_->compile_log;
    }
  }
  return result;
}

}  // namespace labkit::lab
