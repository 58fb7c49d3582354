#include "class/pages/pages_class.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "explain/words.h"

namespace labkit::course {
namespace {

using html::Standing;

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

}  // namespace

std::string utc(std::int64_t seconds) {
  return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

Standing standing_of_grade(const Grade& grade) {
  switch (grade.state) {
    case Grade::State::graded:
      return grade.too_late ? Standing::none : html::standing_of(grade.verdict);
    case Grade::State::not_graded:
    case Grade::State::unreadable:
    case Grade::State::inconclusive:
    case Grade::State::maybe_missing:
      return grade.decided ? Standing::none : Standing::open;
    case Grade::State::excused:
    case Grade::State::missing:
    case Grade::State::waiting:
    case Grade::State::left_out:
      break;
  }
  return Standing::none;
}

ClassPageMaker::ClassPageMaker(const Gradebook& book, const Report& report)
    : tally_(tally(report.grades)) {
  for (const ReviewCase& one : report.review) to_look_at_.insert({one.student, one.lab});
  page_.decimals = report.policy.decimals;
  page_.policy = sentences(report.policy);
  const Progress progress = book.progress();
  page_.progress = {progress.total, progress.waiting, progress.done,
                    progress.failed};
  if (progress.last_finished_at > 0) page_.graded_at = utc(progress.last_finished_at);
  for (const Root& root : book.roots())
    page_.from += fmt::format("{}{} ({})", page_.from.empty() ? "" : ", ", root.label,
                              format_name(root.format));
  if (page_.from.empty()) page_.from = "Submissions";
}

void ClassPageMaker::add_lab(const grade::Manifest& lab,
                             const std::map<std::string, double>& reference) {
  ClassLab shown;
  shown.id = lab.id;
  shown.title = lab.title;
  shown.max_points = lab.max_points();
  shown.counts = tally_text(tally_[lab.id]);
  for (const grade::Test& test : lab.tests)
    shown.tests.push_back({.name = test.name, .about = test.about, .passed = 0, .ran = 0});
  page_.labs.push_back(std::move(shown));
  references_.push_back(reference);
}

void ClassPageMaker::add_ratios(std::size_t index, const grade::LabResult& result) {
  ClassLab& lab = page_.labs[index];
  for (const grade::TestResult& test : result.tests) {
    const auto counted =
        std::find_if(lab.tests.begin(), lab.tests.end(),
                     [&](const ClassLab::Test& one) { return one.name == test.name; });
    if (counted != lab.tests.end() && !test.verdict.neutral()) {
      ++counted->ran;
      counted->passed += test.verdict.passed();
    }
    for (const grade::GateResult& gate : test.gates) {
      if (!is_ratio(gate) || gate.missing) continue;
      const std::string basis =
          gate.measured ? "measured on " + (test.measured ? test.measured->gpu : result.measured_on)
                        : "predicted";
      auto chart = std::find_if(lab.ratios.begin(), lab.ratios.end(), [&](const ClassRatio& one) {
        return one.test == test.name && one.figure == gate.figure && one.basis == basis;
      });
      if (chart == lab.ratios.end()) {
        ClassRatio fresh;
        fresh.test = test.name;
        fresh.figure = gate.figure;
        fresh.basis = basis;
        const auto reference = references_[index].find(test.name + "/" + gate.figure);
        if (reference != references_[index].end()) fresh.reference = reference->second;
        chart = lab.ratios.insert(lab.ratios.end(), std::move(fresh));
      }
      chart->gate = gate.threshold;
      chart->samples.push_back({gate.value, gate.passed      ? Standing::pass
                                            : gate.undecided ? Standing::open
                                                             : Standing::slow});
    }
  }
  // Students differ in which tests they reach; the charts stand in the lab's order all the same.
  std::stable_sort(
      lab.ratios.begin(), lab.ratios.end(), [&](const ClassRatio& a, const ClassRatio& b) {
        const auto place = [&](const ClassRatio& ratio) {
          return std::find_if(lab.tests.begin(), lab.tests.end(),
                              [&](const ClassLab::Test& test) { return test.name == ratio.test; }) -
                 lab.tests.begin();
        };
        return place(a) < place(b);
      });
}

ClassCell ClassPageMaker::add(std::size_t index, const StudentLab& lab, const Grade& grade) {
  ClassCell cell;
  cell.standing = lab.standing;
  cell.verdict = lab.verdict;
  cell.points = grade.points;
  cell.late_days = grade.late_days;
  cell.taken_off = grade.taken_off;
  cell.decided = grade.decided;
  cell.submitted = grade.submitted || grade.state == Grade::State::maybe_missing;
  cell.notes = all_notes(grade);
  if (lab.result) {
    if (lab.standing != Standing::pass) cell.reason = why_in_a_line(*lab.result);
    add_ratios(index, *lab.result);
  }
  // What a teacher decided counts as that alone, as in the counts of class status and class grade.
  const Place place = place_of(grade);
  if (place == Place::decided || place == Place::too_late) {
    if (!grade.measured_verdict.empty())
      cell.reason = fmt::format("was: {}{}{}", grade.measured_verdict,
                                cell.reason.empty() ? "" : ", ", cell.reason);
    cell.verdict = place_name(place);
    cell.standing = Standing::none;
  }
  cell.review = to_look_at_.contains({grade.student, grade.lab});
  if (cell.review)
    reasons_[{grade.student, grade.lab}] = cell.reason.empty() ? lab.trouble : cell.reason;
  return cell;
}

/// The same about several is said once: a fault of the machine befalls many.
void ClassPageMaker::add_case(const ReviewCase& one, const ReviewItem::Who& who) {
  std::string why = one.why;
  if (why.empty()) why = reasons_[{one.student, one.lab}];
  if (one.lab.empty() && !one.student.empty() && !one.path.empty()) why = one.path + ": " + why;
  const auto [item, is_new] =
      cases_.try_emplace({one.lab, review_name(one.kind), why}, page_.review.size());
  if (is_new)
    page_.review.push_back(
        {.who = {who}, .lab = one.lab, .what = review_name(one.kind), .why = why});
  else
    page_.review[item->second].who.push_back(who);
}

void ClassPageMaker::add_file(const Remark& remark, const std::string& student) {
  if (remark.kind == Remark::Kind::not_chosen || remark.kind == Remark::Kind::left_alone)
    page_.files.push_back({.what = remark_name(remark.kind),
                           .path = remark.path,
                           .student = student,
                           .text = remark.text});
}

void ClassPageMaker::saw(const grade::LabResult& result, const Job& job) {
  if (!job.kit.empty()) kits_.insert(job.kit);
  devices_.insert(result.device.empty() ? job.device : result.device);
  seeds_.insert(std::to_string(job.seed));
}

std::string ClassPageMaker::graded_with(bool with_seed) const {
  std::string text;
  if (!devices_.empty()) text = fmt::format("Graded on: {}", joined(devices_, " and "));
  if (!kits_.empty()) text += fmt::format("; kit {}", joined(kits_, " and "));
  if (with_seed && !seeds_.empty()) text += fmt::format("; seed {}", joined(seeds_, " and "));
  return text;
}

const ClassPage& ClassPageMaker::page() {
  page_.graded_with = graded_with(true);
  return page_;
}

}  // namespace labkit::course
