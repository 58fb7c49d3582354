#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "device/plan.h"
#include "observe/checks.h"
#include "observe/counting.h"
#include "observe/findings.h"
#include "observe/places.h"
#include "observe/samples_observer.h"
#include "observe/store_watcher.h"
#include "simt/both_observers.h"
#include "simt/machine.h"
#include "timing/drawn_blocks.h"
#include "timing/locality.h"

namespace labkit::device {
namespace {

/// More blocks in the last of the directions that the grid has.
launch::Dim3 times(launch::Dim3 grid, std::uint32_t factor) {
  auto& last = grid.z > 1 ? grid.z : grid.y > 1 ? grid.y : grid.x;
  last *= factor;
  return grid;
}

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

/// As ptxas counted them, or else as estimated from the PTX.
Registers registers_of(const compile::Assembled& assembled, const simt::ProgramFacts& facts) {
  const auto at = assembled.kernels.find(facts.entry);
  if (at == assembled.kernels.end())
    return {.per_thread = facts.estimated_registers,
            .by = {},
            .why_estimated =
                assembled.by.empty() ? assembled.why_not : assembled.by + " does not tell them"};
  const compile::Assembled::Kernel& kernel = at->second;
  constexpr std::uint64_t kAligned = 16;  // what a stack may be rounded up to
  const std::uint64_t own = (facts.local_bytes_per_thread + kAligned - 1) / kAligned * kAligned;
  return {.per_thread = kernel.registers,
          .by = assembled.by,
          .why_estimated = {},
          .stack_bytes = kernel.stack_bytes,
          .spilled_bytes =
              kernel.stack_bytes > own
                  ? kernel.stack_bytes - static_cast<std::uint32_t>(facts.local_bytes_per_thread)
                  : 0};
}

/// A launch that fails on a GPU, since a block's threads have more registers than there are. Not for an estimate, nor for a
/// block that cannot be launched anyway.
std::optional<launch::Finding> without_room(const simt::Program& program,
                                            const launch::Launch& launch,
                                            const Registers& registers,
                                            const timing::GpuProfile& gpu) {
  const std::uint64_t threads = launch.block.count();
  if (registers.by.empty() || threads == 0 || threads > 1024) return std::nullopt;
  const std::uint32_t most = timing::most_registers(launch.block, gpu);
  if (registers.per_thread <= most) return std::nullopt;
  launch::Finding finding;
  finding.kind = launch::FindingKind::launch;
  finding.kernel = launch.kernel;
  finding.cause = launch::Cause::launch_too_many_registers;
  finding.where = simt::first_line(program);
  const auto threads_text = std::to_string(threads);
  finding.evidence = {{words::Id::launch_impossible, {{"kernel", launch.kernel}}},
                      {words::Id::launch_registers,
                       {{"threads", threads_text},
                        {"registers", words::count(registers.per_thread)},
                        {"most", words::count(most)}}}};
  finding.fix = {words::Id::launch_fix_registers,
                 {{"threads", threads_text}, {"most", words::count(most)}}};
  return finding;
}

std::vector<PredictionElsewhere> predict_elsewhere(const timing::Activity& activity,
                                                   const std::vector<std::string>& gpus) {
  std::vector<PredictionElsewhere> all;
  for (const std::string& name : gpus) {
    const timing::GpuProfile& gpu = timing::find_profile(name);
    if (timing::fits(activity, gpu))
      all.push_back({name, gpu.title, gpu.measured, timing::predict(activity, gpu), ""});
    else
      all.push_back(
          {name, gpu.title, gpu.measured, std::nullopt, "a block does not fit on one of its SMs"});
  }
  return all;
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
  };
  simt::DecodeResult& decoded(const Module& module, const std::string& entry);
  Outcome run_one(const Plan& plan, const PlannedLaunch& planned);

