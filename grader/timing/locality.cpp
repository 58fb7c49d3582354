// What depends on several blocks is worked out here, from what the observers of all host threads have kept
// (locality_observer.h).
#include "timing/locality.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <map>
#include <span>
#include <utility>

#include "base/random.h"
#include "timing/locality_observer.h"
#include "timing/radix_sort.h"

namespace labkit::timing {
namespace {

constexpr std::uint32_t kHalfLine = 0xffff;  // words of an atom
constexpr std::uint64_t kRuns = 4;           // of blocks followed closely

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
      first = std::min<std::uint64_t>(first, writer.block);
      last = std::max<std::uint64_t>(last, writer.block);
    }
    if (!partly || all != atom) continue;  // a hole that stays
    distance = std::max(distance, last - first);
  }
  return distance;
}

template <typename T>
void append(std::vector<T>& to, std::vector<T>& from) {
  if (to.empty())
    to.swap(from);
  else
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

void add_close(Locality& to, const Locality& from) {
  for (const auto sum :
       {&Locality::close_blocks, &Locality::load_requests, &Locality::load_wavefronts,
        &Locality::load_sectors, &Locality::load_block_sectors, &Locality::load_packets,
        &Locality::load_reuse_lines, &Locality::store_requests, &Locality::store_wavefronts,
        &Locality::store_lines})
    to.*sum += from.*sum;
}

void add(CloseSample& to, CloseSample& from) {
  add_close(to.sums, from.sums);
  append(to.load_atoms, from.load_atoms);
  for (FlatWords CloseSample::*const counted : {&CloseSample::atomics, &CloseSample::word_floats})
    for (const auto& [place, count] : (from.*counted).items()) (to.*counted)[place] += count;
}

std::uint64_t count_atoms(std::vector<LoadedAtoms>& loaded) {
  sort_by(loaded, [](LoadedAtoms each) { return each >> 2; });
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < loaded.size();) {
    const std::uint64_t line = loaded[i] >> 2;
    LoadedAtoms all = 0;
    for (; i < loaded.size() && loaded[i] >> 2 == line; ++i) all |= loaded[i] & 3;
    count += static_cast<std::uint64_t>(std::popcount(all));
  }
  return count;
}

void look_through_window(std::vector<TouchedAtom>& touched, Locality& result) {
  sort_by(touched, [](const TouchedAtom& each) { return each.atom; });
  std::uint64_t chunk = ~0ull, region = ~0ull;
  for (std::size_t begin = 0, end = 0; begin < touched.size(); begin = end) {
    const std::uint64_t atom = touched[begin].atom;
    std::uint64_t first = touched[begin].block;
    for (end = begin; end < touched.size() && touched[end].atom == atom; ++end)
      first = std::min(first, touched[end].block);
    for (std::size_t i = begin; i < end; ++i) {
      if (touched[i].block == first) continue;
      const auto power = static_cast<std::size_t>(std::bit_width(touched[i].block - first)) - 1;
      ++result.window_again[std::min(power, result.window_again.size() - 1)];
    }
    ++result.window_atoms;
    if (std::exchange(chunk, atom >> 2) != atom >> 2) ++result.window_chunks;
    if (std::exchange(region, atom >> 10) != atom >> 10) ++result.window_regions;
  }
}

std::vector<WrittenLine> written_lines(std::vector<StoredLine>& stored) {
  sort_by(stored, [](const StoredLine& each) { return each.line; });
  std::vector<WrittenLine> written;
  written.reserve(stored.size());
  for (std::size_t begin = 0, end = 0; begin < stored.size(); begin = end) {
    WrittenLine& line = written.emplace_back(WrittenLine{.line = stored[begin].line});
    for (; end < stored.size() && stored[end].line == line.line; ++end)
      line.words |= stored[end].words;
    line.torn_distance = torn_distance(std::span(stored).subspan(begin, end - begin));
  }
  return written;
}

}  // namespace

LocalityOptions suited(LocalityOptions options) {
  const std::uint64_t blocks = options.launch_blocks;
  // Of a launch of which half or more lies in the runs, no more heavy blocks than of a larger one.
  if (!options.core_blocks)
    options.core_blocks = options.close_blocks || blocks <= 16 || blocks > 64 ? ~0ull : 2;
  if (!options.close_blocks)
    options.close_blocks = blocks <= 64 ? 8 : std::clamp<std::uint64_t>(blocks / 256, 2, 8);
  if (!options.store_blocks)
    options.store_blocks = blocks ? std::clamp<std::uint64_t>(blocks / 16, 32, 1024) : 1024;
  return options;
}

