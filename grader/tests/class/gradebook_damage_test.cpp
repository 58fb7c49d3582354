// What a disk or a copy has damaged is refused, with the way back.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <fstream>

#include "base/error.h"
#include "base/files.h"
#include "class/gradebook/gradebook.h"
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

/// As made_outcome(), without filling.
Outcome short_outcome(const Job& job) {
  Outcome outcome = made_outcome(job);
  outcome.json.erase(outcome.json.find("lll"), 3900);
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
    for (const Job& job : book.to_do()) book.finish(job.id, short_outcome(job));
    for (const Entry& entry : book.entries()) {
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
  TemporaryFolder folder_;
  fs::path file_ = folder_.path() / "gradebook.sqlite";
};

TEST_F(GradebookDamage, IsNamedWithItsFix) {
  const std::string whole = read_file(file_);
  EXPECT_EQ(refusal(file_), "opened");
  // a page in the middle: nothing but SQLite's own check reads all of them
  std::string damaged = whole;
  damaged.replace(whole.size() / 2 / 4096 * 4096, 64, std::string(64, '\x7f'));
  std::ofstream(file_, std::ios::binary) << damaged;
  EXPECT_NE(refusal(file_).find(fmt::format("the gradebook {} is damaged: ", file_.string())),
            std::string::npos)
      << refusal(file_);
  std::ofstream(file_, std::ios::binary) << whole.substr(0, whole.size() / 2);
  EXPECT_NE(refusal(file_).find(file_.string()), std::string::npos) << refusal(file_);
}

TEST_F(GradebookDamage, ASourceIsAsItWasImportedOrRefused) {
  damage_sql(file_, "UPDATE source SET bytes = x'00' WHERE rowid = 1");
  const Gradebook book(file_, Gradebook::Mode::existing);
  std::size_t refused = 0;
  for (const Entry& entry : book.entries()) try {
      book.source(entry.submission.source_sha256);
    } catch (const Error& error) {
      ++refused;
      EXPECT_NE(std::string(error.what()).find("a source is not as it was imported"),
                std::string::npos);
    }
  EXPECT_EQ(refused, 1u);
}

}  // namespace
}  // namespace labkit::course
