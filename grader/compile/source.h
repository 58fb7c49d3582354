// What can be learnt from a .cu without compiling it: a light reading of its tokens (comments,
// strings, raw strings and directives told apart, nothing expanded). It serves messages and
// convenience; no protection rests on it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/tokens.h"

namespace labkit::compile {

/// Names between <> or "" of its #include lines, in order, as spelled; not those that are
/// longer than any file's, nor more than a thousand.
std::vector<std::string> includes_of(std::string_view source);

/// Names of the functions that it declares __global__, in order, each once.
std::vector<std::string> kernels_of(std::string_view source);

struct KernelHead {
  std::uint32_t line = 0;                    ///< of the kernel's name, from 1; 0: there is none
  std::vector<std::string_view> parameters;  ///< their names, in order; "" for one without
};
/// Of the __global__ function `kernel` (its name without template arguments).
KernelHead kernel_head(std::string_view source, std::string_view kernel);

/// True if the word stands before a parenthesis outside all braces, as a function's name does where
/// it is declared.
bool declares_function(std::string_view source, std::string_view name);
/// All such words, in order.
std::vector<std::string_view> declared_functions(std::string_view source);

struct Prepared {
  std::string source;              ///< what the compiler gets; lines stay where they were
  std::vector<std::string> notes;  ///< what was left out
};
/// Blanks main() out and drops a byte order mark.
Prepared prepare(std::string_view source, const std::string& name);

/// The first character of a line (from 1) that only looks like one of C++'s, as word processors and keyboards of other
/// scripts make them, in one sentence with its column (in characters, from 1); or nothing.
std::optional<std::string> look_alike(std::string_view source, const std::string& name,
                                      std::uint32_t line);

/// Why the text cannot be CUDA source at all (UTF-16, a NUL byte, nothing in it), or nothing.
std::optional<std::string> unreadable(std::string_view source, const std::string& name);

}  // namespace labkit::compile
