// The simulator as a device: it decodes PTX, refuses what it does not know, and runs the launches of a plan one after another.
#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "device/plan.h"
#include "device/simulated_launch.h"
#include "observe/film_recorder.h"
#include "observe/places.h"
#include "observe/samples_observer.h"
#include "observe/store_watcher.h"
#include "observe/unread.h"
#include "simt/machine.h"

namespace labkit::device {
namespace {

/// The parameter block as the kernel reads it, every argument at its parameter's offset;
/// `addresses` of plan.buffers.
std::vector<std::byte> parameter_block(const launch::Launch& launch,
                                       const std::vector<ptx::Parameter>& parameters,
                                       const std::map<std::uint32_t, std::uint64_t>& addresses) {
  require_sizes(launch, parameters);
  std::uint64_t size = 0;
  for (const ptx::Parameter& parameter : parameters)
    size = std::max(size, parameter.offset_bytes + parameter.size_bytes);
  std::vector<std::byte> block(size);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    std::byte* const to = block.data() + parameters[i].offset_bytes;
    if (const auto* ref = std::get_if<launch::BufferRef>(&launch.arguments[i])) {
      const std::uint64_t address = addresses.at(ref->index) + ref->offset_bytes;
      std::memcpy(to, &address, sizeof address);
    } else {
      std::ranges::copy(std::get<std::vector<std::byte>>(launch.arguments[i]), to);
    }
  }
  return block;
}

/// Every array of the launch, with the element sizes that the plan knows of.
std::vector<observe::NamedRange> ranges_of(
    const Plan& plan, const simt::Program& program, const launch::Launch& launch,
    const simt::Memory& memory, const std::map<std::uint32_t, std::uint64_t>& addresses) {
  std::vector<observe::NamedRange> ranges = observe::named_ranges(program, launch, memory);
  for (const auto& [index, address] : addresses)
    for (observe::NamedRange& range : ranges)
      if (range.space == ptx::Space::global && range.begin == address)
        range.element_bytes = launch::size_bytes(plan.buffers[index].element);
  return ranges;
}

std::vector<observe::KnownRows> known_rows(
    const Plan& plan, const std::map<std::uint32_t, std::uint64_t>& addresses) {
  std::vector<observe::KnownRows> rows;
  for (const auto& [index, address] : addresses)
    if (index < plan.row_elements.size() && plan.row_elements[index] != 0)
      rows.push_back({address, plan.row_elements[index]});
  return rows;
}

}  // namespace

class SimDevice : public Device {
 public:
  explicit SimDevice(const Options& options);
  Description describe() const override;
  std::vector<Outcome> run(const Plan& plan) override;
  std::vector<launch::Finding> refusals(const Module& module, const std::string& entry) override;

 private:
  /// A module and what of it has been decoded; the text lives in the module.
  struct Loaded {
    std::shared_ptr<const ptx::Module> module;
    std::map<std::string, simt::DecodeResult> entries;
    std::uint64_t last_used = 0;
    bool is_given = false;  ///< `module` is another's, too
  };
  /// Of modules that somebody else keeps, decoded: hundreds of edits are tried in one grading.
  static constexpr std::size_t kMostModules = 4;
  void forget_the_oldest();
  simt::DecodeResult& decoded(const Module& module, const std::string& entry);
  Outcome run_one(const Plan& plan, const PlannedLaunch& planned);

  Options options_;
  const timing::GpuProfile& gpu_;
  /// Texts of edits have much in common before they differ, but seldom their length.
  struct ByLength {
    bool operator()(const std::string& a, const std::string& b) const {
      return a.size() != b.size() ? a.size() < b.size() : a < b;
    }
  };
  std::map<std::string, Loaded, ByLength> modules_;  ///< by PTX text
  std::uint64_t uses_ = 0;
};

