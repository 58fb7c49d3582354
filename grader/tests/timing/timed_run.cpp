#include "timed_run.h"

#include <memory>
#include <utility>

#include "observe/counting.h"
#include "timing/locality_observer.h"

namespace labkit::timing {
namespace {

/// The counters' observer and Locality's. Cheaper than simt::BothObservers: it passes on what these two listen to, and
/// whether a block is followed at all is asked here.
class TimedObserver final : public simt::Observer {
 public:
  TimedObserver(std::unique_ptr<simt::Observer> counting_observer, const LocalityOptions& options)
      : counting(std::move(counting_observer)), locality(options) {}

  void on_access(const simt::Access& access) override {
    counting->on_access(access);
    locality.look(access);
  }
  void on_barrier(std::uint64_t block, std::uint32_t warp, std::uint32_t instruction) override {
    counting->on_barrier(block, warp, instruction);
    locality.on_barrier(block, warp, instruction);
  }
  void on_block_begin(std::uint64_t block, std::uint32_t threads) override {
    counting->on_block_begin(block, threads);
    locality.on_block_begin(block, threads);
  }
  bool wants_executions() const override { return locality.wants_executions(); }
  void on_block_total(const simt::BlockTotals& totals) override { locality.on_block_total(totals); }
  void on_block_end(std::uint64_t block) override {
    counting->on_block_end(block);
    locality.on_block_end(block);
  }
  bool wants_each_shared_access() const override {
    return counting->wants_each_shared_access() || locality.wants_each_shared_access();
  }
  bool wants_each_global_access() const override {
    return counting->wants_each_global_access() || locality.wants_each_global_access();
  }

  std::unique_ptr<simt::Observer> counting;
  LocalityObserver locality;
};

class TimedFactory final : public simt::ObserverFactory {
 public:
  TimedFactory(simt::ObserverFactory& counting, LocalityFactory& locality)
      : counting_(counting), locality_(locality) {}
  std::unique_ptr<simt::Observer> make() override {
    return std::make_unique<TimedObserver>(counting_.make(), locality_.options());
  }
  void collect(simt::Observer& observer, const simt::Executions& executions) override {
    auto& timed = static_cast<TimedObserver&>(observer);
    counting_.collect(*timed.counting, executions);
    locality_.collect(timed.locality, executions);
  }

 private:
  simt::ObserverFactory& counting_;
  LocalityFactory& locality_;
};

}  // namespace

TimedRun run_timed(const simt::Program& program, const launch::Launch& launch,
                   std::span<const std::byte> parameter_block, simt::Memory& memory,
                   const simt::RunOptions& options, const LocalityOptions& locality_options) {
  observe::Counting counting(program);
  LocalityOptions suiting = locality_options;
  if (!suiting.launch_blocks)
    suiting.launch_blocks = options.blocks.empty() ? launch.grid.count() : options.blocks.size();
  LocalityFactory locality(suiting);
  TimedFactory both(counting, locality);
  TimedRun run;
  run.result = simt::run(program, launch, parameter_block, memory, &both, options);
  run.counters = counting.take();
  run.locality = locality.result();
  if (!run.result.completed) return run;
  const bool apart = !simt::facts(program).order_matters;
  const auto run_again = [&](simt::ObserverFactory& watcher,
                             std::span<const std::uint64_t> blocks) {
    simt::RunOptions again = options;
    if (apart) again.blocks = blocks;
    return simt::run(program, launch, parameter_block, memory, &watcher, again).completed;
  };
  const auto blocks =
      static_cast<double>(options.blocks.empty() ? launch.grid.count() : options.blocks.size());
  trace_typical_blocks(run.locality, run.counters, blocks, suiting.seed, run_again);
  return run;
}

}  // namespace labkit::timing
