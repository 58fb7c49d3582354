// simt::run with all counters on.
#pragma once
#include <span>

#include "observe/counting.h"

namespace labkit::observe {

struct CountingRun {
  simt::RunResult result;
  LaunchCounters counters;  ///< partial if the launch did not complete
};
inline CountingRun run_counted(const simt::Program& program, const launch::Launch& launch,
                               std::span<const std::byte> parameter_block, simt::Memory& memory,
                               const simt::RunOptions& options = {}) {
  Counting counting(program);
  CountingRun run;
  run.result = simt::run(program, launch, parameter_block, memory, &counting, options);
  run.counters = counting.take();
  return run;
}

}  // namespace labkit::observe
