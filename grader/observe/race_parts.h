// What a race's finding is made of, by subject. Private to race_finding.cpp and the files that define these.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "observe/places.h"
#include "observe/races.h"

namespace labkit::observe {

enum class Relation : std::uint8_t { lanes, warps, blocks };

/// Why the two race, what shows it beside the order of the threads, and what to do.
struct Remedy {
  launch::Cause cause = launch::Cause::none;
  words::Message fix;
  std::vector<words::Message> evidence = {};
};

inline bool both_write(const Race& race) {
  return race.first.role != AccessRole::read && race.second.role != AccessRole::read;
}
inline bool any_atomic(const Race& race) {
  return race.first.role == AccessRole::atomic || race.second.role == AccessRole::atomic;
}

// ---- stores of one line (race_stores.cpp)

/// Threads that all write the same to one place after the other: each does what one of them would have done.
bool repeats_work(const Race& race, const Places& places);
/// Plain stores of several threads to one place: what the index is made of says which part of it is missing.
Remedy fix_of_stores(const Race& race, const Places& places, Relation relation);
/// Threads that share a loop's iterations badly, or a store without a loop whose index is the same in several threads.
Remedy fix_of_repeated_work(const Race& race, const Places& places, Relation relation);
/// Two lines store to one tile, the one with the indices in the other order: [x][y] and [y][x].
bool is_exchanged(const Race& race, const Places& places);
Remedy fix_of_exchanged(const Race& race, const Places& places);
/// Two lines write to a part of what the other does, and to places of their own: two arrays that overlap, or an index that
/// goes too far. Who sets first and then stores over it does so within the same places, or a step aside.
bool writes_overlap(const Race& race, const Places& places);
Remedy fix_of_overlap(const Race& race, const Places& places);

// ---- missing barriers (race_barriers.cpp)

/// The race with its sides as the program has them, where no thread can go from the one to the other the other way round
/// without a barrier: which of them the simulation came to first says nothing.
Race in_program_order(Race race, const Places& places, Relation relation);
/// Both are in a loop in which nothing makes threads wait, and the read does not stand below the write: the one may be of
/// any iteration when the other is done.
bool in_loop_without_barrier(const Race& race, const Places& places, Relation relation);
/// A write and a read of one line, or of lines in the other order, of two iterations of a loop that the compiler has unrolled.
bool is_of_unrolled_iterations(const Race& race, const Places& places);

/// Two accesses of different lines that are known, as the source has them: `upper` stands above `lower`. A warp that runs
/// ahead reads too early what another will write, and writes too early what another will read. A barrier that stands between
/// them says that there is a way around it, or that the way back round the loop has none.
struct TwoLines {
  const RaceSide &above, &below;
  launch::SourceLine from, to;
  bool has_barrier = false;  ///< between them
  /// The barrier is passed on the way down, and none is on the way back: who is ahead is an iteration ahead.
  bool is_next_iteration = false;
  bool goes_around = false;  ///< there is a way down that has no barrier
};
TwoLines two_lines(const Race& race, const Places& places, Relation relation);
/// The fix where warps part for good and meet at barriers of their own; nullopt: they do not.
std::optional<words::Message> among_counted_barriers(const Race& race, const Places& places);
/// Where the barrier is missing between two iterations of a loop that has none; `again`: and may be missing within one, too.
Remedy barrier_at_end_of_loop(const Race& race, const Places& places, Relation relation,
                              const std::string& barrier, bool again);
/// A read and a write of different blocks.
Remedy fix_of_blocks(const Race& race, const Places& places);
/// A plain read that an atomicCAS at the same place, the other of the two, begins with.
bool is_checked_by_swap(const Race& race, const Places& places);
/// Where the barrier is missing.
Remedy barrier_place(const Race& race, const Places& places, Relation relation,
                     const std::string& barrier);
/// The cause of a race that a barrier fixes: `cause`, unless the roles say more.
launch::Cause cause_by_roles(const Race& race, launch::Cause cause);

// ---- lost updates (race_update_fix.cpp)

void add_update_evidence(std::vector<words::Message>& evidence, const Race& race,
                         const Places& places);
words::Message update_fix(const Race& race, const Places& places);

}  // namespace labkit::observe
