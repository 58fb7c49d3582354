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
    block.warps[w].live = count == 32 ? ~0u : (1u << count) - 1;
    block.warps[w].synced = block.barrier;
  }
  block.warp_pairs.clear();
  block.flags.clear();
  block.known.clear();
  block.copies.clear();
  for (auto& arrivals : block.arrivals) arrivals.clear();
}

void RaceClock::barrier(BlockClock& block) {
  block.barrier = now_++;
  bool fenced = true;
  for (auto& warp : block.warps) {
    warp.synced = block.barrier;
    fenced = fenced && warp.last_store <= warp.last_fence;
  }
  if (fenced) block.fenced_barrier = block.barrier;
  for (auto& [thread, flags] : block.flags) {
    for (const auto& [log, length] : flags.known) learn(block.known, log, length);
    flags.known.clear();
  }
}

void RaceClock::named_barrier(BlockClock& block, std::uint32_t number) {
  const std::size_t n = block.warps.size();
  if (block.warp_pairs.empty()) block.warp_pairs.assign(n * n, 0);
  const auto arrivals = std::exchange(block.arrivals[number], {});
  const Time time = now_++;
  std::vector<Time> together(n, 0);
  Known known;
  for (const auto& arrival : arrivals) {
    for (std::size_t w = 0; w < n; ++w)
      together[w] = std::max(together[w], block.warp_pairs[arrival.warp * n + w]);
    together[arrival.warp] = time;
    for (std::uint32_t i = 0; i < 32; ++i)
      if (const auto at = block.flags.find(arrival.warp * 32 + i); at != block.flags.end())
        for (const auto& [log, length] : at->second.known) learn(known, log, length);
  }
  for (const auto& arrival : arrivals) {
    if (!arrival.waits) continue;
    std::copy(together.begin(), together.end(),
              block.warp_pairs.begin() + static_cast<std::ptrdiff_t>(arrival.warp * n));
    block.warps[arrival.warp].synced = time;
    for (const auto& [log, length] : known)
      for (std::uint32_t i = 0; i < 32; ++i)
        if (arrival.lanes >> i & 1) learn(block.flags[arrival.warp * 32 + i].known, log, length);
  }
}

void RaceClock::warp_sync(BlockClock& block, std::uint32_t w, std::uint32_t lanes) {
  auto& warp = block.warps[w];
  const Time time = now_++;
  if ((warp.live & ~lanes) == 0) warp.synced = time;
  if ((warp.live & ~lanes) != 0 || warp.pairs) {
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

void RaceClock::fence(BlockClock& block, std::uint32_t w, std::uint32_t lanes) {
  auto& warp = block.warps[w];
  const Time time = now_++;
  if ((warp.live & ~lanes) == 0) warp.last_fence = time;
  for (std::uint32_t i = 0; i < 32; ++i) {
    if (!(lanes >> i & 1)) continue;
    auto& flags = block.flags[w * 32 + i];
    flags.fence = time;
    flags.fence_barrier = block.barrier;
    flags.fence_synced = warp.synced;
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
                            bool writes, bool acquires, bool releases) {
  const auto fenced = block.flags.find(thread);
  const bool publishes = writes && (releases || block.fenced_barrier > block.begin ||
                                    (fenced != block.flags.end() && fenced->second.fence != 0));
  if (!acquires && !publishes) return;
  const auto [at, is_new] = log_of_.try_emplace(flag, static_cast<std::uint32_t>(logs_.size()));
  if (is_new) logs_.emplace_back();
  const std::uint32_t number = at->second;
  auto& log = logs_[number];
  if (acquires && log.length != 0) learn(block.flags[thread].known, number, log.length);
  if (!publishes) return;
  Time own = 0, barrier = block.fenced_barrier, synced = 0;
  if (const auto has = block.flags.find(thread); has != block.flags.end()) {
    own = has->second.fence;
    barrier = std::max(barrier, has->second.fence_barrier);
    synced = has->second.fence_synced;
    for (const auto& [other, length] : has->second.known)
      if (other != number) learn(log.included, other, length);
  }
  for (const auto& [other, length] : block.known)
    if (other != number) learn(log.included, other, length);
  if (releases) {
    own = now_;
    barrier = block.barrier;
    synced = block.warps[thread / 32].synced;
  }
  ++now_;
  const std::uint32_t position = log.length;
  auto add = [&](std::uint64_t key, Time until) {
    auto& entries = log.entries[key];
    if (!entries.empty() && entries.back().until >= until) return;
    entries.push_back({position, until});
    log.length = position + 1;
  };
  if (own != 0) add(thread_key(block.block, thread), own);
  if (synced != 0) add(warp_key(block.block, thread / 32), synced);
  add(block_key(block.block), barrier);
}

bool RaceClock::known_by_logs(const Known& known, const Stamp& past) const {
  const std::uint64_t keys[] = {thread_key(past.block, past.thread),
                                warp_key(past.block, past.thread / 32), block_key(past.block)};
  Known ahead = known;  // grows by what those logs include
  for (std::size_t n = 0; n < std::min(ahead.size(), kMostLogs); ++n) {
    const auto& log = logs_[ahead[n].first];
    const std::uint32_t length = ahead[n].second;
    for (const auto key : keys) {
      const auto at = log.entries.find(key);
      if (at == log.entries.end()) continue;
      // positions and times both grow
      const auto& entries = at->second;
      const auto end = std::partition_point(entries.begin(), entries.end(),
                                            [&](const auto& e) { return e.position < length; });
      if (end != entries.begin() && std::prev(end)->until >= past.time) return true;
    }
    for (const auto& other : log.included)
      if (std::none_of(ahead.begin(), ahead.end(), [&](const auto& k) {
            return k.first == other.first && k.second >= other.second;
          }))
        ahead.emplace_back(other.first, other.second);
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
    } else if (!block.warp_pairs.empty() &&
               past.time <= block.warp_pairs[w * block.warps.size() + other]) {
      return true;
    }
  }
  if (known_by_logs(block.known, past)) return true;
  const auto flags = block.flags.find(thread);
  return flags != block.flags.end() && known_by_logs(flags->second.known, past);
}

}  // namespace labkit::observe
