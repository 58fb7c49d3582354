// The one table of instructions. A row names an opcode with its modifiers, its operands and its meaning.
//   instructions_{integer,float,half,compare,convert}.def: functions of lanes; the meaning is in lanes/
//   instructions_system.def: memory, control, warp and block; the meaning is a member function of the decoder
// What matches no row is refused. Adding an instruction: one row, one function of lanes or of the decoder, one test.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

namespace labkit::simt {

/// Tables of lane functions, in the order of Target::rows.
enum class Chapter : std::uint8_t { integer, floating, half, compare, convert, system };

struct InstructionRow {
  Chapter chapter = Chapter::system;
  std::uint16_t number = 0;  ///< in its chapter
  std::string_view id, spelling;
  std::string_view operands;  ///< lane chapters: "w=ww"; system: empty
};
std::span<const InstructionRow> instruction_rows();
/// The row that an opcode's words match; null if none.
const InstructionRow* find_row(std::span<const std::string_view> words);
/// As in Op::row: the chapter from bit 12 on, below it the number.
std::uint16_t row_number(const InstructionRow& row);
/// Of the row that these words match: there must be one.
std::uint16_t row_number(std::initializer_list<std::string_view> words);

/// Whether the words of an opcode match a row's spelling ("add.rn|rz?.ftz?.f32"): each word of the spelling is one of several
/// (`a|b`), optional with a trailing `?`; every word of the opcode must be used.
bool matches(std::string_view spelling, std::span<const std::string_view> words);
/// Bits of Op::modifiers that the words of an opcode stand for.
std::uint32_t modifiers_of(std::span<const std::string_view> words);

struct Target;
/// The SIMD target of that name, or the best for "". LABKIT_SIMD in the environment counts if the name is empty. Throws
/// labkit::Error naming the targets there are if it is unknown or cannot run here.
const Target& choose_target(std::string_view name);

}  // namespace labkit::simt
