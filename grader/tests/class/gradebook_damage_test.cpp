// Bits that a disk or a copy has turned: no grade may come out otherwise without a word.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <fstream>

#include "base/error.h"
#include "base/files.h"
#include "base/random.h"
#include "base/sha256.h"
#include "class/gradebook/gradebook.h"
#include "class/grading/receipt.h"
#include "class/policy/policy.h"
#include "class/publish/publish.h"
#include "class_files.h"
#include "made_class.h"

namespace labkit::course {
namespace {

namespace fs = std::filesystem;

void damage_sql(const fs::path& file, const std::string& sql) {
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &db), SQLITE_OK);
  char* message = nullptr;
  EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK) << message;
  sqlite3_close(db);
}

/// As made_outcome(), with a receipt that has the result's hash, and no filling.
Outcome whole_outcome(const Job& job) {
  Outcome outcome = made_outcome(job);
  outcome.json.erase(outcome.json.find("lll"), 3900);
  outcome.receipt =
      fmt::format(R"({{"result_sha256":"{}"}})", sha256_hex(comparable(outcome.json)));
  return outcome;
}

class GradebookDamage : public testing::Test {
 protected:
  GradebookDamage() {
    Gradebook book(file_);
    Intake intake = made_class(4, {"lab1", "lab2"});
    intake.submissions[0].late = true;
    intake.submissions[1].submitted_at = 1'790'000'000;
    book.put_class(intake);
    book.put_setting(kPolicySetting, "policy.toml\n[late]\npercent_per_day = 10\n");
    book.plan(made_conditions());
    for (const Job& job : book.to_do()) book.finish(job.id, whole_outcome(job));
    for (const Entry& entry : book.entries()) {
      if (entry.student == "s2") {
        Rescored rescored;
        rescored.verdict = "pass";
        rescored.points = 88;
        rescored.max_points = 100;
        book.put_rescored(entry.job->id, rescored);
      }
      if (entry.student == "s3") {
        Decision decision;
        decision.student = entry.student;
        decision.lab = entry.lab;
        decision.value = 45;
        decision.reason = "shown on paper";
        decision.by = "ta";
        decision.at = 1'790'000'001;
        book.decide(decision);
      }
    }
  }

  /// All that is shown of the grades, a line each.
  static std::vector<std::string> grades(const Gradebook& book) {
    std::vector<std::string> all;
    const Policy policy = kept_policy(book);
    for (const Entry& entry : book.entries()) {
      const Grade one = grade(entry, policy);
      const auto outcome = entry.graded ? book.outcome(entry.job->id) : std::nullopt;
      all.push_back(fmt::format("{} {} {} {} {} {}", one.student, one.lab, one.verdict,
                                one.points ? fmt::format("{}", *one.points) : "blank",
                                fmt::join(one.notes, "; "), outcome ? outcome->json : ""));
    }
    return all;
  }
  /// What opening it says; "opened" if nothing.
  std::string refusal(const fs::path& file) const {
    try {
      const Gradebook book(file, Gradebook::Mode::existing);
    } catch (const Error& error) {
      return std::string(error.what()) + " | " + error.remedy();
    }
    return "opened";
  }
  std::vector<std::string> repair() const {
    Gradebook book(file_, Gradebook::Mode::repair);
    return book.repair();
  }
  static std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
  }

  TemporaryFolder folder_;
  fs::path file_ = folder_.path() / "gradebook.sqlite";
};

TEST_F(GradebookDamage, NoTurnedBitChangesAGradeInSilence) {
  const std::vector<std::string> before = grades(Gradebook(file_, Gradebook::Mode::existing));
  ASSERT_EQ(before.size(), 8u);
  const std::string whole = read_file(file_, 64u << 20);
  const fs::path damaged = folder_.path() / "damaged" / "gradebook.sqlite";
  fs::create_directories(damaged.parent_path());
  constexpr std::uint64_t kFlips = 400;
  std::size_t refused = 0, harmless = 0;
  for (std::uint64_t flip = 0; flip < kFlips; ++flip) {
    std::string bytes = whole;
    const std::size_t at = random_bits(11, flip) % bytes.size();
    bytes[at] = static_cast<char>(bytes[at] ^ (1u << random_bits(12, flip) % 8));
    fs::remove_all(damaged.parent_path());
    fs::create_directories(damaged.parent_path());
    std::ofstream(damaged, std::ios::binary) << bytes;
    try {
      const Gradebook book(damaged, Gradebook::Mode::existing);
      EXPECT_EQ(grades(book), before) << "bit " << flip << ", byte " << at;
      ++harmless;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(damaged.string()), std::string::npos)
          << error.what();
      ++refused;
    }
  }
  EXPECT_EQ(refused + harmless, kFlips);
  EXPECT_GE(refused, kFlips / 10) << "the test must turn bits that matter";
}

