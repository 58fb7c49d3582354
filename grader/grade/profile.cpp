#include "grade/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/error.h"
#include "compile/declarations.h"
#include "compile/outline.h"
#include "device/source_findings.h"
#include "grade/policy.h"
#include "grade/steps.h"
#include "observe/checks.h"
#include "observe/findings.h"

namespace labkit::grade {
namespace {

using words::Id;

constexpr std::uint64_t kMaxProfiledBytes = 1 << 24;

/// As far as PTX tells parameters apart: bits and structs are none of these.
constexpr struct Kind {
  ptx::Type type;
  std::string_view name;
} kKinds[] = {{ptx::Type::f32, "a float"},
              {ptx::Type::f64, "a double"},
              {ptx::Type::u32, "an integer of 4 bytes"},
              {ptx::Type::s32, "an integer of 4 bytes"},
              {ptx::Type::u64, "a pointer or an integer of 8 bytes"},
              {ptx::Type::s64, "a pointer or an integer of 8 bytes"}};

std::string_view kind_of(const ptx::Parameter& parameter) {
  const auto* const kind = std::ranges::find(kKinds, parameter.type, &Kind::type);
  return kind == std::end(kKinds) ? "" : kind->name;
}

/// Whether what PTX says of the parameter rules the argument out. A pointer and an integer are the same to it.
bool is_of_another_kind(const launch::ParsedArgument& argument, const std::string& type,
                        const ptx::Parameter& parameter) {
  using enum ptx::Type;
  const bool takes_float = parameter.type == f32 || parameter.type == f64;
  if (argument.buffer) return takes_float;
  if (kind_of(parameter).empty() || type.empty() || type == "hex") return false;
  return takes_float != type.starts_with('f');
}

void require_fitting(const ProfileRequest& request, const ptx::Function& function) {
  const auto& parameters = function.parameters;
  if (parameters.size() != request.arguments.size())
    throw std::invalid_argument(fmt::format("{} takes {} parameters, but there are {} --arg",
                                            request.kernel, parameters.size(),
                                            request.arguments.size()));
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const launch::ParsedArgument& argument = request.arguments[i];
    const std::uint64_t size = argument.buffer ? 8 : argument.bytes.size();
    if (size != parameters[i].size_bytes)
      throw std::invalid_argument(
          fmt::format("--arg {} has {} bytes, but parameter {} of {} has {}", i + 1, size, i + 1,
                      request.kernel, parameters[i].size_bytes));
    const std::string type = i < request.argument_types.size() ? request.argument_types[i] : "";
    if (is_of_another_kind(argument, type, parameters[i]))
      throw std::invalid_argument(fmt::format("--arg {} is {}, but parameter {} of {} is {}", i + 1,
                                              argument.buffer ? "an array" : type, i + 1,
                                              request.kernel, kind_of(parameters[i])));
  }
}

/// `source` names the arrays: as the kernel's parameters are called.
LaunchSetup setup_of(const ProfileRequest& request, const std::string& source) {
  LaunchSetup setup;
  setup.launch = {.kernel = request.kernel,
                  .grid = request.grid,
                  .block = request.block,
                  .dynamic_shared_bytes = request.dynamic_shared_bytes};
  const auto names =
      compile::kernel_head(compile::Tokens(source), compile::base_name(request.kernel)).parameters;
  for (std::size_t i = 0; i < request.arguments.size(); ++i) {
    const launch::ParsedArgument& argument = request.arguments[i];
    if (!argument.buffer) {
      setup.launch.arguments.emplace_back(argument.bytes);
      continue;
    }
    launch::Buffer buffer = *argument.buffer;
    buffer.name = i < names.size() && !names[i].empty() ? std::string(names[i])
                                                        : fmt::format("argument {}", i + 1);
    buffer.seed = request.seed + i;  // two random arguments differ
    if (request.check)
      buffer.padding = compile::padding_of_pointed(source, compile::base_name(request.kernel), i);
    setup.add_buffer(std::move(buffer));
  }
  return setup;
}

device::Plan plan_for(const device::Description& device, const ProfileRequest& request,
                      const Build& build, const LaunchSetup& setup) {
  device::Plan plan = plan_of(build, setup);
  plan.repetition = default_policy(device).repetition;
  device::PlannedLaunch& launch = plan.launches[0];
  launch.want_counters = true;
  launch.want_time = !request.debug;
  launch.thread_instruction_budget = request.thread_instruction_budget;
  launch.wall_seconds = request.wall_seconds;
  return plan;
}

/// Of a launch's budget, for the unoptimised build: so many times what the optimised one took. It executes ten times the
/// instructions; what takes more is work that the optimiser found to be for nothing, and need not be checked to its end.
constexpr std::uint64_t kUnoptimisedTakes = 32, kLeastUnoptimised = 4'000'000'000;

std::uint64_t unoptimised_budget(const ProfileRequest& request, const device::Outcome& optimised) {
  const std::uint64_t took = optimised.simulation ? optimised.simulation->dearest_look : 0;
  const std::uint64_t enough = std::max(kLeastUnoptimised, kUnoptimisedTakes * took);
  const std::uint64_t most = request.thread_instruction_budget;
  return most == 0 ? enough : std::min(most, enough);
}

/// Adds what a checked launch of the unoptimised build finds, which shows what the optimiser hides. A build that cannot be
/// had, or that does not end within a budget of its own, is a note, not a failure: the optimised one was checked.
void add_unoptimised_findings(device::Device& simulator, const ProfileRequest& request,
                              const Submission& submission, const LaunchSetup& setup,
                              Profile& profile) {
  Unoptimised unoptimised = prepare_unoptimised(submission, request.cache_directory);
  if (unoptimised.build.entries.contains(request.kernel)) {
    device::Plan plan = plan_of(unoptimised.build, setup);
    plan.launches[0].check = true;
    plan.launches[0].thread_instruction_budget = unoptimised_budget(request, profile.outcome);
    observe::add_findings(profile.outcome.findings,
                          check_unoptimised(simulator, unoptimised, plan).findings);
  }
  if (!first_error(profile.outcome.findings))  // else the build most likely ended in the same way
    profile.notes.insert(profile.notes.end(), unoptimised.trouble.begin(),
                         unoptimised.trouble.end());
}

void simulate(device::Device& simulator, const ProfileRequest& request,
              const Submission& submission, const LaunchSetup& setup, Profile& profile) {
  device::Plan plan = plan_for(profile.device, request, submission.build, setup);
  std::vector<launch::Finding>& findings = profile.outcome.findings;
  profile.simulated = true;
  findings = simulator.refusals(plan.modules[0], plan.launches[0].launch.entry);
  if (!findings.empty()) return;
  plan.launches[0].check = request.check;
  plan.launches[0].want_samples = request.samples;
  profile.outcome = std::move(simulator.run(plan).at(0));
  // Nobody knows here how much work is right: a kernel that is only large ends so as well as an endless one.
  const std::string more = std::to_string(4 * request.thread_instruction_budget);
  for (launch::Finding& finding : findings)
    if (finding.kind == launch::FindingKind::budget)
      finding.evidence.push_back({Id::budget_raise, {{"budget", more}}});
  if (request.check) {
    add_unoptimised_findings(simulator, request, submission, setup, profile);
    device::add_compiler_findings(findings, submission.compile_log, submission.source,
                                  request.kernel);
  }
  profile.idle = device::idle_statements(submission.compile_log, submission.source, request.kernel);
  observe::order_by_cause(findings);
  device::add_declarations(findings, submission.source);
  if (request.check && findings.empty()) profile.notes.push_back({Id::profile_nothing_found});
}

/// False once there is a verdict.
bool prepare_kernel(const device::Devices& devices, const ProfileRequest& request,
                    Submission& submission) {
  compile::Request wanted;
  wanted.kernels = {request.kernel};
  wanted.arch = devices.simulator->describe().arch;
  wanted.device_debug = request.debug;
  wanted.registers = !request.debug;
  if (!read_source(submission, kMaxProfiledBytes)) return false;
  if (!compile_source(submission, wanted, request.cache_directory)) return false;
  if (!parse_ptx(submission)) return false;
  const std::string& entry = submission.build.entries.at(request.kernel);
  const ptx::Function* function = submission.build.module.parsed->find_function(entry);
  if (!function) kit_fault("the PTX has no entry " + entry);
  require_fitting(request, *function);
  return !devices.gpu ||
         compile_for_gpu(submission, wanted, devices.gpu->describe().arch, request.cache_directory);
}

}  // namespace

