// A launch under the roofs of a GPU, as a chart. Private to report/.
#pragma once
#include "explain/roofline.h"
#include "report/html.h"

namespace labkit::report {

/// Chart and words; without arithmetic, whose point would lie at no intensity, its bandwidth against DRAM's.
html::Markup roofline_chart(const explain::Roofline& roofline);

}  // namespace labkit::report
