// Plain folders: whose is what, and which file is meant.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/files.h"
#include "base/sha256.h"
#include "class/intake/intake.h"
#include "class_files.h"
#include "intake_lines.h"

namespace labkit::course {
namespace {

using Kind = Packed::Kind;

/// One of the kit's own files.
std::string kit_solution() {
  return read_file(std::filesystem::path(LABKIT_SOURCE_DIR) / "solutions" / "lab3_corner_turning" /
                       kit_labs().at(3).reference,
                   1u << 20);
}

TEST(IntakePlain, PlainFoldersInEveryWayTheyAreLaidOut) {
  const Intake intake =
      take_packed({{"submissions/alice/lab3.cu", kL3},
                   {"submissions/alice/lab1_vecadd_coalescing/kernel.cu", kL1},
                   {"submissions/bob/submitted/matmul.cu", kL5},
                   {"submissions/carol.zip", pack({{"stuff/Lab 3/kernel.cu", kL3}})},
                   {"submissions/dave/kernel.cu", "// no kernel"},
                   {"submissions/李伟/lab3.cu.txt", kL3},
                   {"submissions/empty", "", Kind::folder}});
  EXPECT_EQ(
      submissions(intake),
      (Lines{"alice lab1 submissions/alice/lab1_vecadd_coalescing/kernel.cu",
             "alice lab3 submissions/alice/lab3.cu", "bob lab5 submissions/bob/submitted/matmul.cu",
             "carol lab3 submissions/carol.zip/stuff/Lab 3/kernel.cu",
             "李伟 lab3 submissions/李伟/lab3.cu.txt"}));
  EXPECT_EQ(students(intake), (Lines{"alice: alice", "bob: bob", "carol: carol", "dave: dave",
                                     "empty: empty", "李伟: 李伟"}));
  EXPECT_EQ(remarks(intake), (Lines{"no_lab submissions/dave/kernel.cu [dave] neither its name nor "
                                    "a kernel in it says which lab it is for"}));
  EXPECT_EQ(intake.missing, (Lines{}));
  EXPECT_EQ(intake.submissions[0].source, kL1);
  EXPECT_EQ(intake.submissions[0].source_sha256, sha256_hex(kL1));
}

TEST(IntakePlain, TwoFilesForOneLabThatOnlyTheirNamesTellApartAreACase) {
  const std::string other = kL3 + "\n// another try\n";
  const Intake intake = take_packed({{"alice/lab3.cu", kL3},
                                     {"alice/lab3_final.cu", other},
                                     {"bob/kernel.cu", kL3},
                                     {"bob/copy of kernel.cu", kL3},
                                     {"carol/lab3.cu", kL3},
                                     {"carol/notes_lab3.cu", "// no kernel"}});
  EXPECT_EQ(submissions(intake), (Lines{"alice lab3 alice/lab3.cu", "bob lab3 bob/kernel.cu",
                                        "carol lab3 carol/lab3.cu"}));
  EXPECT_EQ(
      remarks(intake),
      (Lines{"several alice/lab3_final.cu [alice] lab3: it holds the kernel as well; "
             "alice/lab3.cu was graded",
             "not_chosen bob/copy of kernel.cu [bob] for lab3, bob/kernel.cu was graded, which "
             "is the same",
             "not_chosen carol/notes_lab3.cu [carol] for lab3, carol/lab3.cu was graded"}));
}

TEST(IntakePlain, OneFileWithTheKernelsOfTwoLabsIsForBothUnlessItsNameSaysOne) {
  const Intake intake =
      take_packed({{"alice/all.cu", kL3 + "\n" + kL5}, {"bob/lab3.cu", kL3 + "\n" + kL5}});
  EXPECT_EQ(submissions(intake),
            (Lines{"alice lab3 alice/all.cu", "alice lab5 alice/all.cu", "bob lab3 bob/lab3.cu"}));
  EXPECT_TRUE(intake.remarks.empty());
}

TEST(IntakePlain, FoldersOfLabsAndLooseFiles) {
  const Intake labs =
      take_packed({{"lab1/alice.cu", kL1}, {"lab3/alice/kernel.cu", kL3}, {"lab3/bob.cu", "x"}},
                  "class.zip", {});
  EXPECT_EQ(submissions(labs), (Lines{"alice lab1 lab1/alice.cu", "alice lab3 lab3/alice/kernel.cu",
                                      "bob lab3 lab3/bob.cu"}));
  EXPECT_EQ(submissions(take_packed({{"labs/lab3/alice.cu", kL3}, {"labs/lab3/bob.cu", kL3}},
                                    "class.zip", {})),
            (Lines{"alice lab3 labs/lab3/alice.cu", "bob lab3 labs/lab3/bob.cu"}));
  const Intake loose =
      take_packed({{"alice_lab3.cu", kL3}, {"bob_lab3_final.cu", kL3}, {"lab3.cu", kL3}});
  EXPECT_EQ(submissions(loose), (Lines{"alice lab3 alice_lab3.cu", "bob lab3 bob_lab3_final.cu"}));
  EXPECT_EQ(remarks(loose),
            (Lines{"unread lab3.cu [] not in a student's folder, and its name says no student"}));
}

TEST(IntakePlain, TheBestOfSeveralFilesIsChosenAndSaid) {
  const Intake intake =
      take_packed({{"alice/attempt_1/lab3.cu", kernel_of("lab3", "1")},
                   {"alice/attempt_2/lab3.cu", kernel_of("lab3", "2")},
                   {"bob/lab3.cu", kL3},
                   {"bob/lab3 stub/kernel.cu", "__global__ void corner_turn() {}"},
                   {"bob/solutions/lab3_corner_turning/correct/tile.cu", kit_solution()},
                   {"carol/lab3.cu", ""},
                   {"carol/old/lab3.cu", kL3},
                   {"dave/lab3.cu", kL5}});
  EXPECT_EQ(submissions(intake),
            (Lines{"alice lab3 alice/attempt_2/lab3.cu", "bob lab3 bob/lab3.cu",
                   "carol lab3 carol/old/lab3.cu", "dave lab3 dave/lab3.cu"}));
  EXPECT_EQ(remarks(intake).size(), 4u);
}

TEST(IntakePlain, SolutionsOfAWholeKitAreTheKits) {
  const std::string place = "solutions/lab3_corner_turning/correct/";
  const Intake intake = take_packed({{"alice/" + place + "kernel.cu", kL3},
                                     {"bob/" + place + "tile.cu", kit_solution()},
                                     {"bob/labs/lab3_corner_turning/kernel.cu", kL3}});
  EXPECT_EQ(submissions(intake), (Lines{"alice lab3 alice/" + place + "kernel.cu",
                                        "bob lab3 bob/labs/lab3_corner_turning/kernel.cu"}));
  EXPECT_EQ(remarks(intake), Lines{"left_alone bob/" + place +
                                   "tile.cu [bob] it is not a source file and was ignored"});
}

TEST(IntakePlain, WhatLiesBesideTheFoldersIsNoStudent) {
  const Intake intake = take_packed({{"README.txt", "read me"},
                                     {"roster.csv", "Name\nAna\n"},
                                     {"Makefile", "all:"},
                                     {".DS_Store", "x"},
                                     {"slides.pdf", "%PDF"},
                                     {"alice/lab3.cu", kL3},
                                     {"alice/README", "mine"},
                                     {"bob.cu", kL3},
                                     {"carol.zip", pack({{"lab3.cu", kL3}})},
                                     {"dave.rar", "Rar!"},
                                     {"erin_lab3.txt", kL3},
                                     {"j.smith.cu", kL3},
                                     {"j.doe.cu", kL3}});
  EXPECT_EQ(students(intake), (Lines{"alice: alice", "bob: bob", "carol: carol", "dave: dave",
                                     "erin: erin", "j-doe: j.doe", "j-smith: j.smith"}));
  Lines nobodys;
  for (const Remark& one : intake.remarks)
    if (one.kind == Remark::Kind::nobody) nobodys.push_back(one.path);
  EXPECT_EQ(nobodys, (Lines{"README.txt", "roster.csv", "Makefile", "slides.pdf"}));
}

// Who submitted something that nobody can grade has submitted something: a case for the teacher, and no zero.
TEST(IntakePlain, WorkInAWrongFormIsACaseAndNotNothing) {
  const Intake intake = take_packed({{"amy/lab3.pdf", "%PDF"},
                                     {"ben/lab3.exe", "MZ"},
                                     {"cas/lab3.cu", kL3},
                                     {"cas/report.pdf", "%PDF"},
                                     {"dan/notes.ipynb", "{}"},
                                     {"dan/more.ipynb", "{}"},
                                     {"eve/README.md", "hello"}},
                                    "class.zip");
  EXPECT_EQ(submissions(intake),
            (Lines{"amy lab3 amy/lab3.pdf (it is not a .cu file)",
                   "ben lab3 ben/lab3.exe (it is not a .cu file)", "cas lab3 cas/lab3.cu"}));
  std::string told;
  for (const std::string& line : remarks(intake)) told += line + "\n";
  EXPECT_NE(told.find("refused amy/lab3.pdf"), std::string::npos) << told;
  // A line for all that came with it.
  EXPECT_NE(told.find("no_lab dan/notes.ipynb"), std::string::npos) << told;
  EXPECT_NE(told.find("left_alone dan/more.ipynb"), std::string::npos) << told;
  EXPECT_EQ(told.find("left_alone amy"), std::string::npos) << told;
  EXPECT_EQ(told.find("no_lab cas/report.pdf"), std::string::npos) << told;
}

}  // namespace
}  // namespace labkit::course
