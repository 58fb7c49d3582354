// What the compiler itself has seen of a kernel and the sanitizers cannot: of a variable that is used before it is set, on
// every way, the optimiser makes any value it likes, in the unoptimised build as well, and no instruction shows it.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "launch/launch.h"

namespace labkit::device {

/// Adds a warning (uninitialized) for each such variable in the log of NVRTC, if it belongs to `kernel` (a name expression)
/// or to a function that kernels may call. Whether the line was executed is not known. Where `findings` has one about that
/// line already, that one is told the variable's name instead.
void add_compiler_findings(std::vector<launch::Finding>& findings, std::string_view log,
                           std::string_view source, const std::string& kernel);

}  // namespace labkit::device
