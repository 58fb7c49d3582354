// What waits for a teacher.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <variant>

#include "base/error.h"
#include "base/text.h"
#include "class/publish/exports.h"

namespace labkit::course {

namespace {

using Kind = ReviewCase::Kind;

bool is_late_by_unknown_days(const Entry& entry, const Grade& grade, const Policy& policy) {
  if (!entry.submission.late || grade.decided || grade.state == Grade::State::excused) return false;
  if (policy.due.contains(entry.lab) && entry.submission.submitted_at) return false;
  return decisions_that_count(entry.decisions).late_days == nullptr;
}

/// Whether a teacher has set the points of the lab that the remark is about.
bool is_decided(const std::vector<Entry>& entries, const Remark& remark) {
  for (const Entry& entry : entries) {
    if (entry.student != remark.student || remark.lab != entry.lab) continue;
    const DecisionsThatCount decisions = decisions_that_count(entry.decisions);
    return decisions.points || decisions.excused;
  }
  return false;
}

using Source = std::variant<std::monostate, Grade::State, Remark::Kind>;

struct Section {
  Kind kind;
  const char *name, *advice;  ///< KIT: how the program is called
  Source source = {};         ///< grades of this state, or remarks of this kind
};
constexpr Section kSections[] = {
    {Kind::regrade, "regrade request",
     "Decide (KIT class set DIR STUDENT LAB --points N --reason \"...\"), or answer: "
     "--regrade-done --reason \"...\""},
    {Kind::not_graded, "not graded", "Blank, not zero. `KIT class grade` tries again.",
     Grade::State::not_graded},
    {Kind::inconclusive, "inconclusive", "Blank, not zero. `KIT class grade` measures again.",
     Grade::State::inconclusive},
    {Kind::unreadable, "unreadable",
     "Blank. Ask for it again, or decide: KIT class set DIR STUDENT LAB --points 0 --reason "
     "\"...\"",
     Grade::State::unreadable},
    {Kind::maybe_missing, "missing?",
     "Blank although missing work is zero: somebody has to look first.",
     Grade::State::maybe_missing},
    {Kind::again, "grade again",
     "Grading it again, or today's points and limits, came to nothing, and the earlier grade "
     "stays. "
     "`KIT class grade` tries again."},
    {Kind::late, "late, by how much?",
     "Correct it with: KIT class set DIR STUDENT LAB --late-days 2 --reason \"...\""},
    {Kind::several, "several files",
     "The one named most like the lab, or first in the alphabet, was graded. If another one was "
     "meant: rename it in the download, or KIT class set DIR STUDENT LAB --points N --reason "
     "\"...\"",
     Remark::Kind::several},
    {Kind::nobody, "no student", "None of them was graded.", Remark::Kind::nobody},
    {Kind::no_lab, "no lab", "None of them was graded.", Remark::Kind::no_lab},
    {Kind::refused, "refused", "Ask for it again, or download it again, and import it.",
     Remark::Kind::refused},
    {Kind::roster, "roster", "", Remark::Kind::roster},
};
const Section& section_of(Kind kind) { return *std::ranges::find(kSections, kind, &Section::kind); }

std::optional<Kind> kind_of(Source source) {
  const auto found = std::ranges::find(kSections, source, &Section::source);
  return found == std::end(kSections) ? std::nullopt : std::optional(found->kind);
}

std::optional<Kind> kind_of(const Grade& grade) {
  if (!grade.review) return std::nullopt;
  return kind_of(Source(grade.state)).value_or(Kind::again);
}

}  // namespace

const char* review_name(ReviewCase::Kind kind) { return section_of(kind).name; }
std::string review_advice(ReviewCase::Kind kind) {
  return replace_all(section_of(kind).advice, "KIT", command_name());
}

std::vector<ReviewCase> review_cases(const std::vector<Entry>& entries,
                                     const std::vector<Grade>& grades, const Policy& policy,
                                     const std::vector<Remark>& remarks) {
  std::vector<ReviewCase> cases;
  std::set<std::pair<std::string, std::string>> told;  // with the grade that is blank for it
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Entry& entry = entries[i];
    const Grade& grade = grades.at(i);
    if (!entry.submission.problem.empty()) told.insert({entry.student, entry.submission.path});
    ReviewCase one{
        .student = entry.student, .lab = entry.lab, .path = entry.submission.path, .why = {}};
    if (const Decision* asked = decisions_that_count(entry.decisions).regrade) {
      cases.push_back(one);
      cases.back().kind = Kind::regrade;
      cases.back().why = asked->reason;
    }
    if (const auto kind = kind_of(grade)) {
      one.kind = *kind;
      one.why = *kind == Kind::not_graded && entry.job ? entry.job->message
                                                       : joined(all_notes(grade), "; ");
    } else if (is_late_by_unknown_days(entry, grade, policy)) {
      one.kind = Kind::late;
      one.why = fmt::format("marked late without a time; counted as {} until you decide",
                            days_text(grade.late_days) + " late");
    } else {
      continue;
    }
    cases.push_back(std::move(one));
  }
  for (const Remark& remark : remarks) {
    const auto kind =
        kind_of(Source(remark.kind == Remark::Kind::unread ? Remark::Kind::refused : remark.kind));
    if (remark.kind == Remark::Kind::several && is_decided(entries, remark)) continue;
    if (kind && !told.contains({remark.student, remark.path}))
      cases.push_back({*kind, remark.student, "", remark.path, text_of(remark)});
  }
  std::ranges::stable_sort(cases, {}, &ReviewCase::kind);
  return cases;
}

std::set<std::string> to_review(const std::vector<ReviewCase>& cases) {
  std::set<std::string> students;
  for (const ReviewCase& one : cases)
    if (!one.student.empty()) students.insert(one.student);
  return students;
}

std::vector<Decision> decided_cases(const std::vector<Entry>& entries) {
  std::vector<Decision> cases;
  for (const Entry& entry : entries) {
    const DecisionsThatCount decisions = decisions_that_count(entry.decisions);
    for (const Decision* one :
         {decisions.excused ? nullptr : decisions.points, decisions.late_days, decisions.excused})
      if (one) cases.push_back(*one);
  }
  return cases;
}

}  // namespace labkit::course
