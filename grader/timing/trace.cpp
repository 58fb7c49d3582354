#include "timing/trace.h"

#include <algorithm>
#include <utility>

namespace labkit::timing {
namespace {

/// Instructions between two stores of a warp that are merged on their way if they go to the same sectors. Source: what
/// reaches L2 of points_aos in tests/timing/data/other_traffic.csv (three stores to the same sectors: merged), bodies_aos
/// (loads between them: not).
constexpr std::uint32_t kMergeReach = 4;
/// ... and to few lines: powers_n4194304 direct (32 lines a store) is not merged.
constexpr std::uint8_t kMergeLines = 4;

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
  if (event.kind == Kind::store && kept.last_store != ~0u) {
    // Stores that follow one another to the same lines leave as one.
    TraceEvent& last = trace_.events[kept.last_store];
    const auto from = trace_.touches.begin() + last.first_touch;
    bool same = last.lines == event.lines && event.lines <= kMergeLines &&
                event.instruction >= last.instruction &&
                event.instruction - last.instruction <= kMergeReach;
    for (std::uint32_t i = 0; same && i < event.lines; ++i)
      same = from[i] >> kLineShift == trace_.touches[event.first_touch + i] >> kLineShift;
    if (same) {
      for (std::uint32_t i = 0; i < event.lines; ++i)
        from[i] |= trace_.touches[event.first_touch + i];
      last.wavefronts = static_cast<std::uint16_t>(last.wavefronts + event.wavefronts);
      last.instruction = event.instruction;
      trace_.touches.resize(event.first_touch);
      return;
    }
  }
  kept.last_store =
      event.kind == Kind::store ? static_cast<std::uint32_t>(trace_.events.size()) : ~0u;
  trace_.events.push_back(event);
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
