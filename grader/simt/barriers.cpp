// bar and barrier. Threads are counted, not warps: a thread that has exited no longer belongs to those a barrier of the
// whole block waits for, as on GPUs since Volta. A barrier with a number of threads counts whole warps.
#include <algorithm>
#include <bit>

#include "simt/worker.h"

namespace labkit::simt {

/// Numbers that the program has only computed. PTX ISA, bar: there are 0 to 15; all threads of a warp take part in the one
/// that is named, so that two at once mean nothing (and for barrier without .aligned, nothing that is known here).
bool Worker::known_barrier(const Warp& warp, const Op& op, std::uint32_t mask,
                           const std::uint32_t* numbers) {
  const auto first = numbers[std::countr_zero(mask)];
  for (auto rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = std::countr_zero(rest);
    const auto number = numbers[lane];
    if (number < kBarriers && number == first) continue;
    auto finding = finding_at(launch::FindingKind::barrier, op.index, warp.number,
                              static_cast<std::uint32_t>(lane));
    finding.text.replace(
        0, finding.text.find('\n'),
        number < kBarriers
            ? "Barrier error detected. Threads of one warp name different barriers."
            : "Barrier error detected. There is no barrier " +
                  std::to_string(static_cast<std::int32_t>(number)) + "; a block has 0 to 15.");
    fail(std::move(finding));
    return false;
  }
  return true;
}

bool Worker::barrier(Warp& warp, const Op& op, std::uint32_t mask) {
  const auto lane = std::countr_zero(mask);
  std::uint32_t number = op.aux - 1;  // nearly always written as a constant
  if (op.aux == 0) {
    const auto* const numbers = reinterpret_cast<const std::uint32_t*>(registers_ + op.s[0]);
    if (!known_barrier(warp, op, mask, numbers)) return false;
    number = numbers[lane];
  }
  auto& barrier = barriers_[number];
  auto& split = warp.splits[static_cast<std::size_t>(warp.current)];
  const auto what = op.imm & 15;
  barriers_in_use_ |= 1u << number;
  barrier.expected =
      op.s[1] == kNoSlot ? 0 : reinterpret_cast<const std::uint32_t*>(registers_ + op.s[1])[lane];
  std::uint32_t arriving = lane_count(mask);
  if (barrier.expected != 0) {
    // whole warps count: lanes that have exited, or never were, come with the last of their warp
    std::uint32_t here = mask;
    for (const auto& waiting : barrier.waiting)
      if (waiting.warp == warp.number)
        here |= warp.splits[static_cast<std::size_t>(waiting.split)].waiting;
    if ((warp.live & ~here) == 0)
      arriving += kLanes - static_cast<std::uint32_t>(std::popcount(warp.live));
  }
  barrier.arrived += arriving;
  if (what >= 2) {
    const std::uint32_t p = read_predicate(op, 2) & mask;
    barrier.popc += static_cast<std::uint32_t>(std::popcount(p));
    barrier.all = barrier.all && p == mask;
    barrier.any = barrier.any || p != 0;
  }
  if (observer_ != nullptr) {
    observer_->on_barrier(block_, warp.number, op.index);
    observer_->on_arrival({.block = block_,
                           .warp = warp.number,
                           .lanes = mask,
                           .number = number,
                           .instruction = op.index,
                           .waits = what != 1,
                           .whole_block = barrier.expected == 0});
  }
  if (what == 1) {
    recheck_barriers();
    return true;
  }
  split.state = SplitState::at_barrier;
  split.waiting = mask;
  barrier.waiting.push_back({warp.number, warp.current});
  recheck_barriers();
  return false;  // complete_barrier() has made the split ready if it was the last
}

void Worker::recheck_barriers() {
  for (std::uint32_t rest = barriers_in_use_; rest != 0; rest &= rest - 1) {
    auto& barrier = barriers_[std::countr_zero(rest)];
    if (barrier.arrived != 0 &&
        barrier.arrived >= (barrier.expected == 0 ? live_threads_ : barrier.expected))
      complete_barrier(barrier);
  }
}

void Worker::complete_barrier(BlockBarrier& barrier) {
  const Op* ops = launch_.ops.data();
  const auto op_of = [&](const BlockBarrier::Waiting& waiting) {
    return warps_[waiting.warp].splits[static_cast<std::size_t>(waiting.split)].op;
  };
  const bool one_instruction = std::all_of(
      barrier.waiting.begin(), barrier.waiting.end(),
      [&](const auto& waiting) { return op_of(waiting) == op_of(barrier.waiting.front()); });
  for (const auto& waiting : barrier.waiting) {
    if (one_instruction) break;
    auto& warp = warps_[waiting.warp];
    auto& split = warp.splits[static_cast<std::size_t>(waiting.split)];
    const Op& op = ops[split.op];
    // lanes of one warp that came by two different barrier instructions
    for (const auto& other : barrier.waiting)
      if (op.imm & 16 && other.warp == waiting.warp &&
          warp.splits[static_cast<std::size_t>(other.split)].op != split.op) {
        auto finding = finding_at(launch::FindingKind::barrier, op.index, waiting.warp,
                                  static_cast<std::uint32_t>(std::countr_zero(split.waiting)));
        const auto& beside = warp.splits[static_cast<std::size_t>(other.split)];
        const auto there =
            finding_at(launch::FindingKind::barrier, ops[beside.op].index, waiting.warp,
                       static_cast<std::uint32_t>(std::countr_zero(beside.waiting)));
        finding.other = there.where;
        finding.other_thread = there.thread;
        finding.other_block = there.block;
        finding.text +=
            "\nIt waited there while thread (" + std::to_string(there.thread.x) + "," +
            std::to_string(there.thread.y) + "," + std::to_string(there.thread.z) + ")" +
            " waited at another barrier" +
            (there.where.line == 0 ? ""
             : there.where.line == finding.where.line
                 ? " of the same line"
                 : ", at " + there.where.file + ":" + std::to_string(there.where.line)) +
            ": a barrier is one place that all threads of the block come to";
        fail(std::move(finding));
        return;
      }
  }
  if (observer_ != nullptr)
    observer_->on_release(block_, static_cast<std::uint32_t>(&barrier - barriers_));
  for (const auto& waiting : barrier.waiting) {
    auto& warp = warps_[waiting.warp];
    auto& split = warp.splits[static_cast<std::size_t>(waiting.split)];
    const Op& op = ops[split.op];
    std::byte* const before = registers_;
    registers_ = warp.registers;
    if ((op.imm & 15) == 2) {
      alignas(64) std::uint32_t values[kLanes];
      for (auto& value : values) value = barrier.popc;
      write32(op.d, values, split.waiting);
    } else if ((op.imm & 15) >= 3) {
      write_predicate(op.d, ((op.imm & 15) == 3 ? barrier.all : barrier.any) ? kAllLanes : 0,
                      split.waiting);
    }
    registers_ = before;
    split.state = SplitState::ready;
    split.waiting = 0;
    ++split.op;
  }
  barrier.reset();
}

}  // namespace labkit::simt
