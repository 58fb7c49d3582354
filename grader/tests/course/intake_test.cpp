// From what a teacher downloads to who handed in what.
#include "course/intake.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/sha256.h"
#include "class_files.h"

namespace labkit::course {
namespace {

using Lines = std::vector<std::string>;
using Kind = Packed::Kind;

/// "student lab path", with what is special about it.
Lines submissions(const Intake& intake) {
  Lines lines;
  for (const Submission& one : intake.submissions)
    lines.push_back(one.student + " " + one.lab + " " + one.path + (one.late ? " late" : "") +
                    (one.problem.empty() ? "" : " (" + one.problem + ")"));
  return lines;
}
Lines students(const Intake& intake) {
  Lines lines;
  for (const Student& student : intake.students) lines.push_back(student.id + ": " + student.name);
  return lines;
}
Lines remarks(const Intake& intake) {
  Lines lines;
  for (const Remark& one : intake.remarks)
    lines.push_back(std::string(remark_name(one.kind)) + " " + one.path + " [" + one.student +
                    "] " + one.text);
  return lines;
}
Intake take_packed(const std::vector<Packed>& entries, const std::string& name = "class.zip",
                   const IntakeOptions& options = {}) {
  const TemporaryFolder folder;
  return take_in(folder.write(name, pack(entries)), kit_labs(), options);
}
const std::string kL1 = kernel_of("lab1"), kL3 = kernel_of("lab3"), kL5 = kernel_of("lab5");

TEST(Intake, PlainFoldersInEveryWayTheyAreLaidOut) {
  const Intake intake =
      take_packed({{"submissions/alice/lab3.cu", kL3},
                   {"submissions/alice/lab1_vecadd_coalescing/kernel.cu", kL1},
                   {"submissions/bob/handed in/matmul.cu", kL5},
                   {"submissions/carol.zip", pack({{"stuff/Lab 3/kernel.cu", kL3}})},
                   {"submissions/dave/kernel.cu", "// no kernel"},
                   {"submissions/李伟/lab3.cu.txt", kL3},
                   {"submissions/empty", "", Kind::folder}});
  EXPECT_EQ(
      submissions(intake),
      (Lines{"alice lab1 submissions/alice/lab1_vecadd_coalescing/kernel.cu",
             "alice lab3 submissions/alice/lab3.cu", "bob lab5 submissions/bob/handed in/matmul.cu",
             "carol lab3 submissions/carol.zip/stuff/Lab 3/kernel.cu",
             "李伟 lab3 submissions/李伟/lab3.cu.txt"}));
  EXPECT_EQ(students(intake), (Lines{"alice: alice", "bob: bob", "carol: carol", "dave: dave",
                                     "empty: empty", "李伟: 李伟"}));
  EXPECT_EQ(remarks(intake), (Lines{"no lab submissions/dave/kernel.cu [dave] neither its name nor "
                                    "a kernel in it says which lab it is for"}));
  EXPECT_EQ(intake.missing, (Lines{}));
  EXPECT_EQ(intake.submissions[0].source, kL1);
  EXPECT_EQ(intake.submissions[0].source_sha256, sha256_hex(kL1));
}

TEST(Intake, TwoFilesForOneLabThatOnlyTheirNamesTellApartAreACase) {
  const std::string other = kL3 + "\n// another try\n";
  const Intake intake = take_packed({{"alice/lab3.cu", kL3},
                                     {"alice/lab3_final.cu", other},
                                     {"bob/kernel.cu", kL3},
                                     {"bob/copy of kernel.cu", kL3},
                                     {"carol/lab3.cu", kL3},
                                     {"carol/notes_lab3.cu", "// no kernel"}});
  EXPECT_EQ(submissions(intake), (Lines{"alice lab3 alice/lab3.cu", "bob lab3 bob/kernel.cu",
                                        "carol lab3 carol/lab3.cu"}));
  EXPECT_EQ(
      remarks(intake),
      (Lines{"several files alice/lab3_final.cu [alice] lab3: it holds the kernel as well; "
             "alice/lab3.cu was graded",
             "not chosen bob/copy of kernel.cu [bob] for lab3, bob/kernel.cu was graded, which "
             "is the same",
             "not chosen carol/notes_lab3.cu [carol] for lab3, carol/lab3.cu was graded"}));
}

TEST(Intake, OneFileWithTheKernelsOfTwoLabsIsToldOf) {
  const Intake intake =
      take_packed({{"alice/all.cu", kL3 + "\n" + kL5}, {"bob/lab3.cu", kL3 + "\n" + kL5}});
  ASSERT_EQ(intake.submissions.size(), 2u);
  ASSERT_EQ(intake.remarks.size(), 1u);
  EXPECT_EQ(intake.remarks[0].kind, Remark::Kind::no_lab);
  EXPECT_EQ(intake.remarks[0].student, "alice");
  EXPECT_NE(intake.remarks[0].text.find("it also holds kernels of lab3"), std::string::npos)
      << intake.remarks[0].text;
}

TEST(Intake, FoldersOfLabsAndLooseFiles) {
  const Intake labs =
      take_packed({{"lab1/alice.cu", kL1}, {"lab3/alice/kernel.cu", kL3}, {"lab3/bob.cu", "x"}});
  EXPECT_EQ(submissions(labs), (Lines{"alice lab1 lab1/alice.cu", "alice lab3 lab3/alice/kernel.cu",
                                      "bob lab3 lab3/bob.cu"}));
  const Intake loose =
      take_packed({{"alice_lab3.cu", kL3}, {"bob_lab3_final.cu", kL3}, {"lab3.cu", kL3}});
  EXPECT_EQ(submissions(loose), (Lines{"alice lab3 alice_lab3.cu", "bob lab3 bob_lab3_final.cu"}));
  EXPECT_EQ(
      remarks(loose),
      (Lines{"nobody's lab3.cu [] it lies in no student's folder, and its name says no student"}));
}

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
      "cs101-lab-3 submissions.zip");
  EXPECT_EQ(submissions(intake), (Lines{"anonymous-x7yz lab3 LATE_anon_x7Yz_9006_kernel.cu late",
                                        "garciaana-101 lab3 garciaana_101_9001_lab3.cu",
                                        "leemin-104 lab3 leemin_104_9010_lab3-1.cu",
                                        "liwei-103 lab3 liwei_103_9003_handin.zip/lab3/kernel.cu",
                                        "smithbob-102 lab3 smithbob_LATE_102_9002_lab3.cu late"}));
  EXPECT_EQ(
      remarks(intake),
      (Lines{"left alone liwei_103_9003_handin.zip/notes.pdf [liwei-103] it is no source file, and "
             "was left alone",
             "not chosen leemin_104_9004_lab3.cu [leemin-104] for lab3, leemin_104_9010_lab3-1.cu "
             "was graded",
             "no lab zhangwei_105_text.html [zhangwei-105] was typed into Canvas: there is no file",
             "nobody's teacher's notes.txt [] its name is not as Canvas names a submission"}));
  ASSERT_EQ(intake.roots.size(), 1u);
  EXPECT_EQ(intake.roots[0].format, Format::canvas);
  EXPECT_EQ(intake.roots[0].lab, "lab3");
  EXPECT_EQ(intake.students[1].keys.at("canvas_id"), "101");
  ASSERT_EQ(intake.submissions[2].notes.size(), 1u);
  EXPECT_EQ(intake.submissions[2].notes[0],
            "leemin_104_9010_lab3-1.cu was graded, not leemin_104_9004_lab3.cu");
}

