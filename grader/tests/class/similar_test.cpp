#include "class/similar/similar.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <regex>
#include <set>

#include "base/files.h"
#include "base/sha256.h"
#include "class/publish/csv.h"
#include "class/similar/similar_tokens.h"
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

/// And next: other line ends, blanks, braces round single statements, no const.
std::string laid_out_anew(const std::string& source) {
  std::string text;
  bool quoted = false;
  for (const char c : source) {
    text += c;
    quoted ^= c == '"';
    if (quoted) continue;
    if (c == ';' || c == '{') text += "\n\n\t  /* so */ ";
    if (c == ',' || c == '(') text += "  ";
  }
  text = std::regex_replace(text, std::regex(R"(\bconst\b)"), "");
  return std::regex_replace(text, std::regex(R"(\*\s*__restrict__)"), "* ");
}

struct Solution {
  std::string name, source;
};
/// But for those in other styles, some of which resemble each other.
std::vector<Solution> correct_solutions(const grade::Manifest& lab) {
  std::vector<Solution> all;
  for (const auto& file : fs::directory_iterator(root() / "solutions" / lab.folder / "correct"))
    if (const std::string source = read_file(file.path()); !source.starts_with("// Style: "))
      all.push_back({file.path().stem().string(), source});
  std::sort(all.begin(), all.end(),
            [](const Solution& a, const Solution& b) { return a.name < b.name; });
  return all;
}

std::vector<SimilarPair> pairs_of(const grade::Manifest& lab,
                                  const std::vector<std::pair<std::string, std::string>>& sources) {
  std::vector<SimilarSource> list;
  list.reserve(sources.size());
  for (const auto& [student, source] : sources) list.push_back({student, source, {}});
  return similar_pairs(lab.id, list, known_code(lab, root()));
}
std::vector<SimilarPair> pairs_of(const std::vector<std::pair<std::string, std::string>>& sources) {
  std::vector<SimilarSource> list;
  list.reserve(sources.size());
  for (const auto& [student, source] : sources) list.push_back({student, source, {}});
  return similar_pairs("lab1", list, {});
}

std::size_t own_tokens(const grade::Manifest& lab, const std::string& source) {
  std::set<std::uint64_t> known;
  for (const std::string& text : known_code(lab, root()))
    for (const std::uint64_t passage : passages(tokens_of(text).tokens, kPassage))
      known.insert(passage);
  const auto at = passages(tokens_of(source).tokens, kPassage);
  std::vector<bool> own(tokens_of(source).tokens.size(), true);
  for (std::size_t i = 0; i < at.size(); ++i)
    if (known.contains(at[i]))
      std::fill_n(own.begin() + static_cast<std::ptrdiff_t>(i), kPassage, false);
  return static_cast<std::size_t>(std::count(own.begin(), own.end(), true));
}

/// Solutions that were written from others in this repository, and share their code honestly told.
bool is_derived(const std::string& a, const std::string& b) {
  return std::set<std::string>{a, b} == std::set<std::string>{"kept_lines", "wide_tile"} ||
         std::set<std::string>{a, b} == std::set<std::string>{"eight_by_eight", "vector_bonus"};
}

TEST(KnownCode, IsTheStubThatWasHandedOutWhateverATeacherTriedInItsPlace) {
  const fs::path folder =
      fs::temp_directory_path() / ("labkit_known_code_" + std::to_string(getpid()));
  fs::create_directories(folder);
  grade::Manifest lab;
  lab.directory = folder;
  write_file_atomically(folder / "kernel.cu", "a teacher's own");
  EXPECT_EQ(known_code(lab, {}), std::vector<std::string>{"a teacher's own"});
  write_file_atomically(folder / ".stub", "the stub");
  EXPECT_EQ(known_code(lab, {}), std::vector<std::string>{"the stub"});
  fs::remove_all(folder);
}

