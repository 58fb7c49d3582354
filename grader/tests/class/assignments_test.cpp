// What was set for which download, and what is graded of it.
#include "class/intake/assignments.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files.h"
#include "base/path_names.h"
#include "intake_lines.h"

namespace labkit::course {
namespace {

using RemarkKind = Remark::Kind;

TEST(Pattern, IsOneInAnySpelling) {
  for (const char* name : {"Lab 3 submissions.zip", "lab3.zip", "LAB_3 (1).zip", "Lab 3"})
    EXPECT_TRUE(fits_pattern(name, "Lab 3*")) << name;
  for (const char* name : {"Lab 30.zip", "lab 2.zip", "my lab 3.zip", ""})
    EXPECT_FALSE(fits_pattern(name, "Lab 3*")) << name;
  EXPECT_TRUE(fits_pattern("cs101 hw3 final.zip", "*hw3*"));
  EXPECT_FALSE(fits_pattern("cs101 hw31.zip", "*hw3*"));
  EXPECT_TRUE(fits_pattern("submissions.zip", "*"));
  EXPECT_TRUE(fits_pattern("submissions.zip", "submissions.zip"));
  EXPECT_FALSE(fits_pattern("submissions (1).zip", "submissions.zip"));
  EXPECT_TRUE(fits_pattern("abcabd", "ab*abd"));
  EXPECT_FALSE(fits_pattern("ab", "ab*ab"));
}

TEST(AssignmentsFile, SaysLabsDownloadsAndDue) {
  const Assignments read(
      "[[assignment]]\nname = \"Week 1\"\nlabs = [\"lab1\", \"Lab 0\"]\ndownloads = [\"*hw1*\"]\n"
      "due = 2026-11-02T23:59:00+01:00\n[[assignment]]\nlabs = [\"lab3\"]\n",
      "assignments.toml", kit_labs());
  ASSERT_EQ(read.all().size(), 2u);
  EXPECT_EQ(read.all()[0].labs, (Lines{"lab0", "lab1"}));
  EXPECT_EQ(read.all()[0].due, 1793660340);
  EXPECT_EQ(read.all()[1].name, "lab3");
  EXPECT_TRUE(read.all()[0].is_of("hw1.zip"));
  EXPECT_FALSE(read.all()[0].is_of("hw2.zip"));
  EXPECT_EQ(read.of_lab("lab1"), read.all().data());
  EXPECT_EQ(read.of_lab("lab2"), nullptr);
}

TEST(AssignmentsFile, IsRefusedWithItsLine) {
  const struct {
    const char *toml, *line;
  } all[] = {{"[[assignment]]\nlabs = [\"lab99\"]\n", "a.toml:2:"},
             {"[[assignment]]\nlabs = \"lab3\"\n", "a.toml:2:"},
             {"[[assignment]]\nname = \"x\"\n", "a.toml:1:"},
             {"[[assignment]]\nlabs = [\"lab3\"]\ndue = \"tomorrow\"\n", "a.toml:3:"},
             {"[[assignment]]\nlabs = [\"lab3\"]\ndue = 2026-11-02T23:59:00\n", "a.toml:3:"},
             {"[[assignment]]\nlabs = [\"lab3\"]\n[[assignment]]\nlabs = [\"lab3\", \"lab1\"]\n",
              "a.toml:3:"},
             {"[[assignment]]\nlabs = [\"lab3\"]\nlate = 3\n", "a.toml:3:"},
             {"missing = \"zero\"\n", "a.toml:1:"},
             {"[[assignment\n", "a.toml:1:"}};
  for (const auto& [toml, line] : all) try {
      const Assignments read(toml, "a.toml", kit_labs());
      ADD_FAILURE() << toml;
    } catch (const UsageError& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with(line)) << error.what();
    }
}

TEST(AssignmentsFile, WhatTheKitWritesItReads) {
  const Assignment one = assignment_from("Lab 3*=lab3,lab1", kit_labs());
  EXPECT_EQ(one.labs, (Lines{"lab1", "lab3"}));
  const Assignments read(assignments_head() + assignment_toml(one), "a.toml", kit_labs());
  ASSERT_EQ(read.all().size(), 1u);
  EXPECT_EQ(read.all()[0].name, "lab1+lab3");
  EXPECT_EQ(assignment_from("lab3", kit_labs()).downloads, (Lines{"*"}));
  for (const char* text : {"Lab 3*=", "x=lab99", "=lab3", ""})
    EXPECT_THROW(assignment_from(text, kit_labs()), UsageError) << text;
}

/// All labs as they are handed out, but `lab`, which is somebody's own.
std::vector<Packed> whole_kit(const std::string& lab, const std::string& source) {
  std::vector<Packed> files;
  for (const grade::Manifest& one : kit_labs())
    files.push_back({"kit/labs/" + one.folder + "/kernel.cu",
                     one.id == lab ? source : read_file(one.directory / "kernel.cu", 1u << 20)});
  return files;
}
const std::string kYaml =
    "submission_1:\n  :submitters:\n  - :name: Ana\n    :sid: '7'\n  :created_at: 2026-10-04 "
    "10:00:00 Z\n";

IntakeOptions asked(const std::string& text) {
  IntakeOptions options;
  options.assignments = {assignment_from(text, kit_labs())};
  return options;
}

TEST(AssignedIntake, OfAWholeKitOnlyWhatWasSetIsGraded) {
  std::vector<Packed> files = whole_kit("lab1", kL1);
  for (Packed& one : files)
    if (one.name.find("lab3_") != std::string::npos) one.contents = kL3;
  const Intake intake =
      take_packed({{"ana_11_501_kit.zip", pack(files)}}, "Lab 3 submissions.zip", {});
  EXPECT_EQ(submissions(intake),
            (Lines{"ana-11 lab3 ana_11_501_kit.zip/kit/labs/lab3_corner_turning/kernel.cu"}));
  ASSERT_EQ(intake.roots.size(), 1u);
  EXPECT_EQ(intake.roots[0].labs, (Lines{"lab3"}));
  const auto also = std::find_if(intake.remarks.begin(), intake.remarks.end(),
                                 [](const Remark& one) { return one.kind == RemarkKind::also; });
  ASSERT_NE(also, intake.remarks.end());
  EXPECT_EQ(also->text, "lab1 (1)");
}

TEST(AssignedIntake, WithoutAWordNothingIsGraded) {
  for (const auto& [name, files] : std::vector<std::pair<std::string, std::vector<Packed>>>{
           {"submissions.zip", {{"ana_11_501_lab3.cu", kL3}, {"bo_12_502_lab3.cu", kL3}}},
           {"CS101.zip", {{"Ana A_17_assignsubmission_file_/lab3.cu", kL3}}},
           {"assignment_99_export.zip",
            {{"submission_metadata.yml", kYaml}, {"submission_1/lab3.cu", kL3}}},
           {"class.zip", {{"ana.zip", pack(whole_kit("lab3", kL3))}}}}) {
    const Intake intake = take_packed(files, name, {});
    EXPECT_EQ(intake.unassigned, (Lines{name}));
    EXPECT_TRUE(intake.submissions.empty());
    const Intake said = take_packed(files, name, asked(name + "=lab3"));
    EXPECT_TRUE(said.unassigned.empty());
    EXPECT_FALSE(said.submissions.empty()) << name;
    for (const Submission& one : said.submissions) EXPECT_EQ(one.lab, "lab3");
  }
}

TEST(AssignedIntake, APlainFolderNamesItsLabsByItsFiles) {
  const Intake intake = take_packed(
      {{"ana/lab3.cu", kL3}, {"ana/lab1_vecadd_coalescing/kernel.cu", kL1}, {"bo/kernel.cu", kL3}},
      "class.zip", {});
  EXPECT_TRUE(intake.unassigned.empty());
  EXPECT_EQ(submissions(intake),
            (Lines{"ana lab1 ana/lab1_vecadd_coalescing/kernel.cu", "ana lab3 ana/lab3.cu"}));
  ASSERT_EQ(intake.remarks.size(), 1u);
  EXPECT_EQ(intake.remarks[0].kind, RemarkKind::no_lab);
  EXPECT_EQ(intake.remarks[0].student, "bo");
}

TEST(AssignedIntake, ALabThatFewNameIsAskedFor) {
  std::vector<Packed> files = {{"jay/lab2.cu", kernel_of("lab2")}};
  for (const char* student : {"ana", "bo", "cy"})
    files.push_back({std::string(student) + "/lab3.cu", kL3});
  EXPECT_EQ(take_packed(files, "class.zip", {}).unassigned, (Lines{"class.zip"}));
  EXPECT_TRUE(take_packed(files, "class.zip", asked("other*=lab2")).unassigned.empty())
      << "it was set before";
  const Intake said = take_packed(files, "class.zip", asked("class.zip=lab3"));
  EXPECT_TRUE(said.unassigned.empty());
  EXPECT_EQ(said.submissions.size(), 3u);
  files.push_back({"ana/lab2.cu", kernel_of("lab2")});
  EXPECT_TRUE(take_packed(files, "class.zip", {}).unassigned.empty()) << "half of them";
}

TEST(AssignedIntake, RepositoriesNameTheirAssignmentThenTheirStudent) {
  const auto clones = [](const std::vector<std::string>& names) {
    std::vector<Packed> files;
    for (const std::string& name : names)
      for (Packed one : whole_kit("lab3", kL3)) {
        one.name = name + one.name.substr(3);  // without "kit"
        files.push_back(one);
      }
    return take_packed(files, "clones.zip", {});
  };
  const Intake first = clones({"cs101-lab3-alice", "cs101-lab3-jgarcia"});
  EXPECT_EQ(first.unassigned, (Lines{}));
  ASSERT_EQ(first.submissions.size(), 2u);
  EXPECT_EQ(first.submissions[0].lab, "lab3");
  EXPECT_EQ(students(first), (Lines{"alice: alice", "jgarcia: jgarcia"}));
  EXPECT_EQ(students(clones({"lab-3-jgarcia", "lab-3-alice"})), students(first));
  EXPECT_EQ(clones({"cs101-lab2-alice", "cs101-lab3-jgarcia"}).unassigned, (Lines{"clones.zip"}));
}

TEST(AssignedIntake, AnUnchangedStubIsNotSubmitted) {
  const std::string stub = read_file(kit_labs().at(3).directory / "kernel.cu", 1u << 20);
  const Intake intake = take_packed({{"ana/lab3.cu", stub}, {"bo/lab3.cu", kL3}});
  EXPECT_EQ(submissions(intake), (Lines{"bo lab3 bo/lab3.cu"}));
  ASSERT_EQ(intake.remarks.size(), 1u);
  EXPECT_EQ(intake.remarks[0].kind, RemarkKind::stub);
}

TEST(AssignedIntake, WhoSubmittedOnlyAnotherLabIsACase) {
  const Intake intake = take_packed(
      {{"ana_11_501_lab4.cu", kernel_of("lab4")}, {"bo_12_502_lab3.cu", kL3}}, "Lab 3.zip", {});
  EXPECT_EQ(submissions(intake), (Lines{"bo-12 lab3 bo_12_502_lab3.cu"}));
  EXPECT_EQ(std::count_if(intake.remarks.begin(), intake.remarks.end(),
                          [](const Remark& one) {
                            return one.kind == RemarkKind::no_lab && one.student == "ana-11";
                          }),
            1);
}

TEST(AssignedIntake, WhoLeftTheLabAsItWasHandedOutIsNoCase) {
  const Intake intake = take_packed(
      {{"ana_11_501_kit.zip", pack(whole_kit("lab1", kL1))}, {"bo_12_502_lab3.cu", kL3}},
      "Lab 3.zip", {});
  EXPECT_EQ(submissions(intake), (Lines{"bo-12 lab3 bo_12_502_lab3.cu"}));
  for (const Remark& one : intake.remarks) EXPECT_NE(one.kind, RemarkKind::no_lab) << one.text;
}

TEST(AssignedIntake, AKitAloneInItsFolderIsItsStudents) {
  for (const char* folder : {"heidi/", "heidi/cuda-memory-labs/", "heidi/cuda-memory-labs.zip/"}) {
    std::vector<Packed> files = whole_kit("lab1", kL1);
    for (Packed& one : files) one.name = one.name.substr(4);  // without "kit/"
    const std::string name = folder;
    if (name.ends_with(".zip/"))
      files = {{name.substr(0, name.size() - 1), pack(files)}};
    else
      for (Packed& one : files) one.name = name + one.name;
    const Intake intake = take_packed(files, "Lab 1 late.zip", {});
    ASSERT_EQ(intake.submissions.size(), 1u) << folder;
    EXPECT_EQ(intake.submissions[0].student, "heidi") << folder;
  }
}

/// A lone folder with an archive in it, and the same in another whose name says nothing.
TEST(AssignedIntake, AnArchiveInALoneFolderIsNoStudent) {
  const std::string kit = pack(whole_kit("lab3", kL3));
  IntakeOptions options = asked("*=lab3");
  for (const char* path : {"alice/kit.zip", "class/alice/kit.zip", "submissions/alice/kit.zip"}) {
    options.roster_text = "Name,Login\nAlice A,alice\nBo B,bo\n";
    const Intake known = take_packed({{path, kit}}, "X.zip", options);
    ASSERT_EQ(known.submissions.size(), 1u) << path;
    EXPECT_EQ(known.submissions[0].student, "alice") << path;
    EXPECT_EQ(known.students.size(), 2u);
    options.roster_text.clear();
    const Intake unknown = take_packed({{path, kit}}, "X.zip", options);
    ASSERT_EQ(unknown.submissions.size(), 1u) << path;
    EXPECT_NE(unknown.submissions[0].student, "kit") << path;
  }
}

TEST(AssignedIntake, OneFileMayHoldAllThatWasSet) {
  const Intake intake =
      take_packed({{"ana/all.cu", kL1 + kL3}}, "week.zip", asked("week*=lab1,lab3"));
  EXPECT_EQ(submissions(intake), (Lines{"ana lab1 ana/all.cu", "ana lab3 ana/all.cu"}));
}

TEST(AssignedIntake, ARepositoryIsItsStudents) {
  IntakeOptions options;
  options.roster_text = "Name,Login\nAlice A,alice\nBob B,bob-b\n";
  const Intake intake = take_packed({{"cuda-memory-labs-alice/lab3.cu", kL3},
                                     {"cs101-labs-bob-b/lab3.cu", kL3},
                                     {"cuda-memory-labs-carol-main/lab3.cu", kL3}},
                                    "clones.zip", options);
  EXPECT_EQ(submissions(intake), (Lines{"alice lab3 cuda-memory-labs-alice/lab3.cu",
                                        "bob-b lab3 cs101-labs-bob-b/lab3.cu",
                                        "carol lab3 cuda-memory-labs-carol-main/lab3.cu"}));
  EXPECT_TRUE(intake.missing.empty());
}

TEST(AssignedIntake, ANameMaySayTwoLabs) {
  for (const char* name : {"Labs 3 and 4.zip", "CS101-Labs 3 & 4-4713.zip", "lab3_lab4.zip"}) {
    const Intake intake = take_packed({{"ana_11_501_lab3.cu", kL3}}, name, {});
    ASSERT_EQ(intake.roots.size(), 1u);
    EXPECT_EQ(intake.roots[0].labs, (Lines{"lab3", "lab4"})) << name;
  }
}

TEST(AssignedIntake, LinesMayEndWithACarriageReturnAlone) {
  std::string source = "// mine\n" + kL3;
  std::replace(source.begin(), source.end(), '\n', '\r');
  const Intake intake = take_packed({{"ana/lab3.cu", source}});
  ASSERT_EQ(intake.submissions.size(), 1u);
  EXPECT_EQ(intake.submissions[0].source.find('\r'), std::string::npos);
}

TEST(AssignedIntake, AnArchiveOfManyFilesTellsAFewLines) {
  std::vector<Packed> many;
  for (int i = 0; i < 300; ++i) many.push_back({"x" + std::to_string(i) + ".cu", "no kernel"});
  const Intake intake = take_packed({{"ana.zip", pack(many)}, {"bo/lab3.cu", kL3}}, "class.zip");
  EXPECT_LE(intake.remarks.size(), 12u);
  EXPECT_NE(intake.remarks[9].text.find("290 more"), std::string::npos) << intake.remarks[9].text;
}

}  // namespace
}  // namespace labkit::course
