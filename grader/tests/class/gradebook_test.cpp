#include "class/gradebook/gradebook.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <stdexcept>

#include "base/error.h"
#include "base/files.h"
#include "base/sha256.h"
#include "class/policy/policy.h"
#include "class_files.h"
#include "made_class.h"

namespace labkit::course {
namespace {

namespace fs = std::filesystem;

class GradebookTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
  fs::path file_ = folder_.path() / "grades" / "gradebook.sqlite";
};

/// "student lab verdict points state", for what was submitted.
std::vector<std::string> lines(const Gradebook& book) {
  std::vector<std::string> all;
  for (const Entry& entry : book.entries())
    if (entry.submitted)
      all.push_back(entry.student + " " + entry.lab + " " + (entry.graded ? entry.verdict : "-") +
                    " " + std::to_string(static_cast<int>(entry.points)) + " " +
                    (!entry.job                             ? "no job"
                     : entry.job->state == JobState::done   ? "done"
                     : entry.job->state == JobState::failed ? "failed"
                                                            : "waiting"));
  return all;
}
using Lines = std::vector<std::string>;

TEST_F(GradebookTest, KeepsWhatCameIn) {
  Intake intake = made_class(2, {"lab1"});
  intake.students[0].keys = {{"canvas_id", "7"}, {"email", "a@x"}};
  intake.students[0].name = "Ana \"=1+1\" García 李";
  intake.submissions[0].source = std::string("bytes\xff\0here", 11);
  intake.submissions[0].source_sha256 = sha256_hex(intake.submissions[0].source);
  intake.submissions[0].late = true;
  intake.submissions[0].submitted_at = 1790000000;
  intake.submissions[0].group = {"s0", "s1"};
  intake.submissions[0].lms_id = "4711";
  intake.remarks = {{Remark::Kind::refused, "a/b", "s0", "it is a link"}};
  intake.roots = {{{}, Format::moodle, "CS101-Lab 1", {"lab1"}}};
  {
    Gradebook book(file_);
    book.put_class(intake);
    book.put_setting("policy", "x = 1\n");
  }
  const Gradebook book(file_, Gradebook::Mode::existing);
  ASSERT_EQ(book.students().size(), 2u);
  EXPECT_EQ(book.students()[0].name, intake.students[0].name);
  EXPECT_EQ(book.students()[0].keys, intake.students[0].keys);
  EXPECT_EQ(source_of(book, "s0", "lab1"), intake.submissions[0].source);
  const Entry entry = book.entries().at(0);
  EXPECT_TRUE(entry.submission.late);
  EXPECT_EQ(entry.submission.submitted_at, 1790000000);
  EXPECT_EQ(entry.submission.group, (Lines{"s0", "s1"}));
  EXPECT_EQ(entry.submission.lms_id, "4711");
  EXPECT_FALSE(entry.job || entry.graded);
  EXPECT_EQ(book.entries().at(1).submission.submitted_at, std::nullopt);
  ASSERT_EQ(book.remarks().size(), 1u);
  EXPECT_EQ(book.remarks()[0].text, "it is a link");
  ASSERT_EQ(book.roots().size(), 1u);
  EXPECT_EQ(book.roots()[0].format, Format::moodle);
  EXPECT_EQ(book.roots()[0].labs, (std::vector<std::string>{"lab1"}));
  EXPECT_EQ(book.setting("policy"), "x = 1\n");
  EXPECT_EQ(book.setting("nothing"), "");
}

TEST_F(GradebookTest, GradesEachJobOnce) {
  Gradebook book(file_);
  book.put_class(made_class(2, {"lab1", "lab3"}));
  EXPECT_EQ(book.plan(made_conditions()), 4u);
  EXPECT_EQ(grade_all(book), 4u);
  EXPECT_EQ(lines(book), (Lines{"s0 lab1 pass 100 done", "s0 lab3 pass 100 done",
                                "s1 lab1 gate ratio 60 done", "s1 lab3 gate ratio 60 done"}));
  EXPECT_EQ(book.plan(made_conditions()), 0u);
  EXPECT_EQ(grade_all(book), 0u);
  const ClassCount progress = count(book.entries());
  EXPECT_EQ(progress.to_grade, 4u);
  EXPECT_EQ(progress.graded, 4u);
  EXPECT_GT(progress.last_result_at, 0);
}

TEST_F(GradebookTest, GradesOnlyWhatChanged) {
  Gradebook book(file_);
  Intake intake = made_class(3, {"lab1"});
  book.put_class(intake);
  book.plan(made_conditions());
  grade_all(book);
  const auto to_do = [&](const Conditions& conditions) { return book.plan(conditions); };

  Intake changed = intake;
  changed.submissions[1].source += "// again";
  changed.submissions[1].source_sha256 = sha256_hex(changed.submissions[1].source);
  book.put_class(changed);
  EXPECT_FALSE(book.entries()[1].graded) << "another source has no grade yet";
  EXPECT_TRUE(book.entries()[0].graded);
  EXPECT_EQ(to_do(made_conditions()), 1u);
  grade_all(book);
  changed.submissions[1].submitted_at = 1'780'000'000;
  intake.submissions[1].submitted_at = 1'790'000'000;
  book.put_class(changed);
  book.put_class(intake);  // the first source submitted anew, whose result is still known
  EXPECT_EQ(to_do(made_conditions()), 0u);

  for (auto change :
       {+[](Conditions& c) { c.kit = "0.2.0"; }, +[](Conditions& c) { c.device = "H200"; },
        +[](Conditions& c) { c.seed = ~0ull; }, +[](Conditions& c) { c.labs["lab1"] = "other"; }}) {
    Conditions conditions = made_conditions();
    change(conditions);
    EXPECT_EQ(to_do(conditions), 3u);
  }
  EXPECT_EQ(to_do(made_conditions()), 0u);
}

TEST_F(GradebookTest, WhatCannotBeReadIsNoJob) {
  Gradebook book(file_);
  Intake intake = made_class(2, {"lab1"});
  intake.submissions[0].problem = "it is empty";
  book.put_class(intake);
  EXPECT_EQ(book.plan(made_conditions()), 1u);
  EXPECT_EQ(book.entries()[0].submission.problem, "it is empty");
  EXPECT_FALSE(book.entries()[0].job);
}

TEST_F(GradebookTest, OurFaultIsNotGradedUntilItIsPlannedAgain) {
  Gradebook book(file_);
  book.put_class(made_class(2, {"lab1"}));
  book.plan(made_conditions());
  const std::vector<Job> jobs = book.to_do();
  book.fail(jobs.at(0).id, "no compiler");
  book.finish(jobs.at(1).id, made_outcome(jobs.at(1)));
  const Entry entry = book.entries()[0];
  EXPECT_FALSE(entry.graded) << "our fault is never a zero";
  EXPECT_EQ(entry.job->message, "no compiler");
  EXPECT_EQ(count(book.entries()).not_graded, 1u);
  // The same command tries again.
  EXPECT_EQ(book.plan(made_conditions()), 1u);
  EXPECT_EQ(grade_all(book), 1u);
}

TEST_F(GradebookTest, OnlyAJobWithoutAResultEnds) {
  Gradebook book(file_);
  book.put_class(made_class(1, {"lab1"}));
  book.plan(made_conditions());
  EXPECT_THROW(book.finish(1, {"{}", ""}), Error);
  const Job job = book.to_do().front();
  EXPECT_THROW(book.finish(job.id, {"no JSON", ""}), Error);
  EXPECT_THROW(book.finish(job.id, {R"({"verdict": "pass"})", ""}), Error);
  book.finish(job.id, made_outcome(job));
  EXPECT_THROW(book.finish(job.id, made_outcome(job)), Error);
  EXPECT_THROW(book.fail(job.id, "no compiler"), Error);
  EXPECT_EQ(book.outcome(job.id)->json, made_outcome(job).json);
  EXPECT_EQ(book.outcome(job.id)->receipt, made_outcome(job).receipt);
  book.grade_again("s0", "lab1");
  EXPECT_EQ(book.outcome(job.id)->json, made_outcome(job).json) << "until there is another";
  EXPECT_EQ(book.plan(made_conditions()), 1u);
}

TEST_F(GradebookTest, DecisionsAreKeptWithTheirReasons) {
  Gradebook book(file_);
  book.put_class(made_class(1, {"lab1"}));
  Decision decision{.id = 0,
                    .student = "s0",
                    .lab = "lab1",
                    .kind = Decision::Kind::points,
                    .value = 80,
                    .reason = "  the fire alarm ",
                    .by = "ta",
                    .at = 1790000000};
  book.decide(decision);
  decision.kind = Decision::Kind::late_days;
  decision.value = 0;
  decision.reason = "ill";
  book.decide(decision);
  const auto kept = book.entries()[0].decisions;
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[0].reason, "the fire alarm");
  EXPECT_EQ(kept[0].value, 80);
  EXPECT_EQ(kept[1].kind, Decision::Kind::late_days);
  for (auto spoil :
       {+[](Decision& d) { d.student = "nobody"; }, +[](Decision& d) { d.lab = "lab99"; },
        +[](Decision& d) { d.reason = " "; }, +[](Decision& d) { d.value = -1; },
        +[](Decision& d) { d.value = std::nan(""); }}) {
    Decision bad = decision;
    spoil(bad);
    EXPECT_THROW(book.decide(bad), std::invalid_argument);
  }
  EXPECT_EQ(book.entries()[0].decisions.size(), 2u);
}

