// The spelling column of the instruction tables: "add.rn|rz?.ftz?.f32".
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace labkit::simt {

/// Whether the words of an opcode match the spelling: each word of the spelling is one of several (`a|b`), optional with a
/// trailing `?`; every word of the opcode must be used.
bool matches(std::string_view spelling, std::span<const std::string_view> words);
/// First word of a spelling.
std::string_view root_of(std::string_view spelling);
/// Bits of Op::modifiers that the words of an opcode stand for.
std::uint32_t modifiers_of(std::span<const std::string_view> words);

}  // namespace labkit::simt
