// Rows of machine_costs.def against what was measured (tests/h200/instruction_costs.csv).
#include "ptx/machine_cost.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "ptx/module.h"

namespace labkit::ptx {
namespace {

Instruction instruction(std::string_view spelling) {
  Instruction made;
  made.spelling = spelling;
  for (std::size_t at = 0; at <= spelling.size();) {
    const std::size_t end = std::min(spelling.find('.', at), spelling.size());
    made.parts.push_back(spelling.substr(at, end - at));
    at = end + 1;
  }
  return made;
}

/// Of one alone, what its pipe or the schedulers take.
double slots(const MachineCost& cost) {
  return std::max({cost.issue, cost.alu, cost.fma, cost.xu, 2 * cost.fp64});
}

/// What ptxas folds two of into one, or does away with, shows as less than a slot; those are not measured by this program.
TEST(MachineCost, IsWhatWasMeasured) {
  std::ifstream file(LABKIT_SOURCE_DIR "/grader/tests/h200/instruction_costs.csv");
  std::string line;
  int rows = 0;
  while (std::getline(file, line)) {
    if (line.starts_with('#') || line.starts_with("instruction,")) continue;
    std::istringstream cells(line);
    std::string name, latency, measured;
    std::getline(cells, name, ',');
    std::getline(cells, latency, ',');
    std::getline(cells, measured, ',');
    if (name.find('+') != std::string::npos || std::stod(measured) < 1.5) continue;
    const MachineCost cost = machine_cost(instruction(name));
    if (cost.issue == 1 && slots(cost) == 1) continue;  // of most instructions: not in the table
    ++rows;
    EXPECT_NEAR(slots(cost), std::stod(measured), 0.15 * std::stod(measured) + 0.1) << name;
    if (cost.latency > 1.3f) {
      EXPECT_NEAR(4 * cost.latency, std::stod(latency), 0.1 * std::stod(latency)) << name;
    }
  }
  EXPECT_GT(rows, 50);
}

TEST(MachineCost, OfWhatIsNotInTheTableIsOneSlot) {
  for (const char* spelling : {"ld.global.f32", "mov.u32", "bra.uni", "add.s32", "bar.sync"}) {
    const MachineCost cost = machine_cost(instruction(spelling));
    EXPECT_EQ(slots(cost), 1) << spelling;
    EXPECT_EQ(cost.latency, 1) << spelling;
  }
}

}  // namespace
}  // namespace labkit::ptx
