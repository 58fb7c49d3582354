// Runs a launch with all that predicting its time needs: the counters, and the locality of a sample of its blocks.
#pragma once
#include <span>

#include "simt/machine.h"
#include "timing/locality.h"
#include "timing/timing.h"

namespace labkit::timing {

struct TimedRun {
  simt::RunResult result;
  observe::LaunchCounters counters;  ///< partial if the launch did not complete
  Locality locality;
};
/// simt::run with both observers; and once more, in the memory as the first run left it, where other blocks must be traced
/// (likeness.h).
TimedRun run_timed(const simt::Program& program, const launch::Launch& launch,
                   std::span<const std::byte> parameter_block, simt::Memory& memory,
                   const simt::RunOptions& options = {}, const LocalityOptions& locality = {});

}  // namespace labkit::timing
