// What a second one met who tried to get wrong grades out of right downloads.
#include <gtest/gtest.h>

#include "base/command_text.h"
#include "base/csv.h"
#include "base/sha256.h"
#include "class_commands.h"
#include "intake_lines.h"
#include "publish_fixture.h"

namespace labkit::course::second_breaker {
namespace {

IntakeOptions lab3_of(const std::string& roster) {
  IntakeOptions options;
  options.roster_text = roster;
  options.assignments = {assignment_from("lab3", kit_labs())};
  return options;
}

TEST(Blackboard, LoginsMayHaveAnUnderscore) {
  const std::string late = "_attempt_2026-11-02-10-00-00_lab3.cu";
  for (const char* roster : {"", "Name,Login\nBo Li,b_li\nLi Wu,li\nAna Ruiz,b_ruiz\n"})
    for (const std::string title : {"Lab 3", "Lab_3", "Week 2"}) {
      const Intake intake = take_packed({{title + "_b_li" + late, kL3},
                                         {title + "_b_ruiz" + late, kL3},
                                         {title + "_li" + late, kL3}},
                                        "submissions.zip", lab3_of(roster));
      Lines folders;
      for (const Student& one : intake.students) folders.push_back(one.key("folder"));
      EXPECT_EQ(folders, (Lines{"b_li", "b_ruiz", "li"})) << title << roster;
      EXPECT_TRUE(intake.missing.empty()) << title;
    }
}

TEST(Brightspace, WritesTimesInMoreThanOneWay) {
  for (const char* time : {"Nov 2, 2026 1005 AM", "2 November, 2026 1005 AM",
                           "November 2, 2026 1005 AM", "2 November, 2026 10 05"}) {
    const std::string ana = "12-99 - Ana Ruiz - ";
    const Intake intake = take_packed(
        {{ana + time + "/lab3.cu", kL3}, {ana + "Oct 30, 2026 1159 PM/lab3.cu", kL3 + "// 1"}},
        "submissions.zip", lab3_of("Name,Login\nAna Ruiz,ana\n"));
    EXPECT_EQ(submissions(intake), Lines{"ana lab3 " + ana + time + "/lab3.cu"});
    EXPECT_TRUE(intake.missing.empty()) << time;
  }
}

TEST(Moodle, AnExtensionIsADueTimeOfOnesOwn) {
  const auto sheet = [](const std::string& status) {
    return read_csv(
        "Identifier,Full name,Status,Grade,Maximum Grade,Last modified "
        "(submission)\nParticipant 77,Ana Ruiz,\"" +
            status + "\",,100.00,\"Thursday, 5 November 2026, 12:05 AM\"\n",
        "t");
  };
  const MoodleTimes times = moodle_times(
      sheet("Submitted for grading - 2 days 5 mins late - Extension granted until: Friday, 6 "
            "November 2026, 11:59 PM"));
  ASSERT_TRUE(times.extended_to.contains("77"));
  EXPECT_EQ(times.extended_to.at("77"), *parse_time("2026-11-06 23:59:00"));
  EXPECT_TRUE(moodle_times(sheet("Submitted for grading: late")).extended_to.empty());
  Policy policy = parse_policy("[late]\npercent_per_day = 10\n", "policy.toml");
  policy.due["lab3"] = *parse_time("2026-11-02 22:59:00");
  policy.zone_seconds["lab3"] = 3600;
  Entry entry;
  entry.lab = "lab3";
  entry.submitted = entry.graded = true;
  entry.verdict = "pass";
  entry.points = entry.max_points = 100;
  entry.submission.lms_id = "77";
  entry.submission.local_at = times.submitted_at.at("77");
  EXPECT_EQ(grade(entry, policy).points, 70);
  policy.extended_to[{"lab3", "77"}] = times.extended_to.at("77") - 3600;
  EXPECT_EQ(grade(entry, policy).points, 100);
  policy.extended_to[{"lab3", "77"}] = 0;
  EXPECT_EQ(grade(entry, policy).points, 70) << "no earlier than the others'";
}

/// A worksheet is of one day; when something was submitted is of what was submitted.
TEST_F(PublishTest, ATimeStaysWithWhatWasSubmittedThen) {
  Intake first = made_class(1, {"lab1"});
  first.submissions[0].lms_id = "77";
  import_inputs(first);
  book_.put_local_times("lab1", {{"77", 100}}, false);
  const auto time = [&](View view) {
    return book_.entries(view)[0].submission.local_at.value_or(0);
  };
  EXPECT_EQ(time(View::shown), 100);
  Intake second = first;
  second.submissions[0].source += "// later";
  second.submissions[0].source_sha256 = sha256_hex(second.submissions[0].source);
  book_.put_class(second, true);
  EXPECT_EQ(time(View::with_pending), 0) << "no worksheet says when that was";
  book_.put_local_times("lab1", {{"77", 900}}, false);
  EXPECT_EQ(time(View::with_pending), 900);
  EXPECT_EQ(time(View::shown), 100) << "what counts came before";
  book_.undo();
  book_.put_local_times("lab1", {{"77", 500}}, false);
  EXPECT_EQ(time(View::shown), 100);
  book_.put_local_times("lab1", {{"77", 500}}, true);
  EXPECT_EQ(time(View::shown), 500) << "a teacher's word";
}

TEST_F(PublishTest, CanvasGetsNothingBackThatWasNotGraded) {
  Intake intake = made_class(2, {"lab1"});
  for (Student& one : intake.students) one.set("canvas_id", "5" + one.id.substr(1));
  import_inputs(intake);
  PublishOptions options;
  options.canvas_gradebook = folder_.write(
      "gb.csv",
      "Student,ID,SIS Login ID,Section,Notes,Lab 1 (11),Lab 4 (14),Quiz (12),Final Score\n"
      "    Points Possible,,,,,100,100,10,\n"
      "\"Zero, S\",50,s0,A,late,,80,7,44\nOne,51,s1,A,,,,8,55\nElse,99,x9,B,,60,,9,66\n");
  publish_now(options);
  const Csv csv = read_csv(text_of("canvas.csv"), "t");
  EXPECT_EQ(csv.rows.at(0), (CsvRow{"Student", "ID", "SIS Login ID", "Section", "Lab 1 (11)"}));
  ASSERT_EQ(csv.rows.size(), 4u) << "one is of another section";
  EXPECT_EQ(csv.rows.at(1).at(0), "    Points Possible");
  EXPECT_EQ(csv.rows.at(2).at(0), "Zero, S");
}

TEST(NumbersInNames, SayWhichIsNewerAtMostAsAGuess) {
  for (const char* other : {"lab3_v1.cu", "lab3-32.cu", "lab3-backup-1.cu", "attempt 2/lab3.cu"}) {
    const Intake intake = take_packed({{"ana/lab3.cu", kL3},
                                       {std::string("ana/") + other, kernel_of("lab3", "2")},
                                       {"bo/lab3.cu", kL3}});
    EXPECT_EQ(std::ranges::count(intake.remarks, Remark::Kind::several, &Remark::kind), 1) << other;
  }
}

TEST(Roster, ItsLoginsMayLookLikeAnything) {
  const std::string roster = "Name,Login\nAl A,98\nBo B,99\nCy C,new\nDi D,lab\n";
  EXPECT_TRUE(
      take_packed(
          {{"98/lab3.cu", kL3}, {"99/lab3.cu", kL3}, {"new/lab3.cu", kL3}, {"lab/lab3.cu", kL3}},
          "c.zip", lab3_of(roster))
          .missing.empty());
}

TEST(Brightspace, TwoOfOneNameAreTwo) {
  const std::string when = " - Ana Ruiz - Nov 2, 2026 1005 AM/lab3.cu";
  const Intake intake = take_packed({{"12-99" + when, kL3}, {"13-99" + when, kL3 + "// 2"}},
                                    "c.zip", lab3_of("Name,Login\nAna Ruiz,ana\nAna Ruiz,ana2\n"));
  EXPECT_EQ(intake.submissions.size(), 2u);
  EXPECT_EQ(intake.missing, (Lines{"ana", "ana2"}));
}

TEST(Strangers, MayBeAnybodyWhoIsMissing) {
  const auto unread = [](const std::vector<Packed>& files) {
    const Intake intake = take_packed(
        files, "c.zip", lab3_of("Name,Login\nAna A,ana\nBo B,bo\nCy C,cy\nDan D,dan\n"));
    return std::ranges::count(intake.remarks, Remark::Kind::unread, &Remark::kind);
  };
  EXPECT_EQ(unread({{"ana/lab3.cu", kL3}, {"bo/lab3.cu", kL3}}), 0);
  EXPECT_EQ(unread({{"ana/lab3.cu", kL3}, {"bo/lab3.cu", kL3}, {"octocat/lab3.cu", kL3}}), 1);
  EXPECT_EQ(unread({{"ruizana_1_9_lab3.cu", kL3}, {"libo_2_8_lab3.cu", kL3}, {"dan/lab3.cu", kL3}}),
            2)
      << "a folder in a download of Canvas, whose students are not on the roster";
}

TEST(LaterRoster, WhoIsKnownByANameOfSeveralMayBeEach) {
  IntakeOptions options = lab3_of("Name,Login\nAna Ruiz,ana\nAna Ruiz,ana2\nBo Li,bo\n");
  options.known = {{.id = "ana-ruiz", .name = "Ana Ruiz", .keys = {{"folder", "Ana Ruiz"}}}};
  const Intake intake = take_packed({{"bo/lab3.cu", kL3}}, "submissions.zip", options);
  const auto known = std::ranges::find(intake.students, "ana-ruiz", &Student::id);
  ASSERT_NE(known, intake.students.end());
  EXPECT_EQ(known->key(kNamesake), "ana ruiz");
  EXPECT_FALSE(known->on_roster);
}

TEST(SecondDownloads, AreLaterWhateverTheOrderOfTheirNames) {
  const TemporaryFolder folder;
  const auto moodle = [](const std::string& source) {
    return pack({{"Ana Ruiz_11_assignsubmission_file/lab3.cu", source}});
  };
  for (const char* name : {"Lab 3.zip", "Lab 3 (1).zip", "Lab 3 (2).zip", "Lab 3 (10).zip"})
    folder.write("all/" + std::string(name), moodle(kL3 + "// " + name));
  const auto graded = [](const Intake& intake) { return intake.submissions.at(0).path; };
  const std::string last = "Lab 3 (10).zip/Ana Ruiz_11_assignsubmission_file/lab3.cu";
  const fs::path all = folder.path() / "all";
  EXPECT_EQ(graded(import_inputs({all}, kit_labs())), last);
  folder.write("again/Lab 3.zip", moodle(kL3));
  folder.write("again/Lab 3 resubmission.zip", moodle(kL3 + "// 2"));
  EXPECT_EQ(graded(import_inputs({folder.path() / "again"}, kit_labs())),
            "Lab 3 resubmission.zip/Ana Ruiz_11_assignsubmission_file/lab3.cu");
  EXPECT_EQ(graded(import_inputs({all / "Lab 3 (10).zip", all / "Lab 3 (2).zip", all / "Lab 3.zip"},
                                 kit_labs())),
            last);
}

/// A lab is set as long as an assignment names it.
TEST_F(PublishTest, ALabThatIsTakenOutOfItsAssignmentIsNotSetAnyMore) {
  import_inputs(made_class(2, {"lab1", "lab3"}));
  const auto head = [&] {
    return text_of("grades.csv").substr(0, text_of("grades.csv").find('\n'));
  };
  const auto assign = [&](const std::string& labs) {
    write_file_atomically(out_ / kAssignmentsFile, "[[assignment]]\nlabs = [" + labs + "]\n");
    keep_assignments(book_, kit_labs(), out_);
    publish_now();
  };
  assign("\"lab1\", \"lab3\"");
  EXPECT_NE(head().find("lab1"), std::string::npos);
  assign("\"lab3\"");
  EXPECT_EQ(head().find("lab1"), std::string::npos);
  EXPECT_NE(head().find("lab3"), std::string::npos);
  assign("\"lab1\", \"lab3\"");
  EXPECT_NE(head().find("lab1"), std::string::npos) << "its results are kept";
}

TEST_F(PublishTest, ResultsOfOtherPointsThanTodaysAreTold) {
  import_inputs(made_class(2, {"lab1"}));
  std::vector<grade::Manifest> labs = kit_labs();
  const auto told = [&] {
    const auto left_out = publish(book_, labs, {}, out_).left_out;
    return std::ranges::any_of(left_out, [](const std::string& line) {
      return line.find("class rescore") != std::string::npos;
    });
  };
  EXPECT_FALSE(told());
  const auto lab1 = std::ranges::find(labs, "lab1", &grade::Manifest::id);
  lab1->tests.front().points += 10;
  EXPECT_TRUE(told());
  const Csv csv = read_csv(text_of("grades.csv"), "t");
  EXPECT_EQ(csv.cell(1, csv.column({"lab1 of"})), "100") << "as it was graded";
}

TEST(GradingAgain, ChangesWhatWasSeenAndIsListed) {
  Grade one;
  one.student = "ana";
  one.lab = "lab1";
  one.submitted = true;
  one.state = Grade::State::waiting;
  Report before, now;
  before.grades = {one};
  one.state = Grade::State::pass;
  one.points = 88;
  now.grades = {one};
  EXPECT_TRUE(changes(before, now).changed.empty()) << "nobody has seen it wait";
  one.points = 60;
  before.grades = {one};
  EXPECT_EQ(changes(now, before).changed, Lines{"ana lab1: 88 -> 60"});
}

class BrokenWorksheet : public ClassCommands {};

TEST_F(BrokenWorksheet, IsTheTeachersToMend) {
  small_class();
  write_file_atomically(folder_ / "lab3.csv", "Identifier,Full name\nParticipant 1,\"Ana\n");
  const auto graded = grade({"--moodle-worksheet", (folder_ / "lab3.csv").string()});
  EXPECT_EQ(graded.exit_code, kExitUsage);
  EXPECT_SAYS(graded, "a quote that is never closed");
}

class AskedOnce : public ClassCommands {};

TEST_F(AskedOnce, AFolderThatWasSetIsNotReadForLabsOfItsFiles) {
  small_class();
  attempt("ana", "__global__ void f() {}", "lab4");
  attempt("bo", "__global__ void f() {}", "lab4");
  ASSERT_EQ(grade({"--assignment", "lab3"}).exit_code, kExitOk);
  const auto again = grade();
  EXPECT_EQ(again.exit_code, kExitUsage);
  EXPECT_SAYS(again, "nothing says which labs were set for submissions");
  EXPECT_EQ(verdicts().size(), 3u);
}

}  // namespace
}  // namespace labkit::course::second_breaker
