// A figure beside the ideal, the reference's, a slow kernel's and its gate: one line each.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grade/result.h"

namespace labkit::explain {

/// What the launch's own requests would give without any waste; nullopt where that says nothing (times, plain sums).
std::optional<double> ideal_of(std::string_view figure, const observe::LaunchCounters& counters);

/// "sectors per global store request: naive 32.0, yours 8.0, ideal 4.0, reference 4.0, at most 4.5": of each gate that the
/// test misses, and with it what its accesses cost a request. Costs of requests that move more bytes than the reference's,
/// or fewer, stand without those of other answers. Empty without figures to compare with.
std::vector<std::string> tell_comparison(const grade::TestResult& test);

}  // namespace labkit::explain
