#include "timing/trace.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace labkit::timing {
namespace {

/// The share of a warp's stores that leave its SM together with an earlier one of its stores, by the lines that a store goes to, if
/// these lines are the same; [1]: where it has loaded before, so that fewer stores of other warps come between. No access of another
/// kind may lie between. Source: tests/h200/store_merge.csv, rows of 64 warps an SM and as many stores as there are words, with
/// `nothing` and `first`; 6 lines of [1] lie between 5 and 7.
constexpr std::size_t kMergeLines = 8;
constexpr float kMerged[2][kMergeLines + 1] = {{0, 1, 1, 0.92F, 0.58F, 0.34F, 0.24F, 0.11F, 0.05F},
                                               {0, 1, 1, 1, 1, 0.8F, 0.58F, 0.37F, 0.23F}};

/// ... and by how many instructions lie between: the part of these that is left. With a few there are less, why is not known.
/// Source: the same, rows of `first` with additions between; the mean of 2 and 4 lines, straight lines between what was measured.
constexpr float kMergedAcross[] = {1,    0.99F, 0.92F, 0.77F, 0.63F, 0.67F,
                                   0.7F, 0.69F, 0.68F, 0.76F, 0.84F, 0.92F};

}  // namespace

void TraceRecorder::begin(std::uint64_t block, std::uint32_t threads) {
  BlockTrace before = std::exchange(trace_, {});
  const auto reuse = [&](auto... members) {
    (((before.*members).clear(), trace_.*members = std::move(before.*members)), ...);
  };
  reuse(&BlockTrace::sectors, &BlockTrace::seen, &BlockTrace::kept, &BlockTrace::events,
        &BlockTrace::touches);
  trace_.block = block;
  trace_.warps = (threads + 31) / 32;
  kept_.assign(trace_.warps, {});
  constexpr float kGoldenRatio = 0.618F;  // spreads the first shares evenly
  for (std::size_t warp = 1; warp < kept_.size(); ++warp)
    kept_[warp].merges = std::fmod(kept_[warp - 1].merges + kGoldenRatio, 1.0F);
  atoms_.clear();
}

bool TraceRecorder::has_room(std::uint32_t warp, std::uint32_t instruction) {
  ++trace_.events_seen;
  if (instruction >= trace_.seen.size()) {
    trace_.seen.resize(instruction + std::size_t{1});
    trace_.kept.resize(instruction + std::size_t{1});
  }
  ++trace_.seen[instruction];
  if (warp >= kept_.size()) return false;
  Kept& kept = kept_[warp];
  if (kept.events >= kEvents / kept_.size() || kept.touches >= kTouches / kept_.size())
    return false;
  ++kept.events;
  ++trace_.events_kept;
  ++trace_.kept[instruction];
  return true;
}

void TraceRecorder::add(std::uint32_t warp, std::uint32_t instruction, TraceEvent::Kind kind) {
  if (!has_room(warp, instruction)) return;
  kept_[warp].last_store = ~0u;
  trace_.events.push_back(
      {.instruction = instruction, .warp = static_cast<std::uint16_t>(warp), .kind = kind});
}

void TraceRecorder::on_shared(const simt::Access& access) {
  if (access.block != trace_.block) return;
  add(access.warp, access.instruction,
      access.is_store ? TraceEvent::Kind::shared_store : TraceEvent::Kind::shared_load);
}

