// What waits for a teacher, and review.txt.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <variant>

#include "base/error.h"
#include "base/text.h"
#include "class/publish/exports.h"
#include "report/style.h"

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

/// In the order of the sections of review.txt.
struct Section {
  Kind kind;
  const char *name, *heading, *advice;  ///< KIT: how the program is called
  Source source = {};                   ///< grades of this state, or remarks of this kind
};
constexpr Section kSections[] = {
    {Kind::regrade, "regrade request", "Regrade requests",
     "Decide (KIT class set DIR STUDENT LAB --points N --reason \"...\"), or answer: "
     "--regrade-done --reason \"...\""},
    {Kind::not_graded, "not graded", "Not graded: a fault of the kit or the machine",
     "Blank, not zero. `KIT class grade` tries again.", Grade::State::not_graded},
    {Kind::inconclusive, "inconclusive", "Inconclusive: a GPU was too noisy to decide",
     "Blank, not zero. `KIT class grade` measures again.", Grade::State::inconclusive},
    {Kind::unreadable, "unreadable", "Submitted, but unreadable",
     "Blank. Ask for it again, or decide: KIT class set DIR STUDENT LAB --points 0 --reason "
     "\"...\"",
     Grade::State::unreadable},
    {Kind::maybe_missing, "missing?", "Perhaps not missing",
     "Blank although missing work is zero: somebody has to look first.",
     Grade::State::maybe_missing},
    {Kind::again, "grade again", "The earlier grade stays",
     "Grading it again, or today's points and limits, came to nothing. `KIT class grade` "
     "tries again."},
    {Kind::late, "late, by how much?", "Late, and the LMS does not say by how much",
     "Correct it with: KIT class set DIR STUDENT LAB --late-days 2 --reason \"...\""},
    {Kind::several, "several files", "Several files for one lab",
     "The one named most like the lab, or first in the alphabet, was graded. If another one was "
     "meant: rename it in the download, or KIT class set DIR STUDENT LAB --points N --reason "
     "\"...\"",
     Remark::Kind::several},
    {Kind::nobody, "no student", "Files not matched to a student", "None of them was graded.",
     Remark::Kind::nobody},
    {Kind::no_lab, "no lab", "Files for no lab that was set", "None of them was graded.",
     Remark::Kind::no_lab},
    {Kind::refused, "refused", "Files that cannot be read",
     "Ask the student for it again, or download it again, and import it.", Remark::Kind::refused},
    {Kind::roster, "roster", "The roster", "", Remark::Kind::roster},
};

std::optional<Kind> kind_of(Source source) {
  const auto found = std::ranges::find(kSections, source, &Section::source);
  return found == std::end(kSections) ? std::nullopt : std::optional(found->kind);
}

std::optional<Kind> kind_of(const Grade& grade) {
  if (!grade.review) return std::nullopt;
  return kind_of(Source(grade.state)).value_or(Kind::again);
}

}  // namespace

const char* review_name(ReviewCase::Kind kind) {
  return std::ranges::find(kSections, kind, &Section::kind)->name;
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
    if (!entry.unread_newer.empty() && grade.review)
      told.insert({entry.student, entry.unread_path});
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

namespace {

/// Lines under a heading; "" if there are none.
std::string section(const std::string& heading, const std::string& advice,
                    const std::vector<std::string>& items) {
  if (items.empty()) return {};
  std::string text = fmt::format("\n{} ({})\n", heading, items.size());
  if (!advice.empty()) text += replace_all(advice, "KIT", command_name()) + "\n";
  std::set<std::string> told;
  for (std::string item : items) {
    if (!told.insert(item).second) continue;
    if (const auto times = std::ranges::count(items, item); times > 1)
      item += fmt::format(" ({} times)", times);
    std::ranges::replace_if(
        item, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
    text += "  - " + report::printable(item) + "\n";
  }
  return text;
}

/// A sentence ends once.
std::string sentence(std::string text) {
  while (!text.empty() && (text.back() == '.' || text.back() == ' ')) text.pop_back();
  return text + ".";
}

/// "s0 (Ana), lab1: why."
std::string case_line(const ReviewCase& one, const Report& report) {
  std::string line = one.student.empty() ? "" : report.shown(one.student);
  const std::string& about = one.lab.empty() ? one.path : one.lab;
  if (!about.empty()) line += (line.empty() ? "" : ", ") + about;
  return one.why.empty() ? line : line + ": " + sentence(one.why);
}

}  // namespace

std::string review_text(const Report& report, const std::vector<Remark>& remarks,
                        const std::vector<std::string>& uploads) {
  std::string text = report.review.empty() ? "To review: nothing.\n"
                                           : fmt::format("To review: {}. DIR is this folder.\n",
                                                         report.review.size());
  for (const Section& one : kSections) {
    std::vector<std::string> lines;
    for (const ReviewCase& each : report.review)
      if (each.kind == one.kind) lines.push_back(case_line(each, report));
    text += section(one.heading, one.advice, lines);
  }
  std::vector<std::string> about_uploads, also;
  for (const std::string& one : uploads) about_uploads.push_back(sentence(one));
  for (const Remark& one : remarks)
    if (one.kind == Remark::Kind::also) also.push_back(sentence(one.path + ": " + one.text));
  const std::string beside =
      section("Uploads", "", about_uploads) +
      section("Not graded, because it was not set (and how many students changed it)", "", also);
  return text + (beside.empty() ? "" : "\n---- For information ----\n" + beside) +
         "\nWho is missing, who is alike and what was decided: see index.html.\n";
}

}  // namespace labkit::course
