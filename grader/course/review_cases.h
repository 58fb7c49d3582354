// What waits for a teacher, case by case: the class's page and review.txt list these and no others, so
// that both, and the end of a run, count the same. What a teacher has decided is no case any more.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "course/exports.h"

namespace labkit::course {

struct ReviewCase {
  /// In the order in which they matter: what blocks a grade comes first.
  enum class Kind : std::uint8_t {
    not_graded,  ///< our fault
    again,       ///< what counts is of before: newer work or points could not be applied
    inconclusive,
    unreadable,
    maybe_missing,  ///< would be zero, but something of the student was refused
    gone,           ///< from a download that is otherwise here again
    rivals,         ///< hand-ins of which only weak evidence says which is the newer
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
/// Sorted by kind, then as entries and remarks come. `entries` are those of `report`.
std::vector<ReviewCase> review_cases(const Report& report, const std::vector<Entry>& entries,
                                     const std::vector<Remark>& remarks);

/// A decision that counts, for the list of them.
struct DecidedCase {
  std::string student, lab;
  std::string what;  ///< "77.5 points", "excused", "2 days late"
  std::string reason, by, note;
};
std::vector<DecidedCase> decided_cases(const std::vector<Entry>& entries);

}  // namespace labkit::course
