// A race as a finding: its cause, what was seen with an order of the threads that shows it, and the fix.
#pragma once
#include "observe/places.h"
#include "observe/races.h"

namespace labkit::observe {

launch::Finding race_finding(const Race& race, const Places& places);

/// Races that one barrier fixes become one finding, that of the most distant threads, with that barrier.
void merge_races(std::vector<launch::Finding>& findings);

}  // namespace labkit::observe