TEST_F(GradebookDamage, IsNamedWithItsMend) {
  const struct {
    std::string sql, said;
  } cases[] = {
      {"UPDATE result SET points = 99 WHERE job = 1", "the result of s0, lab1"},
      {"UPDATE result SET json = replace(json, '100', '101') WHERE job = 1",
       "the result of s0, lab1"},
      {"UPDATE result SET receipt = replace(receipt, 'a', 'b') WHERE job = 1",
       "the result of s0, lab1"},
      {"UPDATE rescored SET points = 89",
       "the newer score of s2, lab1; the newer score of s2, lab2"},
      {"UPDATE decision SET value = 46 WHERE id = 1", "a decision about s3, lab1"},
      {"UPDATE submission SET late = 0 WHERE student = 's0'", "what s0 submitted for lab1"},
      {"UPDATE submission SET lms_id = 'x' WHERE student = 's0'", "what s0 submitted for lab1"},
      {"UPDATE student SET present = 0 WHERE id = 's1'", "who s1 is"},
      {"UPDATE setting SET name = 'policy fil' WHERE name = 'policy file'",
       "the setting \"policy fil\""},
      {"UPDATE job SET student = 's1', source_sha256 = 'x' WHERE id = 1",
       "the grading of s1, lab1"},
      {"DELETE FROM result WHERE job = 1", "the grading of s0, lab1, whose result is missing"},
  };
  for (const auto& one : cases) {
    const fs::path copy = folder_.path() / "copy.sqlite";
    fs::copy_file(file_, copy, fs::copy_options::overwrite_existing);
    damage_sql(copy, one.sql);
    const std::string said = refusal(copy);
    EXPECT_NE(said.find("copy.sqlite is damaged: not as it was written: "), std::string::npos)
        << said;
    EXPECT_NE(said.find(one.said), std::string::npos) << one.sql << "\n" << said;
    EXPECT_NE(said.find(" | Restore it from a backup, or run `"), std::string::npos) << said;
    EXPECT_NE(said.find("class rescore " + folder_.path().string()), std::string::npos) << said;
  }
  EXPECT_EQ(refusal(file_), "opened");
}

TEST_F(GradebookDamage, PointsAreReadAgainFromTheResult) {
  const auto before = grades(Gradebook(file_));
  damage_sql(file_, "UPDATE result SET points = 99, verdict = 'race' WHERE job = 1");
  const std::vector<std::string> said = repair();
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(
      said[0],
      "the result of s0, lab1: its verdict and points are read from what it holds: pass, 100");
  EXPECT_EQ(grades(Gradebook(file_)), before);
  EXPECT_TRUE(fs::exists(file_.string() + ".damaged"));
  EXPECT_TRUE(repair().empty());
  EXPECT_FALSE(fs::exists(file_.string() + ".damaged-2"));
}

TEST_F(GradebookDamage, AResultThatNothingConfirmsIsGradedAgain) {
  const auto before = grades(Gradebook(file_));
  damage_sql(
      file_,
      "UPDATE result SET json = replace(json, '\"points\": 100', '\"points\": 101'), points = 101 "
      "WHERE job = 1; UPDATE job SET seed = 7 WHERE student = 's1' AND lab = 'lab2'; DELETE FROM "
      "result "
      "WHERE job = (SELECT id FROM job WHERE student = 's2' AND lab = 'lab2')");
  const std::string said = joined(repair());
  EXPECT_NE(said.find("the result of s0, lab1: dropped; `"), std::string::npos) << said;
  EXPECT_NE(said.find("class grade` grades it again"), std::string::npos) << said;
  EXPECT_NE(said.find("the grading of s1, lab2: dropped"), std::string::npos) << said;
  EXPECT_NE(said.find("the grading of s2, lab2, whose result is missing: dropped"),
            std::string::npos)
      << said;
  Gradebook book(file_);
  EXPECT_EQ(book.plan(made_conditions()), 3u);
  const Entry first = book.entries().at(0);
  EXPECT_FALSE(first.graded);
  for (const Job& job : book.to_do()) book.finish(job.id, whole_outcome(job));
  auto now = grades(book);
  EXPECT_EQ(now[4], before[4]);
  now.erase(now.begin() + 5);  // its newer score has gone with its result
  auto expected = before;
  expected.erase(expected.begin() + 5);
  EXPECT_EQ(now, expected);
}

TEST_F(GradebookDamage, WhatOnlyATeacherKnowsIsLeftToBeChecked) {
  damage_sql(
      file_,
      "UPDATE decision SET value = 46 WHERE id = 1; UPDATE rescored SET points = 89 WHERE job = "
      "(SELECT id FROM job WHERE student = 's2' AND lab = 'lab1'); UPDATE source SET bytes = x'00' "
      "WHERE sha256 = (SELECT source_sha256 FROM submission WHERE student = 's0' AND lab = "
      "'lab1'); "
      "UPDATE "
      "submission SET late = 1 WHERE student = 's1' AND lab = 'lab1'");
  const std::string said = joined(repair());
  EXPECT_NE(said.find("a decision about s3, lab1: stays as it reads now, to be checked: points 46, "
                      "\"shown on paper\" by ta"),
            std::string::npos)
      << said;
  EXPECT_NE(said.find("the newer score of s2, lab1: made anew"), std::string::npos) << said;
  EXPECT_NE(said.find("what s0 submitted for lab1: name its download again"), std::string::npos)
      << said;
  EXPECT_NE(said.find("until then it is not graded"), std::string::npos) << said;
  EXPECT_NE(said.find("what s1 submitted for lab1: stays as it reads now, to be checked"),
            std::string::npos)
      << said;
  Gradebook book(file_);
  book.plan(made_conditions());
  EXPECT_FALSE(book.entries().at(0).submitted) << "no other source is graded";
  // The download again brings it back.
  Intake intake = made_class(4, {"lab1", "lab2"});
  intake.submissions[0].late = true;
  book.put_class(intake);
  EXPECT_EQ(book.plan(made_conditions()), 0u);
  EXPECT_EQ(source_of(book, "s0", "lab1"), intake.submissions[0].source);
  EXPECT_TRUE(book.entries().at(0).graded);
}

TEST_F(GradebookDamage, NobodyMendsWhileAnotherGrades) {
  damage_sql(file_, "UPDATE result SET points = 99 WHERE job = 1");
  const GradingLock lock(file_);
  EXPECT_THROW(repair(), Error);
  EXPECT_FALSE(fs::exists(file_.string() + ".damaged"));
}

}  // namespace
}  // namespace labkit::course
