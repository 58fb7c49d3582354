#include "class/similar/similar.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <regex>
#include <set>

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

/// What a copier does first: every name of the student's own another one.
std::string with_other_names(const std::string& source) {
  static const std::set<std::string> kept_words = {"if",
                                                   "else",
                                                   "for",
                                                   "while",
                                                   "return",
                                                   "template",
                                                   "w",
                                                   "typename",
                                                   "void",
                                                   "int",
                                                   "float",
                                                   "double",
                                                   "const",
                                                   "constexpr",
                                                   "unsigned",
                                                   "long",
                                                   "bool",
                                                   "auto",
                                                   "extern",
                                                   "static_cast",
                                                   "x",
                                                   "y",
                                                   "z",
                                                   "threadIdx",
                                                   "blockIdx",
                                                   "blockDim",
                                                   "gridDim",
                                                   "continue",
                                                   "asm",
                                                   "volatile",
                                                   "make_float4",
                                                   "make_double2",
                                                   "pragma",
                                                   "unroll",
                                                   "float4",
                                                   "double2",
                                                   "reinterpret_cast",
                                                   "sizeof",
                                                   "struct",
                                                   "size_t",
                                                   "static",
                                                   "min",
                                                   "true",
                                                   "false",
                                                   "define",
                                                   "include",
                                                   "using",
                                                   "inline"};
  static const std::regex a_word(R"([A-Za-z_][A-Za-z_0-9]*|[0-9][A-Za-z_0-9.]*)");
  std::string text;
  std::size_t last = 0;
  for (std::sregex_iterator at(source.begin(), source.end(), a_word), end; at != end; ++at) {
    text += source.substr(last, static_cast<std::size_t>(at->position()) - last);
    const std::string word = at->str();
    const bool kept =
        kept_words.contains(word) || word.starts_with("__") || (word[0] >= '0' && word[0] <= '9');
    text += kept ? word : "my_" + word;
    last = static_cast<std::size_t>(at->position() + at->length());
  }
  return text + source.substr(last);
}

std::string without_comments(const std::string& source) {
  return std::regex_replace(source, std::regex("//[^\n]*"), "");
}

