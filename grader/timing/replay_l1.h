// L1 of one SM as the replay sees it. Internal to the room.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace labkit::timing {

/// The cache of one SM. Answers with the time at which what was there already is there.
class L1 {
 public:
  explicit L1(std::uint64_t lines) : sets_(std::max<std::uint64_t>(1, lines / kWays) * kWays) {}
  struct Way {
    std::uint64_t line = ~0ull;
    std::uint64_t used = 0;
    std::uint32_t sectors = 0;
    double ready = 0;
  };
  Way& find(std::uint64_t line) {
    const std::uint64_t count = sets_.size() / kWays;
    const std::uint64_t set = (line * 0x9E3779B97F4A7C15u >> 32) % count;
    Way* oldest = nullptr;
    ++now_;
    for (std::size_t i = set * kWays; i < (set + 1) * kWays; ++i) {
      Way& way = sets_[i];
      if (way.line == line) {
        way.used = now_;
        return way;
      }
      if (!oldest || way.used < oldest->used) oldest = &way;
    }
    *oldest = {line, now_, 0, 0};
    return *oldest;
  }

 private:
  static constexpr std::size_t kWays = 8;
  std::vector<Way> sets_;
  std::uint64_t now_ = 0;
};

}  // namespace labkit::timing
