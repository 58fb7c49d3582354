#pragma once
#include <string>
#include <vector>

#include "cli/grading.h"
#include "grade/known_figures.h"

namespace labkit::cli {

/// `labkit lab figures [LAB...]`: the figures of the answers that labs/<lab>/figures.toml names, counted and predicted on the
/// simulator.
struct LabFiguresOptions {
  std::vector<std::string> labs;
  GradeRequest request;
  bool write = false;
};
int run_lab_figures(const LabFiguresOptions& options);

/// What of figures.toml a result of the answer in `file` ("correct/tile.cu") does not bear out. Predicted figures may
/// differ by kPredictedTolerance, and are compared for the same GPU only.
inline constexpr double kPredictedTolerance = 0.01;
std::vector<std::string> judge_known(const grade::Manifest& lab, const grade::KnownFigures& known,
                                     const std::string& file, const grade::LabResult& result);

}  // namespace labkit::cli
