// Every row of the simulator's instruction table has a golden test, and so has every word that a
// row accepts.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "golden_file.h"
#include "ptx/module.h"
#include "simt/instruction_table.h"

namespace labkit::golden {
namespace {

/// Rows that end the launch: there is no output to compare. And those that need a texture or surface object, which no parameter of
/// a golden file is: programs are compared instead (tests/program/programs/texture*.cu, surface*.cu; stmatrix_transposed.cu).
/// vote_ballot_sync is another spelling of vote_ballot.
const std::set<std::string_view> kElsewhere = {
    "trap", "brkpt", "tex", "tex_level", "stmatrix",        "tld4",
    "suld", "sust",  "txq", "suq",       "vote_ballot_sync"};

struct Used {
  std::set<std::string_view> rows;                                  // ids
  std::map<std::string, std::set<std::string>, std::less<>> words;  // by root
};

const Used& used_by_golden_files() {
  static const Used used = [] {
    Used found;
    for (const auto& path : scan(LABKIT_GOLDEN_DIR)) {
      const ptx::ParseResult parsed = ptx::parse(read(path).text);
      if (!parsed.module) {
        ADD_FAILURE() << path.string() << ":" << parsed.error.ptx_line << ": "
                      << parsed.error.message;
        continue;
      }
      for (const ptx::Function& function : parsed.module->functions) {
        for (const ptx::Instruction& instruction : function.body) {
          const simt::InstructionRow* row = simt::find_row(instruction.parts);
          if (row) found.rows.insert(row->id);
          found.words[std::string(instruction.root())].insert(instruction.parts.begin() + 1,
                                                              instruction.parts.end());
        }
      }
    }
    return found;
  }();
  return used;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

TEST(Coverage, EveryRowOfTheInstructionTableHasAGoldenTest) {
  ASSERT_FALSE(simt::instruction_rows().empty());
  for (const simt::InstructionRow& row : simt::instruction_rows()) {
    if (kElsewhere.contains(row.id)) continue;
    EXPECT_TRUE(used_by_golden_files().rows.contains(row.id))
        << "no file in " LABKIT_GOLDEN_DIR " has an instruction of row " << row.id << ": "
        << row.spelling;
  }
}

TEST(Coverage, EveryWordOfAnOpcodeHasAGoldenTest) {
  for (const simt::InstructionRow& row : simt::instruction_rows()) {
    if (kElsewhere.contains(row.id)) continue;
    std::vector<std::string> words = split(row.spelling, '.');
    // Comparisons are written without their first word.
    const bool compare = row.chapter == simt::Chapter::compare;
    const std::string root = compare ? "setp" : words.front();
    const auto found = used_by_golden_files().words.find(root);
    for (std::size_t i = compare ? 0 : 1; i < words.size(); ++i) {
      if (words[i].ends_with('?')) words[i].pop_back();
      for (const std::string& word : split(words[i], '|'))
        EXPECT_TRUE(found != used_by_golden_files().words.end() && found->second.contains(word))
            << "no golden test has " << root << " with ." << word << " (row " << row.id << ")";
    }
  }
}

}  // namespace
}  // namespace labkit::golden
