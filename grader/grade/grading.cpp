#include "grade/grading.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <ranges>

#include "base/error.h"
#include "base/sha256.h"
#include "base/text.h"
#include "grade/change_example.h"
#include "grade/steps.h"
#include "simt/machine.h"

namespace labkit::grade {
namespace {

using words::Id;
using words::Message;

[[noreturn]] void author_error(const Test* test, const std::string& what) {
  throw Error(fmt::format("{}{}", test ? test->name + ": " : "", what),
              "correct check.cpp or lab.toml of this lab");
}

/// check.cpp against lab.toml: a mistake of the lab's author, never the student's.
void require_arguments(const Case& one, const Kernel* kernel, const Test& test) {
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

/// Is there something to launch? If not, says so in the test's result.
bool is_attempted(const Submission& submitted, const Kernel& kernel, TestResult& result) {
  if (!submitted.attempted(kernel))
    fail(result, kernel.optional ? "not_attempted" : "untouched",
         {{Id::submission_empty, {{"kernel", kernel.name}}}});
  else if (!submitted.verdict.passed())
    fail(result, submitted.verdict.kind, submitted.message);
  else if (const std::uint64_t bytes =
               kernel.dynamic_shared ? static_shared_bytes(submitted, kernel) : 0)
    fail(result, "static_shared",
         {{Id::static_shared_memory, {{"kernel", kernel.name}, {"bytes", words::count(bytes)}}}});
  else
    return true;
  return false;
}

bool has_failed(const TestResult& result) {
  return result.verdict.kind != "not_run" && !result.verdict.passed();
}

/// The cases' handles share their storage.
KeptTest& keep(Grading& grading) {
  return grading.kept.emplace_back(KeptTest{.test = grading.running->test,
                                            .result = grading.running->result,
                                            .shape = grading.running->shape});
}

/// Of this kernel some launch came out wrong.
bool has_wrong_test(const Grading& grading, const std::string& expression) {
  return std::ranges::any_of(grading.kept, [&](const KeptTest& kept) {
    return kept.wants_repair && !kept.cases.empty() &&
           compile::base_name(kept.cases.front().kernel) == compile::base_name(expression);
  });
}

/// What a graded launch comes to, after a small one of its kind was right.
bool judge_graded(Grading& grading, const std::function<Case()>& make, const Attempt& attempt,
                  const device::Outcome& outcome) {
  if (!compare(grading, attempt, outcome, Place::simulator)) {
    find_cause(grading);
    return false;
  }
  record_prediction(grading, attempt, outcome, *grading.running->result);
  if (grading.devices.gpu && !measure_on_gpu(grading, make, attempt.one)) return false;
  grading.running->result->verdict.kind = "pass";
  judge_gates(grading, attempt, outcome, *grading.running->result);
  return grading.running->result->verdict.passed();
}

/// The bytes of a variable that is `count` ints with values that the module knows; none: it is something else.
std::optional<std::vector<int>> ints_of(const ptx::Variable& variable, std::size_t count) {
  if (variable.is_extern || !variable.relocations.empty() || variable.size_bytes != 4 * count ||
      (variable.space != ptx::Space::constant && variable.space != ptx::Space::global))
    return std::nullopt;
  // PTX leaves out trailing zeros, and the whole initialiser where all are zero.
  std::vector<std::uint8_t> bytes = variable.initial;
  bytes.resize(4 * count);
  std::vector<int> values(count);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

}  // namespace

std::uint64_t static_shared_bytes(const Submission& submitted, const Kernel& kernel) {
  std::uint64_t most = 0;
  for (const std::string& expression : kernel.expressions) {
    const auto entry = submitted.build.entries.find(expression);
    if (entry == submitted.build.entries.end()) continue;
    const simt::DecodeResult decoded = simt::decode(*submitted.build.module.parsed, entry->second);
    if (decoded.program)
      most = std::max<std::uint64_t>(most, simt::facts(*decoded.program).static_shared_bytes);
  }
  return most;
}

void fail(TestResult& result, std::string_view kind, std::vector<Message> message) {
  result.verdict = {.kind = std::string(kind)};
  result.message = std::move(message);
}

Grading start_grading(Manifest manifest, GradingOptions options, device::Devices devices) {
  Grading grading;
  grading.manifest = std::move(manifest);
  grading.options = std::move(options);
  grading.devices = std::move(devices);
  // A kernel.cu that is gone is a verdict, not an error: see prepare().
  std::filesystem::path& file = grading.options.file;
  if (file.empty())
    file = grading.manifest.directory / "kernel.cu";
  else if (!grading.options.may_be_missing && !std::filesystem::exists(file))
    throw Error(file.string() + " is not there", "name the file to grade with --file");
  for (const Test& test : grading.manifest.tests) {
    TestResult& result = grading.results.emplace_back();
    result.name = test.name;
    result.about = test.about;
    result.next = test.next;
    result.kernel = test.kernel;
    result.max_points = test.points;
    result.bonus = test.bonus;
  }
  grading.known = load_known_figures(grading.manifest);
  PrepareOptions wanted;
  if (grading.devices.gpu) {
    const device::Description gpu = grading.devices.gpu->describe();
    wanted.gpu_arch = gpu.arch;
    grading.gpu = gpu.gpu;
    grading.gates = load_gpu_gates(grading.manifest, gpu.gpu);
  }
  Submission& submission = grading.submission;
  submission = prepare(grading.manifest, file, grading.options.cache_directory, wanted);
  for (const auto& [expression, entry] : submission.build.entries) {
    if (!submission.verdict.passed()) break;
    const std::vector<launch::Finding> refused =
        grading.devices.simulator->refusals(submission.build.module, entry);
    if (refused.empty()) continue;
    submission.verdict.kind = name_of(refused.front().kind);
    submission.message = refused.front().evidence;
    submission.where = refused.front().where;
  }
  return grading;
}

void begin_again(Grading& grading, const std::vector<TestResult>& results) {
  // element by element: others point at them
  std::ranges::copy(results, grading.results.begin());
  grading.running.reset();
  grading.endless_in.clear();
  grading.endless_on_gpu.clear();
  grading.right_sizes.clear();
  grading.kept.clear();
  grading.repaired.clear();
  grading.clean_unoptimised.clear();
  grading.faulty_unoptimised.clear();
}

void begin_test(Grading& grading, const std::string& name) {
  const Test* test = grading.manifest.find_test(name);
  if (!test) author_error(nullptr, fmt::format("lab.toml has no [[test]] called {}", name));
  const auto index = static_cast<std::size_t>(test - grading.manifest.tests.data());
  grading.running = {.test = test, .result = &grading.results[index], .sizes = &test->size};
}

const TestResult& end_test(Grading& grading) {
  if (!grading.running) author_error(nullptr, "no test to end");
  TestResult& done = *grading.running->result;
  const Test* test = grading.running->test;
  grading.running.reset();
  if (done.verdict.kind == "not_run") author_error(test, "the test checks nothing");
  if (!done.gates.empty() && !done.verdict.passed()) done.known = grading.known.of(done.name);
  if (done.verdict.passed()) {
    if (done.gates.empty()) done.points = done.max_points;
    if (!test->gates.empty() && done.gates.empty())
      author_error(test, "lab.toml gives it gates, but it never calls grade()");
  }
  return done;
}

const Test& graded_test(const Grading& grading) {
  const Test* test = grading.running ? grading.running->test : nullptr;
  if (!test || !test->is_graded)
    author_error(test, "lab.toml gives this test no `block`, so it is not graded");
  return *test;
}

int graded_size(const Grading& grading, std::string_view name) {
  const Test& test = graded_test(grading);
  const auto at = grading.running->sizes->find(std::string(name));
  if (at == grading.running->sizes->end())
    author_error(&test, fmt::format("`size` has no `{}`", name));
  return at->second;
}

bool is_ready(Grading& grading, const Case& one) {
  const Kernel* kernel = grading.manifest.kernel_of(one.kernel);
  require_arguments(one, kernel, *grading.running->test);
  return is_attempted(grading.submission, *kernel, *grading.running->result);
}

bool check(Grading& grading, const std::vector<Case>& cases) {
  if (!grading.running) author_error(nullptr, "check() outside a test");
  TestResult& result = *grading.running->result;
  if (grading.asked) {
    grading.asked->cases = cases;
    return true;
  }
  if (has_failed(result)) return false;
  if (cases.empty()) author_error(grading.running->test, "check() of nothing");
  std::vector<Attempt> attempts;
  for (const Case& one : cases) {
    if (!is_ready(grading, one)) return false;
    attempts.push_back(attempt_of(grading, one));
  }
  if (grading.options.details) keep(grading).cases = cases;
  if (!check_on_simulator(grading, attempts)) {
    find_cause(grading);
    if (!grading.options.details) return false;
    const std::string& answer = grading.running->test->answer;
    grading.kept.back().wants_repair = grading.manifest.edits;
    if (!answer.empty() && result.launches > 0 && result.launches <= attempts.size())
      result.example = example_of_answer(grading, answer, attempts[result.launches - 1]);
    return false;
  }
  if (grading.devices.gpu) {
    const auto outcomes = grading.devices.gpu->run(gpu_plan(grading, attempts));
    for (std::size_t i = 0; i < attempts.size(); ++i) {
      if (compare(grading, attempts[i], outcomes.at(i), Place::gpu)) continue;
      keep_detail(grading, attempts[i], nullptr);
      return false;
    }
  }
  result.verdict.kind = "pass";
  result.launch.clear();
  return true;
}

bool grade(Grading& grading, const std::function<Case()>& make) {
  graded_test(grading);
  if (has_failed(*grading.running->result)) return false;
  const Case one = make();
  if (!is_ready(grading, one)) return false;
  const Case small = small_case(grading, make, one);
  if (grading.asked) {
    grading.asked->small = small;
    grading.asked->graded = one;
    return true;
  }
  const auto keep_graded = [&](bool wants_repair) {
    KeptTest& kept = keep(grading);
    kept.small = small;
    kept.graded = one;
    kept.wants_repair = wants_repair;
  };
  const bool is_wrong = has_wrong_test(grading, one.kernel);
  if (!check_small(grading, small)) {
    if (is_wrong) keep_graded(false);
    find_cause(grading);
    return false;
  }
  const Attempt attempt = attempt_of(grading, one);
  const device::Outcome outcome =
      grading.devices.simulator->run(graded_plan(grading, grading.submission.build, attempt)).at(0);
  const bool passed = judge_graded(grading, make, attempt, outcome);
  keep_detail(grading, attempt, &outcome);
  TestResult& result = *grading.running->result;
  const bool is_slow = grading.options.details && !passed &&
                       (result.verdict.kind == "gate" || result.verdict.kind == "budget");
  if (is_slow || is_wrong) keep_graded(is_slow);
  return passed;
}

std::optional<std::vector<int>> shape_from_kernel(Grading& grading, std::string_view kernel_name,
                                                  std::string_view name,
                                                  std::initializer_list<Limit> limits) {
  if (!grading.running) author_error(nullptr, "shape_from_kernel() outside a test");
  TestResult& result = *grading.running->result;
  const Kernel* kernel = grading.manifest.find_kernel(kernel_name);
  if (!kernel)
    author_error(grading.running->test, fmt::format("lab.toml has no kernel `{}`", kernel_name));
  if (!is_attempted(grading.submission, *kernel, result)) return std::nullopt;
  grading.running->shape = name;
  const std::string members = joined(limits | std::views::transform(&Limit::name));
  const ptx::Variable* variable = grading.submission.build.module.parsed->find_variable(name);
  const auto values = variable ? ints_of(*variable, limits.size()) : std::nullopt;
  if (!values) {
    fail(result, "launch_shape",
         {{variable ? Id::shape_not_ints : Id::shape_missing,
           {{"name", std::string(name)},
            {"count", words::count(limits.size())},
            {"members", members}}}});
    return std::nullopt;
  }
  auto next = values->begin();
  for (const Limit& limit : limits) {
    const std::int64_t value = *next++;
    if (value >= limit.low && value <= limit.high) continue;
    fail(result, "launch_shape",
         {{Id::shape_out_of_range,
           {{"name", std::string(name)},
            {"value", value},
            {"member", std::string(limit.name)},
            {"low", std::int64_t{limit.low}},
            {"high", std::int64_t{limit.high}}}}});
    return std::nullopt;
  }
  return values;
}

LabResult result_of(const Grading& grading) {
  LabResult result;
  result.lab = grading.manifest.id;
  result.folder = grading.manifest.folder;
  result.title = grading.manifest.title;
  result.file = grading.options.file.string();
  const device::Description description = grading.devices.simulator->describe();
  result.device = description.title.empty() ? description.name : description.title;
  result.gpu = description.gpu;
  result.measured_on = grading.gpu;
  if (grading.devices.gpu)
    if (const auto facts = grading.devices.gpu->describe().facts) result.gpu_driver = facts->driver;
  result.device_note = grading.devices.note;
  result.seed = grading.options.seed;
  result.tests = grading.results;
  for (TestResult& test : result.tests) {
    if (grading.manifest.edits) continue;
    for (launch::Finding& finding : test.findings) finding.fix = {};
    for (device::IdleStatement& idle : test.idle) idle.fix = {};
  }
  sum_up(result);
  const Submission& submission = grading.submission;
  result.predictions = compare_predictions(grading.manifest, submission.source, grading.results);
  result.compiler = submission.compiler;
  result.jail = submission.jail;
  if (grading.options.details) result.source = submission.source;
  if (grading.options.details || !submission.verdict.passed())
    result.compile_log = submission.compile_log;
  if (!submission.build.module.ptx.empty())
    result.ptx_sha256 = sha256_hex(submission.build.module.ptx);
  result.notes = submission.notes;
  if (grading.unoptimised)
    result.notes.insert(result.notes.end(), grading.unoptimised->trouble.begin(),
                        grading.unoptimised->trouble.end());
  if (!submission.verdict.passed()) {
    result.verdict = submission.verdict;
    result.message = submission.message;
    result.where = submission.where;
    result.lost_parameter = submission.lost_parameter;
  }
  return result;
}

}  // namespace labkit::grade
