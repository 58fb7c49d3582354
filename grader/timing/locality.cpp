// The observer behind Locality. Loads of a few blocks and stores of many are followed; per block it
// keeps the set of sectors loaded and, of each line stored to, which words. What depends on several
// blocks (torn lines, distinct atoms) is worked out at the end from sorted lists, so that the
// result does not depend on who ran which block.
#include "timing/locality.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>

#include "timing/flat_set.h"

namespace labkit::timing {
namespace {

constexpr unsigned kLineShift = 7, kAtomShift = 6, kSectorShift = 5, kWordShift = 2;
constexpr std::uint32_t kHalfLine = 0xffff;  // words of an atom

struct AddressRange {
  std::uint64_t first = ~0ull, last = 0;
  void add(std::uint64_t from, std::uint64_t to) {
    first = std::min(first, from);
    last = std::max(last, to);
  }
  bool overlaps(const AddressRange& other) const {
    return first <= other.last && other.first <= last;
  }
};

struct StoredLine {
  std::uint64_t line = 0, block = 0;
  std::uint32_t words = 0;  ///< bit w: word w of the line was written
};

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

/// Up to 4 bytes a lane in one go, 8 in two halves of the warp, 16 in four quarters, as for shared
/// memory.
std::uint64_t wavefronts(const simt::Access& access, std::uint64_t lines) {
  const unsigned groups = access.bytes_per_lane <= 4 ? 1 : access.bytes_per_lane / 4;
  std::uint64_t sum = 0;
  for (unsigned group = 0; group < groups; ++group)
    sum += bank_passes(access, group * 32 / groups, (group + 1) * 32 / groups);
  return std::max(sum, (lines + 3) / 4);
}

/// Distinct `1 << shift` blocks of memory that the access touches, rising.
class Distinct {
 public:
  Distinct(const simt::Access& access, unsigned shift) {
    bool rising = true;
    for (std::uint32_t rest = access.active; rest; rest &= rest - 1) {
      const std::uint64_t address = access.addresses[std::countr_zero(rest)];
      const std::uint64_t end = (address + access.bytes_per_lane - 1) >> shift;
      for (std::uint64_t at = address >> shift; at <= end; ++at) {
        if (count_ && items_[count_ - 1] == at) continue;
        rising = rising && (!count_ || items_[count_ - 1] < at);
        items_[count_++] = at;
      }
    }
    if (rising) return;
    std::sort(items_.begin(), items_.begin() + count_);
    count_ = static_cast<std::size_t>(std::unique(items_.begin(), items_.begin() + count_) -
                                      items_.begin());
  }
  std::span<const std::uint64_t> items() const { return {items_.data(), count_}; }

 private:
  std::array<std::uint64_t, 64> items_;  // a lane spans two at most: accesses are aligned
  std::size_t count_ = 0;
};

class LocalityObserver final : public simt::Observer {
 public:
  explicit LocalityObserver(const LocalityOptions& options)
      : options_(options), runs_(close_runs(options)) {}

  void on_access(const simt::Access& access) override {
    if (access.space == ptx::Space::shared || access.block < options_.first_block) return;
    ++requests_;
    bytes_ +=
        std::uint64_t{access.bytes_per_lane} * static_cast<unsigned>(std::popcount(access.active));
    if (access.space != ptx::Space::global) return;
    const bool close = is_close(access.block);
    if (!access.is_store) {
      if (close) load(access);
      return;
    }
    if (close) store(access);
    if (access.block - options_.first_block < options_.store_blocks) keep(access);
  }
  void on_barrier(std::uint64_t, std::uint32_t, std::uint32_t) override {}
  void on_block_end(std::uint64_t block) override {
    if (block < options_.first_block) return;
    sums.most_block_requests = std::max(sums.most_block_requests, std::exchange(requests_, 0));
    sums.most_block_bytes = std::max(sums.most_block_bytes, std::exchange(bytes_, 0));
    if (is_close(block)) {
      ++sums.close_blocks;
      sums.load_block_sectors += sectors_.size();
      sums.load_reuse_lines += reuse_lines_.size();
      for (const std::uint64_t sector : sectors_.items())
        load_atoms.push_back(sector >> (kAtomShift - kSectorShift));
      sectors_.clear();
      reuse_lines_.clear();
      seen_.clear();
    }
    if (block - options_.first_block < options_.store_blocks) {
      ++sums.store_blocks;
      sums.store_block_lines += stored_.size();
      for (const auto& [line, words] : stored_) lines.push_back({line, block, words});
      stored_.clear();
    }
  }

  Locality sums;
  std::vector<std::uint64_t> load_atoms;
  std::vector<StoredLine> lines;
  AddressRange loaded, stored;