  Options options_;
  const timing::GpuProfile& gpu_;
  std::map<std::string, Loaded> modules_;  ///< by PTX text
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

simt::DecodeResult& SimDevice::decoded(const Module& module, const std::string& entry) {
  Loaded& loaded = modules_[module.ptx];
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
  const Registers registers = registers_of(module.assembled, facts);
  if (auto refused = without_room(program, launch, registers, gpu_)) {
    outcome.findings.push_back(std::move(*refused));
    return outcome;
  }
  const simt::RunOptions options{.threads = options_.threads,
                                 .simd = options_.simd,
                                 .thread_instruction_budget = planned.thread_instruction_budget};

  if (!planned.watch_stores.empty()) {
    std::vector<observe::WatchedPlace> watched;
    for (const BytesOf& part : planned.watch_stores)
      watched.push_back({addresses.at(part.buffer) + part.begin, part.bytes});
    observe::StoreWatch watch(std::move(watched));
    simt::RunOptions in_order = options;
    in_order.threads = 1;
    const auto ran = simt::run(program, launch, parameters, memory, &watch, in_order);
    outcome.completed = ran.completed;
    outcome.findings = ran.findings;
    if (ran.completed) outcome.stored = watch.take(observe::Places(program, launch, memory));
    return outcome;
  }

  const bool watched = planned.want_counters || planned.want_time || planned.want_samples;
  const auto watch_run = [&](simt::Memory& memory, unsigned threads) {
    observe::Counting counting(program);
    timing::LocalityFactory following({.launch_blocks = launch.grid.count(), .seed = plan.seed});
    observe::Sampling sampling(program, launch);
    std::deque<simt::BothObservers> pairs;
    simt::ObserverFactory* watchers = nullptr;
    const auto watch = [&](simt::ObserverFactory& one) {
      watchers = watchers ? &pairs.emplace_back(*watchers, one) : &one;
    };
    if (planned.want_counters || planned.want_time) watch(counting);
    if (planned.want_time) watch(following);
    if (planned.want_samples) watch(sampling);
    simt::RunOptions with = options;
    with.threads = threads;
    simt::RunResult result = simt::run(program, launch, parameters, memory, watchers, with);
    if (!result.completed) return result;
    observe::LaunchCounters counters = counting.take();
    if (planned.want_time) {
      timing::Locality locality = following.result();
      const auto run_again = [&](simt::ObserverFactory& watcher,
                                 std::span<const std::uint64_t> blocks) {
        simt::Memory fresh = allocate();
        simt::RunOptions again = with;
        if (!facts.order_matters) again.blocks = blocks;
        return simt::run(program, launch, parameters, fresh, &watcher, again).completed;
      };
      timing::trace_typical_blocks(locality, counters, static_cast<double>(launch.grid.count()),
                                   plan.seed, run_again);
      const timing::Activity activity{
          .counters = &counters,
          .locality = &locality,
          .scale = static_cast<double>(planned.part_of),
          .grid = times(launch.grid, planned.part_of),
          .block = launch.block,
          .registers_per_thread = registers.per_thread,
          .registers_estimated = registers.by.empty(),
          .shared_bytes_per_block = facts.static_shared_bytes + launch.dynamic_shared_bytes,
          .footprint_bytes = footprint_bytes * planned.part_of};
      outcome.prediction = timing::predict(activity, gpu_);
      outcome.registers = registers;
      outcome.registers->estimate_capped = outcome.prediction->registers_capped;
      outcome.elsewhere = predict_elsewhere(activity, options_.other_gpus);
      outcome.times_us = {outcome.prediction->time_us};
      outcome.time_is_predicted = true;
    }
    if (planned.want_counters) outcome.counters = std::move(counters);
    if (planned.want_samples) {
      outcome.samples = sampling.take();
      outcome.samples->ranges = ranges_of(plan, program, launch, memory, addresses);
    }
    return result;
  };

  const auto races_of_drawn_blocks = [&](std::uint64_t whole_cost) {
    const std::uint64_t blocks = launch.grid.count();
    const std::vector<std::uint64_t> drawn = timing::traced_blocks(blocks, plan.seed);
    simt::RunOptions some = options;
    observe::Suspects suspects;
    suspects.reasons = observe::Suspects::shared_order;
    if (facts.order_matters) {
      // What one block does may depend on others: all run, these are looked at.
      suspects.standing.emplace();
      for (const std::uint64_t block : drawn) suspects.standing->push_back({block, 1});
    } else {
      // A block that waits for others, which do not run here, must not wait long.
      constexpr std::uint64_t kTimesItsShare = 8, kLeast = 1'000'000;
      some.blocks = drawn;
      some.thread_instruction_budget =
          kLeast + kTimesItsShare * (whole_cost / blocks + 1) * drawn.size();
    }
    simt::Memory fresh = allocate();
    observe::CheckedRun close =
        observe::look_closely(program, launch, parameters, fresh, some, suspects);
    std::erase_if(close.findings, [](const launch::Finding& finding) {
      return finding.kind != launch::FindingKind::race ||
             finding.severity != launch::Severity::error;
    });
    return std::move(close.findings);
  };

  simt::RunResult ran;
  if (watched) {
    ran = watch_run(memory, options.threads);
    if (planned.check_drawn_blocks && ran.completed)
      for (launch::Finding& finding : races_of_drawn_blocks(ran.cost))
        ran.findings.push_back(std::move(finding));
  } else if (!planned.check) {
    ran = simt::run(program, launch, parameters, memory, nullptr, options);
  }
  std::uint64_t dearest_look = ran.cost;
  if (planned.check) {
    memory = allocate();
    observe::CheckedRun checked = observe::run_checked(program, launch, parameters, memory, options,
                                                       [&] { memory = allocate(); });
    if (watched && checked.result.threads < ran.threads) {
      // a race between blocks may lead them elsewhere: counted, too, in the one order that was checked
      simt::Memory fresh = allocate();
      outcome = Outcome{};
      ran = watch_run(fresh, 1);
    }
    dearest_look = std::max(ran.cost, checked.dearest_look);
    ran = std::move(checked.result);
    ran.findings = std::move(checked.findings);
    if (observe::wants_steps(ran.findings)) {
      simt::Memory fresh = allocate();
      observe::describe_steps(ran.findings, program, launch, parameters, fresh, options,
                              known_rows(plan, addresses));
    }
  }
  if (!planned.check && !ran.completed)
    observe::finish_findings(ran.findings, program, launch, memory);
  outcome.completed = ran.completed;
  outcome.findings = std::move(ran.findings);
  outcome.printed = std::move(ran.printed);
  outcome.simulation = Simulation{.wall_seconds = ran.wall_seconds,
                                  .thread_instructions = ran.thread_instructions,
                                  .cost = ran.cost,
                                  .dearest_look = dearest_look,
                                  .simd = ran.simd,
                                  .threads = ran.threads};
  if (!outcome.completed) return outcome;
  for (const std::uint32_t index : used) {
    if (!plan.buffers[index].is_output) continue;
    const auto undefined = memory.undefined(addresses.at(index));
    outcome.outputs.push_back(
        {index, memory.take_contents(addresses.at(index)), {undefined.begin(), undefined.end()}});
  }
  return outcome;
}

std::unique_ptr<Device> make_simulator(const Options& options) {
  return std::make_unique<SimDevice>(options);
}

}  // namespace labkit::device
