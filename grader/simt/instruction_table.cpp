#include "simt/instruction_table.h"

#include <string>
#include <unordered_map>
#include <vector>

#include "simt/pattern_words.h"

namespace labkit::simt {
namespace {

std::vector<InstructionRow> all_rows() {
  std::vector<InstructionRow> rows;
  std::uint16_t number = 0;
  Chapter chapter = Chapter::integer;
#define ROW(id, spelling, operands, ...) \
  rows.push_back({chapter, number++, #id, spelling, operands});
#include "simt/instructions_integer.def"
  chapter = Chapter::floating;
  number = 0;
#include "simt/instructions_float.def"
  chapter = Chapter::half;
  number = 0;
#include "simt/instructions_half.def"
  chapter = Chapter::compare;
  number = 0;
// a comparison is written without its first word: `setp.` or `set.`
#include "simt/instructions_compare.def"
  chapter = Chapter::convert;
  number = 0;
#include "simt/instructions_convert.def"
#undef ROW
  chapter = Chapter::system;
  number = 0;
#define SYSTEM_ROW(id, spelling, meaning) rows.push_back({chapter, number++, #id, spelling, {}});
#include "simt/instructions_system.def"
#undef SYSTEM_ROW
  return rows;
}

const std::vector<InstructionRow>& rows() {
  static const std::vector<InstructionRow> all = all_rows();
  return all;
}

}  // namespace

std::span<const InstructionRow> instruction_rows() { return rows(); }

const InstructionRow* find_row(std::span<const std::string_view> words) {
  static const auto by_root = [] {
    std::unordered_map<std::string_view, std::vector<const InstructionRow*>> index;
    for (const auto& row : rows())
      index[row.chapter == Chapter::compare ? std::string_view("setp") : root_of(row.spelling)]
          .push_back(&row);
    return index;
  }();
  if (words.empty()) return nullptr;
  const auto found = by_root.find(words.front());
  if (found == by_root.end()) return nullptr;
  for (const auto* row : found->second)
    if (matches(row->spelling, row->chapter == Chapter::compare ? words.subspan(1) : words))
      return row;
  return nullptr;
}

}  // namespace labkit::simt
