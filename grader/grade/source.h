// What can be told from the text of a .cu without compiling it. A lexer's view: comments, strings
// and preprocessor lines are understood, macros are not expanded.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "compile/tokens.h"

namespace labkit::lab {

struct KernelSource {
  bool found = false;      ///< a `__global__` function of that name is defined here
  bool untouched = false;  ///< and its body holds no code but `extern __shared__` declarations
  std::uint32_t line = 0;  ///< of its opening brace, from 1
  bool body_has_todo = false;
  std::uint32_t todo_line = 0;  ///< of the first TODO after it, or 0
};

/// The kernels of a source, read once: a class's files are asked for every lab's kernels.
class SourceOutline {
 public:
  /// `source` must outlive it.
  explicit SourceOutline(std::string_view source);
  KernelSource kernel(std::string_view name) const;

 private:
  std::string_view source_;
  std::vector<compile::Token> tokens_;  ///< without directives
  compile::Brackets brackets_;
  compile::Lines lines_;
  std::unordered_map<std::string_view, std::size_t> bodies_;  ///< name -> token of the brace
};
/// Of a source of which one kernel is asked for.
KernelSource inspect_kernel(std::string_view source, std::string_view name);

/// The text of the file's first comment (// lines that follow one another count as one), without
/// comment marks; empty if something else stands before it.
std::string first_comment(std::string_view source);

/// What follows "KEY:" in the first comment, up to the line's end; nullopt if it is not there. Wrong
/// solutions declare their `verdict`, `class` and `defect` so, and what must be told of them (`says`), or never (`never`).
std::optional<std::string> declared(std::string_view source, std::string_view key);
/// The same, of each line that has it, in order.
std::vector<std::string> all_declared(std::string_view source, std::string_view key);
std::optional<std::string> declared_verdict(std::string_view source);

/// The lines, from 1, that end with the mark `// <--`: where a wrong solution goes wrong.
std::vector<std::uint32_t> marked_lines(std::string_view source);

}  // namespace labkit::lab
