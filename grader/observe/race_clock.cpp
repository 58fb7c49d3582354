#include "observe/race_clock.h"

#include <algorithm>
#include <utility>

namespace labkit::observe {
namespace {

constexpr std::size_t kMostLogs = 256;  ///< looked through for one question

// Keys of log entries: whose past it is. A block has at most 1024 threads and 32 warps.
std::uint64_t thread_key(std::uint64_t block, std::uint32_t thread) { return block << 12 | thread; }
std::uint64_t warp_key(std::uint64_t block, std::uint32_t warp) {
  return block << 12 | 1024 | warp;
}
std::uint64_t block_key(std::uint64_t block) { return block << 12 | 2048; }
/// The same, of what is published for the block alone.
std::uint64_t of_block(std::uint64_t key) { return key | 1ull << 63; }

void include(FlagLog& log, const FlagLog::Included& one) {
  for (auto& have : log.included)
    if (have.log == one.log && have.block == one.block) {
      have.length = std::max(have.length, one.length);
      return;
    }
  log.included.push_back(one);
}

void learn(Known& known, std::uint32_t log, std::uint32_t length) {
  for (auto& [number, read] : known)
    if (number == log) {
      read = std::max(read, length);
      return;
    }
  known.emplace_back(log, length);
}

}  // namespace

void RaceClock::begin(BlockClock& block, std::uint64_t number, std::uint32_t threads) {
  block.block = number;
  block.begin = block.barrier = block.fenced_barrier = now_++;
  block.warps.clear();
  block.warps.resize((threads + 31) / 32);
  for (std::size_t w = 0; w < block.warps.size(); ++w) {
    const auto count = std::min<std::uint32_t>(32, threads - 32 * static_cast<std::uint32_t>(w));
    block.warps[w].lanes = block.warps[w].live = count == 32 ? ~0u : (1u << count) - 1;
    block.warps[w].synced = block.warps[w].last_sync = block.barrier;
  }
  block.known_by_warps.clear();
  block.flags.clear();
  block.known.clear();
  block.copies.clear();
  for (auto& arrivals : block.arrivals) arrivals.clear();
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
    for (const auto& [log, length] : flags.known) learn(block.known, log, length);
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

void RaceClock::note_what_it_knows(const BlockClock& block, BlockClock::Arrival& arrival,
                                   Time time) {
  const std::size_t n = block.warps.size() * 32;
  arrival.time = time;
  if (!block.known_by_warps.empty()) {
    const auto row = block.known_by_warps.begin() + static_cast<std::ptrdiff_t>(arrival.warp * n);
    arrival.knows.assign(row, row + static_cast<std::ptrdiff_t>(n));
  }
  for (std::uint32_t i = 0; i < 32; ++i)
    if (const auto at = block.flags.find(arrival.warp * 32 + i); at != block.flags.end())
      for (const auto& [log, length] : at->second.known) learn(arrival.known, log, length);
}

void RaceClock::named_barrier(BlockClock& block, std::uint32_t number) {
  const std::size_t n = block.warps.size() * 32;
  if (block.known_by_warps.empty()) block.known_by_warps.assign(block.warps.size() * n, 0);
  auto arrivals = std::exchange(block.arrivals[number], {});
  const Time time = now_++;
  std::vector<Time> together(n, 0);
  Known known;
  std::vector<std::uint32_t> waiting(block.warps.size(), 0);
  for (auto& arrival : arrivals) {
    if (arrival.waits) note_what_it_knows(block, arrival, time);
    for (std::size_t i = 0; i < arrival.knows.size(); ++i)
      together[i] = std::max(together[i], arrival.knows[i]);
    // lanes that have exited come with the others of their warp
    const auto& warp = block.warps[arrival.warp];
    const std::uint32_t lanes = arrival.lanes | (warp.lanes & ~warp.live);
    for (std::size_t i = 0; i < 32; ++i)
      if (lanes >> i & 1)
        together[arrival.warp * 32 + i] = std::max(together[arrival.warp * 32 + i], arrival.time);
    for (const auto& [log, length] : arrival.known) learn(known, log, length);
    if (arrival.waits) waiting[arrival.warp] |= lanes;
  }
  for (std::uint32_t w = 0; w < waiting.size(); ++w) {
    if (waiting[w] == 0) continue;
    std::copy(together.begin(), together.end(),
              block.known_by_warps.begin() + static_cast<std::ptrdiff_t>(w * n));
    for (const auto& [log, length] : known)
      for (std::uint32_t i = 0; i < 32; ++i)
        if (waiting[w] >> i & 1) learn(block.flags[w * 32 + i].known, log, length);
    warp_sync(block, w, waiting[w]);
  }
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
    for (std::size_t i = 0; i < 32; ++i) {
      if (!(lanes >> i & 1)) continue;
      for (std::size_t k = 0; k < 32; ++k) together[k] = std::max(together[k], pairs[i][k]);
      together[i] = time;
    }
    for (std::size_t i = 0; i < 32; ++i)
      if (lanes >> i & 1) pairs[i] = together;
  }
  if (block.flags.empty()) return;
  Known known;
  for (std::uint32_t i = 0; i < 32; ++i)
    if (const auto at = block.flags.find(w * 32 + i); (lanes >> i & 1) && at != block.flags.end())
      for (const auto& [log, length] : at->second.known) learn(known, log, length);
  for (const auto& [log, length] : known)
    for (std::uint32_t i = 0; i < 32; ++i)
      if (lanes >> i & 1) learn(block.flags[w * 32 + i].known, log, length);
}

void RaceClock::fence(BlockClock& block, std::uint32_t w, std::uint32_t lanes, bool of_block) {
  auto& warp = block.warps[w];
  const Time time = now_++;
  if ((warp.live & ~lanes) == 0 && !of_block) warp.last_fence = time;
  for (std::uint32_t i = 0; i < 32; ++i) {
    if (!(lanes >> i & 1)) continue;
    auto& flags = block.flags[w * 32 + i];
    flags.block_fence = {time, block.barrier, warp.synced};
    if (!of_block) flags.fence = flags.block_fence;
  }
}

void RaceClock::commit(BlockClock& block, std::uint32_t w, std::uint32_t lanes) {
  for (std::uint32_t i = 0; i < 32; ++i)
    if (lanes >> i & 1) ++block.copies[w * 32 + i].committed;
}

void RaceClock::wait(BlockClock& block, std::uint32_t w, std::uint32_t lanes,
                     std::uint64_t groups) {
  const Time time = now_++;
  for (std::uint32_t i = 0; i < 32; ++i) {
    if (!(lanes >> i & 1)) continue;
    auto& copies = block.copies[w * 32 + i];
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
  const auto [at, is_new] = log_of_.try_emplace(flag, static_cast<std::uint32_t>(logs_.size()));
  if (is_new) logs_.emplace_back();
  const std::uint32_t number = at->second;
  auto& log = logs_[number];
  if (access.acquires && log.length != 0) {
    learn(block.flags[thread].known, number, log.length);
    mine = &block.flags[thread];
  }
  if (!for_block) return;
  if (mine)
    for (const auto& [other, length] : mine->known)
      if (other != number) include(log, {other, length, block.block});
  for (const auto& [other, length] : block.known)
    if (other != number) include(log, {other, length, block.block});
  const std::uint32_t position = log.length;
  auto add = [&](std::uint64_t key, Time until) {
    auto& entries = log.entries[key];
    if (!entries.empty() && entries.back().until >= until) return;
    entries.push_back({position, until});
    log.length = position + 1;
  };
  const auto publish = [&](FenceTimes past, bool released, auto&& key_of) {
    past.barrier = std::max(past.barrier, block.fenced_barrier);
    if (released) past = {now_, block.barrier, block.warps[thread / 32].synced};
    if (past.own != 0) add(key_of(thread_key(block.block, thread)), past.own);
    if (past.synced != 0) add(key_of(warp_key(block.block, thread / 32)), past.synced);
    add(key_of(block_key(block.block)), past.barrier);
  };
  if (for_all)
    publish(mine ? mine->fence : FenceTimes{}, access.releases,
            [](std::uint64_t key) { return key; });
  // what is published for all is also there for the block
  const FenceTimes in_block = mine ? mine->block_fence : FenceTimes{};
  if (!for_all || in_block.own > (mine ? mine->fence.own : 0))
    publish(in_block, access.releases, of_block);
  ++now_;
}

bool RaceClock::known_by_logs(const Known& known, std::uint64_t reader, const Stamp& past) const {
  const std::uint64_t keys[] = {thread_key(past.block, past.thread),
                                warp_key(past.block, past.thread / 32), block_key(past.block)};
  std::vector<FlagLog::Included> ahead;  // grows by what those logs include
  for (const auto& [log, length] : known) ahead.push_back({log, length, reader});
  for (std::size_t n = 0; n < std::min(ahead.size(), kMostLogs); ++n) {
    const auto& log = logs_[ahead[n].log];
    const std::uint32_t length = ahead[n].length;
    const auto tells = [&](std::uint64_t key) {
      const auto at = log.entries.find(key);
      if (at == log.entries.end()) return false;
      // positions and times both grow
      const auto& entries = at->second;
      const auto end = std::partition_point(entries.begin(), entries.end(),
                                            [&](const auto& e) { return e.position < length; });
      return end != entries.begin() && std::prev(end)->until >= past.time;
    };
    for (const auto key : keys)
      if (tells(key) || (ahead[n].block == past.block && tells(of_block(key)))) return true;
    for (const auto& other : log.included)
      if (std::none_of(ahead.begin(), ahead.end(), [&](const auto& k) {
            return k.log == other.log && k.block == other.block && k.length >= other.length;
          }))
        ahead.push_back(other);
  }
  return false;
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
  if (known_by_logs(block.known, block.block, past)) return true;
  const auto flags = block.flags.find(thread);
  return flags != block.flags.end() && known_by_logs(flags->second.known, block.block, past);
}

}  // namespace labkit::observe
