#include "observe/store_watcher.h"

#include "observe/watching.h"

namespace labkit::observe {

class StoreWatch::Watcher final : public simt::Observer {
 public:
  explicit Watcher(const std::vector<WatchedPlace>& places)
      : last(places.size()), places_(places) {}

  void on_access(const simt::Access& access) override {
    if (!(access.is_store || access.is_atomic) || access.space != ptx::Space::global) return;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const WatchedPlace& place = places_[i];
      for (const auto lane : Lanes(access.active)) {
        const std::uint64_t begin = access.addresses[lane];
        if (begin < place.begin + place.bytes && place.begin < begin + access.bytes_per_lane)
          note(last[i], access, access.warp * 32 + lane);
      }
    }
  }
  bool wants_each_shared_access() const override { return false; }

  std::vector<Last> last;

 private:
  static void note(Last& one, const simt::Access& access, std::uint32_t thread) {
    one.several_threads |= one.stores != 0 && (one.block != access.block || one.thread != thread);
    one.stores += 1;
    one.block = access.block;
    one.thread = thread;
    one.instruction = access.instruction;
  }
  const std::vector<WatchedPlace>& places_;
};

std::unique_ptr<simt::Observer> StoreWatch::make() { return std::make_unique<Watcher>(places_); }

void StoreWatch::collect(simt::Observer& observer, const std::uint64_t*, const std::uint64_t*,
                         std::size_t) {
  last_ = std::move(static_cast<Watcher&>(observer).last);
}

std::vector<StoredBy> StoreWatch::take(const Places& names) const {
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

}  // namespace labkit::observe
