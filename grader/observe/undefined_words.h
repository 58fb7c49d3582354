// A use of what nobody wrote as a finding, in compute-sanitizer's wording, with the fix in a line.
#pragma once
#include "observe/places.h"

namespace labkit::observe {

/// `where`: the line that read it; `other`: the line where it decided something.
/// How the text begins where the value was in a register.
inline constexpr const char* kUnsetVariable = "Uninitialized variable read";
/// Part of the sentence about an array of the thread's own, in local memory.
inline constexpr const char* kOwnArray = "an array of the thread's own";
/// How the fix begins where the block was meant to share it.
inline constexpr const char* kNotShared = "declare it __shared__";

launch::Finding undefined_finding(const simt::UndefinedUse& use, const Places& places);

}  // namespace labkit::observe
