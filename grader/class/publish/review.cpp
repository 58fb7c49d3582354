#include "class/publish/review.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/error.h"
#include "base/text.h"
#include "class/policy/tally.h"
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
    case Remark::Kind::also:
    case Remark::Kind::stub:
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

}  // namespace

const char* review_name(ReviewCase::Kind kind) {
  // In the order of ReviewCase::Kind.
  static const char* const kNames[] = {"not graded",
                                       "grade again",
                                       "inconclusive",
                                       "unreadable",
                                       "missing?",
                                       remark_name(Remark::Kind::several),
                                       remark_name(Remark::Kind::nobody),
                                       remark_name(Remark::Kind::no_lab),
                                       remark_name(Remark::Kind::refused),
                                       remark_name(Remark::Kind::roster),
                                       "late, by how much?"};
  return kNames[static_cast<std::size_t>(kind)];
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
      one.why = fmt::format("marked late without a time; counted as {} until you decide",
                            days_text(grade.late_days) + " late");
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
    if (decisions.late_days)
      add(decisions.late_days, days_text(decisions.late_days->value) + " late");
    if (decisions.excused) add(decisions.excused, "excused");
  }
  return cases;
}

namespace {

using Kind = ReviewCase::Kind;

constexpr std::size_t kMostGroups = 20;  // the rest is in similar.txt
constexpr std::size_t kMostNamed = 8;    // of a group

/// Sections of sentences under a heading; empty ones are left out.
class Page {
 public:
  void section(const std::string& heading, const std::string& advice,
               const std::vector<std::string>& items) {
    if (items.empty()) return;
    text_ += fmt::format("\n{} ({})\n", heading, items.size());
    if (!advice.empty()) text_ += replace_all(advice, "KIT", command_name()) + "\n";
    for (const std::string& item : items)
      text_ += "  - " + report::printable(one_line(item)) + "\n";
  }
  void line(const std::string& text) { text_ += "\n" + text + "\n"; }
  const std::string& text() const { return text_; }

 private:
  static std::string one_line(std::string text) {
    for (char& c : text)
      if (c == '\n' || c == '\r' || c == '\t') c = ' ';
    return text;
  }
  std::string text_;
};

/// A sentence ends once.
std::string sentence(std::string text) {
  while (!text.empty() && (text.back() == '.' || text.back() == ' ')) text.pop_back();
  return text + ".";
}

class Names {
 public:
  explicit Names(const std::vector<Student>& students) {
    for (const Student& student : students) names_[student.id] = student.shown();
  }
  /// "ana (García, Ana)"
  std::string of(const std::string& id) const {
    const auto found = names_.find(id);
    return found == names_.end() ? id : found->second;
  }

 private:
  std::map<std::string, std::string> names_;
};

/// "s0 (Ana), lab1: why."
std::string case_line(const ReviewCase& one, const Names& names) {
  std::string line = one.student.empty() ? "" : names.of(one.student);
  const std::string& about = one.lab.empty() ? one.path : one.lab;
  if (!about.empty()) line += (line.empty() ? "" : ", ") + about;
  return one.why.empty() ? line : line + ": " + sentence(one.why);
}

struct Section {
  Kind kind;
  const char *heading, *advice;  ///< KIT: how the program is called
};
constexpr Section kSections[] = {
    {Kind::not_graded, "Not graded: a fault of the kit or the machine",
     "Blank, not zero. `KIT class grade` tries again."},
    {Kind::inconclusive, "Inconclusive: a GPU was too noisy to decide",
     "Blank, not zero. `KIT class grade` measures again."},
    {Kind::unreadable, "Submitted, but unreadable",
     "Blank. Ask for it again, or decide: KIT class set DIR STUDENT LAB --points 0 --reason "
     "\"...\""},
    {Kind::maybe_missing, "Perhaps not missing",
     "Blank although missing work is zero: another file of the student, or a whole download, "
     "cannot be read."},
    {Kind::again, "The earlier grade stays",
     "Grading it again, or today's points and limits, came to nothing. `KIT class grade` "
     "tries again."},
    {Kind::late, "Late, and the LMS does not say by how much",
     "Correct it with: KIT class set DIR STUDENT LAB --late-days 2 --reason \"...\""},
    {Kind::several, "Several files for one lab",
     "The one named most like the lab, or first in the alphabet, was graded. If another one was "
     "meant: rename it in the download, or KIT class set DIR STUDENT LAB --points N --reason "
     "\"...\""},
    {Kind::nobody, "Files not matched to a student", "None of them was graded."},
    {Kind::no_lab, "Files that are not part of any lab", "None of them was graded."},
    {Kind::refused, "Files that cannot be read", ""},
    {Kind::roster, "The roster", ""},
};

/// "ana (García, Ana): lab1, lab3."
std::vector<std::string> lines_of(const Report& report, Place place, const Names& names) {
  std::map<std::string, std::vector<std::string>> missing;
  for (const Grade& grade : report.grades)
    if (place_of(grade) == place) missing[grade.student].push_back(grade.lab);
  std::vector<std::string> lines;
  lines.reserve(missing.size());
  for (const auto& [student, labs] : missing)
    lines.push_back(fmt::format("{}: {}.", names.of(student), fmt::join(labs, ", ")));
  return lines;
}

std::vector<std::string> waiting_lines(const Report& report) {
  std::vector<std::string> lines;
  for (const auto& [lab, counts] : tally(report.grades))
    if (counts.of(Place::waiting) > 0)
      lines.push_back(fmt::format("{}: {} of the class.", lab, counts.of(Place::waiting)));
  return lines;
}

std::vector<std::string> similar_lines(const std::vector<SimilarGroup>& groups,
                                       const Names& names) {
  std::vector<std::string> lines;
  for (const SimilarGroup& group : groups) {
    if (lines.size() == kMostGroups) {
      lines.push_back(fmt::format("and {} more groups.", groups.size() - kMostGroups));
      break;
    }
    std::string who;
    for (std::size_t i = 0; i < std::min(kMostNamed, group.students.size()); ++i)
      who += (i ? ", " : "") +
             (group.students.size() == 2 ? names.of(group.students[i]) : group.students[i]);
    if (group.students.size() > kMostNamed)
      who += fmt::format(" and {} more", group.students.size() - kMostNamed);
    lines.push_back(fmt::format("{}: {}, {}.", who, group.lab, share_text(group)));
  }
  return lines;
}

std::vector<std::string> decided_lines(const std::vector<Entry>& entries, const Names& names) {
  std::vector<std::string> lines;
  for (const DecidedCase& one : decided_cases(entries))
    lines.push_back(fmt::format("{}, {}: {} by {}: {}{}", names.of(one.student), one.lab, one.what,
                                one.by, sentence(one.reason),
                                one.note.empty() ? "" : " Note: " + sentence(one.note)));
  return lines;
}

}  // namespace

