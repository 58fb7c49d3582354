// Every kernel of kernel_counters.csv, of both builds, at the size of a correctness test: with values that rise evenly
// computed once a warp and without, nothing that is counted, charged or stored may differ.
#include <gtest/gtest.h>

#include <set>

#include "kernel_rows.h"
#include "observe/counting.h"
#include "run_counted.h"

namespace labkit::observe::test {
namespace {

struct Outcome {
  CountingRun run;
  simt::Memory::Saved memory;
};

Outcome outcome(const KernelRow& row, const ptx::Module& module, bool affine, unsigned threads) {
  auto ready = prepare(row, module);
  const auto decoded = simt::decode(module, ready.launch.entry);
  simt::RunOptions options;
  options.affine = affine;
  options.threads = threads;
  Outcome all{run_counted(*decoded.program, ready.launch, ready.parameters, ready.memory, options),
              {}};
  all.memory = ready.memory.save();
  return all;
}

void expect_same(const LaunchCounters& a, const LaunchCounters& b) {
  EXPECT_EQ(a.warp_instructions, b.warp_instructions);
  EXPECT_EQ(a.thread_instructions, b.thread_instructions);
  EXPECT_EQ(a.barriers_executed, b.barriers_executed);
  ASSERT_EQ(a.instructions.size(), b.instructions.size());
  for (std::size_t i = 0; i < a.instructions.size(); ++i)
    for (const auto count :
         {&InstructionCounters::warp_executions, &InstructionCounters::thread_executions,
          &InstructionCounters::global_requests, &InstructionCounters::global_sectors,
          &InstructionCounters::global_bytes, &InstructionCounters::shared_requests,
          &InstructionCounters::shared_wavefronts, &InstructionCounters::shared_wavefronts_ideal,
          &InstructionCounters::local_requests, &InstructionCounters::local_sectors})
      EXPECT_EQ(a.instructions[i].*count, b.instructions[i].*count)
          << "instruction " << i << " " << a.info[i].spelling;
}

TEST(AffineRows, NothingThatIsCountedOrStoredDiffers) {
  const auto optimised = read_module("kernels_nvrtc_13.0.ptx"),
             debug = read_module("kernels_debug_nvrtc_13.0.ptx");
  std::set<std::string> seen;
  for (const auto& row : kernel_rows()) {
    const auto few = small(row);
    if (!seen.insert(few.label()).second) continue;
    for (const auto* module : {&optimised, &debug}) {
      SCOPED_TRACE(few.label() + (module == &debug ? ", -G" : ""));
      const Outcome with = outcome(few, *module, true, 2),
                    without = outcome(few, *module, false, 1);
      EXPECT_TRUE(with.run.result.completed);
      expect_same(with.run.counters, without.run.counters);
      EXPECT_EQ(with.run.result.cost, without.run.result.cost);
      EXPECT_EQ(with.memory.contents, without.memory.contents);
    }
  }
  EXPECT_GT(seen.size(), 90u);
}

}  // namespace
}  // namespace labkit::observe::test
