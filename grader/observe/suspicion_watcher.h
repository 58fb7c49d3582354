// What the quick look does while a launch runs (suspicion.h): one Watcher a host thread. Private to it.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "observe/alike_blocks.h"
#include "observe/suspicion.h"
#include "observe/suspicion_owners.h"
#include "simt/access.h"
#include "simt/definedness.h"

namespace labkit::observe {

struct Suspicion::Plan {
  const simt::Memory& memory;
  std::span<const simt::InstructionFacts> facts;
  const std::vector<simt::SharedArray>& arrays;
  std::uint32_t shared_cell = kWidestCell, global_cell = kWidestCell, local_cell = kWidestCell;
  std::uint32_t shared_end = 0;  ///< of the window in this launch
  std::uint32_t threads = 1;
  bool all_reads = false;
  unsigned always = 0;  ///< Suspects::Reason: what the quick look cannot judge
};

struct Suspicion::Seen {
  unsigned reasons = 0;
  std::vector<std::map<std::uint64_t, Touched>> touched;  ///< of each host thread, by beginning
  AlikeBlocks alike;                                      ///< suspected of shared_order
};

class Suspicion::Watcher final : public simt::Observer {
 public:
  explicit Watcher(const Plan& plan) : plan_(plan) {}

  unsigned reasons = 0;  ///< Suspects::Reason
  std::map<std::uint64_t, Touched> touched;
  AlikeBlocks alike;

  void on_block_begin(std::uint64_t block, std::uint32_t threads) override {
    auto& state = blocks_[block];
    if (!state && !spare_.empty()) {
      state = std::move(spare_.back());
      spare_.pop_back();
    }
    if (!state) state = std::make_unique<Block>();
    const std::size_t cells = plan_.shared_end / plan_.shared_cell + 1;
    if (state->writers.size() != cells) {
      state->writers.assign(cells, 0);
      state->readers.assign(cells, 0);
      state->warps.resize((threads + 31) / 32);
    }
    state->ever_written.assign(cells, 0);
    state->threads = threads;
    state->history.clear();
    state->is_suspected = state->is_like_no_other = false;
    std::fill(state->flight.begin(), state->flight.end(), std::uint8_t{0});
    state->cells_in_flight = 0;
    for (auto& warp : state->warps) {
      warp.open_group.clear();
      warp.groups.clear();
      std::fill(warp.local.begin(), warp.local.end(), 0);
      warp.low = ~std::size_t{0};
      warp.high = 0;
    }
    state->low = ~std::size_t{0};
    state->high = 0;
    for (auto& arrived : state->arrived) arrived = {};
    current_ = state.get();
    number_ = block;
  }
  void on_block_end(std::uint64_t block) override {
    const auto at = blocks_.find(block);
    if (at == blocks_.end()) return;
    auto& ended = *at->second;
    judge(ended);
    if (ended.is_like_no_other) ended.history.add(SharedHistory::exit, ~block);
    if (ended.is_suspected) alike.add(ended.history.hash(), block);
    spare_.push_back(std::move(at->second));
    blocks_.erase(at);
    current_ = nullptr;
  }
  /// Blocks that the launch did not run to their end.
  void judge_cut_short() {
    for (auto& [number, block] : blocks_) judge(*block);
  }
  void on_barrier(std::uint64_t, std::uint32_t, std::uint32_t) override {}
  void on_arrival(const simt::BarrierArrival& arrival) override {
    auto& block = block_of(arrival.block);
    auto& arrived = block.arrived[arrival.number];
    block.history.add(SharedHistory::arrival, arrival.instruction,
                      std::uint64_t{arrival.warp} << 32 | arrival.lanes);
    if (!arrival.whole_block || !arrival.waits ||
        (arrived.threads != 0 && arrived.instruction != arrival.instruction))
      suspect(kUnevenBarrier);
    arrived.threads += static_cast<std::uint32_t>(std::popcount(arrival.lanes));
    arrived.instruction = arrival.instruction;
  }
  void on_release(std::uint64_t number, std::uint32_t barrier) override {
    auto& block = block_of(number);
    if (block.arrived[barrier].threads != block.threads) suspect(kUnevenBarrier);
    block.arrived[barrier] = {};
    block.history.add(SharedHistory::release, barrier);
    judge(block);
  }
  void on_warp_sync(std::uint64_t number, std::uint32_t w, std::uint32_t lanes) override {
    auto& block = block_of(number);
    auto& warp = block.warps[w];
    block.history.add(SharedHistory::warp_sync, w, lanes);
    if (warp.low >= warp.high) return;
    if (lanes != all_lanes(block, w)) return;  // judged as if they had not met
    const auto mine = static_cast<Owner>((w + 1) << 6);
    auto meet = [&](Owner& owner) {
      if (static_cast<Owner>(owner - mine) < 64) owner = static_cast<Owner>(mine | kMet);
    };
    for (std::size_t k = warp.low; k < warp.high; ++k) {
      if (clash(block.writers[k], block.readers[k])) suspect_order(block, block.writers[k]);
      meet(block.writers[k]);
      meet(block.readers[k]);
    }
    warp.low = ~std::size_t{0};
    warp.high = 0;
  }

