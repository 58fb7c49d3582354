// The fix in a line for what the simulator itself stops a launch for; what the sanitizers find brings its own.
#pragma once
#include "launch/launch.h"
#include "observe/index_words.h"
#include "simt/machine.h"

namespace labkit::observe {

/// Sets the finding's fix, unless it has one. Refused launches and instructions have none: their evidence says what to do.
void add_fix(launch::Finding& finding, const simt::Program& program);

/// Puts another fix in place of the one that a value which nobody wrote was told with, where the program knows better: of a
/// variable in shared memory that is no array, and of an array that each thread fills by itself.
void refit_unwritten(launch::Finding& finding, const simt::Program& program);
/// Of a finding out of bounds.
IndexFacts index_facts(const launch::Finding& finding, const simt::Program& program);

}  // namespace labkit::observe
