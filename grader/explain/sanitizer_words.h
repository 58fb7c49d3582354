// A finding in compute-sanitizer's wording, for those who compare the two, with the evidence and the fix that follow it.
#pragma once
#include <string>
#include <vector>

#include "launch/launch.h"

namespace labkit::explain {

/// The lines of compute-sanitizer: what, where, by whom. Without evidence and fix.
std::vector<std::string> sanitizer_lines(const launch::Finding& finding);
/// The evidence, a line a sentence.
std::vector<std::string> evidence_lines(const launch::Finding& finding);
/// "Put __syncthreads() between line 8 and line 12."; "" if there is none.
std::string fix_line(const launch::Finding& finding);
/// All of them, the fix with "Fix: " before it.
std::vector<std::string> finding_lines(const launch::Finding& finding);

}  // namespace labkit::explain
