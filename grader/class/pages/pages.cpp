#include "class/pages/pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/command_text.h"
#include "base/enum_names.h"
#include "base/error.h"
#include "base/text.h"
#include "class/intake/owners.h"
#include "class/policy/policy.h"
#include "class/publish/publish.h"
#include "explain/defect.h"
#include "explain/words.h"
#include "report/json.h"

namespace labkit::course {
namespace {

using html::Standing;
using Key = std::pair<std::string, std::string>;  // student, lab

/// Why it is no pass, in one line: the cause that the student is told first; "" for a pass.
std::string why_in_a_line(const grade::LabResult& result) {
  if (result.verdict.passed()) return {};
  if (!result.message.empty()) return explain::message_lines(result.message).front();
  const grade::TestResult* test = grade::first_to_tell(result.tests);
  return test ? explain::headline(*test) : std::string();
}

/// The decision that holds (what it took the place of is between teachers), and what was asked and answered.
std::vector<StudentLab::Word> words_to_student(const DecisionsThatCount& count) {
  std::vector<StudentLab::Word> words;
  const auto add = [&](const char* label, const Decision* one, const std::string& what = {}) {
    if (one) words.push_back({label, what + one->reason, utc_text(one->at)});
  };
  if (const Decision* one = count.holds()) add("Decided", one, decided_text(*one, 4) + ": ");
  add("Comment", count.comment);
  add("Regrade requested", count.regrade);
  add("Regrade request answered", count.answer);
  return words;
}

/// Why there is no result, or none that decides. Not what the machine said: that is for the teacher, on the class's page.
std::string trouble_of(const Grade& grade, const Entry& entry) {
  using State = Grade::State;
  static const std::map<State, const char*> troubles = {
      {State::missing, "Nothing was submitted"},
      {State::waiting, "Not graded yet"},
      {State::maybe_missing,
       "Something was submitted that could not be read, or by somebody who is not known, and it "
       "may be this lab"},
      {State::unreadable, "What was submitted could not be read: "},
      {State::not_graded, "This could not be graded, through no fault of yours"},
      {State::inconclusive, "The measurement could not decide on which side of a limit this lies"}};
  const auto found = troubles.find(grade.state);
  if (found == troubles.end()) return {};
  const bool is_known =
      grade.points || grade.state == State::missing || grade.state == State::waiting;
  return found->second + (grade.state == State::unreadable ? entry.submission.problem : "") +
         (is_known ? "." : ". It is blank, not 0, until somebody has looked.");
}

/// The class's page is gathered while the students' are made, so that each result is read once.
class Pages {
 public:
  Pages(const Gradebook& book, const Report& report, const std::vector<grade::Manifest>& labs,
        const PageSink& sink)
      : book_(book), report_(report), all_labs_(labs), labs_(report.labs(labs)), sink_(sink) {
    std::map<std::string, std::size_t> bearers;
    for (const Student& student : report.students) ++bearers[student.name];
    for (const Student& student : report.students)
      names_[student.id] = first_of({student.name, student.id}) +
                           (bearers[student.name] > 1 ? " (" + student.id + ")" : "");
    for (const ReviewCase& one : report.review) to_look_at_.insert({one.student, one.lab});
    begin_class();
  }

