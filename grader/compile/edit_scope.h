// What small edits need to know of the functions that they change: variables, statements, operands. Read off the tokens, not
// parsed: where that is wrong, an edit does not compile or does not help.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compile/tokens.h"

namespace labkit::compile {

struct Variable {
  enum class Kind : std::uint8_t { integer, truth, real, array };  ///< array: a pointer as well
  enum class Place : std::uint8_t {
    parameter,
    own,
    file,
    member
  };  ///< file: a constant, or `#define N 8`
  std::string_view name;
  Kind kind = Kind::integer;
  Place place = Place::own;
};

/// Tokens [whole, end) without the semicolon; `begin` is past the conditions and the heads of loops before it.
struct Statement {
  std::size_t whole = 0, begin = 0, end = 0;
  bool is_declaration = false;
};

/// The name says so: `kSectorBytes`.
inline bool counts_bytes(std::string_view name) {
  return name.find("bytes") != name.npos || name.find("Bytes") != name.npos ||
         name.find("BYTES") != name.npos;
}

/// `=`, `+=` and the like.
inline bool is_assignment(std::string_view sign) {
  return sign.ends_with('=') && sign != "==" && sign != "!=" && sign != "<=" && sign != ">=";
}
/// And `++`.
inline bool assigns(std::string_view sign) {
  return sign == "++" || sign == "--" || is_assignment(sign);
}

class EditScope {
 public:
  EditScope(const Tokens& tokens, std::string_view kernel);
  /// Of `define NAME(a, b) (a) + (b)` alone, with the variables of the kernel; `bodies()` is empty where it is no such macro.
  EditScope(const EditScope& of, const Tokens& macro);

  /// Tokens between the braces of the kernel and of each function that kernels may call.
  const std::vector<std::pair<std::size_t, std::size_t>>& bodies() const { return bodies_; }

  /// Tokens between the braces of each structure.
  const std::vector<std::pair<std::size_t, std::size_t>>& structures() const { return structures_; }

  /// What token `i` names; null if that is no variable.
  const Variable* variable(std::size_t i) const;
  bool is_variable(std::size_t i) const { return variable(i) != nullptr; }
  bool is_integer(std::size_t i) const;
  /// A parameter that is a pointer.
  bool is_pointer(std::size_t i) const;
  bool is_parameter(std::string_view name) const {
    return variables_.at(name).place == Variable::Place::parameter;
  }
  /// A thread's place or a counter, not a size that all threads share: what is worked out from threadIdx or blockIdx, or steps.
  bool is_place(std::string_view name) const { return places_.contains(name); }
  bool is_constant(std::string_view name) const {
    return variables_.at(name).place == Variable::Place::file;
  }
  /// An index or a pointer is worked out there, not a number of bytes.
  bool is_of_elements(std::size_t i) const;
  /// Token `i` is a number, or a constant beside the functions.
  bool is_fixed(std::size_t i) const;
  /// Token `i` stands in the declaration of a __shared__ array.
  bool is_in_shared(std::size_t i) const;
  /// Both are members of structures, or neither is.
  bool are_together(std::string_view one, std::string_view other) const {
    const auto is_member = [&](std::string_view name) {
      return variables_.at(name).place == Variable::Place::member;
    };
    return is_member(one) == is_member(other);
  }
  /// Names of all variables of a kind that can be used at token `at`.
  std::vector<std::string_view> variables(Variable::Kind kind, std::size_t at) const;
  std::vector<std::string_view> integers(Variable::Place place, std::size_t at) const;

  /// Of `constexpr int kTile = 32;` beside the functions, where no other kernel uses it, the tokens of its value.
  std::vector<std::pair<std::size_t, std::size_t>> own_constants() const;

  /// The brace at the end of the block that token `i` is in.
  std::size_t block_end(std::size_t i) const;
  /// The `=` at this token gives a variable its first value.
  bool is_declaration(std::size_t equals) const;
  /// An operator between two operands.
  bool is_binary(std::size_t i) const;
  /// Of the operand that begins at token `i`: behind its last token. `i` if there is none.
  std::size_t primary_end(std::size_t i) const;
  /// Of the operand that ends before token `i`: its first token. `i` if there is none.
  std::size_t primary_begin(std::size_t i) const;
  /// Of the value that begins at token `i`: behind its last token.
  std::size_t end_of_value(std::size_t i, std::size_t end) const;
  /// Of `[a * b + c]`, whose bracket is token `open`, the token of the first product; 0: there is none.
  std::size_t star_of_index(std::size_t open) const;
  /// Of `int base = i * 8;`, "i"; "" if the variable is no product.
  std::string row_of(std::string_view variable) const;
  /// Lines where a variable or array that is used on one of `lines` is declared, or gets a value; the heads of the loops and conditions
  /// around them; conditions above that return; functions and macros that they call.
  std::set<std::uint32_t> makers_of(const std::set<std::uint32_t>& lines) const;
  /// Those that end in a semicolon, in order, of all depths.
  std::vector<Statement> statements(std::size_t begin, std::size_t end) const;

 private:
  void pair_brackets();
  /// `last`: of the tokens where it can be used, where not everywhere.
  void declare(std::size_t begin, std::size_t end, Variable::Place place, std::size_t last = 0);
  std::size_t loop_end(std::size_t word) const;
  void declare_constants();
  void declare_macros();
  void declare_members();
  void find_places();
  void add_heads(const std::set<std::uint32_t>& lines, std::set<std::uint32_t>& makers) const;
  void add_called(const std::set<std::uint32_t>& lines, std::set<std::uint32_t>& makers) const;
  bool begins_declaration(std::size_t i) const;

  const Tokens& tokens_;
  std::vector<std::size_t> open_;  ///< of each closing bracket the opening one
  std::vector<std::pair<std::size_t, std::size_t>> bodies_, structures_;
  std::map<std::string_view, Variable> variables_;
  /// Tokens between which a variable of a function can be used; none: anywhere.
  std::map<std::string_view, std::vector<std::pair<std::size_t, std::size_t>>> visible_;
  std::set<std::string_view> places_;
};

}  // namespace labkit::compile
