#include "timing/locality_observer.h"

#include <bit>
#include <tuple>
#include <utility>

namespace labkit::timing {
namespace {

// Of a line in `loaded_`: the sectors loaded; loaded by a warp that came to the instruction for the first time; atoms
// loaded, of a line that lies in the chosen part of memory.
constexpr std::uint32_t kSectorBits = 0xf, kReused = 0x10;
constexpr unsigned kWindowAtoms = 5;

// Following every address of a large launch would cost more than running it. Of memory, pieces are looked at that the
// address alone chooses: one of 2^digits, by the sum of the digits of its number, so that neighbours, and whatever lies
// at a distance of a power of two, are chosen evenly.
constexpr unsigned kStoreDigits = 3;        // of what is stored, one of 8 regions
constexpr std::uint64_t kManyBlocks = 512;  // smaller launches are looked at as a whole

constexpr std::uint64_t kManyRequests = 2048;  // of a block that is not of the core

constexpr std::size_t kLooked = 1024;

bool is_kept_region(std::uint64_t region) {
  std::uint64_t sum = 0;
  for (unsigned digit = 0; digit < 6; ++digit) sum += region >> (digit * kStoreDigits);
  return (sum & ((1u << kStoreDigits) - 1)) == 0;
}

}  // namespace

LocalityObserver::LocalityObserver(const LocalityOptions& options)
    : options_(options),
      window_(window_begin(options.launch_blocks, options.store_blocks, options.seed)),
      keeps_all_(options.launch_blocks < kManyBlocks),
      runs_(close_runs(options)),
      traced_(traced_blocks(options.launch_blocks, options.seed)),
      looked_(kLooked) {}

void LocalityObserver::on_block_begin(std::uint64_t block, std::uint32_t threads) {
  if (!is_tracing_ && std::binary_search(traced_.begin(), traced_.end(), block)) {
    recorder_.begin(block, threads);
    is_tracing_ = true;
  }
  look_at(block);
}

void LocalityObserver::look_at(std::uint64_t block) {
  if (requests_ != 0) set_aside_[block_] = {requests_, bytes_};
  requests_ = bytes_ = 0;
  if (const auto before = set_aside_.find(block); before != set_aside_.end()) {
    std::tie(requests_, bytes_) = before->second;
    set_aside_.erase(before);
  }
  block_ = block;
  is_traced_ = is_tracing_ && recorder_.block() == block;
  ++turn_;
  in_window_ = block >= window_ && block - window_ < options_.store_blocks;
  close_ = false;
  for (const std::uint64_t first : runs_) {
    if (block < first || block - first >= options_.close_blocks) continue;
    close_ = true;
    sample_ = block - first < options_.core_blocks ? &seen.core : &seen.others;
  }
  is_followed_ = close_ || in_window_ || is_traced_;
  only_window_ = in_window_ && !close_ && !is_traced_;
}

bool LocalityObserver::is_first_of_warp(const simt::Access& access) {
  if (access.instruction >= visitors_.size()) visitors_.resize(access.instruction + std::size_t{1});
  Visitors& visitors = visitors_[access.instruction];
  if (visitors.turn != turn_) visitors = {turn_, 0};
  const std::uint32_t warp = 1u << (access.warp & 31);  // a block has 32 at most
  return !(std::exchange(visitors.warps, visitors.warps | warp) & warp);
}

/// What the block loaded before need not be looked up again.
LocalityObserver::Looked LocalityObserver::look_up(const simt::Access& access, bool first_of_warp) {
  const std::uint64_t place = start_of(access) >> same_sectors_shift(access);
  Looked* pair = &looked_[mixed(place + access.pattern) % kLooked & ~std::size_t{1}];
  const auto is_it = [&](const Looked& looked) {
    return looked.place == place && looked.turn == turn_ && looked.pattern == access.pattern;
  };
  if (!first_of_warp) {
    if (is_it(pair[0])) return pair[0];
    if (is_it(pair[1])) return pair[1];
  }
  const Touched touched = request_lines_.of(access);
  load(access, touched, first_of_warp);
  // The one that costs less to work out again makes room.
  Looked& lesser =
      pair[pair[1].turn != turn_ || (pair[0].turn == turn_ && pair[1].sectors <= pair[0].sectors)];
  lesser = {place, turn_, static_cast<std::uint16_t>(access.pattern),
            static_cast<std::uint8_t>(touched.sectors),
            static_cast<std::uint8_t>(touched.wavefronts)};
  return lesser;
}

void LocalityObserver::take_notes() {
  for (std::size_t i = 0; i < notes_; ++i)
    loaded_[noted_[i] >> 1] |= 1u << (kWindowAtoms + (noted_[i] & 1));
  notes_ = 0;
}

/// A few that do as much must do.
void LocalityObserver::give_up() {
  seen.gave_up = true;
  close_ = false;
  if (!in_window_) loaded_.clear();
  is_followed_ = in_window_ || is_traced_;
  only_window_ = in_window_ && !is_traced_;
}

void LocalityObserver::follow(const simt::Access& access) {
  // Constant memory has a cache of its own, and is an operand of what uses it where its place is known.
  if (access.space == ptx::Space::constant) return;
  if (close_ && requests_ > kManyRequests && sample_ == &seen.others) give_up();
  const bool is_followed = access.space == ptx::Space::global && (close_ || in_window_);
  if (!is_followed && !is_traced_) return;
  if (!is_followed || access.is_store) {
    const Touched touched = request_lines_.of(access);
    if (is_traced_) recorder_.on_access(access, touched);
    if (!is_followed) return;
    if (close_) {
      ++sample_->sums.store_requests;
      sample_->sums.store_wavefronts += touched.wavefronts;
      sample_->sums.store_lines += touched.lines.size();
    }
    if (in_window_) keep(access, touched);
    return;
  }
  const bool first_of_warp = close_ && is_first_of_warp(access);
  std::uint32_t sectors = 0, wavefronts = 0;
  if (is_traced_ || access.is_atomic || access.pattern - 1 >= 0xffff) {
    const Touched touched = request_lines_.of(access);
    if (is_traced_) recorder_.on_access(access, touched);
    load(access, touched, first_of_warp);
    sectors = touched.sectors;
    wavefronts = touched.wavefronts;
  } else {
    const Looked looked = look_up(access, first_of_warp);
    sectors = looked.sectors;
    wavefronts = looked.wavefronts;
  }
  if (!close_) return;
  ++sample_->sums.load_requests;
  sample_->sums.load_wavefronts += wavefronts;
  sample_->sums.load_sectors += sectors;
}

void CloseSample::add_atomic(const simt::Access& access) {
  constexpr unsigned kChunkShift = 9;
  std::array<std::uint64_t, simt::kLanes> words{};
  std::size_t count = 0;
  for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1)
    words[count++] = access.addresses[std::countr_zero(rest)] >> kWordShift;
  std::ranges::sort(words.begin(), words.begin() + count);
  if (access.is_joined && words[0] == words[count - 1]) count = 1;
  std::uint32_t most = 0;  // lanes on a word of the sector
  for (std::size_t i = 0, end = 0; i < count; i = end) {
    while (end < count && words[end] == words[i]) ++end;
    if (access.is_of_floats) word_floats[words[i]] += static_cast<std::uint32_t>(end - i);
    most = std::max(most, static_cast<std::uint32_t>(end - i));
    constexpr unsigned kWordsShift = kSectorShift - kWordShift;
    if (end < count && words[end] >> kWordsShift == words[i] >> kWordsShift) continue;
    atomics[words[i] >> (kChunkShift - kWordShift)] += most;
    most = 0;
  }
}

