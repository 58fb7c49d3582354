// Which lines of a student's source a result speaks of, and what it says of them. Private to report/.
#pragma once
#include <string>
#include <vector>

#include "grade/result.h"
#include "report/html_source.h"

namespace labkit::report {

/// Findings (both lines of a race), lines to blame for a missed gate, the compiler's errors, the place
/// to begin. The same remark of several tests is made once and names them.
std::vector<html::LineMark> line_marks(const grade::LabResult& result);

/// The graded file as findings call it: "kernel.cu", whatever it was called when it was handed in.
std::string graded_file_name(const grade::LabResult& result);

}  // namespace labkit::report
