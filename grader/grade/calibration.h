// Limits for the ratios on one kind of GPU, from what right and slow answers measured there. Each
// limit stands in a window: every right answer clears it by a tenth of it, and every answer that only
// this ratio can stop misses it by a tenth. In that window it stands low, since the right answers that
// nobody measured are slower than those that somebody did: at six tenths of the slowest right answer,
// or just above the fastest that must miss it, whichever is more. Plain arithmetic over results.
#pragma once
#include <string>
#include <vector>

#include "grade/gpu_gates.h"
#include "grade/result.h"

namespace labkit::grade {

/// How far from a limit, as a part of it, right and slow answers must stay.
inline constexpr double kGateMargin = 0.10;
/// Where a limit stands if no answer that only it can stop comes near.
inline constexpr double kPartOfSlowestRight = 0.6;

/// A solution and what each run of it gave on the GPU.
struct SolutionRuns {
  std::string file;  ///< "correct/tile.cu"
  bool is_right = false;
  Verdict declared;  ///< of a wrong one
  std::vector<LabResult> runs;
};

/// The window and the limit in it. `right` must not be empty. `must_miss`: answers that declare this
/// gate. `told_otherwise`: answers that a counter of the same test stops; those that do not miss this limit too are named.
GpuGate find_window(const std::string& name, const std::vector<GateWitness>& right,
                    const std::vector<GateWitness>& must_miss,
                    const std::vector<GateWitness>& told_otherwise);

/// Gates for all minimum ratios of the lab; who measured, when and how is left to the caller.
/// `complaints` gets a line for each right answer without a measurement.
GpuGates calibrate(const Manifest& lab, const std::vector<SolutionRuns>& solutions,
                   std::vector<std::string>& complaints);

}  // namespace labkit::grade
