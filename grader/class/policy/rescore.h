// Other points or gates, the same measurements: a stored result scored again without running
// anything.
//
// A result holds each graded test's figures. What lab.toml says of points, bonus and gates is applied
// to them; what a test found otherwise (a race, a wrong result) stays. Where a figure is not there,
// or a test is new, the lab must be graded again, and the score says so instead of guessing.
//
// A ratio that was measured on a GPU was held against the limit of that GPU, not of lab.toml; its
// decision stays.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "class/gradebook/gradebook.h"
#include "grade/manifest.h"

namespace labkit::course {

/// What a job's measurements depend on: check.cpp, and lab.toml without what is only scored with or
/// said (points, bonus, gates, title, idea, reference, about). SHA-256, hexadecimal.
std::string measurement_hash(const grade::Manifest& lab);
/// The points, bonus flags and gates.
std::string scoring_hash(const grade::Manifest& lab);

/// `json` is one LabResult; keys it does not know do not matter. Throws labkit::Error if it is none.
Rescored rescore(const std::string& json, const grade::Manifest& lab);

/// The stored result as it reads under the points and gates of now: points, maximum and verdict of
/// each test and of the whole; figures and what was found stay. Throws as rescore() does.
std::string rescored_json(const std::string& json, const grade::Manifest& lab);
/// The result that counts for an entry, as graded or as scored since; "" if there is none.
std::string result_that_counts(const Gradebook& book, const Entry& entry,
                               const std::vector<grade::Manifest>& labs);

struct RescoredClass {
  std::vector<std::string>
      changed;  ///< "ana lab3: 75 -> 100, pass", of scores that differ from before
  std::vector<std::pair<std::string, std::string>>
      grade_again;  ///< student, lab: cannot be rescored
};
/// Every result that counts, and keeps the scores that differ in the gradebook.
RescoredClass rescore_all(Gradebook& book, const std::vector<grade::Manifest>& labs);

}  // namespace labkit::course