SimDevice::SimDevice(const Options& options)
    : options_(options), gpu_(timing::find_profile(options.gpu)) {
  const std::vector<std::string> targets = simt::simd_targets();
  if (!options.simd.empty() && std::ranges::count(targets, options.simd) == 0)
    throw Error("this machine cannot run the simulator with SIMD '" + options.simd + "'",
                "it can with: " + joined(targets, " "));
}

Description SimDevice::describe() const {
  return {.name = "sim",
          .gpu = gpu_.name,
          .title = "simulator; times are predicted for " + gpu_.title,
          .deterministic = true};
}

void SimDevice::forget_the_oldest() {
  std::size_t given = 0;
  auto oldest = modules_.end();
  for (auto at = modules_.begin(); at != modules_.end(); ++at) {
    if (!at->second.is_given) continue;
    ++given;
    if (oldest == modules_.end() || at->second.last_used < oldest->second.last_used) oldest = at;
  }
  if (given >= kMostModules) modules_.erase(oldest);
}

simt::DecodeResult& SimDevice::decoded(const Module& module, const std::string& entry) {
  auto found = modules_.find(module.ptx);
  if (found == modules_.end()) {
    forget_the_oldest();
    found = modules_.try_emplace(module.ptx).first;
  }
  Loaded& loaded = found->second;
  loaded.last_used = ++uses_;
  loaded.is_given = module.parsed != nullptr;
  if (!loaded.module) loaded.module = module.parsed;
  if (!loaded.module) {
    ptx::ParseResult read = ptx::parse(module.ptx);
    if (!read.module)
      throw Error(module.name + ": its PTX cannot be read: " + read.error.message + " (PTX line " +
                      std::to_string(read.error.ptx_line) + ")",
                  "report this: it is a fault of the kit");
    loaded.module = std::make_shared<const ptx::Module>(std::move(*read.module));
  }
  const auto at = loaded.entries.find(entry);
  if (at != loaded.entries.end()) return at->second;
  return loaded.entries[entry] =
             simt::decode(*loaded.module, entry, {.merge_shared = options_.merge_shared});
}

std::vector<launch::Finding> SimDevice::refusals(const Module& module, const std::string& entry) {
  return decoded(module, entry).refused;
}

std::vector<Outcome> SimDevice::run(const Plan& plan) {
  std::vector<Outcome> outcomes;
  for (const PlannedLaunch& planned : plan.launches) {
    if (planned.kind != PlannedLaunch::Kind::kernel)
      throw Error("the simulator has no driver whose copy could be timed",
                  "report this: it is a fault of the kit");
    if (planned.module >= plan.modules.size())
      plan_error(planned.launch, "there is no module " + std::to_string(planned.module));
    outcomes.push_back(run_one(plan, planned));
  }
  return outcomes;
}

