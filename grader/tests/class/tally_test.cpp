#include <gtest/gtest.h>

#include "class/policy/policy.h"

namespace labkit::course {
namespace {

Entry entry_of(const std::string& student, const std::string& verdict = "") {
  Entry one;
  one.student = student;
  one.lab = "lab3";
  one.submitted = true;
  one.job = Job{};
  one.job->state = verdict.empty() ? JobState::waiting : JobState::done;
  one.graded = !verdict.empty();
  one.verdict = verdict;
  return one;
}

Entry decided(Entry one, Decision::Kind kind) {
  Decision decision;
  decision.kind = kind;
  decision.reason = "x";
  one.decisions.push_back(decision);
  return one;
}

using Place = Grade::State;
Place place(const Entry& one) { return grade(one, {}).place(); }

TEST(Tally, EachHasOnePlace) {
  std::vector<Entry> entries = {entry_of("a", "pass"),
                                entry_of("b", "gate ratio"),
                                entry_of("c", "inconclusive"),
                                entry_of("d"),
                                entry_of("e"),
                                entry_of("f"),
                                entry_of("g"),
                                entry_of("h", "gate ratio"),
                                entry_of("i", "gate ratio"),
                                entry_of("j")};
  entries[3].job->state = JobState::failed;
  entries[4].submission.problem = "it is empty";
  entries[4].job.reset();
  entries[5].submitted = false;
  entries[5].job.reset();
  entries[6].job.reset();     // a lab that was not asked for
  entries[7].undecided = 10;  // failed in one test, open in another: blank
  entries[8].verdict = "pass";
  entries[9] = entries[5];
  entries[9].perhaps = "x cannot be read";
  const std::vector<Place> places = {Place::pass,         Place::not_pass,     Place::inconclusive,
                                     Place::not_graded,   Place::unreadable,   Place::missing,
                                     Place::waiting,      Place::inconclusive, Place::pass,
                                     Place::maybe_missing};
  for (std::size_t i = 0; i < entries.size(); ++i) EXPECT_EQ(place(entries[i]), places[i]) << i;
  EXPECT_EQ(place(entry_of("x")), Place::waiting);

  // What a teacher decided is out of all the others, until it is taken back.
  for (Entry& one : entries) {
    EXPECT_EQ(place(decided(one, Decision::Kind::points)), Place::decided);
    EXPECT_EQ(place(decided(one, Decision::Kind::excused)), Place::excused);
    EXPECT_EQ(place(decided(one, Decision::Kind::late_days)), place(one));
    EXPECT_EQ(place(decided(decided(one, Decision::Kind::points), Decision::Kind::withdrawn)),
              place(one));
  }
}

TEST(Tally, WhatIsTooLateIsNoPass) {
  Policy policy;
  policy.late.close_after_days = 1;
  Entry late = entry_of("a", "pass");
  late.points = late.max_points = 100;
  late.submission.late = true;
  for (const double days : {1., 2.}) {
    late = decided(late, Decision::Kind::late_days);
    late.decisions.back().value = days;
    EXPECT_EQ(grade(late, policy).place(), days > 1 ? Place::too_late : Place::pass);
  }
  EXPECT_EQ(grade(decided(late, Decision::Kind::points), policy).place(), Place::decided);
}

}  // namespace
}  // namespace labkit::course
