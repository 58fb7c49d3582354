#include "program/session.h"

#include <cxxabi.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "base/error.h"
#include "base/text.h"
#include "compile/outline.h"
#include "device/simulated_launch.h"
#include "grade/slowness.h"
#include "program/fat_binary.h"
#include "program/run.h"
#include "ptx/module.h"

namespace labkit::program {
namespace {

using words::Id;

constexpr unsigned kArch = 90;
/// Of the machine's memory the simulated GPU has at most this part: the simulator needs some, too.
constexpr std::uint64_t kShareOfMachine = 2;
/// Half a minute or more on two cores: a kernel that runs on and on.
constexpr std::uint64_t kBudget = 2'000'000'000'000;

std::uint64_t capacity_of(const timing::GpuProfile&) {
  const auto machine = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                       static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return machine / kShareOfMachine;
}

template <typename T>
T read(std::span<const std::byte> bytes, std::size_t at = 0) {
  T value;
  if (at > bytes.size() || bytes.size() - at < sizeof value)
    throw Error("the program's runtime sent a message that is cut short", "", error_id::kBug);
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}
std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
template <typename T>
void append(std::vector<std::byte>& to, const T& value) {
  const auto bytes = std::as_bytes(std::span(&value, 1));
  to.insert(to.end(), bytes.begin(), bytes.end());
}

/// "_Z3addPf" -> "add", "_Z9transposeIfEvPT_" -> "transpose<float>".
std::string kernel_name(const std::string& entry) {
  int status = 0;
  char* text = abi::__cxa_demangle(entry.c_str(), nullptr, nullptr, &status);
  std::string name = status == 0 ? text : entry;
  std::free(text);
  for (const char* unnamed : {"(anonymous namespace)::", "labkit_unnamed::"})
    name = replace_all(std::move(name), unnamed, "");
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    depth += name[i] == '<' ? 1 : name[i] == '>' ? -1 : 0;
    if (depth == 0 && name[i] == ' ') begin = i + 1;  // behind the type that it returns
    if (depth == 0 && name[i] == '(' && i > begin) return name.substr(begin, i - begin);
  }
  return name;
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

std::int32_t fault_of(const std::vector<launch::Finding>& findings) {
  const launch::Finding* first = launch::first_error(findings);
  if (first == nullptr) return kSuccess;
  switch (first->kind) {
    case launch::FindingKind::out_of_bounds:
      return kIllegalAddress;
    case launch::FindingKind::misaligned:
      return kMisalignedAddress;
    case launch::FindingKind::assertion:
      return kAssert;
    case launch::FindingKind::unsupported:
      return kNotSupported;
    default:
      return kLaunchFailure;
  }
}

}  // namespace

struct Session::Module {
  std::vector<std::byte> fat_binary;
  std::string ptx;
  std::shared_ptr<const ptx::Module> parsed;
  std::map<std::string, simt::DecodeResult> kernels, cooperative_kernels;
  std::optional<compile::Assembled> assembled;
  /// Where ptxas is there it counts them, once for the module.
  device::Registers registers(const simt::ProgramFacts& facts) {
    if (!assembled) assembled = assemble(ptx);
    return device::registers_of(*assembled, facts);
  }
  /// `workspace`: of a cooperative launch; 0: it is none.
  const simt::DecodeResult* kernel(const std::string& entry, std::uint64_t workspace = 0) {
    if (!parsed || std::ranges::none_of(parsed->functions, [&](const ptx::Function& one) {
          return one.is_entry && one.name == entry;
        }))
      return nullptr;
    auto& decoded = workspace != 0 ? cooperative_kernels : kernels;
    const auto at = decoded.find(entry);
    if (at != decoded.end()) return &at->second;
    return &(decoded[entry] =
                 simt::decode(*parsed, entry, {.grid_workspace = workspace, .has_heap = true}));
  }
};

struct Session::LaunchKey {
  std::vector<std::byte> request;
  std::uint64_t changes = 0;
  LaunchReply reply;
};

Session::Session(SessionOptions options)
    : options_(std::move(options)),
      gpu_(timing::find_profile(options_.gpu)),
      memory_(capacity_of(gpu_), options_.check) {
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
    case Op::release:
      ++changes_;
      return {.error = memory_.release(read<ReleaseRequest>(request).address, report_.launch_count)
                           ? kSuccess
                           : kInvalidValue};
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
      memory_.mark_written(written.address, written.bytes);
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
  const auto made = memory_.allocate(request.bytes, request.kind);
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

/// Arrays are called as the kernel's parameters.
void Session::name_arguments(const std::string& kernel, std::span<const std::byte> parameters,
                             const simt::Program& program) {
  memory_.forget_names();
  if (options_.source.empty()) return;
  const compile::Tokens tokens(options_.source, compile::Tokens::Keep::code);
  const compile::KernelHead head = compile::kernel_head(tokens, compile::base_name(kernel));
  const auto& places = simt::facts(program).parameters;
  for (std::size_t i = 0; i < std::min(head.parameters.size(), places.size()); ++i)
    if (places[i].size_bytes == sizeof(std::uint64_t))
      memory_.set_name(read<std::uint64_t>(parameters, places[i].offset_bytes),
                       std::string(head.parameters[i]));
}

Session::Response Session::launch(std::span<const std::byte> request) {
  const auto wanted = read<LaunchRequest>(request);
  const std::string entry = text_of(request.subspan(sizeof wanted, wanted.name_bytes));
  const auto parameters =
      request.subspan(sizeof wanted + wanted.name_bytes, wanted.parameter_bytes);
  Module* module = this->module(wanted.module);
  const simt::DecodeResult* kernel =
      module == nullptr
          ? nullptr
          : module->kernel(entry, wanted.cooperative != 0 ? memory_.grid_workspace() : 0);
  if (kernel == nullptr || !kernel->program) return {.error = kInvalidDeviceFunction};
  const auto* grid = wanted.grid;
  const auto* block = wanted.block;
  const std::uint64_t blocks = launch::Dim3{grid[0], grid[1], grid[2]}.count(),
                      threads = launch::Dim3{block[0], block[1], block[2]}.count();
  const std::uint64_t blocks_at_once =
      std::min<std::uint64_t>(
          gpu_.max_blocks_per_sm,
          gpu_.max_threads_per_sm / std::max<std::uint64_t>(32, (threads + 31) / 32 * 32)) *
      gpu_.sm_count;
  if (wanted.cooperative != 0 && blocks_at_once != 0 && blocks > blocks_at_once)
    return refuse(kernel_name(entry),
                  {{Id::program_cooperative_too_large,
                    {{"blocks", words::count(blocks)}, {"most", words::count(blocks_at_once)}}}},
                  {Id::program_fix_cooperative_too_large}, kCooperativeLaunchTooLarge);
  if (wanted.dynamic_shared_bytes > wanted.most_dynamic_shared_bytes)
    return refuse(kernel_name(entry),
                  {{Id::program_dynamic_shared,
                    {{"bytes", words::count(wanted.dynamic_shared_bytes)},
                     {"most", words::count(wanted.most_dynamic_shared_bytes)}}}},
                  {Id::program_fix_dynamic_shared}, kInvalidValue);

  const bool may_repeat = idempotent_ && idempotent_->changes == changes_ &&
                          std::ranges::equal(idempotent_->request, request) &&
                          !memory_.is_shared_with_host();
  if (may_repeat) {  // it would find what it found, and leave it as it is
    const std::lock_guard lock(report_mutex_);
    LaunchRow& last = report_.launches.back();
    ++last.count;
    ++report_.launch_count;
    last.time_us += 1e6 * idempotent_->reply.seconds;
    report_.kernel_time_us += 1e6 * idempotent_->reply.seconds;
    Response response;
    append(response.bytes, idempotent_->reply);
    return response;
  }

  const simt::Program& program = *kernel->program;
  const simt::ProgramFacts& facts = simt::facts(program);
  LaunchRow row{.kernel = kernel_name(entry),
                .entry = entry,
                .grid = {grid[0], grid[1], grid[2]},
                .block = {block[0], block[1], block[2]},
                .dynamic_shared_bytes = wanted.dynamic_shared_bytes};
  const std::uint64_t number = report_.launch_count + 1;
  row.observed = number >= options_.first_launch && number <= options_.last_launch &&
                 (options_.kernel.empty() || row.kernel.find(options_.kernel) != std::string::npos);
  const launch::Launch what{
      .kernel = row.kernel,
      .entry = entry,
      .grid = row.grid,
      .block = row.block,
      .dynamic_shared_bytes = static_cast<std::uint32_t>(wanted.dynamic_shared_bytes)};
  memory_.variables_of(*module->parsed);
  if (facts.uses_heap) memory_.make_heap();
  name_arguments(row.kernel, parameters, program);

  const bool model = options_.model && row.observed, check = options_.check && row.observed;
  std::vector<std::unique_ptr<DeviceMemory::View>> views;  // until the launch is over
  const auto fresh = [&] {
    views.push_back(memory_.view(*module->parsed, model || check));
    return std::move(views.back()->memory());
  };
  const device::Registers registers =
      model ? module->registers(facts) : device::registers_of({}, facts);
  const device::SimulatedLaunch one{.program = program,
                                    .launch = what,
                                    .parameters = parameters,
                                    .fresh = fresh,
                                    .counters = model,
                                    .time = model,
                                    .samples = model,
                                    .check = check,
                                    .budget = kBudget,
                                    .seed = number,
                                    .footprint_bytes = memory_.used_bytes(),
                                    .registers = registers};
  simt::Memory memory = fresh();
  {
    const std::lock_guard lock(report_mutex_);
    under_way_ = UnderWay{number, row.kernel, 0};
    began_ = std::chrono::steady_clock::now();
  }
  device::Outcome outcome =
      device::simulate(one, memory, {.gpu = options_.gpu, .threads = options_.threads}, gpu_);
  if (!outcome.completed && !outcome.findings.empty() &&
      outcome.findings.front().kind == launch::FindingKind::launch) {
    const launch::Finding& why = outcome.findings.front();
    const bool is_shape = launch::has_evidence(why, Id::launch_empty) ||
                          launch::has_evidence(why, Id::launch_large_block) ||
                          launch::has_evidence(why, Id::launch_large_grid);
    {
      const std::lock_guard lock(report_mutex_);
      under_way_.reset();
    }
    return refuse(row.kernel, why.evidence, why.fix,
                  is_shape ? kInvalidConfiguration : kLaunchOutOfResources);
  }
  bool changed = true;
  if (outcome.completed && (model || check)) changed = memory_.commit(views, memory);
  if (changed) ++changes_;
  if (options_.check && !check) memory_.mark_all_written();
  if (outcome.printed.size() >= simt::kMostPrinted)
    note({"prints_lost",
          {{Id::program_prints_lost,
            {{"kernel", row.kernel}, {"bytes", words::count(simt::kMostPrinted)}}}},
          {},
          false});

  LaunchReply reply{
      .seconds = outcome.prediction ? 1e-6 * outcome.prediction->time_us : gpu_.launch_seconds,
      .fault = outcome.completed ? kSuccess : fault_of(outcome.findings),
      .printed_bytes = static_cast<std::uint32_t>(outcome.printed.size())};
  row.completed = outcome.completed;
  row.findings = outcome.findings;
  if (outcome.prediction) row.time_us = outcome.prediction->time_us;
  if (outcome.counters) row.metrics = observe::metrics(*outcome.counters);
  row.uses_images = facts.uses_images;
  if (outcome.counters && !facts.uses_images)
    row.slow = grade::diagnose_slowness(
        {.counters = *outcome.counters,
         .prediction = *outcome.prediction,
         .useful_bytes = 0,
         .registers_per_thread = registers.per_thread,
         .shared_bytes_per_block = facts.static_shared_bytes + wanted.dynamic_shared_bytes},
        "time");
  const std::string printed = std::move(outcome.printed);
  {
    const std::lock_guard lock(report_mutex_);
    under_way_.reset();
    if (outcome.simulation) report_.simulated_seconds += outcome.simulation->wall_seconds;
  }
  row.outcome = std::move(outcome);
  add_row(std::move(row));
  idempotent_.reset();
  if (!changed && reply.fault == kSuccess && printed.empty() && model)
    idempotent_ =
        std::make_unique<LaunchKey>(LaunchKey{{request.begin(), request.end()}, changes_, reply});
  Response response;
  append(response.bytes, reply);
  const auto text = std::as_bytes(std::span(printed));
  response.bytes.insert(response.bytes.end(), text.begin(), text.end());
  return response;
}

}  // namespace labkit::program