Outcome SimDevice::run_one(const Plan& plan, const PlannedLaunch& planned) {
  const launch::Launch& launch = planned.launch;
  const Module& module = plan.modules[planned.module];
  const simt::DecodeResult& decoded_entry = decoded(module, launch.entry);
  Outcome outcome;
  if (!decoded_entry.program) {
    outcome.findings = decoded_entry.refused;
    return outcome;
  }
  const simt::Program& program = *decoded_entry.program;
  const simt::ProgramFacts& facts = simt::facts(program);

  const std::vector<std::uint32_t> used = buffers_of(plan, launch);
  std::uint64_t footprint_bytes = 0;
  for (const std::uint32_t index : used) footprint_bytes += plan.buffers[index].size_in_bytes();
  std::map<std::uint32_t, std::uint64_t> addresses;  // the same in each new memory
  auto allocate = [&] {
    simt::Memory made;
    for (const std::uint32_t index : used) {
      const launch::Buffer& buffer = plan.buffers[index];
      addresses[index] = made.allocate(buffer.name, launch::initial_contents(buffer),
                                       buffer.fill != launch::Fill::poison);
      if (!buffer.padding.empty()) made.set_padding(addresses[index], buffer.padding);
    }
    return made;
  };
  simt::Memory memory = allocate();
  const std::vector<std::byte> parameters = parameter_block(launch, facts.parameters, addresses);
  const SimulatedLaunch one = {.program = program,
                               .launch = launch,
                               .parameters = parameters,
                               .fresh = allocate,
                               .counters = planned.want_counters,
                               .time = planned.want_time,
                               .samples = planned.want_samples,
                               .check = planned.check,
                               .check_drawn_blocks = planned.check_drawn_blocks,
                               .part_of = planned.part_of,
                               .budget = planned.thread_instruction_budget,
                               .seed = plan.seed,
                               .footprint_bytes = footprint_bytes,
                               .registers = registers_of(module.assembled, facts),
                               .rows = known_rows(plan, addresses)};
  if (auto refused = without_room(one, gpu_)) {
    outcome.findings.push_back(std::move(*refused));
    return outcome;
  }
  if (!planned.watch_stores.empty()) {
    std::vector<observe::WatchedPlace> watched;
    for (const BytesOf& part : planned.watch_stores)
      watched.push_back({addresses.at(part.buffer) + part.begin, part.bytes});
    observe::StoreWatch watch(std::move(watched));
    const simt::RunOptions in_order{.threads = 1,
                                    .simd = options_.simd,
                                    .thread_instruction_budget = planned.thread_instruction_budget};
    const auto ran = simt::run(program, launch, parameters, memory, &watch, in_order);
    outcome.completed = ran.completed;
    outcome.findings = ran.findings;
    if (ran.completed) outcome.stored = watch.take(observe::Places(program, launch, memory));
    return outcome;
  }

  if (planned.watch_reads) {
    std::vector<observe::NamedRange> arrays;
    for (std::uint32_t index = 0; index < plan.buffers.size(); ++index)
      if (const auto at = addresses.find(index); at == addresses.end())
        arrays.emplace_back();
      else
        arrays.push_back({.name = plan.buffers[index].name,
                          .begin = at->second,
                          .bytes = plan.buffers[index].size_in_bytes()});
    const observe::Places names(program, launch, memory);
    observe::ReadWatch watch(names, arrays);
    const simt::RunOptions in_order{.threads = 1,
                                    .simd = options_.simd,
                                    .thread_instruction_budget = planned.thread_instruction_budget};
    const auto ran = simt::run(program, launch, parameters, memory, &watch, in_order);
    outcome.completed = ran.completed;
    outcome.findings = ran.findings;
    if (ran.completed) outcome.unread = watch.take();
    return outcome;
  }

  if (planned.want_film) {
    const simt::RunOptions how{.simd = options_.simd,
                               .thread_instruction_budget = planned.thread_instruction_budget};
    outcome.film =
        observe::record_film(program, launch, parameters, memory, how,
                             planned.filmed_finding ? &*planned.filmed_finding : nullptr);
    if (outcome.film->stop)
      outcome.film->stop->samples.ranges = ranges_of(plan, program, launch, memory, addresses);
    return outcome;
  }

  outcome = simulate(one, memory, options_, gpu_);
  if (outcome.samples)
    outcome.samples->ranges = ranges_of(plan, program, launch, memory, addresses);
  if (!outcome.completed) return outcome;
  for (const std::uint32_t index : used) {
    if (!plan.buffers[index].is_output) continue;
    const auto defined = memory.defined(addresses.at(index));
    outcome.outputs.push_back(
        {index, memory.take_contents(addresses.at(index)), {defined.begin(), defined.end()}});
    for (std::uint8_t& flag : outcome.outputs.back().undefined)
      flag = flag == simt::Memory::kDefined ? 0 : 1;
  }
  return outcome;
}

std::unique_ptr<Device> make_simulator(const Options& options) {
  return std::make_unique<SimDevice>(options);
}

}  // namespace labkit::device
