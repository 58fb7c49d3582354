#include "class/policy/policy.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace labkit::course {
namespace {

constexpr std::int64_t kDue = 1790000000, kDay = 86400;

Entry graded(double points = 100) {
  Entry entry;
  entry.student = "ana";
  entry.lab = "lab3";
  entry.submitted = entry.graded = true;
  entry.job = Job{};
  entry.job->state = JobState::done;
  entry.verdict = points == 100 ? "pass" : "gate ratio";
  entry.points = points;
  entry.max_points = 100;
  entry.max_bonus = 20;
  return entry;
}
Entry submitted(std::int64_t after_due, double points = 100) {
  Entry entry = graded(points);
  entry.submission.submitted_at = kDue + after_due;
  return entry;
}
Policy policy(const std::string& late = "percent_per_day = 10\ngrace_minutes = 15\n") {
  Policy policy = parse_policy("[late]\n" + late, "policy.toml");
  policy.due["lab3"] = kDue;
  return policy;
}
double points(const Entry& entry, const Policy& with) {
  return grade(entry, with).points.value_or(-1);
}

std::vector<Grade> grades_of(const std::vector<std::optional<double>>& points) {
  std::vector<Grade> grades;
  for (const auto& one : points) {
    Grade& grade = grades.emplace_back();
    grade.lab = "lab" + std::to_string(grades.size());
    grade.points = one;
    grade.max_points = 100;
  }
  return grades;
}

TEST(Totals, DropTheLowestAndWeighTheRest) {
  const auto total = [](const std::vector<std::optional<double>>& points, const std::string& text) {
    return total_of(grades_of(points), parse_policy(text, "policy.toml"));
  };
  const std::optional<double> blank;
  Total all = total({90, blank, 0, 70}, "");
  EXPECT_EQ(all.points, 160);
  EXPECT_EQ(all.max_points, 300);
  EXPECT_TRUE(all.how.empty()) << "a plain sum needs no words";
  all = total({90, blank, 0, 70}, "drop_lowest = 1\n[weights]\nlab4 = 2\nlab2 = 9");
  EXPECT_EQ(all.points, 230);
  EXPECT_EQ(all.max_points, 300);
  EXPECT_EQ(all.how, (std::vector<std::string>{"lab1: 90 of 100",
                                               "lab3: 0 of 100, not counted (among the lowest 1)",
                                               "lab4: 70 of 100, times 2: 140 of 200"}));
  EXPECT_EQ(total({90, 20, 70}, "drop_lowest = 2").points, 90);
  EXPECT_EQ(total({90, 20}, "drop_lowest = 9").points, 90) << "one lab always counts";
  EXPECT_EQ(total({20, 90}, "drop_lowest = 1\n[weights]\nlab1 = 0").points, 90)
      << "what counts nothing is not what is dropped";
  EXPECT_EQ(total({blank}, "drop_lowest = 1").points, std::nullopt);
  for (const char* wrong : {"drop_lowest = -1", "[weights]\nlab1 = -1", "weights = 2",
                            "[weights]\nlab1 = \"two\"", "drop_lowest = \"one\""})
    EXPECT_THROW(parse_policy(wrong, "p"), Error) << wrong;
}

TEST(Policy, DaysGraceAndCap) {
  const Policy p = policy();
  EXPECT_EQ(points(submitted(-5 * kDay), p), 100);
  EXPECT_EQ(points(submitted(0), p), 100);
  EXPECT_EQ(points(submitted(900), p), 100);  // grace
  EXPECT_EQ(points(submitted(901), p), 90);   // a day begun
  EXPECT_EQ(points(submitted(kDay), p), 90);
  EXPECT_EQ(points(submitted(kDay + 1), p), 80);
  EXPECT_EQ(points(submitted(40 * kDay), p), 0);  // no less
  const Grade late = grade(submitted(kDay + 1, 60), p);
  EXPECT_EQ(late.points, 48);  // of what was earned
  EXPECT_EQ(late.taken_off, 12);
  EXPECT_EQ(late.late_days, 2);
  EXPECT_EQ(late.measured, 60);
  EXPECT_EQ(points(submitted(2 * kDay), policy("close_after_days = 2")), 100);
  EXPECT_EQ(points(submitted(2 * kDay + 1), policy("close_after_days = 2")), 0);
  EXPECT_EQ(points(submitted(9 * kDay), Policy{}), 100) << "no due time, not late";
}

TEST(Policy, AfterTheCloseItIsTooLateAndNoPass) {
  const Policy p = policy("close_after_days = 1");
  const Grade late = grade(submitted(kDay + 1), p);
  EXPECT_EQ(late.points, 0);
  EXPECT_EQ(late.verdict, "too late");
  EXPECT_EQ(late.measured_verdict, "pass");
  EXPECT_EQ(late.notes,
            (std::vector<std::string>{"submitted more than 1 day late: nothing counts"}));
  EXPECT_EQ(grade(submitted(kDay), p).verdict, "pass");
}

TEST(Policy, WhatCouldNotBeReadMayBeOfALabThatIsMissing) {
  Entry entry;
  entry.perhaps = "x cannot be read";
  for (const char* missing : {"blank", "zero"}) {
    const Grade one =
        grade(entry, parse_policy(fmt::format("missing = \"{}\"", missing), "policy.toml"));
    EXPECT_EQ(one.state, Grade::State::maybe_missing);
    EXPECT_EQ(one.verdict, "missing?");
    EXPECT_FALSE(one.points);
    EXPECT_EQ(one.review, std::string_view(missing) == "zero") << "else nothing hangs on it";
  }
  Entry handed = submitted(0);
  handed.perhaps = "x cannot be read";
  EXPECT_EQ(grade(handed, {}).verdict, "pass") << "this lab was not in what could not be read";
}

TEST(Policy, MarkedLateWithoutATime) {
  Entry entry = graded();
  entry.submission.late = true;
  const Grade one = grade(entry, policy());
  EXPECT_EQ(one.points, 90);
  EXPECT_EQ(one.notes.at(0), "marked late, by how much is not known: taken for 1 day");
  EXPECT_EQ(points(entry, policy("percent_per_day = 10\nunknown_days = 3")), 70);
  // A time that is known says more than the mark.
  entry.submission.submitted_at = kDue - 1;
  EXPECT_EQ(points(entry, policy()), 100);
}

TEST(Policy, BonusCountsOnTop) {
  Entry entry = graded();
  entry.bonus = 20;
  EXPECT_EQ(points(entry, Policy{}), 120);
}

TEST(Policy, OurFaultIsNeverAZero) {
  Entry entry = graded();
  entry.graded = false;
  entry.job->state = JobState::failed;
  entry.job->message = "no compiler";
  Grade one = grade(entry, policy());
  EXPECT_EQ(one.state, Grade::State::not_graded);
  EXPECT_FALSE(one.points);
  EXPECT_TRUE(one.review);
  EXPECT_EQ(one.teachers_notes.at(0), "no compiler");
  EXPECT_TRUE(one.notes.empty()) << "a student need not read what the machine said";
  entry.job->state = JobState::waiting;
  EXPECT_EQ(grade(entry, policy()).state, Grade::State::waiting);
  EXPECT_FALSE(grade(entry, policy()).points);

  Entry open = graded(60);
  open.undecided = 40;
  open.verdict = "gate other";
  one = grade(open, policy());
  EXPECT_EQ(one.state, Grade::State::inconclusive);
  EXPECT_EQ(one.verdict, "inconclusive");
  EXPECT_FALSE(one.points);
  EXPECT_TRUE(one.review);

  Entry broken = graded();
  broken.graded = false;
  broken.job.reset();
  broken.submission.problem = "it is encrypted";
  one = grade(broken, policy());
  EXPECT_EQ(one.state, Grade::State::unreadable);
  EXPECT_FALSE(one.points);
  EXPECT_TRUE(one.review);
  EXPECT_TRUE(one.notes.empty()) << "it holds the path";

  const Entry nothing{};
  EXPECT_FALSE(grade(nothing, policy()).points);
  EXPECT_EQ(grade(nothing, policy()).verdict, "missing");
  EXPECT_EQ(points(nothing, parse_policy("missing = \"zero\"", "p")), 0);
}

Decision decision(Decision::Kind kind, double value, const std::string& reason) {
  Decision one;
  one.kind = kind;
  one.value = value;
  one.reason = reason;
  return one;
}

TEST(Policy, DecisionsOfTheTeacher) {
  using Kind = Decision::Kind;
  Entry entry = submitted(3 * kDay);
  entry.decisions = {decision(Kind::late_days, 0, "ill")};
  Grade one = grade(entry, policy());
  EXPECT_EQ(one.points, 100);
  EXPECT_EQ(one.notes.at(0), "0 days late by decision: ill");
  entry.decisions.push_back(decision(Kind::points, 77.5, "partial credit"));
  one = grade(entry, policy());
  EXPECT_EQ(one.points, 77.5);
  EXPECT_TRUE(one.decided);
  EXPECT_EQ(one.notes,
            (std::vector<std::string>{"77.5 points by decision instead of 100: partial credit"}))
      << "that of the lateness is of no account any more";
  entry.decisions.push_back(decision(Kind::points, 12.346, "as shown"));
  EXPECT_EQ(grade(entry, policy()).notes.at(0),
            "12.35 points by decision instead of 100: as shown");
  entry.decisions.push_back(decision(Kind::excused, 0, "moved away"));
  one = grade(entry, policy());
  EXPECT_EQ(one.state, Grade::State::excused);
  EXPECT_EQ(one.verdict, "excused") << "and not what was measured";
  EXPECT_FALSE(one.points);
  EXPECT_EQ(one.taken_off, 0);
  EXPECT_EQ(one.late_days, 0);
  EXPECT_EQ(one.notes, (std::vector<std::string>{"excused: moved away"}));
  entry.decisions.push_back(decision(Kind::withdrawn, 0, "all a mistake"));
  EXPECT_EQ(points(entry, policy()), 70);
  EXPECT_TRUE(grade(entry, policy()).notes.empty()) << "as if nothing had been said";
  // A decision ends the review of what could not be graded.
  Entry missing;
  missing.decisions = {decision(Kind::points, 40, "seen on paper")};
  EXPECT_EQ(points(missing, policy()), 40);
  Entry failed = graded();
  failed.graded = false;
  failed.job->state = JobState::failed;
  failed.decisions = missing.decisions;
  EXPECT_EQ(points(failed, policy()), 40);
  EXPECT_EQ(grade(failed, policy()).verdict, "decided") << "and neither missing nor not graded";
  EXPECT_EQ(grade(missing, policy()).verdict, "decided");
  EXPECT_FALSE(grade(failed, policy()).review);
}

TEST(Policy, WhoDecidedIsForTeachersAlone) {
  using Kind = Decision::Kind;
  Entry entry = submitted(3 * kDay);
  for (const Kind kind : {Kind::late_days, Kind::points, Kind::excused}) {
    Decision one = decision(kind, 50, "we spoke");
    one.by = "kim";
    entry.decisions = {one};
    const Grade after = grade(entry, policy());
    for (const std::string& note : after.notes)
      EXPECT_EQ(note.find("kim"), std::string::npos) << note;
    EXPECT_NE(after.notes.back().find("we spoke"), std::string::npos);
    EXPECT_NE(after.teachers_notes.back().find("decided by kim"), std::string::npos);
    EXPECT_EQ(all_notes(after).size(), after.notes.size() + 1) << "who";
  }
}

TEST(Policy, TheSampleExplainsEveryKeyAndChangesNothing) {
  const std::string sample = sample_policy();
  const Policy plain, parsed = parse_policy(sample, "sample");
  EXPECT_EQ(parsed.missing_is_zero, plain.missing_is_zero);
  EXPECT_EQ(parsed.late.percent_per_day, plain.late.percent_per_day);
  EXPECT_EQ(parsed.late.grace_seconds, plain.late.grace_seconds);
  EXPECT_EQ(parsed.late.close_after_days, plain.late.close_after_days);
  EXPECT_EQ(parsed.late.unknown_days, plain.late.unknown_days);
  // What is commented out is right as well.
  std::string all = sample;
  for (const char* key : {"close_after_days"}) {
    const std::size_t at = all.find(std::string("\n# ") + key + " = ");
    ASSERT_NE(at, std::string::npos) << key;
    all.erase(at + 1, 2);
  }
  const Policy whole = parse_policy(all, "sample");
  EXPECT_EQ(whole.late.close_after_days, 7);
  for (const std::string key : {"missing", "drop_lowest", "late", "percent_per_day",
                                "grace_minutes", "unknown_days", "close_after_days", "weights"})
    EXPECT_TRUE(all.find("\n" + key + " = ") != std::string::npos ||
                all.find("\n[" + key + "]\n") != std::string::npos)
        << key << " is not explained";
}

TEST(Policy, ReadsItsFile) {
  const Policy p = parse_policy(R"(
missing = "zero"
[late]
percent_per_day = 12.5
grace_minutes = 30
close_after_days = 7
unknown_days = 2
)",
                                "p");
  EXPECT_TRUE(p.missing_is_zero);
  EXPECT_EQ(p.late.percent_per_day, 12.5);
  EXPECT_EQ(p.late.grace_seconds, 1800);
  EXPECT_EQ(p.late.close_after_days, 7);
  EXPECT_EQ(p.late.unknown_days, 2);
}

