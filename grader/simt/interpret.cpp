// Runs a warp: picks a split that is ready and executes it, code block by code block, until it parts, waits, ends or gives
// way to others.
#include <algorithm>
#include <bit>

#include "simt/cost.h"
#include "simt/worker.h"

namespace labkit::simt {
namespace {

constexpr std::uint32_t kSpinsBeforeYield =
    32;  ///< turns of a polling loop before others get their chance
constexpr std::uint32_t kTurnsBeforeYield = 1u << 14;

}  // namespace

Stop Worker::run_warp(Warp& warp) {
  registers_ = access_.registers = warp.registers;
  warp_ = &warp;
  access_.settled = settled_.data() + warp.number * program_.memory_ops.size();
  if (shadow_) warp_shadow_ = &shadow_->warps[warp.number];
  turns_ = 0;
  Stop stop = Stop::done;
  for (;;) {
    if (warp.live == 0) return Stop::done;
    const auto next = warp.next_ready();
    if (next < 0) return Stop::blocked;
    warp.current = next;
    ++stretches_;
    if (shadow_ ? !run_split<true>(warp, stop) : !run_split<false>(warp, stop)) return stop;
  }
}

bool Worker::turn(Warp& warp, Split& split, Stop& stop) {
  if (polled_ && !changed_)
    ++split.spins;
  else
    split.spins = 0;
  polled_ = changed_ = false;
  ++turns_;
  if (split.spins < kSpinsBeforeYield && turns_ < kTurnsBeforeYield &&
      block_cost_ <= launch_.budget)
    return true;
  if (!may_go_on(warp, split)) {
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

/// kFollow: undefined values are followed.
template <bool kFollow>
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
  block_cost_ += block.cost;
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
        block_cost_ += op->cost;
      } else if (op->kind != OpKind::branch) {
        if constexpr (kFollow)
          if (warp_shadow_->count != 0) follow(warp, *op, mask, m);
        continue;
      }
    }
    if constexpr (kFollow)
      if (warp_shadow_->count != 0) follow(warp, *op, mask, m);
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
      case OpKind::async_commit:
        if (observer_ != nullptr) observer_->on_async_commit(block_, warp.number, m);
        break;
      case OpKind::async_wait:
        if (observer_ != nullptr) observer_->on_async_wait(block_, warp.number, m, op->imm);
        break;
      case OpKind::fence:
        if (observer_ != nullptr) observer_->on_fence(block_, warp.number, m, op->imm != 0);
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
          block_cost_ += kPartCost;
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
