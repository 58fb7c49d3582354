// The one table of instructions. A row names an opcode with its modifiers, its operands and its meaning.
//   instructions_{integer,float,half,compare,convert}.def: functions of lanes; the meaning is a functor of lanes/
//   instructions_system.def: memory, control, warp and block; the meaning is a member function of the decoder
// What matches no row is refused. Adding an instruction: one row, one functor or decoder function, one test.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace labkit::simt {

/// Tables of lane functions, in the order of Target::rows.
enum class Chapter : std::uint8_t { integer, floating, half, compare, convert, system };
inline constexpr int kLaneChapters = 5;

struct InstructionRow {
  Chapter chapter = Chapter::system;
  std::uint16_t number = 0;  ///< in its chapter
  std::string_view id, spelling;
  std::string_view operands;  ///< lane chapters: "w=ww"; system: empty
};
std::span<const InstructionRow> instruction_rows();
/// The row that an opcode's words match; null if none.
const InstructionRow* find_row(std::span<const std::string_view> words);

}  // namespace labkit::simt
