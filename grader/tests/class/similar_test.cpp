#include "class/similar/similar.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <regex>
#include <set>

#include "base/files.h"
#include "base/sha256.h"
#include "class/similar/similar_forms.h"
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
std::vector<Solution> correct_solutions(const grade::Manifest& lab) {
  std::vector<Solution> all;
  for (const auto& file : fs::directory_iterator(root() / "solutions" / lab.folder / "correct"))
    all.push_back({file.path().stem().string(), read_file(file.path())});
  std::ranges::sort(all, {}, &Solution::name);
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

/// Copies of alike/, each reworked as a student would, stand among all correct solutions of their lab, which were written
/// independently of one another.
TEST(Similar, NineOfTenReworkedCopiesAreFoundAndOneOfThirtyGroupsIsFalseAtMost) {
  std::size_t solutions = 0, false_groups = 0, planted = 0, found = 0;
  std::string report;
  for (const grade::Manifest& lab : kit_labs()) {
    std::vector<std::pair<std::string, std::string>> sources;
    for (const Solution& each : correct_solutions(lab))
      sources.emplace_back(each.name, each.source);
    solutions += sources.size();
    for (const SimilarGroup& group : similar_groups(pairs_of(lab, sources))) {
      if (std::ranges::all_of(group.pairs, [](const SimilarPair& pair) {
            return is_derived(pair.first, pair.second);
          }))
        continue;
      ++false_groups;
      report += fmt::format("{}: {}, {:.0f}\n", lab.id, fmt::join(group.students, ", "),
                            group.pairs[0].weight);
    }
    for (const auto& file : fs::directory_iterator(root() / "grader/tests/class/alike")) {
      const std::string name = file.path().stem().string();
      if (!name.starts_with(lab.id + "_")) continue;
      ++planted;
      sources.emplace_back("z copy of " + name.substr(lab.id.size() + 1), read_file(file.path()));
    }
    std::size_t of_lab = 0;
    for (const SimilarPair& pair : pairs_of(lab, sources))
      of_lab += pair.second == "z copy of " + pair.first;
    found += of_lab;
  }
  EXPECT_GE(planted, 10u);
  EXPECT_GE(10 * found, 9 * planted);
  EXPECT_GE(solutions, 150u);
  EXPECT_LE(30 * false_groups, solutions) << report;
  std::printf("%zu of %zu copies found, %zu false groups among %zu solutions:\n%s", found, planted,
              false_groups, solutions, report.c_str());
}

TEST(Similar, EveryRenamedCopyOfEverySolutionIsFound) {
  std::size_t copies = 0, solutions = 0;
  for (const grade::Manifest& lab : kit_labs()) {
    std::vector<std::pair<std::string, std::string>> sources;
    for (const Solution& each : correct_solutions(lab)) {
      sources.emplace_back(each.name, each.source);
      sources.emplace_back("z " + each.name,
                           laid_out_anew(with_other_names(without_comments(each.source))));
      ++solutions;
    }
    for (const SimilarPair& pair : pairs_of(lab, sources)) {
      if (pair.second != "z " + pair.first) continue;
      // Those in other styles use libraries whose names this renaming does not know.
      const auto original =
          std::ranges::find(sources, pair.first, &std::pair<std::string, std::string>::first);
      const bool is_plain = !original->second.starts_with("// Style: ");
      if (is_plain) {
        EXPECT_EQ(pair.note, "The same but for names, comments and layout.") << pair.first;
      }
      EXPECT_GT(std::min(pair.share_first, pair.share_second), is_plain ? 0.99 : 0.7) << pair.first;
      ++copies;
    }
  }
  EXPECT_GE(2 * copies, solutions) << "the others are too near the reference to tell";
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
}

std::vector<std::uint64_t> shapes(const std::string& text) {
  std::vector<std::uint64_t> shapes;
  for (const Form& form : forms_of(text).forms)
    if (form.size > 0) shapes.push_back(form.shape);
  std::ranges::sort(shapes);
  return shapes;
}

TEST(Forms, WhatCanBeWrittenInSeveralWaysIsOne) {
  const std::pair<const char*, const char*> same[] = {
      {"a[i] = b[i];", "out [ k ] /*!*/ = in[\nk];"},
      {"a[i * 2 + i] = 1;", "q[3 * z] = 1;"},
      {"c = a + b;", "c = b + a;"},
      {"if (x < n) y = 1;", "if (n > x) { y = 1; }"},
      {"if (x >= n) return;", "if (!(x < n)) return;"},
      {"if (x <= n - 1) return;", "if (x < n) return;"},
      {"if (a < b && c < d) e = f;", "if (d > c) if (a < b) e = f;"},
      {"for (int i = s; i < n; ++i) t += i;", "int i = s; while (n > i) { t = i + t; i += 1; }"},
      {"x = (r + y) * c + d;", "x = d + c * y + r * c;"},
      {"v = p[i];", "v = *(i + p);"},
      {"y = x << 3; z = x & 31; w = x >> 1;", "y = 8 * x; z = x % 32; w = x / 2;"},
      {"int a = f, b = g;", "int b = g; int a = f;"},
      {"#define N 32\n__shared__ int t[N][N + 1];", "__shared__ int q[32][33];"},
      {"const int tx = threadIdx.x; y = tx + 1;", "y = 1 + (int)threadIdx.x;"},
      {"T v = in[i]; out[j] = v;", "out[j] = in[i];"},
      {"y = i < n ? a : b;", "y = i >= n ? b : a;"},
      {"y = min(a, b);", "y = min(b, a);"},
      {"s = fmaf(a, b, s);", "s += a * b;"},
      {"y[k] = p *= v;", "p = v * p; y[k] = p;"},
      {"const float* __restrict__ p = 0x10u + q;", "float* p = q + 16;"},
      {"x = a - b;", "x = -b + a;"}};
  for (const auto& [a, b] : same) EXPECT_EQ(shapes(a), shapes(b)) << a << "  " << b;
  const std::pair<const char*, const char*> others[] = {

      {"a[i] = b[i];", "a[i] = a[i];"},
      {"x = threadIdx.x + 1;", "x = threadIdx.y + 1;"},
      {"x = a + 1;", "x = a + 2;"},
      {"x = a - b;", "x = a + b;"},
      {"x = a / b;", "x = b * a;"},
      {"x = a << b;", "x = a < b;"},
      {"x = i * 2 + i;", "x = i * 2 + j;"},
      {"f(a, b);", "f(a);"},
      {"x = 1.5f * y;", "x = 1.25f * y;"},
      {"x = 1e-3f + b;", "x = 1e3f + b;"},
      {"__shared__ int t[32][32];", "__shared__ int t[32][33];"}};
  for (const auto& [a, b] : others) EXPECT_NE(shapes(a), shapes(b)) << a << "  " << b;
}

TEST(Forms, KnowTheirLines) {
  const SourceForms forms = forms_of("int f(int n) {\n  y = n *\n 2;\n  return y;\n}\n");
  ASSERT_EQ(forms.forms.size(), 2u);
  EXPECT_EQ(forms.forms[0].first_line, 2u);
  EXPECT_EQ(forms.forms[0].last_line, 3u);
  EXPECT_EQ(forms.forms[1].first_line, 4u);
}

TEST(Forms, ComeOfAnyBytes) {
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
    EXPECT_LE(forms_of(text).forms.size(), kMaxTokens);
  }
  for (const char* piece :
       {"(", "- ", "a = ", "a ? b : ", "(int)", "a[", "for(", "template<", "a + ", "a<", "a && ",
        "f(a,", "{", "int a, ", "a * (b + c) * ", "[](int i){"}) {
    std::string many;
    while (many.size() < 100'000) many += piece;
    EXPECT_LE(forms_of(many).forms.size(), kMaxTokens) << piece;
  }
  EXPECT_TRUE(forms_of(std::string(1 << 20, '(')).cut);
  EXPECT_FALSE(forms_of("f(x);").cut);
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
                 double share, double weight) {
  return {lab, first, second, share, share - 0.3, weight, ""};
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
                      "  carol and dan: 97% of carol and 67% of dan\n"
                      "  bob and carol: 92% of bob and 62% of carol\n"
                      "\nlab1\n  ana and eve: "),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace labkit::course