SimilarSource source(const std::string& student, const std::string& text,
                     std::vector<std::string> group = {}) {
  return {student, text, std::move(group), {}};
}
std::vector<SimilarPair> pairs_of(const std::vector<std::pair<std::string, std::string>>& sources,
                                  const KnownCode& known = {}) {
  std::vector<SimilarSource> list;
  list.reserve(sources.size());
  for (const auto& [student, text] : sources) list.push_back(source(student, text));
  return similar_pairs("lab1", list, known);
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

TEST(Similar, StubAndReferenceDoNotCount) {
  for (const grade::Manifest& lab : kit_labs()) {
    const KnownCode known = known_code(lab);
    const std::string& reference = known.reference.source;
    EXPECT_TRUE(pairs_of({{"a", known.stub}, {"b", known.stub}}, known).empty()) << lab.id;
    EXPECT_TRUE(
        pairs_of({{"a", reference}, {"b", with_other_names(without_comments(reference))}}, known)
            .empty())
        << lab.id << ": two who found the straight way";
    // Without them they do.
    EXPECT_EQ(pairs_of({{"a", reference}, {"b", with_other_names(reference)}}).size(), 1u);
  }
}

TEST(Similar, TwoWhoHaveHardlyDoneAnythingAreNoCopies) {
  std::vector<std::pair<std::string, std::string>> sources;
  const grade::Manifest& lab = kit_labs().at(5);
  for (const auto& file : fs::directory_iterator(root() / "solutions" / lab.folder / "correct"))
    sources.emplace_back(file.path().stem().string(), read_file(file.path()));
  const KnownCode known = known_code(lab);
  sources.emplace_back("y", known.stub + "\n// nothing yet");
  sources.emplace_back("z", known.stub + "\n// sorry\nconstexpr int kMine = 3;");
  for (const SimilarPair& pair : pairs_of(sources, known)) EXPECT_NE(pair.second, "z");
}

/// About 60 tokens of one's own for each seed, no two alike.
std::string own_code(unsigned seed) {
  std::string text = "__global__ void k(float* a, int n) {\n";
  for (unsigned i = 0; i < 6; ++i) {
    const unsigned which = (seed * 2654435761u >> (4 * i)) % 16;
    text += fmt::format("  if (a[n {} {}] > {}) a[{}] {}= n;\n", "+-*/%&|^+-*/%&|^"[which],
                        seed * 7 + i, which, seed + which, "+-*/"[(which + i) % 4]);
  }
  return text + "}\n";
}

TEST(Similar, ThoseOfOneGroupAreNotHeldAgainstEachOther) {
  const std::string text = own_code(1), renamed = with_other_names(text);
  std::vector<SimilarSource> sources = {source("ana", text, {"ana", "bo"}),
                                        source("bo", text, {"ana", "bo"}),
                                        source("cy", own_code(2))};
  EXPECT_TRUE(similar_pairs("lab1", sources, {}).empty());
  sources.push_back(source("di", renamed, {"di", "ed"}));
  const auto pairs = similar_pairs("lab1", sources, {});
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_EQ(pairs[0].first, "ana");
  EXPECT_EQ(pairs[0].second, "di");
  EXPECT_EQ(
      pairs[0].note,
      "ana submitted with a group: ana, bo. It is not known what ana's code computes; its words "
      "alone were compared. di submitted with a group: di, ed. It is not known what di's code "
      "computes; its words alone were compared.");
  // Bo submits alone what the group submitted; another group has Ana too.
  EXPECT_TRUE(similar_pairs("lab1", {source("ana", text, {"ana", "bo"}), source("bo", renamed)}, {})
                  .empty());
}

TEST(Similar, WhatManyHaveIsCommonKnowledge) {
  const auto class_of = [&](unsigned sharers) {
    std::vector<std::pair<std::string, std::string>> sources;
    for (unsigned i = 0; i < 30; ++i)
      sources.emplace_back(fmt::format("s{:02}", i),
                           own_code(i) + (i < sharers ? own_code(99) + own_code(98) : ""));
    return sources;
  };
  EXPECT_EQ(pairs_of(class_of(3)).size(), 3u);
  EXPECT_TRUE(pairs_of(class_of(25)).empty());
}

TEST(Similar, WhatKernelsComputeTellsWhereWordsDoNot) {
  const auto values = [](unsigned first, unsigned count) {
    std::string text;
    for (unsigned i = first; i < first + count; ++i) text += fmt::format(" {:x}:{}", i, i % 40 + 1);
    return std::map<std::string, std::string>{{"k", text.substr(1)}};
  };
  std::vector<SimilarSource> sources;
  for (unsigned i = 0; i < 10; ++i)
    sources.push_back({fmt::format("s{}", i), own_code(i), {}, values(100 * i, 60)});
  EXPECT_TRUE(similar_pairs("lab1", sources, {}).empty());
  sources[3].values = values(702, 60);
  const auto pairs = similar_pairs("lab1", sources, {});
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_EQ(pairs[0].first + pairs[0].second, "s3s7");
  EXPECT_EQ(pairs[0].note, "");
  EXPECT_EQ(pairs[0].lines.size(), 40u) << "each line once";
}

TEST(Similar, OfAClass) {
  const TemporaryFolder folder;
  Gradebook book(folder.path() / "g.sqlite");
  Intake intake = made_class(3, {"lab1", "lab3"});
  for (Submission& one : intake.submissions) one.source = own_code(one.student[1]);
  intake.submissions[2].source = with_other_names(intake.submissions[0].source);  // s1 lab1
  intake.submissions[5].source = intake.submissions[1].source;                    // s2 lab3
  intake.submissions[5].problem = "it is empty";
  for (Submission& one : intake.submissions) one.source_sha256 = sha256_hex(one.source);
  book.put_class(intake);
  const auto pairs = find_similar(book, kit_labs());
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_EQ(pairs[0].lab + pairs[0].first + pairs[0].second, "lab1s0s1");
}

TEST(Similar, OfALargeClassTheMostTellingAreListed) {
  std::vector<std::pair<std::string, std::string>> sources;  // two of each
  for (unsigned i = 0; i < 2 * (kMostSimilarPairs + 5); ++i)
    sources.emplace_back(fmt::format("s{:03}", i),
                         fmt::format("__global__ void k(int* a) {{ a[{}] = 1; }}", i / 2));
  const auto pairs = pairs_of(sources);
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
  for (const std::size_t student : {3u, 4u, 5u}) submit(student, own_code('x'));
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
