#include "class/publish/review_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "class/publish/exports.h"

namespace labkit::course {
namespace {

using Kind = ReviewCase::Kind;

bool is_late_by_unknown_days(const Entry& entry, const Grade& grade, const Policy& policy) {
  if (!entry.submission.late || grade.decided || grade.state == Grade::State::excused) return false;
  if (policy.due.contains(entry.lab) && entry.submission.submitted_at) return false;
  return decisions_that_count(entry.decisions).late_days == nullptr;
}

std::optional<Kind> kind_of(const Grade& grade) {
  if (!grade.review) return std::nullopt;
  switch (grade.state) {
    case Grade::State::not_graded:
      return Kind::not_graded;
    case Grade::State::inconclusive:
      return Kind::inconclusive;
    case Grade::State::unreadable:
      return Kind::unreadable;
    case Grade::State::maybe_missing:
      return Kind::maybe_missing;
    case Grade::State::graded:
    case Grade::State::excused:
    case Grade::State::missing:
    case Grade::State::waiting:
    case Grade::State::left_out:
      break;
  }
  return Kind::again;
}

std::optional<Kind> kind_of(Remark::Kind kind) {
  switch (kind) {
    case Remark::Kind::gone:
      return Kind::gone;
    case Remark::Kind::rivals:
      return Kind::rivals;
    case Remark::Kind::several:
      return Kind::several;
    case Remark::Kind::nobody:
      return Kind::nobody;
    case Remark::Kind::no_lab:
      return Kind::no_lab;
    case Remark::Kind::refused:
    case Remark::Kind::unread:
      return Kind::refused;
    case Remark::Kind::roster:
      return Kind::roster;
    case Remark::Kind::not_chosen:
    case Remark::Kind::left_alone:
    case Remark::Kind::times:
      break;
  }
  return std::nullopt;
}

/// Whether a teacher has set the points of the lab that the remark begins with.
bool is_decided(const std::vector<Entry>& entries, const Remark& remark) {
  for (const Entry& entry : entries) {
    if (entry.student != remark.student || !remark.text.starts_with(entry.lab + ": ")) continue;
    const DecisionsThatCount decisions = decisions_that_count(entry.decisions);
    return decisions.points || decisions.excused;
  }
  return false;
}

std::string days(double count) {
  return fmt::format("{} day{} late", points_text(count, 2), count == 1 ? "" : "s");
}

}  // namespace

const char* review_name(ReviewCase::Kind kind) {
  switch (kind) {
    case Kind::not_graded:
      return "not graded";
    case Kind::again:
      return "grade again";
    case Kind::inconclusive:
      return "inconclusive";
    case Kind::unreadable:
      return "unreadable";
    case Kind::maybe_missing:
      return "missing?";
    case Kind::gone:
      return remark_name(Remark::Kind::gone);
    case Kind::rivals:
      return remark_name(Remark::Kind::rivals);
    case Kind::several:
      return remark_name(Remark::Kind::several);
    case Kind::nobody:
      return remark_name(Remark::Kind::nobody);
    case Kind::no_lab:
      return remark_name(Remark::Kind::no_lab);
    case Kind::refused:
      return remark_name(Remark::Kind::refused);
    case Kind::roster:
      return remark_name(Remark::Kind::roster);
    case Kind::late:
      return "late, by how much?";
  }
  return "";
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
    ReviewCase one;
    one.student = entry.student;
    one.lab = entry.lab;
    one.path = entry.submission.path;
    if (const auto kind = kind_of(grade)) {
      one.kind = *kind;
      one.why = *kind == Kind::not_graded && entry.job
                    ? entry.job->message
                    : fmt::format("{}", fmt::join(all_notes(grade), "; "));
    } else if (is_late_by_unknown_days(entry, grade, policy)) {
      one.kind = Kind::late;
      one.why = fmt::format("marked late without a time; counted as {} until you say",
                            days(grade.late_days));
    } else {
      continue;
    }
    cases.push_back(std::move(one));
  }
  for (const Remark& remark : remarks) {
    const auto kind = kind_of(remark.kind);
    if (remark.kind == Remark::Kind::several && is_decided(entries, remark)) continue;
    if (kind && !told.contains({remark.student, remark.path}))
      cases.push_back({*kind, remark.student, "", remark.path, remark.text});
  }
  std::stable_sort(cases.begin(), cases.end(),
                   [](const ReviewCase& a, const ReviewCase& b) { return a.kind < b.kind; });
  return cases;
}

std::set<std::string> to_review(const std::vector<ReviewCase>& cases) {
  std::set<std::string> students;
  for (const ReviewCase& one : cases)
    if (!one.student.empty()) students.insert(one.student);
  return students;
}

std::vector<DecidedCase> decided_cases(const std::vector<Entry>& entries) {
  std::vector<DecidedCase> cases;
  for (const Entry& entry : entries) {
    const DecisionsThatCount decisions = decisions_that_count(entry.decisions);
    const auto add = [&](const Decision* one, const std::string& what) {
      if (one) cases.push_back({entry.student, entry.lab, what, one->reason, one->by, one->note});
    };
    if (decisions.points && !decisions.excused)
      add(decisions.points, points_text(decisions.points->value, 2) + " points");
    if (decisions.late_days) add(decisions.late_days, days(decisions.late_days->value));
    if (decisions.excused) add(decisions.excused, "excused");
  }
  return cases;
}

}  // namespace labkit::course