bool Profile::failed() const {
  return !refusal.empty() || first_error(outcome.findings) ||
         (measured && first_error(measured->findings));
}

Profile profile(const device::Devices& devices, const ProfileRequest& request) {
  Profile result;
  result.file = request.file.string();
  result.kernel = request.kernel;
  result.grid = request.grid;
  result.block = request.block;
  result.dynamic_shared_bytes = request.dynamic_shared_bytes;
  result.device = devices.simulator->describe();
  if (devices.gpu) result.gpu = devices.gpu->describe();

  Submission submission;
  submission.file = request.file;
  const bool is_ready = prepare_kernel(devices, request, submission);
  result.compiler = submission.compiler;
  result.compile_log = submission.compile_log;
  result.notes = submission.notes;
  if (!is_ready) {
    result.refusal = submission.verdict.kind;
    result.message = submission.message;
    return result;
  }
  result.device_note = devices.note;
  const LaunchSetup setup = setup_of(request, submission.source);
  if (result.gpu) {
    result.measured = std::move(
        devices.gpu->run(plan_for(*result.gpu, request, submission.gpu_build, setup)).at(0));
    // The simulator, which is far slower, would only spend its budget.
    if (launch::has_kind(result.measured->findings, launch::FindingKind::budget)) {
      result.notes.push_back({Id::profile_not_simulated});
      return result;
    }
    if (!request.simulate) return result;
  }
  simulate(*devices.simulator, request, submission, setup, result);
  return result;
}

}  // namespace labkit::grade
