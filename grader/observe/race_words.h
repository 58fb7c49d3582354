// A race as a finding, in compute-sanitizer's wording, with a schedule that shows it and the fix in a line.
#pragma once
#include "observe/places.h"
#include "observe/races.h"

namespace labkit::observe {

/// How the sentence of a lost update begins; grader/explain tells defects by it, too.
inline constexpr const char* kUpdateIsLost = "An update is lost";

/// Part of the sentence that tells of a lock or a flag whose holder did not fence off what it wrote.
inline constexpr const char* kWithoutFence = "handed on without a fence";
/// Part of the sentence that tells of threads which write the same values to the same places, one after the other.
inline constexpr const char* kRepeatedWork = "repeat each other's work";

/// Part of the fix of two lines that store to one tile, the one as [x][y] and the other as [y][x].
inline constexpr const char* kExchanged = "exchanged against";
/// Part of the schedule of a thread that is a turn of the loop ahead of another.
inline constexpr const char* kNextTurn = "has gone round the loop";
/// Part of the fix of a loop in which nothing makes threads wait.
inline constexpr const char* kEndOfTurn = "where a turn of the loop ends";

launch::Finding race_finding(const Race& race, const Places& places);

}  // namespace labkit::observe