std::vector<std::uint64_t> close_runs(const LocalityOptions& given) {
  const LocalityOptions options = suited(given);
  const std::uint64_t blocks = options.launch_blocks, run = options.close_blocks;
  if (!blocks) return {0};
  std::vector<std::uint64_t> runs;
  if (blocks <= kRuns * run) {  // few enough for all
    for (std::uint64_t at = 0; at < blocks; at += run) runs.push_back(at);
    return runs;
  }
  const std::uint64_t part = blocks / kRuns;
  for (std::uint64_t i = 0; i < kRuns; ++i)
    runs.push_back(i * part + random_bits(options.seed, blocks * kRuns + i) % (part - run + 1));
  return runs;
}

LocalityFactory::LocalityFactory(const LocalityOptions& options)
    : options_(suited(options)), seen_(std::make_unique<Observed>()) {}
LocalityFactory::~LocalityFactory() = default;

std::unique_ptr<simt::Observer> LocalityFactory::make() {
  return std::make_unique<LocalityObserver>(options_);
}

void LocalityFactory::collect(simt::Observer& observer, const simt::Executions&) {
  Observed &from = static_cast<LocalityObserver&>(observer).seen, &to = *seen_;
  add(to.core, from.core);
  add(to.others, from.others);
  to.gave_up |= from.gave_up;
  for (const auto sum :
       {&Locality::store_blocks, &Locality::store_block_lines, &Locality::store_block_requests})
    to.sums.*sum += from.sums.*sum;
  for (const auto most : {&Locality::most_block_requests, &Locality::most_block_bytes})
    to.sums.*most = std::max(to.sums.*most, from.sums.*most);
  to.words += from.words;
  to.words_kept += from.words_kept;
  to.loaded.add(from.loaded.first, from.loaded.last);
  to.stored.add(from.stored.first, from.stored.last);
  append(to.lines, from.lines);
  append(to.window_atoms, from.window_atoms);
  append(to.traces, from.traces);
  append(to.works, from.works);
}

Locality LocalityFactory::result() {
  Observed& seen = *seen_;
  Locality result = seen.sums;
  CloseSample& close = seen.core;
  if (!seen.gave_up) add(close, seen.others);
  add_close(result, close.sums);
  result.load_atoms = count_atoms(close.load_atoms);
  look_through_window(seen.window_atoms, result);
  const auto most = [](const FlatWords& counted) {
    std::uint64_t count = 0;
    for (const auto& one : counted.items()) count = std::max<std::uint64_t>(count, one.word);
    return count;
  };
  result.most_chunk_atomics = most(close.atomics);
  result.most_word_floats = most(close.word_floats);
  result.traces = std::move(seen.traces);
  std::ranges::sort(result.traces, {}, &BlockTrace::block);
  result.works = std::move(seen.works);
  std::ranges::sort(result.works, {}, &BlockWork::block);

  const std::vector<WrittenLine> written = written_lines(seen.lines);
  const bool is_whole = seen.words_kept == seen.words;
  std::map<std::uint64_t, std::uint64_t> torn;
  for (std::size_t i = 0; i < written.size(); ++i) {
    for (std::uint32_t rest = written[i].words; rest; rest >>= 8) {
      result.store_sectors += (rest & 0xff) != 0;
      result.store_partial_sectors += (rest & 0xff) != 0 && (rest & 0xff) != 0xff;
    }
    result.store_chunks += i == 0 || written[i].line >> 1 != written[i - 1].line >> 1;
    if (const std::uint64_t distance = written[i].torn_distance)
      torn[distance] += line_words(written, i, !is_whole);
  }
  for (const auto& [distance, words] : torn) result.torn.push_back({distance, words});
  if (seen.words_kept && !is_whole) {
    const double each = static_cast<double>(seen.words) / static_cast<double>(seen.words_kept);
    const auto all = [&](std::uint64_t& count) {
      count = static_cast<std::uint64_t>(std::llround(each * static_cast<double>(count)));
    };
    for (const auto sum : {&Locality::store_block_lines, &Locality::store_sectors,
                           &Locality::store_partial_sectors, &Locality::store_chunks})
      all(result.*sum);
    for (TornLines& lines_apart : result.torn) all(lines_apart.words);
  }
  result.loads_what_it_stores = seen.loaded.overlaps(seen.stored);
  return result;
}

}  // namespace labkit::timing
