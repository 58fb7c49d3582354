// The same download again: who is gone from it, and what an older copy says.
#include <gtest/gtest.h>

#include "class/publish/exports.h"
#include "merging.h"

namespace labkit::course {
namespace {

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

/// Of Canvas, whose numbers of files are of one file; of Moodle, whose participants are of one assignment.
TEST_F(Merging, ARenamedDownloadIsKnownByItsInside) {
  for (const std::string format : {"canvas", "moodle"}) {
    const auto of = [&](const std::string& name, std::size_t students) {
      const std::string lab = format == "canvas" ? "lab1" : "lab2";
      Intake intake = called(format + " " + name, made_class(students, {lab}));
      for (std::size_t i = 0; i < students; ++i) {
        Submission& one = intake.submissions[i];
        if (format == "canvas")
          one.attempt = 70 + i;
        else
          one.lms_id = std::to_string(4700 + i);
      }
      return intake;
    };
    grade(of("lab-1", 3));
    EXPECT_EQ(told(take_in(of("anything", 2)).gone).size(), 1u) << format;
    // The next assignment of the same students is another.
    Intake next = of("next", 2);
    for (Submission& one : next.submissions) {
      hand_in_again(one, "// next " + one.student);
      one.attempt = one.attempt ? one.attempt + 100 : 0;
      if (!one.lms_id.empty()) one.lms_id += "9";
    }
    EXPECT_TRUE(take_in(next).gone.empty()) << format;
  }
}

TEST_F(Merging, WhatIsGoneAndTheTeacherKeepsIsToldNoMore) {
  grade(made_class(4, {"lab1"}));
  const Intake less = made_class(2, {"lab1"});
  EXPECT_EQ(told(take_in(less).gone), (Lines{"s2 lab1", "s3 lab1"}));
  const auto keep = [&](const std::vector<std::string>& names) {
    return book_.put_class(less, Gradebook::Gone::keep, {}, names);
  };
  const Merged merged = keep({"s2"});
  EXPECT_EQ(told(merged.kept_gone), Lines{"s2 lab1"});
  EXPECT_EQ(told(merged.gone), Lines{"s3 lab1"});
  EXPECT_EQ(told(take_in(less).gone), Lines{"s3 lab1"});
  for (const Remark& one : book_.remarks()) EXPECT_NE(one.student, "s2");
  EXPECT_TRUE(entry("s2").graded);
  EXPECT_THROW(keep({"zoe"}), std::invalid_argument);
  // It was here again since, and is gone once more.
  take_in(made_class(4, {"lab1"}));
  EXPECT_EQ(told(take_in(less).gone), (Lines{"s2 lab1", "s3 lab1"}));
  keep({"all"});
  EXPECT_EQ(told(take_in(less, Gradebook::Gone::drop).dropped), (Lines{"s2 lab1", "s3 lab1"}));
}

}  // namespace
}  // namespace labkit::course
