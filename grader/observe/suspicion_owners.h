// Who touched a cell of memory, as the quick look keeps it, and what it knows of a launch before it runs (suspicion.h). Private
// to it.
#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "observe/watching.h"
#include "simt/access.h"
#include "simt/machine.h"

namespace labkit::observe {

inline constexpr std::uint32_t kWidestCell = 16;

// Who touched a cell of shared memory: 0 nobody; (warp + 1) << 6 | lane; the same with kMet or kLanes instead of the lane;
// kAtomics; kMany.
using Owner = std::uint16_t;
inline constexpr Owner kMet = 32;    ///< lanes of the warp, which have met since
inline constexpr Owner kLanes = 33;  ///< more than one lane of the warp
inline constexpr Owner kAtomics = 0xFFFE;
inline constexpr Owner kMany = 0xFFFF;

inline Owner joined(Owner old, Owner me, Owner warp) {
  const auto in_warp = static_cast<Owner>(old - warp);
  return old == 0 || old == me || in_warp == kMet ? me
         : in_warp < 64                           ? static_cast<Owner>(warp | kLanes)
                                                  : kMany;
}

inline bool by_several(Owner owner) {
  return owner == kMany || (owner != kAtomics && (owner & 63) == kLanes);
}

/// A write and other touches of one cell that nothing is known to order.
inline bool clash(Owner writer, Owner reader) {
  if (writer == 0) return false;
  if (by_several(writer)) return true;
  if (reader == 0 || reader == writer) return false;
  // the lanes of a warp that have met are ordered with any one of its lanes
  return !(writer >> 6 == reader >> 6 && writer != kAtomics &&
           ((writer & 63) == kMet ? (reader & 63) != kLanes : (reader & 63) == kMet));
}

// The same for global memory, by the thread's number in the launch.
using GlobalOwner = std::uint32_t;
inline constexpr GlobalOwner kGlobalAtomics = 0xFFFFFFFE, kGlobalMany = 0xFFFFFFFF;

inline GlobalOwner joined(GlobalOwner old, GlobalOwner me) {
  return old == 0 || old == me ? me : kGlobalMany;
}
inline bool clash(GlobalOwner writer, GlobalOwner reader) {
  return (writer == kGlobalMany) | ((writer != 0) & (reader != 0) & (reader != writer));
}

inline void join_all(GlobalOwner* to, const GlobalOwner* from, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k)
    to[k] = from[k] == 0 ? to[k] : to[k] == 0 || to[k] == from[k] ? from[k] : kGlobalMany;
}

/// Memory that begins as zeros; pages that are never touched cost nothing, and those of large ones are large too: what
/// they cost when they are touched first is most of what a quick look at much memory costs.
struct Unmapping {
  std::size_t bytes = 0;
  void operator()(GlobalOwner* owners) const { munmap(owners, bytes); }
};
using GlobalOwners = std::unique_ptr<GlobalOwner[], Unmapping>;
inline GlobalOwners make_owners(std::size_t count) {
  constexpr std::size_t kLargeBytes = 4 << 20;
  const std::size_t bytes = count * sizeof(GlobalOwner);
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  if (bytes >= kLargeBytes) madvise(memory, bytes, MADV_HUGEPAGE);  // may be refused: no harm
  return GlobalOwners(static_cast<GlobalOwner*>(memory), Unmapping{bytes});
}

// A line that whole warps touch, all 32 lanes side by side, has one owner instead of one for each cell: the warp, in which
// geometry. Nearly all of what coalesced kernels do is told so, in a thirty-second of the memory.
inline constexpr std::uint64_t kLine = 128;

/// Of one allocation, by one host thread.
struct Touched {
  std::uint64_t begin = 0, end = 0;
  bool written = true;  ///< before the launch
  bool reads_followed = true;
  bool read_unfollowed = false;
  Span cells, lines;                           ///< touched
  bool any_written = false, any_read = false;  ///< cells
  bool any_line_written = false;
  GlobalOwners writers, readers;
  GlobalOwners line_writers, line_readers;
};

struct SuspicionPlan {
  const simt::Memory& memory;
  std::span<const simt::InstructionFacts> facts;
  const std::vector<simt::SharedArray>& arrays;
  std::uint32_t shared_cell = kWidestCell, global_cell = kWidestCell, local_cell = kWidestCell;
  std::uint32_t shared_end = 0;  ///< of the window in this launch
  std::uint32_t threads = 1;
  bool all_reads = false;
  unsigned always = 0;  ///< Suspects::Reason: what the quick look cannot judge
};

/// Of the lanes that are on.
inline Span range_of(const simt::Access& access) {
  if (access.shape != nullptr) {
    const auto first = access.addresses[first_lane(access.active)];
    return {first + static_cast<std::uint64_t>(access.shape->low),
            first + static_cast<std::uint64_t>(access.shape->high)};
  }
  Span range;
  for (const auto lane : Lanes(access.active))
    range.add(access.addresses[lane], access.addresses[lane] + access.bytes_per_lane);
  return range;
}

}  // namespace labkit::observe
