// What waits for a teacher.
#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "base/error.h"
#include "base/text.h"
#include "class/publish/exports.h"

namespace labkit::course {

namespace {

bool is_late_by_unknown_days(const Entry& entry, const Grade& grade, const Policy& policy) {
  if (!entry.submission.late || grade.decided || grade.state == Grade::State::excused) return false;
  if (policy.due.contains(entry.lab) && submitted_at(entry, policy)) return false;
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

enum class Other : std::uint8_t { regrade, older, again, late };
using Source = std::variant<Other, Grade::State, Remark::Kind>;

struct Section {
  Source source;              ///< grades of this state, remarks of this kind, or something else
  const char *name, *advice;  ///< KIT: how the program is called
};
/// What blocks a grade comes first.
constexpr Section kSections[] = {
    {Other::regrade, "regrade request",
     "Decide (KIT class set DIR STUDENT LAB --points N --reason \"...\"), or answer: "
     "--regrade-done --reason \"...\""},
    {Other::older, "decided before",
     "To keep the decision, enter it again. To grade what was submitted: KIT class set DIR STUDENT "
     "LAB --withdraw --reason \"...\""},
    {Grade::State::not_graded, "not graded", "Blank, not zero. `KIT class grade` tries again."},
    {Other::again, "grade again",
     "Grading it again, or today's points and limits, came to nothing, and the earlier grade "
     "stays. "
     "`KIT class grade` tries again."},
    {Grade::State::inconclusive, "inconclusive",
     "Blank, not zero. `KIT class grade` measures again."},
    {Grade::State::unreadable, "unreadable",
     "Blank. Ask for it again, or decide: KIT class set DIR STUDENT LAB --points 0 --reason "
     "\"...\""},
    {Grade::State::maybe_missing, "missing?",
     "Blank although missing work is zero: somebody has to look first."},
    {Remark::Kind::several, "several files",
     "Only names or the order of upload told which to grade. If another one was meant: rename it "
     "in the download, or KIT class set DIR STUDENT LAB --points N --reason \"...\""},
    {Remark::Kind::nobody, "no student", "None of them was graded."},
    {Remark::Kind::no_lab, "no lab", "None of them was graded."},
    {Remark::Kind::refused, "refused", "Ask for it again, or download it again, and import it."},
    {Remark::Kind::roster, "roster", ""},
    {Other::late, "late, by how much?",
     "Correct it with: KIT class set DIR STUDENT LAB --late-days 2 --reason \"...\""},
};
const Section* section_of(Source source) {
  const auto* found = std::ranges::find(kSections, source, &Section::source);
  return found == std::end(kSections) ? nullptr : found;
}

const Section* section_of(const Grade& grade) {
  if (!grade.review) return nullptr;
  const Section* found = section_of(Source(grade.state));
  return found ? found : section_of(Source(Other::again));
}

ReviewCase case_of(const Section* section, const Entry& entry, std::string why) {
  return {static_cast<std::size_t>(section - kSections),
          section->name,
          replace_all(section->advice, "KIT", command_name()),
          entry.student,
          entry.lab,
          entry.submission.path,
          std::move(why)};
}

}  // namespace

std::vector<ReviewCase> review_cases(const std::vector<Entry>& entries,
                                     const std::vector<Grade>& grades, const Policy& policy,
                                     const std::vector<Remark>& remarks) {
  std::vector<ReviewCase> cases;
  std::set<std::pair<std::string, std::string>> told;  // with the grade that is blank for it
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Entry& entry = entries[i];
    const Grade& grade = grades.at(i);
    if (!entry.submission.problem.empty()) told.insert({entry.student, entry.submission.path});
    if (const Decision* asked = decisions_that_count(entry.decisions).regrade)
      cases.push_back(case_of(section_of(Source(Other::regrade)), entry, asked->reason));
    if (const Decision* holds = decisions_that_count(entry.decisions).holds();
        holds && entry.submitted && holds->at < entry.came_at)
      cases.push_back(case_of(section_of(Source(Other::older)), entry,
                              fmt::format("\"{}\" was decided before this was submitted: {}",
                                          decided_text(*holds), holds->reason)));
    if (const Section* section = section_of(grade))
      cases.push_back(case_of(section, entry,
                              grade.state == Grade::State::not_graded && entry.job
                                  ? entry.job->message
                                  : joined(all_notes(grade), "; ")));
    else if (is_late_by_unknown_days(entry, grade, policy))
      cases.push_back(case_of(section_of(Source(Other::late)), entry,
                              fmt::format("marked late without a time; counted as {} late until "
                                          "you decide",
                                          days_text(grade.late_days))));
  }
  for (const Remark& remark : remarks) {
    const Section* section = section_of(
        Source(remark.kind == Remark::Kind::unread ? Remark::Kind::refused : remark.kind));
    if (remark.kind == Remark::Kind::several && is_decided(entries, remark)) continue;
    if (!section || told.contains({remark.student, remark.path})) continue;
    Entry about;  // a remark is about a student, and says itself about which lab
    about.student = remark.student;
    about.submission.path = remark.path;
    cases.push_back(case_of(section, about, text_of(remark)));
  }
  std::ranges::stable_sort(cases, {}, &ReviewCase::rank);
  return cases;
}

std::set<std::string> to_review(const std::vector<ReviewCase>& cases) {
  std::set<std::string> students;
  for (const ReviewCase& one : cases)
    if (!one.student.empty()) students.insert(one.student);
  return students;
}

}  // namespace labkit::course
