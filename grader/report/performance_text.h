// Where a launch's memory traffic goes, for a terminal: lines under Nsight Compute's words, and the lanes of one access.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "grade/result.h"
#include "observe/counters.h"
#include "observe/samples.h"
#include "report/style.h"

namespace labkit::report {

/// The `most` lines that waste most, and the names of the counters; "" if none touches memory. `only_waste`: leaves out the
/// lines that waste nothing.
std::string line_costs_text(const observe::LaunchCounters& counters, const Style& style,
                            std::string_view indent, std::size_t most, bool only_waste);

/// A head and the lane picture of an instruction's worst access.
std::string worst_access_text(const observe::LaunchCounters& counters,
                              const observe::AccessSamples& samples,
                              const observe::InstructionSamples& instruction, const Style& style,
                              std::string_view indent);

/// Of a test that misses a gate: the lines, the picture of the culprit's worst access, the figures beside those of other
/// answers. "" for other tests; less without TestResult::detail.
std::string performance_text(const lab::TestResult& test, const Style& style,
                             std::string_view indent);

}  // namespace labkit::report
