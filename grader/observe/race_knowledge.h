// What somebody knows of the past of others: of each thread, warp and block until when all that it did is over. Private to
// the race detector (race_clock.h).
//
// A tree that never changes, so that whoever is told shares it with those who tell, and to join two trees costs what
// they differ by: thousands of blocks that hand on what they know, each to the next, keep a few nodes each. A leaf is of
// the threads of one warp, or of one block and its warps.
#pragma once
#include <cstdint>
#include <memory>
#include <span>

namespace labkit::observe {

/// A count of the synchronisations that a host thread has simulated.
using Time = std::uint32_t;

/// A thread's part in the past: `thread` of `block` at `time`.
struct Stamp {
  std::uint64_t block = 0;
  std::uint32_t thread = 0;  ///< linear, in the block; warp * 32 + lane
  Time time = 0;
};

class Knowledge {
 public:
  bool empty() const { return root_ == nullptr; }
  bool tells(const Stamp& past) const;
  /// That all that was done until `time` is over: by a thread, by all threads of a warp, of a block.
  void add_thread(std::uint64_t block, std::uint32_t thread, Time time);
  void add_warp(std::uint64_t block, std::uint32_t warp, Time time);
  void add_block(std::uint64_t block, Time time);
  /// The same of the 32 lanes of a warp; 0: nothing is known of that lane.
  void add_lanes(std::uint64_t block, std::uint32_t warp, const Time* times);
  void join(const Knowledge& other);
  void clear() { root_ = nullptr; }
  /// Surely the same (false: it may be all the same).
  bool is(const Knowledge& other) const { return root_ == other.root_; }

  struct Node;

 private:
  /// Of the leaf of that key, from its place `first` on.
  void add(std::uint64_t key, std::size_t first, std::span<const Time> times);
  std::shared_ptr<const Node> root_;
};

}  // namespace labkit::observe
