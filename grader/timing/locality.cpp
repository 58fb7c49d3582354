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
#include "timing/radix_sort.h"
#include "timing/request.h"

namespace labkit::timing {
namespace {

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

class LocalityObserver final : public simt::Observer {
 public:
  explicit LocalityObserver(const LocalityOptions& options)
      : options_(options),
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
    const bool close = is_close(access.block);
    if (!access.is_store) {
      if (close) load(access);
      if (!access.is_atomic && access.block - options_.first_block < options_.store_blocks)
        window(access);
      return;
    }
    if (close) store(access);
    if (access.block - options_.first_block < options_.store_blocks) keep(access);
  }
  void on_barrier(std::uint64_t, std::uint32_t warp, std::uint32_t instruction) override {
    if (is_traced_) recorder_.on_barrier(warp, instruction);
  }
  void on_block_end(std::uint64_t block) override {
    if (block < options_.first_block) return;
    sums.most_block_requests = std::max(sums.most_block_requests, std::exchange(requests_, 0));
    sums.most_block_bytes = std::max(sums.most_block_bytes, std::exchange(bytes_, 0));
    if (std::exchange(is_traced_, false)) traces.push_back(recorder_.take());
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
      sums.store_block_lines += stored_.items().size();
      for (const auto& [line, words] : stored_.items()) lines.push_back({line, block, words});
      stored_.clear();
      window_atoms.insert(window_atoms.end(), window_.items().begin(), window_.items().end());
      sums.window_block_atoms += window_.size();
      window_.clear();
    }
  }

  Locality sums;
  std::vector<std::uint64_t> window_atoms;
  std::vector<BlockTrace> traces;
  std::unordered_map<std::uint64_t, std::uint64_t> atomics;  ///< by line
  std::vector<std::uint64_t> load_atoms;
  std::vector<StoredLine> lines;
  AddressRange loaded, stored;

 private:
  bool is_close(std::uint64_t block) const {
    return std::any_of(runs_.begin(), runs_.end(), [&](std::uint64_t first) {
      return block >= first && block - first < options_.close_blocks;
    });
  }

  /// Of one chunk of kWindowPart, which ones depends on the address alone.
  void window(const simt::Access& access) {
    const auto look_at = [&](std::uint64_t atom) {
      if (((atom >> 2) * 0x9E3779B97F4A7C15u >> 40) % Locality::kWindowPart == 0)
        window_.insert(atom);
    };
    if (is_run(access)) {
      const std::uint64_t end = access.addresses[31] >> kAtomShift;
      for (std::uint64_t atom = access.addresses[0] >> kAtomShift; atom <= end; ++atom)
        look_at(atom);
      return;
    }
    std::uint64_t last = ~0ull;
    for (std::uint32_t rest = access.active; rest; rest &= rest - 1) {
      const std::uint64_t atom = access.addresses[std::countr_zero(rest)] >> kAtomShift;
      if (atom == last) continue;
      last = atom;
      look_at(atom);
    }
  }

  void load(const simt::Access& access) {
    const Distinct sectors(access, kSectorShift), lines(access, kLineShift);
    if (access.is_atomic)
      for (const std::uint64_t sector : sectors.items())
        ++atomics[sector >> (kLineShift - kSectorShift)];
    ++sums.load_requests;
    sums.load_wavefronts += l1_wavefronts(access, lines.items().size());
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
    sums.store_wavefronts += l1_wavefronts(access, lines.size());
    sums.store_lines += lines.size();
  }

  void keep(const simt::Access& access) {
    ++sums.store_block_requests;
    if (is_run(access) && access.bytes_per_lane >= 1u << kWordShift) {
      const std::uint64_t first = access.addresses[0] >> kWordShift,
                          end = first + (std::uint64_t{32} * access.bytes_per_lane >> kWordShift);
      for (std::uint64_t word = first; word < end;) {
        const std::uint64_t line = word >> (kLineShift - kWordShift),
                            next = std::min(end, (line + 1) << (kLineShift - kWordShift));
        stored_[line] |= static_cast<std::uint32_t>(((1ull << (next - word)) - 1) << (word & 31));
        stored.add(line, line);
        word = next;
      }
      return;
    }
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
  FlatSet sectors_, reuse_lines_, seen_, window_;
  std::vector<std::uint64_t> traced_;
  bool is_traced_ = false;
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
  std::vector<std::uint64_t> window_atoms;
  std::vector<BlockTrace> traces;
  std::map<std::uint64_t, std::uint64_t> atomics;
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
        &Locality::store_block_requests, &Locality::window_block_atoms})
    to.*sum += from.sums.*sum;
  for (const auto most : {&Locality::most_block_requests, &Locality::most_block_bytes})
    to.*most = std::max(to.*most, from.sums.*most);
  impl_->load_atoms.insert(impl_->load_atoms.end(), from.load_atoms.begin(), from.load_atoms.end());
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

}  // namespace

Locality LocalityFactory::result() const {
  Locality result = impl_->sums;
  result.load_atoms = count_distinct(impl_->load_atoms);
  std::vector<std::uint64_t> window = impl_->window_atoms;
  result.window_atoms = count_distinct(window);
  for (std::uint64_t& each : window) each >>= 2;
  result.window_chunks = count_distinct(window);
  for (std::uint64_t& each : window) each >>= 8;
  result.window_regions = count_distinct(std::move(window));
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
    const std::uint64_t words = line_words(written, i);
    result.store_atom_words += words;
    for (std::uint32_t rest = written[i].words; rest; rest >>= 8) {
      result.store_sectors += (rest & 0xff) != 0;
      result.store_partial_sectors += (rest & 0xff) != 0 && (rest & 0xff) != 0xff;
    }
    result.store_chunks += i == 0 || written[i].line >> 1 != written[i - 1].line >> 1;
    if (written[i].torn_distance) torn[written[i].torn_distance] += words;
  }
  for (const auto& [distance, words] : torn) result.torn.push_back({distance, words});
  result.loads_what_it_stores = impl_->loaded.overlaps(impl_->stored);
  return result;
}

}  // namespace labkit::timing