 private:
  bool is_close(std::uint64_t block) const {
    return std::any_of(runs_.begin(), runs_.end(), [&](std::uint64_t first) {
      return block >= first && block - first < options_.close_blocks;
    });
  }

  void load(const simt::Access& access) {
    const Distinct sectors(access, kSectorShift), lines(access, kLineShift);
    ++sums.load_requests;
    sums.load_wavefronts += wavefronts(access, lines.items().size());
    sums.load_sectors += sectors.items().size();
    if (!lines.items().empty()) loaded.add(lines.items().front(), lines.items().back());
    std::uint64_t line = ~0ull;
    for (const std::uint64_t sector : sectors.items())
      if (sectors_.insert(sector) && line != sector >> (kLineShift - kSectorShift)) {
        line = sector >> (kLineShift - kSectorShift);
        ++sums.load_packets;
      }
    // What every warp loads once is what L1 must hold until the warps come round to their next
    // loads.
    if (seen_.insert(std::uint64_t{access.warp} << 32 | access.instruction))
      for (const std::uint64_t each : lines.items()) reuse_lines_.insert(each);
  }

  void store(const simt::Access& access) {
    ++sums.store_requests;
    const Distinct distinct(access, kLineShift);
    const auto lines = distinct.items();
    sums.store_wavefronts += wavefronts(access, lines.size());
    sums.store_lines += lines.size();
  }

  void keep(const simt::Access& access) {
    ++sums.store_block_requests;
    std::uint32_t* written = nullptr;  // of `line`: neighbouring lanes mostly share it
    std::uint64_t line = 0;
    for (std::uint32_t rest = access.active; rest; rest &= rest - 1) {
      const std::uint64_t first = access.addresses[std::countr_zero(rest)] >> kWordShift;
      const unsigned words = std::max(1u, access.bytes_per_lane >> kWordShift);
      if (const std::uint64_t at = first >> (kLineShift - kWordShift); !written || at != line) {
        line = at;
        written = &stored_[line];
        stored.add(line, line);
      }
      *written |= ((1u << words) - 1) << (first & 31);  // aligned: never over the line's end
    }
  }

