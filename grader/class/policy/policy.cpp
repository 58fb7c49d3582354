#include "class/policy/policy.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/enum_names.h"
#include "base/error.h"
#include "class/publish/exports.h"
#include "class/publish/publish.h"
#include "report/html_parts.h"

namespace labkit::course {

namespace {

constexpr double kSecondsADay = 86400;

/// A key of a policy: a number from `low` to `high`, or one of two words, which stand for 0 and 1.
struct PolicyKey {
  const char* name;
  double low = 0, high = 1;
  const char *zero = nullptr, *one = nullptr;
};
const std::vector<PolicyKey> kKeys = {
    {"missing", 0, 1, "blank", "zero"}, {"decimals", 0, 6}, {"jail", 0, 1, "lenient", "strict"}};
const std::vector<PolicyKey> kLateKeys = {
    {"percent_per_day", 0, 100}, {"of", 0, 1, "earned", "possible"}, {"max_percent", 0, 100},
    {"grace_minutes", 0, 1e6},   {"unknown_days", 0, 1000},          {"close_after_days", 0, 1000}};

class PolicyReader {
 public:
  explicit PolicyReader(std::string file) : file_(std::move(file)) {}

  /// Those of `keys` that are there, by their names.
  std::map<std::string_view, double> read(const toml::table& table,
                                          const std::vector<PolicyKey>& keys) const {
    std::map<std::string_view, double> values;
    for (const auto& [key, node] : table) {
      const std::string_view name = key.str();
      const auto known = std::ranges::find(keys, name, &PolicyKey::name);
      if (known != keys.end())
        values[name] = value(node, *known);
      else if (&keys != &kKeys || name != "late")
        fail(node, fmt::format("unknown key `{}`", name),
             name == "due" ? "Due times stand in assignments.toml, in the class's folder."
                           : fmt::format("`{} class policy` prints all keys, each with what it "
                                         "means.",
                                         command_name()));
      else if (!node.is_table())
        fail(node, "`late` must be a table", "Write [late] on a line of its own.");
    }
    return values;
  }

 private:
  double value(const toml::node& node, const PolicyKey& key) const {
    const auto number = node.value<double>();
    if (!key.zero && number && *number >= key.low && *number <= key.high) return *number;
    const std::string word = node.value<std::string>().value_or("");
    if (key.zero && (word == key.zero || word == key.one)) return word == key.one ? 1 : 0;
    fail(node,
         fmt::format("`{}` must be {}", key.name,
                     key.zero ? fmt::format("\"{}\" or \"{}\"", key.zero, key.one)
                              : fmt::format("a number from {} to {}", key.low, key.high)),
         "Correct it.");
  }
  [[noreturn]] void fail(const toml::node& node, const std::string& what,
                         const std::string& remedy) const {
    throw Error(fmt::format("{}:{}: {}", file_, node.source().begin.line, what), remedy);
  }

