#include "timing/drawn_blocks.h"

#include <algorithm>
#include <tuple>

#include "base/random.h"

namespace labkit::timing {
namespace {

// Streams of the seed.
constexpr std::uint64_t kTraced = 1ull << 32, kKept = 2ull << 32, kTypical = 3ull << 32;

constexpr std::uint64_t kMostWorks = 1 << 16;
constexpr std::uint64_t kTypicalBlocks = 12;

}  // namespace

std::vector<std::uint64_t> traced_blocks(std::uint64_t blocks, std::uint64_t seed) {
  constexpr std::uint64_t kRuns = 2, kMost = 6, kApart = 132, kOneOf = 64;
  std::vector<std::uint64_t> all;
  if (!blocks) blocks = kRuns * kMost * kApart / 2;
  if (blocks <= kRuns * kMost) {
    for (std::uint64_t i = 0; i < blocks; ++i) all.push_back(i);
    return all;
  }
  const std::uint64_t run_blocks = std::clamp<std::uint64_t>(blocks / (kRuns * kOneOf), 1, kMost);
  const std::uint64_t part = blocks / kRuns;
  const std::uint64_t apart = std::min(kApart, part / run_blocks);
  const std::uint64_t room = part - (run_blocks - 1) * apart;
  for (std::uint64_t run = 0; run < kRuns; ++run) {
    const std::uint64_t begin = run * part + random_bits(seed, kTraced + run) % room;
    for (std::uint64_t i = 0; i < run_blocks; ++i) all.push_back(begin + i * apart);
  }
  return all;
}

std::uint64_t window_begin(std::uint64_t blocks, std::uint64_t length, std::uint64_t seed) {
  if (seed == 0 || blocks <= length) return 0;
  return random_bits(seed, 0) % (blocks - length + 1);
}

bool is_work_kept(std::uint64_t block, std::uint64_t blocks, std::uint64_t seed) {
  return blocks <= kMostWorks || random_bits(seed, kKept + block) % (blocks / kMostWorks) == 0;
}

std::vector<BlockWork> typical_blocks(std::span<const BlockWork> all, std::uint64_t seed) {
  const auto order = [&](const BlockWork& work) {
    return std::tuple(work.instructions, work.path, random_bits(seed, kTypical + work.block));
  };
  std::vector<BlockWork> sorted(all.begin(), all.end());
  std::ranges::sort(sorted, {}, order);
  const std::uint64_t parts = std::min<std::uint64_t>(kTypicalBlocks, sorted.size());
  std::vector<BlockWork> typical;
  // The same place in each part, so that a kind of blocks gets its share of them, one more or less.
  const double place = random_unit(seed, kTypical - 1);
  for (std::uint64_t part = 0; part < parts; ++part)
    typical.push_back(sorted[static_cast<std::size_t>((static_cast<double>(part) + place) *
                                                      static_cast<double>(sorted.size()) /
                                                      static_cast<double>(parts))]);
  std::ranges::sort(typical, {}, &BlockWork::block);
  return typical;
}

}  // namespace labkit::timing
