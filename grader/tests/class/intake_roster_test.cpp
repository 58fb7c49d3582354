// Who is who: names, the numbers of an LMS, and the roster.
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/sha256.h"
#include "class/intake/intake.h"
#include "class_files.h"
#include "intake_lines.h"

namespace labkit::course {
namespace {

using Kind = Packed::Kind;

TEST(IntakeRoster, OneStudentNumberForTwoPeopleIsTwoStudents) {
  const std::string metadata =
      "submission_1:\n  :submitters:\n  - :name: Ana García\n    :sid: '12'\n    :email: "
      "ana@x.edu\n"
      "submission_2:\n  :submitters:\n  - :name: Bo Li\n    :sid: '12'\n    :email: bo@x.edu\n"
      "submission_3:\n  :submitters:\n  - :name: Cy Wu\n    :sid: '13'\n    :email: cy@x.edu\n"
      "submission_4:\n  :submitters:\n  - :name: Wu, Cyrus\n    :sid: '13'\n";
  const auto take = [&](const std::string& roster) {
    IntakeOptions options = all_labs();
    if (!roster.empty()) options.roster_text = roster;
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
    EXPECT_EQ(told.find("number 13"), std::string::npos) << told;
  }
}

TEST(IntakeRoster, TheRosterSaysWhoIsMissing) {
  IntakeOptions options = all_labs();
  options.roster_text =
      "Student,ID,SIS User ID,SIS Login ID,Section,Lab 3 (55)\r\n"
      ",,,,,Manual Posting\r\n"
      "    Points Possible,,,,,100\r\n"
      "\"García, Ana\",101,S1,agarcia,A,\r\n"
      "\"Smith, Bob\",102,S2,bsmith,A,\r\n"
      "\"Wu, Cy\",103,S3,cwu,A,\r\n"
      "\"Student, Test\",999,,x,A,\r\n";
  const Intake canvas = take_packed(
      {{"garcíaana_101_1_lab3.cu", kL3}, {"strangerjo_777_2_lab3.cu", kL3}}, "c.zip", options);
  EXPECT_EQ(submissions(canvas), (Lines{"agarcia lab3 garcíaana_101_1_lab3.cu",
                                        "strangerjo-777 lab3 strangerjo_777_2_lab3.cu"}));
  EXPECT_EQ(canvas.missing, (Lines{"bsmith", "cwu"}));
  EXPECT_EQ(remarks(canvas),
            (Lines{"roster c.zip [] strangerjo-777 is not on the roster; graded all the same"}));
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

TEST(IntakeRoster, GroupsOnTheRosterGetWhatTheirGroupHandsIn) {
  IntakeOptions options = all_labs();
  options.roster_text = "Name,Login,Group\nAna,ana,Team 1\nBob,bob,Team 1\nCy,cy,Team 2\n";
  const Intake intake =
      take_packed({{"Team 1_55_assignsubmission_file/lab3.cu", kL3}}, "m.zip", options);
  EXPECT_EQ(submissions(intake), (Lines{"ana lab3 Team 1_55_assignsubmission_file/lab3.cu",
                                        "bob lab3 Team 1_55_assignsubmission_file/lab3.cu"}));
  EXPECT_EQ(intake.missing, (Lines{"cy"}));
  EXPECT_EQ(intake.submissions[0].group, (Lines{"ana", "bob"}));
}

TEST(IntakeRoster, TwoWhoseNamesLookAlikeStayTwo) {
  const Intake intake = take_packed({{"ann b/lab3.cu", kL3}, {"Ann-B/lab3.cu", kL5}});
  ASSERT_EQ(intake.students.size(), 2u) << "nobody work is taken for another's";
  EXPECT_NE(intake.students[0].id, intake.students[1].id);
  EXPECT_EQ(intake.submissions.size(), 2u);
  EXPECT_EQ(intake.remarks.size(), 2u) << "and it is told";
  IntakeOptions logins = all_labs();
  logins.roster_text = "Name,Login\nJ S,j.smith\nJ T,j_smith\n";
  const Intake smiths =
      take_packed({{"j.smith/lab3.cu", kL3}, {"j_smith/lab3.cu", kL5}}, "c.zip", logins);
  EXPECT_EQ(smiths.students.size(), 2u);
  EXPECT_EQ(smiths.submissions.size(), 2u);
  EXPECT_TRUE(smiths.missing.empty());
  IntakeOptions options = all_labs();
  options.roster_text = "Name,Email\nAnn,ann@x.edu\nAnn,ann@y.edu\n";
  const Intake two =
      take_packed({{"ann@x.edu/lab3.cu", kL3}, {"Ann/lab3.cu", kL3}}, "c.zip", options);
  ASSERT_EQ(two.students.size(), 3u);
  EXPECT_NE(two.students[1].id, two.students[2].id);
  EXPECT_EQ(remarks(two).back(),
            "roster c.zip [] " + two.students.back().id +
                " may be \"Ann\" of the roster, but names or ids differ: graded as not on the "
                "roster until a login or an id says whose it is");
}

/// With a roster in a file.
Intake take_with(const std::string& roster, const std::vector<Packed>& entries,
                 const std::string& name = "c.zip") {
  IntakeOptions options = all_labs();
  options.roster_text = roster;
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

/// Of the stranger, whom it may be: that one's work is not missing for sure.
std::string may_be(const Intake& intake) {
  for (const Student& one : intake.students)
    if (!one.on_roster) return one.key(kNamesake);
  return "";
}

TEST(IntakeRoster, AStrangerWhoMayBeALineLeavesNothingMissingForSure) {
  EXPECT_EQ(may_be(take_with("Name,Login\nBo Li,bo\nCy Wu,cwu\n",
                             {{"copy of bo/lab1.cu", kL1}, {"cwu/lab1.cu", kL1}})),
            "bo li");
  EXPECT_EQ(may_be(take_with("Name,Login\nBo Li,bo\nCy Wu,cwu\n",
                             {{"zoe/lab1.cu", kL1}, {"cwu/lab1.cu", kL1}})),
            "");
  EXPECT_EQ(may_be(take_with("Name,SID,Email\n\"Li, Dawei\",1004,dli@uni.edu\n",
                             {{"a/submission_metadata.yml",
                               "submission_1:\n  :submitters:\n  - :name: David Brown\n    :sid: "
                               "'1004'\n    :email: d@gmail.com\n"},
                              {"a/submission_1/lab1.cu", kL1}})),
            "dawei li");
}

TEST(IntakeRoster, ANamesakeWithAnotherIdIsNotTheRostersStudent) {
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

TEST(IntakeRoster, TwoWhoClaimOneLineByNameBothStayApart) {
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
TEST(IntakeRoster, IdsThatCannotBeComparedLeaveItToTheName) {
  const std::string roster =
      "Identifier,Full name,SID,Login\nParticipant 11,Bo Li,S1,bli\nParticipant 12,Cy Wu,S2,cwu\n";
  EXPECT_EQ(ids(take_with(roster, {{"Bo Li_4701_assignsubmission_file/lab1.cu", kL1},
                                   {"Cy Wu_4702_assignsubmission_file/lab1.cu", kL1}})),
            (Lines{"bli", "cwu"}));
  EXPECT_EQ(ids(take_with(roster, {{"libo_102_1_lab1.cu", kL1}, {"wucy_104_3_lab1.cu", kL1}})),
            (Lines{"bli", "cwu"}));
}

/// "anna-li" is no repository of li's.
TEST(IntakeRoster, ANameOnTheRosterIsStrongerThanTheEndOfAFoldersName) {
  EXPECT_EQ(ids(take_with("Name,Login\nAnna Li,ali\nWei Li,li\nCy Wu,cwu\n",
                          {{"anna-li/lab1.cu", kL1}, {"cs101-hw1-cwu/lab1.cu", kL1}})),
            (Lines{"ali", "cwu"}));
}

/// What cannot be read is everybody's of the group: nobody of it gets a zero.
TEST(IntakeRoster, ARemarkOnAGroupsFileIsOnEachOfThem) {
  const std::string metadata =
      "submission_1:\n  :submitters:\n  - :name: Ana\n    :sid: '1'\n  - :name: Bo\n    :sid: "
      "'2'\n";
  const Intake intake =
      take_packed({{"a/submission_metadata.yml", metadata}, {"a/submission_1/work.zip", "broken"}});
  Lines told;
  for (const Remark& one : intake.remarks)
    if (one.kind == Remark::Kind::refused) told.push_back(one.student);
  EXPECT_EQ(told, (Lines{"1", "2"}));
}

}  // namespace
}  // namespace labkit::course
