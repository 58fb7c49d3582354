// The quick look at global memory (suspicion.h): who wrote and who read each place. Private to it.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>

#include "observe/suspects.h"
#include "observe/suspicion_owners.h"

namespace labkit::observe {

/// By one host thread.
class GlobalLook {
 public:
  explicit GlobalLook(const SuspicionPlan& plan) : plan_(plan) {}

  unsigned reasons = 0;                      ///< Suspects::Reason
  std::map<std::uint64_t, Touched> touched;  ///< by beginning

  void on_access(const simt::Access& access) {
    const auto first = first_lane(access.active);
    const unsigned shift = static_cast<unsigned>(std::countr_zero(plan_.global_cell));
    const std::size_t count = access.bytes_per_lane >> shift;
    const std::uint64_t base = access.block * plan_.threads + std::uint64_t{access.warp} * 32 + 1;
    if (base + 32 >= kGlobalAtomics) {
      reasons |= Suspects::global_order;
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
        reasons |= Suspects::global_order;
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
          reasons |= Suspects::undefined;
      }
      touched->any_line_written = touched->any_line_written || store;
      touched->lines.add(line, line + lines);
      return;
    }
    (store ? touched->any_written : touched->any_read) = true;
    // a read of what the launch did not begin with: only what the same thread has written
    const bool strict = !access.is_store && !touched->written;
    auto* owners = (store ? touched->writers : touched->readers).get();
    const std::size_t from = start >> shift;
    if (shape == simt::Shape::consecutive && count == 1 && !access.is_atomic) {
      touched->cells.add(from, from + 32);
      for (GlobalOwner i = 0; i < 32; ++i) owners[from + i] = joined(owners[from + i], thread + i);
      if (strict) {
        GlobalOwner different = 0;
        for (GlobalOwner i = 0; i < 32; ++i) different |= touched->writers[from + i] ^ (thread + i);
        if (different != 0) reasons |= Suspects::undefined;
      }
      return;
    }
    if (shape == simt::Shape::uniform && !store && !strict && !std::has_single_bit(access.active)) {
      touched->cells.add(from, from + count);
      for (std::size_t k = from; k < from + count; ++k) touched->readers[k] = kGlobalMany;
      return;
    }
    if (access.shape != nullptr && !strict && !access.is_atomic) {  // all in one allocation
      const auto [low, high] = range_of(access);
      touched->cells.add((low - touched->begin) >> shift,
                         ((high - 1 - touched->begin) >> shift) + 1);
      for (const auto lane : Lanes(access.active)) {
        auto* at = owners + ((access.addresses[lane] - touched->begin) >> shift);
        for (std::size_t k = 0; k < count; ++k) at[k] = joined(at[k], thread + lane);
      }
      return;
    }
    for (const auto lane : Lanes(access.active)) {
      const auto address = access.addresses[lane];
      if (address < touched->begin || address >= touched->end) {
        touched = touched_at(address);
        if (touched == nullptr) return;
        (store ? touched->any_written : touched->any_read) = true;
        owners = (store ? touched->writers : touched->readers).get();
      }
      if (!store && !touched->reads_followed) {
        touched->read_unfollowed = true;
        continue;
      }
      const GlobalOwner me = access.is_atomic ? kGlobalAtomics : thread + lane;
      const std::size_t at = (address - touched->begin) >> shift;
      touched->cells.add(at, at + count);
      for (std::size_t k = at; k < at + count; ++k) {
        if (!access.is_store && !touched->written && touched->writers[k] != me)
          reasons |= Suspects::undefined;
        owners[k] = joined(owners[k], me);
      }
    }
  }

 private:
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
    made.writers = make_owners(cells);
    made.readers = make_owners(cells);
    made.line_writers = make_owners(place->size / kLine + 1);
    made.line_readers = make_owners(place->size / kLine + 1);
    return last = &touched.emplace(place->begin, std::move(made)).first->second;
  }

  const SuspicionPlan& plan_;
  static constexpr std::uint64_t kApart = 1ull << 34,
                                 kLasts = 16;  // allocations lie that far apart
  Touched* lasts_[kLasts] = {};
};

}  // namespace labkit::observe
