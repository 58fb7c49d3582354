#include "explain/hints.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "grade/source.h"

namespace labkit::explain {
namespace {

const std::filesystem::path kRoot = LABKIT_SOURCE_DIR;

std::vector<grade::Manifest> labs() { return grade::find_labs(kRoot); }

std::vector<std::string> sources(const std::string& kind) {
  std::vector<std::string> found;
  for (const grade::Manifest& lab : labs())
    for (const auto& entry :
         std::filesystem::directory_iterator(kRoot / "solutions" / lab.folder / kind))
      if (entry.path().extension() == ".cu") found.push_back(read_file(entry.path()));
  return found;
}

std::vector<std::string> all_tiers() {
  std::vector<std::string> tiers;
  const auto add = [&](const std::vector<Hint>& hints) {
    for (const Hint& hint : hints) tiers.insert(tiers.end(), hint.tiers.begin(), hint.tiers.end());
  };
  for (const grade::Manifest& lab : labs()) {
    const Hints hints = load_hints(lab);
    if (tiers.empty()) add(hints.common);
    add(hints.own);
  }
  return tiers;
}

std::string without_blanks(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c != ' ' && c != '\t') out += c;
  return out;
}

/// Not all puzzles are given any.
bool has_sizes(const grade::Kernel& kernel) {
  return std::ranges::any_of(kernel.parameters, [](const grade::Parameter& parameter) {
    return parameter.text.find('*') == std::string::npos;
  });
}

TEST(Hints, EveryLabsAreInOrder) {
  ASSERT_FALSE(labs().empty());
  for (const grade::Manifest& lab : labs()) {
    const Hints hints = load_hints(lab);
    EXPECT_FALSE(hints.own.empty()) << lab.id;
    for (const grade::Kernel& kernel : lab.kernels)
      EXPECT_TRUE(kernel.optional || hints.extents.contains(kernel.name) || !has_sizes(kernel))
          << kernel.name;
  }
}

TEST(Hints, EveryVerdictAgainstAKernelHasSome) {
  const Hints hints = load_hints(labs().front());
  for (const std::string& kind : grade::verdict_kinds()) {
    Defect defect;
    defect.id = kind == "gate" ? "gate.nobody_has_this" : kind;
    const bool nothing_to_mend = kind == "pass" || kind == "not_run" || kind == "inconclusive";
    EXPECT_EQ(hints.find(defect) == nullptr, nothing_to_mend) << kind;
  }
}

/// No hint has a line of a correct solution in it, nor a side of an assignment, nor a condition.
TEST(Hints, NoneShowsALineOfASolution) {
  std::set<std::string> pieces;
  for (const std::string& source : sources("correct"))
    for (const std::string_view line : split_lines(source)) {
      std::string code = without_blanks(line.substr(0, line.find("//")));
      for (const char* cut : {"=", "&&", "?", "if(", "for("}) code = replace_all(code, cut, ";");
      for (std::size_t from = 0; from < code.size();) {
        const std::size_t end = std::min(code.find(';', from), code.size());
        const std::string piece = code.substr(from, end - from);
        from = end + 1;
        // names by themselves are no secret, not that of a barrier either
        const bool is_name =
            piece.ends_with("()") || std::all_of(piece.begin(), piece.end(), [](unsigned char c) {
              return std::isalnum(c) || c == '_' || c == '.';
            });
        if (piece.size() >= 10 && !is_name) pieces.insert(piece);
      }
    }
  ASSERT_GT(pieces.size(), 200u);
  const std::vector<std::string> tiers = all_tiers();
  ASSERT_GT(tiers.size(), 200u);
  for (const std::string& tier : tiers) {
    const std::string text = without_blanks(tier);
    for (const std::string& piece : pieces)
      EXPECT_EQ(text.find(piece), std::string::npos) << tier << "\n  has " << piece;
    for (const char* code : {"][", "+=", "==", "&&", "||", "->", "tile[", "{\n"})
      EXPECT_EQ(tier.find(code), std::string::npos) << tier;
  }
}

TEST(Hints, TiersAreShortPlainAndBeginWithAQuestionOrALook) {
  for (const std::string& tier : all_tiers()) {
    EXPECT_LE(tier.size(), 420u) << tier;
    EXPECT_TRUE(tier.ends_with('.') || tier.ends_with('?') || tier.ends_with('}')) << tier;
    for (const char c : tier) EXPECT_TRUE(c >= ' ' && c <= '~') << tier;
  }
  std::set<std::string> seen;
  for (const std::string& tier : all_tiers()) EXPECT_TRUE(seen.insert(tier).second) << tier;
}

/// Each wrong solution's defect has hints, of its own name and not of its kind's alone.
TEST(Hints, EveryWrongSolutionsDefectHasItsOwn) {
  std::size_t count = 0;
  for (const grade::Manifest& lab : labs()) {
    const Hints hints = load_hints(lab);
    for (const auto& entry :
         std::filesystem::directory_iterator(kRoot / "solutions" / lab.folder / "wrong")) {
      if (entry.path().extension() != ".cu") continue;
      const auto declared = grade::declared(read_file(entry.path()), "defect");
      ASSERT_TRUE(declared) << entry.path();
      Defect defect;
      defect.id = *declared;
      for (const grade::Test& test : lab.tests)
        for (const grade::Gate& gate : test.gates)
          if ("gate." + gate.name == *declared) defect.figure_id = "gate." + gate.figure;
      const Hint* hint = hints.find(defect);
      ASSERT_TRUE(hint) << entry.path() << " " << *declared;
      // which of the elements nobody wrote a lab's own hint need not tell apart
      const bool of_unwritten =
          hint->defect == "wrong_result.never_written" &&
          (defect.id == "wrong_result.row_ends" || defect.id == "wrong_result.last_rows");
      EXPECT_TRUE(hint->defect == defect.id || hint->defect == defect.figure_id || of_unwritten)
          << entry.path() << " gets the hint for " << hint->defect;
      ++count;
    }
  }
  EXPECT_GT(count, 100u);
}

grade::LabResult a_race() {
  grade::LabResult result;
  grade::TestResult test;
  test.kernel = "turn";
  test.launch = {{.kernel = "turn<float>",
                  .grid = "2x1x1",
                  .block = "32x32x1",
                  .dynamic_shared_bytes = 0,
                  .scalars = {{"rows", "33"}}}};
  launch::Finding f;
  f.kind = launch::FindingKind::race;
  f.other_access = launch::Access::read;
  f.access = launch::Access::write;
  f.where = {"kernel.cu", 12};
  f.other = {"kernel.cu", 15};
  f.thread = {2, 0, 0};
  f.other_thread = {0, 1, 0};
  test.findings = {f};
  test.verdict = {.kind = "race", .gate = {}};
  result.tests = {test};
  result.verdict = test.verdict;
  return result;
}

TEST(FillIn, PutsInWhatWasFound) {
  const grade::LabResult result = a_race();
  const Defect defect = *first_defect(result);
  EXPECT_EQ(fill_in("{thread} is at {line}, {other_thread} at {other_line}.", defect, result),
            "Thread (2,0,0) is at line 12, thread (0,1,0) at line 15.");
  EXPECT_EQ(fill_in("Who wrote {write_line} and read {read_line}?", defect, result),
            "Who wrote line 12 and read line 15?");
  EXPECT_EQ(fill_in("{kernel}: {launch}", defect, result),
            "turn: turn<float>, rows = 33, grid 2x1x1, block 32x32x1");
}

TEST(FillIn, SaysInGeneralWhatIsNotKnown) {
  grade::LabResult result = a_race();
  result.tests[0].findings[0].where.line = 0;
  const Defect defect = *first_defect(result);
  EXPECT_EQ(fill_in("See {line}, {element} and {worst}.", defect, result),
            "See that line, the first wrong element and most of it.");
  EXPECT_EQ(fill_in("{element} is wrong.", defect, result), "The first wrong element is wrong.");
}

TEST(FillIn, AGateAndAMismatch) {
  grade::LabResult result;
  grade::TestResult test;
  grade::GateResult gate;
  gate.name = gate.figure = "f";
  gate.value = 32;
  gate.threshold = 4.5;
  gate.culprit = {.where = {"kernel.cu", 7}, .instruction = "st.global.f32", .value = 31.5};
  test.gates = {gate};
  test.verdict = {.kind = "gate", .gate = "f"};
  result.tests = {test};
  result.verdict = test.verdict;
  EXPECT_EQ(fill_in("{value} of {limit}, {worst} at {line} ({instruction}), {distance} apart",
                    *first_defect(result), result),
            "32 of 4.50, 31.50 at line 7 (st.global.f32), some way apart");
  result.tests[0].gates[0].culprit.lane_stride_bytes = -8192;
  EXPECT_EQ(fill_in("{distance} apart", *first_defect(result), result), "8,192 bytes apart");
  grade::Mismatch m;
  m.array = "out";
  m.row = 3;
  m.expected = "1";
  m.got = "2";
  m.belongs_to = "out[4][4]";
  m.wrong = 1200;
  m.total = 2000;
  result.tests[0].mismatches = {m};
  result.verdict = result.tests[0].verdict = {.kind = "wrong_result", .gate = {}};
  EXPECT_EQ(fill_in("{element}: {expected}, {got}, {owner}, {wrong} of {total}",
                    *first_defect(result), result),
            "out[3][0]: 1, 2, out[4][4], 1,200 of 2,000");
}

TEST(FillIn, OfAWrongElementWhoStoredItAndOfAMissingOneWhoStoredTheOneBefore) {
  grade::LabResult result;
  grade::TestResult test;
  result.verdict = test.verdict = {.kind = "wrong_result", .gate = {}};
  grade::Mismatch m;
  m.array = "out";
  m.rows = m.cols = 8;
  m.row = 3;
  m.col = 2;
  m.wrong = 9;
  m.total = 64;
  test.mismatches = {m};
  result.tests = {test};
  const auto filled = [&](const char* tier) {
    return fill_in(tier, *first_defect(result), result);
  };
  EXPECT_EQ(filled("Stored by {stored}, at {line}.{before}"), "Stored by a thread, at that line. ");
  grade::Mismatch& wrong = result.tests[0].mismatches[0];
  wrong.stored = {.stores = 1, .where = {"kernel.cu", 21}, .thread = {3, 4, 0}, .block = {0, 1, 0}};
  EXPECT_EQ(filled("{stored}; {thread}, {block}, {line}"),
            "Thread (3,4,0) of block (0,1,0) at line 21; thread (3,4,0), block (0,1,0), line 21");
  wrong.never_written = true;
  EXPECT_EQ(
      filled("{before} At {line}?"),
      "The one before it, out[3][1], was stored by thread (3,4,0) of block (0,1,0) at line 21. "
      "At that line?");
}

TEST(HintFile, TheOnesOfALabComeFirstAndTheFinerBeforeTheCoarser) {
  const auto hint = [](const std::string& defect, const std::string& kernel) {
    return "[[hint]]\ndefect = \"" + defect + "\"\n" +
           (kernel.empty() ? "" : "kernel = \"" + kernel + "\"\n") +
           "tiers = [\"a\", \"b\", \"c\"]\n";
  };
  Hints hints;
  hints.common = parse_hints(hint("race", "") + hint("race.missing_syncwarp", ""), "common");
  hints.own = parse_hints(hint("race", "k") + hint("race", ""), "own");
  grade::TestResult test;
  Defect defect;
  defect.id = "race.missing_syncwarp";
  defect.test = &test;
  EXPECT_EQ(hints.find(defect), &hints.own[1]);
  test.kernel = "k";
  EXPECT_EQ(hints.find(defect), &hints.own[0]);
  hints.own.clear();
  EXPECT_EQ(hints.find(defect), &hints.common[1]);
  defect.id = "race.lost_update";
  EXPECT_EQ(hints.find(defect), &hints.common[0]);
  defect.id = "trap";
  EXPECT_EQ(hints.find(defect), nullptr);
}

TEST(HintFile, OneOfAMemoryIsForFindingsInThatAlone) {
  Hints hints;
  const std::string rest = "tiers = [\"a\", \"b\", \"c\"]\n",
                    head = "[[hint]]\ndefect = \"race.same_element\"\n";
  hints.common = parse_hints(head + rest, "common");
  hints.own = parse_hints(head + "space = \"shared\"\n" + rest, "own");
  launch::Finding finding;
  Defect defect;
  defect.id = "race.same_element";
  EXPECT_EQ(hints.find(defect), &hints.common[0]);
  defect.finding = &finding;
  finding.space = "global";
  EXPECT_EQ(hints.find(defect), &hints.common[0]);
  finding.space = "shared";
  EXPECT_EQ(hints.find(defect), &hints.own[0]);
}

TEST(HintFile, WhatIsNotInOrderIsNamedWithItsLine) {
  const auto refused = [](const std::string& text) {
    try {
      parse_hints(text, "hints.toml");
    } catch (const Error& error) {
      EXPECT_NE(error.remedy().find("hints.h"), std::string::npos);
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  const std::string head = "[[hint]]\ndefect = \"race\"\n";
  EXPECT_EQ(refused(head + "tiers = [\"a\", \"b\", \"c\"]\n"), "nothing");
  for (const auto& [text, why] : std::vector<std::pair<std::string, std::string>>{
           {"[[hint]\n", "hints.toml:1"},
           {head, "`tiers` is missing"},
           {head + "tiers = [\"a\", \"b\"]\n", "race has 2 tiers; 3 to 4 are wanted"},
           {head + "tiers = [\"a\", \"b\", \"c\", \"d\", \"e\"]\n", "5 tiers"},
           {head + "tiers = [\"a {thraed}\", \"b\", \"c\"]\n", "unknown {thraed}"},
           {head + "tiers = [\"a {thread\", \"b\", \"c\"]\n", "a brace that is not closed"},
           {head + "tiers = [\"a\", \"b\", \"c\"]\nmore = 1\n", "unknown key `more`"},
           {head + "tiers = [\"a\", \"b\", \"c\"]\n" + head + "tiers = [\"a\", \"b\", \"c\"]\n",
            "hints.toml:4: two hints for race"},
           {"[[hint]]\ndefect = \"race.waarp\"\ntiers = [\"a\", \"b\", \"c\"]\n",
            "there is no defect `race.waarp`"}})
    EXPECT_NE(refused(text).find(why), std::string::npos) << text << refused(text);
}

}  // namespace
}  // namespace labkit::explain
