// A class and its results as tests want them, without grading anything.
#pragma once
#include <string>
#include <vector>

#include "class/gradebook/gradebook.h"

namespace labkit::course {

/// Students "s0", "s1", ... who submitted all of `labs`, each another source; all in one download.
Intake made_class(std::size_t students, const std::vector<std::string>& labs);
/// The simulator, seed 1, every lab of the kit's ids.
Conditions made_conditions();
/// What "grading" a job gives: 100 points for s0, s2, ..., a gate missed and 60 for the others, and
/// a text of a few kilobytes. The same for the same job.
Outcome made_outcome(const Job& job);
/// Of what counts; "" if there is nothing.
std::string source_of(const Gradebook& book, const std::string& student, const std::string& lab);
/// Grades until nothing waits; how many jobs.
std::size_t grade_all(Gradebook& book);

}  // namespace labkit::course
