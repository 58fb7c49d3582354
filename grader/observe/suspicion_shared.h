// The quick look at shared memory (suspicion.h): who wrote and who read each place of a block's since its last barrier.
// Private to it.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <deque>
#include <utility>
#include <vector>

#include "observe/suspects.h"
#include "observe/suspicion_owners.h"

namespace labkit::observe {

/// Of one block that is under way.
struct SharedState {
  struct Copied {
    std::uint32_t cell;
    std::uint16_t lane;
  };
  struct Warp {
    std::vector<Copied> open_group;  ///< cells that cp.async writes
    std::deque<std::vector<Copied>> groups;
    Span touched;  ///< cells, since its lanes met
  };
  std::vector<Owner> writers, readers;
  std::vector<std::uint8_t> ever_written;
  std::vector<std::uint8_t> flight;  ///< cells that a cp.async under way may still write
  std::size_t cells_in_flight = 0;
  std::vector<Warp> warps;
  Span touched;  ///< cells, since the last barrier
  std::uint32_t threads = 0;
  bool is_suspected = false;  ///< of shared_order
  /// What is found may depend on more than the block's history, as on the values stored.
  bool is_like_no_other = false;
};

class SharedLook {
 public:
  explicit SharedLook(const SuspicionPlan& plan) : plan_(plan) {}

  unsigned reasons = 0;  ///< Suspects::Reason

  void begin(SharedState& block, std::uint32_t threads) const {
    const std::size_t cells = plan_.shared_end / plan_.shared_cell + 1;
    block.writers.resize(cells);  // those of a block before are clear again
    block.readers.resize(cells);
    block.ever_written.assign(cells, 0);
    block.threads = threads;
    block.is_suspected = block.is_like_no_other = false;
    block.flight.assign(block.flight.size(), 0);
    block.cells_in_flight = 0;
    block.warps.resize((threads + 31) / 32);
    for (auto& warp : block.warps) {
      warp.open_group.clear();
      warp.groups.clear();
    }
  }

  /// At a barrier of the whole block, or its end.
  void judge(SharedState& block) {
    const auto touched = std::exchange(block.touched, {});
    if (touched.empty()) return;
    bool any = false;
    auto* writers = block.writers.data();
    auto* readers = block.readers.data();
    for (std::size_t k = touched.begin; k < touched.end; ++k)
      if (writers[k] != 0) any = any || clash(writers[k], readers[k]);
    for (std::size_t k = touched.begin; any && k < touched.end; ++k)
      if (clash(writers[k], readers[k])) suspect_order(block, writers[k]);
    std::fill(writers + touched.begin, writers + touched.end, Owner{0});
    std::fill(readers + touched.begin, readers + touched.end, Owner{0});
    for (auto& warp : block.warps) warp.touched = {};
  }

  void meet(SharedState& block, std::uint32_t w, std::uint32_t lanes) {
    if (lanes != all_lanes(block, w)) return;  // judged as if they had not met
    const auto touched = std::exchange(block.warps[w].touched, {});
    const auto mine = static_cast<Owner>((w + 1) << 6);
    auto has_met = [&](Owner& owner) {
      if (static_cast<Owner>(owner - mine) < 64) owner = static_cast<Owner>(mine | kMet);
    };
    for (std::size_t k = touched.begin; k < touched.end; ++k) {
      if (clash(block.writers[k], block.readers[k])) suspect_order(block, block.writers[k]);
      has_met(block.writers[k]);
      has_met(block.readers[k]);
    }
  }

  void commit(SharedState& block, std::uint32_t w, std::uint32_t lanes) {
    if (lanes != all_lanes(block, w))  // groups are counted for the whole warp
      suspect_order(block);
    auto& warp = block.warps[w];
    warp.groups.push_back(std::exchange(warp.open_group, {}));
  }

  /// For all groups of copies but the last ones; ~0: for all, also what was not committed.
  void wait(SharedState& block, std::uint32_t w, std::uint32_t lanes, std::uint64_t groups) {
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

  void on_access(SharedState& block, const simt::Access& access) {
    look_at(block, access);
    if (access.is_async || block.cells_in_flight != 0) on_flight(block, access);
  }

 private:
  /// `writer`: of the place where accesses clash; whether several have stored the same there their values say.
  void suspect_order(SharedState& block, Owner writer = kMany) {
    reasons |= Suspects::shared_order;
    block.is_suspected = true;
    block.is_like_no_other = block.is_like_no_other || by_several(writer);
  }

  static std::uint32_t all_lanes(const SharedState& block, std::uint32_t warp) {
    const std::uint32_t left = block.threads - warp * 32;
    return left >= 32 ? ~0u : (1u << left) - 1;
  }

  void look_at(SharedState& block, const simt::Access& access) {
    const auto [low, high] = range_of(access);
    if (const auto array = plan_.facts[access.instruction].shared_array; array >= 0) {
      const auto& extent = plan_.arrays[array];
      if (low < extent.begin || high > (extent.is_dynamic ? plan_.shared_end : extent.end))
        reasons |= Suspects::bounds;
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
        if (written[k] == 0) reasons |= Suspects::undefined;
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
        if (all == 0) reasons |= Suspects::undefined;
      }
    };
    constexpr auto kManyLanes = static_cast<Owner>(kLanes);
    if (shape == simt::Shape::uniform && !store) {
      const bool lone = std::has_single_bit(access.active);
      const auto who = lone ? static_cast<Owner>(first_lane(access.active)) : kManyLanes;
      return all_read(from, to, static_cast<Owner>(mine | who));
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
    for (const auto lane : Lanes(access.active)) {
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
    if (!all_written) reasons |= Suspects::undefined;
  }

  static void widen(SharedState& block, SharedState::Warp& warp, std::size_t from, std::size_t to) {
    block.touched.add(from, to);
    warp.touched.add(from, to);
  }

  /// Nobody may touch what a copy under way may still write.
  void on_flight(SharedState& block, const simt::Access& access) {
    block.flight.resize(block.writers.size(), 0);
    const std::size_t count = access.bytes_per_lane / plan_.shared_cell;
    for (const auto lane : Lanes(access.active)) {
      const std::size_t from = access.addresses[lane] / plan_.shared_cell;
      for (std::size_t k = from; k < from + count; ++k) {
        if (block.flight[k] != 0) suspect_order(block);
        if (!access.is_async || block.flight[k] != 0) continue;
        block.flight[k] = 1;
        ++block.cells_in_flight;
        block.warps[access.warp].open_group.push_back(
            {static_cast<std::uint32_t>(k), static_cast<std::uint16_t>(lane)});
      }
    }
  }

  const SuspicionPlan& plan_;
};

}  // namespace labkit::observe
