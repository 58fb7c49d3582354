#include "simt/worker.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "simt/spaces.h"

namespace labkit::simt {
namespace {

constexpr std::uint32_t kSpinsBeforeYield =
    32;  ///< turns of a polling loop before others get their chance
constexpr std::uint32_t kTurnsBeforeYield = 1u << 14;
constexpr std::uint32_t kIdleRounds =
    4;  ///< rounds in which all warps only poll: the block waits for another
constexpr std::size_t kMostWaiting = 4096;  ///< blocks set aside (an H200 holds at most 132 x 32)

void fill32(std::byte* at, std::uint32_t value) {
  auto* lanes = reinterpret_cast<std::uint32_t*>(at);
  for (int i = 0; i < kLanes; ++i) lanes[i] = value;
}
void fill64(std::byte* at, std::uint64_t value) {
  auto* lanes = reinterpret_cast<std::uint64_t*>(at);
  for (int i = 0; i < kLanes; ++i) lanes[i] = value;
}

}  // namespace

Worker::Worker(LaunchState& launch, Observer* observer)
    : launch_(launch),
      program_(*launch.program),
      observer_(observer),
      memos_(launch.program->memory_ops.size()),
      block_counts_(launch.program->blocks.size()),
      guarded_counts_(launch.program->instructions.size()) {
  access_.memory_ops = program_.memory_ops.data();
  access_.memos = memos_.data();
  access_.lookup = &look_up;
  access_.slow = &slow_access;
  access_.report = observer == nullptr ? nullptr : &report_access;
  access_.find_window = &find_window;
  access_.worker = this;
}

void Worker::prepare_warps() {
  const std::size_t bytes = program_.register_bytes;
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
  }
  shared_.assign(launch_.shared_bytes + 64, std::byte{0xFF});
  access_.shared = {0, launch_.shared_bytes, shared_.data()};
}

void Worker::fill_fixed(Warp& warp, bool per_block_only) {
  const auto& grid = launch_.launch->grid;
  const auto& block = launch_.launch->block;
  for (const auto& slot : program_.fixed) {
    if (per_block_only && !changes_with_block(slot.kind)) continue;
    auto* at = warp.registers + slot.slot;
    auto uniform = [&](std::uint64_t value) {
      if (slot.is_64_bit)
        fill64(at, value);
      else
        fill32(at, static_cast<std::uint32_t>(value));
    };
    auto each = [&](auto&& f) {
      for (std::uint32_t i = 0; i < kLanes; ++i) {
        if (slot.is_64_bit)
          reinterpret_cast<std::uint64_t*>(at)[i] = f(i);
        else
          reinterpret_cast<std::uint32_t*>(at)[i] = static_cast<std::uint32_t>(f(i));
      }
    };
    const std::uint32_t first = warp.number * kLanes;
    switch (slot.kind) {
      case FixedKind::constant:
        uniform(slot.value);
        break;
      case FixedKind::shared_symbol:
        uniform(slot.value);
        break;
      case FixedKind::zero:
        uniform(0);
        break;
      case FixedKind::parameter: {
        std::uint64_t value = 0;
        std::memcpy(&value, launch_.parameters.data() + slot.value, slot.bytes);
        if (slot.sign_extend && slot.bytes < 8) {
          const unsigned shift = 64 - 8 * slot.bytes;
          value = static_cast<std::uint64_t>(static_cast<std::int64_t>(value << shift) >> shift);
        }
        uniform(value);
        break;
      }
      case FixedKind::global_symbol:
        uniform((*launch_.variables)[static_cast<std::size_t>(slot.variable)] + slot.value);
        break;
      case FixedKind::tid_x:
        each([&](std::uint32_t i) { return (first + i) % block.x; });
        break;
      case FixedKind::tid_y:
        each([&](std::uint32_t i) { return (first + i) / block.x % block.y; });
        break;
      case FixedKind::tid_z:
        each([&](std::uint32_t i) { return (first + i) / block.x / block.y; });
        break;
      case FixedKind::ntid_x:
        uniform(block.x);
        break;
      case FixedKind::ntid_y:
        uniform(block.y);
        break;
      case FixedKind::ntid_z:
        uniform(block.z);
        break;
      case FixedKind::ctaid_x:
        uniform(block_x_);
        break;
      case FixedKind::ctaid_y:
        uniform(block_y_);
        break;
      case FixedKind::ctaid_z:
        uniform(block_z_);
        break;
      case FixedKind::nctaid_x:
        uniform(grid.x);
        break;
      case FixedKind::nctaid_y:
        uniform(grid.y);
        break;
      case FixedKind::nctaid_z:
        uniform(grid.z);
        break;
      case FixedKind::laneid:
        each([](std::uint32_t i) { return i; });
        break;
      case FixedKind::warpid:
        uniform(warp.number);
        break;
      case FixedKind::nwarpid:
        uniform(launch_.warps);
        break;
      case FixedKind::smid:
        uniform(0);
        break;
      case FixedKind::nsmid:
        uniform(1);
        break;
      case FixedKind::gridid:
        uniform(1);
        break;
      case FixedKind::lanemask_eq:
        each([](std::uint32_t i) { return 1u << i; });
        break;
      case FixedKind::lanemask_lt:
        each([](std::uint32_t i) { return (1u << i) - 1; });
        break;
      case FixedKind::lanemask_le:
        each([](std::uint32_t i) { return ((1u << i) - 1) | 1u << i; });
        break;
      case FixedKind::lanemask_gt:
        each([](std::uint32_t i) { return ~(((1u << i) - 1) | 1u << i); });
        break;
      case FixedKind::lanemask_ge:
        each([](std::uint32_t i) { return ~((1u << i) - 1); });
        break;
      case FixedKind::dynamic_smem_size:
        uniform(launch_.launch->dynamic_shared_bytes);
        break;
      case FixedKind::total_smem_size:
        uniform(launch_.shared_bytes);
        break;
    }
  }
}

