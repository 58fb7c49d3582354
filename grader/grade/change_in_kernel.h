// Why a change is needed, where only the kernel around it can tell: what another line stores, moves or loads.
#pragma once
#include <string_view>
#include <vector>

#include "grade/result.h"

namespace labkit::grade {

/// The mistake of thought behind a change of these lines of `source`; none where nothing is known.
words::Message reason_in_kernel(const std::vector<ChangedLine>& lines, std::string_view source);

/// It reads an element of an array as another line stores it, for its own row.
bool reads_as_stored(const std::vector<ChangedLine>& lines, std::string_view source);

/// A `+=` of each round of a loop becomes one store behind it: all of the change in one sentence, or none.
words::Message stored_once(const std::vector<ChangedLine>& lines);

/// One condition of several loads becomes what each of them needs: all of the change in one sentence, or none.
words::Message own_conditions(const std::vector<ChangedLine>& lines);

/// What is stored goes into an array of its own: all of the change in one sentence, or none.
words::Message array_of_its_own(const std::vector<ChangedLine>& lines);

}  // namespace labkit::grade
