// A class as a course has it, with results as the kit writes them, without grading anything: for tests
// of the pages and for looking at them.
#pragma once
#include <filesystem>
#include <vector>

#include "class/gradebook/gradebook.h"
#include "grade/manifest.h"

namespace labkit::course {

struct LargeClass {
  std::size_t students = 200;
  std::size_t labs = 6;  ///< beyond the kit's own they are copies of its last
  /// Results of the kit's solutions, <lab>-<correct|wrong>-<name>.json as `labkit grade --json` wrote
  /// them; empty: made up from each solution's declared verdict.
  std::filesystem::path results;
};

/// The labs of such a class.
std::vector<grade::Manifest> labs_of(const LargeClass& large);
/// Puts students, submissions, results and decisions into the gradebook. Everybody submits one of the
/// kit's solutions, right or wrong; some are late, missing, unreadable, undecided or not graded.
/// The same for the same arguments.
void fill(Gradebook& book, const LargeClass& large);

/// One result made up: a submission of `source` that gets `verdict` ("pass", "race", "gate ratio").
std::string made_result(const grade::Manifest& lab, const std::string& file,
                        const std::string& source, const std::string& verdict, unsigned variant);

}  // namespace labkit::course