TEST(Intake, CanvasDownloadsOfSeveralAssignmentsSideBySide) {
  const TemporaryFolder folder;
  folder.write("lab1.zip",
               pack({{"garciaana_101_1_kernel.cu", kL1}, {"smithbob_102_2_kernel.cu", "x"}}));
  folder.write("lab3/garciaana_101_3_kernel.cu", kL3);
  folder.write("grades.csv", "a,b");
  const Intake intake = take_in(folder.path(), kit_labs());
  EXPECT_EQ(submissions(intake), (Lines{"garciaana-101 lab1 lab1.zip/garciaana_101_1_kernel.cu",
                                        "garciaana-101 lab3 lab3/garciaana_101_3_kernel.cu",
                                        "smithbob-102 lab1 lab1.zip/smithbob_102_2_kernel.cu"}));
  EXPECT_EQ(intake.submissions[1].download, "lab3");
  EXPECT_EQ(remarks(intake),
            (Lines{"nobody's grades.csv [] it lies beside the downloads, not in one of them"}));
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
            (Lines{"no lab Ana García_4711_assignsubmission_onlinetext/onlinetext.html "
                   "[ana-garcía] was typed into Moodle: there is no file"}));
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
  EXPECT_EQ(remarks(intake), (Lines{"nobody's assignment_77_export/submission_3/lab3.cu [] "
                                    "submission_metadata.yml names no submitter for it"}));
}

