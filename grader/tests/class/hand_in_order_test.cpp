// Which of several submissions counts, and what a download is called.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <numeric>

#include "base/text.h"
#include "class/intake/attempt_order.h"
#include "class/intake/intake.h"
#include "class_files.h"

namespace labkit::course {
namespace {

constexpr std::int64_t kFirst = 1'793'620'800, kSecond = kFirst + 7 * 86'400;

Attempt made(const std::string& name, std::optional<std::int64_t> file_time,
             std::uint64_t attempt = 0, std::optional<std::int64_t> submitted_at = {}) {
  Attempt one;
  one.source_sha256 = one.path = one.input = one.download_key = name;
  one.file_time = file_time;
  one.lms_order = attempt;
  one.submitted_at = submitted_at;
  return one;
}

/// Whatever the order in which they are named.
std::string newest(std::vector<Attempt> all) {
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), 0);
  std::string name;
  do {
    std::vector<Attempt> named;
    for (const std::size_t i : order) named.push_back(all[i]);
    const std::string one = named[newest_of(named)].input;
    if (!name.empty() && name != one) return name + " or " + one;
    name = one;
  } while (std::next_permutation(order.begin(), order.end()));
  return name;
}

TEST(SubmissionOrder, DoesNotDependOnWhatIsNamedFirst) {
  EXPECT_EQ(newest({made("a", 100), made("b", 300), made("c", 200)}), "b");
  EXPECT_EQ(newest({made("a", 900, 1), made("b", 300, 3), made("c", 200, 2)}), "b");
  EXPECT_EQ(newest({made("a", 900, 0, 10), made("b", 300, 0, 30)}), "b");
  EXPECT_EQ(newest({made("lms", 900, 0, 350), made("file", 300)}), "lms");
  // b goes before a, c before b and a before c, taken pair by pair.
  EXPECT_EQ(newest({made("a", 900, 5), made("b", 100, 6), made("c", 500)}), "c");
  Attempt broken = made("broken", 900), stub = made("stub", 800);
  broken.readable = false;
  stub.untouched = true;
  EXPECT_EQ(newest({broken, stub, made("old", 100)}), "old");
  EXPECT_EQ(newest({broken, stub}), "stub");
}

TEST(SubmissionOrder, WithoutTimesTheLaterNamedCounts) {
  EXPECT_EQ(newest_of({made("a", {}), made("b", {})}), 1u);
  EXPECT_EQ(newest_of({made("b", {}), made("a", {})}), 1u);
  EXPECT_EQ(newest_of({made("a", 100), made("b", 100)}), 1u);
  EXPECT_EQ(newest_of({made("a", 200), made("b", {}), made("c", 100)}), 1u);
}

TEST(SubmissionOrder, RivalsAreOtherBytesOfOtherDownloadsOnWeakEvidence) {
  const Attempt counts = made("c", 500, 6, {});
  EXPECT_EQ(rivals_of(counts, {made("a", 100)}).size(), 1u);
  EXPECT_EQ(rivals_of(counts, {made("a", 900, 5)}).size(), 0u) << "the LMS says so";
  EXPECT_EQ(rivals_of(made("p", 950), {made("a", 900, 5), made("b", 100, 6)}).size(), 1u);
  Attempt same_bytes = made("a", 100), same_download = made("b", 100);
  same_bytes.source_sha256 = "c";
  same_download.download_key = "c";
  EXPECT_EQ(rivals_of(counts, {same_bytes, same_download}).size(), 0u);
}

TEST(SubmissionOrder, IsToldWithTimesThatDiffer) {
  EXPECT_EQ(rivals_text(made("b.zip", {}), {made("a.zip", {})}),
            "two submissions, the one from b.zip counts; the other is from a.zip");
  EXPECT_EQ(rivals_text(made("c", {}), {made("a", {}), made("b", {})}),
            "three submissions, the one from c counts; the others are from a and b");
  const auto [older, newer] =
      attempt_texts(made("a", 1'790'000'000), made("b", 1'790'000'002), Order::By::file_times);
  EXPECT_EQ(older.size(), std::string("a (2026-09-21 00:00:00)").size()) << older;
  EXPECT_EQ(newer.size(), older.size());
  const auto [week1, week2] = attempt_texts(made("a", kFirst), made("b", kSecond), {});
  EXPECT_EQ(week1.size(), std::string("a (2026-11-02 12:00)").size()) << week1;
  EXPECT_NE(week1.substr(1), week2.substr(1));
}

