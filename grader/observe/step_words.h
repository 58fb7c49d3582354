// How far it is from one element of a thread to its next, at one line, and from one block to the next: where that is a fixed
// distance and should be the number of threads, what a block covers, or the length of a part of the array, the finding says so,
// with the figures; and where threads side by side have run over the end of a row, that. What a finding knows is one access
// or two; here the launch is run once more, and the accesses of a few threads at that line are followed.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "launch/launch.h"
#include "simt/machine.h"

namespace labkit::observe {

/// An array of the launch that is known to lie in rows.
struct KnownRows {
  std::uint64_t begin = 0;         ///< device address
  std::uint64_t row_elements = 0;  ///< not 0
};

/// Puts the fix in place of the one that a finding has: of an access out of bounds in global memory, and of stores of one
/// line to one place. `memory` as it was before the launch; it is of no use afterwards.
void describe_steps(std::vector<launch::Finding>& findings, const simt::Program& program,
                    const launch::Launch& launch, std::span<const std::byte> parameter_block,
                    simt::Memory& memory, const simt::RunOptions& options,
                    const std::vector<KnownRows>& rows);

/// Whether there is such a finding, so that it is worth the run.
bool wants_steps(const std::vector<launch::Finding>& findings);

}  // namespace labkit::observe
