#include "measure/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/error.h"
#include "base/files.h"
#include "compile/compile.h"
#include "compile/declarations.h"
#include "compile/diagnose.h"
#include "compile/outline.h"
#include "device/source_findings.h"
#include "measure/policy.h"
#include "observe/causes.h"
#include "observe/checks.h"
#include "ptx/module.h"
#include "words/render.h"

namespace labkit::measure {
namespace {

constexpr std::uint64_t kMaxSourceBytes = 1 << 24;

std::string_view refusal_name(compile::Status status) {
  switch (status) {
    case compile::Status::ok:
      return "";
    case compile::Status::rejected:
      return "compile_error";
    case compile::Status::missing_kernel:
      return "missing_kernel";
    case compile::Status::limit:
      return "compile_limit";
  }
  return "compile_error";
}

/// "a float", "an integer of 4 bytes", ... as far as PTX tells them apart; "" where it does not (bits, structs).
std::string kind_of(const ptx::Parameter& parameter) {
  using enum ptx::Type;
  switch (parameter.type) {
    case f32:
      return "a float";
    case f64:
      return "a double";
    case u32:
    case s32:
      return "an integer of 4 bytes";
    case u64:
    case s64:
      return "a pointer or an integer of 8 bytes";
    default:
      return {};
  }
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

device::Plan plan_of(const ProfileRequest& request, const compile::Result& compiled,
                     const device::Description& device) {
  device::Plan plan;
  plan.modules = {{.name = request.file.filename().string(),
                   .ptx = compiled.ptx,
                   .cubin = compiled.cubin,
                   .assembled = compiled.assembled}};
  plan.repetition = default_policy(device).repetition;
  launch::Launch launch{.kernel = request.kernel,
                        .entry = compiled.entries.at(request.kernel),
                        .grid = request.grid,
                        .block = request.block,
                        .dynamic_shared_bytes = request.dynamic_shared_bytes,
                        .arguments = {}};
  for (std::size_t i = 0; i < request.arguments.size(); ++i) {
    const launch::ParsedArgument& argument = request.arguments[i];
    if (!argument.buffer) {
      launch.arguments.emplace_back(argument.bytes);
      continue;
    }
    launch.arguments.emplace_back(
        launch::BufferRef{static_cast<std::uint32_t>(plan.buffers.size()), 0});
    launch::Buffer buffer = *argument.buffer;
    buffer.name = fmt::format("argument {}", i + 1);
    buffer.seed = request.seed + i;  // two random arguments differ
    plan.buffers.push_back(std::move(buffer));
  }
  plan.launches.push_back({.launch = std::move(launch),
                           .want_counters = true,
                           .want_time = !request.debug,
                           .thread_instruction_budget = request.thread_instruction_budget,
                           .wall_seconds = request.wall_seconds});
  return plan;
}

bool has_error(const device::Outcome& outcome) {
  return std::any_of(
      outcome.findings.begin(), outcome.findings.end(),
      [](const launch::Finding& f) { return f.severity == launch::Severity::error; });
}

/// Compiles for a device; a refusal goes to `profile`.
std::optional<compile::Result> compile_for(const device::Description& device,
                                           const std::string& source, const ProfileRequest& request,
                                           Profile& profile) {
  compile::Request wanted;
  wanted.source = source;
  wanted.name = request.file.filename().string();
  wanted.kernels = {request.kernel};
  wanted.arch = device.arch;
  wanted.device_debug = request.debug;
  wanted.registers = !request.debug;
  wanted.path = std::filesystem::absolute(request.file).lexically_normal().string();
  compile::Result compiled =
      request.cache_directory.empty()
          ? compile::compile(wanted)
          : compile::compile_cached(wanted, request.cache_directory.string());
  profile.compiler = compiled.compiler;
  profile.compile_log = compiled.log;
  profile.refusal = refusal_name(compiled.status);
  profile.message = compiled.message;
  if (!profile.refusal.empty()) return std::nullopt;
  return compiled;
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
void check_unoptimised(device::Device& simulator, const ProfileRequest& request,
                       const std::string& source, const device::Plan& optimised, Profile& profile) {
  ProfileRequest unoptimised = request;
  unoptimised.debug = true;
  Profile ignored;
  const auto compiled = compile_for(profile.device, source, unoptimised, ignored);
  std::string trouble = ignored.message;
  if (compiled) {
    device::Plan plan = plan_of(unoptimised, *compiled, profile.device);
    const auto refused = simulator.refusals(plan.modules[0], compiled->entries.at(request.kernel));
    if (refused.empty()) {
      plan.buffers = optimised.buffers;
      device::PlannedLaunch& launch = plan.launches[0];
      launch.want_counters = launch.want_time = false;
      launch.check = true;
      launch.thread_instruction_budget = unoptimised_budget(request, profile.outcome);
      std::vector<launch::Finding> findings = std::move(simulator.run(plan).at(0).findings);
      const auto over = std::erase_if(findings, [](const launch::Finding& finding) {
        return finding.kind == launch::FindingKind::budget;
      });
      if (over != 0)
        profile.notes.push_back(words::render(
            {words::Id::budget_checked_in_part,
             {{"instructions", simt::plain_instructions(launch.thread_instruction_budget)}}}));
      observe::add_findings(profile.outcome.findings, findings);
      return;
    }
    trouble = words::render(refused.front().evidence);
  }
  profile.notes.push_back("the unoptimised build could not be checked: " + trouble);
}

/// Nobody knows here how much work is right: a kernel that is only large ends so as well as an endless one.
void describe_budget(std::vector<launch::Finding>& findings, std::uint64_t budget) {
  for (launch::Finding& finding : findings)
    if (finding.kind == launch::FindingKind::budget)
      finding.evidence.push_back(
          {words::Id::budget_raise, {{"budget", std::to_string(4 * budget)}}});
}

void simulate(device::Device& simulator, const std::string& source, const ProfileRequest& request,
              const compile::Result& compiled, std::shared_ptr<const ptx::Module> parsed,
              Profile& profile) {
  device::Plan plan = plan_of(request, compiled, profile.device);
  plan.modules[0].parsed = std::move(parsed);
  profile.simulated = true;
  profile.outcome.findings =
      simulator.refusals(plan.modules[0], compiled.entries.at(request.kernel));
  if (!profile.outcome.findings.empty()) return;
  const std::vector<launch::Argument>& arguments = plan.launches[0].launch.arguments;
  for (std::size_t i = 0; i < arguments.size() && request.check; ++i)
    if (const auto* ref = std::get_if<launch::BufferRef>(&arguments[i]))
      plan.buffers[ref->index].padding =
          compile::padding_of_pointed(source, compile::base_name(request.kernel), i);
  plan.launches[0].check = request.check;
  plan.launches[0].want_samples = request.samples;
  profile.outcome = std::move(simulator.run(plan).at(0));
  describe_budget(profile.outcome.findings, request.thread_instruction_budget);
  if (request.check) check_unoptimised(simulator, request, source, plan, profile);
  if (request.check)
    device::add_compiler_findings(profile.outcome.findings, compiled.log, source, request.kernel);
  for (const device::IdleStatement& idle :
       device::idle_statements(compiled.log, source, request.kernel))
    profile.notes.push_back(fmt::format("line {}: {} Fix: {}", idle.line, words::render(idle.what),
                                        words::render(idle.fix)));
  observe::order_by_cause(profile.outcome.findings);
  device::add_declarations(profile.outcome.findings, source);
  if (request.check && profile.outcome.findings.empty())
    profile.notes.push_back(
        "checked for races, uninitialised reads, barriers and bounds: nothing found");
}

/// On the GPU it did not end: the simulator, which is far slower, would only spend its budget.
bool is_endless(const Profile& profile) {
  return profile.measured &&
         std::any_of(
             profile.measured->findings.begin(), profile.measured->findings.end(),
             [](const launch::Finding& f) { return f.kind == launch::FindingKind::budget; });
}

}  // namespace

bool Profile::failed() const {
  return !refusal.empty() || has_error(outcome) || (measured && has_error(*measured));
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

  std::error_code unknown;  // what cannot be asked for its size is told by read_file
  if (std::filesystem::is_regular_file(request.file, unknown) &&
      std::filesystem::file_size(request.file, unknown) > kMaxSourceBytes && !unknown) {
    result.refusal = refusal_name(compile::Status::limit);
    result.message = fmt::format("{} is larger than {} MiB. Is it the right file?",
                                 request.file.filename().string(), kMaxSourceBytes >> 20);
    return result;
  }
  const std::string source = read_file(request.file, kMaxSourceBytes);
  const auto compiled = compile_for(result.device, source, request, result);
  if (!compiled) return result;
  result.notes = compiled->notes;
  if (!devices.note.empty()) result.notes.push_back(devices.note);

  ptx::ParseResult parsed = ptx::parse(compiled->ptx);
  if (!parsed.module) {
    result.refusal = "unsupported";
    result.message = fmt::format("{} (PTX line {})", parsed.error.message, parsed.error.ptx_line);
    return result;
  }
  const std::string& entry = compiled->entries.at(request.kernel);
  const auto module = std::make_shared<const ptx::Module>(std::move(*parsed.module));
  const ptx::Function* function = module->find_function(entry);
  if (!function)
    throw Error("the PTX has no entry " + entry, "report this: it is a fault of the kit");
  require_fitting(request, *function);

  if (result.gpu) {
    const auto for_gpu = compile_for(*result.gpu, source, request, result);
    if (!for_gpu) return result;
    result.measured = std::move(devices.gpu->run(plan_of(request, *for_gpu, *result.gpu)).at(0));
    if (is_endless(result)) {
      result.notes.push_back("not simulated: on the GPU it did not end");
      return result;
    }
    if (!request.simulate) return result;
  }
  simulate(*devices.simulator, source, request, *compiled, module, result);
  return result;
}

}  // namespace labkit::measure
