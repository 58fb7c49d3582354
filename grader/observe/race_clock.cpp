#include "observe/race_clock.h"

#include <algorithm>
#include <utility>

#include "observe/watching.h"

namespace labkit::observe {
namespace {

/// What `thread` knows of others of its block by barriers of part of its warp, or of some warps.
Knowledge known_by_parts(const BlockClock& block, std::uint32_t thread) {
  Knowledge known;
  const std::uint32_t w = thread / 32;
  if (block.warps[w].pairs)
    known.add_lanes(block.block, w, (*block.warps[w].pairs)[thread % 32].data());
  if (!block.known_by_warps.empty()) {
    const Time* row = block.known_by_warps.data() + w * block.warps.size() * 32;
    for (std::uint32_t other = 0; other < block.warps.size(); ++other)
      known.add_lanes(block.block, other, row + std::size_t{other} * 32);
  }
  return known;
}

/// What those lanes of a warp know from flags, together.
Knowledge known_from_flags(const BlockClock& block, std::uint32_t warp, std::uint32_t lanes) {
  Knowledge known;
  for (const auto lane : Lanes(lanes))
    if (const auto at = block.flags.find(warp * 32 + lane); at != block.flags.end())
      known.join(at->second.known);
  return known;
}

void note_what_it_knows(const BlockClock& block, BlockClock::Arrival& arrival, Time time) {
  const std::size_t n = block.warps.size() * 32;
  arrival.time = time;
  if (!block.known_by_warps.empty()) {
    const Time* row = block.known_by_warps.data() + arrival.warp * n;
    arrival.knows.assign(row, row + n);
  }
  arrival.known = known_from_flags(block, arrival.warp, ~0u);
}

}  // namespace

void RaceClock::begin(BlockClock& block, std::uint64_t number, std::uint32_t threads) {
  block = {};
  block.block = number;
  block.begin = block.barrier = block.fenced_barrier = now_++;
  block.warps.resize((threads + 31) / 32);
  for (std::uint32_t first = 0; first < threads; first += 32) {
    auto& warp = block.warps[first / 32];
    warp.lanes = warp.live = threads - first >= 32 ? ~0u : (1u << (threads - first)) - 1;
    warp.synced = warp.last_sync = block.barrier;
  }
}

void RaceClock::barrier(BlockClock& block) {
  block.barrier = now_++;
  bool fenced = true;
  for (auto& warp : block.warps) {
    warp.synced = warp.last_sync = block.barrier;
    fenced = fenced && warp.last_store <= warp.last_fence;
  }
  if (fenced) block.fenced_barrier = block.barrier;
  for (auto& [thread, flags] : block.flags) {
    block.known.join(flags.known);
    flags.known.clear();
  }
}

void RaceClock::arrive(BlockClock& block, std::uint32_t number, std::uint32_t warp,
                       std::uint32_t lanes, bool waits) {
  auto& arrival = block.arrivals[number].emplace_back();
  arrival.warp = warp;
  arrival.lanes = lanes;
  arrival.waits = waits;
  if (!waits) note_what_it_knows(block, arrival, now_++);
}

void RaceClock::named_barrier(BlockClock& block, std::uint32_t number) {
  const std::size_t n = block.warps.size() * 32;
  if (block.known_by_warps.empty()) block.known_by_warps.assign(block.warps.size() * n, 0);
  auto arrivals = std::exchange(block.arrivals[number], {});
  const Time time = now_++;
  std::vector<Time> together(n, 0);
  Knowledge known;
  std::vector<std::uint32_t> waiting(block.warps.size(), 0);
  for (auto& arrival : arrivals) {
    if (arrival.waits) note_what_it_knows(block, arrival, time);
    for (std::size_t i = 0; i < arrival.knows.size(); ++i)
      together[i] = std::max(together[i], arrival.knows[i]);
    // lanes that have exited come with the others of their warp
    const auto& warp = block.warps[arrival.warp];
    const std::uint32_t lanes = arrival.lanes | (warp.lanes & ~warp.live);
    for (const auto lane : Lanes(lanes)) {
      auto& last = together[arrival.warp * 32 + lane];
      last = std::max(last, arrival.time);
    }
    known.join(arrival.known);
    if (arrival.waits) waiting[arrival.warp] |= lanes;
  }
  for (std::uint32_t w = 0; w < waiting.size(); ++w) {
    if (waiting[w] == 0) continue;
    std::ranges::copy(together, block.known_by_warps.data() + w * n);
    if (!known.empty())
      for (const auto lane : Lanes(waiting[w])) block.flags[w * 32 + lane].known.join(known);
    warp_sync(block, w, waiting[w]);
  }
}

void RaceClock::phase(BlockClock& block, const simt::PhaseEvent& event) {
  using What = simt::PhaseEvent::What;
  auto& phases = block.phases[event.barrier];
  if (event.what == What::complete) {
    phases.complete.join(phases.arriving);
    phases.arriving.clear();
    return;
  }
  const auto& warp = block.warps[event.warp];
  for (const auto lane : Lanes(event.lanes)) {
    const std::uint32_t thread = event.warp * 32 + lane;
    if (event.what == What::wait) {
      if (!phases.complete.empty()) block.flags[thread].known.join(phases.complete);
      continue;
    }
    Knowledge& to = phases.arriving;
    to.join(known_by_parts(block, thread));
    if (const auto at = block.flags.find(thread); at != block.flags.end())
      to.join(at->second.known);
    to.join(block.known);
    to.add_thread(block.block, thread, now_);
    if (warp.synced > block.begin) to.add_warp(block.block, event.warp, warp.synced);
    if (block.barrier > block.begin) to.add_block(block.block, block.barrier);
  }
  ++now_;
}

void RaceClock::warp_sync(BlockClock& block, std::uint32_t w, std::uint32_t lanes) {
  auto& warp = block.warps[w];
  const Time time = now_++;
  const bool all = (warp.lanes & ~lanes) == 0;
  warp.last_sync = time;
  if (all) warp.synced = time;
  if (!all || warp.pairs) {
    if (!warp.pairs) warp.pairs = std::make_unique<std::array<std::array<Time, 32>, 32>>();
    auto& pairs = *warp.pairs;
    std::array<Time, 32> together{};
    for (const auto lane : Lanes(lanes)) {
      for (std::size_t k = 0; k < 32; ++k) together[k] = std::max(together[k], pairs[lane][k]);
      together[lane] = time;
    }
    for (const auto lane : Lanes(lanes)) pairs[lane] = together;
  }
  if (block.flags.empty()) return;
  if (const Knowledge known = known_from_flags(block, w, lanes); !known.empty())
    for (const auto lane : Lanes(lanes)) block.flags[w * 32 + lane].known = known;
}

void RaceClock::fence(BlockClock& block, std::uint32_t w, std::uint32_t lanes, bool of_block) {
  auto& warp = block.warps[w];
  const Time time = now_++;
  if ((warp.live & ~lanes) == 0 && !of_block) warp.last_fence = time;
  for (const auto lane : Lanes(lanes)) {
    auto& flags = block.flags[w * 32 + lane];
    flags.block_fence = {time, block.barrier, warp.synced, known_by_parts(block, w * 32 + lane)};
    if (!of_block) flags.fence = flags.block_fence;
  }
}

void RaceClock::commit(BlockClock& block, std::uint32_t w, std::uint32_t lanes) {
  for (const auto lane : Lanes(lanes)) ++block.copies[w * 32 + lane].committed;
}

void RaceClock::wait(BlockClock& block, std::uint32_t w, std::uint32_t lanes,
                     std::uint64_t groups) {
  const Time time = now_++;
  for (const auto lane : Lanes(lanes)) {
    auto& copies = block.copies[w * 32 + lane];
    copies.has_waited = true;
    if (groups == ~0ull) ++copies.committed;  // wait_all also closes the open group
    const std::uint64_t still = groups == ~0ull ? 0 : groups;
    if (copies.committed > copies.waited_for.size() + still)
      copies.waited_for.resize(copies.committed - still, time);
  }
}

std::optional<Time> RaceClock::waited_at(const BlockClock& block, std::uint32_t thread,
                                         std::uint32_t group) {
  const auto at = block.copies.find(thread);
  if (at == block.copies.end() || at->second.waited_for.size() < group) return std::nullopt;
  return at->second.waited_for[group - 1];
}

void RaceClock::flag_access(BlockClock& block, std::uint32_t thread, std::uint64_t flag,
                            const FlagAccess& access) {
  const auto found = block.flags.find(thread);
  const ThreadFlags* mine = found == block.flags.end() ? nullptr : &found->second;
  const bool for_all =
      access.writes && !access.of_block &&
      (access.releases || block.fenced_barrier > block.begin || (mine && mine->fence.own != 0));
  const bool for_block =
      access.writes && (for_all || access.releases || (mine && mine->block_fence.own != 0));
  if (!access.acquires && !for_block) return;
  auto& published = ((flag & kSharedFlag) != 0 ? block.shared_flags : flags_)[flag];
  if (access.acquires) {
    const auto in_block = published.for_block.find(block.block);
    Knowledge all = published.for_all;
    if (in_block != published.for_block.end()) all.join(in_block->second);
    if (!all.empty()) {
      auto& own = block.flags[thread];
      // who waits for a flag reads the same again and again
      if (own.last_flag != flag || !own.last_taken.is(all)) own.known.join(all);
      own.last_flag = flag;
      own.last_taken = std::move(all);
      mine = &own;
    }
  }
  if (!for_block) return;
  auto publish = [&](Knowledge& to, const FenceTimes& fence) {
    const bool now = access.releases;
    to.join(now ? known_by_parts(block, thread) : fence.of_others);
    const Time own = now ? now_ : fence.own;
    const Time synced = now ? block.warps[thread / 32].synced : fence.synced;
    const Time barrier = std::max(now ? block.barrier : fence.barrier, block.fenced_barrier);
    if (own != 0) to.add_thread(block.block, thread, own);
    if (synced > block.begin) to.add_warp(block.block, thread / 32, synced);
    if (barrier > block.begin) to.add_block(block.block, barrier);
  };
  auto& to = for_all ? published.for_all : published.for_block[block.block];
  to.join(block.known);
  if (mine) to.join(mine->known);
  publish(to, !mine ? FenceTimes{} : for_all ? mine->fence : mine->block_fence);
  // what is published for all is also there for the block
  if (for_all && mine && mine->block_fence.own > mine->fence.own)
    publish(published.for_block[block.block], mine->block_fence);
  ++now_;
}

bool RaceClock::knows(const BlockClock& block, std::uint32_t thread, const Stamp& past) const {
  if (past.block == block.block) {
    if (past.thread == thread || past.time <= block.barrier) return true;
    const std::uint32_t w = thread / 32, other = past.thread / 32;
    if (w == other) {
      const auto& warp = block.warps[w];
      if (past.time <= warp.synced) return true;
      if (warp.pairs && past.time <= (*warp.pairs)[thread % 32][past.thread % 32]) return true;
    } else if (!block.known_by_warps.empty() &&
               past.time <= block.known_by_warps[w * block.warps.size() * 32 + past.thread]) {
      return true;
    }
  }
  if (block.known.tells(past)) return true;
  const auto flags = block.flags.find(thread);
  return flags != block.flags.end() && flags->second.known.tells(past);
}

}  // namespace labkit::observe
