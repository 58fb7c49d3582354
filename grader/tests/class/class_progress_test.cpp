#include <gtest/gtest.h>

#include <string>

#include "base/command_text.h"
#include "class/commands/class.h"

namespace labkit::course {
namespace {

TEST(ClassProgress, DurationsAreForPeople) {
  EXPECT_EQ(duration_text(0.4), "0 s");
  EXPECT_EQ(duration_text(59), "59 s");
  EXPECT_EQ(duration_text(60), "1 min");
  EXPECT_EQ(duration_text(150), "3 min");
  EXPECT_EQ(duration_text(3600), "1 h");
  EXPECT_EQ(duration_text(4800), "1 h 20 min");
}

TEST(ClassProgress, RateAndTimeLeftOnceTheyMeanSomething) {
  EXPECT_EQ(progress_text(1, 1200, 3), "1 of 1200 (0%)");
  EXPECT_EQ(progress_text(300, 1200, 100), "300 of 1200 (25%), about 5 min left");
  EXPECT_EQ(progress_text(6, 12, 360), "6 of 12 (50%), about 6 min left");
  EXPECT_EQ(progress_text(1200, 1200, 400), "1200 of 1200 (100%)");
}

TEST(ClassWords, APathIsOneWordForTheShell) {
  EXPECT_EQ(shell_word("grades/2026-fall"), "grades/2026-fall");
  EXPECT_EQ(shell_word("my grades"), "'my grades'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word(""), "''");
}

Entry entry(const std::string& student, const std::string& lab) {
  Entry one;
  one.student = student;
  one.lab = lab;
  return one;
}
Entry with_job(Entry one, JobState state, const std::string& verdict = {}) {
  one.submitted = true;
  one.job = Job{};
  one.job->state = state;
  one.job->message = "the compiler was killed";
  one.graded = state == JobState::done;
  one.verdict = verdict;
  return one;
}

TEST(ClassWords, TheTableCountsEachKindOfSubmissionOnce) {
  Entry unreadable = entry("e", "lab1");
  unreadable.submitted = true;
  unreadable.submission.problem = "it is empty";
  const std::vector<Entry> entries = {
      with_job(entry("a", "lab1"), JobState::done, "pass"),
      with_job(entry("b", "lab1"), JobState::done, "race"),
      with_job(entry("c", "lab1"), JobState::done, "inconclusive"),
      with_job(entry("d", "lab1"), JobState::failed),
      unreadable,
      with_job(entry("f", "lab1"), JobState::waiting),
      entry("g", "lab1"),
  };
  EXPECT_EQ(
      class_table(grade_all(entries, {})),
      "lab   submitted  pass  not pass  inconclusive  not graded  unreadable  waiting  missing\n"
      "lab1          6     1         1             1           1           1        1        1\n");
  const ClassCount sum = count(entries);
  EXPECT_EQ(sum.to_grade, 5u);
  EXPECT_EQ(sum.graded, 3u);
  EXPECT_EQ(sum.not_graded, 1u);
  EXPECT_EQ(sum.undecided, 1u);
}

TEST(ClassWords, TroubleIsToldByReason) {
  std::vector<Entry> entries;
  for (const char* student : {"a", "b", "c", "d", "e", "f"})
    entries.push_back(with_job(entry(student, "lab1"), JobState::failed));
  entries.push_back(with_job(entry("g", "lab2"), JobState::failed));
  entries.back().job->message = "died";
  EXPECT_EQ(
      trouble_lines(entries),
      (std::vector<std::string>{
          "a lab1, b lab1, c lab1, d lab1 and 2 more: the compiler was killed", "g lab2: died"}));
}

TEST(ClassWords, WhoSubmittedNothing) {
  std::vector<Student> students(3);
  students[0].id = "ana";
  students[0].name = "Ana A";
  students[1].id = students[1].name = "bo";
  students[2].id = "cy";
  const std::vector<Entry> entries = {entry("ana", "lab1"), entry("bo", "lab1"),
                                      with_job(entry("cy", "lab1"), JobState::waiting)};
  EXPECT_EQ(missing_text(students, entries), "ana (Ana A); bo");
  EXPECT_EQ(missing_text(students, entries, 1),
            "ana (Ana A) and 1 more (all: verdict \"missing\" in grades.csv)");
}

TEST(ClassWords, WhatIsNotInAnUploadIsCountedAndTheFirstLineShown) {
  Published published;
  published.left_out = {"canvas.csv: ana is not in it: no ID",
                        "moodle-lab3.csv: cy is not in it: no number"};
  const std::string text = outputs_text(published, "out");
  EXPECT_NE(text.find("out/index.html#uploads"), std::string::npos);
  EXPECT_NE(text.find("2 lines"), std::string::npos);
  EXPECT_NE(text.find(published.left_out.front()), std::string::npos);
  EXPECT_EQ(text.find(published.left_out.back()), std::string::npos);
}

}  // namespace
}  // namespace labkit::course