TEST(DownloadKey, IsTheSameForCopiesAndForNoOthers) {
  for (const char* name :
       {"Lab 3.zip", "Lab 3 (1).zip", "lab 3(12).tar.gz", "Lab 3", "LAB_3.zip", "Lab 3 - Copy.zip",
        "Lab 3 2026-11-09.zip", "Lab 3 2026-11-09 (2).zip", "2026-11-09 Lab 3.zip",
        "Lab 3-20261109.zip", "Lab 3_2026-11-09T12-00-33.zip", "Lab 3 09.11.2026.zip"})
    EXPECT_EQ(download_key(name), "lab-3") << name;
  EXPECT_EQ(download_key("2026-11-09.zip"), "2026-11-09") << "a week of its own";
  EXPECT_EQ(download_key("week1.zip"), "week1");
  EXPECT_EQ(download_key("CS101-Lab 3-123456.zip"), "cs101-lab-3-123456");
  EXPECT_EQ(download_key("assignment_20991231456_export"), "assignment-20991231456-export");
  EXPECT_EQ(download_key("李伟 (1).zip"), download_key("李伟.zip"));
}

/// alice's lab3, once a week.
class TwoWeeks : public testing::Test {
 protected:
  std::filesystem::path week(const std::string& name, std::int64_t at, const std::string& mark,
                             const std::string& ending = ".zip") const {
    PackOptions options;
    options.ending = ending;
    options.modified_at = at;
    return folder_.write(name + ending, pack({{"alice/lab3.cu", kernel_of("lab3", mark)},
                                              {"bob/lab3.cu", kernel_of("lab3", "bob")}},
                                             options));
  }
  /// The sole submission of alice.
  Submission alice(const std::vector<std::filesystem::path>& inputs) const {
    const Intake intake = import_inputs(inputs, kit_labs());
    EXPECT_EQ(intake.submissions.size(), 2u);
    return intake.submissions.at(0);
  }
  TemporaryFolder folder_;
};

TEST_F(TwoWeeks, FileTimesSayWhichCountsWhateverTheInputsAreCalled) {
  const auto one = week("a", kSecond, "new"), two = week("b", kFirst, "old");
  for (const auto& inputs : {std::vector{one, two}, std::vector{two, one}}) {
    const Submission counts = alice(inputs);
    EXPECT_EQ(counts.source, kernel_of("lab3", "new"));
    EXPECT_EQ(counts.input, "a.zip");
    EXPECT_EQ(counts.file_time, kSecond);
    ASSERT_EQ(counts.others.size(), 1u);
    EXPECT_EQ(counts.others[0].input, "b.zip");
    EXPECT_EQ(counts.others[0].file_time, kFirst);
    for (const Remark& remark : import_inputs(inputs, kit_labs()).remarks)
      EXPECT_EQ(remark.student, "bob") << "alice's is for the gradebook to tell";
  }
}

TEST_F(TwoWeeks, WithTheSameTimesTheInputNamedLaterCounts) {
  const auto one = week("a", kFirst, "1"), two = week("b", kFirst, "2");
  EXPECT_EQ(alice({one, two}).source, kernel_of("lab3", "2"));
  EXPECT_EQ(alice({two, one}).source, kernel_of("lab3", "1"));
  EXPECT_EQ(alice({two, one, two}).source, kernel_of("lab3", "1"));
}

TEST_F(TwoWeeks, TimesInTheFutureAreToldAndNotBelieved) {
  const std::int64_t future = std::time(nullptr) + 400 * 86'400;
  const auto one = week("a", future, "1"), two = week("b", kFirst, "2");
  // Nothing is said of a's time, so that the later named counts.
  EXPECT_EQ(alice({one, two}).source, kernel_of("lab3", "2"));
  const Submission counts = alice({two, one});
  EXPECT_EQ(counts.source, kernel_of("lab3", "1"));
  EXPECT_EQ(counts.file_time, std::nullopt);
  std::size_t told = 0;
  for (const Remark& remark : import_inputs({one, two}, kit_labs()).remarks)
    told += remark.kind == Remark::Kind::times &&
            remark.path.find("a.zip/alice/lab3.cu") != std::string::npos &&
            remark.text.find(
                "is in the future and says nothing of what is the newer; nor do those of 1 more "
                "files") != std::string::npos;
  EXPECT_EQ(told, 1u);
}

