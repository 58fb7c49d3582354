// Figures against their gates: the naive kernel's, the student's, the ideal, the reference's. Private to report/.
#pragma once
#include "report/explain_html.h"
#include "report/explain_view.h"

namespace labkit::report {

/// Empty for a launch without gates.
html::Markup gate_ladders(const LaunchView& launch, const ExplainView& view,
                          const std::map<std::string, Yardstick>& yardsticks);

}  // namespace labkit::report
