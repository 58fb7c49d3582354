// Who watches a launch: the sanitizers, the counters, samples of accesses, the blocks whose traces the time model replays. And
// how often it is run for them.
#include "device/simulated_launch.h"

#include <algorithm>
#include <deque>
#include <string>
#include <utility>

#include "observe/checks.h"
#include "observe/counting.h"
#include "observe/places.h"
#include "observe/samples_observer.h"
#include "simt/both_observers.h"
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

std::vector<PredictionElsewhere> predict_elsewhere(const timing::Activity& activity,
                                                   const std::vector<std::string>& gpus) {
  std::vector<PredictionElsewhere> all;
  for (const std::string& name : gpus) {
    const timing::GpuProfile& gpu = timing::find_profile(name);
    all.push_back({name, gpu.title, gpu.measured, std::nullopt});
    if (timing::fits(activity, gpu)) all.back().prediction = timing::predict(activity, gpu);
  }
  return all;
}

}  // namespace

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

std::optional<launch::Finding> without_room(const SimulatedLaunch& one,
                                            const timing::GpuProfile& gpu) {
  const launch::Launch& launch = one.launch;
  const Registers& registers = one.registers;
  const std::uint64_t threads = launch.block.count();
  if (registers.by.empty() || threads == 0 || threads > 1024) return std::nullopt;
  const std::uint32_t most = timing::most_registers(launch.block, gpu);
  if (registers.per_thread <= most) return std::nullopt;
  launch::Finding finding;
  finding.kind = launch::FindingKind::launch;
  finding.kernel = launch.kernel;
  finding.cause = launch::Cause::launch_too_many_registers;
  finding.where = simt::first_line(one.program);
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

Outcome simulate(const SimulatedLaunch& one, simt::Memory& memory, const Options& how,
                 const timing::GpuProfile& gpu) {
  const simt::Program& program = one.program;
  const launch::Launch& launch = one.launch;
  const std::span<const std::byte> parameters = one.parameters;
  const simt::ProgramFacts& facts = simt::facts(program);
  const simt::RunOptions options{.threads = how.threads,
                                 .simd = how.simd,
                                 .thread_instruction_budget = one.budget,
                                 .budget_is_of_each_block = one.budget_is_of_each_block};
  Outcome outcome;
  const bool watched = one.counters || one.time || one.samples;
  const auto watch_run = [&](simt::Memory& memory, unsigned threads) {
    observe::Counting counting(program);
    timing::LocalityFactory following({.launch_blocks = launch.grid.count(), .seed = one.seed});
    observe::Sampling sampling(program, launch);
    std::deque<simt::BothObservers> pairs;
    simt::ObserverFactory* watchers = nullptr;
    const auto watch = [&](simt::ObserverFactory& added) {
      watchers = watchers ? &pairs.emplace_back(*watchers, added) : &added;
    };
    if (one.counters || one.time) watch(counting);
    if (one.time) watch(following);
    if (one.samples) watch(sampling);
    if (one.also != nullptr) watch(*one.also);
    simt::RunOptions with = options;
    with.threads = threads;
    simt::RunResult result = simt::run(program, launch, parameters, memory, watchers, with);
    if (!result.completed) return result;
    observe::LaunchCounters counters = counting.take();
    if (one.time) {
      timing::Locality locality = following.result();
      const auto run_again = [&](simt::ObserverFactory& watcher,
                                 std::span<const std::uint64_t> blocks) {
        simt::Memory fresh = one.fresh();
        simt::RunOptions again = with;
        if (!facts.order_matters) again.blocks = blocks;
        return simt::run(program, launch, parameters, fresh, &watcher, again).completed;
      };
      timing::trace_typical_blocks(locality, counters, static_cast<double>(launch.grid.count()),
                                   one.seed, run_again);
      const timing::Activity activity{
          .counters = &counters,
          .locality = &locality,
          .scale = static_cast<double>(one.part_of),
          .grid = times(launch.grid, one.part_of),
          .block = launch.block,
          .registers_per_thread = one.registers.per_thread,
          .registers_estimated = one.registers.by.empty(),
          .shared_bytes_per_block = facts.static_shared_bytes + launch.dynamic_shared_bytes,
          .footprint_bytes = one.footprint_bytes * one.part_of};
      outcome.prediction = timing::predict(activity, gpu);
      outcome.registers = one.registers;
      outcome.registers->estimate_capped = outcome.prediction->registers_capped;
      outcome.elsewhere = predict_elsewhere(activity, how.other_gpus);
      outcome.times_us = {outcome.prediction->time_us};
      outcome.time_is_predicted = true;
    }
    if (one.counters) outcome.counters = std::move(counters);
    if (one.samples) {
      outcome.samples = sampling.take();
      outcome.samples->ranges = observe::named_ranges(program, launch, memory);
    }
    return result;
  };

  const auto races_of_drawn_blocks = [&](std::uint64_t whole_cost) {
    const std::uint64_t blocks = launch.grid.count();
    const std::vector<std::uint64_t> drawn = timing::traced_blocks(blocks, one.seed);
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
    simt::Memory fresh = one.fresh();
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
    if (one.check_drawn_blocks && ran.completed)
      for (launch::Finding& finding : races_of_drawn_blocks(ran.cost))
        ran.findings.push_back(std::move(finding));
  } else if (!one.check) {
    ran = simt::run(program, launch, parameters, memory, nullptr, options);
  }
  std::uint64_t dearest_look = ran.cost;
  if (one.check) {
    memory = one.fresh();
    observe::CheckedRun checked = observe::run_checked(program, launch, parameters, memory, options,
                                                       [&] { memory = one.fresh(); });
    if (watched && checked.result.threads < ran.threads) {
      // a race between blocks may lead them elsewhere: counted, too, in the one order that was checked
      simt::Memory fresh = one.fresh();
      outcome = Outcome{};
      ran = watch_run(fresh, 1);
    }
    dearest_look = std::max(ran.cost, checked.dearest_look);
    ran = std::move(checked.result);
    ran.findings = std::move(checked.findings);
    if (observe::wants_steps(ran.findings)) {
      simt::Memory fresh = one.fresh();
      observe::describe_steps(ran.findings, program, launch, parameters, fresh, options, one.rows);
    }
  }
  if (!one.check && !ran.completed) observe::finish_findings(ran.findings, program, launch, memory);
  outcome.completed = ran.completed;
  outcome.findings = std::move(ran.findings);
  outcome.printed = std::move(ran.printed);
  outcome.simulation = Simulation{.wall_seconds = ran.wall_seconds,
                                  .thread_instructions = ran.thread_instructions,
                                  .cost = ran.cost,
                                  .dearest_look = dearest_look,
                                  .simd = ran.simd,
                                  .threads = ran.threads};
  return outcome;
}

}  // namespace labkit::device
