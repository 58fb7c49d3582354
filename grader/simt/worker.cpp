// One host thread's way through the blocks of a launch: what a block starts with, which one runs next, what is set aside.
#include "simt/worker.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <thread>

namespace labkit::simt {
namespace {

/// Rounds in which all warps only poll: the block waits for another.
constexpr std::uint32_t kIdleRounds = 4, kCooperativeIdleRounds = 1;
/// The part of the budget after which a block waits for earlier ones.
constexpr std::uint64_t kHeavyPart = 8;
constexpr std::uint64_t kSpendAtOnce = 1u << 18;  ///< keeps workers off each other's cache line
constexpr auto kNap = std::chrono::microseconds(200);

}  // namespace

Worker::Worker(LaunchState& launch, Observer* observer)
    : launch_(launch),
      program_(*launch.program),
      observer_(observer),
      memos_(launch.program->memory_ops.size()),
      block_counts_(launch.program->blocks.size()),
      guarded_counts_(launch.program->instructions.size()) {
  memory_ops = program_.memory_ops.data();
  memos = memos_.data();
  is_watched = observer != nullptr || launch.shadow != nullptr;
  settled_.resize(launch.warps * program_.memory_ops.size());
  for (const MemoryOp& memory : program_.memory_ops)
    accesses_.push_back({.instruction = memory.index,
                         .space = static_cast<ptx::Space>(memory.space),
                         .is_store = memory.is_store,
                         .bytes_per_lane = memory.bytes,
                         .is_strong = memory.synchronises,
                         .acquires = memory.acquires,
                         .releases = memory.releases,
                         .op = &memory});
  launch.under_way.push_back(&under_way_);
}

void Worker::prepare_warps() {
  // the shadows of a warp's registers lie behind them
  const std::size_t bytes = std::size_t{program_.register_bytes} * (launch_.shadow ? 2 : 1);
  if (launch_.shadow != nullptr) {
    shadow_ = std::make_unique<BlockShadow>();
    shadow_->warps.resize(launch_.warps);
  }
  register_memory_.reset(new std::byte[bytes * launch_.warps + 64]);
  auto base = reinterpret_cast<std::uintptr_t>(register_memory_.get());
  auto* first = register_memory_.get() + ((64 - base % 64) % 64);
  std::memset(first, 0, bytes * launch_.warps);
  warps_.resize(launch_.warps);
  for (std::uint32_t w = 0; w < launch_.warps; ++w) {
    auto& warp = warps_[w];
    warp.number = w;
    warp.registers = first + bytes * w;
    warp.parameters.assign(std::size_t{kLanes} * program_.parameter_bytes_per_lane, std::byte{0});
    warp.local_capacity = static_cast<std::uint32_t>(program_.facts.local_bytes_per_thread);
    warp.local.assign(std::size_t{kLanes} * warp.local_capacity, std::byte{0xFF});
    fill_fixed(warp, false);
    for (const Op& op : launch_.once) {
      if (op.kind == OpKind::mask)
        *reinterpret_cast<std::uint32_t*>(warp.registers + op.d) = op.run.mask(warp.registers, op);
      else
        op.run.lanes(warp.registers + op.d, warp.registers, op);
    }
    prepare_affine(warp);
  }
  shared_.assign(launch_.shared_bytes + 64, std::byte{0xFF});
  shared = {0, launch_.shared_bytes, shared_.data()};
}

void Worker::start_block(std::uint64_t block) {
  block_ = block;
  place_ = place_in(launch_.launch->grid, block);
  live_threads_ = launch_.threads;
  failed_ = false;
  block_cost_ = launch_.block_cost;
  clock_ = grown_bytes_ = 0;
  forget_patterns();
  print_.clear();
  for (; barriers_in_use_ != 0; barriers_in_use_ &= barriers_in_use_ - 1)
    barriers_[first_lane(barriers_in_use_)].reset();
  // What a kernel reads without having written it is poison: all ones, a NaN.
  if (launch_.shared_bytes != 0) std::memset(shared_.data(), 0xFF, launch_.shared_bytes);
  if (shadow_) {
    shadow_->shared.assign(launch_.shared_bytes, kNeverWritten);
    shadow_->origins.clear();
  }
  const auto entry = program_.functions[0].entry_block;
  for (auto& warp : warps_) {
    const std::uint32_t first = warp.number * kLanes,
                        count = std::min<std::uint32_t>(kLanes, launch_.threads - first);
    warp.reset(count == kLanes ? kAllLanes : (1u << count) - 1, entry);
    begin_affine(warp);
    if (warp.local_capacity > program_.facts.local_bytes_per_thread) {  // grown by recursion
      warp.local_capacity = static_cast<std::uint32_t>(program_.facts.local_bytes_per_thread);
      warp.local = std::vector<std::byte>(std::size_t{kLanes} * warp.local_capacity);
    }
    if (!warp.local.empty()) std::memset(warp.local.data(), 0xFF, warp.local.size());
    if (shadow_) {
      auto& shadow = shadow_->warps[warp.number];
      shadow.local.assign(warp.local.size(), kNeverWritten);
      if (shadow.count != 0 || shadow.undefined.empty()) {
        shadow.parameters.assign(warp.parameters.size(), kDefined);
        shadow.undefined.assign(program_.register_bytes / 4, 0);
        shadow.origin.assign(program_.register_bytes / 4, 0);
        shadow.count = 0;
        shadow.parameters_undefined = false;
        std::memset(warp.registers + program_.register_bytes, 0, program_.register_bytes);
      }
    }
    if (!program_.unset.empty()) forget_unset(warp);
  }
  if (observer_ != nullptr) observer_->on_block_begin(block, launch_.threads);
  const bool may_tally = observer_ != nullptr && !shadow_;
  tallies_shared = may_tally && !observer_->wants_each_shared_access();
  tallies_global = may_tally && !observer_->wants_each_global_access();
  executed_.clear();
  if (observer_ != nullptr && observer_->wants_executions()) {
    executed_.assign(program_.instructions.size(), 0);
    add_counts(executed_, -1);
  }
}

Worker::Outcome Worker::run_block() {
  // How long a wait for a barrier in shared memory that reads the clock may go on: it may have a limit of its own.
  constexpr std::uint64_t kLongestWait = 10'000'000;
  std::uint32_t idle_rounds = 0;
  std::uint64_t idle_since = 0;
  for (std::uint32_t running = launch_.warps; running != 0;) {
    bool progress = false, polling = false, busy = false;
    running = 0;
    for (auto& warp : warps_) {
      if (warp.live == 0) continue;
      if (block_cost_ > launch_.budget && !within_budget()) return Outcome::failed;
      const std::uint64_t before = stretches_;
      spun_ = false;
      began_ = clock_;
      const Stop stop = run_warp(warp);
      warp.issued += clock_ - began_;
      if (stop == Stop::fault) return Outcome::failed;
      progress = progress || stretches_ != before;
      if (stop != Stop::blocked) (spun_ ? polling : busy) = true;
      if (warp.live != 0) ++running;
    }
    if (running != 0 && !progress) {
      deadlock();
      return Outcome::failed;
    }
    // A loop through a barrier never takes many turns at a stretch: what it costs shows only here.
    if (running != 0 && !within_budget()) return Outcome::failed;
    idle_rounds = polling && !busy ? idle_rounds + 1 : 0;
    if (idle_rounds == 0) {
      polls_ = 0;
      idle_since = clock_;
    }
    const std::uint32_t most = program_.is_cooperative ? kCooperativeIdleRounds : kIdleRounds;
    if (running == 0 || idle_rounds < most) continue;
    // No other block can complete a barrier of this one.
    const bool waits_for_itself = (polls_ & kPollsBarrier) != 0 && (polls_ & kPollsMemory) == 0;
    if (!waits_for_itself) return Outcome::waiting;
    if ((polls_ & kReadsClock) != 0 && clock_ - idle_since < kLongestWait) continue;
    barrier_deadlock();
    return Outcome::failed;
  }
  return Outcome::finished;
}

void Worker::finish_block() {
  if (launch_.budget != ~0ull) executed.emplace_back(block_, block_cost_);
  cost += block_cost_;
  spend(block_cost_);
  if (!print_.empty()) {
    printed_bytes_ += print_.size();
    printed.emplace_back(block_, std::move(print_));
    print_ = {};
  }
  if (observer_ == nullptr) return;
  if (observer_->wants_blocks_apart()) report_tallies();
  report_total();
  observer_->on_block_end(block_);
}

void Worker::report_total() {
  if (!executed_.empty()) add_counts(executed_, 1);
  BlockTotals total{.block = block_, .path = 0, .instructions = clock_, .executions = executed_};
  for (const Warp& warp : warps_) total.path += warp.path ^ warp.path >> 29;
  observer_->on_block_total(total);
}

void Worker::add_counts(std::vector<std::uint64_t>& executed, int sign) const {
  for (std::size_t i = 0; i < executed.size(); ++i)
    executed[i] += sign * count_of(i).warps;  // modulo 2^64
}

void Worker::set_aside() {
  report_tallies();
  if (!executed_.empty()) add_counts(executed_, 1);
  waiting_.push_back(std::make_unique<BlockState>(std::move(static_cast<BlockState&>(*this))));
  if (spare_.empty()) {
    static_cast<BlockState&>(*this) = BlockState{};
    prepare_warps();
  } else {
    static_cast<BlockState&>(*this) = std::move(*spare_.back());
    spare_.pop_back();
  }
  shared.host = shared_.data();
}

void Worker::resume() {
  spare_.push_back(std::make_unique<BlockState>(std::move(static_cast<BlockState&>(*this))));
  static_cast<BlockState&>(*this) = std::move(*waiting_.front());
  waiting_.pop_front();
  shared.host = shared_.data();
  tallies_shared = tallies_global = false;
  if (!executed_.empty()) add_counts(executed_, -1);
  forget_patterns();
}

/// All that this worker's blocks do is poll, and together they have used up the budget: the first of them gets the verdict,
/// so that it is the same block for any number of workers.
void Worker::give_up_waiting() {
  const auto first = std::ranges::min_element(
      waiting_, [](const auto& a, const auto& b) { return a->block_ < b->block_; });
  std::iter_swap(waiting_.begin(), first);
  resume();
  for (auto& warp : warps_) {
    if (warp.live == 0 || warp.splits.empty()) continue;
    budget_fault(warp, warp.splits.front());
    break;
  }
  finish_block();
}

/// What is thrown here is no fault of the kernel's; run() throws it on.
void Worker::run() {
  try {
    take_blocks();
    report_tallies();
  } catch (...) {
    broken = std::current_exception();
    launch_.stop_at.store(0, std::memory_order_relaxed);
    launch_.next_turn.store(launch_.turns, std::memory_order_relaxed);
  }
  under_way_.store(~0ull, std::memory_order_relaxed);
}

void Worker::take_blocks() {
  prepare_warps();
  bool start_another = true;  // rather than go on with one that waits
  for (;;) {
    const bool room = waiting_.size() < launch_.most_set_aside;
    if (waiting_.empty() || (start_another && room)) {
      const std::uint64_t block = next_block();
      const bool none_left = block == kNoBlock;
      if (!none_left && block > launch_.stop_at.load(std::memory_order_relaxed)) return;
      if (none_left && waiting_.empty()) return;
      if (none_left)
        resume();
      else
        start_block(block);
    } else {
      resume();
    }
    under_way_.store(waiting_.empty() ? block_ : ~0ull, std::memory_order_relaxed);
    const std::uint64_t before = block_cost_;
    switch (run_block()) {
      case Outcome::failed:
        finish_block();
        if (!waiting_.empty()) return;  // what they wait for may never come
        break;
      case Outcome::finished:
        finish_block();
        start_another = false;
        break;
      case Outcome::waiting:
        polled_slots_ += block_cost_ - before;
        set_aside();
        if (polled_slots_ > launch_.budget) {
          give_up_waiting();
          return;
        }
        start_another = true;
        break;
    }
  }
}

void Worker::finish_counts() {
  const std::size_t n = program_.instructions.size();
  warp_executions.assign(n, 0);
  thread_executions.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const Count& count = count_of(i);
    warp_executions[i] = count.warps;
    thread_executions[i] = count.threads;
  }
}

// How little host time an endless loop may cost. The verdict on a launch is that of its first block, in launch order, that
// fails; so once the budget is spent no more blocks are begun, and a block that alone takes a good part of the budget waits
// until those before it have ended or failed. Which block gets which verdict stays the same for any number of workers.

/// A block that is taken is run: those that are make one row from the first on, whose sum decides.
std::uint64_t Worker::next_block() {
  if (launch_.spent.load(std::memory_order_relaxed) > launch_.budget_of_all) return kNoBlock;
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
    return std::ranges::any_of(launch_.under_way, [&](const auto* block) {
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
