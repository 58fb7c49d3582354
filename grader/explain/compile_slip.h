// The compiler's first errors as the slips that they most likely are: which, where, and how to fix them.
#pragma once
#include <vector>

#include "grade/result.h"
#include "words/message.h"

namespace labkit::explain {

/// At most three, in the order of the source, rows compile_* of words/english/compile.def; without those that only follow
/// from an earlier one. Empty where no error is one that beginners make, or there is none.
std::vector<words::Message> compile_slips(const lab::LabResult& result);
/// The first error is about what a line means, and neither a missing symbol nor a name that is not known.
bool is_slip_of_meaning(const lab::LabResult& result);

}  // namespace labkit::explain
