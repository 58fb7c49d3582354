#include "grade/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/error.h"
#include "compile/outline.h"
#include "device/source_findings.h"
#include "grade/policy.h"
#include "grade/profile_setup.h"
#include "grade/steps.h"
#include "grade/variables.h"
#include "observe/checks.h"
#include "observe/findings.h"

namespace labkit::grade {
namespace {

using words::Id;

constexpr std::uint64_t kMaxProfiledBytes = 1 << 24;

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
                              const Submission& submission, const Compiler& compiler,
                              const LaunchSetup& setup, Profile& profile) {
  Unoptimised unoptimised = prepare_unoptimised(submission, compiler);
  if (unoptimised.build.entries.contains(profile.kernel)) {
    set_variables(unoptimised.build.module.ptx, request.variables);
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
              const Submission& submission, const Compiler& compiler, const LaunchSetup& setup,
              Profile& profile) {
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
    add_unoptimised_findings(simulator, request, submission, compiler, setup, profile);
    device::add_compiler_findings(findings, submission.compile_log, submission.source,
                                  profile.kernel);
  }
  profile.idle = device::idle_statements(submission.compile_log, submission.source, profile.kernel);
  observe::order_by_cause(findings);
  if (request.film) profile.outcome.film = film_of(simulator, plan, findings);
  device::add_declarations(findings, submission.source);
  if (request.check && findings.empty()) profile.notes.push_back({Id::profile_nothing_found});
}

/// False once there is a verdict. `compiler`: the one that made the build.
bool prepare_kernels(const device::Devices& devices, const ProfileRequest& request,
                     Submission& submission, Compiler& compiler) {
  compile::Request wanted;
  for (const launch::ParsedLaunch& launch : request.launches)
    if (std::ranges::count(wanted.kernels, launch.kernel) == 0)
      wanted.kernels.push_back(launch.kernel);
  wanted.arch = devices.simulator->describe().arch;
  wanted.device_debug = request.debug;
  wanted.registers = !request.debug;
  if (!read_source(submission, kMaxProfiledBytes)) return false;
  bool is_compiled = false;
  if (!request.only_whole) {
    compiler = jailed_compiler(request.cache_directory);
    is_compiled = compile_source(submission, wanted, compiler);
  }
  if (!is_compiled && request.whole_programs &&
      (request.only_whole || submission.verdict.kind == "compile_error")) {
    submission.verdict = {.kind = "pass"};
    submission.message.clear();
    is_compiled = compile_source(submission, wanted, request.whole_programs);
    compiler = request.whole_programs;
  }
  if (!is_compiled) return false;
  set_variables(submission.build.module.ptx, request.variables);
  if (!parse_ptx(submission)) return false;
  for (const launch::ParsedLaunch& launch : request.launches) {
    const std::string& entry = submission.build.entries.at(launch.kernel);
    const ptx::Function* function = submission.build.module.parsed->find_function(entry);
    if (!function) kit_fault("the PTX has no entry " + entry);
    require_fitting(launch, *function);
  }
  if (!devices.gpu) return true;
  if (!compile_for_gpu(submission, wanted, devices.gpu->describe().arch, compiler)) return false;
  if (!request.variables.empty()) {  // the driver compiles it
    submission.gpu_build.module.cubin.clear();
    submission.gpu_build.module.ptx = submission.build.module.ptx;
  }
  return true;
}

/// One launch on all devices. False if nothing can follow.
bool run_launch(const device::Devices& devices, const ProfileRequest& request,
                const Submission& submission, const Compiler& compiler, const LaunchSetup& setup,
                Arrays& arrays, Profile& result) {
  if (result.gpu) {
    result.measured = std::move(
        devices.gpu->run(plan_for(*result.gpu, request, submission.gpu_build, setup)).at(0));
    // The simulator, which is far slower, would only spend its budget.
    if (launch::has_kind(result.measured->findings, launch::FindingKind::budget)) {
      result.notes.push_back({Id::profile_not_simulated});
      return false;
    }
    if (!request.simulate) {
      arrays.take(setup, *result.measured);
      return !result.failed();
    }
  }
  simulate(*devices.simulator, request, submission, compiler, setup, result);
  arrays.take(setup, result.outcome);
  return !result.failed();
}

}  // namespace

bool Profile::failed() const {
  return !refusal.empty() || first_error(outcome.findings) ||
         (measured && first_error(measured->findings));
}

Profiled profile(const device::Devices& devices, const ProfileRequest& request) {
  Submission submission;
  submission.file = request.file;
  Compiler compiler;
  const bool is_ready = prepare_kernels(devices, request, submission, compiler);
  Profiled profiled;
  const auto add = [&](const launch::ParsedLaunch& launch) -> Profile& {
    Profile& result = profiled.launches.emplace_back();
    result.file = request.file.string();
    result.kernel = launch.kernel;
    result.grid = launch.grid;
    result.block = launch.block;
    result.dynamic_shared_bytes = launch.dynamic_shared_bytes;
    result.device = devices.simulator->describe();
    if (devices.gpu) result.gpu = devices.gpu->describe();
    result.compiler = submission.compiler;
    result.compile_log = submission.compile_log;
    result.notes = submission.notes;
    return result;
  };
  if (!is_ready) {
    Profile& result = add(request.launches.at(0));
    result.refusal = submission.verdict.kind;
    result.message = submission.message;
    return profiled;
  }
  Arrays arrays(request, submission.source);
  for (const launch::ParsedLaunch& launch : request.launches) {
    Profile& result = add(launch);
    result.device_note = devices.note;
    const ptx::Function& function =
        *submission.build.module.parsed->find_function(submission.build.entries.at(launch.kernel));
    const LaunchSetup setup = arrays.setup_of(launch, function);
    if (!run_launch(devices, request, submission, compiler, setup, arrays, result)) break;
  }
  profiled.arrays = arrays.all();
  return profiled;
}

}  // namespace labkit::grade
