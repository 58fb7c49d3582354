// Who of a download is known from an earlier one.
#include <gtest/gtest.h>

#include "intake_lines.h"
#include "merging.h"

namespace labkit::course {
namespace {

class KnownStudents : public Merging {
 protected:
  /// One download after the other, as `class grade` imports them.
  Imported week(const std::vector<Packed>& entries, const std::string& roster = "") {
    IntakeOptions options = all_labs();
    options.roster_text = roster;
    options.known = book_.students(true);
    intake_ = take_packed(entries, "class.zip", options);
    Imported imported = book_.put_class(intake_);
    book_.plan(made_conditions());
    grade_all(book_);
    return imported;
  }
  /// Whose the last one's submissions are.
  Lines ids() const {
    Lines lines;
    for (const Submission& one : intake_.submissions) lines.push_back(one.student);
    return lines;
  }
  std::string told() const {
    std::string text;
    for (const Remark& one : book_.remarks()) text += one.text + "\n";
    return text;
  }
  Intake intake_;
};

TEST_F(KnownStudents, KeepTheirIds) {
  week({{"garciaana_7_1_lab1.cu", kL1}});
  week({{"garciaana_7_2_lab3.cu", kL3}}, "Name,Login,Canvas ID\n\"García, Ana\",agarcia,7\n");
  EXPECT_EQ(ids(), Lines{"garciaana-7"});
  week({{"J.Smith/lab1.cu", kL1}});
  week({{"j_smith/lab1.cu", kL1}, {"J.Smith/lab3.cu", kL3}});
  ASSERT_EQ(ids().size(), 2u);
  EXPECT_EQ(ids()[0], "j-smith");
  EXPECT_TRUE(ids()[1].starts_with("j-smith-")) << ids()[1];
  EXPECT_NE(told().find("\"j_smith\" is spelt nearly like"), std::string::npos) << told();
}

TEST_F(KnownStudents, MoodlesNumberIsOfOneAssignmentAndANameOfOneStudent) {
  week({{"Wei Li_11_assignsubmission_file/lab1.cu", kL1}});
  week({{"Wei Li_12_assignsubmission_file/lab3.cu", kL3}});
  EXPECT_EQ(ids(), Lines{"wei-li"});
  week({{"Wei Li_13_assignsubmission_file/lab5.cu", kL5},
        {"Wei Li_14_assignsubmission_file/lab5.cu", kL5}});
  EXPECT_EQ(ids(), (Lines{"wei-li-13", "wei-li-14"}));
  week({{"Wei Li_12_assignsubmission_file/lab3.cu", kL3},
        {"Wei Li_15_assignsubmission_file/lab3.cu", kL3}});
  EXPECT_EQ(ids(), (Lines{"wei-li", "wei-li-15"})) << "the first again, and one who was late";
}

TEST_F(KnownStudents, OneIdIsEnough) {
  const auto metadata = [](const std::string& first, const std::string& second) {
    return "submission_1:\n  :submitters:\n  - " + first + "\nsubmission_2:\n  :submitters:\n  - " +
           second + "\n";
  };
  const std::string bo = ":name: Bo Li\n    :sid: '2'";
  week({{"a/submission_metadata.yml", metadata(":name: Ana\n    :sid: '1'\n    :email: x@y", bo)},
        {"a/submission_1/lab1.cu", kL1},
        {"a/submission_2/lab1.cu", kL1}});
  week({{"a/submission_metadata.yml",
         metadata(":name: Ana G\n    :email: x@y", ":name: Ana\n    :sid: '1'")},
        {"a/submission_1/lab3.cu", kL3},
        {"a/submission_2/lab5.cu", kL5}});
  EXPECT_EQ(ids(), (Lines{"1", "1"}));
  // A student number that somebody else typed.
  week({{"a/submission_metadata.yml", metadata(":name: Cy Wu\n    :sid: '1'\n    :email: c@y", bo)},
        {"a/submission_1/lab3.cu", kL3},
        {"a/submission_2/lab3.cu", kL3}});
  ASSERT_EQ(ids().size(), 2u);
  EXPECT_TRUE(ids()[0].starts_with("1-")) << ids()[0];
  EXPECT_EQ(ids()[1], "2");
}

/// Section by section: the name leads to a line, which is known to be another's.
TEST_F(KnownStudents, ANameIsWeakerThanTheIdThatIsKnown) {
  week({{"libo_999_1_lab1.cu", kL1}}, "Name,Login,Canvas ID\n\"Li, Bo\",bli,999\n");
  EXPECT_EQ(ids(), Lines{"bli"});
  week({{"libo_102_2_lab1.cu", kL1 + "// 2\n"}}, "Name,Login\n\"Li, Bo\",bli\n");
  EXPECT_EQ(ids(), Lines{"libo-102"});
  EXPECT_EQ(intake_.missing, Lines{"bli"});
  EXPECT_NE(told().find("libo-102 may be \"Li, Bo\" of the roster"), std::string::npos) << told();
  EXPECT_EQ(source("bli"), kL1);
}

TEST_F(KnownStudents, ALineOfTheRosterThatChangesHandsTakesNobodysWork) {
  const std::string before = "Name,Login\n\"Li, Bo\",bli\n",
                    after = "Name,Login\n\"Li, Bo\",bli2\n";
  week({{"libo_102_1_lab1.cu", kL1}}, before);
  week({{"libo_102_2_lab3.cu", kL3}}, after);
  EXPECT_EQ(ids(), Lines{"bli"}) << "the number is still the other's";
  week({{"libo_102_3_lab5.cu", kL5}}, before);
  EXPECT_EQ(ids(), Lines{"bli"});
  EXPECT_TRUE(intake_.remarks.empty());
}

TEST_F(KnownStudents, ARosterThatIsNamedLaterKnowsWhoWasThere) {
  week({{"Bo Li/lab1.cu", kL1}, {"Cy Wu/lab1.cu", kL1}});
  book_.decide({0, "bo-li", "lab1", Decision::Kind::points, 61, "viva", "", 0});
  const std::string roster = "Name,Login\n\"Li, Bo\",bli\n\"Wu, Cy\",cwu\n";
  const Imported imported = week({{"bli/lab3.cu", kL3}, {"cwu/lab3.cu", kL3}}, roster);
  EXPECT_EQ(imported.people.size(), 2u);
  EXPECT_EQ(book_.students().size(), 2u);
  EXPECT_EQ(entry("bo-li").decisions.size(), 1u);
  EXPECT_TRUE(entry("bo-li").graded);
  EXPECT_TRUE(entry("bo-li", "lab3").submitted);
  EXPECT_TRUE(week({{"bli/lab3.cu", kL3}, {"cwu/lab3.cu", kL3}}, roster).people.empty());
}

TEST_F(KnownStudents, ASplitClassIsMadeOneByTheRoster) {
  week({{"Bo Li/lab1.cu", kL1}, {"Cy Wu/lab1.cu", kL1}});
  book_.decide({0, "bo-li", "lab1", Decision::Kind::points, 61, "viva", "", 0});
  const std::vector<Packed> by_login = {{"bli/lab3.cu", kL3}, {"cwu/lab1.cu", kL1}};
  week(by_login, "Name,Login\nSomebody,bli\nElse,cwu\n");
  ASSERT_EQ(book_.students().size(), 4u);
  const Imported imported = week(by_login, "Name,Login\n\"Li, Bo\",bli\n\"Wu, Cy\",cwu\n");
  EXPECT_EQ(imported.people.size(), 2u);
  EXPECT_EQ(entry("bo-li").student, "");
  EXPECT_EQ(entry("bli").decisions.size(), 1u);
  EXPECT_TRUE(entry("bli").graded);
  EXPECT_TRUE(entry("bli", "lab3").graded);
  // Both have the lab: a teacher has to say.
  EXPECT_TRUE(entry("cy-wu").graded);
  EXPECT_TRUE(entry("cwu").graded);
  EXPECT_NE(told().find("cy-wu and cwu are one student"), std::string::npos) << told();
}

/// Who was kept apart from the line by an id is not joined to it by the name in a later week.
TEST_F(KnownStudents, WhoWasKeptApartStaysApart) {
  const std::string roster = "Name,Login,SID\n\"Li, Bo\",bli2,999\n\"Wu, Cy\",cwu,103\n";
  week({{"libo_102_1_lab1.cu", kL1}, {"wucy_103_2_lab1.cu", kL1}}, roster);
  EXPECT_EQ(ids(), (Lines{"cwu", "libo-102"}));
  EXPECT_TRUE(week({{"bli2/lab3.cu", kL3}}, roster).people.empty());
  EXPECT_TRUE(entry("libo-102").graded);
  EXPECT_FALSE(entry("bli2").submitted);
  EXPECT_TRUE(entry("bli2", "lab3").submitted);
}

TEST_F(KnownStudents, WhoWasTakenBackComesAgainUnderTheSameId) {
  week({{"Wei Li_11_assignsubmission_file/lab1.cu", kL1}});
  book_.undo();
  week({{"Wei Li_12_assignsubmission_file/lab3.cu", kL3}});
  EXPECT_EQ(ids(), Lines{"wei-li"});
}

}  // namespace
}  // namespace labkit::course
