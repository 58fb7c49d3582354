#include "timing/request.h"

#include <algorithm>
#include <array>
#include <bit>

namespace labkit::timing {
namespace {

constexpr std::size_t kKnown = 512;       // requests, by pattern and phase
constexpr std::size_t kMostLines = 8192;  // of all of them
constexpr unsigned kLineWords = 1u << (kLineShift - kWordShift);

std::uint8_t sectors_of(std::uint32_t words) {
  std::uint32_t sectors = 0;
  for (unsigned s = 0; s < 4; ++s) sectors |= std::uint32_t{(words >> 8 * s & 0xff) != 0} << s;
  return static_cast<std::uint8_t>(sectors);
}

/// Passes through 32 banks for lanes [first, last): the most distinct words that one bank must
/// give.
unsigned passes_of_lanes(const simt::Access& access, unsigned first, unsigned last) {
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

RequestLines::RequestLines() : known_(kKnown) {}

Touched RequestLines::of(const simt::Access& access) {
  const std::uint64_t start = start_of(access);
  const auto phase = static_cast<std::uint8_t>(start & ((1u << kLineShift) - 1));
  // The phases of one pattern lie side by side, and the patterns of one kernel.
  Known* known = nullptr;
  if (access.pattern != 0) {
    known = &known_[(access.pattern * 32u + (phase >> kWordShift) + (phase & 3u) * (kKnown / 4)) %
                    kKnown];
    if (known->pattern == access.pattern && known->phase == phase && known->round == round_)
      return {start >> kLineShift,
              {lines_.data() + known->from, known->lines},
              known->sectors,
              known->wavefronts};
  }
  const std::uint32_t count = work_out(access);
  Touched touched{start >> kLineShift, {scratch_.data(), count}, 0, 0};
  for (const TouchedLine& line : touched.lines)
    touched.sectors += static_cast<std::uint32_t>(std::popcount(line.sectors));
  touched.wavefronts = std::max(bank_passes(access), (count + 3) / 4);
  if (known == nullptr) return touched;
  if (lines_.size() > kMostLines) {
    lines_.clear();
    ++round_;
  }
  *known = {.pattern = access.pattern,
            .round = round_,
            .from = static_cast<std::uint32_t>(lines_.size()),
            .sectors = static_cast<std::uint16_t>(touched.sectors),
            .wavefronts = static_cast<std::uint16_t>(touched.wavefronts),
            .phase = phase,
            .lines = static_cast<std::uint8_t>(count)};
  lines_.insert(lines_.end(), touched.lines.begin(), touched.lines.end());
  return touched;
}

std::uint32_t RequestLines::work_out(const simt::Access& access) {
  const auto base = static_cast<std::int64_t>(start_of(access) >> kLineShift);
  const std::uint32_t words_of_lane = (1u << std::max(1u, access.bytes_per_lane >> kWordShift)) - 1;
  std::uint32_t count = 0, at = 0;  // `at`: the line of the lane before
  for (std::uint32_t rest = access.active; rest; rest &= rest - 1) {
    const std::uint64_t address = access.addresses[std::countr_zero(rest)];
    const std::int64_t distance = static_cast<std::int64_t>(address >> kLineShift) - base;
    if (count == 0 || scratch_[at].distance != distance) {
      // Mostly it is the last; else it goes where it belongs among them.
      at = count;
      while (at > 0 && scratch_[at - 1].distance > distance) --at;
      if (at > 0 && scratch_[at - 1].distance == distance) {
        --at;
      } else {
        std::copy_backward(scratch_.begin() + at, scratch_.begin() + count,
                           scratch_.begin() + count + 1);
        ++count;
        scratch_[at] = {.distance = distance};
      }
    }
    scratch_[at].words |= words_of_lane << (address >> kWordShift & (kLineWords - 1));
    ++scratch_[at].lanes;
  }
  for (std::uint32_t i = 0; i < count; ++i) scratch_[i].sectors = sectors_of(scratch_[i].words);
  return count;
}

std::uint32_t RequestLines::bank_passes(const simt::Access& access) {
  const unsigned groups = access.bytes_per_lane <= 4 ? 1 : access.bytes_per_lane / 4;
  // Words at other addresses in the same distances lie in other banks, but as many in one.
  const bool known = access.pattern != 0 && access.bytes_per_lane >= 4;
  if (known) {
    if (access.pattern >= passes_.size()) passes_.resize(access.pattern + 1);
    if (passes_[access.pattern]) return passes_[access.pattern];
  }
  std::uint32_t sum = 0;
  for (unsigned group = 0; group < groups; ++group)
    sum += passes_of_lanes(access, group * 32 / groups, (group + 1) * 32 / groups);
  if (known) passes_[access.pattern] = static_cast<std::uint16_t>(sum);
  return sum;
}

}  // namespace labkit::timing
