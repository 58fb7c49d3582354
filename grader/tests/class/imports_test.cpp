// A class that comes in bit by bit: which submission counts, what waits, what is taken back.
#include <gtest/gtest.h>

#include "merging.h"

namespace labkit::course {
namespace {

using Imports = Merging;

TEST_F(Imports, TheLaterCountsAndTheEarlierKeepsItsResult) {
  grade(week_of("one", "a"));
  grade(week_of("two", "b"));
  EXPECT_EQ(source("s0"), "b");
  const Entry now = entry("s0");
  EXPECT_TRUE(now.graded);
  EXPECT_TRUE(book_.outcome(1) && book_.outcome(2));
}

TEST_F(Imports, TheLmssTimeGoesBeforeTheOrderInWhichTheyCame) {
  import_inputs(week_of("two", "b", 2));
  const Imported late = import_inputs(week_of("one", "a", 1));
  EXPECT_EQ(source("s0"), "b");
  EXPECT_EQ(late.added, 0u);
  EXPECT_EQ(late.older.size(), 1u);
  import_inputs(week_of("three", "a", 3));  // submitted again, and later
  EXPECT_EQ(source("s0"), "a");
}

TEST_F(Imports, CanvassNumberDoesToo) {
  const auto numbered = [](const std::string& source, std::uint64_t number) {
    Intake intake = week_of("canvas", source);
    submission_of(intake, "s0").lms_order = number;
    return intake;
  };
  import_inputs(numbered("b", 20));
  import_inputs(numbered("a", 10));
  EXPECT_EQ(source("s0"), "b");
}

TEST_F(Imports, TheSameBytesAgainChangeNothing) {
  Intake first = week_of("one", "a", 1);
  import_inputs(first);
  EXPECT_EQ(import_inputs(first).added, 0u);
  EXPECT_EQ(import_inputs(week_of("again", "a", 9)).added, 0u);
  EXPECT_EQ(entry("s0").submission.submitted_at, 1'790'000'000 + 3600) << "it is not late now";
}

TEST_F(Imports, AMovedDueTimeChangesTheLatenessOfTheSameAttempt) {
  const auto attempt = [](const std::string& source, std::uint64_t number, bool late) {
    Intake intake = week_of("canvas", source);
    Submission& one = submission_of(intake, "s0");
    one.lms_order = number;
    one.late = late;
    return intake;
  };
  import_inputs(attempt("a", 10, true));
  EXPECT_EQ(import_inputs(attempt("a", 10, true)).added, 0u);
  EXPECT_TRUE(entry("s0").submission.late);
  EXPECT_EQ(import_inputs(attempt("a", 10, false)).added, 1u);
  EXPECT_FALSE(entry("s0").submission.late);
  import_inputs(attempt("a", 20, true));
  EXPECT_FALSE(entry("s0").submission.late) << "the same text again is no new attempt";
  import_inputs(attempt("b", 30, true));
  EXPECT_TRUE(entry("s0").submission.late);
}

TEST_F(Imports, WhatSomethingHasReplacedStaysReplacedWithoutTheLmssWord) {
  import_inputs(week_of("one", "a"));
  import_inputs(week_of("two", "b"));
  EXPECT_EQ(import_inputs(week_of("one", "a")).added, 0u);
  EXPECT_EQ(source("s0"), "b");
}

TEST_F(Imports, WhatCannotBeReadReplacesNothing) {
  grade(week_of("one", "a"));
  EXPECT_EQ(import_inputs(unreadable(week_of("two", ""))).added, 0u);
  EXPECT_EQ(source("s0"), "a");
  EXPECT_TRUE(entry("s0").graded);
  import_inputs(week_of("three", "b"));
  EXPECT_EQ(source("s0"), "b");
}

TEST_F(Imports, WhatCanBeReadReplacesWhatCannot) {
  import_inputs(unreadable(week_of("one", "")));
  EXPECT_FALSE(entry("s0").submission.problem.empty());
  import_inputs(week_of("two", "a"));
  EXPECT_EQ(entry("s0").submission.problem, "");
  EXPECT_EQ(source("s0"), "a");
}

TEST_F(Imports, OneThatWaitsCountsOnlyWhenItIsApplied) {
  grade(week_of("one", "a"));
  EXPECT_EQ(book_.put_class(week_of("two", "b"), true).added, 1u);
  EXPECT_TRUE(book_.has_pending());
  EXPECT_EQ(book_.plan(made_conditions()), 1u) << "it is graded before";
  grade_all(book_);
  EXPECT_EQ(source("s0"), "a");
  EXPECT_EQ(source("s0", "lab1", View::with_pending), "b");
  EXPECT_TRUE(entry("s0", "lab1", View::with_pending).graded);
  EXPECT_EQ(book_.put_class(week_of("two", "b"), true).added, 0u) << "it is there already";
  book_.apply_pending();
  EXPECT_FALSE(book_.has_pending());
  EXPECT_EQ(source("s0"), "b");
}

TEST_F(Imports, UndoTakesBackOneAfterTheOther) {
  grade(some_of(0, 1, {"lab1"}));
  grade(some_of(1, 3, {"lab1", "lab2"}));
  EXPECT_EQ(book_.students().size(), 3u);
  book_.undo();
  EXPECT_EQ(graded(), (Lines{"s0 lab1 pass"}));
  EXPECT_EQ(book_.students().size(), 1u);
  EXPECT_EQ(entry("s0", "lab2").student, "") << "lab2 was never set";
  import_inputs(some_of(1, 3, {"lab1", "lab2"}));
  EXPECT_EQ(graded().size(), 5u) << "its results were kept";
  EXPECT_EQ(to_do_, 0u);
  book_.undo();
  book_.undo();
  EXPECT_FALSE(book_.last_import());
  EXPECT_EQ(book_.students().size(), 0u);
}

TEST_F(Imports, EachIsAStepOfUndoWhateverItBrought) {
  const auto week = [](const std::string& name, const std::string& lab) {
    Intake intake = made_class(2, {lab});
    intake.roots.emplace_back().label = name;
    intake.roots.back().labs = {lab};
    for (Submission& one : intake.submissions) one.download = name;
    return intake;
  };
  import_inputs(week("one.zip", "lab1"));
  for (int times = 0; times < 2; ++times) import_inputs(week("two.zip", "lab3"));
  const auto last = [&] {
    const auto found = book_.last_import().value();
    return joined(found.downloads) + ": " + joined(found.labs) + " " +
           std::to_string(found.submissions);
  };
  EXPECT_EQ(last(), "two.zip: lab3 0") << "the second time, nothing was new";
  book_.undo();
  EXPECT_TRUE(entry("s0", "lab3").submitted) << "it took back what brought nothing, and no more";
  EXPECT_EQ(last(), "two.zip: lab3 2");
  EXPECT_GT(book_.last_import()->at, 1'790'000'000);
  EXPECT_EQ(entry("s0", "lab3", View::without_last).student, "");
  EXPECT_TRUE(entry("s0", "lab1", View::without_last).submitted);
  book_.undo();
  EXPECT_EQ(entry("s0", "lab3").student, "") << "it is not set any more";
  EXPECT_EQ(last(), "one.zip: lab1 2");
  book_.undo();
  EXPECT_FALSE(book_.last_import());
}

/// Canvas calls every download submissions.zip.
TEST_F(Imports, TheCasesOfOneSectionOutlastTheDownloadOfAnother) {
  const auto section = [](std::size_t first, std::size_t end, const std::string& broken_of) {
    Intake intake = some_of(first, end, {"lab3"});
    Root root;
    root.label = root.called = "submissions.zip";
    root.labs = {"lab3"};
    intake.roots = {root};
    for (Submission& one : intake.submissions) one.download = root.called;
    std::erase_if(intake.submissions, [&](const Submission& s) { return s.student == broken_of; });
    if (!broken_of.empty())
      intake.remarks = {{Remark::Kind::refused, "x.zip", broken_of, "broken", root.called},
                        {Remark::Kind::nobody, "y.cu", "", "nobody's", root.called}};
    return intake;
  };
  import_inputs(section(0, 2, "s1"));
  import_inputs(section(2, 4, "s3"));
  import_inputs(section(2, 4, "s3"));
  EXPECT_EQ(book_.remarks().size(), 4u) << "two of each section";
  EXPECT_NE(entry("s1", "lab3").perhaps, "");
  EXPECT_NE(entry("s3", "lab3").perhaps, "");
  import_inputs(section(2, 4, ""));
  EXPECT_NE(entry("s1", "lab3").perhaps, "") << "nothing of that student came since";
  EXPECT_EQ(entry("s3", "lab3").perhaps, "");
  import_inputs(section(0, 2, ""));
  EXPECT_TRUE(entry("s1", "lab3").submitted);
  EXPECT_TRUE(book_.remarks().empty());
}

TEST_F(Imports, ASubmissionKnowsWhenItFirstCame) {
  import_inputs(week_of("one", "a"));
  EXPECT_EQ(entry("s0").came_at, book_.last_import()->at);
}

TEST_F(Imports, OtherLabsAndStudentsStay) {
  grade(some_of(0, 2, {"lab1"}));
  grade(some_of(1, 3, {"lab3"}));
  EXPECT_EQ(graded(),
            (Lines{"s0 lab1 pass", "s1 lab1 gate ratio", "s1 lab3 gate ratio", "s2 lab3 pass"}));
  EXPECT_FALSE(entry("s0", "lab3").submitted);
}

TEST_F(Imports, ALabThatWasSetIsThereThoughNobodySubmittedIt) {
  Intake intake = made_class(2, {"lab1"});
  Root root;
  root.label = root.called = "week1.zip";
  root.labs = {"lab1", "lab2"};
  intake.roots = {root};
  import_inputs(intake);
  EXPECT_EQ(entry("s0", "lab2").student, "s0");
  EXPECT_EQ(entry("s0", "lab3").student, "");
  Decision decision{.student = "s0", .lab = "lab2", .value = 10, .reason = "oral", .by = "kim"};
  EXPECT_NO_THROW(book_.decide(decision));
  decision.lab = "lab3";
  EXPECT_THROW(book_.decide(decision), std::invalid_argument);
}

TEST_F(Imports, RemarksOnADownloadReplaceThoseOnTheSameOne) {
  Intake intake = made_class(1, {"lab1"});
  Root root;
  root.label = root.called = "one.zip";
  intake.roots = {root};
  intake.remarks = {{Remark::Kind::nobody, "x.cu", "", "nobody's", "one.zip"}};
  import_inputs(intake);
  Intake other = made_class(1, {"lab2"});
  root.label = root.called = "two.zip";
  other.roots = {root};
  import_inputs(other);
  EXPECT_EQ(book_.remarks().size(), 1u);
  intake.remarks.clear();
  import_inputs(intake);
  EXPECT_TRUE(book_.remarks().empty());
}

TEST_F(Imports, ADownloadUnderAnotherNameReplacesRemarksOnItsStudentsAlone) {
  const auto download = [](const std::string& name, std::size_t first, std::size_t end) {
    Intake intake = some_of(first, end, {"lab3"});
    Root root;
    root.label = root.called = name;
    root.labs = {"lab3"};
    intake.roots = {root};
    for (const Student& one : intake.students)
      intake.remarks.push_back({Remark::Kind::refused, "x.zip", one.id, "broken", name});
    return intake;
  };
  import_inputs(download("submissions.zip", 0, 2));
  import_inputs(download("submissions (1).zip", 0, 2));
  EXPECT_EQ(book_.remarks().size(), 2u) << "once each";
  import_inputs(download("submissions (2).zip", 2, 3));  // another section's
  EXPECT_EQ(book_.remarks().size(), 3u);
}

TEST_F(Imports, DownloadsOfOneNameAreToldApartByWhatWasSetForThem) {
  const auto download = [](const std::string& lab, const std::string& unreadable_of) {
    Intake intake = made_class(2, {lab});
    Root root;
    root.label = root.called = "submissions.zip";
    root.labs = {lab};
    intake.roots = {root};
    std::erase_if(intake.submissions,
                  [&](const Submission& one) { return one.student == unreadable_of; });
    if (!unreadable_of.empty())
      intake.remarks = {{Remark::Kind::refused, "x.zip", unreadable_of, "broken", root.called}};
    return intake;
  };
  import_inputs(download("lab3", "s1"));
  EXPECT_NE(entry("s1", "lab3").perhaps, "");
  import_inputs(download("lab5", "s0"));
  EXPECT_NE(entry("s1", "lab3").perhaps, "") << "another download of that name";
  EXPECT_EQ(entry("s1", "lab5").perhaps, "");
  EXPECT_NE(entry("s0", "lab5").perhaps, "");
  import_inputs(download("lab3", ""));  // whole now
  EXPECT_EQ(entry("s1", "lab3").perhaps, "");
  EXPECT_TRUE(entry("s1", "lab3").submitted);
  book_.undo();
  EXPECT_NE(entry("s1", "lab3").perhaps, "") << "as it was before";
}

}  // namespace
}  // namespace labkit::course
