#include "timing/timed_run.h"

#include <memory>

#include "observe/counting.h"

namespace labkit::timing {
namespace {

/// Passes every event on to two observers.
class Both final : public simt::Observer {
 public:
  Both(std::unique_ptr<simt::Observer> one, std::unique_ptr<simt::Observer> two)
      : first(std::move(one)), second(std::move(two)) {}
  void on_access(const simt::Access& access) override {
    first->on_access(access);
    second->on_access(access);
  }
  void on_barrier(std::uint64_t block, std::uint32_t warp, std::uint32_t instruction) override {
    first->on_barrier(block, warp, instruction);
    second->on_barrier(block, warp, instruction);
  }
  void on_block_end(std::uint64_t block) override {
    first->on_block_end(block);
    second->on_block_end(block);
  }
  std::unique_ptr<simt::Observer> first, second;
};

class BothFactory final : public simt::ObserverFactory {
 public:
  BothFactory(simt::ObserverFactory& one, simt::ObserverFactory& two) : first_(one), second_(two) {}
  std::unique_ptr<simt::Observer> make() override {
    return std::make_unique<Both>(first_.make(), second_.make());
  }
  void collect(simt::Observer& observer, const std::uint64_t* warp_executions,
               const std::uint64_t* thread_executions, std::size_t instructions) override {
    auto& both = static_cast<Both&>(observer);
    first_.collect(*both.first, warp_executions, thread_executions, instructions);
    second_.collect(*both.second, warp_executions, thread_executions, instructions);
  }

 private:
  simt::ObserverFactory &first_, &second_;
};

}  // namespace

TimedRun run_timed(const simt::Program& program, const launch::Launch& launch,
                   std::span<const std::byte> parameter_block, simt::Memory& memory,
                   const simt::RunOptions& options, const LocalityOptions& locality_options) {
  observe::Counting counting(program);
  LocalityFactory locality(locality_options);
  BothFactory both(counting, locality);
  TimedRun run;
  run.result = simt::run(program, launch, parameter_block, memory, &both, options);
  run.counters = counting.take();
  run.locality = locality.result();
  return run;
}

}  // namespace labkit::timing
