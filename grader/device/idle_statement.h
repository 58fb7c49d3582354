// Statements that the compiler found to do nothing, as a student's slip: which one, and what was meant. They leave no
// instruction, so that nothing else sees them.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "words/message.h"

namespace labkit::device {

struct IdleStatement {
  std::uint32_t line = 0;
  words::Message what, fix;  ///< rows idle_* and idle_fix_* of words/english/compile.def
};

/// Of `kernel` (a name expression) or of a function that kernels may call, in the log of NVRTC about `source`: calls without
/// parentheses, comparisons in place of assignments (and the other way round: source_slip.h), indices with a comma between
/// them, an `if` that ends at once, values that are discarded. Not a variable's name alone, which some write to quiet another
/// warning. A log without carets (NVRTC before 13) says less of which statement of a line it is.
std::vector<IdleStatement> idle_statements(std::string_view log, std::string_view source,
                                           const std::string& kernel);

}  // namespace labkit::device