TEST_F(TwoWeeks, TwoDownloadsOfOneNameAreCopiesOnlyIfTheyHaveAFileInCommon) {
  std::filesystem::create_directories(folder_.path() / "b");
  const auto one = week("lab3", kFirst, "1"), same = week("b/lab3", kSecond, "2");
  const Submission of_copies = alice({one, same});
  ASSERT_EQ(of_copies.others.size(), 1u);
  EXPECT_EQ(of_copies.download_key, of_copies.others[0].download_key);
  const auto other =
      folder_.write("b/lab3.zip", pack({{"alice/lab3.cu", kernel_of("lab3", "2")},
                                        {"carl/lab3.cu", kernel_of("lab3", "carl")}}));
  const Intake sections = import_inputs({one, other}, kit_labs());
  const Submission& of_sections = sections.submissions.at(0);
  ASSERT_EQ(of_sections.others.size(), 1u);
  EXPECT_NE(of_sections.download_key, of_sections.others[0].download_key);
  EXPECT_NE(of_sections.input, of_sections.others[0].input);
  EXPECT_EQ(rivals_of(attempt_of(of_sections), of_sections.others).size(), 1u);
}

TEST_F(TwoWeeks, TimesThatAnArchiveDoesNotKnowAreNone) {
  EXPECT_EQ(alice({week("dos", 315'532'800, "1")}).file_time, std::nullopt);
  EXPECT_EQ(alice({week("unix", 0, "1", ".tar")}).file_time, std::nullopt);
}

TEST_F(TwoWeeks, AFolderHasItsFilesTimes) {
  const auto file = folder_.write("week/alice/lab3.cu", kernel_of("lab3", "1"));
  folder_.write("week/bob/lab3.cu", kernel_of("lab3", "1"));
  const auto at = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1000);
  std::filesystem::last_write_time(file, at);
  const Submission counts = alice({folder_.path() / "week"});
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(
      std::chrono::file_clock::to_sys(at).time_since_epoch());
  EXPECT_EQ(counts.file_time, seconds.count());
}

TEST_F(TwoWeeks, AStudentsArchiveIsNoNewerThanTheTeachers) {
  PackOptions inner;
  inner.modified_at = kSecond;  // as its packer claims
  PackOptions outer;
  outer.modified_at = kFirst;
  const auto file = folder_.write(
      "week.zip", pack({{"alice.zip", pack({{"lab3.cu", kernel_of("lab3", "1")}}, inner)},
                        {"bob/lab3.cu", kernel_of("lab3", "2")}},
                       outer));
  EXPECT_EQ(alice({file}).file_time, kFirst);
}

TEST_F(TwoWeeks, GradescopesTimeGoesBeforeTheFiles) {
  const auto metadata = [](const std::string& at) {
    return "submission_7:\n  :submitters:\n  - :name: Alice A\n    :sid: \"1\"\n    :email: a@x\n"
           "  :created_at: " +
           at +
           "\nsubmission_8:\n  :submitters:\n  - :name: Bob B\n    :sid: "
           "\"2\"\n    :email: b@x\n  :created_at: " +
           at + "\n";
  };
  const auto download = [&](const std::string& name, std::int64_t files, const std::string& at) {
    PackOptions options;
    options.modified_at = files;
    return folder_.write(name,
                         pack({{"assignment_5_export/submission_metadata.yml", metadata(at)},
                               {"assignment_5_export/submission_7/lab3.cu", kernel_of("lab3", at)},
                               {"assignment_5_export/submission_8/lab3.cu", kernel_of("lab3", at)}},
                              options));
  };
  const auto older = download("z.zip", kSecond, "2026-10-01 10:00:00.000 Z"),
             newer = download("a.zip", kFirst, "2026-10-08 10:00:00.000 Z");
  for (const auto& inputs : {std::vector{older, newer}, std::vector{newer, older}}) {
    const Submission counts = alice(inputs);
    EXPECT_EQ(counts.input, "a.zip");
    EXPECT_EQ(counts.download_key, "gradescope assignment-5-export");
  }
}

TEST_F(TwoWeeks, CanvasNumbersGoBeforeTheFiles) {
  const auto download = [&](const std::string& name, std::int64_t files, const std::string& id) {
    PackOptions options;
    options.modified_at = files;
    return folder_.write(name, pack({{"a_1_" + id + "_lab3.cu", kernel_of("lab3", id)},
                                     {"b_2_88_lab3.cu", kernel_of("lab3", "b")}},
                                    options));
  };
  const auto older = download("z.zip", kSecond, "100"), newer = download("a.zip", kFirst, "200");
  for (const auto& inputs : {std::vector{older, newer}, std::vector{newer, older}})
    EXPECT_EQ(alice(inputs).lms_order, 200u);
}

}  // namespace
}  // namespace labkit::course
