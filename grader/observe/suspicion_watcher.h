// What the quick look does while a launch runs (suspicion.h): one Watcher a host thread. Private to it.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "observe/alike_blocks.h"
#include "observe/suspicion.h"
#include "observe/suspicion_global.h"
#include "observe/suspicion_plan.h"
#include "observe/suspicion_shared.h"

namespace labkit::observe {

struct Suspicion::Seen {
  unsigned reasons = 0;
  std::vector<std::map<std::uint64_t, Touched>> touched;  ///< of each host thread, by beginning
  AlikeBlocks alike;                                      ///< suspected of shared_order
};

class Suspicion::Watcher final : public simt::Observer {
 public:
  explicit Watcher(const SuspicionPlan& plan) : plan_(plan), shared_(plan), global_(plan) {}

  unsigned reasons() const { return reasons_ | shared_.reasons | global_.reasons; }
  std::map<std::uint64_t, Touched>& touched() { return global_.touched; }
  AlikeBlocks alike;

  void on_block_begin(std::uint64_t block, std::uint32_t threads) override {
    auto& state = blocks_[block];
    if (!state && !spare_.empty()) {
      state = std::move(spare_.back());
      spare_.pop_back();
    }
    if (!state) state = std::make_unique<Block>();
    shared_.begin(state->shared, threads);
    state->local.resize(state->shared.warps.size());
    for (auto& local : state->local) std::fill(local.begin(), local.end(), 0);
    state->history.clear();
    for (auto& arrived : state->arrived) arrived = {};
    current_ = state.get();
    number_ = block;
  }
  void on_block_end(std::uint64_t block) override {
    const auto at = blocks_.find(block);
    if (at == blocks_.end()) return;
    auto& ended = *at->second;
    shared_.judge(ended.shared);
    if (ended.shared.is_like_no_other) ended.history.add(SharedHistory::exit, ~block);
    if (ended.shared.is_suspected) alike.add(ended.history.hash(), block);
    spare_.push_back(std::move(at->second));
    blocks_.erase(at);
    current_ = nullptr;
  }
  /// Blocks that the launch did not run to their end.
  void judge_cut_short() {
    for (auto& [number, block] : blocks_) shared_.judge(block->shared);
  }
  void on_barrier(std::uint64_t, std::uint32_t, std::uint32_t) override {}
  void on_arrival(const simt::BarrierArrival& arrival) override {
    auto& block = block_of(arrival.block);
    auto& arrived = block.arrived[arrival.number];
    block.history.add(SharedHistory::arrival, arrival.instruction,
                      std::uint64_t{arrival.warp} << 32 | arrival.lanes);
    if (!arrival.whole_block || !arrival.waits ||
        (arrived.threads != 0 && arrived.instruction != arrival.instruction))
      reasons_ |= kUnevenBarrier;
    arrived.threads += static_cast<std::uint32_t>(std::popcount(arrival.lanes));
    arrived.instruction = arrival.instruction;
  }
  void on_release(std::uint64_t number, std::uint32_t barrier) override {
    auto& block = block_of(number);
    if (block.arrived[barrier].threads != block.shared.threads) reasons_ |= kUnevenBarrier;
    block.arrived[barrier] = {};
    block.history.add(SharedHistory::release, barrier);
    shared_.judge(block.shared);
  }
  void on_warp_sync(std::uint64_t number, std::uint32_t warp, std::uint32_t lanes) override {
    auto& block = block_of(number);
    block.history.add(SharedHistory::warp_sync, warp, lanes);
    shared_.meet(block.shared, warp, lanes);
  }
  void on_async_commit(std::uint64_t number, std::uint32_t warp, std::uint32_t lanes) override {
    auto& block = block_of(number);
    block.history.add(SharedHistory::commit, warp, lanes);
    shared_.commit(block.shared, warp, lanes);
  }
  void on_async_wait(std::uint64_t number, std::uint32_t warp, std::uint32_t lanes,
                     std::uint64_t groups) override {
    auto& block = block_of(number);
    block.history.add(SharedHistory::wait, warp, lanes);
    block.history.add(SharedHistory::wait, groups);
    shared_.wait(block.shared, warp, lanes, groups);
  }
  void on_exit(std::uint64_t number, std::uint32_t warp, std::uint32_t lanes) override {
    block_of(number).history.add(SharedHistory::exit, warp, lanes);
  }
  void on_stray_exchange(const simt::StrayExchange&) override {
    reasons_ |= Suspects::undefined | Suspects::barriers;
  }

  void on_access(const simt::Access& access) override {
    switch (access.space) {
      case ptx::Space::shared: {
        auto& block = block_of(access.block);
        block.history.add(access);
        shared_.on_access(block.shared, access);
        return;
      }
      case ptx::Space::global:
        return global_.on_access(access);
      case ptx::Space::local:
        return on_local(access);
      default:
        return;
    }
  }

 private:
  struct Block {
    SharedState shared;
    SharedHistory history;
    std::vector<std::vector<std::uint32_t>> local;  ///< of each warp: lanes that wrote, by cell
    struct Arrived {
      std::uint32_t threads = 0, instruction = 0;
    } arrived[16];
  };

  /// Warps that meet apart may be taken for ordered by a barrier of all.
  static constexpr unsigned kUnevenBarrier = Suspects::barriers | Suspects::shared_order;

  Block& block_of(std::uint64_t number) {
    if (current_ == nullptr || number_ != number) {
      current_ = blocks_.at(number).get();
      number_ = number;
    }
    return *current_;
  }

  /// Local memory is a thread's own: only what was never written is of interest.
  void on_local(const simt::Access& access) {
    auto& local = block_of(access.block).local[access.warp];
    const auto [low, high] = range_of(access);
    const unsigned shift = static_cast<unsigned>(std::countr_zero(plan_.local_cell));
    if ((high >> shift) + 1 > local.size()) local.resize((high >> shift) + 1, 0);
    if (high - low == access.bytes_per_lane) {  // nearly always: the same variable of each lane
      for (std::size_t k = low >> shift; k < high >> shift; ++k) {
        if (access.is_store)
          local[k] |= access.active;
        else if ((access.active & ~local[k]) != 0)
          reasons_ |= Suspects::undefined;
      }
      return;
    }
    for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
      const std::size_t from = access.addresses[lane] >> shift;
      for (std::size_t k = from; k < from + (access.bytes_per_lane >> shift); ++k) {
        if (access.is_store)
          local[k] |= 1u << lane;
        else if (!(local[k] >> lane & 1))
          reasons_ |= Suspects::undefined;
      }
    }
  }

  const SuspicionPlan& plan_;
  unsigned reasons_ = 0;  ///< Suspects::Reason
  SharedLook shared_;
  GlobalLook global_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Block>> blocks_;
  std::vector<std::unique_ptr<Block>> spare_;
  Block* current_ = nullptr;
  std::uint64_t number_ = 0;
};

}  // namespace labkit::observe