  void make(std::vector<SimilarPair> similar, const std::vector<SameSource>& same) {
    const std::set<std::string> look_at = to_review(report_.review);
    for (const Student& student : report_.students) {
      const std::string file = student.id + ".html";
      StudentPage page{.id = student.id, .name = student.name};
      ClassStudent& row = class_.students.emplace_back();
      row.id = student.id;
      row.name = name(student.id);
      row.page = html::link_to({"students", file});
      row.review = look_at.contains(student.id);
      for (const grade::Manifest* manifest : labs_) {
        const Entry* entry = report_.entry(student.id, manifest->id);
        const Grade* grade = report_.find(student.id, manifest->id);
        if (!entry || !grade) {
          row.cells.emplace_back();
          continue;
        }
        const StudentLab& lab = page.labs.emplace_back(student_lab(*manifest, *entry, *grade));
        add_to_board(lab, student.key(kNickname));
        row.cells.push_back(class_cell(lab, *grade));
      }
      const Total total = report_.total(student.id);
      row.total = page.total = total.points;
      page.total_max = total.max_points;
      page.how = total.how;
      row.email = student.key("email");
      if (!means_.empty()) page.graded_with = "Graded on: " + joined(means_, " and ");
      sink_(std::filesystem::path("students") / file, student_html(page));
    }
    add_cases();
    for (const Entry& entry : report_.entries)
      class_.decided.insert(class_.decided.end(), entry.decisions.begin(), entry.decisions.end());
    if (book_.has_pending()) class_.waiting = changes_to(book_, all_labs_);
    for (const Remark& one : book_.remarks())
      if (one.kind == Remark::Kind::not_chosen || one.kind == Remark::Kind::left_alone ||
          one.kind == Remark::Kind::also)
        class_.files.push_back(one);
    class_.uploads = report_.uploads;
    for (SimilarPair& pair : similar) {
      pair.page = fmt::format("{}-{}-{}.html", pair.lab, pair.first, pair.second);
      const auto side = [&](const std::string& student) {
        PairSide shown{class_.who(student), ""};
        shown.who.page = html::link_to({"..", "students", student + ".html"});
        if (const Entry* entry = report_.entry(student, pair.lab))
          shown.source = book_.source(entry->submission.source_sha256).value_or("");
        return shown;
      };
      sink_(std::filesystem::path("similar") / pair.page,
            pair_html(pair, side(pair.first), side(pair.second)));
    }
    class_.same = same;
    class_.similar = similar;
    if (!means_.empty()) class_.graded_with = "Graded on: " + joined(means_and_seeds_, " and ");
    sink_("index.html", class_html(class_));
    std::erase_if(board_, [](const BoardLab& lab) { return lab.rows.empty(); });
    if (!board_.empty()) sink_("board.html", board_html(board_));
  }

 private:
  void begin_class() {
    const std::int64_t at = count(book_.entries(View::with_pending)).last_result_at;
    if (at > 0) class_.graded_at = utc_text(at);
    std::vector<std::string> from;
    for (const Root& root : book_.roots())
      from.push_back(fmt::format("{} ({})", root.label, name_in(kFormats, root.format)));
    class_.from = from.empty() ? "Submissions" : first_few(from, 2);
    for (const grade::Manifest* lab : labs_) {
      class_.labs.push_back({lab->id, lab->title, lab->max_points()});
      board_.push_back({lab->id, lab->title, {}});
    }
  }

  std::string name(const std::string& id) const {
    const auto found = names_.find(id);
    return found == names_.end() ? id : found->second;
  }

  StudentLab student_lab(const grade::Manifest& lab, const Entry& entry, const Grade& grade) {
    StudentLab shown;
    shown.id = lab.id;
    shown.title = lab.title;
    shown.idea = lab.idea;
    shown.grade = grade;
    shown.max_points = grade.max_points > 0 ? grade.max_points : lab.max_points();
    const DecisionsThatCount decisions = decisions_that_count(entry.decisions);
    const Decision* holds = decisions.holds();
    shown.words = words_to_student(decisions);
    for (const std::string& note : grade.notes)
      if (!holds || !note.ends_with(": " + holds->reason)) shown.notes.push_back(note);
    shown.trouble = trouble_of(grade, entry);
    if (entry.submitted) {
      const Submission& submission = entry.submission;
      shown.submitted = submitted_name(submission.path);
      if (submission.submitted_at) shown.submitted_at = utc_text(*submission.submitted_at);
      for (const std::string& id : submission.group) shown.group.push_back(name(id));
      if (submission.problem.empty())
        shown.source = book_.source(submission.source_sha256).value_or("");
    }
    const auto outcome = entry.graded ? book_.outcome(entry.job->id) : std::nullopt;
    if (!outcome) return shown;
    try {
      shown.result =
          report::read_lab_json(outcome->json, fmt::format("{}, {}", entry.student, entry.lab));
      shown.result->source = shown.source;
      const std::string with = fmt::format(
          "{}; kit {}", first_of({shown.result->device, entry.job->device}), entry.job->kit);
      means_.insert(with);
      means_and_seeds_.insert(fmt::format("{}; seed {}", with, entry.job->seed));
    } catch (const Error& error) {
      shown.trouble = fmt::format("The stored result cannot be shown: {}", error.what());
    }
    return shown;
  }

