// An observer that only keeps how often each instruction ran.
#pragma once
#include <cstdint>
#include <vector>

#include "simt/machine.h"

namespace labkit::simt::test {

class Counts final : public ObserverFactory {
 public:
  std::vector<std::uint64_t> warps, threads;
  std::uint64_t accesses = 0, barriers = 0, blocks = 0;

  std::unique_ptr<Observer> make() override { return std::make_unique<One>(); }
  void collect(Observer& observer, const Executions& executions) override {
    warps.resize(executions.of_warps.size());
    threads.resize(executions.of_warps.size());
    for (std::size_t i = 0; i < warps.size(); ++i) {
      warps[i] += executions.of_warps[i];
      threads[i] += executions.of_threads[i];
    }
    const auto& one = static_cast<One&>(observer);
    accesses += one.accesses;
    barriers += one.barriers;
    blocks += one.blocks;
  }

 private:
  struct One final : Observer {
    std::uint64_t accesses = 0, barriers = 0, blocks = 0;
    void on_access(const Access&) override { ++accesses; }
    void on_barrier(std::uint64_t, std::uint32_t, std::uint32_t) override { ++barriers; }
    void on_block_end(std::uint64_t) override { ++blocks; }
  };
};

/// Executions of the instruction with this spelling, the n-th such in the program.
inline std::size_t index_of(const Program& program, std::string_view spelling, int n = 0) {
  const auto all = instructions(program);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].function->body[static_cast<std::size_t>(all[i].body_index)].spelling == spelling &&
        n-- == 0)
      return i;
  return ~std::size_t{0};
}

}  // namespace labkit::simt::test