void Worker::start_block(std::uint64_t block) {
  const auto& grid = launch_.launch->grid;
  block_ = block;
  block_x_ = static_cast<std::uint32_t>(block % grid.x);
  block_y_ = static_cast<std::uint32_t>(block / grid.x % grid.y);
  block_z_ = static_cast<std::uint32_t>(block / grid.x / grid.y);
  live_threads_ = launch_.threads;
  failed_ = false;
  block_instructions_ = clock_ = 0;
  print_.clear();
  for (auto& barrier : barriers_)
    if (barrier.in_use) barrier.reset();
  // What a kernel reads without having written it is poison: all ones, a NaN.
  if (launch_.shared_bytes != 0) std::memset(shared_.data(), 0xFF, launch_.shared_bytes);
  const auto entry = program_.functions[0].entry_block;
  for (auto& warp : warps_) {
    const std::uint32_t first = warp.number * kLanes,
                        count = std::min<std::uint32_t>(kLanes, launch_.threads - first);
    warp.reset(count == kLanes ? kAllLanes : (1u << count) - 1, entry);
    fill_fixed(warp, true);
    if (!warp.local.empty()) std::memset(warp.local.data(), 0xFF, warp.local.size());
  }
}

Worker::Outcome Worker::run_block() {
  std::uint32_t idle_rounds = 0;
  for (std::uint32_t running = launch_.warps; running != 0;) {
    bool progress = false, polling = false, busy = false;
    running = 0;
    for (auto& warp : warps_) {
      if (warp.live == 0) continue;
      const std::uint64_t before = stretches_;
      spun_ = false;
      const Stop stop = run_warp(warp);
      if (stop == Stop::fault) return Outcome::failed;
      progress = progress || stretches_ != before;
      if (stop != Stop::blocked) (spun_ ? polling : busy) = true;
      if (warp.live != 0) ++running;
    }
    if (running != 0 && !progress) {
      deadlock();
      return Outcome::failed;
    }
    idle_rounds = polling && !busy ? idle_rounds + 1 : 0;
    if (running != 0 && idle_rounds >= kIdleRounds) return Outcome::waiting;
  }
  return Outcome::finished;
}

void Worker::finish_block() {
  if (launch_.budget != ~0ull) executed.emplace_back(block_, block_instructions_);
  if (!print_.empty()) {
    printed_bytes_ += print_.size();
    printed.emplace_back(block_, std::move(print_));
    print_ = {};
  }
  if (observer_ != nullptr) observer_->on_block_end(block_);
}

void Worker::set_aside() {
  waiting_.push_back(std::make_unique<BlockState>(std::move(static_cast<BlockState&>(*this))));
  if (spare_.empty()) {
    static_cast<BlockState&>(*this) = BlockState{};
    prepare_warps();
  } else {
    static_cast<BlockState&>(*this) = std::move(*spare_.back());
    spare_.pop_back();
  }
  access_.shared.host = shared_.data();
}

void Worker::resume() {
  spare_.push_back(std::make_unique<BlockState>(std::move(static_cast<BlockState&>(*this))));
  static_cast<BlockState&>(*this) = std::move(*waiting_.front());
  waiting_.pop_front();
  access_.shared.host = shared_.data();
}

