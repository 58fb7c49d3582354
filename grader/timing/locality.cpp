// The observer behind Locality. Loads of a few blocks and stores of many are followed; per block it
// keeps the set of sectors loaded and, of each line stored to, which words. What depends on several
// blocks (torn lines, distinct atoms) is worked out at the end from sorted lists, so that the
// result does not depend on who ran which block.
#include "timing/locality.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>

#include "timing/flat_set.h"
#include "timing/radix_sort.h"
#include "timing/request.h"

namespace labkit::timing {
namespace {

constexpr std::uint32_t kHalfLine = 0xffff;  // words of an atom

// Following every address of a large launch would cost more than running it. Of memory, pieces are looked at that the
// address alone chooses: one of 2^digits, by the sum of the digits of its number, so that neighbours, and whatever lies
// at a distance of a power of two, are chosen evenly.
constexpr unsigned kStoreDigits = 3;        // of what is stored, one of 8 regions
constexpr unsigned kRegionLines = 5;        // of 2^5 lines
constexpr std::uint64_t kManyBlocks = 512;  // smaller launches are looked at as a whole

template <unsigned kDigits>
bool is_chosen(std::uint64_t piece) {
  std::uint64_t sum = 0;
  for (unsigned digit = 0; digit < 6; ++digit) sum += piece >> (digit * kDigits);
  return (sum & ((1u << kDigits) - 1)) == 0;
}

/// Active lanes whose address lies in a chosen piece of 2^shift bytes.
template <unsigned kDigits>
std::uint32_t chosen_lanes(const simt::Access& access, unsigned shift) {
  std::uint32_t lanes = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    lanes |= std::uint32_t{is_chosen<kDigits>(access.addresses[lane] >> shift)} << lane;
  return lanes & access.active;
}

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

struct TouchedAtom {
  std::uint64_t atom = 0, block = 0;
};

class LocalityObserver final : public simt::Observer {
 public:
  explicit LocalityObserver(const LocalityOptions& options)
      : options_(options),
        keeps_all_(options.launch_blocks < kManyBlocks),
        runs_(close_runs(options)),
        traced_(traced_blocks(options.first_block, options.launch_blocks)) {}

  void on_block_begin(std::uint64_t block, std::uint32_t threads) override {
    is_traced_ = std::binary_search(traced_.begin(), traced_.end(), block);
    if (is_traced_) recorder_.begin(block, threads);
  }

  bool wants_each_shared_access() const override { return is_traced_; }

  void on_access(const simt::Access& access) override {
    if (is_traced_) recorder_.on_access(access);
    if (access.space == ptx::Space::shared || access.block < options_.first_block) return;
    ++requests_;
    bytes_ += std::uint64_t{access.bytes_per_lane} * simt::lane_count(access.active);
    if (access.space != ptx::Space::global) return;
    if (access.block != block_) look_at(access.block);
    if (!access.is_store) {
      if (close_) load(access);
      if (!access.is_atomic && in_window_) window(access);
      return;
    }
    if (close_) store(access);
    if (in_window_) keep(access);
  }
  void on_barrier(std::uint64_t, std::uint32_t warp, std::uint32_t instruction) override {
    if (is_traced_) recorder_.on_barrier(warp, instruction);
  }
  void on_block_end(std::uint64_t block) override {
    if (block < options_.first_block) return;
    sums.most_block_requests = std::max(sums.most_block_requests, std::exchange(requests_, 0));
    sums.most_block_bytes = std::max(sums.most_block_bytes, std::exchange(bytes_, 0));
    if (std::exchange(is_traced_, false)) traces.push_back(recorder_.take());
    if (block != block_) look_at(block);
    if (close_) {
      ++sums.close_blocks;
      sums.load_block_sectors += sectors_.size();
      sums.load_reuse_lines += reuse_lines_.size();
      for (const std::uint64_t sector : sectors_.items())
        load_atoms.push_back(sector >> (kAtomShift - kSectorShift));
      sectors_.clear();
      reuse_lines_.clear();
      seen_.clear();
    }
    if (in_window_) {
      ++sums.store_blocks;
      sums.store_block_lines += stored_.items().size();
      for (const auto& [line, words] : stored_.items()) lines.push_back({line, block, words});
      stored_.clear();
      for (const std::uint64_t atom : window_.items()) window_atoms.push_back({atom, block});
      sums.window_block_atoms += window_.size();
      window_.clear();
    }
  }