  void on_async_commit(std::uint64_t number, std::uint32_t w, std::uint32_t lanes) override {
    auto& block = block_of(number);
    block.history.add(SharedHistory::commit, w, lanes);
    if (lanes != all_lanes(block, w))  // groups are counted for the whole warp
      suspect_order(block);
    auto& warp = block.warps[w];
    warp.groups.push_back(std::exchange(warp.open_group, {}));
  }
  void on_async_wait(std::uint64_t number, std::uint32_t w, std::uint32_t lanes,
                     std::uint64_t groups) override {
    auto& block = block_of(number);
    block.history.add(SharedHistory::wait, w, lanes);
    block.history.add(SharedHistory::wait, groups);
    if (lanes != all_lanes(block, w)) suspect_order(block);
    auto& warp = block.warps[w];
    if (groups == ~0ull) {
      warp.groups.push_back(std::exchange(warp.open_group, {}));
      groups = 0;
    }
    const auto mine = static_cast<Owner>((w + 1) << 6);
    while (warp.groups.size() > groups) {
      for (const auto& [cell, lane] : warp.groups.front()) {
        block.flight[cell] = 0;
        --block.cells_in_flight;
        // it counts as a store of now
        block.writers[cell] = joined(block.writers[cell], static_cast<Owner>(mine | lane), mine);
        widen(block, warp, cell, cell + 1);
      }
      warp.groups.pop_front();
    }
  }
  void on_exit(std::uint64_t number, std::uint32_t w, std::uint32_t lanes) override {
    block_of(number).history.add(SharedHistory::exit, w, lanes);
  }
  void on_stray_exchange(const simt::StrayExchange&) override {
    suspect(Suspects::undefined | Suspects::barriers);
  }

  void on_access(const simt::Access& access) override {
    switch (access.space) {
      case ptx::Space::shared:
        on_shared(access);
        if (access.is_async || block_of(access.block).cells_in_flight != 0) on_flight(access);
        return;
      case ptx::Space::global:
        return on_global(access);
      case ptx::Space::local:
        return on_local(access);
      default:
        return;
    }
  }

 private:
  struct Copied {
    std::uint32_t cell;
    std::uint16_t lane;
  };
  struct WarpState {
    std::vector<Copied> open_group;  ///< cells that cp.async writes
    std::deque<std::vector<Copied>> groups;
    std::vector<std::uint32_t> local;             ///< lanes that have written, by cell
    std::size_t low = ~std::size_t{0}, high = 0;  ///< cells touched since its lanes met
  };
  struct Block {
    std::vector<Owner> writers, readers;
    std::vector<std::uint8_t> ever_written;
    std::vector<std::uint8_t> flight;  ///< cells that a cp.async under way may still write
    std::size_t cells_in_flight = 0;
    std::vector<WarpState> warps;
    std::size_t low = ~std::size_t{0}, high = 0;  ///< cells touched since the last barrier
    std::uint32_t threads = 0;
    SharedHistory history;
    bool is_suspected = false;  ///< of shared_order
    bool is_like_no_other =
        false;  ///< what is found may depend on more than its history, as on the values stored
    struct Arrived {
      std::uint32_t threads = 0, instruction = 0;
    } arrived[16];
  };

  /// Warps that meet apart may be taken for ordered by a barrier of all.
  static constexpr unsigned kUnevenBarrier = Suspects::barriers | Suspects::shared_order;

  void suspect(unsigned why) { reasons |= why; }
  /// `writer`: of the place where accesses clash; whether several have stored the same there their values say.
  void suspect_order(Block& block, Owner writer = kMany) {
    suspect(Suspects::shared_order);
    block.is_suspected = true;
    block.is_like_no_other = block.is_like_no_other || by_several(writer);
  }

  Block& block_of(std::uint64_t number) {
    if (current_ == nullptr || number_ != number) {
      current_ = blocks_.at(number).get();
      number_ = number;
    }
    return *current_;
  }

