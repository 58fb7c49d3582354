// Where wrong elements lie, if that can be said in a line: in some columns, in some rows, or as every so many elements.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "words/message.h"

namespace labkit::grade {

/// Which of the numbers are set, in a form that any language reads: "0-2, 29-31", or "16-31, 48-63, ..., 240-255" where
/// stretches of one length follow at one distance. Empty: neither, or all or none of them.
std::string stretches(const std::vector<bool>& is_set);

/// Rows places_* of words/english/results.def. `is_wrong`: of elements in row-major order. No message where they have no pattern,
/// where all are wrong, and for a single one.
words::Message wrong_places(const std::vector<bool>& is_wrong, std::uint64_t cols, bool is_vector);

}  // namespace labkit::grade
