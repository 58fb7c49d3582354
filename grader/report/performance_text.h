// Where a launch's memory traffic goes, for a terminal: lines under Nsight Compute's words, and the lanes of one access.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "explain/finding_picture.h"
#include "explain/lane_picture.h"
#include "grade/result.h"
#include "observe/counters.h"
#include "observe/samples.h"
#include "report/style.h"

namespace labkit::report {

/// The `most` lines that waste most, and the names of the counters; "" if none touches memory. `only_waste`: leaves out the
/// lines that waste nothing.
std::string line_costs_text(const observe::LaunchCounters& counters, const Style& style,
                            std::string_view indent, std::size_t most, bool only_waste);

/// A picture of one access with its sentences: a row of marks for four sectors, or for the banks of a wavefront; blocks and
/// dots where the terminal has Unicode, else # and a full stop. Each line begins with `indent`.
std::string lane_picture_text(const explain::LanePicture& picture, const Style& style,
                              std::string_view indent = {});

/// Its beginning in three lines at most: the headline, and four sectors above four of the same lanes side by side, or two
/// wavefronts.
std::string short_lane_picture_text(const explain::LanePicture& picture, const Style& style,
                                    std::string_view indent = {});

/// In three lines at most: the 32 lanes of each warp at its line, those at fault marked.
std::string finding_picture_text(const explain::FindingPicture& picture, const Style& style,
                                 std::string_view indent = {});

/// The picture of what a failed test is about, in three lines at most: of its first finding, else of the access at fault; ""
/// for what has none.
std::string short_picture_text(const grade::TestResult& test, const Style& style,
                               std::string_view indent = {});

/// The access to show of a test that misses a gate: of the line that makes it slow, else of the line that the first missed gate
/// blames, else of the line that wastes most. Null without samples, or where nothing is wasted.
const observe::InstructionSamples* access_at_fault(const grade::TestResult& test);

/// A head and the lane picture of an instruction's worst access.
std::string worst_access_text(const observe::LaunchCounters& counters,
                              const observe::AccessSamples& samples,
                              const observe::InstructionSamples& instruction, const Style& style,
                              std::string_view indent);

/// Of a test that misses a gate: the lines, the picture of the culprit's worst access, the figures beside those of other
/// answers. "" for other tests; less without TestResult::detail.
std::string performance_text(const grade::TestResult& test, const Style& style,
                             std::string_view indent);

}  // namespace labkit::report
