#include "course/publish_review.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "report/style.h"

namespace labkit::course {
namespace {

constexpr std::size_t kMostPairs = 50;  // the rest is in similar.txt

/// Sections of sentences under a heading; empty ones are left out.
class Page {
 public:
  void section(const std::string& heading, const std::string& advice,
               const std::vector<std::string>& items) {
    if (items.empty()) return;
    text_ += fmt::format("\n{} ({})\n", heading, items.size());
    if (!advice.empty()) text_ += advice + "\n";
    for (const std::string& item : items)
      text_ += "  - " + report::printable(one_line(item)) + "\n";
    count_ += items.size();
  }
  const std::string& text() const { return text_; }
  std::size_t count() const { return count_; }

 private:
  static std::string one_line(std::string text) {
    for (char& c : text)
      if (c == '\n' || c == '\r' || c == '\t') c = ' ';
    return text;
  }
  std::string text_;
  std::size_t count_ = 0;
};

std::string joined(const std::vector<std::string>& list) {
  std::string all;
  for (const std::string& one : list) all += (all.empty() ? "" : "; ") + one;
  return all;
}

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

bool is_late_without_time(const Grade& grade, const Entry& entry, const Policy& policy) {
  const bool decided =
      grade.decided || grade.state == Grade::State::excused ||
      std::any_of(entry.decisions.begin(), entry.decisions.end(),
                  [](const Decision& d) { return d.kind == Decision::Kind::late_days; });
  return entry.submission.late && !decided &&
         !(policy.due.contains(entry.lab) && entry.submission.submitted_at);
}

void add_grades(Page& page, const std::vector<Entry>& entries, const Report& report,
                const Names& names) {
  std::vector<std::string> inconclusive, not_graded, unreadable, again, late;
  std::map<std::string, std::vector<std::string>> missing, waiting;
  for (const Entry& entry : entries) {
    const Grade* grade = report.find(entry.student, entry.lab);
    if (!grade) continue;
    const std::string who = fmt::format("{}, {}", names.of(entry.student), entry.lab);
    const std::string notes = grade->notes.empty() ? "" : ": " + sentence(joined(grade->notes));
    switch (grade->review ? grade->state : Grade::State::graded) {
      case Grade::State::inconclusive:
        inconclusive.push_back(who + notes);
        break;
      case Grade::State::not_graded:
        not_graded.push_back(who + notes);
        break;
      case Grade::State::unreadable:
        unreadable.push_back(who + notes);
        break;
      default:
        if (grade->review) again.push_back(who + notes);
    }
    if (grade->state == Grade::State::missing && !grade->decided)
      missing[entry.student].push_back(entry.lab);
    if (grade->state == Grade::State::waiting) waiting[entry.lab].push_back(entry.student);
    if (is_late_without_time(*grade, entry, report.policy))
      late.push_back(fmt::format("{}: counted as {} day{} late.", who,
                                 points_text(grade->late_days, 2),
                                 grade->late_days == 1 ? "" : "s"));
  }
  page.section("Not graded: a fault of the kit or the machine",
               "Blank, not zero. `labkit class grade` tries them again.", not_graded);
  page.section("Inconclusive: a GPU was too noisy to decide",
               "Blank, not zero. `labkit class grade` measures them again.", inconclusive);
  page.section("Handed in, but not readable",
               "Blank. Ask for it again, or decide: labkit class set DIR STUDENT LAB --points 0 "
               "--reason \"...\"",
               unreadable);
  page.section("Cannot be scored from what was measured",
               "The points are those of before. `labkit class grade` grades them again.", again);
  page.section("Late, and the LMS does not say by how much",
               "Correct it with: labkit class set DIR STUDENT LAB --late-days 2 --reason \"...\"",
               late);
  std::vector<std::string> lines;
  lines.reserve(missing.size());
  for (const auto& [lab, students] : waiting)
    lines.push_back(fmt::format("{}: {} of the class.", lab, students.size()));
  page.section("Not graded yet", "The same `labkit class grade` command goes on where it stopped.",
               lines);
  lines.clear();
  for (const auto& [student, labs] : missing)
    lines.push_back(fmt::format("{}: {}.", names.of(student), fmt::join(labs, ", ")));
  page.section("Handed nothing in",
               report.policy.missing_is_zero ? "Zero, as the policy says." : "Blank.", lines);
}

void add_remarks(Page& page, const std::vector<Remark>& remarks, const Names& names,
                 const std::vector<Entry>& entries) {
  std::set<std::pair<std::string, std::string>> told;  // with the grade that is blank for it
  for (const Entry& entry : entries)
    if (!entry.submission.problem.empty()) told.insert({entry.student, entry.submission.path});
  std::map<Remark::Kind, std::vector<std::string>> of;
  for (const Remark& remark : remarks) {
    if (told.contains({remark.student, remark.path})) continue;
    const std::string who = remark.student.empty() ? "" : names.of(remark.student) + ", ";
    of[remark.kind].push_back(fmt::format("{}{}: {}", who, remark.path, sentence(remark.text)));
  }
  page.section(
      "Handed in before, and gone from the new download",
      "Withdrawn, taken out or renamed? `class grade --drop-gone` takes them out of the lists.",
      of[Remark::Kind::gone]);
  page.section("Files that belong to nobody", "None of them was graded.", of[Remark::Kind::nobody]);
  page.section("Files that are for no lab", "None of them was graded.", of[Remark::Kind::no_lab]);
  page.section("Files that were refused", "", of[Remark::Kind::refused]);
  page.section("The roster", "", of[Remark::Kind::roster]);
}

}  // namespace

Review review_text(const Gradebook& book, const Report& report,
                   const std::vector<SimilarPair>& similar,
                   const std::vector<std::string>& uploads) {
  const Names names(report.students);
  const std::vector<Remark> remarks = book.remarks();
  Page page;
  const std::vector<Entry> entries = book.entries();
  add_grades(page, entries, report, names);
  add_remarks(page, remarks, names, entries);
  std::vector<std::string> pairs;
  for (std::size_t i = 0; i < std::min(similar.size(), kMostPairs); ++i) {
    const SimilarPair& pair = similar[i];
    pairs.push_back(fmt::format(
        "{}: {} and {} share {} tokens ({:.0f}% and {:.0f}% of their own code).{}", pair.lab,
        names.of(pair.first), names.of(pair.second), pair.matching_tokens, 100 * pair.share_first,
        100 * pair.share_second, pair.note.empty() ? "" : " " + sentence(pair.note)));
  }
  if (similar.size() > kMostPairs)
    pairs.push_back(fmt::format("and {} more in similar.txt.", similar.size() - kMostPairs));
  page.section(
      "Similar submissions",
      "To be looked at, no verdict: short kernels are alike by nature. No grade depends on "
      "it; see similar.txt.",
      pairs);
  std::vector<std::string> about_uploads;
  about_uploads.reserve(uploads.size());
  for (const std::string& one : uploads) about_uploads.push_back(sentence(one));
  page.section("Uploads", "", about_uploads);

  std::string text = "What wants a teacher's eye. DIR is this folder.\n";
  text += page.count() > 0 ? page.text() : "\nNothing does.\n";
  const auto aside = [&](Remark::Kind kind, const char* what) {
    const auto count = std::count_if(remarks.begin(), remarks.end(),
                                     [&](const Remark& remark) { return remark.kind == kind; });
    if (count > 0)
      text +=
          fmt::format("\nNothing to do about: {} file{} {}.\n", count, count == 1 ? "" : "s", what);
  };
  aside(Remark::Kind::not_chosen, "beside what was graded, as when something was handed in again");
  return {text, page.count()};
}

}  // namespace labkit::course
