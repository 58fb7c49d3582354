// A launch: refused, left out, or simulated, and what comes of it.
#include <cxxabi.h>

#include <cstdlib>
#include <utility>

#include "base/text.h"
#include "compile/outline.h"
#include "grade/parameter_types.h"
#include "grade/slowness.h"
#include "program/session_parts.h"

namespace labkit::program {
namespace {

using words::Id;

/// Of Session::changes_: more than there are.
constexpr std::uint64_t kNever = ~std::uint64_t{0};

/// Atomic functions and fences of the whole system, or volatile accesses: the host may look on while it runs.
bool is_with_host(const simt::Program& program) {
  return std::ranges::any_of(simt::instructions(program), [](const simt::InstructionFacts& one) {
    const ptx::Instruction& text = one.text();
    return text.has("sys") || (text.has("volatile") && !text.has("shared"));
  });
}

/// Whether a kernel uses what is copied to the device in another stream.
class UploadWatch final : public simt::ObserverFactory {
 public:
  explicit UploadWatch(std::vector<Stretch> uploads) : uploads_(std::move(uploads)) {}
  bool is_empty() const { return uploads_.empty(); }
  std::uint64_t first_used() const { return first_; }
  std::unique_ptr<simt::Observer> make() override { return std::make_unique<Watch>(uploads_); }
  void collect(simt::Observer& observer, const simt::Executions&) override {
    first_ = std::min(first_, static_cast<Watch&>(observer).first);
  }

