// What `class grade` asks of its command line before anything is graded or kept.
#pragma once
#include <vector>

#include "class/commands/grade.h"
#include "class/gradebook/gradebook.h"
#include "class/intake/intake.h"
#include "grade/manifest.h"

namespace labkit::course {

/// Throws std::invalid_argument if an input or the roster is not there, or `out` lies inside of an input.
void require_inputs(const ClassGradeOptions& options);

/// Throws labkit::Error if `out` has what was made from a gradebook, but no gradebook or an empty one: a
/// new one in its place would be taken for all there is.
void require_gradebook_of(const std::filesystem::path& out);

/// Says what came in and throws std::invalid_argument if nothing of it is for the labs asked for: the
/// wrong file was named.
void require_something_of_the_labs(const Intake& intake, const ClassGradeOptions& options,
                                   const std::vector<lab::Manifest>& selected);

}  // namespace labkit::course
