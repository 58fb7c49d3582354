#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "cli/grading.h"

namespace labkit::cli {

/// `labkit lab calibrate [LAB...]`: measures every solution on the GPU at hand, finds for each ratio
/// the window between right and slow answers, and prints the table. For teachers with a GPU that the
/// kit has no limits for.
struct CalibrateOptions {
  std::vector<std::string> labs;
  GradeRequest request;
  int runs = 3;
  bool write = false;           ///< labs/<lab>/gpu_gates/<gpu>.toml, and the table into handouts/
  std::filesystem::path table;  ///< where the table goes; empty: handouts/measured/<gpu>.md
};
int run_calibrate(const CalibrateOptions& options);

}  // namespace labkit::cli
