#include "timing/request.h"

namespace labkit::timing {
namespace {

/// Passes through 32 banks for lanes [first, last): the most distinct words that one bank must
/// give.
unsigned bank_passes(const simt::Access& access, unsigned first, unsigned last) {
  std::array<std::array<std::uint64_t, 32>, 32> words;
  std::array<std::uint8_t, 32> count{};
  unsigned most = 0;
  const unsigned words_per_lane = std::max(1u, access.bytes_per_lane >> kWordShift);
  for (unsigned lane = first; lane < last; ++lane) {
    if (!(access.active >> lane & 1)) continue;
    for (unsigned w = 0; w < words_per_lane; ++w) {
      const std::uint64_t word = (access.addresses[lane] >> kWordShift) + w;
      auto& bank = words[word & 31];
      auto& n = count[word & 31];
      if (std::find(bank.begin(), bank.begin() + n, word) != bank.begin() + n) continue;
      bank[n++] = word;
      most = std::max<unsigned>(most, n);
    }
  }
  return most;
}

}  // namespace

std::uint64_t L1Passes::banks(const simt::Access& access) {
  const unsigned groups = access.bytes_per_lane <= 4 ? 1 : access.bytes_per_lane / 4;
  // Words at other addresses in the same distances lie in other banks, but as many in one.
  const bool known = access.pattern != 0 && access.bytes_per_lane >= 4;
  if (known) {
    if (access.pattern >= known_.size()) known_.resize(access.pattern + 1);
    if (known_[access.pattern]) return known_[access.pattern];
  }
  std::uint64_t sum = 0;
  for (unsigned group = 0; group < groups; ++group)
    sum += bank_passes(access, group * 32 / groups, (group + 1) * 32 / groups);
  if (known) known_[access.pattern] = static_cast<std::uint16_t>(sum);
  return sum;
}

}  // namespace labkit::timing