TEST(Similar, EveryCopyOfEverySolutionIsFoundAndNoOtherPair) {
  std::size_t copies = 0;
  for (const grade::Manifest& lab : kit_labs()) {
    const auto solutions = correct_solutions(lab);
    for (const Solution& original : solutions) {
      if (own_tokens(lab, original.source) < kFewestTokens) continue;  // as the reference has it
      std::vector<std::pair<std::string, std::string>> sources;
      sources.reserve(solutions.size() + 1);
      for (const Solution& each : solutions) sources.emplace_back(each.name, each.source);
      sources.emplace_back("zcopy",
                           laid_out_anew(with_other_names(without_comments(original.source))));
      const auto pairs = pairs_of(lab, sources);
      ASSERT_FALSE(pairs.empty()) << lab.id << " " << original.name;
      double copys = 0;
      for (const SimilarPair& pair : pairs) {
        const bool is_copy = pair.second == "zcopy" && pair.first == original.name;
        EXPECT_TRUE(is_copy ||
                    is_derived(pair.first, pair.second == "zcopy" ? original.name : pair.second))
            << lab.id << ": " << pair.first << " and " << pair.second << " " << pair.share_first
            << " " << pair.share_second;
        if (!is_copy) continue;
        copys = std::min(pair.share_first, pair.share_second);
        EXPECT_EQ(pair.note, "The same but for names, comments and layout.") << original.name;
      }
      EXPECT_EQ(copys, 1) << lab.id << " " << original.name;
      ++copies;
    }
  }
  EXPECT_GE(copies, 12u) << "of 30 solutions; the others are too near the reference to tell";
}

TEST(Similar, ACopyThatWasWorkedOnIsStillFound) {
  const grade::Manifest& lab1 = kit_labs().at(1);
  const std::string original =
      read_file(root() / "solutions" / lab1.folder / "correct/loads_first.cu");
  // The first loop loads in the other order, the last one counts otherwise, and a name is new.
  std::string copy = with_other_names(without_comments(original));
  const auto change = [&](const std::string& from, const std::string& to) {
    const std::size_t at = copy.find(from);
    ASSERT_NE(at, std::string::npos) << from << " in\n" << copy;
    copy.replace(at, from.size(), to);
  };
  change("my_left[my_k] = my_a[my_i + my_k * my_stride];\n", "");
  change("my_right[my_k] = my_b[my_i + my_k * my_stride];",
         "my_right[my_k] = my_b[my_i + my_k * my_stride];\n"
         "my_left[my_k] = my_a[my_i + my_k * my_stride];");
  change("constexpr int my_kUnroll = 4;", "int helper = 0; const int my_kUnroll = 2 + 2;");
  const auto pairs = pairs_of(lab1, {{"a", original}, {"b", laid_out_anew(copy)}});
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_GE(std::max(pairs[0].share_first, pairs[0].share_second), kLeastShare);
  EXPECT_LT(std::max(pairs[0].share_first, pairs[0].share_second), 1);
}

TEST(Similar, NamesAreReplacedOneForOne) {
  const auto of = [](const std::string& text) { return passages(tokens_of(text).tokens, 7); };
  EXPECT_EQ(of("a[i] = b[i];"), of("out [ k ] /*!*/ = in[\nk];"));
  EXPECT_NE(of("a[i] = b[i];"), of("a[i] = b[a];"));
  EXPECT_NE(of("a[i] = b[i];"), of("a[i] = a[i];"));
  EXPECT_NE(of("x = threadIdx.x + 1;"), of("x = threadIdx.y + 1;"));
  EXPECT_NE(of("x = threadIdx.x + 1;"), of("x = threadIdx.x + 2;"));
  EXPECT_TRUE(of("a = b;").empty());
}

TEST(Similar, WhatChangesNothingIsNoToken) {
  const auto same = [](const std::string& a, const std::string& b) {
    return passages(tokens_of(a).tokens, 3) == passages(tokens_of(b).tokens, 3) &&
           tokens_of(a).tokens.size() == tokens_of(b).tokens.size();
  };
  EXPECT_TRUE(same("if (a) { b = 0.0f; }", "if (a) b = 0;"));
  EXPECT_TRUE(same("const float* __restrict__ p = 1'000u;", "float* p = 1000;"));
  EXPECT_TRUE(same("#pragma unroll\nfor (;;) a = 0x1Fu;", "#include <x>\nfor (;;) a = 0x1f;"));
  EXPECT_TRUE(same("template <class T> T f();", "template <typename U> U g();"));
  EXPECT_TRUE(same("a = \"x // y\" + 'c'; // end", "b = \"z\" + 'd'; /* other */"));
  EXPECT_TRUE(same("#define N 32\nint a[N];", "#define M \\\n 32\nint b[M];"));
  EXPECT_FALSE(same("a = 1.5f;", "a = 1.25f;"));
  EXPECT_FALSE(same("a = 1e-3f + b;", "a = 1e3f + b;"));
  EXPECT_FALSE(same("a << b;", "a < b;"));
}

