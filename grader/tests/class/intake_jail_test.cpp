// Taken in inside of the jail, a class is the same class.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "class/intake/intake.h"
#include "class_files.h"
#include "intake_lines.h"

namespace labkit::course {
namespace {

void expect_same(const Intake& here, const Intake& jailed) {
  ASSERT_EQ(here.students.size(), jailed.students.size());
  for (std::size_t i = 0; i < here.students.size(); ++i) {
    EXPECT_EQ(here.students[i].id, jailed.students[i].id);
    EXPECT_EQ(here.students[i].name, jailed.students[i].name);
    EXPECT_EQ(here.students[i].keys, jailed.students[i].keys);
    EXPECT_EQ(here.students[i].on_roster, jailed.students[i].on_roster);
  }
  ASSERT_EQ(here.submissions.size(), jailed.submissions.size());
  for (std::size_t i = 0; i < here.submissions.size(); ++i) {
    const Submission &one = here.submissions[i], &other = jailed.submissions[i];
    EXPECT_EQ(
        one.student + one.lab + one.path + one.lms_id + one.download + one.problem,
        other.student + other.lab + other.path + other.lms_id + other.download + other.problem);
    EXPECT_EQ(one.source, other.source);
    EXPECT_EQ(one.source_sha256, other.source_sha256);
    EXPECT_EQ(one.late, other.late);
    EXPECT_EQ(one.submitted_at, other.submitted_at);
    EXPECT_EQ(one.group, other.group);
  }
  ASSERT_EQ(here.remarks.size(), jailed.remarks.size());
  for (std::size_t i = 0; i < here.remarks.size(); ++i) {
    EXPECT_EQ(here.remarks[i].kind, jailed.remarks[i].kind);
    EXPECT_EQ(here.remarks[i].path + here.remarks[i].student + here.remarks[i].text,
              jailed.remarks[i].path + jailed.remarks[i].student + jailed.remarks[i].text);
  }
  ASSERT_EQ(here.roots.size(), jailed.roots.size());
  for (std::size_t i = 0; i < here.roots.size(); ++i) {
    EXPECT_EQ(here.roots[i].prefix, jailed.roots[i].prefix);
    EXPECT_EQ(here.roots[i].format, jailed.roots[i].format);
    EXPECT_EQ(here.roots[i].label, jailed.roots[i].label);
  }
  EXPECT_EQ(here.missing, jailed.missing);
}

const std::string kSource = kernel_of("lab1");

std::vector<Packed> some_class() {
  return {{"alice/lab1.cu", kSource},
          {"bob/lab1.cu", "// \xff\xfe no UTF-8\n" + kSource},
          {"carol.tar.gz", pack({{"lab1.cu", kSource}}, {.ending = ".tar.gz"})},
          {"dave/lab1.cu", ""},
          {"李伟/lab1.cu", kSource},
          {"eve/../../etc/passwd", "root"},
          {"frank/kernel.cu", "// no kernel"}};
}

TEST(IntakeJail, AnArchiveIsTheSame) {
  const TemporaryFolder folder;
  for (const char* ending : {".zip", ".tar", ".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst"}) {
    SCOPED_TRACE(ending);
    const auto input =
        folder.write(std::string("class") + ending, pack(some_class(), {.ending = ending}));
    const Intake here = import_inputs({input}, kit_labs(), all_labs());
    EXPECT_GE(here.submissions.size(), 4u);
    expect_same(here, import_sandboxed({input}, kit_labs()));
  }
}

TEST(IntakeJail, NamesInAnOldCharacterSetAreTheSame) {
  const TemporaryFolder folder;
  const auto input =
      folder.write("class.zip", pack({{"M\x81ller/lab1.cu", kSource}}, {.utf8_flag = false}));
  expect_same(import_inputs({input}, kit_labs()), import_sandboxed({input}, kit_labs()));
}

TEST(IntakeJail, AFolderWithARosterIsTheSame) {
  const TemporaryFolder folder;
  folder.write("class/alice/lab1.cu", kSource);
  folder.write("class/bob.zip", pack({{"lab1.cu", kSource}}));
  IntakeOptions options = all_labs();
  options.roster_text = "id,name\nalice,Alice\nzoe,Zoe\n";
  const Intake here = import_inputs({folder.path() / "class"}, kit_labs(), options);
  EXPECT_EQ(here.missing.size(), 1u);
  expect_same(here, import_sandboxed({folder.path() / "class"}, kit_labs(), options));
}

TEST(IntakeJail, ErrorsAreTheSame) {
  const TemporaryFolder folder;
  const auto said = [](const auto& action) {
    try {
      action();
    } catch (const Error& error) {
      return std::string(error.what()) + "|" + error.remedy();
    }
    return std::string("no error");
  };
  for (const auto& input : {folder.path() / "nowhere", folder.write("class.rar", "Rar!\x1a\x07"),
                            folder.write("broken.zip", "PK\x03\x04 and no more")}) {
    SCOPED_TRACE(input.string());
    const std::string here = said([&] { import_inputs({input}, kit_labs()); });
    EXPECT_NE(here, "no error");
    EXPECT_EQ(here, said([&] { import_sandboxed({input}, kit_labs()); }));
  }
}

/// Of a class of whom two files take longer than any share, as only a fault of the kit's can make them.
}  // namespace
}  // namespace labkit::course
