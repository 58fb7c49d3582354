#include "measure/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/error.h"
#include "base/files.h"
#include "compile/compile.h"
#include "measure/policy.h"
#include "ptx/module.h"

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
  }
}

device::Plan plan_of(const ProfileRequest& request, const compile::Result& compiled,
                     const device::Repetition& repetition) {
  device::Plan plan;
  plan.modules = {{.name = request.file.filename().string(), .ptx = compiled.ptx}};
  plan.repetition = repetition;
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
                           .want_time = true,
                           .thread_instruction_budget = request.thread_instruction_budget});
  return plan;
}

}  // namespace

bool Profile::failed() const {
  return !refusal.empty() || std::any_of(outcome.findings.begin(), outcome.findings.end(),
                                         [](const launch::Finding& f) {
                                           return f.severity == launch::Severity::error;
                                         });
}

Profile profile(device::Device& device, const ProfileRequest& request) {
  Profile result;
  result.file = request.file.string();
  result.kernel = request.kernel;
  result.grid = request.grid;
  result.block = request.block;
  result.dynamic_shared_bytes = request.dynamic_shared_bytes;
  result.device = device.describe();

  compile::Request compile_request;
  std::error_code unknown;  // what cannot be asked for its size is told by read_file
  if (std::filesystem::is_regular_file(request.file, unknown) &&
      std::filesystem::file_size(request.file, unknown) > kMaxSourceBytes && !unknown) {
    result.refusal = refusal_name(compile::Status::limit);
    result.message = fmt::format("{} is larger than {} MiB. Is it the right file?",
                                 request.file.filename().string(), kMaxSourceBytes >> 20);
    return result;
  }
  compile_request.source = read_file(request.file, kMaxSourceBytes);
  compile_request.name = request.file.filename().string();
  compile_request.kernels = {request.kernel};
  const compile::Result compiled =
      request.cache_directory.empty()
          ? compile::compile(compile_request)
          : compile::compile_cached(compile_request, request.cache_directory.string());
  result.compiler = compiled.compiler;
  result.compile_log = compiled.log;
  result.notes = compiled.notes;
  result.refusal = refusal_name(compiled.status);
  result.message = compiled.message;
  if (!result.refusal.empty()) return result;

  const ptx::ParseResult parsed = ptx::parse(compiled.ptx);
  if (!parsed.module) {
    result.refusal = "unsupported";
    result.message = fmt::format("{} (PTX line {})", parsed.error.message, parsed.error.ptx_line);
    return result;
  }
  const std::string& entry = compiled.entries.at(request.kernel);
  const ptx::Function* function = parsed.module->find_function(entry);
  if (!function)
    throw Error("the PTX has no entry " + entry, "report this: it is a fault of the kit");
  require_fitting(request, *function);

  const device::Plan plan = plan_of(request, compiled, default_policy(result.device).repetition);
  result.outcome.findings = device.refusals(plan.modules[0], entry);
  if (!result.outcome.findings.empty()) return result;
  result.outcome = std::move(device.run(plan).at(0));
  return result;
}

}  // namespace labkit::measure
