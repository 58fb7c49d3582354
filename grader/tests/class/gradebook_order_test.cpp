// Which of several submissions counts, whatever comes first.
#include <gtest/gtest.h>

#include "class/publish/exports.h"
#include "merging.h"

namespace labkit::course {
namespace {

TEST_F(Merging, AnOlderSubmissionDoesNotComeBack) {
  Intake intake = made_class(2, {"lab1"});
  submission_of(intake, "s0").submitted_at = 2000;
  grade(intake);
  Intake old = intake;
  submission_of(old, "s0").submitted_at = 1000;
  submit_again(submission_of(old, "s0"), "// an earlier try");
  Merged merged = import_inputs(old);
  EXPECT_EQ(told(merged.older), Lines{"s0 lab1"});
  EXPECT_EQ(to_do_, 0u);
  EXPECT_EQ(entry("s0").submission.submitted_at, 2000);
  submission_of(old, "s0").submitted_at.reset();  // who knows; but it was seen before
  EXPECT_EQ(told(import_inputs(old).older), Lines{"s0 lab1"});
  submit_again(submission_of(old, "s0"), "// never seen");  // what comes later is the newer
  EXPECT_TRUE(import_inputs(old).older.empty());
  EXPECT_EQ(to_do_, 1u);
}

TEST_F(Merging, FileTimesOrderWeeksWhateverComesFirst) {
  for (const bool forth : {true, false}) {
    Gradebook book(folder_.path() / (forth ? "forth.sqlite" : "back.sqlite"));
    const Intake one = week_of("one", "// 1", 1), two = week_of("two", "// 2", 2);
    const Merged first = book.put_class(forth ? one : two);
    EXPECT_TRUE(first.older.empty() && first.rivals.empty());
    const Merged second = book.put_class(forth ? two : one);
    EXPECT_EQ(told(second.older), forth ? Lines{} : Lines{"s0 lab1"});
    EXPECT_EQ(told(second.rivals), forth ? Lines{"s0 lab1"} : Lines{});
    EXPECT_EQ(book.source("s0", "lab1"), "// 2");
    // On the list, with both downloads, until a teacher says which.
    ASSERT_EQ(book.remarks().size(), 1u);
    const Remark remark = book.remarks()[0];
    EXPECT_EQ(remark.kind, Remark::Kind::rivals);
    EXPECT_EQ(remark.student, "s0");
    EXPECT_EQ(remark.path, "two/lab1.cu");
    EXPECT_TRUE(remark.text.starts_with("lab1: two submissions, the one from two.zip (20"))
        << remark.text;
    EXPECT_NE(remark.text.find(") counts; the other is from one.zip (20"), std::string::npos)
        << remark.text;
    EXPECT_EQ(told(book.put_class(one).older), Lines{"s0 lab1"});
  }
}

TEST_F(Merging, WithoutTimesWhatWasSeenBeforeStaysTheOlder) {
  import_inputs(week_of("one", "// 1", {}));
  EXPECT_EQ(told(import_inputs(week_of("two", "// 2", {})).rivals), Lines{"s0 lab1"});
  const Merged merged = import_inputs(week_of("one", "// 1", {}));
  ASSERT_EQ(told(merged.older), Lines{"s0 lab1"});
  EXPECT_EQ(merged.older[0].why,
            "the one from one.zip was here before the one from two.zip, which counts");
  EXPECT_EQ(book_.source("s0", "lab1"), "// 2");
  // Submitted anew, by the file's time or by the LMS's, the same bytes are the newer again.
  import_inputs(week_of("two", "// 2", 2));
  EXPECT_TRUE(import_inputs(week_of("three", "// 1", 3)).older.empty());
  EXPECT_EQ(book_.source("s0", "lab1"), "// 1");
}

TEST_F(Merging, WhatWasPassedOverInOneRunIsKnownInTheNext) {
  Intake both = week_of("two", "// 2", {});
  both.submissions[0].others = {attempt_of(week_of("one", "// 1", {}).submissions[0])};
  EXPECT_EQ(told(import_inputs(both).rivals), Lines{"s0 lab1"});
  EXPECT_EQ(told(import_inputs(week_of("one", "// 1", {})).older), Lines{"s0 lab1"});
  EXPECT_EQ(book_.source("s0", "lab1"), "// 2");
}

TEST_F(Merging, TheLmsOwnOrderIsNoCase) {
  const auto canvas = [](const std::string& name, std::uint64_t attempt, std::int64_t hours) {
    Intake intake = week_of(name, "// " + std::to_string(attempt), hours);
    submission_of(intake, "s0").lms_order = attempt;
    return intake;
  };
  import_inputs(canvas("one", 70, 9));
  Merged merged = import_inputs(canvas("two", 71, 3));
  EXPECT_TRUE(merged.rivals.empty() && merged.older.empty());
  EXPECT_EQ(book_.source("s0", "lab1"), "// 71");
  merged = import_inputs(canvas("one", 70, 9));
  ASSERT_EQ(told(merged.older), Lines{"s0 lab1"});
  EXPECT_EQ(merged.older[0].why,
            "the one from one.zip (Canvas's file 70) is older than the one from two.zip (Canvas's "
            "file 71), which counts");
  for (const Remark& remark : book_.remarks()) EXPECT_EQ(remark.kind, Remark::Kind::not_chosen);
}

TEST_F(Merging, TheSameBytesAreOneSubmission) {
  import_inputs(week_of("one", "// 1", 1));
  Merged merged = import_inputs(week_of("two", "// 1", 5));
  EXPECT_TRUE(merged.rivals.empty() && merged.older.empty());
  merged = import_inputs(week_of("one", "// 1", 1));
  EXPECT_TRUE(merged.rivals.empty() && merged.older.empty());
  EXPECT_EQ(told(import_inputs(week_of("three", "// 3", 4)).older), Lines{"s0 lab1"})
      << "its latest time is what counts";
}

TEST_F(Merging, AStubTakesNoSubmissionsPlace) {
  import_inputs(week_of("one", "// 1", 1));
  Intake stub = week_of("two", "// stub", 2);
  submission_of(stub, "s0").untouched = true;
  EXPECT_EQ(told(import_inputs(stub).older), Lines{"s0 lab1"});
  EXPECT_EQ(book_.source("s0", "lab1"), "// 1");
  for (const Remark& remark : book_.remarks()) EXPECT_NE(remark.kind, Remark::Kind::rivals);
}

TEST_F(Merging, AResubmissionInAnotherWeeksFolderTakesNobodyAway) {
  Intake first = called("one", made_class(2, {"lab1"}));
  grade(first);
  Intake second = called("two", made_class(2, {"lab2"}));
  Intake again = called("two", made_class(1, {"lab1"}));
  submit_again(again.submissions[0], "// again");
  second.submissions.push_back(again.submissions[0]);
  import_inputs(second);
  EXPECT_TRUE(entry("s1").graded);
  // Not even if both are called alike, as a folder in Docker is.
  grade(called("submissions", made_class(2, {"lab3"})));
  Intake alike = called("submissions", made_class(1, {"lab3"}));
  submit_again(alike.submissions[0], "// again");
  import_inputs(alike);
  EXPECT_TRUE(entry("s1", "lab3").graded);
}

TEST_F(Merging, ADecisionSettlesRivals) {
  grade(week_of("one", "// 1", 1));
  grade(week_of("two", "// 2", 2));
  EXPECT_EQ(book_.remarks().size(), 1u);
  Decision decision;
  decision.student = "s0";
  decision.lab = "lab1";
  decision.reason = "seen";
  book_.decide(decision);
  EXPECT_TRUE(book_.remarks().empty());
  decision.kind = Decision::Kind::withdrawn;
  book_.decide(decision);
  EXPECT_EQ(book_.remarks().size(), 1u);
}

}  // namespace
}  // namespace labkit::course
