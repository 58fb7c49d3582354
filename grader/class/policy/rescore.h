// Other points or gates, the same measurements: a stored result scored again without running anything.
//
// A result holds each graded test's figures. What lab.toml says of points, bonus and gates is applied
// to them; what a test found otherwise (a race, a wrong result) stays. Where a figure is not there,
// or a test is new, the lab must be graded again, and nothing is guessed.
//
// A ratio that was measured on a GPU was held against the limit of that GPU, not of lab.toml; its decision stays.
//
// The result that was scored again takes the place of the one before: there is one verdict. Its receipt says what it was.
#pragma once
#include <string>
#include <vector>

#include "class/gradebook/gradebook.h"
#include "grade/manifest.h"
#include "grade/result.h"

namespace labkit::course {

/// What a job's measurements depend on: check.cpp, and lab.toml without what is only scored with or
/// said (points, bonus, gates, title, idea, reference, about). SHA-256, hexadecimal.
std::string measurement_hash(const grade::Manifest& lab);
/// The result under the points and gates of now; or why it must be graded again.
struct Rescored {
  grade::LabResult result;
  std::string note;  ///< "" if it need not
};
Rescored rescore(grade::LabResult result, const grade::Manifest& lab);

/// Every result that counts. What cannot be scored from what was measured is marked to be graded again: "ana, lab3".
std::vector<std::string> rescore_all(Gradebook& book, const std::vector<grade::Manifest>& labs);

}  // namespace labkit::course
