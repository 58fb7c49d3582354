// The limits of ratios against what an NVIDIA H200 measured of the right answers (labs/*/gpu_gates, written by `labkit lab
// calibrate`): the limit for measured ratios and the one for predicted ratios both lie a tenth below the slowest of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "grade/calibration.h"
#include "grade/gpu_gates.h"
#include "grade/manifest.h"

namespace labkit::grade {
namespace {

/// Puzzles have none.
bool has_gates(const Manifest& manifest) {
  return std::ranges::any_of(manifest.tests, [](const Test& test) { return !test.gates.empty(); });
}

TEST(H200Gates, BothLimitsLieBelowTheSlowestRightAnswer) {
  for (const Manifest& manifest : find_labs(LABKIT_SOURCE_DIR)) {
    if (!has_gates(manifest)) continue;
    const auto gates = load_gpu_gates(manifest, "NVIDIA H200");
    ASSERT_TRUE(gates) << manifest.id
                       << ": labkit lab calibrate LAB --device cuda --runs 3 --write";
    for (const grade::Test& test : manifest.tests)
      for (const Gate& gate : test.gates) {
        if (!gate.is_ratio()) continue;
        const std::string name = manifest.id + " " + gate.name;
        const GpuGate* found = gates->find(gate.name);
        ASSERT_TRUE(found) << name;
        ASSERT_TRUE(found->min) << name << ": " << found->note;
        const double highest = found->slowest_right.ratio.low / (1 + kGateMargin);
        EXPECT_LE(*found->min, highest) << name;
        EXPECT_LE(gate.threshold, highest) << name << ", predicted";
        EXPECT_EQ(found->size, test.gpu_size) << name;
        if (found->fastest_wrong) {
          EXPECT_LE(found->fastest_wrong->ratio.high, (1 - kGateMargin) * *found->min + 1e-3)
              << name;
        }
      }
  }
}

TEST(H200Gates, EveryLabWithGatesHasAMinimumRatio) {
  for (const Manifest& manifest : find_labs(LABKIT_SOURCE_DIR)) {
    if (!has_gates(manifest)) continue;
    const auto has_ratio = [](const grade::Test& test) {
      return !test.bonus && std::any_of(test.gates.begin(), test.gates.end(),
                                        [](const Gate& gate) { return gate.is_ratio(); });
    };
    EXPECT_TRUE(std::any_of(manifest.tests.begin(), manifest.tests.end(), has_ratio))
        << manifest.id;
  }
}

}  // namespace
}  // namespace labkit::grade
