// SIMD targets: which are compiled in, which this machine can run.
#pragma once
#include <string_view>

#include "simt/access.h"

namespace labkit::simt {

/// The target of that name, or the best for "". LABKIT_SIMD in the environment counts if the name is empty. Throws
/// labkit::Error naming the targets there are if it is unknown or cannot run here.
const Target& choose_target(std::string_view name);

}  // namespace labkit::simt
