#include "class/pages/pages.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "class/intake/owners.h"
#include "class/pages/class_html.h"
#include "class/pages/student_html.h"
#include "class/policy/policy.h"
#include "class/publish/publish.h"
#include "explain/defect.h"
#include "explain/words.h"

namespace labkit::course {
namespace {

using html::Standing;
using Key = std::pair<std::string, std::string>;  // student, lab

/// "2026-11-21 10:42 UTC"
std::string utc(std::int64_t seconds_since_1970) {
  return fmt::format("{:%Y-%m-%d %H:%M} UTC",
                     fmt::gmtime(static_cast<std::time_t>(seconds_since_1970)));
}

std::vector<std::string> sentences(const Policy& policy) {
  std::vector<std::string> lines;
  const auto number = [](double value) { return html::points_number(value, 2); };
  if (policy.late.percent_per_day > 0) {
    std::string line = fmt::format("Each day late takes off {}% of the points {}",
                                   number(policy.late.percent_per_day),
                                   policy.late.of_possible ? "that were possible" : "earned");
    if (policy.late.max_percent < 100)
      line += fmt::format(", {}% at most", number(policy.late.max_percent));
    if (policy.late.grace_seconds > 0)
      line += fmt::format("; {} minutes are forgiven",
                          number(static_cast<double>(policy.late.grace_seconds) / 60));
    lines.push_back(line + ".");
  }
  if (policy.late.close_after_days)
    lines.push_back(fmt::format("More than {} late, nothing counts.",
                                days_text(*policy.late.close_after_days)));
  if (policy.missing_is_zero) lines.emplace_back("What was not submitted counts as 0.");
  if (policy.drop_lowest > 0)
    lines.push_back(fmt::format("Of each student's labs the lowest {} {} not in the total.",
                                policy.drop_lowest, policy.drop_lowest == 1 ? "is" : "are"));
  for (const auto& [lab, weight] : policy.weights)
    lines.push_back(fmt::format("{} counts {} times in the total.", lab, number(weight)));
  return lines;
}

/// Why it is no pass, in one line: the cause that the student is told first; "" for a pass.
std::string why_in_a_line(const grade::LabResult& result) {
  if (result.verdict.passed()) return {};
  if (!result.message.empty()) return explain::message_lines(result.message).front();
  const grade::TestResult* test = grade::first_to_tell(result.tests);
  return test ? explain::headline(*test) : std::string();
}

bool is_ratio(const grade::GateResult& gate) {
  return gate.is_minimum && (gate.figure == "ratio" || gate.figure == "best_ratio");
}

/// The decision that holds (what it took the place of is between teachers), and what was asked and answered.
std::vector<StudentLab::Word> words_to_student(const DecisionsThatCount& count) {
  std::vector<StudentLab::Word> words;
  const auto add = [&](const char* label, const Decision* one, const std::string& what = {}) {
    if (one) words.push_back({label, what + one->reason, utc(one->at)});
  };
  if (const Decision* one = count.holds()) add("Decided", one, decided_text(*one, 4) + ": ");
  add("Comment", count.comment);
  add("Regrade requested", count.regrade);
  add("Regrade request answered", count.answer);
  return words;
}

/// Hashes and versions of a receipt. Not the seed: whoever knows it can write a kernel for just these
/// inputs, and pages may go to students before all have submitted.
std::vector<std::pair<std::string, std::string>> receipt_of(const std::string& text,
                                                            const Job& job) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  const auto at = [&](const char* path) -> std::string {
    const nlohmann::json::json_pointer pointer(path);
    if (!json.is_object() || !json.contains(pointer) || !json.at(pointer).is_string()) return {};
    return json.at(pointer).get<std::string>();
  };
  std::vector<std::pair<std::string, std::string>> rows = {
      {"source SHA-256", job.source_sha256},
      {"PTX SHA-256", at("/ptx_sha256")},
      {"result SHA-256", at("/result_sha256")},
      {"lab SHA-256", job.lab_hash},
      {"scoring SHA-256", at("/lab_files/scoring_sha256")},
      {"check SHA-256", at("/kit/check_sha256")},
      {"kit", job.kit},
      {"compiler", at("/compiler")},
      {"device", job.device},
      {"driver", at("/gpu_driver")}};
  std::erase_if(rows, [](const auto& row) { return row.second.empty(); });
  return rows;
}

/// As they were when it was graded.
std::optional<double> points_in(const std::string& receipt) {
  const nlohmann::json json = nlohmann::json::parse(receipt, nullptr, false);
  const nlohmann::json::json_pointer points("/outcome/points");
  if (!json.is_object() || !json.contains(points)) return std::nullopt;
  return json.at(points).get<double>();
}

/// Figures of a lab's reference solution, where the gradebook has its result: "Suite.Test/figure".
std::map<std::string, double> reference_of(const Gradebook& book, const std::string& lab) {
  std::map<std::string, double> figures;
  const std::string text = book.setting(kReferenceSetting + lab);
  if (text.empty()) return figures;
  try {
    const grade::LabResult result = stored_result(text, "the reference of " + lab);
    for (const grade::TestResult& test : result.tests) {
      for (const auto& [name, value] : test.figures)
        if (std::isfinite(value)) figures[test.name + "/" + name] = value;
      if (!test.measured) continue;
      if (test.measured->ratio) figures[test.name + "/ratio"] = test.measured->ratio->value;
      if (test.measured->best_ratio)
        figures[test.name + "/best_ratio"] = test.measured->best_ratio->value;
    }
  } catch (const Error&) {  // of a kit that wrote it otherwise: pictures lack a mark, no more
    figures.clear();
  }
  return figures;
}

/// Why there is no result, or none that decides. Not what the machine said: that is for the teacher,
/// on the class's page.
std::string trouble_of(const Grade& grade, const Entry& entry) {
  using State = Grade::State;
  struct Trouble {
    std::string text, end_if_blank = ".";
  };
  static const std::map<State, Trouble> troubles = {
      {State::missing, {"Nothing was submitted"}},
      {State::maybe_missing,
       {"Something was submitted that could not be read",
        ", and this lab may be in it. It is blank, not 0, until somebody has looked."}},
      {State::waiting, {"Not graded yet"}},
      {State::unreadable,
       {"What was submitted could not be read: ",
        ". It is blank, not 0, until a teacher has decided."}},
      {State::not_graded,
       {"This could not be graded, through no fault of yours",
        ". It is blank, not 0, until it is."}},
      {State::inconclusive,
       {"The measurement could not decide on which side of a limit this lies",
        ". It is blank, not 0, until it is measured again."}}};
  const auto found = troubles.find(grade.state);
  if (found == troubles.end()) return {};
  const std::string problem = grade.state == State::unreadable ? entry.submission.problem : "";
  return found->second.text + problem + (grade.points ? "." : found->second.end_if_blank);
}

/// What results were graded with.
struct Means {
  std::set<std::string> kits, devices, seeds;

