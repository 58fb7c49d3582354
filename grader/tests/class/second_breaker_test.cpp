// What a second one met who tried to get wrong grades out of right downloads.
#include <gtest/gtest.h>

#include "base/command_text.h"
#include "base/csv.h"
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
            "November 2026, 11:59 PM"),
      3600);
  ASSERT_TRUE(times.extended_to.contains("77"));
  EXPECT_EQ(times.extended_to.at("77"), *parse_time("2026-11-06 22:59:00"));
  EXPECT_TRUE(moodle_times(sheet("Submitted for grading: late"), 0).extended_to.empty());
  Policy policy = parse_policy("[late]\npercent_per_day = 10\n", "policy.toml");
  policy.due["lab3"] = *parse_time("2026-11-02 22:59:00");
  Entry entry;
  entry.lab = "lab3";
  entry.submitted = entry.graded = true;
  entry.verdict = "pass";
  entry.points = entry.max_points = 100;
  entry.submission.lms_id = "77";
  policy.submitted_at["lab3"] = times.submitted_at;
  EXPECT_EQ(grade(entry, policy).points, 70);
  policy.extended_to["lab3"] = times.extended_to;
  EXPECT_EQ(grade(entry, policy).points, 100);
  policy.extended_to["lab3"]["77"] = 0;
  EXPECT_EQ(grade(entry, policy).points, 70) << "no earlier than the others'";
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
