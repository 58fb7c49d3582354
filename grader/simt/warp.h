// A warp as a tree of splits.
//
// A split is a set of lanes that run together. When a branch sends its lanes two ways, the split becomes a meeting point
// (waiting at the branch's reconvergence block) and each side a split of its own below it; a side whose lanes reach that
// block hands them back, and when none is out any more the meeting point runs on with all of them. A call is a meeting
// point as well: its lanes come back by `ret`. Lanes that exit leave every split they belong to.
//
// Forward progress: any split that can run may be chosen. One that only polls memory (spins) gives way to the others of
// its warp, then to other warps; if all that is left is a meeting point waiting for a spinning side, those who have
// arrived go on without the others, as threads do since Volta.
#pragma once
#include <cstdint>
#include <vector>

#include "simt/program.h"

namespace labkit::simt {

/// The lanes in a mask, rising: `for (const std::uint32_t lane : LanesOf(mask))`.
struct LanesOf {
  explicit LanesOf(std::uint32_t lanes) : mask(lanes) {}
  struct Iterator {
    std::uint32_t rest;
    std::uint32_t operator*() const { return first_lane(rest); }
    void operator++() { rest &= rest - 1; }
    bool operator==(const Iterator&) const = default;
  };
  Iterator begin() const { return {mask}; }
  Iterator end() const { return {0}; }

  std::uint32_t mask;
};
/// A mask of the lanes for which `holds(lane)`.
template <typename F>
std::uint32_t lanes_where(const F& holds) {
  std::uint32_t mask = 0;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane)
    mask |= static_cast<std::uint32_t>(holds(lane)) << lane;
  return mask;
}

/// The lanes of a register of 32 bits that lies at `at`; the first word is a whole predicate.
inline std::uint32_t* words_at(std::byte* at) { return reinterpret_cast<std::uint32_t*>(at); }
inline const std::uint32_t* words_at(const std::byte* at) {
  return reinterpret_cast<const std::uint32_t*>(at);
}
/// The value in a lane of a register that lies at `at`, and another in its place.
inline std::uint64_t read_lane(const std::byte* at, bool is_64_bit, std::size_t lane) {
  return is_64_bit ? reinterpret_cast<const std::uint64_t*>(at)[lane] : words_at(at)[lane];
}
inline void write_lane(std::byte* at, bool is_64_bit, std::size_t lane, std::uint64_t value) {
  if (is_64_bit)
    reinterpret_cast<std::uint64_t*>(at)[lane] = value;
  else
    words_at(at)[lane] = static_cast<std::uint32_t>(value);
}
/// Of a number of so many bytes.
inline std::uint64_t sign_extended(std::uint64_t value, std::uint32_t bytes) {
  if (bytes >= 8) return value;
  const unsigned shift = 64 - 8 * bytes;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value << shift) >> shift);
}

enum class SplitState : std::uint8_t { unused, ready, meeting, at_barrier, at_warp_sync };

/// A load by which a thread may wait for another.
struct Poll {
  std::uint32_t load = ~0u;  ///< the instruction; ~0: none
  std::uint64_t address = 0;
  friend bool operator==(const Poll&, const Poll&) = default;
};

struct Split {
  SplitState state = SplitState::unused;
  bool is_call = false;
  std::uint32_t mask = 0;     ///< lanes that belong here (meeting: arrived or still out)
  std::uint32_t out = 0;      ///< meeting: lanes not yet arrived
  std::uint32_t waiting = 0;  ///< at_barrier, at_warp_sync: lanes that take part
  std::int32_t parent = -1;
  /// Block where the lanes go back to the parent; -1: only by ret or exit.
  std::int32_t reconvergence = -1;
  std::int32_t block = 0;        ///< block to enter next
  std::uint32_t op = 0;          ///< if not 0: op to go on with, in the middle of `block`
  std::uint32_t local_base = 0;  ///< of the current function's frame
  std::uint32_t depth = 0;       ///< calls
  std::uint32_t function = 0;
  std::uint32_t call_site = 0;  ///< is_call
  std::int32_t callee = 0;      ///< is_call: the function
  std::uint32_t spins = 0;      ///< turns of a loop that only polls
  /// What it waited for when it last gave way (in a cooperative launch: at the end of a loop), if it has done nothing else since.
  Poll gave_way = {};
  std::vector<std::byte> saved =
      {};  ///< is_call of a recursive function: its registers before the call
};

struct Warp {
  std::uint32_t number = 0;  ///< in the block
  std::uint32_t begun = 0;   ///< lanes that there were at the beginning
  std::uint32_t live = 0;    ///< those that have not exited
  std::int32_t current = 0;
  std::uint64_t path = 0;    ///< the code blocks entered so far, in order (BlockTotals::path)
  std::uint64_t issued = 0;  ///< instructions, but for those since the warp runs
  std::byte* registers = nullptr;
  std::vector<Split> splits;
  std::size_t used_splits = 0;   ///< those from here on are as they were made
  std::vector<std::byte> local;  ///< 32 x local_capacity
  std::uint32_t local_capacity = 0;
  std::vector<std::byte> parameters;              ///< 32 x parameter_bytes_per_lane
  bool can_be_affine = false, is_affine = false;  ///< affine.cpp
  std::vector<Affine> affine;                     ///< by affine_place()

  Split& split(std::int32_t id) { return splits[id]; }
  const Split& split(std::int32_t id) const { return splits[id]; }
  /// Starts over with one split.
  void reset(std::uint32_t lanes, std::int32_t entry_block);
  /// Parts the current split at a branch: `taken` of its lanes go to block `to`, the rest to `other`.
  void part(std::uint32_t taken, std::int32_t to, std::int32_t other, std::int32_t meet_at);
  /// A split of these lanes in the function that split `from` is in; its number.
  std::int32_t spawn(std::int32_t from, std::uint32_t lanes, std::int32_t block,
                     std::int32_t parent, std::int32_t reconvergence);
  /// All lanes of the current split have come to their reconvergence block.
  void arrive();
  /// Lanes leave every split from the current one upward until the nearest call (returned) or the top (-1).
  std::int32_t leave(std::uint32_t lanes, bool exit);
  /// A ready split, after `current` in turn; -1 if none.
  std::int32_t next_ready() const;
  /// Lets lanes that wait for a spinning split go on.
  void release_waiting();
};

}  // namespace labkit::simt