TEST(Intake, OneStudentNumberForTwoPeopleIsTwoStudents) {
  const std::string metadata =
      "submission_1:\n  :submitters:\n  - :name: Ana García\n    :sid: '12'\n    :email: "
      "ana@x.edu\n"
      "submission_2:\n  :submitters:\n  - :name: Bo Li\n    :sid: '12'\n    :email: bo@x.edu\n"
      "submission_3:\n  :submitters:\n  - :name: Cy Wu\n    :sid: '13'\n    :email: cy@x.edu\n"
      "submission_4:\n  :submitters:\n  - :name: Wu, Cyrus\n    :sid: '13'\n";
  const TemporaryFolder folder;
  const auto take = [&](const std::string& roster) {
    IntakeOptions options;
    if (!roster.empty()) options.roster = folder.write("roster.csv", roster);
    return take_packed({{"a/submission_metadata.yml", metadata},
                        {"a/submission_1/lab3.cu", kL3},
                        {"a/submission_2/lab3.cu", kL3},
                        {"a/submission_3/lab3.cu", kL3},
                        {"a/submission_4/lab1.cu", kL1}},
                       "class.zip", options);
  };
  for (const std::string roster : {"", "Name,SID,Email\n\"Li, Bo\",12,bo@x.edu\n"}) {
    const Intake intake = take(roster);
    EXPECT_EQ(intake.students.size(), 3u) << "Cy with and without an e-mail is one";
    EXPECT_EQ(intake.submissions.size(), 4u);
    std::string told;
    for (const Remark& one : intake.remarks) told += one.text + "\n";
    EXPECT_NE(told.find("both have the number 12; taken for two"), std::string::npos) << told;
    EXPECT_EQ(told.find("13"), std::string::npos) << told;
  }
}

/// Nobody hands in for another: what a student names is never taken for what the LMS names.
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

TEST(Intake, TheBestOfSeveralFilesIsChosenAndSaid) {
  const Intake intake =
      take_packed({{"alice/attempt_1/lab3.cu", kernel_of("lab3", "1")},
                   {"alice/attempt_2/lab3.cu", kernel_of("lab3", "2")},
                   {"bob/lab3.cu", kL3},
                   {"bob/lab3 stub/kernel.cu", "__global__ void corner_turn() {}"},
                   {"bob/solutions/lab3_corner_turning/correct/tile.cu", kernel_of("lab3", "9")},
                   {"carol/lab3.cu", ""},
                   {"carol/old/lab3.cu", kL3},
                   {"dave/lab3.cu", kL5}});
  EXPECT_EQ(submissions(intake),
            (Lines{"alice lab3 alice/attempt_2/lab3.cu", "bob lab3 bob/lab3.cu",
                   "carol lab3 carol/old/lab3.cu", "dave lab3 dave/lab3.cu"}));
  EXPECT_EQ(intake.submissions[3].notes,
            (Lines{"handed in for lab3, but its kernels are those of lab5"}));
  EXPECT_EQ(remarks(intake).size(), 4u);
}

TEST(Intake, WhatCannotBeGradedIsTheStudentsAllTheSame) {
  const Intake intake = take_packed({{"alice/lab3.cu", "  \n"},
                                     {"bob/lab3.cu", std::string("PK\x03\x04zip", 7)},
                                     {"carol/lab3.cu", std::string(2 << 20, 'x')},
                                     {"dave/lab3.zip", "broken"},
                                     {"eve/lab3.cu", "", Kind::symlink, "/etc/passwd"},
                                     {"fay/lab3.cu", std::string("\xff\xfe/\0/\0", 6)},
                                     {"gil/lab3.cu", std::string("a\0b", 3)},
                                     {"hal/lab3.rar", "Rar!"}});
  Lines lines = submissions(intake);
  ASSERT_EQ(lines.size(), 8u);
  EXPECT_EQ(lines[0], "alice lab3 alice/lab3.cu (it is empty)");
  EXPECT_EQ(lines[1], "bob lab3 bob/lab3.cu (it is a zip by another name)");
  EXPECT_EQ(lines[2], "carol lab3 carol/lab3.cu (it is larger than 1 MiB)");
  EXPECT_EQ(lines[3].find("dave lab3 dave/lab3.zip (it is "), 0u);
  EXPECT_EQ(lines[4], "eve lab3 eve/lab3.cu (it is a link: links are not followed)");
  EXPECT_EQ(lines[5], "fay lab3 fay/lab3.cu");
  EXPECT_EQ(intake.submissions[5].source, "//");
  EXPECT_EQ(lines[6], "gil lab3 gil/lab3.cu (it is no text: it holds zero bytes)");
  EXPECT_EQ(lines[7], "hal lab3 hal/lab3.rar (it is a RAR archive; the kit reads zip and tar)");
  EXPECT_EQ(remarks(intake).size(), 7u);  // all but fay's
}

