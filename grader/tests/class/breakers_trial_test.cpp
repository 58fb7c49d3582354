// What somebody met who tried to get wrong grades out of right downloads.
#include <gtest/gtest.h>

#include <csignal>

#include "base/csv.h"
#include "base/error.h"
#include "class_commands.h"
#include "intake_lines.h"
#include "merging.h"
#include "publish_fixture.h"

namespace labkit::course::breakers {
namespace {

IntakeOptions with_roster(const std::string& logins) {
  IntakeOptions options = all_labs();
  options.roster_text = "Name,Login\n" + logins;
  return options;
}
std::size_t cases(const Intake& intake) {
  return static_cast<std::size_t>(
      std::ranges::count(intake.remarks, Remark::Kind::several, &Remark::kind));
}
/// "student: folder", of what is graded.
Lines owners(const Intake& intake) {
  Lines lines;
  for (const Submission& one : intake.submissions)
    lines.push_back(one.student + ": " + one.path.substr(0, one.path.find('/')));
  return lines;
}
std::vector<Packed> clones(const std::string& assignment, const std::vector<std::string>& logins,
                           const std::string& file = "kernel.cu") {
  std::vector<Packed> files;
  for (const std::string& login : logins)
    files.push_back({assignment + login + "/" + file, kernel_of("lab3", login)});
  return files;
}
constexpr const char* kKit = "labs/lab3_corner_turning/kernel.cu";

TEST(Repositories, OfWhoIsNotOnTheRosterAreNobodyElses) {
  const IntakeOptions roster = with_roster("Li Bo,bo\nMo Cy,cy\n");
  const IntakeOptions both = with_roster("Li Bo,bo\nMo Cy,cy\nBo Al,al-bo\n");
  for (const std::string& file : {std::string("lab3.cu"), std::string(kKit)}) {
    const std::vector<Packed> files = clones("cs101-lab3-", {"al-bo", "bo", "cy"}, file);
    for (const IntakeOptions& options : {roster, both})
      EXPECT_EQ(owners(take_packed(files, "c.zip", options)),
                (Lines{"al-bo: cs101-lab3-al-bo", "bo: cs101-lab3-bo", "cy: cs101-lab3-cy"}));
    for (const char* who : {"al-bo", "al2-bo"}) {
      const Intake alone = take_packed(clones("cs101-lab3-", {who}, file), "c.zip", roster);
      EXPECT_EQ(alone.missing, (Lines{"bo", "cy"})) << who;
    }
    for (const char* assignment : {"cs101-lab3-", "cs101-week2-", "hw1-"})
      EXPECT_EQ(take_packed(clones(assignment, {"bo"}, file), "c.zip", roster).missing,
                (Lines{"cy"}))
          << assignment;
    EXPECT_EQ(
        owners(take_packed(clones("final-project-", {"bo", "cy"}, file), "c.zip", roster)).front(),
        "bo: final-project-bo");
  }
}

TEST(Repositories, AreOfTheSameStudentsInEachWeekWithoutARoster) {
  for (const std::string& file : {std::string("lab3.cu"), std::string(kKit)})
    for (const char* assignment : {"week2-", "cs101-week2-", "lab3-", "cs101-lab3-"})
      EXPECT_EQ(students(take_packed(clones(assignment, {"ana", "al-bo", "cy"}, file))),
                (Lines{"al-bo: al-bo", "ana: ana", "cy: cy"}))
          << assignment;
  EXPECT_EQ(
      students(take_packed(
          {{"team1-ana/lab3.cu", kL3}, {"team1-bo/lab3.cu", kL3}, {"team2-cy/lab3.cu", kL3}})),
      (Lines{"team1-ana: team1-ana", "team1-bo: team1-bo", "team2-cy: team2-cy"}));
  EXPECT_EQ(students(take_packed(clones("van-", {"dijk", "gogh"}, "lab3.cu"))),
            (Lines{"van-dijk: van-dijk", "van-gogh: van-gogh"}));
  for (const std::string& file : {std::string("lab3.cu"), std::string(kKit)})
    EXPECT_EQ(students(take_packed({{"ana-lab3-final/" + file, kL3}, {"bo-lab3-v2/" + file, kL3}})),
              (Lines{"ana: ana", "bo: bo"}));
  IntakeOptions known = all_labs();
  known.known = {{.id = "ana", .name = "ana", .keys = {{"folder", "ana"}}}};
  EXPECT_EQ(owners(take_packed(clones("week2-", {"ana"}, "lab3.cu"), "c.zip", known)),
            Lines{"ana: week2-ana"});
}

TEST(SecondDownloads, AreOfTheSameStudentAndACaseWhereTheyDiffer) {
  const std::string other = kernel_of("lab3", "2");
  const auto zip = [](const std::string& source) { return pack({{"lab3.cu", source}}); };
  for (const IntakeOptions& options : {all_labs(), with_roster("Ana A,ana\nBo B,bo\n")}) {
    const Intake folders = take_packed(
        {{"ana (1)/lab3.cu", other}, {"ana/lab3.cu", kL3}, {"bo/lab3.cu", kL3}}, "c.zip", options);
    EXPECT_EQ(owners(folders), (Lines{"ana: ana", "bo: bo"}));
    EXPECT_EQ(cases(folders), 1u);
    const Intake archives = take_packed(
        {{"ana (1).zip", zip(kL3)}, {"ana.zip", zip(kL3)}, {"bo/lab3.cu", kL3}}, "c.zip", options);
    EXPECT_EQ(owners(archives), (Lines{"ana: ana.zip", "bo: bo"}));
    EXPECT_EQ(cases(archives), 0u) << "they are alike";
    const Intake one_folder = take_packed(
        {{"ana/lab3 (1).zip", zip(other)}, {"ana/lab3.zip", zip(kL3)}, {"bo/lab3.cu", kL3}},
        "c.zip", options);
    EXPECT_EQ(submissions(one_folder).front(), "ana lab3 ana/lab3.zip/lab3.cu");
    EXPECT_EQ(cases(one_folder), 1u);
  }
  const IntakeOptions roster = with_roster("Ana A,ana\nBo B,bo\n");
  EXPECT_TRUE(take_packed({{"ana (1)/lab3.cu", kL3}, {"bo(2).zip", zip(kL3)}}, "c.zip", roster)
                  .missing.empty());
  EXPECT_EQ(owners(take_packed({{"cs101-lab3-bo (1)/lab3.cu", kL3}}, "c.zip", roster)),
            Lines{"bo: cs101-lab3-bo (1)"});
  EXPECT_EQ(students(take_packed({{"team (1)/lab3.cu", kL3}, {"team (2)/lab3.cu", kL3}})).size(),
            2u);
}

TEST(HiddenWork, OfALabIsACaseAndNotNothing) {
  const Intake intake = take_packed({{"ana/.lab3.cu", kL3},
                                     {"bo/.lab3/kernel.cu", kL3},
                                     {".cy/lab3.cu", kL3},
                                     {"dan/.lab3.cu", kL3},
                                     {"dan/lab3.cu", kL3},
                                     {"eve/lab3/.kernel-20261010-101010-00.cu", kL3}});
  EXPECT_EQ(submissions(take_packed({{"diaz_7_501_kernel.cu", kL3 + "// 1"},
                                     {"diaz_7_502_.lab3.cu", kL3},
                                     {"li_8_503_lab3.cu", kL3}},
                                    "Lab 3.zip", {}))
                .front(),
            "diaz-7 lab3 diaz_7_502_.lab3.cu")
      << "Canvas's name of a file that came alone hides nothing";
  Lines told;
  for (const Submission& one : intake.submissions) told.push_back(one.student + ": " + one.problem);
  const std::string hidden = "its name begins with a dot, so it is hidden";
  EXPECT_EQ(told, (Lines{"ana: " + hidden, "bo: " + hidden, "cy: " + hidden, "dan: "}));
  const auto left = std::ranges::find(intake.remarks, "dan/.lab3.cu", &Remark::path);
  ASSERT_NE(left, intake.remarks.end());
  EXPECT_EQ(left->kind, Remark::Kind::left_alone);
}

TEST(Sections, OfOneLabSideBySideAreDownloads) {
  const TemporaryFolder folder;
  folder.write("all/Lab 3 section A.zip", pack({{"ana/lab3.cu", kL3}, {"bo/kernel.cu", kL3}}));
  folder.write("all/Lab 3 section B.zip",
               pack({{"cy.zip", pack({{"lab3.cu", kL3}})}, {"dan/lab3.cu", kL3}}));
  EXPECT_EQ(students(import_inputs({folder.path() / "all"}, kit_labs())),
            (Lines{"ana: ana", "bo: bo", "cy: cy", "dan: dan"}));
  folder.write("own/ana lab3.zip", pack({{"code/lab3.cu", kL3}, {"report/report.pdf", "%PDF"}}));
  folder.write("own/bo lab3.zip", pack({{"code/lab3.cu", kL3}, {"notes/notes.txt", "x"}}));
  EXPECT_EQ(students(import_inputs({folder.path() / "own"}, kit_labs())),
            (Lines{"ana: ana", "bo: bo"}));
  folder.write("two/ana lab3.zip", pack({{"old/lab3.cu", kL3}, {"new/lab3.cu", kL3}}));
  folder.write("two/bo lab3.zip", pack({{"old/lab3.cu", kL3}, {"new/lab3.cu", kL3}}));
  EXPECT_TRUE(
      import_inputs({folder.path() / "two"}, kit_labs(), with_roster("Ana A,ana\nBo B,bo\n"))
          .missing.empty());
}

TEST(RostersLines, ThatAreTheSameAreOneAndOfOneIdAreAsked) {
  EXPECT_EQ(parse_roster("Name,Login\nAna,ana\nAna,ana\nBo,bo\n", "r.csv").size(), 2u);
  const Intake intake =
      take_packed({{"ana/lab3.cu", kL3}}, "c.zip", with_roster("Ana A,ana\nAna A,ana\nBo B,bo\n"));
  EXPECT_EQ(submissions(intake), Lines{"ana lab3 ana/lab3.cu"});
  EXPECT_EQ(intake.missing, Lines{"bo"});
  try {
    parse_roster("Name,Login,SID\nAna A,ana,1\nBo B,bo,2\nCy C,cy,1\n", "r.csv");
    ADD_FAILURE() << "nothing is said";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "r.csv: the lines of \"Ana A\" and \"Cy C\" have one sid 1");
  }
  EXPECT_EQ(parse_roster("Name,Email\nAnn,ann@x.edu\nAnn,ann@y.edu\n", "r.csv").size(), 2u);
}

TEST(HostilePaths, AreACaseOfWhomTheyNameAndCostNobodyAGrade) {
  const Intake intake = take_packed(
      {{"ana/lab3.cu", kL3},
       {"../bo/lab3.cu", kL3},
       {"/cy/lab3.cu", kL3},
       {"dan/../../eve/lab3.cu", kL3},
       {"x/../ana/lab3.cu", kernel_of("lab3", "2")},
       {"fay/lab3.cu", kL3}},
      "c.zip", with_roster("Ana A,ana\nBo B,bo\nCy C,cy\nDan D,dan\nEve E,eve\nFay F,fay\n"));
  EXPECT_TRUE(intake.missing.empty());
  Lines graded, blank;
  for (const Submission& one : intake.submissions)
    (one.problem.empty() ? graded : blank).push_back(one.student);
  EXPECT_EQ(graded, (Lines{"ana", "fay"}));
  EXPECT_EQ(blank, (Lines{"bo", "cy", "dan", "eve", "x"}));
  EXPECT_EQ(std::ranges::count(intake.remarks, Remark::Kind::refused, &Remark::kind), 6);
  EXPECT_EQ(std::ranges::count(intake.remarks, Remark::Kind::unread, &Remark::kind), 0);
}

/// Beside a grade that falls, which waits for a yes, somebody submitted for the first time.
TEST_F(PublishTest, AFirstSubmissionThatWaitsIsNoZero) {
  Intake first = made_class(2, {"lab1"});
  first.submissions.erase(first.submissions.begin() + 1);
  import_inputs(first);
  PublishOptions options;
  options.policy = folder_.write("p.toml", "missing = \"zero\"\n");
  publish_now(options);
  const auto shown = [&] {
    const Csv csv = read_csv(text_of("grades.csv"), "t");
    const std::size_t lab = csv.column({"lab1"}).value();
    return csv.cell(2, lab) + "|" + csv.cell(2, csv.column({"lab1 verdict"}));
  };
  EXPECT_EQ(shown(), "0|missing");
  Intake second = made_class(2, {"lab1"});
  submit_again(second.submissions[0], "else");
  book_.put_class(second, true);
  EXPECT_EQ(changes_to(book_, kit_labs()).changed.back(), "s1 lab1: 0, missing -> blank, waiting");
  publish_now();
  EXPECT_EQ(shown(), "|missing?");
  EXPECT_NE(text_of("grades.csv").find("s1/lab1.cu waits to be applied"), std::string::npos);
  book_.undo();
  publish_now();
  EXPECT_EQ(shown(), "0|missing");
}

class StoppedImport : public ClassCommands {};

TEST_F(StoppedImport, ThatIsRepeatedIsOneStepOfUndo) {
  attempt("zoe", "__global__ void corner_turn( {");
  ASSERT_EQ(grade().exit_code, kExitOk);
  for (const char* student : {"a", "b", "c", "d"})
    attempt(student, solution("correct/tile.cu") + "// " + student + "\n");
  for (const int end : {SIGKILL, SIGTERM}) {
    const pid_t child = begin(grade_words({"--jobs", "1", "--seed", std::to_string(end)}));
    wait_until_running(2);
    ::kill(child, end);
    wait_for(child);
    const auto again = grade();
    ASSERT_EQ(again.exit_code, kExitOk) << again.out << again.err;
    EXPECT_EQ(verdicts().size(), 5u);
    const auto undone = run({"class", "undo", out().string(), "--yes"});
    EXPECT_SAYS(undone, "4 new submissions");
    EXPECT_EQ(verdicts().size(), 1u);
  }
  // what was shown is a step of its own
  ASSERT_EQ(grade().exit_code, kExitOk);
  ASSERT_EQ(grade().exit_code, kExitOk);
  EXPECT_SAYS(run({"class", "undo", out().string(), "--yes"}), "0 new submissions");
  EXPECT_EQ(verdicts().size(), 5u);
}

}  // namespace
}  // namespace labkit::course::breakers
