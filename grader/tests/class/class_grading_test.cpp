// `labkit class grade` and `status`, as they are typed, with real gradings of lab 3.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mount.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "class/commands/class.h"
#include "class/gradebook/gradebook.h"
#include "class/policy/policy.h"
#include "class_commands.h"
#include "process/process.h"

namespace labkit::course {
namespace {

TEST_F(ClassCommands, GradesAndASecondTimeOnlyWhatChanged) {
  small_class();
  const auto first = grade();
  EXPECT_EQ(first.exit_code, kExitOk) << first.out << first.err;
  EXPECT_SAYS(first, "3 students, 3 submissions for lab3");
  EXPECT_SAYS(first, "Grading 3 submissions on the simulator");
  EXPECT_SAYS(first, "Graded 3 in ");
  EXPECT_SAYS(first, "grades.csv");
  EXPECT_EQ(verdicts(),
            (std::map<std::string, std::string>{
                {"ana lab3", "pass"}, {"bo lab3", "wrong_result"}, {"cy lab3", "compile_error"}}));
  EXPECT_FALSE(PlanFolder::find(out())) << "what is planned is merged";
  EXPECT_TRUE(fs::exists(out() / "receipts/ana/lab3.json"));

  const auto before = contents(out());
  const auto second = grade();
  EXPECT_EQ(second.exit_code, kExitOk);
  EXPECT_SAYS(second, "Nothing to grade. Submissions with a result: 3.");
  EXPECT_EQ(contents(out()), before);

  attempt("cy", solution("correct/padded.cu"));
  const auto third = grade({"--yes"});
  EXPECT_SAYS(third, "Grading 1 submission on the simulator");
  EXPECT_EQ(verdicts().at("cy lab3"), "pass");
}

TEST_F(ClassCommands, WhatMatchesNobodyIsListedAndWhoIsMissingIsNamed) {
  attempt("ana", solution("correct/tile.cu"));
  write_file_atomically(folder_ / "submissions/lab3.cu", "// whose?\n");
  write_file_atomically(folder_ / "roster.csv", "login,name\nana,Ana A\nzoe,Zoe Z\n");
  const auto ran = grade({"--roster", (folder_ / "roster.csv").string()});
  EXPECT_EQ(ran.exit_code, kExitOk) << ran.out << ran.err;
  EXPECT_SAYS(ran, "WARNING: lab3.cu may hold any student's work.");
  fs::remove(folder_ / "submissions/lab3.cu");
  EXPECT_SAYS(grade(), "Submitted nothing: zoe (Zoe Z)");
}

TEST_F(ClassCommands, OnlyTheLabsThatWereSetAndTheOthersStay) {
  attempt("ana", solution("correct/tile.cu"));
  attempt("ana", "__global__ void vecadd( {", "lab1");
  EXPECT_EQ(grade({"--assignment", "lab3"}).exit_code, kExitOk);
  EXPECT_EQ(verdicts(), (std::map<std::string, std::string>{{"ana lab3", "pass"}}));
  EXPECT_NE(read_file(out() / "assignments.toml").find("labs = [\"lab3\"]"), std::string::npos);
  const auto other = run({"class", "grade", "--assignment", "*=Lab 1",
                          (folder_ / "submissions").string(), "--out", out().string()});
  EXPECT_SAYS(other, "Grading 1 submission on the simulator");
  EXPECT_EQ(verdicts(), (std::map<std::string, std::string>{{"ana lab1", "compile_error"},
                                                            {"ana lab3", "pass"}}));
}

TEST_F(ClassCommands, TheSeedIsTheClassesSecretUnlessItIsGiven) {
  attempt("cy", "__global__ void corner_turn( {");
  const auto first = grade();
  const std::string seed = book().setting(kSeedSetting);
  EXPECT_GE(seed.size(), 6u) << "drawn from 48 bits";
  EXPECT_FALSE(says(first, seed)) << "a log may be seen by students";
  EXPECT_SAYS(grade(), "Nothing to grade");
  EXPECT_EQ(book().setting(kSeedSetting), seed);
  EXPECT_EQ(read_file(out() / "receipts/cy/lab3.json").find(seed), std::string::npos);

  EXPECT_SAYS(grade({"--seed", "5"}), "The seed has changed: everything is graded again.");
  EXPECT_EQ(book().setting(kSeedSetting), "5");
  EXPECT_SAYS(grade({"--seed", "5"}), "Nothing to grade");

  fs::rename(out(), folder_ / "other");
  grade();
  EXPECT_NE(book().setting(kSeedSetting), seed);
}

TEST_F(ClassCommands, OneDeviceForTheWholeClass) {
  attempt("cy", "__global__ void corner_turn( {");
  EXPECT_EQ(grade().exit_code, kExitOk);
  EXPECT_EQ(book().setting(kDeviceSetting), "sim");
  book().put_setting(kDeviceSetting, "NVIDIA H200");
  const auto missing = grade();
  EXPECT_EQ(missing.exit_code, kExitOurError);
  EXPECT_SAYS(missing, "this class was graded on NVIDIA H200, which is not available here");
  EXPECT_SAYS(missing, "--device sim");
  const auto changed = grade({"--device", "sim"});
  EXPECT_EQ(changed.exit_code, kExitOk);
  EXPECT_SAYS(changed,
              "The device was NVIDIA H200 and is the simulator now: everything is graded again.");
  EXPECT_EQ(book().setting(kDeviceSetting), "sim");
}

TEST_F(ClassCommands, AMachineWithoutACompilerIsToldAtOnceAndBlamesNobody) {
  small_class();
  const auto ran = grade({}, {"LABKIT_NVRTC=/nowhere.so"});
  EXPECT_EQ(ran.exit_code, kExitOurError);
  EXPECT_SAYS(ran, "/nowhere.so");
  EXPECT_SAYS(ran, "Fix:");
  const ClassCount progress = count(book().entries(View::with_pending));
  EXPECT_EQ(progress.waiting, 3u);
  EXPECT_EQ(progress.not_graded, 0u);
  EXPECT_EQ(grade().exit_code, kExitOk);
  EXPECT_EQ(verdicts().at("ana lab3"), "pass");
}

TEST_F(ClassCommands, WhatCannotBeDoneSaysWhy) {
  EXPECT_EQ(run({"class", "grade"}).exit_code, kExitUsage);
  EXPECT_EQ(run({"class"}).exit_code, kExitUsage);
  EXPECT_EQ(grade({"--lab", "lab77"}).exit_code, kExitUsage);
  const auto nothing = grade();
  EXPECT_EQ(nothing.exit_code, kExitUsage);
  EXPECT_SAYS(nothing, "there is no " + (folder_ / "submissions").string());
  EXPECT_EQ(grade({"--roster", "nowhere.csv"}).exit_code, kExitUsage);
  EXPECT_TRUE(book().students().empty());
  small_class();
  const auto inside = run({"class", "grade", folder_.string(), "--out", out().string()});
  EXPECT_EQ(inside.exit_code, kExitUsage);
  EXPECT_SAYS(inside, "lies inside ");
  const auto none = run({"class", "status", (folder_ / "nowhere").string()});
  EXPECT_EQ(none.exit_code, kExitUsage);
  EXPECT_FALSE(fs::exists(folder_ / "nowhere"));
}

TEST_F(ClassCommands, CtrlCGivesBackWhatRunsAndSaysHowToGoOn) {
  for (const char* student : {"a", "b", "c", "d", "e", "f"})
    attempt(student, solution("correct/tile.cu") + "// " + student + "\n");
  for (const int signal : {SIGINT, SIGTERM}) {
    fs::remove_all(out());
    const pid_t child = begin(grade_words({"--jobs", "1", "--seed", "7"}));
    wait_until_running(2);  // the lab's own solution, and one
    const auto status = run({"class", "status", out().string()});
    EXPECT_EQ(status.exit_code, kExitOk);
    EXPECT_SAYS(status, "Grading 6 submissions");
    EXPECT_SAYS(status, " of 6 (");
    const auto second = grade();
    EXPECT_EQ(second.exit_code, kExitUsage);
    EXPECT_SAYS(second, "another run is at work there");

    ::kill(child, signal);
    const int ended = wait_for(child);
    ASSERT_TRUE(WIFEXITED(ended));
    EXPECT_EQ(WEXITSTATUS(ended), kExitStopped);
    EXPECT_NE(said().find("Run the same command to continue."), std::string::npos) << said();
    const ClassCount progress = count(book().entries(View::with_pending));
    EXPECT_EQ(progress.not_graded, 0u);
    EXPECT_GE(progress.graded, 1u);
    EXPECT_LT(progress.graded, 6u);
    EXPECT_FALSE(PlanFolder::find(out())) << "what is planned is merged";
    EXPECT_SAYS(run({"class", "status", out().string()}), "Idle. ");
  }
  EXPECT_EQ(grade({"--seed", "7"}).exit_code, kExitOk);
  EXPECT_EQ(count(book().entries(View::with_pending)).graded, 6u);
}

TEST_F(ClassCommands, KilledAtAnyMomentItEndsWithTheSameGradebook) {
  for (const char* student : {"a", "b", "c", "d"})
    attempt(student, solution("correct/tile.cu") + "// " + student + "\n");
  attempt("e", solution("wrong/tile_not_turned.cu"));
  ASSERT_EQ(grade({"--seed", "7"}).exit_code, kExitOk);
  const auto undisturbed = contents(out());
  ASSERT_EQ(undisturbed.size(), 5u);
  fs::remove_all(out());
  for (const std::size_t done : {0u, 1u, 3u}) {
    // One at a time, so that there is something left to kill on a machine of many cores.
    const pid_t child = begin(grade_words({"--seed", "7", "--jobs", "1"}));
    wait_until_running(done);
    ::kill(child, SIGKILL);
    EXPECT_TRUE(WIFSIGNALED(wait_for(child)));
  }
  const auto last = grade({"--seed", "7"});
  EXPECT_EQ(last.exit_code, kExitOk) << last.out << last.err;
  EXPECT_FALSE(says(last, "Grading 5 submissions")) << "results are kept";
  EXPECT_EQ(contents(out()), undisturbed);
}

TEST_F(ClassCommands, ADamagedGradebookIsRefusedWithWhatToDo) {
  attempt("ana", solution("correct/tile.cu"));
  attempt("bo", solution("wrong/tile_not_turned.cu"));
  ASSERT_EQ(grade().exit_code, kExitOk);
  const auto before = contents(out());
  const fs::path file = out() / "gradebook.sqlite";
  const fs::path copy = folder_ / "copy";
  fs::copy_file(file, copy);
  fs::resize_file(file, fs::file_size(file) / 2);
  for (const char* command : {"report", "status"}) {
    const auto refused = run({"class", command, out().string()});
    EXPECT_EQ(refused.exit_code, kExitOurError) << command << refused.out;
    EXPECT_SAYS(refused, "the gradebook " + file.string());
    EXPECT_SAYS(refused, "Restore it from a backup.");
  }
  EXPECT_EQ(grade().exit_code, kExitOurError);
  fs::copy_file(copy, file, fs::copy_options::overwrite_existing);
  const auto again = grade();
  EXPECT_EQ(again.exit_code, kExitOk) << again.out << again.err;
  EXPECT_SAYS(again, "Nothing to grade. Submissions with a result: 2.");
  EXPECT_EQ(contents(out()), before);
}

TEST_F(ClassCommands, AFullDiskNamesTheFileAndLosesNothing) {
  attempt("ana", solution("correct/tile.cu"));
  attempt("bo", solution("wrong/tile_not_turned.cu"));
  fs::create_directories(out());
  if (::mount("none", out().c_str(), "tmpfs", 0, "size=160k") != 0)
    GTEST_SKIP() << "skipped: only root can make a small disk";
  struct Unmount {
    fs::path path;
    ~Unmount() { ::umount(path.c_str()); }
  } const unmount{out()};
  const auto full = grade({"--seed", "7"});
  EXPECT_EQ(full.exit_code, kExitOurError) << full.out << full.err;
  EXPECT_SAYS(full, out().string());
  EXPECT_SAYS(full, "Free some disk space");
  EXPECT_EQ(count(book().entries(View::with_pending)).not_graded, 0u);
  ASSERT_EQ(::mount("none", out().c_str(), "tmpfs", MS_REMOUNT, "size=50m"), 0);
  EXPECT_EQ(grade({"--seed", "7"}).exit_code, kExitOk);
  EXPECT_EQ(verdicts(), (std::map<std::string, std::string>{{"ana lab3", "pass"},
                                                            {"bo lab3", "wrong_result"}}));
}

}  // namespace
}  // namespace labkit::course
