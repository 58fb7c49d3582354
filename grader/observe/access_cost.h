// What each access of a launch costs by rules.h, as ptxas's merging leaves it: shared by who counts and who keeps samples.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "observe/rules.h"
#include "simt/machine.h"
#include "simt/op.h"

namespace labkit::observe {

/// Of one access. In the cache of AccessCosts, a count of 0 says: not worked out yet.
struct AccessCost {
  std::uint16_t count = 0;  ///< sectors or wavefronts
  std::uint16_t ideal = 0;
  std::uint16_t partial = 0;  ///< sectors of which fewer than 32 bytes are touched
};

/// What an access costs depends on the distances between its addresses, which simt names by a pattern number, and on
/// where the first one lies: within 32 bytes (sectors), within a word (banks repeat every 128 bytes, but shifting all
/// addresses by whole words only renames the banks). So each is worked out once. One for each host thread: pattern numbers are its own.
class AccessCosts {
 public:
  explicit AccessCosts(std::span<const simt::InstructionFacts> facts) : facts_(facts) {}

  /// Of an access to global memory or constants.
  AccessCost sectors(const simt::Access& access) {
    const std::uint64_t start = access.addresses[std::countr_zero(access.active)];
    return cost_of(access, kSectors, start, [&] {
      const auto c = sector_cost(access.addresses, access.active, access.bytes_per_lane);
      return AccessCost{static_cast<std::uint16_t>(c.sectors), static_cast<std::uint16_t>(c.ideal),
                        static_cast<std::uint16_t>(c.partial)};
    });
  }

  /// How an access to shared memory is counted: `bytes` a lane, `offset` from its own address.
  struct SharedView {
    std::uint32_t bytes = 0;  ///< 0: another instruction stands for this one
    std::uint64_t offset = 0;
  };
  SharedView shared_view(const simt::Access& access) const {
    const auto& facts = facts_[access.instruction];
    // both halves of a cp.async share one instruction; its shared half is counted as it is
    if (facts.space != ptx::Space::shared || facts.counted_bytes == access.bytes_per_lane)
      return {access.bytes_per_lane, 0};
    return {facts.counted_bytes,
            static_cast<std::uint64_t>(static_cast<std::int64_t>(facts.counted_offset))};
  }
  /// `view`: of the same access, with bytes.
  AccessCost wavefronts(const simt::Access& access, const SharedView& view) {
    const bool is_load = !access.is_store && !access.is_atomic;
    const std::uint64_t start = access.addresses[std::countr_zero(access.active)] + view.offset;
    const std::uint32_t size = view.bytes <= 4 ? 0 : view.bytes <= 8 ? 1 : 2;
    const auto kind = static_cast<Kind>((is_load ? kLoad4 : kStore4) + size);
    return cost_of(access, kind, start, [&] {
      std::array<std::uint64_t, simt::kLanes> moved;
      for (std::size_t i = 0; i < moved.size(); ++i) moved[i] = access.addresses[i] + view.offset;
      const auto c = bank_cost(moved.data(), access.active, view.bytes, is_load);
      return AccessCost{static_cast<std::uint16_t>(c.wavefronts),
                        static_cast<std::uint16_t>(c.ideal), 0};
    });
  }

  /// Local memory is interleaved by 4-byte words: word w of lane i lies at 128 w + 4 i, so that lanes which touch the same
  /// variable touch neighbouring words (CUDA C programming guide, device memory accesses, local memory). An access of more
  /// than 4 bytes goes word by word.
  static std::uint32_t local_words(const simt::Access& access) {
    return std::max(access.bytes_per_lane / 4, 1u);
  }
  static std::uint32_t local_bytes(const simt::Access& access) {
    return std::min(access.bytes_per_lane, 4u);
  }
  /// Where the hardware puts word `word` of the access.
  static std::array<std::uint64_t, simt::kLanes> local_places(const simt::Access& access,
                                                              std::uint32_t word) {
    std::array<std::uint64_t, simt::kLanes> places{};
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::uint64_t at = access.addresses[i] + 4ull * word;
      places[i] = at / 4 * 128 + 4ull * i + at % 4;
    }
    return places;
  }
  /// Sectors, over all words.
  static AccessCost local_sectors(const simt::Access& access) {
    AccessCost cost;
    for (std::uint32_t word = 0; word < local_words(access); ++word) {
      const auto places = local_places(access, word);
      const auto c = sector_cost(places.data(), access.active, local_bytes(access));
      cost.count = static_cast<std::uint16_t>(cost.count + c.sectors);
      cost.ideal = static_cast<std::uint16_t>(cost.ideal + c.ideal);
      cost.partial = static_cast<std::uint16_t>(cost.partial + c.partial);
    }
    return cost;
  }

 private:
  /// Kinds of access that cost differently for one pattern.
  enum Kind : std::uint32_t {
    kSectors,
    kLoad4,
    kLoad8,
    kLoad16,
    kStore4,
    kStore8,
    kStore16,
    kKinds
  };

  template <typename Work>
  AccessCost cost_of(const simt::Access& access, Kind kind, std::uint64_t start, const Work& work) {
    if (access.pattern == 0) return work();
    const std::size_t at = std::size_t{access.pattern} * kKinds + kind;
    if (at >= table_of_.size()) table_of_.resize(at + std::size_t{kKinds} * 16, -1);
    if (table_of_[at] < 0) {
      table_of_[at] = static_cast<std::int32_t>(tables_.size());
      tables_.emplace_back();
    }
    auto& cost = tables_[table_of_[at]][start & (kind == kSectors ? 31 : 3)];
    if (cost.count == 0) cost = work();
    return cost;
  }

  std::span<const simt::InstructionFacts> facts_;
  std::vector<std::int32_t> table_of_;  ///< by pattern and kind
  std::vector<std::array<AccessCost, 32>> tables_;
};

}  // namespace labkit::observe
