// The same class in six formats is the same class.
#include "sample_class.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "../base/set_up.h"
#include "base/csv.h"
#include "base/error.h"
#include "base/files.h"
#include "base/random.h"
#include "class/gradebook/gradebook.h"
#include "class/intake/intake.h"
#include "class/publish/publish.h"
#include "class_files.h"
#include "intake_lines.h"
#include "made_class.h"

namespace labkit::course {
namespace {

namespace fs = std::filesystem;

const fs::path kSampleRoot = LABKIT_SOURCE_DIR;

class SampleClass : public testing::Test {
 protected:
  static void SetUpTestSuite() { failure = failure_of(set_up); }
  void SetUp() override { ASSERT_EQ(failure, ""); }
  static void set_up() {
    shared_folder = new TemporaryFolder;
    packed_classes = pack_sample_class(kSampleRoot, shared_folder->path());
  }
  static void TearDownTestSuite() {
    delete shared_folder;
    shared_folder = nullptr;
  }
  static Intake take(const PackedClass& packed) {
    IntakeOptions options = all_labs();
    options.roster_text = read_file(shared_folder->path() / "roster.csv");
    return import_inputs({packed.input}, kit_labs(), options);
  }
  static std::string failure;
  static TemporaryFolder* shared_folder;
  static std::vector<PackedClass> packed_classes;
};
std::string SampleClass::failure;
TemporaryFolder* SampleClass::shared_folder = nullptr;
std::vector<PackedClass> SampleClass::packed_classes;

/// "student lab source", or why there is none.
std::vector<std::string> content(const Intake& intake) {
  std::vector<std::string> all;
  for (const Submission& one : intake.submissions)
    all.push_back(one.student + " " + one.lab + " " +
                  (one.problem.empty() ? one.source_sha256 : "(" + one.problem + ")"));
  return all;
}

TEST_F(SampleClass, IsTheSameInEveryFormat) {
  ASSERT_EQ(packed_classes.size(), 6u);
  const Intake plain = take(packed_classes.front());
  EXPECT_EQ(plain.students.size(), 12u);
  EXPECT_EQ(plain.missing, (std::vector<std::string>{"lquiet"}));
  for (const PackedClass& packed : packed_classes) {
    SCOPED_TRACE(packed.format);
    const Intake intake = take(packed);
    EXPECT_EQ(content(intake), content(plain));
    EXPECT_EQ(intake.missing, plain.missing);
    for (const Student& student : intake.students) EXPECT_TRUE(student.on_roster) << student.id;
    // The way out of the zip, the link, the bomb, the zips in zips and the empty file have a line each,
    // and so has the file that was submitted again, which is a case where the LMS does not say which is newer.
    std::size_t refused = 0, not_chosen = 0;
    for (const Remark& remark : intake.remarks) {
      refused += remark.kind == Remark::Kind::refused;
      not_chosen += remark.kind ==
                    (packed.format == "canvas" ? Remark::Kind::not_chosen : Remark::Kind::several);
      EXPECT_FALSE(remark.text.empty());
    }
    EXPECT_EQ(refused, 5u);
    EXPECT_EQ(not_chosen, 1u);
  }
}

TEST_F(SampleClass, IsWhatTheExpectedGradebookIsAbout) {
  const Csv expected =
      read_csv(read_file(kSampleRoot / "docker/sample_class/expected.csv"), "expected.csv");
  const Intake intake = take(packed_classes.front());
  ASSERT_EQ(expected.rows.size(), 1 + intake.students.size());
  for (std::size_t row = 1; row < expected.rows.size(); ++row)
    for (const std::string lab : {"lab1", "lab3"}) {
      const std::string student = expected.cell(row, 0);
      SCOPED_TRACE(testing::Message() << student << " " << lab);
      const auto at =
          std::find_if(intake.submissions.begin(), intake.submissions.end(),
                       [&](const Submission& s) { return s.student == student && s.lab == lab; });
      const std::string verdict = expected.cell(row, expected.column({lab + " verdict"}));
      const bool blank = expected.cell(row, expected.column({lab})).empty();
      // "missing?" where something of theirs was refused, which may have been it.
      EXPECT_EQ(verdict.starts_with("missing"), at == intake.submissions.end());
      EXPECT_EQ(
          verdict == "missing?",
          at == intake.submissions.end() &&
              std::any_of(intake.remarks.begin(), intake.remarks.end(), [&](const Remark& remark) {
                return remark.kind == Remark::Kind::refused && remark.student == student;
              }));
      EXPECT_EQ(verdict == "unreadable", at != intake.submissions.end() && !at->problem.empty());
      EXPECT_EQ(blank, verdict.starts_with("missing") || verdict == "unreadable");
    }
}

/// grades.csv and index.html point out the same students.
TEST_F(SampleClass, WhoIsToReviewIsTheSameInEveryOutput) {
  for (const char* missing : {"zero", "blank"})
    for (const PackedClass& packed : packed_classes) {
      SCOPED_TRACE(packed.format + ", missing is " + missing);
      const TemporaryFolder folder;
      Gradebook book(folder.path() / "gradebook.sqlite");
      book.put_class(take(packed));
      book.plan(made_conditions());
      const std::vector<Job> jobs = book.to_do();
      book.fail(jobs.front().id, "no compiler");
      for (std::size_t i = 1; i < jobs.size(); ++i) book.finish(jobs[i].id, made_outcome(jobs[i]));
      PublishOptions options;
      options.policy = folder.write("policy.toml", std::string("missing = \"") + missing + "\"\n");
      publish(book, kit_labs(), options, folder.path() / "out");

      std::set<std::string> sheet, page;
      const Csv grades = read_csv(read_file(folder.path() / "out/grades.csv"), "grades.csv");
      for (std::size_t row = 1; row < grades.rows.size(); ++row)
        if (grades.cell(row, grades.column({"review"})) == "yes") sheet.insert(grades.cell(row, 0));
      const std::string index = read_file(folder.path() / "out/index.html");
      for (const Student& student : book.students()) {
        if (index.find("data-id=\"" + student.id + "\" data-look=\"1\"") != std::string::npos)
          page.insert(student.id);
      }
      EXPECT_GE(sheet.size(), 4u);
      EXPECT_LT(sheet.size(), book.students().size());
      EXPECT_EQ(page, sheet);
    }
}

TEST_F(SampleClass, LatenessComesFromTheLms) {
  for (const PackedClass& packed : packed_classes) {
    const Intake intake = take(packed);
    for (const Submission& one : intake.submissions) {
      const bool late = one.student == "bli" && one.lab == "lab3";
      if (packed.format == "canvas") {
        EXPECT_EQ(one.late, late) << one.path;
      }
      if (packed.format == "gradescope") {
        EXPECT_EQ(one.submitted_at, 1790000000 + (late ? 1500 : -90) * 60) << one.path;
      }
    }
  }
}

/// Whatever happens to a download on its way, taking it in ends, and ends with lines or our error.
TEST_F(SampleClass, DamagedDownloadsAreTakenInOrRefused) {
  std::size_t taken = 0, refused = 0;
  for (const char* name :
       {"zip/submissions.zip", "tar/submissions.tar.gz", "gradescope/Lab_3.zip"}) {
    const std::string good = read_file(shared_folder->path() / name);
    for (std::uint64_t round = 0; round < 60; ++round) {
      std::string bad = good;
      const std::uint64_t changes = 1 + random_bits(round, 0) % 20;
      for (std::uint64_t i = 1; i <= changes; ++i)
        bad[random_bits(round, 2 * i) % bad.size()] =
            static_cast<char>(random_bits(round, 2 * i + 1));
      if (round % 3 == 0) bad.resize(random_bits(round, 1000) % bad.size());
      const TemporaryFolder folder;
      try {
        const Intake intake =
            import_inputs({folder.write(fs::path(name).filename().string(), bad)}, kit_labs());
        ++taken;
        for (const Submission& one : intake.submissions)
          EXPECT_FALSE(one.student.empty() || one.lab.empty());
      } catch (const Error& error) {
        ++refused;
        EXPECT_FALSE(std::string(error.what()).empty());
      }
    }
  }
  EXPECT_GT(taken, 0u) << "a wrong checksum is never overlooked, so few are";
  EXPECT_GT(refused, 5u);
}

TEST_F(SampleClass, PacksTheSameBytesEachTime) {
  const TemporaryFolder again;
  pack_sample_class(kSampleRoot, again.path());
  for (const auto& entry : fs::recursive_directory_iterator(shared_folder->path()))
    if (entry.is_regular_file()) {
      const fs::path twin = again.path() / fs::relative(entry.path(), shared_folder->path());
      EXPECT_EQ(read_file(entry.path()), read_file(twin)) << entry.path();
    }
}

}  // namespace
}  // namespace labkit::course
