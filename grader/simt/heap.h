// The heap of malloc() and free() in kernels: one allocation that keeps from launch to launch what lies where, so that what a
// launch did to it is undone or kept with all else. Internal to the room.
//
// First the blocks, then a byte for each 16 of theirs (a *cell*), then how many cells were ever used. A block is a cell of
// its own in front, which holds its size, and its bytes. Freed blocks are used again when no other cells are left: until
// then, who uses them is found out.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "simt/memory.h"

namespace labkit::simt {

inline constexpr std::uint64_t kHeapCell = 16;
/// States of cells: 0 never used; 1 to 16 so many bytes are the block's; and these.
inline constexpr std::uint8_t kBlockHead = 0x80, kFreedHead = 0x81, kFreed = 0x82;

/// Of an allocation that is one.
class Heap {
 public:
  explicit Heap(const Allocation& allocation)
      : begin_(allocation.begin),
        cells_((allocation.contents.size() - sizeof(std::uint64_t)) / (kHeapCell + 1)),
        blocks_(allocation.contents.data()),
        states_(reinterpret_cast<std::uint8_t*>(blocks_ + cells_ * kHeapCell)) {}
  static std::uint64_t bytes_for(std::uint64_t heap_bytes) {
    return heap_bytes / kHeapCell * (kHeapCell + 1) + sizeof(std::uint64_t);
  }

  /// An access of up to 16 bytes at a multiple of its size.
  bool holds(std::uint64_t address, std::uint32_t bytes) const {
    const std::uint64_t at = address - begin_, cell = at / kHeapCell;
    return cell < cells_ && states_[cell] <= kHeapCell && at % kHeapCell + bytes <= states_[cell];
  }
  std::uint8_t state(std::uint64_t address) const {
    const std::uint64_t cell = (address - begin_) / kHeapCell;
    return cell < cells_ ? states_[cell] : 0;
  }
  /// Of the block that `address` lies in or behind; 0: of none.
  std::uint64_t block_before(std::uint64_t address) const;
  std::uint64_t size_of_block(std::uint64_t address) const;
  /// 0: there is no room. `is_used_again`: something else was there before.
  std::uint64_t allocate(std::uint64_t bytes, bool& is_used_again);
  void release(std::uint64_t address);

 private:
  std::uint64_t find_room(std::uint64_t cells, bool& is_used_again);

  std::uint64_t begin_, cells_;
  std::byte* blocks_;
  std::uint8_t* states_;
};

}  // namespace labkit::simt
