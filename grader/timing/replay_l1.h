// L1 of one SM as the replay sees it. Internal to the room.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "timing/flat_words.h"

namespace labkit::timing {

/// The cache of one SM. Answers with the time at which what was there already is there.
class L1 {
 public:
  explicit L1(std::uint64_t lines)
      : sets_(static_cast<std::uint32_t>(std::max<std::uint64_t>(1, lines / kWays))),
        ways_(sets_.size() * kWays) {}
  struct Way {
    std::uint64_t line = ~0ull;
    std::uint32_t sectors = 0;
    double ready = 0;
  };
  Way& find(std::uint64_t line) {
    const auto at =
        static_cast<std::uint32_t>(mixed(line)) % static_cast<std::uint32_t>(sets_.size());
    Set& set = sets_[at];
    ++now_;
    std::size_t oldest = 0;
    for (std::size_t i = 0; i < kWays; ++i) {
      if (set.lines[i] == line) {
        set.used[i] = now_;
        return ways_[at * kWays + i];
      }
      oldest = set.used[i] < set.used[oldest] ? i : oldest;
    }
    set.lines[oldest] = line;
    set.used[oldest] = now_;
    return ways_[at * kWays + oldest] = {line, 0, 0};
  }

 private:
  static constexpr std::size_t kWays = 8;
  /// What a lookup goes through, together.
  struct Set {
    std::array<std::uint64_t, kWays> lines;
    std::array<std::uint64_t, kWays> used{};
    Set() { lines.fill(~0ull); }
  };
  std::vector<Set> sets_;
  std::vector<Way> ways_;
  std::uint64_t now_ = 0;
};

}  // namespace labkit::timing