  Locality sums;
  std::vector<TouchedAtom> window_atoms;
  std::vector<BlockTrace> traces;
  std::unordered_map<std::uint64_t, std::uint64_t> atomics;  ///< by line
  std::vector<std::uint64_t> load_atoms;
  std::vector<StoredLine> lines;
  AddressRange loaded, stored;
  std::uint64_t words = 0,
                words_kept = 0;  ///< stored by blocks of the window, and of these looked at

 private:
  void look_at(std::uint64_t block) {
    block_ = block;
    in_window_ =
        block >= options_.first_block && block - options_.first_block < options_.store_blocks;
    close_ = std::any_of(runs_.begin(), runs_.end(), [&](std::uint64_t first) {
      return block >= first && block - first < options_.close_blocks;
    });
  }

  /// Of one chunk of kWindowPart.
  void window(const simt::Access& access) {
    const auto look_at = [&](std::uint64_t atom) {
      if (is_chosen<4>(atom >> 2)) window_.insert(atom);
    };
    if (access.shape != nullptr && (access.shape->shape == simt::Shape::consecutive ||
                                    access.shape->shape == simt::Shape::uniform)) {
      const std::uint64_t first = access.addresses[access.shape->first];
      const std::uint64_t end =
          (first + static_cast<std::uint64_t>(access.shape->high) - 1) >> kAtomShift;
      for (std::uint64_t atom = first >> kAtomShift; atom <= end; ++atom) look_at(atom);
      return;
    }
    for (std::uint32_t rest = chosen_lanes<4>(access, kAtomShift + 2); rest; rest &= rest - 1)
      window_.insert(access.addresses[std::countr_zero(rest)] >> kAtomShift);
  }

  void load(const simt::Access& access) {
    const Distinct sectors(access, kSectorShift);
    lines_.clear();
    for (const std::uint64_t sector : sectors.items())
      if (const std::uint64_t line = sector >> (kLineShift - kSectorShift);
          lines_.empty() || lines_.back() != line)
        lines_.push_back(line);
    if (access.is_atomic)
      for (const std::uint64_t sector : sectors.items())
        ++atomics[sector >> (kLineShift - kSectorShift)];
    ++sums.load_requests;
    sums.load_wavefronts += passes_.of(access, lines_.size());
    sums.load_sectors += sectors.items().size();
    loaded.add(lines_.front(), lines_.back());
    std::uint64_t line = ~0ull;
    for (const std::uint64_t sector : sectors.items())
      if (sectors_.insert(sector) && line != sector >> (kLineShift - kSectorShift)) {
        line = sector >> (kLineShift - kSectorShift);
        ++sums.load_packets;
      }
    // What every warp loads once is what L1 must hold until the warps come round to their next
    // loads.
    if (seen_.insert(std::uint64_t{access.warp} << 32 | access.instruction))
      for (const std::uint64_t each : lines_) reuse_lines_.insert(each);
  }

  void store(const simt::Access& access) {
    ++sums.store_requests;
    const Distinct distinct(access, kLineShift);
    const auto lines = distinct.items();
    sums.store_wavefronts += passes_.of(access, lines.size());
    sums.store_lines += lines.size();
  }

  void keep(const simt::Access& access) {
    ++sums.store_block_requests;
    const unsigned words_per_lane = std::max(1u, access.bytes_per_lane >> kWordShift);
    words += std::uint64_t{words_per_lane} * simt::lane_count(access.active);
    if (is_run(access) && access.bytes_per_lane >= 1u << kWordShift) {
      const std::uint64_t first = access.addresses[0] >> kWordShift,
                          end = first + (std::uint64_t{32} * access.bytes_per_lane >> kWordShift);
      for (std::uint64_t word = first; word < end;) {
        const std::uint64_t line = word >> (kLineShift - kWordShift),
                            next = std::min(end, (line + 1) << (kLineShift - kWordShift));
        stored.add(line, line);
        if (keeps_all_ || is_chosen<kStoreDigits>(line >> kRegionLines)) {
          stored_[line] |= static_cast<std::uint32_t>(((1ull << (next - word)) - 1) << (word & 31));
          words_kept += next - word;
        }
        word = next;
      }
      return;
    }
    std::uint32_t* written = nullptr;  // of `line`: neighbouring lanes mostly share it
    std::uint64_t line = 0;
    const std::uint32_t lanes =
        keeps_all_ ? access.active : chosen_lanes<kStoreDigits>(access, kLineShift + kRegionLines);
    words_kept += std::uint64_t{words_per_lane} * simt::lane_count(lanes);
    if (const unsigned lane = std::countr_zero(access.active); lanes != access.active)
      stored.add(access.addresses[lane] >> kLineShift, access.addresses[lane] >> kLineShift);
    for (std::uint32_t rest = lanes; rest; rest &= rest - 1) {
      const std::uint64_t first = access.addresses[std::countr_zero(rest)] >> kWordShift;
      if (const std::uint64_t at = first >> (kLineShift - kWordShift); !written || at != line) {
        line = at;
        written = &stored_[line];
        stored.add(line, line);
      }
      *written |= ((1u << words_per_lane) - 1)
                  << (first & 31);  // aligned: never over the line's end
    }
  }

