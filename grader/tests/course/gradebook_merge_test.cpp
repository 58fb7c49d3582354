// A class that comes in by and by: a lab a week, two sections, the same download again; and results
// that count until their successors are there.
#include <gtest/gtest.h>

#include "base/sha256.h"
#include "class_files.h"
#include "course/exports.h"
#include "course/gradebook.h"
#include "course/known_students.h"
#include "made_class.h"

namespace labkit::course {
namespace {

using Lines = std::vector<std::string>;

/// Of a class that was made, those numbered so.
Intake some_of(std::size_t first, std::size_t end, const std::vector<std::string>& labs) {
  Intake intake = made_class(end, labs);
  const auto before = [&](const std::string& id) { return std::stoul(id.substr(1)) < first; };
  std::erase_if(intake.students, [&](const Student& s) { return before(s.id); });
  std::erase_if(intake.submissions, [&](const Submission& s) { return before(s.student); });
  return intake;
}

Submission& submission_of(Intake& intake, const std::string& student) {
  return *std::find_if(intake.submissions.begin(), intake.submissions.end(),
                       [&](const Submission& one) { return one.student == student; });
}

/// As another download.
Intake called(const std::string& name, Intake intake) {
  for (Submission& one : intake.submissions) {
    one.input = name + ".zip";
    one.download_key = name;
  }
  return intake;
}

void hand_in_again(Submission& one, const std::string& source) {
  one.source = source;
  one.source_sha256 = sha256_hex(source);
}

class Merging : public testing::Test {
 protected:
  Merged take_in(const Intake& intake, Gradebook::Gone gone = Gradebook::Gone::keep,
                 const std::vector<std::string>& take = {}) {
    Merged merged = book_.put_class(intake, gone, take);
    to_do_ = book_.plan(made_conditions()).to_do;
    return merged;
  }
  void grade(const Intake& intake) {
    take_in(intake);
    grade_all(book_);
  }
  Entry entry(const std::string& student, const std::string& lab = "lab1") {
    for (const Entry& one : book_.entries())
      if (one.student == student && one.lab == lab) return one;
    return {};
  }
  static Lines told(const std::vector<Merged::Item>& items) {
    Lines lines;
    for (const Merged::Item& item : items) lines.push_back(item.student + " " + item.lab);
    return lines;
  }
  /// "student lab verdict", for what was handed in.
  Lines graded() {
    Lines all;
    for (const Entry& one : book_.entries())
      if (one.submitted) all.push_back(one.student + " " + one.lab + " " + one.verdict);
    return all;
  }

