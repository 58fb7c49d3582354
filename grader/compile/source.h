// What is done with a .cu before it is compiled: which headers it wants, main() left out, and why it cannot be one at all. It
// serves messages and convenience; no protection rests on it.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "words/message.h"

namespace labkit::compile {

/// Names between <> or "" of its #include lines, in order, as spelled; not those that are
/// longer than any file's, nor more than a thousand.
std::vector<std::string> includes_of(std::string_view source);

struct Prepared {
  std::string source;                 ///< what the compiler gets; lines stay where they were
  std::vector<words::Message> notes;  ///< what was left out
};
/// Blanks main() out and drops a byte order mark.
Prepared prepare(std::string_view source, const std::string& name);

/// The first character of a line (from 1) that only looks like one of C++'s, as word processors and keyboards of other
/// scripts make them, with its column (in characters, from 1); or none.
words::Message look_alike(std::string_view source, const std::string& name, std::uint32_t line);

/// Why the text cannot be CUDA source at all (UTF-16, a NUL byte, nothing in it), or none.
words::Message unreadable(std::string_view source, const std::string& name);

}  // namespace labkit::compile