  static std::uint32_t all_lanes(const Block& block, std::uint32_t warp) {
    const std::uint32_t left = block.threads - warp * 32;
    return left >= 32 ? ~0u : (1u << left) - 1;
  }
  static void widen(Block& block, WarpState& warp, std::size_t from, std::size_t to) {
    block.low = std::min(block.low, from);
    block.high = std::max(block.high, to);
    warp.low = std::min(warp.low, from);
    warp.high = std::max(warp.high, to);
  }

  /// Nobody may touch what a copy under way may still write.
  void on_flight(const simt::Access& access) {
    auto& block = block_of(access.block);
    block.flight.resize(block.writers.size(), 0);
    const std::size_t count = access.bytes_per_lane / plan_.shared_cell;
    for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::uint16_t>(std::countr_zero(rest));
      const std::size_t from = access.addresses[lane] / plan_.shared_cell;
      for (std::size_t k = from; k < from + count; ++k) {
        if (block.flight[k] != 0) suspect_order(block);
        if (!access.is_async || block.flight[k] != 0) continue;
        block.flight[k] = 1;
        ++block.cells_in_flight;
        block.warps[access.warp].open_group.push_back({static_cast<std::uint32_t>(k), lane});
      }
    }
  }

  void judge(Block& block) {
    if (block.low >= block.high) return;
    bool any = false;
    const auto* writers = block.writers.data();
    const auto* readers = block.readers.data();
    for (std::size_t k = block.low; k < block.high; ++k)
      if (writers[k] != 0) any = any || clash(writers[k], readers[k]);
    for (std::size_t k = block.low; any && k < block.high; ++k)
      if (clash(writers[k], readers[k])) suspect_order(block, writers[k]);
    std::fill(block.writers.begin() + static_cast<std::ptrdiff_t>(block.low),
              block.writers.begin() + static_cast<std::ptrdiff_t>(block.high), Owner{0});
    std::fill(block.readers.begin() + static_cast<std::ptrdiff_t>(block.low),
              block.readers.begin() + static_cast<std::ptrdiff_t>(block.high), Owner{0});
    block.low = ~std::size_t{0};
    block.high = 0;
    for (auto& warp : block.warps) {
      warp.low = ~std::size_t{0};
      warp.high = 0;
    }
  }

