// The numbers that a student predicts in kernel.cu before the first run, held against what was counted, once the
// test passes. They cost no points.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grade/manifest.h"

namespace labkit::grade {

struct TestResult;

struct PredictionResult {
  std::string constant, figure, why;  ///< as in lab.toml
  std::int64_t guess = 0;             ///< 0: none yet
  std::optional<double> counted;      ///< none: the test has not passed
  bool right() const;
};

/// Of those whose constant `source` declares with a number that can be read.
std::vector<PredictionResult> compare_predictions(const Manifest& lab, std::string_view source,
                                                  const std::vector<TestResult>& tests);

}  // namespace labkit::grade