void LocalityObserver::load(const simt::Access& access, const Touched& touched,
                            bool first_of_warp) {
  const bool in_window = in_window_ && !access.is_atomic;
  if (!close_) {
    if (!in_window) return;
    for (const TouchedLine& each : touched.lines)
      if (const std::uint64_t line = touched.line(each); is_in_window(line))
        loaded_[line] |= atoms_of(each.sectors) << kWindowAtoms;
    return;
  }
  seen.loaded.add(touched.line(touched.lines.front()), touched.line(touched.lines.back()));
  // What every warp loads once is what L1 must hold until the warps come round to their next
  // loads.
  const std::uint32_t reused = first_of_warp ? kReused : 0;
  std::uint64_t packets = 0;
  for (const TouchedLine& each : touched.lines) {
    const std::uint64_t line = touched.line(each);
    std::uint32_t& had = loaded_[line];
    packets += (each.sectors & ~had) != 0;
    had |= each.sectors | reused;
    if (in_window && is_in_window(line)) had |= atoms_of(each.sectors) << kWindowAtoms;
  }
  if (access.is_atomic) sample_->add_atomic(access);
  sample_->sums.load_packets += packets;
}

void LocalityObserver::keep(const simt::Access& access, const Touched& touched) {
  ++seen.sums.store_block_requests;
  const unsigned words_of_lane = std::max(1u, access.bytes_per_lane >> kWordShift);
  seen.words += std::uint64_t{words_of_lane} * simt::lane_count(access.active);
  std::uint64_t first = touched.base, last = touched.base;
  std::uint32_t lanes = 0;
  std::uint64_t region = ~0ull;  // the last one looked at
  bool is_kept = keeps_all_;
  for (const TouchedLine& each : touched.lines) {
    const std::uint64_t line = touched.line(each);
    if (!keeps_all_ && std::exchange(region, line >> kRegionLines) != line >> kRegionLines)
      is_kept = is_kept_region(region);
    if (!is_kept) continue;
    first = std::min(first, line);
    last = std::max(last, line);
    stored_[line] |= each.words;
    lanes += each.lanes;
  }
  seen.stored.add(first, last);
  seen.words_kept += std::uint64_t{words_of_lane} * lanes;
}