TEST(Similar, AnyBytesGiveTokens) {
  std::string bytes;
  for (int i = 0; i < 70000; ++i) bytes += static_cast<char>((i * 7919) >> 3);
  const std::vector<std::string> hostile = {"",
                                            "\"",
                                            "'",
                                            "/*",
                                            "//",
                                            "#",
                                            "#define",
                                            "\\",
                                            "\"\\",
                                            "1.",
                                            "0x",
                                            "1e",
                                            "1e+",
                                            ".",
                                            "R\"(",
                                            std::string(1 << 20, '('),
                                            std::string(1 << 20, 'a'),
                                            std::string(100, '\0'),
                                            bytes,
                                            "/*" + std::string(1 << 20, '*'),
                                            std::string(1 << 20, '"')};
  for (const std::string& text : hostile) {
    const TokenText tokens = tokens_of(text);
    EXPECT_LE(tokens.tokens.size(), kMaxTokens);
    passages(tokens.tokens, kPassage);
  }
  EXPECT_TRUE(tokens_of(std::string(1 << 20, '(')).cut);
  EXPECT_FALSE(tokens_of("f(x);").cut);
}

TEST(Similar, StubAndReferenceDoNotCount) {
  for (const grade::Manifest& lab : kit_labs()) {
    const std::string stub = read_file(lab.directory / "kernel.cu");
    const std::string reference = read_file(root() / "solutions" / lab.folder / lab.reference);
    EXPECT_TRUE(pairs_of(lab, {{"a", stub}, {"b", stub}}).empty()) << lab.id;
    EXPECT_TRUE(
        pairs_of(lab, {{"a", reference}, {"b", with_other_names(without_comments(reference))}})
            .empty())
        << lab.id << ": two who found the straight way";
  }
  // Without them they do.
  const std::string reference =
      read_file(root() / "solutions" / kit_labs().at(5).folder / kit_labs().at(5).reference);
  EXPECT_EQ(pairs_of({{"a", reference}, {"b", with_other_names(reference)}}).size(), 1u);
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
  std::vector<SimilarSource> sources = {
      {"ana", text, {"ana", "bo"}}, {"bo", text, {"ana", "bo"}}, {"cy", own_code(2), {}}};
  EXPECT_TRUE(similar_pairs("lab1", sources, {}).empty());
  sources.push_back({"di", renamed, {"di", "ed"}});
  const auto pairs = similar_pairs("lab1", sources, {});
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_EQ(pairs[0].first, "ana");
  EXPECT_EQ(pairs[0].second, "di");
  EXPECT_EQ(pairs[0].note,
            "The same but for names, comments and layout. ana submitted with a group: ana, bo. di "
            "submitted with a group: di, ed.");
  // Bo submits alone what the group submitted; another group has Ana too.
  EXPECT_TRUE(
      similar_pairs("lab1", {{"ana", text, {"ana", "bo"}}, {"bo", renamed, {}}}, {}).empty());
}

TEST(Similar, WhatManyHaveIsCommonKnowledgeUnlessItIsLong) {
  const std::string shared =
      "  for (int i = 0; i < n; ++i) a[i] = a[i] * 3 + a[n - i] / 7 - (i % 5);\n";
  const auto class_of = [&](unsigned sharers) {
    std::vector<std::pair<std::string, std::string>> sources;
    for (unsigned i = 0; i < 30; ++i)
      sources.emplace_back(
          fmt::format("s{:02}", i),
          i < sharers ? "__global__ void k(float* a, int n) {\n" + shared + "}\n" : own_code(i));
    return sources;
  };
  EXPECT_EQ(pairs_of(class_of(4)).size(), 6u);
  EXPECT_TRUE(pairs_of(class_of(20)).empty());
  auto sources = class_of(0);
  for (unsigned i = 0; i < 12; ++i) sources[i].second = own_code(99) + own_code(98);
  EXPECT_EQ(pairs_of(sources).size(), 66u) << "a dozen lines are not found twelve times";
}

