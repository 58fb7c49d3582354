// Why a change is needed, where only the kernel around it can tell: what another line stores, moves or loads.
#pragma once
#include <string_view>
#include <vector>

#include "grade/result.h"

namespace labkit::grade {

/// The mistake of thought behind a change of these lines of `source`; none where nothing is known.
words::Message reason_in_kernel(const std::vector<ChangedLine>& lines, std::string_view source);

/// What is stored goes into an array of its own: all of the change in one sentence, or none.
words::Message array_of_its_own(const std::vector<ChangedLine>& lines);

}  // namespace labkit::grade
