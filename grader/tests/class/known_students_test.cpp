// Who of a new intake is known already.
#include <gtest/gtest.h>

#include "class/intake/students.h"
#include "class/publish/exports.h"
#include "merging.h"

namespace labkit::course {
namespace {

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
  const Imported merged = import_inputs(came(roster, {"bli", "cwu"}, "lab3"));
  EXPECT_EQ(merged.people.size(), 2u);
  EXPECT_EQ(book_.students().size(), 2u);
  const std::string id = entry("bo-li").student.empty() ? "bli" : "bo-li";
  EXPECT_EQ(entry(id).decisions.size(), 1u);
  EXPECT_TRUE(entry(id).graded);
  EXPECT_TRUE(entry(id, "lab3").submitted);
  EXPECT_TRUE(import_inputs(came(roster, {"bli", "cwu"}, "lab3")).people.empty());
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
  const Imported merged = import_inputs(week3);
  EXPECT_EQ(merged.people.size(), 4u);  // and two whose ids have another name on the roster now
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
  const Imported merged =
      import_inputs(came({on_roster("bli2", "Li, Bo", {{"sid", "999"}})}, {"bli2"}, "lab3"));
  EXPECT_TRUE(merged.people.empty());
  EXPECT_TRUE(entry("libo-102").graded);
  EXPECT_FALSE(entry("bli2").submitted);
}

}  // namespace
}  // namespace labkit::course
