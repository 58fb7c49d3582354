// mbarrier: a barrier in 8 bytes of shared memory, at which threads arrive and wait apart, and copies may count as well.
//
// What the 8 bytes hold is opaque to PTX. Here, from bit 0 on: arrivals that a phase expects, those still to come (20 bits
// each), bytes of copies still to come (21, signed), the phase's parity, and 1 in the two highest bits once it is initialised.
// Threads wait by polling; where all that a block still does is poll such barriers, nobody is left to complete them.
#include <cstring>
#include <utility>

#include "simt/limits.h"
#include "simt/worker.h"

namespace labkit::simt {

using launch::Cause;
using words::Id;
namespace {

constexpr std::uint32_t kMostArrivals =
    (1u << 20) - 1;  ///< PTX ISA, mbarrier: valid range of the count
constexpr std::uint64_t kInitialised = 1;

struct Barrier {
  std::uint32_t expected = 0, pending = 0;
  std::int32_t bytes = 0;
  std::uint32_t phase = 0;

  static bool is_one(std::uint64_t word) { return word >> 62 == kInitialised; }
  explicit Barrier(std::uint64_t word)
      : expected(word & kMostArrivals),
        pending(word >> 20 & kMostArrivals),
        bytes(static_cast<std::int32_t>(static_cast<std::int64_t>(word << 3) >> 43)),
        phase(word >> 61 & 1) {}
  std::uint64_t word() const {
    return expected | std::uint64_t{pending} << 20 |
           (static_cast<std::uint64_t>(bytes) & 0x1FFFFF) << 40 | std::uint64_t{phase} << 61 |
           kInitialised << 62;
  }
  /// True if that ends the phase.
  bool completes() {
    if (pending != 0 || bytes != 0) return false;
    pending = expected;
    phase ^= 1;
    return true;
  }
};

std::uint64_t word_at(const std::byte* at) {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

}  // namespace

bool Worker::no_barrier(const Op& op, std::uint32_t lane, words::Message why, Id fix) {
  return fail(launch::FindingKind::barrier, Cause::barrier_arguments, op.index, warp_->number,
              1u << lane, {{Id::barrier_invalid_arguments}, std::move(why)}, {fix});
}

/// Of one lane that arrives, or whose copies are over. False: fault.
bool Worker::change_barrier(const Op& op, const MbarrierOp& what, std::uint32_t lane, std::byte* at,
                            std::uint64_t address, std::uint32_t arrivals, std::int32_t bytes) {
  if (!Barrier::is_one(word_at(at)))
    return no_barrier(op, lane, {Id::mbarrier_not_initialised}, Id::mbarrier_fix_initialise);
  Barrier barrier(word_at(at));
  if (arrivals > barrier.pending)
    return no_barrier(op, lane,
                      {Id::mbarrier_too_many,
                       {{"count", words::count(arrivals)},
                        {"expected", words::count(barrier.expected)},
                        {"pending", words::count(barrier.pending)}}},
                      Id::mbarrier_fix_count);
  barrier.pending -= arrivals;
  if (what.drops) barrier.expected -= arrivals;
  barrier.bytes += bytes;
  const bool arrives = what.kind != MbarrierOp::Kind::expect;
  if (arrives) report_phase(PhaseEvent::What::arrive, address, warp_->number, 1u << lane);
  if (barrier.completes()) report_phase(PhaseEvent::What::complete, address, 0, 0);
  const std::uint64_t word = barrier.word();
  std::memcpy(at, &word, sizeof word);
  changed_ = true;
  return true;
}

bool Worker::mbarrier(const Op& op, std::uint32_t mask) {
  using Kind = MbarrierOp::Kind;
  const auto& what = program_.mbarriers[op.target];
  if (what.kind == Kind::bulk) return bulk_copy(op, what, mask);
  if (what.kind == Kind::pending_count) {
    alignas(64) std::uint32_t counts[kLanes];
    for (std::uint32_t i = 0; i < kLanes; ++i)
      counts[i] = Barrier(read_lane(registers + op.s[0], true, i)).pending;
    if (shadow_) define(op.d, 'w', mask);
    write32(op.d, counts, mask);
    return true;
  }
  const auto& memory = program_.memory_ops[what.barrier];
  std::uint64_t addresses[kLanes];
  std::byte* host[kLanes];
  form_addresses(op.s[0], op.imm, memory, mask, addresses);
  if (!locate(memory, mask, addresses, host)) return false;
  std::uint32_t complete = 0;
  for (const std::uint32_t i : LanesOf(mask)) {
    if (memory.space == kGenericSpace) addresses[i] -= kSharedWindow;
    if (host[i] < shared_.data() || host[i] >= shared_.data() + launch_.shared_bytes)
      return no_barrier(op, i, {Id::mbarrier_not_shared}, Id::mbarrier_fix_shared);
    const std::uint64_t before = word_at(host[i]);
    const std::uint32_t operand = op.s[1] == kNoSlot || what.has_state ? 1 : words(op.s[1])[i];
    switch (what.kind) {
      case Kind::init: {
        if (operand == 0 || operand > kMostArrivals)
          return no_barrier(
              op, i,
              {Id::mbarrier_count,
               {{"count", words::count(operand)}, {"most", words::count(kMostArrivals)}}},
              Id::mbarrier_fix_count);
        Barrier barrier(0);
        barrier.expected = barrier.pending = operand;
        const std::uint64_t word = barrier.word();
        std::memcpy(host[i], &word, sizeof word);
        changed_ = true;
        break;
      }
      case Kind::inval:
        std::memset(host[i], 0, sizeof before);
        changed_ = true;
        break;
      case Kind::arrive:
        if (!change_barrier(op, what, i, host[i], addresses[i], what.expects ? 1 : operand,
                            what.expects ? static_cast<std::int32_t>(operand) : 0))
          return false;
        if (op.d != kNoSlot) write_lane(registers + op.d, true, i, before);
        break;
      case Kind::expect:
      case Kind::complete: {
        const auto bytes = static_cast<std::int32_t>(operand);
        if (!change_barrier(op, what, i, host[i], addresses[i], 0,
                            what.kind == Kind::expect ? bytes : -bytes))
          return false;
        break;
      }
      case Kind::copies:  // which are over already; with .noinc the arrival is one that is expected
        report_async(AsyncEvent::Kind::arrive, op, 1u << i);
        if (!change_barrier(op, what, i, host[i], addresses[i], what.expects ? 1 : 0, 0))
          return false;
        break;
      case Kind::test: {
        if (!Barrier::is_one(before)) return change_barrier(op, what, i, host[i], 0, 0, 0);
        const std::uint64_t of =
            what.has_state ? read_lane(registers + op.s[1], true, i) >> 61 : operand;
        if ((of & 1) != Barrier(before).phase) {
          complete |= 1u << i;
          report_phase(PhaseEvent::What::wait, addresses[i], warp_->number, 1u << i);
        } else {
          polled_ |= kPollsBarrier;
          polled_barrier_ = {op.index, warp_->number, 1u << i, before};
        }
        break;
      }
      case Kind::pending_count:
      case Kind::bulk:
        break;
    }
  }
  if (what.kind != Kind::test) return true;
  if (shadow_ && op.d != kNoSlot) define(op.d, 'p', mask);
  write_predicate(op.d, complete, mask);
  return true;
}

/// cp.async.bulk from global to shared memory, which counts its bytes at a barrier. A GPU does it beside the warps; here it
/// is done at once, and counted as copies of 16 bytes.
bool Worker::bulk_copy(const Op& op, const MbarrierOp& what, std::uint32_t mask) {
  const auto& store = program_.memory_ops[op.aux];
  const auto& load = program_.memory_ops[op.aux - 1];
  const auto& memory = program_.memory_ops[what.barrier];
  std::uint64_t from[kLanes], to[kLanes], barriers[kLanes];
  std::byte *source[kLanes], *destination[kLanes];
  form_addresses(op.s[1], what.source_offset, load, mask, from);
  form_addresses(op.s[0], op.imm, store, mask, to);
  form_addresses(op.s[3], what.barrier_offset, memory, mask, barriers);
  const auto* const sizes = words(op.s[2]);
  for (const std::uint32_t i : LanesOf(mask)) {
    if (sizes[i] % store.bytes != 0)
      return no_barrier(op, i, {Id::mbarrier_copy_size, {{"bytes", words::count(sizes[i])}}},
                        Id::mbarrier_fix_copy_size);
    for (std::uint32_t at = 0; at < sizes[i]; at += store.bytes) {
      block_cost_ += 2 * kSlowAccessCost;
      if (!locate(load, 1u << i, from, source) || !locate(store, 1u << i, to, destination))
        return false;
      std::memcpy(destination[i], source[i], store.bytes);
      from[i] += load.bytes;
      to[i] += store.bytes;
    }
    std::byte* const barrier =
        barriers[i] % 8 == 0 ? locate_lane(kSharedSpace, barriers[i], 8, i, true) : nullptr;
    if (barrier == nullptr)
      return no_barrier(op, i, {Id::mbarrier_not_shared}, Id::mbarrier_fix_shared);
    report_async(AsyncEvent::Kind::arrive, op, 1u << i);
    if (!change_barrier(op, what, i, barrier, barriers[i], 0, -static_cast<std::int32_t>(sizes[i])))
      return false;
  }
  return true;
}

/// All that the block still does is wait for barriers in shared memory, of which this was polled last.
void Worker::barrier_deadlock() {
  const Barrier barrier(polled_barrier_.word);
  auto finding = finding_at(launch::FindingKind::barrier, polled_barrier_.instruction,
                            polled_barrier_.warp, first_lane(polled_barrier_.lanes));
  finding.cause = Cause::barrier_arguments;
  finding.evidence = {{Id::barrier_divergent_block},
                      {Id::mbarrier_waits,
                       {{"expected", words::count(barrier.expected)},
                        {"arrived", words::count(barrier.expected - barrier.pending)}}}};
  if (barrier.bytes != 0)
    finding.evidence.push_back(
        {Id::mbarrier_waits_for_bytes, {{"bytes", words::count(barrier.bytes)}}});
  finding.fix = {Id::mbarrier_fix_count};
  fail(std::move(finding));
}

}  // namespace labkit::simt
