// Blocks that do alike with shared memory: the same instructions, of the same lanes, at the same places, in the same order,
// with the same barriers between. What nothing orders in one of them nothing orders in the others, so that one is looked
// at for all. Private to the quick look (suspicion.h).
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "observe/suspects.h"
#include "observe/watching.h"
#include "simt/access.h"
#include "simt/observer.h"

namespace labkit::observe {

/// What one block has done so far, as a number.
class SharedHistory {
 public:
  void clear() { hash_ = 0; }
  std::uint64_t hash() const { return hash_; }

  enum Event : std::uint64_t { access = 1, arrival, release, warp_sync, commit, wait, exit };
  void add(Event event, std::uint64_t a, std::uint64_t b = 0) {
    mix(event << 56 ^ a);
    mix(b);
  }
  void add(const simt::Access& made) {
    mix(std::uint64_t{access} << 56 ^ std::uint64_t{made.instruction} << 24 ^ made.warp);
    mix(std::uint64_t{made.active} << 32 ^ made.bytes_per_lane);
    const auto shape = made.shape == nullptr ? simt::Shape::scattered : made.shape->shape;
    if (shape == simt::Shape::uniform || shape == simt::Shape::consecutive)
      return mix(static_cast<std::uint64_t>(shape) << 56 ^ made.addresses[first_lane(made.active)]);
    std::uint64_t sum = 0;  // each mixed by itself, so that no two changes can cancel
    for (const auto lane : Lanes(made.active)) {
      std::uint64_t one = (made.addresses[lane] << 5 | lane) * kOdd;
      one ^= one >> 32;
      sum += one * kOdd;
    }
    mix(sum);
  }

 private:
  static constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
  void mix(std::uint64_t value) {
    hash_ = (std::rotl(hash_, 23) ^ value) * kOdd;
    hash_ ^= hash_ >> 29;
  }

  std::uint64_t hash_ = 0;
};

/// Of the blocks of a launch that are suspected.
class AlikeBlocks {
 public:
  void add(std::uint64_t history, std::uint64_t block) { join(history, {block, 1}); }
  void add(const AlikeBlocks& more) {
    for (const auto& [history, standing] : more.kinds_) join(history, standing);
    too_many_ = too_many_ || more.too_many_;
  }
  /// The first of each kind, ascending; nullopt if there are too many kinds to tell apart.
  std::optional<std::vector<Suspects::Standing>> first_ones() const {
    if (too_many_) return std::nullopt;
    std::vector<Suspects::Standing> result;
    result.reserve(kinds_.size());
    for (const auto& [history, standing] : kinds_) result.push_back(standing);
    std::ranges::sort(result, {}, &Suspects::Standing::block);
    return result;
  }

 private:
  static constexpr std::size_t kMostKinds = 1 << 16;
  void join(std::uint64_t history, const Suspects::Standing& more) {
    if (too_many_) return;
    auto [at, is_new] = kinds_.try_emplace(history, more);
    if (!is_new) {
      at->second.block = std::min(at->second.block, more.block);
      at->second.blocks += more.blocks;
    }
    too_many_ = kinds_.size() > kMostKinds;
  }

  std::unordered_map<std::uint64_t, Suspects::Standing> kinds_;
  bool too_many_ = false;
};

}  // namespace labkit::observe
