// What waits for a teacher, case by case: Report::review, which grades.csv, the class's page, review.txt
// and the end of a run all draw on, so that they say the same. What a teacher has decided is no case any
// more.
#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "class/policy/policy.h"
#include "class/similar/similar.h"

namespace labkit::course {

struct Report;  // exports.h

struct ReviewCase {
  /// In the order in which they matter: what blocks a grade comes first.
  enum class Kind : std::uint8_t {
    not_graded,  ///< our fault
    again,       ///< what counts is of before: newer work or points could not be applied
    inconclusive,
    unreadable,
    maybe_missing,  ///< would be zero, but something of the student was refused
    several,        ///< files of one submission of which only their names say which to grade
    nobody,
    no_lab,
    refused,
    roster,
    late,  ///< has a grade, with as many days as the policy guesses
  };
  Kind kind = Kind::not_graded;
  std::string student;  ///< id; "" for a file that belongs to nobody
  std::string lab;      ///< "" if it is about none
  std::string path;     ///< of the file, or ""
  std::string why;      ///< may be ""
};
/// "not graded", "late, by how much?", ...
const char* review_name(ReviewCase::Kind kind);
/// Sorted by kind, then as entries and remarks come. `grades` are those of `entries`, in their order.
std::vector<ReviewCase> review_cases(const std::vector<Entry>& entries,
                                     const std::vector<Grade>& grades, const Policy& policy,
                                     const std::vector<Remark>& remarks);
/// Ids of the students whom any case is about.
std::set<std::string> to_review(const std::vector<ReviewCase>& cases);

/// A decision that counts, for the list of them.
struct DecidedCase {
  std::string student, lab;
  std::string what;  ///< "77.5 points", "excused", "2 days late"
  std::string reason, by, note;
};
std::vector<DecidedCase> decided_cases(const std::vector<Entry>& entries);

/// The report's cases first, counted; then what is good to know beside that: who is missing, who is alike, what
/// `uploads` have to say (a sentence each), what was decided.
std::string review_text(const Report& report, const std::vector<Entry>& entries,
                        const std::vector<Remark>& remarks,
                        const std::vector<SimilarGroup>& similar,
                        const std::vector<SameSource>& same,
                        const std::vector<std::string>& uploads);

}  // namespace labkit::course
