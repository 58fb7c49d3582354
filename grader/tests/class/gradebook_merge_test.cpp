// A class imported bit by bit: a lab a week, two sections, the same download again; and results
// that count until their successors are there.
#include <gtest/gtest.h>

#include "class/publish/exports.h"
#include "merging.h"

namespace labkit::course {
namespace {

TEST_F(Merging, NextWeeksLabLeavesTheOthersAsTheyAre) {
  grade(made_class(2, {"lab1"}));
  const Merged merged = import_inputs(made_class(2, {"lab2"}));
  EXPECT_EQ(to_do_, 2u);
  EXPECT_EQ(merged.kept, (std::map<std::string, std::size_t>{{"lab1", 2}}));
  grade_all(book_);
  EXPECT_EQ(graded(),
            (Lines{"s0 lab1 pass", "s0 lab2 pass", "s1 lab1 gate ratio", "s1 lab2 gate ratio"}));
}

TEST_F(Merging, ASecondSectionJoinsTheFirst) {
  grade(some_of(0, 4, {"lab1"}));
  const Merged merged =
      import_inputs(called("b", some_of(3, 8, {"lab1"})));  // one changed sections
  EXPECT_EQ(merged.kept.at("lab1"), 3u);
  EXPECT_EQ(to_do_, 4u);
  EXPECT_EQ(book_.students().size(), 8u);
}

TEST_F(Merging, RemarksGoWithTheDownloadThatTheyAreAbout) {
  Intake first = made_class(2, {"lab1"}), second = made_class(2, {"lab2"});
  first.remarks = {{Remark::Kind::nobody, "a.cu", "", "of lab1"}};
  second.remarks = {{Remark::Kind::nobody, "b.cu", "", "of lab2"}};
  first.roots = {{{}, Format::moodle, "Lab 1", "lab1"}};
  second.roots = {{{}, Format::moodle, "Lab 2", "lab2"}};
  import_inputs(first);
  import_inputs(second);
  EXPECT_EQ(book_.remarks().size(), 2u);
  EXPECT_EQ(book_.roots().size(), 2u);
  first.remarks.clear();
  import_inputs(first);
  ASSERT_EQ(book_.remarks().size(), 1u);
  EXPECT_EQ(book_.remarks()[0].text, "of lab2");
  EXPECT_EQ(book_.roots().size(), 2u);
}

TEST_F(Merging, ANewerSubmissionTakesThePlaceWhenItIsGraded) {
  Intake intake = made_class(3, {"lab1"});
  grade(intake);
  const auto before = book_.outcome(entry("s1").job->id);
  const Submission old = submission_of(intake, "s1");
  submission_of(intake, "s1").late = true;
  submission_of(intake, "s1").path = "s1/again.cu";
  submit_again(submission_of(intake, "s1"), "// again");
  import_inputs(intake);
  EXPECT_EQ(to_do_, 1u);
  Entry now = entry("s1");
  EXPECT_TRUE(now.graded);
  EXPECT_EQ(now.verdict, "gate ratio");
  EXPECT_EQ(now.submission.path, old.path) << "what counts is told with its own time and path";
  EXPECT_FALSE(now.submission.late);
  ASSERT_TRUE(now.newer);
  EXPECT_EQ(now.newer->submission.path, "s1/again.cu");
  EXPECT_EQ(now.newer->job->state, JobState::waiting);
  EXPECT_EQ(book_.source("s1", "lab1"), old.source);
  EXPECT_EQ(book_.outcome(now.job->id)->receipt, before->receipt);
  EXPECT_TRUE(book_.earlier("s1", "lab1").empty()) << "it counts still";

  grade_all(book_);
  now = entry("s1");
  EXPECT_FALSE(now.newer);
  EXPECT_TRUE(now.submission.late);
  EXPECT_EQ(book_.source("s1", "lab1"), "// again");
  EXPECT_EQ(book_.source("s1", "lab1", old.source_sha256), old.source) << "to replay its receipt";
  EXPECT_EQ(book_.source("s1", "lab1", "other"), std::nullopt);
  ASSERT_EQ(book_.earlier("s1", "lab1").size(), 1u);
  EXPECT_EQ(book_.outcome(book_.earlier("s1", "lab1")[0].id)->receipt, before->receipt);
  EXPECT_TRUE(book_.earlier("s0", "lab1").empty());
  Intake back = made_class(3, {"lab1"});
  EXPECT_EQ(told(import_inputs(back).older), Lines{"s1 lab1"}) << "the first was here before";
  EXPECT_EQ(book_.source("s1", "lab1"), "// again");
  submission_of(intake, "s1").submitted_at = 1000;
  import_inputs(intake);
  submission_of(back, "s1").submitted_at = 2000;  // submitted once more
  import_inputs(back);
  EXPECT_EQ(entry("s1").job->source_sha256, old.source_sha256);
  ASSERT_EQ(book_.earlier("s1", "lab1").size(), 1u);
  EXPECT_EQ(book_.earlier("s1", "lab1")[0].source_sha256, sha256_hex("// again"));
}

TEST_F(Merging, GradingAgainKeepsEachResultUntilItsSuccessorIsThere) {
  grade(made_class(4, {"lab1"}));
  EXPECT_EQ(book_.grade_again(std::vector<std::string>{"lab1"}), 4u);
  for (const Entry& one : book_.entries()) {
    EXPECT_TRUE(one.graded && one.job->state == JobState::done);
    ASSERT_TRUE(one.newer);
    EXPECT_EQ(one.newer->job->id, one.job->id);
    EXPECT_EQ(course::grade(one, {}).points, one.points);
  }
  const Job first = *book_.begin_next();
  book_.finish(first.id, made_outcome(first));
  ASSERT_TRUE(book_.begin_next());  // and then a kill
  {
    Gradebook later(folder_.path() / "gradebook.sqlite");
    EXPECT_EQ(later.plan(made_conditions()).to_do, 3u) << "also without the wish said again";
    EXPECT_EQ(later.waiting_again(), 3u);
    EXPECT_EQ(later.grade_again(std::vector<std::string>{"lab1"}), 0u) << "the same wish goes on";
    const Job failing = *later.begin_next();
    later.fail(failing.id, "no compiler", 1);
    EXPECT_EQ(grade_all(later), 2u);
    EXPECT_EQ(later.waiting_again(), 0u);
    const Grade grade = course::grade(entry(failing.student), {});
    EXPECT_EQ(grade.state, Grade::State::graded) << "our fault takes no grade away";
    EXPECT_TRUE(grade.review);
    EXPECT_EQ(later.plan(made_conditions()).to_do, 1u);
    EXPECT_EQ(grade_all(later), 1u);
    EXPECT_EQ(later.grade_again(std::vector<std::string>{"lab1"}), 4u) << "a new wish";
  }
}

TEST_F(Merging, OtherConditionsKeepTheResultsUntilTheirSuccessorsAreThere) {
  grade(made_class(2, {"lab1"}));
  Conditions other = made_conditions();
  other.kit = "0.2.0";
  EXPECT_EQ(book_.plan(other).to_do, 2u);
  EXPECT_EQ(graded(), (Lines{"s0 lab1 pass", "s1 lab1 gate ratio"}));
  EXPECT_EQ(entry("s0").job->kit, "0.1.0");
  EXPECT_EQ(entry("s0").newer->job->kit, "0.2.0");
  grade_all(book_);
  EXPECT_EQ(entry("s0").job->kit, "0.2.0");
  EXPECT_FALSE(entry("s0").newer);
}

}  // namespace
}  // namespace labkit::course
