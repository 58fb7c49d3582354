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
  void collect(Observer& observer, const std::uint64_t* warp_executions,
               const std::uint64_t* thread_executions, std::size_t instructions) override {
    auto& pair = static_cast<Pair&>(observer);
    first_.collect(*pair.first, warp_executions, thread_executions, instructions);
    second_.collect(*pair.second, warp_executions, thread_executions, instructions);
  }

 private:
  struct Pair final : Observer {
    Pair(std::unique_ptr<Observer> a, std::unique_ptr<Observer> b)
        : first(std::move(a)), second(std::move(b)) {}
    void on_access(const Access& access) override {
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
    void on_block_begin(std::uint64_t block, std::uint32_t threads) override {
      first->on_block_begin(block, threads);
      second->on_block_begin(block, threads);
    }
    bool wants_each_shared_access() const override {
      return first->wants_each_shared_access() || second->wants_each_shared_access();
    }
    bool wants_each_global_access() const override {
      return first->wants_each_global_access() || second->wants_each_global_access();
    }
    bool wants_blocks_apart() const override {
      return first->wants_blocks_apart() || second->wants_blocks_apart();
    }
    bool wants_executions() const override {
      return first->wants_executions() || second->wants_executions();
    }
    void on_block_total(const BlockTotals& totals) override {
      first->on_block_total(totals);
      second->on_block_total(totals);
    }
    void on_arrival(const BarrierArrival& arrival) override {
      first->on_arrival(arrival);
      second->on_arrival(arrival);
    }
    void on_release(std::uint64_t block, std::uint32_t barrier) override {
      first->on_release(block, barrier);
      second->on_release(block, barrier);
    }
    void on_warp_sync(std::uint64_t block, std::uint32_t warp, std::uint32_t lanes) override {
      first->on_warp_sync(block, warp, lanes);
      second->on_warp_sync(block, warp, lanes);
    }
    void on_fence(std::uint64_t block, std::uint32_t warp, std::uint32_t lanes,
                  bool of_block) override {
      first->on_fence(block, warp, lanes, of_block);
      second->on_fence(block, warp, lanes, of_block);
    }
    void on_async_commit(std::uint64_t block, std::uint32_t warp, std::uint32_t lanes) override {
      first->on_async_commit(block, warp, lanes);
      second->on_async_commit(block, warp, lanes);
    }
    void on_async_wait(std::uint64_t block, std::uint32_t warp, std::uint32_t lanes,
                       std::uint64_t groups) override {
      first->on_async_wait(block, warp, lanes, groups);
      second->on_async_wait(block, warp, lanes, groups);
    }
    void on_stray_exchange(const StrayExchange& exchange) override {
      first->on_stray_exchange(exchange);
      second->on_stray_exchange(exchange);
    }
    void on_exit(std::uint64_t block, std::uint32_t warp, std::uint32_t lanes) override {
      first->on_exit(block, warp, lanes);
      second->on_exit(block, warp, lanes);
    }
    std::unique_ptr<Observer> first, second;
  };

  ObserverFactory &first_, &second_;
};

}  // namespace labkit::simt