  std::string file_;
};

double late_days(const Entry& entry, const Policy& policy, const Decision* decision, Grade& grade) {
  if (decision) {
    grade.notes.push_back(
        fmt::format("{} late by decision: {}", days_text(decision->value, 4), decision->reason));
    return decision->value;
  }
  const auto due = policy.due.find(entry.lab);
  if (due != policy.due.end() && entry.submission.submitted_at) {
    const std::int64_t seconds = *entry.submission.submitted_at - due->second;
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
    grade.too_late = true;
    grade.notes.push_back(fmt::format("submitted more than {} late: nothing counts",
                                      days_text(*late.close_after_days, 4)));
  } else {
    const double percent = std::min(late.percent_per_day * grade.late_days, late.max_percent);
    grade.taken_off = std::min(
        *grade.points, percent / 100 * (late.of_possible ? grade.max_points : *grade.points));
  }
  *grade.points -= grade.taken_off;
}

/// Who, and what they noted for themselves.
void tell_teachers(Grade& grade, const char* what, const Decision* decision) {
  if (!decision) return;
  grade.who_decided.push_back(
      fmt::format("{} decided by {}{}{}", what, decision->by,
                  decision->note.empty() ? "" : "; their note: ", decision->note));
}

}  // namespace

std::string points_text(double points, int decimals) {
  return report::html::points_number(points, decimals);
}
std::string days_text(double days, int decimals) {
  return fmt::format("{} day{}", points_text(days, decimals), days == 1 ? "" : "s");
}

DecisionsThatCount decisions_that_count(const std::vector<Decision>& decisions) {
  DecisionsThatCount last;
  for (const Decision& one : decisions) switch (one.kind) {
      case Decision::Kind::points:
        last.points = &one;
        last.excused = nullptr;
        break;
      case Decision::Kind::late_days:
        last.late_days = &one;
        break;
      case Decision::Kind::excused:
        last.excused = &one;
        break;
      case Decision::Kind::withdrawn:
        last = {};
        break;
    }
  return last;
}

std::vector<std::string> all_notes(const Grade& grade) {
  std::vector<std::string> all = grade.notes;
  for (const auto* more : {&grade.teachers_notes, &grade.who_decided})
    all.insert(all.end(), more->begin(), more->end());
  return all;
}

std::vector<std::string> policy_keys() {
  std::vector<std::string> keys = {"late"};
  for (const auto* some : {&kKeys, &kLateKeys})
    for (const PolicyKey& key : *some) keys.emplace_back(key.name);
  return keys;
}

Policy parse_policy(std::string_view text, const std::string& name) {
  Policy policy;
  try {
    const toml::table root = toml::parse(text, name);
    auto values = PolicyReader(name).read(root, kKeys);
    policy.missing_is_zero = values["missing"] > 0;
    if (values.contains("decimals")) policy.decimals = static_cast<int>(values["decimals"]);
    policy.strict_jail = values["jail"] > 0;
    const toml::table* table = root["late"].as_table();
    if (!table) return policy;
    auto late = PolicyReader(name).read(*table, kLateKeys);
    policy.late.percent_per_day = late["percent_per_day"];
    policy.late.of_possible = late["of"] > 0;
    if (late.contains("max_percent")) policy.late.max_percent = late["max_percent"];
    policy.late.grace_seconds = std::llround(late["grace_minutes"] * 60);
    if (late.contains("unknown_days")) policy.late.unknown_days = late["unknown_days"];
    if (late.contains("close_after_days")) policy.late.close_after_days = late["close_after_days"];
  } catch (const toml::parse_error& error) {
    throw Error(
        fmt::format("{}:{}: {}", name, error.source().begin.line, std::string(error.description())),
        "Correct it; the format is TOML.");
  }
  return policy;
}

const char* grade_state_name(Grade::State state) {
  // In the order of Grade::State.
  static constexpr std::string_view kNames[] = {"graded",     "excused",    "missing",
                                                "missing?",   "waiting",    "left out",
                                                "not graded", "unreadable", "inconclusive"};
  return name_in(kNames, state).data();
}

namespace {

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
  if (!entry.submitted && entry.something_unread) {
    // It may be for this lab, so it is no zero for submitting nothing.
    grade.state = State::maybe_missing;
    grade.review = policy.missing_is_zero;
    grade.teachers_notes.push_back(fmt::format(
        "{} cannot be read or is for no lab that was set, so this may not be missing",
        entry.unread_download.empty() ? "something that was submitted" : entry.unread_download));
  } else if (!entry.submitted) {
    grade.state = State::missing;
    if (policy.missing_is_zero && !entry.is_nobodys) grade.points = 0;
  } else if (!entry.submission.problem.empty()) {
    grade.state = State::unreadable;
    grade.teachers_notes.push_back(
        fmt::format("{}: {}", entry.submission.path, entry.submission.problem));
  } else if (entry.graded) {
    const Score& now = entry.rescored ? static_cast<const Score&>(*entry.rescored) : entry;
    grade.measured_verdict = grade.verdict = now.verdict;
    grade.state = now.undecided > 0 || grade.verdict == grade_state_name(State::inconclusive)
                      ? State::inconclusive
                      : State::graded;
    grade.measured = now.points + now.bonus;
    if (entry.rescored && !entry.rescored->note.empty()) {
      grade.notes.push_back(entry.rescored->note);
      grade.review = true;
    }
  } else if (!entry.job) {
    grade.state = State::left_out;
  } else if (entry.job->state == JobState::failed) {
    grade.state = State::not_graded;
    grade.teachers_notes.push_back(entry.job->message);
  } else {
    grade.state = State::waiting;
  }
  grade.review |= grade.state == State::not_graded || grade.state == State::unreadable ||
                  grade.state == State::inconclusive;
  if (grade.state != State::graded) grade.verdict = grade_state_name(grade.state);
}

void apply_decision(const DecisionsThatCount& decisions, const Policy& policy, Grade& grade) {
  if (decisions.excused) {
    grade.state = Grade::State::excused;
    grade.verdict = grade_state_name(grade.state);
    grade.points.reset();
    grade.late_days = 0;
    grade.notes.push_back("excused: " + decisions.excused->reason);
  } else if (decisions.points) {
    // As in the grade beside it.
    const auto shown = [&](double points) { return points_text(points, policy.decimals); };
    grade.notes.push_back(
        fmt::format("{} points by decision{}: {}", shown(decisions.points->value),
                    grade.points ? " instead of " + shown(*grade.points) : std::string(),
                    decisions.points->reason));
    grade.points = decisions.points->value;
    grade.decided = true;
    grade.verdict = grade.state == Grade::State::graded ? grade.measured_verdict : kDecidedVerdict;
  } else {
    return;
  }
  grade.review = grade.too_late = false;
  grade.taken_off = 0;
}

}  // namespace

