// Conditions that C++ takes and that ask for something else than they seem to. NVRTC warns of few of them (187-D: of a
// constant alone), so that they are read from the source.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "device/idle_statement.h"

namespace labkit::device {

/// Of `kernel` or of a function that kernels may call: a single `=` in the condition of an if or a loop, unless it stands in
/// parentheses of its own, as it does where it is meant; and `a < b < c`, which compares 0 or 1 with c.
std::vector<IdleStatement> idle_conditions(std::string_view source, const std::string& kernel);

}  // namespace labkit::device
