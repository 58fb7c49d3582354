// From what a teacher downloads to who submitted what.
#include "class/intake/intake.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/path_names.h"
#include "base/sha256.h"
#include "class_files.h"
#include "intake_lines.h"

namespace labkit::course {
namespace {

TEST(Intake, Canvas) {
  const Intake intake = take_packed(
      {{"garciaana_101_9001_lab3.cu", kL3},
       {"smithbob_LATE_102_9002_lab3.cu", kL3},
       {"liwei_103_9003_handin.zip", pack({{"lab3/kernel.cu", kL3}, {"notes.pdf", "%PDF"}})},
       {"leemin_104_9004_lab3.cu", kernel_of("lab3", "1")},
       {"leemin_104_9010_lab3-1.cu", kernel_of("lab3", "2")},
       {"zhangwei_105_text.html", "<p>I could not</p>"},
       {"LATE_anon_x7Yz_9006_kernel.cu", kL3},
       {"teacher's notes.txt", "nothing"}},
      "cs101-lab-3 submissions.zip", {});
  EXPECT_EQ(submissions(intake), (Lines{"anonymous-x7yz lab3 LATE_anon_x7Yz_9006_kernel.cu late",
                                        "garciaana-101 lab3 garciaana_101_9001_lab3.cu",
                                        "leemin-104 lab3 leemin_104_9010_lab3-1.cu",
                                        "liwei-103 lab3 liwei_103_9003_handin.zip/lab3/kernel.cu",
                                        "smithbob-102 lab3 smithbob_LATE_102_9002_lab3.cu late",
                                        "zhangwei-105 lab3 zhangwei_105_text.html (was typed into "
                                        "Canvas: there is no file)"}));
  EXPECT_EQ(
      remarks(intake),
      (Lines{
          "left_alone liwei_103_9003_handin.zip/notes.pdf [liwei-103] it is not a source file and "
          "was ignored",
          "not_chosen leemin_104_9004_lab3.cu [leemin-104] for lab3, leemin_104_9010_lab3-1.cu "
          "was graded",
          "refused zhangwei_105_text.html [zhangwei-105] was typed into Canvas: there is no file",
          "nobody teacher's notes.txt [] its name is not as Canvas names a submission"}));
  ASSERT_EQ(intake.roots.size(), 1u);
  EXPECT_EQ(intake.roots[0].format, Format::canvas);
  EXPECT_EQ(intake.roots[0].labs, (std::vector<std::string>{"lab3"}));
  EXPECT_EQ(intake.students[1].keys.at("canvas_id"), "101");
}

TEST(Intake, OfTwoCanvasAttemptsTheNewerCountsWithItsOwnLateness) {
  const std::string first = kernel_of("lab3", "1"), second = kernel_of("lab3", "2");
  const auto kit = [](const std::string& source) {
    return pack({{"kit/labs/lab3_corner_turning/kernel.cu", source}, {"kit/README.md", "kit"}});
  };
  const Intake intake = take_packed({{"ann_101_9001_kit.zip", kit(first)},
                                     {"ann_LATE_101_9051_kit-1.zip", kit(second)},
                                     {"bob_102_9002_lab3-2.cu", first},
                                     {"bob_LATE_102_9052_lab3.cu", second},
                                     {"cy_103_9003_lab3.cu", first},
                                     {"cy_LATE_103_9053_lab3-1.cu", first},
                                     {"di_104_9004_lab3.cu", first},
                                     {"di_104_9054_lab3-1.cu", second},
                                     {"di_LATE_104_9104_lab3-2.cu", first},
                                     {"ed_105_9005_lab3.cu", first},
                                     {"ed_LATE_105_9055_notes.pdf", "%PDF"}},
                                    "cs101-lab-3 submissions.zip", {});
  EXPECT_EQ(
      submissions(intake),
      (Lines{"ann-101 lab3 ann_LATE_101_9051_kit-1.zip/kit/labs/lab3_corner_turning/kernel.cu "
             "late",
             "bob-102 lab3 bob_LATE_102_9052_lab3.cu late", "cy-103 lab3 cy_103_9003_lab3.cu",
             "di-104 lab3 di_LATE_104_9104_lab3-2.cu late", "ed-105 lab3 ed_105_9005_lab3.cu"}));
}

TEST(Intake, CanvasDownloadsOfSeveralAssignmentsSideBySide) {
  const TemporaryFolder folder;
  folder.write("lab1.zip",
               pack({{"garciaana_101_1_kernel.cu", kL1}, {"smithbob_102_2_kernel.cu", "x"}}));
  folder.write("lab3/garciaana_101_3_kernel.cu", kL3);
  folder.write("grades.csv", "a,b");
  const Intake intake = import_inputs({folder.path()}, kit_labs());
  EXPECT_EQ(submissions(intake), (Lines{"garciaana-101 lab1 lab1.zip/garciaana_101_1_kernel.cu",
                                        "garciaana-101 lab3 lab3/garciaana_101_3_kernel.cu",
                                        "smithbob-102 lab1 lab1.zip/smithbob_102_2_kernel.cu"}));
  EXPECT_TRUE(intake.submissions[1].download.ends_with("/lab3"));
  EXPECT_EQ(remarks(intake), (Lines{}));
}

TEST(Intake, Moodle) {
  const Intake intake = take_packed(
      {{"Ana García_4711_assignsubmission_file/lab3.cu", kL3},
       {"Ana García_4711_assignsubmission_onlinetext/onlinetext.html", "hi"},
       {"Wei Zhang_4712_assignsubmission_file_/kernel.cu", kL3},
       {"Wei Zhang_4713_assignsubmission_file_/kernel.cu", kernel_of("lab3", "2")},
       {"Bo Li_4714_assignsubmission_file_lab3.cu", kL3},
       {"Participant_4715_assignsubmission_file/sub/lab3.zip", pack({{"kernel.cu", kL3}})}},
      "CS101-Lab 3-77.zip");
  EXPECT_EQ(submissions(intake),
            (Lines{"ana-garcía lab3 Ana García_4711_assignsubmission_file/lab3.cu",
                   "bo-li lab3 Bo Li_4714_assignsubmission_file_lab3.cu",
                   "participant lab3 Participant_4715_assignsubmission_file/sub/lab3.zip/kernel.cu",
                   "wei-zhang-4712 lab3 Wei Zhang_4712_assignsubmission_file_/kernel.cu",
                   "wei-zhang-4713 lab3 Wei Zhang_4713_assignsubmission_file_/kernel.cu"}));
  EXPECT_EQ(intake.submissions[0].lms_id, "4711");
  EXPECT_EQ(intake.students[0].keys.at("moodle_id"), "4711");
  EXPECT_EQ(remarks(intake),
            (Lines{"left_alone Ana García_4711_assignsubmission_onlinetext/onlinetext.html "
                   "[ana-garcía] it is not a source file and was ignored",
                   "roster CS101-Lab 3-77.zip [] wei-zhang-4712, wei-zhang-4713 share a name: "
                   "--moodle-worksheet says who is who"}));
}

TEST(Intake, MoodleOverSeveralAssignmentsJoinsByName) {
  const Intake intake =
      take_packed({{"lab1/Ana García_4711_assignsubmission_file/kernel.cu", kL1},
                   {"lab3/Ana García_5711_assignsubmission_file/kernel.cu", kL3}});
  EXPECT_EQ(students(intake), (Lines{"ana-garcía: Ana García"}));
  ASSERT_EQ(intake.submissions.size(), 2u);
  EXPECT_EQ(intake.submissions[0].lms_id, "4711");
  EXPECT_EQ(intake.submissions[1].lms_id, "5711");
}

constexpr const char* kMetadata = R"(---
submission_1:
  :submitters:
  - :name: Ana García
    :sid: '12'
    :email: ana@x.edu
  :created_at: 2026-10-04 22:13:14.123456000 -07:00
submission_2:
  :submitters:
  - :name: Bo Li
    :sid: '13'
  - :name: Cy Wu
    :email: cy@x.edu
  :created_at: 2026-10-05 01:00:00 -07:00
)";

TEST(Intake, Gradescope) {
  const Intake intake = take_packed({{"assignment_77_export/submission_metadata.yml", kMetadata},
                                     {"assignment_77_export/submission_1/lab3.cu", kL3},
                                     {"assignment_77_export/submission_2/lab3/kernel.cu", kL3},
                                     {"assignment_77_export/submission_3/lab3.cu", kL3},
                                     {"__MACOSX/assignment_77_export/._x", "x"}});
  EXPECT_EQ(submissions(intake),
            (Lines{"12 lab3 assignment_77_export/submission_1/lab3.cu",
                   "13 lab3 assignment_77_export/submission_2/lab3/kernel.cu",
                   "cy lab3 assignment_77_export/submission_2/lab3/kernel.cu"}));
  EXPECT_EQ(intake.submissions[0].submitted_at, 1791177194);
  EXPECT_EQ(intake.submissions[1].group, (Lines{"13", "cy"}));
  EXPECT_EQ(remarks(intake), (Lines{"unread assignment_77_export/submission_3/lab3.cu [] "
                                    "submission_metadata.yml names no submitter for it"}));
}

/// Nobody submits for another: what a student names is never taken for what the LMS names.
TEST(Intake, AStudentCannotSpeakForTheLms) {
  const std::string evil = "submission_9:\n  :submitters:\n  - :name: Bo Li\n    :sid: '13'\n";
  const Intake nested = take_packed(
      {{"alice/submission_metadata.yml", evil},
       {"alice/submission_9/lab3.cu", kL3},
       {"alice/bob_12_34_lab3.cu", kL3},
       {"bob/lab3.cu", kL3},
       {"mallory.zip", pack({{"submission_metadata.yml", evil}, {"submission_9/lab3.cu", kL3}})}});
  ASSERT_EQ(nested.submissions.size(), 3u);
  EXPECT_EQ(submissions(nested)[1], "bob lab3 bob/lab3.cu");
  EXPECT_EQ(nested.students.size(), 3u);
  const Intake canvas =
      take_packed({{"garciaana_101_9001_x.zip", pack({{"smithbob_102_9002_lab3.cu", kL3}})},
                   {"smithbob_102_9002_lab3.cu", kL3}});
  EXPECT_EQ(submissions(canvas),
            (Lines{"garciaana-101 lab3 garciaana_101_9001_x.zip/smithbob_102_9002_lab3.cu",
                   "smithbob-102 lab3 smithbob_102_9002_lab3.cu"}));
  const Intake download = take_packed({{"submission_metadata.yml", kMetadata},
                                       {"submission_1/submission_metadata.yml", evil},
                                       {"submission_1/lab3.cu", kL3},
                                       {"submission_2/lab3.cu", kL3}});
  EXPECT_EQ(download.students.size(), 3u);
  EXPECT_EQ(download.submissions.size(), 3u);
}

TEST(Intake, TheSameInputGivesTheSame) {
  const std::vector<Packed> entries = {
      {"bob/lab3.cu", kL3}, {"alice/lab3.cu", kL3}, {"alice/lab1.cu", kL1}};
  const Intake once = take_packed(entries),
               again = take_packed({entries[2], entries[1], entries[0]});
  EXPECT_EQ(submissions(once), submissions(again));
  EXPECT_EQ(students(once), students(again));
}

TEST(Intake, InputsAreCalledByTheShortestEndOfTheirPaths) {
  EXPECT_EQ(short_names({"/t/a/week1", "/t/b/week1", "/t/b/week2.zip"}),
            (Lines{"a/week1", "b/week1", "week2.zip"}));
  EXPECT_EQ(short_names({"/t/a/x", "/t/b/t/a/x"}), (Lines{"t/a/x", "b/t/a/x"}));
}

TEST(Intake, NothingIsOurErrorToTell) {
  const TemporaryFolder folder;
  EXPECT_THROW(import_inputs({folder.path()}, kit_labs()), Error);
  EXPECT_THROW(import_inputs({folder.path() / "nowhere"}, kit_labs()), Error);
  folder.write("a/lab3.cu", kL3);
  IntakeOptions options = all_labs();
  options.roster_text = "Colour\nred\n";
  EXPECT_THROW(import_inputs({folder.path()}, kit_labs(), options), Error);
}

}  // namespace
}  // namespace labkit::course