  /// First address and one past the last, of the lanes that are on.
  static std::pair<std::uint64_t, std::uint64_t> range_of(const simt::Access& access) {
    const auto first = static_cast<std::uint32_t>(std::countr_zero(access.active));
    if (access.shape != nullptr)
      return {access.addresses[first] + static_cast<std::uint64_t>(access.shape->low),
              access.addresses[first] + static_cast<std::uint64_t>(access.shape->high)};
    std::uint64_t low = ~0ull, high = 0;
    for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
      const auto address = access.addresses[std::countr_zero(rest)];
      low = std::min(low, address);
      high = std::max(high, address + access.bytes_per_lane);
    }
    return {low, high};
  }

  void on_shared(const simt::Access& access) {
    auto& block = block_of(access.block);
    block.history.add(access);
    const auto [low, high] = range_of(access);
    if (const auto array = plan_.facts[access.instruction].shared_array; array >= 0) {
      const auto& extent = plan_.arrays[static_cast<std::size_t>(array)];
      if (low < extent.begin || high > (extent.is_dynamic ? plan_.shared_end : extent.end))
        suspect(Suspects::bounds);
    }
    const std::uint32_t cell = plan_.shared_cell, count = access.bytes_per_lane / cell;
    const unsigned shift = static_cast<unsigned>(std::countr_zero(cell));
    const std::size_t from = low >> shift, to = (high + cell - 1) >> shift;
    widen(block, block.warps[access.warp], from, to);
    const auto mine = static_cast<Owner>((access.warp + 1) << 6);
    const bool store = access.is_store || access.is_atomic;
    auto* owners = store ? block.writers.data() : block.readers.data();
    auto* written = block.ever_written.data();
    const auto shape = access.shape == nullptr ? simt::Shape::scattered : access.shape->shape;
    const auto all_read = [&](std::size_t begin, std::size_t end, Owner me) {
      for (std::size_t k = begin; k < end; ++k) {
        owners[k] = joined(owners[k], me, mine);
        if (written[k] == 0) suspect(Suspects::undefined);
      }
    };
    const auto each_its_own = [&](std::size_t begin, std::size_t first_lane, std::size_t lanes) {
      auto* at = owners + begin;
      for (std::size_t i = 0; i < lanes; ++i)
        at[i] = joined(at[i], static_cast<Owner>(mine | (first_lane + i)), mine);
      if (store) {
        std::memset(written + begin, 1, lanes);
      } else {
        std::uint8_t all = 1;
        for (std::size_t i = 0; i < lanes; ++i) all &= written[begin + i];
        if (all == 0) suspect(Suspects::undefined);
      }
    };
    constexpr auto kManyLanes = static_cast<Owner>(kLanes);
    if (shape == simt::Shape::uniform && !store) {
      const bool lone = std::has_single_bit(access.active);
      const auto lane = static_cast<Owner>(std::countr_zero(access.active));
      return all_read(from, to, static_cast<Owner>(mine | (lone ? lane : kManyLanes)));
    }
    if (shape == simt::Shape::consecutive && count == 1 && !access.is_atomic)
      return each_its_own(from, 0, 32);
    if (shape == simt::Shape::halves && count == 1 && !store) {
      for (std::size_t h = 0; h < 2; ++h) {
        const std::size_t begin = access.addresses[16 * h] >> shift;
        if (access.shape->half[h] == simt::Shape::uniform)
          all_read(begin, begin + 1, static_cast<Owner>(mine | kManyLanes));
        else
          each_its_own(begin, 16 * h, 16);
      }
      return;
    }
    bool all_written = true;
    for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
      const std::size_t start = access.addresses[lane] >> shift;
      const auto me = static_cast<Owner>(mine | lane);
      for (std::size_t k = start; k < start + count; ++k) {
        if (access.is_atomic)
          owners[k] = owners[k] == 0 || owners[k] == kAtomics ? kAtomics : kMany;
        else
          owners[k] = joined(owners[k], me, mine);
        if (access.is_store)
          written[k] = 1;
        else
          all_written = all_written && written[k] != 0;
      }
    }
    if (!all_written) suspect(Suspects::undefined);
  }

  static void widen(Touched& touched, std::size_t from, std::size_t to) {
    touched.low = std::min(touched.low, from);
    touched.high = std::max(touched.high, to);
  }

  Touched* touched_at(std::uint64_t address) {
    auto& last = lasts_[address / kApart % kLasts];
    if (last != nullptr && address >= last->begin && address < last->end) return last;
    auto after = touched.upper_bound(address);
    if (after != touched.begin())
      if (auto& before = std::prev(after)->second; address < before.end) return last = &before;
    const auto place = plan_.memory.find(address);
    if (!place) return nullptr;
    Touched made;
    made.begin = place->begin;
    made.end = place->begin + place->size;
    made.written = place->written;
    made.reads_followed = plan_.all_reads || !place->written;
    const std::size_t cells = place->size / plan_.global_cell + 1;
    made.writers = GlobalOwners(cells);
    made.readers = GlobalOwners(cells);
    made.line_writers = GlobalOwners(place->size / kLine + 1);
    made.line_readers = GlobalOwners(place->size / kLine + 1);
    return last = &touched.emplace(place->begin, std::move(made)).first->second;
  }

  void on_global(const simt::Access& access) {
    const auto first = static_cast<std::uint32_t>(std::countr_zero(access.active));
    const unsigned shift = static_cast<unsigned>(std::countr_zero(plan_.global_cell));
    const std::size_t count = access.bytes_per_lane >> shift;
    const std::uint64_t base = access.block * plan_.threads + std::uint64_t{access.warp} * 32 + 1;
    if (base + 32 >= kGlobalAtomics) {
      suspect(Suspects::global_order);
      return;
    }
    const auto thread = static_cast<GlobalOwner>(base);
    const bool store = access.is_store || access.is_atomic;
    Touched* touched = touched_at(access.addresses[first]);
    if (touched == nullptr) return;
    if (!store && access.shape != nullptr && !touched->reads_followed) {  // all in one allocation
      touched->read_unfollowed = true;
      return;
    }
    const auto shape = access.shape == nullptr ? simt::Shape::scattered : access.shape->shape;
    const std::uint64_t start = access.addresses[first] - touched->begin;
    if (shape == simt::Shape::consecutive && !access.is_atomic && start % kLine == 0 &&
        access.bytes_per_lane >= 4) {
      const std::uint64_t warps = (plan_.threads + 31) / 32,
                          warp = access.block * warps + access.warp;
      if (warp >= 1u << 26) {
        suspect(Suspects::global_order);
        return;
      }
      const std::size_t line = start / kLine,
                        lines = std::size_t{access.bytes_per_lane} * 32 / kLine;
      auto* owners = (store ? touched->line_writers : touched->line_readers).get();
      for (std::size_t k = 0; k < lines; ++k) {
        // which lanes: by the bytes of each and the line's place in the access
        const auto me = static_cast<GlobalOwner>(
            (warp << 5 | static_cast<unsigned>(std::countr_zero(access.bytes_per_lane) - 2) << 2 |
             k) +
            1);
        owners[line + k] = joined(owners[line + k], me);
        if (!store && !touched->written && touched->line_writers[line + k] != me)
          suspect(Suspects::undefined);
      }
      touched->any_line_written = touched->any_line_written || store;
      touched->line_low = std::min(touched->line_low, line);
      touched->line_high = std::max(touched->line_high, line + lines);
      return;
    }
    (store ? touched->any_written : touched->any_read) = true;
    // a read of what the launch did not begin with: only what the same thread has written
    const bool strict = !access.is_store && !touched->written;
    if (shape == simt::Shape::consecutive && count == 1 && !access.is_atomic) {
      const std::size_t from = (access.addresses[first] - touched->begin) >> shift;
      widen(*touched, from, from + 32);
      auto* owners = (store ? touched->writers : touched->readers).get() + from;
      for (GlobalOwner i = 0; i < 32; ++i) owners[i] = joined(owners[i], thread + i);
      if (strict) {
        GlobalOwner different = 0;
        for (GlobalOwner i = 0; i < 32; ++i) different |= touched->writers[from + i] ^ (thread + i);
        if (different != 0) suspect(Suspects::undefined);
      }
      return;
    }
    if (shape == simt::Shape::uniform && !store && !strict && !std::has_single_bit(access.active)) {
      const std::size_t from = (access.addresses[first] - touched->begin) >> shift;
      widen(*touched, from, from + count);
      for (std::size_t k = from; k < from + count; ++k) touched->readers[k] = kGlobalMany;
      return;
    }
    if (access.shape != nullptr && !strict && !access.is_atomic) {  // all in one allocation
      const auto [low, high] = range_of(access);
      widen(*touched, (low - touched->begin) >> shift, ((high - 1 - touched->begin) >> shift) + 1);
      auto* owners = (store ? touched->writers : touched->readers).get();
      for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        auto* at = owners + ((access.addresses[lane] - touched->begin) >> shift);
        for (std::size_t k = 0; k < count; ++k) at[k] = joined(at[k], thread + lane);
      }
      return;
    }
    for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
      const auto address = access.addresses[lane];
      if (address < touched->begin || address >= touched->end) {
        touched = touched_at(address);
        if (touched == nullptr) return;
        (store ? touched->any_written : touched->any_read) = true;
      }
      if (!store && !touched->reads_followed) {
        touched->read_unfollowed = true;
        continue;
      }
      const GlobalOwner me = access.is_atomic ? kGlobalAtomics : thread + lane;
      const std::size_t from = (address - touched->begin) >> shift;
      widen(*touched, from, from + count);
      auto* owners = (store ? touched->writers : touched->readers).get();
      for (std::size_t k = from; k < from + count; ++k) {
        if (!access.is_store && !touched->written && touched->writers[k] != me)
          suspect(Suspects::undefined);
        owners[k] = joined(owners[k], me);
      }
    }
  }

  /// Local memory is a thread's own: only what was never written is of interest.
  void on_local(const simt::Access& access) {
    auto& local = block_of(access.block).warps[access.warp].local;
    const auto [low, high] = range_of(access);
    const unsigned shift = static_cast<unsigned>(std::countr_zero(plan_.local_cell));
    if ((high >> shift) + 1 > local.size()) local.resize((high >> shift) + 1, 0);
    if (high - low == access.bytes_per_lane) {  // nearly always: the same variable of each lane
      for (std::size_t k = low >> shift; k < high >> shift; ++k) {
        if (access.is_store)
          local[k] |= access.active;
        else if ((access.active & ~local[k]) != 0)
          suspect(Suspects::undefined);
      }
      return;
    }
    for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
      const std::size_t from = access.addresses[lane] >> shift;
      for (std::size_t k = from; k < from + (access.bytes_per_lane >> shift); ++k) {
        if (access.is_store)
          local[k] |= 1u << lane;
        else if (!(local[k] >> lane & 1))
          suspect(Suspects::undefined);
      }
    }
  }

  const Plan& plan_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Block>> blocks_;
  std::vector<std::unique_ptr<Block>> spare_;
  Block* current_ = nullptr;
  std::uint64_t number_ = 0;
  static constexpr std::uint64_t kApart = 1ull << 34,
                                 kLasts = 16;  // allocations lie that far apart
  Touched* lasts_[kLasts] = {};
};

}  // namespace labkit::observe
