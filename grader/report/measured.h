// What a GPU measured of every solution, as a page of Markdown: the record behind its limits.
#pragma once
#include <string>
#include <vector>

#include "grade/calibration.h"
#include "grade/manifest.h"

namespace labkit::report {

struct CalibratedLab {
  grade::Manifest lab;
  std::vector<grade::SolutionRuns> solutions;
  grade::GpuGates gates;
};

/// The page says the GPU, its driver, the date and the command at its top. A row is a graded launch
/// of a solution, of the run whose ratio is the median.
std::string measured_markdown(const std::vector<CalibratedLab>& labs);

}  // namespace labkit::report
