// The observer that waits for stores to a few places of global memory.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "observe/places.h"
#include "observe/samples.h"
#include "simt/observer.h"

namespace labkit::observe {

/// Bytes of global memory, by device address.
struct WatchedPlace {
  std::uint64_t begin = 0, bytes = 0;
};

/// Of a run on one host thread (RunOptions::threads 1); of more, what is the last store hangs on them.
class StoreWatch final : public simt::ObserverFactory {
 public:
  explicit StoreWatch(std::vector<WatchedPlace> places) : places_(std::move(places)) {}
  std::unique_ptr<simt::Observer> make() override;
  void collect(simt::Observer& observer, const std::uint64_t* warp_executions,
               const std::uint64_t* thread_executions, std::size_t instructions) override;
  /// When the run is over: one for each place, in their order.
  std::vector<StoredBy> take(const Places& names) const;

 private:
  class Watcher;
  struct Last {
    std::uint64_t stores = 0, block = 0;
    std::uint32_t thread = 0, instruction = 0;
    bool several_threads = false;
  };
  std::vector<WatchedPlace> places_;
  std::vector<Last> last_;
};

}  // namespace labkit::observe
