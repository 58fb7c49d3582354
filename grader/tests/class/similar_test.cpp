#include "class/similar/similar.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "base/files.h"
#include "base/sha256.h"
#include "class_files.h"
#include "made_class.h"

namespace labkit::course {
namespace {

namespace fs = std::filesystem;

const fs::path& root() {
  static const fs::path the_root = LABKIT_SOURCE_DIR;
  return the_root;
}

/// What a kernel computes in both builds, `count` values of a number's own.
std::map<std::string, std::string> values(unsigned first, unsigned count = 60,
                                          const std::string& kernel = "k") {
  std::string text;
  for (unsigned i = 0; i < count; ++i)
    text += fmt::format(" {:x}:{}", 1000 * first + i, i % 40 + 1);
  return {{kernel, text.substr(1)}, {kernel + grade::kOptimised, text.substr(1)}};
}
/// Each with a text of its own.
SimilarSource source(const std::string& student, std::map<std::string, std::string> computed,
                     std::vector<std::string> group = {}) {
  return {student, "// by " + student, std::move(group), std::move(computed)};
}
/// Ten who have nothing in common.
std::vector<SimilarSource> ten() {
  std::vector<SimilarSource> sources;
  for (unsigned i = 0; i < 10; ++i) sources.push_back(source(fmt::format("s{}", i), values(i)));
  return sources;
}
std::string names(const std::vector<SimilarPair>& pairs) {
  std::string all;
  for (const SimilarPair& pair : pairs) all += pair.first + pair.second + " ";
  return all;
}

TEST(KnownCode, IsTheStubThatWasHandedOutWhateverATeacherTriedInItsPlace) {
  const fs::path folder =
      fs::temp_directory_path() / ("labkit_known_code_" + std::to_string(getpid()));
  fs::create_directories(folder);
  grade::Manifest lab;
  lab.directory = folder;
  write_file_atomically(folder / "kernel.cu", "a teacher's own");
  EXPECT_EQ(known_code(lab).stub, "a teacher's own");
  write_file_atomically(folder / ".stub", "the stub");
  EXPECT_EQ(known_code(lab).stub, "the stub");
  fs::remove_all(folder);
}

TEST(Similar, StubAndSolutionsDoNotCount) {
  std::vector<SimilarSource> sources = ten();
  sources[3].values = sources[7].values;
  KnownCode known;
  EXPECT_EQ(names(similar_pairs("lab1", sources, known)), "s3s7 ");
  known.solutions = {source("the kit", values(7))};
  EXPECT_EQ(names(similar_pairs("lab1", sources, known)), "") << "two who found the straight way";
  known.stub = sources[1].source = sources[2].source = "the stub";
  known.solutions[0].source = sources[4].source = sources[5].source = "the reference";
  EXPECT_EQ(names(similar_pairs("lab1", sources, known)), "");
}

TEST(Similar, WhatKernelsComputeTells) {
  std::vector<SimilarSource> sources = ten();
  EXPECT_EQ(names(similar_pairs("lab1", sources, {})), "");
  sources[3].values = values(7, 58);
  sources[3].values["k"] += " ffff:1 fffe:2";
  const auto pairs = similar_pairs("lab1", sources, {});
  ASSERT_EQ(names(pairs), "s3s7 ");
  EXPECT_EQ(pairs[0].note, "");
  EXPECT_EQ(pairs[0].lines.size(), 40u) << "each line once";
  EXPECT_DOUBLE_EQ(pairs[0].share_second, 58.0 / 60);
  sources[3].values = values(7, 30);
  EXPECT_EQ(names(similar_pairs("lab1", sources, {})), "s3s7 ") << "half, and nobody else has any";
  sources[3].values = values(7, 60, "another_kernel");
  EXPECT_EQ(names(similar_pairs("lab1", sources, {})), "");
  // What the compiler made the same of other steps.
  const std::string optimised = std::string("k") + grade::kOptimised;
  for (const std::size_t i : {3u, 7u}) sources[i].values[optimised] = values(99)["k"];
  EXPECT_EQ(names(similar_pairs("lab1", sources, {})), "s3s7 ");
}

TEST(Similar, WhatManyComputeSaysNothing) {
  std::vector<SimilarSource> sources = ten();
  sources[3].values = sources[5].values = sources[7].values;
  EXPECT_EQ(names(similar_pairs("lab1", sources, {})), "s3s5 s3s7 s5s7 ");
  sources[9].values = sources[7].values;
  EXPECT_EQ(names(similar_pairs("lab1", sources, {})), "");
}

TEST(Similar, TwoMustBeNearerToEachOtherThanToAnybodyElse) {
  std::vector<SimilarSource> sources = ten();
  sources[3].values = values(7, 10);
  const std::vector<SimilarSource> alone = sources;
  EXPECT_EQ(names(similar_pairs("lab1", sources, {})), "s3s7 ");
  sources[5].values = values(7, 24);
  EXPECT_EQ(names(similar_pairs("lab1", sources, {})), "") << "s5 is as near to either";
  const KnownCode known = {"", {source("the kit", values(7, 24))}};
  EXPECT_EQ(names(similar_pairs("lab1", alone, known)), "");
}

TEST(Similar, CodeThatDoesNotCompileIsComparedByItsLetters) {
  std::vector<SimilarSource> sources = ten();
  for (const std::size_t i : {2u, 4u}) sources[i].values.clear();
  EXPECT_EQ(names(similar_pairs("lab1", sources, {})), "");
  sources[2].source = "a ; b";
  sources[4].source = "a;\nb\n";
  const auto pairs = similar_pairs("lab1", sources, {});
  ASSERT_EQ(names(pairs), "s2s4 ");
  EXPECT_EQ(pairs[0].note, "The same text, letter for letter.");
  sources[5].source = "a;b";
  EXPECT_EQ(names(similar_pairs("lab1", sources, {})), "") << "three are in another list";
}

TEST(Similar, ThoseOfOneGroupAreNotHeldAgainstEachOther) {
  std::vector<SimilarSource> sources = {source("ana", values(1), {"ana", "bo"}),
                                        source("bo", values(1), {"ana", "bo"}),
                                        source("cy", values(2))};
  EXPECT_EQ(names(similar_pairs("lab1", sources, {})), "");
  sources.push_back(source("di", values(1), {"di", "ed"}));
  const auto pairs = similar_pairs("lab1", sources, {});
  ASSERT_EQ(names(pairs), "anadi ");
  EXPECT_EQ(pairs[0].note,
            "ana submitted with a group: ana, bo. di submitted with a group: di, ed.");
  // Bo submits alone what the group submitted.
  EXPECT_EQ(names(similar_pairs(
                "lab1", {source("ana", values(1), {"ana", "bo"}), source("bo", values(1))}, {})),
            "");
}

TEST(Similar, OfAClass) {
  const TemporaryFolder folder;
  Gradebook book(folder.path() / "g.sqlite");
  Intake intake = made_class(3, {"lab1", "lab3"});
  for (Submission& one : intake.submissions) one.source = one.student + one.lab;
  intake.submissions[2].source = intake.submissions[0].source + "\n";  // s1 lab1
  intake.submissions[5].source = intake.submissions[1].source;         // s2 lab3
  intake.submissions[5].problem = "it is empty";
  for (Submission& one : intake.submissions) one.source_sha256 = sha256_hex(one.source);
  book.put_class(intake);
  const auto pairs = find_similar(book, kit_labs());
  ASSERT_EQ(names(pairs), "s0s1 ");
  EXPECT_EQ(pairs[0].lab, "lab1");
}

TEST(Similar, PairsOfSeveralLabsComeFirst) {
  const TemporaryFolder folder;
  Gradebook book(folder.path() / "g.sqlite");
  Intake intake = made_class(5, {"lab1", "lab3"});
  for (Submission& one : intake.submissions) {
    one.source = one.student + one.lab;
    if (one.student == "s4" || (one.student == "s1" && one.lab == "lab1"))
      one.source = (one.student == "s1" ? "s0" : "s3") + one.lab;
    one.source_sha256 = sha256_hex(one.source);
  }
  book.put_class(intake);
  const auto pairs = find_similar(book, kit_labs());
  ASSERT_EQ(names(pairs), "s3s4 s3s4 s0s1 ");
  EXPECT_EQ(pairs[0].note, "Listed in lab3, too. The same text, letter for letter.");
  EXPECT_EQ(pairs[1].note, "Listed in lab1, too. The same text, letter for letter.");
  EXPECT_EQ(pairs[2].note, "The same text, letter for letter.");
}

TEST(Similar, OfALargeClassTheMostTellingAreListed) {
  std::vector<SimilarSource> sources;  // two of each
  for (unsigned i = 0; i < 2 * (kMostSimilarPairs + 5); ++i)
    sources.push_back(source(fmt::format("s{:03}", i), values(i / 2)));
  const auto pairs = similar_pairs("lab1", sources, {});
  EXPECT_EQ(pairs.size(), kMostSimilarPairs);
  EXPECT_GE(pairs.front().weight, pairs.back().weight);
}

TEST(SameSources, AreThoseOfASolutionAndThoseOfMany) {
  const TemporaryFolder folder;
  Gradebook book(folder.path() / "g.sqlite");
  const grade::Manifest& lab3 = kit_labs().at(3);
  const std::string solution = "solutions/" + lab3.folder + "/" + lab3.reference;
  Intake intake = made_class(6, {"lab3"});
  const auto submit = [&](std::size_t student, const std::string& source) {
    intake.submissions[student].source = source;
    intake.submissions[student].source_sha256 = sha256_hex(source);
  };
  const std::string reference = read_file(root() / solution);
  submit(0, reference);
  submit(1, "\n\n" + reference + "  ");
  submit(2, reference + "// mine");
  for (const std::size_t student : {3u, 4u, 5u}) submit(student, "one text");
  book.put_class(intake);
  const auto same = find_same(book, kit_labs());
  ASSERT_EQ(same.size(), 2u);
  EXPECT_EQ(same[0].students, (std::vector<std::string>{"s0", "s1"}));
  EXPECT_EQ(same[0].solution, solution);
  EXPECT_EQ(same[1].students, (std::vector<std::string>{"s3", "s4", "s5"}));
  EXPECT_EQ(same[1].solution, "");
}

}  // namespace
}  // namespace labkit::course