 private:
  struct Watch final : simt::Observer {
    explicit Watch(const std::vector<Stretch>& all) : uploads(all) {}
    void on_access(const simt::Access& access) override {
      if (access.space != ptx::Space::global) return;
      for (std::uint64_t u = 0; u < std::min<std::uint64_t>(first, uploads.size()); ++u)
        for (unsigned lane = 0; lane < 32; ++lane)
          if ((access.active >> lane & 1) != 0 &&
              access.addresses[lane] - uploads[u].address < uploads[u].bytes)
            first = u;
    }
    const std::vector<Stretch>& uploads;
    std::uint64_t first = ~std::uint64_t{0};
  };
  std::vector<Stretch> uploads_;
  std::uint64_t first_ = ~std::uint64_t{0};
};

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

std::vector<LaunchArgument> Session::name_arguments(const std::string& kernel,
                                                    std::span<const std::byte> parameters,
                                                    const simt::Program& program) {
  memory_.forget_names();
  const compile::Tokens tokens(options_.source, compile::Tokens::Keep::code);
  const compile::KernelHead head = compile::kernel_head(tokens, compile::base_name(kernel));
  std::vector<LaunchArgument> arguments;
  const auto& facts = simt::facts(program);
  for (std::size_t i = 0; i < facts.parameters.size(); ++i) {
    const ptx::Parameter& place = facts.parameters[i];
    LaunchArgument one{.name = i < head.parameters.size() ? std::string(head.parameters[i]) : "",
                       .type = grade::parameter_type(facts.entry, i),
                       .bytes = static_cast<std::uint32_t>(place.size_bytes)};
    if (one.bytes == sizeof(std::uint64_t))
      one.value = read<std::uint64_t>(parameters, place.offset_bytes);
    else if (one.bytes == sizeof(std::uint32_t))
      one.value = read<std::uint32_t>(parameters, place.offset_bytes);
    if (one.bytes == sizeof(std::uint64_t) && !one.name.empty())
      memory_.set_name(one.value, one.name);
    arguments.push_back(std::move(one));
  }
  return arguments;
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
  const std::uint64_t shared =
      simt::facts(*kernel->program).static_shared_bytes + wanted.dynamic_shared_bytes;
  if (shared > gpu_.shared_bytes_per_block_max)
    return refuse(kernel_name(entry),
                  {{Id::launch_shared,
                    {{"bytes", words::count(shared)},
                     {"most", words::count(gpu_.shared_bytes_per_block_max)}}}},
                  {Id::launch_fix_shared}, kInvalidValue);
  if (wanted.dynamic_shared_bytes > wanted.most_dynamic_shared_bytes)
    return refuse(kernel_name(entry),
                  {{Id::program_dynamic_shared,
                    {{"bytes", words::count(wanted.dynamic_shared_bytes)},
                     {"most", words::count(wanted.most_dynamic_shared_bytes)}}}},
                  {Id::program_fix_dynamic_shared}, kInvalidValue);
  last_launch_ = wanted.caller;

  const std::uint64_t number = report_.launch_count + 1;
  const std::string name = kernel_name(entry);
  const bool observed =
      number >= options_.first_launch && number <= options_.last_launch &&
      (options_.kernel.empty() || name.find(options_.kernel) != std::string::npos);
  const auto what_is_launched = request.subspan(sizeof wanted.caller);  // wherever that is
  const bool is_again = repeatable_ && std::ranges::equal(repeatable_->request, what_is_launched);
  if (is_again && repeatable_->changes == changes_ && repeatable_->observed == observed &&
      repeatable_->shared ==
          memory_.checksum_of_shared()) {  // it would find what it found, and leave it as it is
    const std::lock_guard lock(report_mutex_);
    LaunchRow& row = report_.launches[repeatable_->row];
    ++row.count;
    ++report_.launch_count;
    row.time_us += repeatable_->time_us;
    report_.kernel_time_us += repeatable_->time_us;
    Response response;
    append(response.bytes, repeatable_->reply);
    return response;
  }

  const simt::Program& program = *kernel->program;
  const simt::ProgramFacts& facts = simt::facts(program);
  LaunchRow row{.kernel = name,
                .entry = entry,
                .grid = {grid[0], grid[1], grid[2]},
                .block = {block[0], block[1], block[2]},
                .caller = wanted.caller,
                .dynamic_shared_bytes = wanted.dynamic_shared_bytes,
                .observed = observed};
  const launch::Launch what{
      .kernel = row.kernel,
      .entry = entry,
      .grid = row.grid,
      .block = row.block,
      .dynamic_shared_bytes = static_cast<std::uint32_t>(wanted.dynamic_shared_bytes)};
  memory_.variables_of(*module->parsed);
  if (facts.uses_heap) memory_.make_heap();
  last_arguments_ = name_arguments(row.kernel, parameters, program);

  if (options_.check) mark_padding(entry, row.kernel);
  const bool model = options_.model && observed, check = options_.check && observed;
  // the second time it is seen whether it changes anything
  const bool in_copy = model || check || (is_again && !repeatable_->changes_memory);
  std::vector<std::unique_ptr<DeviceMemory::View>> views;  // until the launch is over
  const auto fresh = [&] {
    views.push_back(memory_.view(*module->parsed, in_copy));
    return std::move(views.back()->memory());
  };
  if (options_.check) check_fill(row.kernel);
  std::vector<Stretch> uploads;
  for (std::uint64_t u = 0; u < wanted.uploads; ++u)
    uploads.push_back(read<Stretch>(
        request, sizeof wanted + wanted.name_bytes + wanted.parameter_bytes + u * sizeof(Stretch)));
  UploadWatch upload_watch(std::move(uploads));
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
                                    .also = upload_watch.is_empty() ? nullptr : &upload_watch,
                                    .budget = options_.budget,
                                    .budget_is_of_each_block = true,
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
  DeviceMemory::Committed committed{.has_changes = true};
  if (outcome.completed && in_copy) committed = memory_.commit(views, memory);
  if (committed.has_changes) ++changes_;
  for (const Stretch& one : committed.changed)
    memory_.set_writer(one.address, row.kernel, wanted.caller);
  has_output_ |= !committed.changed.empty();
  is_seen_elsewhere_ |= !outcome.printed.empty() || facts.uses_images;
  // nobody knows what it wrote, or would have
  if (options_.check && (!check || !outcome.completed)) memory_.mark_all_written();
  if (outcome.printed.size() >= simt::kMostPrinted)
    note({"prints_lost",
          {{Id::program_prints_lost,
            {{"kernel", row.kernel}, {"bytes", words::count(simt::kMostPrinted)}}}},
          {},
          false});

  LaunchReply reply{
      .seconds = outcome.prediction ? 1e-6 * outcome.prediction->time_us : gpu_.launch_seconds,
      .fault = outcome.completed ? kSuccess : fault_of(outcome.findings),
      .printed_bytes = static_cast<std::uint32_t>(outcome.printed.size()),
      .is_with_host = is_with_host(program) ? 1u : 0u,
      .stretches = committed.changed.size(),
      .upload = upload_watch.first_used()};
  if (launch::has_kind(outcome.findings, launch::FindingKind::uninitialized))
    memory_.mark_stored_written();
  for (launch::Finding& finding : outcome.findings) {
    if (finding.kind == launch::FindingKind::budget)
      finding.evidence.push_back(
          {Id::budget_raise, {{"budget", std::to_string(4 * options_.budget)}}});
    describe_memory(finding, {.memory = memory_,
                              .lines = lines_,
                              .arguments = last_arguments_,
                              .launched = wanted.caller,
                              .threads = blocks * threads,
                              .source = options_.source});
    if (finding.cause == launch::Cause::out_of_bounds_small_allocation)
      forget_copies_into(finding.other);
  }
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
  const double time_us = row.time_us;
  const std::size_t at = last_row_ = add_row(std::move(row));
  if (reply.fault != kSuccess || !printed.empty())
    repeatable_.reset();
  else
    repeatable_ = std::make_unique<Repeatable>(Repeatable{
        .request = {what_is_launched.begin(), what_is_launched.end()},
        .changes = committed.has_changes ? kNever : changes_,
        .shared = committed.has_changes ? 0 : memory_.checksum_of_shared(),
        .changes_memory = in_copy ? committed.has_changes : is_again && repeatable_->changes_memory,
        .observed = observed,
        .row = at,
        .reply = reply,
        .time_us = time_us});
  Response response;
  append(response.bytes, reply);
  for (const Stretch& one : committed.changed) append(response.bytes, one);
  const auto text = std::as_bytes(std::span(printed));
  response.bytes.insert(response.bytes.end(), text.begin(), text.end());
  return response;
}

}  // namespace labkit::program
