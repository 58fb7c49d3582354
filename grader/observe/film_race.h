// Which order of the steps shows a race.
#pragma once
#include "launch/launch.h"
#include "observe/film.h"

namespace labkit::observe {

/// An access of its kind to its place, at one of its lines or at one that is not known (of this build; of another it may be).
bool is_of_race(const FilmStep& step, const launch::Finding& race);

/// Of such a step whose line is not known.
launch::SourceLine line_of_race(const FilmStep& step, const launch::Finding& race);

/// Finds the two steps that race and puts them into the order that shows it; without them the film stays as it is.
void show_race(Film& film, const launch::Finding& race);

}  // namespace labkit::observe
