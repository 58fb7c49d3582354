#include "grade/predictions.h"

#include <algorithm>
#include <cmath>

#include "compile/constant_extents.h"
#include "grade/result.h"

namespace labkit::grade {
namespace {

/// A prediction is of whole numbers, and edges of the launch may add a little: so far off is right.
constexpr double kNear = 0.02, kRounded = 0.5;

}  // namespace

bool PredictionResult::right() const {
  return counted &&
         std::fabs(static_cast<double>(guess) - *counted) <= std::max(kRounded, kNear * *counted);
}

std::vector<PredictionResult> compare_predictions(const Manifest& lab, std::string_view source,
                                                  const std::vector<TestResult>& tests) {
  std::vector<PredictionResult> results;
  if (lab.predictions.empty()) return results;
  const compile::Tokens tokens(source);
  const compile::Constants constants = compile::constants_of(tokens);
  for (const Prediction& prediction : lab.predictions) {
    const auto guess = compile::value_of(prediction.constant, constants);
    if (!guess || *guess < 0) continue;
    PredictionResult result{.constant = prediction.constant,
                            .figure = prediction.figure,
                            .why = prediction.why,
                            .guess = *guess,
                            .counted = std::nullopt};
    const auto test = std::ranges::find(tests, prediction.test, &TestResult::name);
    if (test != tests.end() &&
        test->verdict.passed())  // of a kernel that can do better, `why` is not true
      if (const auto at = test->figures.find(prediction.figure); at != test->figures.end())
        result.counted = at->second;
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace labkit::grade
