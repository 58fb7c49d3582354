#include <tuple>

#include "observe/findings.h"
#include "observe/race_paths.h"
#include "observe/sanitizers.h"
#include "simt/op.h"

namespace labkit::observe {
namespace {

enum class Misuse : std::uint8_t {
  skipped,
  left_early,
  different,
  unnamed,
  masks_differ,
  distance
};

struct Case {
  std::uint64_t block = 0;
  std::uint32_t thread = 0, other_thread = 0;
  std::uint64_t count = 0;
  std::uint32_t waiting = 0, passing = 0;  ///< lanes of the warp of `thread`
  std::uint32_t distance = 0;              ///< of a shuffle: over so many lanes
};
using Key = std::tuple<Misuse, std::uint32_t, std::uint32_t>;  ///< barrier, other instruction
using CaseTable = std::map<Key, Case>;

constexpr std::uint32_t kNothing = ~0u;

struct BlockBarriers {
  std::uint32_t count = 0;
  std::vector<std::uint32_t> threads;  ///< barriers that each came to
  std::vector<std::uint32_t> last;     ///< each thread's last access since its last barrier
  struct Passed {
    std::uint32_t instruction, thread;
  };
  std::vector<Passed> passed;  ///< one for each time a barrier let go
  /// Each thread's last access was one that others did before the barrier it missed.
  std::vector<bool> before;
  /// Of a warp, since its last barrier: the accesses, and which lanes did them.
  struct Done {
    std::vector<std::uint32_t> lanes, list;
  };
  std::vector<Done> done;
  std::vector<simt::BarrierArrival> arrivals[16];
  bool have_differed =
      false;  ///< threads met at two barriers: from then on, all are a barrier apart
};

class BarrierObserver final : public simt::Observer {
 public:
  explicit BarrierObserver(const simt::Program& program) : facts_(simt::instructions(program)) {}

  void on_block_begin(std::uint64_t block, std::uint32_t threads) override {
    auto& state = blocks_.begin(block);
    const std::size_t warps = (std::size_t{threads} + 31) / 32;
    state = {.count = threads,
             .threads = std::vector<std::uint32_t>(warps * 32),
             .last = std::vector<std::uint32_t>(warps * 32, kNothing),
             .passed = {},
             .before = std::vector<bool>(warps * 32),
             .done = std::vector<BlockBarriers::Done>(
                 warps, {.lanes = std::vector<std::uint32_t>(facts_.size()), .list = {}}),
             .arrivals = {},
             .have_differed = false};
  }
  void on_access(const simt::Access& access) override {
    auto& state = blocks_.at(access.block);
    auto* last = state.last.data() + std::size_t{access.warp} * 32;
    for (std::uint32_t i = 0; i < 32; ++i)
      last[i] = access.active >> i & 1 ? access.instruction : last[i];
    auto& done = state.done[access.warp];
    auto& lanes = done.lanes[access.instruction];
    if (lanes == 0) done.list.push_back(access.instruction);
    lanes |= access.active;
  }
  void on_arrival(const simt::BarrierArrival& arrival) override {
    if (!arrival.whole_block) return;
    blocks_.at(arrival.block).arrivals[arrival.number].push_back(arrival);
  }
  void on_release(std::uint64_t block, std::uint32_t barrier) override {
    auto& state = blocks_.at(block);
    auto& arrivals = state.arrivals[barrier];
    if (arrivals.empty()) return;
    const auto thread = [](const simt::BarrierArrival& arrival) {
      return arrival.warp * 32 + first_lane(arrival.lanes);
    };
    const auto& first = arrivals.front();
    for (const auto& arrival : arrivals) {
      for (const auto lane : Lanes(arrival.lanes)) ++state.threads[arrival.warp * 32 + lane];
      if (same_place(arrival.instruction, first.instruction)) continue;
      state.have_differed = true;
      note(cases, {Misuse::different, first.instruction, arrival.instruction},
           {block, thread(first), thread(arrival), 1});
    }
    tell_who_left_before(state, arrivals);
    state.passed.push_back({first.instruction, thread(first)});
    arrivals.clear();
  }
  void on_stray_exchange(const simt::StrayExchange& exchange) override {
    if (exchange.distance != 0)
      note(cases, {Misuse::distance, exchange.instruction, kNothing},
           {.block = exchange.block,
            .thread = exchange.warp * 32 + first_lane(exchange.lanes),
            .count = 1,
            .distance = exchange.distance});
    const auto lanes = exchange.unnamed != 0 ? exchange.unnamed : exchange.differing;
    if (lanes == 0) return;
    const auto thread = exchange.warp * 32 + first_lane(lanes);
    const auto misuse = exchange.unnamed != 0 ? Misuse::unnamed : Misuse::masks_differ;
    note(cases, {misuse, exchange.instruction, kNothing}, {exchange.block, thread, thread, 1});
  }
  void on_block_end(std::uint64_t block) override {
    const auto& state = blocks_.at(block);
    CaseTable here;
    for (std::uint32_t thread = 0; thread < state.count && !state.have_differed; ++thread) {
      const auto came = state.threads[thread];
      if (came >= state.passed.size()) continue;
      const auto& missed = state.passed[came];
      const auto last = state.last[thread];
      const bool beyond =
          last != kNothing && !state.before[thread] && comes_after(missed.instruction, last);
      note(here,
           {beyond ? Misuse::skipped : Misuse::left_early, missed.instruction,
            beyond ? last : kNothing},
           {block, thread, missed.thread, 1});
    }
    for (auto& [key, one] : here) {
      const std::uint32_t missed = state.threads[one.thread];
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        const std::uint32_t thread = one.thread / 32 * 32 + lane;
        if (thread >= state.count) break;
        (state.threads[thread] > missed ? one.waiting : one.passing) |= 1u << lane;
      }
      note(cases, key, one);
    }
    blocks_.end(block);
  }

