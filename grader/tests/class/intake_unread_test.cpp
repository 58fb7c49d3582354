// What cannot be read: a file, an archive, a whole download.
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/sha256.h"
#include "class/intake/intake.h"
#include "class/publish/exports.h"
#include "class_files.h"
#include "intake_lines.h"

namespace labkit::course {
namespace {

using Kind = Packed::Kind;

Lines ids_of(const Intake& intake) {
  Lines ids;
  for (const Student& one : intake.students) ids.push_back(one.id);
  return ids;
}

TEST(IntakeUnread, WhatCannotBeGradedIsTheStudentsAllTheSame) {
  const Intake intake = take_packed({{"alice/lab3.cu", "  \n"},
                                     {"bob/lab3.cu", std::string("PK\x03\x04zip", 7)},
                                     {"carol/lab3.cu", std::string(2 << 20, 'x')},
                                     {"dave/lab3.zip", "broken"},
                                     {"eve/lab3.cu", "", Kind::symlink, "/etc/passwd"},
                                     {"fay/lab3.cu", std::string("\xff\xfe/\0/\0", 6)},
                                     {"gil/lab3.cu", std::string("a\0b", 3)},
                                     {"hal/lab3.rar", "Rar!"}});
  Lines lines = submissions(intake);
  ASSERT_EQ(lines.size(), 8u);
  EXPECT_EQ(lines[0], "alice lab3 alice/lab3.cu (it is empty)");
  EXPECT_EQ(lines[1], "bob lab3 bob/lab3.cu (it is a zip by another name)");
  EXPECT_EQ(lines[2], "carol lab3 carol/lab3.cu (it is larger than 1 MiB)");
  EXPECT_EQ(lines[3].find("dave lab3 dave/lab3.zip (it is "), 0u);
  EXPECT_EQ(lines[4], "eve lab3 eve/lab3.cu (it is a link: links are not followed)");
  EXPECT_EQ(lines[5], "fay lab3 fay/lab3.cu");
  EXPECT_EQ(intake.submissions[5].source, "//");
  EXPECT_EQ(lines[6], "gil lab3 gil/lab3.cu (it is no text: it holds zero bytes)");
  EXPECT_EQ(lines[7].find("hal lab3 hal/lab3.rar (it is no readable zip or tar"), 0u) << lines[7];
  EXPECT_EQ(remarks(intake).size(), 7u);  // all but fay's
}

TEST(IntakeUnread, ADownloadThatIsCutShortIsOurErrorAndNobodysMissingWork) {
  const TemporaryFolder folder;
  const std::string whole =
      pack({{"ann/lab3.cu", kL3}, {"bob/lab3.cu", kL3}, {"cat/lab3.cu", kL3}});
  for (const std::size_t part : {4, 2}) {
    const auto file = folder.write("cut.zip", whole.substr(0, whole.size() - whole.size() / part));
    EXPECT_THROW(import_inputs({file}, kit_labs()), Error) << part;
  }
}

TEST(IntakeUnread, TheEndOfAnArchiveInsideIsNotThatOfTheDownload) {
  const TemporaryFolder folder;
  const std::string whole = pack({{"ann/lab3.cu", kL3}, {"cat/lab3.cu", kL3}});
  // As of a stored archive of a student, or in a source: the record of a directory, but not of this file's.
  const std::string cut = whole.substr(0, whole.rfind("PK\3\4"));
  const std::string inner = pack({{"cat/lab3.cu", "no kernel"}});
  for (const std::string& tail : {inner.substr(inner.rfind("PK\5\6")), inner})
    EXPECT_THROW(import_inputs({folder.write("cut.zip", cut + tail)}, kit_labs()), Error);
  EXPECT_EQ(
      import_inputs({folder.write("whole.zip", whole)}, kit_labs(), all_labs()).submissions.size(),
      2u);
}

TEST(IntakeUnread, ATarWithoutItsEndIsRefused) {
  const TemporaryFolder folder;
  PackOptions options;
  options.ending = ".tar";
  const std::string whole = pack({{"ann/lab3.cu", kL3}, {"bob/lab3.cu", kL3}}, options);
  EXPECT_EQ(
      import_inputs({folder.write("whole.tar", whole)}, kit_labs(), all_labs()).submissions.size(),
      2u);
  const std::string cut = whole.substr(0, whole.find_last_not_of('\0') / 512 * 512 + 512);
  EXPECT_THROW(import_inputs({folder.write("cut.tar", cut)}, kit_labs()), Error);
}

TEST(IntakeUnread, ANewerSubmissionThatCannotBeReadIsTold) {
  const TemporaryFolder folder;
  const auto one = folder.write("one.zip", pack({{"alice/lab3.cu", kL3}, {"bob/lab3.cu", kL3}})),
             two = folder.write("two.zip", pack({{"alice/lab3.cu", " "}, {"bob/lab3.cu", kL3}}));
  for (const bool is_newer : {true, false}) {
    const Intake intake = import_inputs(is_newer ? std::vector{one, two} : std::vector{two, one},
                                        kit_labs(), all_labs());
    ASSERT_EQ(intake.submissions.size(), 2u);
    EXPECT_EQ(intake.submissions[0].source, kL3);
    const auto told =
        std::count_if(intake.remarks.begin(), intake.remarks.end(), [](const Remark& remark) {
          return remark.kind == Remark::Kind::refused && remark.student == "alice";
        });
    EXPECT_EQ(told, is_newer ? 1 : 0);
  }
}

TEST(IntakeUnread, OneFileOfSeveralInputsIsToldOnce) {
  const TemporaryFolder folder;
  for (const char* input : {"a", "b"}) folder.write(std::string(input) + "/ana/lab3.zip", "broken");
  const Intake intake =
      import_inputs({folder.path() / "a", folder.path() / "b"}, kit_labs(), all_labs());
  ASSERT_EQ(intake.submissions.size(), 1u);
  EXPECT_EQ(intake.submissions[0].path, "a/ana/lab3.zip");
  ASSERT_EQ(intake.remarks.size(), 1u);
  EXPECT_EQ(intake.remarks[0].path, "a/ana/lab3.zip");
  // The case of the grade that is blank for it is the only one.
  Gradebook book(folder.path() / "gradebook.sqlite");
  book.put_class(intake);
  const std::vector<Entry> entries = book.entries();
  EXPECT_EQ(review_cases(entries, grade_all(entries, {}), {}, book.remarks()).size(), 1u);
}

TEST(IntakeUnread, BesideWhatIsGradedTooWhateverTheirNamesSay) {
  const Intake intake = take_packed({{"alice/lab3.cu", kL3},
                                     {"alice/lab3_v2.cu", ""},
                                     {"bob/lab3.cu", ""},
                                     {"bob/lab3_v2.cu", kL3}});
  EXPECT_EQ(
      remarks(intake),
      (Lines{"refused alice/lab3_v2.cu [alice] it is empty; for lab3, alice/lab3.cu was graded",
             "refused bob/lab3.cu [bob] it is empty; for lab3, bob/lab3_v2.cu was graded"}));
}

/// Canvas's downloads of two assignments, of which `cut` comes without its end.
class ABrokenDownload : public testing::Test {
 protected:
  std::string whole(const std::string& lab) const {
    return pack({{"garciaana_101_1_" + lab + ".cu", kernel_of(lab)},
                 {"smithbob_102_2_" + lab + ".cu", kernel_of(lab)}});
  }
  Intake take_cut(const std::string& one, const std::string& cut) const {
    const std::string bytes = whole("lab3");
    folder_.write(one, whole("lab1"));
    folder_.write(cut, bytes.substr(0, bytes.size() - bytes.size() / 3));
    return import_inputs({folder_.path()}, kit_labs(), all_labs());
  }
  TemporaryFolder folder_;
};

TEST_F(ABrokenDownload, DoesNotHideWhatTheOthersAre) {
  const Intake intake = take_cut("week one.zip", "week two.zip");
  EXPECT_EQ(submissions(intake), (Lines{"garciaana-101 lab1 week one.zip/garciaana_101_1_lab1.cu",
                                        "smithbob-102 lab1 week one.zip/smithbob_102_2_lab1.cu"}));
  EXPECT_EQ(remarks(intake), (Lines{"unread week two.zip [] it is broken: its end is missing"}));
}

TEST_F(ABrokenDownload, SaysWhichLabItIsOfIfItsNameDoes) {
  const Intake intake = take_cut("lab1.zip", "lab3.zip");
  EXPECT_EQ(ids_of(intake), (Lines{"garciaana-101", "smithbob-102"}));
  EXPECT_EQ(remarks(intake), (Lines{"unread lab3.zip [] lab3: it is broken: its end is missing"}));
}

TEST_F(ABrokenDownload, AmongStudentsArchivesIsOneStudentsUnlessTheRosterKnowsNobodyOfTheName) {
  const std::string bytes = pack({{"lab3.cu", kL3}});
  folder_.write("class/alice.zip", bytes);
  folder_.write("class/bob.zip", bytes.substr(0, bytes.size() / 2));
  EXPECT_EQ(remarks(import_inputs({folder_.path() / "class"}, kit_labs())),
            Lines{"refused bob.zip [bob] it is broken: its end is missing"});
  IntakeOptions options = all_labs();
  options.roster_text = "Name,Login\nAlice A,alice\nBob B,bob\n";
  EXPECT_EQ(remarks(import_inputs({folder_.path() / "class"}, kit_labs(), options)),
            Lines{"refused bob.zip [bob] it is broken: its end is missing"});
  options.roster_text = "Name,Login\nAlice A,alice\nCarl C,carl\n";
  const Intake intake = import_inputs({folder_.path() / "class"}, kit_labs(), options);
  EXPECT_EQ(remarks(intake).at(0), "unread bob.zip [bob] it is broken: its end is missing");
}

}  // namespace
}  // namespace labkit::course
