// The instruction table as a whole.
#include <gtest/gtest.h>

#include <set>

#include "simt/access.h"
#include "simt/instruction_table.h"
#include "simt/machine.h"

namespace labkit::simt::test {
namespace {

std::vector<std::string_view> split(std::string_view spelling) {
  std::vector<std::string_view> words;
  for (;;) {
    const auto dot = spelling.find('.');
    words.push_back(spelling.substr(0, dot));
    if (dot == std::string_view::npos) return words;
    spelling.remove_prefix(dot + 1);
  }
}

/// The spelling with every optional word left out and the first of each alternative taken.
std::vector<std::string_view> shortest(const InstructionRow& row) {
  std::vector<std::string_view> words;
  if (row.chapter == Chapter::compare) words.push_back("setp");
  for (auto word : split(row.spelling)) {
    if (word.ends_with('?')) continue;
    words.push_back(word.substr(0, word.find('|')));
  }
  return words;
}

TEST(Table, EveryRowIsFoundByItsOwnSpellingAndNoTwoRowsCollide) {
  std::set<std::string> ids, spellings;
  for (const auto& row : instruction_rows()) {
    EXPECT_TRUE(ids.insert(std::string(row.id)).second || row.chapter == Chapter::system ||
                row.chapter == Chapter::compare)
        << row.id;
    const auto words = shortest(row);
    EXPECT_EQ(find_row(words), &row) << row.id << ": " << row.spelling;
    std::string joined;
    for (const auto word : words) joined += std::string(word) + ".";
    EXPECT_TRUE(spellings.insert(joined).second) << joined;
  }
}

TEST(Table, EveryLaneRowHasAMeaningOnEveryTarget) {
  for (const auto& name : simd_targets()) {
    const auto& target = choose_target(name);
    for (const auto& row : instruction_rows()) {
      if (row.chapter == Chapter::system) continue;
      const auto& meaning = target.rows[static_cast<std::size_t>(row.chapter)][row.number];
      EXPECT_EQ(meaning.mask != nullptr, row.operands.starts_with('p')) << row.id;
      EXPECT_EQ(meaning.lanes != nullptr, !row.operands.starts_with('p')) << row.id;
    }
  }
}

TEST(Table, WordsMustAllBeKnownAndInOrder) {
  const auto match = [](std::string_view spelling, std::string_view opcode) {
    const auto words = split(opcode);
    return matches(spelling, words);
  };
  EXPECT_TRUE(match("add.rn|rz?.ftz?.f32", "add.f32"));
  EXPECT_TRUE(match("add.rn|rz?.ftz?.f32", "add.rz.ftz.f32"));
  EXPECT_FALSE(match("add.rn|rz?.ftz?.f32", "add.ftz.rz.f32"));
  EXPECT_FALSE(match("add.rn|rz?.ftz?.f32", "add.f32.ftz"));
  EXPECT_FALSE(match("add.rn|rz?.ftz?.f32", "add.rm.f32"));
  EXPECT_FALSE(match("add.rn|rz?.ftz?.f32", "add.rn"));
  EXPECT_FALSE(match("add.f32", "sub.f32"));
}

}  // namespace
}  // namespace labkit::simt::test
