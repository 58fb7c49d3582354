// `labkit class grade` week after week into one folder, and what goes wrong there.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "class/gradebook/gradebook.h"
#include "class_commands.h"
#include "class_files.h"
#include "made_class.h"

namespace labkit::course {
namespace {

/// What compiles to no kernel is graded in a moment.
constexpr const char* kBroken = "__global__ void corner_turn( {";

using Words = std::vector<std::string>;

class ClassWeeks : public ClassCommands {
 protected:
  void submit_week(const std::string& week, const std::string& student, const std::string& lab,
                   const std::string& source = kBroken) const {
    write_file_atomically(folder_ / week / student / (lab + ".cu"), source);
  }
  process::Result grade_weeks(const std::vector<std::string>& weeks,
                              const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"class", "grade"};
    for (const std::string& week : weeks) words.push_back((folder_ / week).string());
    words.insert(words.end(), {"--out", out().string()});
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  std::string review() const { return read_file(out() / "index.html"); }
};

TEST_F(ClassWeeks, AddWhatIsNewAndKeepTheRest) {
  submit_week("one", "ana", "lab3");
  submit_week("one", "bo", "lab3");
  ASSERT_EQ(grade_weeks({"one"}).exit_code, kExitOk);
  const std::string receipt = read_file(out() / "receipts/bo/lab3.json");
  submit_week("two", "ana", "lab7");
  submit_week("two", "cy", "lab7");
  const auto second = grade_weeks({"two"});
  EXPECT_EQ(second.exit_code, kExitOk) << second.out << second.err;
  EXPECT_SAYS(second, "two: grading lab7, which its files name\n");
  EXPECT_SAYS(second, "Grading 2 submissions on the simulator");
  EXPECT_FALSE(says(second, "WARNING")) << second.out;
  EXPECT_EQ(verdicts(), (std::map<std::string, std::string>{{"ana lab7", "compile_error"},
                                                            {"ana lab3", "compile_error"},
                                                            {"bo lab3", "compile_error"},
                                                            {"cy lab7", "compile_error"}}));
  EXPECT_EQ(read_file(out() / "receipts/bo/lab3.json"), receipt);
  EXPECT_NE(read_file(out() / "grades.csv").find("bo"), std::string::npos);

  const auto both = grade_weeks({"one", "two"});
  EXPECT_SAYS(both, "3 students, 4 submissions for lab3, lab7");
  EXPECT_SAYS(both, "Nothing to grade. Submissions with a result: 4.");
}

TEST_F(ClassWeeks, ANewerSubmissionTakesThePlaceAndTheGradebookKeepsTheOldersReceipt) {
  submit_week("one", "ana", "lab3");
  ASSERT_EQ(grade_weeks({"one"}).exit_code, kExitOk);
  const std::string receipt = read_file(out() / "receipts/ana/lab3.json");
  submit_week("two", "ana", "lab3", "__global__ void corner_turn(");
  ASSERT_EQ(grade_weeks({"two"}).exit_code, kExitOk);
  EXPECT_NE(read_file(out() / "receipts/ana/lab3.json"), receipt);
  const fs::path older = out() / "receipts/ana/older.json";
  write_file_atomically(older, receipt);
  const auto replayed = run({"class", "replay", older.string()});
  EXPECT_SAYS(replayed, "ana lab3: the same result, bit for bit");
}

TEST_F(ClassWeeks, SeveralInputsAreOneClass) {
  submit_week("a", "ana", "lab3");
  submit_week("b", "ana", "lab7");
  submit_week("b", "bo", "lab7");
  const auto ran = grade_weeks({"a", "b", "a"});
  EXPECT_EQ(ran.exit_code, kExitOk) << ran.out << ran.err;
  EXPECT_SAYS(ran, "2 students, 3 submissions for lab3, lab7");
  EXPECT_EQ(verdicts().size(), 3u);
}

TEST_F(ClassWeeks, AnotherWeeksFolderTakesNobodyAway) {
  for (const char* student : {"ana", "bo"}) submit_week("one", student, "lab3");
  ASSERT_EQ(grade_weeks({"one"}).exit_code, kExitOk);
  submit_week("two", "ana", "lab3", "__global__ void corner_turn(");
  submit_week("two", "bo", "lab7");
  const auto ran = grade_weeks({"two"});
  EXPECT_FALSE(says(ran, "WARNING")) << ran.out;
  EXPECT_EQ(verdicts().size(), 3u);
}

/// A class of two in whose second week one grade falls.
class AGradeThatFalls : public ClassWeeks {
 protected:
  void SetUp() override {
    ClassWeeks::SetUp();
    if (IsSkipped()) return;
    submit_week("one", "ana", "lab3", solution("correct/tile.cu"));
    submit_week("one", "bo", "lab3", solution("wrong/tile_not_turned.cu"));
    ASSERT_EQ(grade_weeks({"one"}).exit_code, kExitOk);
    submit_week("two", "ana", "lab3", solution("wrong/tile_not_turned.cu") + "// mine\n");
    submit_week("two", "cy", "lab3", solution("correct/tile.cu") + "// mine\n");
  }
  std::map<std::string, std::string> before_ = {{"ana lab3", "pass"}, {"bo lab3", "wrong_result"}};
  std::map<std::string, std::string> after_ = {
      {"ana lab3", "wrong_result"}, {"bo lab3", "wrong_result"}, {"cy lab3", "pass"}};
};

TEST_F(AGradeThatFalls, WaitsWhereNobodyCanBeAsked) {
  const auto ran = grade_weeks({"two"});
  EXPECT_EQ(ran.exit_code, kExitOk) << ran.out << ran.err;
  EXPECT_SAYS(ran, "1 grade and 1 total change by the import of two:\n  ana lab3: 100 -> 0\n");
  EXPECT_SAYS(ran, "class merge ");
  const std::string index = read_file(out() / "index.html");
  EXPECT_NE(index.find("1 grade would change and 1 would be new."), std::string::npos);
  EXPECT_NE(index.find("ana lab3: 100 -&gt; 0"), std::string::npos);
  EXPECT_EQ(verdicts(), before_);
  // the same command has nothing more to grade, and waits on
  EXPECT_SAYS(grade_weeks({"two"}), "Nothing to grade. Submissions with a result: 3.");
  EXPECT_EQ(verdicts(), before_);
  EXPECT_EQ(run({"class", "merge", out().string(), "--yes"}).exit_code, kExitOk);
  EXPECT_EQ(verdicts(), after_);
  EXPECT_EQ(read_file(out() / "index.html").find("An import waits"), std::string::npos);
}

TEST_F(AGradeThatFalls, IsAppliedWithYesAndTakenBackWithUndo) {
  EXPECT_EQ(grade_weeks({"two"}, {"--yes"}).exit_code, kExitOk);
  EXPECT_EQ(verdicts(), after_);
  ASSERT_EQ(
      run({"class", "set", out().string(), "bo", "lab3", "--points", "50", "--reason", "shown"})
          .exit_code,
      kExitOk);
  const auto asked = run({"class", "undo", out().string()});
  EXPECT_EQ(asked.exit_code, kExitUsage);
  EXPECT_SAYS(asked, "2 grades and 2 totals change without the import of two of ");
  EXPECT_SAYS(asked, "ana lab3: 0 -> 100\n");
  EXPECT_SAYS(asked, "Nothing was taken back.");
  EXPECT_EQ(verdicts(), after_) << "nobody answered";
  const auto undone = run({"class", "undo", out().string(), "--yes"});
  EXPECT_EQ(undone.exit_code, kExitOk);
  EXPECT_SAYS(undone, "(lab3, 2 new submissions)");
  EXPECT_EQ(verdicts(), before_);
  EXPECT_NE(read_file(out() / "grades.csv").find("bo,bo,,,,,,50"), std::string::npos)
      << "a decision stays\n"
      << read_file(out() / "grades.csv");
  EXPECT_EQ(grade_weeks({"two"}, {"--yes"}).exit_code, kExitOk);
  EXPECT_EQ(verdicts(), after_);
}

TEST_F(AGradeThatFalls, WaitsWhileALaterImportThatOnlyAddsIsApplied) {
  ASSERT_EQ(grade_weeks({"two"}).exit_code, kExitOk);
  submit_week("three", "dy", "lab3");
  const auto ran = grade_weeks({"three"});
  EXPECT_SAYS(ran, "1 grade and 1 total change by the import of two:\n  ana lab3: 100 -> 0\n");
  before_["dy lab3"] = "compile_error";
  EXPECT_EQ(verdicts(), before_);
}

TEST_F(ClassWeeks, AStrayFileSetsNoLab) {
  for (const char* student : {"ana", "bo", "cy"}) submit_week("plain", student, "lab3");
  submit_week("plain", "jay", "lab2");
  write_file_atomically(folder_ / "policy.toml", "missing = \"zero\"\n");
  const std::string policy = (folder_ / "policy.toml").string();
  const auto asked = grade_weeks({"plain"}, {"--policy", policy, "--seed", "7"});
  EXPECT_EQ(asked.exit_code, kExitUsage) << asked.out << asked.err;
  EXPECT_SAYS(asked, "plain, whose files name lab2 (1 student), lab3 (3 students)");
  EXPECT_SAYS(asked, "--policy " + policy + " --seed 7 --assignment plain=LABS");
  const auto said = grade_weeks({"plain"}, {"--policy", policy, "--assignment", "plain=lab3"});
  EXPECT_SAYS(said, "plain: grading lab3 only");
  EXPECT_EQ(read_file(out() / "grades.csv").find("lab2"), std::string::npos);
}

TEST_F(ClassWeeks, AnOldDownloadTurnsNoGradeBack) {
  submit_week("week1", "alice", "lab3");
  submit_week("week2", "alice", "lab3", "__global__ void corner_turn(");
  ASSERT_EQ(grade_weeks({"week1"}).exit_code, kExitOk);
  ASSERT_EQ(grade_weeks({"week2"}).exit_code, kExitOk);
  const std::string newer = source_of(book(), "alice", "lab3");
  ASSERT_EQ(grade_weeks({"week1"}).exit_code, kExitOk);
  EXPECT_EQ(source_of(book(), "alice", "lab3"), newer);
}

TEST_F(ClassWeeks, TheRosterIsNamedOnce) {
  submit_week("one", "ana", "lab3");
  submit_week("two", "bo", "lab3");
  write_file_atomically(folder_ / "roster.csv", "Name,Login\nAna A,ana\nBo B,bo\nCy C,cy\n");
  write_file_atomically(folder_ / "other.csv", "Name,Login\nAna A,ana\nBo B,bo\nDi D,di\n");
  const auto first = grade_weeks({"one"}, {"--roster", (folder_ / "roster.csv").string()});
  EXPECT_SAYS(first, "Submitted nothing: bo (Bo B); cy (Cy C)");
  fs::remove(folder_ / "roster.csv");
  const auto second = grade_weeks({"two"});
  EXPECT_EQ(second.exit_code, kExitOk) << second.out << second.err;
  EXPECT_SAYS(second, "Submitted nothing: cy (Cy C)");
  const auto third = grade_weeks({"two"}, {"--roster", (folder_ / "other.csv").string()});
  EXPECT_SAYS(third, "Submitted nothing: di (Di D)");
  EXPECT_SAYS(grade_weeks({"one"}), "Submitted nothing: di (Di D)");
}

TEST_F(ClassWeeks, AFormerSeedWithTheSameGradesHasNothingToGrade) {
  submit_week("one", "ana", "lab3");
  ASSERT_EQ(grade_weeks({"one"}, {"--seed", "7"}).exit_code, kExitOk);
  ASSERT_EQ(grade_weeks({"one"}, {"--seed", "8"}).exit_code, kExitOk);
  EXPECT_SAYS(grade_weeks({"one"}, {"--seed", "7"}), "Nothing to grade")
      << "the grade is the same, so nothing changed";
}

TEST_F(ClassWeeks, GarbageInPlaceOfTheGradebookSaysWhatIsLost) {
  submit_week("one", "ana", "lab3");
  ASSERT_EQ(grade_weeks({"one"}).exit_code, kExitOk);
  write_file_atomically(out() / "gradebook.sqlite", std::string(5000, 'x'));
  const auto ran = grade_weeks({"one"});
  EXPECT_EQ(ran.exit_code, kExitOurError) << ran.out << ran.err;
  EXPECT_SAYS(ran, "grade every download again into another folder");
}

TEST_F(ClassWeeks, AFolderThatCannotBeReadAnyMoreKeepsItsGrade) {
  for (const char* student : {"ana", "bo", "cy"}) submit_week("one", student, "lab3");
  ASSERT_EQ(grade_weeks({"one"}).exit_code, kExitOk);
  fs::rename(folder_ / "one/cy", folder_ / "elsewhere");
  // A link, because root can read everything else.
  for (const char* student : {"cy", "zoe"})
    fs::create_directory_symlink(folder_ / "elsewhere", folder_ / "one" / student);
  const auto ran = grade_weeks({"one"});
  EXPECT_SAYS(ran, "Cannot be read (");
  EXPECT_FALSE(says(ran, "Submitted nothing")) << ran.out;
  EXPECT_EQ(verdicts().at("cy lab3"), "compile_error");
  EXPECT_NE(review().find("Ask for it again, or download it again"), std::string::npos) << review();
}

TEST_F(ClassWeeks, AFileThatIsEmptiedKeepsItsGrade) {
  for (const char* student : {"ana", "bo"}) submit_week("one", student, "lab3");
  ASSERT_EQ(grade_weeks({"one"}).exit_code, kExitOk);
  submit_week("one", "bo", "lab3", "");
  const auto ran = grade_weeks({"one"});
  EXPECT_EQ(ran.exit_code, kExitOk) << ran.out << ran.err;
  EXPECT_FALSE(says(ran, "Submitted nothing")) << ran.out;
  EXPECT_EQ(verdicts().at("bo lab3"), "compile_error");
  EXPECT_NE(review().find("it is empty"), std::string::npos) << review();
}

TEST_F(ClassWeeks, GradingAgainThatIsKilledLeavesEveryGradeAndIsEndedLater) {
  for (const char* student : {"a", "b", "c", "d", "e"})
    attempt(student, solution("correct/tile.cu") + "// " + student + "\n");
  ASSERT_EQ(grade({"--seed", "7"}).exit_code, kExitOk);
  const auto before = contents(out());
  ASSERT_EQ(before.size(), 5u);
  const pid_t child = begin(grade_words({"--seed", "8", "--jobs", "1"}));
  wait_until_running(3);
  ::kill(child, SIGKILL);
  wait_for(child);
  EXPECT_EQ(contents(out()), before);
  EXPECT_EQ(run({"class", "report", out().string()}).exit_code, kExitOk);
  EXPECT_EQ(read_file(out() / "grades.csv").find("waiting,"), std::string::npos);
  for (const char* student : {"a", "e"})
    EXPECT_TRUE(fs::exists(out() / "receipts" / student / "lab3.json"));
  EXPECT_SAYS(run({"class", "status", out().string()}), "Planned 5 submissions");

  const auto last = grade();
  EXPECT_EQ(last.exit_code, kExitOk) << last.out << last.err;
  const auto after = contents(out());
  EXPECT_EQ(after.size(), 5u);
  EXPECT_NE(after, before);
  EXPECT_SAYS(grade(), "Nothing to grade. Submissions with a result: 5.");
}

TEST_F(ClassWeeks, ALostGradebookIsNotTakenForANewOne) {
  submit_week("one", "ana", "lab3");
  ASSERT_EQ(grade_weeks({"one"}).exit_code, kExitOk);
  for (const bool emptied : {true, false}) {
    fs::remove(out() / "gradebook.sqlite");
    if (emptied) write_file_atomically(out() / "gradebook.sqlite", "");
    const auto ran = grade_weeks({"one"});
    EXPECT_EQ(ran.exit_code, kExitOurError) << ran.out << ran.err;
    EXPECT_SAYS(ran, emptied ? "gradebook.sqlite is empty" : "gradebook.sqlite is missing");
    EXPECT_SAYS(ran, "Restore it from a backup.");
    EXPECT_NE(run({"class", "status", out().string()}).exit_code, kExitOk);
    EXPECT_TRUE(fs::exists(out() / "receipts/ana/lab3.json"));
  }
  // One that began, and was killed before it published, is no loss.
  fs::remove_all(out());
  fs::create_directories(out());
  write_file_atomically(out() / "gradebook.sqlite", "");
  EXPECT_EQ(grade_weeks({"one"}).exit_code, kExitOk);
}

TEST_F(ClassWeeks, TheWrongFileIsToldAndNothingOfItKept) {
  submit_week("one", "ana", "lab7", "__global__ void vecadd( {");
  const auto ran = grade_weeks({"one"}, {"--assignment", "lab3"});
  EXPECT_EQ(ran.exit_code, kExitUsage) << ran.out;
  EXPECT_SAYS(ran, "one holds no submission for lab3");
  EXPECT_TRUE(Gradebook(out() / "gradebook.sqlite").students().empty());
  write_file_atomically(folder_ / "none/ana/essay.pdf", "%PDF");
  const auto none = grade_weeks({"none"});
  EXPECT_EQ(none.exit_code, kExitUsage) << none.out;
  EXPECT_SAYS(none, "none holds no submission for a lab");
}

TEST_F(ClassWeeks, OptionsAreReadBeforeTheClassIsListed) {
  submit_week("one", "ana", "lab3");
  write_file_atomically(folder_ / "policy.toml", "drop_lowest = 999\n");
  const auto ran = grade_weeks({"one"}, {"--policy", (folder_ / "policy.toml").string()});
  EXPECT_NE(ran.exit_code, kExitOk);
  EXPECT_SAYS(ran, "drop_lowest");
  EXPECT_EQ(ran.out.find("1 student"), std::string::npos) << ran.out;
}

TEST_F(ClassWeeks, ANameCannotTurnALineAround) {
  submit_week("one", "ana\u202Eoz", "lab3");
  const auto ran = grade_weeks({"one"});
  const auto status = run({"class", "status", out().string()});
  for (const std::string& text : {ran.out, status.out, review()})
    EXPECT_EQ(text.find("\u202E"), std::string::npos) << text;
}

TEST_F(ClassWeeks, MessagesCallTheProgramAsItWasCalled) {
  auto typed = command({"class", "status", (folder_ / "nowhere").string()});
  typed.environment.push_back("LABKIT_COMMAND=./kit");
  const auto ran = process::run(typed);
  EXPECT_EQ(ran.exit_code, kExitUsage);
  EXPECT_SAYS(ran, "Error: there is no gradebook");
  EXPECT_SAYS(ran, "`./kit class grade` makes it");
}

}  // namespace
}  // namespace labkit::course
