// A use of what nobody wrote as a finding.
#pragma once
#include "observe/places.h"

namespace labkit::observe {

/// `where`: the line that read it; `other`: the line where it decided something.
launch::Finding undefined_finding(const simt::UndefinedUse& use, const Places& places);

}  // namespace labkit::observe
