// What a teaching assistant met in a trial: a zero that nobody deserved, a case that was none, and what was taken in silence.
#include <gtest/gtest.h>

#include "base/error.h"
#include "class_commands.h"
#include "intake_lines.h"

namespace labkit::course {
namespace {

constexpr const char* kTwoLees = "Name,Login\nSam Lee,sam-lee\nSam Lee,slee2\nKim Ray,kray\n";

IntakeOptions with(const std::string& roster, const std::string& assignment) {
  IntakeOptions options;
  options.roster_text = roster;
  options.assignments = {assignment_from(assignment, kit_labs())};
  return options;
}
std::size_t count(const Intake& intake, Remark::Kind kind) {
  return static_cast<std::size_t>(std::ranges::count(intake.remarks, kind, &Remark::kind));
}

TEST(TwoOfOneName, ALoginThatLooksLikeTheNameDecidesNothing) {
  for (const char* folder : {"Sam Lee", "SamLee", "Sam-Lee", "lee sam"}) {
    const Intake intake =
        take_packed({{std::string(folder) + "/lab1.cu", kL1}, {"kray/lab1.cu", kL1}}, "c.zip",
                    with(kTwoLees, "lab1"));
    EXPECT_EQ(intake.missing, (Lines{"sam-lee", "slee2"})) << folder;
    EXPECT_EQ(intake.submissions.size(), 2u) << folder;
    EXPECT_EQ(count(intake, Remark::Kind::roster), 1u) << folder;
  }
  const Intake exact = take_packed({{"sam-lee/lab1.cu", kL1}}, "c.zip", with(kTwoLees, "lab1"));
  EXPECT_EQ(exact.missing, (Lines{"kray", "slee2"})) << "an id as it is typed";
  std::vector<Student> students(2);
  students[0] = {.id = "sam-lee", .name = "Sam Lee", .keys = {{"login", "sam-lee"}}};
  students[1] = {.id = "slee2", .name = "Sam Lee", .keys = {{"login", "slee2"}}};
  EXPECT_THROW(find_student(students, "Sam Lee"), std::invalid_argument);
  EXPECT_EQ(find_student(students, "sam-lee").id, "sam-lee");
}

TEST(OtherLms, BrightspaceAndBlackboardNameTheirStudents) {
  const std::string roster = "Name,Login\nAna García,agarcia\nBo Li,bli\nCy Wu,cwu\n";
  const auto take = [&](const std::vector<Packed>& entries) {
    return take_packed(entries, "submissions.zip", with(roster, "lab1"));
  };
  const std::string ana = "51008-7200 - Ana García - ";
  for (const auto& [early, late] : {std::pair("Nov 2, 2026 1159 AM", "Nov 2, 2026 105 PM"),
                                    {"Nov 2, 2026 159 PM", "Nov 10, 2026 1205 AM"}}) {
    const Intake folders = take({{ana + early + "/lab1.cu", kL1},
                                 {ana + late + "/lab1.cu", kernel_of("lab1", "2")},
                                 {"51009-7200 - Bo Li - Nov 2, 2026 918 PM/kernel.cu", kL1},
                                 {"index.html", "<p>"}});
    EXPECT_EQ(submissions(folders),
              (Lines{"agarcia lab1 " + ana + late + "/lab1.cu",
                     "bli lab1 51009-7200 - Bo Li - Nov 2, 2026 918 PM/kernel.cu"}));
    EXPECT_EQ(folders.missing, (Lines{"cwu"}));
  }
  const Intake files = take({{"Week 2_agarcia_attempt_2026-11-02-23-59-12.txt", "Name: Ana"},
                             {"Week 2_agarcia_attempt_2026-11-02-23-59-12_kernel.cu", kL1},
                             {"Week 2_bli_attempt_2026-11-02-09-59-12_kernel.cu", kL1},
                             {"Week 2_bli_attempt_2026-11-02-10-00-00_kernel.cu", kL1 + "//"}});
  EXPECT_EQ(submissions(files),
            (Lines{"agarcia lab1 Week 2_agarcia_attempt_2026-11-02-23-59-12_kernel.cu",
                   "bli lab1 Week 2_bli_attempt_2026-11-02-10-00-00_kernel.cu"}));
  EXPECT_EQ(files.missing, (Lines{"cwu"}));
  EXPECT_EQ(count(files, Remark::Kind::no_lab), 0u);
}

TEST(KitsOwnFiles, AreNoCaseHoweverManyLabsWereSet) {
  std::vector<Packed> files;
  for (const grade::Manifest& lab : kit_labs())
    for (const char* name : {"kernel.cu", "README.md", "lab.toml", ".stub"})
      files.push_back(
          {"ana/kit/labs/" + lab.folder + "/" + name, read_file(lab.directory / name, 1u << 20)});
  for (const char* name : {".clang-format", "README.md", "labs/.clangd", "labs/zh.toml",
                           "CMakeLists.txt", "CMakePresets.json"})
    files.push_back({std::string("ana/kit/") + name, "x"});
  files.push_back({"bo/lab1.cu", kL1});
  for (const char* labs : {"lab1", "lab1,lab2"}) {
    const Intake intake = take_packed(files, "c.zip", with("", labs));
    EXPECT_EQ(submissions(intake), (Lines{"bo lab1 bo/lab1.cu"})) << labs;
    EXPECT_EQ(count(intake, Remark::Kind::no_lab) + count(intake, Remark::Kind::refused), 0u);
  }
  files.push_back({"ana/kit/answers.pdf", "%PDF"});
  EXPECT_EQ(count(take_packed(files, "c.zip", with("", "lab1,lab2")), Remark::Kind::no_lab), 1u);
}

TEST(AssignmentOption, TakesLabsHoweverTheyAreSeparated) {
  for (const char* text : {"lab2,lab3", "lab2, lab3", "lab2 lab3", "Lab 2 Lab 3"})
    EXPECT_EQ(assignment_from(text, kit_labs()).labs, (Lines{"lab2", "lab3"})) << text;
  for (const char* text : {"lab2 lab99", "lab2-3", "lab2 and alice's lab3"})
    EXPECT_THROW(assignment_from(text, kit_labs()), UsageError) << text;
}

TEST(DownloadsName, ThatMayBeARangeIsAskedFor) {
  const std::vector<Packed> canvas = {{"ana_11_501_lab3.cu", kL3}};
  for (const char* name : {"lab2-3.zip", "Labs 2 - 3.zip", "lab2 to 3.zip"})
    EXPECT_EQ(take_packed(canvas, name, {}).unassigned, (Lines{name}));
  for (const char* name :
       {"lab3-2.zip", "lab3-2026-11-02.zip", "Lab 3 - 4713.zip", "lab3-9.zip", "lab3-9alice.zip"})
    EXPECT_EQ(take_packed(canvas, name, {}).unassigned.empty(),
              std::string_view(name) != "lab3-9.zip")
        << name;
  EXPECT_EQ(submissions(take_packed({{"ana/lab1-2.cu", kL1}})), (Lines{"ana lab1 ana/lab1-2.cu"}));
}

TEST(NoCase, IsAWorksheetBesideTheDownloadsOrATextBesideAGradedFile) {
  const std::string place = "all/lab3/Ana_1_assignsubmission_";
  const Intake moodle = take_packed({{"all/lab3.csv", "Identifier,Full name\n"},
                                     {place + "file/lab3.cu", kL3},
                                     {place + "onlinetext/onlinetext.html", "<p>see my file"}},
                                    "c.zip", {});
  EXPECT_EQ(submissions(moodle), (Lines{"ana lab3 " + place + "file/lab3.cu"}));
  EXPECT_EQ(count(moodle, Remark::Kind::nobody) + count(moodle, Remark::Kind::no_lab), 0u);
  const Intake alone = take_packed(
      {{place + "onlinetext/onlinetext.html", "<p>it did not upload"},
       {place + "file/kernel.cu", read_file(kit_labs().at(3).directory / "kernel.cu", 1u << 20)}},
      "c.zip", {});
  ASSERT_EQ(alone.submissions.size(), 1u) << "the kernel as handed out is nothing";
  EXPECT_FALSE(alone.submissions[0].problem.empty());
}

TEST(WhoLeftTheRoster, KeepsTheNameThatWasKnown) {
  IntakeOptions options = with("Name,Login\nKim Ray,kray\n", "lab1");
  options.known = {
      {.id = "wdrawn", .name = "Wendy Drawn", .keys = {{"canvas_id", "12"}, {"login", "wdrawn"}}}};
  const Intake intake = take_packed(
      {{"drawnwendy_12_501_lab1.cu", kL1}, {"raykim_13_502_lab1.cu", kL1}}, "c.zip", options);
  EXPECT_EQ(students(intake), (Lines{"kray: Kim Ray", "wdrawn: Wendy Drawn"}));
}

class TeachersMistakes : public ClassCommands {
 protected:
  std::string file(const std::string& name, const std::string& text) const {
    write_file_atomically(folder_ / name, text);
    return (folder_ / name).string();
  }
  std::string sheet() const { return read_file(out() / "grades.csv"); }
  const std::string broken_ = "__global__ void corner_turn( {";
};

TEST_F(TeachersMistakes, TwoOfOneNameAreBlankAndAskedFor) {
  attempt("Sam Lee", broken_);
  attempt("kray", broken_);
  const std::string policy = file("policy.toml", "missing = \"zero\"\n"),
                    roster = file("roster.csv", kTwoLees);
  const auto graded = grade({"--roster", roster, "--policy", policy});
  ASSERT_EQ(graded.exit_code, kExitOk) << graded.out << graded.err;
  EXPECT_SAYS(graded, "may be \"Sam Lee\" of the roster");
  for (const char* row :
       {"sam-lee,Sam Lee,,sam-lee,,,,,100,missing?,", "slee2,Sam Lee,,slee2,,,,,100,missing?,"})
    EXPECT_NE(sheet().find(row), std::string::npos) << row << "\n" << sheet();
  const auto set =
      run({"class", "set", out().string(), "Sam Lee", "lab3", "--points", "90", "--reason", "x"});
  EXPECT_EQ(set.exit_code, kExitUsage) << set.out;
}

TEST_F(TeachersMistakes, ADownloadThatFitsNobodyMakesNoZeros) {
  for (const char* stranger : {"x1", "x2"}) attempt(stranger, broken_);
  const std::string policy = file("policy.toml", "missing = \"zero\"\n"),
                    roster = file("roster.csv", "Name,Login\nAda A,ada\nBo B,bo\nKim Ray,kray\n");
  const auto graded = grade({"--roster", roster, "--policy", policy});
  ASSERT_EQ(graded.exit_code, kExitOk) << graded.out << graded.err;
  EXPECT_SAYS(graded, "x1, x2 are not on the roster");
  EXPECT_NE(sheet().find("ada,Ada A,,ada,,,,,100,missing?,"), std::string::npos) << sheet();
  // as advised: the folders are named after logins
  for (const char* stranger : {"x1", "x2"}) fs::remove_all(folder_ / "submissions" / stranger);
  attempt("bo", broken_);
  const auto again = grade({"--yes"});
  ASSERT_EQ(again.exit_code, kExitOk) << again.out << again.err;
  EXPECT_NE(sheet().find("ada,Ada A,,ada,,,,0,100,missing,"), std::string::npos) << sheet();
}

TEST_F(TeachersMistakes, ARosterOfNobodyKnownIsRefused) {
  attempt("kray", broken_);
  ASSERT_EQ(grade({"--roster", file("roster.csv", kTwoLees)}).exit_code, kExitOk);
  const std::string before = sheet();
  const auto other = grade({"--roster", file("other.csv", "Name,Login\nAda A,ada\n")});
  EXPECT_EQ(other.exit_code, kExitUsage);
  EXPECT_SAYS(other, "other.csv: none of the 3 known students is on it");
  EXPECT_EQ(grade({"--roster", file("empty.csv", "")}).exit_code, kExitUsage);
  EXPECT_EQ(grade({"--roster", file("header.csv", "Name,Login\n")}).exit_code, kExitUsage);
  EXPECT_EQ(sheet(), before);
  EXPECT_EQ(
      grade({"--roster", file("more.csv", "Name,Login\nAda A,ada\nKim Ray,kray\n")}).exit_code,
      kExitOk);
}

TEST_F(TeachersMistakes, TwoAssignmentsWithoutADownloadAreBoth) {
  attempt("ana", broken_);
  attempt("ana", "__global__ void transpose( {", "lab2");
  const auto graded = grade({"--assignment", "lab2", "--assignment", "lab3"});
  ASSERT_EQ(graded.exit_code, kExitOk) << graded.out << graded.err;
  EXPECT_SAYS(graded, "grading lab2, lab3 only");
  EXPECT_EQ(verdicts().size(), 2u);
}

TEST_F(TeachersMistakes, OfOneStudentInTwoDownloadsItIsSaidWhichCounts) {
  const auto section = [&](const char* name) { return (folder_ / name).string(); };
  write_file_atomically(fs::path(section("A")) / "ana/lab3.cu", broken_);
  write_file_atomically(fs::path(section("B")) / "ana/lab3.cu", broken_ + " ");
  const auto graded = run({"class", "grade", section("A"), section("B"), "--out", out().string()});
  ASSERT_EQ(graded.exit_code, kExitOk) << graded.out << graded.err;
  EXPECT_SAYS(graded, "A: nothing in it is graded");
  EXPECT_SAYS(graded, "B: grading lab3, which its files name");
  EXPECT_SAYS(graded, "ana is in two downloads; for lab3, B/ana/lab3.cu was graded");
}

}  // namespace
}  // namespace labkit::course
