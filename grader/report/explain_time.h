// What sets a launch's time: the bounds of the prediction. Private to report/.
#pragma once
#include <optional>

#include "device/device.h"
#include "report/html.h"
#include "timing/timing.h"

namespace labkit::report {

/// `registers` may be missing.
html::Markup bound_bars(const timing::Prediction& prediction,
                        const std::optional<device::Registers>& registers);

}  // namespace labkit::report