/// All that this worker's blocks do is poll, and together they have used up the budget: the first of them gets the verdict,
/// so that it is the same block for any number of workers.
void Worker::give_up_waiting() {
  const auto first =
      std::min_element(waiting_.begin(), waiting_.end(),
                       [](const auto& a, const auto& b) { return a->block_ < b->block_; });
  std::iter_swap(waiting_.begin(), first);
  resume();
  for (auto& warp : warps_) {
    if (warp.live == 0 || warp.splits.empty()) continue;
    budget_fault(warp, warp.splits.front());
    break;
  }
  finish_block();
}

void Worker::run() {
  prepare_warps();
  bool start_another = true;  // rather than go on with one that waits
  for (;;) {
    const bool room = waiting_.size() < kMostWaiting;
    if (waiting_.empty() || (start_another && room)) {
      const std::uint64_t block = launch_.next_block.fetch_add(1, std::memory_order_relaxed);
      const bool none_left = block >= launch_.end_block;
      if (!none_left && block > launch_.stop_at.load(std::memory_order_relaxed)) return;
      if (none_left && waiting_.empty()) return;
      if (none_left)
        resume();
      else
        start_block(block);
    } else {
      resume();
    }
    const std::uint64_t before = block_instructions_;
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
        polled_slots_ += block_instructions_ - before;
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
    const auto& count =
        program_.guarded[i] ? guarded_counts_[i] : block_counts_[program_.block_of[i]];
    warp_executions[i] = count.warps;
    thread_executions[i] = count.threads;
  }
}

Stop Worker::run_warp(Warp& warp) {
  registers_ = access_.registers = warp.registers;
  warp_ = &warp;
  turns_ = 0;
  Stop stop = Stop::done;
  for (;;) {
    const auto next = warp.next_ready();
    if (next < 0) return warp.live == 0 ? Stop::done : Stop::blocked;
    warp.current = next;
    ++stretches_;
    if (!run_split(warp, stop)) return stop;
  }
}

bool Worker::turn(Warp& warp, Split& split, Stop& stop) {
  if (polled_ && !changed_)
    ++split.spins;
  else
    split.spins = 0;
  polled_ = changed_ = false;
  ++turns_;
  if (split.spins < kSpinsBeforeYield && turns_ < kTurnsBeforeYield) return true;
  if (block_instructions_ > launch_.budget) {
    budget_fault(warp, split);
    stop = Stop::fault;
    return false;
  }
  if (launch_.stop_at.load(std::memory_order_relaxed) < block_) {  // an earlier block has failed
    failed_ = true;
    stop = Stop::fault;
    return false;
  }
  const bool spinning = split.spins >= kSpinsBeforeYield;
  split.spins = 0;
  spun_ = spinning;
  if (spinning) {
    const auto self = warp.current;
    warp.current = (self + 1) % static_cast<std::int32_t>(warp.splits.size());
    warp.current = warp.next_ready();
    if (warp.current == self) warp.release_waiting();
  }
  stop = Stop::yielded;
  return false;
}

