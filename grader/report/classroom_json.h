// What GitHub Classroom's reporter takes from a grading step, as JSON (its output `result` is the base64 of this):
//   {"version": 1, "status": "pass|fail|error", "max_score": 100,
//    "tests": [{"name", "status", "score", "message", "test_code", "filename", "line_no", "duration"}]}
// It sums `score` over the tests, and its table in the log counts those that passed; so each test of a lab is one of its tests.
#pragma once
#include <string>
#include <vector>

#include "grade/result.h"

namespace labkit::report {

/// One entry for each test of each lab, in order; what a verdict before any test says stands at each. A bonus test that was
/// not attempted is left out, and bonus points are on top of max_score. What a GPU left undecided is an "error", never a failure.
std::string classroom_json(const std::vector<grade::LabResult>& results);

}  // namespace labkit::report