  void add_to_board(const StudentLab& lab, const std::string& nickname) {
    if (nickname.empty() || !lab.result || !lab.result->verdict.passed()) return;
    BoardRow row{.nickname = nickname};
    for (const grade::TestResult& test : lab.result->tests) {
      if (test.bonus || !test.time_is_predicted || test.time_unlike) continue;
      row.time_us += explain::figure_of(test.figures, "time_us");
      row.sectors.push_back(explain::sectors_text(test.figures));
      row.wavefronts.push_back(explain::wavefronts_text(test.figures));
      row.ratios.push_back(explain::ratio_text(test.figures));
    }
    if (row.time_us <= 0) return;
    std::ranges::find(board_, lab.id, &BoardLab::id)->rows.push_back(std::move(row));
  }

  ClassCell class_cell(const StudentLab& lab, const Grade& grade) {
    ClassCell cell{.grade = grade};
    if (lab.result) {
      for (const grade::TestResult& test : lab.result->tests)
        if (const std::string id = explain::cause_id(test); !id.empty()) cell.causes.insert(id);
      if (standing_of(grade) != Standing::pass) cell.reason = why_in_a_line(*lab.result);
    }
    if (cell.is_by_place() && !grade.measured_verdict.empty())
      cell.reason = fmt::format("was: {}{}{}", grade.measured_verdict,
                                cell.reason.empty() ? "" : ", ", cell.reason);
    cell.review = to_look_at_.contains({grade.student, grade.lab});
    if (cell.review)
      reasons_[{grade.student, grade.lab}] = cell.reason.empty() ? lab.trouble : cell.reason;
    return cell;
  }

  /// The same about several is said once: a fault of the machine befalls many.
  void add_cases() {
    // lab, what and why -> its place: one student's archive may make thousands of cases
    std::map<std::array<std::string, 3>, std::size_t> places;
    for (const ReviewCase& one : report_.review) {
      std::string why = one.why.empty() ? reasons_[{one.student, one.lab}] : one.why;
      if (one.lab.empty() && !one.student.empty() && !one.path.empty()) why = one.path + ": " + why;
      const auto [at, is_new] = places.try_emplace({one.lab, one.what, why}, class_.review.size());
      if (is_new) class_.review.push_back({{}, one.lab, one.what, why, one.advice});
      class_.review[at->second].who.push_back(one.student.empty() ? Who{one.path, {}}
                                                                  : class_.who(one.student));
    }
  }

  const Gradebook& book_;
  const Report& report_;
  const std::vector<grade::Manifest>& all_labs_;
  std::vector<const grade::Manifest*> labs_;  ///< of the class
  const PageSink& sink_;
  ClassPage class_;
  std::vector<BoardLab> board_;                    ///< in the order of labs_
  std::set<std::string> means_, means_and_seeds_;  ///< students do not see the seed
  std::map<std::string, std::string> names_;       ///< by student
  std::set<Key> to_look_at_;
  std::map<Key, std::string> reasons_;  ///< of those to look at
};

}  // namespace

void make_pages(const Gradebook& book, const Report& report,
                const std::vector<grade::Manifest>& labs, const std::vector<SimilarPair>& similar,
                const std::vector<SameSource>& same, const PageSink& sink) {
  Pages(book, report, labs, sink).make(similar, same);
}

}  // namespace labkit::course
