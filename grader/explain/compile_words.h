// The first error of a compiler, as a student would say it: which slip, where, and what mends it.
#pragma once
#include <string>

#include "lab/result.h"

namespace labkit::explain {

/// One or two sentences; "" where the error is none of those that beginners make, or there is none.
std::string compile_slip(const lab::LabResult& result);
/// The first error is about what a line means, and neither a missing symbol nor a name that is not known.
bool is_slip_of_meaning(const lab::LabResult& result);

}  // namespace labkit::explain
