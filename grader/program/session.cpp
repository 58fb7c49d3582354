#include "program/session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "program/fat_binary.h"
#include "program/session_parts.h"

namespace labkit::program {
namespace {

using words::Id;

constexpr unsigned kArch = 90;
/// Of the machine's memory the simulated GPU has at most this part: the simulator needs some, too.
constexpr std::uint64_t kShareOfMachine = 2;

std::uint64_t capacity_of(const timing::GpuProfile&) {
  const auto machine = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                       static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return machine / kShareOfMachine;
}

/// "sm_80" -> 80.
std::uint32_t arch_of(const ptx::Module& module) {
  std::uint32_t arch = kArch;
  const auto digits = module.target.find('_');
  if (digits != std::string::npos)
    std::from_chars(module.target.data() + digits + 1, module.target.data() + module.target.size(),
                    arch);
  return arch;
}

}  // namespace

Session::Session(SessionOptions options)
    : options_(std::move(options)),
      gpu_(timing::find_profile(options_.gpu)),
      memory_(capacity_of(gpu_), options_.check),
      lines_(options_.program) {
  report_.gpu = gpu_.name;
  report_.title = gpu_.title;
  report_.source = options_.source;
}
Session::~Session() = default;

Session::Response Session::answer(Op op, std::span<const std::byte> request) {
  caller_ = 0;
  switch (op) {
    case Op::module:
      return add_module(request);
    case Op::kernel:
      return describe_kernel(request);
    case Op::variable:
      return find_variable(request);
    case Op::allocate:
      return allocate(read<AllocateRequest>(request));
    case Op::release: {
      ++changes_;
      const auto freed = read<ReleaseRequest>(request);
      const bool is_there = memory_.release(freed.address, report_.launch_count, freed.caller);
      return {.error = is_there ? kSuccess : kInvalidValue};
    }
    case Op::image: {
      ++changes_;
      Response response;
      append(response.bytes, ImageReply{memory_.add_image(read<ImageRequest>(request).image)});
      return response;
    }
    case Op::no_image:
      ++changes_;
      return {.error = memory_.remove_image(read<ImageReply>(request).handle) ? kSuccess
                                                                              : kInvalidValue};
    case Op::written: {
      const auto written = read<WrittenRequest>(request);
      const std::string function = text_of(request.subspan(sizeof written, written.name_bytes));
      memory_.mark_written(written.address, written.bytes, written.caller, written.value);
      check_size(written.address, written.bytes, written.caller, function);
      if (written.from != 0) check_host_array(written.bytes, written.caller, function, false);
      ++changes_;
      return {.is_wanted = false};
    }
    case Op::moved: {
      const auto copy = read<MovedRequest>(request);
      copied_from_device(copy, text_of(request.subspan(sizeof copy, copy.name_bytes)));
      return {.is_wanted = false};
    }
    case Op::launch:
      return launch(request);
    case Op::heap:
      return {.error = memory_.set_heap_bytes(read<HeapRequest>(request).bytes) ? kSuccess
                                                                                : kInvalidValue};
    case Op::device:
      return describe_device();
    case Op::copied:
      add_copy(read<CopiedRequest>(request));
      return {.is_wanted = false};
    case Op::incident: {
      const auto one = read<IncidentRequest>(request);
      add_incident(one, text_of(request.subspan(sizeof one, one.name_bytes)));
      return {.is_wanted = false};
    }
  }
  throw Error("the program's runtime asked for what there is not", "", error_id::kBug);
}

Session::Response Session::add_module(std::span<const std::byte> fat_binary) {
  auto module = std::make_unique<Module>();
  module->fat_binary.assign(fat_binary.begin(), fat_binary.end());
  modules_.push_back(std::move(module));
  Response response;
  append(response.bytes, ModuleReply{static_cast<std::uint32_t>(modules_.size())});
  return response;
}

Session::Module* Session::module(std::uint32_t number) {
  if (number == 0 || number > modules_.size()) return nullptr;
  Module& module = *modules_[number - 1];
  if (module.parsed || module.fat_binary.empty()) return &module;
  auto text = ptx_of(module.fat_binary, kArch);
  module.fat_binary = {};
  if (!text)
    throw Error(
        "the program holds machine code alone, no PTX, which the simulator needs",
        "compile it with: nvcc -cudart shared -lineinfo -gencode arch=compute_80,code=compute_80");
  module.ptx = std::move(*text);
  ptx::ParseResult read = ptx::parse(module.ptx);
  if (!read.module)
    throw Error(fmt::format("the program's PTX cannot be read: {} (PTX line {})",
                            read.error.message, read.error.ptx_line),
                "", error_id::kBug);
  module.parsed = std::make_shared<const ptx::Module>(std::move(*read.module));
  return &module;
}

Session::Response Session::describe_kernel(std::span<const std::byte> request) {
  Module* module = this->module(read<KernelRequest>(request).module);
  const std::string entry = text_of(request.subspan(sizeof(KernelRequest)));
  const simt::DecodeResult* kernel = module == nullptr ? nullptr : module->kernel(entry);
  if (kernel == nullptr) {
    note({"no_kernel",
          {{Id::program_no_kernel, {{"kernel", kernel_name(entry)}}}},
          {Id::program_fix_no_kernel}});
    is_noted_ = true;
    return {.error = kInvalidDeviceFunction};
  }
  if (!kernel->program) {
    add_row({.kernel = kernel_name(entry), .entry = entry, .findings = kernel->refused});
    is_noted_ = true;
    return {.error = kNotSupported};
  }
  const simt::ProgramFacts& facts = simt::facts(*kernel->program);
  KernelReply reply{
      .static_shared_bytes = facts.static_shared_bytes,
      .local_bytes = facts.local_bytes_per_thread,
      .registers =
          (options_.model ? module->registers(facts) : device::registers_of({}, facts)).per_thread,
      .parameters = static_cast<std::uint32_t>(facts.parameters.size()),
      .ptx_arch = arch_of(*module->parsed)};
  if (const std::uint64_t most = std::uint64_t{facts.max_threads[0]} *
                                 std::max(1u, facts.max_threads[1]) *
                                 std::max(1u, facts.max_threads[2]);
      most != 0)
    reply.max_threads = static_cast<std::uint32_t>(std::min<std::uint64_t>(1024, most));
  Response response;
  append(response.bytes, reply);
  for (const ptx::Parameter& parameter : facts.parameters)
    append(response.bytes, ParameterPlace{static_cast<std::uint32_t>(parameter.offset_bytes),
                                          static_cast<std::uint32_t>(parameter.size_bytes)});
  return response;
}

Session::Response Session::find_variable(std::span<const std::byte> request) {
  const Module* module = this->module(read<KernelRequest>(request).module);
  const std::string name = text_of(request.subspan(sizeof(KernelRequest)));
  Response response{.error = kSymbolNotFound};
  if (module == nullptr || !module->parsed) return response;
  for (const DeviceMemory::Variable& variable : memory_.variables_of(*module->parsed))
    if (variable.name == name) {
      response.error = kSuccess;
      append(response.bytes, variable.place);
    }
  return response;
}

Session::Response Session::allocate(const AllocateRequest& request) {
  ++changes_;
  is_seen_elsewhere_ |= request.kind != Kind::device;
  const auto made = memory_.allocate(request.bytes, request.kind, request.caller);
  if (!made) {
    caller_ = request.caller;
    const bool is_large = request.bytes > DeviceMemory::kMostOfOne,
               is_one_too_many = !memory_.free_number();
    note(
        {"no_memory",
         {{is_large          ? Id::program_large_allocation
           : is_one_too_many ? Id::program_many_allocations
                             : Id::program_no_memory,
           {{"bytes", words::count(request.bytes)},
            {"most", words::count(is_large ? DeviceMemory::kMostOfOne : DeviceMemory::kMostPieces)},
            {"free", words::count(memory_.capacity_bytes() - memory_.used_bytes())}}}},
         {Id::program_fix_no_memory},
         false});
    return {.error = kMemoryAllocation};
  }
  Response response;
  append(response.bytes, *made);
  return response;
}

Session::Response Session::describe_device() const {
  DeviceReply reply;
  const std::string name = gpu_.title.substr(0, gpu_.title.find(" ("));
  std::strncpy(reply.name, name.c_str(), sizeof reply.name - 1);
  reply.memory_bytes = memory_.capacity_bytes();
  reply.free_bytes = memory_.capacity_bytes() - memory_.used_bytes();
  reply.l2_bytes = gpu_.l2_bytes;
  reply.shared_bytes_per_sm = gpu_.shared_bytes_per_sm;
  reply.shared_bytes_per_block_max = gpu_.shared_bytes_per_block_max;
  reply.sm_clock_hz = gpu_.sm_clock_hz;
  reply.launch_seconds = gpu_.launch_seconds;
  reply.dram_bytes_per_second = gpu_.dram_bytes_per_second;
  reply.host_link_bytes_per_second = gpu_.host_link_bytes_per_second;
  reply.sm_count = gpu_.sm_count;
  reply.max_threads_per_sm = gpu_.max_threads_per_sm;
  reply.max_blocks_per_sm = gpu_.max_blocks_per_sm;
  reply.registers_per_sm = gpu_.registers_per_sm;
  Response response;
  append(response.bytes, reply);
  return response;
}

}  // namespace labkit::program
