// What leaves for other programs: the grades as a sheet, the LMSs' own upload formats, Gradescope's
// results. Everything here is text made from plain data; nothing is written to disk.
//
// A blank grade stays blank everywhere: an upload never sets what was not graded. Cells with text from
// students cannot become formulas (csv.h).
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/csv.h"
#include "class/intake/intake.h"
#include "class/policy/policy.h"
#include "grade/manifest.h"
#include "grade/result.h"

namespace labkit::course {

/// What waits for a teacher, case by case. grades.csv, the class's page and the end of a run all draw on
/// Report::review, so that they say the same. What a teacher has decided is no case any more.
struct ReviewCase {
  std::size_t rank = 0;  ///< what blocks a grade comes first
  std::string what;      ///< "not graded", "late, by how much?"
  std::string advice;    ///< what to do about it; may be ""
  std::string student;   ///< id; "" for a file that belongs to nobody
  std::string lab;       ///< "" if it is about none
  std::string path;      ///< of the file, or ""
  std::string why;       ///< may be ""
};
/// Sorted by rank, then as entries and remarks come. `grades` are those of `entries`, in their order.
std::vector<ReviewCase> review_cases(const std::vector<Entry>& entries,
                                     const std::vector<Grade>& grades, const Policy& policy,
                                     const std::vector<Remark>& remarks);
std::set<std::string> to_review(const std::vector<ReviewCase>& cases);

/// All that exports draw on. Entries and grades are sorted by student, then lab.
struct Report {
  std::vector<Student> students;
  std::vector<Entry> entries;
  std::vector<Grade> grades;  ///< of them
  Policy policy;
  std::vector<ReviewCase> review;         ///< what waits for a teacher
  std::vector<std::string> uploads = {};  ///< sentences about what is not in them

  const Grade* find(const std::string& student, const std::string& lab) const;
  Total total(const std::string& student) const;
  const Entry* entry(const std::string& student, const std::string& lab) const;
  /// Labs that anybody was graded in or submitted, in the order of `all`.
  std::vector<const grade::Manifest*> labs(const std::vector<grade::Manifest>& all) const;
};
/// `labs`: for the maximum of what was never graded.
Report make_report(const Gradebook& book, const Policy& policy,
                   const std::vector<grade::Manifest>& labs, View view = View::shown);

/// A line a student: id, name, keys of the LMS, and for each lab points, maximum, verdict, days late
/// and what was taken off; then the total, whether a teacher should look (anything of Report::review), and notes.
std::string grades_csv(const Report& report, const std::vector<grade::Manifest>& labs);

struct Upload {
  std::string text;
  std::vector<std::string> notes;  ///< for the teacher: who is not in it, what was scaled
  std::size_t columns = 0;         ///< of labs
  /// Whether Canvas's export excuses a student from a lab, where it has both.
  std::map<std::pair<std::string, std::string>, bool> excused = {};
};

/// Canvas's gradebook import. With the gradebook that Canvas exported, its columns named after labs are filled in and points
/// are scaled to its "Points Possible"; a column that names several labs has their sum. Without, the least that Canvas takes,
/// for students whose Canvas ID is known. Throws labkit::Error if it has no "ID".
Upload canvas_csv(const Report& report, const std::vector<grade::Manifest>& labs,
                  const std::optional<Csv>& exported = std::nullopt,
                  const std::string& exported_name = "the gradebook");

/// Moodle's offline grading worksheet of one assignment, the sum of `labs`. In the one that Moodle gave, in whatever language, the grades are
/// filled in, scaled to its maximum; without, one in English. Throws labkit::Error if it does not tell where grades or participants are.
Upload moodle_csv(const Report& report, const std::vector<const grade::Manifest*>& labs,
                  const std::optional<Csv>& worksheet = std::nullopt,
                  const std::string& worksheet_name = "the worksheet");

/// Those of `labs` that a title or a file's name speaks of.
std::vector<const grade::Manifest*> labs_named(const std::vector<grade::Manifest>& labs,
                                               const std::string& name);

struct MoodleTimes {
  std::map<std::string, std::int64_t> submitted_at;  ///< by the participant's number
  std::map<std::string, std::int64_t> extended_to;   ///< the same: due times of their own
  std::string unread;  ///< the last that is in no language known here; ""
};
/// By the clock of the worksheet's user, as if it were UTC.
MoodleTimes moodle_times(const Csv& worksheet);

struct GradescopeItem {
  Grade grade;
  std::string json;  ///< the LabResult; "" if there is none
};
/// results.json. Throws labkit::Error if any item has no points: a result that Gradescope would read as zero must not be written.
std::string gradescope_results(const std::vector<GradescopeItem>& items);

}  // namespace labkit::course