  void add(const grade::LabResult& result, const Job& job) {
    if (!job.kit.empty()) kits.insert(job.kit);
    devices.insert(result.device.empty() ? job.device : result.device);
    seeds.insert(std::to_string(job.seed));
  }
  /// The seed only where students do not see it.
  std::string text(bool with_seed) const {
    std::string text;
    if (!devices.empty()) text = fmt::format("Graded on: {}", joined(devices, " and "));
    if (!kits.empty()) text += fmt::format("; kit {}", joined(kits, " and "));
    if (with_seed && !seeds.empty()) text += fmt::format("; seed {}", joined(seeds, " and "));
    return text;
  }
};

/// The class's page is gathered while the students' are made, so that each result is read once.
class Pages {
 public:
  Pages(const Gradebook& book, const Report& report, const std::vector<grade::Manifest>& labs,
        const PageSink& sink)
      : book_(book), report_(report), labs_(report.labs(labs)), sink_(sink) {
    for (const Student& student : report.students)
      names_[student.id] = student.name.empty() ? student.id : student.name;
    for (const ReviewCase& one : report.review) to_look_at_.insert({one.student, one.lab});
    begin_class();
  }

  void make(std::vector<SimilarPair> similar, const std::vector<SameSource>& same) {
    const std::set<std::string> look_at = to_review(report_.review);
    for (const Student& student : report_.students) {
      const std::string file = student.id + ".html";
      StudentPage page{.id = student.id, .name = student.name, .decimals = class_.decimals};
      ClassStudent& row = class_.students.emplace_back();
      row.id = student.id;
      row.name = name(student.id);
      row.page = html::link_to({"students", file});
      row.review = look_at.contains(student.id);
      for (std::size_t i = 0; i < labs_.size(); ++i) {
        const Entry* entry = report_.entry(student.id, labs_[i]->id);
        const Grade* grade = report_.find(student.id, labs_[i]->id);
        if (!entry || !grade) {
          row.cells.emplace_back();
          continue;
        }
        const StudentLab& lab = page.labs.emplace_back(student_lab(i, *entry, *grade));
        row.cells.push_back(class_cell(i, lab, *grade));
      }
      const Total total = report_.total(student.id);
      row.total = page.total = total.points;
      page.total_max = total.max_points;
      page.how = total.how;
      row.email = student.key("email");
      page.graded_with = means_.text(false);
      sink_(std::filesystem::path("students") / file, student_html(page));
    }
    add_cases();
    class_.decided = decided_cases(report_.entries);
    if (book_.has_pending()) class_.waiting = pending_changes(book_);
    for (const Remark& one : book_.remarks())
      if (one.kind == Remark::Kind::not_chosen || one.kind == Remark::Kind::left_alone)
        class_.files.push_back(one);
    constexpr std::size_t kMostPairPages = 300;  // the most telling come first in each lab
    std::size_t pair_pages = 0;
    for (SimilarPair& pair : similar) {
      if (++pair_pages > kMostPairPages) break;
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
    class_.groups = similar_groups(similar);
    class_.graded_with = means_.text(true);
    sink_("index.html", class_html(class_));
  }

 private:
  void begin_class() {
    class_.decimals = report_.policy.decimals;
    class_.policy = sentences(report_.policy);
    class_.progress = count(book_.entries(View::with_pending));
    if (const std::int64_t at = class_.progress.last_result_at; at > 0) class_.graded_at = utc(at);
    std::vector<std::string> from;
    for (const Root& root : book_.roots())
      from.push_back(fmt::format("{} ({})", root.label, format_name(root.format)));
    constexpr std::size_t kNamed = 2;
    const std::size_t more = from.size() - std::min(from.size(), kNamed);
    from.resize(from.size() - more);
    class_.from = from.empty() ? "Submissions" : joined(from);
    if (more > 0) class_.from += fmt::format(" and {} more", more);
    const std::map<std::string, Tally> tallies = tally(report_.grades);
    for (const grade::Manifest* lab : labs_) {
      ClassLab& shown =
          class_.labs.emplace_back(ClassLab{.id = lab->id,
                                            .title = lab->title,
                                            .max_points = lab->max_points(),
                                            .counts = tally_text(tallies.at(lab->id))});
      for (const grade::Test& test : lab->tests)
        shown.tests.push_back({.name = test.name, .about = test.about});
      references_.push_back(reference_of(book_, lab->id));
    }
  }

  std::string name(const std::string& id) const {
    const auto found = names_.find(id);
    return found == names_.end() ? id : found->second;
  }

  StudentLab student_lab(std::size_t index, const Entry& entry, const Grade& grade) {
    const grade::Manifest& lab = *labs_[index];
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
      shown.submitted = submitted_name(submission.path, submission.download);
      if (submission.submitted_at) shown.submitted_at = utc(*submission.submitted_at);
      for (const std::string& id : submission.group) shown.group.push_back(name(id));
      if (submission.problem.empty())
        shown.source = book_.source(submission.source_sha256).value_or("");
    }
    const auto outcome = entry.graded ? book_.outcome(entry.job->id) : std::nullopt;
    if (!outcome) return shown;
    if (points_in(outcome->receipt).value_or(entry.points) != entry.points)
      shown.notes.emplace_back(
          "The lab's points or limits changed after grading. Today's are applied here, to the same "
          "measurements.");
    shown.reference = references_[index];
    shown.receipt = receipt_of(outcome->receipt, *entry.job);
    shown.source_changed = entry.job->source_sha256 != entry.submission.source_sha256;
    try {
      shown.result = stored_result(outcome->json, fmt::format("{}, {}", entry.student, entry.lab));
      means_.add(*shown.result, *entry.job);
    } catch (const Error& error) {
      shown.trouble = fmt::format("The stored result cannot be shown: {}", error.what());
    }
    return shown;
  }

