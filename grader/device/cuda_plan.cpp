#include "device/cuda_plan.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "ptx/module.h"

namespace labkit::device::cuda {
namespace {

[[noreturn]] void plan_error(const launch::Launch& launch, const std::string& what) {
  throw Error("the plan for " + launch.kernel + " is wrong: " + what,
              "report this: it is a fault of the kit");
}

[[noreturn]] void fail(const std::string& what) {
  throw Error(what + ": " + std::strerror(errno),
              "Use smaller inputs, or a machine with more memory.");
}

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

void add_arguments(const Plan& plan, const launch::Launch& launch, LaunchSpec& spec) {
  for (const launch::Argument& argument : launch.arguments) {
    ArgumentSpec& to = spec.arguments.emplace_back();
    if (const auto* ref = std::get_if<launch::BufferRef>(&argument)) {
      if (ref->index >= plan.buffers.size())
        plan_error(launch, "there is no buffer " + std::to_string(ref->index));
      if (ref->offset_bytes > plan.buffers[ref->index].size_in_bytes())
        plan_error(launch, "an offset lies beyond buffer " + plan.buffers[ref->index].name);
      to.buffer = ref->index;
      to.offset_bytes = ref->offset_bytes;
      spec.buffers.push_back(ref->index);
    } else {
      const auto& bytes = std::get<std::vector<std::byte>>(argument);
      to.bytes.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
  }
  std::sort(spec.buffers.begin(), spec.buffers.end());
  spec.buffers.erase(std::unique(spec.buffers.begin(), spec.buffers.end()), spec.buffers.end());
}

void check_arguments(const launch::Launch& launch, const ModuleFacts& facts) {
  if (!facts.known) return;
  const auto entry = facts.parameter_bytes.find(launch.entry);
  if (entry == facts.parameter_bytes.end()) plan_error(launch, "there is no entry " + launch.entry);
  if (entry->second.size() != launch.arguments.size())
    plan_error(launch, launch.kernel + " takes " + std::to_string(entry->second.size()) +
                           " parameters, the launch gives " +
                           std::to_string(launch.arguments.size()));
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
    const auto* bytes = std::get_if<std::vector<std::byte>>(&launch.arguments[i]);
    const std::uint64_t size = bytes ? bytes->size() : sizeof(std::uint64_t);
    if (size != entry->second[i])
      plan_error(launch, "argument " + std::to_string(i + 1) + " of " + launch.kernel + " has " +
                             std::to_string(size) + " bytes, the parameter " +
                             std::to_string(entry->second[i]));
  }
}

void check_copy(const launch::Launch& launch, const LaunchSpec& spec, const Request& request) {
  if (spec.arguments.size() < 2 || spec.arguments[0].buffer < 0 || spec.arguments[1].buffer < 0)
    plan_error(launch, "the driver's copy takes two buffers");
  const auto rest = [&](const ArgumentSpec& argument) {
    return request.buffers[static_cast<std::size_t>(argument.buffer)].bytes - argument.offset_bytes;
  };
  if (rest(spec.arguments[0]) != rest(spec.arguments[1]))
    plan_error(launch, "the driver's copy takes two buffers that are equally large");
}

}  // namespace

SharedMemory::SharedMemory() : fd_(::memfd_create("labkit-plan", MFD_CLOEXEC)) {
  if (fd_ < 0) fail("cannot make a file in memory");
}

SharedMemory::~SharedMemory() {
  unmap();
  ::close(fd_);
}

void SharedMemory::unmap() {
  if (data_ != nullptr) ::munmap(data_, bytes_);
  data_ = nullptr;
}

void SharedMemory::resize(std::uint64_t bytes) {
  unmap();
  bytes_ = bytes;
  if (::ftruncate(fd_, 0) != 0 || ::ftruncate(fd_, static_cast<off_t>(bytes)) != 0)
    fail("cannot make a file in memory of " + std::to_string(bytes >> 20) + " MiB");
  if (bytes == 0) return;
  void* at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
  if (at == MAP_FAILED) fail("cannot map " + std::to_string(bytes >> 20) + " MiB of memory");
  data_ = static_cast<std::byte*>(at);
}

std::vector<std::byte> SharedMemory::take(std::uint64_t at, std::uint64_t bytes) {
  std::vector<std::byte> taken(data_ + at, data_ + at + bytes);
  // Large outputs would lie in memory twice otherwise; if the system will not, they do.
  if (bytes > 0)
    ::fallocate(fd_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(at),
                static_cast<off_t>(whole_pages(bytes)));
  return taken;
}

ModuleFacts facts_of(const Module& module) {
  ModuleFacts facts;
  const ptx::ParseResult read = module.parsed ? ptx::ParseResult{} : ptx::parse(module.ptx);
  const ptx::Module* parsed = module.parsed ? module.parsed.get()
                              : read.module ? &*read.module
                                            : nullptr;
  if (parsed == nullptr) return facts;
  facts.known = true;
  for (const ptx::Variable& variable : parsed->variables)
    if (variable.space == ptx::Space::global && !variable.is_extern && variable.size_bytes > 0 &&
        !is_literal(variable.name))
      facts.variables.emplace_back(variable.name);
  for (const ptx::Function& function : parsed->functions) {
    if (!function.is_entry) continue;
    auto& sizes = facts.parameter_bytes[std::string(function.name)];
    for (const ptx::Parameter& parameter : function.parameters)
      sizes.push_back(parameter.size_bytes);
  }
  return facts;
}

Request request_of(const Plan& plan, std::span<const ModuleFacts> facts,
                   std::uint64_t& shared_bytes) {
  Request request;
  std::uint64_t end = kPageBytes;
  for (std::size_t i = 0; i < plan.modules.size(); ++i)
    request.modules.push_back({.name = plan.modules[i].name,
                               .ptx = plan.modules[i].ptx,
                               .cubin = plan.modules[i].cubin,
                               .variables = facts[i].variables,
                               .reload = !facts[i].known});
  for (const launch::Buffer& buffer : plan.buffers)
    request.buffers.push_back(buffer_spec(buffer, end));
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
    add_arguments(plan, launch, spec);
    if (spec.driver_copy)
      check_copy(launch, spec, request);
    else
      check_arguments(launch, facts[planned.module]);
    for (const std::uint32_t buffer : spec.buffers)
      if (request.buffers[buffer].output)
        spec.set_bytes += whole_pages(request.buffers[buffer].bytes);
    spec.outputs_at = end;
    end += spec.set_bytes * (planned.want_time ? 1 + kMostOtherOutputs : 1);
    request.launches.push_back(std::move(spec));
  }
  std::vector<bool> used(plan.buffers.size());
  for (const LaunchSpec& launch : request.launches)
    for (const std::uint32_t buffer : launch.buffers) used[buffer] = true;
  for (std::size_t i = 0; i < used.size(); ++i)
    if (!used[i]) request.buffers[i].contents_at = -1;
  request.repetition = plan.repetition;
  shared_bytes = end;
  return request;
}

void fill(const Plan& plan, const Request& request, SharedMemory& memory) {
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    if (request.buffers[i].contents_at < 0 || request.buffers[i].bytes == 0) continue;
    const auto copy = [&](const std::vector<std::byte>& bytes) {
      if (bytes.size() != request.buffers[i].bytes)
        throw Error("buffer " + plan.buffers[i].name + " has " + std::to_string(bytes.size()) +
                        " bytes of contents, but " + std::to_string(request.buffers[i].bytes) +
                        " bytes",
                    "report this: it is a fault of the kit");
      std::memcpy(memory.data() + request.buffers[i].contents_at, bytes.data(), bytes.size());
    };
    if (plan.buffers[i].fill == launch::Fill::given)
      copy(plan.buffers[i].given());
    else
      copy(launch::initial_contents(plan.buffers[i]));
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
