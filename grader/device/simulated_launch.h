// One launch on the simulator, counted, timed and checked as is wanted: of a plan, or of a whole program (program/).
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "device/device.h"
#include "observe/findings.h"
#include "simt/machine.h"

namespace labkit::device {

/// What is wanted is as in PlannedLaunch.
struct SimulatedLaunch {
  const simt::Program& program;
  const launch::Launch& launch;
  std::span<const std::byte> parameters;  ///< laid out as simt::run() wants them
  /// Memory as it is before the launch, at the same addresses each time. A launch may be run several times.
  std::function<simt::Memory()> fresh;
  bool counters = false, time = false, samples = false;
  bool check = false, check_drawn_blocks = false;
  simt::ObserverFactory* also = nullptr;  ///< watches the run that is counted
  std::uint32_t part_of = 1;
  std::uint64_t budget = 0;  ///< in thread instructions (simt/limits.h); 0: no limit
  bool budget_is_of_each_block = false;
  std::uint64_t seed = 0;
  std::uint64_t footprint_bytes = 0;  ///< of the buffers that it uses
  Registers registers;
  std::vector<observe::KnownRows> rows = {};  ///< for words alone
};

/// As ptxas counted them, or else as estimated from the PTX.
Registers registers_of(const compile::Assembled& assembled, const simt::ProgramFacts& facts);

/// A launch that fails on a GPU, since a block's threads have more registers than there are. Not for an estimate, nor for a
/// block that cannot be launched anyway.
std::optional<launch::Finding> without_room(const SimulatedLaunch& one,
                                            const timing::GpuProfile& gpu);

/// `memory` is what fresh() gives; afterwards it holds what the launch left. All of an Outcome but its outputs.
Outcome simulate(const SimulatedLaunch& one, simt::Memory& memory, const Options& how,
                 const timing::GpuProfile& gpu);

}  // namespace labkit::device
