#include "timing/timed_run.h"

#include "observe/counting.h"
#include "simt/both_observers.h"

namespace labkit::timing {

TimedRun run_timed(const simt::Program& program, const launch::Launch& launch,
                   std::span<const std::byte> parameter_block, simt::Memory& memory,
                   const simt::RunOptions& options, const LocalityOptions& locality_options) {
  observe::Counting counting(program);
  LocalityOptions suiting = locality_options;
  if (!suiting.launch_blocks)
    suiting.launch_blocks = options.blocks.empty() ? launch.grid.count() : options.blocks.size();
  LocalityFactory locality(suiting);
  simt::BothObservers both(counting, locality);
  TimedRun run;
  run.result = simt::run(program, launch, parameter_block, memory, &both, options);
  run.counters = counting.take();
  run.locality = locality.result();
  return run;
}

}  // namespace labkit::timing
