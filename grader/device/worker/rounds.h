// The rules of a window that need no GPU: in which order, and until when.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace labkit::device::cuda {

/// The order of the timed launches in a round: a permutation of 0 .. count-1 that depends on the
/// round alone.
std::vector<std::size_t> order_of_round(std::uint32_t round, std::size_t count);

/// times[i][r]: of launch i in round r. Is every ratio of the first's time to another's, or the one
/// launch's time, known to `enough` (Repetition::enough_relative_error)?
bool is_settled(const std::vector<std::vector<double>>& times, double enough);

}  // namespace labkit::device::cuda