  TemporaryFolder folder_;
  Gradebook book_{folder_.path() / "gradebook.sqlite"};
  std::size_t to_do_ = 0;
};

TEST_F(Merging, NextWeeksLabLeavesTheOthersAsTheyAre) {
  grade(made_class(2, {"lab1"}));
  const Merged merged = take_in(made_class(2, {"lab2"}));
  EXPECT_EQ(to_do_, 2u);
  EXPECT_TRUE(merged.gone.empty());
  EXPECT_EQ(merged.kept, (std::map<std::string, std::size_t>{{"lab1", 2}}));
  grade_all(book_);
  EXPECT_EQ(graded(),
            (Lines{"s0 lab1 pass", "s0 lab2 pass", "s1 lab1 gate ratio", "s1 lab2 gate ratio"}));
}

TEST_F(Merging, ASecondSectionJoinsTheFirst) {
  grade(some_of(0, 4, {"lab1"}));
  const Merged merged = take_in(called("b", some_of(3, 8, {"lab1"})));  // one changed sections
  EXPECT_TRUE(merged.gone.empty()) << told(merged.gone).front();
  EXPECT_EQ(merged.kept.at("lab1"), 3u);
  EXPECT_EQ(to_do_, 4u);
  EXPECT_EQ(book_.students().size(), 8u);
}

TEST_F(Merging, TwoSectionsThatCameTogetherMayComeBackAlone) {
  Intake both = made_class(6, {"lab1"});
  for (Submission& one : both.submissions) one.download_key = one.student < "s3" ? "a" : "b";
  grade(both);
  EXPECT_TRUE(take_in(called("b", some_of(3, 6, {"lab1"}))).gone.empty());
  EXPECT_EQ(told(take_in(called("b", some_of(4, 6, {"lab1"}))).gone), Lines{"s3 lab1"});
}

/// Four of a download, of which s1 handed in again between two copies; s4 came to the newer, s3 left.
struct TwoCopies {
  Intake older, newer;
  TwoCopies() {
    older = called("a", some_of(0, 4, {"lab1"}));
    newer = called("a", made_class(5, {"lab1"}));
    std::erase_if(newer.submissions, [](const Submission& one) { return one.student == "s3"; });
    std::erase_if(newer.students, [](const Student& one) { return one.id == "s3"; });
    for (Submission& one : newer.submissions) one.input = "a (1).zip";
    submission_of(older, "s1").submitted_at = 1000;
    submission_of(newer, "s1").submitted_at = 2000;
    hand_in_again(submission_of(newer, "s1"), "// again");
  }
};

TEST_F(Merging, AnOlderCopySaysNothingOfWhoIsGone) {
  const TwoCopies copies;
  for (const auto gone : {Gradebook::Gone::keep, Gradebook::Gone::drop}) {
    grade(copies.newer);
    const Merged merged = take_in(copies.older, gone);
    EXPECT_EQ(told(merged.older), Lines{"s1 lab1"});
    EXPECT_TRUE(entry("s4").graded);
    EXPECT_EQ(told(gone == Gradebook::Gone::drop ? merged.dropped : merged.gone), Lines{"s3 lab1"})
        << "who is in the older alone is gone";
    EXPECT_EQ(entry("s3").submitted, gone == Gradebook::Gone::keep);
  }
}

TEST_F(Merging, AnOlderCopyTakesNoCaseOfTheListAway) {
  const TwoCopies copies;
  grade(copies.older);
  EXPECT_EQ(told(take_in(copies.newer).gone), Lines{"s3 lab1"});
  EXPECT_EQ(told(take_in(copies.older).gone), Lines{"s3 lab1"});
  std::string texts;
  for (const Remark& one : book_.remarks())
    if (one.kind == Remark::Kind::gone) texts += one.student + ": " + one.text + "\n";
  EXPECT_EQ(texts, "s3: lab1 is in a.zip, and not in a newer copy of it; it stays\n");
}

TEST_F(Merging, WhatSharesNoSourceIsNoCopy) {
  TwoCopies copies;
  for (Submission& one : copies.older.submissions) hand_in_again(one, "// of " + one.student);
  grade(copies.newer);
  const Merged merged = take_in(copies.older);
  EXPECT_TRUE(merged.gone.empty()) << told(merged.gone).front();
}

TEST_F(Merging, WhatIsGoneFromTheSameDownloadIsToldAndStays) {
  Intake intake = made_class(5, {"lab1", "lab2"});
  intake.remarks = {{Remark::Kind::nobody, "stray.cu", "", "nobody's"}};
  grade(intake);
  intake = made_class(4, {"lab1"});
  Merged merged = take_in(intake);
  EXPECT_EQ(told(merged.gone), Lines{"s4 lab1"});
  EXPECT_EQ(merged.kept, (std::map<std::string, std::size_t>{{"lab2", 5}}));
  EXPECT_TRUE(entry("s4").graded);
  // Told as long as it lasts, also after the next week's.
  take_in(made_class(4, {"lab3"}));
  const auto is_told = [&] {
    const auto remarks = book_.remarks();
    return std::count_if(remarks.begin(), remarks.end(),
                         [](const Remark& one) { return one.kind == Remark::Kind::gone; });
  };
  EXPECT_EQ(is_told(), 1);
  EXPECT_EQ(told(take_in(intake).gone), Lines{"s4 lab1"});
  EXPECT_EQ(is_told(), 1);
  // Dropped, if so decided; and back with the next download that has it.
  merged = take_in(intake, Gradebook::Gone::drop);
  EXPECT_EQ(told(merged.dropped), Lines{"s4 lab1"});
  EXPECT_TRUE(merged.gone.empty());
  EXPECT_EQ(is_told(), 0) << "that is decided";
  EXPECT_FALSE(entry("s4").submitted);
  EXPECT_TRUE(entry("s4", "lab2").graded);
  EXPECT_TRUE(told(take_in(intake).gone).empty());
  EXPECT_TRUE(take_in(made_class(5, {"lab1"})).gone.empty());
  EXPECT_TRUE(entry("s4").graded);
  EXPECT_EQ(to_do_, 4u) << "lab3 alone: nothing is graded twice";
  EXPECT_EQ(is_told(), 0);
}

TEST_F(Merging, RemarksGoWithTheDownloadThatTheyAreAbout) {
  Intake first = made_class(2, {"lab1"}), second = made_class(2, {"lab2"});
  first.remarks = {{Remark::Kind::nobody, "a.cu", "", "of lab1"}};
  second.remarks = {{Remark::Kind::nobody, "b.cu", "", "of lab2"}};
  first.roots = {{{}, Format::moodle, "Lab 1", "lab1"}};
  second.roots = {{{}, Format::moodle, "Lab 2", "lab2"}};
  take_in(first);
  take_in(second);
  EXPECT_EQ(book_.remarks().size(), 2u);
  EXPECT_EQ(book_.roots().size(), 2u);
  first.remarks.clear();
  take_in(first);
  ASSERT_EQ(book_.remarks().size(), 1u);
  EXPECT_EQ(book_.remarks()[0].text, "of lab2");
  EXPECT_EQ(book_.roots().size(), 2u);
}

TEST_F(Merging, ANewerHandInTakesThePlaceWhenItIsGraded) {
  Intake intake = made_class(3, {"lab1"});
  grade(intake);
  const auto before = book_.outcome(entry("s1").job->id);
  const Submission old = submission_of(intake, "s1");
  submission_of(intake, "s1").late = true;
  submission_of(intake, "s1").path = "s1/again.cu";
  hand_in_again(submission_of(intake, "s1"), "// again");
  take_in(intake);
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
  EXPECT_EQ(told(take_in(back).older), Lines{"s1 lab1"}) << "the first was here before";
  EXPECT_EQ(book_.source("s1", "lab1"), "// again");
  take_in(back, Gradebook::Gone::keep, {"s1/lab1"});  // but the teacher takes it
  EXPECT_EQ(entry("s1").job->source_sha256, old.source_sha256);
  ASSERT_EQ(book_.earlier("s1", "lab1").size(), 1u);
  EXPECT_EQ(book_.earlier("s1", "lab1")[0].source_sha256, sha256_hex("// again"));
}

TEST_F(Merging, AnOlderHandInDoesNotComeBack) {
  Intake intake = made_class(2, {"lab1"});
  submission_of(intake, "s0").submitted_at = 2000;
  grade(intake);
  Intake old = intake;
  submission_of(old, "s0").submitted_at = 1000;
  hand_in_again(submission_of(old, "s0"), "// an earlier try");
  Merged merged = take_in(old);
  EXPECT_EQ(told(merged.older), Lines{"s0 lab1"});
  EXPECT_EQ(to_do_, 0u);
  EXPECT_EQ(entry("s0").submission.submitted_at, 2000);
  EXPECT_EQ(told(take_in(old, Gradebook::Gone::drop).older), Lines{"s0 lab1"})
      << "to drop what is gone says nothing of what is here";
  submission_of(old, "s0").submitted_at.reset();  // who knows; but it was seen before
  EXPECT_EQ(told(take_in(old).older), Lines{"s0 lab1"});
  hand_in_again(submission_of(old, "s0"), "// never seen");  // what comes later is the newer
  EXPECT_TRUE(take_in(old).older.empty());
  EXPECT_EQ(to_do_, 1u);
}

/// s0's lab1 of one week, the file's time in hours.
Intake week_of(const std::string& name, const std::string& source,
               std::optional<std::int64_t> hours) {
  Intake intake = called(name, made_class(1, {"lab1"}));
  hand_in_again(submission_of(intake, "s0"), source);
  submission_of(intake, "s0").path = name + "/lab1.cu";
  if (hours) submission_of(intake, "s0").file_time = 1'790'000'000 + *hours * 3600;
  return intake;
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
    EXPECT_TRUE(remark.text.starts_with("lab1: two hand-ins, the one from two.zip (20"))
        << remark.text;
    EXPECT_NE(remark.text.find(") counts; the other is from one.zip (20"), std::string::npos)
        << remark.text;
    book.put_class(two, Gradebook::Gone::keep, {"s0"});
    EXPECT_TRUE(book.remarks().empty());
    EXPECT_EQ(told(book.put_class(one).older), Lines{"s0 lab1"});
    EXPECT_TRUE(book.remarks().empty() || book.remarks()[0].kind == Remark::Kind::not_chosen);
  }
}

TEST_F(Merging, WithoutTimesWhatWasSeenBeforeStaysTheOlder) {
  take_in(week_of("one", "// 1", {}));
  EXPECT_EQ(told(take_in(week_of("two", "// 2", {})).rivals), Lines{"s0 lab1"});
  const Merged merged = take_in(week_of("one", "// 1", {}));
  ASSERT_EQ(told(merged.older), Lines{"s0 lab1"});
  EXPECT_EQ(merged.older[0].why,
            "the one from one.zip was here before the one from two.zip, which counts");
  EXPECT_EQ(book_.source("s0", "lab1"), "// 2");
  // Handed in anew, by the file's time or by the LMS's, the same bytes are the newer again.
  take_in(week_of("two", "// 2", 2));
  EXPECT_TRUE(take_in(week_of("three", "// 1", 3)).older.empty());
  EXPECT_EQ(book_.source("s0", "lab1"), "// 1");
}

TEST_F(Merging, WhatWasPassedOverInOneRunIsKnownInTheNext) {
  Intake both = week_of("two", "// 2", {});
  both.submissions[0].others = {hand_in_of(week_of("one", "// 1", {}).submissions[0])};
  EXPECT_EQ(told(take_in(both).rivals), Lines{"s0 lab1"});
  EXPECT_EQ(told(take_in(week_of("one", "// 1", {})).older), Lines{"s0 lab1"});
  EXPECT_EQ(book_.source("s0", "lab1"), "// 2");
}

TEST_F(Merging, WhatATeacherTookStays) {
  take_in(week_of("one", "// 1", 1));
  take_in(week_of("two", "// 2", 2));
  const Merged merged = take_in(week_of("one", "// 1", 1), Gradebook::Gone::keep, {"s0/lab1"});
  EXPECT_EQ(told(merged.taken), Lines{"s0 lab1"});
  EXPECT_EQ(book_.source("s0", "lab1"), "// 1");
  EXPECT_TRUE(book_.remarks().empty()) << "decided";
  EXPECT_EQ(told(take_in(week_of("two", "// 2", 2)).older), Lines{"s0 lab1"});
  EXPECT_EQ(book_.source("s0", "lab1"), "// 1");
  EXPECT_TRUE(take_in(week_of("three", "// 3", 3)).older.empty()) << "but not against what is new";
  EXPECT_EQ(book_.source("s0", "lab1"), "// 3");
  EXPECT_THROW(take_in(week_of("one", "// 1", 1), Gradebook::Gone::keep, {"zoe"}),
               std::invalid_argument);
  EXPECT_EQ(book_.source("s0", "lab1"), "// 3");
}

TEST_F(Merging, TheLmsOwnOrderIsNoCase) {
  const auto canvas = [](const std::string& name, std::uint64_t attempt, std::int64_t hours) {
    Intake intake = week_of(name, "// " + std::to_string(attempt), hours);
    submission_of(intake, "s0").attempt = attempt;
    return intake;
  };
  take_in(canvas("one", 70, 9));
  Merged merged = take_in(canvas("two", 71, 3));
  EXPECT_TRUE(merged.rivals.empty() && merged.older.empty());
  EXPECT_EQ(book_.source("s0", "lab1"), "// 71");
  merged = take_in(canvas("one", 70, 9));
  ASSERT_EQ(told(merged.older), Lines{"s0 lab1"});
  EXPECT_EQ(merged.older[0].why,
            "the one from one.zip (Canvas's file 70) is older than the one from two.zip (Canvas's "
            "file 71), which counts");
  for (const Remark& remark : book_.remarks()) EXPECT_EQ(remark.kind, Remark::Kind::not_chosen);
}

TEST_F(Merging, TheSameBytesAreOneHandIn) {
  take_in(week_of("one", "// 1", 1));
  Merged merged = take_in(week_of("two", "// 1", 5));
  EXPECT_TRUE(merged.rivals.empty() && merged.older.empty());
  merged = take_in(week_of("one", "// 1", 1));
  EXPECT_TRUE(merged.rivals.empty() && merged.older.empty());
  EXPECT_EQ(told(take_in(week_of("three", "// 3", 4)).older), Lines{"s0 lab1"})
      << "its latest time is what counts";
}

TEST_F(Merging, AStubTakesNoHandInsPlace) {
  take_in(week_of("one", "// 1", 1));
  Intake stub = week_of("two", "// stub", 2);
  submission_of(stub, "s0").untouched = true;
  EXPECT_EQ(told(take_in(stub).older), Lines{"s0 lab1"});
  EXPECT_EQ(book_.source("s0", "lab1"), "// 1");
  for (const Remark& remark : book_.remarks()) EXPECT_NE(remark.kind, Remark::Kind::rivals);
}

TEST_F(Merging, AResubmissionInAnotherWeeksFolderTakesNobodyAway) {
  Intake first = called("one", made_class(2, {"lab1"}));
  grade(first);
  Intake second = called("two", made_class(2, {"lab2"}));
  Intake again = called("two", made_class(1, {"lab1"}));
  hand_in_again(again.submissions[0], "// again");
  second.submissions.push_back(again.submissions[0]);
  for (const auto gone : {Gradebook::Gone::keep, Gradebook::Gone::drop}) {
    const Merged merged = take_in(second, gone);
    EXPECT_TRUE(merged.gone.empty() && merged.dropped.empty());
    EXPECT_TRUE(entry("s1").graded);
  }
  // Not even if both are called alike, as a folder in Docker is.
  grade(called("submissions", made_class(2, {"lab3"})));
  Intake alike = called("submissions", made_class(1, {"lab3"}));
  hand_in_again(alike.submissions[0], "// again");
  EXPECT_TRUE(take_in(alike, Gradebook::Gone::drop).dropped.empty());
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

TEST_F(Merging, WhatCannotBeReadAnyMoreKeepsItsGrade) {
  Intake intake = made_class(4, {"lab1"});
  grade(intake);
  submission_of(intake, "s0").problem = "it is empty";  // its file
  hand_in_again(submission_of(intake, "s0"), "");
  std::erase_if(intake.submissions, [](const Submission& s) { return s.student == "s2"; });
  intake.remarks = {{Remark::Kind::refused, "s2", "s2", "cannot be read"}};  // the whole folder
  const Merged merged = take_in(intake, Gradebook::Gone::drop);
  EXPECT_EQ(to_do_, 0u);
  EXPECT_EQ(graded().size(), 4u);
  Grade grade = course::grade(entry("s0"), {});
  EXPECT_EQ(grade.state, Grade::State::graded);
  EXPECT_EQ(grade.points, 100);
  EXPECT_TRUE(grade.review);
  ASSERT_EQ(grade.notes.size(), 1u);
  EXPECT_NE(grade.teachers_notes.at(0).find("handed in since: it is empty"), std::string::npos);
  EXPECT_TRUE(merged.dropped.empty());
  EXPECT_EQ(told(merged.gone), Lines{"s2 lab1"});
  EXPECT_NE(merged.gone[0].why.find("could not be read"), std::string::npos);
  EXPECT_EQ(course::grade(entry("s2"), {}).points, 100);
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

Student student(const std::string& id, std::map<std::string, std::string> keys) {
  return {id, id, std::move(keys), false};
}

TEST(KnownStudents, KeepTheirIds) {
  Intake intake;
  intake.students = {student("agarcia", {{"canvas_id", "7"}}),          // there is a roster now
                     student("j-smith", {{"folder", "j_smith"}}),       // like another's
                     student("li-wei-0a1b2c", {{"folder", "Li Wei"}}),  // two of the name now
                     student("new", {{"folder", "new"}}),               //
                     student("moodle", {{"moodle_id", "12"}})};         // of one assignment
  for (const Student& one : intake.students) {
    Submission submission;
    submission.student = one.id;
    submission.lab = "lab1";
    intake.submissions.push_back(submission);
  }
  intake.submissions[0].group = {"agarcia", "new"};
  use_known_ids(
      intake,
      {student("garcia-ana-7", {{"canvas_id", "7"}}), student("j-smith", {{"folder", "J.Smith"}}),
       student("li-wei", {{"folder", "Li Wei"}}), student("moodle", {{"moodle_id", "11"}})});
  Lines ids;
  for (const Student& one : intake.students) ids.push_back(one.id);
  ASSERT_EQ(ids.size(), 5u);
  EXPECT_EQ(ids[0], "garcia-ana-7");
  EXPECT_TRUE(ids[1].starts_with("j-smith-")) << ids[1];
  EXPECT_EQ(ids[2], "li-wei");
  EXPECT_EQ(ids[3], "moodle");
  EXPECT_EQ(ids[4], "new");
  EXPECT_EQ(intake.submissions[0].student, "garcia-ana-7");
  EXPECT_EQ(intake.submissions[0].group, (Lines{"garcia-ana-7", "new"}));
  ASSERT_EQ(intake.remarks.size(), 1u);
  EXPECT_EQ(intake.remarks[0].student, ids[1]);
}

TEST(KnownStudents, TwoWhoWouldBeOneStayTwo) {
  Intake intake;
  intake.students = {student("a", {{"email", "x@y"}}), student("b", {{"sid", "1"}})};
  use_known_ids(intake, {student("known", {{"email", "x@y"}, {"sid", "1"}})});
  EXPECT_EQ(intake.students[0].id, "a");
  EXPECT_EQ(intake.students[1].id, "b");
}

Intake came(const std::vector<Student>& students, const Lines& who, const std::string& lab) {
  Intake intake;
  intake.students = students;
  for (const std::string& id : who) {
    Submission one;
    one.student = id;
    one.lab = lab;
    one.path = id + "/" + lab + ".cu";
    one.source = "// " + id + lab;
    one.source_sha256 = sha256_hex(one.source);
    intake.submissions.push_back(one);
  }
  return intake;
}
Student on_roster(const std::string& id, const std::string& name,
                  std::map<std::string, std::string> keys) {
  keys["login"] = id;
  return {id, name, std::move(keys), true};
}
Student named(const std::string& id, const std::string& name,
              std::map<std::string, std::string> keys = {}) {
  return {id, name, std::move(keys), false};
}

/// Section by section: the name alone led to the line, which is known to be another's.
TEST(KnownStudents, ANameIsWeakerThanTheIdThatIsKnown) {
  Intake intake =
      came({on_roster("bli", "Li, Bo",
                      {{"canvas_id", "102"}, {"lms_canvas_id", "102"}, {"by_name", "yes"}})},
           {"bli"}, "lab1");
  use_known_ids(intake, {on_roster("bli", "Li, Bo", {{"canvas_id", "999"}})});
  ASSERT_EQ(intake.students.size(), 2u);
  EXPECT_EQ(intake.submissions[0].student, "li-bo-102");
  EXPECT_EQ(intake.missing, Lines{"bli"});
  ASSERT_EQ(intake.remarks.size(), 1u);
  for (const Student& one : intake.students) {
    EXPECT_EQ(one.keys.count("by_name"), 0u);
    EXPECT_EQ(one.keys.count("canvas_id"), one.id == "bli" ? 0u : 1u);
  }
  // The roster's line changed hands: the number is still the other's.
  intake = came({on_roster("bli2", "Li, Bo",
                           {{"canvas_id", "102"}, {"lms_canvas_id", "102"}, {"by_name", "yes"}})},
                {"bli2"}, "lab1");
  use_known_ids(intake, {on_roster("bli", "Li, Bo", {{"canvas_id", "102"}})});
  EXPECT_EQ(intake.submissions[0].student, "bli");
  // Nothing against it.
  intake = came({on_roster("bli", "Li, Bo",
                           {{"canvas_id", "102"}, {"lms_canvas_id", "102"}, {"by_name", "yes"}})},
                {"bli"}, "lab1");
  use_known_ids(intake, {on_roster("bli", "Li, Bo", {{"canvas_id", "102"}})});
  EXPECT_EQ(intake.submissions[0].student, "bli");
  EXPECT_TRUE(intake.remarks.empty());
}

TEST_F(Merging, ARosterThatIsNamedLaterKnowsWhoWasThere) {
  grade(came({named("bo-li", "Bo Li"), named("cy-wu", "Cy Wu")}, {"bo-li", "cy-wu"}, "lab1"));
  Decision decision;
  decision.student = "bo-li";
  decision.lab = "lab1";
  decision.value = 61;
  decision.reason = "viva";
  book_.decide(decision);
  const std::vector<Student> roster = {on_roster("bli", "Li, Bo", {}),
                                       on_roster("cwu", "Wu, Cy", {})};
  const Merged merged = take_in(came(roster, {"bli", "cwu"}, "lab3"));
  EXPECT_EQ(merged.people.size(), 2u);
  EXPECT_EQ(book_.students().size(), 2u);
  const std::string id = entry("bo-li").student.empty() ? "bli" : "bo-li";
  EXPECT_EQ(entry(id).decisions.size(), 1u);
  EXPECT_TRUE(entry(id).graded);
  EXPECT_TRUE(entry(id, "lab3").submitted);
  EXPECT_TRUE(take_in(came(roster, {"bli", "cwu"}, "lab3")).people.empty());
}

TEST_F(Merging, ASplitClassIsMadeOneByTheRoster) {
  grade(came({named("bo-li", "Bo Li"), named("cy-wu", "Cy Wu"), named("jo-roe", "Jo Roe")},
             {"bo-li", "cy-wu", "jo-roe"}, "lab1"));
  book_.decide({0, "bo-li", "lab1", Decision::Kind::points, 61, "viva", "", 0});
  std::vector<Student> roster = {on_roster("bli", "Somebody", {}), on_roster("cwu", "Else", {}),
                                 on_roster("jroe", "Roe, Jo", {{"email", "jo@x.edu"}})};
  Intake week3 = came(roster, {"bli"}, "lab3");
  week3.submissions.push_back(came(roster, {"cwu"}, "lab1").submissions[0]);
  roster[2].name = "Third";
  week3.students = roster;
  grade(week3);
  ASSERT_EQ(book_.students().size(), 6u);
  roster[0].name = "Li, Bo";  // as a kit of before left it
  roster[1].name = "Wu, Cy";
  week3.students = roster;
  const Merged merged = take_in(week3);
  EXPECT_EQ(merged.people.size(), 2u);
  EXPECT_EQ(entry("bo-li").student, "");
  EXPECT_EQ(entry("bli").decisions.size(), 1u);
  EXPECT_TRUE(entry("bli").graded);
  EXPECT_TRUE(entry("bli", "lab3").graded);
  // Both have the lab: a teacher has to say.
  EXPECT_TRUE(entry("cy-wu").graded);
  EXPECT_TRUE(entry("cwu").graded);
  std::string told;
  for (const Remark& one : book_.remarks()) told += one.text + "\n";
  EXPECT_NE(told.find("cy-wu and cwu are one student"), std::string::npos) << told;
}

/// Who was kept apart from the line by an id is not joined to it by the name in a later week.
TEST_F(Merging, WhoWasKeptApartStaysApart) {
  grade(came({named("libo-102", "libo", {{"canvas_id", "102"}, {"kept_apart", "yes"}})},
             {"libo-102"}, "lab1"));
  const Merged merged =
      take_in(came({on_roster("bli2", "Li, Bo", {{"sid", "999"}})}, {"bli2"}, "lab3"));
  EXPECT_TRUE(merged.people.empty());
  EXPECT_TRUE(entry("libo-102").graded);
  EXPECT_FALSE(entry("bli2").submitted);
}

}  // namespace
}  // namespace labkit::course