TEST(Intake, TheRosterSaysWhoIsMissing) {
  const TemporaryFolder folder;
  IntakeOptions options;
  options.roster = folder.write("roster.csv",
                                "Student,ID,SIS User ID,SIS Login ID,Section,Lab 3 (55)\r\n"
                                ",,,,,Manual Posting\r\n"
                                "    Points Possible,,,,,100\r\n"
                                "\"García, Ana\",101,S1,agarcia,A,\r\n"
                                "\"Smith, Bob\",102,S2,bsmith,A,\r\n"
                                "\"Wu, Cy\",103,S3,cwu,A,\r\n"
                                "\"Student, Test\",999,,x,A,\r\n");
  const Intake canvas = take_packed(
      {{"garcíaana_101_1_lab3.cu", kL3}, {"strangerjo_777_2_lab3.cu", kL3}}, "c.zip", options);
  EXPECT_EQ(submissions(canvas), (Lines{"agarcia lab3 garcíaana_101_1_lab3.cu",
                                        "strangerjo-777 lab3 strangerjo_777_2_lab3.cu"}));
  EXPECT_EQ(canvas.missing, (Lines{"bsmith", "cwu"}));
  EXPECT_EQ(
      remarks(canvas),
      (Lines{"roster strangerjo [] \"strangerjo\" is not on the roster; graded all the same"}));
  EXPECT_EQ(canvas.students[0].name, "García, Ana");
  EXPECT_EQ(canvas.students[0].keys.at("sid"), "S1");
  // The same class as plain folders, by login, by name, squashed or not.
  const Intake plain =
      take_packed({{"agarcia/lab3.cu", kL3}, {"Bob Smith/lab3.cu", kL3}, {"wucy/lab3.cu", kL3}},
                  "c.zip", options);
  EXPECT_EQ(submissions(plain), (Lines{"agarcia lab3 agarcia/lab3.cu",
                                       "bsmith lab3 Bob Smith/lab3.cu", "cwu lab3 wucy/lab3.cu"}));
  EXPECT_TRUE(plain.missing.empty());
}

TEST(Intake, GroupsOnTheRosterGetWhatTheirGroupHandsIn) {
  const TemporaryFolder folder;
  IntakeOptions options;
  options.roster =
      folder.write("r.csv", "Name,Login,Group\nAna,ana,Team 1\nBob,bob,Team 1\nCy,cy,Team 2\n");
  const Intake intake =
      take_packed({{"Team 1_55_assignsubmission_file/lab3.cu", kL3}}, "m.zip", options);
  EXPECT_EQ(submissions(intake), (Lines{"ana lab3 Team 1_55_assignsubmission_file/lab3.cu",
                                        "bob lab3 Team 1_55_assignsubmission_file/lab3.cu"}));
  EXPECT_EQ(intake.missing, (Lines{"cy"}));
  EXPECT_EQ(intake.submissions[0].group, (Lines{"ana", "bob"}));
}

TEST(Intake, TwoWhoseNamesLookAlikeStayTwo) {
  const Intake intake = take_packed({{"ann b/lab3.cu", kL3}, {"Ann-B/lab3.cu", kL5}});
  ASSERT_EQ(intake.students.size(), 2u) << "nobody's work is taken for another's";
  EXPECT_NE(intake.students[0].id, intake.students[1].id);
  EXPECT_EQ(intake.submissions.size(), 2u);
  EXPECT_EQ(intake.remarks.size(), 2u) << "and it is told";
  const TemporaryFolder folder;
  IntakeOptions logins;
  logins.roster = folder.write("logins.csv", "Name,Login\nJ S,j.smith\nJ T,j_smith\n");
  const Intake smiths =
      take_packed({{"j.smith/lab3.cu", kL3}, {"j_smith/lab3.cu", kL5}}, "c.zip", logins);
  EXPECT_EQ(smiths.students.size(), 2u);
  EXPECT_EQ(smiths.submissions.size(), 2u);
  EXPECT_TRUE(smiths.missing.empty());
  IntakeOptions options;
  options.roster = folder.write("r.csv", "Name,Email\nAnn,ann@x.edu\nAnn,ann@y.edu\n");
  const Intake two =
      take_packed({{"ann@x.edu/lab3.cu", kL3}, {"Ann/lab3.cu", kL3}}, "c.zip", options);
  ASSERT_EQ(two.students.size(), 3u);
  EXPECT_NE(two.students[1].id, two.students[2].id);
  EXPECT_EQ(remarks(two).front(),
            "roster Ann [] \"Ann\" fits 2 lines of the roster, so none was chosen");
}

