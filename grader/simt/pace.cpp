// How little host time an endless loop may cost. The verdict on a launch is that of its first block, in launch order, that
// fails; so once the budget is spent no more blocks are begun, and a block that alone takes a good part of the budget waits
// until those before it have ended or failed. Which block gets which verdict stays the same for any number of workers.
#include <algorithm>
#include <chrono>
#include <thread>

#include "simt/worker.h"

namespace labkit::simt {
namespace {

/// The part of the budget after which a block waits for earlier ones.
constexpr std::uint64_t kHeavyPart = 8;
constexpr std::uint64_t kSpendAtOnce = 1u << 18;  ///< keeps workers off each other's cache line
constexpr auto kNap = std::chrono::microseconds(200);

}  // namespace

/// A block that is taken is run: those that are make one row from the first on, whose sum decides.
std::uint64_t Worker::next_block() {
  if (launch_.spent.load(std::memory_order_relaxed) > launch_.budget) return kNoBlock;
  const auto block_of = [&](std::uint64_t turn) {
    if (turn >= launch_.turns) return kNoBlock;
    return launch_.chosen.empty() ? turn : launch_.chosen[turn];
  };
  // Shown before it is taken, so that who takes a later one sees that this one is under way.
  if (waiting_.empty())
    under_way_.store(block_of(launch_.next_turn.load(std::memory_order_relaxed)),
                     std::memory_order_relaxed);
  return block_of(launch_.next_turn.fetch_add(1, std::memory_order_acq_rel));
}

void Worker::spend(std::uint64_t slots) {
  if (launch_.budget == ~0ull) return;
  unspent_ += slots;
  if (unspent_ < kSpendAtOnce) return;
  launch_.spent.fetch_add(unspent_, std::memory_order_relaxed);
  unspent_ = 0;
}

void Worker::wait_for_turn() {
  if (launch_.under_way.size() < 2 || block_cost_ <= launch_.budget / kHeavyPart) return;
  // A worker with blocks set aside shows none: they may wait for this one. So there is always a worker that does not wait.
  const auto earlier = [&] {
    return std::any_of(launch_.under_way.begin(), launch_.under_way.end(), [&](const auto* block) {
      return block->load(std::memory_order_relaxed) < block_;
    });
  };
  while (earlier() && launch_.stop_at.load(std::memory_order_relaxed) >= block_)
    std::this_thread::sleep_for(kNap);
}

bool Worker::may_go_on(const Warp& warp, const Split& split) {
  if (block_cost_ > launch_.budget) {
    budget_fault(warp, split);
    return false;
  }
  wait_for_turn();
  if (launch_.stop_at.load(std::memory_order_relaxed) < block_) failed_ = true;
  return !failed_;
}

bool Worker::within_budget() {
  for (const auto& warp : warps_)
    for (const auto& split : warp.splits)
      if (split.mask != 0 && split.state != SplitState::unused &&
          split.state != SplitState::meeting)
        return may_go_on(warp, split);
  return true;
}

}  // namespace labkit::simt
