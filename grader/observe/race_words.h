// A race as a finding, in compute-sanitizer's wording, with a schedule that shows it and the fix in a line.
#pragma once
#include "observe/places.h"
#include "observe/races.h"

namespace labkit::observe {

launch::Finding race_finding(const Race& race, const Places& places);

}  // namespace labkit::observe
