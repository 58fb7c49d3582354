// What the simulator saw of the measured kernels, kept in a file: a change of the model is tried in seconds then.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "measured_kernels.h"

namespace labkit::timing {

/// Reads `file` if it is there; else simulates and writes it. The file knows nothing of the program that wrote it: delete
/// it when the simulator or what is observed has changed.
std::vector<Simulated> simulate_or_read(const std::vector<MeasuredKernel>& kernels,
                                        const std::string& file, std::uint64_t seed = 0);

}  // namespace labkit::timing