  CaseTable cases;

 private:
  /// In a loop that a thread leaves, the place of its last access says nothing: who came to the barrier did the same a
  /// moment before, if that thread had only left by then.
  static void tell_who_left_before(BlockBarriers& state,
                                   const std::vector<simt::BarrierArrival>& arrivals) {
    std::uint32_t come = 0;
    for (const auto& arrival : arrivals) come += simt::lane_count(arrival.lanes);
    if (come != state.count)
      for (std::uint32_t thread = 0; thread < state.count; ++thread) {
        if (state.threads[thread] != state.passed.size() || state.last[thread] == kNothing)
          continue;
        state.before[thread] = std::ranges::any_of(arrivals, [&](const auto& one) {
          return (state.done[one.warp].lanes[state.last[thread]] & one.lanes) != 0;
        });
      }
    for (const auto& arrival : arrivals) {
      for (const auto lane : Lanes(arrival.lanes)) state.last[arrival.warp * 32 + lane] = kNothing;
      auto& done = state.done[arrival.warp];
      for (const auto instruction : done.list) done.lanes[instruction] = 0;
      done.list.clear();
    }
  }

  /// The compiler makes copies of a barrier where it unrolls a loop, and one of them leads to the other. Those of one line
  /// of which none does stand in the branches of a condition.
  bool same_place(std::uint32_t a, std::uint32_t b) {
    return a == b ||
           (facts_[a].location.line != 0 && facts_[a].location == facts_[b].location &&
            facts_[a].inlined_at == facts_[b].inlined_at &&
            (facts_[a].function != facts_[b].function || comes_after(a, b) || comes_after(b, a)));
  }

  /// Whether `later` can be reached from behind `barrier` without an edge backward. Of other functions nothing is known.
  bool comes_after(std::uint32_t barrier, std::uint32_t later) {
    const auto& from = facts_[barrier];
    const auto& to = facts_[later];
    if (from.function != to.function) return false;
    if (!flows_.contains(from.function)) flows_[from.function] = ptx::control_flow(*from.function);
    return leads_down(flows_[from.function], from.body_index, to.body_index);
  }

