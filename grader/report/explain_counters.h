// The counters of a launch under Nsight Compute's names, each with what it means in a sentence. Private to report/.
#pragma once
#include "observe/counters.h"
#include "report/html.h"

namespace labkit::report {

html::Markup counter_table(const observe::LaunchCounters& counters);

}  // namespace labkit::report