void LocalityObserver::on_barrier(std::uint64_t block, std::uint32_t warp,
                                  std::uint32_t instruction) {
  if (block != block_) look_at(block);
  if (is_traced_) recorder_.on_barrier(warp, instruction);
}

void LocalityObserver::on_block_total(const simt::BlockTotals& total) {
  if (total.block != block_) look_at(total.block);
  if (is_traced_) recorder_.on_total(total);
  if (is_work_kept(total.block, options_.launch_blocks, options_.seed))
    seen.works.push_back({total.block, total.path, total.instructions});
}

void LocalityObserver::on_block_end(std::uint64_t block) {
  if (block != block_) look_at(block);
  Locality& sums = seen.sums;
  sums.most_block_requests = std::max(sums.most_block_requests, std::exchange(requests_, 0));
  sums.most_block_bytes = std::max(sums.most_block_bytes, std::exchange(bytes_, 0));
  if (is_traced_) {
    seen.traces.push_back(recorder_.take());
    is_tracing_ = is_traced_ = false;
  }
  if (close_) ++sample_->sums.close_blocks;
  if (close_ || in_window_) {
    take_notes();
    for (const auto& [line, what] : loaded_.items()) {
      if (const std::uint32_t sectors = what & kSectorBits) {
        sample_->sums.load_block_sectors += static_cast<std::uint64_t>(std::popcount(sectors));
        sample_->sums.load_reuse_lines += (what & kReused) != 0;
        sample_->load_atoms.push_back(line << 2 | atoms_of(sectors));
      }
      for (std::uint32_t atom = 0; atom < 2; ++atom)
        if (what >> (kWindowAtoms + atom) & 1)
          seen.window_atoms.push_back({line << 1 | atom, block});
    }
    loaded_.clear();
  }
  if (in_window_) {
    ++sums.store_blocks;
    sums.store_block_lines += stored_.items().size();
    for (const auto& [line, written] : stored_.items())
      seen.lines.push_back({line, static_cast<std::uint32_t>(block - window_), written});
    stored_.clear();
  }
}

}  // namespace labkit::timing
