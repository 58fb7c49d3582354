// Two watchers of one launch.
#pragma once
#include <cstdint>
#include <memory>
#include <utility>

#include "simt/observer.h"

namespace labkit::simt {

/// Passes everything on to both, the first one first.
class BothObservers final : public ObserverFactory {
 public:
  BothObservers(ObserverFactory& first, ObserverFactory& second) : first_(first), second_(second) {}

  std::unique_ptr<Observer> make() override {
    return std::make_unique<Pair>(first_.make(), second_.make());
  }
  void collect(Observer& observer, const Executions& executions) override {
    auto& pair = static_cast<Pair&>(observer);
    first_.collect(*pair.first, executions);
    second_.collect(*pair.second, executions);
  }

 private:
  struct Pair final : Observer {
    Pair(std::unique_ptr<Observer> a, std::unique_ptr<Observer> b)
        : first(std::move(a)), second(std::move(b)) {}
    void on_access(const Access& access) override { pass(&Observer::on_access, access); }
    void on_barrier(std::uint64_t block, std::uint32_t warp, std::uint32_t instruction) override {
      pass(&Observer::on_barrier, block, warp, instruction);
    }
    void on_block_end(std::uint64_t block) override { pass(&Observer::on_block_end, block); }
    void on_block_begin(std::uint64_t block, std::uint32_t threads) override {
      pass(&Observer::on_block_begin, block, threads);
    }
    bool wants_each_shared_access() const override {
      return wants(&Observer::wants_each_shared_access);
    }
    bool wants_each_global_access() const override {
      return wants(&Observer::wants_each_global_access);
    }
    bool wants_blocks_apart() const override { return wants(&Observer::wants_blocks_apart); }
    bool wants_executions() const override { return wants(&Observer::wants_executions); }
    void on_block_total(const BlockTotals& totals) override {
      pass(&Observer::on_block_total, totals);
    }
    void on_arrival(const BarrierArrival& arrival) override {
      pass(&Observer::on_arrival, arrival);
    }
    void on_release(std::uint64_t block, std::uint32_t barrier) override {
      pass(&Observer::on_release, block, barrier);
    }
    void on_phase(const PhaseEvent& event) override { pass(&Observer::on_phase, event); }
    void on_warp_sync(std::uint64_t block, std::uint32_t warp, std::uint32_t lanes) override {
      pass(&Observer::on_warp_sync, block, warp, lanes);
    }
    void on_fence(std::uint64_t block, std::uint32_t warp, std::uint32_t lanes,
                  bool of_block) override {
      pass(&Observer::on_fence, block, warp, lanes, of_block);
    }
    void on_async(const AsyncEvent& event) override { pass(&Observer::on_async, event); }
    void on_reuse(std::uint64_t address, std::uint64_t bytes) override {
      pass(&Observer::on_reuse, address, bytes);
    }
    void on_stray_exchange(const StrayExchange& exchange) override {
      pass(&Observer::on_stray_exchange, exchange);
    }
    void on_exit(std::uint64_t block, std::uint32_t warp, std::uint32_t lanes) override {
      pass(&Observer::on_exit, block, warp, lanes);
    }
    template <typename... P, typename... A>
    void pass(void (Observer::*event)(P...), const A&... what) {
      ((*first).*event)(what...);
      ((*second).*event)(what...);
    }
    bool wants(bool (Observer::*question)() const) const {
      return ((*first).*question)() || ((*second).*question)();
    }
    std::unique_ptr<Observer> first, second;
  };

  ObserverFactory &first_, &second_;
};

}  // namespace labkit::simt
