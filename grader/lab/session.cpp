#include "lab/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/sha256.h"
#include "measure/policy.h"
#include "simt/machine.h"
#include "words/render.h"

namespace labkit::lab {
namespace {

Session* g_session = nullptr;

/// In issue slots, 32 for each instruction of a warp. At the small sizes of check() the slowest right
/// solution takes a quarter of the floor; launches at graded sizes have a `budget` of their own in
/// lab.toml. Small enough that an endless loop is told within a second.
constexpr std::uint64_t kBudgetFloor = 240'000'000;
constexpr std::uint64_t kBudgetPerWord = 360;
constexpr std::uint64_t kBudgetCeiling = 12'000'000'000;
/// Of all launches of a test of correctness together, and of all in the unoptimised build once more.
constexpr std::uint64_t kChecksBudget = 10'000'000'000;
/// A kernel that did not end in one test gets this part of the budget in the tests after it, and no
/// more than so much for its size: at least a quarter more than the slowest right solution takes, so
/// that what is right there still passes, and what is endless there too costs less.
constexpr std::uint64_t kBudgetPartAfterEndless = 2;
constexpr std::uint64_t kBudgetPerWordAfterEndless = 192;
/// Of a launch on a GPU, of a kernel that did not end there in an earlier test. The first time it has
/// the device's own limit, which is longer.
constexpr double kSecondsAfterEndless = 3;

/// Of the instance that declares most.
std::uint64_t static_shared_bytes(const Submission& submitted, const Kernel& kernel) {
  std::uint64_t most = 0;
  for (const std::string& expression : kernel.expressions) {
    const simt::DecodeResult decoded =
        simt::decode(*submitted.module, submitted.entries.at(expression));
    if (decoded.program)
      most = std::max<std::uint64_t>(most, simt::facts(*decoded.program).static_shared_bytes);
  }
  return most;
}

[[noreturn]] void author_error(const Test* test, const std::string& what) {
  throw Error(fmt::format("{}{}", test ? test->name + ": " : "", what),
              "correct check.cpp or lab.toml of this lab");
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

Session::Session(Manifest manifest, const SessionOptions& options)
    : Session(std::move(manifest), options,
              device::make_devices(options.device, options.device_options)) {}

Session::Session(Manifest manifest, SessionOptions options, device::Devices devices)
    : manifest_(std::move(manifest)), options_(std::move(options)), devices_(std::move(devices)) {
  // A kernel.cu that is gone is a verdict, not an error: see prepare().
  if (options_.file.empty())
    options_.file = manifest_.directory / "kernel.cu";
  else if (!std::filesystem::exists(options_.file))
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
  known_ = load_known_figures(manifest_);
  if (!devices_.gpu) return;
  gpu_name_ = devices_.gpu->describe().gpu;
  gates_ = load_gpu_gates(manifest_, gpu_name_);
}

const Submission& Session::submission() {
  if (submission_) return *submission_;
  PrepareOptions wanted;
  if (devices_.gpu) wanted.gpu_arch = devices_.gpu->describe().arch;
  submission_ = prepare(manifest_, options_.file, options_.cache_directory, wanted);
  if (!submission_->verdict.passed()) return *submission_;
  const device::Module module{.name = options_.file.filename().string(),
                              .ptx = submission_->ptx,
                              .parsed = submission_->module};
  for (const auto& [expression, entry] : submission_->entries) {
    const std::vector<launch::Finding> refused = devices_.simulator->refusals(module, entry);
    if (refused.empty()) continue;
    submission_->verdict.kind = name_of(refused.front().kind);
    submission_->message = words::render(refused.front().evidence);
    submission_->where = refused.front().where;
    break;
  }
  return *submission_;
}

void Session::begin_test(const std::string& name) {
  test_ = manifest_.find_test(name);
  if (!test_) author_error(nullptr, fmt::format("lab.toml has no [[test]] called {}", name));
  current_ = &results_[static_cast<std::size_t>(test_ - manifest_.tests.data())];
  sizes_ = &test_->size;
  test_cost_ = unoptimised_cost_ = 0;
}

const Test& Session::graded_test() const {
  if (!test_ || !test_->is_graded)
    author_error(test_, "lab.toml gives this test no `block`, so it is not graded");
  return *test_;
}

int Session::graded_size(std::string_view name) const {
  graded_test();
  const auto at = sizes_->find(std::string(name));
  if (at == sizes_->end()) author_error(test_, fmt::format("`size` has no `{}`", name));
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
  if (!submitted.verdict.passed()) {
    fail(submitted.verdict.kind, submitted.message);
    return false;
  }
  const std::uint64_t bytes = kernel.dynamic_shared ? static_shared_bytes(submitted, kernel) : 0;
  if (bytes == 0) return true;
  fail("static_shared",
       fmt::format("{} has {} bytes of static shared memory; here it must be dynamic.", kernel.name,
                   bytes));
  return false;
}

std::uint64_t Session::useful_bytes(const Case& one) const {
  return one.useful_bytes > 0 ? one.useful_bytes : one.array_bytes();
}

std::uint64_t Session::budget_of(const Case& one, bool unoptimised) const {
  const std::uint64_t budget = launch_budget(one);
  const std::uint64_t taken = unoptimised ? unoptimised_cost_ : test_cost_;
  const std::uint64_t left =
      test_->is_graded ? budget : kChecksBudget - std::min(kChecksBudget, taken);
  return std::max<std::uint64_t>(1, std::min(budget, left));
}

/// A check's outcomes add up: what many launches take together has a limit as well.
void Session::note_cost(const Case& one, const device::Outcome& outcome, bool unoptimised) {
  if (!outcome.simulation) return;
  const auto cost = static_cast<double>(outcome.simulation->dearest_look);
  current_->budget_share =
      std::max(current_->budget_share, cost / static_cast<double>(launch_budget(one)));
  if (test_->is_graded) return;
  std::uint64_t& sum = unoptimised ? unoptimised_cost_ : test_cost_;
  sum += outcome.simulation->cost;
  current_->budget_share = std::max(current_->budget_share,
                                    static_cast<double>(sum) / static_cast<double>(kChecksBudget));
}

std::uint64_t Session::launch_budget(const Case& one) const {
  const std::uint64_t words = useful_bytes(one) / 4;
  const bool given = test_->budget != 0 && !watching_small_;
  const std::uint64_t budget =
      given ? test_->budget : std::min(kBudgetCeiling, kBudgetFloor + kBudgetPerWord * words);
  if (endless_in(one).empty()) return budget;
  return std::max<std::uint64_t>(1, std::min(budget / kBudgetPartAfterEndless,
                                             kBudgetFloor + kBudgetPerWordAfterEndless * words));
}

std::string Session::endless_in(const Case& one) const {
  const auto at = endless_in_.find(manifest_.kernel_of(one.kernel)->name);
  return at == endless_in_.end() || at->second == test_->name ? std::string{} : at->second;
}

device::Plan Session::make_plan(const std::vector<Case>& cases, Purpose purpose) const {
  const bool graded = purpose == Purpose::grade || purpose == Purpose::grade_on_gpu;
  const bool on_gpu = purpose == Purpose::check_on_gpu || purpose == Purpose::grade_on_gpu;
  const bool unoptimised = purpose == Purpose::check_unoptimised;
  device::Plan plan;
  plan.seed = options_.seed;
  const auto& entries = on_gpu        ? submission_->gpu_entries
                        : unoptimised ? unoptimised_->entries
                                      : submission_->entries;
  if (on_gpu)
    plan.modules = {submission_->gpu_module};
  else if (unoptimised)
    plan.modules = {unoptimised_->module};
  else
    plan.modules = {{.name = options_.file.filename().string(),
                     .ptx = submission_->ptx,
                     .assembled = submission_->assembled,
                     .parsed = submission_->module}};
  const auto recorded = options_.recorded_registers.find(test_->name);
  compile::Assembled& assembled = plan.modules[0].assembled;
  const bool wants_record = graded && !on_gpu && assembled.by.empty() &&
                            recorded != options_.recorded_registers.end() &&
                            !recorded->second.by.empty();
  if (wants_record) assembled.by = std::string(device::kRecorded) + recorded->second.by;
  for (const Case& one : cases) {
    launch::Launch launch{.kernel = one.kernel,
                          .entry = entries.at(one.kernel),
                          .grid = one.grid,
                          .block = one.block,
                          .dynamic_shared_bytes = one.dynamic_shared_bytes,
                          .arguments = {}};
    if (wants_record)
      assembled.kernels[launch.entry] = {.registers = recorded->second.per_thread,
                                         .stack_bytes = recorded->second.stack_bytes};
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
      if (!array.is_output)  // kept alive by the plan, and not held twice
        buffer.shared = {argument.array(), &argument.array()->bytes};
      // Inputs too: they must come back unchanged. Large ones stay on the GPU, which tells.
      buffer.is_output = array.is_output || !(graded && on_gpu);
      plan.buffers.push_back(std::move(buffer));
      plan.row_elements.push_back(array.is_vector ? 0 : array.cols);
    }
    plan.launches.push_back(
        {.launch = std::move(launch),
         .want_counters = graded,
         .want_time = graded,
         .check = purpose == Purpose::check || unoptimised,
         .check_drawn_blocks = purpose == Purpose::grade,
         .thread_instruction_budget = budget_of(one, unoptimised),
         .wall_seconds = endless_on_gpu_.count(manifest_.kernel_of(one.kernel)->name)
                             ? kSecondsAfterEndless
                             : 0});
  }
  return plan;
}

bool Session::usable(const Case& one) {
  const Kernel* kernel = manifest_.kernel_of(one.kernel);
  require_fitting(one, kernel, *test_);
  return ready(*kernel);
}

bool Session::check(const std::vector<Case>& cases) {
  if (!test_) author_error(nullptr, "check() outside a test");
  if (current_->verdict.kind != "not_run" && !current_->verdict.passed()) return false;
  if (cases.empty()) author_error(test_, "check() of nothing");
  for (const Case& one : cases)
    if (!usable(one)) return false;
  if (!judge_on_simulator(cases)) {
    tell_cause();
    return false;
  }
  if (devices_.gpu && !judge_on_gpu(cases)) return false;
  current_->verdict.kind = "pass";
  current_->launch.clear();
  return true;
}

bool Session::grade(const std::function<Case()>& make) {
  graded_test();
  if (current_->verdict.kind != "not_run" && !current_->verdict.passed()) return false;
  const Case one = make();
  if (!usable(one)) return false;
  if (!check_like_graded(make, one)) {
    tell_cause();
    return false;
  }
  const device::Outcome outcome = devices_.simulator->run(make_plan({one}, Purpose::grade)).at(0);
  const auto held = [&] {
    if (!judge(one, outcome, false)) {
      tell_cause();
      return false;
    }
    record_prediction(one, outcome);
    if (devices_.gpu && !measure_on_gpu(make, one)) return false;
    current_->verdict.kind = "pass";
    apply_gates(one, outcome);
    return current_->verdict.passed();
  };
  const bool passed = held();
  keep_detail(one, &outcome);
  return passed;
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
  sizes_ = nullptr;
  if (done.verdict.kind == "not_run") author_error(test, "the test checks nothing");
  if (!done.gates.empty() && !done.verdict.passed()) done.known = known_.of(done.name);
  if (done.verdict.passed()) {
    if (done.gates.empty()) done.points = done.max_points;
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
  const device::Description description = devices_.simulator->describe();
  result.device = description.title.empty() ? description.name : description.title;
  result.gpu = description.gpu;
  result.measured_on = gpu_name_;
  if (devices_.gpu)
    if (const auto facts = devices_.gpu->describe().facts) result.gpu_driver = facts->driver;
  result.device_note = devices_.note;
  result.seed = options_.seed;
  result.tests = results_;
  sum_up(result);
  if (submission_) {
    result.compiler = submission_->compiler;
    result.jail = submission_->jail;
    if (options_.details) result.source = submission_->source;
    if (!submission_->ptx.empty()) result.ptx_sha256 = sha256_hex(submission_->ptx);
    result.notes = submission_->notes;
    if (unoptimised_ && !unoptimised_->trouble.empty())
      result.notes.push_back("The unoptimised build could not be checked: " +
                             unoptimised_->trouble);
    else if (unoptimised_ && unoptimised_->stopped_by)
      result.notes.push_back("The unoptimised build could not be checked: " +
                             words::render(unoptimised_->stopped_by->evidence));
    if (!submission_->verdict.passed()) {
      result.verdict = submission_->verdict;
      result.message = submission_->message;
      result.where = submission_->where;
      result.compile_log = submission_->compile_log;
      result.lost_parameter = submission_->lost_parameter;
    }
  }
  return result;
}

}  // namespace labkit::lab
