// The mistake of thought behind a change: bytes for elements, a macro without parentheses, a block of another size. Read off its
// text, and true whatever the program is.
#pragma once
#include <string_view>
#include <vector>

#include "grade/result.h"
#include "words/message.h"

namespace labkit::grade {

/// Of `changes`, sentences about `lines` of `source`, the first one that is known; no message where none is.
words::Message reason_of(const std::vector<words::Message>& changes,
                         const std::vector<ChangedLine>& lines, std::string_view source);

/// `for (int i = 0; ...; ++i)` that becomes a loop in which each thread has a part.
bool shares_loop(const ChangedLine& line);

}  // namespace labkit::grade
