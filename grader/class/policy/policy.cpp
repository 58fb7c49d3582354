#include "class/policy/policy.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/enum_names.h"
#include "base/error.h"
#include "grade/toml_reader.h"
#include "report/html_parts.h"

namespace labkit::course {

namespace {

constexpr double kSecondsADay = 86400;

using grade::TomlReader;

double number_in(TomlReader& table, const char* key, double otherwise, double high) {
  const double value = table.optional<double>(key, "a number", otherwise);
  if (!(value >= 0 && value <= high))  // nor nan
    table.fail(fmt::format("`{}` must be a number from 0 to {}", key, high), table.find(key));
  return value;
}

bool is_second_in(TomlReader& table, const char* key, const char* first, const char* second) {
  const auto word = table.optional<std::string>(key, "a word in quotes", first);
  if (word != first && word != second)
    table.fail(fmt::format("`{}` must be \"{}\" or \"{}\"", key, first, second), table.find(key));
  return word == second;
}

void read_late(TomlReader table, LatePolicy& late) {
  late.percent_per_day = number_in(table, "percent_per_day", 0, 100);
  late.grace_seconds = std::llround(60 * number_in(table, "grace_minutes", 0, 1e6));
  late.unknown_days = number_in(table, "unknown_days", 1, 1000);
  if (table.find("close_after_days"))
    late.close_after_days = number_in(table, "close_after_days", 0, 1000);
  table.no_other_keys();
}

double late_days(const Entry& entry, const Policy& policy, const Decision* decision, Grade& grade) {
  if (decision) {
    grade.notes.push_back(
        fmt::format("{} late by decision: {}", days_text(decision->value, 4), decision->reason));
    return decision->value;
  }
  const auto due = policy.due.find(entry.lab);
  const auto at = submitted_at(entry, policy);
  if (due != policy.due.end() && at) {
    std::int64_t until = due->second;
    if (const auto own = policy.extended_to.find({entry.lab, entry.submission.lms_id});
        own != policy.extended_to.end() && entry.submission.group.size() <= 1)
      until = std::max(until, own->second);
    const std::int64_t seconds = *at - until;
    return seconds <= policy.late.grace_seconds
               ? 0
               : std::ceil(static_cast<double>(seconds) / kSecondsADay);
  }
  if (!entry.submission.late) return 0;
  grade.notes.push_back(fmt::format("marked late, by how much is not known: taken for {}",
                                    days_text(policy.late.unknown_days, 4)));
  return policy.late.unknown_days;
}

void apply_lateness(const LatePolicy& late, Grade& grade) {
  if (grade.late_days <= 0) return;
  if (late.close_after_days && grade.late_days > *late.close_after_days) {
    grade.taken_off = *grade.points;
    grade.state = Grade::State::too_late;
    grade.notes.push_back(fmt::format("submitted more than {} late: nothing counts",
                                      days_text(*late.close_after_days, 4)));
  } else {
    grade.taken_off = *grade.points * std::min(late.percent_per_day * grade.late_days / 100, 1.0);
  }
  *grade.points -= grade.taken_off;
}

void tell_teachers(Grade& grade, const char* what, const Decision* decision) {
  if (decision) grade.teachers_notes.push_back(fmt::format("{} decided by {}", what, decision->by));
}

Grade::State state_of(const std::string& verdict) {
  return verdict == "pass" ? Grade::State::pass : Grade::State::not_pass;
}

/// What counts is of before; a teacher should know what has not taken its place, and why.
void add_again(const Job& again, Grade& grade) {
  if (again.state == JobState::failed) {
    grade.notes.emplace_back(
        "it was to be graded again and is not yet, through no fault of the student; this is the "
        "earlier grade");
    grade.teachers_notes.push_back(
        fmt::format("came to no verdict when it was graded again: {}", again.message));
    grade.review = true;
  } else {
    grade.notes.push_back("waits to be graded again; this is the earlier grade");
  }
}

/// What there is of it, before lateness and decisions.
void find_state(const Entry& entry, const Policy& policy, Grade& grade) {
  using State = Grade::State;
  if (!entry.submitted && !entry.perhaps.empty()) {
    grade.state = State::maybe_missing;
    grade.review = policy.missing_is_zero;
    grade.teachers_notes.push_back(entry.perhaps + ", so this may not be missing");
  } else if (!entry.submitted) {
    grade.state = State::missing;
    if (policy.missing_is_zero && !entry.is_nobodys) grade.points = 0;
  } else if (!entry.submission.problem.empty()) {
    grade.state = State::unreadable;
    grade.teachers_notes.push_back(
        fmt::format("{}: {}", entry.submission.path, entry.submission.problem));
  } else if (entry.graded) {
    grade.measured_verdict = grade.verdict = entry.verdict;
    grade.state = entry.undecided > 0 || entry.verdict == grade_state_name(State::inconclusive)
                      ? State::inconclusive
                      : state_of(entry.verdict);
    grade.measured = entry.points + entry.bonus;
  } else if (entry.job && entry.job->state == JobState::failed) {
    grade.state = State::not_graded;
    grade.teachers_notes.push_back(entry.job->message);
  } else {
    grade.state = State::waiting;
  }
  grade.review |= grade.state == State::not_graded || grade.state == State::unreadable ||
                  grade.state == State::inconclusive;
  if (!grade.has_result()) grade.verdict = grade_state_name(grade.state);
}

void apply_decision(const DecisionsThatCount& decisions, Grade& grade) {
  if (decisions.excused) {
    grade.state = Grade::State::excused;
    grade.verdict = grade_state_name(grade.state);
    grade.points.reset();
    grade.late_days = 0;
    grade.notes.push_back("excused: " + decisions.excused->reason);
  } else if (decisions.points) {
    grade.notes.push_back(
        fmt::format("{} points by decision{}: {}", points_text(decisions.points->value),
                    grade.points ? " instead of " + points_text(*grade.points) : std::string(),
                    decisions.points->reason));
    grade.points = decisions.points->value;
    grade.decided = true;
    if (grade.has_result()) grade.state = state_of(grade.measured_verdict);  // however late
    grade.verdict = grade.has_result() ? grade.measured_verdict : kDecidedVerdict;
  } else {
    return;
  }
  grade.review = false;
  grade.taken_off = 0;
}

}  // namespace

std::string points_text(double points, int decimals) {
  return report::html::points_number(points, decimals);
}
std::string days_text(double days, int decimals) {
  return fmt::format("{} day{}", points_text(days, decimals), days == 1 ? "" : "s");
}

std::string decided_text(const Decision& decision, int decimals) {
  using Kind = Decision::Kind;
  if (decision.kind == Kind::points) return points_text(decision.value, decimals) + " points";
  if (decision.kind == Kind::late_days) return days_text(decision.value, decimals) + " late";
  static const std::map<Kind, const char*> others = {
      {Kind::excused, "excused"},
      {Kind::withdrawn, "all earlier decisions withdrawn"},
      {Kind::comment, "comment"},
      {Kind::regrade, "regrade request"},
      {Kind::answered, "regrade request answered"}};
  return others.at(decision.kind);
}

DecisionsThatCount decisions_that_count(const std::vector<Decision>& decisions) {
  DecisionsThatCount last;
  for (const Decision& one : decisions) {
    using Kind = Decision::Kind;
    if (one.kind == Kind::comment) {
      last.comment = one.reason.empty() ? nullptr : &one;
      continue;
    }
    last.regrade = one.kind == Kind::regrade ? &one : nullptr;
    if (one.kind == Kind::regrade || one.kind == Kind::answered)
      last.answer = one.kind == Kind::answered ? &one : nullptr;
    if (one.kind == Kind::withdrawn) last = {.comment = last.comment};
    if (one.kind == Kind::late_days) last.late_days = &one;
    if (one.kind == Kind::excused) last.excused = &one;
    if (one.kind != Kind::points) continue;
    last.points = &one;
    last.excused = nullptr;
  }
  return last;
}

std::vector<std::string> all_notes(const Grade& grade) {
  std::vector<std::string> all = grade.notes;
  all.insert(all.end(), grade.teachers_notes.begin(), grade.teachers_notes.end());
  return all;
}

Policy parse_policy(std::string_view text, const std::string& name) {
  const std::string remedy = fmt::format(
      "`{} class policy` prints all keys, each with what it means. Due times stand in "
      "assignments.toml, in the class's folder.",
      command_name());
  const toml::table root = grade::parse_toml(text, name, "Correct it; the format is TOML.");
  Policy policy;
  TomlReader table(root, name, "the policy", remedy);
  policy.missing_is_zero = is_second_in(table, "missing", "blank", "zero");
  policy.drop_lowest = static_cast<unsigned>(number_in(table, "drop_lowest", 0, 100));
  if (const toml::table* late = table.table("late", "a table: write [late] on a line of its own"))
    read_late({*late, name, "late work", remedy}, policy.late);
  if (const toml::table* all = table.table("weights", "a table: write [weights] on its own line")) {
    TomlReader weights(*all, name, "the weights", remedy);
    for (const auto& [lab, weight] : *all)
      policy.weights[std::string(lab.str())] = number_in(weights, lab.data(), 1, 100);
  }
  table.no_other_keys();
  return policy;
}

const char* grade_state_name(Grade::State state) {
  // In the order of Grade::State.
  static constexpr std::string_view kNames[] = {
      "pass",    "not pass", "too late", "inconclusive", "not graded", "unreadable",
      "waiting", "missing",  "missing?", "excused",      "decided"};
  return name_in(kNames, state).data();
}

std::optional<std::int64_t> submitted_at(const Entry& entry, const Policy& policy) {
  const Submission& one = entry.submission;
  if (one.submitted_at || !one.local_at || one.group.size() > 1) return one.submitted_at;
  const auto zone = policy.zone_seconds.find(entry.lab);
  return *one.local_at - (zone == policy.zone_seconds.end() ? 0 : zone->second);
}

Grade grade(const Entry& entry, const Policy& policy) {
  Grade grade;
  grade.student = entry.student;
  grade.lab = entry.lab;
  grade.submitted = entry.submitted;
  grade.max_points = entry.max_points;
  const DecisionsThatCount decisions = decisions_that_count(entry.decisions);
  find_state(entry, policy, grade);
  if (entry.again) add_again(*entry.again, grade);

  const std::size_t before_lateness = grade.notes.size();
  if (entry.submitted) grade.late_days = late_days(entry, policy, decisions.late_days, grade);
  if (grade.has_result()) {
    grade.points = grade.measured;
    apply_lateness(policy.late, grade);
    if (grade.state == Grade::State::too_late) grade.verdict = kTooLateVerdict;
  }
  // What was said of lateness, the reason of a decision about it among that, holds no more.
  if (decisions.excused || decisions.points) grade.notes.resize(before_lateness);
  apply_decision(decisions, grade);
  if (decisions.comment) grade.comment = decisions.comment->reason;
  tell_teachers(grade, "lateness", decisions.late_days);
  tell_teachers(grade, "points", decisions.excused ? nullptr : decisions.points);
  tell_teachers(grade, "excuse", decisions.excused);
  return grade;
}

std::vector<Grade> grade_all(const std::vector<Entry>& entries, const Policy& policy) {
  std::vector<Grade> grades;
  for (const Entry& entry : entries) grades.push_back(grade(entry, policy));
  return grades;
}

Total total_of(std::span<const Grade> grades, const Policy& policy) {
  struct Part {
    const Grade* grade;
    double weight, share;
    bool is_dropped = false;
  };
  std::vector<Part> parts;
  for (const Grade& grade : grades) {
    const auto at = policy.weights.find(grade.lab);
    const double weight = at == policy.weights.end() ? 1 : at->second;
    if (grade.points)
      parts.push_back({&grade, weight, *grade.points / std::max(grade.max_points, 1e-9)});
  }
  std::vector<Part*> lowest;  // first
  for (Part& part : parts)
    if (part.weight > 0) lowest.push_back(&part);
  std::ranges::stable_sort(lowest, {}, &Part::share);
  for (std::size_t i = 0; i < policy.drop_lowest && i + 1 < lowest.size(); ++i)
    lowest[i]->is_dropped = true;
  Total total;
  bool is_plain = true;
  for (const Part& part : parts) {
    const double weight = part.is_dropped ? 0 : part.weight;
    const double points = weight * *part.grade->points, most = weight * part.grade->max_points;
    total.points = total.points.value_or(0) + points;
    total.max_points += most;
    is_plain &= weight == 1;
    std::string line =
        fmt::format("{}: {} of {}", part.grade->lab, points_text(*part.grade->points),
                    points_text(part.grade->max_points));
    if (part.is_dropped)
      line += fmt::format(", not counted (among the lowest {})", policy.drop_lowest);
    else if (weight != 1)
      line += fmt::format(", times {}: {} of {}", points_text(weight, 4), points_text(points),
                          points_text(most));
    total.how.push_back(std::move(line));
  }
  if (is_plain) total.how.clear();
  return total;
}

bool is_in_trouble(const Entry& entry) {
  const DecisionsThatCount decisions = decisions_that_count(entry.decisions);
  return entry.wanted() && entry.wanted()->state == JobState::failed && !decisions.points &&
         !decisions.excused;
}

ClassCount count(const std::vector<Entry>& entries) {
  ClassCount sum;
  for (const Entry& entry : entries) {
    sum.undecided += grade(entry, {}).place() == Grade::State::inconclusive;
    if (entry.graded) sum.last_result_at = std::max(sum.last_result_at, entry.job->finished_at);
    const Job* job = entry.wanted();
    if (!job) continue;
    sum.to_grade += 1;
    sum.waiting += job->state == JobState::waiting;
    sum.graded += job->state == JobState::done;
    sum.not_graded += is_in_trouble(entry);
  }
  return sum;
}

const char* sample_policy() {
  return R"toml(# A policy for `class grade ... --policy policy.toml` (or `class report DIR --policy ...`, which
# grades nothing again). It is kept with the class until another is given. As it stands here it changes
# nothing: late work costs nothing, and what was not submitted is blank.

missing = "blank"         # a lab that a student did not submit: "blank", or "zero"
drop_lowest = 0           # so many labs of each student, those with the smallest share of their points, are
                          # not in the total; what is blank neither counts nor is dropped

[late]
percent_per_day = 0       # of the points earned, taken off for each day begun, 0 to 100
grace_minutes = 0         # up to so late nothing is taken off; beyond it, days count from the due time
unknown_days = 1          # how many days late is what the LMS calls late without saying when, 0 to 1000
# close_after_days = 7    # what is later than that gives 0; without this line nothing is ever too late

[weights]
# lab5 = 2                # how often the lab counts in the total, 0 to 100; those that are not here count once
)toml";
}

}  // namespace labkit::course
