// What leaves for other programs: the grades as a sheet, the LMSs' own upload formats, Gradescope's
// results, JUnit. Everything here is text made from plain data; nothing is written to disk.
//
// A blank grade stays blank everywhere: an upload never sets what was not graded. Cells with text from
// students cannot become formulas (csv.h).
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "class/intake/intake.h"
#include "class/policy/policy.h"
#include "class/publish/csv.h"
#include "class/publish/review.h"
#include "grade/manifest.h"
#include "grade/result.h"

namespace labkit::course {

/// All that exports draw on. `grades` are sorted by student, then lab, as grade_all() gives them.
struct Report {
  std::vector<Student> students;
  std::vector<Grade> grades;
  std::vector<Submission> submissions;  ///< without sources; for what the LMS calls them
  Policy policy;
  std::vector<ReviewCase> review;  ///< what waits for a teacher

  const Grade* find(const std::string& student, const std::string& lab) const;
  /// "ana (García, Ana)", of an id.
  std::string shown(const std::string& student) const;
  const Submission* submission(const std::string& student, const std::string& lab) const;
  /// Labs that anybody was graded in or submitted, in the order of `all`.
  std::vector<const grade::Manifest*> labs(const std::vector<grade::Manifest>& all) const;
};
/// `labs`: for the maximum of what was never graded.
Report make_report(const Gradebook& book, const Policy& policy,
                   const std::vector<grade::Manifest>& labs);

/// A result as the gradebook keeps it, but of the file's path the name alone: for students' eyes. Throws labkit::Error
/// naming `name` if the text is no result.
grade::LabResult stored_result(const std::string& json, const std::string& name);

/// A line a student: id, name, keys of the LMS, and for each lab points, maximum, verdict, days late
/// and what was taken off; then the total, whether a teacher should look (anything of Report::review), and notes. With a byte
/// order mark if any name is not ASCII.
std::string grades_csv(const Report& report, const std::vector<grade::Manifest>& labs);

struct Upload {
  std::string text;
  std::vector<std::string> notes;  ///< for the teacher: who is not in it, what was scaled
};

/// Canvas's gradebook import. With the gradebook that Canvas exported, its columns named after labs
/// are filled in and points are scaled to its "Points Possible"; without, the least that Canvas takes,
/// for students whose Canvas ID is known. Throws labkit::Error if the gradebook has no column of any
/// lab, or no "ID".
Upload canvas_csv(const Report& report, const std::vector<grade::Manifest>& labs,
                  const std::optional<Csv>& exported = std::nullopt,
                  const std::string& exported_name = "the gradebook");

/// Moodle's offline grading worksheet of one assignment. With the worksheet that Moodle gave, its
/// grade column is filled in (found by its header in several languages, or `grade_column`) and
/// points are scaled to its maximum; without, one in English. Throws labkit::Error if a column is
/// not found.
Upload moodle_csv(const Report& report, const grade::Manifest& lab,
                  const std::optional<Csv>& worksheet = std::nullopt,
                  const std::string& worksheet_name = "the worksheet",
                  std::string_view grade_column = {});

/// What one assignment of Gradescope asks for: each has results of its own.
struct GradescopeAssignment {
  std::string name;  ///< "lab3", "lab1+lab3": for a folder
  std::vector<std::string> labs;
};
/// Those that Gradescope's downloads were for.
std::vector<GradescopeAssignment> gradescope_assignments(const std::vector<Root>& roots,
                                                         const std::vector<grade::Manifest>& labs);

/// One graded lab of one student for Gradescope.
struct GradescopeItem {
  Grade grade;
  std::string json;  ///< the LabResult; "" if there is none
};
/// results.json. Throws labkit::Error if any item has no points: a result that Gradescope would read as
/// zero must not be written.
std::string gradescope_results(const std::vector<GradescopeItem>& items);

/// JUnit XML of the class: a suite a student, a case a test of a lab. Missing, excused, waiting,
/// undecided and what has points by decision alone are skipped; what is our fault is an error. `labs`: for results that were scored again
/// since.
std::string junit_xml(const Report& report, const Gradebook& book,
                      const std::vector<grade::Manifest>& labs = {});

}  // namespace labkit::course
