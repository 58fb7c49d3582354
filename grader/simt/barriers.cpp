// bar and barrier. Threads are counted, not warps: a thread that has exited no longer belongs to those a barrier of the
// whole block waits for, as on GPUs since Volta. A barrier with a number of threads counts whole warps.
#include <algorithm>
#include <bit>
#include <utility>

#include "simt/worker.h"

namespace labkit::simt {

using launch::Cause;
using words::Id;

words::Message waits_elsewhere(const launch::SourceLine& here, const launch::SourceLine& there,
                               const launch::Dim3& thread) {
  words::Message message{Id::barrier_elsewhere, {{"thread", launch::triple(thread)}}};
  if (there.line == 0)
    message.id = Id::barrier_elsewhere_unknown;
  else if (there.line == here.line)
    message.id = Id::barrier_elsewhere_in_line;
  else
    message.parameters.push_back({"line", there});
  return message;
}

/// Numbers that the program has only computed. PTX ISA, bar: there are 0 to 15; all threads of a warp take part in the one
/// that is named, so that two at once mean nothing (and for barrier without .aligned, nothing that is known here).
bool Worker::known_barrier(const Warp& warp, const Op& op, std::uint32_t mask,
                           const std::uint32_t* numbers) {
  const auto first = numbers[first_lane(mask)];
  for (const std::uint32_t lane : LanesOf(mask)) {
    const auto number = numbers[lane];
    if (number < kBarriers && number == first) continue;
    const auto invalid = [&](words::Message why, Id fix) {
      return fail(launch::FindingKind::barrier, Cause::barrier_arguments, op.index, warp.number,
                  1u << lane, {{Id::barrier_invalid_arguments}, std::move(why)}, {fix});
    };
    if (number < kBarriers)
      return invalid({Id::barrier_numbers_differ}, Id::barrier_fix_same_number);
    return invalid(
        {Id::barrier_no_such_number, {{"number", std::int64_t{static_cast<std::int32_t>(number)}}}},
        Id::barrier_fix_number);
  }
  return true;
}

/// PTX ISA, bar: the number of threads "must be a multiple of the warp size". Who comes to one barrier with another number,
/// or arrives a second time before the others have come, makes it let go too early.
bool Worker::known_count(const Warp& warp, const Op& op, std::uint32_t mask, std::uint32_t number,
                         const std::uint32_t* counts) {
  const auto& barrier = barriers_[number];
  const auto all = (launch_.threads + kLanes - 1) / kLanes * kLanes;
  const auto count = counts == nullptr ? all : counts[first_lane(mask)];
  const words::Parameter name{"barrier", words::count(number)};
  words::Message wrong, fix;
  for (const std::uint32_t lane : LanesOf(counts == nullptr ? 0 : mask))
    if (counts[lane] != count) wrong = {Id::barrier_lanes_count_differently, {name}};
  if (count % kLanes != 0 || (count == 0 && (op.imm & 15) == 1)) {
    wrong = {Id::barrier_no_whole_warps, {{"count", words::count(count)}, name}};
    fix = {Id::barrier_fix_multiple};
  } else if (const auto expected = barrier.expected == 0 ? all : barrier.expected;
             !wrong && barrier.arrived != 0 && count != 0 && count != expected) {
    wrong = {Id::barrier_other_count,
             {{"count", words::count(count)}, name, {"expected", words::count(expected)}}};
  }
  if (!fix) fix = {Id::barrier_fix_same_count, {name}};
  for (const auto& came : barrier.only_arrived)
    if (!wrong && came.warp == warp.number && (came.lanes & mask) != 0) {
      wrong = {Id::barrier_arrives_again, {name}};
      fix = {Id::barrier_fix_wait, {name}};
    }
  if (!wrong) return true;
  return fail(launch::FindingKind::barrier, Cause::barrier_arguments, op.index, warp.number, mask,
              {{Id::barrier_invalid_arguments}, std::move(wrong)}, std::move(fix));
}

/// Of a split at a barrier to which so many threads come as the kernel says.
void Worker::describe_waiting(launch::Finding& finding, const Warp& warp,
                              const Split& split) const {
  for (std::size_t number = 0; number <= kClusterBarrier; ++number) {
    const auto& barrier = barriers_[number];
    const bool is_there = std::ranges::any_of(barrier.waiting, [&](const auto& waiting) {
      return waiting.warp == warp.number && &warp.split(waiting.split) == &split;
    });
    if (!is_there || barrier.expected == 0) continue;
    finding.cause = Cause::barrier_arguments;
    finding.evidence.push_back({Id::barrier_waits_for,
                                {{"barrier", words::count(number)},
                                 {"expected", words::count(barrier.expected)},
                                 {"arrived", words::count(barrier.arrived)}}});
    finding.fix = {Id::barrier_fix_as_many};
    return;
  }
}

bool Worker::barrier(Warp& warp, const Op& op, std::uint32_t mask) {
  const std::uint32_t lane = first_lane(mask);
  std::uint32_t number = op.aux - 1;  // nearly always written as a constant
  if (op.aux == 0) {
    const auto* const numbers = words(op.s[0]);
    if (!known_barrier(warp, op, mask, numbers)) return false;
    number = numbers[lane];
  }
  auto& barrier = barriers_[number];
  auto& split = warp.split(warp.current);
  const auto what = op.imm & 15;
  barriers_in_use_ |= 1u << number;
  const auto* const counts = op.s[1] == kNoSlot ? nullptr : words(op.s[1]);
  if ((counts != nullptr || barrier.expected != 0) && !known_count(warp, op, mask, number, counts))
    return false;
  barrier.expected = counts == nullptr ? 0 : counts[lane];
  std::uint32_t arriving = lane_count(mask);
  if (barrier.expected != 0) {
    // whole warps count: lanes that have exited, or never were, come with the last of their warp
    std::uint32_t here = mask;
    for (const auto& waiting : barrier.waiting)
      if (waiting.warp == warp.number) here |= warp.split(waiting.split).waiting;
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
  if (number == kClusterBarrier) {
    report_phase(PhaseEvent::What::arrive, ~0ull, warp.number, mask);
  } else if (observer_ != nullptr) {
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
    barrier.only_arrived.push_back({warp.number, mask});
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
  for (const std::uint32_t number : LanesOf(barriers_in_use_)) {
    auto& barrier = barriers_[number];
    if (barrier.arrived != 0 &&
        barrier.arrived >= (barrier.expected == 0 ? live_threads_ : barrier.expected))
      complete_barrier(barrier);
  }
}

void Worker::complete_barrier(BlockBarrier& barrier) {
  const Op* ops = launch_.ops.data();
  const auto split_of = [&](const BlockBarrier::Waiting& waiting) -> Split& {
    return warps_[waiting.warp].split(waiting.split);
  };
  const bool one_instruction = std::ranges::all_of(barrier.waiting, [&](const auto& waiting) {
    return split_of(waiting).op == split_of(barrier.waiting.front()).op;
  });
  for (const auto& waiting : barrier.waiting) {
    if (one_instruction) break;
    const Split& split = split_of(waiting);
    const Op& op = ops[split.op];
    // lanes of one warp that came by two different barrier instructions
    const auto beside = std::ranges::find_if(barrier.waiting, [&](const auto& other) {
      return other.warp == waiting.warp && split_of(other).op != split.op;
    });
    if (!(op.imm & 16) || beside == barrier.waiting.end()) continue;
    auto finding =
        finding_at(launch::FindingKind::barrier, op.index, waiting.warp, first_lane(split.waiting));
    const auto there = finding_at(launch::FindingKind::barrier, ops[split_of(*beside).op].index,
                                  waiting.warp, first_lane(split_of(*beside).waiting));
    finding.other = there.where;
    finding.other_thread = there.thread;
    finding.other_block = there.block;
    finding.cause = Cause::barrier_not_on_every_path;
    finding.evidence = {{Id::barrier_divergent_warp},
                        waits_elsewhere(finding.where, there.where, there.thread)};
    return fail(std::move(finding));
  }
  const auto number = static_cast<std::uint32_t>(&barrier - barriers_);
  if (number == kClusterBarrier)
    report_phase(PhaseEvent::What::complete, ~0ull, 0, 0);
  else if (observer_ != nullptr)
    observer_->on_release(block_, number);
  for (const auto& waiting : barrier.waiting) {
    Split& split = split_of(waiting);
    const Op& op = ops[split.op];
    std::byte* const before = std::exchange(registers, warps_[waiting.warp].registers);
    if ((op.imm & 15) == 2) {
      alignas(64) std::uint32_t values[kLanes];
      for (auto& value : values) value = barrier.popc;
      write32(op.d, values, split.waiting);
    } else if ((op.imm & 15) >= 3) {
      write_predicate(op.d, ((op.imm & 15) == 3 ? barrier.all : barrier.any) ? kAllLanes : 0,
                      split.waiting);
    }
    registers = before;
    if (number == kClusterBarrier)
      report_phase(PhaseEvent::What::wait, ~0ull, waiting.warp, split.waiting);
    split.state = SplitState::ready;
    split.waiting = 0;
    ++split.op;
  }
  barrier.reset();
}

/// Who has arrived waits for the others; who has not, in this phase, finds the one before complete.
bool Worker::cluster_wait(Warp& warp, std::uint32_t mask) {
  auto& barrier = barriers_[kClusterBarrier];
  const bool waits = std::ranges::any_of(barrier.only_arrived, [&](const auto& came) {
    return came.warp == warp.number && (came.lanes & mask) != 0;
  });
  if (!waits) {
    report_phase(PhaseEvent::What::wait, ~0ull, warp.number, mask);
    return true;
  }
  auto& split = warp.split(warp.current);
  split.state = SplitState::at_barrier;
  split.waiting = mask;
  barrier.waiting.push_back({warp.number, warp.current});
  return false;
}

void Worker::report_phase(PhaseEvent::What what, std::uint64_t barrier, std::uint32_t warp,
                          std::uint32_t lanes) {
  if (observer_ != nullptr)
    observer_->on_phase(
        {.what = what, .block = block_, .warp = warp, .lanes = lanes, .barrier = barrier});
}

}  // namespace labkit::simt
