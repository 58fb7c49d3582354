// From what was measured to what counts: lateness, the teacher's decisions, and what stays blank.
// The file that says so is TOML; sample_policy() has every key with what it means.
//
// What is our fault, undecided or unreadable is blank and to be reviewed, never zero.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "class/gradebook/gradebook.h"

namespace labkit::course {

/// "87.5", "100": at most so many digits behind the point, none for nothing.
std::string points_text(double points, int decimals = 2);
/// "2 days", "1 day", "0.5 days"
std::string days_text(double days, int decimals = 2);
/// "77.5 points", "2 days late", "excused", "regrade request"
std::string decided_text(const Decision& decision, int decimals = 2);

struct LatePolicy {
  double percent_per_day = 0;
  std::int64_t grace_seconds = 0;
  std::optional<double> close_after_days;
  double unknown_days = 1;
};

struct Policy {
  LatePolicy late;
  std::map<std::string, std::int64_t> due;  ///< lab -> seconds since 1970; of assignments.toml
  std::map<std::string, std::int64_t> zone_seconds;  ///< its zone's, ahead of UTC
  /// Lab and Moodle's number of a participant -> a due time of that one's, by the worksheet.
  std::map<std::pair<std::string, std::string>, std::int64_t> extended_to;
  std::map<std::string, double> weights;  ///< lab -> how often it counts in the total; else 1
  unsigned drop_lowest = 0;               ///< so many labs of each student are not in the total
  bool missing_is_zero = false;
};
/// Throws labkit::Error naming `name`, the line and the fix: unknown keys, wrong types, values out
/// of range, a due time without a zone.
Policy parse_policy(std::string_view toml, const std::string& name);

struct Grade {
  /// Where a student's lab stands. Each has one, so that the counts of a lab sum up to the class.
  enum class State : std::uint8_t {
    pass,
    not_pass,
    too_late,       ///< so late that nothing counts
    inconclusive,   ///< a GPU could not decide
    not_graded,     ///< our fault
    unreadable,     ///< what was submitted could not be read
    waiting,        ///< not graded yet
    missing,        ///< nothing was submitted
    maybe_missing,  ///< nothing of this lab, but something may be it (Entry::perhaps)
    excused,
    decided,  ///< of place() alone
  };
  std::string student, lab;
  State state = State::missing;
  bool submitted = false;          ///< whatever became of it
  std::optional<double> points;    ///< what counts; nullopt: blank
  double measured = 0;             ///< points and bonus before lateness and decisions
  double max_points = 0;           ///< without bonus; 0 if not known
  double late_days = 0;            ///< days begun after the due time
  double taken_off = 0;            ///< for lateness
  bool decided = false;            ///< the teacher set the points
  bool review = false;             ///< what blocks it wants a teacher's eye (review_cases())
  std::string verdict;             ///< of the lab, "too late", "decided", or the state's name
  std::string measured_verdict;    ///< of the lab as it was graded; "" if it was not
  std::vector<std::string> notes;  ///< whoever gets the grade may read them
  std::vector<std::string> teachers_notes;  ///< paths, machines; who decided
  std::string comment;                      ///< a teacher's, for the student; or ""

  bool has_result() const { return state <= State::too_late; }
  /// As it is counted: whatever was measured, a teacher set the points.
  State place() const { return decided ? State::decided : state; }
};
/// "pass", "not pass", ...: also the title of a column.
const char* grade_state_name(Grade::State state);
/// Verdicts of what was graded so late that nothing counts, and of what has points by decision alone.
inline constexpr const char *kTooLateVerdict = "too late", *kDecidedVerdict = "decided";
/// For what only teachers read.
std::vector<std::string> all_notes(const Grade& grade);

/// Of all decisions about one grade those that count; null where there is none.
struct DecisionsThatCount {
  const Decision *points = nullptr, *late_days = nullptr, *excused = nullptr;
  const Decision* comment = nullptr;  ///< feedback
  const Decision* regrade = nullptr;  ///< a request that is open
  const Decision* answer = nullptr;   ///< to the last request, where the grade stayed
  /// The one that makes the grade what it is, null if none does: an excuse leaves no points to speak of, and points that
  /// were decided no lateness. Students are shown this one and no other; the rest is between teachers.
  const Decision* holds() const {
    if (excused) return excused;
    return points ? points : late_days;
  }
};
DecisionsThatCount decisions_that_count(const std::vector<Decision>& decisions);

/// By the LMS's download, else by its worksheet (not of a group: its number is no participant's); nullopt if neither says when.
std::optional<std::int64_t> submitted_at(const Entry& entry, const Policy& policy);
Grade grade(const Entry& entry, const Policy& policy);

struct Total {
  std::optional<double> points;  ///< nullopt: no lab has points
  double max_points = 0;         ///< of the labs that count
  /// "lab3: 20 of 100, not counted (among the lowest 1)", a lab each; none where all count once.
  std::vector<std::string> how;
};
/// `grades` are one student's. What is blank does not count, and at least one lab that has points does.
Total total_of(std::span<const Grade> grades, const Policy& policy);

std::vector<Grade> grade_all(const std::vector<Entry>& entries, const Policy& policy);

// ---- How far a class is, counted once for the terminal and the class's page

/// What there is to grade, whatever came out.
struct ClassCount {
  std::size_t to_grade = 0, graded = 0, waiting = 0;
  std::size_t not_graded = 0;       ///< our fault, after the last attempt, and nobody decided
  std::size_t undecided = 0;        ///< graded, but a GPU could not decide
  std::int64_t last_result_at = 0;  ///< seconds since 1970; 0: none
};
ClassCount count(const std::vector<Entry>& entries);
/// Our fault, and no teacher's decision has ended what is to be reported of it.
bool is_in_trouble(const Entry& entry);

/// TOML with every key of policy.h and what it means. What stands in it as it is, is what holds without
/// any policy; lines with a key behind a # show another choice.
const char* sample_policy();

}  // namespace labkit::course
