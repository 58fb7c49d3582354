// Bits that a disk or a copy has turned: no grade may come out otherwise without a word.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <fstream>

#include "base/error.h"
#include "base/files.h"
#include "base/random.h"
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

TEST_F(GradebookDamage, IsNamedWithItsFix) {
  const struct {
    std::string sql, said;
  } cases[] = {
      {"UPDATE result SET json = replace(json, '100', '101') WHERE job = 1", "1 row of result"},
      {"UPDATE result SET receipt = replace(receipt, 'a', 'b')", "8 rows of result"},
      {"UPDATE decision SET value = 46 WHERE id = 1", "1 row of decision"},
      {"UPDATE submission SET late = 0 WHERE student = 's0'", "1 row of submission"},
      {"UPDATE submission SET lms_id = 'x' WHERE student = 's0'", "2 rows of submission"},
      {"UPDATE student SET present = 0 WHERE id = 's1'", "1 row of student"},
      {"UPDATE setting SET name = 'policy fil' WHERE name = 'policy file'", "1 row of setting"},
      {"UPDATE job SET student = 's1', source_sha256 = 'x' WHERE id = 1", "1 row of job"},
      {"UPDATE source SET bytes = x'00' WHERE rowid = 1", "1 row of source"},
      {"UPDATE import SET at = 1; DELETE FROM result WHERE job = 1",
       "1 row of import, 1 row of job without a result"},
  };
  for (const auto& one : cases) {
    const fs::path copy = folder_.path() / "copy.sqlite";
    fs::copy_file(file_, copy, fs::copy_options::overwrite_existing);
    damage_sql(copy, one.sql);
    EXPECT_EQ(refusal(copy).substr(0, refusal(copy).find('|')),
              fmt::format("the gradebook {} is damaged: not as it was written: {} ", copy.string(),
                          one.said))
        << one.sql;
  }
  EXPECT_EQ(refusal(file_), "opened");
}

TEST_F(GradebookDamage, TheLastCopyIsThereToGoBackTo) {
  const auto before = grades(Gradebook(file_));
  for (int times = 0; times < 2; ++times) Gradebook(file_).back_up();
  const fs::path copy = Gradebook::last_copy(file_);
  damage_sql(file_, "UPDATE result SET receipt = 'x' WHERE job = 1");
  EXPECT_NE(refusal(file_).find(fmt::format("| Go back to how the last command left it: cp {} {}",
                                            copy.string(), file_.string())),
            std::string::npos)
      << refusal(file_);
  fs::copy_file(copy, file_, fs::copy_options::overwrite_existing);
  EXPECT_EQ(grades(Gradebook(file_)), before);
  fs::remove(copy);
  damage_sql(file_, "UPDATE result SET receipt = 'x' WHERE job = 1");
  EXPECT_NE(refusal(file_).find("| Restore it from a backup"), std::string::npos) << refusal(file_);
}

}  // namespace
}  // namespace labkit::course