Grade grade(const Entry& entry, const Policy& policy) {
  Grade grade;
  grade.student = entry.student;
  grade.lab = entry.lab;
  grade.submitted = entry.submitted;
  grade.max_points = entry.rescored ? entry.rescored->max_points : entry.max_points;
  grade.teachers_notes = entry.submission.notes;
  const DecisionsThatCount decisions = decisions_that_count(entry.decisions);
  find_state(entry, policy, grade);
  if (entry.again) add_again(*entry.again, grade);
  if (!entry.unread_newer.empty()) {
    grade.notes.emplace_back("something else was submitted since, and cannot be read");
    grade.teachers_notes.push_back(entry.unread_newer);
    grade.review = true;
  }

  const std::size_t before_lateness = grade.notes.size();
  if (entry.submitted) grade.late_days = late_days(entry, policy, decisions.late_days, grade);
  if (grade.state == Grade::State::graded) {
    grade.points = grade.measured;
    apply_lateness(policy.late, grade);
    if (grade.too_late) grade.verdict = kTooLateVerdict;
  }
  // What was said of lateness, the reason of a decision about it among that, holds no more.
  if (decisions.excused || decisions.points) grade.notes.resize(before_lateness);
  apply_decision(decisions, policy, grade);
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

const char* sample_policy() {
  return R"toml(# A policy for `class grade ... --policy policy.toml` (or `class report DIR --policy ...`, which
# grades nothing again). It is kept with the class until another is given. As it stands here it changes
# nothing: late work costs nothing, and what was not submitted is blank.

missing = "blank"         # a lab that a student did not submit: "blank", or "zero"
decimals = 2              # of points in the sheets and on the pages, 0 to 6
jail = "lenient"          # "strict": grade nothing where the compiler's jail is not whole (see `doctor`)

[late]
percent_per_day = 0       # taken off for each day begun, 0 to 100
of = "earned"             # percent of the points earned, or of those "possible"
max_percent = 100         # never more than this is taken off, 0 to 100
grace_minutes = 0         # up to so late nothing is taken off; beyond it, days count from the due time
unknown_days = 1          # how many days late is what the LMS calls late without saying when, 0 to 1000
# close_after_days = 7    # what is later than that gives 0; without this line nothing is ever too late
)toml";
}

std::string kept_policy_text(const Gradebook& book) { return kept_file(book, kPolicySetting).text; }

}  // namespace labkit::course