  void add_ratios(std::size_t index, const grade::LabResult& result) {
    ClassLab& lab = class_.labs[index];
    for (const grade::TestResult& test : result.tests) {
      const auto counted = std::ranges::find(lab.tests, test.name, &ClassLab::Test::name);
      if (counted != lab.tests.end() && !test.verdict.neutral()) {
        ++counted->ran;
        counted->passed += test.verdict.passed();
      }
      for (const grade::GateResult& gate : test.gates) {
        if (!is_ratio(gate) || gate.missing) continue;
        const std::string basis =
            gate.measured
                ? "measured on " + (test.measured ? test.measured->gpu : result.measured_on)
                : "predicted";
        auto chart = std::ranges::find_if(lab.ratios, [&](const ClassRatio& one) {
          return one.test == test.name && one.figure == gate.figure && one.basis == basis;
        });
        if (chart == lab.ratios.end()) {
          chart = lab.ratios.insert(lab.ratios.end(),
                                    {.test = test.name, .figure = gate.figure, .basis = basis});
          const auto& known = references_[index];
          if (const auto at = known.find(test.name + "/" + gate.figure); at != known.end())
            chart->reference = at->second;
        }
        chart->gate = gate.threshold;
        chart->samples.push_back({gate.value, gate.passed      ? Standing::pass
                                              : gate.undecided ? Standing::open
                                                               : Standing::slow});
      }
    }
    // Students differ in which tests they reach; the charts stand in the lab's order all the same.
    std::ranges::stable_sort(lab.ratios, {}, [&](const ClassRatio& ratio) {
      return std::ranges::find(lab.tests, ratio.test, &ClassLab::Test::name) - lab.tests.begin();
    });
  }

  ClassCell class_cell(std::size_t index, const StudentLab& lab, const Grade& grade) {
    ClassCell cell{.grade = grade};
    if (lab.result) {
      for (const grade::TestResult& test : lab.result->tests)
        if (const std::string id = explain::cause_id(test); !id.empty()) cell.causes.insert(id);
      if (standing_of(grade) != Standing::pass) cell.reason = why_in_a_line(*lab.result);
      add_ratios(index, *lab.result);
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
      const std::string what = review_name(one.kind);
      const auto [at, is_new] = places.try_emplace({one.lab, what, why}, class_.review.size());
      if (is_new) class_.review.push_back({.who = {}, .lab = one.lab, .what = what, .why = why});
      class_.review[at->second].who.push_back(one.student.empty() ? Who{one.path, {}}
                                                                  : class_.who(one.student));
    }
  }

  const Gradebook& book_;
  const Report& report_;
  std::vector<const grade::Manifest*> labs_;
  const PageSink& sink_;
  ClassPage class_;
  Means means_;
  std::map<std::string, std::string> names_;               ///< by student
  std::vector<std::map<std::string, double>> references_;  ///< parallel to labs_
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
