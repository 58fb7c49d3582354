#include "grade/profile.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "base/error.h"
#include "base/text.h"
#include "compile/declarations.h"
#include "compile/outline.h"
#include "device/source_findings.h"
#include "grade/policy.h"
#include "grade/steps.h"
#include "grade/variables.h"
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
bool is_of_another_kind(const launch::ParsedArgument& argument, const ptx::Parameter& parameter) {
  using enum ptx::Type;
  const bool takes_float = parameter.type == f32 || parameter.type == f64;
  if (argument.buffer || !argument.array.empty()) return takes_float;
  if (kind_of(parameter).empty() || argument.type.empty() || argument.type == "hex") return false;
  return takes_float != argument.type.starts_with('f');
}

/// The bytes of a scalar or a struct.
std::vector<std::byte> bytes_of(const launch::ParsedArgument& argument,
                                const ptx::Parameter& parameter) {
  if (argument.number.empty()) return argument.bytes;
  if (parameter.size_bytes > 8)
    throw std::invalid_argument(
        fmt::format("'{}': the parameter is a struct of {} bytes: hex:BYTES", argument.number,
                    parameter.size_bytes));
  const bool takes_float = parameter.type == ptx::Type::f32 || parameter.type == ptx::Type::f64;
  return launch::number_bytes(argument.number, takes_float, parameter.size_bytes);
}

/// Whether the entry's mangled name says that the parameter is a pointer, which to PTX is an integer; `extern "C"` says nothing.
bool is_pointer(const std::string& entry, std::size_t parameter) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(
      abi::__cxa_demangle(entry.c_str(), nullptr, nullptr, &status), std::free);
  const std::string_view text = name ? name.get() : "";
  const std::size_t last = text.rfind(')');
  if (status != 0 || last == std::string_view::npos) return false;
  std::size_t first = last;
  for (int depth = 1; depth > 0 && first > 0;) {
    --first;
    depth += text[first] == ')' ? 1 : text[first] == '(' ? -1 : 0;
  }
  const auto types = launch::split_at_commas(text.substr(first + 1, last - first - 1));
  return parameter < types.size() && trim(types[parameter]).ends_with('*');
}

void require_fitting(const launch::ParsedLaunch& launch, const ptx::Function& function) {
  const auto& parameters = function.parameters;
  if (parameters.size() != launch.arguments.size())
    throw std::invalid_argument(fmt::format("{} takes {} parameters, but the launch has {}",
                                            launch.kernel, parameters.size(),
                                            launch.arguments.size()));
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const launch::ParsedArgument& argument = launch.arguments[i];
    const bool is_array = argument.buffer || !argument.array.empty();
    if (!argument.number.empty() && argument.number != "0" &&
        is_pointer(std::string(function.name), i))
      throw std::invalid_argument(fmt::format(
          "argument {} is {}, but parameter {} of {} is a pointer: write an array, such as "
          "f32[1024]:random",
          i + 1, argument.number, i + 1, launch.kernel));
    const std::uint64_t size = is_array ? 8 : bytes_of(argument, parameters[i]).size();
    if (size != parameters[i].size_bytes)
      throw std::invalid_argument(
          fmt::format("argument {} has {} bytes, but parameter {} of {} has {}", i + 1, size, i + 1,
                      launch.kernel, parameters[i].size_bytes));
    if (is_of_another_kind(argument, parameters[i]))
      throw std::invalid_argument(fmt::format("argument {} is {}, but parameter {} of {} is {}",
                                              i + 1, is_array ? "an array" : argument.type, i + 1,
                                              launch.kernel, kind_of(parameters[i])));
  }
}

/// The arrays of all launches, by name.
class Arrays {
 public:
  Arrays(const ProfileRequest& request, const std::string& source)
      : request_(request), source_(source) {}

  LaunchSetup setup_of(const launch::ParsedLaunch& launch, const ptx::Function& function) {
    LaunchSetup setup;
    setup.launch = {.kernel = launch.kernel,
                    .grid = launch.grid,
                    .block = launch.block,
                    .dynamic_shared_bytes = launch.dynamic_shared_bytes};
    const std::string base = compile::base_name(launch.kernel);
    const auto names = compile::kernel_head(compile::Tokens(source_), base).parameters;
    std::map<std::string, launch::BufferRef> here;
    for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
      const launch::ParsedArgument& argument = launch.arguments[i];
      if (!argument.buffer && argument.array.empty()) {
        setup.launch.arguments.emplace_back(bytes_of(argument, function.parameters[i]));
        continue;
      }
      std::string name = argument.array;
      if (argument.buffer) name = make(argument, i < names.size() ? names[i] : "", base, i);
      const auto at = arrays_.find(name);
      if (at == arrays_.end())
        throw std::invalid_argument(fmt::format(
            "'{}' names no array: one is made by an earlier argument, such as {}=f32[1024]:random",
            name, name));
      const auto [used, is_first] = here.try_emplace(name);
      if (is_first) {
        setup.add_buffer(at->second);
        used->second = std::get<launch::BufferRef>(setup.launch.arguments.back());
      } else {
        setup.launch.arguments.emplace_back(used->second);
      }
    }
    before_ += launch.arguments.size();
    return setup;
  }

  /// What a launch has left in them.
  void take(const LaunchSetup& setup, const device::Outcome& outcome) {
    for (const device::Output& output : outcome.outputs) {
      launch::Buffer& array = arrays_.at(setup.buffers.at(output.buffer).name);
      if (!output.undefined.empty() && std::ranges::count(output.undefined, 0) == 0) continue;
      array.fill = launch::Fill::given;
      array.data = output.bytes;
    }
  }
  const std::map<std::string, launch::Buffer>& all() const { return arrays_; }

 private:
  std::string make(const launch::ParsedArgument& argument, std::string_view parameter,
                   const std::string& kernel, std::size_t i) {
    launch::Buffer buffer = array_of(argument);
    if (buffer.name.empty()) buffer.name = parameter;
    if (buffer.name.empty()) buffer.name = fmt::format("argument {}", i + 1);
    buffer.seed = request_.seed + before_ + i;  // two random arrays differ
    if (request_.check) buffer.padding = compile::padding_of_pointed(source_, kernel, i);
    // Without another launch nobody needs what is left in it.
    buffer.is_output = request_.launches.size() > 1 || request_.wanted_arrays.contains(buffer.name);
    std::string name = buffer.name;
    arrays_.insert_or_assign(name, std::move(buffer));
    return name;
  }

  const ProfileRequest& request_;
  const std::string& source_;
  std::map<std::string, launch::Buffer> arrays_;
  std::size_t before_ = 0;  ///< arguments of earlier launches
};

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
  if (!is_compiled && request.whole_programs && submission.verdict.kind == "compile_error") {
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
