// The first error of a compiler, as a student would say it: which slip, where, and what mends it.
#pragma once
#include <string>

#include "lab/result.h"

namespace labkit::explain {

/// One or two sentences; "" where the error is none of those that beginners make, or there is none.
std::string compile_slip(const lab::LabResult& result);

}  // namespace labkit::explain
