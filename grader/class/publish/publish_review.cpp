#include "class/publish/publish_review.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/command_name.h"
#include "base/text.h"
#include "report/style.h"

namespace labkit::course {
namespace {

using Kind = ReviewCase::Kind;

constexpr std::size_t kMostGroups = 20;  // the rest is in similar.txt
constexpr std::size_t kNamed = 8;        // of a group

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
    for (const Student& student : students) names_[student.id] = student.name;
  }
  /// "ana (García, Ana)"
  std::string of(const std::string& id) const {
    const auto found = names_.find(id);
    if (found == names_.end() || found->second.empty() || found->second == id) return id;
    return fmt::format("{} ({})", id, found->second);
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
     "Blank, not zero. `KIT class grade` tries them again."},
    {Kind::inconclusive, "Inconclusive: a GPU was too noisy to decide",
     "Blank, not zero. `KIT class grade` measures them again."},
    {Kind::unreadable, "Handed in, but not readable",
     "Blank. Ask for it again, or decide: KIT class set DIR STUDENT LAB --points 0 "
     "--reason \"...\""},
    {Kind::maybe_missing, "Perhaps not missing",
     "Blank, although what is missing is zero: something else of theirs, or a whole download, "
     "could not be "
     "read."},
    {Kind::again, "The grade of before stays",
     "What was handed in since, or today's points and limits, could not be applied. `KIT class "
     "grade` tries again."},
    {Kind::late, "Late, and the LMS does not say by how much",
     "Correct it with: KIT class set DIR STUDENT LAB --late-days 2 --reason \"...\""},
    {Kind::gone, "Handed in before, and gone from the new download",
     "Withdrawn, taken out or renamed? `KIT class grade --drop-gone` takes them out of the "
     "lists, --keep-gone STUDENT/LAB leaves them there and tells no more."},
    {Kind::rivals, "Several hand-ins, and no LMS that says which is the newest",
     "Times of files, or what was named later, decided. `KIT class grade INPUT --out DIR --take "
     "STUDENT/LAB` takes the one in INPUT, or confirms it."},
    {Kind::several, "Several files for one lab",
     "The one named most like the lab, or first in the alphabet, was graded. If the other was "
     "meant: rename it in the "
     "download, or KIT class set DIR "
     "STUDENT LAB --points N --reason \"...\""},
    {Kind::nobody, "Files that belong to nobody", "None of them was graded."},
    {Kind::no_lab, "Files that are for no lab", "None of them was graded."},
    {Kind::refused, "Files that were refused", ""},
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
    for (std::size_t i = 0; i < std::min(kNamed, group.students.size()); ++i)
      who += (i ? ", " : "") +
             (group.students.size() == 2 ? names.of(group.students[i]) : group.students[i]);
    if (group.students.size() > kNamed)
      who += fmt::format(" and {} more", group.students.size() - kNamed);
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
  beside.section("Not graded yet", "The same `KIT class grade` command goes on where it stopped.",
                 waiting_lines(report));
  beside.section("Missing", report.policy.missing_is_zero ? "Zero, as the policy says." : "Blank.",
                 lines_of(report, Place::missing, names));
  if (!report.policy.missing_is_zero)  // else they are cases
    beside.section("Perhaps missing", "Blank: something else of theirs could not be read.",
                   lines_of(report, Place::maybe_missing, names));
  beside.section("Similar submissions, the most telling first",
                 "To be looked at, no verdict: short kernels are alike by nature. Pair by pair in "
                 "similar.txt.",
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
        fmt::format("Nothing to do about: {} file{} beside what was graded, as when something was "
                    "handed in again.",
                    aside, aside == 1 ? "" : "s"));

  std::string text = fmt::format("For you to look at: {}. DIR is this folder.\n", cases.size());
  if (cases.empty()) text = "For you to look at: nothing.\n";
  text += page.text();
  if (!beside.text().empty()) text += "\n---- Beside that ----\n" + beside.text();
  return text;
}

}  // namespace labkit::course