void TraceRecorder::on_access(const simt::Access& access, const Touched& touched) {
  using Kind = TraceEvent::Kind;
  if (access.block != trace_.block) return;
  ++trace_.requests_seen;
  if (access.instruction >= trace_.sectors.size())
    trace_.sectors.resize(access.instruction + std::size_t{1});
  trace_.sectors[access.instruction] += touched.sectors;
  if (!has_room(access.warp, access.instruction)) return;
  Kept& kept = kept_[access.warp];
  const TraceEvent event{.instruction = access.instruction,
                         .warp = static_cast<std::uint16_t>(access.warp),
                         .kind = access.is_atomic  ? Kind::atomic
                                 : access.is_store ? Kind::store
                                                   : Kind::load,
                         .lines = static_cast<std::uint8_t>(touched.lines.size()),
                         .wavefronts = static_cast<std::uint16_t>(touched.wavefronts),
                         .first_touch = static_cast<std::uint32_t>(trace_.touches.size())};
  for (const TouchedLine& each : touched.lines) {
    const std::uint64_t line = touched.line(each);
    LineTouch touch = line << kLineShift | each.sectors;
    if (event.kind == Kind::load) {
      std::uint32_t& had = atoms_[line];
      const std::uint32_t atoms = atoms_of(each.sectors);
      touch |= std::uint64_t{atoms & ~had} << 4;
      had |= atoms;
    }
    trace_.touches.push_back(touch);
  }
  kept.touches += event.lines;
  if (event.kind == Kind::store && is_merged(kept, event)) return;
  kept.has_loaded |= event.kind == Kind::load;
  if (event.kind == Kind::store)
    kept.last_store = static_cast<std::uint32_t>(trace_.events.size());
  else if (event.kind == Kind::atomic || !goes_to_lines_of(kept.last_store, event))
    kept.last_store = ~0u;
  trace_.events.push_back(event);
}

/// It touches no other lines than the store did: of a load, what lies beside it in a structure, which ptxas loads before it.
bool TraceRecorder::goes_to_lines_of(std::uint32_t store, const TraceEvent& event) const {
  if (store == ~0u) return false;
  const TraceEvent& last = trace_.events[store];
  const auto begin = trace_.touches.begin() + last.first_touch, end = begin + last.lines;
  for (std::uint32_t i = 0; i < event.lines; ++i) {
    const std::uint64_t line = trace_.touches[event.first_touch + i] >> kLineShift;
    if (std::none_of(begin, end, [&](LineTouch touch) { return touch >> kLineShift == line; }))
      return false;
  }
  return true;
}

bool TraceRecorder::is_merged(Kept& kept, const TraceEvent& event) {
  if (!goes_to_lines_of(kept.last_store, event)) return false;
  TraceEvent& last = trace_.events[kept.last_store];
  if (last.lines > kMergeLines) return false;
  const std::size_t between =
      event.instruction > last.instruction ? event.instruction - last.instruction - 1 : 0;
  const float share = between < std::size(kMergedAcross) ? kMergedAcross[between] : 1;
  kept.merges += share * kMerged[kept.has_loaded ? 1 : 0][last.lines];
  if (kept.merges < 1) return false;
  kept.merges -= 1;
  for (std::uint32_t i = 0; i < event.lines; ++i) {
    const LineTouch touch = trace_.touches[event.first_touch + i];
    for (std::uint32_t k = 0; k < last.lines; ++k)
      if (LineTouch& from = trace_.touches[last.first_touch + k];
          from >> kLineShift == touch >> kLineShift)
        from |= touch;
  }
  last.wavefronts = static_cast<std::uint16_t>(last.wavefronts + event.wavefronts);
  last.instruction = event.instruction;
  trace_.touches.resize(event.first_touch);
  return true;
}

void TraceRecorder::on_barrier(std::uint32_t warp, std::uint32_t instruction) {
  add(warp, instruction, TraceEvent::Kind::barrier);
}

void TraceRecorder::on_async(const simt::AsyncEvent& event) {
  using Kind = simt::AsyncEvent::Kind;
  if (event.block != trace_.block || event.kind == Kind::copy) return;
  if (!has_room(event.warp, event.instruction)) return;
  const bool is_wait = event.kind != Kind::commit;
  trace_.events.push_back({.instruction = event.instruction,
                           .warp = static_cast<std::uint16_t>(event.warp),
                           .kind = is_wait ? TraceEvent::Kind::wait : TraceEvent::Kind::commit,
                           .groups = static_cast<std::uint16_t>(
                               std::min<std::uint64_t>(event.groups, TraceEvent::kAllGroups))});
}

void TraceRecorder::on_total(const simt::BlockTotals& total) {
  if (total.block != trace_.block) return;
  trace_.path = total.path;
  trace_.executions.assign(total.executions.begin(), total.executions.end());
}

BlockTrace TraceRecorder::take() {
  // As long as they are; the room that they grew in is used again.
  return trace_;
}

}  // namespace labkit::timing
