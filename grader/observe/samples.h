// Of single memory accesses of a launch: what they looked like lane by lane, for pictures of them, and who left what lies at
// a place, for words about a wrong element. Not for counting, which counting.h does for all of them.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "launch/launch.h"
#include "ptx/module.h"

namespace labkit::observe {

/// One warp, one instruction, once.
struct WarpAccess {
  std::uint64_t block = 0;  ///< linear
  std::uint32_t warp = 0;   ///< in the block
  std::uint32_t execution =
      0;                     ///< how often this warp had made an access here before: 0 is its first
  std::uint32_t active = 0;  ///< lanes that take part; never 0
  std::uint32_t bytes_per_lane = 4;  ///< as counted, so after ptxas's merging
  /// Of active lanes, 0 for others. Shared: offset in the window. Local: where the hardware puts it, word w of lane i at
  /// 128 w + 4 i.
  std::array<std::uint64_t, 32> addresses{};
  /// Local, more than 4 bytes a lane: so many words, each 128 bytes after the one before; `addresses` are the first's,
  /// `cost` and `ideal` are of all. Else 1.
  std::uint32_t words = 1;
  std::uint32_t cost = 0;   ///< global, constant and local: sectors; shared: wavefronts
  std::uint32_t ideal = 0;  ///< of the same, as rules.h says
  std::uint32_t excess() const { return cost - ideal; }
};

/// Of one PTX instruction that made at least one access, to one space: a cp.async has two of these (a load from global,
/// a store to shared memory), a generic access one for each space it came to.
struct InstructionSamples {
  std::uint32_t instruction = 0;  ///< index into LaunchCounters::info
  ptx::Space space = ptx::Space::global;
  bool is_store = false, is_atomic = false;
  /// The access with the most excess in the whole launch; of equals the first by block, warp, execution.
  WarpAccess worst;
  std::uint64_t accesses = 0;  ///< in the whole launch
};

/// Where addresses belong: a buffer, or a declared array in shared memory.
struct NamedRange {
  std::string name;  ///< "in", "tile"
  ptx::Space space = ptx::Space::global;
  std::uint64_t begin = 0, bytes = 0;
  std::uint32_t element_bytes = 0;  ///< 0: not known
};

/// The same for any number of host threads.
struct AccessSamples {
  std::vector<InstructionSamples> instructions;  ///< by instruction index, then space
  std::vector<NamedRange> ranges;                ///< filled in by who knows them (device)
};

/// The last store to a place of global memory, with the blocks and warps in the order that one host thread runs them in, so
/// that it is always the same. Atomic operations count as stores.
struct StoredBy {
  std::uint64_t stores = 0;  ///< by lanes, of any part of the place; 0: nobody stored there
  bool several_threads = false;
  launch::SourceLine where = {};         ///< of the last; line 0: not known
  launch::SourceLine where_inside = {};  ///< as in Places::inside
  launch::Dim3 thread = {}, block = {};  ///< of the last
};

/// Values other than 0 that one line left in an array of one block, where other values that it left there were read.
struct LeftUnread {
  launch::Dim3 block = {};
  launch::SourceLine where = {};  ///< line 0: in a function that several lines call
  launch::Extent array;
  std::uint32_t element_bytes = 4;
  std::vector<std::uint64_t> elements;  ///< of `array`, rising
};

struct Unread {
  /// Of each array that is watched, in bytes: 1 where somebody read it.
  std::vector<std::vector<std::uint8_t>> read;
  std::optional<LeftUnread> left;  ///< of the first block that has any
};

}  // namespace labkit::observe
