#include <algorithm>
#include <iterator>
#include <set>

#include "base/error.h"
#include "device/cuda_worker.h"
#include "device/plan.h"

namespace labkit::device::cuda {
namespace {

/// Text of string literals and of assert(): they are variables to PTX, but none that a kernel sets.
bool is_literal(std::string_view name) {
  return name.starts_with("$str") || name.starts_with("__unnamed_");
}

BufferSpec buffer_spec(const launch::Buffer& buffer, std::uint64_t& end) {
  BufferSpec spec;
  spec.bytes = buffer.size_in_bytes();
  spec.output = buffer.is_output;
  if (buffer.fill == launch::Fill::poison) {
    spec.fill = static_cast<std::uint32_t>(launch::kPoison);
  } else if (buffer.fill != launch::Fill::zero) {
    spec.contents_at = static_cast<std::int64_t>(end);
    // A page more, so that the worker may read past the last byte up to a whole word.
    end += whole_pages(spec.bytes + sizeof(std::uint32_t));
  }
  return spec;
}

ArgumentSpec argument_spec(const launch::Argument& argument) {
  ArgumentSpec spec;
  if (const auto* ref = std::get_if<launch::BufferRef>(&argument)) {
    spec.buffer = ref->index;
    spec.offset_bytes = ref->offset_bytes;
  } else {
    const auto& bytes = std::get<std::vector<std::byte>>(argument);
    spec.bytes.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return spec;
}

/// Null: it cannot be read.
std::shared_ptr<const ptx::Module> parsed(const Module& module) {
  if (module.parsed) return module.parsed;
  ptx::ParseResult read = ptx::parse(module.ptx);
  return read.module ? std::make_shared<const ptx::Module>(std::move(*read.module)) : nullptr;
}

/// Of the module's .global variables those that a kernel may set.
std::vector<std::string> variables_of(const ptx::Module& module) {
  std::vector<std::string> names;
  for (const ptx::Variable& variable : module.variables)
    if (variable.space == ptx::Space::global && !variable.is_extern && variable.size_bytes > 0 &&
        !is_literal(variable.name))
      names.emplace_back(variable.name);
  return names;
}

void check_arguments(const launch::Launch& launch, const ptx::Module& module) {
  const ptx::Function* const entry = module.find_function(launch.entry);
  if (!entry || !entry->is_entry) plan_error(launch, "there is no entry " + launch.entry);
  require_sizes(launch, entry->parameters);
}

void check_copy(const launch::Launch& launch, const LaunchSpec& spec, const Request& request) {
  if (spec.arguments.size() < 2 || spec.arguments[0].buffer < 0 || spec.arguments[1].buffer < 0)
    plan_error(launch, "the driver's copy takes two buffers");
  const auto rest = [&](const ArgumentSpec& argument) {
    return request.buffers[argument.buffer].bytes - argument.offset_bytes;
  };
  if (rest(spec.arguments[0]) != rest(spec.arguments[1]))
    plan_error(launch, "the driver's copy takes two buffers that are equally large");
}

}  // namespace

Request request_of(const Plan& plan, std::uint64_t& shared_bytes) {
  Request request;
  std::uint64_t end = kPageBytes;
  std::vector<std::shared_ptr<const ptx::Module>> modules;
  for (const Module& module : plan.modules) {
    const auto& known = modules.emplace_back(parsed(module));
    request.modules.push_back(
        {.name = module.name,
         .ptx = module.ptx,
         .cubin = module.cubin,
         .variables = known ? variables_of(*known) : std::vector<std::string>{},
         .reload = !known});
  }
  for (const launch::Buffer& buffer : plan.buffers)
    request.buffers.push_back(buffer_spec(buffer, end));
  std::set<std::uint32_t> used;
  for (std::size_t i = 0; i < plan.launches.size(); ++i) {
    const PlannedLaunch& planned = plan.launches[i];
    const launch::Launch& launch = planned.launch;
    LaunchSpec spec;
    spec.index = static_cast<std::uint32_t>(i);
    spec.driver_copy = planned.kind == PlannedLaunch::Kind::driver_copy;
    spec.timed = planned.want_time;
    spec.module = planned.module;
    spec.kernel = spec.driver_copy ? "the driver's copy" : launch.kernel;
    spec.entry = launch.entry;
    spec.grid = {launch.grid.x, launch.grid.y, launch.grid.z};
    spec.block = {launch.block.x, launch.block.y, launch.block.z};
    spec.dynamic_shared_bytes = launch.dynamic_shared_bytes;
    spec.wall_seconds = planned.wall_seconds > 0 ? planned.wall_seconds : kDefaultWallSeconds;
    if (!spec.driver_copy && planned.module >= plan.modules.size())
      plan_error(launch, "there is no module " + std::to_string(planned.module));
    if (planned.part_of != 1) plan_error(launch, "a GPU runs launches whole, not a part of one");
    spec.buffers = buffers_of(plan, launch);
    std::ranges::transform(launch.arguments, std::back_inserter(spec.arguments), argument_spec);
    if (spec.driver_copy)
      check_copy(launch, spec, request);
    else if (const auto& known = modules[planned.module])
      check_arguments(launch, *known);
    for (const std::uint32_t buffer : spec.buffers)
      if (request.buffers[buffer].output)
        spec.set_bytes += whole_pages(request.buffers[buffer].bytes);
    spec.outputs_at = end;
    end += spec.set_bytes * (planned.want_time ? 1 + kMostOtherOutputs : 1);
    used.insert(spec.buffers.begin(), spec.buffers.end());
    request.launches.push_back(std::move(spec));
  }
  for (std::uint32_t i = 0; i < request.buffers.size(); ++i)
    if (!used.contains(i)) request.buffers[i].contents_at = -1;
  request.repetition = plan.repetition;
  shared_bytes = end;
  return request;
}

void fill(const Plan& plan, const Request& request, SharedMemory& memory) {
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    const launch::Buffer& buffer = plan.buffers[i];
    const BufferSpec& spec = request.buffers[i];
    if (spec.contents_at < 0 || spec.bytes == 0) continue;
    const auto copy = [&](const std::vector<std::byte>& bytes) {
      if (bytes.size() != spec.bytes)
        throw Error("buffer " + buffer.name + " has " + std::to_string(bytes.size()) +
                        " bytes of contents, but " + std::to_string(spec.bytes) + " bytes",
                    "report this: it is a fault of the kit");
      std::ranges::copy(bytes, memory.data() + spec.contents_at);
    };
    if (buffer.fill == launch::Fill::given)
      copy(buffer.given());
    else
      copy(launch::initial_contents(buffer));
  }
}

std::vector<Output> take_outputs(const Request& request, const LaunchSpec& launch,
                                 std::uint32_t set, SharedMemory& memory) {
  std::vector<Output> outputs;
  std::uint64_t at = launch.outputs_at + set * launch.set_bytes;
  for (const std::uint32_t buffer : launch.buffers) {
    if (!request.buffers[buffer].output) continue;
    outputs.push_back({buffer, memory.take(at, request.buffers[buffer].bytes)});
    at += whole_pages(request.buffers[buffer].bytes);
  }
  return outputs;
}

}  // namespace labkit::device::cuda
