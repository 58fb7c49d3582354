// Runs a warp: picks a split that is ready and executes it, code block by code block, until it parts, waits, ends or gives
// way to others.
#include <algorithm>
#include <utility>

#include "simt/affine.h"
#include "simt/limits.h"
#include "simt/worker.h"

namespace labkit::simt {
namespace {

/// Turns of a polling loop before others get their chance. What polls in a cooperative launch waits for another block nearly always,
/// and each more would count as a load that the kernel makes.
constexpr std::uint32_t kSpinsBeforeYield = 32, kCooperativeSpins = 1;
constexpr std::uint32_t kTurnsBeforeYield = 1u << 14;

/// Source `n`, of whole predicates.
std::uint32_t predicate_of(const std::byte* registers, const Op& op, int n) {
  const auto bits = *words_at(registers + op.s[n]);
  return (op.modifiers & (kNegateSource << n)) != 0 ? ~bits : bits;
}

/// Of two ways that part, no later block makes one again.
std::uint64_t next_on_path(std::uint64_t path, std::int32_t block) {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
  return (path ^ path >> 32 ^ (static_cast<std::uint64_t>(block) + 1)) * kOdd;
}

std::uint32_t guard_of(const std::byte* registers, const Op& op) {
  return *words_at(registers + op.guard) ^ op.guard_xor;
}

}  // namespace

Stop Worker::run_warp(Warp& warp) {
  registers = warp.registers;
  warp_ = &warp;
  settled = settled_.data() + warp.number * program_.memory_ops.size();
  if (shadow_) warp_shadow_ = &shadow_->warps[warp.number];
  turns_ = 0;
  Stop stop = Stop::done;
  for (;;) {
    if (warp.live == 0) return Stop::done;
    const auto next = warp.next_ready();
    if (next < 0) return Stop::blocked;
    warp.current = next;
    ++stretches_;
    if (resume_ == nullptr) begin_poll(warp);
    const bool goes_on = shadow_          ? run_split<true, false>(warp, stop)
                         : warp.is_affine ? run_split<false, true>(warp, stop)
                                          : run_split<false, false>(warp, stop);
    if (!goes_on) return stop;
  }
}

void Worker::begin_poll(const Warp& warp) {
  const Split& split = warp.splits[static_cast<std::size_t>(warp.current)];
  is_polling_ = observer_ != nullptr && split.gave_way != Poll{};
  if (is_polling_) before_poll_ = {block_counts_, guarded_counts_, warp.path, clock_};
}

void Worker::forget_repeated_poll(Warp& warp, const Split& split) {
  is_polling_ =
      polled_ == kPollsMemory && !changed_ && last_poll_ != Poll{} && last_poll_ == split.gave_way;
  if (!is_polling_) return;
  block_counts_ = before_poll_.blocks;
  guarded_counts_ = before_poll_.guarded;
  warp.path = before_poll_.path;
  clock_ = before_poll_.clock;
}

bool Worker::turn(Warp& warp, Split& split, Stop& stop) {
  if (is_polling_) forget_repeated_poll(warp, split);
  if ((polled_ & ~kReadsClock) != 0 && !changed_)
    ++split.spins;
  else
    split.spins = 0;
  polls_ |= polled_;
  polled_ = 0;
  changed_ = false;
  ++turns_;
  if (program_.is_cooperative) split.gave_way = last_poll_;  // its loop begins again
  const std::uint32_t most_spins = program_.is_cooperative ? kCooperativeSpins : kSpinsBeforeYield;
  if (split.spins < most_spins && turns_ < kTurnsBeforeYield && block_cost_ <= launch_.budget)
    return true;
  if (!may_go_on(warp, split)) {
    stop = Stop::fault;
    return false;
  }
  const bool spinning = split.spins >= most_spins;
  split.spins = 0;
  if (spinning) split.gave_way = last_poll_;
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

// The switch has no way out for a kind that it does not name, and so must name all.
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wswitch-enum"
/// kFollow: undefined values are followed. kAffine: the warp is affine, and so all its lanes run.
template <bool kFollow, bool kAffine>
bool Worker::run_split(Warp& warp, Stop& stop) {
  const Op* const ops = kAffine ? launch_.affine_ops.data() : launch_.ops.data();
  const MemoryOp* const memory_ops = program_.memory_ops.data();
  const CodeBlock* const blocks = program_.blocks.data();
  Count* const block_counts = block_counts_.data();
  Affine* const affine = warp.affine.data();  // whose Ops are in affine_ops alone
  std::byte* const registers = this->registers;
  Split* split = &warp.split(warp.current);
  std::uint32_t mask = split->mask;
  const Op* op;
  if (!kAffine && resume_ != nullptr) {
    op = std::exchange(resume_, nullptr);
    goto execute;
  }
  if (split->op != 0) {
    op = ops + split->op;
    split->op = 0;
    goto execute;
  }
enter : {
  const std::int32_t b = split->block;
  if (b == split->reconvergence && split->parent >= 0) {
    warp.arrive();
    return true;
  }
  warp.path = next_on_path(warp.path, b);
  const CodeBlock& block = blocks[b];
  Count& count = block_counts[b];
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
    if (!kAffine && op->guard != kNoSlot) {
      m &= guard_of(registers, *op);
      if (m != 0) {
        count_guarded(*op, m);
      } else if (op->kind != OpKind::branch) {
        if constexpr (kFollow)
          if (warp_shadow_->count != 0) follow(*op, mask, m);
        continue;
      }
    }
    if constexpr (kFollow)
      if (warp_shadow_->count != 0) follow(*op, mask, m);
    switch (op->kind) {
      case OpKind::lanes32:
      case OpKind::lanes64:
        if (m == kAllLanes)
          op->run.lanes(registers + op->d, registers, *op);
        else
          masked_lanes(*op, m);
        break;
      case OpKind::mask: {
        auto* d = words_at(registers + op->d);
        *d = (*d & ~m) | (op->run.mask(registers, *op) & m);
        break;
      }
      case OpKind::load:
        polled_ |= static_cast<std::uint8_t>(memory_ops[op->aux].synchronises);
        if (!launch_.target->load(*this, *op, m)) goto fault;
        break;
      case OpKind::store:
        changed_ = true;
        if (!launch_.target->store(*this, *op, m)) goto fault;
        break;
#define RULE(rule)                                                                      \
  case OpKind::affine_##rule:                                                           \
    if (!do_affine<AffineRule::rule>(affine, *op)) return lane_by_lane(warp, op - ops); \
    break;
        LABKIT_AFFINE_RULES(RULE)
#undef RULE
      case OpKind::affine_and_lanes:
        if (!do_affine(affine, *op)) return lane_by_lane(warp, op - ops);
        spread_affine(warp, slot_of_affine(op->d), op->affine_64);
        break;
      case OpKind::affine_mask:
        *words_at(registers + op->d) = compare_affine(affine, *op);
        break;
      case OpKind::affine_load:
        polled_ |= static_cast<std::uint8_t>(memory_ops[op->aux].synchronises);
        if (!launch_.target->load_affine(*this, *op, file_at(affine, op->s[0])))
          return lane_by_lane(warp, op - ops);
        break;
      case OpKind::affine_store:
        changed_ = true;
        if (!launch_.target->store_affine(*this, *op, file_at(affine, op->s[0])))
          return lane_by_lane(warp, op - ops);
        break;
      case OpKind::atomic:
        polled_ |= kPollsMemory;
        if (!atomic(*op, m)) goto fault;
        break;
      case OpKind::async_copy:
        if (!async_copy(*op, m)) goto fault;
        report_async(AsyncEvent::Kind::copy, *op, m, op - ops);
        break;
      case OpKind::mbarrier:
        if (!mbarrier(*op, m)) goto fault;
        break;
      case OpKind::image:
        changed_ = true;
        if (!image(*op, m)) goto fault;
        break;
      case OpKind::async_commit:
        report_async(AsyncEvent::Kind::commit, *op, m, op - ops);
        break;
      case OpKind::async_wait:
        report_async(AsyncEvent::Kind::wait, *op, m, op - ops);
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
          warp.part(m, op->target, op->next, program_.blocks[here].reconvergence);
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
        const auto& table = program_.branch_tables[op->aux];
        const auto* index = words_at(registers + op->s[0]);
        const std::int32_t here = split->block;
        const auto target = [&](std::uint32_t lane) {
          return table[std::min<std::size_t>(index[lane], table.size() - 1)];
        };
        const auto to = target(first_lane(m));
        const std::uint32_t same =
            m & lanes_where([&](std::uint32_t i) { return target(i) == to; });
        if (same != m) {
          if constexpr (kAffine) return lane_by_lane(warp, op - ops);
          // the others come back to this very instruction
          const auto self = static_cast<std::uint32_t>(op - ops);
          warp.part(same, to, here, program_.blocks[here].reconvergence);
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
        if (program_.calls[op->aux].pointer) {
          if constexpr (kAffine) return lane_by_lane(warp, op - ops);
          if (!part_by_function(warp, *op, split->block, static_cast<std::uint32_t>(op - ops)))
            goto fault;
          split = &warp.split(warp.current);
        }
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
      case OpKind::cluster_wait:
        split->op = static_cast<std::uint32_t>(op - ops);
        if (op->kind == OpKind::barrier ? !barrier(warp, *op, m) : !cluster_wait(warp, m)) {
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
      case OpKind::matrix:
        if (m == kAllLanes || (op->kind != OpKind::matrix && op->aux != 0)) {
          exchange(warp, *op, m);
        } else {
          split->op = static_cast<std::uint32_t>(op - ops);
          if (!warp_wide(warp, *op, m)) {
            if (failed_) goto fault;
            return true;
          }
          split->op = 0;
        }
        if (failed_) goto fault;
        break;
      case OpKind::call_printf:
        if (!print(warp, *op, m)) goto fault;
        break;
      case OpKind::call_heap:
        if (!call_heap(warp, *op, m)) goto fault;
        break;
      case OpKind::trap:
      case OpKind::call_assert:
        assert_failed(warp, *op, m);
        goto fault;
      case OpKind::sleep:
        polled_ |= kPollsTime;
        split->spins += kSpinsBeforeYield / 4;
        break;
      case OpKind::affine_either:
        *words_at(registers + op->d) =
            predicate_of(registers, *op, 0) | predicate_of(registers, *op, 1);
        break;
      case OpKind::affine_both:
        *words_at(registers + op->d) =
            predicate_of(registers, *op, 0) & predicate_of(registers, *op, 1);
        break;
      case OpKind::affine_guarded:
        if (guard_of(registers, *op) != 0) return lane_by_lane(warp, op - ops);
        break;
      case OpKind::affine_branch: {
        const std::uint32_t taken = guard_of(registers, *op);
        if (taken != 0 && taken != kAllLanes) return lane_by_lane(warp, op - ops);
        if (taken != 0) count_guarded(*op, taken);
        const std::int32_t here = split->block;
        split->block = taken != 0 ? op->target : op->next;
        if (split->block <= here && !turn(warp, *split, stop)) return false;
        goto enter;
      }
      case OpKind::set_predicate:
      case OpKind::set_predicate_pair:
      case OpKind::set_value:
      case OpKind::carry:
      case OpKind::pack:
      case OpKind::unpack:
      case OpKind::local_address:
      case OpKind::is_space:
      case OpKind::parameter_load:
      case OpKind::parameter_store:
      case OpKind::active_mask:
      case OpKind::clock:
        other_lanes(warp, *split, launch_.ops[op - ops], m);
        break;
      default:
        __builtin_unreachable();
    }
  }
fault:
  stop = Stop::fault;
  return false;
}
#pragma GCC diagnostic pop

}  // namespace labkit::simt