/// With a roster in a file.
Intake take_with(const std::string& roster, const std::vector<Packed>& entries,
                 const std::string& name = "c.zip") {
  const TemporaryFolder folder;
  IntakeOptions options;
  options.roster = folder.write("roster.csv", roster);
  return take_packed(entries, name, options);
}
Lines ids(const Intake& intake) {
  Lines lines;
  for (const Submission& one : intake.submissions) lines.push_back(one.student);
  return lines;
}
std::size_t told_as_not_on_the_roster(const Intake& intake) {
  std::size_t count = 0;
  for (const Remark& one : intake.remarks)
    count +=
        one.kind == Remark::Kind::roster && one.text.find("not on the roster") != std::string::npos;
  return count;
}

TEST(Intake, ANamesakeWithAnotherIdIsNotTheRostersStudent) {
  // Canvas's number in a column of its own, or in whichever its maker took.
  for (const std::string header : {"Name,Login,Canvas ID\n", "Name,Login,SID\n"}) {
    const std::string roster = header + "\"Li, Bo\",bli2,999\n\"Wu, Cy\",cwu,103\n";
    const Intake both = take_with(roster, {{"libo_102_9003_lab1.cu", kL1},
                                           {"libo_999_9001_lab1.cu", kernel_of("lab1", "2")}});
    EXPECT_EQ(ids(both), (Lines{"bli2", "libo-102"})) << header;
    EXPECT_EQ(both.submissions.at(0).path, "libo_999_9001_lab1.cu");
    EXPECT_EQ(told_as_not_on_the_roster(both), 1u);
    const Intake other =
        take_with(roster, {{"libo_102_9003_lab1.cu", kL1}, {"wucy_103_9001_lab1.cu", kL1}});
    EXPECT_EQ(ids(other), (Lines{"cwu", "libo-102"})) << header;
    EXPECT_EQ(other.missing, (Lines{"bli2"}));
    EXPECT_EQ(told_as_not_on_the_roster(other), 1u);
  }
  const Intake alone =
      take_with("Name,Login,Canvas ID\n\"Li, Bo\",bli2,999\n", {{"libo_102_9003_lab1.cu", kL1}});
  EXPECT_EQ(ids(alone), (Lines{"libo-102"}));

  const std::string metadata =
      "submission_1:\n  :submitters:\n  - :name: Bo Li\n    :sid: 'S1'\n    :email: bo1@x.edu\n"
      "submission_2:\n  :submitters:\n  - :name: Bo Li\n    :sid: 'S2'\n    :email: bo2@x.edu\n";
  for (const std::string roster :
       {"Name,SID,Email\n\"Li, Bo\",S2,bo2@x.edu\n", "Name,SID\n\"Li, Bo\",S2\n",
        "Name,Email\n\"Li, Bo\",bo2@x.edu\n"}) {
    const Intake gradescope = take_with(roster, {{"a/submission_metadata.yml", metadata},
                                                 {"a/submission_1/lab1.cu", kL1},
                                                 {"a/submission_2/lab1.cu", kL3}});
    EXPECT_EQ(gradescope.students.size(), 2u) << roster;
    EXPECT_EQ(gradescope.submissions.size(), 2u) << roster;
    EXPECT_EQ(told_as_not_on_the_roster(gradescope), 1u);
  }
}

TEST(Intake, TwoWhoClaimOneLineByNameBothStayApart) {
  const std::string roster = "Name,Login\n\"Li, Bo\",bli\n\"Wu, Cy\",cwu\n";
  const Intake canvas = take_with(
      roster,
      {{"libo_102_1_lab1.cu", kL1}, {"libo_103_2_lab1.cu", kL1}, {"wucy_104_3_lab1.cu", kL1}});
  EXPECT_EQ(ids(canvas), (Lines{"cwu", "libo-102", "libo-103"}));
  EXPECT_EQ(canvas.missing, (Lines{"bli"}));
  EXPECT_EQ(told_as_not_on_the_roster(canvas), 2u);
  const std::vector<Packed> moodle = {{"Bo Li_4701_assignsubmission_file/lab1.cu", kL1},
                                      {"Bo Li_4799_assignsubmission_file/lab1.cu", kL1},
                                      {"Cy Wu_4800_assignsubmission_file/lab1.cu", kL1}};
  EXPECT_EQ(ids(take_with(roster, moodle)), (Lines{"bo-li-4701", "bo-li-4799", "cwu"}));
  // Moodle's worksheet says which of them it is.
  EXPECT_EQ(ids(take_with("Identifier,Full name,Login\nParticipant 4799,Bo Li,bli\n"
                          "Participant 4800,Cy Wu,cwu\n",
                          moodle)),
            (Lines{"bli", "bo-li-4701", "cwu"}));
}

