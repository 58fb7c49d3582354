// What the words about races are made of, by subject. Private to race_words.cpp and the files race_*_words.cpp.
#pragma once
#include <cstdint>
#include <string>

#include "observe/places.h"
#include "observe/race_words.h"
#include "observe/races.h"

namespace labkit::observe {

enum class Relation : std::uint8_t { lanes, warps, blocks };

inline std::string at_line(const launch::SourceLine& line) {
  return line.line == 0 ? "its line" : "line " + std::to_string(line.line);
}

// ---- stores of one line (race_store_words.cpp)

/// Threads that all write the same to one place after the other: each does what one of them would have done.
bool repeats_work(const Race& race, const Places& places);
/// Plain stores of several threads to one place: what the index is made of says which part of it is missing.
std::string fix_of_stores(const Race& race, const Places& places, Relation relation);
/// Threads that share a loop's turns badly, or a store without a loop whose index is the same in several threads.
std::string fix_of_repeated_work(const Race& race, const Places& places, Relation relation);
/// Two lines store to one tile, the one with the indices in the other order: [x][y] and [y][x].
bool is_exchanged(const Race& race, const Places& places);
std::string fix_of_exchanged(const Race& race, const Places& places);
/// Two lines write to a part of what the other does, and to places of their own: two arrays that overlap, or an index that
/// goes too far. Who sets first and then stores over it does so within the same places, or a step aside.
bool writes_overlap(const Race& race, const Places& places);
std::string fix_of_overlap(const Race& race, const Places& places);

// ---- missing barriers (race_barrier_words.cpp)

/// The race with its sides as the program has them, where no thread can go from the one to the other the other way round
/// without a barrier: which of them the simulation came to first says nothing.
Race in_program_order(Race race, const Places& places, Relation relation);
/// Both are in a loop in which nothing makes threads wait, and the read does not stand below the write: the one may be of
/// any turn when the other is done.
bool in_loop_without_barrier(const Race& race, const Places& places, Relation relation);
/// A write and a read of one line, or of lines in the other order, out of two turns of a loop that the compiler has unrolled.
bool is_of_unrolled_turns(const Race& race, const Places& places);

/// Two accesses of different lines that are known, as the source has them: `upper` stands above `lower`. A warp that runs
/// ahead reads too early what another will write, and writes too early what another will read. A barrier that stands between
/// them says that there is a way around it, or that the way back round the loop has none.
struct TwoLines {
  const RaceSide &above, &below;
  launch::SourceLine from, to;
  bool has_barrier = false;  ///< between them
  /// The barrier is passed on the way down, and none is on the way back: who is ahead is a turn of the loop ahead.
  bool is_next_turn = false;
  bool goes_around = false;  ///< there is a way down that has no barrier
};
TwoLines two_lines(const Race& race, const Places& places, Relation relation);
/// Where warps part for good and meet at barriers of their own, __syncthreads() is no mend. Empty: they do not.
std::string among_counted_barriers(const Race& race, const Places& places);
/// Where the barrier is missing between two turns of a loop that has none; `again`: and may be missing within one, too.
std::string barrier_of_turns(const Race& race, const Places& places, Relation relation,
                             const std::string& barrier, bool again);
/// A read and a write of different blocks.
std::string fix_of_blocks(const Race& race, const Places& places);
/// A plain read that an atomicCAS at the same place, the other of the two, begins with.
bool is_checked_by_swap(const Race& race, const Places& places);
/// Where the barrier is missing.
std::string barrier_place(const Race& race, const Places& places, Relation relation,
                          const std::string& barrier);

// ---- lost updates (race_update_words.cpp)

std::string update_schedule(const Race& race, const Places& places);
std::string update_fix(const Race& race, const Places& places);

}  // namespace labkit::observe
