// The source with, beside each line, what it costs; and the switch between the ways to count that. Private to
// report/.
#pragma once
#include "report/explain_view.h"

namespace labkit::report {

html::Markup heat_switch(const ExplainView& view);
html::Markup heated_source(const ExplainView& view);

}  // namespace labkit::report
