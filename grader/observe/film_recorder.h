// Records films (film.h).
#pragma once
#include <cstddef>
#include <span>

#include "launch/launch.h"
#include "observe/film.h"
#include "simt/machine.h"

namespace labkit::observe {

/// The first warps of the block in the middle of the grid; or, where a race was found, the two that it is between; or, of
/// what stops the launch, the warp that does and others of its block. `finding` may be null.
Film record_film(const simt::Program& program, const launch::Launch& launch,
                 std::span<const std::byte> parameters, simt::Memory& memory,
                 simt::RunOptions options, const launch::Finding* finding);

}  // namespace labkit::observe
