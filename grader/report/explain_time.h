// What sets a launch's time: the bounds of the prediction. Private to report/.
#pragma once
#include "report/html.h"
#include "timing/timing.h"

namespace labkit::report {

html::Markup bound_bars(const timing::Prediction& prediction);

}  // namespace labkit::report
