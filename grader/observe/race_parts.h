// What a race's finding is made of, by subject. Private to race_finding.cpp and the files that define these.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "observe/places.h"
#include "observe/race_paths.h"
#include "observe/races.h"

namespace labkit::observe {

/// A race, and where it happens. All that it is made of must outlive it.
struct RaceScene {
  RaceScene(const Race& race, const Places& places)
      : race(race),
        places(places),
        program(places.program()),
        relation(race.relation()),
        first(line(race.first)),
        second(line(race.second)) {}

  const Race& race;
  const Places& places;
  const simt::Program& program;
  Relation relation;
  launch::SourceLine first, second;  ///< lines of the two; line 0: not known

  const simt::InstructionFacts& facts(std::uint32_t instruction) const {
    return simt::instructions(program)[instruction];
  }
  launch::SourceLine line(const RaceSide& side) const { return places.line(side.instruction); }
  std::string thread(const RaceSide& side) const { return triple(places.thread(side.thread)); }
  bool of_lanes() const { return relation == Relation::lanes; }
  bool of_blocks() const { return relation == Relation::blocks; }
  /// What would order the two, unless they are of two blocks.
  words::Parameter barrier() const {
    return {"barrier", std::string(of_lanes() ? "__syncwarp()" : "__syncthreads()")};
  }
};

/// Why the two race, what shows it beside the order of the threads, and what to do.
struct Remedy {
  launch::Cause cause = launch::Cause::none;
  words::Message fix;
  std::vector<words::Message> evidence = {};
};

// ---- stores of one line, and lost updates (race_stores.cpp)

/// Threads that all write the same to one place after the other: each does what one of them would have done.
bool repeats_work(const RaceScene& scene);
/// Plain stores of several threads to one place: what the index is made of says which part of it is missing.
Remedy fix_of_stores(const RaceScene& scene);
/// Threads that share a loop's iterations badly, or a store without a loop whose index is the same in several threads.
Remedy fix_of_repeated_work(const RaceScene& scene);
/// Two lines store to one tile, the one with the indices in the other order: [x][y] and [y][x]. nullopt: they do not.
std::optional<Remedy> fix_of_exchanged(const RaceScene& scene);
/// Two lines write to a part of what the other does, and to places of their own: two arrays that overlap, or an index that
/// goes too far. Who sets first and then stores over it does so within the same places, or a step aside. nullopt: they do not.
std::optional<Remedy> fix_of_overlap(const RaceScene& scene);
std::vector<words::Message> update_evidence(const RaceScene& scene);
words::Message update_fix(const RaceScene& scene);

// ---- missing barriers (race_barriers.cpp)

/// The race with its sides as the program has them, where no thread can go from the one to the other the other way round
/// without a barrier: which of them the simulation came to first says nothing.
Race in_program_order(const RaceScene& scene);
/// Both are in a loop in which nothing makes threads wait, and the read does not stand below the write: the one may be of
/// any iteration when the other is done.
bool in_loop_without_barrier(const RaceScene& scene);
/// A write and a read of one line, or of lines in the other order, of two iterations of a loop that the compiler has unrolled.
bool is_of_unrolled_iterations(const RaceScene& scene);

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
TwoLines two_lines(const RaceScene& scene);
/// The fix where warps part for good and meet at barriers of their own; nullopt: they do not.
std::optional<words::Message> among_counted_barriers(const RaceScene& scene);
/// Where the barrier is missing between two iterations of a loop that has none; `again`: and may be missing within one, too.
Remedy barrier_at_end_of_loop(const RaceScene& scene, bool again);
/// A read and a write of different blocks.
Remedy fix_of_blocks(const RaceScene& scene);
/// A plain read that an atomicCAS at the same place, the other of the two, begins with.
bool is_checked_by_swap(const RaceScene& scene);
Remedy barrier_place(const RaceScene& scene);
/// The cause of a race that a barrier fixes: `cause`, unless the roles say more.
launch::Cause cause_by_roles(const Race& race, launch::Cause cause);

}  // namespace labkit::observe