std::string review_text(const Report& report, const std::vector<Entry>& entries,
                        const std::vector<Remark>& remarks,
                        const std::vector<SimilarGroup>& similar,
                        const std::vector<SameSource>& same,
                        const std::vector<std::string>& uploads) {
  const Names names(report.students);
  const std::vector<ReviewCase>& cases = report.review;
  Page page;
  for (const Section& section : kSections) {
    std::vector<std::string> lines;
    for (const ReviewCase& one : cases)
      if (one.kind == section.kind) lines.push_back(case_line(one, names));
    page.section(section.heading, section.advice, lines);
  }
  Page beside;
  beside.section("Not graded yet", "Run the same `KIT class grade` command to continue.",
                 waiting_lines(report));
  beside.section("Missing", report.policy.missing_is_zero ? "Zero, as the policy says." : "Blank.",
                 lines_of(report, Place::missing, names));
  if (!report.policy.missing_is_zero)  // else they are cases
    beside.section("Perhaps missing", "Blank: another file of the student cannot be read.",
                   lines_of(report, Place::maybe_missing, names));
  std::vector<std::string> copies;
  copies.reserve(same.size());
  for (const SameSource& one : same) copies.push_back(sentence(same_text(one)));
  beside.section("The same text, letter for letter",
                 "Not a verdict: a short kernel may be the same by chance.", copies);
  beside.section(
      "Similar submissions, the most telling first",
      "To look at, not a verdict: short kernels are alike by nature. Pairs are in similar.txt.",
      similar_lines(similar, names));
  std::vector<std::string> about_uploads;
  about_uploads.reserve(uploads.size());
  for (const std::string& one : uploads) about_uploads.push_back(sentence(one));
  beside.section("Uploads", "", about_uploads);
  beside.section("Decided by a teacher", "", decided_lines(entries, names));
  const auto aside = std::count_if(remarks.begin(), remarks.end(), [](const Remark& remark) {
    return remark.kind == Remark::Kind::not_chosen;
  });
  if (aside > 0)
    beside.line(
        fmt::format("{} file{} not graded because another one was, as after a resubmission.", aside,
                    aside == 1 ? "" : "s"));

  std::vector<std::string> also;
  for (const Remark& remark : remarks)
    if (remark.kind == Remark::Kind::also)
      also.push_back(sentence(remark.path + ": " + remark.text));
  beside.section("Not graded, because it was not set (and how many students changed it)", "", also);
  const auto stubs = std::count_if(remarks.begin(), remarks.end(), [](const Remark& remark) {
    return remark.kind == Remark::Kind::stub;
  });
  if (stubs > 0)
    beside.line(fmt::format("{} unchanged stub{} as not submitted.", stubs,
                            stubs == 1 ? " counts" : "s count"));

  std::string text = fmt::format("To review: {}. DIR is this folder.\n", cases.size());
  if (cases.empty()) text = "To review: nothing.\n";
  text += page.text();
  if (!beside.text().empty()) text += "\n---- For information ----\n" + beside.text();
  return text;
}

}  // namespace labkit::course
