// Results for learning systems that start the grader themselves, each in the JSON that its documentation asks for. They list the
// same rows, as Gradescope's does (class/publish/exports.h). A bonus adds to the points; where a system refuses more than its
// maximum, up to that.
#pragma once
#include <string>
#include <vector>

#include "grade/result.h"

namespace labkit::report {

/// A test as learning systems list it.
struct TestRow {
  std::string name;  ///< "lab3 Transpose.Graded"
  grade::Verdict verdict;
  double points = 0, max_points = 0;
  std::string text;  ///< what is wrong and what to do; of a test that passed, what it is about
};
std::vector<TestRow> test_rows(const grade::LabResult& lab);
/// Why not one test of the lab ran: it does not compile, the file is missing. Empty if one ran.
std::string why_nothing_ran(const grade::LabResult& lab);

/// Whose submission it is, as Classroom 50's runner says.
struct Classroom50Submission {
  std::string classroom, assignment, tag, commit_url, release_url, review_url;
  std::string time;  ///< "2026-06-01T14:32:05Z"
};
/// classroom50/result/v1 (https://github.com/foundation50/classroom50/wiki/Advanced-Autograding), with "message" at each test.
/// Its points are whole numbers.
std::string classroom50_json(const std::vector<grade::LabResult>& results,
                             const Classroom50Submission& submission);

/// results.json of PrairieLearn's external graders (https://docs.prairielearn.com/externalGrading/): less than 1 MB, `score`
/// from 0 to 1. Where no test ran, "gradable" is false, and the student keeps the attempt.
std::string prairielearn_json(const std::vector<grade::LabResult>& results);

/// The last line of stdout for Autolab (https://docs.autolabproject.com/lab/): {"scores":{"lab3":60}}, a problem for each lab.
std::string autolab_line(const std::vector<grade::LabResult>& results);

}  // namespace labkit::report
