// What cannot be read hides no work, and nobody is graded zero for it.
#include <gtest/gtest.h>

#include <set>

#include "class/policy/tally.h"
#include "class/publish/exports.h"
#include "class/publish/review.h"
#include "merging.h"

namespace labkit::course {
namespace {

TEST_F(Merging, WhatCannotBeReadAnyMoreKeepsItsGrade) {
  Intake intake = made_class(4, {"lab1"});
  grade(intake);
  submission_of(intake, "s0").problem = "it is empty";  // its file
  submit_again(submission_of(intake, "s0"), "");
  std::erase_if(intake.submissions, [](const Submission& s) { return s.student == "s2"; });
  intake.remarks = {{Remark::Kind::refused, "s2", "s2", "cannot be read"}};  // the whole folder
  const Merged merged = import_inputs(intake);
  EXPECT_EQ(to_do_, 0u);
  EXPECT_EQ(graded().size(), 4u);
  Grade grade = course::grade(entry("s0"), {});
  EXPECT_EQ(grade.state, Grade::State::graded);
  EXPECT_EQ(grade.points, 100);
  EXPECT_TRUE(grade.review);
  ASSERT_EQ(grade.notes.size(), 1u);
  EXPECT_EQ(told(merged.unread), Lines{"s0 lab1"});
  EXPECT_NE(grade.teachers_notes.at(0).find("cannot be read"), std::string::npos);
  EXPECT_EQ(course::grade(entry("s2"), {}).points, 100);
}

/// s0's lab1 of a week, empty, with the remark that the intake makes of it.
Intake empty_week(const std::string& name, std::optional<std::int64_t> hours) {
  Intake intake = week_of(name, "", hours);
  intake.submissions[0].problem = "it is empty";
  intake.remarks = {{Remark::Kind::refused, intake.submissions[0].path, "s0", "it is empty"}};
  return intake;
}

TEST_F(Merging, WhatCannotBeReadIsToldInEveryOrderAndTheOlderCounts) {
  const Intake good = week_of("one", "// 1", 1), empty = empty_week("two", 2);
  Intake both = good;
  both.submissions[0].others = {attempt_of(empty.submissions[0])};
  both.remarks = empty.remarks;
  const std::vector<std::vector<Intake>> orders = {
      {good, empty},       {empty, good},        {both},
      {good, empty, good}, {empty, good, empty}, {empty, both}};
  for (std::size_t i = 0; i < orders.size(); ++i) {
    TemporaryFolder folder;
    Gradebook book(folder.path() / "gradebook.sqlite");
    Merged merged;
    for (const Intake& one : orders[i]) merged = book.put_class(one);
    book.plan(made_conditions());
    EXPECT_EQ(book.source("s0", "lab1"), "// 1") << i;
    EXPECT_EQ(told(merged.unread), Lines{"s0 lab1"}) << i;
    EXPECT_EQ(grade_all(book), 1u) << i;
    const auto entries = book.entries();
    const Grade grade = course::grade(entries.at(0), {});
    EXPECT_EQ(grade.points, 100) << i;
    EXPECT_TRUE(grade.review) << i;
    ASSERT_EQ(grade.notes.size(), 1u) << i;
    ASSERT_EQ(grade.teachers_notes.size(), 1u) << i;
    EXPECT_EQ(grade.teachers_notes[0].find("two/lab1.cu: what was submitted since, with two.zip ("),
              0u)
        << grade.teachers_notes[0];
    const auto cases = review_cases(entries, {grade}, {}, book.remarks());
    EXPECT_EQ(to_review(cases), std::set<std::string>{"s0"}) << i;
  }
}

TEST_F(Merging, WhatCannotBeReadAndIsTheOlderIsNoCase) {
  import_inputs(empty_week("one", 1));
  EXPECT_TRUE(import_inputs(week_of("two", "// 2", 2)).unread.empty());
  grade_all(book_);
  EXPECT_FALSE(course::grade(entry("s0"), {}).review);
  // Without times nobody knows.
  import_inputs(empty_week("three", {}));
  EXPECT_TRUE(course::grade(entry("s0"), {}).review);
}

TEST_F(Merging, WhatCanBeReadInTheNextCopyIsNoCaseAnyMore) {
  grade(week_of("one", "// 1", 1));
  import_inputs(empty_week("two", 2));
  EXPECT_TRUE(course::grade(entry("s0"), {}).review);
  Intake fixed = week_of("two", "// 2", 2);
  EXPECT_TRUE(import_inputs(fixed).unread.empty());
  grade_all(book_);
  EXPECT_FALSE(course::grade(entry("s0"), {}).review);
  EXPECT_TRUE(book_.remarks().empty() || book_.remarks()[0].kind == Remark::Kind::rivals);
  EXPECT_EQ(book_.source("s0", "lab1"), "// 2");
}

/// The archive of s1 says no lab; that of the others comes again under another name.
TEST_F(Merging, WhatWasRefusedIsNotForgottenWithTheOthersOfItsDownload) {
  Intake second = called("two", made_class(1, {"lab1"}));
  for (Submission& one : second.submissions) one.file_time = 1'790'100'000;
  second.students.push_back({"s1", "s1", {}, false});
  second.roots = {{{}, Format::plain, "two.zip", ""}};
  second.remarks = {{Remark::Kind::refused, "s1.zip", "s1", "it is broken"}};
  Intake first = week_of("one", "// 1", 1), third = week_of("three", "// 3", 60);
  first.roots = {{{}, Format::plain, "one.zip", ""}};
  third.roots = {{{}, Format::plain, "three.zip", ""}};
  const auto is_told = [&] {
    const auto remarks = book_.remarks();
    return std::any_of(remarks.begin(), remarks.end(),
                       [](const Remark& one) { return one.path == "s1.zip"; });
  };
  for (const Intake& next : {first, third}) {
    import_inputs(second);
    import_inputs(next);
    EXPECT_TRUE(is_told());
  }
  second.remarks.clear();
  import_inputs(second);
  EXPECT_FALSE(is_told()) << "its download is here again";
}

TEST_F(Merging, WhoIsNotFoundWhereADownloadCouldNotBeReadIsUncertain) {
  Policy zero;
  zero.missing_is_zero = true;
  grade(called("lab-1", made_class(2, {"lab1", "lab2"})));
  Intake third = called("lab-3", made_class(1, {"lab3"}));
  third.students.push_back({"s1", "s1", {}, true});
  third.roots = {{{}, Format::canvas, "downloads", ""}};
  third.remarks = {{Remark::Kind::unread, "downloads/lab3b.zip", "", "lab3: it is broken"}};
  import_inputs(third);
  EXPECT_EQ(course::grade(entry("s1", "lab3"), zero).state, Grade::State::maybe_missing);
  EXPECT_EQ(course::grade(entry("s1", "lab3"), zero).points, std::nullopt);
  EXPECT_NE(
      course::grade(entry("s1", "lab3"), zero).teachers_notes.at(0).find("downloads/lab3b.zip"),
      std::string::npos);
  EXPECT_TRUE(submitted_nothing(book_.students(), book_.entries()).empty());
  // Another week says nothing of it.
  Intake fourth = called("lab-4", made_class(1, {"lab4"}));
  fourth.roots = {{{}, Format::canvas, "lab4.zip", ""}};
  import_inputs(fourth);
  EXPECT_EQ(course::grade(entry("s1", "lab3"), zero).state, Grade::State::maybe_missing);
  EXPECT_EQ(course::grade(entry("s1", "lab4"), zero).points, 0) << "of another lab";
  // It is here, and can be read.
  Intake fixed = called("lab-3b", made_class(1, {"lab3"}));
  fixed.roots = {{{}, Format::canvas, "lab3b (1).zip", ""}};
  import_inputs(fixed);
  EXPECT_EQ(course::grade(entry("s1", "lab3"), zero).points, 0);
}

}  // namespace
}  // namespace labkit::course
