// What orders the threads of a launch. Theory of the race detector (races.h):
//
// Two accesses race if they touch a byte in common, one of them writes, they are not both strong (atomic or volatile; but
// volatile data that decides nothing, race_cells.h), and nothing orders them: neither thread can know that the other's is over. So each access is stamped with its thread and the
// time, a count of the synchronisations that the host thread has simulated, and what each thread knows is kept:
//   barrier   of the whole block: each of its threads knows all that the others did until then. One number a block.
//   warp      lanes that met in bar.warp.sync know each other's past: one number a warp if all its lanes met, else
//             one for each pair of lanes. A lane that has exited has met those that name it in their mask, and no others. Lanes of a warp are threads like others: that they happen to run together orders
//             nothing (independent thread scheduling, since Volta), nor does a shuffle or a vote (observer.h).
//   named     barriers of some warps: one number for each warp and thread of the block. Who waits gets to know all that those
//             who wait did, and of those who only arrive (bar.arrive) what they did and knew until they arrived.
//   phases    of a barrier where threads arrive and wait apart (mbarrier): who finds a phase complete gets to know what those
//             who arrived until then did and knew. Copies that it waits for count as waited for by the thread that asked for it.
//   flags     a strong access may hand knowledge on through its address: what the thread had fenced off before
//             (__threadfence), or has release semantics, is published, with what it knew of others by then; a strong read
//             of the address takes it (race_knowledge.h: however many flags there are). So locks, and
//             the last block of a reduction, are understood; without the fence nothing is published. A fence of the block
//             (__threadfence_block), or an access of scope .cta, publishes for threads of that block alone.
//   copies    cp.async writes at some time before its thread has waited for the copy's group: until then it races with every
//             access, the thread's own too, and from then on it counts as a store of that thread at the time of the wait.
//             (What it reads from global memory counts as read when it is issued.)
// The end of a block orders nothing. A thread that has exited counts as arrived at every barrier.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "observe/race_knowledge.h"
#include "simt/observer.h"

namespace labkit::observe {

/// What has been published through one address: those who read it know all of it.
struct Flag {
  Knowledge for_all;
  std::unordered_map<std::uint64_t, Knowledge> for_block;  ///< for the threads of that block alone
};
/// Numbers of flags: addresses, those in shared memory with this bit.
inline constexpr std::uint64_t kSharedFlag = 1ull << 63;

struct WarpClock {
  Time synced = 0;                    ///< all lanes met last, those that have exited among them
  Time last_sync = 0;                 ///< some lanes met last
  std::uint32_t lanes = 0, live = 0;  ///< it began with, it still has
  Time last_store = 0;                ///< to global memory
  Time last_fence = 0;                ///< by all live lanes
  std::unique_ptr<std::array<std::array<Time, 32>, 32>> pairs;  ///< [a][b]: what a knows of b
};

/// A fence, and the last barrier of the block and of the warp before it.
struct FenceTimes {
  Time own = 0, barrier = 0, synced = 0;
  Knowledge of_others;  ///< by barriers of part of the warp, or of some warps, before it
};
struct ThreadFlags {
  FenceTimes fence, block_fence;  ///< the last for all threads, the last at least for the block
  Knowledge known;                ///< from flags, that not all threads of the block know
  std::uint64_t last_flag = 0;    ///< read, and what was taken from it
  Knowledge last_taken;
};

/// The cp.async of a thread.
struct ThreadCopies {
  std::uint32_t committed = 0;   ///< groups so far
  bool has_waited = false;       ///< for groups, at least once
  std::vector<Time> waited_for;  ///< when it had waited for the groups, from the first on
};

struct BlockClock {
  std::uint64_t block = 0;
  Time begin = 0;
  Time barrier = 0;         ///< last barrier of the whole block, or its beginning
  Time fenced_barrier = 0;  ///< last one before which all had fenced off what they stored
  std::vector<WarpClock> warps;
  std::vector<Time> known_by_warps;  ///< [warp * threads + thread], once a barrier was named
  std::unordered_map<std::uint32_t, ThreadFlags> flags;  ///< of threads that fence or read flags
  Knowledge known;                                       ///< from flags, by all threads
  std::unordered_map<std::uint64_t, Flag> shared_flags;
  std::unordered_map<std::uint32_t, ThreadCopies> copies;  ///< of threads that use cp.async
  struct Arrival {
    std::uint32_t warp = 0, lanes = 0;
    bool waits = true;
    // of one that does not wait, what holds for one that does when all have come
    Time time = 0;
    std::vector<Time> knows;
    Knowledge known;
  };
  std::array<std::vector<Arrival>, 16> arrivals;  ///< at barriers of some warps, under way
  struct Phases {
    Knowledge arriving, complete;  ///< in the phase under way, and in those before it
  };
  std::unordered_map<std::uint64_t, Phases> phases;  ///< by PhaseEvent::barrier
};

class RaceClock {
 public:
  Time now() const { return now_; }
  void begin(BlockClock& block, std::uint64_t number, std::uint32_t threads);
  void barrier(BlockClock& block);
  /// At a barrier of some warps.
  void arrive(BlockClock& block, std::uint32_t number, std::uint32_t warp, std::uint32_t lanes,
              bool waits);
  void named_barrier(BlockClock& block, std::uint32_t number);
  void phase(BlockClock& block, const simt::PhaseEvent& event);
  void warp_sync(BlockClock& block, std::uint32_t warp, std::uint32_t lanes);
  void fence(BlockClock& block, std::uint32_t warp, std::uint32_t lanes, bool of_block);
  static void commit(BlockClock& block, std::uint32_t warp, std::uint32_t lanes);
  /// Of all but the last `groups`; ~0: of all copies, in a group or not.
  void wait(BlockClock& block, std::uint32_t warp, std::uint32_t lanes, std::uint64_t groups);
  /// The group, from 1, of what a thread copies now.
  static std::uint32_t open_group(BlockClock& block, std::uint32_t thread) {
    return block.copies[thread].committed + 1;
  }
  /// Whether the thread has waited for groups, but has not committed this one of its copies yet.
  static bool was_left_out(const BlockClock& block, std::uint32_t thread, std::uint32_t group) {
    const auto at = block.copies.find(thread);
    return at != block.copies.end() && at->second.has_waited && at->second.committed < group;
  }
  /// When `thread` had waited for this group of its copies; nullopt: not yet.
  static std::optional<Time> waited_at(const BlockClock& block, std::uint32_t thread,
                                       std::uint32_t group);
  struct FlagAccess {
    bool writes = false, acquires = false, releases = false;
    bool of_block = false;  ///< of scope .cta
  };
  /// A strong access of one thread to `flag` (an address, kSharedFlag with one in shared memory).
  void flag_access(BlockClock& block, std::uint32_t thread, std::uint64_t flag,
                   const FlagAccess& access);
  /// Whether `thread` of `block` knows that what is stamped is over.
  bool knows(const BlockClock& block, std::uint32_t thread, const Stamp& past) const;

 private:
  Time now_ = 1;
  std::unordered_map<std::uint64_t, Flag> flags_;  ///< in global memory
};

}  // namespace labkit::observe