void sql_in(const fs::path& file, const std::string& sql) {
  fs::create_directories(file.parent_path());
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &db), SQLITE_OK);
  char* message = nullptr;
  EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK) << message;
  sqlite3_close(db);
}

TEST_F(GradebookTest, IsBlankWithoutItsFile) {
  EXPECT_TRUE(Gradebook::is_blank(file_));
  const Gradebook book(file_);
  EXPECT_FALSE(Gradebook::is_blank(file_));
  EXPECT_TRUE(Gradebook::is_blank(folder_.write("emptied.sqlite", "")));
}

TEST_F(GradebookTest, RefusesWhatIsNotItsOwn) {
  const auto message = [&]() -> std::string {
    try {
      const Gradebook book(file_);
    } catch (const Error& error) {
      return error.what();
    }
    return "opened";
  };
  sql_in(file_, "CREATE TABLE other(x); INSERT INTO other VALUES(1)");
  EXPECT_NE(message().find("is no gradebook"), std::string::npos) << message();
  fs::remove(file_);
  { const Gradebook book(file_); }
  sql_in(file_, "PRAGMA user_version = 99");
  EXPECT_NE(message().find("another version of the kit"), std::string::npos) << message();
  fs::remove(file_);
  folder_.write("grades/gradebook.sqlite", std::string(5000, 'x'));
  EXPECT_NE(message().find("not a database"), std::string::npos) << message();
  fs::remove(file_);
  fs::create_directory(file_);
  EXPECT_NE(message().find("cannot open the gradebook"), std::string::npos) << message();
  EXPECT_THROW(Gradebook(folder_.path() / "none.sqlite", Gradebook::Mode::existing),
               std::invalid_argument);
  folder_.write("empty.sqlite", "");
  EXPECT_THROW(Gradebook(folder_.path() / "empty.sqlite", Gradebook::Mode::existing), Error);
  EXPECT_FALSE(fs::exists(folder_.path() / "none.sqlite"));
}