/// Ids of another kind say nothing: the name leads to the roster, in every week.
TEST(Intake, IdsThatCannotBeComparedLeaveItToTheName) {
  const std::string roster =
      "Identifier,Full name,SID,Login\nParticipant 11,Bo Li,S1,bli\nParticipant 12,Cy Wu,S2,cwu\n";
  EXPECT_EQ(ids(take_with(roster, {{"Bo Li_4701_assignsubmission_file/lab1.cu", kL1},
                                   {"Cy Wu_4702_assignsubmission_file/lab1.cu", kL1}})),
            (Lines{"bli", "cwu"}));
  EXPECT_EQ(ids(take_with(roster, {{"libo_102_1_lab1.cu", kL1}, {"wucy_104_3_lab1.cu", kL1}})),
            (Lines{"bli", "cwu"}));
}

TEST(Intake, TheSameInputGivesTheSame) {
  const std::vector<Packed> entries = {
      {"bob/lab3.cu", kL3}, {"alice/lab3.cu", kL3}, {"alice/lab1.cu", kL1}};
  const Intake once = take_packed(entries),
               again = take_packed({entries[2], entries[1], entries[0]});
  EXPECT_EQ(submissions(once), submissions(again));
  EXPECT_EQ(students(once), students(again));
}

TEST(Intake, ADownloadThatIsCutShortIsOurErrorAndNobodysMissingWork) {
  const TemporaryFolder folder;
  const std::string whole =
      pack({{"ann/lab3.cu", kL3}, {"bob/lab3.cu", kL3}, {"cat/lab3.cu", kL3}});
  for (const std::size_t part : {4, 2}) {
    const auto file = folder.write("cut.zip", whole.substr(0, whole.size() - whole.size() / part));
    EXPECT_THROW(take_in(file, kit_labs()), Error) << part;
  }
}

TEST(Intake, TheEndOfAnArchiveInsideIsNotThatOfTheDownload) {
  const TemporaryFolder folder;
  const std::string whole = pack({{"ann/lab3.cu", kL3}, {"cat/lab3.cu", kL3}});
  // As of a stored archive of a student, or in a source: the record of a directory, but not of this file's.
  const std::string cut = whole.substr(0, whole.rfind("PK\3\4"));
  const std::string inner = pack({{"cat/lab3.cu", "no kernel"}});
  for (const std::string& tail : {inner.substr(inner.rfind("PK\5\6")), inner})
    EXPECT_THROW(take_in(folder.write("cut.zip", cut + tail), kit_labs()), Error);
  EXPECT_EQ(take_in(folder.write("whole.zip", whole), kit_labs()).submissions.size(), 2u);
}

TEST(Intake, ATarWithoutItsEndIsRefused) {
  const TemporaryFolder folder;
  PackOptions options;
  options.ending = ".tar";
  const std::string whole = pack({{"ann/lab3.cu", kL3}, {"bob/lab3.cu", kL3}}, options);
  EXPECT_EQ(take_in(folder.write("whole.tar", whole), kit_labs()).submissions.size(), 2u);
  const std::string cut = whole.substr(0, whole.find_last_not_of('\0') / 512 * 512 + 512);
  EXPECT_THROW(take_in(folder.write("cut.tar", cut), kit_labs()), Error);
}

TEST(Intake, NothingIsOurErrorToTell) {
  const TemporaryFolder folder;
  EXPECT_THROW(take_in(folder.path(), kit_labs()), Error);
  EXPECT_THROW(take_in(folder.path() / "nowhere", kit_labs()), Error);
  folder.write("a/lab3.cu", kL3);
  IntakeOptions options;
  options.roster = folder.write("r.csv", "Colour\nred\n");
  EXPECT_THROW(take_in(folder.path(), kit_labs(), options), Error);
}

}  // namespace
}  // namespace labkit::course