  LocalityOptions options_;
  std::vector<std::uint64_t> runs_;
  // Of the block that runs.
  std::uint64_t requests_ = 0, bytes_ = 0;
  FlatSet sectors_, reuse_lines_, seen_;
  std::unordered_map<std::uint64_t, std::uint32_t> stored_;
};

/// A line of the sample: which words were written by anybody.
struct WrittenLine {
  std::uint64_t line = 0;
  std::uint32_t words = 0;
  std::uint64_t torn_distance = 0;
};

/// Words to count for an atom of which these were written: all 16. But a run of words that comes from the atom before,
/// or goes on in the one after, and ends inside this one, ends where the sample does; its rest would be counted again
/// from the other side. Of such an atom only what is there.
std::uint64_t atom_words(std::uint32_t words, bool from_before, bool goes_on) {
  if (!words) return 0;
  const int count = std::popcount(words);
  const std::uint32_t run = (1u << count) - 1;
  const bool edge = (words == run && from_before) || (words == run << (16 - count) && goes_on);
  return edge ? static_cast<std::uint64_t>(count) : 16;
}

/// The same for the line `at`, which has neighbours in the list if they were written at all.
std::uint64_t line_words(std::span<const WrittenLine> lines, std::size_t at) {
  const WrittenLine& line = lines[at];
  const bool from_before =
      at > 0 && lines[at - 1].line + 1 == line.line && lines[at - 1].words >> 31;
  const bool goes_on =
      at + 1 < lines.size() && lines[at + 1].line == line.line + 1 && (lines[at + 1].words & 1);
  const std::uint32_t low = line.words & kHalfLine, high = line.words >> 16;
  return atom_words(low, from_before, high & 1) + atom_words(high, low >> 15, goes_on);
}

/// How far apart, in blocks, the writers of a line are that leave an atom to each other to finish;
/// 0: none do.
std::uint64_t torn_distance(std::span<const StoredLine> writers, std::uint64_t blocks_end) {
  std::uint64_t distance = 0;
  for (const std::uint32_t atom : {kHalfLine, kHalfLine << 16}) {
    std::uint32_t all = 0;
    std::uint64_t first = ~0ull, last = 0;
    bool partly = false;
    for (const StoredLine& writer : writers) {
      if (!(writer.words & atom)) continue;
      partly = partly || (writer.words & atom) != atom;
      all |= writer.words & atom;
      first = std::min(first, writer.block);
      last = std::max(last, writer.block);
    }
    if (!partly) continue;
    if (all != atom) last = blocks_end;  // finished after the sample, or never
    distance = std::max(distance, last - first);
  }
  return distance;
}

/// Bits well mixed: an odd multiplier carries low bits up, the shift brings high ones down.
std::uint64_t mixed(std::uint64_t x) {
  for (int round = 0; round < 3; ++round) x = (x ^ x >> 31) * 0xd1342543de82ef95ull;
  return x ^ x >> 32;
}

}  // namespace

std::vector<std::uint64_t> close_runs(const LocalityOptions& options) {
  const std::uint64_t blocks = options.launch_blocks, run = options.close_blocks;
  if (!blocks || !run || !options.runs) return {options.first_block};
  std::vector<std::uint64_t> runs;
  if (blocks <= options.runs * run) {  // few enough for all
    for (std::uint64_t at = 0; at < blocks; at += run) runs.push_back(options.first_block + at);
    return runs;
  }
  const std::uint64_t part = blocks / options.runs;
  for (std::uint64_t i = 0; i < options.runs; ++i)
    runs.push_back(options.first_block + i * part +
                   mixed(blocks * options.runs + i) % (part - run + 1));
  return runs;
}

struct LocalityFactory::Impl {
  LocalityOptions options;
  Locality sums;
  std::vector<std::uint64_t> load_atoms;
  std::vector<StoredLine> lines;
  AddressRange loaded, stored;
};

LocalityFactory::LocalityFactory(const LocalityOptions& options) : impl_(std::make_unique<Impl>()) {
  impl_->options = options;
}
LocalityFactory::~LocalityFactory() = default;

std::unique_ptr<simt::Observer> LocalityFactory::make() {
  return std::make_unique<LocalityObserver>(impl_->options);
}

void LocalityFactory::collect(simt::Observer& observer, const std::uint64_t*, const std::uint64_t*,
                              std::size_t) {
  auto& from = static_cast<LocalityObserver&>(observer);
  Locality& to = impl_->sums;
  for (const auto sum :
       {&Locality::close_blocks, &Locality::load_requests, &Locality::load_wavefronts,
        &Locality::load_sectors, &Locality::load_block_sectors, &Locality::load_packets,
        &Locality::load_reuse_lines, &Locality::store_blocks, &Locality::store_requests,
        &Locality::store_wavefronts, &Locality::store_lines, &Locality::store_block_lines,
        &Locality::store_block_requests})
    to.*sum += from.sums.*sum;
  for (const auto most : {&Locality::most_block_requests, &Locality::most_block_bytes})
    to.*most = std::max(to.*most, from.sums.*most);
  impl_->load_atoms.insert(impl_->load_atoms.end(), from.load_atoms.begin(), from.load_atoms.end());
  impl_->loaded.add(from.loaded.first, from.loaded.last);
  impl_->stored.add(from.stored.first, from.stored.last);
  impl_->lines.insert(impl_->lines.end(), from.lines.begin(), from.lines.end());
}

Locality LocalityFactory::result() const {
  Locality result = impl_->sums;
  std::vector<std::uint64_t> atoms = impl_->load_atoms;
  std::sort(atoms.begin(), atoms.end());
  result.load_atoms =
      static_cast<std::uint64_t>(std::unique(atoms.begin(), atoms.end()) - atoms.begin());

  std::vector<StoredLine> lines = impl_->lines;
  std::sort(lines.begin(), lines.end(), [](const StoredLine& a, const StoredLine& b) {
    return a.line != b.line ? a.line < b.line : a.block < b.block;
  });
  std::uint64_t blocks_end = 0;
  for (const StoredLine& each : lines) blocks_end = std::max(blocks_end, each.block);
  std::vector<WrittenLine> written;
  for (std::size_t i = 0; i < lines.size();) {
    std::size_t end = i;
    WrittenLine line{lines[i].line, 0, 0};
    for (; end < lines.size() && lines[end].line == line.line; ++end)
      line.words |= lines[end].words;
    line.torn_distance = torn_distance(std::span(lines).subspan(i, end - i), blocks_end);
    written.push_back(line);
    i = end;
  }
  std::map<std::uint64_t, std::uint64_t> torn;
  for (std::size_t i = 0; i < written.size(); ++i) {
    const std::uint64_t words = line_words(written, i);
    result.store_atom_words += words;
    if (written[i].torn_distance) torn[written[i].torn_distance] += words;
  }
  for (const auto& [distance, words] : torn) result.torn.push_back({distance, words});
  result.loads_what_it_stores = impl_->loaded.overlaps(impl_->stored);
  return result;
}

}  // namespace labkit::timing