TEST(Policy, RefusesWhatItCannotMean) {
  const auto message = [](const std::string& text) -> std::string {
    try {
      parse_policy(text, "policy.toml");
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message("\nlatte = 1"), "policy.toml:2: the policy: unknown key `latte`");
  EXPECT_EQ(message("[late]\npercent = 10"), "policy.toml:2: late work: unknown key `percent`");
  EXPECT_EQ(message("[late]\npercent_per_day = 110"),
            "policy.toml:2: late work: `percent_per_day` must be a number from 0 to 100");
  EXPECT_EQ(message("[late]\npercent_per_day = -1"),
            "policy.toml:2: late work: `percent_per_day` must be a number from 0 to 100");
  EXPECT_EQ(message("[late]\npercent_per_day = nan"),
            "policy.toml:2: late work: `percent_per_day` must be a number from 0 to 100");
  EXPECT_EQ(message("missing = \"all\""),
            "policy.toml:1: the policy: `missing` must be \"blank\" or \"zero\"");
  EXPECT_EQ(message("[due]\nlab1 = 2026-10-01T23:59:00Z"),
            "policy.toml:1: the policy: unknown key `due`");
  EXPECT_EQ(message("late = 3"),
            "policy.toml:1: the policy: `late` must be a table: write [late] on a line of its own");
  EXPECT_NE(message("[late\n").find("policy.toml:1:"), std::string::npos);
}

}  // namespace
}  // namespace labkit::course