  std::span<const simt::InstructionFacts> facts_;
  BlockStates<BlockBarriers> blocks_;
  std::map<const ptx::Function*, ptx::ControlFlow> flows_;
};

void describe(launch::Finding& finding, Misuse misuse, std::uint32_t distance) {
  using launch::Cause;
  using words::Id;
  const words::Parameter waiting = with("thread", finding.other_thread);
  switch (misuse) {
    case Misuse::skipped:
      diagnose(finding, Cause::barrier_not_on_every_path, {Id::barrier_fix_all_threads},
               {{Id::barrier_divergent_block},
                {Id::barrier_skipped, {with("line", finding.other), waiting}}});
      break;
    case Misuse::left_early:
      diagnose(finding, Cause::barrier_after_early_return, {Id::barrier_fix_left_early},
               {{Id::barrier_divergent_block},
                {Id::barrier_left_early, {waiting}},
                {Id::barrier_left_counts}});
      break;
    case Misuse::different:
      diagnose(finding, Cause::barrier_not_on_every_path, {Id::barrier_fix_one},
               {{Id::barrier_divergent_block},
                simt::waits_elsewhere(finding.where, finding.other, finding.other_thread)});
      break;
    case Misuse::unnamed:
      diagnose(finding, Cause::barrier_mask, {Id::barrier_fix_name_all},
               {{Id::barrier_invalid_arguments}, {Id::barrier_mask_without_self}});
      break;
    case Misuse::masks_differ:
      diagnose(finding, Cause::barrier_mask, {Id::barrier_fix_same_mask},
               {{Id::barrier_invalid_arguments}, {Id::barrier_masks_differ}});
      break;
    case Misuse::distance:
      diagnose(finding, Cause::shuffle_distance, {Id::shuffle_fix_distance},
               {distance % 32 == 0
                    ? words::Message{Id::shuffle_distance, {with("distance", distance)}}
                    : words::Message{Id::shuffle_wraps,
                                     {with("distance", distance), with("taken", distance % 32)}}});
      break;
  }
}

class BarrierUse final : public Sanitizer {
 public:
  explicit BarrierUse(const simt::Program& program) : program_(program) {}
  std::unique_ptr<simt::Observer> make() override {
    return std::make_unique<BarrierObserver>(program_);
  }
  void collect(simt::Observer& observer, const simt::Executions&) override {
    for (const auto& [key, one] : static_cast<BarrierObserver&>(observer).cases)
      note(cases_, key, one);
  }
  std::vector<launch::Finding> findings(const Places& places) const override {
    std::vector<launch::Finding> found;
    for (const auto& [key, one] : cases_) {
      const auto& [misuse, barrier, other] = key;
      launch::Finding& finding = found.emplace_back();
      finding.kind = launch::FindingKind::barrier;
      const bool is_defined = misuse == Misuse::left_early || misuse == Misuse::distance;
      finding.severity = is_defined ? launch::Severity::warning : launch::Severity::error;
      finding.kernel = places.kernel();
      finding.where = places.line(barrier);
      finding.where_inside = places.inside(barrier);
      finding.other = places.line(other);
      finding.other_inside = places.inside(other);
      finding.thread = places.thread(one.thread);
      finding.other_thread = places.thread(one.other_thread);
      finding.block = finding.other_block = places.block(one.block);
      finding.count = one.count;
      finding.lanes = one.waiting;
      finding.other_lanes = one.passing;
      describe(finding, misuse, one.distance);
    }
    return found;
  }

 private:
  const simt::Program& program_;
  CaseTable cases_;
};

}  // namespace

std::unique_ptr<Sanitizer> barrier_sanitizer(const simt::Program& program) {
  return std::make_unique<BarrierUse>(program);
}

}  // namespace labkit::observe
