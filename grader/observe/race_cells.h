// Shadow memory of the race detector: what was last done to each few bytes ("a cell", as many bytes as the narrowest
// access of the kernel touches, so that no byte is shared by mistake).
//
// Shared memory has a cell for each place of the window. Global memory is as large as it is, so that pages are made when
// they are touched, and a cell is small until a second thread comes.
#pragma once
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "observe/race_updates.h"

namespace labkit::observe {

/// How strong an access is. Volatile accesses of one warp to shared memory are held to be plain: what relies on them (a
/// reduction of a warp without __syncwarp) was right only while warps ran in lockstep.
/// A volatile load whose value decides nothing is of data, no flag: against a volatile store it is held to be plain.
enum class Strength : std::uint8_t { plain, volatile_data, volatile_, strong };

/// Last write and reads of a place, in the order of the simulation. Readers: two, of different warps where there were any
/// that nothing ordered before; a writer that is none of them races with one of them. Where a barrier may order some
/// warps or lanes alone, that is not enough: the others follow in `more`.
struct Cell {
  struct Write {
    std::uint64_t block = 0;
    Time time = 0;
    std::uint32_t instruction = 0, value = 0;
    std::uint16_t thread = 0;
    Strength strength = Strength::plain;
    bool has_value = false, is_atomic = false;
    bool of_block = false;          ///< strong for its block alone
    std::uint32_t async_group = 0;  ///< of its thread's cp.async, from 1; 0: a store like others
    Update update;                  ///< that it is the end of
  };
  Write write;   ///< the last plain one
  Write strong;  ///< the last strong one after it, which does not order the plain one
  struct Read {
    std::uint64_t block = 0;
    Time time = 0;
    std::uint32_t instruction = 0, lanes = 0;
    std::uint16_t warp = 0;
    Strength strength = Strength::plain;
    bool of_block = false;   ///< as above
    bool is_atomic = false;  ///< of strong writes
    bool is_behind = false;  ///< a plain write has come since
  } reads[2];
  struct More {
    std::vector<Read> reads;
    std::vector<Read> strong;  ///< writes, between `write` and `strong`
  };
  std::unique_ptr<More> more;

  static constexpr std::size_t kMost = 64;  ///< of each, at most: what is beyond is forgotten
  More& more_of() {
    if (!more) more = std::make_unique<More>();
    return *more;
  }
};

/// What blocks did to a place when nothing can order them: of those that wrote, did atomics, read, the two lowest, so that
/// it does not matter which came first, nor which host thread saw it.
struct BlockTouches {
  struct One {
    std::uint64_t block = 0;
    std::uint32_t instruction = 0;
    std::uint16_t thread = 0;
    bool used = false;
    Update update;  ///< plain_write: that it is the end of
  };
  enum Kind : std::uint8_t { plain_write, atomic, block_atomic, plain_read, kinds };
  One lowest[kinds][2];
  std::uint32_t value = 0;
  bool has_value = false;  ///< `value` is what all writes so far have written
  bool values_differ = false;

  void add(Kind kind, const One& one) {
    auto& two = lowest[kind];
    for (auto& have : two)  // of what one block does an update says most
      if (have.used && have.block == one.block) {
        if (one.update.any() && !have.update.any()) have = one;
        return;
      }
    if (!two[0].used || one.block < two[0].block) {
      two[1] = two[0];
      two[0] = one;
    } else if (!two[1].used || one.block < two[1].block) {
      two[1] = one;
    }
  }
  void add_value(bool known, std::uint32_t written) {
    if (!known || (has_value && value != written)) values_differ = true;
    value = written;
    has_value = true;
  }
};

struct GlobalCell {
  enum State : std::uint8_t { untouched, one_reader, one_writer, one_atomic, many };
  std::uint64_t block = 0;
  Time time = 0;
  std::uint32_t instruction = 0;  ///< many: index of the full record
  std::uint32_t value = 0;
  std::uint16_t thread = 0;
  State state = untouched;
  bool has_value = false, values_differ = false;
  bool by_condition = false;     ///< as in Update
  std::uint32_t read = kNoRead;  ///< as in Update
};
static_assert(sizeof(GlobalCell) <= 32, "one for every few bytes of global memory");

struct FullRecord {
  Cell cell;
  BlockTouches touches;
};

class GlobalCells {
 public:
  static constexpr std::uint64_t kPageBytes = 4096;
  explicit GlobalCells(std::uint32_t cell_bytes) : cell_bytes_(cell_bytes) {}

  std::uint32_t cell_bytes() const { return cell_bytes_; }
  GlobalCell& at(std::uint64_t address) {
    const std::uint64_t page = address / kPageBytes;
    auto& near = near_[page % kNear];
    if (near.page != page || near.cells == nullptr) near = {page, page_of(page)};
    return near.cells[address % kPageBytes / cell_bytes_];
  }
  FullRecord& record(std::uint32_t index) { return records_[index >> 12][index & 4095]; }
  const FullRecord& record(std::uint32_t index) const {
    return records_[index >> 12][index & 4095];
  }
  std::uint32_t new_record() {
    if ((used_ & 4095) == 0) records_.push_back(std::make_unique<FullRecord[]>(4096));
    return used_++;
  }
  /// Page numbers, and the cells of one (null if there is none).
  const std::unordered_map<std::uint64_t, std::unique_ptr<GlobalCell[]>>& pages() const {
    return pages_;
  }

 private:
  static constexpr std::uint64_t kNear = 64;
  struct Near {
    std::uint64_t page = 0;
    GlobalCell* cells = nullptr;
  };
  GlobalCell* page_of(std::uint64_t page) {
    auto& cells = pages_[page];
    if (!cells) cells = std::make_unique<GlobalCell[]>(kPageBytes / cell_bytes_);
    return cells.get();
  }

  std::uint32_t cell_bytes_;
  Near near_[kNear];
  std::unordered_map<std::uint64_t, std::unique_ptr<GlobalCell[]>> pages_;
  std::vector<std::unique_ptr<FullRecord[]>> records_;
  std::uint32_t used_ = 0;
};

}  // namespace labkit::observe
