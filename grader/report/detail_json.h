// What a launch did, by line and by memory instruction, as JSON and back. Private to report/.
#pragma once
#include "grade/result.h"
#include "report/json_values.h"

namespace labkit::report {

/// "lines": per-line metrics, as `labkit profile --json` has them.
Json lines_json(const observe::LaunchCounters& counters);

/// The summary of samples: of each memory instruction its worst access; the shown block's accesses are left to the page.
Json samples_json(const observe::AccessSamples& samples);

/// All of the above, the counters of instructions that touch memory, and the bytes.
Json detail_json(const lab::LaunchDetail& detail);
/// What detail_json wrote: instructions that touch memory alone, and no accesses but the worst.
lab::LaunchDetail read_detail(const Json& json);

}  // namespace labkit::report
