// How far apart the lanes are at the line that a missed gate names: from the samples of its launch into the result's plain
// figures, which outlive the launch.
#pragma once
#include "grade/result.h"

namespace labkit::explain {

/// Fills in lab::Culprit::lane_stride_bytes where a test has kept samples (SessionOptions::details) and the lanes of the
/// line's worst access are all equally far apart.
void add_lane_strides(lab::LabResult& result);

}  // namespace labkit::explain
