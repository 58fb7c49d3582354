// Pieces of a changed line that can be read by themselves. Private to change.cpp.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "compile/tokens.h"
#include "words/message.h"

namespace labkit::grade::changes {

/// Tokens [begin, end) of a line.
struct Piece {
  std::size_t begin = 0, end = 0;
  bool empty() const { return begin >= end; }
};

/// Longer ones are not quoted whole.
constexpr std::size_t kReadable = 60;

bool is_operator(const compile::Tokens& line, std::size_t i);
bool is_opening(const compile::Tokens& line, std::size_t i);

/// Of a piece that begins or ends amid brackets, up to the brackets that belong to these.
Piece with_whole_brackets(const compile::Tokens& line, Piece piece);
/// Of the operand that ends before token `end`, its first token; and behind the one that begins at `begin`.
std::size_t operand_begin(const compile::Tokens& line, std::size_t end);
std::size_t operand_end(const compile::Tokens& line, std::size_t begin);
/// What can be read by itself: an operator has its operands, a member its structure, an index its array.
Piece widened(const compile::Tokens& line, Piece piece);

/// Of operands that an operator beside the piece takes first: `a * b + c`, of which `b + c` is no part, is taken whole. `other`:
/// the piece that stands in its place, with the same tokens around it.
Piece with_tighter_neighbours(const compile::Tokens& line, Piece piece,
                              const compile::Tokens& other_line, Piece other);

std::string line_text(const compile::Tokens& line, Piece piece);
std::string quoted(const compile::Tokens& line, Piece piece);

/// `a S b` became `b S a`.
struct Swap {
  Piece first, second;
};
std::optional<Swap> swap_of(const compile::Tokens& before, Piece from, const compile::Tokens& after,
                            Piece to);

/// What changes in the same way at several places of a line, as it was and as it is.
std::optional<std::pair<std::string, std::string>> same_everywhere(const compile::Tokens& before,
                                                                   const compile::Tokens& after);
/// What is wrong, as far as the place tells that changes, token `at` of line `number`: a condition, a loop, the index of an array.
words::Message place_of(std::uint32_t number, const compile::Tokens& line, std::size_t at);

}  // namespace labkit::grade::changes
