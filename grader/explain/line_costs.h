// What each source line moved, and how much of that for nothing; and the access to look at for a line.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "launch/launch.h"
#include "observe/counters.h"
#include "observe/samples.h"

namespace labkit::explain {

/// Sums over a source line's instructions, under the names of Nsight Compute's source page.
struct LineCost {
  launch::SourceLine where;
  double global_requests = 0;
  double global_sectors = 0;        ///< memory_l2_theoretical_sectors_global
  double global_sectors_ideal = 0;  ///< memory_l2_theoretical_sectors_global_ideal
  double shared_requests = 0;
  double shared_wavefronts = 0;        ///< memory_l1_wavefronts_shared
  double shared_wavefronts_ideal = 0;  ///< memory_l1_wavefronts_shared_ideal
  double local_sectors = 0;            ///< l1tex__t_sectors_pipe_lsu_mem_local.sum
  double warp_instructions = 0;        ///< PTX, all of the line
  double excess_sectors() const { return global_sectors - global_sectors_ideal; }
  /// What Nsight Compute calls bank conflicts: l1tex__data_bank_conflicts_pipe_lsu_mem_shared.
  double bank_conflicts() const { return shared_wavefronts - shared_wavefronts_ideal; }
};

/// Lines that touch memory, the most wasteful first, then in their order. Lines that are not known (0) last.
std::vector<LineCost> line_costs(const observe::LaunchCounters& counters);

enum class Memory : std::uint8_t { any, global, shared };
/// Of the instructions of a line, the one whose accesses waste most in all, then that moves most; null if the line has none
/// with samples. `accesses` narrows it down to loads or stores (atomics are both).
enum class Accesses : std::uint8_t { any, loads, stores };
const observe::InstructionSamples* worst_of_line(const observe::LaunchCounters& counters,
                                                 const observe::AccessSamples& samples,
                                                 const launch::SourceLine& where,
                                                 Memory memory = Memory::any,
                                                 Accesses accesses = Accesses::any);
/// The same over all lines.
const observe::InstructionSamples* worst_of_launch(const observe::LaunchCounters& counters,
                                                   const observe::AccessSamples& samples);

}  // namespace labkit::explain
