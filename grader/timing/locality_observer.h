// The observer behind Locality. Loads of a few blocks and stores of many are followed; per block it keeps which sectors of
// each line were loaded and which words were stored to. What depends on several blocks (torn lines, distinct atoms) is
// worked out at the end (locality.cpp) from lists, so that the result does not depend on who ran which block. Internal to
// the layer.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "timing/flat_words.h"
#include "timing/locality.h"
#include "timing/request.h"
#include "timing/trace.h"

namespace labkit::timing {

/// Regions of memory that are looked at, or not, as a whole: of 2^5 lines.
inline constexpr unsigned kRegionLines = 5;

/// Whether the loads of a line are among those that the window looks at: of one chunk of two lines in kWindowPart, by the
/// sum of the six hexadecimal digits of the chunk's number.
inline bool is_in_window(std::uint64_t line) {
  static_assert(Locality::kWindowPart == 16);
  const std::uint64_t chunk = line >> 1;
  // Of digits, a byte each.
  const std::uint64_t pairs = (chunk & 0x0f0f0f) + (chunk >> 4 & 0x0f0f0f);
  return ((pairs + (pairs >> 8) + (pairs >> 16)) & 0xf) == 0;
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
  std::uint64_t line = 0;
  std::uint32_t block = 0;  ///< from the first on
  std::uint32_t words = 0;  ///< bit w: word w of the line was written
};

/// Atoms of a line that a block loaded: bits 0 and 1; from 2: the line.
using LoadedAtoms = std::uint64_t;

struct TouchedAtom {
  std::uint64_t atom = 0, block = 0;
};

/// What was seen of blocks followed closely.
struct CloseSample {
  Locality sums;
  FlatWords atomics;      ///< passes, by 512-byte chunk
  FlatWords word_floats;  ///< lanes, by word
  void add_atomic(const simt::Access& access);
  std::vector<LoadedAtoms> load_atoms;
};

/// What an observer has kept, or all of them together.
struct Observed {
  Locality sums;             ///< but for those of blocks followed closely
  CloseSample core, others;  ///< LocalityOptions::core_blocks
  bool gave_up = false;      ///< one of the others
  std::vector<TouchedAtom> window_atoms;
  std::vector<BlockTrace> traces;
  std::vector<BlockWork> works;
  std::vector<StoredLine> lines;
  AddressRange loaded, stored;
  /// Stored by blocks of the window, and of these looked at.
  std::uint64_t words = 0, words_kept = 0;
};

class LocalityObserver final : public simt::Observer {
 public:
  explicit LocalityObserver(const LocalityOptions& options);

  void on_block_begin(std::uint64_t block, std::uint32_t threads) override;
  bool wants_each_shared_access() const override { return is_traced_; }
  bool wants_each_global_access() const override { return is_followed_; }
  void on_access(const simt::Access& access) override { look(access); }
  void look(const simt::Access& access) {
    if (access.is_repeated_poll) return;
    if (access.block != block_) look_at(access.block);
    if (access.space == ptx::Space::shared) {
      if (is_traced_) recorder_.on_shared(access);
      return;
    }
    requests_ += access.repeats;
    bytes_ += access.repeats * access.bytes_per_lane * simt::lane_count(access.active);
    if (!is_followed_ || (only_window_ && is_global_load(access) && note(access))) return;
    follow(access);
  }
  void on_barrier(std::uint64_t block, std::uint32_t warp, std::uint32_t instruction) override;
  void on_async(const simt::AsyncEvent& event) override {
    if (event.block != block_) look_at(event.block);
    if (is_traced_) recorder_.on_async(event);
  }
  bool wants_executions() const override { return is_traced_; }
  void on_block_total(const simt::BlockTotals& total) override;
  void on_block_end(std::uint64_t block) override;

  Observed seen;

 private:
  /// Warps of a block that have come to an instruction.
  struct Visitors {
    std::uint32_t turn = 0, warps = 0;
  };
  /// A request that loaded what it touches in a block.
  struct Looked {
    std::uint64_t place = 0;  ///< its first address, less same_sectors_shift()
    std::uint32_t turn = 0;
    std::uint16_t pattern = 0;
    std::uint8_t sectors = 0, wavefronts = 0;
  };

  static bool is_global_load(const simt::Access& access) {
    return access.space == ptx::Space::global && !access.is_store && !access.is_atomic;
  }
  void look_at(std::uint64_t block);
  void follow(const simt::Access& access);
  void give_up();
  bool is_first_of_warp(const simt::Access& access);
  /// Of a block of which only the window is looked at: a request that lies in one piece. Without a branch on where it lies:
  /// what cannot be foreseen here costs the interpreter its own forecasts. False: not in one piece.
  bool note(const simt::Access& access) {
    const simt::Pattern* shape = access.shape;
    if (shape == nullptr ||
        (shape->shape != simt::Shape::consecutive && shape->shape != simt::Shape::uniform))
      return false;
    const std::uint64_t start = start_of(access);
    const std::uint64_t last = (start + static_cast<std::uint64_t>(shape->high) - 1) >> kAtomShift;
    for (std::uint64_t atom = start >> kAtomShift; atom <= last; ++atom) {
      noted_[notes_] = atom;
      notes_ += is_in_window(atom >> 1);
    }
    if (notes_ > kMostNotes) take_notes();
    return true;
  }
  void take_notes();
  Looked look_up(const simt::Access& access, bool first_of_warp);
  void load(const simt::Access& access, const Touched& touched, bool first_of_warp);
  void keep(const simt::Access& access, const Touched& touched);

  LocalityOptions options_;
  std::uint64_t window_ = 0;  ///< its first block
  bool keeps_all_ = true;
  std::vector<std::uint64_t> runs_, traced_;
  RequestLines request_lines_;
  std::vector<Visitors> visitors_;  ///< by instruction
  std::vector<Looked> looked_;      ///< by pattern and place, in pairs
  /// What blocks that wait for others have asked for so far: requests and bytes.
  std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> set_aside_;
  bool is_tracing_ = false;  ///< a block, which has not ended
  // Of the block that runs.
  std::uint64_t block_ = ~0ull;
  std::uint32_t turn_ = 0;  ///< one more each block
  bool close_ = false, in_window_ = false, is_traced_ = false;
  CloseSample* sample_ = nullptr;  ///< of the two, if close_
  bool is_followed_ = false;       ///< any of the above
  bool only_window_ = false;
  static constexpr std::size_t kMostNotes = 64;
  /// Atoms of the window; a request in one piece has 17 at most.
  std::array<std::uint64_t, kMostNotes + 32> noted_{};
  std::size_t notes_ = 0;
  std::uint64_t requests_ = 0, bytes_ = 0;
  FlatWords loaded_;  ///< by line: kSectors and so on
  FlatWords stored_;  ///< by line: its words
  TraceRecorder recorder_;
};

}  // namespace labkit::timing