  LocalityOptions options_;
  bool keeps_all_ = true;
  std::vector<std::uint64_t> runs_;
  // Of the block that runs.
  std::uint64_t block_ = ~0ull;
  bool close_ = false, in_window_ = false;
  std::uint64_t requests_ = 0, bytes_ = 0;
  FlatSet sectors_, reuse_lines_, seen_, window_;
  std::vector<std::uint64_t> lines_;  ///< of the request that is looked at
  std::vector<std::uint64_t> traced_;
  bool is_traced_ = false;
  L1Passes passes_;
  TraceRecorder recorder_;
  FlatWords stored_;
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

/// The same for the line `at`, which has neighbours in the list if they were written at all; unless it is `cut` off from
/// them, as one at the edge of a region is: then what it writes goes on there.
std::uint64_t line_words(std::span<const WrittenLine> lines, std::size_t at, bool cut) {
  const WrittenLine& line = lines[at];
  constexpr std::uint64_t kLast = (1u << kRegionLines) - 1;
  const bool from_before =
      (cut && (line.line & kLast) == 0) ||
      (at > 0 && lines[at - 1].line + 1 == line.line && lines[at - 1].words >> 31);
  const bool goes_on =
      (cut && (line.line & kLast) == kLast) ||
      (at + 1 < lines.size() && lines[at + 1].line == line.line + 1 && (lines[at + 1].words & 1));
  const std::uint32_t low = line.words & kHalfLine, high = line.words >> 16;
  return atom_words(low, from_before, high & 1) + atom_words(high, low >> 15, goes_on);
}

/// How far apart, in blocks, the writers of a line are that leave an atom to each other to finish;
/// 0: none do.
std::uint64_t torn_distance(std::span<const StoredLine> writers) {
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
    if (!partly || all != atom) continue;  // a hole that stays
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

LocalityOptions suited(LocalityOptions options) {
  const std::uint64_t blocks = options.launch_blocks;
  if (!options.close_blocks)
    options.close_blocks = blocks <= 64 ? 8 : std::clamp<std::uint64_t>(blocks / 256, 2, 8);
  if (!options.store_blocks)
    options.store_blocks = blocks ? std::clamp<std::uint64_t>(blocks / 16, 32, 1024) : 1024;
  return options;
}

std::vector<std::uint64_t> close_runs(const LocalityOptions& given) {
  const LocalityOptions options = suited(given);
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
  std::vector<TouchedAtom> window_atoms;
  std::vector<BlockTrace> traces;
  std::map<std::uint64_t, std::uint64_t> atomics;
  std::vector<StoredLine> lines;
  AddressRange loaded, stored;
  std::uint64_t words = 0, words_kept = 0;
};

LocalityFactory::LocalityFactory(const LocalityOptions& options) : impl_(std::make_unique<Impl>()) {
  impl_->options = suited(options);
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
        &Locality::store_block_requests, &Locality::window_block_atoms})
    to.*sum += from.sums.*sum;
  for (const auto most : {&Locality::most_block_requests, &Locality::most_block_bytes})
    to.*most = std::max(to.*most, from.sums.*most);
  impl_->load_atoms.insert(impl_->load_atoms.end(), from.load_atoms.begin(), from.load_atoms.end());
  impl_->words += from.words;
  impl_->words_kept += from.words_kept;
  impl_->loaded.add(from.loaded.first, from.loaded.last);
  impl_->stored.add(from.stored.first, from.stored.last);
  impl_->lines.insert(impl_->lines.end(), from.lines.begin(), from.lines.end());
  impl_->window_atoms.insert(impl_->window_atoms.end(), from.window_atoms.begin(),
                             from.window_atoms.end());
  for (const auto& [line, count] : from.atomics) impl_->atomics[line] += count;
  for (BlockTrace& trace : from.traces) impl_->traces.push_back(std::move(trace));
}

namespace {

std::uint64_t count_distinct(std::vector<std::uint64_t> values) {
  sort_by(values, [](std::uint64_t value) { return value; });
  return static_cast<std::uint64_t>(std::unique(values.begin(), values.end()) - values.begin());
}

void look_through_window(std::vector<TouchedAtom> touched, Locality& result) {
  sort_by(touched, [](const TouchedAtom& each) { return each.block; });
  sort_by(touched, [](const TouchedAtom& each) { return each.atom; });
  const TouchedAtom* first = nullptr;  // of those of one atom
  std::uint64_t chunk = ~0ull, region = ~0ull;
  for (const TouchedAtom& each : touched) {
    if (first && first->atom == each.atom) {
      const auto power = static_cast<std::size_t>(std::bit_width(each.block - first->block)) - 1;
      ++result.window_again[std::min(power, result.window_again.size() - 1)];
      continue;
    }
    first = &each;
    ++result.window_atoms;
    if (std::exchange(chunk, each.atom >> 2) != each.atom >> 2) ++result.window_chunks;
    if (std::exchange(region, each.atom >> 10) != each.atom >> 10) ++result.window_regions;
  }
}

}  // namespace

Locality LocalityFactory::result() const {
  Locality result = impl_->sums;
  result.load_atoms = count_distinct(impl_->load_atoms);
  look_through_window(impl_->window_atoms, result);
  for (const auto& [line, count] : impl_->atomics)
    result.most_line_atomics = std::max(result.most_line_atomics, count);
  result.traces = impl_->traces;
  std::sort(result.traces.begin(), result.traces.end(),
            [](const BlockTrace& a, const BlockTrace& b) { return a.block < b.block; });

  std::vector<StoredLine> lines = impl_->lines;
  sort_by(lines, [](const StoredLine& each) { return each.block; });
  sort_by(lines, [](const StoredLine& each) { return each.line; });
  std::vector<WrittenLine> written;
  for (std::size_t i = 0; i < lines.size();) {
    std::size_t end = i;
    WrittenLine line{lines[i].line, 0, 0};
    for (; end < lines.size() && lines[end].line == line.line; ++end)
      line.words |= lines[end].words;
    line.torn_distance = torn_distance(std::span(lines).subspan(i, end - i));
    written.push_back(line);
    i = end;
  }
  std::map<std::uint64_t, std::uint64_t> torn;
  for (std::size_t i = 0; i < written.size(); ++i) {
    const std::uint64_t words = line_words(written, i, impl_->words_kept != impl_->words);
    result.store_atom_words += words;
    for (std::uint32_t rest = written[i].words; rest; rest >>= 8) {
      result.store_sectors += (rest & 0xff) != 0;
      result.store_partial_sectors += (rest & 0xff) != 0 && (rest & 0xff) != 0xff;
    }
    result.store_chunks += i == 0 || written[i].line >> 1 != written[i - 1].line >> 1;
    if (written[i].torn_distance) torn[written[i].torn_distance] += words;
  }
  for (const auto& [distance, words] : torn) result.torn.push_back({distance, words});
  if (impl_->words_kept && impl_->words_kept != impl_->words) {
    const double each = static_cast<double>(impl_->words) / static_cast<double>(impl_->words_kept);
    const auto all = [&](std::uint64_t& count) {
      count = static_cast<std::uint64_t>(std::llround(each * static_cast<double>(count)));
    };
    for (const auto sum :
         {&Locality::store_block_lines, &Locality::store_atom_words, &Locality::store_sectors,
          &Locality::store_partial_sectors, &Locality::store_chunks})
      all(result.*sum);
    for (TornLines& lines_apart : result.torn) all(lines_apart.words);
  }
  result.loads_what_it_stores = impl_->loaded.overlaps(impl_->stored);
  return result;
}

}  // namespace labkit::timing