bool Worker::run_split(Warp& warp, Stop& stop) {
  const Op* const ops = launch_.ops.data();
  std::byte* const registers = registers_;
  Split* split = &warp.splits[static_cast<std::size_t>(warp.current)];
  std::uint32_t mask = split->mask;
  const Op* op;
  if (split->op != 0) {
    op = ops + split->op;
    split->op = 0;
    goto execute;
  }
enter : {
  const std::int32_t b = split->block;
  if (b == split->reconvergence && split->parent >= 0) {
    warp.arrive(warp.current);
    return true;
  }
  const auto& block = program_.blocks[static_cast<std::size_t>(b)];
  auto& count = block_counts_[static_cast<std::size_t>(b)];
  const auto lanes = lane_count(mask);
  ++count.warps;
  count.threads += lanes;
  block_instructions_ += std::uint64_t{block.unguarded} * kLanes;
  clock_ += block.unguarded + 1;
  op = ops + block.first_op;
}
execute:
  for (;; ++op) {
    std::uint32_t m = mask;
    if (op->guard != kNoSlot) {
      m &= *reinterpret_cast<const std::uint32_t*>(registers + op->guard) ^ op->guard_xor;
      if (m != 0) {
        auto& count = guarded_counts_[op->index];
        ++count.warps;
        const auto lanes = lane_count(m);
        count.threads += lanes;
        block_instructions_ += kLanes;
      } else if (op->kind != OpKind::branch) {
        continue;
      }
    }
    switch (op->kind) {
      case OpKind::lanes32:
      case OpKind::lanes64:
        if (m == kAllLanes)
          op->run.lanes(registers + op->d, registers, *op);
        else
          masked_lanes(*op, m);
        break;
      case OpKind::mask: {
        auto* d = reinterpret_cast<std::uint32_t*>(registers + op->d);
        *d = (*d & ~m) | (op->run.mask(registers, *op) & m);
        break;
      }
      case OpKind::load:
        polled_ = polled_ || program_.memory_ops[op->aux].synchronises;
        if (!launch_.target->load(access_, *op, m)) goto fault;
        break;
      case OpKind::store:
        changed_ = true;
        if (!launch_.target->store(access_, *op, m)) goto fault;
        break;
      case OpKind::atomic:
        polled_ = true;
        if (!atomic(*op, m)) goto fault;
        break;
      case OpKind::async_copy:
        if (!async_copy(*op, m)) goto fault;
        break;
      case OpKind::nothing:
        break;
      case OpKind::branch: {
        const std::int32_t here = split->block;
        if (m == mask)
          split->block = op->target;
        else if (m == 0)
          split->block = op->next;
        else {
          warp.part(warp.current, m, op->target, op->next,
                    program_.blocks[static_cast<std::size_t>(here)].reconvergence);
          return true;
        }
        if (split->block <= here && !turn(warp, *split, stop)) return false;
        goto enter;
      }
      case OpKind::jump: {
        const std::int32_t here = split->block;
        split->block = op->target;
        if (split->block <= here && !turn(warp, *split, stop)) return false;
        goto enter;
      }
      case OpKind::branch_table: {
        const auto& table = program_.branch_tables[op->aux].blocks;
        const auto* index = reinterpret_cast<const std::uint32_t*>(registers + op->s[0]);
        const std::int32_t here = split->block;
        const auto value = index[std::countr_zero(m)];
        const auto to = table[std::min<std::size_t>(value, table.size() - 1)];
        std::uint32_t same = 0;
        for (std::uint32_t i = 0; i < kLanes; ++i)
          if (m >> i & 1 && table[std::min<std::size_t>(index[i], table.size() - 1)] == to)
            same |= 1u << i;
        if (same != m) {
          // the others come back to this very instruction
          const auto self = static_cast<std::uint32_t>(op - ops);
          warp.part(warp.current, same, to, here,
                    program_.blocks[static_cast<std::size_t>(here)].reconvergence);
          for (auto& other : warp.splits)
            if (other.state == SplitState::ready && other.mask == (m & ~same) &&
                other.block == here)
              other.op = self;
          return true;
        }
        split->block = to;
        if (split->block <= here && !turn(warp, *split, stop)) return false;
        goto enter;
      }
      case OpKind::call:
        split->block = op->next;
        if (!call(warp, *op)) goto fault;
        return true;
      case OpKind::ret:
        if (m != mask) split->op = static_cast<std::uint32_t>(op + 1 - ops);
        return_from(warp, m);
        return true;
      case OpKind::exit:
        if (m != mask) split->op = static_cast<std::uint32_t>(op + 1 - ops);
        exit_lanes(warp, m);
        return true;
      case OpKind::barrier:
        split->op = static_cast<std::uint32_t>(op - ops);
        if (!barrier(warp, *op, m)) {
          if (failed_) goto fault;
          return true;
        }
        split->op = 0;
        break;
      case OpKind::shuffle:
      case OpKind::vote:
      case OpKind::match:
      case OpKind::redux:
      case OpKind::elect:
      case OpKind::warp_barrier:
        if (m == kAllLanes) {
          exchange(warp, *op, m);
          break;
        }
        split->op = static_cast<std::uint32_t>(op - ops);
        if (!warp_wide(warp, *op, m)) return true;
        split->op = 0;
        break;
      case OpKind::trap:
        fail(finding_at(launch::FindingKind::trap, op->index, warp.number,
                        static_cast<std::uint32_t>(std::countr_zero(m))));
        goto fault;
      case OpKind::call_printf:
        if (!print(warp, *op, m)) goto fault;
        break;
      case OpKind::call_assert:
        assert_failed(warp, *op, m);
        goto fault;
      case OpKind::sleep:
        polled_ = true;
        split->spins += kSpinsBeforeYield / 4;
        break;
      default:
        other_lanes(warp, *split, *op, m);
        break;
    }
  }
fault:
  stop = Stop::fault;
  return false;
}

}  // namespace labkit::simt
