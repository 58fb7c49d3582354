// Registers as estimated where there is no ptxas, beside those that the measured kernels had.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/files.h"
#include "measured_kernels.h"
#include "ptx/passes.h"
#include "simt/machine.h"

namespace labkit::timing {
namespace {

Occupancy resident(const MeasuredKernel& kernel, const simt::ProgramFacts& facts,
                   std::uint32_t registers, bool estimated) {
  Activity activity;
  activity.grid = kernel.grid;
  activity.block = kernel.block;
  activity.registers_per_thread = registers;
  activity.registers_estimated = estimated;
  activity.shared_bytes_per_block = facts.static_shared_bytes + kernel.dynamic_shared_bytes;
  const GpuProfile& gpu = find_profile("h200");
  return occupancy(with_registers_that_fit(activity, gpu), gpu);
}

// What the estimate is for: `timing_fidelity --registers` prints the rows.
TEST(EstimatedRegisters, LetAsManyBlocksRunAsTheMeasuredKernelsHad) {
  std::map<Set, ptx::ParseResult> modules;
  modules[Set::fit] = ptx::parse(read_file(LABKIT_TEST_DATA "/kernels.ptx"));
  modules[Set::test] = ptx::parse(read_file(LABKIT_TEST_DATA "/other_kernels.ptx"));
  std::vector<MeasuredKernel> all = measured_kernels();
  for (const MeasuredKernel& kernel : other_kernels()) all.push_back(kernel);
  int rows = 0, limited = 0;
  for (const MeasuredKernel& kernel : all) {
    if (kernel.entry.empty()) continue;
    const simt::DecodeResult decoded = simt::decode(*modules.at(kernel.set).module, kernel.entry);
    ASSERT_TRUE(decoded.program) << kernel.entry;
    const simt::ProgramFacts& facts = simt::facts(*decoded.program);
    const Registers real = registers_of(kernel);
    const Occupancy counted = resident(kernel, facts, real.measured, false),
                    estimated = resident(kernel, facts, facts.estimated_registers, true);
    EXPECT_EQ(estimated.blocks_per_sm, counted.blocks_per_sm)
        << kernel.family << " " << kernel.kernel << ": " << facts.estimated_registers
        << " estimated, " << real.measured << " had";
    limited += counted.limiter == "registers";
    ++rows;
  }
  EXPECT_GT(rows, 350);
  EXPECT_GT(limited, 0);
}

}  // namespace
}  // namespace labkit::timing