/// What somebody finds in `folder` who may write nothing there: students and jobs done, or the error and its fix.
std::string seen_without_writing(const fs::path& folder) {
  std::error_code none;
  fs::permissions(folder.parent_path(), fs::perms(0755));
  for (const auto& at : fs::directory_iterator(folder)) fs::permissions(at.path(), fs::perms(0444));
  fs::permissions(folder, fs::perms(0555));
  int ends[2] = {-1, -1};
  if (::pipe(ends) != 0) return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    std::string said;
    if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(1);
    try {
      const Gradebook book(folder / "gradebook.sqlite", Gradebook::Mode::existing);
      said = fmt::format("{} {}", book.students().size(), count(book.entries()).graded);
    } catch (const Error& error) {
      said = std::string(error.what()) + " | " + error.remedy();
    }
    ::_exit(::write(ends[1], said.data(), said.size()) < 0 ? 1 : 0);
  }
  ::close(ends[1]);
  std::string said(4096, ' ');
  const ssize_t got = ::read(ends[0], said.data(), said.size());
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  said.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  fs::permissions(folder, fs::perms(0755));
  for (const auto& at : fs::directory_iterator(folder)) fs::permissions(at.path(), fs::perms(0644));
  return said;
}

/// A process of its own that has graded one of three and keeps the gradebook open until end(): SQLite
/// shares what it knows of a file with all of a process, its children among them.
class Grading {
 public:
  explicit Grading(const fs::path& file) {
    int ready[2], go[2];
    if (::pipe(ready) != 0 || ::pipe(go) != 0) throw std::runtime_error("pipe");
    child_ = ::fork();
    if (child_ == 0) {
      ::close(go[1]);
      char none = 0;
      {
        Gradebook book(file);
        book.put_class(made_class(3, {"lab1"}));
        book.plan(made_conditions());
        const Job job = book.to_do().front();
        book.finish(job.id, made_outcome(job));
        if (::write(ready[1], &none, 1) != 1 || ::read(go[0], &none, 1) < 0) ::_exit(1);
      }
      ::_exit(0);
    }
    char none = 0;
    if (::read(ready[0], &none, 1) != 1) throw std::runtime_error("read");
    ::close(ready[0]);
    ::close(ready[1]);
    ::close(go[0]);
    go_ = go[1];
  }
  void end() {
    ::close(go_);
    int status = 0;
    ::waitpid(child_, &status, 0);
    EXPECT_EQ(status, 0);
  }

 private:
  pid_t child_ = -1;
  int go_ = -1;
};

TEST_F(GradebookTest, IsLookedAtWhereNothingCanBeWritten) {
  const fs::path folder = file_.parent_path();
  Grading grading(file_);
  EXPECT_EQ(seen_without_writing(folder), "3 1") << "while it is open";
  grading.end();
  EXPECT_EQ(seen_without_writing(folder), "3 1");
  for (const auto& at : fs::directory_iterator(folder))
    EXPECT_EQ(at.path(), file_) << "and nothing is left beside it";
  sql_in(file_, "PRAGMA user_version = 99");
  EXPECT_NE(seen_without_writing(folder).find("another version of the kit"), std::string::npos);
  sql_in(file_, "PRAGMA user_version = 1");
  EXPECT_NE(seen_without_writing(folder).find("another version of the kit"), std::string::npos);
}

}  // namespace
}  // namespace labkit::course
