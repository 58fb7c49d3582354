#include "observe/rules.h"

#include <algorithm>
#include <array>
#include <bit>

namespace labkit::observe {
namespace {

constexpr std::size_t kLanesOfWarp = 32;
constexpr std::uint32_t kSectorBytes = 32, kBankBytes = 4, kBanks = 32, kWavefrontBytes = 128;

std::uint32_t ceil_div(std::uint32_t a, std::uint32_t b) { return (a + b - 1) / b; }

/// Wavefronts of one pass: the most distinct words that one bank must deliver to `lanes`.
std::uint32_t pass_cost(const std::uint64_t* addresses, std::uint32_t lanes, std::uint32_t bytes) {
  if (lanes == 0) return 0;
  std::array<std::uint64_t, kLanesOfWarp * 4> words;  // at most 4 words of each of 32 lanes
  std::array<std::uint8_t, words.size()> next;        // of the same bank: 1 + its index; 0: none
  std::array<std::uint8_t, kBanks> first_of{};
  std::array<std::uint32_t, kBanks> in_bank{};
  std::uint8_t count = 0;
  std::uint32_t most = 0;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const std::uint64_t address = addresses[std::countr_zero(rest)];
    const std::uint64_t first = address / kBankBytes, last = (address + bytes - 1) / kBankBytes;
    for (std::uint64_t word = first; word <= last && count < words.size(); ++word) {
      const std::size_t bank = word % kBanks;
      std::uint8_t same = first_of[bank];
      while (same != 0 && words[same - 1] != word) same = next[same - 1];
      if (same != 0) continue;
      words[count] = word;
      next[count] = first_of[bank];
      first_of[bank] = ++count;
      most = std::max(most, ++in_bank[bank]);
    }
  }
  return most;
}

/// Whether every active lane i has the address of lane i ^ distance, as far as that one is active.
bool lanes_agree(const std::uint64_t* addresses, std::uint32_t active, std::uint32_t distance) {
  for (std::uint32_t i = 0; i < kLanesOfWarp; ++i) {
    const std::uint32_t other = i ^ distance;
    if ((active >> i & 1) && (active >> other & 1) && addresses[i] != addresses[other])
      return false;
  }
  return true;
}

}  // namespace

SectorCost sector_cost(const std::uint64_t* addresses, std::uint32_t active, std::uint32_t bytes) {
  struct Touched {
    std::uint64_t sector;
    std::uint32_t bytes;  ///< one bit a byte
  };
  std::array<Touched, kLanesOfWarp * 2> touched;
  std::size_t count = 0;
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const std::uint64_t address = addresses[std::countr_zero(rest)];
    const std::uint64_t first = address / kSectorBytes, last = (address + bytes - 1) / kSectorBytes;
    for (std::uint64_t sector = first; sector <= last; ++sector) {
      const std::uint64_t begin = std::max(address, sector * kSectorBytes) - sector * kSectorBytes;
      const std::uint64_t end =
          std::min(address + bytes, (sector + 1) * kSectorBytes) - sector * kSectorBytes;
      touched[count++] = {sector,
                          static_cast<std::uint32_t>(((1ull << end) - 1) & ~((1ull << begin) - 1))};
    }
  }
  const auto last = touched.begin() + static_cast<std::ptrdiff_t>(count);
  std::sort(touched.begin(), last,
            [](const Touched& a, const Touched& b) { return a.sector < b.sector; });
  SectorCost cost;
  for (auto at = touched.begin(); at != last;) {
    std::uint32_t covered = 0;
    const std::uint64_t sector = at->sector;
    for (; at != last && at->sector == sector; ++at) covered |= at->bytes;
    ++cost.sectors;
    cost.partial += covered != 0xFFFFFFFFu;
  }
  cost.ideal =
      std::min(cost.sectors,
               ceil_div(static_cast<std::uint32_t>(std::popcount(active)) * bytes, kSectorBytes));
  return cost;
}

std::uint32_t shared_passes(const std::uint64_t* addresses, std::uint32_t active,
                            std::uint32_t bytes, bool is_load) {
  const std::uint32_t passes = bytes <= 4 ? 1 : bytes / 4;
  const bool merge = is_load && passes > 1 &&
                     (lanes_agree(addresses, active, 1) || lanes_agree(addresses, active, 2));
  return merge ? passes / 2 : passes;
}

BankCost bank_cost(const std::uint64_t* addresses, std::uint32_t active, std::uint32_t bytes,
                   bool is_load) {
  const std::uint32_t passes = shared_passes(addresses, active, bytes, is_load);
  const std::uint32_t lanes_per_pass = kLanesOfWarp / passes;
  const std::uint32_t first_lanes = passes == 1 ? 0xFFFFFFFFu : (1u << lanes_per_pass) - 1;
  BankCost cost;
  for (std::uint32_t pass = 0; pass < passes; ++pass)
    cost.wavefronts += pass_cost(addresses, active & first_lanes << (pass * lanes_per_pass), bytes);
  cost.ideal = std::min(
      cost.wavefronts,
      ceil_div(static_cast<std::uint32_t>(std::popcount(active)) * bytes, kWavefrontBytes));
  return cost;
}

}  // namespace labkit::observe