TEST(Similar, CommentsTell) {
  const std::string reference =
      read_file(root() / "solutions" / kit_labs().at(3).folder / kit_labs().at(3).reference);
  const std::string mine = without_comments(reference) +
                           "// i asked my uncle Barnaby about this line, he says it's fine, lol\n";
  const auto pairs = pairs_of(
      kit_labs().at(3),
      {{"a", mine},
       {"b", with_other_names(without_comments(reference)) + mine.substr(mine.find("// i"))}});
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_NE(pairs[0].note.find("uncle barnaby"), std::string::npos) << pairs[0].note;
  EXPECT_NE(pairs[0].note.find("it may be chance"), std::string::npos) << pairs[0].note;
}

TEST(Similar, OfAClass) {
  const TemporaryFolder folder;
  Gradebook book(folder.path() / "g.sqlite");
  Intake intake = made_class(3, {"lab1", "lab3"});
  for (Submission& one : intake.submissions) one.source = own_code(one.student[1]);
  intake.submissions[2].source = with_other_names(intake.submissions[0].source);  // s1 lab1
  intake.submissions[5].source = intake.submissions[1].source;                    // s2 lab3
  intake.submissions[5].problem = "it is empty";
  intake.students[0].name = "=A, \"B\"\x1b[31m";
  book.put_class(intake);
  const auto pairs = find_similar(book, kit_labs(), root());
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_EQ(pairs[0].lab + pairs[0].first + pairs[0].second, "lab1s0s1");
  const Csv csv = read_csv(similar_csv(pairs, book.students()), "t");
  ASSERT_EQ(csv.rows.size(), 2u);
  EXPECT_EQ(csv.rows[1].at(2).substr(0, 2), "'=");
  EXPECT_EQ(csv.rows[1].at(6), "100");
  const std::string text = similar_text(pairs, book.students());
  EXPECT_NE(text.find("s0 (=A, \"B\"\\x1b[31m) and s1: "), std::string::npos) << text;
  EXPECT_NE(similar_text({}, {}).find("\nNone.\n"), std::string::npos);
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
  const auto same = find_same(book, kit_labs(), root());
  ASSERT_EQ(same.size(), 2u);
  EXPECT_EQ(same_text(same[0]), "lab3: s0, s1 equal " + solution);
  EXPECT_EQ(same[1].students, (std::vector<std::string>{"s3", "s4", "s5"}));
  EXPECT_EQ(same[1].solution, "");
  EXPECT_TRUE(similar_text({}, {}, same).starts_with(same_text(same[0]) + "\n"));
}

SimilarPair pair(const std::string& lab, const std::string& first, const std::string& second,
                 double share, unsigned tokens) {
  return {lab, first, second, share, share - 0.3, tokens, ""};
}

TEST(SimilarGroups, AreWhoIsConnectedTheMostTellingFirst) {
  const std::vector<SimilarPair> pairs = {
      pair("lab1", "ana", "bob", 0.7, 30), pair("lab3", "bob", "carol", 0.92, 200),
      pair("lab3", "eve", "fred", 0.8, 100), pair("lab3", "carol", "dan", 0.97, 210),
      pair("lab3", "bob", "dan", 0.95, 190)};
  const std::vector<SimilarGroup> groups = similar_groups(pairs);
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[0].lab, "lab3");
  EXPECT_EQ(groups[0].students, (std::vector<std::string>{"bob", "carol", "dan"}));
  EXPECT_EQ(share_text(groups[0]), "92% to 97%");
  ASSERT_EQ(groups[0].pairs.size(), 3u);
  EXPECT_EQ(groups[0].pairs[0].second, "dan") << "most alike first";
  EXPECT_EQ(groups[1].students, (std::vector<std::string>{"eve", "fred"}));
  EXPECT_EQ(share_text(groups[1]), "80%");
  EXPECT_EQ(groups[2].lab, "lab1") << "bob of lab 1 joins nobody of lab 3";
  EXPECT_TRUE(similar_groups({}).empty());
}

TEST(SimilarGroups, AreReadAsGroups) {
  const std::string text =
      similar_text({pair("lab3", "bob", "carol", 0.92, 200), pair("lab1", "ana", "eve", 0.7, 30),
                    pair("lab3", "carol", "dan", 0.97, 210)},
                   {});
  EXPECT_NE(text.find("\nlab3, 3 students: bob, carol, dan; 92% to 97% alike\n"
                      "  carol and dan: 210 tokens in common, 97% of carol and 67% of dan\n"
                      "  bob and carol: 200 tokens in common, 92% of bob and 62% of carol\n"
                      "\nlab1\n  ana and eve: "),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace labkit::course
