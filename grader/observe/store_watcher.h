// The observer that waits for stores to a few places of global memory.
#pragma once
#include <cstdint>
#include <vector>

#include "observe/places.h"
#include "observe/samples.h"
#include "observe/watching.h"

namespace labkit::observe {

/// Bytes of global memory, by device address.
struct WatchedPlace {
  std::uint64_t begin = 0, bytes = 0;
};

/// Of a run on one host thread (RunOptions::threads 1).
class StoreWatch final : public EachGlobalAccess {
 public:
  explicit StoreWatch(std::vector<WatchedPlace> places)
      : EachGlobalAccess([this](const simt::Access& access) { note(access); }),
        places_(std::move(places)),
        last_(places_.size()) {}
  StoreWatch(const StoreWatch&) = delete;
  /// When the run is over: one for each place, in their order.
  std::vector<StoredBy> take(const Places& names) const {
    std::vector<StoredBy> all(places_.size());
    for (std::size_t i = 0; i < last_.size(); ++i) {
      if (last_[i].stores == 0) continue;
      all[i] = {.stores = last_[i].stores,
                .several_threads = last_[i].several_threads,
                .where = names.line(last_[i].instruction),
                .where_inside = names.inside(last_[i].instruction),
                .thread = names.thread(last_[i].thread),
                .block = names.block(last_[i].block)};
    }
    return all;
  }

 private:
  void note(const simt::Access& access) {
    if (!access.is_store && !access.is_atomic) return;
    for (std::size_t i = 0; i < places_.size(); ++i)
      for (const auto lane : Lanes(access.active)) {
        const std::uint64_t begin = access.addresses[lane];
        if (begin >= places_[i].begin + places_[i].bytes ||
            places_[i].begin >= begin + access.bytes_per_lane)
          continue;
        Last& last = last_[i];
        const std::uint32_t thread = access.warp * 32 + lane;
        last.several_threads |=
            last.stores != 0 && (last.block != access.block || last.thread != thread);
        last.stores += 1;
        last.block = access.block;
        last.thread = thread;
        last.instruction = access.instruction;
      }
  }

  struct Last {
    std::uint64_t stores = 0, block = 0;
    std::uint32_t thread = 0, instruction = 0;
    bool several_threads = false;
  };
  std::vector<WatchedPlace> places_;
  std::vector<Last> last_;
};

}  // namespace labkit::observe
